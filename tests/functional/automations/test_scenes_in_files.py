# SPDX-License-Identifier: Apache-2.0
"""Scenes of configuration.yaml and of files that it includes."""

import pytest

from checks import call, state_of
from hub_process import command, wait_until
from websocket_client import WebSocketClient

SCENES = """\
- id: "1601"
  name: Movie night
  icon: mdi:movie
  entities:
    light.living_room: {state: on, brightness: 33}
    switch.garden_pump: on
    sun.sun: above_horizon
- name: Bright
  entities: {light.living_room: {state: "on", brightness: 250}}
"""


@pytest.fixture
def folder(hub_factory):
    made = hub_factory.folder()
    settings = made / "configuration.yaml"
    settings.write_text(settings.read_text() + "scene: !include scenes.yaml\nscene own: [{name: Off, entities: {switch.garden_pump: off}}]\n")
    (made / "scenes.yaml").write_text(SCENES)
    return made


@pytest.mark.contract("Automations: scenes in files")
def test_a_scene_brings_about_its_states_and_its_time_survives(hub_factory, folder):
    assert command(folder, "check").returncode == 0
    hub = hub_factory(folder)
    attributes = state_of(hub, "scene.movie_night")["attributes"]
    assert attributes == {"entity_id": ["light.living_room", "switch.garden_pump", "sun.sun"], "icon": "mdi:movie",
                          "id": "1601", "friendly_name": "Movie night"}
    changed = call(hub, "scene.turn_on", {"entity_id": "scene.movie_night", "transition": 0})
    assert {"scene.movie_night", "light.living_room"} <= {state["entity_id"] for state in changed}
    assert state_of(hub, "light.living_room")["attributes"]["brightness"] == 33
    assert state_of(hub, "switch.garden_pump")["state"] == "on"
    hub.logged("the scene Movie night leaves out sun.sun")
    call(hub, "scene.turn_on", {"entity_id": "scene.off"})
    assert state_of(hub, "switch.garden_pump")["state"] == "off"
    activated = state_of(hub, "scene.movie_night")["state"]
    assert "belongs to" in call(hub, "scene.create", {"scene_id": "bright", "entities": {"switch.garden_pump": "on"}}, status=400)
    assert "was not made by scene.create" in call(hub, "scene.delete", {"entity_id": "scene.bright"}, status=400)
    hub.stop()
    assert state_of(hub_factory(folder), "scene.movie_night")["state"] == activated


@pytest.mark.contract("Automations: scenes in files")
def test_a_reload_follows_the_files_and_a_broken_scene_is_named(hub_factory, folder):
    hub = hub_factory(folder)
    (folder / "scenes.yaml").write_text(SCENES.replace("Bright", "Dark") + "- name: Bad\n  entites: {}\n")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="scene_reloaded")
        subscription = client.last_id
        call(hub, "scene.reload")
        assert client.event(subscription)["event_type"] == "scene_reloaded"
        found = wait_until(lambda: [issue["translation_placeholders"] for issue in client.result("repairs/list_issues")["issues"]
                                    if issue["domain"] == "automation"], 15)
    assert hub.admin.get("/api/states/scene.bright").status_code == 404
    assert state_of(hub, "scene.dark")["state"] == "unknown"
    assert state_of(hub, "scene.bad")["state"] == "unavailable"
    wrong = "scenes.yaml:11: entites: unknown key, did you mean entities?"
    assert found[0]["name"] == "Bad" and found[0]["entity_id"] == "scene.bad" and wrong in found[0]["error"]
    checked = command(folder, "check")
    assert checked.returncode == 1 and wrong in checked.stdout + checked.stderr
