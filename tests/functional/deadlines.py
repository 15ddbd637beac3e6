# SPDX-License-Identifier: Apache-2.0
"""The deadlines of the contract, observed all at once: each wait is a thread, each test asks for its result."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from raw_http import ConnectionEnded, request_text

PING_INTERVAL = 50
STREAM_SECONDS = 80  # longer than an idle connection may live


@dataclass
class Closed:
    after: float  # seconds
    answer: bytes  # received before the end


class Deadlines:
    def __init__(self, hub):
        self.hub = hub
        self.stopping = threading.Event()
        self.pool = ThreadPoolExecutor(8)
        waits = (self.header_stalled, self.header_trickles, self.body_stalled, self.idle_after_answer, self.idle_stream,
                 self.busy_stream)
        self.results = {wait.__name__: self.pool.submit(wait) for wait in waits}

    def stop(self):
        self.stopping.set()
        self.pool.shutdown()

    def result(self, wait):
        return self.results[wait].result(timeout=120)

    def _until_closed(self, connection, started, limit, each_second=None):
        """Reads until the hub closes, and sends a little each second if asked to."""
        connection.socket.settimeout(1)
        answer = b""
        while time.monotonic() - started < limit and not self.stopping.is_set():
            try:
                data = connection.socket.recv(4096)
            except ConnectionResetError:
                data = b""
            except OSError:
                if each_second:
                    connection.send_anyway(each_second)
                continue
            if not data:
                return Closed(time.monotonic() - started, answer)
            answer += data
        raise AssertionError(f"still open after {limit} s")

    def header_stalled(self):
        with self.hub.connect() as connection:
            connection.send(b"GET /api/ HTTP/1.1\r\nHost: hub\r\n")
            return self._until_closed(connection, time.monotonic(), 20)

    def header_trickles(self):
        with self.hub.connect() as connection:
            connection.send(b"GET /api/ HTTP/1.1\r\nHost: hub\r\nX-Slow: ")
            return self._until_closed(connection, time.monotonic(), 20, each_second=b"x")

    def body_stalled(self):
        with self.hub.connect() as connection:
            connection.send(request_text("POST", "/api/states/test.stalled", self.hub.bearer(),
                                         length=100_000) + b'{"state":"' + b"x" * 50_000)  # fast enough for a minute
            return self._until_closed(connection, time.monotonic(), 45)

    def idle_after_answer(self):
        with self.hub.connect() as connection:
            assert connection.request("GET", "/api/").status == 200
            return self._until_closed(connection, time.monotonic(), 90)

    def _ping_times(self, stream, seconds):
        """The times of pings in seconds since the stream opened; the stream must be alive at the end."""
        started = time.monotonic()
        pings = []
        while (left := started + seconds - time.monotonic()) > 0 and not self.stopping.is_set():
            try:
                frame = stream.next_frame(min(left, 1))
            except AssertionError:
                continue
            if frame is None:
                raise ConnectionEnded(stream.ended)
            if frame.is_ping:
                pings.append(time.monotonic() - started)
        return pings

    def idle_stream(self):
        with self.hub.stream("?restrict=never_fired") as stream:
            return self._ping_times(stream, STREAM_SECONDS)

    def busy_stream(self):
        with self.hub.stream("?restrict=busy") as stream, self.hub.client("admin") as client:
            done = threading.Event()

            def fire():
                while not done.wait(0.2) and not self.stopping.is_set():
                    client.post("/api/events/busy", json={"event_data": {"text": "x" * 100}})

            thread = threading.Thread(target=fire)
            thread.start()
            try:
                return self._ping_times(stream, PING_INTERVAL + 5)
            finally:
                done.set()
                thread.join()
