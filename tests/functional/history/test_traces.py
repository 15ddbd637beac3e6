# SPDX-License-Identifier: Apache-2.0
"""What an automation did and why, and parts of automations that a client tries: trace/…, …/config, validate_config,
test_condition, execute_script."""

import pytest

from checks import call, set_state
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {"trace/list", "trace/get", "trace/contexts", "automation/config", "script/config", "automation/missed",
            "validate_config", "test_condition", "execute_script", "subscribe_trigger"}

AUTOMATIONS = [{"id": "17", "alias": "Motion", "trigger": {"platform": "state", "entity_id": "sensor.own"},
                "condition": ["{{ trigger.to_state.state | int > 5 }}"],
                "action": [{"service": "light.turn_on", "entity_id": "light.kitchen",
                            "data": {"brightness": "{{ states('sensor.own') | int }}"}},
                           {"service": "script.answer", "response_variable": "said"}]}]
SCRIPTS = {"answer": {"sequence": [{"variables": {"r": {"code": "!secret code"}}}, {"stop": "", "response_variable": "r"}]}}


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs(automation=AUTOMATIONS, script=SCRIPTS)


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def newest(client, domain, item_id, execution):
    """The newest trace of the item, as soon as it ended so."""
    def ended():
        rows = client.result("trace/list", domain=domain, item_id=item_id)
        return rows[-1] if rows and rows[-1]["script_execution"] == execution and rows[-1]["state"] == "stopped" else None
    row = wait_until(ended)
    return row, client.result("trace/get", domain=domain, item_id=item_id, run_id=row["run_id"])


@pytest.mark.contract("Automations: traces")
def test_a_trace_tells_each_step_and_what_its_templates_gave(home, client):
    set_state(home, "sensor.own", "3")
    cause = set_state(home, "sensor.own", "7")
    row, trace = newest(client, "automation", "17", "finished")
    assert row == {"last_step": "action/1", "run_id": trace["context"]["id"], "state": "stopped", "script_execution": "finished",
                   "timestamp": row["timestamp"], "domain": "automation", "item_id": "17", "trigger": "state of sensor.own"}
    assert row.items() <= trace.items() and trace["blueprint_inputs"] is None
    assert trace["context"]["parent_id"] == cause["context"]["id"]
    steps = {path: records[-1] for path, records in trace["trace"].items()}
    assert list(steps) == ["trigger/0", "condition/0", "action/0", "action/1"]
    assert steps["trigger/0"]["changed_variables"]["trigger"]["to_state"]["state"] == "7"
    assert steps["condition/0"]["result"] == {"result": True}
    assert steps["action/0"]["result"]["params"]["service_data"] == {"brightness": 7, "entity_id": "light.kitchen"}
    assert steps["action/0"]["states"] == {"sensor.own": "7"}
    assert list(steps["action/0"]["rendered"].values()) == [7]
    child = steps["action/1"]["child_id"]
    assert (child["domain"], child["item_id"]) == ("script", "answer")
    assert client.result("trace/get", **child)["context"]["parent_id"] == row["run_id"]
    contexts = client.result("trace/contexts")
    assert contexts[row["run_id"]] == {"run_id": row["run_id"], "domain": "automation", "item_id": "17"}
    assert row["run_id"] not in client.result("trace/contexts", domain="script", item_id="answer")
    assert "trigger" in trace["config"]["triggers"]
    set_state(home, "sensor.own", "2")
    _, stopped = newest(client, "automation", "17", "failed_conditions")
    assert stopped["trace"]["condition/0"][0]["result"] == {"result": False}


@pytest.mark.contract("Automations: traces")
def test_traces_are_there_after_a_restart(hub_factory):
    folder = hub_factory.folder(automation=AUTOMATIONS, script=SCRIPTS)
    hub = hub_factory(folder)
    set_state(hub, "sensor.own", "7")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        row, trace = newest(client, "automation", "17", "finished")
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("trace/list", domain="automation", item_id="17") == [row]
        assert client.result("trace/get", domain="automation", item_id="17", run_id=row["run_id"]) == trace


@pytest.mark.contract("Automations: API")
def test_configuration_is_read_back_in_the_new_spelling(client):
    config = client.result("automation/config", entity_id="automation.motion")["config"]
    assert config["triggers"] == {"trigger": "state", "entity_id": "sensor.own"}
    assert config["actions"][0]["action"] == "light.turn_on"
    assert "sequence" in client.result("script/config", entity_id="script.answer")["config"]
    for command, entity_id in (("automation/config", "automation.none"), ("automation/config", "script.answer"),
                               ("script/config", "automation.motion")):
        assert client.error(command, entity_id=entity_id)[0] == "not_found"


@pytest.mark.contract("Automations: API")
def test_parts_are_checked_tried_and_run(home, client):
    result = client.result("validate_config", triggers=[{"platform": "state", "entity_id": "a.b"}], conditions=[{"condition": "stat"}],
                           action=[{"service": "light.turn_on"}])
    assert result["triggers"] == {"valid": True, "error": None} and result["action"]["valid"]
    assert not result["conditions"]["valid"] and "did you mean state" in result["conditions"]["error"]
    condition = {"condition": "numeric_state", "entity_id": "sensor.own", "above": 5}
    set_state(home, "sensor.own", "7")
    assert client.result("test_condition", condition=condition) == {"result": True}
    assert client.result("test_condition", condition="{{ x == 6 }}", variables={"x": 5}) == {"result": False}
    assert client.error("test_condition", condition={"condition": "no"})[0] == "invalid_format"
    call(home, "light.turn_off", {"entity_id": "light.kitchen"})
    done = client.result("execute_script", sequence=[{"action": "script.answer", "response_variable": "r"},
                                                     {"variables": {"out": {"x": "{{ x }}"}}},
                                                     {"stop": "", "response_variable": "out"}], variables={"x": 5})
    assert done["response"] == {"x": 5} and done["context"]["user_id"]
    home.errors_expected = True  # the log has it, too
    assert "no service" in client.error("execute_script", sequence=[{"action": "no.service"}])[1]


@pytest.mark.contract("Automations: API")
@pytest.mark.parametrize("command, fields", [
    ("trace/list", {}), ("trace/get", {"domain": "automation", "item_id": "17"}), ("trace/contexts", {"domain": "automation"}),
    ("automation/config", {}), ("script/config", {"entity_id": 5}), ("validate_config", {"x": 1}), ("test_condition", {}),
    ("execute_script", {"sequence": [], "variables": 5}), ("automation/missed", {"x": 1})])
def test_wrong_fields_are_named(client, command, fields):
    assert client.error(command, **fields)[0] == "invalid_format"


@pytest.mark.contract("Automations: API")
def test_only_administrators_read_traces_and_run_steps(home):
    with WebSocketClient(home, home.tokens["ann"]) as client:
        for command in COMMANDS - {"validate_config"}:
            assert client.error(command)[0] == "unauthorized", command
        assert client.result("validate_config", triggers=[])["triggers"]["valid"]
    with WebSocketClient(home, home.tokens["admin"]) as client:
        assert client.result("automation/missed") == []
        assert client.error("trace/get", domain="automation", item_id="17", run_id="none")[0] == "not_found"
