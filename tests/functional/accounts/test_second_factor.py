# SPDX-License-Identifier: Apache-2.0
"""The second factor: an authenticator app and recovery codes, from the set-up to the guess."""

import base64
import hashlib
import hmac
import re
import struct
import time
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, create_token, wait_until
from login_client import (CLIENT, HANDLER, Browser, Page, begin_flow, log_in, redirect_parameters, refresh, token_request,
                          try_password)
from test_tokens import get
from websocket_client import WebSocketClient

LOGIN = pytest.mark.contract("Beyond the specification: login")
ADMIN = pytest.mark.contract("Tokens and rights: failed logins")


class App:
    """An authenticator app (RFC 6238)."""

    def __init__(self, secret):
        self.key = base64.b32decode(secret + "=" * (-len(secret) % 8))
        self.used = 0

    def at(self, step):
        mac = hmac.new(self.key, struct.pack(">Q", step), hashlib.sha1).digest()
        offset = mac[-1] & 15
        return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"

    def code(self):
        """One that was not used yet: of the step before, of now, or of the next, whichever is due; waits if it must."""
        self.used = max(self.used + 1, int(time.time()) // 30 - 1)
        wait_until(lambda: self.used <= int(time.time()) // 30 + 1, timeout=60)
        return self.at(self.used)

    def wrong(self):
        """No code of these minutes."""
        now = int(time.time()) // 30
        near = {self.at(step) for step in range(now - 10, now + 11)}
        return next(code for number in range(100) if (code := f"{number:06}") not in near)


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs(http={"trusted_proxies": ["127.0.0.1"]})


@pytest.fixture
def user(own, request):
    """A user of the test's own, who is known at once."""
    name = re.sub(r"\W+", "_", request.node.name)[-40:]
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        admin.result("config/auth/create", name=name, username=name, password=PASSWORD, group_ids=["system-users"])
    return name


def set_up(client, **fields):
    """Sets up an app; returns it and the recovery codes."""
    form = client.result("auth/setup_mfa", mfa_module_id="totp", **fields)
    assert form["type"] == "form" and form["errors"] == {} and form["handler"] == "totp"
    assert form["data_schema"] == [{"type": "string", "name": "code", "required": True}]
    app = App(form["description_placeholders"]["code"])
    done = client.result("auth/setup_mfa", flow_id=form["flow_id"], user_input={"code": app.code()})
    assert done["type"] == "create_entry" and len(done["recovery_codes"]) == 10
    return app, done["recovery_codes"]


def with_app(hub, name):
    with WebSocketClient(hub, log_in(hub, name)["access_token"]) as client:
        return set_up(client)


def after_password(hub, name, headers=None):
    form = assert_json(try_password(hub, name, PASSWORD, headers))
    assert form["type"] == "form" and form["step_id"] == "mfa", form
    return form


def try_code(hub, flow_id, code, headers=None):
    return hub.anonymous.post(f"/auth/login_flow/{flow_id}", json={"client_id": CLIENT, "code": code}, headers=headers)


def assert_entry(hub, answer):
    """The login is complete: its code is worth tokens."""
    done = assert_json(answer)
    assert done["type"] == "create_entry", done
    assert assert_json(token_request(hub, grant_type="authorization_code", code=done["result"]))["access_token"]


@LOGIN
def test_is_set_up_as_clients_do_it(own, user):
    session = log_in(own, user)
    with WebSocketClient(own, session["access_token"]) as client:
        module = {"id": "totp", "name": "Authenticator app", "enabled": False}
        assert client.result("auth/current_user")["mfa_modules"] == [module]
        form = client.result("auth/setup_mfa", mfa_module_id="totp")
        shown = form["description_placeholders"]
        url = urlsplit(shown["url"])
        assert url.scheme == "otpauth" and url.netloc == "totp" and unquote(url.path).endswith(f":{user}")
        assert parse_qs(url.query)["secret"] == [shown["code"]]
        app = App(shown["code"])
        for wrong in (app.wrong(), "", "12345"):
            again = client.result("auth/setup_mfa", flow_id=form["flow_id"], user_input={"code": wrong})
            assert again["errors"] == {"base": "invalid_code"} and again["description_placeholders"] == shown
        assert client.result("auth/current_user")["mfa_modules"] == [module]
        done = client.result("auth/setup_mfa", flow_id=form["flow_id"], user_input={"code": app.code()})
        assert done["type"] == "create_entry" and done["title"] == "Authenticator app"
        assert client.error("auth/setup_mfa", flow_id=form["flow_id"], user_input={"code": "1"})[0] == "not_found"
        assert client.result("auth/current_user")["mfa_modules"] == [module | {"enabled": True}]
        assert client.result("auth/second_factor") == {"totp": True, "recovery_codes": 10}
    assert_entry(own, try_code(own, after_password(own, user)["flow_id"], app.code()))


@LOGIN
@pytest.mark.parametrize("message, code", [
    ({}, "invalid_format"), ({"mfa_module_id": "sms"}, "no_module"), ({"mfa_module_id": 5}, "invalid_format"),
    ({"flow_id": "none", "user_input": {"code": "123456"}}, "not_found"), ({"flow_id": "none"}, "invalid_format"),
    ({"flow_id": "none", "user_input": {"code": 5}}, "invalid_format"),
    ({"flow_id": "none", "user_input": {"code": "1", "x": 2}}, "invalid_format")])
def test_set_up_refuses_wrong_messages(own, user, message, code):
    with WebSocketClient(own, log_in(own, user)["access_token"]) as client:
        assert client.error("auth/setup_mfa", **message)[0] == code
        assert client.error("auth/depose_mfa", mfa_module_id="sms")[0] == "no_module"
        assert client.error("auth/depose_mfa", mfa_module_id="totp")[0] == "not_found"
        assert client.error("auth/recovery_codes")[0] == "not_found"


@LOGIN
def test_changes_need_the_password_or_a_fresh_login(own, user):
    """A tablet that lies about must not lock its owner out, nor let in who has found it."""
    token = create_token(own.folder, user, "panel")
    wait_until(lambda: get(own, token).status_code == 200)
    commands = [("auth/setup_mfa", {"mfa_module_id": "totp"}), ("auth/depose_mfa", {"mfa_module_id": "totp"}),
                ("auth/recovery_codes", {})]
    with WebSocketClient(own, token) as client:
        for kind, fields in commands:
            assert client.error(kind, **fields)[0] == "invalid_current_password"
            assert client.error(kind, **fields, current_password="wrong")[0] == "invalid_current_password"
        app, codes = set_up(client, current_password=PASSWORD)
        for kind, fields in commands:
            assert client.error(kind, **fields)[0] == "invalid_current_password"
        fresh = client.result("auth/recovery_codes", current_password=PASSWORD)["recovery_codes"]
        assert not set(fresh) & set(codes)
        form = assert_json(try_code(own, after_password(own, user)["flow_id"], codes[0]))
        assert form["errors"] == {"base": "invalid_code"}
        assert_entry(own, try_code(own, form["flow_id"], fresh[0]))
        assert client.result("auth/second_factor") == {"totp": True, "recovery_codes": 9}
        assert client.result("auth/depose_mfa", mfa_module_id="totp", current_password=PASSWORD) == "done"
    assert assert_json(try_password(own, user, PASSWORD))["type"] == "create_entry"


@LOGIN
def test_login_asks_for_the_code(own, user):
    app, codes = with_app(own, user)
    form = after_password(own, user)
    assert form["handler"] == HANDLER and form["errors"] == {}
    assert form["data_schema"] == [{"type": "string", "name": "code", "required": True}]
    assert form["description_placeholders"] == {"mfa_module_name": "Authenticator app", "mfa_module_id": "totp"}
    assert_message(try_password(own, user, PASSWORD, flow_id=form["flow_id"]), 400)
    wrong = assert_json(try_code(own, form["flow_id"], app.wrong()))
    assert wrong["step_id"] == "mfa" and wrong["errors"] == {"base": "invalid_code"}
    assert_entry(own, try_code(own, form["flow_id"], app.code()))
    assert_message(try_code(own, form["flow_id"], app.at(app.used)), 404)
    typed = codes[0].upper().replace("-", " ")
    assert_entry(own, try_code(own, after_password(own, user)["flow_id"], typed))


@LOGIN
def test_a_stolen_code_is_worth_nothing_the_second_time(own, user):
    app, codes = with_app(own, user)
    code = app.code()
    assert_entry(own, try_code(own, after_password(own, user)["flow_id"], code))
    assert_entry(own, try_code(own, after_password(own, user)["flow_id"], codes[0]))
    for stolen in (code, codes[0]):
        assert assert_json(try_code(own, after_password(own, user)["flow_id"], stolen))["errors"] == {"base": "invalid_code"}


@LOGIN
def test_a_code_without_the_password_is_worth_nothing(own, user):
    app, _ = with_app(own, user)
    flow_id = assert_json(begin_flow(own))["flow_id"]
    assert_message(try_code(own, flow_id, app.code()), 400)
    assert assert_json(try_password(own, user, "wrong", flow_id=flow_id))["errors"] == {"base": "invalid_auth"}
    assert_message(try_code(own, flow_id, app.code()), 400)
    other = after_password(own, user)["flow_id"]
    assert_message(own.anonymous.post(f"/auth/login_flow/{other}", json={"client_id": "http://evil.example/", "code": app.code()}),
                   404)


@LOGIN
def test_the_third_wrong_code_ends_the_login(own, user):
    app, _ = with_app(own, user)
    flow_id = after_password(own, user)["flow_id"]
    for _ in range(2):
        assert assert_json(try_code(own, flow_id, app.wrong()))["type"] == "form"
    ended = assert_json(try_code(own, flow_id, app.wrong()))
    assert ended["type"] == "abort" and ended["reason"] == "too_many_retry" and ended["flow_id"] == flow_id
    assert_message(try_code(own, flow_id, app.code()), 404)


@LOGIN
def test_a_changed_password_ends_a_login_on_its_way(own, user):
    app, _ = with_app(own, user)
    flow_id = after_password(own, user)["flow_id"]
    done = own.command("user", "passwd", user, "--password-stdin", text=PASSWORD + "\n")
    assert done.returncode == 0, done.stderr
    assert assert_json(try_code(own, flow_id, app.code()))["errors"] == {"base": "invalid_code"}


@ADMIN
def test_codes_are_guesses_of_the_same_throttle(own, user):
    app, codes = with_app(own, user)
    headers = {"X-Forwarded-For": "203.0.130.1"}
    wrong = 0
    while True:
        step = try_password(own, user, PASSWORD, headers)
        if step.status_code == 429:
            break
        flow_id = assert_json(step)["flow_id"]
        while (answer := try_code(own, flow_id, app.wrong(), headers)).status_code == 200:
            wrong += 1
            if answer.json()["type"] == "abort":
                break
    assert wrong == 10
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        attempts = admin.result("auth/login_attempts/list")
        assert any(each["kind"] == "attempt" and each["purpose"] == "second_factor" and each["account"] == user.lower()
                   for each in attempts), attempts
    assert_entry(own, try_code(own, after_password(own, user)["flow_id"], codes[0]))


@LOGIN
def test_sessions_and_long_lived_tokens_are_not_asked(own, user):
    session = log_in(own, user)
    token = create_token(own.folder, user, "wall panel")
    with_app(own, user)
    wait_until(lambda: get(own, token).status_code == 200)
    assert get(own, session["access_token"]).status_code == 200
    assert refresh(own, session["refresh_token"]).status_code == 200


@LOGIN
@pytest.mark.slow
def test_page_asks_for_the_code_without_scripts(own, user):
    app, _ = with_app(own, user)
    with Browser(own) as browser:
        first = Page(browser.open())
        second = Page(browser.submit(first, username=user, password=PASSWORD))
        assert second.labels == {"Code": "code"} and "authenticator app" in second.text
        third = Page(browser.submit(second, code=app.wrong()))
        assert "The code is wrong." in third.text
        where, parameters = redirect_parameters(browser.submit(third, code=app.code()))
        assert where == "http://panel.example:8080/lovelace" and parameters["state"] == "a state&=é"
        assert assert_json(token_request(own, grant_type="authorization_code", code=parameters["code"]))["access_token"]
        again = browser.submit(third, code=app.code())
        assert again.status_code == 400 and Page(again).labels == {"Username": "username", "Password": "password"}
    with Browser(own) as other:
        second = Page(other.submit(Page(other.open()), username=user, password=PASSWORD))
        stolen = second.fields | {"redirect_uri": "http://panel.example:8080/other"}
        second.fields = stolen
        assert other.submit(second, code=app.code()).status_code == 400
        second = Page(other.submit(Page(other.open()), username=user, password=PASSWORD))
        assert other.submit(second, form_token="none", code=app.code()).status_code == 400


@LOGIN
def test_an_administrator_removes_it(own, user):
    with_app(own, user)
    with WebSocketClient(own, own.tokens["admin"]) as admin:
        listed = {each["username"]: each for each in admin.result("config/auth/list")}
        assert listed[user]["has_second_factor"] is True and listed["ann"]["has_second_factor"] is False
        assert admin.result("config/auth/reset_mfa", user_id=listed[user]["id"]) is None
        assert admin.error("config/auth/reset_mfa", user_id=listed[user]["id"])[0] == "not_found"
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        assert ann.error("config/auth/reset_mfa", user_id=listed[user]["id"])[0] == "unauthorized"
    assert assert_json(try_password(own, user, PASSWORD))["type"] == "create_entry"


@LOGIN
def test_the_command_line_removes_it(own, user):
    with_app(own, user)
    assert own.command("user", "reset-mfa", user).returncode == 0
    wait_until(lambda: assert_json(try_password(own, user, PASSWORD))["type"] == "create_entry")


@LOGIN
def test_a_home_demands_it(hub_factory):
    folder = hub_factory.folder(auth={"second_factor": "administrators"})
    hub = hub_factory.start(folder)
    assert assert_json(try_password(hub, "ann", PASSWORD))["type"] == "create_entry"
    form = assert_json(try_password(hub, "admin", PASSWORD))
    assert form["step_id"] == "mfa_setup", form
    app = App(form["description_placeholders"]["code"])
    assert form["description_placeholders"]["url"].startswith("otpauth://totp/")
    wrong = assert_json(try_code(hub, form["flow_id"], app.wrong()))
    assert wrong["errors"] == {"base": "invalid_code"}
    assert wrong["description_placeholders"] == form["description_placeholders"]
    assert_entry(hub, try_code(hub, form["flow_id"], app.code()))
    assert_entry(hub, try_code(hub, after_password(hub, "admin")["flow_id"], app.code()))
    # On the hub's own page, too.
    assert hub.command("user", "reset-mfa", "admin").returncode == 0
    with Browser(hub) as browser:
        second = Page(browser.submit(Page(browser.open()), username="admin", password=PASSWORD))
        app = App(re.search(r"\b[A-Z2-7]{32}\b", second.text).group())
        redirect_parameters(browser.submit(second, code=app.code()))
    assert get(hub, hub.tokens["admin"]).status_code == 200


@LOGIN
def test_nothing_of_it_is_in_the_database_or_the_log(own, user):
    """But the secret, as bytes: codes are made of it."""
    app, codes = with_app(own, user)
    files = b"".join(path.read_bytes() for path in own.folder.glob("home.db*"))
    for text in [*codes, *(code.replace("-", "") for code in codes), base64.b32encode(app.key).decode()]:
        assert text.encode() not in files
    assert app.key in files
