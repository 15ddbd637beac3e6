# SPDX-License-Identifier: Apache-2.0
"""Scenes that people create: applied at once, kept over a kill, and only by who may control everything."""

from checks import call, state_of
from test_durability import kill
from test_rights import add_with_rights

LAMP, LOCK, BLIND = "light.living_room", "lock.garden_shed", "cover.kitchen"


def test_states_are_applied(hub_factory):
    hub = hub_factory()
    changed = call(hub, "scene.apply", {"entities": {
        LAMP: {"state": "on", "brightness": 80, "color_mode": "hs", "hs_color": [300, 70], "rgb_color": [1, 2, 3]},
        "switch.garden_pump": True, "number.car_charge_limit": 90,
        "climate.living_room": {"state": "heat", "temperature": 19.5}, "switch.none": "on"}}, user="ann")
    assert {state["entity_id"] for state in changed} >= {LAMP, "switch.garden_pump", "number.car_charge_limit"}
    assert len({state["context"]["id"] for state in changed}) == 1
    lamp = state_of(hub, LAMP)
    assert lamp["attributes"]["brightness"] == 80 and lamp["attributes"]["hs_color"] == [300, 70]
    assert state_of(hub, "switch.garden_pump")["state"] == "on"
    assert state_of(hub, "number.car_charge_limit")["state"] == "90"
    assert state_of(hub, "climate.living_room")["attributes"]["temperature"] == 19.5
    hub.logged("a scene leaves out switch.none: it is absent")
    wrong = call(hub, "scene.apply", {"entities": {LAMP: "off", "switch.garden_pump": "perhaps"}}, status=400)
    assert wrong.startswith("entities: switch.garden_pump: state: expected") and state_of(hub, LAMP)["state"] == "on"


def test_a_scene_is_made_of_what_is_and_survives_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    call(hub, "light.turn_on", {"entity_id": LAMP, "brightness": 33})
    call(hub, "scene.create", {"scene_id": "evening", "snapshot_entities": [LAMP], "entities": {"switch.garden_pump": "on"}})
    assert state_of(hub, "scene.evening")["attributes"]["entity_id"] == ["switch.garden_pump", LAMP]
    call(hub, "light.turn_off", {"entity_id": LAMP})
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert state_of(hub, "scene.evening")["attributes"]["entity_id"] == ["switch.garden_pump", LAMP]
    changed = call(hub, "scene.turn_on", {"entity_id": "scene.evening"}, user="ann")
    assert {state["entity_id"] for state in changed} == {"scene.evening", "switch.garden_pump", LAMP}
    assert state_of(hub, LAMP)["attributes"]["brightness"] == 33
    call(hub, "scene.delete", {"entity_id": "scene.evening"})
    assert hub.admin.get("/api/states/scene.evening").status_code == 404
    assert "was not made by scene.create" in call(hub, "scene.delete", {"entity_id": "scene.movie"}, status=400)


def test_scenes_are_for_who_controls_everything(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\ncontrol: {areas: [kitchen]}\n")
    with hub.client("guest") as guest:
        for service, data in (("apply", {"entities": {LAMP: "on"}}), ("create", {"scene_id": "x", "entities": {LAMP: "on"}})):
            assert guest.post(f"/api/services/scene/{service}", json=data).status_code == 403
    call(hub, "scene.apply", {"entities": {LAMP: "on"}}, user="display", status=403)
