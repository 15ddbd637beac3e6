# SPDX-License-Identifier: Apache-2.0
"""Entities that demand a PIN of whoever opens them by hand."""

import pytest

from checks import state_of
from hub_process import wait_until
from websocket_client import WebSocketClient

GARAGE = "cover.garage_door"
OPEN = {"entity_id": GARAGE}


@pytest.fixture
def home(hub_factory):
    return hub_factory()


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def demand(client, entity_id=GARAGE, **options):
    return client.result("config/entity_registry/update", entity_id=entity_id, options_domain="hearth", options=options)


def refused(home, service, data, said, key):
    """Nothing moves, by the socket and by REST."""
    domain, name = service.split(".")
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        error = ann.command("call_service", domain=domain, service=name, service_data=data)["error"]
        assert said in error["message"] and error.get("translation_key") == key, error
        if key:
            assert (error["code"], error["translation_domain"]) == ("service_validation_error", "hearth")
    answer = home.ann.post(f"/api/services/{domain}/{name}", json=data)
    assert answer.status_code == (400 if key else 429) and said in answer.text, answer.text
    assert state_of(home, GARAGE)["state"] == "closed"


SCENES = """
scene:
  - {name: Leave, entities: {cover.garage_door: open, light.kitchen: "on"}}
  - {name: Night, entities: {cover.garage_door: closed, light.kitchen: "off"}}
script:
  airing: {sequence: [{action: cover.open_cover, target: {entity_id: cover.garage_door}}]}
"""


def test_no_way_of_a_call_opens_without_the_pin(hub_factory):
    folder = hub_factory.folder()
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text() + SCENES)
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"]) as admin:
        demand(admin, ask="pin", pin="4711")
        demand(admin, "script.airing", ask="pin", pin="0815")
        admin.result("group/create", name="Doors", group_type="cover", entities=[GARAGE, "cover.living_room_blinds"])
        admin.result("group/create", name="All", entities=["cover.doors"])
        garage = admin.result("config/entity_registry/get", entity_id=GARAGE)
    made = {"scene_id": "out", "entities": {GARAGE: "open"}}
    assert home.ann.post("/api/services/scene/create", json=made).status_code == 200
    for service, data in [
        ("cover.open_cover", OPEN),
        ("cover.open_cover", {"target": OPEN}),
        ("cover.open_cover", {"entity_id": garage["id"]}),
        ("cover.open_cover", {"device_id": garage["device_id"]}),
        ("cover.toggle", OPEN),
        ("cover.set_cover_position", OPEN | {"position": 30}),
        ("cover.open_cover", {"entity_id": "all"}),
        ("cover.open_cover", {"entity_id": "cover.doors"}),
        ("cover.open_cover", {"entity_id": "group.all"}),
        ("homeassistant.turn_on", {"entity_id": "group.all"}),
        ("homeassistant.turn_on", OPEN),
        ("homeassistant.toggle", OPEN),
        ("scene.apply", {"entities": {GARAGE: "open", "light.kitchen": "on"}}),
        ("scene.turn_on", {"entity_id": "scene.out"}),
        ("scene.turn_on", {"entity_id": "scene.leave"}),
        ("homeassistant.turn_on", {"entity_id": "scene.leave"}),
        ("script.airing", {}),
        ("script.turn_on", {"entity_id": "script.airing"}),
    ]:
        refused(home, service, data, "a PIN is needed", "pin_needed")
    assert state_of(home, "light.kitchen")["state"] == "off"  # no half of a scene
    refused(home, "cover.open_cover", OPEN | {"pin": "0000"}, "the PIN is wrong", "pin_wrong")

    def moves(service, data, to):
        answer = home.ann.post(f"/api/services/{service.replace('.', '/')}", json=data)
        assert answer.status_code == 200, answer.text
        assert wait_until(lambda: state_of(home, GARAGE)["state"] in to)

    opened = ("opening", "open")
    for service, data in [
        ("cover.open_cover", OPEN | {"pin": "4711"}),
        ("cover.open_cover", {"entity_id": "cover.doors", "pin": "4711"}),
        ("homeassistant.toggle", OPEN | {"pin": "4711"}),
        ("scene.turn_on", {"entity_id": "scene.out", "pin": "4711"}),
        ("scene.turn_on", {"entity_id": "scene.leave", "pin": 4711}),
        ("script.airing", {"pin": "0815"}),
    ]:
        moves(service, data, opened)
        # Closing needs none, by whatever way.
        moves("scene.turn_on", {"entity_id": "scene.night"}, ("closing", "closed"))
        moves("cover.close_cover", {"entity_id": "group.all"}, ("closing", "closed"))
        assert wait_until(lambda: state_of(home, GARAGE)["state"] == "closed")


