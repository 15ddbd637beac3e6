# SPDX-License-Identifier: Apache-2.0
"""Accounts that another hub has made: its passwords, tokens and sessions go on working here."""

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import sqlite3
import time

import pytest

from checks import assert_json, assert_message
from hub_process import wait_until
from login_client import assert_token_error, begin_flow, refresh, token_request, try_password
from test_tokens import become, get
from websocket_client import WebSocketClient

PASSWORD = "small lamps"
# Of PASSWORD, made by PyPI's bcrypt.
BCRYPT = "$2b$12$k9Vwi5xcMAAFEYvHbbzsKunx5u4NU8z5s8DwB36kuK9D0AcIprhaq"
BCRYPT_Y = "$2y$05$k9Vwi5xcMAAFEYvHbbzsKuhvFC429D.Cl1K4FLe.1f4i6GRPjyLmq"
BCRYPT_72 = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKunrKEZIkWhbIL/4WrxNvHVnlU1Fi.uuW"  # of 71 a, b, and anything
BROWSER = "http://old.example:8123/"
SECOND = 1_000_000
LIFE = 10 * 365 * 86_400


def in_database(hub, sql, *values):
    with contextlib.closing(sqlite3.connect(hub.folder / "home.db", timeout=10)) as database, database:
        return database.execute(sql, values).fetchall()


