# SPDX-License-Identifier: Apache-2.0
"""The hub's own blueprints: each does what its description says, and nobody changes or removes them."""

import json
import subprocess

import pytest
import yaml

from checks import call, state_of
from hub_process import BINARY, REPOSITORY, wait_until
from websocket_client import WebSocketClient

FOLDER = REPOSITORY / "src/app/blueprints/automation"
PATHS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yaml"))
MODES = {"hvac_modes": ["off", "heat", "auto"]}


def thermostats(**modes):
    return {f"climate.{name}": {"state": mode, "attributes": MODES} for name, mode in modes.items()}


# By blueprint: its inputs, and scenarios with what happens. All begin on a Friday in Berlin, where the sun sets at 16:14 and rises at 7:26.
SCENARIOS = {
    "motion_light": ({"motion": ["binary_sensor.a", "binary_sensor.b"], "lights": {"entity_id": "light.hall"}}, {
        "on in the dark, and off after nothing has moved for three minutes": {
            "time": "2026-11-13 20:00:00",
            "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}}, {"at": 20, "set": {"binary_sensor.b": "on"}},
                      {"at": 30, "set": {"binary_sensor.a": "off"}}, {"at": 300, "set": {"binary_sensor.b": "off"}},
                      {"at": 400, "set": {"binary_sensor.a": "on"}}, {"at": 410, "set": {"binary_sensor.a": "off"}}],
            "expect": [{"at": 10, "call": "light.turn_on", "data": {"entity_id": "light.hall"}},
                       {"at": 590, "call": "light.turn_off", "data": {"entity_id": "light.hall"}}],
            "calls_total": 2, "until": "2026-11-13 23:00:00"},
        "nothing by day": {
            "time": "2026-11-13 12:00:00", "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}}],
            "calls_total": 0, "until": "2026-11-13 15:00:00"},
    }),
    "machine_done": ({"power": "sensor.washer", "message": "The washing is done.", "to": ["notify.phone"]}, {
        "tells once, after the last pause": {
            "time": "2026-11-13 12:00:00", "states": {"sensor.washer": 2},
            "steps": [{"at": 60, "set": {"sensor.washer": 500}}, {"at": 600, "set": {"sensor.washer": 3}},
                      {"at": 700, "set": {"sensor.washer": 800}}, {"at": 3600, "set": {"sensor.washer": 1.5}}],
            "expect": [{"at": 3780, "call": "persistent_notification.create", "data": {"message": "The washing is done."}},
                       {"at": 3780, "call": "notify.send_message", "data": {"message": "The washing is done."}}],
            "calls_total": 2, "until": "2026-11-13 20:00:00"},
        "nothing for what runs only for a moment": {
            "time": "2026-11-13 12:00:00", "states": {"sensor.washer": 2},
            "steps": [{"at": 60, "set": {"sensor.washer": 500}}, {"at": 90, "set": {"sensor.washer": 2}}],
            "calls_total": 0, "until": "2026-11-13 20:00:00"},
    }),
    "wake_up_light": ({"lights": ["light.bed"], "brightness": 80}, {
        "grows from Monday to Friday": {
            "time": "2026-11-13 05:00:00", "states": {"light.bed": "off"},
            "expect": [{"at": "06:30", "call": "light.turn_on", "data": {"brightness_pct": 2}},
                       {"at": "06:49:36", "call": "light.turn_on", "data": {"brightness_pct": 80}},
                       {"at": "06:55", "state": {"light.bed": "on"}}],
            "calls_total": 50, "until": "2026-11-15 23:00:00"},
        "ends when somebody turns the light off": {
            "time": "2026-11-13 05:00:00", "states": {"light.bed": "off"},
            "steps": [{"at": "06:35:10", "call": "light.turn_off", "data": {"entity_id": "light.bed"}}],
            "expect": [{"at": "06:50", "state": {"light.bed": "off"}}],
            "calls_total": 13, "until": "2026-11-13 08:00:00"},
        "leaves a light alone that is on": {
            "time": "2026-11-13 05:00:00", "states": {"light.bed": "on"}, "calls_total": 0, "until": "2026-11-13 08:00:00"},
    }),
    "leak_valve": ({"leak": ["binary_sensor.a", "binary_sensor.b"], "valves": ["valve.main"], "message": "Water!", "to": ["notify.phone"]}, {
        "closes and tells": {
            "time": "2026-11-13 12:00:00", "states": {"valve.main": "open"}, "steps": [{"at": 10, "set": {"binary_sensor.b": "on"}}],
            "expect": [{"at": 10, "call": "valve.close_valve", "data": {"entity_id": ["valve.main"]}},
                       {"at": 10, "call": "persistent_notification.create", "data": {"message": "Water!"}},
                       {"at": 10, "call": "notify.send_message", "data": {"message": "Water!"}}],
            "calls_total": 3},
    }),
    "window_heating": ({"windows": ["binary_sensor.a", "binary_sensor.b"], "thermostats": ["climate.one", "climate.two", "climate.three"]}, {
        "off while a window is open, and then as before": {
            "time": "2026-11-13 12:00:00", "states": thermostats(one="heat", two="off", three="auto"),
            "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}}, {"at": 100, "set": {"binary_sensor.b": "on"}},
                      {"at": 300, "set": {"binary_sensor.a": "off"}}, {"at": 600, "set": {"binary_sensor.b": "off"}}],
            "expect": [{"at": 120, "state": {"climate.one": "heat"}}, {"at": 140, "state": {"climate.one": "off"}},
                       {"at": 590, "state": {"climate.one": "off", "climate.three": "off"}},
                       {"at": 610, "state": {"climate.one": "heat", "climate.two": "off", "climate.three": "auto"}}],
            "calls_total": 3, "until": "2026-11-13 13:00:00"},
        "a thermostat that somebody turns on meanwhile stays as it is": {
            "time": "2026-11-13 12:00:00", "states": thermostats(one="auto", two="auto", three="auto"),
            "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}},
                      {"at": 300, "call": "climate.set_hvac_mode", "data": {"entity_id": "climate.one", "hvac_mode": "heat"}},
                      {"at": 600, "set": {"binary_sensor.a": "off"}}],
            "expect": [{"at": 610, "state": {"climate.one": "heat", "climate.two": "auto", "climate.three": "auto"}}],
            "until": "2026-11-13 13:00:00"},
    }),
    "door_open": ({"doors": ["binary_sensor.a", "cover.garage"], "message": "Still open.", "to": ["notify.phone"]}, {
        "tells after ten minutes, and again": {
            "time": "2026-11-13 12:00:00", "states": {"cover.garage": "closed"},
            "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}}, {"at": 1300, "set": {"binary_sensor.a": "off"}}],
            "expect": [{"at": 610, "call": "persistent_notification.create", "data": {"message": "Still open."}},
                       {"at": 610, "call": "notify.send_message", "data": {"message": "Still open."}},
                       {"at": 1210, "call": "notify.send_message"},
                       {"at": 1300, "call": "persistent_notification.dismiss"}],
            "calls_total": 5, "until": "2026-11-13 15:00:00"},
        "ten times at most": {
            "time": "2026-11-13 12:00:00", "states": {"cover.garage": "closed"}, "steps": [{"at": 10, "set": {"cover.garage": "open"}}],
            "calls_total": 20, "until": "2026-11-14 12:00:00"},
        "nothing if it is closed before": {
            "time": "2026-11-13 12:00:00", "states": {"cover.garage": "closed"},
            "steps": [{"at": 10, "set": {"binary_sensor.a": "on"}}, {"at": 500, "set": {"binary_sensor.a": "off"}}],
            "calls_total": 0, "until": "2026-11-13 15:00:00"},
    }),
    "everybody_away": ({"people": ["person.ann", "person.ben"], "things": ["light.hall", "switch.iron"]}, {
        "when the last has left for five minutes": {
            "time": "2026-11-13 12:00:00",
            "states": {"person.ann": "home", "person.ben": "home", "light.hall": "on", "switch.iron": "on"},
            "steps": [{"at": 10, "set": {"person.ann": "not_home"}}, {"at": 1000, "set": {"person.ben": "Work"}},
                      {"at": 1100, "set": {"person.ben": "home"}}, {"at": 2000, "set": {"person.ben": "not_home"}}],
            "expect": [{"at": 2290, "state": {"light.hall": "on"}}, {"at": 2310, "state": {"light.hall": "off", "switch.iron": "off"}}],
            "until": "2026-11-13 14:00:00"},
        "not while it is unknown where somebody is": {
            "time": "2026-11-13 12:00:00", "states": {"person.ann": "home", "person.ben": "not_home", "light.hall": "on", "switch.iron": "on"},
            "steps": [{"at": 10, "set": {"person.ann": "unavailable"}}],
            "calls_total": 0, "until": "2026-11-13 14:00:00"},
    }),
    "evening_light": ({"lights": {"entity_id": "light.street"}, "minutes": 10, "off": "00:30:00"}, {
        "from dusk to half past midnight": {
            "time": "2026-11-13 12:00:00", "states": {"light.street": "off"},
            "expect": [{"at": "16:24:00", "within": 240, "call": "light.turn_on", "data": {"brightness_pct": 60}},
                       {"at": "00:30:00", "call": "light.turn_off", "data": {"entity_id": "light.street"}}],
            "calls_total": 2, "until": "2026-11-14 11:00:00"},
    }),
}


