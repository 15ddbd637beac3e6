# SPDX-License-Identifier: Apache-2.0
"""Groups that are one entity of a domain: in files and made by people, what they show and what a call to them reaches."""

import pytest

from checks import attributes, call, set_state, state_of, value
from hub_process import command, wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient

CONFIGURATION = """\
light:
  - platform: group
    name: Downstairs
    unique_id: downstairs
    entities: [light.kitchen, light.living_room, light.attic]
sensor:
  - platform: group
    name: Warmth
    type: mean
    entities: sensor.one, sensor.two
lock: {platform: group, entities: [lock.one, lock.two]}
switch:
  - platform: group
    name: Round
    entities: [switch.pond, switch.trip]
  - platform: group
    name: Trip
    entities: [switch.round, input_boolean.a]
input_boolean: {a: }
notify:
  - platform: group
    name: Everybody
    services:
      - {service: family, data: {title: Home}}
      - service: nobody
  - platform: group
    name: family
    services:
      - action: persistent_notification
        data: {data: {notification_id: note}}
"""


@pytest.fixture
def hub(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    return hub_factory(folder)


@pytest.mark.contract("Automations: typed groups")
def test_a_group_of_lights_shines_and_obeys_as_its_members(hub):
    call(hub, "light.turn_off", {"entity_id": ["light.kitchen", "light.living_room"]})
    wait_until(lambda: value(hub, "light.downstairs") == "off")
    changed = call(hub, "light.turn_on", {"entity_id": "light.downstairs", "brightness": 100})
    states = {each["entity_id"]: each["state"] for each in changed}
    assert states == {"light.kitchen": "on", "light.living_room": "on", "light.downstairs": "on"}
    shown = attributes(hub, "light.downstairs")
    assert shown["brightness"] == 100 and shown["friendly_name"] == "Downstairs"
    assert shown["entity_id"] == ["light.kitchen", "light.living_room", "light.attic"]
    modes = set(attributes(hub, "light.kitchen")["supported_color_modes"]) | set(attributes(hub, "light.living_room")["supported_color_modes"])
    assert set(shown["supported_color_modes"]) == modes
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 200})
    wait_until(lambda: attributes(hub, "light.downstairs")["brightness"] == 150)
    call(hub, "light.toggle", {"entity_id": "light.downstairs"})
    assert [value(hub, f"light.{name}") for name in ("kitchen", "living_room", "downstairs")] == ["off"] * 3


@pytest.mark.contract("Automations: typed groups")
def test_sensors_and_locks(hub):
    assert value(hub, "sensor.warmth") == "unavailable"
    set_state(hub, "sensor.one", "20.5", {"unit_of_measurement": "°C"})
    set_state(hub, "sensor.two", "unknown", {"unit_of_measurement": "°C"})
    wait_until(lambda: value(hub, "sensor.warmth") == "unknown")
    set_state(hub, "sensor.two", "21", {"unit_of_measurement": "°C"})
    wait_until(lambda: value(hub, "sensor.warmth") == "20.75")
    assert attributes(hub, "sensor.warmth")["unit_of_measurement"] == "°C"
    set_state(hub, "lock.one", "locked")
    wait_until(lambda: value(hub, "lock.lock_group") == "locked")
    set_state(hub, "lock.two", "unlocked")
    wait_until(lambda: value(hub, "lock.lock_group") == "unlocked")
    set_state(hub, "lock.one", "unavailable")
    set_state(hub, "lock.two", "unavailable")
    wait_until(lambda: value(hub, "lock.lock_group") == "unavailable")


@pytest.mark.contract("Automations: typed groups")
def test_groups_that_hold_each_other_go_off_again(hub):
    for wanted in ("on", "off", "on", "off"):
        call(hub, f"input_boolean.turn_{wanted}", {"entity_id": "input_boolean.a"})
        wait_until(lambda wanted=wanted: [value(hub, "switch.round"), value(hub, "switch.trip")] == [wanted] * 2)
    call(hub, "homeassistant.turn_on", {"entity_id": "switch.round"})
    assert value(hub, "input_boolean.a") == "on"


@pytest.mark.contract("Automations: typed groups")
def test_one_of_a_file_follows_the_file(hub, folder):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("type: mean", "type: average").replace("[lock.one, lock.two]", "[lock.one]"))
    call(hub, "group.reload")
    hub.logged('type: expected one of last, max, mean, median, min, product, range, stdev, sum, found "average"')
    set_state(hub, "sensor.one", "1")
    set_state(hub, "sensor.two", "2")
    wait_until(lambda: value(hub, "sensor.warmth") == "1.5")  # as last read
    set_state(hub, "lock.one", "locked")
    wait_until(lambda: attributes(hub, "lock.lock_group").get("entity_id") == ["lock.one"])
    settings.write_text(settings.read_text().replace("    name: Downstairs\n", "    name: Below\n").replace("type: average", "type: sum"))
    call(hub, "group.reload")
    assert value(hub, "sensor.warmth") == "3"
    assert attributes(hub, "light.downstairs")["friendly_name"] == "Below"


