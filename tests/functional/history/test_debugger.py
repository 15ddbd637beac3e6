# SPDX-License-Identifier: Apache-2.0
"""`trace/debug/…`: runs that stop at breakpoints, step and go on."""

import pytest

from checks import call, set_state
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {f"trace/debug/{name}" for name in (
    "breakpoint/set", "breakpoint/clear", "breakpoint/list", "breakpoint/subscribe", "continue", "step", "stop")}

AUTOMATIONS = [{"id": "17", "alias": "Motion", "triggers": [{"trigger": "state", "entity_id": "sensor.own", "to": "7"}],
                "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness": 77}},
                            {"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness": 99}},
                            {"action": "light.turn_off", "target": {"entity_id": "light.kitchen"}}]}]
ITEM = {"domain": "automation", "item_id": "17"}


@pytest.fixture
def home(hub_factory):
    hub = hub_factory(automation=AUTOMATIONS)
    call(hub, "light.turn_off", {"entity_id": "light.kitchen"})
    return hub


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def start(home):
    set_state(home, "sensor.own", "0")
    set_state(home, "sensor.own", "7")


def brightness(home):
    return home.admin.get("/api/states/light.kitchen").json()["attributes"].get("brightness")


@pytest.mark.contract("Automations: debugger")
def test_a_run_stops_steps_and_goes_on(home, client):
    listening = client.command("trace/debug/breakpoint/subscribe")["id"]
    assert client.result("trace/debug/breakpoint/set", **ITEM, node="action/1") is True
    assert client.result("trace/debug/breakpoint/list") == [ITEM | {"run_id": "*", "node": "action/1"}]
    start(home)
    stopped = client.event(listening)
    run = ITEM | {"run_id": stopped["run_id"]}
    assert stopped == run | {"node": "action/1"}
    wait_until(lambda: brightness(home) == 77)
    [row] = client.result("trace/list", **ITEM)
    assert (row["state"], row["last_step"], row["run_id"]) == ("running", "action/0", stopped["run_id"])
    assert client.result("trace/debug/step", **run) is None
    assert client.event(listening) == run | {"node": "action/2"}
    assert brightness(home) == 99
    assert client.result("trace/debug/continue", **run) is None
    wait_until(lambda: client.result("trace/list", **ITEM)[0]["script_execution"] == "finished")
    assert brightness(home) is None
    assert client.result("trace/debug/breakpoint/clear", **ITEM, node="action/1") is True
    assert client.result("trace/debug/breakpoint/list") == []


@pytest.mark.contract("Automations: debugger")
def test_a_run_is_ended_at_a_breakpoint(home, client):
    listening = client.command("trace/debug/breakpoint/subscribe")["id"]
    client.result("trace/debug/breakpoint/set", **ITEM, node="*")
    start(home)
    stopped = client.event(listening)
    assert stopped["node"] == "action/0"
    assert client.result("trace/debug/stop", **ITEM, run_id=stopped["run_id"]) is None
    wait_until(lambda: client.result("trace/list", **ITEM)[0]["script_execution"] == "aborted")
    assert home.admin.get("/api/states/light.kitchen").json()["state"] == "off"


@pytest.mark.contract("Automations: debugger")
def test_what_stands_goes_on_if_the_client_leaves(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        listening = client.command("trace/debug/breakpoint/subscribe")["id"]
        client.result("trace/debug/breakpoint/set", **ITEM, node="action/1")
        start(home)
        client.event(listening)
    with WebSocketClient(home, home.tokens["admin"]) as client:
        wait_until(lambda: client.result("trace/list", **ITEM)[0]["script_execution"] == "finished")
        assert client.result("trace/debug/breakpoint/list") == []


@pytest.mark.contract("Automations: debugger")
def test_what_is_wrong_is_named(home, client):
    assert "Nobody listens" in client.error("trace/debug/breakpoint/set", **ITEM, node="action/1")[1]
    client.command("trace/debug/breakpoint/subscribe")
    assert client.error("trace/debug/breakpoint/set", **ITEM, node="")[0] == "invalid_format"
    assert client.error("trace/debug/breakpoint/set", domain="light", item_id="x", node="action/1")[1] == \
        "domain: expected automation or script."
    assert client.result("trace/debug/breakpoint/clear", **ITEM, node="action/1") is False
    for name in ("continue", "step", "stop"):
        assert client.error(f"trace/debug/{name}", **ITEM)[0] == "invalid_format"
        assert client.error(f"trace/debug/{name}", **ITEM, run_id="none")[0] == "not_found"
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        for command in COMMANDS:
            assert ann.error(command)[0] == "unauthorized", command
