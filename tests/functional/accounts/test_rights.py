# SPDX-License-Identifier: Apache-2.0
"""A user who may see and control one room: nothing of another room is in any answer, frame or event."""

import json
import re
import time

import pytest

from command_rows import COMMAND_ROWS
from hub_process import add_user, create_token, wait_until
from websocket_client import WebSocketClient

ROOM, OTHER = "kitchen", "bedroom"
RIGHTS = f"read: {{areas: [{ROOM}]}}\ncontrol: {{areas: [{ROOM}]}}\n"
DAY = 86_400


def set_rights(hub, user, text):
    file = hub.folder / "rights.yaml"
    file.write_text(text)
    done = hub.command("user", "rights", user, "--file", str(file))
    assert done.returncode == 0, done.stderr


def add_with_rights(hub, user, text):
    """A user with a token that the running hub knows already."""
    add_user(hub.folder, user)
    set_rights(hub, user, text)
    hub.tokens[user] = create_token(hub.folder, user, "phone")
    with hub.client(user) as client:
        wait_until(lambda: client.get("/api/states").status_code == 200)


class Home:
    """The demo home, its guest and what the guest must not see."""

    def __init__(self, hub):
        self.hub = hub
        add_with_rights(hub, "guest", RIGHTS)
        with WebSocketClient(hub, hub.tokens["admin"]) as admin:
            self.entities = {entity["entity_id"]: entity for entity in admin.result("config/entity_registry/list")}
            self.devices = {device["id"]: device for device in admin.result("config/device_registry/list")}
            self.areas = {area["area_id"]: area for area in admin.result("config/area_registry/list")}
            self.states = {state["entity_id"]: state for state in admin.result("get_states")}
            # What people keep in this home, each of which names the other room.
            other = {"entities": ["light.bedroom", "Bedroom lamp"], "area": OTHER}
            admin.result("lovelace/dashboards/create", url_path="of-another", title="Bedroom")
            for fields in ({}, {"url_path": "of-another"}):
                admin.result("lovelace/config/save", config=other, **fields)
            admin.result("frontend/set_system_data", key="home", value=other)
            admin.result("energy/save_prefs", device_consumption=[{"stat_consumption": "sensor.bedroom_temperature"}])
            # Public words, which may also name a device by chance.
            self.public = json.dumps([admin.result(kind) for kind in ("get_services", "hearth/kinds", "get_config")]
                                     + [admin.result("frontend/get_icons", category="entity_component")]
                                     + [admin.result("frontend/get_translations", language="en", category="entity_component")])
        self.inside = {entity_id for entity_id in self.entities if self.room(entity_id) == ROOM}
        self.outside = set(self.states) - self.inside
        assert self.inside and len(self.outside) > 10
        self.lamp = next(entity for entity in sorted(self.inside) if entity.startswith("light."))
        self.other_lamp = next(entity for entity in sorted(self.outside)
                               if entity.startswith("light.") and self.room(entity) == OTHER)

    def room(self, entity_id):
        entity = self.entities.get(entity_id, {"area_id": None, "device_id": None})
        return entity["area_id"] or self.devices.get(entity["device_id"], {"area_id": None})["area_id"]

    def secrets(self):
        """Strings that reveal another room: ids and names, except those that the guest's own room shares."""
        inside = json.dumps([self.states[entity] for entity in self.inside if entity in self.states]
                            + [self.entities[entity] for entity in self.inside] + [self.areas[ROOM]]
                            + [self.devices[self.entities[entity]["device_id"]] for entity in self.inside
                               if self.entities[entity]["device_id"]])
        words = set(self.outside)
        for entity in self.outside & set(self.entities):
            words |= {self.entities[entity]["id"], self.entities[entity]["unique_id"]}
            words.add(self.states[entity]["attributes"].get("friendly_name"))
        for area_id, area in self.areas.items():
            words |= {f'"{area_id}"', f'"{area["name"]}"'} if area_id != ROOM else set()
        words |= {device for device in self.devices if self.devices[device]["area_id"] not in (ROOM, None)}
        return {word for word in words if word and len(word) > 3 and word not in inside and word not in self.public}

    def check(self, text, *said):
        """`said`: the guest's own words."""
        for word in self.secrets():
            assert word not in text or any(word in own for own in said), (word, text[:2000])


