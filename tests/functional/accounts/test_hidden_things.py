# SPDX-License-Identifier: Apache-2.0
"""What a caller may not read is for them as if it were not there: each way to name a hidden script or group answers as it
answers for a name that nobody has."""

import json
import re

import pytest

from hub_process import create_token, wait_until
from test_rights import RIGHTS, ROOM, add_with_rights
from websocket_client import WebSocketClient

HIDDEN, UNKNOWN = "cellar_hatch", "nobody"


class Home:
    """Scripts and groups, of which the callers may read some: guest is a user of the room, phone a token of it."""

    def __init__(self, hub):
        self.hub = hub
        add_with_rights(hub, "guest", RIGHTS)
        hub.tokens["phone"] = create_token(hub.folder, "admin", "of the kitchen", "--scope", "read", "--scope", "control",
                                           "--areas", ROOM)
        hub.tokens["reader"] = create_token(hub.folder, "admin", "reading the kitchen", "--scope", "read", "--areas", ROOM)
        fields = {"level": {"name": "Level", "required": True, "selector": {"number": {"min": 1, "max": 9}}}}
        written = hub.admin.post(f"/api/config/script/config/{HIDDEN}",
                                 json={"alias": "Hidden", "sequence": [{"event": "hatch_opened"}], "fields": fields})
        assert written.status_code == 200, written.text
        self.lamp = "light.kitchen"
        groups = {HIDDEN: [self.lamp], "outer": [f"group.{HIDDEN}"], "loop": ["group.loop", f"group.{HIDDEN}"]}
        for name, members in groups.items():
            made = hub.admin.post("/api/services/group/set", json={"object_id": name, "entities": members})
            assert made.status_code == 200, made.text
        with WebSocketClient(hub, hub.tokens["admin"]) as admin:
            self.label = admin.result("config/label_registry/create", name="Hidden ones")["label_id"]
            admin.result("config/entity_registry/update", entity_id=f"script.{HIDDEN}", labels=[self.label])
        wait_until(lambda: self.client("phone").get("/api/states").status_code == 200)
        wait_until(lambda: self.client("reader").get("/api/states").status_code == 200)

    def client(self, user):
        return self.hub.client(user)

    def lamp_state(self):
        return self.hub.admin.get(f"/api/states/{self.lamp}").json()


@pytest.fixture(scope="module")
def home(module_hubs):
    return Home(module_hubs())


def anonymous(text):
    """Without the names that were asked for, and what no two answers have in common."""
    text = re.sub(f"{HIDDEN}|{UNKNOWN}", "NAME", text)
    return re.sub(r'"(id|date|last_changed|last_updated|last_reported)": ?"?[^",}]*"?', "", text)


# Each asks about the name, and returns all that the caller is told.
def rest(method, path, **body):
    def ask(home, user, name):
        with home.client(user) as client:
            content = json.loads(json.dumps(body).replace("NAME", name))
            answer = client.request(method, path.replace("NAME", name), **content)
            headers = {key: value for key, value in answer.headers.items() if key not in ("date", "content-length")}
            return answer.status_code, anonymous(answer.text), anonymous(json.dumps(headers))
    return ask


def command(kind, **fields):
    def ask(home, user, name):
        with WebSocketClient(home.hub, home.hub.tokens[user]) as client:
            return anonymous(json.dumps(client.command(kind, **json.loads(json.dumps(fields).replace("NAME", name)))))
    return ask


def called(service, target, **data):
    domain, name = service.split(".")
    return command("call_service", domain=domain, service=name, target=target, service_data=data)


