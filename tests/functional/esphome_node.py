# SPDX-License-Identifier: Apache-2.0
"""A node that speaks ESPHome's native API, plain or encrypted, and says what a test or a recorded session tells it."""

import base64
import hashlib
import hmac
import socket
import struct
import threading
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub_process import wait_until

RECORDED = Path(__file__).parent / "esphome/test_node.session"
HELLO, PASSWORD, DISCONNECT, PING, DESCRIBE, LIST, LIST_DONE, STATES = 1, 3, 5, 7, 9, 11, 19, 20
INFO, RUN_ACTION, SET_KEY = 10, 42, 124
LISTS = {12, 13, 14, 15, 16, 17, 18, 41, 43, 46, 49, 52, 55, 58, 61, 63, 94, 97, 100, 103, 107, 109, 112, 116, 132}


def number(value):
    """A number of seven bits a byte."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def message(**fields):
    """A message of fields such as f1="text", f2=fixed(7), f3=True; a float is a float."""
    out = b""
    for name, value in fields.items():
        place = int(name[1:])
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            out += number(place << 3 | 2) + number(len(value)) + value
        elif isinstance(value, Fixed):
            out += number(place << 3 | 5) + struct.pack("<I", value)
        elif isinstance(value, float):
            out += number(place << 3 | 5) + struct.pack("<f", value)
        else:
            out += number(place << 3) + number(int(value))
    return out


class Fixed(int):
    """A number of 32 bits."""


def fields(payload):
    """What `message` was made of, by number; of several the last."""
    found, place = {}, 0

    def take():
        nonlocal place
        value = shift = 0
        while True:
            byte = payload[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(payload):
        tag = take()
        if tag & 7 == 0:
            found[tag >> 3] = take()
        elif tag & 7 == 5:
            found[tag >> 3] = payload[place:place + 4]
            place += 4
        else:
            size = take()
            found[tag >> 3] = payload[place:place + size]
            place += size
    return found


def recorded():
    """The messages of the recorded session."""
    rows = (line.split(" ") for line in RECORDED.read_text().splitlines() if not line.startswith("#"))
    return [(int(row[0]), bytes.fromhex(row[1]) if len(row) > 1 else b"") for row in rows]


class Noise:
    """The node's side of Noise_NNpsk0_25519_ChaChaPoly_SHA256."""

    def __init__(self, key):
        self.hash = self.chain = hashlib.sha256(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256").digest()
        self.mix_hash(b"NoiseAPIInit\0\0")
        self.chain, extra, self.key = self.derive(key)
        self.mix_hash(extra)
        self.counter = 0

    def derive(self, data):
        secret = hmac.digest(self.chain, data, "sha256")
        one = hmac.digest(secret, b"\1", "sha256")
        two = hmac.digest(secret, one + b"\2", "sha256")
        return one, two, hmac.digest(secret, two + b"\3", "sha256")

    def mix_hash(self, data):
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, data):
        self.chain, self.key, _ = self.derive(data)

    def answer(self, first):
        """The second message of the handshake; None if the hub has another key."""
        remote, mac = first[:32], first[32:]
        self.mix_hash(remote)
        self.mix_key(remote)
        try:
            ChaCha20Poly1305(self.key).decrypt(bytes(12), mac, self.hash)
        except Exception:  # noqa: BLE001 - of another library, without a name of its own
            return None
        self.mix_hash(mac)
        own = X25519PrivateKey.generate()
        public = own.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.mix_hash(public)
        self.mix_key(public)
        self.mix_key(own.exchange(X25519PublicKey.from_public_bytes(remote)))
        sealed = ChaCha20Poly1305(self.key).encrypt(bytes(12), b"", self.hash)
        receive, send, _ = self.derive(b"")
        self.receive, self.send = Cipher(receive), Cipher(send)
        return public + sealed


class Cipher:
    def __init__(self, key):
        self.library, self.counter = ChaCha20Poly1305(key), 0

    def nonce(self):
        self.counter += 1
        return bytes(4) + struct.pack("<Q", self.counter - 1)

    def seal(self, data):
        return self.library.encrypt(self.nonce(), data, b"")

    def open(self, data):
        return self.library.decrypt(self.nonce(), data, b"")


