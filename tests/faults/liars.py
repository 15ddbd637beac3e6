# SPDX-License-Identifier: Apache-2.0
"""Servers that lie: what they send is made of seeds, the same each time."""

import json
import random
import socket
import threading
import time

CONNACK, PUBLISH, PUBREL, SUBACK, UNSUBACK, PINGRESP, DISCONNECT = 2, 3, 6, 9, 11, 13, 14
WELCOME = {"5": b"\x20\x03\x00\x00\x00", "3.1.1": b"\x20\x02\x00\x00"}


class Liar:
    """Accepts connections and does to each what `act` does, with its number from 0."""

    def __init__(self, act):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.act, self.connections, self.failure = act, 0, None
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1  # before anything is answered: whoever hears an answer finds it counted
            threading.Thread(target=self._run, args=(connection, self.connections - 1), daemon=True).start()

    def _run(self, connection, number):
        with connection:
            try:
                self.act(connection, number)
            except OSError:
                pass
            except Exception as failure:
                self.failure = failure

    def close(self):
        self.listener.close()
        assert self.failure is None, self.failure


def variable(number):
    made = b""
    while True:
        made += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return made


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return len(value).to_bytes(2, "big") + value


class MqttPackets:
    """Packets of a broker."""

    def __init__(self, protocol, seed):
        self.v5, self.random = protocol == "5", random.Random(seed)

    def _bytes(self, most):
        return self.random.randbytes(self.random.randrange(most + 1))

    def _properties(self):
        made = b""
        for _ in range(self.random.randrange(4)):
            made += bytes([self.random.randrange(256 if self.random.random() < 0.1 else 44)])
            made += text(self._bytes(20)) if self.random.random() < 0.5 else self._bytes(5)
        return variable(len(made) + (self.random.randrange(300) if self.random.random() < 0.1 else 0)) + made

    def broken(self):
        """Most of them are wrong: types, flags, lengths, properties, ids and texts."""
        kind, choose = self.random.randrange(16), self.random.random
        flags = self.random.randrange(16) if choose() < 0.3 else 2 if kind == PUBREL else 0
        more = self._properties() if self.v5 else b""
        number = b"\x00\x00" if choose() < 0.3 else b"\x00\x01"
        code = bytes([self.random.randrange(256) if choose() < 0.3 else 0])
        if choose() < 0.1:
            body = self._bytes(30)
        elif kind == CONNACK:
            body = bytes([self.random.randrange(256) if choose() < 0.25 else 0]) + code + more
        elif kind == PUBLISH:
            body = text(self._bytes(9)) + (number if choose() < 0.5 else b"") + more + self._bytes(40)
        elif kind < 8:
            body = number + (code + more if choose() < 0.5 else b"")
        else:
            body = code + more if choose() < 0.25 else number + more + code
        length = variable(len(body) + (self.random.randrange(5) if choose() < 0.1 else 0))
        if choose() < 0.03:
            length = self.random.choice([b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff\xff"])
        return bytes([kind << 4 | flags]) + length + body

    def _packet(self, kind, flags, body):
        return bytes([kind << 4 | flags]) + variable(len(body)) + body

    def lying(self):
        """Right in form, and untrue: answers to what was never sent, messages that nobody has asked for, twice, or of
        devices that do not exist."""
        number = self.random.randrange(1, 65_536).to_bytes(2, "big")
        empty = b"\x00" if self.v5 else b""
        kind = self.random.randrange(10)
        if kind == 0:
            return self._packet(self.random.choice([4, 5, 7]), 0, number)
        if kind == 1:
            return self._packet(PUBREL, 2, number)
        if kind == 2:
            return self._packet(SUBACK, 0, number + empty + bytes([self.random.choice([0, 1, 2])]))
        if kind == 3:
            return self._packet(UNSUBACK, 0, number + (empty + b"\x00" if self.v5 else b""))
        if kind == 4:
            return self._packet(PINGRESP, 0, b"")
        qos = self.random.choice([0, 0, 1, 2])
        flags = qos << 1 | (8 if qos and self.random.random() < 0.5 else 0) | self.random.randrange(2)
        topic, payload = self._message()
        properties = b""
        if self.v5 and self.random.random() < 0.5:
            properties = b"\x26" + text("name") + text("value") + b"\x01" + bytes([self.random.randrange(2)])
        body = text(topic) + (number if qos else b"") + (variable(len(properties)) + properties if self.v5 else b"")
        return self._packet(PUBLISH, flags, body + payload)

    def _message(self):
        name = self.random.randrange(50)
        if self.random.random() < 0.3:
            return f"t/{name}", self._bytes(200)
        kind = self.random.choice(["sensor", "light", "switch", "climate", "cover", "device", "tag", "device_automation", "x"])
        description = {"name": f"N{name}", "unique_id": f"u{name}", "state_topic": f"t/{name}", "command_topic": "c",
                       "value_template": self.random.choice(["{{ value }}", "{{ value_json.a }}", "{{", "{{ value * 9 }}"])}
        written = json.dumps(description).encode()
        if self.random.random() < 0.5:
            at = self.random.randrange(len(written))
            written = written[:at] + self._bytes(3) + written[at + self.random.randrange(3):]
        return f"homeassistant/{kind}/n{name}/config", self.random.choice([written, written, b""])


INFO = {"server_id": "LIAR", "server_name": "liar", "version": "2.10.0", "proto": 1, "headers": True, "max_payload": 1_048_576,
        "jetstream": True, "host": "127.0.0.1", "port": 4222}


def nats_info(**changes):
    return b"INFO " + json.dumps(INFO | changes).encode() + b"\r\n"


# What comes in place of, or after, a NATS server's greeting.
NATS_LIES = [
    b"",
    b"HTTP/1.1 400 Bad Request\r\n\r\n",
    b"INFO \r\n",
    b"INFO {\r\n",
    b"INFO " + b"x" * 100_000 + b"\r\n",
    b"INFO {\"max_payload\":-1,\"connect_urls\":7}\r\n",
    nats_info(max_payload=-5) + b"PONG\r\n",
    nats_info(connect_urls=["127.0.0.1:1", "", "x" * 5_000] * 50) + b"PONG\r\n",
    nats_info(tls_required=True),
    nats_info(auth_required=True, nonce="x" * 10_000) + b"-ERR 'Authorization Violation'\r\n",
    nats_info() + b"-ERR '" + b"x" * 200_000 + b"'\r\n",
    nats_info() + b"PONG\r\nMSG a 1 99999999999999\r\n",
    nats_info() + b"PONG\r\nMSG a 1 -5\r\nx\r\n",
    nats_info() + b"PONG\r\nMSG " + b"a" * 100_000 + b" 1 2\r\nhi\r\n",
    nats_info() + b"PONG\r\n" + b"MSG a 77 2\r\nhi\r\n" * 500,
    nats_info() + b"PONG\r\nHMSG a 1 900 5\r\nNATS/1.0\r\n\r\n",
    nats_info() + b"PONG\r\n" + b"PING\r\n" * 2_000,
    nats_info() + b"PONG\r\n" + b"PONG\r\n" * 2_000,
    nats_info() + b"PONG\r\n+OK\r\n" + bytes(range(256)) * 20,
]


def answer_nats(connection, number):
    """One of the lies; then whatever is asked gets an answer that is no answer."""
    connection.settimeout(1)
    ends = time.monotonic() + 1
    lie = NATS_LIES[number % len(NATS_LIES)]
    greeting, _, rest = lie.partition(b"PONG\r\n")
    connection.sendall(greeting)
    if rest or b"PONG" in lie:
        connection.recv(65_536)
        connection.sendall(b"PONG\r\n" + rest)
    while time.monotonic() < ends and (asked := connection.recv(65_536)):
        for line in asked.split(b"\r\n"):
            words = line.split()
            if words and words[0] == b"PING":
                connection.sendall(b"PONG\r\n")
            elif len(words) in (4, 5) and words[0] in (b"PUB", b"HPUB"):
                body = random.Random(number).choice([b"{}", b"{", b'{"error":7}', b'{"type":"x","stream":5,"seq":-1}', b"\xff" * 50])
                connection.sendall(b"MSG " + words[2] + b" 1 " + str(len(body)).encode() + b"\r\n" + body + b"\r\n")
