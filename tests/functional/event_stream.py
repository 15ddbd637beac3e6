# SPDX-License-Identifier: Apache-2.0
"""A reader of the event stream that sees every byte of it."""

import json
import time
from dataclasses import dataclass

from raw_http import ConnectionEnded, RawConnection, request_text


@dataclass
class Frame:
    text: str  # without the blank line that ends it

    @property
    def lines(self):
        return self.text.split("\n")

    @property
    def id(self):
        for line in self.lines:
            if line.startswith("id: "):
                return line[4:]
        return None

    @property
    def data(self):
        return "\n".join(line[6:] for line in self.lines if line.startswith("data: "))

    @property
    def is_ping(self):
        return self.data == "ping"

    @property
    def event(self):
        return json.loads(self.data)

    @property
    def type(self):
        return "ping" if self.is_ping else self.event["event_type"]


class EventStream:
    """One GET /api/stream. Frames are read on demand only."""

    def __init__(self, port, token, query="", headers=(), receive_buffer=None):
        self.connection = RawConnection(port, receive_buffer=receive_buffer)
        self.connection.send(
            request_text("GET", "/api/stream" + query, "Accept: text/event-stream", "Authorization: Bearer " + token,
                         *headers)
        )
        self.response = self.connection.read_head()
        self.ended = None  # "last chunk", "closed" or "reset" after the stream has ended
        self._content = b""
        if self.response.status != 200:
            self.response.body = self.connection.read_exactly(int(self.response.headers["content-length"]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.connection.close()

    def _read_chunk(self, deadline):
        connection = self.connection
        try:
            if self.response.headers.get("transfer-encoding", "").lower() != "chunked":
                connection._more(deadline)
                self._content, connection.buffer = self._content + connection.buffer, b""
                return
            while True:
                head, mark, rest = connection.buffer.partition(b"\r\n")
                if mark:
                    size = int(head.split(b";")[0], 16)
                    if len(rest) >= size + 2:
                        break
                connection._more(deadline)
            assert rest[size:size + 2] == b"\r\n"
            connection.buffer = rest[size + 2:]
            self._content += rest[:size]
            if size == 0:
                self.ended = "last chunk"
        except ConnectionEnded as end:
            self.ended = str(end)

    def next_frame(self, timeout=5.0):
        """The next frame, None if the stream ended; fails if nothing comes in time."""
        deadline = time.monotonic() + timeout
        while b"\n\n" not in self._content:
            if self.ended:
                return None
            try:
                self._read_chunk(deadline)
            except OSError as late:
                raise AssertionError(f"no frame within {timeout} s") from late
        text, self._content = self._content.split(b"\n\n", 1)
        return Frame(text.decode("utf-8"))

    def next_event(self, timeout=5.0):
        """The next frame that is not a ping."""
        deadline = time.monotonic() + timeout
        while True:
            frame = self.next_frame(max(0.001, deadline - time.monotonic()))
            if frame is None or not frame.is_ping:
                return frame

    def events(self, count, timeout=5.0):
        deadline = time.monotonic() + timeout
        frames = []
        while len(frames) < count:
            frame = self.next_event(max(0.001, deadline - time.monotonic()))
            assert frame is not None, f"the stream ended ({self.ended}) after {len(frames)} of {count} events"
            frames.append(frame)
        return frames

    def until(self, condition, timeout=5.0):
        """All events up to and including the first that meets the condition."""
        deadline = time.monotonic() + timeout
        frames = []
        while True:
            frame = self.next_event(max(0.001, deadline - time.monotonic()))
            assert frame is not None, f"the stream ended ({self.ended})"
            frames.append(frame)
            if condition(frame.event):
                return frames

    def until_type(self, event_type, timeout=5.0):
        return self.until(lambda event: event["event_type"] == event_type, timeout)

    def rest(self, timeout=5.0):
        """All frames to the end of the stream; sets `ended`."""
        deadline = time.monotonic() + timeout
        frames = []
        while (frame := self.next_frame(max(0.001, deadline - time.monotonic()))) is not None:
            frames.append(frame)
        return frames
