# SPDX-License-Identifier: Apache-2.0
"""Helpers that people make: commands, entities, services, bounds, rights, and what a restart and a kill leave."""

import pytest

from checks import state_of
from hub_process import wait_until
from test_durability import kill
from test_rights import add_with_rights
from websocket_client import WebSocketClient

# Each broken field with its command, and what the answer says.
BROKEN = [
    ("input_boolean", {}, "name: required field of an input_boolean is missing"),
    ("input_boolean", {"name": ""}, "name: expected a text of 1 to 255 bytes"),
    ("input_boolean", {"name": "X", "initial": "perhaps"}, "initial: expected"),
    ("input_datetime", {"name": "X"}, "has_date: expected true, unless has_time is true"),
    ("input_datetime", {"name": "X", "has_time": True, "initial": "2026-04-20"}, "initial: expected"),
    ("input_number", {"name": "X", "min": 0}, "max: required field of an input_number is missing"),
    ("input_number", {"name": "X", "min": 5, "max": 5}, "max: expected more than 5, got 5"),
    ("input_number", {"name": "X", "min": 0, "max": 5, "initial": 7}, "initial: expected a number from 0 to 5, got 7"),
    ("input_number", {"name": "X", "min": 0, "max": 5, "step": 0}, "step: expected"),
    ("input_number", {"name": "X", "min": 0, "max": 5, "mode": "dial"}, "mode: expected"),
    ("input_select", {"name": "X", "options": []}, "options: expected at least one"),
    ("input_select", {"name": "X", "options": ["a", "a"]}, "options: a stands there twice"),
    ("input_select", {"name": "X", "options": ["x" * 256]}, "options: expected texts of 1 to 255 characters"),
    ("input_select", {"name": "X", "options": ["a"], "initial": "b"}, "initial: expected one of the options"),
    ("input_text", {"name": "X", "min": 7, "max": 5}, "max: expected at least 7, got 5"),
    ("input_text", {"name": "X", "max": 300}, "max: expected"),
    ("input_text", {"name": "X", "pattern": "(("}, "pattern: the regular expression is wrong at 2"),
    ("input_text", {"name": "X", "initial": "ä1", "pattern": "[a-z]*"}, "initial: does not match the pattern"),
    ("counter", {"name": "X", "minimum": 3, "maximum": 1}, "maximum: expected more than 3, got 1"),
    ("counter", {"name": "X", "step": 0}, "step: expected"),
    ("person", {"name": "X", "device_trackers": ["light.a"]}, "device_trackers: expected ids of device_tracker"),
    ("input_datetime", {"name": "X", "has_date": True, "has_time": True, "initial": "2026-01-02 03:04:05+00:00"}, "initial: expected a date and time"),
    ("schedule", {"name": "X", "monday": [{"from": "08:00", "to": "7"}]}, "monday: to: expected a time"),
    ("schedule", {"name": "X", "monday": [{"from": "08:00", "to": "09:00"}, {"from": "08:59", "to": "24:00"}]},
     "monday: 08:59 to 24:00 overlaps 08:00 to 09:00"),
    ("timer", {"name": "X", "duration": "soon"}, "duration: expected a duration"),
    ("timer", {"name": "X", "duration": -1}, "duration: expected a duration"),
]

MADE = {
    "input_boolean": {"name": "Guests"},
    "input_button": {"name": "Bell"},
    "input_number": {"name": "Heat", "min": 0, "max": 30, "unit_of_measurement": "°C"},
    "input_select": {"name": "Mode", "options": ["home", "away"]},
    "input_text": {"name": "Note"},
    "input_datetime": {"name": "Alarm", "has_time": True},
    "counter": {"name": "Visits"},
}


def make_all(client):
    for domain, fields in MADE.items():
        client.result(f"{domain}/create", **fields)


def call(hub, service, **data):
    answer = hub.admin.post(f"/api/services/{service.replace('.', '/')}", json=data)
    assert answer.status_code == 200, answer.text
    return [state["state"] for state in answer.json()]


