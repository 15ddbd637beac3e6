# SPDX-License-Identifier: Apache-2.0
"""A broker and a NATS server that lie: nothing that they send ends the hub, holds it up, or costs what was acknowledged."""

import contextlib
import os

import pytest

from four_questions import Home, ask
from hub_process import wait_until
from liars import NATS_LIES, WELCOME, Liar, MqttPackets, answer_nats, text, variable

PACKETS = int(os.environ.get("HEARTH_PACKETS", "10000"))  # for each protocol
AT_ONCE = 10
NO_MQTT = "what answers there does not speak MQTT as it should"
protocols = pytest.mark.parametrize("protocol", ["5", "3.1.1"])


@protocols
def test_broken_packets_of_a_broker_end_nothing(hub_factory, protocol):
    """Each try of a connection gets some of them; in half of the tries the first is the answer that is expected."""
    def act(connection, number):
        packets = MqttPackets(protocol, number)
        connection.recv(4096)
        if number % 2:
            connection.sendall(WELCOME[protocol])
        connection.sendall(b"".join(packets.broken() for _ in range(AT_ONCE)))
        connection.settimeout(1)
        connection.recv(4096)

    liar = Liar(act)
    settings = {"broker": "127.0.0.1", "port": liar.port, "protocol": protocol}
    home = Home(hub_factory)
    assert home.change()
    try:
        refused = 0
        for _ in range(PACKETS // AT_ONCE):
            tried = home.socket.result("mqtt/test_connection", **settings)
            refused += not tried["success"]
        assert liar.connections == PACKETS // AT_ONCE
        assert refused > liar.connections / 4
        ask(home, contextlib.nullcontext(), waits=1)
    finally:
        liar.close()


@protocols
def test_a_broker_that_lies_in_the_right_form_ends_nothing(hub_factory, protocol):
    sent = []

    def act(connection, number):
        packets = MqttPackets(protocol, 1_000 + number)
        connection.recv(4096)
        connection.sendall(WELCOME[protocol])
        while len(sent) < PACKETS:
            packet = packets.lying()
            connection.sendall(packet)
            sent.append(len(packet))
        body = text("last") + (variable(0) if protocol == "5" else b"") + b"told"
        connection.sendall(b"\x30" + variable(len(body)) + body)
        while connection.recv(65_536):
            pass

    liar = Liar(act)
    home = Home(hub_factory, mqtt={"broker": "127.0.0.1", "port": liar.port, "protocol": protocol,
                                   "sensor": [{"name": "Last", "state_topic": "last"}]})
    try:
        wait_until(lambda: home.client.get("/api/states/sensor.last").json().get("state") == "told", 120)
        assert len(sent) >= PACKETS
        ask(home, contextlib.nullcontext(), waits=1)
    finally:
        liar.close()


def test_a_nats_server_that_lies_ends_nothing(hub_factory):
    liar = Liar(answer_nats)
    home = Home(hub_factory, fleet={"role": "site", "site": "kitchen", "servers": f"nats://127.0.0.1:{liar.port}",
                                    "user": "kitchen", "password": "a"})
    try:
        wait_until(lambda: liar.connections > len(NATS_LIES), 120, 0.2)
        ask(home, contextlib.nullcontext(), "is broken")
    finally:
        liar.close()
