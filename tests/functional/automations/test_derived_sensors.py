# SPDX-License-Identifier: Apache-2.0
"""Sensors made of others: they follow, survive the end of the hub, are filled from history, are named if broken."""

import signal

import pytest

from checks import attribute, becomes, call, set_state, state_of, value
from hub_process import command, wait_until
from websocket_client import WebSocketClient

CONFIGURATION = """\
sensor:
  - {platform: min_max, name: Warmest, unique_id: warmest, entity_ids: [sensor.a, sensor.b]}
  - {platform: integration, name: Energy, source: sensor.power, unit_prefix: k, method: left}
  - {platform: derivative, name: Slope, source: sensor.a, unit_time: s}
  - {platform: statistics, name: Middle, entity_id: sensor.a, state_characteristic: median, sampling_size: 20}
  - platform: filter
    name: Calm
    entity_id: sensor.a
    filters:
      - {filter: lowpass, time_constant: 10, precision: 1}
binary_sensor:
  - {platform: threshold, name: Hot, entity_id: sensor.a, upper: 25, hysteresis: 2, device_class: heat}
"""
METER = """\
utility_meter:
  used: {source: sensor.total, name: Used, tariffs: [peak, off-peak]}
  all: {source: sensor.total, cycle: yearly}
"""
CELSIUS = {"unit_of_measurement": "°C", "device_class": "temperature"}


def counts(hub, total):
    set_state(hub, "sensor.total", total, {"unit_of_measurement": "kWh", "device_class": "energy", "state_class": "total_increasing"})


def end(hub, how):
    call(hub, "homeassistant.save_persistent_states")
    hub.send_signal(how)
    hub.wait_ended()
    hub.close_clients()


@pytest.mark.contract("Automations: sensors made of others")
def test_they_follow_and_are_in_the_registry(hub_factory, folder):
    hub = hub_factory(folder)
    assert value(hub, "sensor.warmest") == "unknown" and value(hub, "binary_sensor.hot") == "unknown"
    for entity_id, number in (("sensor.a", "20"), ("sensor.b", "19"), ("sensor.a", "30")):
        set_state(hub, entity_id, number, CELSIUS)
    becomes(hub, "sensor.warmest", "30.0")
    assert state_of(hub, "sensor.warmest")["attributes"] == {
        "friendly_name": "Warmest", "icon": "mdi:calculator", "max_entity_id": "sensor.a", "state_class": "measurement",
        "unit_of_measurement": "°C", "device_class": "temperature"}
    becomes(hub, "sensor.middle", "25.0")
    assert attribute(hub, "sensor.middle", "buffer_usage_ratio") == 0.1
    becomes(hub, "sensor.calm", "21.0")
    becomes(hub, "binary_sensor.hot", "on")
    shown = state_of(hub, "binary_sensor.hot")["attributes"]
    assert (shown["position"], shown["type"], shown["upper"], shown["device_class"]) == ("above", "upper", 25, "heat")
    assert float(value(hub, "sensor.slope")) > 0 and attribute(hub, "sensor.slope", "unit_of_measurement") == "°C/s"
    set_state(hub, "sensor.a", "24", CELSIUS)
    becomes(hub, "sensor.warmest", "24.0")
    assert value(hub, "binary_sensor.hot") == "on"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        entry = client.result("config/entity_registry/get", entity_id="sensor.warmest")
    assert entry["platform"] == "min_max" and entry["unique_id"] == "warmest"


@pytest.mark.contract("Automations: sensors made of others")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_sums_and_windows_survive_the_end(hub_factory, folder, how):
    hub = hub_factory.start_to_kill(folder)
    for number in ("10", "20", "60"):
        set_state(hub, "sensor.a", number, CELSIUS)
    for number in ("4000000000", "5000000000"):
        set_state(hub, "sensor.power", number, {"unit_of_measurement": "W", "device_class": "power"})
    becomes(hub, "sensor.middle", "20.0")
    wait_until(lambda: value(hub, "sensor.energy") not in ("unknown", "unavailable", "0.000"))
    energy, calm = value(hub, "sensor.energy"), value(hub, "sensor.calm")
    assert float(energy) > 0 and attribute(hub, "sensor.energy", "unit_of_measurement") == "kWh"
    set_state(hub, "sensor.a", "24", CELSIUS)
    becomes(hub, "sensor.middle", "22.0")
    assert value(hub, "binary_sensor.hot") == "on"
    end(hub, how)
    again = hub_factory(folder)
    becomes(again, "sensor.middle", "22.0")
    assert attribute(again, "sensor.middle", "buffer_usage_ratio") == 0.2
    # Within the hysteresis, and not forgotten.
    assert value(again, "binary_sensor.hot") == "on"
    set_state(again, "sensor.power", "5000000000.0", {"unit_of_measurement": "W", "device_class": "power"})
    becomes(again, "sensor.energy", energy)
    set_state(again, "sensor.a", "26", CELSIUS)
    becomes(again, "sensor.middle", "24.0")
    assert value(again, "sensor.calm") != calm


