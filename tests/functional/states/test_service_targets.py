# SPDX-License-Identifier: Apache-2.0
"""POST /api/services/{domain}/{service}: which entities a call reaches."""

import pytest

from checks import call, state_of, turn_off
from hub_process import wait_until
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def home(module_hubs):
    """A hub whose devices these tests may command."""
    return module_hubs()


@pytest.fixture(autouse=True)
def lights_off(home):
    """Each test starts with everything off, so that turning something on is a change."""
    turn_off(home, "light.kitchen", "light.living_room", "switch.garden_pump")


@pytest.mark.contract("Services: targets")
@pytest.mark.parametrize(
    "target",
    [
        {"entity_id": "light.kitchen, light.living_room"},
        {"entity_id": ["light.kitchen", "light.living_room"]},
        {"target": {"entity_id": "light.kitchen,light.living_room"}},
        {"target": {"entity_id": ["light.kitchen", "light.living_room"]}},
        {"entity_id": "light.kitchen", "target": {"entity_id": "light.living_room"}},
        {"entity_id": ["light.kitchen", "light.living_room", "light.kitchen"]},
    ],
)
def test_entities_are_named_in_every_form(home, target):
    changed = call(home, "light.turn_on", target)
    assert sorted(state["entity_id"] for state in changed) == ["light.kitchen", "light.living_room"]


@pytest.mark.contract("Services: targets")
@pytest.mark.parametrize("target", [{"entity_id": "all"}, {"target": {"entity_id": "all"}}])
def test_all_is_every_entity_of_the_domain(home, target):
    lights = [s["entity_id"] for s in home.ann.get("/api/states").json()
              if s["entity_id"].startswith("light.") and s["state"] != "unavailable"]
    call(home, "light.turn_off", {"entity_id": "all"})
    changed = call(home, "light.turn_on", target)
    assert sorted(state["entity_id"] for state in changed) == sorted(lights)
    assert all(state["state"] == "on" for state in changed)
    call(home, "light.turn_off", {"entity_id": "all"})


@pytest.mark.contract("Services: targets")
@pytest.mark.parametrize("target", [{"area_id": "kitchen"}, {"target": {"area_id": ["kitchen"]}}])
def test_area_is_every_entity_in_it(home, target):
    changed = [state["entity_id"] for state in call(home, "light.turn_on", target)]
    assert "light.kitchen" in changed
    assert "light.living_room" not in changed


@pytest.mark.contract("Services: targets")
@pytest.mark.parametrize("key", ["area_id", "device_id", "floor_id", "label_id"])
def test_unknown_targets_resolve_to_nothing(home, key):
    assert call(home, "light.turn_on", {key: "no_such_thing"}) == []


@pytest.mark.contract("Services: entity missing or unavailable")
def test_unavailable_entities_are_left_out(home):
    unavailable = [s["entity_id"] for s in home.ann.get("/api/states").json() if s["state"] == "unavailable"]
    assert unavailable
    lines = len(home.log)
    changed = call(home, "homeassistant.turn_on", {"entity_id": ["light.nowhere", unavailable[0], "light.kitchen"]})
    assert [state["entity_id"] for state in changed] == ["light.kitchen"]
    wait_until(lambda: any("light.nowhere" in line for line in home.log[lines:]), 2)
    assert call(home, "light.turn_on", {"entity_id": "light.nowhere"}) == []
    assert state_of(home, unavailable[0])["state"] == "unavailable"


@pytest.mark.contract("Services: entity missing or unavailable")
def test_entity_of_another_domain_is_left_out(home):
    assert call(home, "light.turn_on", {"entity_id": ["switch.garden_pump", "sensor.outdoor_temperature"]}) == []
    assert state_of(home, "switch.garden_pump")["state"] == "off"


@pytest.mark.contract("Services: entity lacks the feature")
@pytest.mark.parametrize("service", ["cover.set_cover_tilt_position", "cover.open_cover_tilt"])
def test_missing_feature_is_named(home, service):
    """A garage door has no slats; the blind of the call stays unchanged, too."""
    data = {"tilt_position": 30} if service.endswith("position") else {}
    before = state_of(home, "cover.living_room_blind")["attributes"]["current_tilt_position"]
    message = call(home, service, {"entity_id": ["cover.living_room_blind", "cover.garage_door"], **data}, status=400)
    assert message == "cover.garage_door cannot tilt its slats."
    assert state_of(home, "cover.living_room_blind")["attributes"]["current_tilt_position"] == before


@pytest.mark.contract("Services: entity lacks the feature")
def test_entity_that_nobody_named_is_left_out(home):
    """Through `all`, as through an area or a device, only those are reached that can do it."""
    call(home, "cover.set_cover_tilt_position", {"entity_id": "cover.living_room_blind", "tilt_position": 20})
    changed = call(home, "cover.set_cover_tilt_position", {"entity_id": "all", "tilt_position": 60})
    assert "cover.garage_door" not in [state["entity_id"] for state in changed]
    assert state_of(home, "cover.living_room_blind")["attributes"]["current_tilt_position"] == 60
    home.logged("cover.set_cover_tilt_position leaves out cover.garage_door")
    device = next(d for d in devices_of(home, "cover.garage_door"))
    assert call(home, "cover.open_cover_tilt", {"device_id": device}) == []
    call(home, "cover.open_cover_tilt", {"device_id": device, "entity_id": "cover.garage_door"}, status=400)


def devices_of(hub, entity_id):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return [client.result("config/entity_registry/get", entity_id=entity_id)["device_id"]]
