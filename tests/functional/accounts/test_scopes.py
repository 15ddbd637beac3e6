# SPDX-License-Identifier: Apache-2.0
"""A token with scopes does what they say of what its user may, at every route and command, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from command_rows import COMMAND_ROWS
from hub_process import add_user, create_token, wait_until
from test_rights import ROOM
from websocket_client import WebSocketClient

SCOPES = ("read", "control", "fire_event", "history", "template", "admin", "metrics")
READING = {"read", "control", "history", "template", "admin"}  # all that include it
USERS = {"admin": "administrator", "ann": "user", "wall": "reader"}

# The scopes that open a group, and whose tokens.
ALL = set(USERS.values())
GROUPS = {
    "open": (set(SCOPES), ALL), "any": (set(SCOPES), ALL), "read": (READING, ALL), "history": ({"history"}, ALL),
    "template": ({"template"}, ALL), "own": ({"control"}, ALL), "control": ({"control"}, {"administrator", "user"}),
    "fire": ({"fire_event"}, {"administrator", "user"}), "account": (set(), ALL), "admin": ({"admin"}, {"administrator"}),
    "admin fire": ({"fire_event"}, {"administrator"}), "admin template": ({"template"}, {"administrator"}),
    "metrics": ({"admin"}, {"administrator"}),
}
REFUSAL = re.compile(r"This token lacks the scope \w+\.|A token with scopes does not manage its user's account\."
                     r"|This user may only read\.|This (endpoint|command) is for administrators\.")


def read_table():
    table, group = {}, None
    for line in (Path(__file__).parent / "scopes.txt").read_text().splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            assert line not in table, line
            table[line] = group
    return table


TABLE = read_table()


def may(row, role, scope):
    """`scope`: None for a token without scopes."""
    scopes, roles = GROUPS[TABLE[row]]
    if TABLE[row] == "metrics" and scope == "metrics":
        return True
    return role in roles and (scope is None or scope in scopes)


@pytest.fixture(scope="module")
def hub(module_hubs):
    hub = module_hubs()
    add_user(hub.folder, "wall", "--read-only")
    for user, role in USERS.items():
        for scope in (None, *SCOPES):
            if scope == "admin" and role != "administrator":
                continue
            flags = () if scope is None else ("--scope", scope)
            hub.tokens[user, scope] = create_token(hub.folder, user, f"scope {scope}", *flags)
    wait_until(lambda: all(ask(hub, token, "GET", "/api/core/state")[0] != 401 for token in scoped(hub)))
    return hub


def scoped(hub):
    return [token for token in hub.tokens if isinstance(token, tuple)]


def ask(hub, token, method, path, **fields):
    """The status, and the message where it is an error; a stream is not read."""
    with hub.client(token) as client, client.stream(method, path, **fields) as answer:
        if answer.status_code not in (401, 403):
            return answer.status_code, ""
        return answer.status_code, json.loads(answer.read())["message"]


def routes(hub):
    document = hub.anonymous.get("/api/openapi.json").json()
    return {f"{method.upper()} {path}": not operation.get("security", True)
            for path, methods in document["paths"].items() for method, operation in methods.items()}


def test_every_route_and_command_has_a_row(hub):
    known = routes(hub)
    assert len(known) > 50 and len(COMMAND_ROWS) > 280
    assert sorted(TABLE) == sorted([*known, *(kind for kind, _ in COMMAND_ROWS)])
    assert {row for row, open_to_all in known.items() if open_to_all} == {row for row in TABLE if TABLE[row] == "open"}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("scope", [None, *SCOPES])
@pytest.mark.contract("Tokens and rights: scopes")
def test_routes(hub, user, scope):
    if (user, scope) not in hub.tokens:
        return
    values = {"domain": "todo", "service": "get_items", "event_type": "party"}
    for row in routes(hub):
        if TABLE[row] == "open":
            continue
        method, path = row.split(" ")
        target = re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], "x"), path)
        # What is let in is refused for what it sends.
        status, message = ask(hub, (user, scope), method, target, **({} if method == "GET" else {"content": "{"}))
        assert status != 401, row
        refused = status == 403 and REFUSAL.fullmatch(message) is not None
        assert refused != may(row, USERS[user], scope), (row, status, message)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("scope", [None, *SCOPES])
@pytest.mark.contract("Tokens and rights: scopes")
def test_commands(hub, user, scope):
    if (user, scope) not in hub.tokens or scope == "metrics":
        return
    with WebSocketClient(hub, hub.tokens[user, scope], timeout=20) as client:
        for kind, _ in COMMAND_ROWS:
            answer = client.command(kind, no_such_field=1)
            error = answer.get("error", {"code": "", "message": ""})
            refused = error["code"] == "unauthorized" and REFUSAL.fullmatch(error["message"]) is not None
            assert refused != may(kind, USERS[user], scope), (kind, answer)


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_token_for_metrics_opens_no_websocket(hub):
    client = WebSocketClient(hub)
    client.receive()
    client.send({"type": "auth", "access_token": hub.tokens["admin", "metrics"]})
    assert client.receive()["type"] == "auth_invalid"
    client.close()


@pytest.mark.contract("Tokens and rights: scopes")
def test_services_that_change_something_need_control(hub):
    for scope in SCOPES:
        for user, role in USERS.items():
            if (user, scope) not in hub.tokens:
                continue
            status, _ = ask(hub, (user, scope), "POST", "/api/services/light/turn_on", json={"entity_id": "light.kitchen"})
            assert (status == 200) == (scope == "control" and role != "reader"), (user, scope, status)


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_token_without_control_is_told_so_of_each_change(hub):
    before = hub.admin.get("/api/states/light.kitchen").json()
    for method, path, body in (("POST", "/api/states/light.kitchen", {"state": "on"}), ("DELETE", "/api/states/light.kitchen", None),
                               ("POST", "/api/services/light/toggle", {"entity_id": "light.kitchen"}),
                               ("POST", "/api/services/script/turn_on", {"entity_id": "script.x"})):
        assert ask(hub, ("admin", "read"), method, path, json=body) == (403, "This token lacks the scope control.")
    with WebSocketClient(hub, hub.tokens["admin", "read"]) as client:
        error = client.error("call_service", domain="light", service="toggle", target={"entity_id": "light.kitchen"})
        assert error == ("unauthorized", "This token lacks the scope control.")
    after = hub.admin.get("/api/states/light.kitchen").json()
    assert (after["state"], after["last_changed"]) == (before["state"], before["last_changed"])


@pytest.mark.contract("Tokens and rights: scopes")
def test_events_need_their_scope_alone(hub):
    assert ask(hub, ("ann", "fire_event"), "POST", "/api/events/party", json={})[0] == 200
    assert ask(hub, ("ann", "control"), "POST", "/api/events/party", json={}) == (403, "This token lacks the scope fire_event.")
    assert ask(hub, ("ann", "fire_event"), "GET", "/api/states") == (403, "This token lacks the scope read.")
    with WebSocketClient(hub, hub.tokens["admin", "fire_event"]) as client:
        assert client.result("fire_event", event_type="party")["context"]["user_id"]
        assert client.result("auth/current_user")["scopes"] == ["fire_event"]


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_signed_path_is_no_more_than_its_token(hub):
    with WebSocketClient(hub, hub.tokens["admin", "read"]) as client:
        allowed = client.result("auth/sign_path", path="/api/states")["path"]
        refused = client.result("auth/sign_path", path="/api/error_log")["path"]
    assert hub.anonymous.get(allowed).status_code == 200
    answer = hub.anonymous.get(refused)
    assert (answer.status_code, answer.json()["message"]) == (403, "This token lacks the scope admin.")


@pytest.mark.contract("Tokens and rights: scopes")
def test_pages_see_what_the_token_may(hub):
    shown = {}
    for token in (("admin", None), ("admin", "read"), ("admin", "control"), ("wall", None), ("ann", "control")):
        with WebSocketClient(hub, hub.tokens[token]) as client:
            user = client.result("auth/current_user")
            shown[token] = user["is_admin"], user["is_read_only"], user["scopes"]
    assert shown == {("admin", None): (True, False, None), ("admin", "read"): (False, True, ["read"]),
                     ("admin", "control"): (False, False, ["read", "control"]), ("wall", None): (False, True, None),
                     ("ann", "control"): (False, False, ["read", "control"])}


@pytest.mark.contract("Tokens and rights: scopes")
def test_tokens_made_over_the_websocket(hub):
    rights = {"read": {"areas": [ROOM]}, "control": {"areas": [ROOM]}}
    with WebSocketClient(hub, hub.tokens["ann", None]) as client:
        token = client.result("auth/long_lived_access_token", lifespan=1, client_name="tablet", scopes=["control"], rights=rights)
        listed = next(each for each in client.result("auth/refresh_tokens") if each["client_name"] == "tablet")
        assert (listed["scopes"], listed["rights"]) == (["read", "control"], rights)
        unlimited = next(each for each in client.result("auth/refresh_tokens") if each["client_name"] == "scope None")
        assert (unlimited["scopes"], unlimited["rights"]) == (None, None)
        for fields, code, said in (
                ({"scopes": ["rule"]}, "invalid_format", "scopes: There is no scope rule; the scopes are read, control"),
                ({"scopes": []}, "invalid_format", "scopes: expected one or more"),
                ({"scopes": ["admin"]}, "invalid_format", "Only an administrator's token can have the scope admin"),
                ({"scopes": ["metrics"]}, "unauthorized", "only an administrator"),
                ({"rights": {"read": {"rooms": []}}}, "invalid_format", "rights: read: expected all, entities"),
                ({"rights": {"see": {}}}, "invalid_format", "rights: rights: expected read and control"),
                ({"rights": []}, "invalid_format", "rights: expected"),
                ({"rights": {"read": {"areas": ["x" * 70_000]}}}, "invalid_format", "rights: may take 65536 bytes")):
            error = client.error("auth/long_lived_access_token", lifespan=1, client_name="refused", **fields)
            assert error[0] == code and said in error[1], error
    with WebSocketClient(hub, hub.tokens["admin", None]) as client:
        error = client.error("auth/long_lived_access_token", lifespan=1, client_name="refused", scopes=["admin"], rights=rights)
        assert "for a part of the home cannot have the scope admin" in error[1]
        assert client.result("auth/long_lived_access_token", lifespan=1, client_name="scraper", scopes=["metrics"])
    hub.tokens["tablet"] = token
    assert ask(hub, "tablet", "GET", "/api/states/light.kitchen")[0] == 200
    assert ask(hub, "tablet", "GET", "/api/states/light.bedroom")[0] == 404
    assert ask(hub, "tablet", "POST", "/api/states/light.bedroom", json={"state": "on"})[0] == 403
    assert ask(hub, "tablet", "GET", "/api/history/period")[0] == 403


@pytest.mark.contract("Tokens and rights: scopes")
def test_the_command_line_makes_and_lists_them(hub):
    made = ("--scope", "read", "--scope", "control", "--areas", "kitchen,bath", "--entities", "Light.Bedroom", "--days", "30")
    create_token(hub.folder, "ann", "kitchen tablet", *made)
    rows = {line.split("  ")[0]: line for line in hub.command("token", "list", "--user", "ann").stdout.splitlines()}
    assert re.search(r"read,control +\{entities: \[light.bedroom\], areas: \[bath, kitchen\]\} ", rows["kitchen tablet"])
    assert re.search(r"scope history +read,history +- ", rows["scope history"]) and re.search(r"scope None +all +- ", rows["scope None"])
    for flags, said in ((("--scope", "rule"), "There is no scope rule; the scopes are read, control, fire_event, history, template, admin, metrics."),
                        (("--scope", "admin"), "Only an administrator's token can have the scope admin; ann is none."),
                        (("--entities", "kitchen"), "--entities: kitchen is no entity id."),
                        (("--scope", "read", "--metrics-only"), "excludes")):
        done = hub.command("token", "create", "--user", "ann", "--name", "refused", *flags)
        assert done.returncode != 0 and said in done.stderr, done.stderr


@pytest.mark.contract("Tokens and rights: scopes")
def test_they_survive_a_restart(hub_factory):
    hub = hub_factory()
    hub.tokens["tablet"] = create_token(hub.folder, "admin", "tablet", "--scope", "history", "--areas", ROOM)
    states = wait_until(lambda: (lambda answer: answer.status_code == 200 and answer.json())(hub.client("tablet").get("/api/states")))
    tokens = hub.tokens
    hub.stop()
    hub = hub_factory.start(hub.folder)
    hub.tokens = tokens
    with hub.client("tablet") as client:
        assert {state["entity_id"] for state in client.get("/api/states").json()} == {state["entity_id"] for state in states}
        assert len(states) < len(hub.admin.get("/api/states").json())
        assert client.get("/api/config").status_code == 403
        assert client.get("/api/logbook").status_code == 200
