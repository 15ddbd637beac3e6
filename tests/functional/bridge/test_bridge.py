# SPDX-License-Identifier: Apache-2.0
"""The bridge as a whole: a made hub's entities in this home, its health, its flow, two hubs that mirror each other, a device that
moves."""

import json

import pytest

from bridge_home import own_uuid
from checks import attribute, value
from hub_process import command, wait_until
from made_hub import MadeHub
from mqtt_broker import Broker
from ports import free_port
from websocket_client import WebSocketClient

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
LONG = 20


@pytest.fixture
def made():
    """Makes hubs with a few entities, which end with the test."""
    hubs = []

    def make(**options):
        hub = MadeHub(**options).start()
        hubs.append(hub)
        hub.areas["office"] = {"name": "Office"}
        hub.devices["d1"] = {"name": "Desk lamp", "identifiers": [["hue", "1"]], "area_id": "office"}
        hub.add("light.desk", "off", {"friendly_name": "Desk lamp", "supported_color_modes": ["onoff"], "color_mode": None,
                                      "supported_features": 0}, unique_id="1", platform="hue", device_id="d1")
        hub.add("sensor.outside", "7.5", {"friendly_name": "Outside", "unit_of_measurement": "°C", "odd": {"a": [1, None]}},
                unique_id="out", platform="weatherly")
        hub.add("image_processing.door", "3", {"friendly_name": "Door", "faces": []})
        return hub

    yield make
    for hub in hubs:
        hub.stop()


def state_of(hub, entity_id):
    answer = hub.admin.get(f"/api/states/{entity_id}")
    return answer.json() if answer.status_code == 200 else None


def becomes(hub, entity_id, wanted, timeout=LONG):
    def is_so():
        state = state_of(hub, entity_id)
        return state and state["state"] == wanted
    wait_until(is_so, timeout)


def instance(hub):
    [one] = hub.admin.get("/api/home_assistant").json()["instances"]
    return one


def is_in_state(hub, wanted, timeout=LONG):
    wait_until(lambda: instance(hub)["state"] == wanted, timeout)


