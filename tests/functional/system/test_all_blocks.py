# SPDX-License-Identifier: Apache-2.0
"""A home with everything that docs/ shows of building blocks, meters, Modbus and calendars: it starts, and each value is right."""

import json
import re

import pytest

from checks import call, state_of, value
from dsmr_meter import Port, dsmr5
from hub_process import REPOSITORY, wait_until
from ics_server import IcsServer, calendar, event
from modbus_server import ModbusServer
from value_server import ValueServer

UNITS = {1: {"input": {100: 215}, "holding": {200: [10, 1]}, "discrete": {0: [1, 0, 0, 0, 0, 0, 1, 0]}, "coil": {20: 0}}}
VALUES = {"binary_sensor.backup_disk": "off", "switch.night_mode": "off", "cover.awning": "closed", "binary_sensor.router": "on",
          "binary_sensor.storm": "on", "sensor.headline": "First", "sensor.water_level": "3.42", "sensor.water_flow": "17",
          "sensor.next_page": "/next?page=2", "sensor.flow_temperature": "21.5",
          "sensor.energy": "65546", "binary_sensor.inputs": "on", "binary_sensor.inputs_1": "off",
          "sensor.electricity_meter_power_consumption": "2.027", "calendar.waste_collection": "off"}


def examples(document):
    """The YAML examples of a document, by number."""
    text = (REPOSITORY / "docs" / document).read_text(encoding="utf-8")
    return re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def counterparts():
    """What the examples talk to: addresses in them, and the servers that stand there."""
    made = {"127.0.0.1:8080": ValueServer(), "192.168.1.70": ModbusServer(UNITS), "192.168.1.60": Port(dsmr5()),
            "calendars": IcsServer(waste=calendar(event("1", ":20991224T080000Z", ":20991224T090000Z", "Paper")))}
    yield made
    for server in made.values():
        server.stop()


@pytest.fixture
def home(hub_factory, counterparts):
    values, modbus, meter, calendars = counterparts.values()
    values.pages["/ring"] = ("application/json", b'{"by": "the gong"}')
    values.pages["/messages"] = ("text/plain", b"")
    blocks = examples("building-blocks.md")
    assert len(blocks) > 8
    addresses = f"http://127.0.0.1:{calendars.server.server_port}/"
    others = [examples("modbus.md")[0].replace("192.168.1.70", "127.0.0.1").replace("port: 502", f"port: {modbus.port}"),
              examples("dsmr.md")[0].replace("192.168.1.60", "127.0.0.1").replace("port: 2001", f"port: {meter.port}"),
              examples("calendars.md")[0].replace("https://example.org/", addresses).replace("webcal://calendar.example.org/", addresses)]
    folder = hub_factory.folder()
    (folder / "packages").mkdir()
    for number, text in enumerate([*blocks, *others]):
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{values.server_address[1]}")
        (folder / f"packages/example_{number}.yaml").write_text(text, encoding="utf-8")
    with (folder / "configuration.yaml").open("a") as file:
        file.write("homeassistant:\n  packages: !include_dir_named packages\n")
    (folder / "secrets.yaml").write_text("club_password: x\n")
    (folder / "measured.log").write_text(json.dumps({"temperature": 17.5}) + "\n")
    return hub_factory(folder)


def test_each_value_is_right(home, counterparts):
    def wrong():
        states = {state["entity_id"]: state["state"] for state in home.admin.get("/api/states").json()}
        return {entity_id: states.get(entity_id) for entity_id, right in VALUES.items() if states.get(entity_id) != right}

    try:
        wait_until(lambda: not wrong(), timeout=60)
    except AssertionError:
        assert wrong() == {}
    assert float(value(home, "sensor.free_memory")) > 0
    assert float(value(home, "sensor.size_of_the_history")) >= 0
    assert int(value(home, "sensor.hall_light_was_switched_on")) >= 0
    assert {value(home, "sensor.outside"), value(home, "sensor.outside_2")} == {"17.5", "21.5"}  # rest and file
    assert {value(home, "switch.pump"), value(home, "switch.pump_2")} == {"off"}  # rest and modbus

    for switch in ("switch.pump", "switch.pump_2", "switch.night_mode"):
        call(home, "switch.turn_on", {"entity_id": switch})
        wait_until(lambda: value(home, switch) == "on", timeout=30)
    call(home, "cover.open_cover", {"entity_id": "cover.awning"})
    wait_until(lambda: state_of(home, "cover.awning")["attributes"]["current_position"] == 100, timeout=30)

    asked = home.admin.post("/api/services/rest_command/ring?return_response", json={"times": 2, "text": "Hello"}).json()
    assert asked["service_response"]["content"] == {"by": "the gong"}
    said = home.admin.post("/api/services/shell_command/say?return_response", json={"name": "It", "entity": "sensor.headline"}).json()
    assert said["service_response"]["stdout"] == "It is First"
    call(home, "notify.everybody", {"message": "The washing is done."})
    assert "The washing is done." in (home.folder / "notes.txt").read_text()
    assert (home.folder / "printed.txt").read_text().strip() == "The washing is done."
    call(home, "notify.screen", {"message": "Hello"})
    assert counterparts["127.0.0.1:8080"].asked[-1][1] == "/messages"
    call(home, "wake_on_lan.send_magic_packet", {"mac": "00:11:22:33:44:55", "broadcast_address": "127.255.255.255"})
