# SPDX-License-Identifier: Apache-2.0
"""The HTTP and WebSocket server below the made hub (made_hub.py): plain sockets and threads, two for each WebSocket."""

import base64
import collections
import hashlib
import json
import select
import socket
import struct
import threading
from urllib.parse import urlsplit

MAX_WAITING = 4_096  # messages to a client; the real hub drops it then, without a word
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def frame(payload, opcode=TEXT):
    """One whole message as a server sends it."""
    size = len(payload)
    head = bytes([0x80 | opcode])
    if size < 126:
        head += bytes([size])
    elif size < 65_536:
        head += struct.pack(">BH", 126, size)
    else:
        head += struct.pack(">BQ", 127, size)
    return head + payload


class Gone(Exception):
    """The client is no more."""


class Channel:
    """A WebSocket of one client. `say` queues a message as the real hub does: what waits together goes as one array if the client
    understands that. `coalesce` is set by the command `supported_features`."""

    def __init__(self, stream, reader):
        self.stream, self.reader = stream, reader
        self.coalesce = False
        self.waiting = collections.deque()
        self.ready = threading.Condition()
        self.open = True
        threading.Thread(target=self._write, daemon=True).start()

    def say(self, message):
        self.say_text(message if isinstance(message, str) else json.dumps(message))

    def say_text(self, text):
        with self.ready:
            if len(self.waiting) >= MAX_WAITING:
                self.drop()
                return
            self.waiting.append(text)
            self.ready.notify()

    def say_bytes(self, payload, opcode=TEXT, raw=False):
        """A frame past all rules; with `raw`, bytes that are frames already."""
        with self.ready:
            self.waiting.append(payload if raw else frame(payload, opcode))
            self.ready.notify()

    def drop(self):
        """Ends the connection without a word."""
        with self.ready:
            self.open = False
            self.waiting.clear()
            self.ready.notify()
        try:
            self.stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _write(self):
        while True:
            with self.ready:
                self.ready.wait_for(lambda: self.waiting or not self.open)
                if not self.open:
                    break
                batch = list(self.waiting)
                self.waiting.clear()
            try:
                self.stream.sendall(b"".join(self._frames(batch)))
            except OSError:
                break
        self.open = False

    def _frames(self, batch):
        texts = []
        for one in batch + [None]:
            if isinstance(one, str) and (self.coalesce or not texts):
                texts.append(one)
                continue
            if texts:
                yield frame((texts[0] if len(texts) == 1 else "[" + ",".join(texts) + "]").encode())
            texts = [one] if isinstance(one, str) else []
            if isinstance(one, bytes):
                yield one

    def _take(self, count):
        data = self.reader.read(count)
        if len(data) < count:
            raise Gone
        return data

    def receive(self):
        """The next text of the client; pings are answered. Raises Gone at the end."""
        while True:
            try:
                first, second = self._take(2)
                size = second & 0x7F
                if size == 126:
                    size = struct.unpack(">H", self._take(2))[0]
                elif size == 127:
                    size = struct.unpack(">Q", self._take(8))[0]
                mask = self._take(4)
                data = self._take(size)
            except OSError:
                raise Gone from None
            repeated = (mask * (size // 4 + 1))[:size]
            data = (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")
            opcode = first & 0x0F
            if opcode == TEXT:
                return data.decode()
            if opcode == PING:
                self.say_bytes(data, PONG)
            if opcode == CLOSE:
                raise Gone


class Server:
    """Accepts clients on 127.0.0.1. `serve_socket(channel)` runs on a thread for each WebSocket; `answer(method, path, query,
    headers, body)` returns status, type and bytes of an HTTP answer, or a function that writes one into the stream; None closes without
    one."""

    def __init__(self, port, serve_socket, answer):
        self.port, self.serve_socket, self.answer = port, serve_socket, answer
        self.channels, self.accepted = [], 0
        self.listener = None
        self.lock = threading.Lock()

    def open(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """No client is left, and no new one can connect."""
        listener, self.listener = self.listener, None
        if listener:
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()
        self.drop_all()

    def drop_all(self):
        with self.lock:
            channels, self.channels = self.channels, []
        for channel in channels:
            channel.drop()

    def _accept(self, listener):
        while True:
            try:
                readable, _, _ = select.select([listener], [], [], 5)
                if not readable:
                    continue
                stream = listener.accept()[0]
            except (OSError, ValueError):
                return
            self.accepted += 1
            threading.Thread(target=self._serve, args=(stream,), daemon=True).start()

    def _serve(self, stream):
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = stream.makefile("rb")
        try:
            request = reader.readline().decode().split()
            if len(request) < 2:
                return
            headers = {}
            while line := reader.readline().decode().strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            if headers.get("upgrade", "").lower() == "websocket":
                self._upgrade(stream, reader, headers)
            else:
                body = reader.read(int(headers.get("content-length", 0)))
                self._answer(stream, request[0], urlsplit(request[1]), headers, body)
        except (OSError, Gone):
            pass
        finally:
            reader.close()
            stream.close()

    def _answer(self, stream, method, url, headers, body):
        answer = self.answer(method, url.path, url.query, headers, body)
        if answer is None:
            return
        if callable(answer):
            answer(stream)
            return
        status, kind, data = answer
        stream.sendall(f"HTTP/1.1 {status} Made\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n"
                       "Connection: close\r\n\r\n".encode() + data)

    def _upgrade(self, stream, reader, headers):
        key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        stream.sendall("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        channel = Channel(stream, reader)
        with self.lock:
            if self.listener is None:
                return
            self.channels.append(channel)
        try:
            self.serve_socket(channel)
        finally:
            channel.drop()
            with self.lock:
                if channel in self.channels:
                    self.channels.remove(channel)
