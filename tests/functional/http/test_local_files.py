# SPDX-License-Identifier: Apache-2.0
"""GET /local/{path}: files of www/ in the configuration folder, for anybody, and nothing else of the disk."""

import os

import pytest

from test_pages import fetch

MISSING = "There is no such file in www/."
FILES = {"card.js": b"card()", "ann.JPG": b"\xff\xd8picture", "plans/ground floor.svg": b"<svg/>", "page.html": b"<p>",
         "plain": b"\0", "empty.txt": b"", ".secret": b"x", ".git/config": b"x", "b\u00fcro/x.mp4": b"film"}


@pytest.fixture(scope="module")
def home(module_hubs, tmp_path_factory):
    folder = module_hubs.folder()
    (folder / "secret.txt").write_text("secret", encoding="utf-8")
    www = folder / "www"
    for name, content in FILES.items():
        (www / name).parent.mkdir(parents=True, exist_ok=True)
        (www / name).write_bytes(content)
    (www / "inner.js").symlink_to("card.js")
    (www / "floors").symlink_to(www / "plans")
    (www / "out.txt").symlink_to(folder / "secret.txt")
    (www / "out").symlink_to(folder)
    (www / "hidden").symlink_to(".git")
    (www / "nowhere").symlink_to("gone")
    (www / "loop").symlink_to("loop")
    os.mkfifo(www / "pipe")
    with open(www / "most.bin", "wb") as file:
        file.truncate(64 * 1024 * 1024)
    with open(www / "large.bin", "wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    return module_hubs(folder)


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("path, name, content_type", [
    ("card.js?v=1.2", "card.js", "text/javascript; charset=utf-8"), ("ann.JPG", "ann.JPG", "image/jpeg"),
    ("plans/ground%20floor.svg", "plans/ground floor.svg", "image/svg+xml"), ("plain", "plain", "application/octet-stream"),
    ("empty.txt", "empty.txt", "text/plain; charset=utf-8"), ("inner.js", "card.js", "text/javascript; charset=utf-8"),
    ("floors/ground%20floor.svg", "plans/ground floor.svg", "image/svg+xml"), ("b%C3%BCro/x.mp4", "b\u00fcro/x.mp4", "video/mp4"),
    ("page.html", "page.html", "text/html; charset=utf-8")])
def test_a_file_is_anybodys(home, path, name, content_type):
    answer = fetch(home, "/local/" + path)
    assert (answer.status, answer.body) == (200, FILES[name])
    assert answer.headers["content-type"] == content_type and answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    head = fetch(home, "/local/" + path, method="HEAD")
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(FILES[name])))
    known = fetch(home, "/local/" + path, f"If-None-Match: {answer.headers['etag']}")
    assert (known.status, known.body, known.headers["etag"]) == (304, b"", answer.headers["etag"])


@pytest.mark.contract("Beyond the specification: local files")
def test_documents_run_apart_from_the_hubs_pages(home):
    page, drawing, script = (fetch(home, "/local/" + path).headers.get("content-security-policy", "")
                             for path in ("page.html", "plans/ground%20floor.svg", "card.js"))
    assert page.startswith("sandbox ") and "allow-same-origin" not in page
    assert "default-src 'none'" in drawing and drawing.endswith("; sandbox")
    assert "sandbox" not in script


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("path", [
    "", "none.js", "plans", "plans/", "plans//ground%20floor.svg", "/card.js", "./card.js", "plans/./ground%20floor.svg",
    ".secret", ".git/config", "hidden/config", "out.txt", "out/secret.txt", "out/www/.secret", "nowhere", "loop", "pipe",
    "plans%2Fground%20floor.svg", "%2Fetc/passwd", "card.js/", "card.js/x", "x" * 300])
def test_nothing_else_is_there(home, path):
    answer = fetch(home, "/local/" + path)
    assert answer.status == 404
    assert answer.message == (MISSING if path and not path.startswith("/") else "There is no such endpoint.")


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("path", ["../secret.txt", "%2e%2e/secret.txt", "plans/../../secret.txt", "card.js%00.png"])
def test_a_path_that_leads_out_is_refused(home, path):
    assert fetch(home, "/local/" + path).status == 400


@pytest.mark.contract("Beyond the specification: local files")
def test_size_has_a_bound(home):
    assert fetch(home, "/local/most.bin", method="HEAD").headers["content-length"] == "67108864"
    refused = fetch(home, "/local/large.bin")
    assert refused.status == 404
    assert refused.message == "This file of www/ has 67108865 bytes; at most 67108864 are served."


