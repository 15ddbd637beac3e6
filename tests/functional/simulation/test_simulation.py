# SPDX-License-Identifier: Apache-2.0
"""`hearth automation test`: scenarios against a simulated home, beside a running hub or without one."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from hub_process import BINARY

AUTOMATION = """
- alias: Hall
  triggers: [{trigger: state, entity_id: binary_sensor.hall, to: "on", for: 60}]
  actions: [{action: light.turn_on, target: {entity_id: light.hall}}]
"""
SCENARIO = """
name: {name}
time: "2026-03-28 23:00:00"
time_zone: Europe/Berlin
{automations}
states: {{binary_sensor.hall: "off", light.hall: "off"}}
steps: [{{at: 10, set: {{binary_sensor.hall: "on"}}}}]
until: "2026-03-29 06:00:00"
expect: [{{at: {at}, call: light.turn_on, data: {{entity_id: light.hall}}}}]
calls_total: 1
"""


def automation_test(*arguments, folder):
    return subprocess.run([str(BINARY), "automation", "test", *map(str, arguments), "--config", str(folder)], input="",
                          capture_output=True, text=True, timeout=60)


def write_scenario(folder, name="hall", at=70, automations="automations: automations.yaml"):
    path = folder / f"{name}.yaml"
    path.write_text(SCENARIO.format(name=name, at=at, automations=automations), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "configuration.yaml").write_text("demo:\n", encoding="utf-8")
    (tmp_path / "automations.yaml").write_text(AUTOMATION, encoding="utf-8")
    return tmp_path


def content(folder):
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.contract("Automations: scenarios")
def test_what_is_as_expected_passes_and_nothing_is_written(folder):
    path = write_scenario(folder)
    before = content(folder)
    done = automation_test(path, folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "passed: hall\n1 passed.\n", "")
    assert content(folder) == before


def test_what_is_not_as_expected_fails_and_is_told(folder):
    done = automation_test(write_scenario(folder), write_scenario(folder, "late", at=90), folder=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("passed: hall\nFAILED: late\n")
    assert "late.yaml:" in done.stdout
    assert "expected the call light.turn_on" in done.stdout
    assert "found it at 2026-03-28T23:01:10+01:00" in done.stdout
    assert done.stderr == "hearth: 1 of 2 failed.\n"


def test_json_is_an_object_for_each_scenario(folder):
    done = automation_test(write_scenario(folder), write_scenario(folder, "late", at=90), "--json", folder=folder)
    assert done.returncode == 1
    good, late = map(json.loads, done.stdout.splitlines())
    assert (good["name"], good["passed"], good["failures"]) == ("hall", True, [])
    assert (late["name"], late["passed"], len(late["failures"])) == ("late", False, 1)
    assert [each["kind"] for each in good["timeline"]] == ["state", "run", "call", "state"]
    assert good["timeline"][1] == {"at": "2026-03-28T23:01:10+01:00", "kind": "run", "automation": "automation.hall",
                                   "trigger": "state of binary_sensor.hall", "result": "finished"}
    assert good["timeline"][2]["service"] == "light.turn_on"
    assert good["timeline"][2]["data"]["entity_id"] in ("light.hall", ["light.hall"])


def test_the_configurations_own_automations_are_meant_by_default(folder):
    done = automation_test(write_scenario(folder, automations=""), folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_with_errors_names_all_of_them(folder):
    path = folder / "wrong.yaml"
    path.write_text('name: x\ntime: soon\nautomations: []\nsteps:\n- {at: never, set: {}}\ncolor: 1\n', encoding="utf-8")
    done = automation_test(path, write_scenario(folder), folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == 'wrong.yaml:2: time: expected a local time such as 2026-03-28 23:00:00, found "soon"'
    assert lines[1].startswith("wrong.yaml:5: steps[0].at: expected seconds since the scenario's time")
    assert lines[2].startswith("wrong.yaml:6: color: unknown key")


@pytest.mark.parametrize("text", ["name: [", "- 1", "", "name: x\nautomations: none.yaml\n"])
def test_a_file_that_cannot_be_read_is_2(folder, text):
    (folder / "bad.yaml").write_text(text, encoding="utf-8")
    done = automation_test(folder / "bad.yaml", folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert automation_test(folder / "absent.yaml", folder=folder).returncode == 2


def test_a_broken_automation_is_a_failure_with_its_place(folder):
    (folder / "automations.yaml").write_text(AUTOMATION.replace("entity_id: binary", "entty: binary"), encoding="utf-8")
    done = automation_test(write_scenario(folder), folder=folder)
    assert done.returncode == 1
    assert "automations.yaml:3: " in done.stdout


def test_it_works_while_the_hub_runs_on_the_same_folder(module_hubs):
    home = module_hubs(automation=[{"alias": "Own", "triggers": [{"trigger": "time", "at": "07:00:00"}],
                                    "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}}]}])
    folder = Path(home.folder)
    path = folder / "day.yaml"
    path.write_text('name: day\ntime: "2026-06-01 00:00:00"\nuntil: "2026-06-02 00:00:00"\nstates: {light.kitchen: "off"}\n'
                    'expect: [{at: "07:00", state: {light.kitchen: "on"}}]\ncalls_total: 1\n', encoding="utf-8")
    done = automation_test(path, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_of_the_manual_passes(folder):
    manual = (Path(__file__).parents[3] / "docs" / "automations" / "testing.md").read_text(encoding="utf-8")
    example = re.search(r"## Tests\n.*?```yaml\n(.*?)```", manual, re.DOTALL)[1]
    (folder / "example.yaml").write_text(example, encoding="utf-8")
    done = automation_test(folder / "example.yaml", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