def repairs(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return {issue["translation_key"]: issue["translation_placeholders"]
                for issue in client.result("repairs/list_issues")["issues"] if issue["domain"] == "home_assistant"}


def has_repair(hub, kind):
    return wait_until(lambda: repairs(hub).get(kind), LONG, interval=0.2)


def entries(hub):
    return [entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "home_assistant"]


# --- Entities ---


@pytest.mark.parametrize("version", ["2021.12.10", "2024.3.3", "2026.2.3"])
def test_entities_of_the_other_hub_are_here_as_they_are_there(hub_factory, made, version):
    there = made(version=version)
    hub = hub_factory(demo=None, home_assistant=there.section())
    becomes(hub, "sensor.outside", "7.5")
    for entity_id, state in there.states.items():
        wait_until(lambda one=entity_id: state_of(hub, one), LONG)
        here = state_of(hub, entity_id)
        assert (here["state"], here["attributes"]) == (state.value, state.attributes), entity_id
    is_in_state(hub, "connected")
    one = instance(hub)
    assert (one["version"], one["user"], one["name"]) == (version, "Bridge", "home")
    assert one["entities"]["mirrored"] == 3
    assert there.token not in json.dumps(one)
    there.set("sensor.outside", "8.5")
    becomes(hub, "sensor.outside", "8.5")
    assert attribute(hub, "sensor.outside", "odd") == {"a": [1, None]}


def test_a_call_goes_there_and_its_change_comes_back(hub_factory, made):
    there = made()
    hub = hub_factory(demo=None, home_assistant=there.section())
    becomes(hub, "light.desk", "off")
    is_in_state(hub, "connected")
    answer = hub.admin.post("/api/services/light/turn_on", json={"entity_id": "light.desk"})
    assert answer.status_code == 200
    becomes(hub, "light.desk", "on")
    assert len(there.calls_of("light.turn_on")) == 1


def test_entities_that_do_not_come_are_listed_with_the_reason(hub_factory, made):
    there = made()
    there.add("sun.sun", "above_horizon", {})
    there.add("switch.old", "off", {}, unique_id="old", platform="remote_homeassistant")
    there.add("switch.plug", "off", {}, unique_id="plug", platform="made")
    hub = hub_factory(demo=None, home_assistant=there.section(exclude={"entities": ["switch.plug"]}))
    becomes(hub, "light.desk", "off")
    is_in_state(hub, "connected")

    def listed(why):
        answer = hub.admin.get(f"/api/home_assistant/entities?why={why}")
        return [entity["entity_id_there"] for entity in answer.json()["entities"]]

    assert "switch.plug" in listed("excluded")
    assert "switch.old" in listed("mirrored_there")
    assert "sun.sun" in listed("left_out")
    assert "light.desk" in listed("mirrored")
    wrong = hub.admin.get("/api/home_assistant/entities?why=because")
    assert wrong.status_code == 400 and "shadowed" in wrong.json()["message"]
    assert hub.admin.get("/api/home_assistant/entities?instance=other").status_code == 404
    for path in ("", "/entities", "/differences/home", "/automations/home"):
        assert hub.ann.get("/api/home_assistant" + path).status_code == 403, path


# --- Health and repairs ---


def test_a_refused_token_needs_a_person_and_is_not_tried_again(hub_factory, made):
    there = made()
    hub = hub_factory(demo=None, home_assistant=there.section() | {"token": "another"})
    is_in_state(hub, "refused")
    [entry] = entries(hub)
    assert entry["state"] == "setup_error"
    assert has_repair(hub, "bridge_token")["url"] == there.url
    assert repairs(hub).keys() == {"bridge_token"}
    assert len([line for line in hub.log if " warning " in line and "home_assistant" in line]) == 1
    seen = there.accepted
    there.users["another"] = there.user
    hub.admin.post(f"{ENTRY}/{entry['entry_id']}/reload")
    becomes(hub, "light.desk", "off")
    assert there.accepted == seen + 1


def test_a_token_that_is_not_of_an_administrator_is_told(hub_factory, made):
    hub = hub_factory(demo=None, home_assistant=made(administrator=False).section())
    becomes(hub, "light.desk", "off")
    assert has_repair(hub, "bridge_rights")["user"] == "Bridge"


def test_a_token_that_ends_soon_is_told(hub_factory, made):
    there = made()
    there.overrides["auth/refresh_tokens"] = lambda *_: [
        {"id": "1", "is_current": False, "expire_at": None}, {"id": "2", "is_current": True, "expire_at": "2001-02-03T04:05:06+00:00"}]
    hub = hub_factory(demo=None, home_assistant=there.section())
    assert has_repair(hub, "bridge_token_ends")["date"] == "2001-02-03"


def test_a_hub_does_not_mirror_itself(hub_factory):
    port = free_port()
    folder = hub_factory.folder(demo=None, home_assistant={"url": f"http://127.0.0.1:{port}", "token": hub_factory.tokens["admin"]})
    hub = hub_factory.start(folder, port=port)
    is_in_state(hub, "self")
    assert has_repair(hub, "bridge_self")
    assert instance(hub)["entities"]["mirrored"] == 0


def test_a_hub_that_is_connected_twice_is_mirrored_once(hub_factory, made):
    there = made()
    for number in range(9):
        there.add(f"switch.s{number}", "off", {}, unique_id=f"s{number}", platform="made")
    hub = hub_factory(demo=None, home_assistant=[there.section(), there.section(name="again", prefix="again_")])

    def names():
        """By its state, the name."""
        return {one["state"]: one["name"] for one in hub.admin.get("/api/home_assistant").json()["instances"]}

    wait_until(lambda: names().keys() == {"connected", "twice"}, LONG)
    assert has_repair(hub, "bridge_twice")
    # Both connect in one moment; the first one has it.
    prefix = {"home": "", "again": "again_"}[names()["connected"]]
    becomes(hub, f"switch.{prefix}s1", "off")
    assert len([state for state in hub.admin.get("/api/states").json() if state["entity_id"].startswith("switch.")]) == 9


def test_wrong_sections_are_errors_of_the_file(hub_factory):
    good = {"url": "http://127.0.0.1:1", "token": "x"}
    for section, words in ((None, "expected url and token"), ({"url": "http://a"}, "token: missing"), ({"token": "x"}, "url: missing"),
                           (good | {"prefix": "a-"}, "prefix"), (good | {"prefix": "a."}, "prefix"),
                           ([good, good], "has the name home already")):
        folder = hub_factory.folder(demo=None)
        text = (folder / "configuration.yaml").read_text()
        (folder / "configuration.yaml").write_text(text + "home_assistant: " + json.dumps(section) + "\n")
        done = command(folder, "check")
        assert done.returncode != 0 and words in done.stdout + done.stderr, section


# --- Pages ---


def test_a_page_tries_and_adds_the_hub(hub_factory, made):
    there = made()
    hub = hub_factory(demo=None)
    step = hub.admin.post(FLOW, json={"handler": "home_assistant"}).json()
    assert [field["name"] for field in step["data_schema"]] == ["url", "token", "verify_certificate"]

    def submit(**data):
        return hub.admin.post(f"{FLOW}/{step['flow_id']}", json=data, timeout=40).json()

    assert submit(url="there", token=there.token)["errors"] == {"url": "invalid_host"}
    assert submit(url="http://127.0.0.1:1", token=there.token)["errors"] == {"url": "cannot_connect"}
    assert submit(url=there.url, token="another")["errors"] == {"token": "invalid_auth"}
    asked = submit(url=there.url, token=there.token)
    assert asked["step_id"] == "choices"
    assert asked["description_placeholders"] == {"name": "Cabin", "version": "Home Assistant 2026.2.3", "entities": "3", "user": "Bridge"}
    assert submit(name="home", prefix="Not-good")["errors"] == {"prefix": "unsupported"}
    done = submit(name="cabin", prefix="cabin_", include_domains="light, sensor")
    assert (done["type"], done["title"]) == ("create_entry", "Cabin")
    becomes(hub, "light.cabin_desk", "off")
    becomes(hub, "sensor.cabin_outside", "7.5")
    assert state_of(hub, "image_processing.cabin_door") is None
    [entry] = entries(hub)
    assert entry["supports_reconfigure"]
    assert there.token not in hub.admin.get(f"/api/diagnostics/config_entry/{entry['entry_id']}").text
    tested = hub.admin.post("/api/home_assistant/test/cabin").json()
    assert (tested["version"], tested["entities"], tested["user"]) == ("2026.2.3", 2, "Bridge")  # of the domains that come
    step = hub.admin.post(FLOW, json={"handler": "home_assistant", "entry_id": entry["entry_id"]}).json()
    assert submit(url=there.url)["step_id"] == "choices"
    assert submit(prefix="cabin_", include_domains="")["reason"] == "reconfigure_successful"
    becomes(hub, "image_processing.cabin_door", "3")


def test_names_are_taken_again_after_the_difference_was_shown(hub_factory, made):
    there = made()
    there.add("switch.fan", "off", {"friendly_name": "Theirs"}, unique_id="fan", name="Theirs")
    hub = hub_factory(demo=None, home_assistant=there.section())
    becomes(hub, "switch.fan", "off")
    is_in_state(hub, "connected")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id="switch.fan", name="Mine")
    path = "/api/home_assistant/{}/home"

    def differences():
        return {(one["id"], one["field"]): (one["here"], one["there"]) for one in hub.admin.get(path.format("differences")).json()["differences"]}

    assert differences()["switch.fan", "name"] == ("Mine", "Theirs")
    assert hub.admin.post(path.format("take_names"), json={"ids": ["switch.fan"]}).json()["changed"] >= 1
    assert ("switch.fan", "name") not in differences()


