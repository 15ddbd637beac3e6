# SPDX-License-Identifier: Apache-2.0
"""@digital-alchemy/hass: an application starts, knows the home, calls services and hears of changes; it is
alchemy_client.mjs."""

import shutil

import pytest

from line_client import LineClient
from packages import FOLDER

LIGHT = "light.kitchen"


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices and registry these tests change."""
    return module_hubs()


@pytest.fixture(scope="module")
def application(node_packages, own):
    """It is running; at the end it may have complained of nothing."""
    client = LineClient(shutil.which("node"), "alchemy_client.mjs", cwd=FOLDER)
    try:
        client.ask("start", url=own.url, token=own.tokens["admin"])
        yield client
        assert client.ask("complaints") == []
    finally:
        client.stop()


@pytest.fixture
def use(application):
    """The value of hass.PATH, or what it gives back."""
    return lambda path, *given: application.ask("use", timeout=20, path=path, given=given)


def state(hub, entity_id):
    return hub.admin.get(f"/api/states/{entity_id}").json()


def test_it_knows_the_home(use, own):
    entities = {item["entity_id"] for item in own.admin.get("/api/states").json()}
    assert set(use("entity.listEntities")) == entities
    assert {area["name"] for area in use("area.current")} >= {"Kitchen", "Bedroom"}
    assert {device["name"] for device in use("device.current")} >= {"Fridge", "Car"}
    assert LIGHT in {entry["entity_id"] for entry in use("entity.registry.current")}
    assert use("zone.current") == use("zone.list")
    assert use("floor.current") == use("floor.list")
    assert use("label.current") == use("label.list")
    assert LIGHT in use("idBy.domain", "light")
    assert LIGHT in use("idBy.platform", "demo", "light")
    assert use("configure.isService", "light", "turn_on") is True
    assert use("entity.registry.source")[LIGHT] == {"domain": "demo"}


def test_it_calls_services_and_hears_of_changes(application, use, own):
    own.admin.post("/api/services/light/turn_off", json={"entity_id": LIGHT})
    application.wait_for(lambda state: state == "off", "state", entity_id=LIGHT)
    application.ask("follow", entity_id=LIGHT)
    use("call.light.turn_on", {"entity_id": LIGHT, "brightness": 120})
    assert state(own, LIGHT)["attributes"]["brightness"] == 120
    seen = application.wait_for(bool, "heard")
    assert (seen[-1]["state"], seen[-1]["attributes"]["brightness"]) == ("on", 120)
    application.ask("command", entity_id=LIGHT, service="turn_off")
    assert state(own, LIGHT)["state"] == "off"
    application.wait_for(lambda seen: seen[-1]["state"] == "off", "heard")


def test_services_answer(use, own):
    todo = "todo.shopping_list"
    use("call.todo.add_item", {"entity_id": todo, "item": "Milk"})
    answer = use("call.todo.get_items", {"entity_id": todo})
    assert "Milk" in [item["summary"] for item in answer[todo]["items"]]


def test_it_writes_states_and_fires_events(use, own, name):
    use("fetch.updateEntity", f"sensor.{name}", {"state": "12.5", "attributes": {"unit_of_measurement": "°C"}})
    assert state(own, f"sensor.{name}")["state"] == "12.5"
    with own.stream(f"?restrict={name}") as stream:
        use("fetch.fireEvent", name, {"by": "rest"})
        assert stream.next_event(5).event["data"] == {"by": "rest"}
        use("socket.fireEvent", name, {"by": "socket"})
        assert stream.next_event(5).event["data"] == {"by": "socket"}


def test_it_reads_history(application, own, name):
    for value in ("1", "2", "3"):
        own.admin.post(f"/api/states/sensor.{name}", json={"state": value})
    application.wait_for(lambda rows: [row["state"] for row in rows or []] == ["1", "2", "3"], "history",
                         entity_id=f"sensor.{name}", minutes=5)


def test_it_reads_configuration_and_log(use, own):
    assert use("fetch.getConfig")["location_name"] == "Test home"
    assert use("registry.getConfig")["version"] == use("fetch.getConfig")["version"]
    assert "hub: ready at" in use("fetch.getRawLogs")
    assert use("fetch.checkCredentials") == {"message": "API running."}


def test_areas_come_and_go(use, own):
    """Its create sends empty texts for what it does not know; each call waits for the event of the registry."""
    use("area.create", {"name": "Attic"})
    attic = next(area for area in use("area.current") if area["name"] == "Attic")
    assert (attic["floor_id"], attic["icon"], attic["picture"]) == (None, None, None)
    use("area.update", {"area_id": attic["area_id"], "name": "Loft"})
    assert "Loft" in [area["name"] for area in use("area.current")]
    assert use("area.apply", attic["area_id"], ["lock.front_door"]) == {"updated": ["lock.front_door"]}
    assert use("idBy.area", attic["area_id"]) == ["lock.front_door"]
    use("area.delete", attic["area_id"])
    assert "Loft" not in [area["name"] for area in use("area.current")]


def test_floors_come_and_go(use, own):
    use("floor.create", {"name": "Roof", "level": 3, "icon": "mdi:home-roof"})
    roof = next(floor for floor in use("floor.current") if floor["name"] == "Roof")
    assert (roof["level"], roof["icon"], roof["aliases"]) == (3, "mdi:home-roof", [])
    use("floor.update", {"floor_id": roof["floor_id"], "name": "Top"})
    assert "Top" in [floor["name"] for floor in use("floor.current")]
    use("floor.delete", roof["floor_id"])
    assert roof["floor_id"] not in [floor["floor_id"] for floor in use("floor.current")]
