# SPDX-License-Identifier: Apache-2.0
"""Passkeys: added, used, copied, stolen."""

import hashlib
import re

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, create_token, wait_until
from login_client import log_in, token_request, try_password
from soft_authenticator import CREDENTIAL, EDDSA, ES256, PRESENT, RS256, VERIFIED, SoftAuthenticator
from test_tokens import get
from websocket_client import WebSocketClient

LOGIN = pytest.mark.contract("Beyond the specification: login")
ORIGIN = "http://localhost:8123"
HOME = "https://home.example.org:8443"


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs(home={"name": "Test home", "external_url": HOME}, http={"trusted_proxies": ["127.0.0.1"]})


@pytest.fixture
def user(own, request):
    name = re.sub(r"\W+", "_", request.node.name)[-30:] + hashlib.sha256(request.node.name.encode()).hexdigest()[:8]
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        admin.result("config/auth/create", name=name, username=name, password=PASSWORD, group_ids=["system-users"])
    return name


@pytest.fixture
def account(own, user):
    """The user's own connection, of a session that has just begun."""
    with WebSocketClient(own, log_in(own, user)["access_token"]) as client:
        yield client


def add(account, authenticator=None, origin=ORIGIN, name="Phone", **changes):
    authenticator = authenticator or SoftAuthenticator()
    options = account.result("auth/passkeys/options", origin=origin)
    answer = authenticator.create(options, origin, **changes)
    assert account.result("auth/passkeys/create", name=name, **answer) is None
    return authenticator


def begin(hub, origin=ORIGIN):
    body = {"client_id": origin + "/", "handler": ["passkey", None], "redirect_uri": origin + "/"}
    return hub.anonymous.post("/auth/login_flow", json=body)


def send(hub, form, answer, origin=ORIGIN, headers=None):
    return hub.anonymous.post(f"/auth/login_flow/{form['flow_id']}", json={"client_id": origin + "/"} | answer, headers=headers)


def try_passkey(hub, authenticator, origin=ORIGIN, headers=None, **changes):
    form = assert_json(begin(hub, origin))
    return send(hub, form, authenticator.get(form["options"], origin, **changes), origin, headers)


def assert_in(hub, answer, origin=ORIGIN):
    done = assert_json(answer)
    assert done["type"] == "create_entry" and done["handler"] == ["passkey", None], done
    tokens = assert_json(token_request(hub, grant_type="authorization_code", code=done["result"], client_id=origin + "/"))
    assert get(hub, tokens["access_token"]).status_code == 200
    return tokens


def assert_out(answer):
    done = assert_json(answer)
    assert done["type"] == "abort" and done["reason"] == "invalid_passkey", done


@LOGIN
@pytest.mark.parametrize("algorithm", [ES256, EDDSA, RS256])
@pytest.mark.parametrize("origin, party", [(ORIGIN, "localhost"), (HOME, "home.example.org")])
def test_lets_its_user_in(own, user, account, algorithm, origin, party):
    options = account.result("auth/passkeys/options", origin=origin)
    assert options["rp"] == {"id": party, "name": "Test home"} and options["user"]["name"] == user
    assert options["authenticatorSelection"] == {"residentKey": "required", "userVerification": "required"}
    assert options["attestation"] == "none" and options["excludeCredentials"] == []
    assert [each["alg"] for each in options["pubKeyCredParams"]] == [-7, -8, -257]
    authenticator = SoftAuthenticator(algorithm)
    assert account.result("auth/passkeys/create", name="Phone", **authenticator.create(options, origin)) is None
    listed = account.result("auth/passkeys/list")
    assert [(each["name"], each["last_used_at"], each["closed"]) for each in listed] == [("Phone", None, False)]
    again = account.result("auth/passkeys/options", origin=origin)
    assert again["excludeCredentials"] == [{"type": "public-key", "id": listed[0]["passkey_id"]}]
    wait_until(lambda: assert_json(own.anonymous.get("/auth/providers"))["passkeys"] is True)
    for _ in range(2):
        form = assert_json(begin(own, origin))
        assert form["step_id"] == "passkey" and form["options"]["rpId"] == party
        assert form["options"]["userVerification"] == "required" and form["options"]["allowCredentials"] == []
        tokens = assert_in(own, send(own, form, authenticator.get(form["options"], origin), origin), origin)
    with WebSocketClient(own, tokens["access_token"]) as client:
        assert client.result("auth/current_user")["name"] == user
    assert account.result("auth/passkeys/list")[0]["last_used_at"]