def add_user(hub, name, password, role="user"):
    user_id = secrets.token_hex(16)
    in_database(hub, "INSERT INTO users(id, name, folded_name, role, active, password, created_at, display_name) "
                "VALUES(?, ?, ?, ?, 1, ?, ?, ?)", user_id, name, name, role, password, time.time_ns() // 1000, name)
    return user_id


def stored_password(hub, name):
    return in_database(hub, "SELECT password FROM users WHERE name = ?", name)[0][0]


def part(value):
    text = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def text_of(token_id, key, second, typ_first=False):
    """A token as the other hub makes it: a JWT, by HS256."""
    header = {"typ": "JWT", "alg": "HS256"} if typ_first else {"alg": "HS256", "typ": "JWT"}
    signed = f"{part(header)}.{part({'iss': token_id, 'iat': second, 'exp': second + LIFE})}"
    return f"{signed}.{part(hmac.digest(key.encode(), signed.encode(), 'sha256'))}"


class OldToken:
    """A long-lived token of the other hub, with the hashes of all texts that it may have."""

    def __init__(self, hub, user_id, name):
        self.id, self.key, self.second = secrets.token_hex(16), secrets.token_hex(64), int(time.time()) - 1000
        self.texts = [text_of(self.id, self.key, self.second + late, typ_first)
                      for typ_first in (False, True) for late in (0, 1, -1)]
        first, *others = [hashlib.sha256(text.encode()).digest() for text in self.texts]
        with contextlib.closing(sqlite3.connect(hub.folder / "home.db", timeout=10)) as database, database:
            database.execute("INSERT INTO tokens(id, user_id, name, hash, created_at, expires_at, icon) "
                             "VALUES(?, ?, ?, ?, ?, ?, 'mdi:tablet')",
                             (self.id, user_id, name, first, self.second * SECOND + 250_000, (self.second + LIFE) * SECOND))
            database.executemany("INSERT INTO token_hashes(hash, token_id) VALUES(?, ?)",
                                 [(other, self.id) for other in others])


def add_session(hub, user_id):
    """A session of the other hub: its id, and its refresh token."""
    session_id, text = secrets.token_hex(16), secrets.token_hex(64)
    now = time.time_ns() // 1000
    in_database(hub, "INSERT INTO sessions(id, user_id, client_id, hash, created_at, expires_at, used_at, used_from) "
                "VALUES(?, ?, ?, ?, ?, ?, ?, '192.0.2.9')", session_id, user_id, BROWSER,
                hashlib.sha256(text.encode()).digest(), now - 5 * SECOND, now + LIFE * SECOND, now - SECOND)
    return session_id, text


def refresh_when_known(hub, text):
    """The tokens for a refresh token that the hub finds when it looks for changes of other processes."""
    return assert_json(wait_until(lambda: (answer := refresh(hub, text, client_id=BROWSER)).status_code == 200 and answer))


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs(http={"trusted_proxies": ["127.0.0.1"]})


def assert_wrong(response):
    assert assert_json(response)["errors"] == {"base": "invalid_auth"}


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("stored", [BCRYPT, BCRYPT_Y])
def test_an_old_password_logs_in_and_is_stored_as_argon2id_from_then_on(own, name, stored):
    add_user(own, name, stored)
    for wrong in ("large lamps", PASSWORD + "s", PASSWORD + "\0", ""):
        assert_wrong(try_password(own, name, wrong))
    assert stored_password(own, name) == stored
    step = assert_json(try_password(own, name.upper(), PASSWORD))
    assert step["type"] == "create_entry"
    renewed = stored_password(own, name)
    assert renewed.startswith("$argon2id$")
    session = assert_json(token_request(own, grant_type="authorization_code", code=step["result"]))
    assert get(own, session["access_token"]).status_code == 200
    assert_wrong(try_password(own, name, "large lamps"))
    assert assert_json(try_password(own, name, PASSWORD))["type"] == "create_entry"
    assert stored_password(own, name) == renewed


@pytest.mark.contract("Beyond the specification: login")
def test_an_old_password_counts_by_its_first_72_bytes_until_then(own, name):
    add_user(own, name, BCRYPT_72)
    first = 71 * "a" + "b"
    assert_wrong(try_password(own, name, 72 * "a"))
    assert_wrong(try_password(own, name, first + "\0"))
    assert assert_json(try_password(own, name, first + "tail"))["type"] == "create_entry"
    assert_wrong(try_password(own, name, first + "other"))
    assert assert_json(try_password(own, name, first + "tail"))["type"] == "create_entry"


@pytest.mark.contract("Beyond the specification: login")
def test_what_is_open_stays_open_when_the_hash_changes(own, name):
    user_id = add_user(own, name, BCRYPT_Y)
    session_id, text = add_session(own, user_id)
    issued = refresh_when_known(own, text)
    token = OldToken(own, user_id, "panel").texts[0]
    become(own, 200, token, timeout=20)
    with WebSocketClient(own, issued["access_token"]) as by_session, WebSocketClient(own, token) as by_token:
        assert assert_json(try_password(own, name, PASSWORD))["type"] == "create_entry"
        assert stored_password(own, name).startswith("$argon2id$")
        for socket in (by_session, by_token):
            assert socket.result("auth/current_user")["name"] == name
        assert session_id in [each["id"] for each in by_token.result("auth/refresh_tokens")]
    assert assert_json(refresh(own, text, client_id=BROWSER))["access_token"]


@pytest.mark.contract("Tokens and rights: failed logins")
def test_wrong_guesses_at_an_old_password_are_counted_as_any(own, name):
    add_user(own, name, BCRYPT_Y)
    from_there = {"X-Forwarded-For": "203.0.130.1"}
    for _ in range(10):
        assert_wrong(try_password(own, name, "guess", from_there))
    assert_message(try_password(own, name, PASSWORD, from_there), 429)
    assert stored_password(own, name) == BCRYPT_Y
    assert assert_json(try_password(own, name, PASSWORD, {"X-Forwarded-For": "203.0.130.2"}))["type"] == "create_entry"


@pytest.mark.contract("Beyond the specification: login")
def test_a_password_that_cannot_be_read_lets_nobody_in_and_is_said(module_hubs, name):
    hub = module_hubs()
    hub.errors_expected = True
    for kind, stored in (("cost", BCRYPT.replace("$12$", "$15$")), ("prefix", BCRYPT.replace("$2b$", "$2x$")),
                         ("short", BCRYPT[:-1])):
        add_user(hub, f"{name} {kind}", stored)
        assert_wrong(try_password(hub, f"{name} {kind}", PASSWORD))
        hub.logged(f"the stored password of {name} {kind} lets nobody in: ")
    hub.logged("A bcrypt hash of cost 15: 4 to 14 are taken.")
    hub.stop()
    assert not [line for line in hub.log if "$2" in line or PASSWORD in line]


@pytest.mark.contract("Tokens and rights: long-lived tokens", "Tokens and rights: revoking and expiry")
def test_an_old_token_authenticates_is_listed_once_and_ends_whole(own, name):
    user_id = add_user(own, name, "")
    token, other = OldToken(own, user_id, "Wall panel"), OldToken(own, user_id, "Other")
    for known in (token, other):
        become(own, 200, known.texts[0], timeout=20)
    for text in token.texts:
        assert 170 < len(text) < 240
        assert get(own, text).status_code == 200
    header, claims, signature = token.texts[0].split(".")
    forged = text_of(token.id, secrets.token_hex(64), token.second)
    for wrong in (forged, text_of(token.id, token.key, token.second + 2), f"{header}.{claims}.", token.texts[0] + "x"):
        assert_message(get(own, wrong), 401)
    shown = own.command("token", "list", "--user", name).stdout
    assert shown.count("Wall panel") == 1 and shown.count("Other") == 1
    with WebSocketClient(own, token.texts[3]) as socket:
        listed = [each for each in socket.result("auth/refresh_tokens") if each["client_name"] == "Wall panel"]
        assert [each["id"] for each in listed] == [token.id]
        assert listed[0]["is_current"] and listed[0]["client_icon"] == "mdi:tablet"
        assert listed[0]["type"] == "long_lived_access_token"
        with WebSocketClient(own, other.texts[0]) as by_other:
            assert by_other.result("auth/delete_refresh_token", refresh_token_id=token.id) == {}
        assert socket.close_code() == 1008
    for text in token.texts:
        assert_message(get(own, text), 401)
    assert in_database(own, "SELECT count(*) FROM token_hashes WHERE token_id = ?", token.id) == [(0,)]
    done = own.command("token", "revoke", "--user", name, "--name", "Other")
    assert done.returncode == 0, done.stderr
    become(own, 401, other.texts[0], timeout=20)
    assert not [line for line in own.log if token.texts[0] in line or token.key in line]


@pytest.mark.contract("Tokens and rights: revoking and expiry")
def test_an_old_token_expires(own, name):
    token = OldToken(own, add_user(own, name, ""), "Wall panel")
    become(own, 200, token.texts[4], timeout=20)
    in_database(own, "UPDATE tokens SET expires_at = 1 WHERE id = ?", token.id)
    become(own, 401, token.texts[4], timeout=20)
    for text in token.texts:
        assert get(own, text).status_code == 401


@pytest.mark.contract("Beyond the specification: login")
def test_an_old_session_goes_on(own, name):
    session_id, text = add_session(own, add_user(own, name, ""))
    issued = refresh_when_known(own, text)
    assert get(own, text).status_code == 401
    with WebSocketClient(own, issued["access_token"]) as socket:
        (listed,) = socket.result("auth/refresh_tokens")
        assert listed["id"] == session_id and listed["client_id"] == BROWSER and listed["type"] == "normal"
    assert_token_error(refresh(own, text), "invalid_grant")  # of another client
    rotated = assert_json(refresh(own, text, client_id=BROWSER, rotate="1"))["refresh_token"]
    assert len(rotated) == 43 and assert_json(refresh(own, rotated, client_id=BROWSER))
    assert token_request(own, action="revoke", token=rotated).status_code == 200
    assert get(own, issued["access_token"]).status_code == 401


@pytest.mark.contract("Beyond the specification: login")
def test_an_unknown_name_is_answered_as_a_wrong_password_is(own, name):
    add_user(own, name, BCRYPT_Y)
    answers = [try_password(own, user, "guess", flow_id=assert_json(begin_flow(own))["flow_id"]).json()
               for user in (name, f"{name} nobody", "ann")]
    for answer in answers:
        del answer["flow_id"]
    assert answers[0] == answers[1] == answers[2]
