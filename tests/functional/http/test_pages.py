# SPDX-License-Identifier: Apache-2.0
"""The pages of the web interface as a browser fetches them: paths, headers, encodings, caching."""

import gzip
import posixpath
import re

import pytest

from checks import assert_message
from raw_http import RawConnection
from test_http_answers import ZSTD, read_zstd

PAGES = ["/", "/welcome", "/login", "/invitation", "/overview", "/history", "/energy",
         "/developer-tools", "/developer-tools/states",
         "/developer-tools/any%20tab", "/profile", "/settings", "/settings/users", "/settings/devices/demo.lamp", "/?auth=1"]
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
          "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'")
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
         ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8", ".png": "image/png"}
MISSING = "There is no such endpoint."
UNZIP = {None: bytes, "gzip": gzip.decompress, "zstd": read_zstd if ZSTD else None}


def fetch(hub, path, *headers, method="GET"):
    with hub.connect() as connection:
        return connection.request(method, path, *headers)


@pytest.fixture(scope="module")
def page(hub):
    return fetch(hub, "/")


@pytest.fixture(scope="module")
def files(hub, page):
    """All files that the page requests, directly or indirectly: {path: answer}."""
    found = {}
    waiting = re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())
    with RawConnection(hub.port) as connection:
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            found[path] = answer = connection.request("GET", path)
            if path.endswith(".js"):
                waiting += [posixpath.normpath("/assets/" + name)
                            for name in re.findall(r'["\']\./([\w-]+-[\w-]{8}\.\w+)["\']', answer.body.decode())]
    assert {posixpath.splitext(path)[1] for path in found} >= {".js", ".css", ".svg", ".webmanifest"}
    return found


