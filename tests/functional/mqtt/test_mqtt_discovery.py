# SPDX-License-Identifier: Apache-2.0
"""MQTT discovery with a real broker: what Zigbee2MQTT, Tasmota and ESPHome say, and what becomes of it."""

import json
from contextlib import suppress

import pytest

from broken_discovery import BROKEN
from checks import call, set_state, state_of
from hub_process import wait_until
from mqtt_broker import Broker
from test_durability import kill
from websocket_client import WebSocketClient

PREFIX = "homeassistant"
BRIDGE = {"topic": "zigbee2mqtt/bridge/state", "value_template": "{{ value_json.state }}"}
ORIGIN = {"name": "Zigbee2MQTT", "sw": "2.1.0", "url": "https://www.zigbee2mqtt.io"}


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.fixture
def device(broker):
    return broker.client()


def start(hub_factory, broker, folder=None, **options):
    """The hub has subscribed to what it listens to from its start: it says so after that."""
    settings = {"mqtt": broker.settings | options, "demo": None, "recorder": {"commit_interval": "0s"}}
    watcher = broker.client().subscribe(f"{PREFIX}/status")
    hub = hub_factory(folder) if folder else hub_factory(**settings)
    watcher.wait_for(f"{PREFIX}/status", "online", 15)
    return hub


def home_folder(hub_factory, broker):
    return hub_factory.folder(mqtt=broker.settings, demo=None, recorder={"commit_interval": "0s"})


def announce(device, component, identity, description):
    device.publish(f"{PREFIX}/{component}/{identity}/config", json.dumps(description), retain=True)


def value(hub, entity_id):
    answer = hub.admin.get(f"/api/states/{entity_id}")
    return answer.json()["state"] if answer.status_code == 200 else None


def becomes(hub, entity_id, expected, timeout=5.0):
    wait_until(lambda: value(hub, entity_id) == expected, timeout)


def tell(hub, device, topic, payload, entity_id, expected, timeout=10.0):
    """Says it until the hub has heard it: it begins to listen a little after the description."""
    def heard():
        device.publish(topic, payload)
        return value(hub, entity_id) == expected

    wait_until(heard, timeout, 0.1)


def report(hub):
    return hub.admin.get("/api/mqtt/discovery").json()


def devices(socket):
    return {device["id"]: device for device in socket.result("config/device_registry/list")}


def zigbee_device(name="Hall sensor", address="0x00158d0001"):
    return {"identifiers": [f"zigbee2mqtt_{address}"], "name": name, "manufacturer": "Acme", "model": "T1",
            "sw_version": "3000", "via_device": "zigbee2mqtt_bridge_0x1"}


def zigbee_sensor(device, name="Hall sensor", address="0x00158d0001"):
    """What Zigbee2MQTT sends for a sensor of temperature and a contact."""
    common = {"availability": [BRIDGE], "device": zigbee_device(name, address), "enabled_by_default": True,
              "origin": ORIGIN, "state_topic": f"zigbee2mqtt/{name}"}
    slug = name.lower().replace(" ", "_")
    announce(device, "sensor", f"{address}/temperature", common | {
        "device_class": "temperature", "state_class": "measurement", "unit_of_measurement": "°C",
        "value_template": '{{ value_json["temperature"] }}', "unique_id": f"{address}_temperature_zigbee2mqtt",
        "object_id": f"{slug}_temperature", "default_entity_id": f"sensor.{slug}_temperature"})
    announce(device, "binary_sensor", f"{address}/contact", common | {
        "device_class": "door", "payload_on": False, "payload_off": True,
        "value_template": '{{ value_json["contact"] }}', "unique_id": f"{address}_contact_zigbee2mqtt",
        "object_id": f"{slug}_contact", "default_entity_id": f"binary_sensor.{slug}_contact"})
    announce(device, "sensor", f"{address}/linkquality", common | {
        "enabled_by_default": False, "entity_category": "diagnostic", "unit_of_measurement": "lqi",
        "value_template": '{{ value_json["linkquality"] }}', "unique_id": f"{address}_linkquality_zigbee2mqtt",
        "object_id": f"{slug}_linkquality", "name": "Linkquality"})


