# SPDX-License-Identifier: Apache-2.0
"""Entities that clients write: their entries in the registry; the options of sensors."""

import pytest

from checks import state_of
from hub_process import wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient

SENSOR = "sensor.shed"
ATTRIBUTES = {"friendly_name": "Shed", "unit_of_measurement": "°C", "device_class": "temperature", "icon": "mdi:barn"}


@pytest.fixture
def home(hub_factory):
    hub = hub_factory()
    post(hub, "21.5")
    return hub


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def post(hub, state, entity_id=SENSOR, **changes):
    answer = hub.admin.post(f"/api/states/{entity_id}", json={"state": state, "attributes": ATTRIBUTES | changes})
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def update(client, entity_id=SENSOR, **changes):
    return client.result("config/entity_registry/update", entity_id=entity_id, **changes)["entity_entry"]


def attributes(hub, entity_id=SENSOR):
    return state_of(hub, entity_id)["attributes"]


@pytest.mark.contract("WebSocket: registry")
def test_an_entity_without_an_entry_answers_what_it_would_be(home, admin):
    entry = admin.result("config/entity_registry/get", entity_id=SENSOR)
    assert (entry["platform"], entry["original_name"], entry["name"]) == ("api", "Shed", None)
    assert len(entry["id"]) == 32 and entry["unique_id"]
    listed = {each["entity_id"]: each for each in admin.result("config/entity_registry/list")}
    assert listed[SENSOR]["id"] == entry["id"] and "light.kitchen" in listed
    registered = admin.result("config/entity_registry/list", registered_only=True)
    assert SENSOR not in {each["entity_id"] for each in registered} and len(registered) > 20
    entries = admin.result("config/entity_registry/get_entries", entity_ids=[SENSOR, "light.kitchen", "light.none"])
    assert entries == {SENSOR: entry, "light.kitchen": admin.result("config/entity_registry/get", entity_id="light.kitchen"),
                       "light.none": None}


@pytest.mark.contract("WebSocket: registry")
def test_what_a_user_sets_stays_whatever_the_client_writes(home, admin):
    before = admin.result("config/entity_registry/get", entity_id=SENSOR)
    entry = update(admin, name="Garden shed", icon="mdi:tools", area_id="kitchen", labels=["outside"], hidden_by="user")
    assert (entry["id"], entry["area_id"], entry["labels"], entry["hidden_by"]) == (before["id"], "kitchen", ["outside"], "user")
    assert (attributes(home)["friendly_name"], attributes(home)["icon"]) == ("Garden shed", "mdi:tools")
    assert post(home, "22")["attributes"]["friendly_name"] == "Garden shed"
    update(admin, name=None, icon=None)
    assert (attributes(home)["friendly_name"], attributes(home)["icon"]) == ("Shed", "mdi:barn")
    shown = {each["ei"]: each for each in admin.result("config/entity_registry/list_for_display")["entities"]}
    assert (shown[SENSOR]["ai"], shown[SENSOR]["hb"]) == ("kitchen", True)


@pytest.mark.contract("WebSocket: registry")
def test_its_entry_survives_a_restart_and_the_end_of_its_state(hub_factory):
    hub = hub_factory()
    post(hub, "20")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        update(client, name="Garden shed", area_id="kitchen")
    hub.stop()
    hub = hub_factory(hub.folder)
    assert "restored" not in attributes(hub)
    assert attributes(hub)["friendly_name"] == "Garden shed"
    assert hub.admin.delete(f"/api/states/{SENSOR}").status_code == 200
    assert post(hub, "19")["attributes"]["friendly_name"] == "Garden shed"


@pytest.mark.contract("WebSocket: registry")
def test_it_gets_another_id(home, admin):
    post(home, "1", "sensor.other")
    error = admin.error("config/entity_registry/update", entity_id=SENSOR, new_entity_id="sensor.other")
    assert error == ("invalid_info", "new_entity_id: there is an entity sensor.other already")
    admin.result("subscribe_events", event_type="entity_registry_updated")
    subscription = admin.last_id
    entry = update(admin, new_entity_id="sensor.garden_shed")
    assert entry["entity_id"] == "sensor.garden_shed"
    data = admin.event(subscription)["data"]
    assert (data["action"], data["entity_id"], data["old_entity_id"]) == ("create", "sensor.garden_shed", SENSOR)
    assert state_of(home, "sensor.garden_shed")["state"] == "21.5"
    assert home.admin.get(f"/api/states/{SENSOR}").status_code == 404
    again = update(admin, "sensor.garden_shed", new_entity_id="sensor.barn")
    assert again["id"] == entry["id"] and attributes(home, "sensor.barn")["friendly_name"] == "Shed"
    # One that writes the former id makes another entity.
    post(home, "3")
    other = admin.result("config/entity_registry/get", entity_id=SENSOR)
    assert other["id"] != entry["id"]


