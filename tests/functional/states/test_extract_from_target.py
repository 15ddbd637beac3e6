# SPDX-License-Identifier: Apache-2.0
"""extract_from_target: what a service call with a target would reach."""

import pytest

from test_rights import add_with_rights
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs()


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def extract(client, **target):
    return client.result("extract_from_target", target=target)


def entries(client, kind):
    return client.result(f"config/{kind}_registry/list")


@pytest.mark.contract("WebSocket: service calls")
def test_an_area_reaches_its_devices_and_entities(admin):
    found = extract(admin, area_id="kitchen")
    devices = {device["id"] for device in entries(admin, "device") if device["area_id"] == "kitchen"}
    expected = {entity["entity_id"] for entity in entries(admin, "entity")
                if entity["area_id"] == "kitchen" or (entity["area_id"] is None and entity["device_id"] in devices)}
    assert "light.kitchen" in expected
    assert set(found["referenced_entities"]) == expected
    assert (set(found["referenced_devices"]), found["referenced_areas"]) == (devices, ["kitchen"])


@pytest.mark.contract("WebSocket: service calls")
def test_floors_labels_and_devices_reach_what_belongs_to_them(admin):
    kitchen = next(area for area in entries(admin, "area") if area["area_id"] == "kitchen")
    floor = extract(admin, floor_id=kitchen["floor_id"])
    of_floor = {area["area_id"] for area in entries(admin, "area") if area["floor_id"] == kitchen["floor_id"]}
    assert set(floor["referenced_areas"]) == of_floor and "light.kitchen" in floor["referenced_entities"]
    admin.result("config/entity_registry/update", entity_id="light.hall", labels=["evening"])
    assert extract(admin, label_id="evening")["referenced_entities"] == ["light.hall"]
    device = next(entity["device_id"] for entity in entries(admin, "entity") if entity["entity_id"] == "light.kitchen")
    found = extract(admin, device_id=device, entity_id="light.hall")
    assert {"light.kitchen", "light.hall"} <= set(found["referenced_entities"])
    assert (found["referenced_devices"], found["referenced_areas"]) == ([device], [])


@pytest.mark.contract("WebSocket: service calls")
def test_what_is_not_there_is_missing(admin):
    found = extract(admin, device_id="no_device", area_id="no_area", floor_id="no_floor", label_id="no_label")
    assert found == {"referenced_entities": [], "referenced_devices": [], "referenced_areas": [], "missing_devices": ["no_device"],
                     "missing_areas": ["no_area"], "missing_floors": ["no_floor"], "missing_labels": ["no_label"]}
    assert admin.error("extract_from_target", target={"room": "kitchen"})[0] == "invalid_format"
    assert admin.error("extract_from_target")[1] == "target: expected an object"


@pytest.mark.contract("WebSocket: service calls")
def test_another_room_is_missing(home, admin):
    add_with_rights(home, "kitchen_guest", "read: {areas: [kitchen]}\n")
    other = next(area["area_id"] for area in entries(admin, "area") if area["area_id"] != "kitchen")
    device = next(device["id"] for device in entries(admin, "device") if device["area_id"] == other)
    with WebSocketClient(home, home.tokens["kitchen_guest"]) as guest:
        found = extract(guest, area_id=["kitchen", other], device_id=device)
        assert found["referenced_areas"] == ["kitchen"] and found["missing_areas"] == [other]
        assert found["missing_devices"] == [device]
        everything = set(extract(guest, entity_id="all")["referenced_entities"])
        assert everything == {state["entity_id"] for state in guest.result("get_states")}


@pytest.mark.contract("WebSocket: service calls")
def test_services_are_those_that_an_entity_of_the_target_has(home, admin):
    def services(**target):
        return set(admin.result("get_services_for_target", target=target))

    described = admin.result("get_services")
    of_covers = services(entity_id="cover.living_room_blind")
    assert {"cover.open_cover", "cover.set_cover_position", "homeassistant.toggle", "platform.toggle"} <= of_covers
    assert {name.split(".")[0] for name in of_covers} == {"cover", "homeassistant", "platform"}
    assert all("target" in described[name.split(".")[0]][name.split(".")[1]] for name in of_covers)
    assert {"cover.open_cover", "light.turn_on"} <= services(area_id="living_room")
    assert services(area_id="no_area") == set()
