# SPDX-License-Identifier: Apache-2.0
"""Triggers and conditions by purpose on the demo home: light.turned_on of an area, and so on."""

import pytest

from checks import call, set_state, state_of
from hub_process import wait_until
from websocket_client import WebSocketClient

KITCHEN, BEDROOM = "light.kitchen", "light.bedroom"


def counting(alias, triggers, **more):
    step = {"action": "counter.increment", "target": {"entity_id": f"counter.{alias}"}}
    return {"id": alias, "alias": alias, "mode": "queued", "triggers": triggers, "actions": [step], **more}


def turned_on(target, **options):
    return {"trigger": "light.turned_on", "target": target, "options": options}


AUTOMATIONS = [
    counting("in_area", turned_on({"area_id": "kitchen"})),
    counting("first", turned_on({"entity_id": [KITCHEN, BEDROOM]}, behavior="first")),
    counting("last", turned_on({"entity_id": [KITCHEN, BEDROOM]}, behavior="last")),
    counting("held", turned_on({"entity_id": KITCHEN}, **{"for": {"milliseconds": 50}})),
    counting("scene", {"trigger": "scene.activated", "target": {"entity_id": "scene.purpose"}}),
    counting("dark", {"trigger": "event", "event_type": "look"},
             conditions=[{"condition": "light.is_off", "target": {"area_id": "kitchen"}, "options": {"behavior": "all"}}]),
]
COUNTERS = {automation["id"]: {"initial": 0} for automation in AUTOMATIONS}


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs(automation=AUTOMATIONS, counter=COUNTERS, scene=[{"name": "Purpose", "entities": {}}])


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def counts(home, *names):
    return [int(state_of(home, f"counter.{name}")["state"]) for name in names]


def rest(home):
    """Lights off, counters at 0, and no run under way."""
    for light in (KITCHEN, BEDROOM):
        call(home, "light.turn_off", {"entity_id": light})
    wait_until(lambda: all(state_of(home, f"automation.{name}")["attributes"]["current"] == 0 for name in COUNTERS))
    call(home, "counter.reset", {"entity_id": [f"counter.{name}" for name in COUNTERS]})


@pytest.mark.contract("Automations: triggers")
def test_an_area_first_and_last_count_lights_as_they_say(home):
    rest(home)
    call(home, "light.turn_on", {"entity_id": KITCHEN})
    wait_until(lambda: counts(home, "in_area", "first", "last", "held") == [1, 1, 0, 1])
    call(home, "light.turn_on", {"entity_id": BEDROOM})
    wait_until(lambda: counts(home, "in_area", "first", "last", "held") == [1, 1, 1, 1])


@pytest.mark.contract("Automations: triggers")
def test_what_comes_into_the_area_counts_from_then_on(home, admin):
    rest(home)
    former = next(entity["area_id"] for entity in admin.result("config/entity_registry/list") if entity["entity_id"] == BEDROOM)
    admin.result("config/entity_registry/update", entity_id=BEDROOM, area_id="kitchen")
    call(home, "light.turn_on", {"entity_id": BEDROOM})
    wait_until(lambda: counts(home, "in_area") == [1])
    admin.result("config/entity_registry/update", entity_id=BEDROOM, area_id=former)
    call(home, "light.turn_off", {"entity_id": BEDROOM})
    call(home, "light.turn_on", {"entity_id": BEDROOM})
    call(home, "light.turn_on", {"entity_id": KITCHEN})  # comes after it
    wait_until(lambda: counts(home, "last", "in_area") == [1, 2])


@pytest.mark.contract("Automations: triggers")
def test_a_scene_counts_each_time_and_a_condition_looks_at_the_area(home):
    rest(home)
    for _ in range(2):
        call(home, "scene.turn_on", {"entity_id": "scene.purpose"})
    wait_until(lambda: counts(home, "scene") == [2])
    home.admin.post("/api/events/look", json={})
    wait_until(lambda: counts(home, "dark") == [1])
    call(home, "light.turn_on", {"entity_id": KITCHEN})
    home.admin.post("/api/events/look", json={})
    set_state(home, "sensor.own", "1")
    wait_until(lambda: state_of(home, "automation.dark")["attributes"]["current"] == 0)
    assert counts(home, "dark") == [1]


@pytest.mark.contract("Automations: triggers")
def test_pages_are_told_what_is_wrong_and_what_belongs_together(home, admin):
    answer = admin.result("validate_config", triggers=[turned_on({"area_id": "kitchen"})],
                          conditions=[{"condition": "light.is_onn", "target": {"area_id": "kitchen"}}])
    assert answer["triggers"] == {"valid": True, "error": None}
    assert not answer["conditions"]["valid"] and "did you mean light.is_on?" in answer["conditions"]["error"]
    assert "automation.first" in admin.result("search/related", item_type="entity", item_id=KITCHEN)["automation"]
    assert "automation.in_area" in admin.result("search/related", item_type="area", item_id="kitchen")["automation"]
