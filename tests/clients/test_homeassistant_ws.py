# SPDX-License-Identifier: Apache-2.0
"""homeassistant-ws, a small library for Node and browsers."""

import shutil

import pytest

from line_client import ClientError, LineClient
from packages import FOLDER

LIGHT = "light.kitchen"


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices these tests switch."""
    return module_hubs()


@pytest.fixture
def client(node_packages):
    client = LineClient(shutil.which("node"), "homeassistant_ws_client.mjs", cwd=FOLDER)
    yield client
    client.stop()


@pytest.fixture
def use(client, own):
    """Calls a method of the client, which is connected."""
    client.ask("connect", port=own.port, token=own.tokens["admin"])
    return lambda method, *given: client.ask("use", method=method, given=given)


def test_it_reads(use, own):
    assert {state["entity_id"] for state in use("getStates")} == {
        state["entity_id"] for state in own.admin.get("/api/states").json()}
    assert "brightness" in use("getServices")["light"]["turn_on"]["fields"]
    assert use("getConfig")["location_name"] == "Test home"
    assert LIGHT in [entry["entity_id"] for entry in use("command", "config/entity_registry/list")]


def test_it_calls_services_and_hears_of_changes(client, use, own):
    use("callService", "light", "turn_off", {"entity_id": LIGHT})
    client.ask("hear", type="state_changed")
    use("callService", "light", "turn_on", {"entity_id": LIGHT, "brightness": 120})
    seen = client.wait_for(lambda events: [event for event in events if event["data"]["entity_id"] == LIGHT], "heard",
                           type="state_changed")
    state = next(event["data"]["new_state"] for event in seen if event["data"]["entity_id"] == LIGHT)
    assert (state["state"], state["attributes"]["brightness"]) == ("on", 120)


@pytest.mark.parametrize("method, given, problem", [
    ("callService", ["light", "explode"], "light.explode not found"),
    ("callService", ["light", "turn_on", {"entity_id": LIGHT, "brightness": "much"}], "brightness"),
    ("command", ["nonsense"], "Unknown command."),
])
def test_what_the_hub_refuses_fails(use, method, given, problem):
    with pytest.raises(ClientError, match=problem):
        use(method, *given)


def test_a_wrong_token_is_refused(client, own):
    with pytest.raises(ClientError, match="Invalid access token"):
        client.ask("connect", port=own.port, token="wrong")