@pytest.mark.contract("Automations: sensors made of others")
def test_a_broken_one_is_unavailable_and_named_and_the_rest_works(hub_factory, folder):
    settings = folder / "configuration.yaml"
    line = len(settings.read_text().splitlines()) + 2
    settings.write_text(settings.read_text() + "sensor more:\n  - {platform: min_max, name: Bad, typ: mean, entity_ids: [sensor.a]}\n"
                        "  - {platform: threshold, entity_id: sensor.a, upper: 1}\n")
    wrong = f"configuration.yaml:{line}: typ: unknown key, did you mean type?"
    place = f"configuration.yaml:{line + 1}: sensor more[1].platform: threshold is a platform of binary_sensor, not of sensor"
    checked = command(folder, "check")
    assert checked.returncode == 1 and wrong in checked.stderr and place in checked.stderr
    hub = hub_factory(folder)
    bad = state_of(hub, "sensor.bad")
    assert bad["state"] == "unavailable" and wrong in bad["attributes"]["error"]
    set_state(hub, "sensor.b", "19", CELSIUS)
    becomes(hub, "sensor.warmest", "19.0")

    def issues():
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            return [issue["translation_placeholders"] for issue in client.result("repairs/list_issues")["issues"]]
    found = wait_until(lambda: [each for each in issues() if wrong in each.get("error", "")], 15)
    assert found[0]["entity_id"] == "sensor.bad" and found[0]["name"] == "Bad"
    assert any(each.get("error") == place for each in issues())


@pytest.mark.contract("Automations: sensors made of others")
@pytest.mark.parametrize("service", ["min_max.reload", "threshold.reload", "homeassistant.reload_all"])
def test_a_reload_keeps_what_has_not_changed(hub_factory, folder, service):
    hub = hub_factory(folder)
    set_state(hub, "sensor.a", "26", CELSIUS)
    becomes(hub, "binary_sensor.hot", "off")
    set_state(hub, "sensor.a", "28", CELSIUS)
    becomes(hub, "binary_sensor.hot", "on")
    updated = state_of(hub, "binary_sensor.hot")["last_updated"]
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("name: Warmest", "name: Coldest, type: min").replace("name: Slope, ", ""))
    call(hub, service)
    wait_until(lambda: attribute(hub, "sensor.warmest", "min_entity_id") == "sensor.a")
    assert attribute(hub, "sensor.warmest", "friendly_name") == "Coldest"
    assert state_of(hub, "binary_sensor.hot")["last_updated"] == updated
    assert hub.admin.get("/api/states/sensor.slope").status_code == 404
    assert value(hub, "sensor.sensor_a_derivative") in ("unknown", "0.000")


@pytest.mark.contract("Automations: sensors made of others")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_meters_count_by_tariff_and_survive_the_end(hub_factory, folder, how):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text() + METER)
    hub = hub_factory.start_to_kill(folder)
    for total in ("100", "107"):
        counts(hub, total)
    becomes(hub, "sensor.used_peak", "7")
    call(hub, "select.select_option", {"entity_id": "select.used", "option": "off-peak"})
    counts(hub, "110")
    becomes(hub, "sensor.used_off_peak", "3")
    becomes(hub, "sensor.all", "10")
    assert (attribute(hub, "sensor.used_peak", "status"), attribute(hub, "sensor.all", "meter_period")) == ("paused", "yearly")
    end(hub, how)
    again = hub_factory(folder)
    assert value(again, "select.used") == "off-peak" and value(again, "sensor.used_peak") == "7"
    counts(again, "112")
    becomes(again, "sensor.used_off_peak", "5")
    becomes(again, "sensor.all", "12")
    call(again, "utility_meter.reset", {"entity_id": "select.used"})
    assert value(again, "sensor.used_peak") == "0" and attribute(again, "sensor.used_peak", "last_period") == "7"
    call(again, "utility_meter.calibrate", {"entity_id": "sensor.all", "value": "50.5"})
    assert value(again, "sensor.all") == "50.5"
    assert "expected a number" in call(again, "utility_meter.calibrate", {"entity_id": "sensor.all", "value": "much"}, status=400)
