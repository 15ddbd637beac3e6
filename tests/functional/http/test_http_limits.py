# SPDX-License-Identifier: Apache-2.0
"""Limits on memory and connections, for clients without a token and for all together."""

import json
import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from checks import assert_json, assert_message
from hub_process import wait_until
from raw_http import request_text
from websocket_client import WebSocketClient

KIB, MIB = 1024, 1024 * 1024
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")


def resident(hub):
    """Bytes of the hub's memory now."""
    with open(f"/proc/{hub.process.pid}/status", encoding="ascii") as status:
        [line] = [line for line in status if line.startswith("VmRSS:")]
    return int(line.split()[1]) * KIB


def frame(payload_size, sent):
    """The start of a long text frame, incomplete."""
    length = b"\xfe" + payload_size.to_bytes(2, "big") if payload_size < 64 * KIB else b"\xff" + payload_size.to_bytes(8, "big")
    return b"\x81" + length + bytes(4) + b"x" * sent


def text_frame(message):
    payload = json.dumps(message).encode()
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload


def warm(hub):
    """Makes one request of each kind, so that one-time costs are paid."""
    for _ in range(20):
        hub.anonymous.post("/auth/token", content=b"x" * 60_000)
        with WebSocketClient(hub, hub.tokens["ann"]) as client:
            client.result("get_config")


def trickle_until_closed(connection, piece):
    """Sends the piece ten times a second; returns whether the hub ends the connection in time."""
    connection.socket.settimeout(0.1)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        connection.send_anyway(piece)
        try:
            if not connection.socket.recv(4096):
                return True
            time.sleep(0.1)
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


@pytest.mark.contract("Weight, and strangers: open bodies")
@pytest.mark.parametrize("path", ["/auth/token", "/auth/revoke", "/auth/authorize", "/auth/login_flow",
                                  "/auth/login_flow/none", "/api/onboarding/users", "/api/onboarding/restore",
                                  "/api/onboarding/import/look", "/api/onboarding/import/start"])
def test_bodies_without_a_token_have_a_low_limit(hub, path):
    for chunked in (False, True):
        with hub.connect() as connection:
            if chunked:
                connection.send(request_text("POST", path, "Transfer-Encoding: chunked") + b"10001\r\n")
            else:
                connection.send(request_text("POST", path, length=64 * KIB + 1))
            answer = connection.read_response()
            assert "65536 bytes" in assert_message(answer, 413)
            assert answer.headers["connection"] == "close"
    assert hub.anonymous.post(path, content=b"x" * 64 * KIB).status_code in (200, 400, 403)


@pytest.mark.contract("Weight, and strangers: open bodies")
def test_body_without_a_token_has_a_low_limit_everywhere(hub):
    for method, path in (("GET", "/"), ("GET", "/api/"), ("POST", "/api/states/light.kitchen"), ("POST", "/nowhere")):
        with hub.connect() as connection:
            connection.send(request_text(method, path, length=16 * MIB) + b"x" * KIB)
            assert connection.read_response().headers["connection"] == "close"
            assert connection.is_closed()


@pytest.mark.contract("Weight, and strangers: open bodies", "Weight, and strangers: WebSocket before auth_ok")
@pytest.mark.unsanitized
def test_clients_without_a_token_take_next_to_no_memory(hub_factory):
    hub = hub_factory()
    warm(hub)
    before = resident(hub)
    body = b"x" * (16 * MIB - 10)
    message = frame(4 * MIB, 4 * MIB - 10)

    def post(_):
        with hub.connect(30) as connection:
            connection.send_anyway(request_text("POST", "/auth/token", length=16 * MIB) + body)
            return resident(hub)

    def talk(_):
        with hub.connect(30) as connection:
            assert connection.request("GET", "/api/websocket", *UPGRADE).status == 101
            connection.send_anyway(message)
            return resident(hub)

    with ThreadPoolExecutor(20) as pool:
        highest = max([*pool.map(post, range(60)), *pool.map(talk, range(100))])
    assert highest - before < 8 * MIB
    assert hub.ann.get("/api/states").status_code == 200


@pytest.mark.contract("Weight, and strangers: WebSocket before auth_ok")
def test_messages_before_authentication_have_a_low_limit(hub):
    with WebSocketClient(hub) as client:
        assert client.receive()["type"] == "auth_required"
        client.socket.sock.sendall(frame(16 * KIB + 1, 0))
        assert client.close_code() == 1009
    with WebSocketClient(hub) as client:
        assert client.receive()["type"] == "auth_required"
        padded = '{"type": "auth", "access_token": "' + hub.tokens["ann"] + '"'
        client.send(padded + " " * (16 * KIB - len(padded) - 1) + "}")
        assert client.receive()["type"] == "auth_ok"
        client.send({"id": 1, "type": "ping", "x": "y" * 100 * KIB})
        assert client.receive()["id"] == 1


@pytest.mark.contract("Weight, and strangers: WebSocket before auth_ok")
def test_authentication_has_a_deadline_whatever_is_sent_meanwhile(hub_factory):
    hub = hub_factory(http={"limits": {"websocket_login_time": "1s"}})
    with WebSocketClient(hub, hub.tokens["ann"]) as known, hub.connect(20) as connection:
        assert connection.request("GET", "/api/websocket", *UPGRADE).status == 101
        assert trickle_until_closed(connection, bytes([0x89, 0x80]) + bytes(4))  # pings
        assert known.command("ping")["type"] == "pong"


