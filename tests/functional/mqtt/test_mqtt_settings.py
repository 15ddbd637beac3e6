# SPDX-License-Identifier: Apache-2.0
"""The connection to the MQTT broker changed while the hub runs: mqtt.reload, mqtt/config, mqtt/test_connection."""

import json
import socket
import subprocess
import threading
import time

import pytest

from checks import call
from hub_process import base_settings, free_port, wait_until, write_settings
from mqtt_broker import Broker
from test_durability import kill
from websocket_client import WebSocketClient

STATUS = "homeassistant/status"


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.fixture
def other(tmp_path):
    """Another broker, which asks for a password."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(file), "hub", "seven lamps"], check=True)
    broker = Broker(tmp_path / "other", ["allow_anonymous false", f"password_file {file}"]).start()
    yield broker
    broker.stop()


@pytest.fixture
def own(hub_factory):
    return hub_factory()


@pytest.fixture
def socket_of(request):
    def opened(hub, user="admin"):
        client = WebSocketClient(hub, hub.tokens[user], timeout=20)
        request.addfinalizer(client.close)
        return client

    return opened


def rewrite(hub, **sections):
    write_settings(hub.folder, base_settings() | sections)


def connected_to(socket, broker):
    def is_connected():
        status = socket.result("hearth/mqtt")
        return status is not None and status["connected"] and status["broker"] == f"127.0.0.1:{broker.port}"

    wait_until(is_connected, 15)


def value(hub, entity_id):
    answer = hub.admin.get(f"/api/states/{entity_id}")
    return answer.json()["state"] if answer.status_code == 200 else None


def announce_plug(client):
    client.publish("homeassistant/switch/plug/config",
                   json.dumps({"unique_id": "plug", "name": "Plug", "command_topic": "plug/set", "state_topic": "plug"}),
                   retain=True)
    client.publish("plug", "ON", retain=True)


def becomes(hub, entity_id, expected, timeout=10.0):
    wait_until(lambda: value(hub, entity_id) == expected, timeout)


@pytest.mark.contract("MQTT: settings")
def test_reload_connects_to_the_broker_that_the_file_names_now(own, broker, other, socket_of):
    admin = socket_of(own)
    assert admin.result("hearth/mqtt") is None
    rewrite(own, mqtt=broker.settings)
    assert call(own, "mqtt.reload", {}) == []
    connected_to(admin, broker)
    wait_until(lambda: "mqtt" in own.admin.get("/api/components").json())
    announce_plug(broker.client())
    becomes(own, "switch.plug", "on")
    # What the other broker's messages say reaches those who listened before.
    messages = admin.command("mqtt/subscribe", topic="bell")["id"]
    rewrite(own, mqtt=other.settings | {"username": "hub", "password": "seven lamps"})
    call(own, "mqtt.reload", {})
    connected_to(admin, other)
    assert value(own, "switch.plug") == "on"
    visitor = other.client(username="hub", password="seven lamps")
    visitor.publish("bell", "ring", retain=True)
    assert admin.event(messages)["payload"] == "ring"
    # And without the section the connection ends.
    rewrite(own)
    call(own, "mqtt.reload", {})
    assert admin.result("hearth/mqtt") is None
    assert value(own, "switch.plug") == "unavailable"
    wait_until(lambda: "mqtt" not in own.admin.get("/api/components").json())
    assert not [one for one in own.admin.get("/api/integrations").json() if one["name"] == "mqtt"]


@pytest.mark.contract("MQTT: settings")
def test_reload_leaves_alone_what_has_not_changed(hub_factory, broker, socket_of):
    hub = hub_factory(mqtt=broker.settings)
    admin = socket_of(hub)
    connected_to(admin, broker)
    announce_plug(broker.client())
    becomes(hub, "switch.plug", "on")
    before = admin.result("hearth/mqtt")
    changed = hub.admin.get("/api/states/switch.plug").json()["last_updated"]
    listener = broker.client().subscribe(STATUS)
    call(hub, "mqtt.reload", {})
    call(hub, "homeassistant.reload_all", {})
    after = admin.result("hearth/mqtt")
    assert after["since"] == before["since"]
    assert hub.admin.get("/api/states/switch.plug").json()["last_updated"] == changed
    assert listener.messages.empty()
    # Another user name: the connection is another one, and the entities do not notice.
    rewrite(hub, mqtt=broker.settings | {"username": "hub"})
    call(hub, "homeassistant.reload_all", {})
    wait_until(lambda: admin.result("hearth/mqtt")["since"] != before["since"])
    connected_to(admin, broker)
    assert [listener.payload(), listener.payload()] == ["offline", "online"]
    assert hub.admin.get("/api/states/switch.plug").json()["last_updated"] == changed
    broker.client().publish("plug", "OFF")
    becomes(hub, "switch.plug", "off")


@pytest.mark.contract("MQTT: settings")
def test_reload_takes_another_prefix(hub_factory, broker, socket_of):
    hub = hub_factory(mqtt=broker.settings)
    admin = socket_of(hub)
    connected_to(admin, broker)
    announce_plug(broker.client())
    becomes(hub, "switch.plug", "on")
    broker.client().publish("house/switch/lamp/config", json.dumps(
        {"unique_id": "lamp", "name": "Lamp", "command_topic": "lamp/set"}), retain=True)
    rewrite(hub, mqtt=broker.settings | {"discovery_prefix": "house"})
    call(hub, "mqtt.reload", {})
    becomes(hub, "switch.lamp", "off")
    assert value(hub, "switch.plug") == "unavailable"


@pytest.mark.contract("MQTT: settings")
def test_a_wrong_file_changes_nothing(hub_factory, broker, socket_of):
    hub = hub_factory(mqtt=broker.settings)
    admin = socket_of(hub)
    connected_to(admin, broker)
    before = admin.result("hearth/mqtt")
    for settings, error in (({"mqtt": {"broker": "127.0.0.1", "port": 0}}, "mqtt.port: expected a whole number"),
                            ({"mqtt": {"port": 1}}, "broker is missing")):
        rewrite(hub, **settings)
        assert error in call(hub, "mqtt.reload", {}, status=400)
    assert admin.result("hearth/mqtt")["since"] == before["since"]
    call(hub, "mqtt.reload", {}, user="ann", status=403)
    assert admin.result("mqtt/config")["config"]["port"] == broker.port


@pytest.mark.contract("MQTT: settings")
def test_the_page_sets_the_connection_and_a_kill_keeps_it(hub_factory, other, socket_of):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    admin = socket_of(hub)
    assert admin.result("mqtt/config") == {"editable": True, "place": None, "config": None}
    saved = admin.result("mqtt/config/save", broker="127.0.0.1", port=other.port, username="hub",
                         password="seven lamps", protocol="5", client_id=None)
    assert saved == {"editable": True, "place": None, "config": {
        "broker": "127.0.0.1", "port": other.port, "username": "hub", "password_set": True, "client_id": None,
        "protocol": "5", "keepalive": 60, "certificate": None, "client_cert": None, "client_key": None,
        "tls_insecure": False, "discovery": True, "discovery_prefix": "homeassistant"}}
    connected_to(admin, other)
    # The password stays with its broker and its user.
    assert admin.result("mqtt/config/save", broker="127.0.0.1", port=other.port, username="hub",
                        keepalive=30)["config"]["password_set"] is True
    connected_to(admin, other)
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    admin = socket_of(hub)
    connected_to(admin, other)
    assert admin.result("mqtt/config")["config"]["keepalive"] == 30
    for change in ({"username": "guest"}, {"broker": "localhost", "username": "hub"},
                   {"username": "hub", "password": ""}, {"username": "hub", "password": None}):
        fields = {"broker": "127.0.0.1", "port": other.port} | change
        assert admin.result("mqtt/config/save", **fields)["config"]["password_set"] is False
        admin.result("mqtt/config/save", broker="127.0.0.1", port=other.port, username="hub", password="seven lamps")
    assert admin.result("mqtt/config/delete") == {"editable": True, "place": None, "config": None}
    assert admin.result("hearth/mqtt") is None
    assert admin.error("mqtt/config/delete")[0] == "not_found"
    assert not any("seven lamps" in line for line in hub.log)


@pytest.mark.contract("MQTT: settings")
def test_what_the_file_says_wins_and_the_page_is_told(hub_factory, broker, other, socket_of):
    hub = hub_factory()
    admin = socket_of(hub)
    admin.result("mqtt/config/save", broker="127.0.0.1", port=other.port, username="hub", password="seven lamps")
    connected_to(admin, other)
    rewrite(hub, mqtt=broker.settings | {"password": "nine", "username": "me"})
    call(hub, "mqtt.reload", {})
    connected_to(admin, broker)
    answer = admin.result("mqtt/config")
    assert (answer["editable"], answer["config"]["port"]) == (False, broker.port)
    assert answer["place"].startswith("configuration.yaml:") and answer["place"].endswith(": mqtt")
    assert "nine" not in json.dumps(answer)
    for kind, fields in (("save", {"broker": "127.0.0.1"}), ("delete", {})):
        code, message = admin.error(f"mqtt/config/{kind}", **fields)
        assert code == "invalid_info" and "configuration.yaml" in message
    rewrite(hub)
    call(hub, "mqtt.reload", {})
    connected_to(admin, other)


@pytest.mark.contract("MQTT: settings")
@pytest.mark.parametrize("fields, error", [
    ({}, "broker is missing"),
    ({"broker": ""}, "broker: expected a host name"),
    ({"broker": "x", "port": 70000}, "port: expected a whole number from 1 to 65535"),
    ({"broker": "x", "port": "many"}, "port: expected a whole number"),
    ({"broker": "x", "protocol": "4"}, "protocol: expected"),
    ({"broker": "x", "client_key": "k.pem"}, "client_key: needs client_cert"),
    ({"broker": "x", "username": ["a"]}, "username: expected a text"),
    ({"broker": "x", "colour": "red"}, "colour"),
    ({"broker": "x", "discovery_prefix": "a/#"}, "discovery_prefix: expected a topic"),
])
def test_wrong_settings_are_named_and_change_nothing(hub, socket_of, fields, error):
    admin = socket_of(hub)
    for command in ("mqtt/config/save", "mqtt/test_connection"):
        code, message = admin.error(command, **fields)
        assert code == "invalid_format" and error in message
    assert admin.result("mqtt/config")["config"] is None


@pytest.mark.contract("MQTT: settings")
def test_the_connection_is_for_administrators(hub, socket_of):
    for user in ("ann", "display"):
        client = socket_of(hub, user)
        for command, fields in (("mqtt/config", {}), ("mqtt/config/save", {"broker": "x"}), ("mqtt/config/delete", {}),
                                ("mqtt/test_connection", {"broker": "x"})):
            assert client.error(command, **fields)[0] == "unauthorized"


@pytest.mark.contract("MQTT: settings")
def test_a_connection_is_tried_before_it_is_saved(own, broker, other, socket_of):
    admin = socket_of(own)

    def tried(port, **fields):
        return admin.result("mqtt/test_connection", broker="127.0.0.1", port=port, **fields)

    assert tried(broker.port) == {"success": True, "protocol": "5", "error": None}
    assert tried(broker.port, protocol="3.1.1")["protocol"] == "3.1.1"
    assert tried(other.port, username="hub", password="seven lamps")["success"]
    assert tried(other.port, username="hub", password="six") == {
        "success": False, "protocol": None, "error": "the broker refuses the user name or the password"}
    assert "refused" in tried(free_port())["error"]
    assert "missing.pem cannot be read" in tried(broker.port, certificate="missing.pem")["error"]
    assert admin.result("hearth/mqtt") is None
    assert admin.result("mqtt/config")["config"] is None
    # The password that is kept counts for its broker and user, and for no other.
    admin.result("mqtt/config/save", broker="127.0.0.1", port=other.port, username="hub", password="seven lamps")
    connected_to(admin, other)
    since = admin.result("hearth/mqtt")["since"]
    assert tried(other.port, username="hub")["success"]
    assert not tried(other.port)["success"]
    # The connection that there is goes on.
    assert admin.result("hearth/mqtt")["since"] == since


@pytest.mark.contract("MQTT: settings")
def test_a_silent_broker_is_tried_for_ten_seconds_and_by_one_at_a_time(own, broker, socket_of):
    silent = socket.create_server(("127.0.0.1", 0))
    with silent:
        port = silent.getsockname()[1]
        first, second = socket_of(own), socket_of(own)
        answers = []
        asking = threading.Thread(
            target=lambda: answers.append(first.result("mqtt/test_connection", broker="127.0.0.1", port=port)))
        begun = time.monotonic()
        asking.start()
        accepted, _ = silent.accept()
        assert second.result("mqtt/test_connection", broker="127.0.0.1", port=broker.port) == {
            "success": False, "protocol": None, "error": "Another test of a connection is running."}
        asking.join(15)
        accepted.close()
    assert 8 < time.monotonic() - begun < 13
    [answer] = answers
    assert not answer["success"] and "answer" in answer["error"]
    assert second.result("mqtt/test_connection", broker="127.0.0.1", port=broker.port)["success"]
