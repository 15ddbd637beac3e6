# SPDX-License-Identifier: Apache-2.0
"""What stands in secrets.yaml is used, and shown by nothing that tells what automations do."""

import json
import subprocess

import pytest

from checks import set_state
from hub_process import BINARY, wait_until
from websocket_client import WebSocketClient

AUTOMATIONS = """
- id: say
  alias: Say
  triggers: [{trigger: state, entity_id: sensor.own, to: "7"}]
  actions:
    - {action: input_text.set_value, target: {entity_id: input_text.said}, data: {value: !secret word}}
    - {event: told, event_data: {word: !secret word, all: "the word is hunter2"}}
"""
SCENARIO = {"name": "say", "states": {"sensor.own": "1"}, "steps": [{"at": 5, "set": {"sensor.own": "7"}}],
            "expect": [{"at": 5, "call": "input_text.set_value", "data": {"value": "another"}}]}


@pytest.fixture(scope="module")
def home(module_hubs):
    folder = module_hubs.folder(input_text={"said": None})
    (folder / "automations.yaml").write_text(AUTOMATIONS)
    (folder / "secrets.yaml").write_text("word: hunter2\n")
    return module_hubs(folder)


@pytest.mark.contract("Automations: secrets and the environment")
def test_explanations_and_simulations_mask_them(home):
    set_state(home, "sensor.own", "7")
    wait_until(lambda: home.admin.get("/api/states/input_text.said").json()["state"] == "hunter2")
    with WebSocketClient(home, home.tokens["admin"], timeout=60) as client:
        chain = wait_until(lambda: [link for link in client.result("automation/explain", entity_id="input_text.said")["chain"]
                                    if link["kind"] == "call"])
        assert chain[0]["data"]["value"] == "********"
        item = client.result("automation/config", entity_id="automation.say")["config"]
        assert "hunter2" not in json.dumps(item["actions"][0])
        told = client.result("automation/simulate", scenario=SCENARIO)
    assert not told["passed"] and "hunter2" not in json.dumps([told["failures"], [
        each for each in told["timeline"] if each["kind"] != "state"]]), told
    assert any(each.get("data", {}).get("all") == "********" for each in told["timeline"])


@pytest.mark.contract("Automations: secrets and the environment")
def test_scenarios_of_the_command_line_mask_them(home, tmp_path):
    (tmp_path / "say.yaml").write_text(json.dumps(SCENARIO))
    for more in ([], ["--json"]):
        done = subprocess.run([str(BINARY), "automation", "test", str(tmp_path / "say.yaml"), "--config", str(home.folder), *more],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "input_text.set_value" in done.stdout, done.stdout + done.stderr
        assert "hunter2" not in done.stdout.replace("input_text.said is hunter2", "").replace('"state":"hunter2"', ""), done.stdout
