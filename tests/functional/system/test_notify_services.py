# SPDX-License-Identifier: Apache-2.0
"""notify: what the known services are sent, by a server of ours that has their addresses."""

import http.server
import json
import threading

import pytest

from checks import call


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append((self.path, self.headers.get("Authorization"), json.loads(body)))
        text = self.server.answer.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    made.asked = []
    made.answer = "{}"
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


CASES = {
    "telegram": ({"api_key": "1:secret-key", "chat_id": -100123}, {"title": "Laundry", "data": {"disable_notification": True}},
                 [("/bot1:secret-key/sendMessage", None, {"chat_id": "-100123", "text": "Laundry\nIt is \"done\".", "disable_notification": True})]),
    "pushover": ({"api_key": "secret-key", "user_key": "someone"}, {"target": ["phone", "tablet"], "title": "Laundry", "data": {"priority": 1}},
                 [("/1/messages.json", None, {"token": "secret-key", "user": "someone", "message": "It is \"done\".", "title": "Laundry",
                                              "device": device, "priority": 1}) for device in ("phone", "tablet")]),
    "ntfy": ({"topic": "home", "token": "secret-key"}, {"data": {"tags": ["tada"]}},
             [("/", "Bearer secret-key", {"topic": "home", "message": "It is \"done\".", "tags": ["tada"]})]),
    "discord": ({"token": "secret-key"}, {"target": ["123456789012345678"], "title": "Laundry"},
                [("/api/v10/channels/123456789012345678/messages", "Bot secret-key", {"content": "**Laundry**\nIt is \"done\"."})]),
    "slack": ({"api_key": "secret-key", "default_channel": "#home", "icon": ":tada:"}, {},
              [("/api/chat.postMessage", "Bearer secret-key", {"channel": "#home", "text": "It is \"done\".", "icon_emoji": ":tada:"})]),
}


def start(hub_factory, server, platform):
    keys = CASES[platform][0]
    return hub_factory(notify=[{"platform": platform, "name": "it", "url": f"http://127.0.0.1:{server.server_address[1]}", **keys}])


@pytest.mark.parametrize("platform", CASES)
def test_requests(hub_factory, server, platform):
    _, more, expected = CASES[platform]
    hub = start(hub_factory, server, platform)
    call(hub, "notify.it", {"message": 'It is "done".', **more})
    assert server.asked == expected


def test_slack_says_no_with_status_200(hub_factory, server):
    server.answer = json.dumps({"ok": False, "error": "channel_not_found", "key": "secret-key"})
    hub = start(hub_factory, server, "slack")
    said = call(hub, "notify.it", {"message": "x"}, status=500)
    assert "channel_not_found" in said and "secret-key" not in said
    assert "secret-key" not in "\n".join(hub.log)


def test_a_target_leads_to_no_other_address(hub_factory, server):
    hub = start(hub_factory, server, "discord")
    assert "template fails" in call(hub, "notify.it", {"message": "x", "target": "../../users/@me"}, status=400)
    assert "template fails" in call(hub, "notify.it", {"message": "x"}, status=400)
    assert server.asked == []
