#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a small home with a program of then, and keeps what it answers: homes/NAME.tar.xz and homes/NAME.json.

    tests/upgrades/make_home.py NAME BINARY
"""

import atexit
import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "functional"))

from answers import ASKED, DAY, FIRST, STATISTIC, clock_of, collect, command  # noqa: E402
from hub_process import PASSWORD, Hub, wait_until, write_settings  # noqa: E402
from websocket_client import WebSocketClient  # noqa: E402
from worse_machine import WorseMachine  # noqa: E402

SETTINGS = {
    "home": {"name": "Upgraded home", "latitude": 52.5, "longitude": 13.4, "elevation": 34, "time_zone": "Europe/Berlin",
             "unit_system": "metric", "currency": "EUR", "country": "DE", "language": "en"},
    "recorder": {"commit_interval": "1s", "keep": "3650d"},
}
AUTOMATIONS = """\
- id: heating
  alias: Heating
  triggers:
    - trigger: numeric_state
      entity_id: sensor.outdoor
      below: 5
  actions:
    - action: counter.increment
      target: {entity_id: counter.cold_days}
- id: hall
  alias: Hall
  triggers:
    - trigger: state
      entity_id: input_boolean.at_home
      to: "on"
  actions:
    - action: input_select.select_option
      target: {entity_id: input_select.mode}
      data: {option: day}
    - delay: "02:00:00"
    - action: input_select.select_option
      target: {entity_id: input_select.mode}
      data: {option: night}
"""
SCRIPTS = """\
goodnight:
  alias: Good night
  sequence:
    - action: input_boolean.turn_off
      target: {entity_id: input_boolean.at_home}
"""


def set_state(hub, entity_id, value, **attributes):
    answer = hub.admin.post(f"/api/states/{entity_id}", json={"state": str(value), "attributes": attributes})
    assert answer.status_code in (200, 201), answer.text


def call(hub, service, **data):
    answer = hub.admin.post("/api/services/" + service.replace(".", "/"), json=data)
    assert answer.status_code == 200, answer.text


def measure(hub, *values):
    for value in values:
        set_state(hub, STATISTIC, value, unit_of_measurement="°C", device_class="temperature", state_class="measurement")


def furnish(hub):
    """What people make: places, names, helpers, pages."""
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        floor = socket.result("config/floor_registry/create", name="Upstairs", level=1)["floor_id"]
        label = socket.result("config/label_registry/create", name="Winter", color="blue")["label_id"]
        area = socket.result("config/area_registry/create", name="Küche", floor_id=floor, labels=[label],
                             aliases=["galley"])["area_id"]
        socket.result("config/area_registry/create", name="Hall")
        socket.result("config/category_registry/create", scope="automation", name="Comfort", icon="mdi:sofa")
        socket.result("zone/create", name="Work", latitude=52.52, longitude=13.45, radius=150)
        socket.result("tag/create", tag_id="front-door", name="Front door")
        users = {user["name"]: user["id"] for user in socket.result("config/auth/list")}
        socket.result("person/create", name="Ann", device_trackers=["device_tracker.phone"], user_id=users["ann"])
        socket.result("input_boolean/create", name="At home")
        socket.result("input_button/create", name="Bell")
        socket.result("input_datetime/create", name="Wake up", has_date=False, has_time=True)
        socket.result("input_number/create", name="Target", min=5, max=30, step=0.5, unit_of_measurement="°C")
        socket.result("input_select/create", name="Mode", options=["day", "night"])
        socket.result("input_text/create", name="Note")
        socket.result("counter/create", name="Cold days")
        socket.result("timer/create", name="Oven", duration="01:30:00")
        socket.result("schedule/create", name="Workdays", monday=[{"from": "08:00:00", "to": "17:00:00"}])
        socket.result("group/create", name="All lamps", group_type="light", entities=["light.a", "light.b"])
        socket.result("config/entity_registry/update", entity_id="input_number.target", name="Set point", area_id=area,
                      labels=[label], icon="mdi:fire")
        socket.result("lovelace/config/save", config={"views": [{"title": "Here", "cards": []}]})
        socket.result("frontend/set_user_data", key="theme", value={"dark": True})


def use(hub, day):
    """One day of the home."""
    measure(hub, 8.5 - day, 7.25 - day, 4.5 - day, 6 - day)
    set_state(hub, "device_tracker.phone", "home", source_type="router")
    set_state(hub, "binary_sensor.window", "on" if day % 2 else "off", device_class="window")
    call(hub, "input_boolean.turn_off", entity_id="input_boolean.at_home")
    call(hub, "input_boolean.turn_on", entity_id="input_boolean.at_home")
    call(hub, "input_number.set_value", entity_id="input_number.target", value=19 + day)
    call(hub, "input_text.set_value", entity_id="input_text.note", value=f"day {day}")


def statistics_rows(folder):
    # Left open, it would keep the write-ahead log from being copied at the hub's end.
    with contextlib.closing(sqlite3.connect(f"file:{folder}/history.db?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM statistics").fetchone()[0]


def text_of(tokens, answers):
    """JSON with a line for each answer."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(answer, ensure_ascii=False)}" for name, answer in answers.items())
    return f'{{"tokens": {json.dumps(tokens)},\n"answers": {{\n{lines}\n}}}}\n'