@pytest.fixture(scope="module")
def home(module_hubs):
    return Home(module_hubs())


@pytest.fixture
def guest(home):
    client = home.hub.client("guest")
    yield client
    client.close()


@pytest.fixture
def socket(home):
    with WebSocketClient(home.hub, home.hub.tokens["guest"], timeout=10) as client:
        yield client


def switch(home, entity_id, user="admin"):
    """Turns a lamp on or off; returns its state."""
    done = home.hub.client(user).post("/api/services/light/toggle", json={"entity_id": entity_id})
    assert done.status_code == 200, done.text
    return home.hub.admin.get(f"/api/states/{entity_id}").json()["state"]


def test_there_is_enough_to_hide(home):
    assert len(home.secrets()) > 40
    with pytest.raises(AssertionError):
        home.check(home.hub.admin.get("/api/states").text)


def test_the_list_has_readable_entities_only(home, guest):
    listed = {state["entity_id"] for state in guest.get("/api/states").json()}
    assert listed == home.inside & set(home.states)
    assert guest.get("/api/states", headers={"Accept-Encoding": "gzip"}).json() == guest.get("/api/states").json()


def test_the_registry_has_what_may_be_read_only(home, guest):
    everything = home.hub.admin.get("/api/registry")
    registry = guest.get("/api/registry", headers={"If-None-Match": everything.headers["etag"]})
    assert {entity["entity_id"] for entity in registry.json()["entities"]} == home.inside & set(home.entities)
    assert [area["area_id"] for area in registry.json()["areas"]] == [ROOM]
    home.check(registry.text)
    with pytest.raises(AssertionError):
        home.check(everything.text)


def test_what_may_not_be_read_is_not_found(home, guest):
    for entity_id in sorted(home.outside):
        answer = guest.get(f"/api/states/{entity_id}")
        assert (answer.status_code, answer.json()) == (404, {"message": "Entity not found."})
        assert guest.delete(f"/api/states/{entity_id}").status_code == 404
    assert guest.get(f"/api/states/{home.lamp}").status_code == 200


def test_what_may_not_be_controlled_is_forbidden(home, guest):
    before = home.hub.admin.get("/api/states").json()
    for entity_id in [*sorted(home.outside), "sensor.of_nobody"]:
        answer = guest.post(f"/api/states/{entity_id}", json={"state": "stolen"})
        assert answer.status_code == 403, entity_id
    assert home.hub.admin.get("/api/states").json() == before
    assert guest.post("/api/events/party", json={}).status_code == 403


def test_a_service_affects_what_may_be_controlled(home, guest):
    other = home.hub.admin.get(f"/api/states/{home.other_lamp}").json()
    for target in ([home.lamp, home.other_lamp], "all"):
        changed = guest.post("/api/services/light/toggle", json={"entity_id": target}).json()
        assert {state["entity_id"] for state in changed} <= home.inside
        assert home.lamp in {state["entity_id"] for state in changed}
    for target in ({"entity_id": home.other_lamp}, {"area_id": OTHER}, {"entity_id": "light.of_nobody"}):
        answer = guest.post("/api/services/light/turn_off", json=target)
        assert (answer.status_code, answer.json()) == (200, [])
    assert home.hub.admin.get(f"/api/states/{home.other_lamp}").json() == other


def test_a_service_of_the_whole_home_is_forbidden(guest):
    services = {(entry["domain"], name): service for entry in guest.get("/api/services").json()
                for name, service in entry["services"].items()}
    whole = [name for name, service in services.items() if "target" not in service]
    assert whole
    whole.remove(("system_log", "write"))  # concerns the home of nobody
    for domain, service in whole:
        assert guest.post(f"/api/services/{domain}/{service}", json={}).status_code == 403, (domain, service)


def test_listeners_to_types_that_people_made_up_are_hidden(home, guest):
    with home.hub.stream("?restrict=bedroom_bell"):
        assert "bedroom_bell" in home.hub.listener_counts()
        types = {entry["event"] for entry in guest.get("/api/events").json()}
    assert types >= {"state_changed", "platform_start", "core_config_updated"} and "bedroom_bell" not in types


