# SPDX-License-Identifier: Apache-2.0
"""MQTT devices that few homes have: valves, water heaters, humidifiers, sirens, trackers."""

import json

import pytest

from checks import call, state_of
from hub_process import wait_until
from test_mqtt_discovery import announce, becomes, broker, device, report, start, tell  # noqa: F401


@pytest.fixture
def hub(hub_factory, broker):  # noqa: F811
    return start(hub_factory, broker)


@pytest.fixture
def heard(broker):  # noqa: F811
    """What the hub says to the devices."""
    return broker.client().subscribe("own/set/#")


def order(hub, heard, service, entity_id, topic, payload, **data):
    call(hub, service, {"entity_id": entity_id, **data})
    message = heard.message()
    assert (message.topic, message.payload.decode()) == (topic, payload)


def shows(hub, entity_id, **attributes):
    wait_until(lambda: attributes.items() <= state_of(hub, entity_id)["attributes"].items())


@pytest.mark.contract("MQTT: discovery")
def test_a_valve_that_reports_positions(hub, device, heard):  # noqa: F811
    announce(device, "valve", "v", {
        "unique_id": "v", "name": "Main", "command_topic": "own/set/v", "state_topic": "v/state", "reports_position": True,
        "position_open": 200, "position_closed": 0, "payload_stop": "HALT", "device_class": "water"})
    tell(hub, device, "v/state", "100", "valve.main", "open")
    shows(hub, "valve.main", current_position=50, device_class="water")
    tell(hub, device, "v/state", json.dumps({"state": "closing", "position": 20}), "valve.main", "closing")
    shows(hub, "valve.main", current_position=10)
    tell(hub, device, "v/state", "0", "valve.main", "closed")
    tell(hub, device, "v/state", "opening", "valve.main", "opening")
    order(hub, heard, "valve.set_valve_position", "valve.main", "own/set/v", "60", position=30)
    order(hub, heard, "valve.open_valve", "valve.main", "own/set/v", "200")
    order(hub, heard, "valve.close_valve", "valve.main", "own/set/v", "0")
    order(hub, heard, "valve.stop_valve", "valve.main", "own/set/v", "HALT")
    device.publish("v/state", "half")
    wait_until(lambda: any("expected a position" in line for line in hub.log))


@pytest.mark.contract("MQTT: discovery")
def test_a_valve_that_is_open_or_closed(hub, device, heard):  # noqa: F811
    announce(device, "valve", "w", {"unique_id": "w", "name": "Tap", "command_topic": "own/set/w", "state_topic": "w/state",
                                    "state_open": "auf", "payload_close": None})
    tell(hub, device, "w/state", "auf", "valve.tap", "open")
    tell(hub, device, "w/state", "closed", "valve.tap", "closed")
    order(hub, heard, "valve.open_valve", "valve.tap", "own/set/w", "OPEN")
    refused = hub.admin.post("/api/services/valve/close_valve", json={"entity_id": "valve.tap"})
    assert refused.status_code == 400 and "cannot close" in refused.json()["message"]
    announce(device, "valve", "x", {"unique_id": "x", "command_topic": "own/set/x", "position_open": 5, "position_closed": 5})
    wait_until(lambda: any("another number than position_closed" in row["reason"] for row in report(hub) if row["reason"]))


@pytest.mark.contract("MQTT: discovery")
def test_a_water_heater(hub, device, heard):  # noqa: F811
    announce(device, "water_heater", "b", {
        "unique_id": "b", "name": "Boiler", "modes": ["off", "eco", "performance"], "mode_command_topic": "own/set/mode",
        "mode_state_topic": "b/mode", "temperature_command_topic": "own/set/temperature", "temperature_state_topic": "b/target",
        "current_temperature_topic": "b/now", "power_command_topic": "own/set/power", "min_temp": 30, "max_temp": 70})
    tell(hub, device, "b/mode", "eco", "water_heater.boiler", "eco")
    device.publish("b/target", "55")
    device.publish("b/now", "48.5")
    shows(hub, "water_heater.boiler", operation_mode="eco", temperature=55, current_temperature=48.5, min_temp=30, max_temp=70,
          operation_list=["off", "eco", "performance"])
    order(hub, heard, "water_heater.set_temperature", "water_heater.boiler", "own/set/temperature", "60", temperature=60)
    order(hub, heard, "water_heater.set_operation_mode", "water_heater.boiler", "own/set/mode", "performance",
          operation_mode="performance")
    order(hub, heard, "water_heater.turn_on", "water_heater.boiler", "own/set/power", "ON")
    order(hub, heard, "water_heater.turn_off", "water_heater.boiler", "own/set/power", "OFF")
    tell(hub, device, "b/mode", "None", "water_heater.boiler", "unknown")
    announce(device, "water_heater", "c", {"unique_id": "c", "mode_command_topic": "own/set/c", "min_temp": 60, "max_temp": 50})
    wait_until(lambda: any("max_temp: expected more than min_temp" in row["reason"] for row in report(hub) if row["reason"]))


