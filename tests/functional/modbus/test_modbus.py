# SPDX-License-Identifier: Apache-2.0
"""Modbus against a server of pymodbus: all ways to it, values, switches, services, and devices that do wrong."""

import os
import select
import socket
import threading

import pytest
import yaml

from checks import attribute, call, value
from hub_process import command, wait_until, write_settings
from modbus_server import COIL, HOLDING, ModbusServer
from websocket_client import WebSocketClient

ENTRY = "/api/config/config_entries/entry"
UNITS = {1: {"holding": {0: 215, 1: 65534, 2: [0x4148, 0], 10: 0, 11: 7, 13: 9},
             "input": {5: [1, 0]}, "coil": {3: [1, 0, 1], 20: 0}, "discrete": {4: 1}}}


@pytest.fixture
def server():
    """Makes servers, which end with the test."""
    made = []

    def make(units=UNITS, **options):
        made.append(ModbusServer(units, **options))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def tcp(port, kind="tcp", **more):
    return {"name": "modbus_hub", "type": kind, "host": "127.0.0.1", "port": port, **more}


def sensor(name, address, **more):
    return {"name": name, "address": address, "scan_interval": 1, **more}


def entry(hub):
    [found] = [each for each in hub.admin.get(ENTRY).json() if each["domain"] == "modbus"]
    return found


def becomes(hub, entity_id, wanted):
    """Waits until the entity is there with that state."""
    def state():
        answer = hub.admin.get(f"/api/states/{entity_id}")
        return answer.json()["state"] if answer.status_code == 200 else None
    wait_until(lambda: state() == wanted, 20)


def service(home, name, status=200, **data):
    answer = home.admin.post(f"/api/services/modbus/{name}", json=data)
    assert answer.status_code == status, answer.text
    return answer.text


SENSORS = [sensor("Temperature", 0, scale=0.1, precision=1, unit_of_measurement="°C", device_class="temperature",
                  state_class="measurement", unique_id="t1"),
           sensor("Below", 1),
           sensor("Float", 2, data_type="float32", precision=2),
           sensor("Swapped", 5, data_type="uint32", input_type="input", swap="word")]


@pytest.mark.parametrize("kind", ["tcp", "udp", "rtuovertcp", "serial"])
def test_values_are_read_over_every_way(hub_factory, server, kind):
    relay = None
    if kind == "serial":
        relay = Relay()
        server(kind=kind, device=relay.names[1])
        section = {"type": "serial", "port": relay.names[0], "baudrate": 9600, "bytesize": 8, "method": "rtu",
                   "parity": "N", "stopbits": 1}
    else:
        section = tcp(server(kind=kind).port, kind)
    try:
        hub = hub_factory(modbus=[{**section, "sensors": SENSORS, "binary_sensors": [
            sensor("Coils", 3, virtual_count=2), sensor("Contact", 4, input_type="discrete_input")]}])
        becomes(hub, "sensor.temperature", "21.5")
        becomes(hub, "sensor.below", "-2")
        assert attribute(hub, "sensor.temperature", "unit_of_measurement") == "°C"
        becomes(hub, "sensor.float", "12.5")
        becomes(hub, "sensor.swapped", "1")
        wait_until(lambda: [value(hub, f"binary_sensor.coils{part}") for part in ("", "_1", "_2")] ==
                   ["on", "off", "on"], 10)
        becomes(hub, "binary_sensor.contact", "on")
        assert entry(hub)["state"] == "loaded"
        hub.stop()
    finally:
        if relay:
            relay.stop()


class Relay:
    """Two pseudo-terminals, each of which gets what is written to the other: a serial line."""

    def __init__(self):
        pairs = [os.openpty(), os.openpty()]
        self.ends, self.others = zip(*pairs)
        self.names = [os.ttyname(other) for other in self.others]
        self.over, self.wake = os.pipe()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            ready = select.select([*self.ends, self.over], [], [])[0]
            if self.over in ready:
                return
            for end in ready:
                other = self.ends[1 - self.ends.index(end)]
                os.write(other, os.read(end, 4096))

    def stop(self):
        os.write(self.wake, b"x")
        self.thread.join(10)
        for number in (*self.ends, *self.others, self.over, self.wake):
            os.close(number)


def test_neighbours_are_read_together_and_a_wrong_address_harms_only_itself(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(device.port, sensors=[
        sensor("Ten", 10), sensor("Eleven", 11), sensor("Twelve", 12), sensor("Thirteen", 13)])])
    becomes(hub, "sensor.ten", "0")
    becomes(hub, "sensor.eleven", "7")
    becomes(hub, "sensor.thirteen", "9")
    becomes(hub, "sensor.twelve", "unavailable")
    assert (1, HOLDING, 10, 4) in device.requests
    device.requests.clear()
    wait_until(lambda: len(device.requests) >= 6, 10)
    assert (1, HOLDING, 10, 2) in device.requests and (1, HOLDING, 10, 4) not in device.requests
    device.set(HOLDING, 12, 5)
    becomes(hub, "sensor.twelve", "5")
    device.set(HOLDING, 12, 6)
    becomes(hub, "sensor.twelve", "6")
    assert hub.logged("illegal data address")