def requests(home, document):
    """Each endpoint, with parameters that name another room if possible."""
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - DAY))
    values = {"entity_id": home.other_lamp, "domain": "light", "service": "turn_on", "start_time": later, "timestamp": later}
    query = {"filter_entity_id": f"{home.other_lamp},{home.lamp}", "entity": home.other_lamp}
    bodies = {"/api/services/{domain}/{service}": {"entity_id": "all"}}
    for path, methods in document["paths"].items():
        for method, description in methods.items():
            if path in ("/api/websocket", "/api/openapi.json") or method not in ("get", "post", "put", "delete", "head"):
                continue
            target = re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], "x"), path)
            for parameters in ({}, query):
                yield method, target, parameters, bodies.get(path, {})


def test_no_endpoint_reveals_another_room(home, guest):
    document = home.hub.anonymous.get("/api/openapi.json").json()
    tried = 0
    for method, target, query, body in requests(home, document):
        if target.startswith("/auth/") or "revoke" in target:
            continue  # needs no token, and this session must live on
        answer = guest.request(method, target, params=query, **({} if method in ("get", "head") else {"json": body}))
        home.check(answer.text, target, json.dumps(query))
        tried += 1
    assert tried > 40


FIELDS = {
    "subscribe_entities": [{}, {"entity_ids": "OTHER"}],
    "render_template": [{"template": "{{ states | map(attribute='entity_id') | list }}"}, {"template": "{{ areas() }}{{ floors() }}"},
                        {"template": "{{ x }}", "variables": {"x": 1}, "entity_ids": "OTHER"},
                        {"template": "{{ states.light | list }}{{ area_entities('bedroom') }}{{ integration_entities('demo') }}"},
                        {"template": "{{ states.light | map(attribute='name') | list }}{{ labels() }}"}],
    "subscribe_events": [{}, {"event_type": "state_changed"}, {"event_type": "entity_registry_updated"}],
    "unsubscribe_events": [{"subscription": 1}],
    "call_service": [{"domain": "light", "service": "toggle", "target": {"entity_id": "all"}},
                     {"domain": "light", "service": "toggle", "target": {"area_id": OTHER}}],
    "extract_from_target": [{"target": {"entity_id": "all"}}, {"target": {"area_id": OTHER}}, {"target": {"device_id": "DEVICE"}},
                            {"target": {"floor_id": "ground"}}],
    "get_services_for_target": [{"target": {"entity_id": "all"}}, {"target": {"area_id": OTHER}}],
    "get_triggers_for_target": [{"target": {"area_id": OTHER}}],
    "get_conditions_for_target": [{"target": {"area_id": OTHER}}],
    "calendar/event/create": [{"entity_id": "calendar.family", "event": {"summary": "x", "dtstart": "2036-06-02",
                                                                         "dtend": "2036-06-03"}}],
    "calendar/event/update": [{"entity_id": "calendar.family", "uid": "nothing", "event": {
        "summary": "x", "dtstart": "2036-06-02", "dtend": "2036-06-03"}}],
    "calendar/event/delete": [{"entity_id": "calendar.family", "uid": "nothing"}],
    "todo/item/list": [{"entity_id": "todo.shopping_list"}],
    "todo/item/subscribe": [{"entity_id": "todo.shopping_list"}],
    "todo/item/move": [{"entity_id": "todo.shopping_list", "uid": "nothing"}],
    "config/entity_registry/get": [{"entity_id": "OTHER"}],
    "config/entity_registry/get_entries": [{"entity_ids": ["OTHER"]}],
    "config/category_registry/list": [{"scope": "light"}],
    "search/related": [{"item_type": "entity", "item_id": "OTHER"}, {"item_type": "device", "item_id": "DEVICE"},
                       {"item_type": "area", "item_id": "bedroom"}, {"item_type": "area", "item_id": "kitchen"},
                       {"item_type": "integration", "item_id": "demo"}],
    "history/history_during_period": [{"start_time": "START", "entity_ids": ["OTHER"]}],
    "history/stream": [{"start_time": "START", "entity_ids": ["OTHER"]}],
    "logbook/get_events": [{"start_time": "START"}, {"start_time": "START", "entity_ids": ["OTHER"]},
                           {"start_time": "START", "device_ids": ["DEVICE"]}],
    "logbook/event_stream": [{"start_time": "START"}, {"start_time": "START", "entity_ids": ["OTHER"]},
                             {"start_time": "START", "device_ids": ["DEVICE"]}],
    "hearth/energy": [{}, {"span": "month"}],
    "energy/fossil_energy_consumption": [{"start_time": "START", "energy_statistic_ids": ["OTHER"], "co2_statistic_id": "OTHER",
                                          "period": "hour"}],
    "recorder/statistic_during_period": [{"statistic_id": "OTHER"}],
    "recorder/get_statistics_metadata": [{}, {"statistic_ids": ["OTHER"]}],
    "recorder/update_statistics_metadata": [{"statistic_id": "OTHER", "unit_of_measurement": "W"}],
    "recorder/import_statistics": [{"metadata": {"statistic_id": "OTHER", "has_sum": True}, "stats": []}],
    "recorder/clear_statistics": [{"statistic_ids": ["OTHER"]}],
    "recorder/adjust_sum_statistics": [{"statistic_id": "OTHER", "start_time": "START", "adjustment": 1}],
    "recorder/statistics_during_period": [{"start_time": "START", "statistic_ids": ["OTHER"], "period": "hour"}],
    "auth/sign_path": [{"path": "/api/states"}],
    "frontend/get_user_data": [{"key": "x"}],
    "frontend/set_user_data": [{"key": "x", "value": 1}],
    "frontend/subscribe_user_data": [{"key": "x"}],
    "lovelace/config": [{}, {"url_path": "of-another"}],
    "frontend/get_system_data": [{"key": "home"}],
    "frontend/subscribe_system_data": [{"key": "home"}],
    "frontend/get_translations": [{"language": "en", "category": category} for category in ("title", "entity_component", "services")],
    "frontend/get_icons": [{"category": "entity_component"}],
    "config_entries/get_single": [{"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ"}],
    "config_entries/disable": [{"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ", "disabled_by": "user"}],
    "config_entries/update": [{"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ", "title": "x"}],
    "config_entries/ignore_flow": [{"flow_id": "x", "title": "x"}],
    "manifest/get": [{"integration": "demo"}],
    "mqtt/subscribe": [{"topic": "#"}],
    "mqtt/config/save": [{"broker": "127.0.0.1", "port": 1}],
    "mqtt/test_connection": [{"broker": "127.0.0.1", "port": 1}],
    "mqtt/device/debug_info": [{"device_id": "DEVICE"}],
    "device_automation/trigger/list": [{"device_id": "DEVICE"}],
    "labs/subscribe": [{"domain": "x", "preview_feature": "y"}],
}
ENDS_THE_TOKEN = {"auth/delete_all_refresh_tokens", "auth/delete_refresh_token"}


