# SPDX-License-Identifier: Apache-2.0
"""What a home answers to those who ask for all of it, and how that must be answered after an upgrade."""

import datetime
import subprocess

from hub_process import wait_until
from websocket_client import WebSocketClient

DAY = datetime.timedelta(days=1)
# The first of three days on which the home was used; at the clock's time of the last one the answers were taken.
FIRST = datetime.datetime(2026, 11, 23, 10, 0, tzinfo=datetime.timezone.utc)
LAST = FIRST + 2 * DAY
ASKED = LAST + datetime.timedelta(minutes=20)
COLLECTIONS = ["zone", "tag", "person", "group", "input_boolean", "input_button", "input_datetime", "input_number",
               "input_select", "input_text", "counter", "timer", "schedule"]
HELPERS = ("input_", "counter.", "timer.", "schedule.", "person.", "group.", "automation.", "script.")
AUTOMATIONS = ["automation.heating", "automation.hall"]
STATISTIC = "sensor.outdoor"


def iso(time):
    return time.isoformat().replace("+00:00", "Z")


def clock_of(time):
    """The offset of a clock that shows that time now."""
    return round(time.timestamp() - datetime.datetime.now(datetime.timezone.utc).timestamp())


def command(binary, folder, *arguments, environment=None, **options):
    done = subprocess.run([str(binary), *arguments, "--config", str(folder)], capture_output=True, text=True,
                          env=environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def collect(hub, binary, folder, environment):
    """All answers, by name. Without those that change from one start to the next."""
    answers = {}
    between = {"end_time": iso(LAST + datetime.timedelta(minutes=10))}

    def get(path, **query):
        answer = hub.admin.get(path, params=query)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return answer.json()

    def settled():
        # A hub of then answers a moment before all entities are there again.
        found = {state["entity_id"]: state for state in get("/api/states")}
        missing = [name for name in found if name.startswith(HELPERS) and "restored" in found[name]["attributes"]]
        return None if missing else found

    states = wait_until(settled, 30)
    # Of the hub itself, and of the time of day.
    own = ("sun.", "event.", "sensor.hearth_")
    answers["states"] = {name: states[name] for name in sorted(states) if not name.startswith(own)}
    for name, state in answers["states"].items():
        # The hub writes these at its start.
        if name.startswith(("automation.", "script.")) or name == "zone.home":
            for key in ("last_updated", "context") + (("last_changed",) if name == "zone.home" else ()):
                state.pop(key, None)
    config = get("/api/config")
    answers["config"] = {key: config[key] for key in ("location_name", "latitude", "longitude", "elevation", "time_zone",
                                                       "unit_system", "currency", "country", "language")}
    names = ",".join(name for name in answers["states"] if not name.startswith("zone."))
    answers["history"] = get(f"/api/history/period/{iso(FIRST - DAY)}", filter_entity_id=names, **between)
    answers["logbook"] = get(f"/api/logbook/{iso(FIRST - DAY)}", entity="input_boolean.at_home", **between)
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        for kind, key in (("area", "area_id"), ("floor", "floor_id"), ("label", "label_id"), ("device", "id"),
                          ("entity", "entity_id")):
            entries = socket.result(f"config/{kind}_registry/list")
            answers[f"{kind} registry"] = {entry[key]: entry for entry in entries if not entry[key].startswith(own)}
        answers["categories"] = socket.result("config/category_registry/list", scope="automation")
        for kind in COLLECTIONS:
            answers[kind] = socket.result(f"{kind}/list")
        answers["dashboard"] = socket.result("lovelace/config")
        answers["user data"] = socket.result("frontend/get_user_data")
        answers["users"] = socket.result("config/auth/list")
        answers["statistic ids"] = {each["statistic_id"]: each for each in socket.result("recorder/list_statistic_ids")
                                    if not each["statistic_id"].startswith(own)}
        for period in ("hour", "day"):
            answers[f"statistics by {period}"] = socket.result(
                "recorder/statistics_during_period", start_time=iso(FIRST - DAY), statistic_ids=[STATISTIC],
                period=period, **between)
        for entity_id in AUTOMATIONS:
            answers[entity_id] = socket.result("automation/config", entity_id=entity_id)
        answers["script"] = socket.result("script/config", entity_id="script.goodnight")
    answers["user list"] = command(binary, folder, "user", "list", environment=environment).splitlines()
    for user in ("admin", "ann"):
        lines = command(binary, folder, "token", "list", "--user", user, environment=environment).splitlines()
        # When a token was used last is another matter.
        answers[f"tokens of {user}"] = [line.split()[:1] for line in lines[1:]]
    return answers


def differences(before, after, path=""):
    """The places at which `after` does not say what `before` said. What it says in addition is none."""
    if isinstance(before, dict) and isinstance(after, dict):
        found = []
        for key, value in before.items():
            if key not in after:
                found.append(f"{path}/{key}: {value!r} is gone")
            else:
                found += differences(value, after[key], f"{path}/{key}")
        return found
    if isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            return [f"{path}: {len(before)} entries, then {len(after)}"]
        return [each for index, value in enumerate(before) for each in differences(value, after[index], f"{path}[{index}]")]
    return [] if before == after else [f"{path}: {before!r}, then {after!r}"]