def test_switches_are_written_and_verified(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(device.port, switches=[
        sensor("Pump", 10, command_on=3, command_off=2, verify={"state_on": 3, "state_off": 2, "address": 10}),
        sensor("Valve", 20, write_type="coil"),
        sensor("Nothing", 4000)])])
    becomes(hub, "switch.pump", "unknown")  # it is 0, which is neither
    changed = call(hub, "switch.turn_on", {"entity_id": "switch.pump"})
    assert [state["state"] for state in changed] == ["on"] and device.value(HOLDING, 10) == 3
    device.set(HOLDING, 10, 2)
    becomes(hub, "switch.pump", "off")
    call(hub, "switch.turn_on", {"entity_id": "switch.valve"})
    assert device.value(COIL, 20) in (1, True) and value(hub, "switch.valve") == "on"
    call(hub, "switch.toggle", {"entity_id": "switch.valve"})
    assert device.value(COIL, 20) in (0, False)
    call(hub, "switch.turn_on", {"entity_id": "switch.nothing"}, status=500)
    assert value(hub, "switch.nothing") != "on"
    assert hub.logged("switch.nothing cannot be switched on: The device says: illegal data address (2).")


REFUSED = "The device says: illegal data address (2)."
FAILING = {"alias": "Failing", "sequence": [
    {"action": "switch.turn_on", "target": {"entity_id": "switch.nothing"}},
    {"event": "not_reached"}]}
GOING_ON = {"alias": "Going on", "sequence": [
    {"action": "switch.turn_on", "target": {"entity_id": ["switch.nothing", "switch.pump"]}, "continue_on_error": True},
    {"action": "switch.turn_off", "target": {"entity_id": "switch.valve"}}]}


@pytest.mark.contract("Services: handler fails")
def test_what_a_device_refuses_fails_the_call_with_its_words(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(
        device.port, timeout=1, switches=[sensor("Pump", 11), sensor("Valve", 20, write_type="coil"), sensor("Nothing", 4000),
                                          sensor("Silent", 1, slave=9)],
        lights=[sensor("No lamp", 4001)], covers=[sensor("No blind", 4002, status_register=13)])],
        script={"failing": FAILING, "going_on": GOING_ON})
    hub.errors_expected = True  # of the script
    becomes(hub, "switch.silent", "unknown")
    call(hub, "switch.turn_on", {"entity_id": ["switch.pump", "switch.valve"]})

    def refusal(service, entity_id, **data):
        return call(hub, service, {"entity_id": entity_id, **data}, status=500)

    assert refusal("switch.turn_on", "switch.nothing") == f"switch.nothing: {REFUSED}"
    assert refusal("light.turn_on", "light.no_lamp") == f"light.no_lamp: {REFUSED}"
    becomes(hub, "cover.no_blind", "unknown")
    assert refusal("cover.open_cover", "cover.no_blind") == f"cover.no_blind: {REFUSED}"
    assert refusal("homeassistant.toggle", "switch.nothing") == f"switch.nothing: {REFUSED}"
    # The others are commanded all the same.
    assert refusal("switch.turn_off", ["switch.nothing", "switch.pump"]) == f"switch.nothing: {REFUSED}"
    assert device.value(HOLDING, 11) == 0
    assert refusal("switch.turn_on", "switch.silent") == "switch.silent: The device does not answer within 1 s."
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.error("call_service", domain="switch", service="turn_on", target={"entity_id": "switch.nothing"}) == (
            "home_assistant_error", f"switch.nothing: {REFUSED}")
    assert REFUSED in call(hub, "script.failing", status=400)
    call(hub, "script.going_on")
    becomes(hub, "switch.valve", "off")
    assert device.value(HOLDING, 11) == 1


def test_a_call_ends_with_the_connection(hub_factory, server):
    silent = Liar(b"")
    hub = hub_factory(modbus=[tcp(silent.port, timeout=9, switches=[sensor("Pump", 11)])])
    becomes(hub, "switch.pump", "unknown")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(
        hub.admin.post("/api/services/switch/turn_on", json={"entity_id": "switch.pump"})))
    thread.start()
    wait_until(lambda: silent.received, 10)
    service(hub, "stop", hub="modbus_hub")
    thread.join(10)
    assert [answer.status_code for answer in answers] == [500] and "is stopped" in answers[0].text
    silent.listener.close()


