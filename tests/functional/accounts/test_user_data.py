# SPDX-License-Identifier: Apache-2.0
"""frontend/*_user_data: data that pages store for a user; and a user's own name."""

import sqlite3
from contextlib import closing

import pytest

from websocket_client import WebSocketClient

GET, SET, SUBSCRIBE = "frontend/get_user_data", "frontend/set_user_data", "frontend/subscribe_user_data"


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs()


@pytest.fixture
def connect(own):
    clients = []

    def connect(user, hub=own):
        clients.append(WebSocketClient(hub, hub.tokens[user]))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


@pytest.mark.contract("WebSocket: commands")
def test_value_is_stored_for_its_user_only(connect):
    ann, admin = connect("ann"), connect("admin")
    theme = {"name": "dünkel", "size": 1.0, "big": 2**63, "more": [None, True, "</script>"]}
    assert ann.result(GET, key="kept") == {"value": None}
    assert ann.result(SET, key="kept", value=theme) is None
    assert ann.result(GET, key="kept") == {"value": theme}
    assert ann.result(GET)["value"]["kept"] == theme
    assert connect("ann").result(GET, key="kept") == {"value": theme}
    assert admin.result(GET, key="kept") == {"value": None} and "kept" not in admin.result(GET)["value"]
    assert ann.result(SET, key="kept", value=None) is None
    assert ann.result(GET, key="kept") == {"value": None} and "kept" not in ann.result(GET)["value"]


@pytest.mark.contract("WebSocket: commands")
def test_subscriptions_get_every_change_of_their_user(connect):
    first, second, other = connect("ann"), connect("ann"), connect("admin")
    first.result(SET, key="heard", value=0)
    first.result(SUBSCRIBE, key="heard")
    subscription = first.last_id
    assert first.event(subscription) == {"value": 0}
    second.result(SUBSCRIBE)
    assert second.event(1)["value"]["heard"] == 0
    other.result(SUBSCRIBE, key="heard")
    assert other.event(1) == {"value": None}
    for number in range(1, 50):
        second.result(SET, key="heard", value=number)
        second.result(SET, key="not heard", value=number)
    assert [first.event(subscription)["value"] for _ in range(49)] == list(range(1, 50))
    values = [second.event(1)["value"] for _ in range(98)]
    assert [value["heard"] for value in values[::2]] == list(range(1, 50))
    assert [value["not heard"] for value in values[1::2]] == list(range(1, 50))
    assert first.result("unsubscribe_events", subscription=subscription) is None
    second.result(SET, key="heard", value="last")
    other.result(SET, key="heard", value="own")
    assert other.event(1) == {"value": "own"}
    assert first.command("ping")["type"] == "pong" and not first.waiting and not other.waiting


@pytest.mark.contract("WebSocket: commands", "WebSocket: no gap")
def test_nothing_falls_between_first_value_and_changes(connect):
    writer = connect("ann")
    writer.result(SET, key="counter", value=0)
    for round_ in range(20):
        reader = connect("ann")
        writer.send({"id": writer.last_id + 1, "type": SET, "key": "counter", "value": 2 * round_ + 1})
        reader.send({"id": 1, "type": SUBSCRIBE, "key": "counter"})
        writer.send({"id": writer.last_id + 2, "type": SET, "key": "counter", "value": 2 * round_ + 2})
        for _ in range(2):
            assert writer.receive()["success"]
        writer.last_id += 2
        assert reader.receive()["success"]
        values = [reader.event(1)["value"]]
        while values[-1] < 2 * round_ + 2:
            values.append(reader.event(1)["value"])
        assert values == list(range(values[0], 2 * round_ + 3))