WRONG_LOGINS = {
    "another challenge": {"client_data": {"challenge": "AAAA"}},
    "no challenge": {"client_data": {"challenge": None}},
    "of a creation": {"client_data": {"type": "webauthn.create"}},
    "of another page": {"client_data": {"origin": "http://localhost:8124"}},
    "of another host": {"client_data": {"origin": "https://evil.example"}},
    "of a page that looks alike": {"client_data": {"origin": ORIGIN + ".evil.example"}},
    "within another page": {"client_data": {"crossOrigin": True}},
    "for another party": {"rp_id": "evil.example"},
    "for a part of the party": {"rp_id": "host"},
    "nobody was there": {"flags": VERIFIED},
    "no finger": {"flags": PRESENT},
    "no flags": {"flags": 0},
    "a signature of other data": {"sent": lambda text, data, signature: (text + b" ", data, signature)},
    "another counter": {"sent": lambda text, data, signature: (text, data[:-1] + b"\xff", signature)},
    "a broken signature": {"sent": lambda text, data, signature: (text, data, signature[:-1] + bytes([signature[-1] ^ 1]))},
    "no signature": {"sent": lambda text, data, signature: (text, data, b"")},
    "cut data": {"sent": lambda text, data, signature: (text, data[:36], signature)},
    "no data": {"sent": lambda text, data, signature: (text, b"", signature)},
    "no JSON": {"sent": lambda text, data, signature: (b"{", data, signature)},
    "a list": {"sent": lambda text, data, signature: (b"[]", data, signature)},
    "long data": {"sent": lambda text, data, signature: (text, data + b"\0" * 5_000, signature)},
    "an unknown key": {"id": b"unknown"},
}


@LOGIN
@pytest.mark.parametrize("wrong", WRONG_LOGINS)
def test_lets_nobody_in_who_is_wrong(own, account, wrong):
    authenticator = add(account)
    assert_out(try_passkey(own, authenticator, **WRONG_LOGINS[wrong]))
    authenticator.counter += 1
    assert_in(own, try_passkey(own, authenticator))


@LOGIN
def test_another_ones_key_signs_for_nobody(own, account):
    add(account)
    stranger = SoftAuthenticator()
    assert_out(try_passkey(own, stranger))
    known = account.result("auth/passkeys/list")[0]["passkey_id"]
    form = assert_json(begin(own))
    assert_out(send(own, form, stranger.get(form["options"], ORIGIN) | {"id": known}))


@LOGIN
def test_a_challenge_is_good_once(own, account):
    authenticator = add(account)
    form = assert_json(begin(own))
    answer = authenticator.get(form["options"], ORIGIN)
    assert_in(own, send(own, form, answer))
    assert_message(send(own, form, answer), 404)
    assert_out(send(own, assert_json(begin(own)), answer))
    form = assert_json(begin(own))
    assert_out(send(own, form, authenticator.get(form["options"], ORIGIN, flags=0)))
    assert_message(send(own, form, authenticator.get(form["options"], ORIGIN)), 404)


@LOGIN
def test_a_counter_that_goes_back_closes_the_key(own, account):
    authenticator = add(account)
    authenticator.counter = 7
    assert_in(own, try_passkey(own, authenticator))
    copy = try_passkey(own, authenticator, step=0)
    assert_out(copy)
    assert account.result("auth/passkeys/list")[0]["closed"] is True
    authenticator.counter += 5
    assert_out(try_passkey(own, authenticator))


@LOGIN
def test_a_key_without_a_counter_goes_on(own, account):
    authenticator = add(account)
    for _ in range(3):
        assert_in(own, try_passkey(own, authenticator, step=0))


WRONG_KEYS = {
    "another challenge": {"client_data": {"challenge": "AAAA"}},
    "of a login": {"client_data": {"type": "webauthn.get"}},
    "of another page": {"client_data": {"origin": "http://localhost:8124"}},
    "within another page": {"client_data": {"crossOrigin": True}},
    "for another party": {"rp_id": "evil.example"},
    "nobody was there": {"flags": VERIFIED | CREDENTIAL},
    "no finger": {"flags": PRESENT | CREDENTIAL},
    "no key": {"flags": PRESENT | VERIFIED},
    "a cut key": {"data": lambda data: data[:-3]},
    "a broken key": {"data": lambda data: data[:-77] + b"\xff" * 77},
    "no point of the curve": {"data": lambda data: data[:-32] + b"\1" * 32},
}


