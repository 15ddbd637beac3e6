# SPDX-License-Identifier: Apache-2.0
"""notify: messages that leave the home, to real servers, files and commands."""

import http.server
import json
import re
import socket
import threading
import urllib.parse

import pytest

from checks import assert_json, assert_message, call, state_of
from hub_process import add_user, command, create_token, wait_until
from websocket_client import WebSocketClient
from written_home import WrittenHome, example_of


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        if self.path.startswith("/hangs"):
            self.server.released.wait(60)
            return
        status = 200
        if self.path.startswith("/fails_once") and len(self.server.asked) == 1:
            status = 503
        if self.path.startswith("/missing"):
            status = 404
        text = b"it is what it is"
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    made.asked = []
    made.released = threading.Event()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.released.set()
    made.shutdown()
    thread.join()
    made.server_close()


class Home(WrittenHome):
    def send(self, name, message="Hello", user="admin", status=200, **more):
        return call(self.hub, f"notify.{name}", {"message": message, **more}, user=user, status=status)


@pytest.fixture
def home(hub_factory, server):
    return Home(hub_factory, server.server_address[1])


def test_the_example_of_the_document_works(home, server):
    hub = home.write(example_of("notify")).start()
    call(hub, "script.say", {})
    wait_until(lambda: server.asked)
    [(method, path, headers, body)] = server.asked
    assert (method, path, headers["Content-Type"]) == ("POST", "/messages", "application/json")
    assert json.loads(body) == {"message": "The washing is done.", "title": "Laundry", "room": "cellar"}
    wait_until(lambda: (home.folder / "printed.txt").exists() and (home.folder / "printed.txt").read_text() == "The washing is done.")
    heading, line, text = (home.folder / "notes.txt").read_text().splitlines()
    assert "Log started" in heading and set(line) == {"-"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00 The washing is done\.", text)
    home.send("notes", "Another one")
    assert (home.folder / "notes.txt").read_text().splitlines()[3].endswith(" Another one")


def test_requests_of_all_kinds(home, server):
    hub = home.write("""notify:
  - {platform: rest, name: asks, resource: "http://127.0.0.1:8080/a?b=c", title_param_name: head, target_param_name: to, data: {d: "{{ title }}", e: [1, 2], f: true}}
  - {platform: rest, name: form, resource: "http://127.0.0.1:8080/form", method: POST, headers: {X-A: "{{ states('sun.sun') | length > 0 }}"}}
  - {platform: rest, name: json, resource: "http://127.0.0.1:8080/json", method: POST_JSON, message_param_name: text, data_template: {a: {b: ["{{ message }}!", 5]}, c: "{{ target[1] }} {{ data.x }}"}}
""").start()
    home.send("asks", "A & ä=b", title="Head", target=["ann", "bob"])
    home.send("asks")
    home.send("form", "a b\n&c")
    home.send("json", '"quoted" {{ 1 + 1 }}', target=["x", "y"], data={"x": 1})
    asked, plain, form, as_json = server.asked
    assert asked[0] == "GET" and asked[1].startswith("/a?b=c&")
    assert urllib.parse.parse_qs(asked[1].split("?")[1]) == {
        "b": ["c"], "message": ["A & ä=b"], "head": ["Head"], "to": ["ann"], "d": ["Head"], "e": ["1", "2"], "f": ["True"]}
    assert urllib.parse.parse_qs(plain[1].split("?")[1])["head"] == [assert_json(hub.admin.get("/api/config"))["location_name"]]
    assert (form[2]["Content-Type"], form[2]["X-A"]) == ("application/x-www-form-urlencoded", "True")
    assert urllib.parse.parse_qs(form[3]) == {"message": ["a b\n&c"]}
    assert json.loads(as_json[3]) == {"text": '"quoted" {{ 1 + 1 }}', "a": {"b": ['"quoted" {{ 1 + 1 }}!', 5]}, "c": "y 1"}


def test_failures_are_told_and_tried_again(home, server):
    hub = home.write("""notify:
  - {platform: rest, name: missing, resource: "http://127.0.0.1:8080/missing"}
  - {platform: rest, name: fails_once, resource: "http://127.0.0.1:8080/fails_once"}
  - {platform: command_line, name: fails, command: "echo broken >&2; exit 127"}
  - {platform: file, name: nowhere, filename: no/such/folder/file.txt}
script:
  tell:
    sequence:
      - action: notify.missing
        data: {message: x}
        continue_on_error: true
      - event: went_on
""").start()
    home.send("fails_once", status=200)
    assert [path.split("?")[0] for _, path, _, _ in server.asked] == ["/fails_once", "/fails_once"]
    said = home.send("missing", status=500)
    assert said == "notify.missing: the server answered 404: it is what it is"
    assert hub.logged("notify.missing: the server answered 404")
    assert home.send("fails", status=500) == "notify.fails: the command ended with code 127: broken"
    refused = hub.admin.post("/api/services/notify/send_message", json={"entity_id": "notify.fails", "message": "x"})
    assert_message(refused, 500, "notify.fails: the command ended with code 127: broken")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="went_on")
        subscription = client.last_id
        client.result("call_service", domain="script", service="tell")
        client.event(subscription)


