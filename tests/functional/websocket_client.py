# SPDX-License-Identifier: Apache-2.0
"""A client of the WebSocket API that shows every message."""

import json

import websocket


class WebSocketClient:
    """A connection to a hub; with a token it has authenticated."""

    def __init__(self, hub, token=None, timeout=20.0, **options):
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{hub.port}/api/websocket", timeout=timeout, suppress_origin=True, **options
        )
        self.last_id = 0
        self.waiting = []  # messages that arrived before an awaited answer
        if token is not None:
            assert self.receive()["type"] == "auth_required"
            self.send({"type": "auth", "access_token": token})
            answer = self.receive()
            assert answer["type"] == "auth_ok", answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, message):
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self):
        """The next message; those in `waiting` first."""
        if self.waiting:
            return self.waiting.pop(0)
        return self._read()

    def _read(self):
        return json.loads(self.socket.recv())

    def command(self, kind, /, **fields):
        """Sends a command and returns its whole answer; earlier messages go to `waiting`."""
        self.last_id += 1
        wanted = self.last_id
        self.send({"id": wanted, "type": kind, **fields})
        while True:
            message = self._read()
            if message.get("id") == wanted and message["type"] != "event":
                return message
            self.waiting.append(message)

    def result(self, kind, /, **fields):
        """The result of a command that succeeds."""
        answer = self.command(kind, **fields)
        assert answer.get("success"), answer
        return answer["result"]

    def error(self, kind, /, **fields):
        """The code and message of a command that fails."""
        answer = self.command(kind, **fields)
        assert answer["type"] == "result" and not answer["success"], answer
        return answer["error"]["code"], answer["error"]["message"]

    def event(self, subscription):
        """The next event of the subscription; other messages are an error."""
        message = self.receive()
        assert message["type"] == "event" and message["id"] == subscription, message
        return message["event"]

    def close_code(self):
        """Reads to the close frame."""
        while True:
            opcode, payload = self.socket.recv_data()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                return int.from_bytes(payload[:2], "big")
