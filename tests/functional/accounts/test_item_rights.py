# SPDX-License-Identifier: Apache-2.0
"""What people made is in lists and events of those who may read its entity, and of nobody else."""

import json
import re
from pathlib import Path

import pytest

from command_rows import COMMAND_ROWS
from hub_process import wait_until
from test_helpers import MADE as HELPERS
from test_made_sensors import MADE as SENSORS, readings
from test_rights import add_with_rights
from websocket_client import WebSocketClient

SOURCES = Path(__file__).parents[3] / "src"
COMMANDS = dict(COMMAND_ROWS)
OPEN_EVENTS = set(re.findall(r'^    "(\w+)",$', (SOURCES / "api/events/socket.cpp").read_text(), re.MULTILINE))
EVENT_TYPES = set(re.findall(r'string_view k\w+ = "(\w+)";', (SOURCES / "core/bus/event.h").read_text()))
HIDDEN, SHOWN = "Zanzibar", "Kilimanjaro"
RIGHTS = "read: {areas: [kitchen]}\ncontrol: {areas: [kitchen]}\n"

# The fields of an item of each collection beside its name.
ITEMS = {**HELPERS, **{kind: fields for kind, (fields, _, _) in SENSORS.items()}, "timer": {"duration": 5}, "schedule": {},
         "local_todo": {}, "local_calendar": {},
         "group": {"entities": ["light.a"]}, "person": {}, "zone": {"latitude": 52, "longitude": 13}}

# Every list that users may ask for, and who sees what of it.
LISTS = {
    **dict.fromkeys((f"{kind}/list" for kind in ITEMS), "entity"),
    "tag/list": "administrators",
    "config/area_registry/list": "carrier", "config/floor_registry/list": "carrier", "config/label_registry/list": "carrier",
    "config/category_registry/list": "carrier", "config/device_registry/list": "carrier",
    "config/entity_registry/list": "entity", "todo/item/list": "entity", "alerts/list": "entity",
    "lovelace/dashboards/list": "text",
    # They say nothing of a home.
    "manifest/list": "everybody", "assist_pipeline/pipeline/list": "everybody", "conversation/agent/list": "everybody",
    "homeassistant/expose_entity/list": "everybody", "labs/list": "everybody",
}

# Every type of event that the hub itself names, and every one that users may subscribe to: whom it reaches.
EVENTS = {
    "state_changed": "entity", "entity_registry_updated": "entity", "collection_updated": "entity",
    "service_registered": "entity", "service_removed": "entity",
    "device_registry_updated": "carrier", "area_registry_updated": "carrier", "floor_registry_updated": "carrier",
    "label_registry_updated": "carrier", "category_registry_updated": "carrier",
    **dict.fromkeys(("core_config_updated", "panels_updated", "platform_start", "platform_started", "platform_stop",
                     "platform_final_write", "homeassistant_start", "homeassistant_started", "homeassistant_stop",
                     "homeassistant_final_write"), "everybody"),
    **dict.fromkeys(("state_reported", "state_confirmed", "call_service", "integration_updated", "connection_flow_updated", "lovelace_updated",
                     "repairs_issue_registry_updated", "alert_updated", "stream_gap", "component_loaded", "recorder_5min_statistics_generated",
                     "recorder_hourly_statistics_generated", "shopping_list_updated", "themes_updated"), "readers of everything"),
}


def test_every_list_and_every_event_is_classified():
    """A new one needs a line above, and a test of what is hidden."""
    lists = {kind for kind, access in COMMANDS.items() if access == "user" and kind.endswith("/list")}
    assert lists == set(LISTS)
    assert {kind.removesuffix("/create") for kind in COMMANDS if f"{kind.removesuffix('/create')}/list" in LISTS
            and kind.endswith("/create")} == set(ITEMS) | {"tag", "config/area_registry", "config/floor_registry",
                                                          "config/label_registry", "config/category_registry",
                                                          "lovelace/dashboards"}
    assert EVENT_TYPES | OPEN_EVENTS == set(EVENTS)


class Home:
    """Two of everything: one in the guest's kitchen, one elsewhere."""

    def __init__(self, hub):
        self.hub = hub
        add_with_rights(hub, "guest", RIGHTS)
        readings(hub)
        self.ids = {HIDDEN: {}, SHOWN: {}}
        with self.admin() as admin:
            self.areas = {SHOWN: admin.result("config/area_registry/create", name="Kitchen")["area_id"],
                          HIDDEN: admin.result("config/area_registry/create", name=HIDDEN)["area_id"]}
            self.floors, self.labels = {}, {}
            for name in (HIDDEN, SHOWN):
                self.floors[name] = admin.result("config/floor_registry/create", name=f"{name} floor")["floor_id"]
                admin.result("config/area_registry/update", area_id=self.areas[name], floor_id=self.floors[name])
                self.ids[name]["tag"] = admin.result("tag/create", name=name)["id"]
                self.ids[name]["lovelace/dashboards"] = admin.result("lovelace/dashboards/create", url_path=f"{name.lower()}-page",
                                                                     title=name, require_admin=False)["id"]
                for kind in ITEMS:
                    self.make(admin, kind, name)
            registered = admin.result("config/entity_registry/list")
            self.helper = {name: next(entity["entity_id"] for entity in registered
                                      if entity["platform"] == "timer" and entity["unique_id"] == self.ids[name]["timer"])
                           for name in self.ids}
            for name, entity in self.helper.items():
                self.labels[name] = admin.result("config/label_registry/create", name=f"{name} label")["label_id"]
                category = admin.result("config/category_registry/create", scope="helpers", name=f"{name} category")["category_id"]
                admin.result("config/entity_registry/update", entity_id=entity, labels=[self.labels[name]], categories={"helpers": category})

    def admin(self):
        return WebSocketClient(self.hub, self.hub.tokens["admin"])

    def guest(self):
        return WebSocketClient(self.hub, self.hub.tokens["guest"])

    def make(self, admin, kind, name):
        fields = {**ITEMS[kind], "name": f"{name} {kind}"}
        if kind == "switch_as_x":
            fields["entity_id"] = f"switch.{name.lower()}"
            assert self.hub.admin.post(f"/api/states/{fields['entity_id']}", json={"state": "on"}).status_code == 201
        made = self.ids[name][kind] = admin.result(f"{kind}/create", **fields)["id"]

        def entities():
            return [entity for entity in admin.result("config/entity_registry/list") if entity["platform"] == kind
                    and (entity["unique_id"] == made or entity["unique_id"].startswith(made + "_") and kind in SENSORS)]
        for entity in wait_until(entities):
            admin.result("config/entity_registry/update", entity_id=entity["entity_id"], area_id=self.areas[name])


