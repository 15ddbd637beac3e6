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
