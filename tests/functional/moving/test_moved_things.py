# SPDX-License-Identifier: Apache-2.0
"""Moving in: helpers, automations, dashboards, energy and settings go on as they were."""

import contextlib
import datetime

import pytest

import comparison
import made_things
from companion_app import CompanionApp
from hub_process import wait_until
from moved_home import storage
from moving_client import HELPERS

# Entities whose value is the hub's own doing, or that of the moment: the rest of their state must be there.
OF_THE_MOMENT = ("binary_sensor.morning", "binary_sensor.workday", "schedule.heating_times", "sensor.moon_phase", "sensor.season",
                 "sensor.uptime", "sensor.guests_today", "sensor.rate", "binary_sensor.rising", "sensor.average", "timer.long", "sun.sun",
                 "calendar.workday_kalender")
# Of MQTT: reserved until the device comes. What is computed from them cannot be known until then.
OF_DEVICES = ("light.all_lights", "light.box_of_the_hall_outlet", "climate.radiator", "sensor.energy_day", "sensor.energy_night")


def entry_of(moved, entity_id):
    """The entity's entry in the registry of the old home."""
    return next(each for each in storage(moved.source, "core.entity_registry")["entities"] if each["entity_id"] == entity_id)


def test_helpers_are_the_same_items(moved):
    with moved.socket() as socket:
        for kind in HELPERS:
            here = {each["id"]: each for each in socket.result(f"{kind}/list")}
            for old in moved.answers["items"][kind]:
                new = here[old["id"]]
                different = {key: (value, new.get(key)) for key, value in old.items() if value != new.get(key) and key != "tag_id"}
                assert not different or kind == "timer" and set(different) == {"duration"}, (kind, different)
        persons = {each["id"]: each for each in socket.result("person/list")["storage"]}
        for old in moved.answers["items"]["person"]["storage"]:
            new = persons[old["id"]]
            assert (new["name"], new["user_id"], new["device_trackers"]) == (old["name"], old["user_id"], old["device_trackers"])


def test_helpers_have_their_values(moved):
    wanted = {each["entity_id"] for each in moved.answers["states"]
              if each["entity_id"].split(".")[0] in (*HELPERS, "automation", "script", "scene", "select")
              or moved.fates.of(["entity"], each["entity_id"]) == "carried"} - set(OF_THE_MOMENT) - set(OF_DEVICES)
    # Zones and persons are about phones, which are reserved; tags have no state here.
    wanted = {each for each in wanted if not each.startswith(("zone.", "person.", "tag."))}
    assert len(wanted) > 30

    def differences():
        return list(comparison.states(moved.answers, moved.hub.admin.get("/api/states").json(), wanted, ("unit_of_measurement",)))

    with contextlib.suppress(AssertionError):
        wait_until(lambda: not differences(), 20)
    assert differences() == []


def test_a_timer_goes_on(moved):
    there = next(each for each in moved.answers["states"] if each["entity_id"] == "timer.long")
    ends = datetime.datetime.fromisoformat(there["attributes"]["finishes_at"])
    here = moved.state("timer.long")
    if ends < datetime.datetime.now(datetime.timezone.utc):
        assert here["state"] == "idle"
    else:
        assert here["state"] == "active"
        assert abs((datetime.datetime.fromisoformat(here["attributes"]["finishes_at"]) - ends).total_seconds()) < 1.5


def test_customized_entities_look_so(moved):
    guests = moved.state("input_boolean.guests")["attributes"]
    assert (guests["friendly_name"], guests["colour"]) == ("Visitors", "green")