def test_servers_that_hang_or_refuse_hold_up_nobody(home, server):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        home.write(f"""notify:
  - {{platform: rest, name: hangs, resource: "http://127.0.0.1:8080/hangs"}}
  - {{platform: rest, name: refuses, resource: "http://127.0.0.1:{unused.getsockname()[1]}/"}}
  - {{platform: command_line, name: sleeps, command: "sleep 1000"}}
  - {{platform: file, name: pipe, filename: pipe}}
  - {{platform: rest, name: works, resource: "http://127.0.0.1:8080/works"}}
""").start()
        with WebSocketClient(home.hub, home.hub.tokens["admin"]) as client:
            for number, name in enumerate(("hangs", "refuses", "sleeps"), 1000):
                client.send({"id": number, "type": "call_service", "domain": "notify", "service": name, "service_data": {"message": "x"}})
            wait_until(lambda: any(path.startswith("/hangs") for _, path, _, _ in server.asked))
            home.hub.logged("notify.refuses: ")
            home.send("works")
        home.hub.stop()


def test_a_notifier_refuses_what_is_too_much(home):
    hub = home.write('notify: [{platform: rest, name: hangs, resource: "http://127.0.0.1:8080/hangs"}]\n').start()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        for number in range(1000, 1033):
            client.send({"id": number, "type": "call_service", "domain": "notify", "service": "hangs", "service_data": {"message": "x"}})
        refused = client.receive()  # the only one that is answered before the server is
        assert refused["id"] == 1032 and "32 messages wait" in refused["error"]["message"], refused
    assert "at most 64 KiB" in home.send("hangs", "x" * 66_000, status=400)
    assert "target: expected" in home.send("hangs", target=[{}], status=400)
    assert_message(hub.admin.post("/api/services/notify/hangs", json={}), 400)


def test_each_is_an_entity_and_the_first_is_notify(home):
    hub = home.write("""notify:
  - {platform: file, name: The notes, filename: notes.txt}
  - {platform: file, name: other, filename: other.txt}
  - {platform: group, name: all, services: [{service: the_notes}, {action: other}]}
""").start()
    assert state_of(hub, "notify.the_notes")["state"] == "unknown"
    home.send("notify", "to the first")
    assert (home.folder / "notes.txt").read_text().endswith("to the first\n")
    first = state_of(hub, "notify.the_notes")
    assert first["state"] != "unknown" and first["attributes"]["friendly_name"] == "The notes"
    assert state_of(hub, "notify.other")["state"] == "unknown"
    call(hub, "notify.send_message", {"entity_id": "notify.other", "message": "to the entity", "title": "T"})
    assert (home.folder / "other.txt").read_text().startswith("T notifications")  # the call has waited for it
    home.send("all", "to all")
    wait_until(lambda: all((home.folder / name).read_text().endswith("to all\n") for name in ("notes.txt", "other.txt")))


def test_reload_takes_what_is_right(home):
    hub = home.write("notify:\n  - {platform: file, name: a, filename: a.txt}\n  - {platform: file, name: b, filename: b.txt}\n").start()
    home.write("notify:\n  - {platform: file, name: a, filename: [x]}\n  - {platform: file, name: c, filename: c.txt}\n"
               "  - {platform: file, name: persistent notification, filename: c.txt}\n  - {platform: file, filename: d.txt}\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    assert "filename: expected" in checked.stderr and "there is a service notify.persistent_notification" in checked.stderr
    assert_message(hub.ann.post("/api/services/notify/reload", json={}), 403)
    call(hub, "notify.reload")
    home.send("a", "the last good one")
    assert (home.folder / "a.txt").read_text().endswith("the last good one\n")
    home.send("c")
    home.send("notify", "its own")
    assert (home.folder / "d.txt").read_text().endswith("its own\n")
    assert_message(hub.admin.post("/api/services/notify/b", json={"message": "x"}), 404)
    assert hub.admin.get("/api/states/notify.b").status_code == 404
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        wait_until(lambda: "filename: expected" in str(client.result("repairs/list_issues")), 20)
    home.write("notify: [{platform: file, name: c, filename: e.txt}]\n")
    call(hub, "homeassistant.reload_all")
    home.send("notify", "moved")
    assert (home.folder / "e.txt").read_text().endswith("moved\n")
    assert command(home.folder, "check").returncode == 0


def test_only_whose_policy_names_it_calls_it(home):
    hub = home.write("notify:\n  - {platform: file, name: a, filename: a.txt}\n  - {platform: file, name: b, filename: b.txt}\n").start()
    home.send("a", user="ann")
    assert_message(hub.display.post("/api/services/notify/a", json={"message": "x"}), 403)
    for name, rights in (("guest", "read: {domains: [light]}\ncontrol: {domains: [light]}\n"),
                         ("named", "read: {entities: [notify.a]}\ncontrol: {entities: [notify.a]}\n")):
        add_user(home.folder, name)
        (home.folder / "rights.yaml").write_text(rights)
        done = hub.command("user", "rights", name, "--file", str(home.folder / "rights.yaml"))
        assert done.returncode == 0, done.stderr
        hub.tokens[name] = create_token(home.folder, name, "phone")
    for name, service, allowed in (("guest", "a", False), ("guest", "notify", False), ("named", "a", True),
                                   ("named", "notify", True), ("named", "b", False)):
        with hub.client(name) as client:
            wait_until(lambda client=client: client.get("/api/states").status_code == 200)
            answer = client.post(f"/api/services/notify/{service}", json={"message": "x"})
            assert (answer.status_code == 200) == allowed, (name, service, answer.text)


def test_secrets_are_not_told(home):
    (home.folder / "secrets.yaml").write_text("key: top-secret-key\n")
    hub = home.write("""notify:
  - platform: command_line
    name: a
    command: !secret key
""").start()
    assert "top-secret-key" not in home.send("a", status=500)
    assert "top-secret-key" not in "\n".join(hub.log)
