# SPDX-License-Identifier: Apache-2.0
"""GET /api/health, /api/ready and /api/prometheus"""

import contextlib
import json
import re
import shutil
import subprocess
import threading

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from checks import assert_json, assert_message, set_state
from hub_process import BINARY, REPOSITORY, create_token, wait_until, write_settings, base_settings
from mqtt_broker import Broker
from websocket_client import WebSocketClient

FAULTY = BINARY.with_name("hearth_faulty")


def read(hub, user="admin", token=None):
    """All samples by name, and the families by name."""
    client = hub.anonymous if token else getattr(hub, user)
    response = client.get("/api/prometheus", headers={"Authorization": f"Bearer {token}"} if token else {})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = {family.name: family for family in text_string_to_metric_families(response.text)}
    return [sample for family in families.values() for sample in family.samples], families


def value(samples, name, **labels):
    found = [each.value for each in samples if each.name == name and labels.items() <= each.labels.items()]
    assert len(found) == 1, (name, labels, found)
    return found[0]


@pytest.fixture(scope="module")
def own(module_hubs):
    return module_hubs(prometheus={"entities": {"include": {"domains": ["sensor", "light", "cover", "climate", "switch",
                                                                        "binary_sensor", "fan", "number", "lock"]},
                                                "exclude": {"entity_globs": ["sensor.secret*"]}}})


@pytest.mark.parametrize("path, message", [("/api/health", "The home is well."), ("/api/ready", "The home is ready.")])
def test_health_is_told_to_everybody(hub, path, message):
    for client in (hub.anonymous, hub.display, hub.admin):
        assert assert_json(client.get(path)) == {"message": message}
    assert hub.anonymous.head(path).status_code == 200
    assert_message(hub.anonymous.post(path), 405)


def hang(hub):
    """Has the bus held for good."""
    def call():
        with hub.client("ann") as client, contextlib.suppress(httpx.TransportError):
            client.post("/api/services/switch/turn_on", json={"entity_id": "switch.switch"}, timeout=120)

    threading.Thread(target=call, daemon=True).start()


def test_a_home_that_stands_still_is_not_well(hub_factory):
    folder = hub_factory.folder()
    write_settings(folder, {**base_settings(), "faulty": {"mode": "hangs_in_commands"}})
    hub = hub_factory.start_to_kill(folder, binary=FAULTY)
    hang(hub)
    wait_until(lambda: hub.anonymous.get("/api/health").status_code == 503, 30)
    for path in ("/api/health", "/api/ready"):
        assert re.fullmatch(r"The home has stood still for \d+ s\.", assert_message(hub.anonymous.get(path), 503))
    samples, _ = read(hub)  # the figures are there when they are needed most
    assert value(samples, "hearth_bus_held_seconds") >= 5
    assert value(samples, "hearth_bus_longest_turn_seconds") >= 5
    kept = folder / "last-hang.log"
    wait_until(kept.exists, 10)
    wait_until(lambda: "the home stands still" in kept.read_text(), 10)


def test_metrics_are_for_administrators(hub):
    assert_message(hub.anonymous.get("/api/prometheus"), 401)
    for user in ("ann", "display"):
        assert_message(getattr(hub, user).get("/api/prometheus"), 403)
    read(hub)


def test_a_token_for_metrics_may_do_nothing_else(own):
    token = create_token(own.folder, "ann", "prometheus", "--metrics-only")
    headers = {"Authorization": f"Bearer {token}"}
    wait_until(lambda: own.anonymous.get("/api/prometheus", headers=headers).status_code == 200)
    samples, _ = read(own, token=token)
    assert value(samples, "homeassistant_entity_available", entity="light.kitchen") == 1
    for method, path in [("GET", "/api/states"), ("GET", "/api/config"), ("GET", "/api/stream"),
                         ("POST", "/api/states/light.x"), ("POST", "/api/services/light/turn_on"),
                         ("GET", "/api/error_log"), ("GET", "/api/openapi.json/x"), ("GET", "/api/websocket")]:
        response = own.anonymous.request(method, path, headers=headers)
        assert response.status_code in (400, 403, 404, 426), (path, response.text)
        if path in ("/api/states", "/api/config", "/api/error_log"):
            assert assert_message(response, 403) in ("This token lacks the scope read.", "This endpoint is for administrators.")
    with pytest.raises(AssertionError, match="auth_invalid"):
        WebSocketClient(own, token)
    listed = own.command("token", "list", "--user", "ann").stdout
    assert re.search(r"prometheus\s+metrics\s", listed), listed
    own.command("token", "revoke", "--user", "ann", "--name", "prometheus")
    wait_until(lambda: own.anonymous.get("/api/prometheus", headers=headers).status_code == 401)


