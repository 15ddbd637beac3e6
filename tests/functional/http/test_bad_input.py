# SPDX-License-Identifier: Apache-2.0
"""Whatever arrives, the answer is a Message object, nothing is half done, and the hub keeps running."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from checks import assert_message, state_of
from hub_process import wait_until
from raw_http import ConnectionEnded, request_text

NESTED = 20_000
BODIES = {
    "nested arrays": b"[" * NESTED + b"]" * NESTED,
    "nested objects": b'{"a":' * NESTED + b"1" + b"}" * NESTED,
    "open arrays": b"[" * NESTED,
    "arrays within a state": b'{"state":"on","attributes":{"a":' + b"[" * NESTED + b"]" * NESTED + b"}}",
    "65 levels": b'{"attributes":{"a":' + b"[" * 63 + b"]" * 63 + b'},"state":"on"}',
    "huge number": b'{"state":"on","attributes":{"a":1e400}}',
    "endless number": b'{"state":"on","attributes":{"a":' + b"9" * 100_000 + b"}}",
    "NaN": b'{"state":"on","attributes":{"a":NaN}}',
    "Infinity": b'{"state":"on","attributes":{"a":-Infinity}}',
    "comment": b'{"state":"on" /* comment */}',
    "line comment": b'{"state":"on"} // comment',
    "trailing comma": b'{"state":"on",}',
    "single quotes": b"{'state':'on'}",
    "unquoted key": b'{state:"on"}',
    "leading zero": b'{"state":"on","attributes":{"a":01}}',
    "plus sign": b'{"state":"on","attributes":{"a":+1}}',
    "bare point": b'{"state":"on","attributes":{"a":1.}}',
    "hexadecimal": b'{"state":"on","attributes":{"a":0x1}}',
    "trailing text": b'{"state":"on"} trailing',
    "two values": b'{"state":"on"}{"state":"off"}',
    "invalid UTF-8": b'{"state":"\xff"}',
    "invalid UTF-8 in a key": b'{"state":"on","attributes":{"\xc3":1}}',
    "overlong UTF-8": b'{"state":"\xc0\xaf"}',
    "surrogate in UTF-8": b'{"state":"\xed\xa0\x80"}',
    "lone surrogate": b'{"state":"\\ud800"}',
    "raw control character": b'{"state":"a\x01b"}',
    "raw line break": b'{"state":"a\nb"}',
    "bad escape": b'{"state":"\\x41"}',
    "byte order mark": b'\xef\xbb\xbf{"state":"on"}',
    "UTF-16": '{"state":"on"}'.encode("utf-16"),
    "null byte": b'{"state":"on"}\x00',
    "unterminated text": b'{"state":"on',
    "nothing but spaces": b"   ",
    "a word": b"null",
    "compressed": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
}


@pytest.fixture(autouse=True)
def hub_goes_on(hub):
    yield
    assert hub.process.poll() is None
    assert hub.ann.get("/api/").json() == {"message": "API running."}
    assert state_of(hub, "light.kitchen")


@pytest.mark.contract("Every endpoint: body", "Every endpoint: error body")
@pytest.mark.parametrize("kind", BODIES)
def test_bad_body_is_refused_everywhere(hub, name, kind):
    body = BODIES[kind]
    assert_message(hub.admin.post(f"/api/states/test.{name}", content=body), 400)
    assert_message(hub.admin.get(f"/api/states/test.{name}"), 404)
    if body.strip():
        assert_message(hub.admin.post(f"/api/events/{name}", content=body), 400)
        assert_message(hub.admin.post("/api/services/light/turn_on", content=body), 400)


@pytest.mark.contract("Every endpoint: body")
def test_64_levels_are_read(hub, name):
    body = b'{"attributes":{"a":' + b"[" * 62 + b"]" * 62 + b'},"state":"on"}'
    assert hub.admin.post(f"/api/states/test.{name}", content=body).status_code == 201


@pytest.mark.contract("Every endpoint: body")
def test_unusual_but_valid_json_is_read(hub, name):
    body = b' \r\n\t{"state" : "\\u0041\\ud83c\\udfe0\\u0000\\"" , "attributes" : { "" : [ ] , "a" : -0 } }\n'
    response = hub.admin.post(f"/api/states/test.{name}", content=body)
    assert response.status_code == 201
    assert response.json()["state"] == 'A🏠\0"'
    assert hub.ann.get(f"/api/states/test.{name}").json() == response.json()


@pytest.mark.contract("Every endpoint: body")
def test_last_of_a_duplicate_key_counts(hub, name):
    response = hub.admin.post(f"/api/states/test.{name}", content='{"state":1,"state":2,"attributes":{"a":1,"a":2}}')
    assert response.json()["state"] == "2"
    assert response.json()["attributes"] == {"a": 2}


def test_many_attributes_are_kept(hub, name):
    attributes = {f"key_{number}": number for number in range(10_000)}
    response = hub.admin.post(f"/api/states/test.{name}", json={"state": "on", "attributes": attributes})
    assert response.json()["attributes"] == attributes
    assert hub.admin.delete(f"/api/states/test.{name}").status_code == 200


def test_text_of_a_client_never_breaks_the_log_or_a_header(hub, name):
    hub.admin.post("/api/services/light/turn_on",
                   json={"entity_id": "light.x\r\n2026-01-01 00:00:00.000 error   forged: x"})
    response = hub.admin.post(f"/api/states/test.{name}", json={"state": "a\r\nX-Forged: 1"})
    assert "x-forged" not in response.headers
    assert not any(line.startswith("2026-01-01 00:00:00.000") for line in hub.log)


@pytest.mark.contract("Every endpoint: ambiguous requests")
def test_random_bytes_are_refused(hub):
    noise = random.Random(7)
    for _ in range(200):
        with hub.connect(timeout=2) as connection:
            connection.send_anyway(noise.randbytes(noise.randint(1, 300)) + b"\r\n\r\n")
            try:
                assert connection.read_response().status in (400, 405, 431, 501, 505)
            except ConnectionEnded:
                pass


def test_mutated_requests_never_end_the_hub(hub, name):
    noise = random.Random(8)
    whole = bytearray(request_text("POST", f"/api/states/test.{name}", hub.bearer("display"), "Connection: close",
                                   body='{"state":"on","attributes":{"a":[1,2.5e3,"x\\u00e4"]}}'))
    for _ in range(300):
        text = bytearray(whole)
        for _ in range(noise.randint(1, 4)):
            text[noise.randrange(len(text))] = noise.randrange(256)
        with hub.connect(timeout=2) as connection:
            connection.send_anyway(bytes(text))
            connection.socket.shutdown(1)
            try:
                status = connection.read_response().status
                assert status < 500 or status in (501, 505)
            except ConnectionEnded:
                pass


def open_sockets(hub):
    count = 0
    for descriptor in Path(f"/proc/{hub.process.pid}/fd").iterdir():
        try:
            count += os.readlink(descriptor).startswith("socket:")
        except FileNotFoundError:  # closed meanwhile
            pass
    return count


def test_clients_that_disconnect_halfway_leave_nothing_behind(hub):
    request = request_text("GET", "/api/states", hub.bearer(), "Accept-Encoding: gzip")

    def leave(_):
        for size in range(0, len(request), 7):
            with hub.connect() as connection:
                connection.send(request[:size + 1])
        return True

    assert hub.admin.get("/api/").status_code == 200  # its connection stays
    before = open_sockets(hub)
    with hub.connect():
        wait_until(lambda: open_sockets(hub) > before)  # it is what is counted
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(leave, range(4))) == 4 * [True]
    wait_until(lambda: open_sockets(hub) <= before, timeout=20)


def test_answers_that_nobody_reads_delay_nobody(hub):
    connections = [hub.connect(receive_buffer=4096) for _ in range(20)]
    try:
        for connection in connections:
            connection.send(50 * request_text("GET", "/api/states", hub.bearer()))
        for _ in range(20):
            assert hub.ann.get("/api/states/light.kitchen").status_code == 200
    finally:
        for connection in connections:
            connection.close()


def test_many_connections_at_once(hub):
    connections = [hub.connect(timeout=30) for _ in range(300)]  # so many handshakes, where there is TLS
    try:
        for connection in connections:
            connection.send(request_text("GET", "/api/"))
        for connection in connections:
            assert connection.read_response().status == 200
    finally:
        for connection in connections:
            connection.close()
