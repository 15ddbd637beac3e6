# SPDX-License-Identifier: Apache-2.0
"""What obeys and is made of others: generic_thermostat and switch_as_x."""

import signal

import pytest

from checks import attribute, becomes, call, set_state, state_of, value
from hub_process import command, wait_until
from websocket_client import WebSocketClient

CONFIGURATION = """\
input_boolean:
  heater:
switch:
  - platform: template
    switches:
      gate:
        friendly_name: The gate
        value_template: "{{ is_state('input_boolean.heater', 'on') }}"
        turn_on: {action: input_boolean.turn_on, target: {entity_id: input_boolean.heater}}
        turn_off: {action: input_boolean.turn_off, target: {entity_id: input_boolean.heater}}
climate:
  - platform: generic_thermostat
    name: Bath
    unique_id: bath
    heater: input_boolean.heater
    target_sensor: sensor.bath
    cold_tolerance: 0.5
    hot_tolerance: 0
    away_temp: 15
switch_as_x:
  - {entity_id: switch.gate, target_domain: cover, device_class: gate}
  - {entity_id: switch.gate, target_domain: lock, invert: true, name: Bolt, unique_id: bolt}
"""


def measured(hub, temperature):
    set_state(hub, "sensor.bath", temperature, {"unit_of_measurement": "°C", "device_class": "temperature"})


def warm(hub, service, **data):
    call(hub, f"climate.{service}", {"entity_id": "climate.bath"} | data)


@pytest.mark.contract("Automations: generic_thermostat")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_thermostat_heats_and_is_after_the_end_as_it_was_set(hub_factory, folder, how):
    hub = hub_factory.start_to_kill(folder)
    shown = state_of(hub, "climate.bath")
    assert shown["state"] == "off" and shown["attributes"]["hvac_modes"] == ["heat", "off"]
    measured(hub, "19")
    warm(hub, "set_temperature", temperature=21, hvac_mode="heat")
    becomes(hub, "input_boolean.heater", "on")
    wait_until(lambda: attribute(hub, "climate.bath", "hvac_action") == "heating")
    measured(hub, "21")
    becomes(hub, "input_boolean.heater", "off")
    measured(hub, "20.6")
    measured(hub, "20.5")
    becomes(hub, "input_boolean.heater", "on")
    set_state(hub, "sensor.bath", "unavailable")
    becomes(hub, "input_boolean.heater", "off")
    warm(hub, "set_preset_mode", preset_mode="away")
    assert attribute(hub, "climate.bath", "temperature") == 15
    assert attribute(hub, "climate.bath", "saved_temperature") == 21
    hub.send_signal(how)
    hub.wait_ended()
    hub.close_clients()
    again = hub_factory(folder)
    shown = state_of(again, "climate.bath")
    assert (shown["state"], shown["attributes"]["preset_mode"], shown["attributes"]["temperature"]) == ("heat", "away", 15)
    measured(again, "14")
    becomes(again, "input_boolean.heater", "on")
    measured(again, "16")
    becomes(again, "input_boolean.heater", "off")
    warm(again, "set_preset_mode", preset_mode="none")
    becomes(again, "input_boolean.heater", "on")
    assert attribute(again, "climate.bath", "temperature") == 21
    warm(again, "turn_off")
    becomes(again, "input_boolean.heater", "off")


@pytest.mark.contract("Automations: generic_thermostat")
def test_a_broken_thermostat_is_named_with_its_line(folder):
    settings = folder / "configuration.yaml"
    text = settings.read_text()
    line = len(text[:text.index("    away_temp: 15")].splitlines()) + 1
    settings.write_text(text.replace("away_temp: 15", "away_temp: 50"))
    checked = command(folder, "check")
    assert checked.returncode == 1
    assert f'configuration.yaml:{line}: away_temp: expected a number from 7 to 35, found "50"' in checked.stderr


@pytest.mark.contract("Automations: switch_as_x")
def test_a_switch_is_shown_as_something_else_and_followed(hub_factory, folder):
    hub = hub_factory(folder)
    becomes(hub, "cover.gate", "closed")
    shown = state_of(hub, "cover.gate")["attributes"]
    assert (shown["friendly_name"], shown["device_class"], shown["entity_id"]) == ("The gate", "gate", "switch.gate")
    assert value(hub, "lock.gate") == "unlocked" and attribute(hub, "lock.gate", "friendly_name") == "Bolt"
    call(hub, "cover.open_cover", {"entity_id": "cover.gate"})
    becomes(hub, "cover.gate", "open")
    becomes(hub, "lock.gate", "locked")
    assert value(hub, "switch.gate") == "on"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id="switch.gate", new_entity_id="switch.door")
        entry = client.result("config/entity_registry/get", entity_id="lock.gate")
    assert (entry["platform"], entry["unique_id"]) == ("switch_as_x", "bolt")
    wait_until(lambda: attribute(hub, "cover.gate", "entity_id") == "switch.door")
    call(hub, "lock.unlock", {"entity_id": "lock.gate"})
    becomes(hub, "switch.door", "off")
    hub.stop()
    again = hub_factory(folder)
    becomes(again, "cover.gate", "closed")
    call(again, "cover.toggle", {"entity_id": "cover.gate"})
    becomes(again, "switch.door", "on")
    becomes(again, "lock.gate", "locked")