def test_lights_fans_and_covers(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(
        device.port, lights=[sensor("Lamp", 20, write_type="coils", verify={})], fans=[sensor("Air", 11)],
        covers=[sensor("Blind", 10, status_register=13, state_open=1, state_closed=0, state_opening=9)])])
    becomes(hub, "light.lamp", "off")
    changed = call(hub, "light.turn_on", {"entity_id": "light.lamp"})
    assert [state["state"] for state in changed] == ["on"] and device.value(COIL, 20) in (1, True)
    call(hub, "fan.turn_on", {"entity_id": "fan.air"})
    assert value(hub, "fan.air") == "on" and device.value(HOLDING, 11) == 1
    becomes(hub, "cover.blind", "opening")
    call(hub, "cover.open_cover", {"entity_id": "cover.blind"})
    assert device.value(HOLDING, 10) == 1
    device.set(HOLDING, 13, 1)
    becomes(hub, "cover.blind", "open")


def test_climates_are_read_and_set(hub_factory, server):
    device = server({1: {"holding": {0: 205, 1: 190, 2: 0, 3: 0}}})
    hub = hub_factory(modbus=[tcp(device.port, climates=[sensor(
        "Heating", 0, data_type="int16", scale=0.1, target_temp_register=1, hvac_onoff_register=3,
        hvac_mode_register={"address": 2, "values": {"state_heat": 0, "state_cool": [5, 6]}})])])
    becomes(hub, "climate.heating", "off")
    wait_until(lambda: attribute(hub, "climate.heating", "current_temperature") == 20.5)
    assert attribute(hub, "climate.heating", "temperature") == 19
    call(hub, "climate.set_hvac_mode", {"entity_id": "climate.heating", "hvac_mode": "cool"})
    assert (device.value(HOLDING, 2), device.value(HOLDING, 3)) == (5, 1)
    becomes(hub, "climate.heating", "cool")
    call(hub, "climate.set_temperature", {"entity_id": "climate.heating", "temperature": 21.5})
    assert device.value(HOLDING, 1) == 215
    wait_until(lambda: attribute(hub, "climate.heating", "temperature") == 21.5)
    device.set(HOLDING, 3, 0)
    becomes(hub, "climate.heating", "off")


def test_services_write_stop_and_restart(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(device.port, sensors=[sensor("Ten", 10)])])
    becomes(hub, "sensor.ten", "0")
    service(hub, "write_register", hub="modbus_hub", slave=1, address=10, value=42)
    assert device.value(HOLDING, 10) == 42
    becomes(hub, "sensor.ten", "42")
    service(hub, "write_register", address=10, value=[1, 2])
    assert [device.value(HOLDING, at) for at in (10, 11)] == [1, 2]
    service(hub, "write_coil", unit=1, address=3, state=[False, True])
    assert [bool(device.value(COIL, at)) for at in (3, 4)] == [False, True]
    assert "65535" in service(hub, "write_register", 400, address=10, value=70000)
    assert "no hub other" in service(hub, "write_register", 400, hub="other", address=10, value=1)
    assert "true or false" in service(hub, "write_coil", 400, address=3, state="perhaps")
    refused = hub.admin.post("/api/services/modbus/write_register", json={"address": 4000, "value": 1})
    assert refused.status_code >= 400 and "illegal data address" in refused.text
    assert hub.client("display").post("/api/services/modbus/write_coil",
                                      json={"address": 3, "state": True}).status_code in (400, 401, 403)
    service(hub, "stop", hub="modbus_hub")
    becomes(hub, "sensor.ten", "unavailable")
    assert entry(hub)["state"] == "setup_retry" and "modbus.stop" in entry(hub)["reason"]
    service(hub, "restart")
    becomes(hub, "sensor.ten", "1")


def test_the_section_is_read_again_while_the_hub_runs(hub_factory, server):
    one, other = server(), server({1: {"holding": {0: 77}}})

    def write(*hubs):
        write_settings(home.folder, {**base, **({"modbus": list(hubs)} if hubs else {})})

    first = tcp(one.port, sensors=[sensor("First", 0)])
    home = hub_factory(modbus=[first])
    base = yaml.safe_load((home.folder / "configuration.yaml").read_text())
    del base["modbus"]
    becomes(home, "sensor.first", "215")
    since = entry(home)["modified_at"]
    service(home, "reload")
    assert entry(home)["modified_at"] == since  # nothing has changed
    write(first, {**tcp(other.port, sensors=[sensor("Second", 0)]), "name": "other"})
    service(home, "reload")
    becomes(home, "sensor.second", "77")
    becomes(home, "sensor.first", "215")
    write({**first, "type": "pigeon"})
    assert "type" in service(home, "reload", status=400)
    assert value(home, "sensor.second") == "77"
    write()
    call(home, "homeassistant.reload_all", {})
    assert [each for each in home.admin.get(ENTRY).json() if each["domain"] == "modbus"] == []
    wait_until(lambda: value(home, "sensor.first") == "unavailable", 20)
    write(first)
    call(home, "homeassistant.reload_all", {})
    becomes(home, "sensor.first", "215")
    call(home, "modbus.reload", {}, user="ann", status=403)


