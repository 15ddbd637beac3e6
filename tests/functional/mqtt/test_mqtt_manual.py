# SPDX-License-Identifier: Apache-2.0
"""Components of MQTT that configuration.yaml describes: in the file, in packages and in files that it includes."""

import pytest

from checks import call, state_of
from hub_process import base_settings, command, wait_until, write_settings
from mqtt_broker import Broker
from test_mqtt_discovery import becomes, report, tell, value
from websocket_client import WebSocketClient


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.fixture
def device(broker):
    return broker.client()


def connection(broker):
    return f"mqtt:\n  broker: 127.0.0.1\n  port: {broker.port}\n"


def write(folder, text, **files):
    """configuration.yaml with this text at its end, and other files beside it."""
    write_settings(folder, base_settings())
    with (folder / "configuration.yaml").open("a") as file:
        file.write(text)
    for name, content in files.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)


def start(hub_factory, folder):
    hub = hub_factory(folder)
    wait_until(lambda: any("mqtt: connected to" in line for line in hub.log), 15)
    return hub


THREE = """  sensor:
    - name: Balcony
      state_topic: balcony
      value_template: "{{ value_json.t }}"
      unit_of_measurement: °C
      device_class: temperature
    - {name: Cellar, stat_t: ~/t, "~": cellar, uniq_id: cellar-t}
  switch:
    name: Pump
    command_topic: pump/set
    state_topic: pump
    payload_on: on
    payload_off: "off"
"""


@pytest.mark.contract("MQTT: components by hand")
def test_components_of_the_file_are_there_and_work(hub_factory, broker, device):
    folder = hub_factory.folder()
    write(folder, connection(broker) + THREE)
    hub = start(hub_factory, folder)
    tell(hub, device, "balcony", '{"t": 21.5}', "sensor.balcony", "21.5")
    tell(hub, device, "cellar/t", "12", "sensor.cellar", "12")
    attributes = state_of(hub, "sensor.balcony")["attributes"]
    assert attributes["unit_of_measurement"] == "°C" and attributes["friendly_name"] == "Balcony"
    pump = broker.client().subscribe("pump/set")
    pump.library.on_message = lambda client, data, message: (pump.messages.put(message),
                                                             client.publish("pump", message.payload))
    tell(hub, device, "pump", "off", "switch.pump", "off")
    [changed] = call(hub, "switch.turn_on", {"entity_id": "switch.pump"})
    assert changed["state"] == "on" and pump.payload() == "on"
    assert {row["topic"].split(": ")[1] for row in report(hub)} == {"mqtt.sensor[0]", "mqtt.sensor[1]", "mqtt.switch"}
    assert all(row["verdict"] == "made" and row["manual"] for row in report(hub))
    # They can be renamed and put into an area like any other.
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        socket.result("config/entity_registry/update", entity_id="sensor.balcony", new_entity_id="sensor.outside",
                      name="Outside")
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = start(hub_factory, folder)
    assert value(hub, "sensor.outside") == "21.5"
    assert value(hub, "sensor.balcony") is None


@pytest.mark.contract("MQTT: components by hand")
def test_a_reload_puts_changed_lists_in_force(hub_factory, broker, device):
    folder = hub_factory.folder()
    write(folder, connection(broker) + THREE)
    hub = start(hub_factory, folder)
    tell(hub, device, "balcony", '{"t": 21.5}', "sensor.balcony", "21.5")
    tell(hub, device, "cellar/t", "12", "sensor.cellar", "12")
    before = state_of(hub, "sensor.cellar")
    # One changes, one stays, one goes, one comes; and the list of maps is another form of the same.
    write(folder, connection(broker) + """  sensor: !include sensors.yaml
  binary_sensor: [{name: Door, state_topic: door}]
""", sensors="- {name: Balcony, state_topic: balcony, value_template: '{{ value_json.t + 1 }}'}\n"
             "- {name: Cellar, stat_t: ~/t, '~': cellar, uniq_id: cellar-t}\n")
    call(hub, "mqtt.reload", {})
    becomes(hub, "switch.pump", None)
    tell(hub, device, "balcony", '{"t": 21}', "sensor.balcony", "22")
    tell(hub, device, "door", "ON", "binary_sensor.door", "on")
    assert state_of(hub, "sensor.cellar") == before
    assert [row["topic"] for row in report(hub) if row["entity_id"] == "sensor.cellar"] == ["sensors.yaml:2: mqtt.sensor[1]"]
    # Without the section they go, and so does the connection.
    write(folder, "")
    call(hub, "mqtt.reload", {})
    wait_until(lambda: value(hub, "sensor.cellar") in (None, "unavailable"))
    # What goes from the file while the hub is down is gone, too.
    write(folder, connection(broker) + "  sensor: [{name: Cellar, stat_t: cellar/t, uniq_id: cellar-t}]\n")
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = start(hub_factory, folder)
    assert value(hub, "binary_sensor.door") is None and value(hub, "sensor.balcony") is None
    assert value(hub, "sensor.cellar") == "unknown"


