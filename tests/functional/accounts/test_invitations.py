# SPDX-License-Identifier: Apache-2.0
"""Invitations: a link is good once, for 48 hours, and brings what it says and nothing more."""

import json
import re
import sqlite3
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, wait_until
from login_client import CLIENT, assert_token_error, log_in, token_request, try_password
from websocket_client import WebSocketClient

COMMANDS = {f"config/auth/invitations/{name}" for name in ("create", "delete", "list")}
ROOM = {"read": {"areas": ["kitchen"]}, "control": {"areas": ["kitchen"]}}


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs(home={"name": "Test home"}, http={"trusted_proxies": ["127.0.0.1"]})


@pytest.fixture
def admin(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        yield client


def later(**delta):
    return (datetime.now(timezone.utc) + timedelta(**delta)).isoformat()


def invite(admin, name="Guest", **fields):
    fields = {"group_ids": ["system-users"], "rights": ROOM} | fields
    return admin.result("config/auth/invitations/create", name=name, **fields)


def look(hub, text, headers=None):
    return hub.anonymous.post("/auth/invitation", json={"invitation": text}, headers=headers)


def accept(hub, text, user, headers=None, **changes):
    body = {"invitation": text, "name": user.title(), "username": user, "password": PASSWORD, "client_id": CLIENT}
    return hub.anonymous.post("/auth/invitation/accept", json=body | changes, headers=headers)


def enter(hub, text, username):
    code = assert_json(accept(hub, text, username))["auth_code"]
    return assert_json(token_request(hub, grant_type="authorization_code", code=code))


def listed(admin, invitation):
    return next((each for each in admin.result("config/auth/invitations/list")
                 if each["invitation_id"] == invitation["invitation_id"]), None)


def set_times(hub, invitation, **times):
    """As if time had passed."""
    with sqlite3.connect(hub.folder / "home.db", timeout=20) as database:
        for column, value in times.items():
            database.execute(f"UPDATE invitations SET {column} = ? WHERE id = ?", (value, invitation["invitation_id"]))
    database.close()


def test_a_guest_comes_by_an_invitation_and_has_one_room(own, admin):
    made = invite(admin, "Grandma", ends_at=later(days=7))
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", made["invitation"]) and made["rights"] == ROOM
    shown = assert_json(look(own, made["invitation"]))
    assert (shown["name"], shown["home"], shown["role"], shown["invited_by"]) == ("Grandma", "Test home", "user", "admin")
    assert shown["ends_at"] == made["ends_at"] and shown["expires_at"] == made["expires_at"]
    assert listed(admin, made)["used_at"] is None
    tokens = enter(own, made["invitation"], "grandma")
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    seen = {state["entity_id"] for state in own.anonymous.get("/api/states", headers=headers).json()}
    assert "light.kitchen" in seen and "light.bedroom" not in seen
    user = next(each for each in admin.result("config/auth/list") if each["username"] == "grandma")
    assert user["rights"] == ROOM and user["ends_at"] == made["ends_at"] and user["group_ids"] == ["system-users"]
    used = listed(admin, made)
    assert used["used_at"] is not None and used["used_by"] == "grandma" and "invitation" not in used
    log_in(own, "grandma")  # with the password that they chose


def test_the_text_of_an_invitation_is_stored_nowhere(own, admin):
    made = invite(admin)
    look(own, made["invitation"])
    enter(own, made["invitation"], "stored_nowhere")
    for file in own.folder.rglob("*"):
        if file.is_file():
            assert made["invitation"].encode() not in file.read_bytes(), file
    assert made["invitation"] not in "\n".join(own.log)


def test_an_invitation_is_good_once(own, admin):
    made = invite(admin)
    enter(own, made["invitation"], "first")
    for answer in (look(own, made["invitation"]), accept(own, made["invitation"], "second")):
        assert re.fullmatch(r"This invitation was used on .* UTC; it is good once\.", assert_message(answer, 409))
    assert not any(each["username"] == "second" for each in admin.result("config/auth/list"))


def test_of_many_who_come_at_once_one_gets_in(own, admin):
    made = invite(admin)
    answers = {}

    def come(number):
        with own.client() as client:
            body = {"invitation": made["invitation"], "name": "X", "username": f"racer{number}", "password": PASSWORD,
                    "client_id": CLIENT}
            answers[number] = client.post("/auth/invitation/accept", json=body).status_code

    threads = [threading.Thread(target=come, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers.values()) == [200, 409, 409, 409, 409, 409], answers
    assert len([each for each in admin.result("config/auth/list") if each["username"].startswith("racer")]) == 1


def test_an_invitation_that_has_ended_or_was_taken_back_says_so(own, admin):
    made = invite(admin)
    set_times(own, made, expires_at=int(time.time() * 1e6) - 1_000_000)
    assert re.fullmatch(r"This invitation ended on .*\. Ask for another\.", assert_message(look(own, made["invitation"]), 409))
    assert_message(accept(own, made["invitation"], "late"), 409)
    other = invite(admin)
    assert admin.result("config/auth/invitations/delete", invitation_id=other["invitation_id"]) is None
    assert "taken back" in assert_message(look(own, other["invitation"]), 404)
    assert_message(accept(own, other["invitation"], "late"), 404)
    assert admin.error("config/auth/invitations/delete", invitation_id=other["invitation_id"])[0] == "not_found"
    ended = invite(admin, ends_at=later(days=1))
    set_times(own, ended, ends_at=int(time.time() * 1e6) - 1_000_000)
    assert "The account that this invitation is for ended" in assert_message(look(own, ended["invitation"]), 409)
    assert not any(each["username"] == "late" for each in admin.result("config/auth/list"))


def test_somebody_logged_in_is_told_that_they_need_none(own, admin):
    made = invite(admin)
    headers = {"Authorization": f"Bearer {own.tokens['ann']}"}
    for answer in (look(own, made["invitation"], headers), accept(own, made["invitation"], "again", headers)):
        assert assert_message(answer, 409).startswith("You are logged in as ann.")
    assert listed(admin, made)["used_at"] is None


def test_an_invitation_of_who_is_no_administrator_any_more_lets_nobody_in(own, admin):
    user = admin.result("config/auth/create", name="boss", username="boss", password=PASSWORD,
                        group_ids=["system-admin"])["user"]
    with WebSocketClient(own, log_in(own, "boss")["access_token"]) as boss:
        made = invite(boss)
    assert_json(look(own, made["invitation"]))
    admin.result("config/auth/update", user_id=user["id"], group_ids=["system-users"])
    assert_message(accept(own, made["invitation"], "friend"), 404)
    admin.result("config/auth/update", user_id=user["id"], group_ids=["system-admin"])
    admin.result("config/auth/delete", user_id=user["id"])
    assert listed(admin, made) is None


@pytest.mark.parametrize(("changes", "status", "said"), [
    ({"password": "short"}, 400, "8 characters"),
    ({"username": ""}, 400, "user name"),
    ({"username": "x" * 640}, 400, "user name"),
    ({"username": "ADMIN"}, 400, "There is a user named admin already."),
    ({"name": "x" * 640}, 400, "display name"),
    ({"client_id": "javascript:alert(1)"}, 400, "client_id"),
    ({"username": None}, 400, "username"),
    ({"invitation": 7}, 400, "invitation"),
    ({"invitation": "x" * 5_120}, 404, "not known"),
    ({"invitation": ""}, 404, "not known"),
])
def test_a_wrong_answer_uses_nothing_up(own, admin, changes, status, said):
    made = invite(admin)
    answer = accept(own, made["invitation"], "somebody", {"X-Forwarded-For": "192.168.7.7"}, **changes)
    assert said in assert_message(answer, status)
    assert listed(admin, made)["used_at"] is None


def test_wrong_invitations_count_as_failed_logins(own, admin):
    address = {"X-Forwarded-For": "203.0.124.7"}
    for _ in range(10):
        assert_message(look(own, "A" * 43, address), 404)
    made = invite(admin)
    for answer in (look(own, made["invitation"], address), accept(own, made["invitation"], "x", address),
                   try_password(own, "ann", PASSWORD, address)):
        assert_message(answer, 429)
    assert wait_until(lambda: any(each["kind"] == "attempt" and each["purpose"] == "invitation"
                                  for each in admin.result("auth/login_attempts/list")), timeout=10)
    assert_json(look(own, made["invitation"], {"X-Forwarded-For": "203.0.124.99"}))
    # A used one is no guess.
    enter(own, made["invitation"], "no_guess")
    for _ in range(12):
        assert_message(look(own, made["invitation"], {"X-Forwarded-For": "203.0.125.9"}), 409)


@pytest.mark.parametrize(("fields", "said"), [
    ({"name": ""}, "name"), ({"name": "x" * 640}, "name"), ({"rights": {"see": {}}}, "rights: "),
    ({"rights": {"read": {"areas": ["x" * 70_000]}}}, "rights: may take 65536 bytes at most."),
    ({"group_ids": ["kings"]}, "group_ids"), ({"ends_at": "soon"}, "ends_at"), ({"ends_at": "2001-01-01T00:00:00Z"}, "to come"),
    ({"group_ids": ["system-admin"]}, "administrator"), ({"extra": 1}, "extra"),
])
def test_a_wrong_invitation_is_not_made(admin, fields, said):
    before = len(admin.result("config/auth/invitations/list"))
    _, message = admin.error("config/auth/invitations/create", **({"name": "Guest", "rights": ROOM} | fields))
    assert said in message
    assert len(admin.result("config/auth/invitations/list")) == before


def test_no_more_than_200_are_kept(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"], timeout=60) as admin:
        for _ in range(200):
            invite(admin)
        assert "200 invitations" in admin.error("config/auth/invitations/create", name="More")[1]


def test_it_is_recorded_who_was_invited_and_who_came(own, admin):
    made = invite(admin, "Recorded")
    enter(own, made["invitation"], "recorded")
    rows = admin.result("audit/list", limit=50)["rows"]
    assert any(row["what"] == "config/auth/invitations/create" and row["subject"] == "Recorded" for row in rows)
    came = next(row for row in rows if row["what"] == "invited")
    assert came["user"] == "recorded" and came["subject"] == made["invitation_id"]
    assert made["invitation"] not in json.dumps(rows)


def test_the_command_line_invites_lists_and_takes_back(own, admin, tmp_path):
    done = own.command("user", "invite", "Bob", "--areas", "kitchen", "--until", later(days=3))
    assert done.returncode == 0, done.stderr
    text = re.fullmatch(r".*/invitation#([A-Za-z0-9_-]{43})\n", done.stdout)[1]
    assert "good once, for 48 hours" in done.stderr
    assert assert_json(look(own, text))["invited_by"] is None
    table = own.command("user", "invitations").stdout
    row = next(line for line in table.splitlines() if "Bob" in line)
    assert "{areas: [kitchen]}" in row and " until " in row
    assert own.command("user", "uninvite", row.split()[0]).returncode == 0
    assert_message(look(own, text), 404)
    again = own.command("user", "uninvite", row.split()[0])
    assert again.returncode == 1 and "There is no such invitation." in again.stderr
    wrong = own.command("user", "invite", "Bob", "--until", "Christmas")
    assert wrong.returncode == 1 and "Christmas is no time" in wrong.stderr
    rights = tmp_path / "rights.yaml"
    rights.write_text("read: {all: true}\n")
    by_file = own.command("user", "invite", "Wall", "--read-only", "--file", str(rights))
    assert by_file.returncode == 0, by_file.stderr
    enter(own, by_file.stdout.split("#")[1].strip(), "wall_by_file")
    user = next(each for each in admin.result("config/auth/list") if each["username"] == "wall_by_file")
    assert user["group_ids"] == ["system-read-only"] and user["rights"] == {"read": {"all": True}, "control": {}}


def test_where_a_second_factor_is_demanded_the_invitation_alone_gives_no_session(hub_factory):
    hub = hub_factory(auth={"second_factor": "all"})
    made = hub.command("user", "invite", "Guest", "--areas", "kitchen").stdout.split("#")[1].strip()
    assert assert_json(accept(hub, made, "guest"))["auth_code"] is None
    step = assert_json(try_password(hub, "guest", PASSWORD))
    assert step["step_id"] == "mfa_setup"


def test_a_code_of_an_invitation_is_of_its_client(own, admin):
    made = invite(admin)
    code = assert_json(accept(own, made["invitation"], "of_client"))["auth_code"]
    answer = token_request(own, grant_type="authorization_code", code=code, client_id="http://evil.example/")
    assert_token_error(answer, "invalid_grant")