def filled(home, fields):
    values = {"OTHER": home.other_lamp, "START": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - DAY)),
              "DEVICE": next(id for id, device in home.devices.items() if device["area_id"] == OTHER)}
    text = json.dumps(fields)
    for key, value in values.items():
        text = text.replace(f'"{key}"', json.dumps([value] if key == "OTHER" and '"entity_ids": "OTHER"' in text else value))
    return json.loads(text)


def test_no_command_reveals_another_room(home, socket):
    assert len(COMMAND_ROWS) > 50
    answered = 0
    for kind, _ in COMMAND_ROWS:
        if kind in ENDS_THE_TOKEN:
            continue
        for fields in FIELDS.get(kind, [{}]):
            own = filled(home, fields)
            answer = socket.command(kind, **own)
            home.check(json.dumps(answer), json.dumps(own))
            answered += bool(answer.get("success", True))
    assert answered > 30
    # Events that arrive while things happen elsewhere.
    switch(home, home.other_lamp)
    move(home, home.other_lamp, name="Renamed lamp")
    move(home, home.other_lamp, name=None)
    state = switch(home, home.lamp)
    seen = wait_until(lambda: read_until(socket, home, lambda text: f'"{home.lamp}"' in text and f'"{state}"' in text))
    assert seen


def read_until(socket, home, condition):
    """Reads frames, each without a secret, until one matches."""
    for _ in range(1_000):
        text = json.dumps(socket.receive())
        home.check(text, home.other_lamp if '"history' in text else "")
        if condition(text):
            return True
    return False


def move(home, entity_id, **changes):
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as admin:
        return admin.result("config/entity_registry/update", entity_id=entity_id, **changes)


