# SPDX-License-Identifier: Apache-2.0
"""A fleet over a real NATS server: what happens in the homes is at the portal, and services called there act in the homes."""

import json
import signal

import pytest

from fleet_hubs import Counter, Fleet, call, set_state, sites, state
from hub_process import command, wait_until, write_settings
from nats_server import PROGRAM, NatsServers
from websocket_client import WebSocketClient

COMMANDS = ["hearth/sites", "hearth/sites/remove"]
pytestmark = [pytest.mark.skipif(not PROGRAM, reason="nats-server is not installed"), pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def nats():
    servers = NatsServers()
    servers.start()
    yield servers
    servers.remove()


@pytest.fixture
def fleet(nats, hub_factory):
    made = Fleet(nats, hub_factory)
    yield made
    made.end()


@pytest.mark.contract("Fleet: states and registry")
def test_a_portal_serves_what_its_sites_have(fleet):
    kitchen, attic = fleet.site("kitchen"), fleet.site("attic")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen") and state(portal, "light.attic_kitchen"), 20)
    with WebSocketClient(portal, portal.tokens["admin"]) as client:
        client.command("subscribe_events", event_type="state_changed")
        set_state(kitchen, "sensor.level", "7", unit_of_measurement="%", friendly_name="Level")

        def told():
            event = client.receive()["event"]["data"]
            return event["entity_id"] == "sensor.kitchen_level" and event["new_state"]

        new = wait_until(told, 20)
    there = kitchen.admin.get("/api/states/sensor.level").json()
    assert new["state"] == "7"
    assert new["attributes"] == there["attributes"]
    assert [new[key] for key in ("last_changed", "last_updated")] == [there[key] for key in ("last_changed", "last_updated")]
    assert new["context"]["id"] == there["context"]["id"]
    everything = {entry["entity_id"] for entry in kitchen.admin.get("/api/states").json()}
    wait_until(lambda: everything <= {entry["entity_id"].replace(".kitchen_", ".", 1)
                                      for entry in portal.admin.get("/api/states").json()
                                      if entry["entity_id"].split(".")[1].startswith("kitchen_")}, 20)
    # Removed there is removed here.
    kitchen.admin.delete("/api/states/sensor.level")
    wait_until(lambda: state(portal, "sensor.kitchen_level") is None, 20)
    with WebSocketClient(portal, portal.tokens["admin"]) as client:
        wait_until(lambda: {"The kitchen", "The attic"} <= {floor["name"] for floor in client.result("config/floor_registry/list")}, 20)
        areas = {area["name"]: area for area in client.result("config/area_registry/list")}
        assert "The kitchen Kitchen" in areas and areas["The kitchen Kitchen"]["labels"] == ["kitchen"]
        entity = client.result("config/entity_registry/get", entity_id="light.kitchen_kitchen")
        assert entity["platform"] == "fleet" and entity["unique_id"] == "kitchen.light.kitchen"
        told = client.result("hearth/sites")
    assert told["portal"] and {site["name"] for site in told["sites"]} == {"The kitchen", "The attic"}
    assert all(site["reachable"] and site["refused"] == 0 for site in told["sites"])
    with WebSocketClient(attic, attic.tokens["admin"]) as client:
        assert client.result("hearth/sites") == {"portal": False, "sites": []}


@pytest.mark.contract("Fleet: calls")
def test_services_called_at_the_portal_act_in_the_home(fleet):
    folder = fleet.folder("kitchen")
    kitchen = fleet.site("kitchen", folder=folder)
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    before = state(kitchen, "light.kitchen")
    after = {"on": "off", "off": "on"}[before]
    changed = call(portal, f"light.turn_{after}", entity_id="light.kitchen_kitchen").json()
    assert [(each["entity_id"], each["state"]) for each in changed] == [("light.kitchen_kitchen", after)]
    assert state(kitchen, "light.kitchen") == state(portal, "light.kitchen_kitchen") == after
    assert call(portal, "light.turn_on", entity_id="light.kitchen_kitchen", brightness="much").status_code == 400
    # What only the entity can know.
    refused = call(portal, "climate.set_temperature", entity_id="climate.kitchen_living_room", temperature=500)
    assert refused.status_code == 400 and "500" in refused.json()["message"], refused.text
    # By the label that all of a site carries.
    call(portal, f"light.turn_{before}", label_id="kitchen")
    assert state(kitchen, "light.kitchen") == before
    kitchen.stop()
    answer = call(portal, "light.turn_on", entity_id="light.kitchen_kitchen")
    assert answer.status_code == 503 and "site kitchen" in answer.json()["message"], answer.text


@pytest.mark.contract("Fleet: calls")
def test_a_call_for_entities_here_and_there_is_done_whole_or_not_at_all(fleet):
    kitchen = fleet.site("kitchen")
    set_state(kitchen, "image_processing.door", "unknown")
    portal = fleet.start(fleet.hub_factory.folder(fleet=fleet.settings("portal", "portal-a")))
    wait_until(lambda: state(portal, "light.kitchen_kitchen") and state(portal, "image_processing.kitchen_door"), 20)
    lights = ["light.kitchen", "light.kitchen_kitchen"]

    def both():
        return [state(portal, "light.kitchen"), state(kitchen, "light.kitchen")]

    for wanted in ("on", "off"):
        changed = call(portal, f"homeassistant.turn_{wanted}", entity_id=lights)
        assert changed.status_code == 200 and both() == [wanted, wanted], changed.text
    refused = call(portal, "light.turn_on", entity_id=lights, brightness="much")
    assert refused.status_code == 400 and "brightness" in refused.json()["message"], refused.text
    # A refusal that only the entity here can give stops the call there, too: it comes in no log of the site.
    thermostats = ["climate.living_room", "climate.kitchen_living_room"]
    with WebSocketClient(kitchen, kitchen.tokens["admin"]) as client:
        client.command("subscribe_events", event_type="call_service")
        refused = call(portal, "climate.set_temperature", entity_id=thermostats, temperature=500)
        assert refused.status_code == 400 and "500" in refused.json()["message"], refused.text
        assert both() == ["off", "off"]
        # A domain that no hub describes: the site says what it does, which is nothing.
        called = call(portal, "homeassistant.turn_on", entity_id="image_processing.kitchen_door")
        assert called.status_code == 200, called.text
        first = client.receive()["event"]["data"]
    assert (first["domain"], first["service_data"]["entity_id"]) == ("homeassistant", ["image_processing.door"])
    for entity_id in ("light.kitchen_kitchen", "image_processing.kitchen_door"):
        written = portal.admin.post(f"/api/states/{entity_id}", json={"state": "on"})
        assert written.status_code == 409 and "the site kitchen" in written.json()["message"], written.text
    with WebSocketClient(portal, portal.tokens["admin"]) as client:
        titles = client.result("frontend/get_translations", language="en", category="title")["resources"]
    assert titles["component.image_processing.title"] == "Image processing"


@pytest.mark.contract("Fleet: rights")
def test_a_site_decides_what_portals_may_do(fleet):
    kitchen = fleet.site("kitchen", fleet={"calls": {"domains": ["switch"]}})
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    before = state(kitchen, "light.kitchen")
    answer = call(portal, "light.toggle", entity_id="light.kitchen_kitchen")
    assert answer.status_code == 403, answer.text
    assert state(kitchen, "light.kitchen") == before
    reader = portal.display.post("/api/services/light/toggle", json={"entity_id": "light.kitchen_kitchen"})
    assert reader.status_code == 403


@pytest.mark.contract("Fleet: rights")
def test_a_user_of_one_site_sees_nothing_of_another(fleet):
    fleet.site("kitchen"), fleet.site("attic")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen") and state(portal, "light.attic_kitchen"), 20)
    rights = portal.folder / "rights.yaml"
    rights.write_text("read: {sites: [kitchen]}\ncontrol: {sites: [kitchen]}\n")
    done = portal.command("user", "rights", "ann", "--file", str(rights))
    assert done.returncode == 0, done.stderr
    shown = portal.command("user", "rights", "ann").stdout
    assert shown == "read: {sites: [kitchen]}\ncontrol: {sites: [kitchen]}\n"
    wait_until(lambda: state(portal, "light.attic_kitchen", "ann") is None)
    assert state(portal, "light.kitchen_kitchen", "ann")
    texts = [portal.ann.get(path).text for path in ("/api/states", "/api/events", "/api/services")]
    texts.append(portal.ann.post("/api/template", json={"template": "{{ states | map(attribute='entity_id') | list }} {{ areas() }} {{ floors() }} {{ labels() }}"}).text)
    texts.append(portal.ann.get("/api/logbook").text)
    with WebSocketClient(portal, portal.tokens["ann"]) as client:
        texts += [json.dumps(client.result(kind)) for kind in (
            "get_states", "config/entity_registry/list", "config/device_registry/list", "config/area_registry/list",
            "config/floor_registry/list", "config/label_registry/list", "hearth/sites", "get_services", "recorder/list_statistic_ids")]
    for text in texts:
        assert "attic" not in text, text
    assert list(sites(portal, "ann")) == ["kitchen"]
    answer = portal.ann.post("/api/services/light/turn_on", json={"entity_id": "light.attic_kitchen"})
    assert "attic_kitchen" not in json.dumps(answer.json() if answer.status_code == 200 else [])
    answer = portal.ann.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen_kitchen"})
    assert answer.status_code == 200


@pytest.mark.contract("Fleet: nothing lost")
def test_nothing_is_lost_whoever_is_killed(fleet):
    folder = fleet.folder("kitchen")
    kitchen = fleet.site("kitchen", folder=folder)
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    counter = Counter(kitchen)
    for _ in range(2):
        wait_until(lambda: (state(portal, "sensor.kitchen_count") or "0") != "0", 20)
        seen = int(state(portal, "sensor.kitchen_count"))
        fleet.servers.nodes[0].kill()
        fleet.servers.start()
        wait_until(lambda: int(state(portal, "sensor.kitchen_count") or 0) > seen + 50, 30)
        portal.process.kill()
        portal.process.wait()
        portal = fleet.start(portal.folder)
        wait_until(lambda: int(state(portal, "sensor.kitchen_count") or 0) > seen + 100, 30)
    last = str(counter.stop())
    wait_until(lambda: state(portal, "sensor.kitchen_count") == last, 20)
    kitchen.process.kill()
    kitchen.process.wait()
    kitchen = fleet.start(folder)
    set_state(kitchen, "sensor.count", "again")
    wait_until(lambda: state(portal, "sensor.kitchen_count") == "again", 20)
    assert sites(portal)["kitchen"]["refused"] == 0


@pytest.mark.contract("Fleet: nothing lost")
def test_what_happens_while_the_server_is_away_comes_later(fleet):
    kitchen = fleet.site("kitchen")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    fleet.servers.nodes[0].stop()
    for number in range(300):
        set_state(kitchen, f"sensor.n{number % 30}", str(number))
    assert kitchen.admin.get("/api/states/sensor.n29").json()["state"] == "299"
    fleet.servers.start()
    wait_until(lambda: state(portal, "sensor.kitchen_n29") == "299", 60)
    assert [state(portal, f"sensor.kitchen_n{number}") for number in range(30)] == [str(270 + number) for number in range(30)]


@pytest.mark.contract("Fleet: silence")
@pytest.mark.slow
def test_a_silent_site_is_unavailable_with_its_last_value(fleet):
    kitchen = fleet.site("kitchen")
    portal = fleet.portal()
    set_state(kitchen, "sensor.level", "7", unit_of_measurement="%", other="x")
    wait_until(lambda: state(portal, "sensor.kitchen_level") == "7", 20)
    kitchen.send_signal(signal.SIGSTOP)
    try:
        wait_until(lambda: state(portal, "sensor.kitchen_level") == state(portal, "light.kitchen_kitchen") == "unavailable", 45)
        attributes = portal.admin.get("/api/states/sensor.kitchen_level").json()["attributes"]
        assert attributes == {"unit_of_measurement": "%", "last_value": "7"}
        assert not sites(portal)["kitchen"]["reachable"]
        answer = call(portal, "light.turn_on", entity_id="light.kitchen_kitchen")
        assert answer.status_code == 503 and "site kitchen" in answer.json()["message"], answer.text
        # It is taken out, and comes again when it is heard.
        with WebSocketClient(portal, portal.tokens["admin"]) as client:
            assert client.result("hearth/sites/remove", site="kitchen") is None
            assert client.command("hearth/sites/remove", site="kitchen")["error"]["code"] == "not_found"
            assert client.result("hearth/sites")["sites"] == []
            assert client.result("config/floor_registry/list") == client.result("config/device_registry/list") == []
            assert not [entry for entry in client.result("config/entity_registry/list") if entry["platform"] == "fleet"]
        assert state(portal, "sensor.kitchen_level") is None
        # Also what the server still has of it does not bring it back.
        portal.stop()
        portal = fleet.start(portal.folder)
        wait_until(lambda: any("the fleet is read" in line or "connected to the NATS server" in line for line in portal.log), 20)
        assert sites(portal) == {} and state(portal, "sensor.kitchen_level") is None
    finally:
        kitchen.send_signal(signal.SIGCONT)
    wait_until(lambda: state(portal, "sensor.kitchen_level") == "7", 30)
    with WebSocketClient(portal, portal.tokens["admin"]) as client:
        assert "it is there" not in client.command("hearth/sites/remove", site="attic")["error"]["message"]
        assert client.command("hearth/sites/remove", site="kitchen")["error"]["message"].startswith("The site kitchen is there")


@pytest.mark.contract("Fleet: settings")
@pytest.mark.parametrize("fleet_settings, message", [
    ({"role": "boss", "servers": "nats://h"}, 'fleet.role: expected site or portal, found "boss"'),
    ({"role": "site", "servers": "nats://h"}, "fleet: site is missing."),
    ({"role": "portal"}, "fleet: servers is missing."),
    ({"role": "site", "site": "Lake house", "servers": "nats://h"},
     'fleet.site: expected a name such as lake_house, of at most 32 lower-case letters, digits and _, found "Lake house"'),
    ({"role": "portal", "servers": ["http://h"]}, 'fleet.servers[0]: expected an address such as tls://fleet.example.org:4222, found "http://h"'),
    ({"role": "portal", "servers": "nats://h", "tls": {"ca": ["x"]}}, "fleet.tls.ca: expected a text"),
])
def test_settings_of_a_fleet_are_checked(tmp_path, fleet_settings, message):
    write_settings(tmp_path, {"fleet": fleet_settings})
    done = command(tmp_path, "check")
    assert done.returncode != 0
    assert message in done.stderr + done.stdout
