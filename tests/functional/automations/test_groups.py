# SPDX-License-Identifier: Apache-2.0
"""Groups of files and of services: their states, and what a service called for a group does."""

import pytest

from checks import call, set_state, state_of, value
from hub_process import command, wait_until

CONFIGURATION = """\
group:
  flags: {name: Flags, entities: [input_boolean.a, input_boolean.b], all: true, icon: mdi:flag}
  short: input_boolean.a, input_boolean.b
  listed: [group.short, sensor.none]
input_boolean:
  a:
  b:
"""

PACKAGES = "  packages: {family: {group: {family: {entities: [device_tracker.x]}}}}\n"


@pytest.mark.contract("Automations: groups")
def test_a_group_follows_and_commands_its_members(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    assert value(hub, "group.flags") == "off"
    assert state_of(hub, "group.flags")["attributes"] == {
        "entity_id": ["input_boolean.a", "input_boolean.b"], "all": True, "editable": False,
        "friendly_name": "Flags", "icon": "mdi:flag"}
    call(hub, "input_boolean.turn_on", {"entity_id": "input_boolean.a"})
    assert [value(hub, f"group.{name}") for name in ("flags", "short", "listed")] == ["off", "on", "on"]
    call(hub, "homeassistant.turn_on", {"entity_id": "group.flags"})
    assert value(hub, "input_boolean.b") == "on"
    wait_until(lambda: value(hub, "group.flags") == "on")
    call(hub, "input_boolean.turn_off", {"entity_id": "group.listed"})
    wait_until(lambda: [value(hub, f"group.{name}") for name in ("flags", "short", "listed")] == ["off"] * 3)
    set_state(hub, "device_tracker.x", "home")
    wait_until(lambda: value(hub, "group.family") == "home")
    rendered = hub.admin.post("/api/template", json={
        "template": "{{ expand('group.listed') | map(attribute='entity_id') | join(',') }}"}).text
    assert rendered == "input_boolean.a,input_boolean.b"


@pytest.mark.contract("Automations: groups")
def test_group_set_makes_one_that_survives_and_reload_reads_the_files(hub_factory, folder):
    hub = hub_factory(folder)
    call(hub, "group.set", {"object_id": "mine", "name": "Mine", "entities": ["input_boolean.a"]})
    assert state_of(hub, "group.mine")["attributes"]["friendly_name"] == "Mine"
    call(hub, "group.set", {"object_id": "short", "add_entities": ["input_boolean.c"]})
    assert len(state_of(hub, "group.short")["attributes"]["entity_id"]) == 3
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("all: true", "all: perhaps"))
    call(hub, "group.reload")
    assert len(state_of(hub, "group.short")["attributes"]["entity_id"]) == 2
    assert value(hub, "group.flags") == "off"
    hub.logged("all: expected true or false")
    hub.stop()
    settings.write_text(settings.read_text().replace("all: perhaps", "all: false"))
    again = hub_factory(folder)
    assert state_of(again, "group.mine")["attributes"]["entity_id"] == ["input_boolean.a"]
    call(again, "group.remove", {"object_id": "mine"})
    assert again.admin.get("/api/states/group.mine").status_code == 404
