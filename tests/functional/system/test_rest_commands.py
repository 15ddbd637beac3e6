# SPDX-License-Identifier: Apache-2.0
"""rest_command: requests of the configuration as services, to a real server."""

import http.server
import json
import threading

import pytest

from checks import assert_message, call
from hub_process import command, wait_until
from websocket_client import WebSocketClient
from written_home import WrittenHome, example_of


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        if self.path.startswith("/around"):
            self.send_response(302)
            self.send_header("Location", "/around")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path.startswith("/huge"):
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            try:
                for _ in range(1_000):
                    self.wfile.write(b"x" * 1_000_000)
            except OSError:
                pass
            return
        text = json.dumps({"by": "a real server"}).encode()
        self.send_response(404 if self.path.startswith("/missing") else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    made.asked = []
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def home(hub_factory, server):
    return WrittenHome(hub_factory, server.server_address[1])


def test_the_example_of_the_document_works(home, server):
    hub = home.write(example_of("rest_command")).start()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="rung")
        subscription = client.last_id
        client.result("call_service", domain="script", service="ring")
        assert client.event(subscription)["data"] == {"status": 200, "by": "a real server"}
    [(method, path, headers, body)] = server.asked
    assert (method, path, headers["X-Room"], headers["Content-Type"]) == ("POST", "/ring?times=2", "hall", "application/json")
    assert json.loads(body) == {"text": "Somebody is here"}


def test_answers_of_all_kinds(home):
    home.write("""rest_command:
  missing: {url: "http://127.0.0.1:8080/missing"}
  around: {url: "http://127.0.0.1:8080/around"}
  huge: {url: "http://127.0.0.1:8080/huge"}
  nobody: {url: "http://127.0.0.1:1/"}
  right: {url: "http://127.0.0.1:8080/right"}
""").start()
    assert home.ask("rest_command.missing")["status"] == 404
    for name in ("around", "huge", "nobody"):
        answer = home.hub.admin.post(f"/api/services/rest_command/{name}", json={})
        assert answer.status_code == 500 and f"rest_command.{name}: " in answer.text, answer.text
    assert home.ask("rest_command.right")["content"] == {"by": "a real server"}


def test_fields_of_a_call_do_not_choose_the_server(home, server):
    hub = home.write("rest_command:\n  a: {url: '{{ url }}'}\n  b: {url: 'http://127.0.0.1:8080{{ tail }}'}\n").start()
    url = f"http://127.0.0.1:{home.port}/"
    assert "allow_template_host" in assert_message(hub.admin.post("/api/services/rest_command/a", json={"url": url}), 403)
    assert "allow_template_host" in assert_message(hub.admin.post("/api/services/rest_command/b", json={"tail": "@other.test/"}), 403)
    assert server.asked == []
    assert home.ask("rest_command.b", tail="/x")["status"] == 200


def test_reload_takes_what_is_right(home):
    hub = home.write("rest_command: {a: {url: 'http://127.0.0.1:8080/1'}}\n").start()
    home.write("rest_command:\n  a: {url: 'http://127.0.0.1:8080/{{'}\n  b: {url: 'http://127.0.0.1:8080/2', metod: get}\n"
               "  c: {url: 'http://127.0.0.1:8080/3'}\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    assert "rest_command.a.url: the template does not compile" in checked.stderr
    assert "rest_command.b.metod: unknown key, did you mean method?" in checked.stderr
    assert_message(hub.ann.post("/api/services/rest_command/reload", json={}), 403)
    call(hub, "rest_command.reload")
    assert home.ask("rest_command.a")["status"] == home.ask("rest_command.c")["status"] == 200
    assert_message(hub.admin.post("/api/services/rest_command/b", json={}), 404)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        wait_until(lambda: "metod: unknown key" in str(client.result("repairs/list_issues")), 20)