def test_what_enters_the_room_is_added_and_what_leaves_it_removed(home, socket):
    socket.result("subscribe_entities")
    first = socket.event(1)
    assert set(first["a"]) == home.inside & set(home.states)
    move(home, home.other_lamp, area_id=ROOM)
    try:
        added = socket.event(1)
        assert set(added) == {"a"} and set(added["a"]) == {home.other_lamp}
        state = switch(home, home.other_lamp, "guest")
        changed = socket.event(1)
        assert changed["c"][home.other_lamp]["+"]["s"] == state
    finally:
        move(home, home.other_lamp, area_id=None)
    assert socket.event(1) == {"r": [home.other_lamp]}
    switch(home, home.other_lamp)
    state = switch(home, home.lamp)
    assert socket.event(1)["c"][home.lamp]["+"]["s"] == state


RANDOM = "{{ range(999) | random }}" * 3
# Each looks at the guest's lamp and at something else, and gives another result at each rendering.
LIVE = ["{% set x = states('OTHER') %}", "{% set x = states.OTHER.name %}", "{% set x = expand('OTHER', 'group.nothing') %}",
        "{% set x = states.light | list %}", "{% set x = states | list %}", "{% set x = areas() %}", "{% set x = area_entities('bedroom') %}",
        "{% set x = device_attr('DEVICE', 'name') %}", "{% set x = floors() ~ labels() %}", ""]


def test_a_template_says_nothing_when_something_hidden_changes(home, socket):
    device = filled(home, {"id": "DEVICE"})["id"]
    first = socket.last_id + 1
    for template in LIVE:
        template = template.replace("OTHER", home.other_lamp).replace("DEVICE", device)
        socket.result("render_template", template=f"{template}{{{{ states('{home.lamp}') }}}} {RANDOM}",
                      entity_ids=[home.other_lamp])
    for _ in LIVE:
        assert socket.receive()["type"] == "event"
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as admin:
        # The same for one who reads everything says when it is over.
        admin.result("render_template", template="{{ states.light | list | count }} " + RANDOM)
        admin.receive()
        switch(home, home.other_lamp)
        admin.result("config/entity_registry/update", entity_id=home.other_lamp, name="Renamed", labels=["hidden"])
        admin.result("config/device_registry/update", device_id=device, name_by_user="Renamed")
        admin.result("config/area_registry/update", area_id=OTHER, icon="mdi:bed")
        admin.result("input_text/create", name="Hidden")
        admin.result("input_text/delete", input_text_id="hidden")
        admin.result("config/label_registry/delete", label_id="hidden")
        admin.result("config/entity_registry/update", entity_id=home.other_lamp, name=None)
        admin.result("config/device_registry/update", device_id=device, name_by_user=None)
        admin.receive()
    state = switch(home, home.lamp)
    told = [socket.receive() for _ in LIVE]
    assert sorted(message["id"] for message in told) == list(range(first, first + len(LIVE))), told
    assert all(message["event"]["result"].split()[0] == state for message in told)


def test_a_template_follows_what_comes_into_the_room_and_leaves_it(home, socket):
    for template in (f"{{{{ states('{home.other_lamp}') }}}}", f"{{{{ area_entities('{ROOM}') | count }}}}"):
        subscription = socket.last_id + 1
        socket.result("render_template", template=template)
        before = socket.event(subscription)["result"]
        move(home, home.other_lamp, area_id=ROOM)
        try:
            assert socket.event(subscription)["result"] != before
        finally:
            move(home, home.other_lamp, area_id=None)
        assert socket.event(subscription)["result"] == before
        socket.result("unsubscribe_events", subscription=subscription)


def test_subscriptions_say_nothing_of_what_is_hidden(home, socket):
    """Not even that it changes: of a to-do list that has left the room, and of what pages keep for another one."""
    admin = home.hub.admin
    todo = next(entity for entity in home.entities if entity.startswith("todo."))
    move(home, todo, area_id=ROOM)
    listed = socket.last_id + 1
    socket.result("todo/item/subscribe", entity_id=todo)
    before = socket.event(listed)["items"]
    assert admin.post("/api/services/todo/add_item", json={"entity_id": todo, "item": "Seen"}).status_code == 200
    seen = socket.event(listed)
    assert len(seen["items"]) == len(before) + 1
    move(home, todo, area_id=OTHER)
    kept = socket.last_id + 1
    socket.result("frontend/subscribe_system_data", key="home")
    assert socket.event(kept) == {"value": None}
    marks = socket.last_id + 1
    socket.result("subscribe_events", event_type="state_changed")
    assert admin.post("/api/services/todo/add_item", json={"entity_id": todo, "item": "Unseen"}).status_code == 200
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as client:
        for word in ("a", "b"):
            client.result("frontend/set_system_data", key="home", value=[home.other_lamp, word])
    switch(home, home.lamp)
    # What the list had when it was still there may come twice.
    while (message := socket.receive())["id"] == listed:
        assert message["event"] == seen
    assert message["id"] == marks and message["event"]["data"]["entity_id"] == home.lamp
    move(home, todo, area_id=None)


