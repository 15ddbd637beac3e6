# SPDX-License-Identifier: Apache-2.0
"""What a broker may do to the hub: answers that are no MQTT, messages that are too long, refusals, and an end while messages are under way."""

import signal
import threading

import pytest

from hub_process import wait_until
from mqtt_broker import Broker
from test_mqtt import Impostor, publish, wait_connected
from test_mqtt_hostile import memory
from websocket_client import WebSocketClient

MEBIBYTE = 1024 * 1024
NO_MQTT = "what answers there does not speak MQTT as it should"
WELCOME = {"5": b"\x20\x03\x00\x00\x00", "3.1.1": b"\x20\x02\x00\x00"}
# Answers to the attempt, with MQTT 5, and what the hub says of them.
BROKEN = {
    b"\x20\x04\x00\x00\x01\x00": "CONNACK: it has the unknown property 0",
    b"\x20\x05\x00\x00\x02\x01\x00": "CONNACK: it must not have the property 1",
    b"\x20\x07\x00\x00\x04\x1f\x00\x01\xff": "CONNACK: its property 31 has a value that is not allowed",
    b"\x20\x03\x00\x00\x09": "CONNACK: its properties are longer than the packet",
    b"\x20\xff\xff\xff\xff\x01": "CONNACK: its length has more than four bytes",
    b"\x30\x05\x00\x01a\x00x": "CONNACK: something else comes first",
    b"\xf0\x02\x18\x00": "AUTH: no broker may send it",
    b"HTTP/1.1 400 Bad Request\r\n\r\n": "PUBACK: its flags are wrong",
    WELCOME["5"] * 2: "CONNACK: it comes a second time",
    WELCOME["5"] + b"\x40\x05\x00\x01\x00\x01\x00": "PUBACK: it has the unknown property 0",
    WELCOME["5"] + b"\x90\x06\x00\x01\x02\x01\x00\x00": "SUBACK: it must not have the property 1",
    WELCOME["5"] + b"\xe0\x03\x00\x01\x00": "DISCONNECT: it has the unknown property 0",
}


@pytest.mark.contract("MQTT: bad input", "What a change may cost: bytes from a peer")
def test_no_answer_of_a_broker_ends_the_hub(hub_factory):
    answers = iter(BROKEN)
    answer = next(answers)

    def act(connection):
        connection.recv(4096)
        connection.sendall(answer)
        connection.recv(4096)

    impostor = Impostor(act)
    settings = {"broker": "127.0.0.1", "port": impostor.port}
    hub = hub_factory(mqtt=settings)
    try:
        hub.logged(f"there is no connection to 127.0.0.1:{impostor.port}: {NO_MQTT}: {BROKEN[answer]}; the next try is in", 15)
        with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as client:
            for answer in BROKEN:
                tried = client.result("mqtt/test_connection", **settings)
                # The test is told of the connection itself, whatever follows it.
                if answer.startswith(WELCOME["5"]):
                    assert tried["success"], tried
                else:
                    assert tried == {"success": False, "protocol": None, "error": f"{NO_MQTT}: {BROKEN[answer]}"}
            for answer in [one for one in BROKEN if one.startswith(WELCOME["5"])]:
                hub.logged(f"{NO_MQTT}: {BROKEN[answer]}; the next try", 60)
        hub.stop()
    finally:
        impostor.close()


def read_packet(stream):
    """The type of the next packet, and its contents; None at the end."""
    first = stream.read(1)
    size = shift = 0
    while first:
        part = stream.read(1)
        if not part:
            break
        size |= (part[0] & 127) << shift
        shift += 7
        if part[0] < 128:
            return first[0] >> 4, stream.read(size)
    return None


@pytest.mark.contract("MQTT: subscriptions")
def test_a_refused_subscription_is_said_and_tried_again(hub_factory):
    refused = []

    def act(connection):
        stream = connection.makefile("rb")
        while packet := read_packet(stream):
            kind, contents = packet
            if kind == 1:
                connection.sendall(WELCOME["3.1.1"])
            elif kind == 8 and b"home/x" in contents:
                code = b"\x00" if refused else b"\x80"
                refused.append(contents)
                connection.sendall(b"\x90\x03" + contents[:2] + code)
                if code == b"\x00":
                    connection.sendall(b"\x30\x0a\x00\x06home/xhi")
            elif kind == 12:
                connection.sendall(b"\xd0\x00")

    impostor = Impostor(act)
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": impostor.port, "protocol": "3.1.1", "discovery": False})
    try:
        wait_connected(hub)
        with WebSocketClient(hub, hub.tokens["admin"], timeout=30) as client:
            assert client.result("mqtt/subscribe", topic="home/x") is None
            assert client.event(client.last_id)["payload"] == "hi"
        assert len(refused) == 2
        hub.logged("the broker refuses the subscription to home/x: not authorised; the hub tries it again")
        hub.stop()
    finally:
        impostor.close()


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.mark.contract("MQTT: reconnection")
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_messages_that_the_broker_has_not_confirmed_are_sent_again(hub_factory, broker, protocol):
    hub = hub_factory(mqtt=broker.settings | {"protocol": protocol})
    wait_connected(hub)
    broker.process.send_signal(signal.SIGSTOP)
    for qos in (1, 2):
        for number in range(30):
            assert publish(hub, topic=f"kept/{qos}/{number}", payload="x", qos=qos, retain=True).status_code == 200
    broker.kill()
    broker.start()
    wait_connected(hub, 2, 30)
    device = broker.client().subscribe("kept/#")
    assert {device.message(20).topic for _ in range(60)} == {f"kept/{qos}/{number}" for qos in (1, 2) for number in range(30)}