@pytest.mark.contract("Beyond the specification: local files")
def test_only_reading_is_known(home):
    answer = fetch(home, "/local/card.js", method="POST")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.contract("Beyond the specification: local files")
def test_the_folder_may_come_later_and_files_change(module_hubs):
    home = module_hubs()
    www = home.folder / "www"
    assert fetch(home, "/local/card.js").message == MISSING
    www.mkdir()
    (www / "card.js").write_bytes(b"one")
    first = fetch(home, "/local/card.js")
    assert first.body == b"one"
    (www / "next").write_bytes(b"two")
    (www / "next").rename(www / "card.js")
    second = fetch(home, "/local/card.js", f"If-None-Match: {first.headers['etag']}")
    assert (second.status, second.body) == (200, b"two")


# Parts of files


@pytest.fixture(scope="module")
def film(home):
    """The bytes of a file that takes more than one piece to send."""
    content = bytes(range(256)) * 4096
    (home.folder / "www" / "film.mp4").write_bytes(content)
    return content


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("asked, first, last", [
    ("bytes=0-1", 0, 1), ("bytes=0-0", 0, 0), ("bytes=1000-900000", 1000, 900000), ("bytes=1048000-", 1048000, 1048575),
    ("bytes=-7", 1048569, 1048575), ("bytes=5-99999999999999999999", 5, 1048575), ("BYTES=0-", 0, 1048575)])
def test_a_part_of_a_file(home, film, asked, first, last):
    part = fetch(home, "/local/film.mp4", f"Range: {asked}")
    assert (part.status, part.body) == (206, film[first:last + 1])
    assert part.headers["content-range"] == f"bytes {first}-{last}/{len(film)}"
    assert part.headers["content-length"] == str(last - first + 1)
    assert (part.headers["content-type"], part.headers["cache-control"]) == ("video/mp4", "no-cache")
    whole = fetch(home, "/local/film.mp4")
    assert (whole.status, whole.body, whole.headers["accept-ranges"]) == (200, film, "bytes")
    assert part.headers["etag"] == whole.headers["etag"]


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("path, asked, size", [
    ("film.mp4", "bytes=1048576-", 1048576), ("film.mp4", "bytes=-0", 1048576), ("empty.txt", "bytes=0-", 0)])
def test_no_byte_of_the_range_is_there(home, film, path, asked, size):
    refused = fetch(home, f"/local/{path}", f"Range: {asked}")
    assert refused.status == 416 and refused.headers["content-range"] == f"bytes */{size}"
    assert refused.message == f"The file has {size} bytes."


@pytest.mark.contract("Beyond the specification: local files")
@pytest.mark.parametrize("asked", ["bytes=0-1,4-5", "bytes=5-2", "bytes=x-", "lines=0-1", "bytes=0-1\r\nRange: bytes=3-4"])
def test_ranges_that_are_not_understood_are_none(home, film, asked):
    whole = fetch(home, "/local/film.mp4", f"Range: {asked}")
    assert (whole.status, whole.body) == (200, film) and "content-range" not in whole.headers


@pytest.mark.contract("Beyond the specification: local files")
def test_a_part_only_of_the_file_that_the_client_knows(home, film):
    tag = fetch(home, "/local/film.mp4").headers["etag"]
    ask = lambda *headers, method="GET": fetch(home, "/local/film.mp4", *headers, method=method)
    assert ask("Range: bytes=2-3", f"If-Range: {tag}").body == film[2:4]
    for other in ('"0-0-0-0"', f"W/{tag}", "Mon, 30 Nov 2026 12:00:00 GMT"):
        whole = ask("Range: bytes=2-3", f"If-Range: {other}")
        assert (whole.status, whole.body) == (200, film), other
    assert ask("Range: bytes=2-3", f"If-None-Match: {tag}").status == 304
    head = ask("Range: bytes=2-3", method="HEAD")
    assert (head.status, head.headers["content-length"]) == (200, str(len(film)))


@pytest.mark.contract("Beyond the specification: local files")
def test_parts_of_one_connection_follow_each_other(home, film):
    """As a player seeks: a part, then the whole, then a part."""
    with home.connect() as connection:
        for asked, status, body in (("bytes=-3", 206, film[-3:]), (None, 200, film), ("bytes=7-700000", 206, film[7:700001])):
            answer = connection.request("GET", "/local/film.mp4", *([f"Range: {asked}"] if asked else []))
            assert (answer.status, answer.body) == (status, body)
