# SPDX-License-Identifier: Apache-2.0
"""`automation/simulate`: what automations would have done, and what they do in a scenario, asked of a running hub."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from checks import call, set_state
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {"automation/simulate"}

MOTION = {"id": "m1", "alias": "Motion", "triggers": [{"trigger": "state", "entity_id": "sensor.own", "to": "7"}],
          "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness": 77}}]}
# It would go on for a long time, if nobody ended it.
ENDLESS = {"name": "endless", "time": "2026-01-01 00:00:00", "until": "2026-12-31 00:00:00", "automations": [
    {"alias": "Tick", "triggers": [{"trigger": "time_pattern", "seconds": "*"}],
     "conditions": ["{{ range(2000) | map('string') | join('') | length < 3 }}"], "actions": []}]}


def now():
    return datetime.now(timezone.utc).isoformat()


class Past:
    def __init__(self, hubs):
        self.begun = datetime.now(timezone.utc)
        self.hub = hubs(automation=[MOTION, {"alias": "Other", "triggers": [], "actions": []}])
        call(self.hub, "light.turn_off", {"entity_id": "light.kitchen"})
        set_state(self.hub, "sensor.own", "1")
        self.start = now()
        set_state(self.hub, "sensor.own", "7")
        wait_until(lambda: self.hub.admin.get("/api/states/light.kitchen").json()["state"] == "on")
        self.end = now()

    def ask(self, client, **fields):
        return client.result("automation/simulate", **{"from": self.start, "to": self.end, **fields})


@pytest.fixture(scope="module")
def past(module_hubs):
    past = Past(module_hubs)
    with WebSocketClient(past.hub, past.hub.tokens["admin"], timeout=60) as client:
        wait_until(lambda: past.ask(client)["recorded_calls"] == 1, timeout=30)  # the recorder commits once a second
    return past


@pytest.fixture
def client(past):
    with WebSocketClient(past.hub, past.hub.tokens["admin"], timeout=60) as client:
        yield client


def edited(**data):
    return {**MOTION, "actions": [{**MOTION["actions"][0], "data": data}]}


def children(hub):
    return [child for task in Path(f"/proc/{hub.process.pid}/task").iterdir()
            for child in (task / "children").read_text(encoding="ascii").split()]


@pytest.mark.contract("Automations: simulate")
def test_an_edited_automation_is_held_against_what_happened(past, client):
    before = past.hub.admin.get("/api/states/light.kitchen").json()
    told = past.ask(client, entity_id="automation.motion", config=edited(brightness=99))
    assert [(each["kind"], each["what"], each["automation"], each["service"], each["data"]["brightness"])
            for each in sorted(told["differences"], key=lambda each: each["kind"])] == [
        ("added", "call", "automation.motion", "light.turn_on", 99), ("removed", "call", "automation.motion", "light.turn_on", 77)]
    assert [told[key] for key in ("runs", "recorded_runs", "calls", "recorded_calls", "left_off", "left_out", "faults")] == [1, 1, 1, 1, 0, 0, []]
    assert told["changes"] >= 2
    assert past.hub.admin.get("/api/states/light.kitchen").json() == before
    assert past.ask(client, config=edited(brightness=77))["differences"] == []  # by its own id


def test_the_time_before_anything_was_known_is_told(past, client):
    told = past.ask(client, entity_id="automation.motion")
    assert datetime.fromisoformat(told["known_since"]) == datetime.fromisoformat(past.start)
    week = (datetime.now(timezone.utc) - timedelta(days=7)).isoformat()
    told = past.ask(client, entity_id="automation.motion", **{"from": week})
    assert past.begun <= datetime.fromisoformat(told["known_since"]) <= datetime.fromisoformat(past.start)
    assert told["differences"] == []


def test_one_or_all_as_they_are(past, client):
    assert past.ask(client)["differences"] == []
    assert past.ask(client, entity_id="automation.motion")["runs"] == 1
    assert past.ask(client, entity_id="automation.other")["runs"] == 0


def test_a_new_automation_adds_what_it_would_have_done(past, client):
    told = past.ask(client, config={"alias": "New", "triggers": MOTION["triggers"],
                                    "actions": [{"action": "light.turn_off", "target": {"entity_id": "light.kitchen"}}]})
    assert [(each["kind"], each["what"], each["automation"]) for each in told["differences"]] == [
        ("added", "run", "automation.new"), ("added", "call", "automation.new")]


def test_an_automation_that_has_another_entity_id_is_known(past, client):
    client.result("config/entity_registry/update", entity_id="automation.motion", new_entity_id="automation.renamed")
    try:
        # The registry is written within a second.
        def added():
            told = past.ask(client, entity_id="automation.renamed", config=edited(brightness=99))["differences"]
            return {each["automation"] for each in told if each["kind"] == "added"}
        wait_until(lambda: added() == {"automation.renamed"}, timeout=15)
    finally:
        client.result("config/entity_registry/update", entity_id="automation.renamed", new_entity_id="automation.motion")


def test_progress_comes_before_the_result(past, client):
    week = (datetime.now(timezone.utc) - timedelta(days=7)).isoformat()
    subscription = client.command("automation/simulate", progress=True, config=MOTION, **{"from": week, "to": past.end})
    assert (subscription["success"], subscription["result"]) == (True, None)
    events = [client.event(subscription["id"])]
    while "result" not in events[-1]:
        assert list(events[-1]) == ["progress"], events[-1]
        events.append(client.event(subscription["id"]))
    parts = [each["progress"] for each in events[:-1]]
    assert parts == sorted(parts) and parts[-1] == 1 and len(set(parts)) > 2
    assert events[-1]["result"]["runs"] >= 1
    client.result("unsubscribe_events", subscription=subscription["id"])


def test_an_error_comes_as_an_event_too(past, client):
    subscription = client.command("automation/simulate", progress=True, entity_id="automation.none", **{"from": past.start, "to": past.end})
    assert subscription["success"]
    assert client.event(subscription["id"])["error"] == {"code": "invalid_format", "message": "There is no automation automation.none."}


def test_a_scenario_passes_or_says_what_fails(past, client):
    scenario = {"name": "on at seven", "states": {"sensor.own": "1"}, "steps": [{"at": 5, "set": {"sensor.own": "7"}}],
                "expect": [{"at": 5, "call": "light.turn_on", "data": {"brightness": 77}}]}
    told = client.result("automation/simulate", scenario=scenario)
    assert (told["name"], told["passed"], told["failures"]) == ("on at seven", True, [])
    assert sorted(each["kind"] for each in told["timeline"] if not each.get("by_test") and each["kind"] in ("run", "call")) == ["call", "run"]
    told = client.result("automation/simulate", scenario=scenario, config=edited(brightness=5))
    assert not told["passed"] and "light.turn_on" in told["failures"][0]


def test_a_scenario_names_files_of_the_home_only(past, client, tmp_path):
    (tmp_path / "secret.yaml").write_text("- {alias: x}\n", encoding="utf-8")
    code, message = client.error("automation/simulate", scenario={"name": "x", "automations": str(tmp_path / "secret.yaml"), "until": 1})
    assert (code, "expected a file in the configuration folder" in message) == ("invalid_format", True), message


@pytest.mark.parametrize("fields, wrong", [
    ({}, "Expected from and to, the time, or a scenario."),
    ({"from": "soon", "to": "later"}, "from: "),
    ({"from": "--json", "to": "2026-01-01"}, "from: "),
    ({"from": "2026-01-02", "to": "2026-01-01"}, "to must be later than from."),
    ({"from": "2026-01-01", "to": "2026-01-02", "config": []}, "config: expected an object, the automation."),
    ({"from": "2026-01-01", "to": "2026-01-02", "config": {"id": "m1", "triggers": [{"trigger": "stat"}], "actions": []}}, "automation"),
    ({"from": "2026-01-01", "scenario": {}}, "scenario: expected without from, to and entity_id."),
    ({"scenario": []}, "scenario: expected an object."),
    ({"scenario": {"name": "x", "stepps": []}}, "stepps"),
])
def test_what_cannot_be_asked_is_said(client, fields, wrong):
    code, message = client.error("automation/simulate", **fields)
    assert code == "invalid_format" and wrong in message, message
    assert "hearth:" not in message


def test_it_is_for_administrators(past):
    with WebSocketClient(past.hub, past.hub.tokens["ann"]) as user:
        assert user.error("automation/simulate", scenario={})[0] == "unauthorized"


def test_leaving_ends_it_and_too_many_are_refused(past, client):
    with WebSocketClient(past.hub, past.hub.tokens["admin"], timeout=60) as other:
        ids = [other.command("automation/simulate", progress=True, scenario=ENDLESS)["id"] for _ in range(2)]
        wait_until(lambda: children(past.hub))
        other.result("unsubscribe_events", subscription=ids[0])
        wait_until(lambda: children(past.hub))  # the next one
        refused = []
        for _ in range(5):
            answer = other.command("automation/simulate", progress=True, scenario=ENDLESS)
            if not answer["success"]:
                refused.append(answer["error"]["message"])
        assert refused and set(refused) == {"Other simulations are under way: ask again later."}
    wait_until(lambda: not children(past.hub), timeout=30)
    assert wait_until(lambda: client.command("automation/simulate", scenario={"name": "x", "until": 1})["success"], timeout=30)