def set_all(hub):
    assert call(hub, "input_boolean.turn_on", entity_id="input_boolean.guests") == ["on"]
    call(hub, "input_button.press", entity_id="input_button.bell")
    assert call(hub, "input_number.set_value", entity_id="input_number.heat", value=21) == ["21.0"]
    assert call(hub, "input_select.select_next", entity_id="input_select.mode") == ["away"]
    assert call(hub, "input_text.set_value", entity_id="input_text.note", value="Küche") == ["Küche"]
    assert call(hub, "input_datetime.set_datetime", entity_id="input_datetime.alarm", time="06:30") == ["06:30:00"]
    assert call(hub, "counter.increment", entity_id="counter.visits") == ["1"]


def states(hub):
    return {state["entity_id"]: state["state"] for state in hub.admin.get("/api/states").json()
            if state["entity_id"].split(".")[0] in MADE}


def test_helpers_are_made_changed_and_deleted(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("input_boolean/create", name="Gäste", initial=True) == {"id": "gaste", "name": "Gäste", "initial": True}
        state = state_of(hub, "input_boolean.gaste")
        assert state["state"] == "on" and state["attributes"] == {"editable": True, "friendly_name": "Gäste"}
        client.result("input_boolean/update", input_boolean_id="gaste", icon="mdi:account")
        assert state_of(hub, "input_boolean.gaste")["attributes"]["icon"] == "mdi:account"
        registered = client.result("config/entity_registry/get", entity_id="input_boolean.gaste")
        assert registered["platform"] == "input_boolean" and registered["unique_id"] == "gaste"
        client.result("input_boolean/delete", input_boolean_id="gaste")
        assert hub.admin.get("/api/states/input_boolean.gaste").status_code == 404
        assert client.result("input_boolean/list") == []


@pytest.mark.parametrize("end", ["restart", "kill"])
def test_what_is_set_is_there_after_a(end, hub_factory):
    folder = hub_factory.folder(recorder={"commit_interval": "0s"})
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        make_all(client)
        client.result("input_number/create", name="Start", min=0, max=9, initial=3)
        set_all(hub)
        call(hub, "input_number.set_value", entity_id="input_number.start", value=7)
    before = states(hub)
    if end == "kill":
        kill(hub)
        hub_factory.hubs.remove(hub)
    else:
        hub.stop()
    hub = hub_factory(folder)
    assert before.pop("input_number.start") == "7.0"
    wait_until(lambda: states(hub).get("input_number.start") == "3.0")  # the home is up
    after = states(hub)
    assert after.pop("input_number.start") == "3.0"
    assert after == before and len(before) == len(MADE)


@pytest.mark.parametrize("domain, fields, message", BROKEN, ids=[f"{domain}-{message[:30]}" for domain, _, message in BROKEN])
def test_a_wrong_helper_is_refused(domain, fields, message, hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        before = client.result(f"{domain}/list")
        code, text = client.error(f"{domain}/create", **fields)
        assert code == "invalid_format" and text.startswith(message), text
        assert client.result(f"{domain}/list") == before


def test_others_use_helpers_and_change_none(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        make_all(client)
    add_with_rights(hub, "lea", "read: {all: true}\ncontrol: {domains: [counter]}\n")
    with WebSocketClient(hub, hub.tokens["lea"]) as client:
        for domain in MADE:
            assert len(client.result(f"{domain}/list")) == 1
            for command in ("create", "update", "delete"):
                assert client.error(f"{domain}/{command}", **{f"{domain}_id": "x"})[0] == "unauthorized"
        assert client.error("call_service", domain="input_boolean", service="turn_on",
                            target={"entity_id": "input_boolean.guests"})[0] == "unauthorized"
        client.result("call_service", domain="counter", service="increment", target={"entity_id": "counter.visits"})
    assert state_of(hub, "counter.visits")["state"] == "1"
