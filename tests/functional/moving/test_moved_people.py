# SPDX-License-Identifier: Apache-2.0
"""Moving in: who lived there logs in here, by a token, a session, a password, and nobody else."""

import contextlib
import sqlite3

from checks import assert_json
from login_client import CLIENT, begin_flow, refresh, token_request, try_password
from test_second_factor import App
from websocket_client import WebSocketClient

OLD_CLIENT = "http://127.0.0.1:8123/"  # the browser's, at the old hub


def test_a_token_made_there_works_here_with_its_users_rights(moved):
    users = {each["username"]: each for each in moved.answers["users"]}
    for name in moved.answers["tokens"]:
        with moved.socket(name) as socket:
            me = socket.result("auth/current_user")
            listed = {each["id"]: each for each in socket.result("auth/refresh_tokens")}
        assert (me["id"], me["name"], me["is_admin"]) == (users[name]["id"], users[name]["name"],
                                                         "system-admin" in users[name]["group_ids"])
        for old in moved.answers["listed_tokens"][name]:
            if old["type"] == "long_lived_access_token":
                new = listed[old["id"]]
                assert (new["client_name"], new["created_at"], new["client_icon"]) == (
                    old["client_name"], old["created_at"], old["client_icon"])
    answer = moved.hub.client("guest").post("/api/services/input_boolean/turn_on", json={"entity_id": "input_boolean.holiday"})
    assert answer.status_code in (401, 403)


def test_a_token_that_is_not_quite_one_does_not_work(moved):
    token = moved.answers["tokens"]["ann"]
    for wrong in (token[:-1] + ("A" if token[-1] != "A" else "E"), token.split(".")[0] + "." + token.split(".")[1] + ".", "none"):
        assert moved.hub.anonymous.get("/api/config", headers={"Authorization": f"Bearer {wrong}"}).status_code == 401


def test_users_are_who_they_were(moved):
    with moved.socket() as socket:
        here = {each["id"]: each for each in socket.result("config/auth/list")}
    for old in moved.answers["users"]:
        fate = moved.fates.find(["user"], old["id"])
        if old["system_generated"]:
            assert fate["fate"] == "left" and old["id"] not in here
            continue
        new = here[old["id"]]
        assert fate["fate"] == "carried"
        assert new["name"] == old["name"] and new["username"] == (old["username"] or new["username"])
        assert new["is_active"] == (old["is_active"] and not old["local_only"])
        assert set(old["group_ids"]) <= set(new["group_ids"]) or new["is_owner"]
        assert new["is_owner"] == old["is_owner"]
        if old["local_only"]:
            assert fate["attention"] == "local_only"


def test_a_browsers_session_goes_on(moved):
    for name in ("ann", "bob", "guest"):
        answer = assert_json(refresh(moved.hub, moved.answers["sessions"][name], client_id=OLD_CLIENT))
        headers = {"Authorization": f"Bearer {answer['access_token']}"}
        assert moved.hub.anonymous.get("/api/states", headers=headers).status_code == 200
    wrong = moved.answers["sessions"]["ann"][:-1] + "!"
    assert refresh(moved.hub, wrong, client_id=OLD_CLIENT).status_code == 400


def hash_of(moved, username):
    """How the hub keeps the password: what the hash begins with."""
    with contextlib.closing(sqlite3.connect(f"file:{moved.folder / 'home.db'}?mode=ro", uri=True)) as database:
        row = database.execute("SELECT password FROM users WHERE folded_name = ?", (username,)).fetchone()
    return row[0][:4]


def test_the_old_password_logs_in_and_is_kept_better_then(moved):
    assert hash_of(moved, "bob") == "$2b$"
    assert_json(try_password(moved.hub, "bob", "not the password"))
    assert hash_of(moved, "bob") == "$2b$"
    for name in ("BOB", "bob"):  # the second by the new hash
        step = assert_json(try_password(moved.hub, name, moved.answers["passwords"]["bob"]))
        assert step["type"] == "create_entry", step
        assert hash_of(moved, "bob") == "$arg"
    answer = assert_json(token_request(moved.hub, grant_type="authorization_code", code=step["result"]))
    with WebSocketClient(moved.hub, answer["access_token"]) as socket:
        assert socket.result("auth/current_user")["name"] == "Bob"


def test_who_may_not_log_in_may_not_here(moved):
    for name in ("kid", "gone"):
        step = assert_json(try_password(moved.hub, name, moved.answers["passwords"][name]))
        assert step["type"] != "create_entry", name


def test_a_second_factor_is_asked_or_told(moved):
    """Either the password does not suffice, because the code is asked, or nobody gets in without a person's doing. Never the password alone."""
    careful = next(each["id"] for each in moved.answers["users"] if each["username"] == "careful")
    item = moved.fates.find(["user"], careful)
    flow_id = assert_json(begin_flow(moved.hub))["flow_id"]
    step = assert_json(try_password(moved.hub, "careful", moved.answers["passwords"]["careful"], flow_id=flow_id))
    assert step["type"] == "form", step
    if item.get("attention") == "no_second_factor":
        assert step["errors"]
        return
    assert step["step_id"] == "mfa" and not step["errors"], step
    code = App(moved.answers["second_factor"]["careful"]).code()
    done = assert_json(moved.hub.anonymous.post(f"/auth/login_flow/{flow_id}", json={"client_id": CLIENT, "code": code}))
    assert done["type"] == "create_entry", done


def test_the_data_of_a_users_pages_is_there(moved):
    with moved.socket("bob") as socket:
        assert socket.result("frontend/get_user_data", key="core")["value"] == moved.answers["user_data"]["bob"]["value"]