def main(name, binary):
    with tempfile.TemporaryDirectory(prefix="hearth_upgrades_") as scratch:
        home = Path(scratch) / "home"
        home.mkdir(mode=0o700)
        write_settings(home, SETTINGS)
        (home / "automations.yaml").write_text(AUTOMATIONS)
        (home / "scripts.yaml").write_text(SCRIPTS)
        machine = WorseMachine(scratch, clock=clock_of(FIRST))
        environment = os.environ | machine.environment
        for user, flags in (("admin", ["--admin"]), ("ann", []), ("display", ["--read-only"])):
            command(binary, home, "user", "add", user, *flags, "--password-stdin", input=PASSWORD + "\n",
                    environment=environment)
        tokens = {user: command(binary, home, "token", "create", "--user", user, "--name", "tests", "--never",
                                environment=environment).strip() for user in ("admin", "ann", "display")}
        command(binary, home, "token", "create", "--user", "ann", "--name", "phone", "--days", "30", environment=environment)

        def start(folder, time):
            machine.set_clock(clock_of(time))
            hub = Hub(folder, tokens, binary=binary, environment=machine.environment)
            # If something fails here, it does not go on alone.
            atexit.register(hub.process.kill)
            return hub.wait_ready(60)

        for day in range(3):
            hub = start(home, FIRST + day * DAY)
            if day == 0:
                furnish(hub)
            else:
                # This packs the days before, and makes their statistics.
                call(hub, "recorder.purge", keep_days=3650)
                wait_until(lambda: statistics_rows(home) >= day, 120)
            use(hub, day)
            # What has changed is on the disk within a second; the last run is under way when the hub stops.
            wait_until(lambda: hub.admin.get("/api/states/counter.cold_days").json()["state"] == str(day + 1), 30)
            hub.stop()
        kept = Path(scratch) / "kept"
        assert not list(home.glob("*-wal"))
        shutil.copytree(home, kept)
        hub = start(home, ASKED)
        answers = collect(hub, binary, home, environment)
        hub.stop()
        with tarfile.open(HERE / "homes" / f"{name}.tar.xz", "w:xz", preset=9) as archive:
            for file in sorted(kept.rglob("*")):
                if file.is_file() and file.name in ("home.db", "history.db", "home.db-runs", "configuration.yaml",
                                                    "automations.yaml", "scripts.yaml"):
                    archive.add(file, file.name)
        (HERE / "homes" / f"{name}.json").write_text(text_of(tokens, answers), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