@pytest.mark.contract("Automations: typed groups")
def test_people_make_them_and_they_survive(hub_factory, folder):
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        made = client.result("group/create", name="Upstairs", group_type="light", entities=["light.bedroom", "light.kitchen"])
        assert made == {"id": "upstairs", "name": "Upstairs", "group_type": "light", "entities": ["light.bedroom", "light.kitchen"], "all": False}
        wait_until(lambda: attributes(hub, "light.upstairs")["entity_id"] == ["light.bedroom", "light.kitchen"])
        for wrong, message in (
            ({"group_type": "light", "entities": []}, "entities: expected at least one"),
            ({"group_type": "vacuum", "entities": ["vacuum.a"]}, "group_type: expected one of binary_sensor, button,"),
            ({"group_type": "sensor", "entities": ["sensor.a"]}, "sensor_type: expected one of last, max,"),
            ({"group_type": "lock", "entities": ["lock.a"], "all": True}, "all: is not for a group of the type lock"),
            ({"entities": ["lock.a"], "sensor_type": "sum"}, "sensor_type: is not for a group without a type"),
        ):
            code, text = client.error("group/create", name="Wrong", **wrong)
            assert code == "invalid_format" and text.startswith(message), text
        client.result("group/update", group_id="upstairs", name="Above", entities=["light.bedroom"], all=True)
        wait_until(lambda: attributes(hub, "light.upstairs")["friendly_name"] == "Above")
        assert attributes(hub, "light.upstairs")["entity_id"] == ["light.bedroom"]
        related = client.result("search/related", item_type="group", item_id="light.upstairs")
        assert related["entity"] == ["light.bedroom"]
        assert "light.upstairs" in client.result("search/related", item_type="entity", item_id="light.bedroom")["group"]
        code, text = client.error("call_service", domain="group", service="set", service_data={"object_id": "upstairs", "name": "x"})
        assert text == "object_id: upstairs is a group of one type, which group/update changes"
    hub.stop()
    again = hub_factory(folder)
    wait_until(lambda: attributes(again, "light.upstairs").get("entity_id") == ["light.bedroom"])
    with WebSocketClient(again, again.tokens["admin"]) as client:
        client.result("group/update", group_id="upstairs", group_type="switch", entities=["switch.pond"])
        wait_until(lambda: again.admin.get("/api/states/switch.above").status_code == 200)
        assert again.admin.get("/api/states/light.upstairs").status_code == 404
        client.result("group/delete", group_id="upstairs")
        wait_until(lambda: again.admin.get("/api/states/switch.above").status_code == 404)


@pytest.mark.contract("Automations: typed groups")
def test_a_caller_reaches_only_what_they_may_control(hub):
    some = "{entities: [light.downstairs, light.kitchen]}"
    add_with_rights(hub, "guest", f"read: {some}\ncontrol: {some}\n")
    call(hub, "light.turn_off", {"entity_id": ["light.kitchen", "light.living_room"]})
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("group/create", name="Hidden", group_type="light", entities=["light.living_room"])
        assert [item["id"] for item in client.result("group/list")] == ["hidden"]
    with WebSocketClient(hub, hub.tokens["guest"]) as client:
        assert client.result("group/list") == []
        assert client.error("group/create", name="x", group_type="light", entities=["light.living_room"])[0] == "unauthorized"
        client.result("call_service", domain="light", service="turn_on", service_data={"entity_id": "light.downstairs"})
        client.result("call_service", domain="homeassistant", service="turn_on", service_data={"entity_id": "light.downstairs"})
    wait_until(lambda: value(hub, "light.kitchen") == "on")
    assert value(hub, "light.living_room") == "off"


@pytest.mark.contract("Automations: typed groups")
def test_scenarios_have_them_with_their_members(folder, tmp_path):
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("""\
name: all lights
time: "2026-11-25 10:00:00"
automations:
  - {triggers: {trigger: event, event_type: go}, actions: {action: light.turn_on, target: {entity_id: light.all}, data: {brightness: 90}}}
config:
  light: {platform: group, name: All, entities: [light.a, light.b]}
states: {light.a: {state: "off", attributes: {supported_color_modes: [brightness]}}}
steps: [{at: 1, event: go}]
expect:
  - {at: 2, state: {light.a: {state: "on", attributes: {brightness: 90}}, light.b: "on", light.all: "on"}}
""")
    done = command(folder, "automation", "test", str(scenario))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.contract("Automations: typed groups")
def test_a_restart_is_no_change(hub, hub_factory, folder):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("group/create", name="Mine", group_type="light", entities=["light.bedroom"])
        client.result("group/create", name="Buttons", group_type="button", entities=["button.none"])
    call(hub, "light.turn_on", {"entity_id": ["light.downstairs", "light.bedroom"]})
    wait_until(lambda: value(hub, "light.mine") == "on")
    ids = ("light.downstairs", "light.mine", "lock.lock_group")
    before = [(state_of(hub, each)["state"], state_of(hub, each)["last_changed"]) for each in ids]
    hub.stop()
    again = hub_factory(folder)
    wait_until(lambda: again.admin.get("/api/states/light.mine").json().get("attributes", {}).get("entity_id"))
    assert [(state_of(again, each)["state"], state_of(again, each)["last_changed"]) for each in ids] == before


@pytest.mark.contract("Automations: typed groups")
def test_a_group_of_services_says_it_to_each(hub, folder):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        def notes():
            return [(note["notification_id"], note["title"], note["message"]) for note in client.result("persistent_notification/get")]
        call(hub, "notify.everybody", {"message": "Dinner"})
        assert notes() == [("note", "Home", "Dinner")]
        hub.logged("notify.everybody leaves out notify.nobody")
        call(hub, "notify.everybody", {"message": "Tea", "title": "Now", "data": {"notification_id": "other"}})
        assert sorted(notes()) == [("note", "Home", "Dinner"), ("other", "Now", "Tea")]
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("name: Everybody", "name: All").replace("service: nobody", "service: notify.nobody"))
    call(hub, "group.reload")
    hub.logged('service: expected the name of a service of notify, without the domain, found "notify.nobody"')
    settings.write_text(settings.read_text().replace("service: notify.nobody", "service: family"))
    call(hub, "group.reload")
    call(hub, "notify.all", {"message": "Supper"})
    assert hub.admin.post("/api/services/notify/everybody", json={"message": "Gone"}).status_code == 404