def test_families_have_help_type_and_unique_samples(own):
    samples, families = read(own)
    for name, family in families.items():
        assert family.documentation and family.type in ("counter", "gauge", "histogram"), name
    keys = [(each.name, tuple(sorted(each.labels.items()))) for each in samples]
    assert len(keys) == len(set(keys))
    promtool = shutil.which("promtool")
    if promtool:
        text = own.admin.get("/api/prometheus").text
        hubs = "".join(line for line in text.splitlines(keepends=True) if "homeassistant_" not in line)
        checked = subprocess.run([promtool, "check", "metrics"], input=hubs, text=True, capture_output=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_dashboard_shows_metrics_that_exist(own):
    dashboard = json.loads((REPOSITORY / "packaging/grafana/hearth.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    named = set(re.findall(r"\b(?:hearth|process)_\w+", " ".join(queries)))
    samples, families = read(own)
    known = {each.name for each in samples} | {f"{name}_total" for name, family in families.items() if family.type == "counter"}
    assert len(named) > 20 and named <= known, named - known


def test_requests_are_counted_by_route_and_status(hub_factory):
    hub = hub_factory.start()
    before, _ = read(hub)

    def count(samples, route, status):
        found = [each.value for each in samples if each.name == "hearth_http_requests_total"
                 and each.labels == {"route": route, "status": status}]
        return found[0] if found else 0

    wanted = {("/api/states/{entity_id}", "404"): 3, ("/api/states", "401"): 2, ("unknown", "404"): 1, ("/api/", "200"): 4,
              ("/api/states", "405"): 0, ("unknown", "405"): 1, ("pages", "200"): 1, ("/api/states/{entity_id}", "201"): 1,
              ("/api/stream", "200"): 1, ("/api/websocket", "101"): 1}
    for _ in range(3):
        hub.ann.get("/api/states/light.nowhere")
    for _ in range(2):
        hub.anonymous.get("/api/states")
    for _ in range(4):
        hub.anonymous.get("/api/")
    hub.anonymous.get("/nowhere")
    hub.ann.put("/api/states")
    hub.anonymous.get("/")
    set_state(hub, "sensor.new", "1")
    with hub.stream(), WebSocketClient(hub, hub.tokens["ann"]):
        after, _ = read(hub)
        assert value(after, "hearth_event_streams") == 1
        assert value(after, "hearth_websockets") == 1
    found = {key: count(after, *key) - count(before, *key) for key in wanted}
    assert found == wanted
    total = "hearth_http_request_duration_seconds_count"
    requests = sum(each.value for each in after if each.name == "hearth_http_requests_total")
    assert value(after, total) == requests
    assert value(after, "hearth_http_request_duration_seconds_bucket", le="+Inf") == requests
    assert value(after, "hearth_http_request_duration_seconds_sum") > 0


def test_the_hub_says_how_it_does(hub_factory):
    hub = hub_factory.start()
    before, _ = read(hub)
    for i in range(5):
        set_state(hub, "sensor.counted", str(i))
    hub.admin.delete("/api/states/sensor.counted")
    samples, _ = read(hub)
    assert value(samples, "hearth_state_changes_total") - value(before, "hearth_state_changes_total") >= 6
    assert value(samples, "hearth_entities") == len(hub.admin.get("/api/states").json())
    assert value(samples, "hearth_integration_up", integration="demo") == 1
    assert value(samples, "hearth_build_info", version=hub.admin.get("/api/config").json()["version"]) == 1
    assert value(samples, "hearth_recorder_dropped_total") == 0
    assert value(samples, "hearth_recorder_failing") == 0
    assert value(samples, "hearth_recorder_lag_seconds") >= 0
    wait_until(lambda: value(read(hub)[0], "hearth_recorder_committed_total") >= 6)
    for file in ("history.db", "home.db"):
        assert value(samples, "hearth_database_bytes", file=file) > 0
    for name in ("process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
                 "process_cpu_seconds_total", "process_start_time_seconds"):
        assert value(samples, name) > 0, name
    assert not [each for each in samples if each.name.startswith("homeassistant_")]


def test_runs_and_messages_are_counted(hub_factory, tmp_path):
    broker = Broker(tmp_path / "broker").start()
    try:
        items = [{"alias": "good", "id": "a1", "triggers": [{"trigger": "event", "event_type": "go"}],
                  "actions": [{"event": "gone"}]},
                 {"alias": "bad", "id": "a2", "triggers": [{"trigger": "event", "event_type": "go"}],
                  "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.nowhere"}},
                              {"action": "mqtt.publish", "data": {"topic": "a/b", "payload": "{{ 1 / 0 }}"}}]}]
        scripts = {"tell": {"sequence": [{"action": "mqtt.publish", "data": {"topic": "a/b", "payload": "x"}}]}}
        hub = hub_factory.start(mqtt={"broker": "127.0.0.1", "port": broker.port}, automation=items, script=scripts)
        hub.errors_expected = True
        wait_until(lambda: hub.admin.get("/api/integrations").json() and value(
            read(hub)[0], "hearth_integration_up", integration="mqtt") == 1, 15)
        hub.admin.post("/api/events/go")
        wait_until(lambda: value(read(hub)[0], "hearth_automation_runs_total") == 2)
        wait_until(lambda: value(read(hub)[0], "hearth_automation_runs_failed_total") == 1)
        published = value(read(hub)[0], "hearth_mqtt_messages_published_total")
        wait_until(lambda: hub.admin.post("/api/services/script/tell").status_code == 200, 15)
        samples, _ = read(hub)
        assert value(samples, "hearth_script_runs_total") >= 1
        assert value(samples, "hearth_mqtt_messages_published_total") > published
    finally:
        broker.stop()