@LOGIN
@pytest.mark.parametrize("wrong", WRONG_KEYS)
def test_a_wrong_key_is_not_added(own, account, wrong):
    options = account.result("auth/passkeys/options", origin=ORIGIN)
    answer = SoftAuthenticator().create(options, ORIGIN, **WRONG_KEYS[wrong])
    assert account.error("auth/passkeys/create", name="Phone", **answer)[0] == "invalid_format"
    assert account.error("auth/passkeys/create", name="Phone", **answer)[0] == "not_found"
    assert account.result("auth/passkeys/list") == []
    add(account)


@LOGIN
@pytest.mark.parametrize("origin", ["http://home.example.org", "https://home.example.org", "https://evil.example", "http://127.0.0.1:8123",
                                    "http://[::1]:8123", "localhost", "https://localhost.evil.example", ""])
def test_only_pages_of_the_home_have_passkeys(own, account, origin):
    assert account.error("auth/passkeys/options", origin=origin)[0] == "invalid_format"
    assert_message(begin(own, origin), 400)


@LOGIN
def test_changes_need_the_password_or_a_fresh_login(own, user, account):
    add(account)
    known = account.result("auth/passkeys/list")[0]["passkey_id"]
    token = create_token(own.folder, user, "panel")
    wait_until(lambda: get(own, token).status_code == 200)
    with WebSocketClient(own, token) as client:
        for kind, fields in (("auth/passkeys/options", {"origin": ORIGIN}), ("auth/passkeys/delete", {"passkey_id": known})):
            assert client.error(kind, **fields)[0] == "invalid_current_password"
            assert client.error(kind, **fields, current_password="wrong")[0] == "invalid_current_password"
        assert client.result("auth/passkeys/delete", passkey_id=known, current_password=PASSWORD) is None
        assert client.error("auth/passkeys/delete", passkey_id=known, current_password=PASSWORD)[0] == "not_found"


@LOGIN
def test_names_and_keys_are_there_once_and_so_many(own, account):
    authenticator = add(account)
    for name, key in (("Phone", SoftAuthenticator()), ("Other", authenticator)):
        answer = key.create(account.result("auth/passkeys/options", origin=ORIGIN), ORIGIN)
        assert account.error("auth/passkeys/create", name=name, **answer)[0] == "home_assistant_error"
    for number in range(19):
        add(account, name=f"Key {number}")
    answer = SoftAuthenticator().create(account.result("auth/passkeys/options", origin=ORIGIN), ORIGIN)
    assert "at most 20" in account.error("auth/passkeys/create", name="One more", **answer)[1]


@LOGIN
def test_nobody_else_has_it(own, account):
    add(account)
    known = account.result("auth/passkeys/list")[0]["passkey_id"]
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        assert ann.error("auth/passkeys/delete", passkey_id=known, current_password=PASSWORD)[0] == "not_found"
        assert known not in str(ann.result("auth/passkeys/list"))


@LOGIN
def test_an_administrator_removes_them_and_an_inactive_user_stays_out(own, user, account):
    authenticator = add(account)
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        user_id = next(each["id"] for each in admin.result("config/auth/list") if each["username"] == user)
        admin.result("config/auth/update", user_id=user_id, is_active=False)
        assert_out(try_passkey(own, authenticator))
        admin.result("config/auth/update", user_id=user_id, is_active=True)
        assert_in(own, try_passkey(own, authenticator))
        assert admin.result("config/auth/reset_mfa", user_id=user_id) is None
    assert_out(try_passkey(own, authenticator))


@pytest.mark.contract("Tokens and rights: failed logins")
def test_failures_ban_the_address_and_close_no_account(own, user, account):
    authenticator = add(account)
    headers = {"X-Forwarded-For": "203.0.131.1"}
    for _ in range(10):
        assert_out(try_passkey(own, authenticator, headers=headers, flags=0))
    assert_message(try_passkey(own, authenticator, headers=headers), 429)
    authenticator.counter += 1
    assert_in(own, try_passkey(own, authenticator))
    assert assert_json(try_password(own, user, PASSWORD))["type"] == "create_entry"
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        assert any(each["kind"] == "attempt" and each["purpose"] == "passkey" for each in admin.result("auth/login_attempts/list"))