def use(name, inputs):
    return {"alias": name, "id": name, "use_blueprint": {"path": f"hearth/{name}.yaml", "input": inputs}}


def test_there_are_eight_and_each_is_tried():
    assert len(PATHS) == 8 and {f"hearth/{name}.yaml" for name in SCENARIOS} == set(PATHS)


@pytest.mark.contract("Automations: blueprints")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_blueprint_of_the_hub_does_what_it_says(tmp_path, name):
    inputs, scenarios = SCENARIOS[name]
    (tmp_path / "configuration.yaml").write_text("homeassistant: {time_zone: Europe/Berlin, latitude: 52.52, longitude: 13.4}\n", encoding="utf-8")
    (tmp_path / "automations.yaml").write_text(json.dumps([use(name, inputs)]), encoding="utf-8")
    file = tmp_path / "scenarios.yaml"
    off = {"binary_sensor.a": "off", "binary_sensor.b": "off"}
    file.write_text(yaml.safe_dump([{"name": title, **what, "states": off | what.get("states", {})} for title, what in scenarios.items()]),
                    encoding="utf-8")
    done = subprocess.run([str(BINARY), "automation", "test", str(file), "--config", str(tmp_path)], input="", capture_output=True,
                          text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.fixture
def client(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.hub = hub
        yield client


@pytest.mark.contract("Automations: blueprints")
def test_they_are_listed_used_and_neither_replaced_nor_removed(client):
    listed = client.result("blueprint/list", domain="automation")
    assert sorted(listed) == PATHS and all(each["built_in"] and each["metadata"]["description"] for each in listed.values())
    path = "hearth/everybody_away.yaml"
    found = client.result("blueprint/get", domain="automation", path=path)
    assert found["built_in"] and found["raw_data"] == (FOLDER / path).read_text(encoding="utf-8") and found["hash"] == listed[path]["hash"]
    for override in (False, True):
        assert client.error("blueprint/save", domain="automation", path=path, yaml=found["raw_data"], allow_override=override)[1] == \
            f"The blueprint {path} is a part of the hub: save yours under another path."
    assert client.error("blueprint/delete", domain="automation", path=path)[1] == \
        f"The blueprint {path} is a part of the hub and cannot be deleted."
    assert not (client.hub.folder / "blueprints").exists()
    inputs = {"people": ["person.none"], "things": ["light.kitchen"]}
    answer = client.hub.admin.post("/api/config/automation/config/everybody_away", json=use("everybody_away", inputs))
    assert answer.status_code == 200, answer.text
    call(client.hub, "light.turn_on", {"entity_id": "light.kitchen"})
    call(client.hub, "automation.trigger", {"entity_id": "automation.everybody_away"})
    wait_until(lambda: state_of(client.hub, "light.kitchen")["state"] == "off")
    assert client.result("search/related", item_type="automation_blueprint", item_id=path) == {"automation": ["automation.everybody_away"]}
    # A copy is the home's own.
    client.result("blueprint/save", domain="automation", path="me/away.yaml", yaml=found["raw_data"])
    assert not client.result("blueprint/list", domain="automation")["me/away.yaml"]["built_in"]
    assert client.result("blueprint/delete", domain="automation", path="me/away.yaml") is None


@pytest.mark.contract("Automations: blueprints")
def test_a_file_of_the_home_wins_until_it_is_removed(client):
    path = "hearth/motion_light.yaml"
    text = "blueprint: {name: Mine, domain: automation}\ntriggers: []\nactions: []\n"
    file = client.hub.folder / "blueprints/automation" / path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    mine = client.result("blueprint/list", domain="automation")[path]
    assert (mine["metadata"]["name"], mine["built_in"]) == ("Mine", False)
    assert client.result("blueprint/get", domain="automation", path=path)["raw_data"] == text
    client.result("blueprint/save", domain="automation", path=path, yaml=text.replace("Mine", "Ours"), allow_override=True)
    assert client.result("blueprint/list", domain="automation")[path]["metadata"]["name"] == "Ours"
    client.result("blueprint/delete", domain="automation", path=path)
    assert client.result("blueprint/list", domain="automation")[path]["built_in"]