@pytest.mark.contract("MQTT: discovery")
def test_a_humidifier(hub, device, heard):  # noqa: F811
    announce(device, "humidifier", "h", {
        "unique_id": "h", "name": "Air", "command_topic": "own/set/power", "state_topic": "h/power",
        "target_humidity_command_topic": "own/set/humidity", "target_humidity_state_topic": "h/target",
        "current_humidity_topic": "h/now", "action_topic": "h/action", "modes": ["eco", "boost"],
        "mode_command_topic": "own/set/mode", "mode_state_topic": "h/mode", "min_humidity": 30, "max_humidity": 80})
    tell(hub, device, "h/power", "ON", "humidifier.air", "on")
    for topic, payload in (("target", "45"), ("now", "41"), ("action", "humidifying"), ("mode", "boost")):
        device.publish(f"h/{topic}", payload)
    shows(hub, "humidifier.air", humidity=45, current_humidity=41, action="humidifying", mode="boost", available_modes=["eco", "boost"])
    device.publish("h/target", "90")
    wait_until(lambda: any("expected a number from 30 to 80" in line for line in hub.log))
    order(hub, heard, "humidifier.set_humidity", "humidifier.air", "own/set/humidity", "50", humidity=50)
    order(hub, heard, "humidifier.set_mode", "humidifier.air", "own/set/mode", "eco", mode="eco")
    order(hub, heard, "humidifier.turn_off", "humidifier.air", "own/set/power", "OFF")
    for topic in ("target", "now", "mode"):
        device.publish(f"h/{topic}", "None")
    wait_until(lambda: not {"humidity", "current_humidity", "mode"} & {
        name for name, value in state_of(hub, "humidifier.air")["attributes"].items() if value is not None})


@pytest.mark.contract("MQTT: discovery")
def test_a_siren(hub, device, heard):  # noqa: F811
    announce(device, "siren", "s", {"unique_id": "s", "name": "Alarm", "command_topic": "own/set/s", "state_topic": "s/state",
                                    "available_tones": ["bell", "horn"], "support_volume_set": False})
    tell(hub, device, "s/state", json.dumps({"state": "ON", "tone": "horn"}), "siren.alarm", "on")
    shows(hub, "siren.alarm", tone="horn", available_tones=["bell", "horn"])
    tell(hub, device, "s/state", "OFF", "siren.alarm", "off")
    call(hub, "siren.turn_on", {"entity_id": "siren.alarm", "tone": "bell", "duration": 5})
    assert json.loads(heard.message().payload) == {"state": "ON", "tone": "bell", "duration": 5}
    order(hub, heard, "siren.turn_off", "siren.alarm", "own/set/s", '{"state":"OFF"}')
    announce(device, "siren", "t", {"unique_id": "t", "name": "Horn", "command_topic": "own/set/t",
                                    "command_template": "{{ state }}/{{ tone | default('-') }}", "command_off_template": "quiet"})
    becomes(hub, "siren.horn", "off")
    order(hub, heard, "siren.turn_on", "siren.horn", "own/set/t", "ON/-")
    order(hub, heard, "siren.turn_off", "siren.horn", "own/set/t", "quiet")


@pytest.mark.contract("MQTT: discovery")
def test_a_tracker(hub, device):  # noqa: F811
    announce(device, "device_tracker", "p", {"unique_id": "p", "name": "Phone", "state_topic": "p/state",
                                             "payload_home": "in", "source_type": "router"})
    tell(hub, device, "p/state", "in", "device_tracker.phone", "home")
    tell(hub, device, "p/state", "not_home", "device_tracker.phone", "not_home")
    tell(hub, device, "p/state", "Office", "device_tracker.phone", "Office")
    tell(hub, device, "p/state", "None", "device_tracker.phone", "unknown")
    assert state_of(hub, "device_tracker.phone")["attributes"]["source_type"] == "router"
    home = hub.admin.get("/api/config").json()
    announce(device, "device_tracker", "q", {"unique_id": "q", "name": "Car", "json_attributes_topic": "q/place"})
    place = {"latitude": home["latitude"], "longitude": home["longitude"], "gps_accuracy": 12}
    tell(hub, device, "q/place", json.dumps(place), "device_tracker.car", "home")
    shows(hub, "device_tracker.car", source_type="gps", **place)
    tell(hub, device, "q/place", json.dumps(place | {"latitude": 0}), "device_tracker.car", "not_home")
    announce(device, "device_tracker", "r", {"unique_id": "r", "name": "None"})
    wait_until(lambda: any("json_attributes_topic, but both are missing" in row["reason"] for row in report(hub) if row["reason"]))
