# SPDX-License-Identifier: Apache-2.0
"""Persons of files and of people: where they are, and how many are in a zone."""

import pytest

from checks import call, set_state, state_of
from hub_process import command, wait_until
from websocket_client import WebSocketClient

CONFIGURATION = """\
person:
  - id: ann
    name: Ann
    device_trackers: [device_tracker.phone, device_tracker.wifi]
"""


@pytest.mark.contract("Automations: persons")
def test_a_person_is_where_their_trackers_say(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        made = client.result("person/create", name="Bob", device_trackers=["device_tracker.wifi"])
        assert made["id"] == "bob"
        persons = client.result("person/list")
        assert persons["storage"] == [{"id": "bob", "name": "Bob", "device_trackers": ["device_tracker.wifi"],
                                       "user_id": None, "picture": None}]
        assert [(person["id"], person["name"]) for person in persons["config"]] == [("ann", "Ann")]
    set_state(hub, "device_tracker.phone", "Work",
              {"source_type": "gps", "latitude": 1.5, "longitude": 2.5, "gps_accuracy": 7})
    wait_until(lambda: state_of(hub, "person.ann")["state"] == "Work")
    attributes = state_of(hub, "person.ann")["attributes"]
    assert attributes["source"] == "device_tracker.phone" and attributes["latitude"] == 1.5
    assert attributes["id"] == "ann" and attributes["editable"] is False
    set_state(hub, "device_tracker.wifi", "home", {"source_type": "router"})
    wait_until(lambda: state_of(hub, "zone.home")["state"] == "2")
    assert state_of(hub, "zone.home")["attributes"]["persons"] == ["person.ann", "person.bob"]
    hub.stop()
    again = hub_factory(folder)
    wait_until(lambda: state_of(again, "zone.home")["state"] == "2")
    assert state_of(again, "person.ann")["attributes"]["source"] == "device_tracker.wifi"


@pytest.mark.contract("Automations: persons")
def test_a_wrong_person_is_named(hub_factory, folder):
    hub = hub_factory(folder)
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("device_tracker.wifi", "light.wifi"))
    call(hub, "person.reload")
    hub.logged("device_trackers: expected ids of device_tracker")
    assert state_of(hub, "person.ann")["attributes"]["device_trackers"] == ["device_tracker.phone", "device_tracker.wifi"]
    assert command(folder, "check").returncode == 1
