# SPDX-License-Identifier: Apache-2.0
"""Sensors made of others that people make by commands: each platform, wrong fields, changes, the end of the hub, rights."""

import pytest

from checks import attributes, becomes, call, set_state, state_of, value
from hub_process import wait_until
from test_durability import kill
from test_rights import add_with_rights
from websocket_client import WebSocketClient

# Of each platform: its fields beside the name, its entity, and what that shows with the readings below.
MADE = {
    "average": ({"entities": ["sensor.a", "sensor.b"]}, "sensor.made", "3.0"),
    "bayesian": ({"prior": 0.5, "observations": [{"platform": "state", "entity_id": "switch.s", "to_state": "on",
                                                  "prob_given_true": 0.9, "prob_given_false": 0.1}]}, "binary_sensor.made", "on"),
    "derivative": ({"source": "sensor.a", "time_window": {"minutes": 5}}, "sensor.made", "unknown"),
    "filter": ({"entity_id": "sensor.a", "filters": [{"filter": "lowpass", "time_constant": 4},
                                                     {"filter": "time_throttle", "window_size": {"minutes": 1}}]}, "sensor.made", "2.0"),
    "generic_thermostat": ({"heater": "switch.s", "target_sensor": "sensor.a", "target_temp": 21}, "climate.made", "off"),
    "history_stats": ({"entity_id": "switch.s", "state": ["on"], "sensor_type": "count", "start": "{{ today_at() }}",
                       "end": "{{ now() }}"}, "sensor.made", "1"),
    "integration": ({"source": "sensor.a", "unit_prefix": "k"}, "sensor.made", "unknown"),
    "min_max": ({"entity_ids": ["sensor.a", "sensor.b"], "sensor_type": "sum"}, "sensor.made", "6.0"),
    "random": ({"domain": "binary_sensor"}, "binary_sensor.made", ("on", "off")),
    "season": ({"sensor_type": "meteorological"}, "sensor.made", ("spring", "summer", "autumn", "winter")),
    "statistics": ({"entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 9}, "sensor.made", "2.0"),
    "switch_as_x": ({"entity_id": "switch.s", "target_domain": "light"}, "light.s", "on"),
    "threshold": ({"entity_id": "sensor.a", "upper": 1.5}, "binary_sensor.made", "on"),
    "time_date": ({"display_options": ["date"]}, "sensor.date", None),
    "tod": ({"after": "00:00", "before": "23:59:59.999"}, "binary_sensor.made", ("on", "off")),
    "trend": ({"entity_id": "sensor.a"}, "binary_sensor.made", "unknown"),
    "utility_meter": ({"source": "sensor.a", "cycle": "daily", "tariffs": ["peak", "off peak"]}, "select.made", "peak"),
    "workday": ({"workdays": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "excludes": ["holiday"]}, "binary_sensor.made", "on"),
}
COMMANDS = {f"{platform}/{what}" for platform in MADE for what in ("list", "create", "update", "delete")} | {"hearth/derived_kinds"}

BROKEN = [
    ("min_max", {}, "entity_ids: required field of min_max is missing"),
    ("min_max", {"entity_ids": ["sensor.a"], "name": ""}, "name: expected a text of 1 to 255 bytes"),
    ("min_max", {"entity_ids": ["sensor.a"], "sensor_type": "most"}, "sensor_type: expected one of min, max, mean"),
    ("min_max", {"entity_ids": ["nothing"]}, "entity_ids[0]: expected an entity such as light.kitchen"),
    ("min_max", {"entity_ids": ["sensor.a"], "round_digits": 99}, "round_digits: expected a whole number from 0 to 15"),
    ("min_max", {"entity_ids": ["sensor.a"], "height": 3}, "height: unknown field of min_max"),
    ("min_max", {"entity_ids": ["sensor.a"], "unique_id": "x"}, "unique_id: unknown field of min_max"),
    ("threshold", {"entity_id": "sensor.a"}, "expected lower, upper or both"),
    ("threshold", {"entity_id": "sensor.a", "lower": 3, "upper": 2}, "upper: expected more than lower"),
    ("utility_meter", {"source": "sensor.a", "cycle": "sometimes"}, "cycle: expected one of quarter-hourly"),
    ("utility_meter", {"source": "sensor.a", "cron": "x"}, "cron: "),
    ("utility_meter", {"source": "sensor.a", "tariffs": ["a", "A"]}, "tariffs: A stands there twice"),
    ("history_stats", {"entity_id": "switch.s", "state": "on", "start": "{{ now() }}"}, "expected two of start, end and duration"),
    ("history_stats", {"entity_id": "switch.s", "state": "on", "start": "{{ now(", "end": "{{ now() }}"}, "start: "),
    ("statistics", {"entity_id": "sensor.a", "state_characteristic": "meen", "max_age": 5}, "state_characteristic: unknown characteristic meen, did you mean mean?"),
    ("filter", {"entity_id": "sensor.a", "filters": [{"filter": "time_throttle"}]}, "filters[0]: window_size is missing"),
    ("bayesian", {"prior": 2, "observations": []}, "prior: expected a number from 0 to 1"),
    ("random", {"domain": "light"}, "domain: expected one of sensor binary_sensor"),
    ("random", {"domain": "binary_sensor", "maximum": 3}, "maximum: unknown key"),
    ("switch_as_x", {"entity_id": "light.a", "target_domain": "fan"}, "entity_id: expected a switch such as switch.garage"),
    ("generic_thermostat", {"heater": "switch.s", "target_sensor": "sensor.a", "min_temp": 30, "max_temp": 20}, "max_temp: "),
]


def readings(hub):
    set_state(hub, "sensor.a", "2")
    set_state(hub, "sensor.b", "4")
    set_state(hub, "switch.s", "on")


def admin(hub):
    return WebSocketClient(hub, hub.tokens["admin"])


@pytest.mark.parametrize("platform", MADE)
def test_each_platform_makes_an_entity_that_a_removal_takes_away(platform, hub_factory):
    fields, entity, shown = MADE[platform]
    hub = hub_factory()
    readings(hub)
    with admin(hub) as client:
        item = client.result(f"{platform}/create", name="Made", **fields)
        assert item == {"id": item["id"], "name": "Made", **fields}
        assert client.result(f"{platform}/list") == [item]
        if shown is None:
            wait_until(lambda: len(value(hub, entity)) == 10)
        elif isinstance(shown, tuple):
            wait_until(lambda: value(hub, entity) in shown)
        else:
            becomes(hub, entity, shown)
        registered = client.result("config/entity_registry/get", entity_id=entity)
        assert registered["platform"] == platform and registered["unique_id"].startswith(item["id"])
        client.result(f"{platform}/delete", **{f"{platform}_id": item["id"]})
        assert hub.admin.get(f"/api/states/{entity}").status_code == 404
        assert not [each for each in client.result("config/entity_registry/list") if each["platform"] == platform]
        assert client.result(f"{platform}/list") == []
        assert client.error(f"{platform}/delete", **{f"{platform}_id": item["id"]})[0] == "not_found"


def test_what_is_described_is_what_is_taken(hub):
    with admin(hub) as client:
        kinds = client.result("hearth/derived_kinds")
    assert sorted(kinds) == sorted(MADE)
    for platform, (fields, _, _) in MADE.items():
        described = {field["key"]: field for field in kinds[platform]["fields"]}
        assert set(fields) <= set(described), platform
        assert {key for key, field in described.items() if field["required"]} <= {"name", *fields}, platform
    by_key = {field["key"]: field for field in kinds["min_max"]["fields"]}
    assert by_key["sensor_type"] == {"key": "sensor_type", "required": False, "default": "max", "selector": {
        "select": {"options": ["min", "max", "mean", "median", "last", "range", "sum"]}}}
    assert by_key["round_digits"]["selector"] == {"number": {"min": 0, "max": 15, "step": 1, "mode": "box"}}
    filters = next(field for field in kinds["filter"]["fields"] if field["key"] == "filters")["selector"]["object"]
    assert filters["by"] == "filter" and [field["key"] for field in filters["kinds"]["outlier"]] == ["window_size", "radius", "precision"]


@pytest.mark.parametrize("platform, fields, message", BROKEN, ids=[f"{platform}-{message[:24]}" for platform, _, message in BROKEN])
def test_a_wrong_field_is_named(platform, fields, message, hub):
    with admin(hub) as client:
        code, text = client.error(f"{platform}/create", **{"name": "Wrong", **fields})
        assert code == "invalid_format" and text.startswith(message), text
        assert client.result(f"{platform}/list") == []
        assert client.error(f"{platform}/update", **{f"{platform}_id": "nowhere"})[0] == "not_found"


def test_an_edit_keeps_the_entity_and_what_it_has_counted_while_that_means_the_same(hub_factory):
    hub = hub_factory()
    set_state(hub, "sensor.e", "10")
    set_state(hub, "sensor.f", "500")
    with admin(hub) as client:
        meter = client.result("utility_meter/create", name="Used", source="sensor.e", cycle="daily", tariffs=["peak", "night"])["id"]
        becomes(hub, "sensor.used_peak", "0")
        set_state(hub, "sensor.e", "14")
        becomes(hub, "sensor.used_peak", "4")
        client.result("config/entity_registry/update", entity_id="sensor.used_peak", new_entity_id="sensor.dear")

        client.result("utility_meter/update", utility_meter_id=meter, name="Energy", tariffs=["peak"])
        becomes(hub, "sensor.dear", "4")
        assert attributes(hub, "sensor.dear")["friendly_name"] == "Energy peak"
        assert hub.admin.get("/api/states/sensor.used_night").status_code == 404
        set_state(hub, "sensor.e", "15")
        becomes(hub, "sensor.dear", "5")

        # Another source's readings are no growth of this one's.
        client.result("utility_meter/update", utility_meter_id=meter, source="sensor.f")
        becomes(hub, "sensor.dear", "0")
        set_state(hub, "sensor.f", "503")
        becomes(hub, "sensor.dear", "3")
        # A month is no day.
        client.result("utility_meter/update", utility_meter_id=meter, cycle="monthly")
        becomes(hub, "sensor.dear", "0")
        assert client.error("utility_meter/update", utility_meter_id=meter, source=None) == (
            "invalid_format", "source: required field of utility_meter is missing")
        assert client.result("utility_meter/update", utility_meter_id=meter, tariffs=None) == {
            "id": meter, "name": "Energy", "source": "sensor.f", "cycle": "monthly"}
        becomes(hub, "sensor.energy", "0")
        assert hub.admin.get("/api/states/sensor.dear").status_code == 404


def test_an_integral_keeps_its_sum_in_another_unit(hub_factory):
    hub = hub_factory()
    with admin(hub) as client:
        set_state(hub, "sensor.p", "3600000", {"unit_of_measurement": "W", "device_class": "power"})
        made = client.result("integration/create", name="Energy", source="sensor.p", round=6, method="left")["id"]
        becomes(hub, "sensor.energy", "unknown")
        set_state(hub, "sensor.p", "0", {"unit_of_measurement": "W", "device_class": "power"})
        wait_until(lambda: value(hub, "sensor.energy") != "unknown")
        sum_of = float(value(hub, "sensor.energy"))
        assert sum_of > 0 and attributes(hub, "sensor.energy")["unit_of_measurement"] == "Wh"
        client.result("integration/update", integration_id=made, unit_prefix="k")
        wait_until(lambda: attributes(hub, "sensor.energy")["unit_of_measurement"] == "kWh")
        assert float(value(hub, "sensor.energy")) == pytest.approx(sum_of / 1000, abs=1e-5)
        client.result("integration/update", integration_id=made, source="sensor.q")
        becomes(hub, "sensor.energy", "unavailable")
        set_state(hub, "sensor.q", "5", {"unit_of_measurement": "W"})
        becomes(hub, "sensor.energy", "unknown")


@pytest.mark.parametrize("end", ["restart", "kill"])
def test_they_are_there_after_a(end, hub_factory):
    folder = hub_factory.folder(recorder={"commit_interval": "0s"})
    hub = hub_factory(folder)
    readings(hub)
    with admin(hub) as client:
        meter = client.result("utility_meter/create", name="Used", source="sensor.a", tariffs=["peak", "night"])
        client.result("min_max/create", name="Most", entity_ids=["sensor.a", "sensor.b"])
        gone = client.result("min_max/create", name="Gone", entity_ids=["sensor.a"])["id"]
        becomes(hub, "sensor.used_peak", "0")
        set_state(hub, "sensor.a", "7")
        becomes(hub, "sensor.used_peak", "5")
        call(hub, "select.select_option", {"entity_id": "select.used", "option": "night"})
        client.result("min_max/delete", min_max_id=gone)
    if end == "kill":
        kill(hub)
        hub_factory.hubs.remove(hub)
    else:
        hub.stop()
    hub = hub_factory(folder)
    becomes(hub, "sensor.used_peak", "5")
    becomes(hub, "select.used", "night")
    set_state(hub, "sensor.a", "8")
    set_state(hub, "sensor.b", "4")
    becomes(hub, "sensor.used_night", "1")
    becomes(hub, "sensor.most", "8.0")
    assert hub.admin.get("/api/states/sensor.gone").status_code == 404
    with admin(hub) as client:
        assert client.result("utility_meter/list") == [meter]


def test_those_of_files_and_those_of_people_leave_each_other_alone(hub_factory):
    folder = hub_factory.folder()
    configuration = folder / "configuration.yaml"
    written = configuration.read_text(encoding="utf-8")
    ours = "sensor:\n  - {platform: min_max, name: Most, entity_ids: [sensor.a, sensor.b], type: max}\n"
    configuration.write_text(written + ours, encoding="utf-8")
    hub = hub_factory(folder)
    readings(hub)
    becomes(hub, "sensor.most", "4.0")
    with admin(hub) as client:
        item = client.result("min_max/create", name="Most", entity_ids=["sensor.a", "sensor.b"], sensor_type="min")
        assert client.result("min_max/list") == [item]
        becomes(hub, "sensor.most_2", "2.0")
        configuration.write_text(written, encoding="utf-8")
        call(hub, "min_max.reload")
        wait_until(lambda: hub.admin.get("/api/states/sensor.most").status_code == 404)
        assert value(hub, "sensor.most_2") == "2.0"
        set_state(hub, "sensor.a", "3")
        becomes(hub, "sensor.most_2", "3.0")
        configuration.write_text(written + ours, encoding="utf-8")
        call(hub, "homeassistant.reload_all")
        becomes(hub, "sensor.most", "4.0")
        client.result("min_max/delete", min_max_id=item["id"])
        assert value(hub, "sensor.most") == "4.0"


def test_a_meter_that_people_made_is_reset_and_calibrated(hub_factory):
    hub = hub_factory()
    set_state(hub, "sensor.e", "10")
    with admin(hub) as client:
        client.result("utility_meter/create", name="Used", source="sensor.e")
        becomes(hub, "sensor.used", "0")
        call(hub, "utility_meter.calibrate", {"entity_id": "sensor.used", "value": "7.5"})
        becomes(hub, "sensor.used", "7.5")
        call(hub, "utility_meter.reset", {"entity_id": "sensor.used"})
        becomes(hub, "sensor.used", "0.0")


def test_only_administrators_make_them_and_others_see_those_that_they_may_read(hub_factory):
    hub = hub_factory()
    readings(hub)
    with admin(hub) as client:
        seen = client.result("min_max/create", name="Seen", entity_ids=["sensor.a"])
        client.result("min_max/create", name="Hidden", entity_ids=["sensor.b"])
    add_with_rights(hub, "lea", "read: {entities: [sensor.seen]}\n")
    with WebSocketClient(hub, hub.tokens["lea"]) as lea:
        assert lea.result("min_max/list") == [seen]
        assert set(lea.result("hearth/derived_kinds")) == set(MADE)
        for kind in COMMANDS:
            if not kind.endswith("/list") and kind != "hearth/derived_kinds":
                assert lea.error(kind, name="x", entity_ids=["sensor.a"])[0] == "unauthorized", kind
    assert state_of(hub, "sensor.seen")["state"] == "2.0"
