# SPDX-License-Identifier: Apache-2.0
"""What strangers, and users, may ask of the accounts, while others go on."""

import json
import secrets
import threading
from contextlib import ExitStack, contextmanager
from urllib.parse import urlencode

import pytest

from checks import assert_json
from login_client import CLIENT, assert_token_error, begin_flow, log_in, refresh, token_request
from raw_http import request_text
from websocket_client import WebSocketClient

CONNECTIONS = 80


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose accounts these tests may load."""
    return module_hubs()


def form(path, **fields):
    return request_text("POST", path, "Content-Type: application/x-www-form-urlencoded",
                        body=urlencode({"client_id": CLIENT, **fields}))


@contextmanager
def pressure(hub, request):
    """Many connections that ask for the same without a pause; gives the set of codes that they are answered."""
    codes, over = set(), threading.Event()

    def press(connection):
        while not over.is_set():
            connection.send(request())
            codes.add(connection.read_response().status)

    with ExitStack() as stack:
        connections = [stack.enter_context(hub.connect(timeout=60)) for _ in range(CONNECTIONS)]
        threads = [threading.Thread(target=press, args=(connection,)) for connection in connections]
        for thread in threads:
            thread.start()
        try:
            yield codes
        finally:
            over.set()
            for thread in threads:
                thread.join()


def assert_commands_succeed(hub):
    """Thirty commands that wait for the accounts, as six others send them."""
    with ExitStack() as stack:
        others = [stack.enter_context(WebSocketClient(hub, hub.tokens[user], timeout=60))
                  for user in ("admin", "ann", "display") * 2]
        for other in others:
            for number, kind in enumerate(["auth/refresh_tokens", "frontend/get_user_data"] * 2, 1):
                other.send({"id": number, "type": kind})
            other.send({"id": 5, "type": "frontend/set_user_data", "key": "x", "value": 1})
        for other in others:
            answers = [other.receive() for _ in range(5)]
            assert all(answer["success"] for answer in answers), answers


@pytest.mark.contract("Weight, and strangers: garbage tokens at /auth/token")
@pytest.mark.parametrize("path, fields, status", [
    ("/auth/token", {"grant_type": "refresh_token", "refresh_token": None}, 400),
    ("/auth/token", {"grant_type": "authorization_code", "code": None}, 400),
    ("/auth/token", {"action": "revoke", "token": None}, 200),
    ("/auth/revoke", {"token": None}, 200)])
def test_garbage_holds_nobody_up(own, path, fields, status):
    def garbage():
        return form(path, **{key: value or secrets.token_urlsafe(32) for key, value in fields.items()})

    session = log_in(own, "ann")
    with pressure(own, garbage) as codes:
        for _ in range(3):
            assert_commands_succeed(own)
            assert_json(refresh(own, session["refresh_token"]))
    assert codes == {status}


@pytest.mark.contract("Weight, and strangers: garbage tokens at /auth/token", "Beyond the specification: login")
@pytest.mark.parametrize("token", ["", "x", "é", "x" * 43, "x" * 60_000])
def test_what_is_no_token_is_an_invalid_grant(own, token):
    answer = refresh(own, token)
    assert_token_error(answer, "invalid_grant")
    if token:
        assert_token_error(token_request(own, grant_type="authorization_code", code=token), "invalid_grant")
    assert own.anonymous.post("/auth/revoke", data={"token": token}).json() == {}


@pytest.mark.contract("Weight, and strangers: garbage tokens at /auth/token", "Tokens and rights: failed logins")
def test_guessed_passwords_leave_places_for_the_known(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    body = json.dumps({"client_id": CLIENT, "username": "nobody", "password": "a guess"})
    guess = request_text("POST", f"/auth/login_flow/{flow_id}", body=body)
    session = log_in(own, "ann")
    with pressure(own, lambda: guess) as codes:
        assert_commands_succeed(own)
        assert_json(refresh(own, session["refresh_token"]))
    assert codes <= {200, 503}
