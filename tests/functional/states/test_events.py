# SPDX-License-Identifier: Apache-2.0
"""GET /api/events and POST /api/events/{event_type}"""

import json
import re
import signal
from urllib.parse import quote, unquote

import pytest

from checks import TIMESTAMP, assert_context, assert_json, assert_message, set_state, state_of
from hub_process import wait_until
from websocket_client import WebSocketClient


def fire(hub, event_type, body=b"", user="admin"):
    content = body if isinstance(body, (str, bytes)) else json.dumps(body)
    return getattr(hub, user).post(f"/api/events/{event_type}", content=content)


@pytest.mark.contract("Events: list")
def test_list_has_types_and_their_listener_counts(hub):
    entries = assert_json(hub.ann.get("/api/events"))
    for entry in entries:
        assert list(entry) == ["event", "listener_count"]
        assert isinstance(entry["event"], str)
        assert type(entry["listener_count"]) is int and entry["listener_count"] >= 1
    types = [entry["event"] for entry in entries]
    assert len(types) == len(set(types))
    assert {"state_changed", "platform_start", "core_config_updated"} <= set(types)


@pytest.mark.contract("Events: list", "Stream: client gone")
def test_counts_follow_the_listeners(hub, name):
    assert name not in hub.listener_counts()
    with hub.stream(f"?restrict={name}"):
        assert hub.listener_counts()[name] == 1
        with hub.stream(f"?restrict={name}"):
            assert hub.listener_counts()[name] == 2
        wait_until(lambda: hub.listener_counts()[name] == 1, 2)
    wait_until(lambda: name not in hub.listener_counts(), 2)


@pytest.mark.contract("Events: body")
@pytest.mark.parametrize(
    "body, data",
    [
        (b"", {}),
        ({}, {}),
        ({"event_data": {}}, {}),
        ({"event_data": None}, {}),
        ({"event_data": {"a": 1, "b": [True, None]}}, {"a": 1, "b": [True, None]}),
        ({"event_data": {"event_data": 3}}, {"event_data": 3}),
        ({"a": 1, "nested": {"event_data": 2}}, {"a": 1, "nested": {"event_data": 2}}),
    ],
)
def test_body_becomes_the_data(hub, name, body, data):
    with hub.stream(f"?restrict={name}") as stream:
        assert_message(fire(hub, name, body), 200, f"Event {name} fired.")
        assert stream.next_event().event["data"] == data


@pytest.mark.contract("Events: body")
@pytest.mark.parametrize("value", ["text", 1, True, []])
def test_event_data_must_be_an_object(hub, name, value):
    with hub.stream(f"?restrict={name}") as stream:
        assert_message(fire(hub, name, {"event_data": value}), 400)
        fire(hub, name, {"last": True})
        assert stream.next_event().event["data"] == {"last": True}


@pytest.mark.contract("Events: not an object")
@pytest.mark.parametrize("body", ["nonsense", "{", '{"a":1} 2', '{"a":NaN}', b'{"a":"\xff"}'])
def test_body_must_be_json(hub, name, body):
    assert_message(fire(hub, name, body), 400, "Event data should be valid JSON.")


@pytest.mark.contract("Events: not an object")
@pytest.mark.parametrize("body", ["[]", "1", '"text"', "null", "true"])
def test_body_must_be_an_object(hub, name, body):
    assert_message(fire(hub, name, body), 400, "Event data should be a JSON object")


@pytest.mark.contract("Events: answer")
def test_event_is_queued_before_the_answer(hub, name):
    with hub.stream(f"?restrict={name}") as first, hub.stream() as second:
        for number in range(20):
            assert_message(fire(hub, name, {"number": number}, "ann"), 200, f"Event {name} fired.")
        for stream in (first, second):
            numbers = []
            while len(numbers) < 20:
                event = stream.next_event(2).event
                if event["event_type"] == name:
                    numbers.append(event["data"]["number"])
            assert numbers == list(range(20))


@pytest.mark.contract("Events: type")
@pytest.mark.parametrize("event_type", ["a", "x" * 64, "Mixed.Case-1", "my event", "ü" * 64, "a/b", 'quo"te\\'])
def test_type_is_free_text(hub, event_type):
    with hub.stream() as stream:
        path = quote(event_type, safe="")
        assert_message(fire(hub, path), 200, f"Event {event_type} fired.")
        assert stream.until_type(event_type)


@pytest.mark.contract("Events: type")
@pytest.mark.parametrize("event_type", ["*", "%2A", "x" * 65, "a%0Ab", "a%7Fb", "a%1Fb", "a%00b"])
def test_type_has_limits(hub, event_type):
    assert_message(fire(hub, event_type), 400)
    # No URL can carry control characters; a command can.
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.error("fire_event", event_type=unquote(event_type))[0] == "invalid_format"


@pytest.mark.contract("Events: type")
def test_type_is_case_sensitive(hub, name):
    with hub.stream(f"?restrict={name.upper()}") as stream:
        fire(hub, name)
        fire(hub, name.upper())
        assert stream.next_event().type == name.upper()