SCRIPTS = {
    "its service": rest("POST", "/api/services/script/NAME", json={"level": 5}),
    "without its fields": rest("POST", "/api/services/script/NAME", json={}),
    "with a wrong field": rest("POST", "/api/services/script/NAME", json={"level": "much"}),
    "with unknown fields": rest("POST", "/api/services/script/NAME", json={"what": 1, "target": {"entity_id": "light.kitchen"}}),
    "with a response": rest("POST", "/api/services/script/NAME?return_response", json={"level": 5}),
    "without waiting": rest("POST", "/api/services/script/NAME?wait=0", json={"level": 5}),
    "a body that is no object": rest("POST", "/api/services/script/NAME", json=[1]),
    "another method": rest("GET", "/api/services/script/NAME"),
    "as a command": command("call_service", domain="script", service="NAME", service_data={"level": 5}),
    "as a command with a response": command("call_service", domain="script", service="NAME", return_response=True),
    "turned on": rest("POST", "/api/services/script/turn_on", json={"entity_id": "script.NAME"}),
    "turned on with variables": called("script.turn_on", {"entity_id": "script.NAME"}, variables={"level": 5}),
    "toggled": rest("POST", "/api/services/homeassistant/toggle", json={"entity_id": ["script.NAME"]}),
    "its state": rest("GET", "/api/states/script.NAME"),
    "its state written": rest("POST", "/api/states/script.NAME", json={"state": "on"}),
    "its state removed": rest("DELETE", "/api/states/script.NAME"),
    "its text": rest("GET", "/api/config/script/config/NAME"),
    "its registry entry": command("config/entity_registry/get", entity_id="script.NAME"),
    "several entries": command("config/entity_registry/get_entries", entity_ids=["script.NAME"]),
    "what a target reaches": command("extract_from_target", target={"entity_id": "script.NAME"}),
    "services of a target": command("get_services_for_target", target={"entity_id": "script.NAME"}),
    "triggers of a target": command("get_triggers_for_target", target={"entity_id": "script.NAME"}),
    "conditions of a target": command("get_conditions_for_target", target={"entity_id": "script.NAME"}),
    "related": command("search/related", item_type="entity", item_id="script.NAME"),
    "related scripts": command("search/related", item_type="script", item_id="script.NAME"),
    "its traces": command("trace/list", domain="script", item_id="NAME"),
    "its history": rest("GET", "/api/history/period?filter_entity_id=script.NAME"),
    "its logbook": rest("GET", "/api/logbook?entity=script.NAME"),
    "its text as a command": command("script/config", entity_id="script.NAME"),
}
# The hidden group has a member that the callers control.
GROUPS = {
    f"{service} by {way}": ask
    for service in ("light.turn_on", "light.toggle", "homeassistant.toggle", "homeassistant.turn_off", "homeassistant.update_entity")
    for way, ask in {
        "entity_id": rest("POST", f"/api/services/{service.replace('.', '/')}", json={"entity_id": "group.NAME"}),
        "a list": rest("POST", f"/api/services/{service.replace('.', '/')}", json={"entity_id": ["group.NAME", "group.NAME"]}),
        "commas": rest("POST", f"/api/services/{service.replace('.', '/')}", json={"entity_id": "group.NAME, group.NAME"}),
        "capitals": rest("POST", f"/api/services/{service.replace('.', '/')}", json={"entity_id": "Group.NAME"}),
        "target": rest("POST", f"/api/services/{service.replace('.', '/')}", json={"target": {"entity_id": "group.NAME"}}),
        "a command": called(service, {"entity_id": ["group.NAME"]}),
    }.items()
} | {
    "reached": command("extract_from_target", target={"entity_id": "group.NAME"}, expand_group=True),
    "reached, not expanded": command("extract_from_target", target={"entity_id": "group.NAME"}),
    "services": command("get_services_for_target", target={"entity_id": "group.NAME"}, expand_group=True),
    "related": command("search/related", item_type="group", item_id="group.NAME"),
    "its state": rest("GET", "/api/states/group.NAME"),
    "its history": rest("GET", "/api/history/period?filter_entity_id=group.NAME"),
    "a template": rest("POST", "/api/template", json={"template": "{{ expand('group.NAME') | list }} {{ states('group.NAME') }} "
                                                                  "{{ state_attr('group.NAME', 'entity_id') }}"}),
    "a scene of the moment": rest("POST", "/api/services/scene/apply", json={"entities": {"group.NAME": "on"}}),
    "changed": rest("POST", "/api/services/group/set", json={"object_id": "NAME", "add_entities": ["light.hall"]}),
    "removed": rest("POST", "/api/services/group/remove", json={"object_id": "NAME"}),
}


@pytest.mark.contract("Tokens and rights: right missing")
@pytest.mark.parametrize("user", ["guest", "phone", "reader"])
@pytest.mark.parametrize("way", SCRIPTS)
def test_a_hidden_script_is_as_if_it_were_not_there(home, user, way):
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as admin:
        admin.result("subscribe_events", event_type="hatch_opened")
        assert SCRIPTS[way](home, user, HIDDEN) == SCRIPTS[way](home, user, UNKNOWN)
        admin.result("fire_event", event_type="hatch_opened", event_data={"by": "the test"})
        assert admin.event(1)["data"] == {"by": "the test"}
    assert home.hub.admin.get(f"/api/states/script.{HIDDEN}").json()["state"] == "off"


@pytest.mark.contract("Tokens and rights: right missing")
@pytest.mark.parametrize("user", ["guest", "phone", "reader"])
@pytest.mark.parametrize("way", GROUPS)
def test_a_hidden_group_is_as_if_it_were_not_there(home, user, way):
    before = home.lamp_state()
    assert GROUPS[way](home, user, HIDDEN) == GROUPS[way](home, user, UNKNOWN)
    assert home.lamp_state() == before
    assert home.hub.admin.get(f"/api/states/group.{HIDDEN}").json()["attributes"]["entity_id"] == [home.lamp]


@pytest.mark.contract("Tokens and rights: right missing")
@pytest.mark.parametrize("name", ["outer", "loop"])
def test_a_hidden_group_within_one_that_is_seen_reaches_nothing(home, name):
    """A group of the room: its hidden member is no way to the lamp in it, for who may control the lamp, too."""
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as admin:
        admin.result("config/entity_registry/update", entity_id=f"group.{name}", area_id=ROOM)
    before = home.lamp_state()
    for user in ("guest", "phone"):
        with home.client(user) as client:
            assert client.get(f"/api/states/group.{name}").status_code == 200
            for service in ("light/toggle", "homeassistant/toggle"):
                answer = client.post(f"/api/services/{service}", json={"entity_id": f"group.{name}"})
                assert (answer.status_code, answer.json()) == (200, []), answer.text
    assert home.lamp_state() == before


@pytest.mark.contract("Tokens and rights: right missing")
@pytest.mark.parametrize("user", ["guest", "phone", "reader"])
def test_no_list_of_services_has_a_hidden_script(home, user):
    with home.client(user) as client, WebSocketClient(home.hub, home.hub.tokens[user]) as socket:
        told = client.get("/api/services").text + json.dumps([socket.result("get_services")])
        target = {"entity_id": [f"script.{HIDDEN}", home.lamp], "label_id": [home.label], "area_id": [ROOM]}
        told += json.dumps([socket.command("get_services_for_target", target=target)["result"]])
        told += json.dumps([socket.command(kind)["result"] for kind in ("get_states", "config/entity_registry/list_for_display")])
    assert not [name for name in (f"script.{HIDDEN}", f'"{HIDDEN}"', '"Hidden"') if name in told]
