# SPDX-License-Identifier: Apache-2.0
"""The made hub itself, so that a test of the bridge that fails is one of the bridge."""

import pytest

from made_hub import MadeHub
from websocket_client import WebSocketClient


@pytest.fixture(params=["2021.12.10", "2024.3.3", "2026.2.3"])
def made(request):
    hub = MadeHub(request.param).start()
    yield hub
    hub.stop()


def test_it_greets_and_refuses_as_the_real_one(made):
    with WebSocketClient(made, made.token) as client:
        assert client.result("get_config")["version"] == made.version
        assert client.result("auth/current_user")["is_admin"] is True
        assert client.command("ping")["type"] == "pong"
        assert client.error("no_such_thing") == ("unknown_command", "Unknown command.")
    with WebSocketClient(made) as client:
        client.receive()
        client.send({"type": "auth", "access_token": "another"})
        assert client.receive()["type"] == "auth_invalid"


def test_a_service_changes_a_state_and_the_change_is_compressed(made):
    made.add("light.desk", "off", {"friendly_name": "Desk", "effect": "none"}, unique_id="1", platform="hue")
    with WebSocketClient(made, made.token) as client:
        if made.version.startswith("2021"):
            assert client.error("subscribe_entities")[0] == "unknown_command"
            client.result("subscribe_events", event_type="state_changed")
        else:
            client.result("subscribe_entities")
            first = client.event(client.last_id)["a"]["light.desk"]
            assert (first["s"], first["a"]["effect"]) == ("off", "none")
        subscription = client.last_id
        result = client.result("call_service", domain="light", service="turn_on", target={"entity_id": "light.desk"},
                               service_data={"brightness": 3})
        change = client.event(subscription)
        if made.version.startswith("2021"):
            assert change["data"]["new_state"]["state"] == "on"
            assert change["data"]["new_state"]["context"] == result["context"]
        else:
            plus = change["c"]["light.desk"]["+"]
            assert (plus["s"], plus["a"]) == ("on", {"brightness": 3})
            assert plus["c"] == {"id": result["context"]["id"], "user_id": made.user["id"]}
            made.set("light.desk", "on", {"friendly_name": "Desk"})
            change = client.event(subscription)["c"]["light.desk"]
            assert sorted(change["-"]["a"]) == ["brightness", "effect"] and "lu" in change["+"]
            made.remove("light.desk")
            assert client.event(subscription) == {"r": ["light.desk"]}
    assert made.calls_of("light.turn_on")[0]["entities"] == ["light.desk"]
