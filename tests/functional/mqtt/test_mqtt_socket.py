# SPDX-License-Identifier: Apache-2.0
"""mqtt/subscribe and hearth/mqtt, with a real mosquitto; what many messages do to the hub."""

import os

import pytest

from hub_process import wait_until
from mqtt_broker import Broker
from test_mqtt import publish, wait_connected
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    broker = Broker(tmp_path_factory.mktemp("broker")).start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def own(module_hubs, broker):
    hub = module_hubs(mqtt=broker.settings | {"discovery": False})
    wait_connected(hub)
    return hub


@pytest.fixture
def socket(own):
    with WebSocketClient(own, own.tokens["admin"], timeout=10) as client:
        yield client


def subscribe(socket, topic, **fields):
    assert socket.result("mqtt/subscribe", topic=topic, **fields) is None
    return socket.last_id


PROBE = "is it subscribed?"


def wait_subscribed(socket, device, topic):
    """Until what a device publishes on the topic, which was subscribed to last and which no other filter matches, reaches the hub."""
    def received():
        return socket.result("hearth/mqtt")["received"]

    def is_heard():
        device.publish(topic, PROBE)
        return received() > before

    before = received()
    wait_until(is_heard)


@pytest.mark.contract("MQTT: subscriptions")
def test_messages_arrive_with_all_that_is_known_of_them(socket, broker):
    device = broker.client()
    device.publish("all/kept", "before", retain=True)
    subscription = subscribe(socket, "all/+", qos=2)
    event = socket.event(subscription)
    assert event.pop("time").endswith("+00:00")
    assert event == {"topic": "all/kept", "payload": "before", "qos": 1, "retain": True}
    device.publish("all/ü", b"\xff\x00a\nb", qos=2)
    event = socket.event(subscription)
    event.pop("time")
    assert event == {"topic": "all/ü", "payload": "\ufffd\x00a\nb", "qos": 2, "retain": False}
    device.publish("all/kept", "", retain=True)
    assert socket.event(subscription)["payload"] == ""
    assert socket.result("unsubscribe_events", subscription=subscription) is None
    device.publish("all/late")
    # The broker passes this one on after that one.
    device.publish("fence", "here", retain=True)
    assert socket.event(subscribe(socket, "fence"))["payload"] == "here"
    device.publish("fence", "", retain=True)


@pytest.mark.contract("MQTT: subscriptions")
def test_a_message_comes_once_for_each_subscription(socket, broker):
    """Though the broker sends it once for each filter that matches."""
    ids = [subscribe(socket, topic) for topic in ("once/a/b", "once/#", "once/+/b", "once/a/b")]
    # The last subscription alone hears it: it is heard after all others are there, and after all others have been told.
    end = subscribe(socket, "end")
    device = broker.client()
    wait_subscribed(socket, device, "end")
    for number in range(3):
        device.publish("once/a/b", str(number))
    device.publish("end", "end")
    got = {id: [] for id in ids}
    while (message := socket.receive())["event"]["payload"] != "end":
        if message["id"] != end:
            got[message["id"]].append(message["event"]["payload"])
    assert got == {id: ["0", "1", "2"] for id in ids}


@pytest.mark.contract("MQTT: subscriptions")
def test_each_subscriber_gets_what_the_broker_has_kept(own, socket, broker):
    device = broker.client()
    device.publish("kept/a", "1", retain=True)
    first = subscribe(socket, "kept/a")
    assert socket.event(first)["payload"] == "1"
    with WebSocketClient(own, own.tokens["admin"]) as another:
        assert another.event(subscribe(another, "kept/a"))["retain"] is True
    # The first did not get it again.
    device.publish("kept/a", "2")
    assert socket.event(first)["payload"] == "2"
    device.publish("kept/a", "", retain=True)


