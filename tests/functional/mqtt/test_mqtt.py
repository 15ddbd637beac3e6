# SPDX-License-Identifier: Apache-2.0
"""The connection to an MQTT broker: a real mosquitto."""

import json
import signal
import socket
import subprocess
import threading
import time

import paho.mqtt.client
import pytest

from backups import backup, restore
from checks import assert_message
from hub_process import command, free_port, wait_until, write_settings
from mqtt_broker import MOSQUITTO, Broker

STATUS = "homeassistant/status"


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


def publish(hub, user="admin", **data):
    return getattr(hub, user).post("/api/services/mqtt/publish", json=data)


def wait_connected(hub, times=1, timeout=15.0):
    wait_until(lambda: sum("mqtt: connected to" in line for line in hub.log) >= times, timeout)


def connected_hub(hub_factory, broker, **options):
    hub = hub_factory(mqtt=broker.settings | options)
    wait_connected(hub)
    return hub


def integration(hub):
    [found] = [one for one in hub.admin.get("/api/integrations").json() if one["name"] == "mqtt"]
    return found


@pytest.mark.contract("MQTT: connection")
def test_hub_connects_and_says_that_it_is_there(hub_factory, broker):
    device = broker.client().subscribe(STATUS)
    hub = connected_hub(hub_factory, broker)
    assert device.payload() == "online"
    assert any(f"connected to 127.0.0.1:{broker.port} with MQTT 5" in line for line in hub.log)
    assert integration(hub)["state"] == "running"
    assert "mqtt" in hub.admin.get("/api/components").json()
    hub.stop()
    assert device.payload() == "offline"


@pytest.mark.contract("MQTT: connection")
@pytest.mark.parametrize("protocol", ["5", "3.1.1", "3.1"])
def test_each_protocol_carries_messages(hub_factory, broker, protocol):
    device = broker.client().subscribe("out/#")
    hub = connected_hub(hub_factory, broker, protocol=protocol)
    assert any(f"with MQTT {protocol}" in line for line in hub.log)
    assert publish(hub, topic="out/x", payload="ä").status_code == 200
    assert device.payload() == "ä"


@pytest.mark.contract("MQTT: publish")
def test_publish_has_all_options(hub_factory, broker):
    hub = connected_hub(hub_factory, broker)
    device = broker.client().subscribe("out/#")
    for data, payload, qos, retain in (
        ({"payload": "plain"}, b"plain", 0, False),
        ({}, b"", 0, False),
        ({"payload": None, "qos": 1}, b"", 1, False),
        ({"payload": 21.5, "qos": "2"}, b"21.5", 2, False),
        ({"payload": {"state": "ON", "brightness": 7}}, b'{"state":"ON","brightness":7}', 0, False),
        ({"payload": True, "retain": "false"}, b"true", 0, False),
        ({"payload_template": "{{ 1 + 1 }} {{ states('light.none') }}"}, b"2 unknown", 0, False),
        ({"payload": "b'\\x01\\xff'"}, b"b'\\x01\\xff'", 0, False),
        ({"payload": "b'\\x01\\xff'", "evaluate_payload": True}, b"\x01\xff", 0, False),
        ({"payload": "ON", "evaluate_payload": True}, b"ON", 0, False),
        ({"payload": "kept", "qos": 1, "retain": True}, b"kept", 1, True),
    ):
        assert publish(hub, topic="out/a b/ü", **data).json() == []
        message = device.message()
        assert (message.topic, message.payload, message.qos) == ("out/a b/ü", payload, qos)
    late = broker.client().subscribe("out/#").message()
    assert (late.payload, late.retain) == (b"kept", 1)


