# SPDX-License-Identifier: Apache-2.0
"""`frontend: folder:`: another frontend's built pages at /, the hub's own at /hearth."""

import base64
import gzip
import hashlib
import json
import re

import pytest

from hub_process import base_settings, write_settings
from test_pages import fetch
from websocket_client import WebSocketClient

SCRIPT = "import('/frontend_latest/app.1a2b3c4d.js')"
INDEX = ('<html><head><meta name="theme-color" content="{{ theme_color }}"></head><body>'
         f'<script>{SCRIPT}</script><script src="/static/x.js"></script>'
         '<script>{%- for extra_module in extra_modules -%}import("{{ extra_module }}");{%- endfor -%}</script></body></html>')
AUTHORIZE = "<html><body><ha-authorize></ha-authorize><script>1+1</script></body></html>"


def build(folder, **changes):
    files = {"index.html": INDEX, "authorize.html": AUTHORIZE, "onboarding.html": "<html>", "__init__.py": "secret",
             "frontend_latest/app.1a2b3c4d.js": "app()", "frontend_es5/app.9f9f.js": "old()", "static/icons/favicon.ico": "icon",
             "static/translations/en-1f.json": json.dumps({"panel.history": "History", "panel.map": "Map", "x": "y"}),
             "static/fonts/a b.woff2": "font", "service_worker.js": "worker()"} | changes
    for name, text in files.items():
        if text is None:
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "frontend_latest/app.1a2b3c4d.js.gz").write_bytes(gzip.compress(b"app()"))
    (folder / "frontend_latest/app.1a2b3c4d.js.br").write_bytes(b"brotli")
    return folder


@pytest.fixture(scope="module")
def own(module_hubs, tmp_path_factory):
    place = tmp_path_factory.mktemp("frontend")
    (place / "secret.txt").write_text("secret", encoding="utf-8")
    pages = build(place / "pages")
    (pages / "static/link.txt").symlink_to(place / "secret.txt")
    (pages / "static/out").symlink_to(place)
    return module_hubs(module_hubs.folder(frontend={"folder": str(pages)}))


@pytest.mark.contract("Other frontends: folder")
@pytest.mark.parametrize("path", ["/", "/lovelace/0", "/config/devices/device/demo.lamp", "/history?a=b", "/my-room", "/energy"])
def test_its_page_is_at_every_path_of_nobody_else(own, path):
    answer = fetch(own, path)
    text = answer.body.decode()
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "{" not in text.replace("{}", "") and re.search(r'content="#[0-9a-f]{6}"', text) and SCRIPT in text
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert f"'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'" in policy
    scripts = re.search(r"script-src ([^;]*)", policy)[1].split()
    assert "'unsafe-inline'" not in scripts and "'unsafe-eval'" not in scripts and "https:" not in scripts
    assert fetch(own, path, f"If-None-Match: {answer.headers['etag']}").status == 304
    assert fetch(own, path, method="HEAD").body == b""
    assert fetch(own, path, method="POST").status == 405


@pytest.mark.contract("Other frontends: folder")
def test_its_files_have_types_encodings_and_lifetimes(own):
    plain = fetch(own, "/frontend_latest/app.1a2b3c4d.js")
    assert plain.body == b"app()" and plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable" and "content-encoding" not in plain.headers
    zipped = fetch(own, "/frontend_latest/app.1a2b3c4d.js", "Accept-Encoding: gzip, deflate")
    assert zipped.headers["content-encoding"] == "gzip" and gzip.decompress(zipped.body) == b"app()"
    brotli = fetch(own, "/frontend_latest/app.1a2b3c4d.js", "Accept-Encoding: gzip, br, zstd")
    assert brotli.headers["content-encoding"] == "br" and brotli.body == b"brotli"
    assert "accept-encoding" in brotli.headers["vary"].lower()
    refused = fetch(own, "/frontend_latest/app.1a2b3c4d.js", "Accept-Encoding: br;q=0, gzip;q=0")
    assert "content-encoding" not in refused.headers
    assert len({answer.headers["etag"] for answer in (plain, zipped, brotli)}) == 3
    assert fetch(own, "/frontend_latest/app.1a2b3c4d.js", f"If-None-Match: {plain.headers['etag']}").status == 304
    worker = fetch(own, "/service_worker.js")
    assert worker.headers["cache-control"] == "no-cache" and worker.body == b"worker()"
    assert fetch(own, "/static/fonts/a%20b.woff2").body == b"font"
    manifest = json.loads(fetch(own, "/manifest.json").body)
    assert manifest["start_url"].startswith("/") and manifest["icons"]
    with own.connect() as connection:  # several on one connection: the length is right
        assert [connection.request("GET", "/static/icons/favicon.ico").body for _ in range(3)] == [b"icon"] * 3


