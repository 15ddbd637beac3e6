# SPDX-License-Identifier: Apache-2.0
"""Passwords: how long they are, and what ends when one changes."""

import pytest

from checks import assert_json
from hub_process import PASSWORD, create_token
from login_client import assert_token_error, code_of, log_in, refresh, token_request, try_password
from test_tokens import become, get
from websocket_client import WebSocketClient

PROVIDER = "config/auth_provider/homeassistant/"
NEW = "eight other lamps"
RULE = "A password has at least 8 characters."


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose users these tests may add and change."""
    return module_hubs()


@pytest.fixture
def admin(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        yield client


def add_user(admin, name):
    """Creates an administrator, who may open streams; returns the id."""
    groups = ["system-admin"]
    return admin.result("config/auth/create", name=name, username=name, password=PASSWORD, group_ids=groups)["user"]["id"]


def by_oneself(hub, _admin, name, _user_id, session, **fields):
    with WebSocketClient(hub, session["access_token"]) as client:
        assert client.result(PROVIDER + "change_password", current_password=PASSWORD, new_password=NEW, **fields) == {}
        assert client.result("auth/current_user")["name"] == name


def by_administrator(_hub, admin, _name, user_id, _session, **fields):
    admin.result(PROVIDER + "admin_change_password", user_id=user_id, password=NEW, **fields)


def by_login(_hub, admin, name, user_id, _session, **fields):
    admin.result(PROVIDER + "create", user_id=user_id, username=name, password=NEW, **fields)


def by_command_line(hub, _admin, name, _user_id, _session, revoke_tokens=False):
    flags = ["--revoke-tokens"] if revoke_tokens else []
    done = hub.command("user", "passwd", name, *flags, "--password-stdin", text=NEW + "\n")
    assert done.returncode == 0, done.stderr


WAYS = [by_oneself, by_administrator, by_login, by_command_line]


@pytest.mark.contract("Weight, and strangers: passwords", "Tokens and rights: revoking and expiry")
@pytest.mark.parametrize("change", WAYS)
def test_a_changed_password_ends_the_other_sessions(own, admin, change):
    name = change.__name__
    user_id = add_user(admin, name)
    session, other = log_in(own, name), log_in(own, name)
    token = create_token(own.folder, name, "script")
    become(own, 200, token)
    with (own.stream("?restrict=nothing", token=other["access_token"]) as stream,
          WebSocketClient(own, other["access_token"]) as socket):
        assert stream.next_frame(1).is_ping
        change(own, admin, name, user_id, session)
        assert stream.rest(2) == []
        assert socket.close_code() == 1008
    assert get(own, other["access_token"]).status_code == 401
    assert_token_error(refresh(own, other["refresh_token"]), "invalid_grant")
    stays = change is by_oneself
    assert get(own, session["access_token"]).status_code == (200 if stays else 401)
    assert refresh(own, session["refresh_token"]).status_code == (200 if stays else 400)
    assert get(own, token).status_code == 200
    assert assert_json(try_password(own, name, NEW))["type"] == "create_entry"


@pytest.mark.contract("Weight, and strangers: passwords", "Tokens and rights: revoking and expiry")
@pytest.mark.parametrize("change", WAYS)
def test_a_changed_password_revokes_the_tokens_if_asked(own, admin, change):
    name = change.__name__ + "_tokens"
    user_id = add_user(admin, name)
    session = log_in(own, name)
    token = create_token(own.folder, name, "script")
    become(own, 200, token)
    change(own, admin, name, user_id, session, revoke_tokens=True)
    become(own, 401, token)
    assert get(own, own.tokens["ann"]).status_code == 200


@pytest.mark.contract("Weight, and strangers: passwords")
def test_a_code_from_before_the_change_opens_no_session(own, admin):
    user_id = add_user(admin, "codes")
    code = code_of(own, "codes")
    admin.result(PROVIDER + "admin_change_password", user_id=user_id, password=PASSWORD)
    assert_token_error(token_request(own, grant_type="authorization_code", code=code), "invalid_grant")
    assert log_in(own, "codes")["access_token"]


@pytest.mark.contract("Weight, and strangers: passwords")
@pytest.mark.parametrize("password", ["", "a", "1234567", "öäüßöäü"])
def test_a_short_password_is_refused_everywhere_and_changes_nothing(own, admin, password):
    name = f"short {len(password)}{password[:1]}"
    user_id = add_user(admin, name)
    session = log_in(own, name)
    with WebSocketClient(own, session["access_token"]) as client:
        assert client.error(PROVIDER + "change_password", current_password=PASSWORD, new_password=password) == (
            "invalid_format", RULE)
    for command, fields in (("config/auth/create", {"name": "nobody", "password": password}),
                            (PROVIDER + "create", {"user_id": user_id, "username": "other", "password": password}),
                            (PROVIDER + "admin_change_password", {"user_id": user_id, "password": password})):
        assert admin.error(command, **fields) == ("invalid_format", RULE)
    for arguments in (("user", "add", "nobody"), ("user", "passwd", name)):
        done = own.command(*arguments, "--password-stdin", text=password + "\n")
        assert done.returncode == 1 and done.stderr == f"hearth: {RULE}\n"
    users = [user["username"] for user in admin.result("config/auth/list")]
    assert name in users and "nobody" not in users and "other" not in users
    assert refresh(own, session["refresh_token"]).status_code == 200
    assert assert_json(try_password(own, name, PASSWORD))["type"] == "create_entry"