def hashed(files):
    return {path: answer for path, answer in files.items() if path.startswith("/assets/")}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_the_page(hub, page, path):
    answer = fetch(hub, path)
    assert answer.status == 200
    assert answer.body == page.body and answer.body.lower().startswith(b"<!doctype html>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.contract("Every endpoint: headers sent")
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_policy_of_the_page_is_minimal(hub, path, method):
    headers = fetch(hub, path, method=method).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "SAMEORIGIN"


@pytest.mark.contract("Every endpoint: headers sent", "Every endpoint: X-Forwarded")
@pytest.mark.parametrize("host, isolated", [("127.0.0.1", True), ("localhost:8123", True), ("[::1]:8123", True),
                                            ("hub.local:8123", False), ("192.168.1.5", False)])
def test_a_page_is_isolated_if_browsers_trust_its_address(hub, host, isolated):
    """From another they ignore the header and complain. That the request came by https, only a trusted proxy may say."""
    for path in ("/", "/nowhere"):
        with hub.connect() as connection:
            connection.send(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\n"
                            "X-Forwarded-Proto: https\r\n\r\n")
            headers = connection.read_response().headers
        assert headers.get("cross-origin-opener-policy") == ("same-origin" if isolated or hub.tunnel else None)


def test_the_page_needs_nothing_that_its_policy_forbids(page, files):
    text = page.body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|javascript:", text, re.IGNORECASE)
    assert all(path.startswith("/") and not path.startswith("//") for path in files)


def test_every_file_that_the_page_needs_is_there(files):
    for path, answer in files.items():
        assert answer.status == 200, path
        assert answer.headers["content-type"] == TYPES[posixpath.splitext(path)[1]], path
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" not in answer.headers
        assert answer.body, path


def test_only_files_named_by_their_content_are_cached_for_good(files):
    assert hashed(files)
    for path, answer in files.items():
        kept = "public, max-age=31536000, immutable" if path in hashed(files) else "no-cache"
        assert answer.headers["cache-control"] == kept, path


@pytest.mark.contract("Every endpoint: compression")
@pytest.mark.parametrize("accepted, encoding", [("gzip, deflate, br, zstd", "zstd"), ("gzip, deflate, br", "gzip"),
                                                ("zstd;q=0.5, gzip", "gzip"), ("gzip;q=0", None), ("br", None)])
def test_files_come_as_accepted(hub, files, accepted, encoding):
    with hub.connect() as connection:
        for path, plain in files.items():
            answer = connection.request("GET", path, f"Accept-Encoding: {accepted}")
            got = answer.headers.get("content-encoding")
            assert got == encoding or got is None and (len(plain.body) < 1024 or path.endswith(".png")), path
            assert answer.headers["vary"].lower() == "accept-encoding"
            assert len(answer.body) < len(plain.body) or got is None
            if UNZIP[got]:
                assert UNZIP[got](answer.body) == plain.body, path


@pytest.mark.parametrize("encoding", ["identity", "gzip", "zstd"])
def test_a_cached_file_is_not_sent_again(hub, files, encoding):
    accept = f"Accept-Encoding: {encoding}"
    with hub.connect() as connection:
        for path in ["/", "/login", *files]:
            first = connection.request("GET", path, accept)
            tag = first.headers["etag"]
            assert re.fullmatch(r'"[\w-]+"', tag)
            for match in (tag, f'"other", W/{tag}', "*"):
                again = connection.request("GET", path, accept, f"If-None-Match: {match}")
                assert (again.status, again.body) == (304, b"")
                for name in ("etag", "cache-control", "vary", "content-security-policy"):
                    assert again.headers.get(name) == first.headers.get(name), name
                assert "content-length" not in again.headers and "content-encoding" not in again.headers
            assert connection.request("GET", path, accept, 'If-None-Match: "other"').body == first.body
            assert connection.request("HEAD", path, accept, f"If-None-Match: {tag}").status == 304


def test_each_content_and_encoding_has_its_own_tag(hub, page, files):
    with hub.connect() as connection:
        for path, plain in files.items():
            answers = [connection.request("GET", path, f"Accept-Encoding: {name}") for name in ("gzip", "zstd")]
            assert len({answer.headers["etag"] for answer in [plain, *answers]}) == len(
                {answer.body for answer in [plain, *answers]}), path
    tags = {answer.headers["etag"]: answer.body for answer in [page, *files.values()]}
    assert len(tags) == len({answer.body for answer in [page, *files.values()]})


@pytest.mark.contract("Every endpoint: HEAD")
def test_head_is_get_without_the_body(hub, files):
    with hub.connect() as connection:
        for path in ["/", *files]:
            get = connection.request("GET", path, "Accept-Encoding: gzip")
            head = connection.request("HEAD", path, "Accept-Encoding: gzip")
            assert {**head.headers, "date": ""} == {**get.headers, "date": ""}
            assert int(head.headers["content-length"]) == len(get.body)


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_pages_and_files_are_read_only(hub, files, method):
    for path in ["/", "/settings/users", next(iter(hashed(files)))]:
        answer = fetch(hub, path, method=method)
        assert_message(answer, 405)
        assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.contract("Every endpoint: unknown path", "Every endpoint: slashes")
@pytest.mark.parametrize("path", [
    "/index.html", "/nowhere", "/Login", "/login/", "/settings/", "/settings/devices/a/b", "/developer-tools/a/b", "//",
    "//login", "/assets", "/assets/", "/assets/main.js", "/assets/%2fetc%2fpasswd", "/assets%2f", "/assets/.vite",
    "/.vite/manifest.json", "/manifest.json", "/src/main.ts", "/favicon.svg/", "/favicon.ico%20", "/etc/passwd", "/api"])
def test_other_paths_are_unknown(hub, path):
    for method in ("GET", "POST"):
        assert_message(fetch(hub, path, method=method), 404, MISSING)


@pytest.mark.contract("Every endpoint: unknown path", "Every endpoint: error body")
@pytest.mark.parametrize("path", ["/nowhere", "/settings/devices/a/b", "/login/", "/assets/main.js", "//"])
def test_a_browser_gets_the_page_at_an_unknown_path(hub, page, path):
    as_shown = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    answer = fetch(hub, path, as_shown, f"If-None-Match: {page.headers['etag']}")
    assert (answer.status, answer.body) == (404, page.body)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert fetch(hub, path, as_shown, method="HEAD").status == 404
    for accept in ("*/*", "application/json", "image/avif,image/webp,*/*;q=0.8"):
        assert_message(fetch(hub, path, f"Accept: {accept}"), 404, MISSING)
    assert_message(fetch(hub, path, as_shown, method="POST"), 404, MISSING)


@pytest.mark.contract("Every endpoint: unknown path", "Every endpoint: error body")
@pytest.mark.parametrize("path", ["/api", "/api/nowhere", "/api/states/", "/auth/nowhere"])
def test_programs_get_a_message_whatever_they_accept(hub, path):
    assert_message(fetch(hub, path, "Accept: text/html"), 404, MISSING)


@pytest.mark.contract("Every endpoint: path segments")
@pytest.mark.parametrize("path", [
    "/assets/../favicon.svg", "/../etc/passwd", "/assets/%2e%2e/favicon.svg", "/assets/.%2e/%2e./etc/passwd", "/..",
    "/assets/%00", "/favicon.svg%00.js", "/%", "/settings/%ff", "/login/..", "/developer-tools/.."])
def test_no_path_leads_outside(hub, path):
    assert_message(fetch(hub, path), 400)


def test_what_browsers_look_for_is_there(hub):
    for path in ("/favicon.ico", "/robots.txt", "/icon-192.png"):
        answer = fetch(hub, path)
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache"), path
    assert fetch(hub, "/favicon.ico").headers["content-type"] == "image/x-icon"


def test_path_is_decoded_once(hub, files):
    assert fetch(hub, "/favicon%2esvg").body == files["/favicon.svg"].body
    assert fetch(hub, "/lo%67in").status == 200
    assert_message(fetch(hub, "/favicon%252esvg"), 404)


def test_long_file_comes_whole_to_a_slow_reader(hub, files):
    """More than the socket's buffers hold, all requested at once."""
    path, plain = max(files.items(), key=lambda entry: len(entry[1].body))
    count = 4_000_000 // len(plain.body) + 1
    with hub.connect(timeout=20, receive_buffer=4096) as connection:
        connection.send(f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n" * count)
        for _ in range(count):
            assert connection.read_response().body == plain.body


@pytest.mark.contract("Tokens and rights: no valid token")
def test_a_token_makes_no_difference(hub, page):
    for header in ("Authorization: Bearer nonsense", hub.bearer(), "Authorization: Basic x"):
        assert fetch(hub, "/", header).body == page.body


@pytest.mark.contract("Every endpoint: body over the limit")
def test_limits_come_first(hub):
    with hub.connect() as connection:
        connection.send(f"GET / HTTP/1.1\r\nHost: h\r\nContent-Length: {1 << 30}\r\n\r\n")
        assert_message(connection.read_response(), 413)
    with hub.connect() as connection:
        connection.send("GET /" + "a" * 30_000 + " HTTP/1.1\r\nHost: h\r\n\r\n")
        assert connection.read_response().status in (400, 431)