def test_a_hidden_group_reaches_nothing(home):
    admin = home.hub.admin
    for name, members in (("outer", ["group.inner"]), ("inner", [home.lamp])):
        assert admin.post("/api/services/group/set", json={"object_id": name, "entities": members}).status_code == 200
    before = admin.get(f"/api/states/{home.lamp}").json()["state"]
    with home.hub.client("guest") as guest:
        for service in ("homeassistant/toggle", "light/toggle"):
            for target in ("group.outer", "group.inner", "group.nothing"):
                answer = guest.post(f"/api/services/{service}", json={"entity_id": target})
                assert (answer.status_code, answer.json()) == (200, []), (service, target)
        assert admin.get(f"/api/states/{home.lamp}").json()["state"] == before
        assert guest.post("/api/services/light/toggle", json={"entity_id": home.lamp}).json()
    for name in ("outer", "inner"):
        assert admin.post("/api/services/group/remove", json={"object_id": name}).status_code == 200


def test_read_and_control_are_separate(home):
    hub = home.hub
    add_with_rights(hub, "watcher", f"read: {{all: true}}\ncontrol: {{areas: [{ROOM}], entities: [{home.other_lamp}]}}\n")
    with hub.client("watcher") as watcher:
        assert len(watcher.get("/api/states").json()) == len(hub.admin.get("/api/states").json())
        assert watcher.post("/api/services/light/toggle", json={"entity_id": home.other_lamp}).status_code == 200
        third = next(entity for entity in home.outside if entity.startswith("light.") and entity != home.other_lamp)
        answer = watcher.post("/api/services/light/toggle", json={"entity_id": [home.lamp, third]})
        assert (answer.status_code, answer.json()["message"]) == (403, f"This user may not control {third}.")
        assert watcher.delete(f"/api/states/{third}").status_code == 403


def test_domains_and_labels_name_entities_too(home):
    hub = home.hub
    add_with_rights(hub, "labelled", "read: {domains: [weather], labels: [shared]}\n")
    with hub.client("labelled") as client:
        domains = lambda: {state["entity_id"].split(".")[0] for state in client.get("/api/states").json()}
        assert domains() == {"weather"} & {entity.split(".")[0] for entity in home.states}
        move(home, home.other_lamp, labels=["shared"])
        try:
            assert "light" in domains()
            assert client.post("/api/services/light/toggle", json={"entity_id": home.other_lamp}).status_code == 403
        finally:
            move(home, home.other_lamp, labels=[])


def test_changed_rights_end_open_connections(home):
    hub = home.hub
    add_with_rights(hub, "mover", "read: {all: true}\ncontrol: {all: true}\n")
    with WebSocketClient(hub, hub.tokens["mover"]) as client, hub.client("mover") as rest:
        assert len(rest.get("/api/states").json()) == len(home.states)
        set_rights(hub, "mover", RIGHTS)
        assert client.close_code() == 1008
        wait_until(lambda: len(rest.get("/api/states").json()) < len(home.states))
    with WebSocketClient(hub, hub.tokens["mover"]) as client:
        assert hub.command("user", "rights", "mover", "--clear").returncode == 0
        assert client.close_code() == 1008
    with hub.client("mover") as rest:
        wait_until(lambda: len(rest.get("/api/states").json()) == len(home.states))


def test_the_command_shows_what_was_set(home):
    shown = home.hub.command("user", "rights", "guest").stdout
    assert shown == f"read: {{areas: [{ROOM}]}}\ncontrol: {{areas: [{ROOM}]}}\n"
    assert home.hub.command("user", "rights", "ann").stdout == "ann has all the rights of the role user.\n"


