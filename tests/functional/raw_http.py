# SPDX-License-Identifier: Apache-2.0
"""HTTP over a plain socket, for requests that a proper client would not send."""

import json
import socket
import time
from dataclasses import dataclass, field


class ConnectionEnded(Exception):
    """The hub closed the connection before the answer was complete."""


@dataclass
class RawResponse:
    status: int
    headers: dict = field(default_factory=dict)  # names in lower case; the values of a repeated name joined by ", "
    body: bytes = b""

    def json(self):
        return json.loads(self.body)

    @property
    def message(self):
        return self.json()["message"]


def request_text(method, target, *headers, body=b"", host=True, length=None):
    """The bytes of one request, with Host and, if there is a body, Content-Length."""
    if isinstance(body, str):
        body = body.encode()
    if isinstance(target, str):
        target = target.encode()
    lines = [method.encode() + b" " + target + b" HTTP/1.1"]
    if host:
        lines.append(b"Host: 127.0.0.1")
    lines += [header.encode() for header in headers]
    if body or length is not None:
        lines.append(b"Content-Length: " + str(len(body) if length is None else length).encode())
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class RawConnection:
    def __init__(self, port, timeout=5.0, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.timeout = timeout
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def send_anyway(self, data):
        """As send, on a connection that the hub may have closed."""
        try:
            self.send(data)
        except OSError:
            pass

    def _more(self, deadline=None):
        if deadline is not None:
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError as reset:
            raise ConnectionEnded("reset") from reset
        if not data:
            raise ConnectionEnded("closed")
        self.buffer += data

    def read_until(self, mark, deadline=None):
        while mark not in self.buffer:
            self._more(deadline)
        taken, self.buffer = self.buffer.split(mark, 1)
        return taken

    def read_exactly(self, count):
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def read_chunks(self):
        body = b""
        while True:
            size = int(self.read_until(b"\r\n").split(b";")[0], 16)
            body += self.read_exactly(size)
            assert self.read_exactly(2) == b"\r\n"
            if size == 0:
                return body

    def read_head(self, deadline=None):
        lines = self.read_until(b"\r\n\r\n", deadline).decode("latin-1").split("\r\n")
        version, status = lines[0].split(" ")[:2]
        assert version in ("HTTP/1.1", "HTTP/1.0"), lines[0]
        headers = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            name = name.strip().lower()
            headers[name] = headers[name] + ", " + value.strip() if name in headers else value.strip()
        return RawResponse(int(status), headers)

    def read_response(self, method="GET"):
        response = self.read_head()
        if method == "HEAD" or response.status in (204, 304) or response.status < 200:
            return response
        if response.headers.get("transfer-encoding", "").lower() == "chunked":
            response.body = self.read_chunks()
        elif "content-length" in response.headers:
            response.body = self.read_exactly(int(response.headers["content-length"]))
        else:
            response.body = self.read_to_end()
        return response

    def read_to_end(self):
        try:
            while True:
                self._more()
        except ConnectionEnded:
            taken, self.buffer = self.buffer, b""
            return taken

    def request(self, method, target, *headers, **options):
        self.send(request_text(method, target, *headers, **options))
        return self.read_response(method)

    def is_closed(self, timeout=5.0):
        """True if the hub closes the connection in time without sending anything more."""
        self.socket.settimeout(timeout)
        try:
            return not self.buffer and self.socket.recv(1) == b""
        except ConnectionResetError:
            return not self.buffer
        except (TimeoutError, socket.timeout):
            return False
        finally:
            self.socket.settimeout(self.timeout)
