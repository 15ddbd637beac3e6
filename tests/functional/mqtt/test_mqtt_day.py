# SPDX-License-Identifier: Apache-2.0
"""A day of a home whose devices speak Zigbee: a bridge that says and does what Zigbee2MQTT does, a real broker, and the hub."""

import json
import time

import pytest

from checks import call, set_state
from hub_process import wait_until
from mqtt_broker import Broker
from test_durability import kill
from websocket_client import WebSocketClient

BASE, PREFIX = "zigbee2mqtt", "homeassistant"
LAMP, DOOR, PLUG = "0x00158d0001", "0x00158d0002", "0x00158d0003"


class Bridge:
    """Describes its devices, passes their states on, and does what commands say. A lamp can be 10 to 254 bright."""

    def __init__(self, broker):
        self.names = {LAMP: "Hall lamp", DOOR: "Front door", PLUG: "Kettle"}
        self.states = {
            LAMP: {"state": "OFF", "brightness": 100, "color_mode": "color_temp", "color_temp": 370, "linkquality": 90},
            DOOR: {"contact": True, "temperature": 18.5, "battery": 77, "linkquality": 40},
            PLUG: {"state": "ON", "power": 1800.5, "linkquality": 120},
        }
        self.deaf = set()
        self.connect(broker)

    def connect(self, broker):
        self.client = broker.client()
        self.client.library.on_message = self.receive
        self.client.subscribe(f"{BASE}/+/set").subscribe(f"{PREFIX}/status")

    def receive(self, _client, _data, message):
        if message.topic == f"{PREFIX}/status":
            # Zigbee2MQTT waits for 30 s before it does this.
            if message.payload == b"online":
                for address in self.names:
                    self.report(address)
            return
        name = message.topic.split("/")[1]
        [address] = [each for each, known in self.names.items() if known == name]
        if address in self.deaf:
            return
        state = self.states[address]
        wanted = json.loads(message.payload) if message.payload.startswith(b"{") else {"state": message.payload.decode()}
        state |= {key: value for key, value in wanted.items() if key in state}
        if "brightness" in state:
            state["brightness"] = max(10, min(254, state["brightness"]))
        self.report(address)

    def report(self, address, **changes):
        self.states[address] |= changes
        self.client.send(f"{BASE}/{self.names[address]}", json.dumps(self.states[address]))

    def say(self, online):
        self.client.publish(f"{BASE}/bridge/state", json.dumps({"state": "online" if online else "offline"}), retain=True)

    def reach(self, address, online):
        self.client.publish(f"{BASE}/{self.names[address]}/availability",
                            json.dumps({"state": "online" if online else "offline"}), retain=True)

    def components(self, address):
        name = self.names[address]
        slug = name.lower().replace(" ", "_")
        common = {
            "availability": [{"topic": f"{BASE}/bridge/state", "value_template": "{{ value_json.state }}"},
                             {"topic": f"{BASE}/{name}/availability", "value_template": "{{ value_json.state }}"}],
            "availability_mode": "all",
            "device": {"identifiers": [f"zigbee2mqtt_{address}"], "name": name, "manufacturer": "Acme", "model": "T1",
                       "via_device": "zigbee2mqtt_bridge_0x1"},
            "origin": {"name": "Zigbee2MQTT", "sw": "2.1.0", "url": "https://www.zigbee2mqtt.io"},
            "state_topic": f"{BASE}/{name}",
        }

        def sensor(key, **more):
            return common | {"value_template": '{{ value_json["%s"] }}' % key, "object_id": f"{slug}_{key}",
                             "unique_id": f"{address}_{key}_zigbee2mqtt"} | more

        if address == LAMP:
            yield "light/light", common | {
                "brightness": True, "brightness_scale": 254, "command_topic": f"{BASE}/{name}/set", "max_mireds": 500,
                "min_mireds": 150, "name": None, "object_id": slug, "schema": "json",
                "supported_color_modes": ["color_temp"], "unique_id": f"{address}_light_zigbee2mqtt"}
        if address == DOOR:
            yield "binary_sensor/contact", sensor("contact", device_class="door", payload_on=False, payload_off=True)
            yield "sensor/temperature", sensor("temperature", device_class="temperature", state_class="measurement",
                                               unit_of_measurement="°C")
        if address == PLUG:
            yield "switch/switch", sensor("state", command_topic=f"{BASE}/{name}/set", name=None, object_id=slug,
                                          payload_off="OFF", payload_on="ON")
            yield "sensor/power", sensor("power", device_class="power", state_class="measurement",
                                         unit_of_measurement="W")

    def topics(self, address):
        for part, description in self.components(address):
            component, key = part.split("/")
            yield f"{PREFIX}/{component}/{address}/{key}/config", description

    def describe(self, *addresses):
        for address in addresses or self.names:
            for topic, description in self.topics(address):
                self.client.publish(topic, json.dumps(description), retain=True)

    def empty(self, address):
        for topic, _ in self.topics(address):
            self.client.publish(topic, "", retain=True)
        self.client.publish(f"{BASE}/{self.names[address]}/availability", "", retain=True)

    def begin(self):
        """What it does when it has started."""
        self.say(True)
        for address in self.names:
            self.reach(address, True)
        self.describe()
        for address in self.names:
            self.report(address)


