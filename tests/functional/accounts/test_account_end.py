# SPDX-License-Identifier: Apache-2.0
"""Rights and ends of accounts, as an administrator changes them: they hold at once, on all that is open."""

import time
from datetime import datetime, timedelta, timezone

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, create_token, wait_until
from login_client import log_in, refresh, try_password
from websocket_client import WebSocketClient

ROOM = {"read": {"areas": ["kitchen"]}, "control": {"areas": ["kitchen"]}}
EVERYTHING = {"read": {"all": True}, "control": {"all": True}}


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs()


@pytest.fixture
def admin(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        yield client


def at(seconds):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat()


def add(admin, name, **fields):
    fields = {"group_ids": ["system-users"]} | fields
    return admin.result("config/auth/create", name=name, username=name, password=PASSWORD, **fields)["user"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_an_account_ends_with_all_that_is_open(own, admin):
    user = add(admin, "leaving")
    token = create_token(own.folder, "leaving", "phone")
    session = log_in(own, "leaving")
    texts = (token, session["access_token"])
    wait_until(lambda: own.anonymous.get("/api/states", headers=bearer(token)).status_code == 200)
    sockets = [WebSocketClient(own, text, timeout=20) for text in texts]
    for socket in sockets:
        socket.result("subscribe_entities")
    end = time.time() + 2.5
    changed = admin.result("config/auth/update", user_id=user["id"], ends_at=at(2.5))["user"]
    assert changed["ends_at"] is not None and changed["is_active"]
    for socket in sockets:
        assert socket.close_code() == 1008
        socket.close()
    assert time.time() >= end - 0.1  # not before
    for text in texts:
        assert_message(own.anonymous.get("/api/states", headers=bearer(text)), 401)
    assert refresh(own, session["refresh_token"]).status_code in (400, 403)
    assert assert_json(try_password(own, "leaving", PASSWORD))["errors"] == {"base": "invalid_auth"}
    assert admin.error("config/auth/view_as", user_id=user["id"])
    # And goes on where an administrator says so.
    admin.result("config/auth/update", user_id=user["id"], ends_at=None)
    assert assert_json(try_password(own, "leaving", PASSWORD))["type"] == "create_entry"
    wait_until(lambda: own.anonymous.get("/api/states", headers=bearer(token)).status_code == 200)


def test_an_account_that_ended_while_the_hub_was_off_has_ended(hub_factory):
    hub = hub_factory()
    token = create_token(hub.folder, "ann", "phone")
    hub.stop()
    end = time.time() + 2
    assert hub.command("user", "until", "ann", at(2)).returncode == 0
    wait_until(lambda: time.time() > end)
    again = hub_factory(hub.folder)
    assert again.anonymous.get("/api/states", headers=bearer(token)).status_code == 401
    assert again.admin.get("/api/states").status_code == 200


def test_the_command_line_sets_the_end(own, admin):
    add(admin, "by_command")
    assert own.command("user", "until", "by_command").stdout == "never\n"
    assert own.command("user", "until", "by_command", "2099-12-24T18:00+01:00").returncode == 0
    assert own.command("user", "until", "by_command").stdout == "2099-12-24 17:00 UTC\n"
    assert own.command("user", "until", "by_command", "--never").returncode == 0
    assert own.command("user", "until", "by_command").stdout == "never\n"
    for arguments, said in ((("by_command", "Christmas"), "Christmas is no time"), (("by_command", "2001-01-01"), "to come"),
                            (("admin", "2099-01-01"), "administrator"), (("nobody", "2099-01-01"), "no user named nobody")):
        done = own.command("user", "until", *arguments)
        assert done.returncode == 1 and said in done.stderr, done.stderr


def test_rights_are_set_shown_and_lifted_by_commands(own, admin):
    user = add(admin, "limited", rights=ROOM)
    assert user["rights"] == ROOM and user["ends_at"] is None
    assert own.command("user", "rights", "limited").stdout == "read: {areas: [kitchen]}\ncontrol: {areas: [kitchen]}\n"
    assert admin.result("config/auth/update", user_id=user["id"], name="Other")["user"]["rights"] == ROOM  # as they were
    assert admin.result("config/auth/update", user_id=user["id"], rights=EVERYTHING)["user"]["rights"] == EVERYTHING
    assert admin.result("config/auth/update", user_id=user["id"], rights=None)["user"]["rights"] is None
    assert own.command("user", "rights", "limited").stdout == "limited has all the rights of the role user.\n"


@pytest.mark.parametrize(("fields", "said"), [
    ({"rights": []}, "rights"), ({"rights": {"write": {}}}, "rights"), ({"rights": {"read": {"rooms": []}}}, "read"),
    ({"rights": {"read": {"entities": ["x" * 70_000]}}}, "65536"), ({"ends_at": 7}, "ends_at"), ({"ends_at": "soon"}, "ends_at"),
    ({"ends_at": "2001-01-01T00:00:00Z"}, "to come"), ({"group_ids": ["system-admin"], "rights": ROOM}, "administrator"),
])
def test_wrong_rights_change_nothing(own, admin, fields, said):
    user = next((each for each in admin.result("config/auth/list") if each["username"] == "unchanged"), None)
    user = user or add(admin, "unchanged", rights=ROOM, ends_at=at(86_400))
    assert said in admin.error("config/auth/update", user_id=user["id"], **fields)[1]
    after = next(each for each in admin.result("config/auth/list") if each["username"] == "unchanged")
    assert after == user


def test_rights_that_are_taken_away_are_gone_from_all_that_is_open(own, admin):
    user = add(admin, "moved", rights=EVERYTHING)
    session = log_in(own, "moved")
    token = create_token(own.folder, "moved", "phone")
    wait_until(lambda: own.anonymous.get("/api/states", headers=bearer(token)).status_code == 200)
    whole = len(own.admin.get("/api/states").json())
    sockets = [WebSocketClient(own, text, timeout=20) for text in (session["access_token"], token)]
    for socket in sockets:
        socket.result("subscribe_entities")
        assert len(socket.receive()["event"]["a"]) == whole
    started = time.monotonic()
    admin.result("config/auth/update", user_id=user["id"], rights=ROOM)
    # The answer comes when it is in force: nobody reads with the former rights from here on.
    for text in (session["access_token"], token):
        assert len(own.anonymous.get("/api/states", headers=bearer(text)).json()) < whole
        assert own.anonymous.get("/api/states/light.bedroom", headers=bearer(text)).status_code == 404
    for socket in sockets:
        assert socket.close_code() == 1008
        socket.close()
    print(f"closed {time.monotonic() - started:.3f} s after the command")
    with WebSocketClient(own, token) as socket:
        assert len(socket.result("get_states")) < whole


def test_a_stream_of_who_is_no_administrator_any_more_ends(own, admin):
    user = add(admin, "streaming", group_ids=["system-admin"])
    token = create_token(own.folder, "streaming", "phone")
    wait_until(lambda: own.anonymous.get("/api/states", headers=bearer(token)).status_code == 200)
    with own.stream(token=token) as stream:
        admin.result("config/auth/update", user_id=user["id"], group_ids=["system-users"], rights=ROOM)
        stream.rest(timeout=20)
        assert stream.ended == "last chunk"


def test_a_user_who_is_no_administrator_neither_sees_nor_sets_rights(own):
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        for kind in ("config/auth/list", "config/auth/update", "config/auth/invitations/list", "config/auth/invitations/create",
                     "config/auth/invitations/delete"):
            assert ann.error(kind)[0] == "unauthorized"