@pytest.mark.parametrize(("text", "said"), [
    ("read: {rooms: [kitchen]}", ":1: read.rooms: unknown"),
    ("write: {all: true}", ":1: write: unknown"),
    ("read: {entities: [kitchen]}", "expected an entity id"),
    ("read: {all: perhaps}", "read.all: expected"),
    ("read: {all: true", ":1"),
    ("- read", "expected"),
])
def test_wrong_rights_change_nothing(home, text, said, tmp_path):
    file = tmp_path / "rights.yaml"
    file.write_text(text)
    done = home.hub.command("user", "rights", "guest", "--file", str(file))
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert home.hub.command("user", "rights", "guest").stdout.startswith("read: {areas: [kitchen]}")


def test_an_administrator_has_no_such_rights(home, tmp_path):
    done = home.hub.command("user", "rights", "admin", "--clear")
    assert done.returncode == 1 and "administrator" in done.stderr
    done = home.hub.command("user", "rights", "nobody", "--clear")
    assert done.returncode == 1 and "nobody" in done.stderr
    done = home.hub.command("user", "rights", "guest", "--file", str(tmp_path / "none.yaml"))
    assert done.returncode == 1 and "there is no such file" in done.stderr


def test_hidden_scripts_are_as_if_they_were_not_there(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", RIGHTS)
    with hub.client("guest") as guest, WebSocketClient(hub, hub.tokens["guest"]) as socket:
        for event in ("service_registered", "service_removed"):
            socket.result("subscribe_events", event_type=event)
        for name in ("secret", "dish"):
            written = hub.admin.post(f"/api/config/script/config/{name}", json={"alias": name, "sequence": []})
            assert written.status_code == 200, written.text
        with WebSocketClient(hub, hub.tokens["admin"]) as admin:
            admin.result("config/entity_registry/update", entity_id="script.dish", area_id=ROOM)
        listed = guest.get("/api/services").json()
        names = next(entry["services"] for entry in listed if entry["domain"] == "script")
        assert {"dish", "turn_on"} <= set(names) and "secret" not in json.dumps(listed)
        assert "secret" not in json.dumps(socket.result("get_services"))
        target = {"entity_id": ["script.secret", "script.dish"]}
        for command in ("get_services_for_target", "extract_from_target"):
            assert socket.command(command, target=target)["success"]
        for name in ("secret", "nothing"):
            answer = guest.post(f"/api/services/script/{name}", json={})
            assert (answer.status_code, answer.json()["message"]) == (404, f"Service script.{name} not found.")
            assert guest.post(f"/api/services/script/{name}?wait=x", json={}).status_code == 400
            assert socket.error("call_service", domain="script", service=name) == ("not_found", f"Service script.{name} not found.")
        assert guest.post("/api/services/script/dish", json={}).status_code == 200
        # A change makes the service anew; a fixed end of what is heard.
        for name in ("secret", "dish"):
            assert hub.admin.post(f"/api/config/script/config/{name}", json={"alias": f"{name} anew", "sequence": []}).status_code == 200
        while True:
            event = socket.receive()["event"]
            assert event["data"]["service"] != "secret"
            if event["event_type"] == "service_registered" and event["data"]["service"] == "dish":
                break


def test_fields_of_scripts_name_nothing_of_another_room(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", RIGHTS)
    fields = {"lamp": {"name": "Lamp", "default": "light.bedroom", "selector": {"entity": {"include_entities": ["light.bedroom"]}}},
              "level": {"name": "Level", "default": 4, "required": True, "selector": {"number": {"min": 1, "max": 9}}}}
    written = hub.admin.post("/api/config/script/config/say", json={"sequence": [], "fields": fields})
    assert written.status_code == 200, written.text

    def told(user):
        with WebSocketClient(hub, hub.tokens[user]) as client:
            return client.result("get_services")["script"]["say"]["fields"]

    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        admin.result("config/entity_registry/update", entity_id="script.say", area_id=ROOM)
    everything = told("admin")
    assert everything["lamp"]["default"] == "light.bedroom" and everything["level"].items() >= fields["level"].items()
    seen = told("guest")
    assert seen["level"] == everything["level"] and "light.bedroom" not in json.dumps(seen)
    assert seen["lamp"]["name"] == "Lamp"