ENTITIES = {
    "sensor.outside": ("12.5", {"unit_of_measurement": "°C", "device_class": "temperature", "friendly_name": "Outside"},
                       {"homeassistant_sensor_temperature_celsius": 12.5}),
    "sensor.attic": ("212", {"unit_of_measurement": "°F", "device_class": "temperature"},
                     {"homeassistant_sensor_temperature_celsius": 100}),
    "sensor.dust": ("7", {"unit_of_measurement": "µg/m³"}, {"homeassistant_sensor_unit_u0xb5g_per_mu0xb3": 7}),
    "sensor.power": ("80", {"unit_of_measurement": "W", "device_class": "power"},
                     {"homeassistant_sensor_power_w": 80}),
    "sensor.plain": ("3", {}, {"homeassistant_sensor_state": 3}),
    "sensor.humidity": ("41", {"unit_of_measurement": "%", "device_class": "humidity", "battery_level": 90},
                        {"homeassistant_sensor_humidity_percent": 41, "homeassistant_battery_level_percent": 90}),
    "sensor.when": ("2026-11-29T10:00:00+00:00", {"device_class": "timestamp"},
                    {"homeassistant_sensor_timestamp_seconds": 1795946400}),
    "light.lamp": ("on", {"brightness": 51}, {"homeassistant_light_brightness_percent": 20}),
    "light.dark": ("off", {}, {"homeassistant_light_brightness_percent": 0}),
    "binary_sensor.door2": ("on", {}, {"homeassistant_binary_sensor_state": 1}),
    "switch.plug": ("off", {"current_power_w": 4.5},
                    {"homeassistant_switch_state": 0, "homeassistant_switch_attr_current_power_w": 4.5}),
    "number.level": ("7", {"unit_of_measurement": "%"}, {"homeassistant_number_state_percent": 7}),
    "lock.gate": ("locked", {}, {"homeassistant_lock_state": 1}),
    "cover.blind2": ("open", {"current_position": 40, "current_tilt_position": 5},
                     {"homeassistant_cover_position": 40, "homeassistant_cover_tilt_position": 5}),
    "fan.ceiling": ("on", {"percentage": 33, "oscillating": True, "direction": "reverse"},
                    {"homeassistant_fan_state": 1, "homeassistant_fan_speed_percent": 33,
                     "homeassistant_fan_is_oscillating": 1, "homeassistant_fan_direction_reversed": 1}),
    "climate.bath": ("heat", {"temperature": 21, "current_temperature": 19.5, "hvac_modes": ["off", "heat"],
                              "hvac_action": "heating"},
                     {"homeassistant_climate_target_temperature_celsius": 21,
                      "homeassistant_climate_current_temperature_celsius": 19.5}),
}


