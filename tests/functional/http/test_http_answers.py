# SPDX-License-Identifier: Apache-2.0
"""Properties of every answer: JSON, numbers, headers, compression, HEAD, CORS."""

import gzip
import json
import re
import shutil
import subprocess

import pytest

from checks import TIMESTAMP, assert_json, assert_message
from hub_process import compact
from websocket_client import WebSocketClient

READS = ["/api/", "/api/config", "/api/states", "/api/states/light.kitchen", "/api/events", "/api/services",
         "/api/components", "/api/core/state", "/api/openapi.json"]
ZSTD = shutil.which("zstd")


def read_zstd(data):
    return subprocess.run([ZSTD, "-d", "-q", "-c"], input=data, capture_output=True, check=True).stdout


@pytest.mark.contract("Every endpoint: success body")
@pytest.mark.parametrize("path", READS)
def test_body_is_json_with_its_length(hub, path):
    with hub.connect() as connection:
        response = connection.request("GET", path, hub.bearer())
        assert_json(response)
        assert int(response.headers["content-length"]) == len(response.body)
        assert "date" in response.headers


@pytest.mark.contract("Every endpoint: success body")
def test_body_is_compact_and_unescaped(hub, name):
    attributes = {"friendly_name": "Küche ☀ 🏠", "quoted": '"\\/\n\t\u0001', "list": [1, None, True, {}], "a": {"b": []}}
    response = hub.admin.post(f"/api/states/test.{name}",
                              content=json.dumps({"state": "größe", "attributes": attributes}))
    assert response.content.decode() == compact(response.json())
    assert response.json()["attributes"] == attributes
    listed = hub.admin.get("/api/states")
    assert "Küche ☀ 🏠".encode() in listed.content and b'": ' not in listed.content.split(b"quoted")[0]


@pytest.mark.contract("Every endpoint: numbers")
@pytest.mark.parametrize(
    "sent, answered",
    [(text, text) for text in ("0", "1", "-1", "21.5", "1.0", "0.1", "-0.5", "100", "1e30", "123456789.125", "0.001",
                               "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
                               "18446744073709551615", "1.7976931348623157e308", "5e-324", "1e-7",
                               "0.30000000000000004")]
    + [("21.50", "21.5"), ("1E2", "100.0"), ("2.15E1", "21.5"), ("10.00", "10.0")],
)
def test_number_is_written_plainly(hub, name, sent, answered):
    content = '{"state":"on","attributes":{"list":[%s],"value":%s}}' % (sent, sent)
    for response in (hub.admin.post(f"/api/states/test.{name}", content=content),
                     hub.ann.get(f"/api/states/test.{name}")):
        assert response.status_code in (200, 201), response.text
        assert re.search(r'"attributes":(\{.*?\})', response.text).group(1) == '{"list":[%s],"value":%s}' % (answered,
                                                                                                            answered)
    assert hub.admin.post(f"/api/events/{name}", content='{"event_data":{"value":%s}}' % sent).status_code == 200


@pytest.mark.contract("Every endpoint: numbers")
def test_integer_beyond_64_bits_keeps_its_size(hub, name):
    content = '{"state":"on","attributes":{"value":123456789012345678901234567890}}'
    response = hub.admin.post(f"/api/states/test.{name}", content=content)
    assert float(response.json()["attributes"]["value"]) == 123456789012345678901234567890.0
    assert "E" not in re.search(r'"value":([^}]*)', response.text).group(1)


