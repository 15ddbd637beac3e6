# SPDX-License-Identifier: Apache-2.0
"""Logs in as clients do."""

import base64
import hashlib
import re
import secrets
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

import httpx

from checks import assert_json
from hub_process import PASSWORD, PLAIN_HTTP

CLIENT = "http://panel.example:8080/"
REDIRECT = "http://panel.example:8080/lovelace?auth_callback=1"
HANDLER = ["homeassistant", None]


def begin_flow(hub, **changes):
    """The answer that starts a login flow."""
    body = {"client_id": CLIENT, "handler": HANDLER, "redirect_uri": REDIRECT} | changes
    body = {key: value for key, value in body.items() if value is not ...}
    return hub.anonymous.post("/auth/login_flow", json=body)


def try_password(hub, user, password, headers=None, flow_id=None):
    """The answer to one password, in a flow of its own."""
    flow_id = flow_id or assert_json(begin_flow(hub))["flow_id"]
    body = {"client_id": CLIENT, "username": user, "password": password}
    return hub.anonymous.post(f"/auth/login_flow/{flow_id}", json=body, headers=headers)


def code_of(hub, user="admin", **changes):
    """A new code for the user."""
    flow_id = assert_json(begin_flow(hub, **changes))["flow_id"]
    step = assert_json(try_password(hub, user, PASSWORD, flow_id=flow_id))
    assert step["type"] == "create_entry", step
    return step["result"]


def token_request(hub, multipart=False, **fields):
    fields = {"client_id": CLIENT} | fields
    fields = {key: value for key, value in fields.items() if value is not None}
    if multipart:
        return hub.anonymous.post("/auth/token", files={key: (None, value) for key, value in fields.items()})
    return hub.anonymous.post("/auth/token", data=fields)


def log_in(hub, user="admin"):
    """The tokens of a new session."""
    return assert_json(token_request(hub, grant_type="authorization_code", code=code_of(hub, user)))


def refresh(hub, refresh_token, **fields):
    return token_request(hub, grant_type="refresh_token", refresh_token=refresh_token, **fields)


def assert_token_error(response, error, status=400):
    body = assert_json(response, status)
    assert body["error"] == error, body
    assert body["error_description"] == body["message"] and body["message"]


def challenge_pair():
    """A code verifier, and its challenge."""
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class Page(HTMLParser):
    """The login page as a browser sees it."""

    def __init__(self, response):
        super().__init__()
        self.fields, self.labels, self.buttons, self.texts = {}, {}, [], []
        self.action = self.method = self._label = None
        self._tags = []
        assert response.headers["content-type"].startswith("text/html"), response.text
        self.feed(response.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self._tags.append(tag)
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert tag != "script"
        if tag == "form":
            self.action, self.method = attributes["action"], attributes["method"]
        elif tag == "input":
            self.fields[attributes["name"]] = attributes.get("value") or ""
        elif tag == "label":
            self._label = attributes["for"]

    def handle_data(self, data):
        tag = self._tags[-1] if self._tags else ""
        if tag == "label" and data.strip():
            self.labels[data.strip()] = self._label
        if tag == "button" and data.strip():
            self.buttons.append(data.strip())
        if tag != "style":
            self.texts.append(data)

    def handle_endtag(self, tag):
        while self._tags and self._tags.pop() != tag:
            pass

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))


class Browser:
    """A browser without scripts: follows no redirects, keeps cookies."""

    def __init__(self, hub):
        self.client = httpx.Client(base_url=hub.url, timeout=20, follow_redirects=False, **PLAIN_HTTP)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def open(self, **parameters):
        query = {"response_type": "code", "client_id": CLIENT, "redirect_uri": REDIRECT, "state": "a state&=é"}
        query |= parameters
        return self.client.get("/auth/authorize", params={key: value for key, value in query.items() if value is not None})

    def submit(self, page, headers=None, **fields):
        return self.client.request(page.method, page.action, data=page.fields | fields, headers=headers)


def redirect_parameters(response):
    """The target of a redirect, and its parameters."""
    assert response.status_code == 303, response.text
    location = urlsplit(response.headers["location"])
    return f"{location.scheme}://{location.netloc}{location.path}", dict(parse_qsl(location.query))