@pytest.mark.contract("MQTT: publish")
def test_publish_refuses_what_is_wrong(hub_factory, broker):
    hub = connected_hub(hub_factory, broker)
    for data, part in (
        ({}, "topic"),
        ({"topic": ""}, "expected a topic"),
        ({"topic": "a/+"}, 'found "a/+"'),
        ({"topic": "a/#"}, "expected a topic"),
        ({"topic": "x" * 65_536}, "1 to 65535 bytes"),
        ({"topic": "a", "qos": 3}, "qos"),
        ({"topic": "a", "retain": "maybe"}, "retain"),
        ({"topic": "a", "payload": "x" * (16 * 1024 * 1024 - 30)}, None),
        ({"topic": "a", "colour": "red"}, "colour"),
        ({"topic": "a", "payload_template": "{{ 1"}, "payload_template: line 1"),
        ({"topic": "a", "payload_template": "{{ 1 / 0 }}"}, "payload_template: line 1"),
        ({"topic": "a", "payload_template": "{% for i in range(10**9) %}x{% endfor %}"}, "payload_template"),
        ({"topic": "a", "payload_template": "x", "payload": "y"}, "expected either this or payload"),
        ({"topic": "a", "payload": "b'", "evaluate_payload": True}, "payload: expected bytes such as"),
    ):
        answer = publish(hub, **data)
        if part is None:
            assert answer.status_code in (200, 413)
        else:
            assert part in assert_message(answer, 400), data
    assert publish(hub, "display", topic="a").status_code == 403


@pytest.mark.contract("MQTT: publish")
def test_a_payload_of_a_mebibyte_arrives_whole(hub_factory, broker):
    hub = connected_hub(hub_factory, broker)
    device = broker.client().subscribe("big")
    text = "".join(chr(0x100 + number % 500) for number in range(512 * 1024))
    assert publish(hub, topic="big", payload=text, qos=1).status_code == 200
    assert device.payload(20) == text


@pytest.mark.contract("MQTT: reconnection")
def test_broker_may_be_away_at_the_start(hub_factory, tmp_path):
    broker = Broker(tmp_path / "broker")
    hub = hub_factory(mqtt=broker.settings)
    hub.logged(f"there is no connection to 127.0.0.1:{broker.port}: Connection refused", 10)
    assert hub.admin.get("/api/states/light.kitchen").status_code == 200
    assert integration(hub)["state"] == "running"
    answer = publish(hub, topic="a")
    assert "There is no connection to the MQTT broker" in assert_message(answer, 500)
    broker.start()
    try:
        wait_connected(hub)
        assert publish(hub, topic="a").status_code == 200
    finally:
        broker.stop()


@pytest.mark.contract("MQTT: reconnection")
def test_hub_comes_back_after_the_brokers_death(hub_factory, broker):
    hub = connected_hub(hub_factory, broker)
    for times in (2, 3):
        broker.kill()
        hub.logged("there is no connection to")
        wait_until(lambda: publish(hub, topic="a").status_code == 500)
        broker.start()
        device = broker.client().subscribe("out").subscribe(STATUS)
        wait_connected(hub, times)
        device.wait_for(STATUS, "online")
        assert publish(hub, topic="out", payload=str(times)).status_code == 200
        device.wait_for("out", str(times))


@pytest.mark.contract("MQTT: birth and will")
def test_a_killed_hub_is_offline(hub_factory, broker):
    device = broker.client().subscribe("hub/#")
    folder = hub_factory.folder(mqtt=broker.settings | {
        "birth_message": {"topic": "hub/here", "payload": "yes", "qos": 1, "retain": True},
        "will_message": {"topic": "hub/here", "payload": "no", "qos": 1, "retain": True},
    })
    hub = hub_factory.start_to_kill(folder)
    device.wait_for("hub/here", "yes")
    hub.process.send_signal(signal.SIGKILL)
    device.wait_for("hub/here", "no")
    late = broker.client().subscribe("hub/#").message()
    assert (late.payload, late.retain) == (b"no", 1)


@pytest.mark.contract("MQTT: birth and will")
def test_birth_and_will_may_be_left_out(hub_factory, broker):
    device = broker.client().subscribe("#")
    hub = connected_hub(hub_factory, broker, birth_message={}, will_message={})
    assert publish(hub, topic="first").status_code == 200
    assert device.message().topic == "first"
    hub.stop()
    device.send("last")
    assert device.message().topic == "last"