def test_values_of_entities_have_the_names_that_dashboards_know(own):
    for entity_id, (state, attributes, _) in ENTITIES.items():
        set_state(own, entity_id, state, attributes)
    set_state(own, "sensor.secret_plan", "1")
    set_state(own, "sensor.text", "hello")
    set_state(own, "sensor.gone", "unavailable", {"friendly_name": 'A "quote" \\ and\nline 🏠'})
    set_state(own, "person.ann2", "home")
    samples, _ = read(own)
    for entity_id, (_, attributes, wanted) in ENTITIES.items():
        for name, expected in wanted.items():
            assert value(samples, name, entity=entity_id) == pytest.approx(expected), name
        assert value(samples, "homeassistant_entity_available", entity=entity_id, domain=entity_id.split(".")[0],
                     friendly_name=attributes.get("friendly_name", "")) == 1
    assert value(samples, "homeassistant_climate_mode", entity="climate.bath", mode="heat") == 1
    assert value(samples, "homeassistant_climate_mode", entity="climate.bath", mode="off") == 0
    assert value(samples, "homeassistant_climate_action", entity="climate.bath", action="heating") == 1
    assert value(samples, "homeassistant_cover_state", entity="cover.blind2", state="open") == 1
    assert value(samples, "homeassistant_cover_state", entity="cover.blind2", state="closing") == 0
    gone = [each for each in samples if each.labels.get("entity") == "sensor.gone"]
    assert {each.name for each in gone} == {"homeassistant_entity_available", "homeassistant_last_updated_time_seconds"}
    assert gone[0].labels["friendly_name"] == 'A "quote" \\ and\nline 🏠'
    assert value(samples, "homeassistant_entity_available", entity="sensor.gone") == 0
    assert not [each for each in samples if each.labels.get("entity") in ("sensor.secret_plan", "person.ann2")]
    assert "homeassistant_sensor_state" not in {each.name for each in samples if each.labels.get("entity") == "sensor.text"}


def test_the_section_of_the_larger_hub_is_read(hub_factory):
    hub = hub_factory.start(prometheus={"namespace": "house", "requires_auth": False, "filter": {
        "include_domains": ["light"], "exclude_entities": ["light.bedroom"], "include_entity_globs": "sensor.*_oven"}})
    set_state(hub, "sensor.my_oven", "5", {"unit_of_measurement": "W"})
    samples, _ = read(hub)
    entities = {each.labels["entity"] for each in samples if each.name == "house_entity_available"}
    assert "light.kitchen" in entities and "sensor.my_oven" in entities
    assert all(each.startswith("light.") or each == "sensor.my_oven" for each in entities)
    assert "light.bedroom" not in entities
    assert_message(hub.anonymous.get("/api/prometheus"), 401)


def test_without_a_filter_all_entities_are_there(hub_factory):
    hub = hub_factory.start(prometheus={})
    samples, _ = read(hub)
    entities = {each.labels["entity"] for each in samples if each.name == "homeassistant_entity_available"}
    assert entities == {state["entity_id"] for state in hub.admin.get("/api/states").json()}
