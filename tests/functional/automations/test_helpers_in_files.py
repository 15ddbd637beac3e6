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
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("input_boolean/create", name="Made")
        assert [item["id"] for item in client.result("input_boolean/list")] == ["made"]
    hub.stop()
    again = hub_factory(folder)
    assert state_of(again, "input_boolean.guests")["state"] == "on"
    assert state_of(again, "input_boolean.away")["state"] == "on"  # by its initial
    assert state_of(again, "counter.visits")["state"] == "2"
    assert state_of(again, "input_boolean.made")["state"] == "off"


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
