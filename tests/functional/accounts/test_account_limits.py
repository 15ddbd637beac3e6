# SPDX-License-Identifier: Apache-2.0
"""Load on the accounts by clients without a token, and by users, while others are served."""

import json
import secrets
import threading
from contextlib import ExitStack, contextmanager
from urllib.parse import urlencode

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, create_token
from login_client import CLIENT, assert_token_error, begin_flow, log_in, refresh, token_request, try_password
from raw_http import request_text
from test_tokens import get
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
    """Many connections that repeat a request without a pause; returns the set of status codes."""
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
    """Thirty commands that wait for the accounts, sent by six other clients."""
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
def test_garbage_delays_nobody(own, path, fields, status):
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
def test_an_unknown_token_is_an_invalid_grant(own, token):
    answer = refresh(own, token)
    assert_token_error(answer, "invalid_grant")
    if token:
        assert_token_error(token_request(own, grant_type="authorization_code", code=token), "invalid_grant")
    assert own.anonymous.post("/auth/revoke", data={"token": token}).json() == {}


@pytest.mark.contract("Weight, and strangers: garbage tokens at /auth/token", "Tokens and rights: failed logins")
def test_guessed_passwords_leave_room_for_clients_with_tokens(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    body = json.dumps({"client_id": CLIENT, "username": "nobody", "password": "a guess"})
    guess = request_text("POST", f"/auth/login_flow/{flow_id}", body=body)
    session = log_in(own, "ann")
    with pressure(own, lambda: guess) as codes:
        assert_commands_succeed(own)
        assert_json(refresh(own, session["refresh_token"]))
    assert codes <= {200, 503}


@pytest.mark.contract("Weight, and strangers: tokens of a user", "Tokens and rights: long-lived tokens")
def test_a_user_has_two_hundred_tokens(hub_factory):
    hub = hub_factory()
    before = 1  # the test's own token
    with WebSocketClient(hub, hub.tokens["ann"], timeout=60) as ann:
        codes = []
        for first in range(0, 1_500, 50):
            for number in range(first, first + 50):
                ann.send({"id": number + 1, "type": "auth/long_lived_access_token", "lifespan": 1, "client_name": f"{number}"})
            codes += [ann.receive() for _ in range(50)]
        ann.last_id = 1_500
        made = [answer for answer in codes if answer["success"]]
        assert len(made) == 200 - before
        errors = {(answer["error"]["code"], answer["error"]["message"]) for answer in codes if not answer["success"]}
        assert errors == {("invalid_format", "ann has 200 tokens already, the most that a user may have "
                                             "(tokens_per_user); revoke one first.")}
        assert len(ann.result("auth/refresh_tokens")) == 200
        assert get(hub, made[-1]["result"]).status_code == 200
    done = hub.command("token", "create", "--user", "ann", "--name", "one more")
    assert done.returncode == 1 and "tokens_per_user" in done.stderr
    create_token(hub.folder, "admin", "another user's")


@pytest.mark.contract("Weight, and strangers: tokens of a user")
def test_one_session_too_many_ends_the_least_recently_used(hub_factory):
    hub = hub_factory(limits={"sessions_per_user": 3, "tokens_per_user": 2})
    sessions = [log_in(hub, "ann") for _ in range(3)]
    sessions[0] |= assert_json(refresh(hub, sessions[0]["refresh_token"]))
    newest = log_in(hub, "ann")
    assert_token_error(refresh(hub, sessions[1]["refresh_token"]), "invalid_grant")
    assert get(hub, sessions[1]["access_token"]).status_code == 401
    for session in (sessions[0], sessions[2], newest):
        assert get(hub, session["access_token"]).status_code == 200
    create_token(hub.folder, "ann", "second")
    assert hub.command("token", "create", "--user", "ann", "--name", "third").returncode == 1


@pytest.mark.contract("Beyond the specification: login")
def test_logins_without_end_do_not_end_other_logins(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    for _ in range(1_100):
        assert_json(begin_flow(own))
    assert assert_json(try_password(own, "ann", PASSWORD, flow_id=flow_id))["type"] == "create_entry"
    assert_message(try_password(own, "ann", PASSWORD, flow_id=flow_id), 404)