@pytest.fixture(scope="module")
def passwords(tmp_path_factory):
    folder = tmp_path_factory.mktemp("passwords")
    file = folder / "passwords"
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(file), "hub", "seven lamps"], check=True)
    broker = Broker(folder, ["allow_anonymous false", f"password_file {file}"]).start()
    yield broker
    broker.stop()


@pytest.mark.contract("MQTT: passwords and TLS")
def test_the_right_password_lets_in(hub_factory, passwords):
    connected_hub(hub_factory, passwords, username="hub", password="seven lamps")


@pytest.mark.contract("MQTT: passwords and TLS")
@pytest.mark.parametrize("credentials", [{}, {"username": "hub", "password": "eight"}], ids=["none", "wrong"])
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_a_wrong_password_is_said(hub_factory, passwords, credentials, protocol):
    hub = hub_factory(mqtt=passwords.settings | credentials | {"protocol": protocol})
    hub.logged(f"there is no connection to 127.0.0.1:{passwords.port}: the broker refuses the user name or the password")
    assert not any("eight" in line for line in hub.log)
    assert "refuses the user name" in assert_message(publish(hub, topic="a"), 500)


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    """A broker with TLS that asks its clients for a certificate, and the files of both."""
    folder = tmp_path_factory.mktemp("tls")

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    for authority in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-keyout",
                f"{authority}.key", "-out", f"{authority}.pem", "-subj", f"/CN={authority}")
    for name, alternative in (("server", "subjectAltName=IP:127.0.0.1"), ("elsewhere", "subjectAltName=DNS:elsewhere"),
                              ("client", "subjectAltName=DNS:client")):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
                f"{name}.csr", "-subj", f"/CN={name}")
        (folder / "extensions").write_text(alternative)
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
                "-out", f"{name}.pem", "-extfile", "extensions")
    brokers = {}
    for name, own, more in (("server", "server", []), ("elsewhere", "elsewhere", []),
                            ("strict", "server", ["require_certificate true"])):
        lines = ["allow_anonymous true", f"cafile {folder}/ca.pem", f"certfile {folder}/{own}.pem",
                 f"keyfile {folder}/{own}.key", *more]
        brokers[name] = Broker(folder, lines).start()
    yield folder, brokers
    for broker in brokers.values():
        broker.stop()


@pytest.mark.contract("MQTT: passwords and TLS")
def test_tls_trusts_the_named_authority(hub_factory, secured):
    folder, brokers = secured
    hub = connected_hub(hub_factory, brokers["server"], certificate=str(folder / "ca.pem"))
    assert publish(hub, topic="a", payload="x" * 500_000, qos=1).status_code == 200
    connected_hub(hub_factory, brokers["elsewhere"], certificate=str(folder / "ca.pem"), tls_insecure=True)
    connected_hub(hub_factory, brokers["strict"], certificate=str(folder / "ca.pem"),
                  client_cert=str(folder / "client.pem"), client_key=str(folder / "client.key"))


@pytest.mark.contract("MQTT: passwords and TLS")
@pytest.mark.parametrize("name, options, error", [
    ("server", {"certificate": "{}/other.pem"}, "certificate verify failed"),
    ("server", {"certificate": "auto"}, "certificate verify failed"),
    ("elsewhere", {"certificate": "{}/ca.pem"}, "host name verification failed"),
    ("server", {"certificate": "{}/missing.pem"}, "missing.pem cannot be read: No such file"),
    ("server", {}, ""),
], ids=["another authority", "the system's", "another host", "no file", "no TLS"])
def test_tls_refuses_what_is_not_to_be_trusted(hub_factory, secured, name, options, error):
    folder, brokers = secured
    hub = hub_factory(mqtt=brokers[name].settings | {key: value.format(folder) for key, value in options.items()})
    hub.logged(f"there is no connection to 127.0.0.1:{brokers[name].port}: ", 10)
    assert error in next(line for line in hub.log if "there is no connection" in line)
    assert not any("connected to" in line and "no connection" not in line for line in hub.log)