@pytest.mark.contract("WebSocket: commands", "WebSocket: wrong messages")
@pytest.mark.parametrize("command, fields, text", [
    (GET, {"key": 5}, "key: expected a text"),
    (GET, {"x": 1}, "x: there is no such key"),
    (SET, {"value": 1}, "key: missing"),
    (SET, {"key": "a"}, "value: missing"),
    (SET, {"key": "", "value": 1}, "key: expected a text of 1 to 255 characters"),
    (SET, {"key": "ä" * 256, "value": 1}, "key: expected a text of 1 to 255 characters"),
    (SET, {"key": "a", "value": "x" * 262144}, "value: expected at most 262144 bytes of JSON"),
    (SUBSCRIBE, {"key": []}, "key: expected a text"),
])
def test_wrong_data_is_refused(connect, command, fields, text):
    ann = connect("ann")
    code, message = ann.error(command, **fields)
    assert code == "invalid_format" and message.startswith(text), message
    assert "a" not in ann.result(GET)["value"]


@pytest.mark.contract("WebSocket: commands")
def test_limit_is_on_all_data_of_a_user(connect):
    display = connect("display")
    key = "ä" * 255
    room = 262144 - len('{"":""}') - 2 * len(key)
    assert display.result(SET, key=key, value="x" * room) is None
    assert display.error(SET, key="one more", value=1)[0] == "invalid_format"
    assert display.error(SET, key=key, value="x" * (room + 1))[0] == "invalid_format"
    assert display.result(GET, key=key)["value"] == "x" * room
    assert display.result(SET, key=key, value=1) is None


@pytest.mark.contract("WebSocket: commands", "States: after a restart")
def test_survives_a_restart_and_is_deleted_with_its_user(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["ann"]) as ann:
        ann.result(SET, key="theme", value="dark")
    hub.process.kill()
    hub.wait_ended()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["ann"]) as ann, WebSocketClient(hub, hub.tokens["admin"]) as admin:
        assert ann.result(GET, key="theme") == {"value": "dark"}
        user_id = ann.result("auth/current_user")["id"]
        assert admin.result("config/auth/delete", user_id=user_id) is None
        assert ann.close_code() == 1008
    with closing(sqlite3.connect(folder / "home.db")) as database:
        assert database.execute("SELECT count(*) FROM user_data").fetchone() == (0,)


@pytest.mark.contract("WebSocket: commands", "WebSocket: rights")
def test_own_name(connect):
    display, admin = connect("display"), connect("admin")
    before = display.result("auth/current_user")
    user = display.result("auth/update_current_user", name="Wall Ⅱ")
    assert user == before | {"name": "Wall Ⅱ"}
    assert display.result("auth/current_user") == user  # on the same connection
    listed = {entry["username"]: entry["name"] for entry in admin.result("config/auth/list")}
    assert listed["display"] == "Wall Ⅱ" and listed["ann"] == "ann"
    for fields, text in (({}, "name: missing"), ({"name": 5}, "name: expected a text"), ({"name": ""}, "A display name has"),
                         ({"name": " x"}, "A display name has no space"), ({"name": "a\nb"}, "A display name has no control"),
                         ({"name": "x" * 65}, "A display name has 1 to 64"), ({"name": "x", "user_id": "1"}, "user_id:")):
        code, message = display.error("auth/update_current_user", **fields)
        assert code == "invalid_format" and message.startswith(text), message
    assert display.result("auth/current_user") == user


@pytest.mark.contract("WebSocket: commands")
def test_value_that_was_changed_meanwhile_is_not_overwritten(connect):
    first, second = connect("ann"), connect("ann")
    assert first.result(SET, key="both", value={"a": [1, 2.5]}, former=None) is None
    assert second.result(SET, key="both", value={"a": 2}, former={"a": [1, 2.5]}) is None
    for former in (None, {"a": [1, 2.5]}, {"a": 2, "b": 1}, "2"):
        code, message = first.error(SET, key="both", value=1, former=former)
        assert code == "conflict" and "both was changed meanwhile" in message
    assert first.result(GET, key="both") == {"value": {"a": 2}}
    assert first.result(SET, key="both", value=None, former={"a": 2}) is None
    assert first.result(GET, key="both") == {"value": None}
