# SPDX-License-Identifier: Apache-2.0
"""Template entities of configuration.yaml: followed, by triggers, from old files, broken, reloaded, over an end of the hub."""

import shutil
import signal

import pytest

from checks import becomes, call, set_state, state_of, value
from hub_process import command, wait_until
from websocket_client import WebSocketClient

SENSORS = """\
- sensor:
    - name: Total power
      unique_id: total
      unit_of_measurement: W
      device_class: power
      state_class: measurement
      state: "{{ states('sensor.a') | float + states('sensor.b') | float }}"
  binary_sensor:
    - name: Busy
      state: "{{ states('sensor.a') | float(0) > 10 }}"
      delay_on: "00:00:01"
- triggers: {trigger: event, event_type: ring}
  sensor:
    - name: Last ring
      state: "{{ trigger.event.data.who }}"
      attributes: {at: front}
"""
SWITCH = """\
switch:
  - platform: template
    switches:
      pump:
        friendly_name: The pump
        value_template: "{{ is_state('input_boolean.own', 'on') }}"
        turn_on: {action: system_log.write, data: {message: pump on, level: info}}
        turn_off: []
"""


@pytest.fixture
def folder(hub_factory):
    made = hub_factory.folder()
    settings = made / "configuration.yaml"
    settings.write_text(settings.read_text() + "template: !include templates.yaml\n")
    (made / "templates.yaml").write_text(SENSORS)
    return made


def append(folder, text):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text() + text)


def ring(hub, who):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("fire_event", event_type="ring", event_data={"who": who})


def issues(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return [issue["translation_placeholders"] for issue in client.result("repairs/list_issues")["issues"]
                if issue["domain"] == "automation"]


@pytest.mark.contract("Automations: template entities")
def test_a_sensor_follows_others_and_is_in_the_registry(hub_factory, folder):
    hub = hub_factory(folder)
    assert value(hub, "sensor.total_power") == "unavailable"
    set_state(hub, "sensor.a", "20.5")
    set_state(hub, "sensor.b", "4")
    becomes(hub, "sensor.total_power", "24.5")
    attributes = state_of(hub, "sensor.total_power")["attributes"]
    assert attributes == {"state_class": "measurement", "unit_of_measurement": "W", "device_class": "power",
                          "friendly_name": "Total power"}
    becomes(hub, "binary_sensor.busy", "on")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        entry = client.result("config/entity_registry/get", entity_id="sensor.total_power")
    assert entry["platform"] == "template" and entry["unique_id"] == "total"


@pytest.mark.contract("Automations: template entities")
def test_an_old_platform_in_a_package_works(hub_factory, folder):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("home:\n", "home:\n  packages: !include_dir_named packages\n"))
    (folder / "packages").mkdir()
    (folder / "packages" / "garden.yaml").write_text(SWITCH)
    hub = hub_factory(folder)
    set_state(hub, "input_boolean.own", "on")
    becomes(hub, "switch.pump", "on")
    assert state_of(hub, "switch.pump")["attributes"]["friendly_name"] == "The pump"
    call(hub, "switch.turn_on", {"entity_id": "switch.pump"})
    wait_until(lambda: any("pump on" in line for line in hub.log))


@pytest.mark.contract("Automations: template entities")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_trigger_told_and_a_delay_survive_the_end(hub_factory, folder, end):
    (folder / "templates.yaml").write_text(SENSORS.replace('"00:00:01"', '"00:00:03"'))
    hub = hub_factory.start_to_kill(folder)
    set_state(hub, "sensor.a", "1")
    becomes(hub, "binary_sensor.busy", "off")
    ring(hub, "Ann")
    becomes(hub, "sensor.last_ring", "Ann")
    set_state(hub, "sensor.a", "11")
    call(hub, "homeassistant.save_persistent_states")
    hub.send_signal(end)
    hub.wait_ended()
    hub.close_clients()
    again = hub_factory(folder)
    assert value(again, "sensor.last_ring") == "Ann"
    assert state_of(again, "sensor.last_ring")["attributes"]["at"] == "front"
    becomes(again, "binary_sensor.busy", "on")


@pytest.mark.contract("Automations: template entities")
def test_a_broken_one_is_unavailable_and_named_and_the_rest_works(hub_factory, folder):
    (folder / "templates.yaml").write_text(SENSORS + "- sensor: [{name: Bad, stat: 1}, {name: Good, state: fine}]\n")
    append(folder, "sensor: [{platform: rocket}]\n")
    checked = command(folder, "check")
    text = checked.stdout + checked.stderr
    wrong = "templates.yaml:17: sensor[0].stat: unknown key, did you mean state?"
    assert checked.returncode == 1 and wrong in text and "the platform rocket of sensor is not supported" in text
    hub = hub_factory(folder)
    bad = state_of(hub, "sensor.bad")
    assert bad["state"] == "unavailable" and wrong in bad["attributes"]["error"]
    assert value(hub, "sensor.good") == "fine"
    found = wait_until(lambda: issues(hub), 15)
    assert any(wrong in issue["error"] and issue.get("entity_id") == "sensor.bad" and issue["name"] == "Bad" for issue in found)
    assert any("the platform rocket" in line for line in hub.log)


@pytest.mark.contract("Automations: template entities")
@pytest.mark.parametrize("service", ["template.reload", "homeassistant.reload_all"])
def test_a_reload_keeps_what_has_not_changed(hub_factory, folder, service):
    hub = hub_factory(folder)
    ring(hub, "Ann")
    becomes(hub, "sensor.last_ring", "Ann")
    changed = state_of(hub, "sensor.last_ring")["last_updated"]
    (folder / "templates.yaml").write_text(SENSORS.replace("Busy", "Very busy") + "- button: [{name: Go, press: []}]\n")
    call(hub, service)
    wait_until(lambda: hub.admin.get("/api/states/button.go").status_code == 200)
    assert state_of(hub, "sensor.last_ring")["last_updated"] == changed
    assert hub.admin.get("/api/states/binary_sensor.busy").status_code == 404
    assert value(hub, "binary_sensor.very_busy") in ("on", "off", "unknown")
    # Of a file that is no YAML the last good text counts, as long as there is a copy of it.
    (folder / "templates.yaml").write_text("- sensor: [\n")
    call(hub, service)
    ring(hub, "Bob")
    becomes(hub, "sensor.last_ring", "Bob")
    hub.stop()
    shutil.rmtree(folder / ".last_good")
    assert value(hub_factory(folder), "sensor.last_ring") == "unavailable"