AUTOMATION = [{"id": "night", "alias": "Night", "triggers": [{"trigger": "event", "event_type": "never"}], "actions": []}]


def test_an_automation_of_both_hubs_is_switched_over_in_one_step(hub_factory, made):
    there = made()
    there.services["automation"] = {name: {"name": name, "description": "", "fields": {}, "target": {"entity": [{}]}}
                                    for name in ("turn_on", "turn_off")}
    there.add("automation.night", "on", {"id": "night", "friendly_name": "Night"}, unique_id="night", platform="automation")
    hub = hub_factory(demo=None, automation=AUTOMATION, home_assistant=there.section())
    is_in_state(hub, "connected")
    assert has_repair(hub, "bridge_double")["automations"] == "Night"
    path = "/api/home_assistant/automations/home"
    [one] = hub.admin.get(path).json()["automations"]
    assert (one["on_here"], one["on_there"]) == (True, True)

    def refuse(*_):
        from made_hub import Refused
        raise Refused("home_assistant_error", "not now")

    there.overrides["call_service"] = refuse
    hub.admin.post("/api/services/automation/turn_off", json={"entity_id": "automation.night"})
    failed = hub.admin.post(path, json={"id": "night", "on": "here"})
    assert failed.status_code >= 400 and "not now" in failed.json()["message"]
    assert value(hub, "automation.night") == "off"
    del there.overrides["call_service"]
    assert hub.admin.post(path, json={"id": "night", "on": "here"}).status_code == 200
    becomes(hub, "automation.night", "on")
    wait_until(lambda: there.states["automation.night"].value == "off", LONG)
    wait_until(lambda: "bridge_double" not in repairs(hub), LONG, interval=0.2)
    assert hub.admin.post(path, json={"id": "day", "on": "here"}).status_code == 404
    assert hub.admin.post(path, json={"id": "night", "on": "nowhere"}).status_code == 400


