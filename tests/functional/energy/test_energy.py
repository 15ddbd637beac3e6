# SPDX-License-Identifier: Apache-2.0
"""What a home used, made and paid: a month that was reckoned by hand, and meters that are not as they should be.

The month is October 2025 in Berlin, of 745 hours: on the 26th the hour from two to three comes twice.
"""

from datetime import UTC, datetime, timedelta

import pytest

from checks import set_state, state_of
from hub_process import wait_until
from websocket_client import WebSocketClient

FIRST = datetime(2025, 9, 30, 22, tzinfo=UTC)  # midnight in Berlin
TURN = datetime(2025, 10, 26, 1, tzinfo=UTC)  # clocks show two o'clock for the second time
HOURS = 745
METER = {"unit_of_measurement": "kWh", "state_class": "total_increasing", "device_class": "energy"}


def bring(client, statistic_id, rows, unit="kWh", has_sum=True):
    """`rows` are the sums of the hours of October, or their means."""
    stats = [{"start": (FIRST + timedelta(hours=hour)).isoformat()} | ({"sum": row, "state": row} if has_sum else {"mean": row, "min": row, "max": row})
             for hour, row in enumerate(rows) if row is not None]
    metadata = {"statistic_id": statistic_id, "source": statistic_id.partition(":")[0] if ":" in statistic_id else "recorder",
                "name": None, "unit_of_measurement": unit, "has_mean": not has_sum, "has_sum": has_sum}
    client.result("recorder/import_statistics", metadata=metadata, stats=stats)


def meter(each, hours=HOURS):
    return [each * (hour + 1) for hour in range(hours)]


def month(client, **fields):
    return client.result("hearth/energy", span="month", date="2025-10-15", **fields)


def notes(report):
    return {(note["kind"], note["statistic_id"]) for note in report["notes"]}