class Session:
    """One connection of the hub."""

    def __init__(self, node, connection):
        self.node, self.connection = node, connection
        self.noise = None
        self.lock = threading.Lock()

    def read(self, size):
        data = b""
        while len(data) < size:
            part = self.connection.recv(size - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def read_number(self):
        value = shift = 0
        while True:
            byte = self.read(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def read_body(self):
        start, high, low = self.read(3)
        assert start == 1, start
        return self.read(high << 8 | low)

    def write_body(self, body):
        self.connection.sendall(b"\1" + struct.pack(">H", len(body)) + body)

    def open(self):
        """The handshake, if the node has a key. False if there is no session."""
        first = self.connection.recv(1, socket.MSG_PEEK)
        if not first:
            return False
        if self.node.key is None:
            if first == b"\1":
                self.connection.sendall(b"\0")
            return first == b"\0"
        if first == b"\0":
            self.write_body(b"")
            return False
        self.read_body()
        self.write_body(b"\1" + self.node.name.encode() + b"\0" + self.node.mac.replace(":", "").encode() + b"\0")
        noise = Noise(base64.b64decode(self.node.key))
        second = noise.answer(self.read_body()[1:])
        if second is None:
            self.write_body(b"\1Handshake MAC failure")
            return False
        self.write_body(b"\0" + second)
        self.noise = noise
        return True

    def receive(self):
        if self.noise:
            plain = self.noise.receive.open(self.read_body())
            kind, size = struct.unpack(">HH", plain[:4])
            return kind, plain[4:4 + size]
        assert self.read(1) == b"\0"
        size, kind = self.read_number(), self.read_number()
        return kind, self.read(size)

    def send(self, kind, payload=b""):
        with self.lock:
            if self.noise:
                plain = struct.pack(">HH", kind, len(payload)) + payload
                self.write_body(self.noise.send.seal(plain))
            else:
                self.connection.sendall(b"\0" + number(len(payload)) + number(kind) + payload)


class Node:
    """Answers as a node does: describes itself, its entities and states; a switch that is commanded reports; an action answers
    as `answers` says by its key. Everything that it gets is in `received`."""

    def __init__(self, messages=None, key=None, name="test-node", mac=None, password=None, port=0, host="127.0.0.1"):
        self.messages = recorded() if messages is None else messages
        self.key, self.name, self.password = key, name, password
        info = next((payload for kind, payload in self.messages if kind == INFO), None)
        self.info = info if mac is None else message(f2=name, f3=mac, f4="2026.6.5", f6="host", f13=name.title(), f19=True)
        self.mac = mac or fields(info)[3].decode()
        self.silent = False  # takes connections, and says nothing
        self.answers = {}  # by the action's key: the fields of the answer
        self.received, self.sessions = [], 0
        self.session = None
        self.host, self.port = host, port
        self.listener = None
        self.start()

    def start(self):
        self.listener = socket.create_server((self.host, self.port), reuse_port=False)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        session = Session(self, connection)
        try:
            if self.silent:
                while connection.recv(4096):
                    pass
            elif session.open():
                self.session = session
                self.sessions += 1
                while True:
                    kind, payload = session.receive()
                    self.handle(session, kind, payload)
        except OSError:
            pass
        finally:
            connection.close()
            if self.session is session:
                self.session = None

    def handle(self, session, kind, payload):
        self.received.append((kind, payload))
        got = fields(payload)
        if kind == HELLO:
            session.send(2, message(f1=1, f2=14, f3="test", f4=self.name))
        elif kind == PASSWORD and self.password is not None:
            session.send(4, message(f1=got.get(1, b"").decode() != self.password))
        elif kind == DISCONNECT:
            session.send(6)
        elif kind == PING:
            session.send(8)
        elif kind == DESCRIBE:
            session.send(INFO, self.info)
        elif kind == LIST:
            for each, description in self.messages:
                if each in LISTS:
                    session.send(each, description)
            session.send(LIST_DONE)
        elif kind == STATES:
            for each, state in self.messages:
                if each not in LISTS and each not in (2, INFO, LIST_DONE):
                    session.send(each, state)
        elif kind == 33:
            session.send(26, message(f1=Fixed(int.from_bytes(got[1], "little")), f2=got.get(2, 0), f3=got.get(3, 0)))
        elif kind == RUN_ACTION and got.get(3):
            session.send(131, message(f1=got[3], **self.answers.get(int.from_bytes(got[1], "little"), {"f2": True})))
        elif kind == SET_KEY:
            self.key = got[1].decode()
            session.send(125, message(f1=True))

    def send(self, kind, payload=b""):
        self.session.send(kind, payload)

    def wait_for(self, kind, timeout=5.0):
        """The last message of this type, once there is one."""
        def last():
            return next((payload for each, payload in reversed(self.received) if each == kind), None)
        wait_until(lambda: last() is not None, timeout)
        return last()

    def drop(self):
        """Cuts the present connection."""
        if self.session:
            self.session.connection.shutdown(socket.SHUT_RDWR)

    def stop(self):
        """Is not there any more."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.drop()
