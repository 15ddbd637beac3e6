# SPDX-License-Identifier: Apache-2.0
"""The hub and a real ESPHome node, with aioesphomeapi as the second client that says what the node is like."""

import base64
import json
import subprocess
from pathlib import Path

import pytest

from checks import attribute, becomes, call, value
from hub_process import wait_until
from real_node import MAC, PORT, RealNode, python

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def node(tmp_path):
    one = RealNode(tmp_path)
    yield one
    one.stop()


@pytest.fixture
def hub(hub_factory, node):
    made = hub_factory(esphome={"nodes": [{"host": "127.0.0.1", "port": PORT}]})
    wait_until(lambda: entry(made)["state"] == "loaded", 15)
    becomes(made, "select.test_node_mode", "eco")
    return made


def entry(hub):
    return next(each for each in hub.admin.get(ENTRY).json() if each["domain"] == "esphome")


def second_client(*arguments):
    done = subprocess.run([python(), Path(__file__).with_name("second_client.py"), *arguments], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# A call, what becomes of the entity in the home, and what the second client then says of it; None: something else, because the
# node takes its time zone from whoever told it the time last, or is still moving.
COMMANDS = [
    ("switch.turn_on", "switch.test_node_relay", {}, "on", ("Switch Relay", "state", True)),
    ("number.set_value", "number.test_node_level", {"value": 7.3}, "7.3", ("Number Level", "state", pytest.approx(7.3))),
    ("select.select_option", "select.test_node_mode", {"option": "away mode"}, "away mode",
     ("Select Mode", "state", "away mode")),
    ("text.set_value", "text.test_node_message", {"value": "Grüße"}, "Grüße", ("Text Message", "state", "Grüße")),
    ("date.set_value", "date.test_node_day", {"date": "2027-12-31"}, "2027-12-31", ("Date Day", "year", 2027)),
    ("time.set_value", "time.test_node_hour", {"time": "23:59:58"}, "23:59:58", ("Time Hour", "second", 58)),
    ("datetime.set_value", "datetime.test_node_moment", {"datetime": "2027-01-02T03:04:05Z"},
     "2027-01-02T03:04:05.000000+00:00", ("DateTime Moment", "epoch_seconds", None)),
    ("lock.lock", "lock.test_node_door", {}, "locked", ("Lock Door", "state", 1)),
    ("valve.set_valve_position", "valve.test_node_tap", {"position": 30}, "open", ("Valve Tap", "position", None)),
    ("cover.set_cover_position", "cover.test_node_blind", {"position": 0}, "closed", ("Cover Blind", "position", 0)),
    ("fan.set_percentage", "fan.test_node_fan", {"percentage": 70}, "on", ("Fan Fan", "speed_level", 3)),
    ("fan.set_preset_mode", "fan.test_node_fan", {"preset_mode": "sleep"}, "on", ("Fan Fan", "preset_mode", "sleep")),
    ("light.turn_on", "light.test_node_dimmer", {"brightness": 128}, "on",
     ("Light Dimmer", "brightness", pytest.approx(0.5, abs=0.01))),
    ("light.turn_on", "light.test_node_colour", {"rgb_color": [255, 0, 128]}, "on",
     ("Light Colour", "blue", pytest.approx(0.5, abs=0.01))),
    ("light.turn_on", "light.test_node_colour_white", {"rgbw_color": [0, 255, 0, 64]}, "on",
     ("Light Colour White", "white", pytest.approx(0.25, abs=0.01))),
    ("light.turn_on", "light.test_node_all", {"rgbww_color": [0, 0, 0, 255, 0]}, "on", ("Light All", "cold_white", 1)),
    ("light.turn_on", "light.test_node_white", {"color_temp_kelvin": 4000}, "on",
     ("Light White", "color_temperature", pytest.approx(250, abs=1))),
    ("light.turn_on", "light.test_node_temperature_lamp", {"color_temp_kelvin": 3000}, "on",
     ("Light Temperature Lamp", "color_temperature", pytest.approx(333, abs=1))),
    ("climate.set_hvac_mode", "climate.test_node_heating", {"hvac_mode": "heat"}, "heat", ("Climate Heating", "mode", 3)),
    ("climate.set_preset_mode", "climate.test_node_heating", {"preset_mode": "Party"}, "heat",
     ("Climate Heating", "custom_preset", "Party")),
    ("climate.set_temperature", "climate.test_node_heating", {"target_temp_low": 18.5, "target_temp_high": 23}, "heat",
     ("Climate Heating", "target_temperature_low", 18.5)),
    ("alarm_control_panel.alarm_arm_away", "alarm_control_panel.test_node_alarm", {}, "armed_away",
     ("AlarmControlPanel Alarm", "state", 2)),
    ("water_heater.set_operation_mode", "water_heater.test_node_boiler", {"operation_mode": "eco"}, "eco",
     ("WaterHeater Boiler", "mode", 1)),
]


def test_commands_reach_each_component(hub):
    for service, entity_id, data, wanted, _ in COMMANDS:
        call(hub, service, {"entity_id": entity_id, **data})
        becomes(hub, entity_id, wanted)
    assert attribute(hub, "fan.test_node_fan", "preset_mode") == "sleep"
    assert attribute(hub, "light.test_node_colour", "rgb_color") == [255, 0, 128]
    assert attribute(hub, "light.test_node_colour_white", "rgbw_color") == [0, 255, 0, 64]
    assert attribute(hub, "light.test_node_white", "color_temp_kelvin") == 4000
    assert attribute(hub, "climate.test_node_heating", "preset_mode") in ("Party", None)
    states = second_client("states")
    for service, _, _, _, (name, field, wanted) in COMMANDS:
        if name == "Climate Heating" and field == "custom_preset":
            continue  # the next command ends it
        if wanted is not None:
            assert states[name][field] == wanted, (service, states[name])


def test_what_the_node_says_by_itself(hub):
    with hub.stream("?restrict=esphome.pressed") as stream:
        call(hub, "button.press", {"entity_id": "button.test_node_press_me"})
        event = stream.until_type("esphome.pressed")[-1].event
        assert event["data"] == {"which": "one", "device_id": f"esphome.{MAC}"}
    becomes(hub, "sensor.test_node_temperature", "21.5")
    becomes(hub, "sensor.test_node_energy", "1.250")
    becomes(hub, "binary_sensor.test_node_motion", "on")
    wait_until(lambda: attribute(hub, "event.test_node_bell", "event_type") == "ring")


def test_actions_with_arguments_and_answers(hub):
    call(hub, "esphome.test_node_add_numbers",
         {"a": -3, "b": 0.5, "words": "sum", "flag": True, "many": [1, 2], "floats": [1.25], "texts": ["x", "y"],
          "flags": [True]})
    becomes(hub, "sensor.test_node_words", "sum -3 0.50 1 2 1.25 y 1")
    call(hub, "esphome.test_node_succeed")
    failed = hub.admin.post("/api/services/esphome/test_node_fail_me", json={})
    assert failed.status_code == 400 and "it is broken" in failed.text


def test_entities_come_back_when_the_node_does(hub, node):
    call(hub, "switch.turn_on", {"entity_id": "switch.test_node_sub_relay"})
    node.stop()
    wait_until(lambda: value(hub, "switch.test_node_sub_relay") == "unavailable", 15)
    node.start()
    wait_until(lambda: value(hub, "select.test_node_mode") == "eco", 30)
    assert entry(hub)["state"] == "loaded"


def test_a_key_that_it_is_given(hub_factory, node):
    assert second_client("set-key", KEY) is True
    hub = hub_factory()
    step = hub.admin.post(FLOW, json={"handler": "esphome"}).json()

    def submit(**data):
        return hub.admin.post(f"{FLOW}/{step['flow_id']}", json=data).json()

    def asks_for_the_key():
        return submit(host="127.0.0.1", port=PORT)

    assert asks_for_the_key()["step_id"] == "encryption_key"
    wrong = submit(noise_psk=base64.b64encode(bytes(32)).decode())
    assert wrong["errors"] == {"noise_psk": "invalid_auth"}
    made = submit(noise_psk=KEY)
    assert made["title"] == "Test Node", made
    wait_until(lambda: entry(hub)["state"] == "loaded", 15)
    becomes(hub, "select.test_node_mode", "eco")
    call(hub, "switch.turn_on", {"entity_id": "switch.test_node_relay"})
    becomes(hub, "switch.test_node_relay", "on")
    assert second_client("states", KEY)["Switch Relay"]["state"] is True