@pytest.mark.contract("MQTT: subscriptions")
def test_bad_subscriptions_are_refused(own, socket, hub):
    for fields, part in (({}, "topic"), ({"topic": ""}, "topic filter"), ({"topic": "a/#/b"}, 'found "a/#/b"'), ({"topic": 1}, "topic"),
                         ({"topic": "a", "qos": 3}, "qos"), ({"topic": "a", "x": 1}, "x")):
        code, message = socket.error("mqtt/subscribe", **fields)
        assert code == "invalid_format" and part in message, fields
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        assert ann.error("mqtt/subscribe", topic="a")[0] == "unauthorized"
        assert ann.error("hearth/mqtt")[0] == "unauthorized"
    with WebSocketClient(hub, hub.tokens["admin"]) as elsewhere:
        assert elsewhere.result("hearth/mqtt") is None
        code, message = elsewhere.error("mqtt/subscribe", topic="a")
        assert code == "home_assistant_error" and "no MQTT broker" in message


@pytest.mark.contract("MQTT: connection")
def test_status_tells_of_the_connection(own, socket, broker):
    status = socket.result("hearth/mqtt")
    assert status["connected"] and status["broker"] == f"127.0.0.1:{broker.port}" and status["protocol"] == "5"
    assert status["error"] is None
    assert publish(own, topic="status").status_code == 200
    assert socket.result("hearth/mqtt")["published"] == status["published"] + 1


@pytest.mark.contract("MQTT: reconnection")
def test_subscriptions_survive_the_brokers_death(hub_factory, tmp_path):
    broker = Broker(tmp_path / "broker").start()
    hub = hub_factory(mqtt=broker.settings)
    wait_connected(hub)
    with WebSocketClient(hub, hub.tokens["admin"], timeout=10) as socket:
        before = subscribe(socket, "still/#")
        broker.kill()
        wait_until(lambda: not socket.result("hearth/mqtt")["connected"])
        assert socket.result("hearth/mqtt")["error"]
        meanwhile = subscribe(socket, "meanwhile")
        broker.start()
        wait_connected(hub, 2)
        device = broker.client()
        # The subscriptions follow the connection.
        wait_subscribed(socket, device, "still/there")
        wait_subscribed(socket, device, "meanwhile")
        told = set()
        while told != {before, meanwhile}:
            told.add(socket.receive()["id"])
    broker.stop()


@pytest.mark.contract("MQTT: connection")
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_twenty_thousand_kept_messages_all_arrive(hub_factory, tmp_path, protocol):
    broker = Broker(tmp_path / "broker").start()
    device = broker.client()
    count = 20_000
    sent = [device.send(f"storm/{number}/config", f'{{"number":{number},"text":"{"x" * 300}"}}', retain=True)
            for number in range(count)]
    sent[-1].wait_for_publish(30)
    device.publish("storm/end")
    # The subscriber is in the hub itself: a client that reads slowly would be cut.
    counting = {"alias": "Count", "triggers": {"trigger": "mqtt", "topic": "storm/+/config", "payload": "none"}, "actions": []}
    hub = hub_factory(mqtt=broker.settings | {"protocol": protocol, "discovery": False}, automation=[counting])
    wait_connected(hub)
    with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as socket:
        wait_until(lambda: socket.result("hearth/mqtt")["received"] >= count, 40, 0.2)
    broker.stop()


def resident(hub):
    """MiB."""
    with open(f"/proc/{hub.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.unsanitized
@pytest.mark.contract("MQTT: bad input")
def test_a_flood_takes_little_memory_and_is_counted(own, socket, broker):
    before = resident(own)
    # A client that subscribes and does not read.
    with WebSocketClient(own, own.tokens["admin"]) as lazy:
        subscribe(lazy, "flood/#")
        device = broker.client()
        wait_subscribed(socket, device, "flood/probe")
        received = socket.result("hearth/mqtt")["received"]
        payload = "x" * 8_000
        last = [device.send(f"flood/{number % 50}", payload) for number in range(20_000)][-1]
        last.wait_for_publish(60)
        wait_until(lambda: socket.result("hearth/mqtt")["received"] - received >= 20_000, 60, 0.2)
        assert resident(own) - before < 100
        # What the client finds when it reads at last: messages, and that some are missing; or it has been cut.
        dropped = False
        try:
            while not dropped:
                dropped = "dropped" in lazy.receive()["event"]
        except Exception:  # noqa: BLE001 - whatever the end of a connection raises
            dropped = True
        assert dropped
    assert own.admin.get("/api/states/light.kitchen").status_code == 200