@pytest.mark.contract("MQTT: components by hand")
def test_packages_and_folders_and_the_list_form(hub_factory, broker, device):
    folder = hub_factory.folder()
    write_settings(folder, base_settings())
    text = (folder / "configuration.yaml").read_text().replace(
        "home:\n", "home:\n  packages: !include_dir_named packages\n", 1)
    (folder / "mqtt").mkdir()
    (folder / "mqtt" / "a.yaml").write_text("- sensor: {name: One, state_topic: one}\n")
    (folder / "mqtt" / "b.yaml").write_text("- switch: [{name: Two, command_topic: two}]\n")
    (folder / "packages").mkdir()
    (folder / "packages" / "garden.yaml").write_text("mqtt:\n  sensor:\n    - {name: Three, state_topic: three}\n")
    (folder / "configuration.yaml").write_text(text + "mqtt: !include_dir_merge_list mqtt\n")
    hub = hub_factory(folder)
    assert value(hub, "sensor.one") is None
    assert any("there is no connection to a broker" in line for line in hub.log)
    # The connection is set on the page.
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        assert socket.result("mqtt/config")["editable"] is True
        socket.result("mqtt/config/save", broker="127.0.0.1", port=broker.port)
    for topic in ("one", "three"):
        tell(hub, device, topic, "5", f"sensor.{topic}", "5", 20)
    assert value(hub, "switch.two") == "off"


BROKEN = """  sensor:
    - name: Fine
      state_topic: fine
    - name: Typo
      state_topc: typo
    - name: Half
      state_topic: half
      expire_after: soon
    - just a text
    - !include missing.yaml
  sensors: []
  lights:
    - {name: Lamp}
"""


@pytest.mark.contract("MQTT: components by hand")
def test_mistakes_are_named_and_stop_nothing_else(hub_factory, broker, device):
    folder = hub_factory.folder()
    write(folder, connection(broker) + BROKEN)
    # Where the section begins: the lines below count from there.
    first = (folder / "configuration.yaml").read_text().split("  sensor:")[0].count("\n")

    def at(line):
        return f"configuration.yaml:{first + line}: mqtt."

    expected = {f"{at(5)}sensor[1].state_topc: unknown key, did you mean state_topic?",
                f"{at(4)}sensor[1].state_topic: expected, but missing",
                f'{at(8)}sensor[2].expire_after: expected a number from 0 to 1000000000, got "soon"',
                f"{at(9)}sensor[3]: expected keys with values"}
    checked = command(folder, "check")
    assert checked.returncode == 1 and expected <= set(checked.stderr.splitlines()), checked.stderr
    assert f"{at(13)}lights[0]: unknown component lights, did you mean light?" in checked.stderr
    assert f"{at(10)}sensor[4]: " in checked.stderr and "missing.yaml" in checked.stderr
    hub = start(hub_factory, folder)
    tell(hub, device, "fine", "5", "sensor.fine", "5")
    tell(hub, device, "half", "6", "sensor.half", "6")
    verdicts = {row["topic"].split(": ")[1]: row["verdict"] for row in report(hub)}
    assert verdicts == {"mqtt.sensor[0]": "made", "mqtt.sensor[1]": "refused", "mqtt.sensor[2]": "dropped",
                        "mqtt.sensor[3]": "refused", "mqtt.sensor[4]": "refused", "mqtt.lights[0]": "refused"}
    for text in expected:
        assert sum(text in line for line in hub.log) == 1, text
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        def issues():
            found = socket.result("repairs/list_issues")["issues"]
            return {issue["issue_id"] for issue in found if issue["domain"] == "mqtt"}

        wait_until(lambda: expected <= issues(), 15)
        # A mistake in a new version keeps what it was; what is mended is no issue any more.
        write(folder, connection(broker) + "  sensor:\n    - {name: Fine, state_topic: 'a/#/b'}\n")
        call(hub, "mqtt.reload", {})
        tell(hub, device, "fine", "7", "sensor.fine", "7")
        write(folder, connection(broker) + "  sensor:\n    - {name: Fine, state_topic: fine}\n")
        call(hub, "mqtt.reload", {})
        wait_until(lambda: not issues(), 15)
    assert command(folder, "check").returncode == 0


@pytest.mark.contract("MQTT: components by hand")
def test_a_file_that_cannot_be_read_takes_nothing_away(hub_factory, broker, device):
    folder = hub_factory.folder()
    sensors = "- {name: One, state_topic: one}\n"
    write(folder, connection(broker) + "  sensor: !include sensors.yaml\n", sensors=sensors)
    hub = start(hub_factory, folder)
    tell(hub, device, "one", "1", "sensor.one", "1")
    (folder / "sensors.yaml").write_text("- {name: One\n")
    call(hub, "mqtt.reload", {})
    wait_until(lambda: any(row["verdict"] == "refused" for row in report(hub)))
    tell(hub, device, "one", "2", "sensor.one", "2")
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = start(hub_factory, folder)
    (folder / "sensors.yaml").write_text(sensors)
    call(hub, "mqtt.reload", {})
    tell(hub, device, "one", "3", "sensor.one", "3")
    assert any("sensors.yaml:" in line and "not valid YAML" in line for line in hub.log)
