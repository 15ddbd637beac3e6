# SPDX-License-Identifier: Apache-2.0
"""The commands for tokens, users and failed logins: each with successes and failures."""

import pytest

from checks import TIMESTAMP, assert_json
from hub_process import PASSWORD, wait_until
from login_client import CLIENT, log_in, refresh, try_password
from test_tokens import get, through_proxy
from websocket_client import WebSocketClient

COMMANDS = [
    "auth/current_user", "auth/update_current_user", "auth/sign_path", "auth/long_lived_access_token", "auth/refresh_tokens",
    "auth/delete_refresh_token", "auth/delete_all_refresh_tokens", "auth/login_attempts/list",
    "auth/login_attempts/clear", "auth/login_attempts/own", "config/auth/list", "config/auth/create", "config/auth/update", "config/auth/delete",
    "config/auth/view_as", "config/auth/reset_mfa", "auth/setup_mfa", "auth/depose_mfa", "auth/recovery_codes", "auth/second_factor",
    "auth/passkeys/options", "auth/passkeys/create", "auth/passkeys/list", "auth/passkeys/delete",
    "config/auth_provider/homeassistant/create", "config/auth_provider/homeassistant/admin_change_password",
    "config/auth_provider/homeassistant/change_password",
]
OWN = ["auth/login_attempts/own", "config/auth_provider/homeassistant/change_password"]
ADMINISTRATOR = [name for name in COMMANDS if name.startswith(("config/", "auth/login_attempts/")) and name not in OWN]


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose sessions and users these tests may change, except its three users and their tokens."""
    return module_hubs(http={"trusted_proxies": ["127.0.0.1"]})


@pytest.fixture
def admin(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        yield client


@pytest.fixture
def ann(own):
    with WebSocketClient(own, own.tokens["ann"]) as client:
        yield client


@pytest.fixture
def display(own):
    with WebSocketClient(own, own.tokens["display"]) as client:
        yield client


def user_named(client, name):
    return next(user for user in client.result("config/auth/list") if user["name"] == name)


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_key_is_refused(admin, command):
    code, message = admin.error(command, nonsense=1)
    assert code == "invalid_format" and message


@pytest.mark.contract("WebSocket: rights")
@pytest.mark.parametrize("command", ADMINISTRATOR)
def test_users_are_managed_by_administrators(ann, command):
    assert ann.error(command)[0] == "unauthorized"


@pytest.mark.contract("WebSocket: commands")
def test_current_user(admin, ann, display):
    user = admin.result("auth/current_user")
    assert user["name"] == "admin" and user["is_owner"] and user["is_admin"]
    assert user["credentials"] == [{"auth_provider_type": "homeassistant", "auth_provider_id": None}]
    assert user["mfa_modules"] == [{"id": "totp", "name": "Authenticator app", "enabled": False}]
    user = ann.result("auth/current_user")
    assert user["name"] == "ann" and not user["is_owner"] and not user["is_admin"] and not user["is_read_only"]
    user = display.result("auth/current_user")
    assert user["is_read_only"] and not user["is_admin"]


@pytest.mark.contract("WebSocket: commands", "Beyond the specification: signed paths")
def test_signed_path_is_valid_for_that_path_only(own, ann):
    path = ann.result("auth/sign_path", path="/api/states/light.kitchen", expires=60)["path"]
    assert path.startswith("/api/states/light.kitchen?authSig=")
    assert own.anonymous.get(path).status_code == 200
    assert own.anonymous.post(path, json={"state": "on"}).status_code == 401
    assert own.anonymous.get(path.replace("kitchen", "desk")).status_code == 401
    assert own.anonymous.get(path + "&x=1").status_code == 401
    config = ann.result("auth/sign_path", path="/api/config")["path"]
    assert own.anonymous.get(config).status_code == 403
    for fields in ({}, {"path": 5}, {"path": "api/states"}, {"path": "/api/states", "expires": 0},
                   {"path": "/api/states", "expires": "x"}, {"path": "/api/../x"}, {"path": path}):
        assert ann.error("auth/sign_path", **fields)[0] == "invalid_format", fields


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: long-lived tokens")
def test_long_lived_token(own, ann):
    token = ann.result("auth/long_lived_access_token", lifespan=365, client_name="a phone", client_icon="mdi:phone")
    assert get(own, token).status_code == 200
    listed = next(entry for entry in ann.result("auth/refresh_tokens") if entry["client_name"] == "a phone")
    assert listed["type"] == "long_lived_access_token" and listed["client_icon"] == "mdi:phone"
    assert listed["client_id"] is None and not listed["is_current"] and listed["auth_provider_type"] == "homeassistant"
    assert TIMESTAMP.fullmatch(listed["created_at"]) and TIMESTAMP.fullmatch(listed["expire_at"])
    assert ann.error("auth/long_lived_access_token", lifespan=1, client_name="a phone")[0] == "home_assistant_error"
    for fields in ({"lifespan": 1}, {"client_name": "x"}, {"lifespan": 0, "client_name": "x"},
                   {"lifespan": 1, "client_name": ""}, {"lifespan": 1.5, "client_name": "x"}):
        assert ann.error("auth/long_lived_access_token", **fields)[0] == "invalid_format", fields
    assert ann.result("auth/delete_refresh_token", refresh_token_id=listed["id"]) == {}
    assert get(own, token).status_code == 401


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: revoking and expiry")
def test_deleting_a_session_ends_its_sockets(own, ann):
    tokens = log_in(own, "ann")
    with WebSocketClient(own, tokens["access_token"]) as client:
        listed = client.result("auth/refresh_tokens")
        current = next(entry for entry in listed if entry["is_current"])
        assert current["type"] == "normal" and current["client_id"] == CLIENT
        assert current["last_used_ip"] == "127.0.0.1" and TIMESTAMP.fullmatch(current["last_used_at"])
        assert ann.result("auth/delete_refresh_token", refresh_token_id=current["id"]) == {}
        assert client.close_code() == 1008
    assert get(own, tokens["access_token"]).status_code == 401
    assert refresh(own, tokens["refresh_token"]).status_code == 400
    assert ann.error("auth/delete_refresh_token", refresh_token_id=current["id"])[0] == "invalid_token_id"


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: revoking and expiry")
def test_own_session_is_answered_before_it_ends(own):
    for command, fields in (("auth/delete_refresh_token", None), ("auth/delete_all_refresh_tokens",
                                                                  {"token_type": "normal"})):
        with WebSocketClient(own, log_in(own, "display")["access_token"]) as client:
            current = next(entry for entry in client.result("auth/refresh_tokens") if entry["is_current"])
            assert client.result(command, **(fields or {"refresh_token_id": current["id"]})) == {}
            assert client.close_code() == 1008


@pytest.mark.contract("WebSocket: commands")
def test_delete_all_tokens_except_the_own(own):
    first, second = log_in(own, "display"), log_in(own, "display")
    with WebSocketClient(own, first["access_token"]) as client:
        assert client.error("auth/delete_all_refresh_tokens", token_type="x")[0] == "invalid_format"
        assert client.result("auth/delete_all_refresh_tokens", token_type="normal", delete_current_token=False) == {}
        assert get(own, second["access_token"]).status_code == 401
        assert get(own, first["access_token"]).status_code == 200
        types = [entry["type"] for entry in client.result("auth/refresh_tokens")]
        assert types.count("normal") == 1 and types.count("long_lived_access_token") == 1


@pytest.mark.contract("WebSocket: commands")
def test_user_is_created_changed_and_deleted(own, admin):
    created = admin.result("config/auth/create", name="Bob", group_ids=["system-users"], local_only=False)["user"]
    assert created == {"id": created["id"], "username": "Bob", "name": "Bob", "is_owner": False, "is_active": True,
                       "local_only": False, "system_generated": False, "has_second_factor": False, "group_ids": ["system-users"],
                       "credentials": [{"type": "homeassistant"}], "rights": None, "ends_at": None}
    assert user_named(admin, "Bob") == created
    assert assert_json(try_password(own, "bob", ""))["type"] == "form"
    login = {"user_id": created["id"], "username": "robert", "password": PASSWORD}
    assert admin.result("config/auth_provider/homeassistant/create", **login) is None
    tokens = log_in(own, "robert")
    changed = admin.result("config/auth/update", user_id=created["id"], name="Robert", group_ids=["system-read-only"])
    assert changed["user"]["name"] == "Robert" and changed["user"]["group_ids"] == ["system-read-only"]
    headers = {"Authorization": "Bearer " + tokens["access_token"]}
    assert own.anonymous.post("/api/states/test.x", json={"state": "on"}, headers=headers).status_code == 403
    admin.result("config/auth/update", user_id=created["id"], is_active=False)
    assert get(own, tokens["access_token"]).status_code == 401
    assert admin.result("config/auth/delete", user_id=created["id"]) is None
    assert admin.error("config/auth/delete", user_id=created["id"])[0] == "not_found"
    assert admin.error("config/auth/update", user_id=created["id"], name="x")[0] == "not_found"


@pytest.mark.contract("WebSocket: commands")
def test_wrong_users_are_refused(admin):
    me = user_named(admin, "admin")["id"]
    assert admin.error("config/auth/delete", user_id=me)[0] == "no_self_delete"
    code, message = admin.error("config/auth/update", user_id=me, group_ids=["system-users"])
    assert code == "home_assistant_error" and message == "admin is the last active administrator."
    assert admin.error("config/auth/update", user_id=me, is_active=False)[0] == "home_assistant_error"
    assert admin.error("config/auth/create", name="ANN")[0] == "home_assistant_error"
    for fields in ({}, {"name": ""}, {"name": "x", "group_ids": []}, {"name": "x", "group_ids": ["nobody"]},
                   {"name": "x", "local_only": True}, {"name": "x", "password": ""}, {"name": "x", "password": "1234567"}):
        assert admin.error("config/auth/create", **fields)[0] == "invalid_format", fields
    login = {"user_id": "nobody", "username": "x", "password": "x"}
    assert admin.error("config/auth_provider/homeassistant/create", **login)[0] == "not_found"


@pytest.mark.contract("WebSocket: commands")
def test_passwords_change(own, admin):
    user = admin.result("config/auth/create", name="cleo", username="cleo", password=PASSWORD)["user"]
    change = "config/auth_provider/homeassistant/change_password"
    with WebSocketClient(own, log_in(own, "cleo")["access_token"]) as cleo:
        assert cleo.error(change, current_password="guess", new_password="x")[0] == "invalid_current_password"
        assert cleo.error(change, current_password=PASSWORD, new_password="")[0] == "invalid_format"
        assert cleo.result(change, current_password=PASSWORD, new_password="another one") == {}
    assert assert_json(try_password(own, "cleo", PASSWORD))["type"] == "form"
    reset = "config/auth_provider/homeassistant/admin_change_password"
    assert admin.result(reset, user_id=user["id"], password=PASSWORD) is None
    assert log_in(own, "cleo")["access_token"]
    assert admin.error(reset, user_id="nobody", password="x")[0] == "not_found"


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: failed logins")
def test_guessing_the_own_password_is_slow(own, admin):
    admin.result("config/auth/create", name="dora", username="dora", password=PASSWORD)
    guess = {"type": "config/auth_provider/homeassistant/change_password", "current_password": "guess", "new_password": "x"}
    with WebSocketClient(own, log_in(own, "dora")["access_token"]) as dora:
        for number in range(1, 10):
            dora.send(guess | {"id": number})
            assert dora.receive()["error"]["code"] == "invalid_current_password"
        dora.send(guess | {"id": 10})
        dora.send({"id": 11, "type": "auth/refresh_tokens"})
        assert [dora.receive()["id"] for _ in range(2)] == [11, 10]
    assert admin.result("auth/login_attempts/clear", kind="account", subject="dora") is None


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: failed logins")
def test_failed_logins_are_listed_and_cleared(own, admin):
    for _ in range(10):
        through_proxy(own, "203.0.130.1")
    assert through_proxy(own, "203.0.130.1", own.tokens["ann"]).status_code == 429
    try_password(own, "Zoe", "wrong", {"X-Forwarded-For": "203.0.130.2"})
    records = {record["subject"]: record for record in admin.result("auth/login_attempts/list")}
    banned = records["203.0.130.1"]
    assert banned["kind"] == "address" and TIMESTAMP.fullmatch(banned["banned_until"])
    assert TIMESTAMP.fullmatch(banned["last_attempt"]) and banned["last_attempt"] < banned["banned_until"]
    assert records["203.0.130.2"]["failures"] == 1 and records["203.0.130.2"]["banned_until"] is None
    assert records["zoe"]["kind"] == "account" and records["zoe"]["failures"] == 1
    assert admin.result("auth/login_attempts/clear", kind="address", subject="203.0.130.1") is None
    assert through_proxy(own, "203.0.130.1", own.tokens["ann"]).status_code == 200
    assert admin.result("auth/login_attempts/clear", kind="account", subject="zoe") is None
    assert "zoe" not in {record["subject"] for record in admin.result("auth/login_attempts/list")}
    for fields, code in (({"kind": "address", "subject": "203.0.130.1"}, "not_found"),
                         ({"kind": "account", "subject": "zoe"}, "not_found"),
                         ({"kind": "planet", "subject": "x"}, "invalid_format"), ({}, "invalid_format")):
        assert admin.error("auth/login_attempts/clear", **fields)[0] == code


def kept(admin, **fields):
    """The failed logins that are kept, those with these values."""
    return [one for one in admin.result("auth/login_attempts/list")
            if one["kind"] == "attempt" and all(one[key] == value for key, value in fields.items())]


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: failed logins")
def test_failed_logins_are_kept_after_a_good_one(hub_factory):
    hub = hub_factory(http={"trusted_proxies": ["127.0.0.1"]})
    source = {"X-Forwarded-For": "203.0.131.1"}
    for _ in range(3):
        try_password(hub, "Ann", "wrong", source)
    assert assert_json(try_password(hub, "ann", PASSWORD, source))["type"] == "create_entry"
    try_password(hub, "ann", "wrong", source)
    through_proxy(hub, "203.0.131.2")
    with pytest.raises(AssertionError):
        WebSocketClient(hub, "wrong")
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        after, before = kept(admin, account="ann")
        assert (before["failures"], after["failures"]) == (3, 1)
        for one in (before, after):
            assert one["address"] == "203.0.131.1" and one["purpose"] == "login" and one["banned_until"] is None
            assert TIMESTAMP.fullmatch(one["first_attempt"]) and one["first_attempt"] <= one["last_attempt"]
        token = kept(admin, address="203.0.131.2")[0]
        assert (token["account"], token["purpose"], token["failures"]) == (None, "api", 1)
        assert kept(admin, purpose="websocket")[0]["address"] == "127.0.0.1"
    hub.stop()
    hub = hub_factory(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        assert before in kept(admin) and after in kept(admin)
        assert admin.result("auth/login_attempts/clear", kind="attempt", subject=before["subject"]) is None
        assert before not in kept(admin) and after in kept(admin)
        for subject in (before["subject"], "x", "1e3", ""):
            assert admin.error("auth/login_attempts/clear", kind="attempt", subject=subject)[0] == "not_found", subject
        assert admin.result("auth/login_attempts/clear", kind="attempt") is None
        assert kept(admin) == []


@pytest.mark.contract("WebSocket: commands", "Tokens and rights: failed logins")
def test_a_user_sees_who_failed_to_be_them_since_their_login_before(own, admin):
    for name in ("fay", "gus"):
        admin.result("config/auth/create", name=name, username=name, password=PASSWORD)
    try_password(own, "fay", "wrong", {"X-Forwarded-For": "203.0.132.1"})
    first = log_in(own, "fay")["access_token"]
    with WebSocketClient(own, first) as fay:
        seen = fay.result("auth/login_attempts/own")
        assert seen["since"] is None and [one["address"] for one in seen["attempts"]] == ["203.0.132.1"]
        assert set(seen["attempts"][0]) == {"address", "failures", "first_attempt", "last_attempt", "purpose"}
    try_password(own, "FAY", "wrong", {"X-Forwarded-For": "203.0.132.2"})
    try_password(own, "gus", "wrong", {"X-Forwarded-For": "203.0.132.3"})
    with WebSocketClient(own, log_in(own, "fay")["access_token"]) as fay:
        seen = fay.result("auth/login_attempts/own")
        assert TIMESTAMP.fullmatch(seen["since"]) and [one["address"] for one in seen["attempts"]] == ["203.0.132.2"]
    with WebSocketClient(own, log_in(own, "fay")["access_token"]) as fay:
        assert fay.result("auth/login_attempts/own")["attempts"] == []


@pytest.mark.contract("WebSocket: commands")
def test_a_session_keeps_what_its_client_calls_itself(own):
    own.anonymous.headers["User-Agent"] = "Mozilla/5.0 (Android 14; Mobile) Firefox/140.0"
    tokens = log_in(own, "display")

    def current():
        with WebSocketClient(own, tokens["access_token"]) as client:
            return next(one for one in client.result("auth/refresh_tokens") if one["is_current"])

    try:
        assert current()["user_agent"] == "Mozilla/5.0 (Android 14; Mobile) Firefox/140.0"
        own.anonymous.headers["User-Agent"] = "é\tx" + 300 * "y"
        assert refresh(own, tokens["refresh_token"]).status_code == 200
        assert current()["user_agent"] == "???x" + 251 * "y"
        del own.anonymous.headers["User-Agent"]
        assert refresh(own, tokens["refresh_token"]).status_code == 200
        assert current()["user_agent"] == "???x" + 251 * "y"
    finally:
        own.anonymous.headers.pop("User-Agent", None)
    with WebSocketClient(own, own.tokens["display"]) as client:
        tokens_only = [one for one in client.result("auth/refresh_tokens") if one["type"] != "normal"]
        assert tokens_only and all(one["user_agent"] is None for one in tokens_only)


@pytest.mark.contract("WebSocket: commands")
def test_a_new_token_works_at_once(own, ann):
    for number in range(5):
        token = ann.result("auth/long_lived_access_token", lifespan=1, client_name=f"soon {number}")
        assert get(own, token).status_code == 200
    ids = [entry["id"] for entry in ann.result("auth/refresh_tokens") if (entry["client_name"] or "").startswith("soon")]
    for token_id in ids:
        ann.result("auth/delete_refresh_token", refresh_token_id=token_id)
    wait_until(lambda: not any((entry["client_name"] or "").startswith("soon")
                               for entry in ann.result("auth/refresh_tokens")))