@pytest.mark.contract("Weight, and strangers: bodies")
def test_body_that_trickles_is_closed(hub_factory):
    hub = hub_factory(http={"limits": {"body_rate_time": "1s"}})
    with hub.connect(20) as slow, hub.connect(20) as fast:
        slow.send(request_text("POST", "/auth/token", length=60_000))
        fast.send(request_text("POST", "/auth/token", length=60_000) + b"x" * 59_000)
        assert trickle_until_closed(slow, b"x")
        fast.send(b"x" * 1_000)
        assert_json(fast.read_response(), 400)


def is_taken(connection):
    """True if the hub has read all that was sent, so that the kernel's queues are empty."""
    ends = [f"{port:04X}" for port in (connection.getsockname()[1], connection.getpeername()[1])]
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    queues = [row[4] for row in rows if sorted(ends) == sorted(end.split(":")[1] for end in row[1:3])]
    return len(queues) == 2 and set(queues) == {"00000000:00000000"}


def begin_body(hub, size, sent):
    connection = hub.connect(20)
    connection.send(request_text("POST", "/api/events/test", hub.bearer("ann"), length=size) + b" " * sent)
    return connection


@pytest.mark.contract("Weight, and strangers: bodies")
@pytest.mark.unsanitized
def test_all_bodies_together_are_bounded(hub_factory):
    """Twenty of three MiB each, of which only the first fit."""
    hub = hub_factory(http={"limits": {"receiving_size": "4MiB"}})
    warm(hub)
    before = resident(hub)
    with ExitStack() as stack:
        first = stack.enter_context(begin_body(hub, 3 * MIB, 3 * MIB - 2))
        wait_until(lambda: is_taken(first.socket))
        for _ in range(20):
            newest = stack.enter_context(begin_body(hub, 3 * MIB, 0))
            newest.send_anyway(b" " * (3 * MIB - 2))
            answer = newest.read_response()
            assert_message(answer, 503)
            assert "receiving_size" in answer.message and answer.headers["retry-after"]
        assert resident(hub) - before < 12 * MIB
        assert hub.ann.post("/api/events/test", json={"short": 1}).status_code == 200
        first.send(b"{}")
        assert first.read_response().status == 200
    hub.ann.post("/api/events/test", content=b" " * 3 * MIB + b"{}").raise_for_status()


def open_socket(hub):
    """A WebSocket of ann's, byte by byte."""
    connection = hub.connect(20)
    assert connection.request("GET", "/api/websocket", *UPGRADE).status == 101
    connection.send(text_frame({"type": "auth", "access_token": hub.tokens["ann"]}))
    connection.read_until(b"auth_ok")
    connection.read_until(b"}")
    return connection


@pytest.mark.contract("Weight, and strangers: bodies")
def test_all_messages_together_are_bounded(hub_factory):
    hub = hub_factory(http={"limits": {"receiving_size": "4MiB"}})
    with open_socket(hub) as first, open_socket(hub) as newest:
        first.send(frame(3 * MIB, 3 * MIB - 1))
        wait_until(lambda: is_taken(first.socket))
        newest.send(text_frame({"id": 1, "type": "ping"}))
        newest.read_until(b"pong")
        newest.read_until(b"}")
        newest.send_anyway(frame(3 * MIB, 2 * MIB))
        assert newest.read_exactly(4)[2:] == (1013).to_bytes(2, "big")
        with begin_body(hub, 3 * MIB, 0) as body:
            body.send_anyway(b" " * 2 * MIB)
            assert_message(body.read_response(), 503)
    # As soon as the hub has heard that they are closed.
    wait_until(lambda: hub.ann.post("/api/events/test", content=b" " * 3 * MIB + b"{}").status_code == 200)


@pytest.mark.contract("Weight, and strangers: connections")
def test_taking_all_places_keeps_nobody_out(hub_factory):
    """Each place is held by a head without a body, or by a WebSocket that has not authenticated."""
    hub = hub_factory(http={"max_connections": 60})
    with ExitStack() as stack:
        stream = stack.enter_context(hub.stream())
        known = stack.enter_context(WebSocketClient(hub, hub.tokens["ann"]))
        for number in range(150):
            connection = stack.enter_context(hub.connect())
            if number % 2:
                connection.send_anyway(request_text("POST", "/auth/token", length=60_000))
            else:
                connection.send_anyway(request_text("GET", "/api/websocket", *UPGRADE))
        with hub.client("ann") as other:
            assert other.get("/api/states").status_code == 200
        assert known.command("ping")["type"] == "pong"
        assert stream.next_frame() is not None
        assert int(hub.admin.get("/api/").status_code) == 200
    hub.logged("max_connections")


@pytest.mark.contract("Weight, and strangers: connections")
def test_loopback_may_have_more_connections_than_a_prefix(hub_factory):
    hub = hub_factory(http={"limits": {"prefix_connections": 5}})
    with ExitStack() as stack:
        connections = [stack.enter_context(hub.connect()) for _ in range(50)]
        for connection in connections:
            assert connection.request("GET", "/api/").status == 200


@pytest.mark.contract("Weight, and strangers: connections")
@pytest.mark.unsanitized
def test_without_free_descriptors_connections_wait(hub_factory):
    hub = hub_factory()
    known = hub.admin.get("/api/")
    assert known.status_code == 200
    of_process = hub.process.pid, resource.RLIMIT_NOFILE
    limits = resource.prlimit(*of_process)
    with ExitStack() as stack:
        open_now = len(os.listdir(f"/proc/{hub.process.pid}/fd"))
        resource.prlimit(*of_process, (open_now + 2, limits[1]))
        waiting = [stack.enter_context(hub.connect()) for _ in range(8)][-1]
        hub.logged("cannot accept a connection: Too many open files")
        assert hub.admin.get("/api/states/light.kitchen").status_code == 200  # existing connections are served
        waiting.send(request_text("GET", "/api/"))
        resource.prlimit(*of_process, limits)
        assert waiting.read_response().status == 200