@pytest.mark.contract("Events: reserved types")
def test_reserved_types_are_only_data(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:  # the demo home's update has been told
        wait_until(lambda: client.result("alerts/list")["alerts"])
    before = hub.admin.get("/api/states").json()
    forged = {"entity_id": "light.kitchen", "old_state": None,
              "new_state": {"entity_id": "light.kitchen", "state": "forged", "attributes": {}}}
    with hub.stream() as stream:
        for event_type, data in (
            ("state_changed", forged),
            ("state_changed", {}),
            ("call_service", {"domain": "light", "service": "turn_on", "service_data": {"entity_id": "all"}}),
            ("call_service", {"domain": "platform", "service": "stop", "service_data": {}}),
            ("platform_stop", {}),
            ("platform_final_write", {}),
            ("platform_start", {}),
            ("homeassistant_start", {}),
            ("homeassistant_stop", {}),
            ("homeassistant_final_write", {}),
            ("core_config_updated", {"latitude": 1}),
            ("service_removed", {"domain": "light", "service": "turn_on"}),
            ("stream_gap", {}),
        ):
            assert_message(fire(hub, event_type, {"event_data": data}, "ann"), 200, f"Event {event_type} fired.")
            event = stream.next_event().event
            assert (event["event_type"], event["data"], event["origin"]) == (event_type, data, "REMOTE")
        fire(hub, "the_end")
        assert stream.next_event().type == "the_end"  # they caused nothing
    assert hub.admin.get("/api/states").json() == before
    assert hub.admin.get("/api/config").json()["state"] == "RUNNING"
    set_state(hub, "test.after", "on")


@pytest.mark.contract("Events: frame")
def test_frame_has_context_and_time(hub, name):
    with hub.stream(f"?restrict={name},state_changed") as stream:
        fire(hub, name, {"a": 1}, "ann")
        event = stream.until_type(name)[-1].event
        assert list(event) == ["event_type", "data", "origin", "time_fired", "context"]
        assert (event["data"], event["origin"]) == ({"a": 1}, "REMOTE")
        assert TIMESTAMP.fullmatch(event["time_fired"])
        assert_context(event["context"], parent_id=None)
        assert event["context"]["user_id"]

        state = set_state(hub, f"test.{name}", "on", user="ann")
        changed = stream.until(lambda event: event["data"].get("entity_id") == f"test.{name}")[-1].event
        assert list(changed) == ["event_type", "data", "origin", "time_fired", "context"]
        assert changed["origin"] == "LOCAL"
        assert list(changed["data"]) == ["entity_id", "old_state", "new_state"]
        assert changed["data"] == {"entity_id": f"test.{name}", "old_state": None, "new_state": state}
        assert changed["context"] == state["context"]
        assert changed["context"]["user_id"] == event["context"]["user_id"]
        assert changed["time_fired"] == state["last_updated"]


@pytest.mark.contract("Events: lifecycle")
def test_start_is_announced(hub_factory):
    """Resuming from before the first event shows a run from its beginning."""
    hub = hub_factory()
    with hub.stream("?restrict=marker") as stream:
        fire(hub, "marker")
        newest = stream.next_event().id
    before_all = re.sub(r"\d+$", "0", newest)
    with hub.stream(headers=[f"Last-Event-ID: {before_all}"]) as stream:
        types = [frame.type for frame in stream.until_type("marker")]
    assert types.index("platform_start") < types.index("platform_started")
    assert types.index("homeassistant_start") < types.index("homeassistant_started")
    assert types.index("platform_started") < types.index("marker")
    assert types.index("homeassistant_started") < types.index("marker")


@pytest.mark.contract("Events: lifecycle")
def test_shutdown_is_announced(hub_factory):
    hub = hub_factory()
    with hub.stream() as stream:
        hub.send_signal(signal.SIGTERM)
        types = [frame.type for frame in stream.rest()]
    assert "platform_stop" in types and "homeassistant_stop" in types


@pytest.mark.contract("Tokens and rights: no valid token")
def test_needs_a_token(hub, name):
    assert_message(hub.anonymous.get("/api/events"), 401)
    assert_message(fire(hub, name, user="anonymous"), 401)


@pytest.mark.contract("Tokens and rights: right missing")
def test_reader_reads_the_list(hub):
    assert hub.display.get("/api/events").status_code == 200


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize("method, path, allow", [("POST", "/api/events", "GET"), ("GET", "/api/events/x", "POST"),
                                                 ("DELETE", "/api/events/x", "POST")])
def test_knows_no_other_method(hub, method, path, allow):
    response = hub.admin.request(method, path)
    assert_message(response, 405)
    assert allow in response.headers["allow"]


def test_events_about_unknown_entities_create_none(hub, name):
    fire(hub, "state_changed", {"entity_id": f"test.{name}", "old_state": None, "new_state": {"state": "on"}})
    assert_message(hub.admin.get(f"/api/states/test.{name}"), 404)
    assert state_of(hub, "light.kitchen")


def test_hub_does_not_act_on_a_clients_events_of_its_own_types(hub, name):
    """Neither over REST nor over the WebSocket, whose events look like the hub's own to clients."""
    entity_id = f"sensor.{name}"
    set_state(hub, entity_id, "kept")
    made_up = {"action": "remove", "entity_id": entity_id, "old_entity_id": entity_id}
    for event_type in ("entity_registry_updated", "state_changed", "automation_triggered"):
        assert fire(hub, event_type, made_up).status_code == 200
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            heard = client.command("subscribe_events", event_type=event_type)["id"]
            client.result("fire_event", event_type=event_type, event_data=made_up)
            assert client.event(heard)["origin"] == "LOCAL"
    # The hub's own listeners get an event before a socket does.
    assert state_of(hub, entity_id)["state"] == "kept"
    logbook = assert_json(hub.admin.get("/api/logbook"))
    assert not [entry for entry in logbook if entry.get("entity_id") == entity_id and "message" in entry]