def test_automations_run_and_the_broken_one_says_so(moved):
    assert moved.state("automation.broken")["state"] == "unavailable"
    told = {each["entity_id"]: each for each in moved.report["automations"]}
    assert told["automation.broken"]["errors"]
    assert not told["automation.ring_when_somebody_comes"]["errors"], "it calls rest_command.ring, which has come, too"
    old = next(each for each in moved.answers["states"] if each["entity_id"] == "automation.from_a_blueprint")
    new = moved.state("automation.from_a_blueprint")
    assert new["attributes"]["last_triggered"] == old["attributes"]["last_triggered"]
    admin = moved.hub.admin
    leader, follower = "input_boolean.guests", "input_boolean.holiday"
    before = moved.state(leader)["state"]
    after = "off" if before == "on" else "on"
    assert admin.post("/api/services/input_boolean/toggle", json={"entity_id": leader}).status_code == 200
    wait_until(lambda: moved.state(follower)["state"] == after)
    admin.post("/api/services/input_boolean/toggle", json={"entity_id": leader})
    wait_until(lambda: moved.state(follower)["state"] == before)


def test_lists_and_calendars_have_their_items(moved):
    with moved.socket() as socket:
        items = socket.result("todo/item/list", entity_id="todo.chores")["items"]
        old = moved.answers["todo"]["items"]
        assert [(each["summary"], each["status"], each.get("due"), each.get("description")) for each in items] == \
            [(each["summary"], each["status"], each.get("due"), each.get("description")) for each in old]
        assert [each["summary"] for each in socket.result("todo/item/list", entity_id="todo.shopping_list")["items"]] == ["Milk"]
    events = moved.hub.admin.get("/api/calendars/calendar.family?start=2031-01-01T00:00:00Z&end=2031-03-01T00:00:00Z").json()
    assert [(each["summary"], each["start"], each["end"]) for each in events] == \
        [(each["summary"], each["start"], each["end"]) for each in moved.answers["calendar"]]


def test_dashboards_and_energy(moved):
    with moved.socket() as socket:
        for path, old in moved.answers["dashboard_configs"].items():
            assert socket.result("lovelace/config", url_path=path or None) == old
        here = {each["url_path"]: each for each in socket.result("lovelace/dashboards/list")}
        assert here["the-attic"]["title"] == "The attic" and here["the-attic"]["icon"] == "mdi:home-roof"
        assert "/local/made.js" in [each["url"] for each in socket.result("lovelace/resources")]
        assert "/hacsfiles/made/made.js" not in [each["url"] for each in socket.result("lovelace/resources")]
        energy = socket.result("energy/get_prefs")
        assert energy["energy_sources"] == moved.answers["energy"]["energy_sources"]
        assert energy["device_consumption"] == moved.answers["energy"]["device_consumption"]
        # The sensor of its costs is the same.
        assert socket.result("energy/info")["cost_sensors"] == {"sensor.meter": "sensor.meter_cost"}
        assert entry_of(moved, "sensor.meter_cost")["id"] == socket.result("config/entity_registry/get", entity_id="sensor.meter_cost")["id"]
    assert moved.hub.anonymous.get("/local/note.txt").text == "A file of the person.\n"


def test_the_settings_of_the_home(moved):
    here = moved.hub.admin.get("/api/config").json()
    for key in ("location_name", "latitude", "longitude", "elevation", "time_zone", "currency", "country", "language", "unit_system"):
        old, new = moved.answers["config"][key], here[key]
        assert old == new or isinstance(old, dict) and old.items() <= new.items(), key


@pytest.mark.contract("Companion apps: after a move")
def test_a_phone_that_registers_again_has_its_entities(moved):
    app = CompanionApp(moved.hub, "ann", **made_things.PHONE)
    app.send("register_sensor", made_things.PHONE_SENSOR | {"state": 55}, 201)
    app.send("update_location", {"location_name": "Harbour", "battery": 55})
    wait_until(lambda: moved.state("sensor.ann_s_phone_battery")["state"] == "55" and moved.state("device_tracker.ann_s_phone")["state"] == "Harbour")
    with moved.socket() as socket:
        entries = {each["entity_id"]: each for each in socket.result("config/entity_registry/list") if each["platform"] == "mobile_app"}
    assert set(entries) == {"sensor.ann_s_phone_battery", "device_tracker.ann_s_phone"}
    for entity_id, entry in entries.items():
        old = entry_of(moved, entity_id)
        assert (entry["id"], entry["device_id"]) == (old["id"], old["device_id"])