class Home:
    """The hub and what REST says of it."""

    def __init__(self, hub_factory, broker):
        self.factory = hub_factory
        self.folder = hub_factory.folder(mqtt=broker.settings, demo=None, recorder={"commit_interval": "0s"})
        self.start()

    def start(self):
        self.hub = self.factory(self.folder)

    def connected(self, times=1):
        wait_until(lambda: sum("mqtt: connected to" in line for line in self.hub.log) >= times, 70)

    def end(self, how):
        how(self.hub)
        self.factory.hubs.remove(self.hub)

    def state(self, entity_id):
        answer = self.hub.admin.get(f"/api/states/{entity_id}")
        return answer.json() if answer.status_code == 200 else None

    def values(self, *entity_ids):
        return [(self.state(each) or {"state": None})["state"] for each in entity_ids]

    def becomes(self, entity_id, value, timeout=10.0):
        wait_until(lambda: self.values(entity_id) == [value], timeout)

    def hears(self, bridge, address, entity_id, value, **changes):
        """It begins to listen a little after a description."""
        def heard():
            bridge.report(address, **changes)
            return self.values(entity_id) == [value]

        wait_until(heard, 15, 0.2)

    def device(self, address):
        with WebSocketClient(self.hub, self.hub.tokens["admin"]) as socket:
            devices = {each["id"]: each for each in socket.result("config/device_registry/list")}
        return devices.get(f"mqtt.zigbee2mqtt_{address}")


ALL = ("light.hall_lamp", "binary_sensor.front_door_contact", "sensor.front_door_temperature", "switch.kettle",
       "sensor.kettle_power")


@pytest.mark.contract("MQTT: a day")
@pytest.mark.slow
def test_a_day_of_a_zigbee_home(hub_factory, tmp_path):
    broker = Broker(tmp_path / "broker").start()
    try:
        live_a_day(hub_factory, broker)
    finally:
        broker.stop()