@pytest.mark.contract("MQTT: discovery")
def test_zigbee2mqtt_sensors(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    zigbee_sensor(device)
    becomes(hub, "sensor.hall_sensor_temperature", "unavailable")
    device.publish("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
    becomes(hub, "sensor.hall_sensor_temperature", "unknown")
    tell(hub, device, "zigbee2mqtt/Hall sensor", '{"temperature":21.5,"contact":false,"linkquality":91}',
         "sensor.hall_sensor_temperature", "21.5")
    becomes(hub, "binary_sensor.hall_sensor_contact", "on")
    attributes = state_of(hub, "sensor.hall_sensor_temperature")["attributes"]
    assert attributes["friendly_name"] == "Hall sensor Temperature" and attributes["unit_of_measurement"] == "°C"
    assert value(hub, "sensor.hall_sensor_linkquality") is None
    rows = {row["topic"].split("/")[3]: row for row in report(hub)}
    assert rows["temperature"] == {"topic": f"{PREFIX}/sensor/0x00158d0001/temperature/config", "verdict": "made",
                                   "dropped": [], "reason": None, "entity_id": "sensor.hall_sensor_temperature"}
    device.publish("zigbee2mqtt/bridge/state", '{"state":"offline"}', retain=True)
    becomes(hub, "sensor.hall_sensor_temperature", "unavailable")


@pytest.mark.contract("MQTT: commands")
def test_zigbee2mqtt_light_answers(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    lamp = broker.client().subscribe("zigbee2mqtt/Lamp/set")
    announce(device, "light", "0x2/light", {
        "availability": [BRIDGE], "brightness": True, "brightness_scale": 254, "command_topic": "zigbee2mqtt/Lamp/set",
        "device": zigbee_device("Lamp", "0x2"), "effect": True, "effect_list": ["blink", "breathe"], "max_mireds": 500,
        "min_mireds": 150, "name": None, "origin": ORIGIN, "schema": "json", "state_topic": "zigbee2mqtt/Lamp",
        "supported_color_modes": ["xy", "color_temp"], "unique_id": "0x2_light_zigbee2mqtt", "object_id": "lamp"})
    device.publish("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
    tell(hub, device, "zigbee2mqtt/Lamp", '{"state":"OFF","brightness":254,"color_mode":"color_temp","color_temp":370}',
         "light.lamp", "off")

    answer = '{"state":"ON","brightness":127,"color_mode":"color_temp","color_temp":370}'
    lamp.library.on_message = lambda client, data, message: (lamp.messages.put(message),
                                                             client.publish("zigbee2mqtt/Lamp", answer))
    [changed] = call(hub, "light.turn_on", {"entity_id": "light.lamp", "brightness": 127})
    assert json.loads(lamp.payload()) == {"state": "ON", "brightness": 127}
    assert changed["state"] == "on" and changed["attributes"]["brightness"] == 128
    assert changed["attributes"]["color_temp_kelvin"] == 2703


@pytest.mark.contract("MQTT: discovery")
@pytest.mark.slow
def test_a_restart_and_a_kill_keep_everything(hub_factory, broker, device):
    folder = home_folder(hub_factory, broker)
    hub = start(hub_factory, broker, folder)
    zigbee_sensor(device)
    device.publish("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
    tell(hub, device, "zigbee2mqtt/Hall sensor", '{"temperature":21.5,"contact":false}',
         "sensor.hall_sensor_temperature", "21.5")
    hub.stop()
    hub_factory.hubs.remove(hub)
    broker.kill()
    # No broker: all is there, as it was.
    hub = hub_factory(folder)
    assert value(hub, "sensor.hall_sensor_temperature") == "21.5"
    assert value(hub, "binary_sensor.hall_sensor_contact") == "on"
    assert len(report(hub)) == 3
    becomes(hub, "sensor.hall_sensor_temperature", "unavailable", 20)
    broker.start()
    device = broker.client()
    device.publish("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
    becomes(hub, "sensor.hall_sensor_temperature", "21.5", 30)
    set_state(hub, "sensor.other", "saved")  # answered when it and what was before is on the disk
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = start(hub_factory, broker, folder)
    assert value(hub, "sensor.hall_sensor_temperature") == "21.5"


@pytest.mark.contract("MQTT: discovery")
def test_removal_takes_entity_and_device(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    zigbee_sensor(device)
    becomes(hub, "sensor.hall_sensor_temperature", "unavailable")
    wait_until(lambda: len(report(hub)) == 3)
    for component, part in (("sensor", "temperature"), ("binary_sensor", "contact"), ("sensor", "linkquality")):
        device.publish(f"{PREFIX}/{component}/0x00158d0001/{part}/config", "", retain=True)
    becomes(hub, "sensor.hall_sensor_temperature", None)
    wait_until(lambda: report(hub) == [])
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        assert "mqtt.zigbee2mqtt_0x00158d0001" in devices(socket)
        # It stays for a while: a device that is renamed comes back.
        wait_until(lambda: "mqtt.zigbee2mqtt_0x00158d0001" not in devices(socket), 20)


@pytest.mark.contract("MQTT: discovery")
def test_tasmota_in_short_names(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    relay = broker.client().subscribe("cmnd/tasmota_8A/POWER1")
    announce(device, "switch", "8AA4C8_RL_1", {
        "name": "Coffee Machine", "stat_t": "tele/tasmota_8A/STATE", "avty_t": "tele/tasmota_8A/LWT",
        "pl_avail": "Online", "pl_not_avail": "Offline", "cmd_t": "cmnd/tasmota_8A/POWER1",
        "val_tpl": "{{value_json.POWER1}}", "pl_off": "OFF", "pl_on": "ON", "uniq_id": "8AA4C8_RL_1",
        "dev": {"ids": ["8AA4C8"], "name": "Coffee", "mdl": "Sonoff", "sw": "8.5.1(tasmota)", "mf": "Tasmota"}})
    announce(device, "sensor", "8AA4C8_ENERGY_Power", {
        "name": "ENERGY Power", "stat_t": "tele/tasmota_8A/SENSOR", "avty_t": "tele/tasmota_8A/LWT",
        "pl_avail": "Online", "pl_not_avail": "Offline", "uniq_id": "8AA4C8_ENERGY_Power", "dev": {"ids": ["8AA4C8"]},
        "unit_of_meas": "W", "dev_cla": "power", "frc_upd": True, "val_tpl": "{{value_json['ENERGY']['Power']}}"})
    device.publish("tele/tasmota_8A/LWT", "Online", retain=True)
    tell(hub, device, "tele/tasmota_8A/STATE", '{"Time":"2026-01-01T00:00:00","POWER1":"ON","Wifi":{"RSSI":80}}',
         "switch.coffee_machine", "on")
    tell(hub, device, "tele/tasmota_8A/SENSOR", '{"Time":"2026-01-01T00:00:00","ENERGY":{"Total":1.5,"Power":12}}',
         "sensor.coffee_energy_power", "12")
    call(hub, "switch.turn_off", {"entity_id": "switch.coffee_machine"})
    assert relay.payload() == "OFF"


@pytest.mark.contract("MQTT: discovery")
def test_esphome_without_templates(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    node = broker.client().subscribe("node/#")
    common = {"avty_t": "node/status", "dev": {"ids": "a4cf12", "name": "Node", "sw": "esphome v2026.1", "mdl": "esp32",
                                              "mf": "espressif", "cns": [["mac", "a4:cf:12:00:00:01"]]}}
    announce(device, "sensor", "node/uptime", common | {
        "dev_cla": "duration", "unit_of_meas": "s", "stat_cla": "measurement", "name": "Uptime", "uniq_id": "ESPsensor1",
        "stat_t": "node/sensor/uptime/state"})
    announce(device, "light", "node/strip", common | {
        "schema": "json", "clrm": True, "supported_color_modes": ["rgb"], "brightness": True, "name": "",
        "uniq_id": "ESPlight1", "stat_t": "node/light/strip/state", "cmd_t": "node/light/strip/command"})
    announce(device, "cover", "node/blind", common | {
        "name": "Blind", "uniq_id": "ESPcover1", "cmd_t": "node/cover/blind/command",
        "pos_t": "node/cover/blind/position/state", "set_pos_t": "node/cover/blind/position/command"})
    device.publish("node/status", "online", retain=True)
    tell(hub, device, "node/sensor/uptime/state", "12.0", "sensor.node_uptime", "12.0")
    tell(hub, device, "node/light/strip/state",
         '{"state":"ON","color_mode":"rgb","brightness":100,"color":{"r":255,"g":0,"b":0}}', "light.node", "on")
    assert state_of(hub, "light.node")["attributes"]["rgb_color"] == [255, 0, 0]
    tell(hub, device, "node/cover/blind/position/state", "40", "cover.node_blind", "open")
    call(hub, "cover.set_cover_position", {"entity_id": "cover.node_blind", "position": 10})
    node.wait_for("node/cover/blind/position/command", "10")


@pytest.mark.contract("MQTT: discovery")
def test_a_rename_by_the_user_stays(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    zigbee_sensor(device)
    becomes(hub, "sensor.hall_sensor_temperature", "unavailable")
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        socket.result("config/entity_registry/update", entity_id="sensor.hall_sensor_temperature",
                      new_entity_id="sensor.warmth", name="Warmth")
    zigbee_sensor(device, name="Hall sensor")
    device.publish("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
    tell(hub, device, "zigbee2mqtt/Hall sensor", '{"temperature":3}', "sensor.warmth", "3")


@pytest.mark.contract("MQTT: discovery")
def test_a_device_message_takes_over_from_single_ones(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    block = {"ids": "ea334450945afc", "name": "Kitchen node", "mf": "Acme", "mdl": "KN-1"}
    announce(device, "sensor", "kn/temp", {"unique_id": "kn1_t", "device_class": "temperature", "dev": block,
                                           "state_topic": "kn1/state", "value_template": "{{ value_json.t }}"})
    tell(hub, device, "kn1/state", '{"t":20,"h":55}', "sensor.kitchen_node_temperature", "20")
    device.publish(f"{PREFIX}/sensor/kn/temp/config", '{"migrate_discovery": true}', retain=True)
    announce(device, "device", "kn", {
        "dev": block, "o": {"name": "acme2mqtt", "sw": "2.1"}, "state_topic": "kn1/state", "qos": 1, "cmps": {
            "temp": {"p": "sensor", "device_class": "temperature", "value_template": "{{ value_json.t }}",
                     "unique_id": "kn1_t"},
            "hum": {"p": "sensor", "device_class": "humidity", "value_template": "{{ value_json.h }}",
                    "unique_id": "kn1_h"}}})
    device.publish(f"{PREFIX}/sensor/kn/temp/config", "", retain=True)
    tell(hub, device, "kn1/state", '{"t":21,"h":55}', "sensor.kitchen_node_humidity", "55")
    becomes(hub, "sensor.kitchen_node_temperature", "21")
    assert [row["component"] for row in report(hub)] == ["temp", "hum"]
    device.publish(f"{PREFIX}/device/kn/config", "", retain=True)
    becomes(hub, "sensor.kitchen_node_humidity", None)
    assert value(hub, "sensor.kitchen_node_temperature") is None


@pytest.mark.contract("MQTT: discovery")
def test_a_message_without_a_value_that_is_to_be_defined_is_ignored_in_silence(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    for key in ("temperature_C", "hum"):
        announce(device, "sensor", key, {"stat_t": "+/+/RTL/0/102", "name": key, "uniq_id": key,
                                         "val_tpl": f"{{{{ value_json.{key} | is_defined }}}}"})
    announce(device, "device_automation", "press", {
        "automation_type": "trigger", "topic": "gw/a/RTL/0/102", "type": "press", "subtype": "one", "payload": "never",
        "value_template": "{{ value_json.press | is_defined }}", "device": {"identifiers": ["gw"], "name": "Gateway"}})
    tell(hub, device, "gw/a/RTL/0/102", '{"temperature_C": 4.5}', "sensor.temperature_c", "4.5")
    tell(hub, device, "gw/a/RTL/0/102", '{"hum": 4}', "sensor.hum", "4")
    assert value(hub, "sensor.temperature_c") == "4.5"
    announce(device, "sensor", "loud", {"stat_t": "loud", "name": "Loud", "uniq_id": "loud",
                                        "val_tpl": "{{ value_json.missing.deeper }}"})
    becomes(hub, "sensor.loud", "unknown")

    def said():
        device.publish("loud", "{}")
        return [line for line in hub.log if "sensor.loud" in line]

    wait_until(said, 10.0, 0.1)
    assert not [line for line in hub.log if "value_template" in line and "sensor.loud" not in line]


@pytest.mark.contract("MQTT: discovery")
def test_a_broker_that_forgets_takes_nothing_away(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    announce(device, "switch", "plug", {"unique_id": "plug", "name": "Plug", "command_topic": "plug/set",
                                        "state_topic": "plug"})
    tell(hub, device, "plug", "ON", "switch.plug", "on")
    broker.kill()
    becomes(hub, "switch.plug", "unavailable", 10)
    broker.start()
    becomes(hub, "switch.plug", "on", 30)
    plug = broker.client().subscribe("plug/set")
    call(hub, "switch.turn_off", {"entity_id": "switch.plug"})
    assert plug.payload() == "OFF"


@pytest.mark.contract("MQTT: commands")
def test_a_call_waits_for_the_device(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    announce(device, "number", "a", {"unique_id": "a", "name": "Level", "command_topic": "n/set", "state_topic": "n",
                                     "max": 50})
    tell(hub, device, "n", "7", "number.level", "7")
    assert call(hub, "number.set_value", {"entity_id": "number.level", "value": 9}) == []
    assert value(hub, "number.level") == "7"
    echo = broker.client().subscribe("n/set")
    echo.library.on_message = lambda client, data, message: client.publish("n", message.payload)
    [changed] = call(hub, "number.set_value", {"entity_id": "number.level", "value": 12})
    assert changed["state"] == "12"
    call(hub, "number.set_value", {"entity_id": "number.level", "value": 99}, status=400)


@pytest.mark.contract("MQTT: discovery")
def test_tasmotas_own_discovery(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    config = {"ip": "192.168.1.9", "dn": "Box", "fn": ["Box", None], "hn": "box", "mac": "00112233AABB", "md": "Sonoff",
              "ty": 0, "if": 0, "ofln": "Offline", "onln": "Online", "state": ["OFF", "ON", "TOGGLE", "HOLD"],
              "sw": "14.1.0", "t": "box", "ft": "%prefix%/%topic%/", "tp": ["cmnd", "stat", "tele"], "rl": [1, 0],
              "swc": [-1], "btn": [0], "so": {"4": 0, "30": 0, "73": 0, "114": 0}, "lk": 0, "lt_st": 0, "ver": 1}
    device.publish("tasmota/discovery/00112233AABB/config", json.dumps(config), retain=True)
    device.publish("tasmota/discovery/00112233AABB/sensors", json.dumps(
        {"sn": {"Time": "x", "AM2301": {"Temperature": 21.3, "Humidity": 55}, "TempUnit": "C"}, "ver": 1}), retain=True)
    device.publish("tele/box/LWT", "Online", retain=True)
    tell(hub, device, "tele/box/STATE", '{"POWER":"ON","Wifi":{"RSSI":80}}', "switch.box", "on")
    tell(hub, device, "tele/box/SENSOR", '{"AM2301":{"Temperature":22.5,"Humidity":50},"TempUnit":"C"}',
         "sensor.box_am2301_temperature", "22.5")
    relay = broker.client().subscribe("cmnd/box/#")
    call(hub, "switch.turn_off", {"entity_id": "switch.box"})
    relay.wait_for("cmnd/box/POWER1", "OFF")
    device.publish("tele/box/LWT", "Offline", retain=True)
    becomes(hub, "switch.box", "unavailable")


@pytest.mark.contract("MQTT: triggers")
def test_a_trigger_of_a_device(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    announce(device, "device_automation", "0x3/action_double", {
        "automation_type": "trigger", "type": "action", "subtype": "double", "payload": "double",
        "topic": "zigbee2mqtt/Button/action", "device": zigbee_device("Button", "0x3"), "origin": ORIGIN})
    wait_until(lambda: [row["verdict"] for row in report(hub)] == ["trigger"])
    device_id = "mqtt.zigbee2mqtt_0x3"
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        [trigger] = socket.result("device_automation/trigger/list", device_id=device_id)
        assert trigger == {"platform": "device", "domain": "mqtt", "device_id": device_id, "type": "action",
                           "subtype": "double", "discovery_id": "0x3 action_double"}
        info = socket.result("mqtt/device/debug_info", device_id=device_id)
        assert info["entities"] == [] and info["triggers"][0]["trigger_key"] == trigger
    with hub.stream("?restrict=device_trigger,logbook_entry") as stream:
        for _ in range(20):  # until the broker has the hub's subscription
            device.publish("zigbee2mqtt/Button/action", "single")
            device.publish("zigbee2mqtt/Button/action", "double")
            with suppress(AssertionError):
                fired = stream.until_type("device_trigger", 0.5)[-1].event
                break
        assert fired["data"] == {key: trigger[key] for key in ("domain", "device_id", "type", "subtype", "discovery_id")} | {
            "payload": "double", "topic": "zigbee2mqtt/Button/action", "qos": 0}
        assert stream.until_type("logbook_entry")[-1].event["data"]["message"] == "double action"


@pytest.mark.contract("MQTT: discovery")
def test_report_is_for_administrators(hub_factory, broker):
    hub = start(hub_factory, broker)
    assert report(hub) == []
    assert hub.ann.get("/api/mqtt/discovery").status_code == 403
    assert hub.anonymous.get("/api/mqtt/discovery").status_code == 401


@pytest.mark.contract("MQTT: discovery")
def test_without_discovery_nothing_is_made(hub_factory, broker, device):
    hub = start(hub_factory, broker, discovery=False)
    zigbee_sensor(device)
    device.publish("other", "x")
    assert report(hub) == []


@pytest.mark.contract("MQTT: broken discovery")
def test_broken_messages_are_reported_and_do_no_harm(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    for number, (component, payload, _, _) in enumerate(BROKEN):
        text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
        device.send(f"{PREFIX}/{component}/broken{number}/config", text, qos=1)
    announce(device, "sensor", "last", {"state_topic": "last", "unique_id": "last", "name": "Last"})
    becomes(hub, "sensor.last", "unknown", 20)
    rows = {}
    for row in report(hub):
        rows.setdefault(row["topic"], row)
    wrong = []
    for number, (component, payload, verdict, reason) in enumerate(BROKEN):
        row = rows.get(f"{PREFIX}/{component}/broken{number}/config", {"verdict": "ignored", "reason": ""})
        if row["verdict"] != verdict or reason not in (row["reason"] or ""):
            wrong.append((number, payload, verdict, reason, row["verdict"], row["reason"]))
    assert not wrong, wrong
    tell(hub, device, "last", "5", "sensor.last", "5")
    refused = sum(verdict == "refused" for _, _, verdict, _ in BROKEN)
    assert sum(" warning " in line and "broken" in line for line in hub.log) >= refused
    lines = [line.split(" ", 2)[2] for line in hub.log if "broken" in line]
    assert len(lines) == len(set(lines))