class Impostor:
    """Accepts connections and does to each what `act` does."""

    def __init__(self, act):
        self.port = free_port()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.act = act
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with connection:
            try:
                self.act(connection)
            except OSError:
                pass

    def close(self):
        self.listener.close()


def accept(connection, answer=b"\x20\x03\x00\x00\x00"):
    connection.recv(4096)
    connection.sendall(answer)


def garbage(connection):
    accept(connection)
    connection.sendall(bytes(range(256)) * 40)
    connection.recv(1)


def http(connection):
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.recv(1)


def huge(connection):
    """Announces a message of 256 MiB, with a topic that is longer than the message."""
    accept(connection)
    connection.sendall(b"\x30\xff\xff\xff\x7f" + b"\xff" * 100_000)
    connection.recv(1)


@pytest.mark.contract("MQTT: publish")
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_a_message_may_expire(hub_factory, broker, protocol):
    hub = connected_hub(hub_factory, broker, protocol=protocol)
    for topic, fields in (("expires", {"message_expiry_interval": 60}), ("stays", {})):
        assert publish(hub, topic=topic, payload="x", qos=1, retain=True, **fields).status_code == 200
    received = {}
    reader = paho.mqtt.client.Client(protocol=paho.mqtt.client.MQTTv5)
    reader.on_message = lambda client, data, message: received.__setitem__(message.topic, message.properties.json())
    reader.connect("127.0.0.1", broker.port)
    reader.loop_start()
    reader.subscribe("#", 1)
    wait_until(lambda: {"expires", "stays"} <= set(received))
    reader.disconnect()
    reader.loop_stop()
    assert "MessageExpiryInterval" not in received["stays"]
    assert (0 < received["expires"].get("MessageExpiryInterval", 0) <= 60) == (protocol == "5")
    for wrong in (0, -1, 2**32, "soon"):
        refused = publish(hub, topic="a", message_expiry_interval=wrong)
        assert_message(refused, 400)
        assert "message_expiry_interval" in refused.text


@pytest.mark.contract("MQTT: bad input")
@pytest.mark.parametrize("act", [garbage, http, huge, lambda connection: None], ids=["garbage", "http", "huge", "close"])
def test_a_broker_that_talks_garbage_harms_nothing(hub_factory, act):
    impostor = Impostor(act)
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": impostor.port})
    try:
        wait_until(lambda: impostor.connections >= 1, 10)
        if act is not huge:
            hub.logged("there is no connection to", 15)
            wait_until(lambda: impostor.connections >= 2, 10)
        assert hub.admin.get("/api/states/light.kitchen").status_code == 200
        hub.stop()
    finally:
        impostor.close()


@pytest.mark.contract("MQTT: connection")
def test_a_broker_of_3_1_1_alone_is_spoken_to_in_its_version(hub_factory, broker):
    """In front of the broker, one that refuses version 5 as brokers of 3.1.1 do."""

    def old(connection):
        first = connection.recv(4096)
        if first[8] == 5:
            connection.sendall(b"\x20\x02\x00\x01")
            return
        with socket.create_connection(("127.0.0.1", broker.port)) as behind:
            behind.sendall(first)
            forward = threading.Thread(target=pipe, args=(behind, connection), daemon=True)
            forward.start()
            pipe(connection, behind)

    def pipe(source, target):
        while data := source.recv(65_536):
            target.sendall(data)

    front = Impostor(old)
    try:
        hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": front.port})
        wait_connected(hub)
        assert any("with MQTT 3.1.1" in line for line in hub.log)
        assert not any("there is no connection" in line for line in hub.log)
        hub.stop()
    finally:
        front.close()


@pytest.mark.contract("MQTT: connection")
def test_a_silent_broker_does_not_keep_the_hub_from_stopping(hub_factory):
    impostor = Impostor(lambda connection: connection.recv(4096) and time.sleep(20))
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": impostor.port})
    wait_until(lambda: impostor.connections == 1)
    hub.stop()  # fails if that takes long
    impostor.close()


