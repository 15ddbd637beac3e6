# SPDX-License-Identifier: Apache-2.0
"""A minimal HTTP client for setting up and checking."""

import http.client
import json
import socket

PIPELINE = 64  # requests sent ahead: as many as the hub reads before others have their turn


def request(port, method, path, headers=None, body=None):
    """Returns status, headers and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except http.client.HTTPException as error:
        raise ConnectionError(error) from error
    finally:
        connection.close()


def get(port, path, headers=None):
    return request(port, "GET", path, headers)


def request_text(method, path, headers, body=""):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def post_all(port, requests, status):
    """Sends ready requests over one connection, PIPELINE at a time; returns how many were answered with the status."""
    expected = f"HTTP/1.1 {status} ".encode()
    right = 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        for first in range(0, len(requests), PIPELINE):
            batch = requests[first : first + PIPELINE]
            connection.sendall(b"".join(batch))
            answers = b""
            while answers.count(b"HTTP/1.1 ") < len(batch) or not answers.endswith(b'"}}'):
                received = connection.recv(1 << 18)
                if not received:
                    return right
                answers += received
            right += answers.count(expected)
    return right


def ask(connection, text):
    """The first bytes of the answer to a small request on an open connection."""
    connection.sendall(text)
    return connection.recv(1 << 16)


class Connection:
    """A keep-alive connection, one request at a time; answers must have a Content-Length or be chunked."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self, size):
        """Reads until `received` has at least that many bytes."""
        parts, have = [self.received], len(self.received)
        while have < size:
            if not (part := self.socket.recv(1 << 20)):
                raise ConnectionError("the hub closed a connection")
            parts.append(part)
            have += len(part)
        self.received = b"".join(parts)

    def take(self, size):
        self.read(size)
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def take_until(self, end):
        while end not in self.received:
            self.read(len(self.received) + 1)
        taken, _, self.received = self.received.partition(end)
        return taken

    def ask(self, text):
        """Returns status and body."""
        self.socket.sendall(text)
        head = self.take_until(b"\r\n\r\n").decode().lower()
        status = int(head.split()[1])
        if "transfer-encoding: chunked" not in head:
            return status, self.take(int(head.partition("content-length: ")[2].split()[0]))
        body = []
        while size := int(self.take_until(b"\r\n"), 16):
            body.append(self.take(size))
            self.take(2)
        self.take(2)
        return status, b"".join(body)


class WebSocket(Connection):
    """A client of the WebSocket API, one command at a time."""

    def __init__(self, port, token):
        super().__init__(port)
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        self.socket.sendall(request_text("GET", "/api/websocket", upgrade)
                            + text_frame(json.dumps({"type": "auth", "access_token": token})))
        self.take_until(b"\r\n\r\n")
        while b"auth_ok" not in (message := self.message()):
            if b"auth_required" not in message:
                raise ConnectionError(message.decode())
        self.last = 0

    def message(self):
        parts = []
        while True:
            first, size = self.take(2)
            if size >= 126:
                size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
            parts.append(self.take(size))
            if first & 0x80:
                return b"".join(parts)

    def ask(self, command):
        """The JSON text of the command's result."""
        self.last += 1
        self.socket.sendall(text_frame(json.dumps({"id": self.last, **command})))
        answer = self.message()
        if b'"success":true' not in answer[:200]:
            raise ConnectionError(answer.decode())
        return answer


def open_idle(port, text, count):
    """Opens connections, each after one request answered 200, and returns them."""
    connections = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        connections.append(connection)
        if not ask(connection, text).startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(f"connection {len(connections)} was not answered 200")
    return connections


def read_frame(port, path, headers, fire):
    """Opens a stream, calls `fire` and returns the frame that it caused, as sent: a whole chunk."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request_text("GET", path, headers))
        received = b""
        while b"data: ping" not in received:
            received += connection.recv(1 << 16)
            if not received.startswith(b"HTTP/1.1 200 "):
                raise ConnectionError(f"GET {path} was answered {received.decode().splitlines()[:1]}")
        fire()
        frame = connection.recv(1 << 16)
        while not frame.endswith(b"\n\n\r\n"):
            frame += connection.recv(1 << 16)
        return frame.removeprefix(b"\r\n")


def text_frame(text):
    """A client's WebSocket frame, with a mask of zeros (RFC 6455 §5.2)."""
    size = len(text)
    head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + bytes(4) + text.encode()


def websocket_frame(port, token, fire):
    """Subscribes to all entities, calls `fire` and returns the bytes that it caused. `fire` must change an existing state."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    fire()
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request_text("GET", "/api/websocket", upgrade)
                           + text_frame(json.dumps({"type": "auth", "access_token": token}))
                           + text_frame('{"id":2,"type":"subscribe_entities"}'))
        received = b""
        while b'"event":{"a":{' not in received or not received.endswith(b"}}}"):
            if not (more := connection.recv(1 << 16)):
                raise ConnectionError(f"the subscription ended: {received!r}")
            received += more
        fire()
        frame = connection.recv(1 << 16)
        while not frame.endswith(b"}}}"):
            frame += connection.recv(1 << 16)
        return frame
