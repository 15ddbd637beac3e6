# SPDX-License-Identifier: Apache-2.0
"""How requests are read: framing, limits, paths, the order of checks."""

import json
import socket

import pytest

from checks import assert_json, assert_message, state_of
from raw_http import request_text

MIB = 1 << 20


@pytest.fixture(scope="module")
def small_hub(module_hubs):
    """A hub that accepts bodies of at most 64 KiB."""
    return module_hubs(http={"max_body_size": 65_536})


def assert_refused(connection, *statuses):
    """One Message object with one of the statuses, then the end; nothing after it is answered."""
    response = connection.read_response()
    assert response.status in statuses, response
    assert_message(response, response.status)
    assert connection.is_closed()
    return response


@pytest.mark.contract("Every endpoint: ambiguous requests")
@pytest.mark.parametrize(
    "head, body",
    [
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\ncontent-length: 0", "0\r\n\r\n"),
        ("Content-Length: 2\r\nContent-Length: 3", "{} "),
        ("Content-Length: 2, 3", "{} "),
        ("Content-Length: -2", "{}"),
        ("Content-Length: +2", "{}"),
        ("Content-Length: 0x2", "{}"),
        ("Content-Length: 2a", "{}"),
        ("Content-Length:", ""),
        ("Content-Length: 99999999999999999999999", "{}"),
        ("Content-Length : 2", "{}"),
        ("X: 1\r\n Content-Length: 2", ""),
        ("Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
        ("Transfer-Encoding: xchunked", "0\r\n\r\n"),
        ("Transfer-Encoding: identity", "{}"),
        ("Transfer-Encoding : chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "2x\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "10000000000000002\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "2\r\n{}XX0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "2\n{}\r\n0\r\n\r\n"),
        ("X: a\x00b", ""),
        ("X\x00: b", ""),
        ("X Y: b", ""),
        ("no colon here", ""),
        (": nameless", ""),
    ],
)
def test_ambiguous_request_is_refused(hub, name, head, body):
    """However a proxy may have understood it: no second request is ever answered."""
    smuggled = request_text("POST", f"/api/states/test.{name}_smuggled", hub.bearer(), body='{"state":"on"}').decode()
    with hub.connect() as connection:
        connection.send(f"POST /api/events/{name} HTTP/1.1\r\nHost: hub\r\n{hub.bearer()}\r\n{head}\r\n\r\n{body}")
        connection.send_anyway(smuggled)
        response = connection.read_response()
        # A length beyond all limits may also give 413, an unknown encoding 501.
        assert response.status in (400, *([413] if "999" in head else [501] if "identity" in head or "xchunked" in head
                                          else [])), response
        assert_message(response, response.status)
        assert connection.is_closed()
    assert_message(hub.admin.get(f"/api/states/test.{name}_smuggled"), 404)


@pytest.mark.contract("Every endpoint: ambiguous requests")
@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /api/ HTTP/1.1\nHost: hub\n\n",
        b"GET /api/ HTTP/1.1\r\nHost: hub\n\r\n",
        b"GET /api/ HTTP/1.1\r\nHost: hub\r\nX: 1\nY: 2\r\n\r\n",
        b"GET /api/ HTTP/1.1\r\nHost: hub\rX: 1\r\n\r\n",
        b"GET /api/ HTTP/1.1\r\nX: 1\r\n\r\n",
        b"GET /api/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET  /api/ HTTP/1.1\r\nHost: hub\r\n\r\n",
        b"GET /api/ HTTP/2.0\r\nHost: hub\r\n\r\n",
        b"GET /api/ HTTP/1.x\r\nHost: hub\r\n\r\n",
        b"GET /api/\r\nHost: hub\r\n\r\n",
        b"GET /api/ x HTTP/1.1\r\nHost: hub\r\n\r\n",
        b"G\x01T /api/ HTTP/1.1\r\nHost: hub\r\n\r\n",
        b"GET /api/\x01 HTTP/1.1\r\nHost: hub\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
def test_malformed_request_is_refused(hub, request_bytes):
    with hub.connect() as connection:
        connection.send(request_bytes)
        assert_refused(connection, 400, *([505] if b"HTTP/2.0" in request_bytes else []))


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
def test_pipelined_requests_are_answered_in_order(hub, name):
    requests = b"".join(
        request_text("POST", f"/api/states/test.{name}", hub.bearer(), body='{"state": %d}' % number)
        for number in range(100)
    )
    with hub.connect() as connection:
        connection.send(requests)
        for number in range(100):
            response = connection.read_response()
            assert response.json()["state"] == str(number)
    assert state_of(hub, f"test.{name}")["state"] == "99"


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
def test_pipelined_requests_of_every_kind_keep_their_order(hub, name):
    """Among them calls that wait for a device, errors and answers without a body."""
    wait = '{"entity_id":"switch.garden_pump"}'
    requests = [
        ("GET", "/api/", "", 200), ("POST", "/api/services/switch/toggle", wait, 200), ("GET", "/nowhere", "", 404),
        ("HEAD", "/api/states", "", 200), ("PUT", "/api/states", "{}", 405), ("POST", f"/api/events/{name}", "{}", 200),
        ("GET", "/api/states", "", 200), ("GET", "/api/states/light.nowhere", "", 404), ("GET", "/api/", "", 200),
    ]
    with hub.connect() as connection:
        connection.send(b"".join(request_text(m, path, hub.bearer(), body=body) for m, path, body, _ in requests))
        assert [connection.read_response(method).status for method, *_ in requests] == [r[3] for r in requests]


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
def test_request_may_arrive_byte_by_byte(hub, name):
    text = request_text("POST", f"/api/states/test.{name}", hub.bearer(), body='{"state":"on"}')
    with hub.connect() as connection:
        for byte in text:
            connection.send(bytes([byte]))
        assert connection.read_response().status == 201
        assert connection.request("GET", f"/api/states/test.{name}", hub.bearer()).json()["state"] == "on"


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
@pytest.mark.parametrize(
    "chunks",
    [b'e\r\n{"state":"on"}\r\n0\r\n\r\n', b'00E;name=value\r\n{"state":"on"}\r\n0\r\n\r\n',
     b'1\r\n{\r\nD\r\n"state":"on"}\r\n0\r\nTrailer: x\r\n\r\n'],
)
def test_chunked_body_is_read(hub, name, chunks):
    with hub.connect() as connection:
        connection.send(request_text("POST", f"/api/states/test.{name}", hub.bearer(), "Transfer-Encoding: chunked"))
        connection.send(chunks + request_text("GET", "/api/"))
        assert connection.read_response().json()["state"] == "on"
        assert connection.read_response().json() == {"message": "API running."}


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
def test_expected_continue_is_sent_before_the_body(hub, name):
    body = b'{"state":"on"}'
    with hub.connect() as connection:
        connection.send(request_text("POST", f"/api/states/test.{name}", hub.bearer(), "Expect: 100-continue",
                                     length=len(body)))
        assert connection.read_response().status == 100
        connection.send(body)
        assert connection.read_response().status == 201


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect", "Every endpoint: body over the limit")
def test_body_over_the_limit_is_not_expected(hub, name):
    with hub.connect() as connection:
        connection.send(request_text("POST", f"/api/states/test.{name}", hub.bearer(), "Expect: 100-continue",
                                     length=17 * MIB))
        assert_refused(connection, 413)


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
@pytest.mark.parametrize("version, header, stays", [("1.1", "X: 1", True), ("1.1", "Connection: close", False),
                                                    ("1.0", "X: 1", False), ("1.0", "Connection: keep-alive", True)])
def test_connection_stays_as_asked(hub, version, header, stays):
    with hub.connect() as connection:
        connection.send(f"GET /api/ HTTP/{version}\r\nHost: hub\r\n{header}\r\n\r\n")
        assert connection.read_response().status == 200
        if stays:
            assert connection.request("GET", "/api/").status == 200
        else:
            assert connection.is_closed()


@pytest.mark.contract("Every endpoint: pipelining, chunked, Expect")
def test_half_closed_client_still_gets_its_answer(hub):
    with hub.connect() as connection:
        connection.send(request_text("GET", "/api/states", hub.bearer()))
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.read_response().status == 200


@pytest.mark.contract("Every endpoint: body over the limit")
def test_long_body_is_refused_unread(hub, name):
    with hub.connect() as connection:
        connection.send(request_text("POST", f"/api/states/test.{name}", hub.bearer(), length=16 * MIB + 1))
        assert_refused(connection, 413)


@pytest.mark.contract("Every endpoint: body over the limit")
def test_body_at_the_limit_is_read(small_hub, name):
    body = json.dumps({"state": "on", "attributes": {"text": ""}})
    for size, status in ((65_536, 201), (65_537, 413)):
        text = body.replace('""', '"' + "x" * (size - len(body)) + '"')
        assert len(text) == size
        with small_hub.connect() as connection:
            connection.send_anyway(request_text("POST", f"/api/states/test.{name}_{size}", small_hub.bearer(),
                                                body=text))
            response = connection.read_response()
            assert response.status == status
            if status == 413:
                assert_message(response, 413)
                assert connection.is_closed()


@pytest.mark.contract("Every endpoint: body over the limit")
def test_long_chunked_body_is_refused_halfway(small_hub, name):
    with small_hub.connect() as connection:
        connection.send(request_text("POST", f"/api/states/test.{name}", small_hub.bearer(),
                                     "Transfer-Encoding: chunked"))
        for _ in range(9):
            connection.send_anyway(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
        assert_message(connection.read_response(), 413)
        assert connection.is_closed()
    assert small_hub.admin.get("/api/states").status_code == 200


@pytest.mark.contract("Every endpoint: header over the limit")
@pytest.mark.parametrize(
    "target, headers",
    [("/api/?" + "x" * 25_000, []), ("/api/", ["X-Long: " + "x" * 25_000]),
     ("/api/", [f"X-{number}: {'x' * 400}" for number in range(64)]),
     ("/api/", [f"X-{number}: 1" for number in range(129)])],
)
def test_long_header_is_refused(hub, target, headers):
    with hub.connect() as connection:
        connection.send_anyway(request_text("GET", target, *headers))
        assert_refused(connection, 431, 400)


@pytest.mark.contract("Every endpoint: header over the limit")
@pytest.mark.parametrize("headers", [["X-Long: " + "x" * 20_000], [f"X-{number}: 1" for number in range(120)]])
def test_header_below_the_limit_is_read(hub, headers):
    with hub.connect() as connection:
        assert connection.request("GET", "/api/", *headers).status == 200


@pytest.mark.contract("Every endpoint: order of checks")
def test_order_of_checks(hub, name):
    """Limits, route, token, right, body, entity: of two errors the earlier one is reported."""

    def status(method, path, user=None, body=b"", length=None):
        headers = [hub.bearer(user)] if user else ["Authorization: Bearer wrong"]
        with hub.connect() as connection:
            response = connection.request(method, path, *headers, body=body, length=length)
            assert_message(response, response.status)
            return response.status

    assert status("POST", "/api/nowhere", length=17 * MIB) == 413
    assert status("POST", f"/api/states/test.{name}", length=17 * MIB) == 413
    assert status("GET", "/api/nowhere") == 404
    assert status("PUT", "/api/config") == 405
    assert status("POST", f"/api/states/test.{name}", body=b"nonsense") == 401
    assert status("GET", "/api/config") == 401
    assert status("POST", f"/api/states/test.{name}", "display", b"nonsense") == 403
    assert status("POST", "/api/services/light/turn_on", "display", b'{"entity_id":"light.kitchen"}') == 403
    assert status("POST", "/api/services/light/explode", "admin", b"nonsense") == 400
    assert status("POST", "/api/services/light/explode", "admin", b"{}") == 404
    assert status("DELETE", f"/api/states/test.{name}", "display") == 403
    assert status("DELETE", f"/api/states/test.{name}", "admin") == 404


@pytest.mark.contract("Every endpoint: unknown path")
@pytest.mark.parametrize("path", ["/nowhere", "/api/nowhere", "/api/config/nowhere", "/api/services/light",
                                  "/api/states/a.b/c", "/api/services/light/turn_on/x", "/API/", "/api/States",
                                  "/apix/"])
@pytest.mark.parametrize("user", ["anonymous", "admin"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_unknown_path_is_not_found(hub, method, user, path):
    assert_message(getattr(hub, user).request(method, path), 404)


@pytest.mark.contract("Every endpoint: other method", "Every endpoint: order of checks")
@pytest.mark.parametrize("method", ["PUT", "PATCH", "BREW"])
def test_other_method_is_refused_without_a_token(hub, method):
    response = hub.anonymous.request(method, "/api/states/light.kitchen")
    assert_message(response, 405)
    assert {"GET", "POST", "DELETE"} <= {word.strip() for word in response.headers["allow"].split(",")}


@pytest.mark.contract("Every endpoint: slashes")
@pytest.mark.parametrize("path",
                         ["/api", "/api/states/", "/api/config/", "/api/events/", "/api/services/", "/api/stream/",
                          "/api//states", "//api/states", "/api/states//light.kitchen",
                          "/api/states/light.kitchen/",
                          "/api/services//light/turn_on", "/api//", "/api/services/light/"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_extra_or_missing_slash_is_not_found(hub, method, path):
    with hub.connect() as connection:
        response = connection.request(method, path, hub.bearer(), body="{}" if method == "POST" else "")
        assert_message(response, 404)
        assert "location" not in response.headers


@pytest.mark.contract("Every endpoint: path segments")
@pytest.mark.parametrize(
    "path",
    ["/api/states/light.kitchen%00", "/api/states/%00", "/api/states/light%0A.kitchen", "/api/states/light.kitchen%7F",
     "/api/states/%FF", "/api/states/%C3", "/api/states/%ED%A0%80", "/api/states/%C0%AF", "/api/states/%",
     "/api/states/%2", "/api/states/%zz", "/api/states/light.kitchen%2", "/api/states/%u0041", "/api/../api/states",
     "/api/states/..", "/api/states/../config", "/api/states/%2e%2e", "/api/%2E./states", "/../etc/passwd",
     "/api/events/a%0D%0AX", b"/api/states/\xff\xfe"],
)
def test_path_that_cannot_be_decoded_is_refused(hub, path):
    with hub.connect() as connection:
        assert_message(connection.request("GET", path, hub.bearer()), 400)


@pytest.mark.contract("Every endpoint: path segments")
@pytest.mark.parametrize("path, status", [("/api/states/light%2Ekitchen", 200), ("/api/states/%6cight.kitchen", 200),
                                          ("/%61pi/states", 200), ("/api/states/light%252Ekitchen", 404),
                                          ("/api/states/light%2Fkitchen", 404), ("/api%2Fstates", 404),
                                          ("/api/states/light.k%C3%BCche", 404), ("/api/states/light+kitchen", 404)])
def test_path_is_split_then_decoded_once(hub, path, status):
    with hub.connect() as connection:
        assert connection.request("GET", path, hub.bearer()).status == status


@pytest.mark.contract("Every endpoint: path segments")
def test_slash_within_a_segment_is_data(hub):
    assert_message(hub.admin.post("/api/events/a%2Fb%20c%25d"), 200, "Event a/b c%d fired.")


@pytest.mark.contract("Every endpoint: path segments")
@pytest.mark.parametrize("target", ["http:///api/config", "http://", "http://?x", "https://:8123/api/"])
def test_absolute_form_without_a_host_is_refused(hub, target):
    with hub.connect() as connection:
        response = connection.request("GET", target, hub.bearer())
        assert assert_message(response, 400) == "Invalid request target: it has no host."


@pytest.mark.contract("Every endpoint: path segments")
@pytest.mark.parametrize("target", ["http://hub/api/", "/api/?", "/api/?a=%&b=%zz", "/api/?x=/../y"])
def test_target_in_its_other_forms(hub, target):
    with hub.connect() as connection:
        assert connection.request("GET", target).status == 200


@pytest.mark.contract("Every endpoint: request Content-Type")
@pytest.mark.parametrize("content_type", [None, "application/x-www-form-urlencoded", "text/plain", "nonsense",
                                          "application/json; charset=latin-1"])
def test_content_type_of_the_request_is_ignored(hub, name, content_type):
    headers = {} if content_type is None else {"Content-Type": content_type}
    response = hub.admin.post(f"/api/states/test.{name}", content='{"state":"ü"}'.encode(), headers=headers)
    assert assert_json(response, 201)["state"] == "ü"
    response = hub.admin.get("/api/states", headers={"Content-Type": "application/json"})
    assert response.status_code == 200


@pytest.mark.contract("Every endpoint: X-Forwarded")
def test_other_forwarding_headers_of_clients_are_ignored(hub):
    config = hub.admin.get("/api/config", headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"})
    assert "evil" not in config.text


FORWARDED = [{"X-Forwarded-For": "198.51.100.77"}, {"X-Forwarded-For": ""}, {"X-Forwarded-For": "nonsense"},
             {"Forwarded": "for=198.51.100.77"}]


@pytest.mark.contract("Every endpoint: X-Forwarded", "Weight, and strangers: X-Forwarded-For")
@pytest.mark.parametrize("headers", FORWARDED)
@pytest.mark.parametrize("method, path", [("GET", "/api/"), ("GET", "/"), ("POST", "/auth/token"),
                                          ("GET", "/api/states"), ("GET", "/api/websocket")])
def test_an_untrusted_proxy_is_refused(hub, headers, method, path):
    """Otherwise all clients would have the proxy's address, which is loopback here, and never banned."""
    message = assert_message(hub.admin.request(method, path, headers=headers), 400)
    assert "http: trusted_proxies" in message
    assert hub.anonymous.get("/api/").status_code == 200


@pytest.mark.contract("Weight, and strangers: X-Forwarded-For")
def test_log_explains_once_how_to_trust_a_proxy(hub_factory):
    hub = hub_factory()
    for number in range(20):
        with hub.connect() as connection:
            assert connection.request("GET", "/api/", f"X-Forwarded-For: 198.51.100.{number}").status == 400
    lines = hub.logged("X-Forwarded-For")
    assert len(lines) == 1 and "127.0.0.1" in lines[0] and "http: trusted_proxies" in lines[0]