@pytest.mark.contract("MQTT: dump")
def test_dump_writes_messages_to_a_file(hub_factory, broker):
    hub = connected_hub(hub_factory, broker)
    device = broker.client()
    device.publish("dump/kept", "before", retain=True)
    assert hub.admin.post("/api/services/mqtt/dump", json={"topic": "dump/#", "duration": 1}).status_code == 200
    file = hub.folder / "mqtt_dump.txt"
    deadline = time.monotonic() + 5
    while not file.exists() and time.monotonic() < deadline:
        device.publish("dump/a", "one\ntwo")
        device.publish("other", "no")
        time.sleep(0.05)
    hub.logged("mqtt_dump.txt is written")
    lines = file.read_text().splitlines()
    assert lines[0] == "dump/kept,before"
    assert set(lines[1:]) == {r"dump/a,one\ntwo"}
    assert hub.ann.post("/api/services/mqtt/dump", json={"topic": "#"}).status_code == 403
    for data in ({}, {"topic": "a/#/b"}, {"topic": "#", "duration": 0}):
        assert_message(hub.admin.post("/api/services/mqtt/dump", json=data), 400)


@pytest.mark.contract("MQTT: configuration")
@pytest.mark.parametrize("settings, error", [
    ({}, "mqtt: broker is missing"),
    ({"broker": ""}, 'mqtt.broker: expected a host name'),
    ({"broker": "b", "port": 0}, "mqtt.port: expected"),
    ({"broker": "b", "protocol": 4}, "mqtt.protocol: expected"),
    ({"broker": "b", "client_cert": "x"}, "mqtt.client_cert: needs client_key, too"),
    ({"broker": "b", "tls_insecure": True}, "mqtt.tls_insecure: needs certificate"),
    ({"broker": "b", "birth_message": {"topic": "a/#"}}, "mqtt.birth_message.topic: expected a topic"),
    ({"broker": "b", "will_message": {"qos": 3}}, "mqtt.will_message.qos: expected"),
    ({"broker": "b", "discovery_prefix": "+"}, "mqtt.discovery_prefix: expected a topic"),
    ({"broker": "b", "keepalive": 1}, "mqtt.keepalive: expected"),
])
def test_check_names_what_is_wrong(tmp_path, settings, error):
    write_settings(tmp_path, json.dumps({"mqtt": settings}))
    done = command(tmp_path, "check")
    assert done.returncode != 0 and error in done.stdout + done.stderr


@pytest.mark.contract("MQTT: configuration")
def test_check_accepts_every_key(tmp_path):
    write_settings(tmp_path, {"mqtt": {
        "broker": "fe80::1", "port": 1884, "username": "a", "password": "b", "client_id": "c", "protocol": "3.1.1",
        "keepalive": 30, "certificate": "auto", "client_cert": "a.pem", "client_key": "a.key", "tls_insecure": True,
        "birth_message": {"topic": "a", "payload": "b", "qos": 1, "retain": True}, "will_message": {},
        "discovery": False, "discovery_prefix": "other",
    }})
    assert command(tmp_path, "check").returncode == 0


@pytest.mark.contract("MQTT: connection")
def test_a_home_restored_beside_the_running_one_has_a_client_id_of_its_own(hub_factory, broker, tmp_path):
    running = connected_hub(hub_factory, broker)
    backup(running.folder, tmp_path / "home.tar.zst")
    restore(tmp_path / "other", tmp_path / "home.tar.zst")
    assert not (tmp_path / "other" / ".mqtt_client_id").exists()
    other = hub_factory(tmp_path / "other")
    wait_connected(other)
    ids = [(hub.folder / ".mqtt_client_id").read_text().strip() for hub in (running, other)]
    assert ids[0] != ids[1] and all(one.startswith("hearth-") for one in ids)
    assert integration(running)["state"] == "running" and sum("mqtt: connected to" in line for line in running.log) == 1
    assert not any("another client uses" in line for line in [*running.log, *other.log])
