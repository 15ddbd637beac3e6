# SPDX-License-Identifier: Apache-2.0
"""`hearth automation replay`: what a home did against what its automations would do now."""

import hashlib
import json
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import pytest

from checks import call, set_state
from hub_process import BINARY, wait_until

AUTOMATIONS = [
    {"alias": "Motion", "triggers": [{"trigger": "state", "entity_id": "sensor.own", "to": "7"}],
     "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness": 77}}]},
    {"alias": "Follow", "triggers": [{"trigger": "state", "entity_id": "light.kitchen", "to": "on"}],
     "actions": [{"action": "script.pump"}]},
    {"alias": "Heard", "triggers": [{"trigger": "event", "event_type": "go"}],
     "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.bedroom"}}]},
]
SCRIPTS = {"pump": {"alias": "Pump", "sequence": [{"action": "switch.turn_on", "target": {"entity_id": "switch.towel_heater"}}]}}


def now():
    return datetime.now(timezone.utc).isoformat()


def replay(folder, *arguments):
    return subprocess.run([str(BINARY), "automation", "replay", *map(str, arguments), "--config", str(folder)], input="",
                          capture_output=True, text=True, timeout=60)


def content(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()}


class Past:
    """A home that a hub has left, and the time of what happened there."""

    def __init__(self, hubs):
        hub = hubs(automation=AUTOMATIONS, script=SCRIPTS)
        self.folder = Path(hub.folder)
        self.settings = self.folder / "configuration.yaml"
        self.text = self.settings.read_text(encoding="utf-8")
        call(hub, "light.turn_off", {"entity_id": "light.kitchen"})
        call(hub, "switch.turn_off", {"entity_id": "switch.towel_heater"})
        set_state(hub, "sensor.own", "1")
        self.start = now()
        set_state(hub, "sensor.own", "7")
        wait_until(lambda: hub.admin.get("/api/states/switch.towel_heater").json()["state"] == "on")
        hub.admin.post("/api/events/go", json={})
        wait_until(lambda: hub.admin.get("/api/states/automation.heard").json()["attributes"]["last_triggered"])
        self.end = now()
        self.live = wait_until(lambda: self.replayed_all(), timeout=15)
        hub.stop()

    def replayed_all(self):
        done = self("--json")
        return done if json.loads(done.stdout or "{}").get("left_out") == 1 else None

    def __call__(self, *arguments):
        return replay(self.folder, "--from", self.start, "--to", self.end, *arguments)

    def change(self, before, after):
        assert before in self.text
        self.settings.write_text(self.text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def left(module_hubs):
    return Past(module_hubs)


@pytest.fixture
def past(left):
    yield left
    left.settings.write_text(left.text, encoding="utf-8")


@pytest.mark.contract("Automations: replay")
def test_the_same_automations_do_the_same_and_nothing_is_written(past):
    before = content(past.folder)
    done = past("--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["differences"]) == (0, "", []), done.stdout
    counts = [told[key] for key in ("runs", "recorded_runs", "calls", "recorded_calls", "left_out", "faults")]
    assert counts == [2, 2, 3, 3, 1, []]
    assert told["changes"] >= 3
    assert content(past.folder) == before
    assert past().stdout.splitlines()[-2].endswith("0 would be added, 0 would be missing.")


def test_it_reads_the_history_of_a_running_hub(past):
    assert past.live.returncode == 0, past.live.stdout


def test_what_would_differ_is_told(past):
    past.change("77", "78")
    done = past("--json")
    assert done.returncode == 1
    assert done.stderr == "hearth: 2 would differ.\n"
    told = sorted(json.loads(done.stdout)["differences"], key=lambda each: each["kind"])
    assert [(each["kind"], each["what"], each["automation"], each["service"], each["data"]["brightness"]) for each in told] == [
        ("added", "call", "automation.motion", "light.turn_on", 78), ("removed", "call", "automation.motion", "light.turn_on", 77)]
    assert all(each["at"].startswith("20") for each in told)
    lines = past().stdout.splitlines()
    assert sorted(line[0] for line in lines[:2]) == ["+", "-"]


def test_a_run_that_would_not_be_is_told_with_its_calls(past):
    past.change('"7"', '"8"') if '"7"' in past.text else past.change("'7'", "'8'")
    done = past("--json")
    told = json.loads(done.stdout)["differences"]
    assert done.returncode == 1
    assert [(each["kind"], each["what"], each["automation"]) for each in told] == [
        ("removed", "run", "automation.motion"), ("removed", "call", "automation.motion")]


def test_only_named_automations_are_compared(past):
    past.change("77", "78")
    assert past("Follow").returncode == 0
    assert past("automation.follow").returncode == 0
    assert past("Follow", "Motion").returncode == 1


def test_what_cannot_be_done_is_2(past, tmp_path):
    unknown = past("automation.none")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert unknown.stderr == "hearth: There is no automation automation.none.\n"
    backwards = replay(past.folder, "--from", past.end, "--to", past.start)
    assert (backwards.returncode, backwards.stderr) == (2, "hearth: --to must be later than --from.\n")
    assert replay(past.folder, "--from", "soon", "--to", past.end).returncode == 2
    assert replay(past.folder, "--from", past.start).returncode == 2
    (tmp_path / "configuration.yaml").write_text("demo:\n", encoding="utf-8")
    absent = replay(tmp_path, "--from", past.start, "--to", past.end)
    assert absent.returncode == 2
    assert "history.db does not exist" in absent.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["configuration.yaml"]