def live_a_day(hub_factory, broker):
    home = Home(hub_factory, broker)
    home.connected()
    assert home.values(*ALL) == [None] * 5

    # The bridge starts, and all is there.
    bridge = Bridge(broker)
    bridge.begin()
    for address, entity_id, value in ((LAMP, ALL[0], "off"), (DOOR, ALL[1], "off"), (PLUG, ALL[3], "on")):
        home.hears(bridge, address, entity_id, value)
    wait_until(lambda: home.values(*ALL) == ["off", "off", "18.5", "on", "1800.5"])
    assert home.state(ALL[2])["attributes"]["unit_of_measurement"] == "°C"
    assert home.device(LAMP)["name"] == "Hall lamp"

    # States come as devices report them.
    bridge.report(DOOR, contact=False, temperature=3)
    wait_until(lambda: home.values(*ALL[1:3]) == ["on", "3"])

    # A command is answered with the state that the device has reported, not with what was asked.
    [lamp] = call(home.hub, "light.turn_on", {"entity_id": ALL[0], "brightness": 2})
    assert (lamp["state"], lamp["attributes"]["brightness"]) == ("on", 10)
    assert home.state(ALL[0])["attributes"]["brightness"] == 10
    [kettle] = call(home.hub, "switch.turn_off", {"entity_id": ALL[3]})
    assert (kettle["entity_id"], kettle["state"]) == (ALL[3], "off")
    changed = call(home.hub, "homeassistant.turn_off", {"entity_id": [ALL[0], ALL[3]]})
    assert [each["entity_id"] for each in changed] == [ALL[0]] and home.values(ALL[0]) == ["off"]

    # A device that does not answer is waited for, and keeps its state.
    bridge.deaf.add(PLUG)
    begun = time.monotonic()
    assert call(home.hub, "switch.turn_on", {"entity_id": ALL[3]}) == []
    assert 1.5 < time.monotonic() - begun < 5 and home.values(ALL[3]) == ["off"]
    bridge.deaf.clear()

    # A device loses its bridge, the bridge its network; both come back.
    bridge.reach(PLUG, False)
    wait_until(lambda: home.values(*ALL[3:]) == ["unavailable"] * 2)
    assert home.values(*ALL[:3]) == ["off", "on", "3"]
    assert call(home.hub, "switch.turn_on", {"entity_id": ALL[3]}) == []
    bridge.reach(PLUG, True)
    wait_until(lambda: home.values(*ALL[3:]) == ["off", "1800.5"])
    bridge.say(False)
    wait_until(lambda: home.values(*ALL) == ["unavailable"] * 5)
    bridge.say(True)
    wait_until(lambda: home.values(*ALL) == ["off", "on", "3", "off", "1800.5"])

    # People give the lamp a room and a name; the bridge gives it another name, and new entity ids: the device stays.
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as socket:
        area = socket.result("config/area_registry/create", name="Attic")["area_id"]
        socket.result("config/device_registry/update", device_id=f"mqtt.zigbee2mqtt_{LAMP}", area_id=area)
    bridge.empty(LAMP)
    home.becomes(ALL[0], None)
    bridge.names[LAMP] = "Attic lamp"
    bridge.reach(LAMP, True)
    bridge.describe(LAMP)
    home.hears(bridge, LAMP, "light.attic_lamp", "off")
    assert home.device(LAMP)["area_id"] == area and home.device(LAMP)["name"] == "Attic lamp"
    [lamp] = call(home.hub, "light.turn_on", {"entity_id": "light.attic_lamp"})
    assert lamp["state"] == "on" and bridge.states[LAMP]["state"] == "ON"

    # A new name alone changes no id.
    bridge.names[DOOR] = "Back door"
    bridge.reach(DOOR, True)
    bridge.describe(DOOR)
    home.hears(bridge, DOOR, ALL[2], "4", temperature=4)
    wait_until(lambda: home.state(ALL[2])["attributes"]["friendly_name"] == "Back door Temperature")
    assert home.values("sensor.back_door_temperature") == [None]

    # The kettle leaves the network.
    bridge.empty(PLUG)
    wait_until(lambda: home.values(*ALL[3:]) == [None, None])
    wait_until(lambda: home.device(PLUG) is None, 20)
    del bridge.names[PLUG]
    left = ("light.attic_lamp", *ALL[1:3])
    assert home.values(*left) == ["on", "on", "4"]

    # The broker dies and comes back empty; the bridge says all again.
    broker.stop()
    wait_until(lambda: home.values(*left) == ["unavailable"] * 3)
    broker.start()
    bridge.connect(broker)
    bridge.begin()
    home.connected(2)
    wait_until(lambda: home.values(*left) == ["on", "on", "4"], 30)
    # After this the bridge has no answer to the hub's greeting under way, which could be taken for one to the command.
    home.hears(bridge, DOOR, left[2], "4.5", temperature=4.5)
    home.hears(bridge, DOOR, left[2], "4", temperature=4)
    [lamp] = call(home.hub, "light.turn_off", {"entity_id": left[0]})
    assert lamp["state"] == "off"

    # The hub restarts, and is killed: all is there before anybody says anything.
    for how in (lambda hub: hub.stop(), kill):
        set_state(home.hub, "sensor.other", str(how))  # answered when it and what was before is on the disk
        home.end(how)
        bridge.report(DOOR, temperature=5)
        home.start()
        assert home.values(*left)[:2] == ["off", "on"] and home.values(left[2]) in (["4"], ["5"])
        assert home.device(LAMP)["area_id"] == area
        home.connected()
        # What happened meanwhile comes, because the bridge heard that the hub is there.
        home.becomes(left[2], "5")
        [lamp] = call(home.hub, "light.turn_on", {"entity_id": left[0], "brightness": 255})
        assert lamp["attributes"]["brightness"] == 255
        call(home.hub, "light.turn_off", {"entity_id": left[0]})
        home.hears(bridge, DOOR, left[2], "4", temperature=4)

    # Night: the bridge is away, and so it is when the hub starts anew; what was known is there when it comes back.
    bridge.say(False)
    wait_until(lambda: home.values(*left) == ["unavailable"] * 3)
    bridge.client.library.on_message = None
    for how in (lambda hub: hub.stop(), kill):
        set_state(home.hub, "sensor.other", "last")
        home.end(how)
        home.start()
        home.connected()
        assert home.values(*left) == ["unavailable"] * 3
    bridge.say(True)
    wait_until(lambda: home.values(*left) == ["off", "on", "4"])