# --- Two Hearths, and moving ---


def test_two_hubs_that_mirror_each_other_stay_at_their_numbers(hub_factory):
    ports = [free_port(), free_port()]
    folders = []
    for own in (0, 1):
        folder = hub_factory.folder(demo=None, home_assistant={"url": f"http://127.0.0.1:{ports[1 - own]}", "token": hub_factory.tokens["admin"]},
                                    input_boolean={f"flag_{own}": {"name": f"Flag {own}"}})
        folders.append(own_uuid(folder))
    first, second = (hub_factory.start(folder, port=port) for folder, port in zip(folders, ports))
    for hub in (first, second):
        for number in (0, 1):
            becomes(hub, f"input_boolean.flag_{number}", "off", 40)
    # The first was there before the second: both have seen the whole of the other by now.
    is_in_state(first, "connected", 40)
    is_in_state(second, "connected", 40)

    def flags(hub):
        return sorted(state["entity_id"] for state in hub.admin.get("/api/states").json() if state["entity_id"].startswith("input_boolean"))

    count = len(first.admin.get("/api/states").json())
    for number in range(5):
        wanted = "off" if number % 2 else "on"
        first.admin.post(f"/api/services/input_boolean/turn_{wanted}", json={"entity_id": "input_boolean.flag_1"})
        becomes(second, "input_boolean.flag_1", wanted)
        becomes(first, "input_boolean.flag_1", wanted)
    assert flags(first) == flags(second) == ["input_boolean.flag_0", "input_boolean.flag_1"]
    assert len(first.admin.get("/api/states").json()) == count


def test_a_device_moves_from_there_to_mqtt_here_and_keeps_all(hub_factory, made, tmp_path):
    broker = Broker(tmp_path / "broker").start()
    try:
        there = made()
        there.areas["hall"] = {"name": "Hall"}
        there.devices["z1"] = {"name": "Hall lamp", "identifiers": [["mqtt", "zigbee2mqtt_0x1"]], "area_id": "hall"}
        there.add("light.hall", "off", {"friendly_name": "Hall lamp", "supported_color_modes": ["onoff"], "color_mode": None,
                                        "supported_features": 0},
                  unique_id="0x1_light_zigbee2mqtt", platform="mqtt", device_id="z1")
        automation = [{"id": "a", "alias": "A", "triggers": [{"trigger": "event", "event_type": "go"}],
                       "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}]
        hub = hub_factory(demo=None, automation=automation, home_assistant=there.section(), mqtt=broker.settings)
        becomes(hub, "light.hall", "off")
        is_in_state(hub, "connected")
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            before = client.result("config/entity_registry/get", entity_id="light.hall")
            client.result("config/entity_registry/update", entity_id="light.hall", name="My lamp")
            device = broker.client().subscribe("lamp/set")
            device.publish("homeassistant/light/0x1/light/config", json.dumps(
                {"unique_id": "0x1_light_zigbee2mqtt", "command_topic": "lamp/set", "state_topic": "lamp", "name": None,
                 "device": {"identifiers": ["zigbee2mqtt_0x1"], "name": "Hall lamp"}}), retain=True)
            wait_until(lambda: instance(hub)["entities"]["moved"] == 1, LONG)
            device.publish("lamp", "OFF", retain=True)
            becomes(hub, "light.hall", "off")
            after = client.result("config/entity_registry/get", entity_id="light.hall")
        assert (after["id"], after["name"], after["device_id"]) == (before["id"], "My lamp", before["device_id"])
        hub.admin.post("/api/events/go")
        assert device.payload() == "ON"
        assert there.calls == []
        device.publish("lamp", "ON", retain=True)
        becomes(hub, "light.hall", "on")
        there.set("light.hall", "off", {"friendly_name": "Hall lamp", "brightness": 3})
        device.publish("homeassistant/light/0x1/light/config", "", retain=True)
        wait_until(lambda: instance(hub)["entities"]["moved"] == 0, LONG)
        becomes(hub, "light.hall", "off")
    finally:
        broker.stop()
