# SPDX-License-Identifier: Apache-2.0
"""A token with scopes does what they say of what its user may, at every route and command, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from command_rows import COMMAND_ROWS
from hub_process import add_user, create_token, wait_until
from test_rights import OTHER, ROOM, Home, move, switch
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


# A token of one room beside a user of one room.


@pytest.fixture(scope="module")
def room(module_hubs):
    home = Home(module_hubs())
    flags = ("--areas", ROOM)
    for name, scopes in (("seeing", ("read", "history", "template")), ("reading", ("read",)), ("controlling", ("control",))):
        home.hub.tokens[name] = create_token(home.hub.folder, "ann", name, *(word for scope in scopes for word in ("--scope", scope)), *flags)
    wait_until(lambda: all(ask(home.hub, name, "GET", "/api/states")[0] == 200 for name in ("seeing", "reading", "controlling")))
    return home


def todo(room):
    return next(id for id in room.entities if id.startswith("todo."))


def subscriptions(room):
    lamp = room.lamp
    return {
        "entities": ("subscribe_entities", {}),
        "named entities": ("subscribe_entities", {"entity_ids": [lamp, room.other_lamp]}),
        "states": ("subscribe_events", {"event_type": "state_changed"}),
        "entity registry": ("subscribe_events", {"event_type": "entity_registry_updated"}),
        "device registry": ("subscribe_events", {"event_type": "device_registry_updated"}),
        "area registry": ("subscribe_events", {"event_type": "area_registry_updated"}),
        "label registry": ("subscribe_events", {"event_type": "label_registry_updated"}),
        "to-do list": ("todo/item/subscribe", {"entity_id": todo(room)}),
        "alerts": ("alerts/subscribe", {}),
        "notifications": ("persistent_notification/subscribe", {}),
        "system data": ("frontend/subscribe_system_data", {"key": "home"}),
        "config entries": ("config_entries/subscribe", {}),
        "template": ("render_template", {"template": f"{{{{ states('{lamp}') }}}} {{{{ states.light | map(attribute='state') | list }}}}"}),
        "history": ("history/stream", {"start_time": "2026-01-01T00:00:00Z", "entity_ids": [lamp, room.other_lamp]}),
        "logbook": ("logbook/event_stream", {"start_time": "2026-01-01T00:00:00Z"}),
    }


BEYOND_READING = {"template", "history", "logbook"}
HEARS_THE_LAMP = {"entities", "named entities", "states", "template", "history", "logbook"}


class Listener:
    """One caller with all of the subscriptions, and what each was told."""

    def __init__(self, room, token, wanted):
        self.client = WebSocketClient(room.hub, room.hub.tokens[token], timeout=20)
        self.names, self.told = {}, {name: [] for name in wanted}
        for name in wanted:
            kind, fields = subscriptions(room)[name]
            self.names[self.client.last_id + 1] = name
            answer = self.client.command(kind, **fields)
            self.told[name].append({"success": answer["success"], "code": answer.get("error", {}).get("code")})

    def read_until(self, mark):
        """Until each that hears the lamp has told of the mark."""
        missing = HEARS_THE_LAMP & set(self.told)
        while missing:
            message = self.client.receive()
            name = self.names[message["id"]]
            self.told[name].append(message["event"])
            if mark in json.dumps(message):
                missing.discard(name)


def happenings(room, mark):
    """In the other room, and in this one; the mark comes last."""
    with WebSocketClient(room.hub, room.hub.tokens["admin"]) as admin:
        for entity, device in ((room.other_lamp, OTHER), (room.lamp, ROOM)):
            switch(room, entity)
            admin.result("config/entity_registry/update", entity_id=entity, name="Renamed")
            admin.result("config/entity_registry/update", entity_id=entity, name=None)
            for one in room.devices.values():
                if one["area_id"] == device:
                    admin.result("config/device_registry/update", device_id=one["id"], name_by_user="Renamed")
                    admin.result("config/device_registry/update", device_id=one["id"], name_by_user=None)
            admin.result("config/area_registry/update", area_id=device, icon="mdi:bed")
            admin.result("config/area_registry/update", area_id=device, icon=None)
    for item in ("Bread", "Butter"):
        call = room.hub.admin.post("/api/services/todo/add_item", json={"entity_id": todo(room), "item": item})
        assert call.status_code == 200
    assert room.hub.admin.post(f"/api/states/{room.lamp}", json={"state": mark}).status_code in (200, 201)


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_token_of_a_room_is_told_what_a_user_of_the_room_is(room):
    wanted = list(subscriptions(room))
    assert len(wanted) >= 12
    move(room, todo(room), area_id=ROOM)
    listeners = {"guest": Listener(room, "guest", wanted), "seeing": Listener(room, "seeing", wanted),
                 "reading": Listener(room, "reading", wanted)}
    for name in BEYOND_READING:
        assert listeners["reading"].told.pop(name) == [{"success": False, "code": "unauthorized"}]
    mark = "the-last-state"
    happenings(room, mark)
    for listener in listeners.values():
        listener.read_until(mark)
        listener.client.close()
    guest = listeners["guest"].told
    for name, listener in listeners.items():
        room.check(json.dumps({key: told for key, told in listener.told.items() if key != "history"}))
        for key, told in listener.told.items():
            # How many changes one frame holds, and how often a template is rendered, is a matter of time.
            exact = key not in HEARS_THE_LAMP - {"states"}
            assert told[-1] == guest[key][-1] if exact else json.dumps(told[-1]).count(mark), (name, key)
            assert not exact or told == guest[key], (name, key)
    with WebSocketClient(room.hub, room.hub.tokens["admin"]) as admin:
        admin.result("subscribe_events", event_type="state_changed")
        switch(room, room.lamp)
        admin.receive()
    move(room, todo(room), area_id=None)


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_token_of_a_room_changes_what_a_user_of_the_room_could(room):
    hub = room.hub
    other = hub.admin.get(f"/api/states/{room.other_lamp}").json()
    for token in ("guest", "controlling"):
        assert ask(hub, token, "POST", "/api/services/light/toggle", json={"entity_id": room.lamp})[0] == 200
        with hub.client(token) as client:
            assert client.post("/api/services/light/toggle", json={"entity_id": room.other_lamp}).json() == []
            changed = client.post("/api/services/light/toggle", json={"entity_id": "all"}).json()
            assert changed and {state["entity_id"] for state in changed} <= room.inside
            assert client.post(f"/api/states/{room.other_lamp}", json={"state": "on"}).status_code == 403
            assert client.delete(f"/api/states/{room.other_lamp}").status_code == 404
            assert client.post("/api/events/party", json={}).status_code == 403
            assert client.post("/api/services/homeassistant/restart", json={}).status_code == 403
    assert hub.admin.get(f"/api/states/{room.other_lamp}").json() == other
    for token in ("reading", "seeing"):
        assert ask(hub, token, "POST", "/api/services/light/toggle", json={"entity_id": room.lamp})[0] == 403
        assert ask(hub, token, "POST", f"/api/states/{room.lamp}", json={"state": "on"})[0] == 403


@pytest.mark.contract("Tokens and rights: scopes")
def test_a_token_has_no_more_than_its_user(room):
    """A token of the whole home, of a user of a room; and one of another room."""
    hub = room.hub
    hub.tokens["whole"] = create_token(hub.folder, "guest", "whole", "--scope", "control")
    hub.tokens["elsewhere"] = create_token(hub.folder, "guest", "elsewhere", "--areas", OTHER)
    with hub.client("whole") as client:
        wait_until(lambda: client.get("/api/states").status_code == 200)
        assert {state["entity_id"] for state in client.get("/api/states").json()} == room.inside & set(room.states)
        assert client.post(f"/api/states/{room.other_lamp}", json={"state": "on"}).status_code == 403
    with hub.client("elsewhere") as client:
        wait_until(lambda: client.get("/api/states").status_code == 200)
        assert client.get("/api/states").json() == []
        assert client.get("/api/registry").json()["areas"] == []
        assert client.post(f"/api/states/{room.lamp}", json={"state": "on"}).status_code == 403
