# SPDX-License-Identifier: Apache-2.0
"""Helpers of configuration.yaml, beside those that people make by commands."""

import pytest

from checks import call, state_of
from hub_process import command
from websocket_client import WebSocketClient

HELPERS = """\
input_boolean:
  guests:
  away: {name: Nobody here, icon: mdi:home, initial: on}
input_select night: !include select.yaml
counter:
  visits: {step: 2}
"""


@pytest.fixture
def folder(hub_factory):
    made = hub_factory.folder()
    settings = made / "configuration.yaml"
    settings.write_text(settings.read_text() + HELPERS)
    (made / "select.yaml").write_text("mode: {options: [on, off, 3]}\n")
    return made


@pytest.mark.contract("Automations: helpers in files")
def test_helpers_are_there_and_keep_their_values(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    assert state_of(hub, "input_boolean.guests")["state"] == "off"
    away = state_of(hub, "input_boolean.away")
    assert away["state"] == "on" and away["attributes"]["friendly_name"] == "Nobody here"
    assert away["attributes"]["editable"] is False
    assert state_of(hub, "input_select.mode")["attributes"]["options"] == ["on", "off", "3"]
    call(hub, "input_boolean.turn_on", {"entity_id": "input_boolean.guests"})
    call(hub, "input_boolean.turn_off", {"entity_id": "input_boolean.away"})
    call(hub, "counter.increment", {"entity_id": "counter.visits"})
    call(hub, "input_select.set_options", {"entity_id": "input_select.mode", "options": ["3", "4"]})
    call(hub, "input_select.select_last", {"entity_id": "input_select.mode"})
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("input_boolean/create", name="Made")
        assert [item["id"] for item in client.result("input_boolean/list")] == ["made"]
    hub.stop()
    again = hub_factory(folder)
    assert state_of(again, "input_boolean.guests")["state"] == "on"
    assert state_of(again, "input_boolean.away")["state"] == "on"  # by its initial
    assert state_of(again, "counter.visits")["state"] == "2"
    assert state_of(again, "input_select.mode")["attributes"]["options"] == ["3", "4"]
    assert state_of(again, "input_select.mode")["state"] == "4"
    assert state_of(again, "input_boolean.made")["state"] == "off"


@pytest.mark.contract("Automations: helpers in files")
def test_what_people_make_takes_no_name_of_a_file(hub_factory, folder):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text() + "zone:\n  - {name: Work, latitude: 52.6, longitude: 13.4}\n")
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("input_boolean/create", name="Guests")["id"] == "guests_2"
        assert client.result("zone/create", name="Work", latitude=1, longitude=1)["id"] == "work_2"
    assert state_of(hub, "input_boolean.guests_2")["attributes"]["editable"] is True
    assert state_of(hub, "input_boolean.guests")["attributes"]["editable"] is False
    assert state_of(hub, "zone.work")["attributes"]["latitude"] == 52.6
    assert state_of(hub, "zone.work_2")["attributes"]["latitude"] == 1


@pytest.mark.contract("Automations: helpers in files")
def test_a_reload_follows_the_files_and_a_broken_helper_is_named(hub_factory, folder):
    hub = hub_factory(folder)
    (folder / "select.yaml").write_text("mode: {options: [a, b]}\nbad: {optoins: [a]}\n")
    call(hub, "input_select.reload")
    assert state_of(hub, "input_select.mode")["attributes"]["options"] == ["a", "b"]
    assert hub.admin.get("/api/states/input_select.bad").status_code == 404
    wrong = "select.yaml:2: optoins: unknown key, did you mean options?"
    hub.logged(wrong)
    checked = command(folder, "check")
    assert checked.returncode == 1 and wrong in checked.stdout + checked.stderr


@pytest.mark.contract("Automations: helpers in files")
def test_zones_are_there_and_follow_the_files(hub_factory, folder):
    with open(folder / "configuration.yaml", "a", encoding="utf-8") as settings:
        settings.write("zone: !include zones.yaml\nzone home:\n  - {name: Home, latitude: 10, longitude: 20, radius: 500}\n")
    (folder / "zones.yaml").write_text("- {name: Work, latitude: 1, longitude: 2, radius: 300}\n")
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    work = state_of(hub, "zone.work")["attributes"]
    assert (work["latitude"], work["radius"], work["passive"], work["editable"]) == (1, 300, False, False)
    assert state_of(hub, "zone.home")["attributes"]["radius"] == 500
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("zone/list") == []
    (folder / "zones.yaml").write_text("- {name: School, latitude: 3, longitude: 4}\n")
    call(hub, "zone.reload")
    assert state_of(hub, "zone.school")["state"] == "0"
    assert hub.admin.get("/api/states/zone.work").status_code == 404
    (folder / "zones.yaml").write_text("- {name: School, latitude: 300, longitude: 4}\n")
    call(hub, "zone.reload")
    hub.logged("zones.yaml:1: latitude: expected a number from -90 to 90")
    assert state_of(hub, "zone.school")["attributes"]["latitude"] == 3


@pytest.mark.contract("Automations: booleans and times without quotes")
def test_a_check_warns_of_states_that_are_truth_values(folder):
    with open(folder / "configuration.yaml", "a", encoding="utf-8") as settings:
        settings.write("automation:\n- triggers: [{trigger: state, entity_id: light.a, to: yes}]\n  actions: []\n"
                       "scene:\n- {name: A, entities: {light.a: off}}\n")
    checked = command(folder, "check")
    assert checked.returncode == 0, checked.stderr
    assert 'triggers[0].to: yes without quotes is a truth value; it is read as the state "on"' in checked.stdout
    assert 'entities.light.a: off without quotes is a truth value; it is read as the state "off"' in checked.stdout