def test_a_silent_device_does_not_hold_up_the_others(hub_factory, server):
    device = server()
    hub = hub_factory(modbus=[tcp(device.port, timeout=1, sensors=[
        sensor("Silent", 0, slave=9), sensor("Ten", 10), sensor("Nobody", 3, slave=8)])])
    becomes(hub, "sensor.silent", "unavailable")
    becomes(hub, "sensor.nobody", "unavailable")
    for number in range(3, 6):
        device.set(HOLDING, 10, number)
        becomes(hub, "sensor.ten", str(number))
    assert hub.logged("does not answer within 1 s")


def test_a_lost_server_and_one_that_comes_back(hub_factory, server):
    device = server()
    other = server({1: {"holding": {0: 1}}})
    hub = hub_factory(modbus=[tcp(device.port, sensors=[sensor("Ten", 10)]),
                              {**tcp(other.port, sensors=[sensor("Other", 0)]), "name": "second"}])
    becomes(hub, "sensor.ten", "0")
    becomes(hub, "sensor.other", "1")
    device.stop()
    wait_until(lambda: value(hub, "sensor.ten") == "unavailable", 20)
    wait_until(lambda: "modbus_hub: " in (entry(hub)["reason"] or ""), 20)
    assert "second" not in (entry(hub)["reason"] or "")
    other.set(HOLDING, 0, 2)
    becomes(hub, "sensor.other", "2")
    server({1: {"holding": {10: 8}}}, port=device.port)
    wait_until(lambda: value(hub, "sensor.ten") == "8", 40)
    wait_until(lambda: entry(hub)["state"] == "loaded", 10)


class Liar:
    """A TCP server that answers each request with what it was given, and then perhaps closes."""

    def __init__(self, answer, close=False):
        self.answer, self.close, self.connections, self.received = answer, close, 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client):
        try:
            while client.recv(300):
                self.received += 1
                client.sendall(self.answer)
                if self.close:
                    break
        except OSError:
            pass
        client.close()


@pytest.mark.parametrize("answer, close", [
    (b"HTTP/1.1 400 Bad Request\r\n\r\n", False),
    (b"", True),
    (b"\x00\x01\x00\x00\x00\x06\x01", True),
    (b"\x00\x01\x00\x00\xff\xff" + b"x" * 100_000, False),
    (b"\x00\x00\x00\x00\x00\x03\x01\x83\x02" * 10_000, False),
], ids=["http", "closes", "short", "long", "flood"])
def test_servers_that_lie_are_survived(hub_factory, server, answer, close):
    device, liar = server(), Liar(answer, close)
    hub = hub_factory(modbus=[tcp(device.port, sensors=[sensor("Ten", 10)]),
                              {**tcp(liar.port, timeout=1, sensors=[sensor("Lie", 0)]), "name": "liar"}])
    becomes(hub, "sensor.ten", "0")
    wait_until(lambda: value(hub, "sensor.lie") == "unavailable", 20)
    wait_until(lambda: liar.connections >= 2, 20)
    device.set(HOLDING, 10, 3)
    becomes(hub, "sensor.ten", "3")
    liar.listener.close()


@pytest.mark.parametrize("wrong, message", [
    ({"type": "tcp"}, "host: missing"),
    ({"host": "a"}, "type: missing"),
    ({"type": "serial", "port": "COM3"}, "path of a serial device"),
    ({"type": "serial", "port": "/dev/ttyS0", "method": "ascii"}, "expected rtu"),
    ({"type": "serial", "port": "/dev/ttyS0", "baudrate": 1234}, "baudrate"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a"}]}, "address: missing"),
    ({"type": "tcp", "host": "a", "sensors": [{"address": 1}]}, "name: missing"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": 65535, "data_type": "int32"}]}, "beyond"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": 1, "count": 3}]}, "count: expected 1"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": 1, "swap": "word"}]}, "swap"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": 1, "data_type": "custom"}]}, "structure"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": 1, "adress": 2}]}, "unknown key"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": "0x10", "slave": 256}]}, "0 to 255"),
    ({"type": "tcp", "host": "a", "sensors": [{"name": "a", "address": "0x10", "device_address": 255}]}, None),
])
def test_wrong_configurations_are_named(hub_factory, wrong, message):
    checked = command(hub_factory.folder(modbus=[wrong]), "check")
    if message is None:
        assert checked.returncode == 0, checked.stdout
    else:
        assert message in checked.stdout + checked.stderr
