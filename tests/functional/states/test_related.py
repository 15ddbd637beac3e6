# SPDX-License-Identifier: Apache-2.0
"""search/related: what hangs together."""

import pytest

from test_rights import add_with_rights
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def home(module_hubs):
    hub = module_hubs()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id="light.kitchen", labels=["warm"])
        client.result("config/area_registry/update", area_id="bedroom", labels=["warm"])
        client.result("call_service", domain="scene", service="create",
                      service_data={"scene_id": "evening", "snapshot_entities": ["light.kitchen"]})
    return hub


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def related(client, item_type, item_id):
    return client.result("search/related", item_type=item_type, item_id=item_id)


@pytest.mark.contract("WebSocket: search")
def test_each_kind_of_item_finds_what_belongs_to_it(admin):
    entity = related(admin, "entity", "light.kitchen")
    device = entity["device"][0]
    assert (entity["area"], entity["label"], entity["integration"]) == (["kitchen"], ["warm"], ["demo"])
    assert entity["config_entry"] == [row["entry_id"] for row in admin.result("config_entries/get", domain="demo")]
    assert "scene.evening" in entity["scene"] and "entity" not in entity
    area = related(admin, "area", "kitchen")
    assert "light.kitchen" in area["entity"] and device in area["device"] and "area" not in area
    assert area["floor"] == entity["floor"] and "scene.evening" in area["scene"]
    floor = related(admin, "floor", entity["floor"][0])
    assert "kitchen" in floor["area"] and set(area["entity"]) <= set(floor["entity"])
    of_device = related(admin, "device", device)
    assert of_device["area"] == ["kitchen"] and "light.kitchen" in of_device["entity"]
    assert related(admin, "label", "warm") == {"area": ["bedroom"], "entity": ["light.kitchen"]}
    scene = related(admin, "scene", "scene.evening")
    assert scene["entity"] == ["light.kitchen"] and scene["area"] == ["kitchen"]
    demo = related(admin, "integration", "demo")
    assert "light.kitchen" in demo["entity"] and device in demo["device"]


@pytest.mark.contract("WebSocket: search")
def test_what_is_not_there_is_related_to_nothing(admin):
    for item_type in ("area", "device", "entity", "floor", "label", "scene", "automation", "config_entry"):
        assert related(admin, item_type, "nothing.here") == {}
    code, message = admin.error("search/related", item_type="cellar", item_id="x")
    assert code == "invalid_format" and message.startswith("item_type: expected one of area, automation")


@pytest.mark.contract("WebSocket: search")
def test_one_room_is_related_to_nothing_of_another(home):
    add_with_rights(home, "visitor", "read: {areas: [kitchen]}\n")
    with WebSocketClient(home, home.tokens["visitor"]) as visitor:
        assert related(visitor, "area", "bedroom") == {} and related(visitor, "entity", "light.bedroom") == {}
        assert related(visitor, "label", "warm") == {"entity": ["light.kitchen"]}
        floor = related(visitor, "floor", related(visitor, "area", "kitchen")["floor"][0])
        assert floor["area"] == ["kitchen"]


@pytest.mark.contract("WebSocket: search")
def test_automations_and_scripts_are_related_to_what_they_name(module_hubs):
    hub = module_hubs(automation=[
        {"id": "dim", "alias": "Dim", "triggers": {"trigger": "state", "entity_id": "light.kitchen"},
         "actions": [{"action": "light.turn_off", "target": {"area_id": "bedroom", "label_id": "warm"}}, {"action": "script.end"}]},
        {"id": "other", "alias": "Other", "triggers": {"trigger": "event", "event_type": "none"}, "actions": []}],
        script={"end": {"sequence": [{"action": "scene.turn_on", "target": {"entity_id": "scene.none"}},
                                     {"action": "light.turn_on", "target": {"entity_id": "light.bedroom"}}]}})
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        dim = related(admin, "automation", "automation.dim")
        assert dim["entity"] == ["light.kitchen"] and dim["script"] == ["script.end"] and set(dim["area"]) == {"kitchen", "bedroom"}
        assert related(admin, "entity", "light.kitchen")["automation"] == ["automation.dim"]
        assert related(admin, "area", "bedroom")["automation"] == ["automation.dim"]
        assert related(admin, "area", "bedroom")["script"] == ["script.end"]
        assert related(admin, "script", "script.end")["automation"] == ["automation.dim"]
        assert related(admin, "script", "script.end")["entity"] == ["light.bedroom"]
        assert related(admin, "label", "warm") == {"automation": ["automation.dim"]}
        device = related(admin, "entity", "light.kitchen")["device"][0]
        assert related(admin, "device", device)["automation"] == ["automation.dim"]
        admin.result("config/entity_registry/update", entity_id="automation.dim", new_entity_id="automation.renamed")
        assert related(admin, "entity", "light.kitchen")["automation"] == ["automation.renamed"]
    add_with_rights(hub, "visitor", "read: {areas: [kitchen]}\n")
    with WebSocketClient(hub, hub.tokens["visitor"]) as visitor:
        assert "automation" not in related(visitor, "entity", "light.kitchen")