@pytest.mark.contract("Every endpoint: numbers")
@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" + "0" * 400])
@pytest.mark.parametrize("body", ['{"state":%s}', '{"state":"on","attributes":{"value":[%s]}}'])
def test_number_beyond_a_double_is_refused(hub, name, body, number):
    assert_message(hub.admin.post(f"/api/states/test.{name}", content=body % number), 400)
    assert_message(hub.admin.post(f"/api/events/{name}", content='{"a":%s}' % number), 400)
    assert_message(hub.admin.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("Every endpoint: timestamps")
def test_timestamps_have_six_digits_and_the_offset(hub):
    for state in hub.ann.get("/api/states").json():
        assert TIMESTAMP.fullmatch(state["last_changed"]) and TIMESTAMP.fullmatch(state["last_updated"])


@pytest.mark.contract("Every endpoint: error body")
@pytest.mark.parametrize(
    "method, path, user, body, status",
    [("POST", "/api/states/nodot", "admin", "{}", 400), ("GET", "/api/states", "anonymous", "", 401),
     ("GET", "/api/config", "ann", "", 403), ("GET", "/api/nowhere", "anonymous", "", 404),
     ("GET", "/api/states/light.nowhere", "admin", "", 404), ("PUT", "/api/states", "anonymous", "", 405)],
)
def test_error_body_is_a_message(hub, method, path, user, body, status):
    response = getattr(hub, user).request(method, path, content=body)
    assert_message(response, status)
    assert response.content.decode() == compact(response.json())


@pytest.mark.contract("Every endpoint: headers sent")
@pytest.mark.parametrize("path", [*READS, "/api/nowhere", "/api", "/api/states/%00", "/api/states/light.nowhere"])
@pytest.mark.parametrize("user", ["admin", "anonymous"])
def test_security_headers_are_on_every_answer(hub, path, user):
    headers = [hub.bearer()] if user == "admin" else []
    with hub.connect() as connection:
        sent = connection.request("GET", path, *headers).headers
    assert sent["x-content-type-options"] == "nosniff"
    assert sent["referrer-policy"] == "no-referrer"
    assert sent["x-frame-options"] == "SAMEORIGIN"
    assert not re.search(r"[\d/]|beast|boost", sent.get("server", ""), re.IGNORECASE)


@pytest.mark.contract("Every endpoint: headers sent")
def test_security_headers_are_on_the_stream_and_on_refusals(hub):
    with hub.stream() as stream:
        assert stream.response.headers["x-content-type-options"] == "nosniff"
    with hub.connect() as connection:
        connection.send(b"GET /api/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        assert connection.read_response().headers["x-content-type-options"] == "nosniff"


@pytest.mark.contract("Weight, and strangers: no-store")
@pytest.mark.parametrize("user, method, path", [
    *[("admin", "GET", path) for path in READS if path != "/api/openapi.json"], ("admin", "GET", "/api/error_log"),
    ("admin", "POST", "/api/states/light.kept"), ("ann", "GET", "/api/config"), ("anonymous", "GET", "/api/states"),
    ("anonymous", "GET", "/api/onboarding"), ("anonymous", "POST", "/api/onboarding/users"),
    ("anonymous", "GET", "/auth/providers"), ("anonymous", "GET", "/auth/authorize"),
    ("anonymous", "POST", "/auth/invitation"),
    ("anonymous", "POST", "/auth/invitation/accept"), ("anonymous", "POST", "/auth/token"), ("anonymous", "POST", "/auth/login_flow"),
    ("anonymous", "POST", "/auth/login_flow/none"), ("admin", "GET", "/api/nowhere")])
def test_answers_are_not_cached(hub, user, method, path):
    response = getattr(hub, user).request(method, path, content=b'{"state": "on"}' if method == "POST" else b"")
    assert response.headers.get_list("cache-control") == ["no-store"], response.text


@pytest.mark.contract("Weight, and strangers: no-store")
def test_signed_answer_is_not_cached(hub):
    """A signed URL needs no header, so that a cache would give its answer to everybody."""
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        path = client.result("auth/sign_path", path="/api/states")["path"]
    response = hub.anonymous.get(path)
    assert response.status_code == 200 and response.headers.get_list("cache-control") == ["no-store"]


@pytest.mark.contract("Every endpoint: HEAD")
@pytest.mark.parametrize("path", READS)
def test_head_is_get_without_the_body(hub, path):
    with hub.connect() as connection:
        get = connection.request("GET", path, hub.bearer())
        head = connection.request("HEAD", path, hub.bearer())
        assert connection.request("GET", "/api/").json() == {"message": "API running."}  # no stray body in between
    assert head.status == get.status == 200
    varying = {"date", "content-length"}
    assert {k: v for k, v in head.headers.items() if k not in varying} == {
        k: v for k, v in get.headers.items() if k not in varying}
    assert int(head.headers["content-length"]) > 0
    if path in ("/api/", "/api/config", "/api/services", "/api/components", "/api/openapi.json"):
        assert head.headers["content-length"] == get.headers["content-length"]


@pytest.mark.contract("Every endpoint: HEAD")
@pytest.mark.parametrize("path, user, status", [("/api/states", "anonymous", 401), ("/api/config", "ann", 403),
                                                ("/api/states/light.nowhere", "ann", 404), ("/api/nowhere", "ann", 404),
                                                ("/api/services/light/turn_on", "ann", 405)])
def test_head_of_an_error(hub, path, user, status):
    response = getattr(hub, user).head(path)
    assert (response.status_code, response.content) == (status, b"")
    assert response.headers["content-type"].startswith("application/json")


@pytest.mark.contract("Every endpoint: compression")
@pytest.mark.parametrize(
    "accepted, encoding",
    [("gzip", "gzip"), ("zstd", "zstd"), ("gzip, deflate, br", "gzip"), ("GZIP", "gzip"), ("gzip;q=0.5", "gzip"),
     ("zstd;q=0, gzip", "gzip"), ("gzip;q=0", None), ("identity", None), ("br", None), ("", None),
     ("gzip;q=0, zstd;q=0", None)],
)
@pytest.mark.parametrize("path", ["/api/services", "/api/openapi.json"])
def test_long_body_is_compressed_as_accepted(hub, path, accepted, encoding):
    with hub.connect() as connection:
        plain = connection.request("GET", path, hub.bearer())
        response = connection.request("GET", path, hub.bearer(), f"Accept-Encoding: {accepted}")
    assert plain.headers.get("content-encoding") is None
    assert response.headers.get("content-encoding") == encoding
    for answer in (plain, response):
        assert "accept-encoding" in answer.headers["vary"].lower()
    if encoding == "gzip":
        assert gzip.decompress(response.body) == plain.body
    elif encoding == "zstd":
        assert response.body[:4] == b"\x28\xb5\x2f\xfd"
        if ZSTD:
            assert read_zstd(response.body) == plain.body
    else:
        assert response.body == plain.body
    if encoding:
        assert len(response.body) < len(plain.body) / 2


@pytest.mark.contract("Every endpoint: compression")
def test_best_common_encoding_is_chosen(hub):
    with hub.connect() as connection:
        for accepted in ("gzip, zstd", "zstd, gzip", "gzip, deflate, br, zstd"):
            response = connection.request("GET", "/api/states", hub.bearer(), f"Accept-Encoding: {accepted}")
            assert response.headers["content-encoding"] in ("gzip", "zstd")
        response = connection.request("GET", "/api/states", hub.bearer(), "Accept-Encoding: gzip;q=1, zstd;q=0.1")
        assert response.headers["content-encoding"] == "gzip"


@pytest.mark.contract("Every endpoint: compression")
def test_short_body_is_not_compressed(hub, name):
    with hub.connect() as connection:
        assert "content-encoding" not in connection.request("GET", "/api/", "Accept-Encoding: gzip, zstd").headers
        for size, encoding in ((500, None), (1_100, "gzip")):
            hub.admin.post(f"/api/states/test.{name}", json={"state": "on", "attributes": {"text": "x" * size}})
            answer = connection.request("GET", f"/api/states/test.{name}", hub.bearer(), "Accept-Encoding: gzip")
            assert answer.headers.get("content-encoding") == encoding


@pytest.fixture(scope="module")
def cors_hub(module_hubs):
    return module_hubs(http={"cors_allowed_origins": ["https://ui.example"]})


def preflight(hub, origin, method="GET", headers="authorization,content-type", path="/api/states"):
    return hub.anonymous.options(path, headers={"Origin": origin, "Access-Control-Request-Method": method,
                                                "Access-Control-Request-Headers": headers})


@pytest.mark.contract("Every endpoint: OPTIONS and CORS")
@pytest.mark.parametrize("method, path", [("GET", "/api/states"), ("POST", "/api/states/light.kitchen"),
                                          ("DELETE", "/api/states/light.kitchen"), ("GET", "/api/stream"),
                                          ("POST", "/api/services/light/turn_on")])
def test_preflight_of_a_listed_origin(cors_hub, method, path):
    response = preflight(cors_hub, "https://ui.example", method, path=path)
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "https://ui.example"
    assert method in response.headers["access-control-allow-methods"]
    allowed = response.headers["access-control-allow-headers"].lower()
    assert "authorization" in allowed and "content-type" in allowed
    assert "origin" in response.headers["vary"].lower()


@pytest.mark.contract("Every endpoint: OPTIONS and CORS")
@pytest.mark.parametrize("origin", ["https://evil.example", "http://ui.example", "https://ui.example.evil.example",
                                    "https://ui.example:444", "null"])
def test_preflight_of_another_origin(cors_hub, origin):
    response = preflight(cors_hub, origin)
    assert_message(response, 403)
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.contract("Every endpoint: OPTIONS and CORS")
def test_no_origin_is_listed_by_default(hub):
    assert_message(preflight(hub, "https://ui.example"), 403)
    response = hub.admin.get("/api/states", headers={"Origin": "https://ui.example"})
    assert response.status_code == 200
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.contract("Every endpoint: OPTIONS and CORS")
@pytest.mark.parametrize("path, status", [("/api/", 200), ("/api/states", 401), ("/api/nowhere", 404)])
def test_answers_name_the_listed_origin(cors_hub, path, status):
    response = cors_hub.anonymous.get(path, headers={"Origin": "https://ui.example"})
    assert response.status_code == status
    assert response.headers["access-control-allow-origin"] == "https://ui.example"
    assert "origin" in response.headers["vary"].lower()
    other = cors_hub.anonymous.get(path, headers={"Origin": "https://evil.example"})
    assert other.status_code == status
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.contract("Every endpoint: OPTIONS and CORS")
def test_stream_names_the_listed_origin(cors_hub):
    with cors_hub.stream(headers=["Origin: https://ui.example"]) as stream:
        assert stream.response.headers["access-control-allow-origin"] == "https://ui.example"