def test_a_pin_that_nobody_wants_is_ignored(home, admin):
    answer = home.ann.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen", "pin": "1234"})
    assert answer.status_code == 200, answer.text


def test_nobody_sees_the_pin_or_its_hash(home, admin):
    everything = admin.command("subscribe_events")["id"]
    demand(admin, ask="pin", pin="47114711")
    right = OPEN | {"pin": "47114711"}
    seen = [
        home.ann.post("/api/services/cover/open_cover", json=OPEN | {"pin": "47114712"}).text,
        home.ann.post("/api/services/cover/open_cover", json=right).text,
        home.ann.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen", "pin": "47114711"}).text,
        admin.result("call_service", domain="cover", service="open_cover", service_data=right),
        admin.result("config/entity_registry/get", entity_id=GARAGE),
        admin.result("config/entity_registry/list"),
        admin.result("config/entity_registry/list_for_display"),
        home.admin.get("/api/states").text,
        home.admin.get(f"/api/history/period?filter_entity_id={GARAGE}").text,
        home.admin.get("/api/logbook").text,
        home.admin.get("/api/error_log").text,
    ]
    # All events until one that comes last.
    home.admin.post("/api/events/the_last")
    while (event := admin.event(everything))["event_type"] != "the_last":
        seen.append(event)
    assert "call_service" in str(seen) and "entity_registry_updated" in str(seen)
    seen.append(home.log)
    for secret in ("47114711", "47114712", "argon2", "pin_hash"):
        assert secret not in str(seen), secret
    assert seen[4]["options"] == {"hearth": {"ask": "pin"}}


def test_a_pin_survives_a_restart_and_changes_at_once(hub_factory):
    folder = hub_factory.folder()
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"]) as admin:
        demand(admin, ask="pin", pin="4711")
    said = lambda pin: home.ann.post("/api/services/cover/open_cover", json=OPEN | {"pin": pin}).text
    assert "the PIN is wrong" in said("0815")
    home.stop()
    home = hub_factory(folder)
    assert "a PIN is needed" in home.ann.post("/api/services/cover/open_cover", json=OPEN).text
    with WebSocketClient(home, home.tokens["admin"]) as again:
        demand(again, ask="pin")  # the former stays
        assert "the PIN is wrong" in said("0815")
        demand(again, ask="pin", pin="0815")
        assert "the PIN is wrong" in said("4711")
        renamed = again.result("config/entity_registry/update", entity_id=GARAGE, new_entity_id="cover.gate")
        assert renamed["entity_entry"]["options"] == {"hearth": {"ask": "pin"}}
        gate = {"entity_id": "cover.gate"}
        assert "a PIN is needed" in home.ann.post("/api/services/cover/open_cover", json=gate).text
        again.result("config/entity_registry/update", entity_id="cover.gate", options_domain="hearth", options=None)
    assert home.ann.post("/api/services/cover/open_cover", json=gate).status_code == 200


def test_only_administrators_set_it(home):
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        code, _ = ann.error("config/entity_registry/update", entity_id=GARAGE, options_domain="hearth",
                            options={"ask": "pin", "pin": "4711"})
        assert code == "unauthorized"


@pytest.mark.parametrize("options", [
    {"ask": "pin"},
    {"ask": "pin", "pin": "123"},
    {"ask": "pin", "pin": "abcd"},
    {"ask": "pin", "pin": 4711},
    {"ask": "pin", "pin": None},
    {"ask": "perhaps"},
])
def test_what_is_no_pin_changes_nothing(home, admin, options):
    code, message = admin.error(
        "config/entity_registry/update", entity_id=GARAGE, options_domain="hearth", options=options)
    assert code == "invalid_info" and message.startswith("options."), message
    assert home.ann.post("/api/services/cover/open_cover", json=OPEN).status_code == 200


def test_who_tries_many_has_to_wait(home, admin):
    demand(admin, ask="pin", pin="4711")
    for pin in range(1000, 1005):
        assert "the PIN is wrong" in home.ann.post("/api/services/cover/open_cover", json=OPEN | {"pin": str(pin)}).text
    refused(home, "cover.open_cover", OPEN | {"pin": "4711"}, "too many wrong PINs", None)
    home.logged("cover.garage_door: 5 wrong PINs in a row")
    # Automations and the like go on, and so do others.
    admin.result("execute_script", sequence=[{"action": "cover.open_cover", "target": OPEN}])
    assert wait_until(lambda: state_of(home, GARAGE)["state"] in ("opening", "open"))
    answer = home.admin.post("/api/services/cover/open_cover", json=OPEN | {"pin": "4711"})
    assert answer.status_code == 200, answer.text