@pytest.mark.contract("WebSocket: registry")
def test_it_is_removed_with_and_without_an_entry(home, admin):
    admin.result("config/entity_registry/remove", entity_id=SENSOR)
    assert home.admin.get(f"/api/states/{SENSOR}").status_code == 404
    post(home, "1")
    update(admin, name="Kept")
    admin.result("config/entity_registry/remove", entity_id=SENSOR)
    assert home.admin.get(f"/api/states/{SENSOR}").status_code == 404
    assert admin.error("config/entity_registry/remove", entity_id=SENSOR)[0] == "not_found"
    assert post(home, "1")["attributes"]["friendly_name"] == "Shed"


@pytest.mark.contract("WebSocket: registry")
def test_it_cannot_be_disabled(admin):
    code, message = admin.error("config/entity_registry/update", entity_id=SENSOR, disabled_by="user")
    assert (code, message) == ("invalid_info", "disabled_by: clients write this entity; it can be hidden or removed")


@pytest.mark.contract("WebSocket: registry")
def test_one_room_and_its_entities_that_clients_write(home, admin):
    add_with_rights(home, "guest", "read: {areas: [kitchen]}\n")
    post(home, "1", "sensor.secret")
    with WebSocketClient(home, home.tokens["guest"]) as guest:
        assert guest.error("config/entity_registry/get", entity_id=SENSOR)[0] == "not_found"
        update(admin, area_id="kitchen")
        assert guest.result("config/entity_registry/get", entity_id=SENSOR)["platform"] == "api"
        assert guest.result("config/entity_registry/get_entries", entity_ids=["sensor.secret"]) == {"sensor.secret": None}
        assert "sensor.secret" not in str(guest.result("config/entity_registry/list"))
        assert guest.error("config/entity_registry/update", entity_id=SENSOR, name="Mine")[0] == "unauthorized"


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize("entity_id", [SENSOR, "sensor.outdoor_temperature"])
def test_a_sensor_is_shown_in_another_unit(home, admin, entity_id):
    celsius = float(state_of(home, entity_id)["state"])
    options = {"unit_of_measurement": "°F", "display_precision": 0}
    entry = update(admin, entity_id, options_domain="sensor", options=options)
    assert entry["options"] == {"sensor": options}
    state = state_of(home, entity_id)
    assert state["attributes"]["unit_of_measurement"] == "°F"
    assert float(state["state"]) == pytest.approx(celsius * 1.8 + 32, abs=2)
    shown = {each["ei"]: each for each in admin.result("config/entity_registry/list_for_display")["entities"]}
    assert shown[entity_id]["dp"] == 0
    if entity_id == SENSOR:
        assert post(home, "20")["state"] == "68"
    update(admin, entity_id, options_domain="sensor", options=None)
    if entity_id == SENSOR:
        post(home, "20")
        assert state_of(home, entity_id)["state"] == "20"
    assert wait_until(lambda: state_of(home, entity_id)["attributes"]["unit_of_measurement"] == "°C")


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize(("fields", "code", "said"), [
    ({"options_domain": "sensor", "options": {"unit_of_measurement": "W"}}, "invalid_info", "expected one of °C, °F, K, got W"),
    ({"options_domain": "sensor", "options": {"display_precision": 11}}, "invalid_info", "display_precision: expected a whole"),
    ({"options_domain": "sensor", "options": {"display_precision": "1"}}, "invalid_info", "display_precision: expected a whole"),
    ({"options_domain": "sensor"}, "invalid_format", "expected both or neither"),
    ({"options": {}}, "invalid_format", "expected both or neither"),
    ({"options_domain": "x", "options": {"a": "b" * 20_000}}, "invalid_info", "at most 16384 bytes"),
])
def test_wrong_options_change_nothing(admin, fields, code, said):
    before = admin.result("config/entity_registry/get", entity_id=SENSOR)
    error = admin.error("config/entity_registry/update", entity_id=SENSOR, **fields)
    assert error[0] == code and said in error[1], error
    assert admin.result("config/entity_registry/get", entity_id=SENSOR) == before
