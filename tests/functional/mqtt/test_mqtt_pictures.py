# SPDX-License-Identifier: Apache-2.0
"""Images whose address a device sends: a local server, and what becomes of its answers."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from checks import state_of
from hub_process import wait_until
from mqtt_broker import Broker
from test_mqtt_discovery import announce, becomes, report, start, value

PNG = b"\x89PNG\r\n\x1a\n" + b"picture"
MEBIBYTE = 1024 * 1024


class Pictures(BaseHTTPRequestHandler):
    """Answers by path, and keeps what it was asked."""

    asked = []
    release = threading.Event()

    def do_GET(self):
        Pictures.asked.append((self.path, dict(self.headers)))
        path, _, query = self.path.partition("?")
        if path == "/hang":
            Pictures.release.wait(30)
        if path == "/to":
            self.send_response(302)
            self.send_header("Location", query)
            self.end_headers()
            return
        body = {"/large": b"\xff\xd8" + b"x" * (9 * MEBIBYTE), "/text": b"no picture"}.get(path, PNG + query.encode())
        self.send_response(404 if path == "/missing" else 200)
        self.send_header("Content-Type", "text/plain; charset=x" if path == "/text" else "image/png")
        if path != "/large":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    Pictures.asked.clear()
    Pictures.release.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Pictures.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.fixture
def device(broker):
    return broker.client()


def picture(hub, entity_id="image.door"):
    path = state_of(hub, entity_id)["attributes"].get("entity_picture")
    return hub.anonymous.get(path).content if path else None


def image_hub(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    announce(device, "image", "door", {
        "unique_id": "door", "name": "Door", "url_topic": "door/url", "url_template": "{{ value_json.url }}"})
    becomes(hub, "image.door", "unknown")
    return hub


def say(device, url):
    device.publish("door/url", json.dumps({"url": url}), retain=True)


@pytest.mark.contract("MQTT: pictures")
def test_an_image_is_fetched_from_its_address(hub_factory, broker, device, server):
    hub = image_hub(hub_factory, broker, device)
    say(device, f"{server}/a?1")
    wait_until(lambda: value(hub, "image.door") != "unknown")
    assert picture(hub) == PNG + b"1"
    path, headers = Pictures.asked[-1]
    assert path == "/a?1" and not {"Authorization", "Cookie"} & set(headers)
    first = value(hub, "image.door")
    # The same address again is another picture, also behind a redirection.
    say(device, f"{server}/to?{server}/a?2")
    wait_until(lambda: value(hub, "image.door") != first)
    assert picture(hub) == PNG + b"2"


@pytest.mark.contract("MQTT: pictures")
@pytest.mark.parametrize("url, reason", [
    ("/missing", "the server answers 404"),
    ("/large", "expected at most 8 MiB"),
    ("/text", "expected a picture that browsers show, got text/plain"),
    ("/to?/to?/to?/to?/to?/a", "expected at most 3 redirections"),
    ("/to?file:///etc/passwd", "not supported"),
    ("file:///etc/passwd", "expected an address with http:// or https://"),
    ("ftp://127.0.0.1/a", "expected an address with http:// or https://"),
    ("http://127.0.0.1:1/a", "onnect"),
    ("https://", "URL"),
    ("http://127.0.0.1/a b", "expected an address"),
    ("http://name:word@127.0.0.1:1/a", "expected an address without a user name"),
    ("/to?http://name:word@127.0.0.1:1/a", "one with a user name"),
    ("http://169.254.169.254/latest", "which is link-local"),
    ("/to?http://[::ffff:169.254.169.254]/", "which is link-local"),
    ("http://127.0.0.1:OWN/api/webhook/x", "which is the hub itself"),
    ("/to?http://0.0.0.0:OWN/api/webhook/x", "which is the hub itself"),
    ("http://127.0.0.1/" + "x" * 3000, "of at most 2048 bytes"),
])
def test_what_cannot_be_shown_is_named(hub_factory, broker, device, server, url, reason):
    hub = image_hub(hub_factory, broker, device)
    url = url.replace("OWN", str(hub.tunnel.inner if hub.tunnel else hub.port))
    say(device, server + url if url.startswith("/") else url)
    wait_until(lambda: any("image.door: " in line for line in hub.log), 10)
    [line] = [line for line in hub.log if "image.door: " in line]
    assert reason in line, line
    assert picture(hub) is None
    # The next one is fetched all the same.
    say(device, f"{server}/a?3")
    wait_until(lambda: picture(hub) == PNG + b"3")


@pytest.mark.contract("MQTT: pictures")
def test_a_server_that_hangs_is_given_up_and_holds_nobody(hub_factory, broker, device, server):
    hub = image_hub(hub_factory, broker, device)
    announce(device, "image", "other", {"unique_id": "other", "name": "Other", "url_topic": "other/url"})
    becomes(hub, "image.other", "unknown")
    say(device, f"{server}/hang")
    wait_until(lambda: Pictures.asked)
    # Of those that come meanwhile the last one counts.
    for number in range(5):
        say(device, f"{server}/a?{number}")
    device.publish("other/url", f"{server}/a?other", retain=True)
    wait_until(lambda: picture(hub, "image.other") == PNG + b"other")
    wait_until(lambda: any("there is no answer within 10 s" in line for line in hub.log), 20)
    wait_until(lambda: picture(hub) == PNG + b"4")
    assert [path for path, _ in Pictures.asked] == ["/hang", "/a?other", "/a?4"]
    # And the stop does not wait for it.
    say(device, f"{server}/hang")
    wait_until(lambda: len(Pictures.asked) == 4)
    hub.stop()
    hub_factory.hubs.remove(hub)


@pytest.mark.contract("MQTT: pictures")
def test_an_image_has_one_source(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    for name, keys in (("none", {}), ("both", {"image_topic": "a", "url_topic": "b"})):
        announce(device, "image", name, {"unique_id": name, "name": name} | keys)
    wait_until(lambda: len(report(hub)) == 2)
    both, none = report(hub)
    assert both["verdict"] == "dropped" and both["dropped"] == ["url_topic"]
    assert none["verdict"] == "refused" and none["reason"] == "image_topic: expected this or url_topic, got neither"