@pytest.mark.contract("MQTT: reconnection")
def test_lost_messages_are_counted(hub_factory, broker):
    hub = hub_factory(mqtt=broker.settings)
    wait_connected(hub)
    broker.process.send_signal(signal.SIGSTOP)
    # More than the system keeps for a connection.
    for _ in range(24):
        assert publish(hub, topic="lost", payload="x" * MEBIBYTE).status_code == 200
    broker.kill()
    hub.logged(f"messages lost with the connection to 127.0.0.1:{broker.port}: ", 30)


# Packets that say that they are as long as one can be, and how they begin.
LONGEST = b"\xff\xff\xff\x7f"
LONG_PACKETS = {
    "CONNACK": b"\x20", "PUBACK": b"\x40", "PUBREC": b"\x50", "PUBREL": b"\x62", "PUBCOMP": b"\x70", "SUBACK": b"\x90", "UNSUBACK": b"\xb0",
    "PINGRESP": b"\xd0",
}


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_no_packet_is_kept_that_is_longer_than_its_kind(hub_factory, protocol):
    """The connection ends as soon as the length is known: the rest is never read."""
    ended = {}
    kinds = iter(LONG_PACKETS)

    def act(connection):
        kind = next(kinds)
        connection.recv(4096)
        connection.sendall((b"" if kind == "CONNACK" else WELCOME[protocol]) + LONG_PACKETS[kind] + LONGEST + b"\x00\x01")
        part, sent = bytes(MEBIBYTE), 0
        try:
            while sent < 200:
                connection.sendall(part)
                sent += 1
        finally:
            ended[kind] = sent

    impostor = Impostor(act)
    settings = {"broker": "127.0.0.1", "port": impostor.port}
    hub = hub_factory(mqtt=settings | {"protocol": protocol, "discovery": False})
    try:
        before = memory(hub)
        with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as client:
            # The hub itself made the first connection; each test of one makes another.
            wait_until(lambda: ended)
            for number, kind in enumerate(list(LONG_PACKETS)[1:], 2):
                client.command("mqtt/test_connection", **settings, protocol=protocol)
                wait_until(lambda: len(ended) >= number)
        assert set(ended) >= set(LONG_PACKETS) and max(ended.values()) < 100, ended
        assert memory(hub) - before < 32 * MEBIBYTE
        hub.logged(f"{NO_MQTT}: CONNACK: it has 268435455 bytes, and 131072 are the limit", 20)
        hub.stop()
    finally:
        impostor.close()


@pytest.mark.contract("MQTT: hostile amounts")
def test_the_broker_is_told_how_long_a_packet_may_be(hub_factory):
    """And one of just that length is taken."""
    asked = []

    def act(connection):
        asked.append(connection.recv(4096))
        connection.sendall(WELCOME["5"])
        body = b"\x00\x05large\x00" + bytes(16 * MEBIBYTE)
        size, length = len(body), b""
        while size or not length:
            length += bytes([size % 128 | (128 if size >= 128 else 0)])
            size //= 128
        connection.sendall(b"\x30" + length + body)
        while connection.recv(4096):
            pass

    impostor = Impostor(act)
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": impostor.port, "protocol": "5", "discovery": False})
    try:
        with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as client:
            wait_until(lambda: client.result("hearth/mqtt")["received"] == 1, 20)
        assert b"\x27" + (16 * MEBIBYTE + 128 * 1024).to_bytes(4, "big") in asked[0]
        assert not any(NO_MQTT in line for line in hub.log)
    finally:
        impostor.close()


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
@pytest.mark.parametrize("protocol, said", [
    ("5", f"{NO_MQTT}: PUBLISH: it has 268435455 bytes, and 16908288 are the limit"),
    ("3.1.1", "a message of 268435450 bytes on big is dropped: 16777216 are the limit"),
])
def test_a_message_of_256_mebibytes_is_not_kept(hub_factory, protocol, said):
    sent = threading.Event()

    def act(connection):
        connection.recv(4096)
        connection.sendall(WELCOME[protocol] + b"\x30\xff\xff\xff\x7f\x00\x03big")
        part, left = bytes(MEBIBYTE), 268_435_450
        while left > 0:
            connection.sendall(part[:left])
            left -= len(part[:left])
        sent.set()
        connection.recv(4096)

    impostor = Impostor(act)
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": impostor.port, "protocol": protocol, "discovery": False})
    try:
        hub.logged(said, 60)
        assert memory(hub) < 150 * MEBIBYTE
        if protocol == "3.1.1":
            wait_until(sent.is_set)
            assert not any(NO_MQTT in line for line in hub.log)
        hub.stop()
    finally:
        impostor.close()