@pytest.fixture(scope="module")
def home(module_hubs):
    return Home(module_hubs(demo=None))


def listed(client, kind):
    fields = {"config/category_registry": {"scope": "helpers"}}.get(kind, {})
    answer = client.result(f"{kind}/list", **fields)
    return answer["storage"] if kind == "person" else answer


@pytest.mark.parametrize("kind", ITEMS)
def test_a_list_has_the_items_whose_entities_may_be_read(home, kind):
    with home.admin() as admin, home.guest() as guest:
        assert {item["id"] for item in listed(admin, kind)} >= {home.ids[HIDDEN][kind], home.ids[SHOWN][kind]}
        assert [item["id"] for item in listed(guest, kind)] == [home.ids[SHOWN][kind]]


def test_what_has_no_entity_is_for_who_reads_everything(home):
    with home.admin() as admin, home.guest() as guest:
        for kind in ("tag", "lovelace/dashboards"):
            assert len(listed(admin, kind)) == 2 and listed(guest, kind) == []
        for kind in ("config/area_registry", "config/floor_registry", "config/label_registry", "config/category_registry"):
            assert HIDDEN in json.dumps(listed(admin, kind))
            seen = json.dumps(listed(guest, kind))
            assert HIDDEN not in seen and (SHOWN in seen or "Kitchen" in seen), kind


def test_no_event_tells_of_an_item_whose_entity_may_not_be_read(home):
    with home.admin() as admin, home.guest() as guest:
        for event in sorted(OPEN_EVENTS):
            guest.result("subscribe_events", event_type=event)

        def change(name):
            for kind in ITEMS:
                admin.result(f"{kind}/update", **{f"{kind}_id": home.ids[name][kind], "name": f"{name} {kind} anew"})
            admin.result("tag/update", tag_id=home.ids[name]["tag"], name=f"{name} anew")
            admin.result("lovelace/dashboards/update", dashboard_id=home.ids[name]["lovelace/dashboards"], title=f"{name} anew")
            admin.result("config/label_registry/update", label_id=home.labels[name], color="red")
            admin.result("config/floor_registry/update", floor_id=home.floors[name], level=3)
            admin.result("config/area_registry/update", area_id=home.areas[name], icon="mdi:sofa")
            # An automation and a script, which are entities and, the latter, a service.
            for domain in ("automation", "script"):
                config = {"alias": f"{name} {domain}", "sequence": [], "triggers": [], "actions": []}
                del config["sequence" if domain == "automation" else "triggers"]
                if domain == "script":
                    del config["actions"]
                path = f"/api/config/{domain}/config/{name.lower()}"
                assert home.hub.admin.post(path, json=config).status_code == 200
                assert home.hub.admin.delete(path).status_code == 200

        change(HIDDEN)
        change(SHOWN)
        told = set()
        # The order of events is the same for all: after the last that the guest may see, nothing else is to come.
        for _ in range(1_000):
            text = json.dumps(guest.receive())
            assert HIDDEN not in text and HIDDEN.lower() not in text, text
            assert not any(home.ids[HIDDEN][kind] in text for kind in SENSORS), text
            event = json.loads(text)["event"]
            told |= {event["data"]["collection"]} if event["event_type"] == "collection_updated" else {event["event_type"]}
            if event["event_type"] == "area_registry_updated":
                break
        assert told >= set(ITEMS) | {"area_registry_updated", "floor_registry_updated", "label_registry_updated", "state_changed"}


def test_a_user_of_a_domain_hears_of_its_items_as_they_come_and_go(home):
    add_with_rights(home.hub, "keeper", "read: {domains: [counter, tag]}\n")
    with home.admin() as admin, WebSocketClient(home.hub, home.hub.tokens["keeper"]) as keeper:
        assert {item["id"] for item in listed(keeper, "counter")} == {home.ids[name]["counter"] for name in home.ids}
        assert len(listed(keeper, "tag")) == 2 and listed(keeper, "timer") == []
        subscription = keeper.last_id + 1
        keeper.result("subscribe_events", event_type="collection_updated")
        admin.result("timer/create", name="Unheard", duration=1)
        made = admin.result("counter/create", name="Heard")["id"]
        admin.result("counter/delete", counter_id=made)
        told = [keeper.event(subscription)["data"] for _ in range(2)]
        assert [(data["action"], data["item_id"]) for data in told] == [("create", made), ("remove", made)]
