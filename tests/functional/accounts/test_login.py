# SPDX-License-Identifier: Apache-2.0
"""Logging in: flows, the page, codes, refresh and access tokens."""

import hashlib
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, wait_until
from login_client import (CLIENT, HANDLER, REDIRECT, Browser, Page, assert_token_error, begin_flow, challenge_pair,
                          code_of, log_in, redirect_parameters, refresh, token_request, try_password)
from test_tokens import expire, get

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose sessions these tests may end; its users stay as they are."""
    return module_hubs(http={"cors_allowed_origins": ["https://panel.example"]})


@pytest.mark.contract("Beyond the specification: login")
def test_providers(hub):
    assert assert_json(hub.anonymous.get("/auth/providers")) == {
        "providers": [{"name": "Hearth Local", "id": None, "type": "homeassistant"}], "preselect_remember_me": True,
        "passkeys": False}


@pytest.mark.contract("Beyond the specification: login")
def test_flow_asks_for_name_and_password_and_gives_a_code(own):
    form = assert_json(begin_flow(own))
    assert form["type"] == "form" and form["step_id"] == "init" and form["handler"] == HANDLER and form["errors"] == {}
    assert [(field["name"], field["type"], field["required"]) for field in form["data_schema"]] == [
        ("username", "string", True), ("password", "string", True)]
    done = assert_json(try_password(own, "ann", PASSWORD, flow_id=form["flow_id"]))
    assert done["type"] == "create_entry" and done["flow_id"] == form["flow_id"]
    assert TOKEN.fullmatch(done["result"])
    assert_message(try_password(own, "ann", PASSWORD, flow_id=form["flow_id"]), 404)


@pytest.mark.contract("Beyond the specification: login")
def test_flow_shows_the_form_again_for_a_wrong_password(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    for user, password in (("ann", "wrong"), ("nobody", PASSWORD), ("ann", "")):
        form = assert_json(try_password(own, user, password, flow_id=flow_id))
        assert form["type"] == "form" and form["errors"] == {"base": "invalid_auth"}
        assert form["flow_id"] == flow_id
    assert assert_json(try_password(own, "ANN", PASSWORD, flow_id=flow_id))["type"] == "create_entry"


@pytest.mark.contract("Beyond the specification: login")
def test_flow_can_be_aborted(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    assert_message(own.anonymous.delete(f"/auth/login_flow/{flow_id}"), 200)
    assert_message(own.anonymous.delete(f"/auth/login_flow/{flow_id}"), 404)
    assert_message(try_password(own, "ann", PASSWORD, flow_id=flow_id), 404)


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("changes", [
    {"client_id": ...}, {"client_id": "panel"}, {"client_id": 5}, {"redirect_uri": ...}, {"handler": ...},
    {"handler": ["trusted_networks", None]}, {"handler": "homeassistant"}, {"code_challenge": "x"},
    {"redirect_uri": "http://evil.example/"}, {"redirect_uri": "https://panel.example:8080/"},
    {"redirect_uri": "http://panel.example:8081/"}, {"redirect_uri": "javascript:alert(1)"}])
def test_flow_refuses_wrong_requests(own, changes):
    assert_message(begin_flow(own, **changes), 400)


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("body", [
    "", "[]", "{", {"client_id": CLIENT}, {"client_id": CLIENT, "username": "ann", "password": 5}])
def test_step_refuses_wrong_requests(own, body):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    content = {"json": body} if isinstance(body, dict) else {"content": body}
    assert_message(own.anonymous.post(f"/auth/login_flow/{flow_id}", **content), 400)


@pytest.mark.contract("Beyond the specification: login")
def test_a_login_is_there_only_for_the_client_that_began_it(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    step = {"client_id": "http://other.example/", "username": "ann", "password": PASSWORD}
    assert_message(own.anonymous.post(f"/auth/login_flow/{flow_id}", json=step), 404)
    assert assert_json(try_password(own, "ann", PASSWORD, flow_id=flow_id))["type"] == "create_entry"


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("multipart", [False, True])
def test_code_is_exchanged_for_tokens_once(own, multipart):
    code = code_of(own, "ann")
    response = token_request(own, multipart, grant_type="authorization_code", code=code)
    tokens = assert_json(response)
    assert response.headers["cache-control"] == "no-store"
    assert tokens["token_type"] == "Bearer" and tokens["expires_in"] == 1800
    assert tokens["ha_auth_provider"] == "homeassistant"
    assert TOKEN.fullmatch(tokens["access_token"]) and TOKEN.fullmatch(tokens["refresh_token"])
    assert get(own, tokens["access_token"]).status_code == 200
    assert_token_error(token_request(own, multipart, grant_type="authorization_code", code="x" + code), "invalid_grant")
    assert get(own, tokens["access_token"]).status_code == 200
    # Shown again, by whomever: one of the two has stolen it (RFC 6749 §4.1.2).
    client = "http://other.example/" if multipart else CLIENT
    again = token_request(own, multipart, grant_type="authorization_code", code=code, client_id=client)
    assert_token_error(again, "invalid_grant")
    assert get(own, tokens["access_token"]).status_code == 401
    assert_token_error(refresh(own, tokens["refresh_token"]), "invalid_grant")


# What may have happened to the session meanwhile, and how the code is shown again.
MEANWHILE = {
    "at once": lambda own, tokens: None,
    "after a refresh": lambda own, tokens: assert_json(refresh(own, tokens["refresh_token"])),
    "after a rotation": lambda own, tokens: tokens.update(assert_json(refresh(own, tokens["refresh_token"], rotate="1"))),
    "after a request": lambda own, tokens: get(own, tokens["access_token"]).raise_for_status(),
}
AGAIN = {
    "the same": {}, "another client": {"client_id": "http://other.example/"}, "another redirection": {"redirect_uri": REDIRECT + "x"},
    "without its verifier": {"code_verifier": None}, "another verifier": {"code_verifier": "x" * 43}, "by multipart": {"multipart": True},
}


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("challenge", [False, True])
@pytest.mark.parametrize("meanwhile", MEANWHILE)
@pytest.mark.parametrize("again", AGAIN)
def test_a_code_shown_again_in_any_way_ends_its_session_alone(own, again, meanwhile, challenge):
    verifier, hashed = challenge_pair()
    proof = {"code_verifier": verifier} if challenge else {}
    code = code_of(own, "ann", **({"code_challenge": hashed, "code_challenge_method": "S256"} if challenge else {}))
    tokens, other = assert_json(token_request(own, grant_type="authorization_code", code=code, **proof)), log_in(own, "ann")
    MEANWHILE[meanwhile](own, tokens)
    assert_token_error(token_request(own, grant_type="authorization_code", code=code, **(proof | AGAIN[again])), "invalid_grant")
    assert get(own, tokens["access_token"]).status_code == 401
    assert_token_error(refresh(own, tokens["refresh_token"]), "invalid_grant")
    assert get(own, other["access_token"]).status_code == refresh(own, other["refresh_token"]).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("multipart", [False, True])
@pytest.mark.parametrize("verifier", ["x" * 43, "x", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", " ", "x" * 200])
def test_a_verifier_without_a_challenge_uses_the_code_up(own, verifier, multipart):
    code = code_of(own, "ann")
    for proof in ({"code_verifier": verifier}, {}):
        answer = token_request(own, multipart, grant_type="authorization_code", code=code, **proof)
        assert_token_error(answer, "invalid_grant")


@pytest.mark.contract("Beyond the specification: login")
def test_a_code_shown_by_many_at_once_gives_no_session_that_lasts(own):
    code = code_of(own, "ann")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: token_request(own, grant_type="authorization_code", code=code), range(8)))
    assert sum(answer.status_code == 200 for answer in answers) <= 1
    for answer in answers:
        if answer.status_code == 200:
            assert get(own, answer.json()["access_token"]).status_code == 401


@pytest.mark.contract("Beyond the specification: login")
def test_a_verifier_needs_a_challenge(own):
    verifier, _ = challenge_pair()
    wrong = token_request(own, grant_type="authorization_code", code=code_of(own), code_verifier=verifier)
    assert_token_error(wrong, "invalid_grant")
    assert_json(token_request(own, grant_type="authorization_code", code=code_of(own), code_verifier=""))


@pytest.mark.contract("Beyond the specification: login")
def test_access_token_has_the_rights_of_its_user(own):
    for user, config, write in (("admin", 200, 201), ("ann", 403, 201), ("display", 403, 403)):
        token = log_in(own, user)["access_token"]
        assert get(own, token, "/api/config").status_code == config
        headers = {"Authorization": f"Bearer {token}"}
        written = own.anonymous.post(f"/api/states/test.of_{user}", json={"state": "on"}, headers=headers)
        assert written.status_code == write


@pytest.mark.contract("Beyond the specification: login", "Tokens and rights: no valid token")
def test_only_access_tokens_are_bearer_tokens(own):
    tokens = log_in(own)
    assert_message(get(own, tokens["refresh_token"]), 401)
    assert_message(get(own, code_of(own)), 401)


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("multipart", [False, True])
def test_refresh_issues_another_access_token(own, multipart):
    tokens = log_in(own, "ann")
    answers = [assert_json(refresh(own, tokens["refresh_token"], multipart=multipart)) for _ in range(2)]
    for answer in answers:
        assert sorted(answer) == ["access_token", "expires_in", "ha_auth_provider", "token_type"]
    accesses = {tokens["access_token"], *(answer["access_token"] for answer in answers)}
    assert len(accesses) == 3
    assert all(get(own, access).status_code == 200 for access in accesses)


@pytest.mark.contract("Beyond the specification: login")
def test_token_request_that_is_wrong_is_400(own):
    good = log_in(own)["refresh_token"]
    for fields, error in (
            ({}, "unsupported_grant_type"), ({"grant_type": "password"}, "unsupported_grant_type"),
            ({"grant_type": "refresh_token"}, "invalid_request"),
            ({"grant_type": "authorization_code"}, "invalid_request"),
            ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
            ({"grant_type": "authorization_code", "code": "x"}, "invalid_grant"),
            ({"grant_type": "refresh_token", "refresh_token": good, "client_id": None}, "invalid_request"),
            ({"grant_type": "refresh_token", "refresh_token": good, "client_id": "nonsense"}, "invalid_request"),
            ({"grant_type": "refresh_token", "refresh_token": good, "client_id": "http://other.example/"},
             "invalid_grant"),
            ({"grant_type": "authorization_code", "code": code_of(own), "client_id": "http://other.example/"},
             "invalid_grant"),
            ({"grant_type": "authorization_code", "code": code_of(own), "redirect_uri": REDIRECT + "x"},
             "invalid_grant")):
        assert_token_error(token_request(own, **fields), error)
    for content_type, body in (("application/json", "{}"), ("multipart/form-data", "x"),
                               ("application/x-www-form-urlencoded", "grant_type=a&grant_type=b")):
        response = own.anonymous.post("/auth/token", content=body, headers={"Content-Type": content_type})
        assert_token_error(response, "invalid_request")
    assert refresh(own, good).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
def test_code_with_a_challenge_needs_its_verifier(own):
    verifier, challenge = challenge_pair()
    pkce = {"code_challenge": challenge, "code_challenge_method": "S256"}
    for wrong in (None, "x" * 43, verifier + "x"):
        code = code_of(own, **pkce)
        assert_token_error(token_request(own, grant_type="authorization_code", code=code, code_verifier=wrong),
                           "invalid_grant")
        # One wrong attempt uses it up.
        assert_token_error(token_request(own, grant_type="authorization_code", code=code, code_verifier=verifier),
                           "invalid_grant")
    code = code_of(own, **pkce)
    assert_json(token_request(own, grant_type="authorization_code", code=code, code_verifier=verifier))


@pytest.mark.contract("Beyond the specification: login", "Tokens and rights: revoking and expiry")
@pytest.mark.parametrize("path, fields", [("/auth/revoke", {}), ("/auth/token", {"action": "revoke"})])
def test_revoking_ends_the_session_and_its_streams(own, path, fields):
    tokens, other = log_in(own), log_in(own)
    second = assert_json(refresh(own, tokens["refresh_token"]))["access_token"]
    with own.stream("?restrict=nothing", token=second) as stream, \
            own.stream("?restrict=nothing", token=other["access_token"]) as untouched:
        assert stream.next_frame(1).is_ping and untouched.next_frame(1).is_ping
        assert_json(own.anonymous.post(path, data=fields | {"token": tokens["refresh_token"]}))
        assert stream.rest(1) == []
        for access in (tokens["access_token"], second):
            assert_message(get(own, access), 401)
        assert_token_error(refresh(own, tokens["refresh_token"]), "invalid_grant")
        own.admin.post("/api/events/nothing")
        assert untouched.next_event(1).type == "nothing"


@pytest.mark.contract("Beyond the specification: login")
def test_revoking_is_always_200(own):
    assert_json(own.anonymous.post("/auth/revoke", data={"token": "nonsense"}))
    assert_json(own.anonymous.post("/auth/revoke", files={"token": (None, "nonsense")}))
    assert_json(own.anonymous.post("/auth/revoke"))
    assert_json(own.anonymous.post("/auth/revoke", json={"token": 5}))


@pytest.mark.contract("Beyond the specification: login", "Tokens and rights: revoking and expiry")
def test_expired_access_token_is_refused_and_its_stream_closed(own):
    tokens = log_in(own)
    with own.stream("?restrict=nothing", token=tokens["access_token"]) as stream:
        assert stream.next_frame(1).is_ping
        expire(own, tokens["access_token"])
        assert stream.rest(2) == []
    assert_message(get(own, tokens["access_token"]), 401)
    fresh = assert_json(refresh(own, tokens["refresh_token"]))["access_token"]
    assert get(own, fresh).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
def test_tokens_are_stored_only_as_their_hashes(own):
    tokens = log_in(own)
    files = [path.read_bytes() for path in own.folder.rglob("*") if path.is_file()]
    for token in (tokens["access_token"], tokens["refresh_token"]):
        assert not any(token.encode() in content for content in files)
        assert any(hashlib.sha256(token.encode()).digest() in content for content in files)
        assert not any(token in line for line in own.log)


@pytest.mark.contract("Beyond the specification: login")
def test_sessions_survive_a_restart(hub_factory):
    hub = hub_factory()
    tokens = log_in(hub)
    code = code_of(hub)
    hub.stop()
    hub = hub_factory(hub.folder)
    assert get(hub, tokens["access_token"]).status_code == 200
    again = assert_json(refresh(hub, tokens["refresh_token"]))["access_token"]
    assert get(hub, again).status_code == 200
    assert_token_error(token_request(hub, grant_type="authorization_code", code=code), "invalid_grant")


@pytest.mark.contract("Beyond the specification: login", "Tokens and rights: revoking and expiry")
def test_deactivated_user_gets_no_tokens(hub_factory):
    hub = hub_factory()
    tokens, code = log_in(hub, "ann"), code_of(hub, "ann")
    assert hub.command("user", "deactivate", "ann").returncode == 0
    wait_until(lambda: get(hub, tokens["access_token"]).status_code == 401, 1.5)
    assert_token_error(refresh(hub, tokens["refresh_token"]), "access_denied", 403)
    assert_token_error(token_request(hub, grant_type="authorization_code", code=code), "access_denied", 403)
    form = assert_json(try_password(hub, "ann", PASSWORD))
    assert form["errors"] == {"base": "invalid_auth"}
    assert hub.command("user", "activate", "ann").returncode == 0
    wait_until(lambda: get(hub, tokens["access_token"]).status_code == 200, 1.5)


@pytest.mark.contract("Beyond the specification: login", "Every endpoint: OPTIONS and CORS")
def test_other_origins_need_the_configured_list(own):
    tokens = log_in(own)
    for origin, allowed in (("https://panel.example", True), ("https://evil.example", False)):
        data = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": CLIENT}
        answer = own.anonymous.post("/auth/token", data=data, headers={"Origin": origin})
        assert answer.headers.get("access-control-allow-origin") == (origin if allowed else None)


# The page


@pytest.mark.contract("Beyond the specification: login")
def test_page_logs_in_without_scripts(own):
    verifier, challenge = challenge_pair()
    with Browser(own) as browser:
        response = browser.open(code_challenge=challenge, code_challenge_method="S256")
        assert response.status_code == 200
        page = Page(response)
        assert page.labels == {"Username": "username", "Password": "password"} and page.buttons == ["Log in"]
        assert "http://panel.example:8080" in page.text
        where, parameters = redirect_parameters(browser.submit(page, username="ann", password=PASSWORD))
        assert where == "http://panel.example:8080/lovelace"
        assert parameters["auth_callback"] == "1" and parameters["state"] == "a state&=é"
    other = ("y" if parameters["code"].startswith("x") else "x") + parameters["code"][1:]
    assert_token_error(token_request(own, grant_type="authorization_code", code=other), "invalid_grant")
    tokens = assert_json(token_request(own, grant_type="authorization_code", code=parameters["code"],
                                       redirect_uri=REDIRECT, code_verifier=verifier))
    assert get(own, tokens["access_token"]).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
def test_page_is_strict(own):
    with Browser(own) as browser:
        response = browser.open()
    policy = dict(part.strip().split(" ", 1) for part in response.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self' http://panel.example:8080"
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["cache-control"] == "no-store"
    assert re.search(r"HttpOnly", response.headers["set-cookie"]) and "SameSite=Lax" in response.headers["set-cookie"]


NATIVE = "homeassistant://auth-callback"
WEAR = "https://wear.googleapis.com/3p_auth/io.homeassistant.companion.android"


@pytest.mark.contract("Beyond the specification: login", "Companion apps: native clients")
@pytest.mark.parametrize("app, redirect, source", [("iOS", NATIVE, "homeassistant:"),
                                                   ("android", NATIVE, "homeassistant:"),
                                                   ("android", WEAR, "https://wear.googleapis.com")])
def test_companion_app_logs_in(own, app, redirect, source):
    client = f"https://home-assistant.io/{app}"
    with Browser(own) as browser:
        response = browser.open(client_id=client, redirect_uri=redirect)
        assert response.status_code == 200
        assert f"form-action 'self' {source};" in response.headers["content-security-policy"]
        page = Page(response)
        assert "the companion app for" in page.text
        location = browser.submit(page, username="ann", password=PASSWORD).headers["location"]
    assert location.startswith(f"{redirect}?code=")
    code = re.search(r"code=([A-Za-z0-9_-]{43})", location)[1]
    tokens = assert_json(token_request(own, grant_type="authorization_code", code=code, client_id=client))
    assert get(own, tokens["access_token"]).status_code == 200
    flow = assert_json(begin_flow(own, client_id=client, redirect_uri=redirect))
    assert flow["type"] == "form"


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("client, redirect", [
    ("https://home-assistant.io/iOS", WEAR), ("https://home-assistant.io/ios", NATIVE), (CLIENT, NATIVE),
    ("https://home-assistant.io/android", "homeassistant://navigate"),
    ("https://home-assistant.io/android", NATIVE + "/x"), ("https://home-assistant.io/android", "javascript:alert(1)")])
def test_other_native_addresses_are_refused(own, client, redirect):
    assert "redirect_uri" in assert_message(begin_flow(own, client_id=client, redirect_uri=redirect), 400)
    with Browser(own) as browser:
        assert_message(browser.open(client_id=client, redirect_uri=redirect), 400)


@pytest.mark.contract("Beyond the specification: login")
def test_page_says_that_the_password_was_wrong(own):
    with Browser(own) as browser:
        page = Page(browser.open())
        response = browser.submit(page, username='ann"><b>', password="wrong")
        assert response.status_code == 200
        again = Page(response)
        assert "wrong" in again.text and again.fields["username"] == 'ann"><b>'
        assert "<b>" not in response.text
        redirect_parameters(browser.submit(again, username="ann", password=PASSWORD))


@pytest.mark.contract("Beyond the specification: login")
def test_page_escapes_the_clients_parameters(own):
    state = "'\"><script>alert(1)</script>&amp;"
    redirect = "http://panel.example:8080/?\"'><script>"
    with Browser(own) as browser:
        response = browser.open(state=state, redirect_uri=redirect)
        assert "<script" not in response.text
        page = Page(response)
        assert page.fields["state"] == state and page.fields["redirect_uri"] == redirect
        location = browser.submit(page, username="ann", password=PASSWORD).headers["location"]
        assert urlsplit(location).netloc == "panel.example:8080"


@pytest.mark.contract("Beyond the specification: login")
def test_page_accepts_no_form_of_another_site(own):
    with Browser(own) as browser, Browser(own) as other:
        page = Page(browser.open())
        for response in (other.submit(page, username="ann", password=PASSWORD),
                         browser.submit(page, username="ann", password=PASSWORD, form_token="x" * 43),
                         browser.submit(page, username="ann", password=PASSWORD, form_token="")):
            assert response.status_code == 400
            assert "Try again" in Page(response).text
        # The form that it shows then works.
        again = Page(other.submit(page, username="ann", password="x"))
        redirect_parameters(other.submit(again, username="ann", password=PASSWORD))
        # Two pages in one browser do not disturb each other.
        second = Page(browser.open(state="two"))
        redirect_parameters(browser.submit(page, username="ann", password=PASSWORD))
        redirect_parameters(browser.submit(second, username="ann", password=PASSWORD))


@pytest.mark.contract("Beyond the specification: login")
@pytest.mark.parametrize("parameters", [
    {"client_id": None}, {"redirect_uri": None}, {"client_id": "panel"}, {"response_type": "token"},
    {"redirect_uri": "http://evil.example/"}, {"redirect_uri": "http://panel.example:8080@evil.example/"},
    {"redirect_uri": "http://panel.example:8080/#x"}, {"redirect_uri": "http://panel.example:8080.evil.example/"},
    {"code_challenge": "short", "code_challenge_method": "S256"}, {"code_challenge_method": "S256"},
    {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"},
    {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "plain"}])
def test_page_refuses_wrong_parameters(own, parameters):
    with Browser(own) as browser:
        assert_message(browser.open(**parameters), 400)
        fields = Page(browser.open()).fields | {"username": "ann", "password": PASSWORD}
        fields |= {key: value for key, value in parameters.items() if value is not None}
        fields = {key: value for key, value in fields.items() if parameters.get(key, value) is not None}
        assert_message(browser.client.post("/auth/authorize", data=fields), 400)


def age_former_tokens(hub, seconds):
    """As if refresh tokens had been replaced so much earlier."""
    with closing(sqlite3.connect(hub.folder / "home.db", timeout=10)) as database, database:
        database.execute("UPDATE former_refresh_tokens SET replaced_at = replaced_at - ?", (seconds * 1_000_000,))


@pytest.mark.contract("Beyond the specification: login")
def test_refresh_tokens_rotate_for_clients_that_ask(own):
    first = log_in(own)
    assert "refresh_token" not in assert_json(refresh(own, first["refresh_token"]))
    assert "refresh_token" not in assert_json(refresh(own, first["refresh_token"], rotate="0"))
    assert_token_error(refresh(own, first["refresh_token"], rotate="yes"), "invalid_request")
    second = assert_json(refresh(own, first["refresh_token"], rotate="1"))
    assert TOKEN.fullmatch(second["refresh_token"]) and second["refresh_token"] != first["refresh_token"]
    # Another page of the browser, or an answer that got lost.
    again = assert_json(refresh(own, first["refresh_token"], rotate="1"))
    assert again["refresh_token"] == second["refresh_token"] and again["access_token"] != second["access_token"]
    third = assert_json(refresh(own, second["refresh_token"], rotate="1"))
    for tokens in (first, second, again, third):
        assert get(own, tokens["access_token"]).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
def test_a_replaced_refresh_token_that_is_used_later_ends_the_session(own):
    first, other = log_in(own), log_in(own)
    second = assert_json(refresh(own, first["refresh_token"], rotate="1"))
    third = assert_json(refresh(own, second["refresh_token"], rotate="1"))
    age_former_tokens(own, 61)
    with own.stream("?restrict=nothing", token=third["access_token"]) as stream:
        assert stream.next_frame(1).is_ping
        assert_token_error(refresh(own, first["refresh_token"], rotate="1"), "invalid_grant")
        assert stream.rest(2) == []
    assert_token_error(refresh(own, third["refresh_token"]), "invalid_grant")
    assert get(own, third["access_token"]).status_code == 401
    assert refresh(own, other["refresh_token"]).status_code == 200


@pytest.mark.contract("Beyond the specification: login")
def test_a_replaced_refresh_token_goes_on_after_a_restart(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory.start(folder)
    first = log_in(hub)
    second = assert_json(refresh(hub, first["refresh_token"], rotate="1"))
    hub.stop()
    hub = hub_factory.start(folder)
    third = assert_json(refresh(hub, first["refresh_token"], rotate="1"))
    fourth = assert_json(refresh(hub, second["refresh_token"], rotate="1"))
    assert assert_json(refresh(hub, third["refresh_token"], rotate="1"))["refresh_token"]
    for tokens in (third, fourth):
        assert get(hub, tokens["access_token"]).status_code == 200
