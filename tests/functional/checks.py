# SPDX-License-Identifier: Apache-2.0
"""Checks of answers, by kind."""

import json
import re
from datetime import datetime

from hub_process import wait_until

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00")
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
LIST_KEYS = ["entity_id", "state", "attributes", "last_changed", "last_updated"]
STATE_KEYS = [*LIST_KEYS, "context"]


def status_of(response):
    return response.status_code if hasattr(response, "status_code") else response.status


def body_of(response):
    return response.content if hasattr(response, "content") else response.body


def assert_json(response, status=200):
    """The parsed body of an answer with this status."""
    assert status_of(response) == status, body_of(response)[:500]
    assert re.fullmatch(r"application/json(; ?charset=utf-8)?", response.headers["content-type"], re.IGNORECASE)
    return json.loads(body_of(response).decode("utf-8"))


def assert_message(response, status, text=None):
    """An answer that is a Message object with this status and, if given, exactly this text."""
    message = assert_json(response, status)
    assert list(message) == ["message"] and isinstance(message["message"], str) and message["message"]
    if text is not None:
        assert message["message"] == text
    if status == 401:
        assert response.headers["www-authenticate"].startswith("Bearer")
    return message["message"]


def assert_context(context, **expected):
    assert list(context) == ["id", "parent_id", "user_id"]
    assert ULID.fullmatch(context["id"])
    for key in ("parent_id", "user_id"):
        assert context[key] is None or (isinstance(context[key], str) and context[key])
    for key, value in expected.items():
        assert context[key] == value


def assert_state(state, keys=STATE_KEYS):
    assert sorted(state) == sorted(keys)
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*\.[a-z0-9]+(_[a-z0-9]+)*", state["entity_id"])
    assert isinstance(state["state"], str)
    assert isinstance(state["attributes"], dict)
    for key in ("last_changed", "last_updated"):
        assert TIMESTAMP.fullmatch(state[key]), state[key]
    assert state["last_changed"] <= state["last_updated"]
    if "context" in keys:
        assert_context(state["context"])
    return state


def parse_time(text):
    assert TIMESTAMP.fullmatch(text), text
    return datetime.fromisoformat(text)


def set_state(hub, entity_id, state, attributes=None, user="admin", **more):
    """Writes a state and returns the object in the hub's answer."""
    body = {"state": state, **more}
    if attributes is not None:
        body["attributes"] = attributes
    response = getattr(hub, user).post(f"/api/states/{entity_id}", json=body)
    assert response.status_code in (200, 201), response.text
    return assert_state(response.json())


def state_of(hub, entity_id):
    return assert_state(assert_json(hub.admin.get(f"/api/states/{entity_id}")))


def value(hub, entity_id):
    return state_of(hub, entity_id)["state"]


def attributes(hub, entity_id):
    return state_of(hub, entity_id)["attributes"]


def attribute(hub, entity_id, name):
    """None if it has none of that name."""
    return attributes(hub, entity_id).get(name)


def becomes(hub, entity_id, wanted):
    """Waits until the entity has that state."""
    wait_until(lambda: value(hub, entity_id) == wanted)


def survives_a_start(state):
    """True if the same home has the same state after a start: not the hub's own sensors, the sun, or a token of a picture."""
    return not state["entity_id"].startswith(("sensor.hearth_", "sun.")) and "access_token" not in state["attributes"]


def call(hub, service, data=None, user="admin", query="", status=200):
    """Calls `domain.service` and returns the parsed answer."""
    domain, action = service.split(".")
    response = getattr(hub, user).post(f"/api/services/{domain}/{action}{query}", json=data or {})
    if status != 200:
        return assert_message(response, status)
    return assert_json(response)


def turn_off(hub, *entity_ids):
    """Turns off those of the entities that are on."""
    if on := [entity_id for entity_id in entity_ids if state_of(hub, entity_id)["state"] == "on"]:
        call(hub, "platform.turn_off", {"entity_id": on})