@pytest.fixture
def client(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.hub = hub
        yield client


@pytest.mark.contract("WebSocket: history")
def test_a_month_in_which_an_hour_comes_twice(client):
    bring(client, "mine:grid", meter(1000), "Wh")
    # The cheap hours end with the second of the two: 25 days and three hours of 20 ct, then 40.
    bring(client, "sensor.tariff", [0.2 if FIRST + timedelta(hours=hour) < TURN else 0.4 for hour in range(HOURS)], "EUR/kWh", False)
    client.result("energy/save_prefs", energy_sources=[
        {"type": "grid", "flow_from": [{"stat_energy_from": "mine:grid", "entity_energy_price": "sensor.tariff"}], "flow_to": []}])
    report = month(client)
    grid = report["meters"][0]
    assert (grid["role"], grid["unit"], grid["total"]) == ("grid_in", "kWh", HOURS)
    assert [len(report["bars"]), grid["values"][25], grid["values"][24]] == [31, 25, 24]
    assert grid["cost"]["total"] == pytest.approx(603 * 0.2 + 142 * 0.4) == report["cost"]["total"]
    assert grid["cost"]["values"][25] == pytest.approx(3 * 0.2 + 22 * 0.4)
    assert report["used"]["total"] == HOURS and report["notes"] == []
    day = client.result("hearth/energy", span="day", date="2025-10-26")
    assert len(day["bars"]) == 25 and day["cost"]["values"][2:4] == pytest.approx([0.2, 0.4])
    assert day["used"]["before"] == 24
    # A year by months, and a week by days, say the same.
    year = client.result("hearth/energy", span="year", date="2025-02-01")
    assert year["used"]["values"] == [0] * 9 + [HOURS, 0, 0]
    assert client.result("hearth/energy", span="week", date="2025-10-22")["used"]["values"] == [24] * 6 + [25]
    assert client.result("hearth/energy", span="years", date="2026-01-01")["used"]["total"] == HOURS
    # The flat form of 2026, with a fixed price, and what the grid takes.
    bring(client, "mine:sold", meter(0.5))
    client.result("energy/save_prefs", energy_sources=[
        {"type": "grid", "stat_energy_from": "mine:grid", "stat_energy_to": "mine:sold", "number_energy_price": 0.3,
         "number_energy_price_export": 0.1, "cost_adjustment_day": 0}])
    assert month(client)["cost"]["total"] == pytest.approx(HOURS * (0.3 - 0.05))


@pytest.mark.contract("WebSocket: history")
def test_sun_battery_devices_gas_and_water(client):
    bring(client, "mine:grid", meter(1))
    bring(client, "mine:sun", meter(2))
    bring(client, "mine:sold", meter(0.5))
    bring(client, "mine:in", meter(0.75))
    bring(client, "mine:out", meter(0.25))
    bring(client, "mine:gas", meter(0.1), "m³")
    bring(client, "mine:water", meter(10), "L")
    bring(client, "mine:bill", meter(0.02), "EUR")
    bring(client, "mine:car", meter(1.5))
    bring(client, "mine:charger", meter(0.5))
    client.result("energy/save_prefs", energy_sources=[
        {"type": "grid", "stat_energy_from": "mine:grid", "stat_energy_to": "mine:sold"},
        {"type": "solar", "stat_energy_from": "mine:sun"}, {"type": "battery", "stat_energy_from": "mine:out", "stat_energy_to": "mine:in"},
        {"type": "gas", "stat_energy_from": "mine:gas", "number_energy_price": 1.5},
        {"type": "water", "stat_energy_from": "mine:water", "stat_cost": "mine:bill"}],
        device_consumption=[{"stat_consumption": "mine:car", "name": "Car"},
                            {"stat_consumption": "mine:charger", "included_in_stat": "mine:car"}])
    report = month(client)
    flows = {name: flow["total"] / HOURS for name, flow in report["flows"].items()}
    # Of each hour: 1 + 2 + 0.25 come, 0.5 and 0.75 go.
    assert report["used"]["total"] == pytest.approx(2 * HOURS)
    assert flows == pytest.approx({"sun_to_battery": 0.75, "sun_to_grid": 0.5, "sun_to_home": 0.75, "battery_to_home": 0.25,
                                   "grid_to_home": 1, "grid_to_battery": 0, "battery_to_grid": 0})
    assert report["self_sufficiency"]["total"] == pytest.approx(0.5)
    assert report["self_consumption"]["total"] == pytest.approx(0.75)
    assert [(one["name"], round(one["total"], 3), round(one["whole"], 3)) for one in report["devices"]] == [
        ("Car", HOURS, 1.5 * HOURS), (None, 0.5 * HOURS, 0.5 * HOURS)]
    assert report["other"]["total"] == pytest.approx(0.5 * HOURS)
    gas, water = report["meters"][-2:]
    assert (gas["unit"], gas["cost"]["total"]) == ("m³", pytest.approx(HOURS * 0.15))
    assert (water["unit"], round(water["total"], 3), water["cost"]["total"]) == ("m³", 7.45, pytest.approx(HOURS * 0.02))
    assert report["cost"]["total"] == pytest.approx(HOURS * 0.17)


@pytest.mark.contract("WebSocket: history")
def test_what_is_odd_is_said_and_changes_nothing_else(client):
    replaced = [100 + hour if hour < 300 else hour - 299 for hour in range(HOURS)]
    sums = [hour for hour in range(HOURS)]
    stats = [{"start": (FIRST + timedelta(hours=hour)).isoformat(), "sum": sums[hour], "state": replaced[hour]} for hour in range(HOURS)]
    client.result("recorder/import_statistics", stats=stats, metadata={
        "statistic_id": "mine:replaced", "source": "mine", "unit_of_measurement": "kWh", "has_mean": False, "has_sum": True})
    bring(client, "mine:backwards", [hour - 10 * (hour >= 400) for hour in range(HOURS)])
    bring(client, "mine:heater", meter(5))
    # Nobody knows the price of the second of October.
    bring(client, "sensor.price", [None if 24 <= hour < 48 else 0.25 for hour in range(HOURS)], "EUR/kWh", False)
    grid = {"type": "grid", "flow_from": [{"stat_energy_from": "mine:replaced", "entity_energy_price": "sensor.price"},
                                          {"stat_energy_from": "mine:backwards"}, {"stat_energy_from": "sensor.nobody"}], "flow_to": []}
    client.result("energy/save_prefs", energy_sources=[grid], device_consumption=[{"stat_consumption": "mine:heater"}])
    report = month(client)
    assert notes(report) == {("meter_reset", "mine:replaced"), ("meter_backwards", "mine:backwards"), ("no_statistics", "sensor.nobody"),
                             ("price_unknown", "mine:replaced"), ("devices_exceed", None)}
    by_kind = {note["kind"]: note for note in report["notes"]}
    assert by_kind["price_unknown"]["amount"] == 24 and by_kind["meter_backwards"]["amount"] == 9
    assert by_kind["meter_reset"]["at"] == (FIRST + timedelta(hours=300)).timestamp() * 1000
    assert [meter["total"] for meter in report["meters"]] == [744, 734, 0]
    assert report["cost"]["total"] == pytest.approx((744 - 24) * 0.25)
    assert report["other"]["total"] == 0 and report["devices"][0]["total"] == 5 * HOURS


@pytest.mark.contract("Other frontends: energy")
def test_costs_are_counted_for_who_reads_statistics(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    price = {"unit_of_measurement": "ct/kWh"}
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        for entity_id, value, attributes in (("sensor.grid", "100", METER), ("sensor.sold", "50", METER), ("sensor.price", "8", price)):
            set_state(hub, entity_id, value, attributes)
        client.result("energy/save_prefs", energy_sources=[
            {"type": "grid", "stat_energy_from": "sensor.grid", "number_energy_price": 0.25,
             "stat_energy_to": "sensor.sold", "entity_energy_price_export": "sensor.price"},
            {"type": "water", "stat_energy_from": "mine:water", "number_energy_price": 2}])
        sensors = {"sensor.grid": "sensor.grid_cost", "sensor.sold": "sensor.sold_compensation"}
        wait_until(lambda: client.result("energy/info")["cost_sensors"] == sensors)
        set_state(hub, "sensor.grid", "110", METER)
        set_state(hub, "sensor.sold", "75", METER)
        wait_until(lambda: state_of(hub, "sensor.grid_cost")["state"] == "2.5" and state_of(hub, "sensor.sold_compensation")["state"] == "2")
        shown = state_of(hub, "sensor.grid_cost")["attributes"]
        assert (shown["state_class"], shown["device_class"], shown["unit_of_measurement"]) == ("total", "monetary", "EUR")
        entry = client.result("config/entity_registry/get", entity_id="sensor.grid_cost")
        assert (entry["platform"], entry["hidden_by"]) == ("energy", "integration")
    hub.stop()
    hub = hub_factory(folder)
    assert state_of(hub, "sensor.grid_cost")["state"] == "2.5" and state_of(hub, "sensor.grid_cost")["attributes"]["last_reset"] == shown["last_reset"]
    set_state(hub, "sensor.grid", "114", METER)
    wait_until(lambda: state_of(hub, "sensor.grid_cost")["state"] == "3.5")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        start = datetime.now(UTC) - timedelta(hours=2)
        ask = lambda: client.result("recorder/statistics_during_period", start_time=start.isoformat(), period="hour",
                                    statistic_ids=["sensor.grid_cost"], types=["sum"])["sensor.grid_cost"][-1]["sum"]
        wait_until(lambda: ask() == pytest.approx(3.5))
        costs = [meter["cost"]["total"] + meter["cost"]["before"] for meter in client.result("hearth/energy", span="month")["meters"]]
        assert costs == pytest.approx([3.5, 2, 0])
        # Without a price there is nothing to count.
        client.result("energy/save_prefs", energy_sources=[{"type": "grid", "stat_energy_from": "sensor.grid"}])
        wait_until(lambda: client.result("energy/info")["cost_sensors"] == {})
        assert hub.admin.get("/api/states/sensor.grid_cost").status_code == 404


@pytest.mark.contract("Other frontends: energy")
def test_what_is_wrong_with_meters_is_found(client):
    hub = client.hub
    set_state(hub, "sensor.good", "5", METER)
    set_state(hub, "sensor.power", "5", {"unit_of_measurement": "W", "state_class": "measurement", "device_class": "power"})
    set_state(hub, "sensor.silent", "unavailable", METER)
    set_state(hub, "sensor.back", "500", METER | {"state_class": "total"})
    set_state(hub, "sensor.back", "400", METER | {"state_class": "total"})
    set_state(hub, "sensor.price", "0.3", {"unit_of_measurement": "EUR"})
    sources = [{"type": "grid", "stat_energy_from": "sensor.good", "entity_energy_price": "sensor.price"},
               {"type": "solar", "stat_energy_from": "sensor.power"}, {"type": "gas", "stat_energy_from": "sensor.nobody"},
               {"type": "water", "stat_energy_from": "sensor.good", "stat_cost": "mine:nothing"},
               {"type": "battery", "stat_energy_from": "sensor.silent", "stat_energy_to": "sensor.back"}]
    client.result("energy/save_prefs", energy_sources=sources, device_consumption=[{"stat_consumption": "sensor.good"}])
    found = lambda: [[issue["type"] for issue in issues] for issues in client.result("energy/validate")["energy_sources"]]
    wait_until(lambda: "entity_goes_backwards" in found()[4])
    assert found() == [
        ["entity_unexpected_unit_energy_price"],
        ["statistics_not_defined", "entity_unexpected_unit_energy", "entity_unexpected_device_class",
         "entity_state_class_measurement_no_last_reset"],
        ["statistics_not_defined", "entity_not_defined"],
        ["entity_unexpected_unit_water", "entity_unexpected_device_class", "statistics_not_defined"],
        ["statistics_not_defined", "entity_unavailable", "entity_goes_backwards"]]
    result = client.result("energy/validate")
    assert result["device_consumption"] == [[]] and result["device_consumption_water"] == []
    price = result["energy_sources"][0][0]
    assert price["affected_entities"] == [["sensor.price", "EUR"]]
    assert "EUR/kWh" in price["translation_placeholders"]["price_units"].split(", ")


@pytest.mark.contract("Other frontends: energy")
def test_fossil_energy_is_a_share_of_the_grid(client):
    bring(client, "mine:grid", meter(1000), "Wh")
    bring(client, "sensor.fossil", [25] * 24, "%", False)
    ask = lambda period: client.result("energy/fossil_energy_consumption", start_time=FIRST.isoformat(), co2_statistic_id="sensor.fossil",
                                       end_time=(FIRST + timedelta(hours=47)).isoformat(), energy_statistic_ids=["mine:grid"], period=period)
    # The second day's share is unknown.
    assert ask("day") == pytest.approx({"2025-09-30T22:00:00+00:00": 6, "2025-10-01T22:00:00+00:00": 24})
    assert ask("hour")["2025-09-30T23:00:00+00:00"] == pytest.approx(0.25)


@pytest.mark.contract("Other frontends: energy")
def test_what_cannot_be_asked_is_refused(client):
    code, message = client.error("hearth/energy")
    assert code == "not_found"
    for fields in ({"span": "decade"}, {"date": "2025-13-01"}, {"date": "1900-01-01"}, {"period": "5minute"}, {"span": "years", "period": "hour"},
                   {"x": 1}):
        assert client.error("hearth/energy", **fields)[0] == "invalid_format", fields
    client.result("energy/save_prefs", device_consumption=[{"stat_consumption": f"a:{number}"} for number in range(501)])
    assert "At most 500" in client.error("hearth/energy")[1]