@pytest.mark.contract("Other frontends: folder")
@pytest.mark.parametrize("path", ["/static/../../secret.txt", "/static/%2e%2e/secret.txt", "/..%2fsecret.txt", "/static/link.txt",
                                  "/static/out/secret.txt", "/static/", "/static/none.js", "/__init__.py", "/secret.txt",
                                  "/frontend_latest/app.1a2b3c4d.js.gz", "/api/none", "/static%2ficons%2ffavicon.ico",
                                  "/%2e%2e/secret.txt", "/static//icons/favicon.ico", "/hearth/none", "/auth/none"])
def test_nothing_else_of_the_disk_is_served(own, path):
    answer = fetch(own, path)
    assert answer.status in (400, 404) and b"secret" not in answer.body, answer.body


@pytest.mark.contract("Other frontends: folder")
def test_the_hubs_own_pages_are_beside_it(own):
    page = fetch(own, "/hearth")
    assert b"Everything they show is in the REST interface" in page.body and fetch(own, "/hearth/settings/users").body == page.body
    for asset in re.findall(r'(?:src|href)="(/[^"]+)"', page.body.decode()):
        assert fetch(own, asset).status == 200, asset
    assert own.anonymous.get("/api/").json() == {"message": "API running."}


@pytest.mark.contract("Other frontends: panels")
def test_panels_that_it_has_no_words_for_are_left_out(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        assert set(client.result("get_panels")) == {"lovelace", "profile", "history", "map"}


@pytest.mark.contract("Other frontends: login page")
def test_login_is_on_its_own_page(own):
    query = {"response_type": "code", "client_id": f"{own.url}/", "redirect_uri": f"{own.url}/?auth_callback=1", "state": "s"}
    answer = own.anonymous.get("/auth/authorize", params=query)
    assert "<ha-authorize>" in answer.text and "sha256-" in answer.headers["content-security-policy"]
    wrong = own.anonymous.get("/auth/authorize", params=query | {"redirect_uri": "https://example.org/"})
    assert wrong.status_code == 400 and "<ha-authorize>" not in wrong.text


@pytest.mark.contract("Other frontends: folder")
def test_the_first_user_is_made_on_the_hubs_own_page(hub_factory, tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    write_settings(folder, base_settings() | {"frontend": {"folder": "pages"}})
    build(folder / "pages")
    hub = hub_factory.start(folder)
    for path in ("/", "/lovelace", "/onboarding.html"):
        answer = hub.anonymous.get(path, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/hearth/welcome"), path


@pytest.mark.contract("Other frontends: folder")
@pytest.mark.parametrize(("changes", "said"), [
    ({"index.html": None}, "it has no index.html"),
    ({"authorize.html": None}, "it has no authorize.html"),
    ({"index.html": "{{ secrets }}"}, "index.html: it asks its server for something unknown: {{ secrets }}"),
    (None, "there is no such folder"),
])
def test_a_folder_that_is_no_build_is_named_in_the_log(hub_factory, changes, said):
    folder = hub_factory.folder()
    if changes is not None:
        build(folder / "pages", **changes)
    write_settings(folder, {"frontend": {"folder": "pages"}, **base_settings()})
    hub = hub_factory.start(folder)
    hub.errors_expected = True
    hub.logged("configuration.yaml:2: frontend.folder: ")
    hub.logged(said)
    assert b"Everything they show is in the REST interface" in fetch(hub, "/").body
