# SPDX-License-Identifier: Apache-2.0
"""history/*, logbook/* and recorder/* over the WebSocket."""

import socket as socket_module
import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from checks import call, set_state
from hub_process import wait_until
from websocket_client import WebSocketClient


@pytest.fixture
def socket(hub):
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        yield client


def ago(**delta):
    return (datetime.now(UTC) - timedelta(**delta)).isoformat()


@pytest.mark.contract("WebSocket: history")
def test_history_during_period_is_compressed(hub, socket):
    set_state(hub, "ws_history.a", "1", {"n": 1})
    set_state(hub, "ws_history.a", "1", {"n": 2})
    last = set_state(hub, "ws_history.a", "2", {"n": 3})
    everything = dict(start_time=ago(hours=1), entity_ids=["ws_history.a", "ws_history.nobody"])
    result = socket.result("history/history_during_period", **everything)
    assert list(result) == ["ws_history.a"]
    rows = result["ws_history.a"]
    assert [row["s"] for row in rows] == ["1", "2"]  # only significant changes, unless others are asked for
    assert rows[-1]["a"] == {"n": 3}
    assert abs(rows[-1]["lu"] - datetime.fromisoformat(last["last_updated"]).timestamp()) < 0.001
    assert "lc" not in rows[-1]
    rows = socket.result("history/history_during_period", significant_changes_only=False, **everything)["ws_history.a"]
    assert [row["a"] for row in rows] == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert rows[1]["lc"] == rows[0]["lu"] < rows[1]["lu"]
    rows = socket.result("history/history_during_period", minimal_response=True, no_attributes=True,
                         **everything)["ws_history.a"]
    assert rows[0]["a"] == {} and sorted(rows[1]) == ["lu", "s"]


@pytest.mark.contract("WebSocket: history")
def test_state_at_the_start_has_the_starts_time(hub, socket):
    set_state(hub, "ws_history.start", "old")
    start = datetime.now(UTC)
    ids = ["ws_history.start"]
    rows = socket.result("history/history_during_period", start_time=start.isoformat(), entity_ids=ids)
    assert abs(rows["ws_history.start"][0]["lu"] - start.timestamp()) < 0.001
    assert socket.result("history/history_during_period", start_time=start.isoformat(), entity_ids=ids,
                         include_start_time_state=False) == {}


@pytest.mark.contract("WebSocket: history")
@pytest.mark.parametrize(("fields", "code"), [
    ({"entity_ids": ["a.b"]}, "invalid_format"),
    ({"start_time": "2026-11-21"}, "invalid_format"),
    ({"start_time": "soon", "entity_ids": ["a.b"]}, "invalid_start_time"),
    ({"start_time": "2026-11-21", "end_time": "soon", "entity_ids": ["a.b"]}, "invalid_end_time"),
    ({"start_time": "2026-11-21", "entity_ids": ["kitchen"]}, "invalid_entity_ids"),
    ({"start_time": "2026-11-21", "entity_ids": ["a.b"], "no_attributes": 1}, "invalid_format"),
])
@pytest.mark.parametrize("kind", ["history/history_during_period", "history/stream"])
def test_invalid_requests_are_refused(socket, kind, fields, code):
    assert socket.command(kind, **fields)["error"]["code"] == code


@pytest.mark.contract("WebSocket: history")
def test_more_than_can_be_answered_at_once_is_refused(hub, socket):
    for number in range(17):
        set_state(hub, "ws_history.long", str(number), {"text": "x" * 255 * 1024})
    wanted = dict(start_time=ago(hours=1), entity_ids=["ws_history.long"])
    error = socket.command("history/history_during_period", **wanted)["error"]
    assert error["code"] == "invalid_format" and "longer than 4 MiB" in error["message"]
    assert len(socket.result("history/history_during_period", no_attributes=True, **wanted)["ws_history.long"]) == 17


@pytest.mark.contract("WebSocket: history")
def test_stream_continues_from_past_to_present_without_a_gap(hub, socket):
    done = threading.Event()

    def write():
        with hub.connect() as connection:
            number = 0
            while not done.is_set():
                number += 1
                connection.request("POST", "/api/states/ws_history.stream", hub.bearer(), body='{"state":"%d"}' % number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = []
        while not seen or seen[-1] < 100:
            assert writer.is_alive()
            seen = [int(row["s"]) for row in socket.result(
                "history/history_during_period", start_time=ago(hours=1), entity_ids=["ws_history.stream"]
            ).get("ws_history.stream", [])]
        subscription = socket.last_id + 1
        socket.result("history/stream", start_time=ago(hours=1), entity_ids=["ws_history.stream"])
        values, events = [], 0
        while events < 2 or not values or values[-1] < seen[-1] + 200:
            message = socket.receive()
            assert message["id"] == subscription and message["type"] == "event"
            event = message["event"]
            assert event["start_time"] <= event["end_time"]
            values += [int(row["s"]) for row in event["states"].get("ws_history.stream", [])]
            events += 1
    finally:
        done.set()
        writer.join()
    assert values == list(range(1, values[-1] + 1))
    socket.result("unsubscribe_events", subscription=subscription)


@pytest.mark.contract("WebSocket: slow reader")
def test_stream_is_cut_if_new_changes_pile_up_behind_history(hub):
    filler = "x" * 250 * 1024

    def write(first, count):
        for number in range(first, first + count):
            set_state(hub, "ws_history.heavy", str(number), {"text": filler})

    write(0, 64)  # more than the kernel buffers for a client that does not read
    small = [(socket_module.SOL_SOCKET, socket_module.SO_RCVBUF, 4096)]
    with WebSocketClient(hub, hub.tokens["ann"], timeout=20, sockopt=small) as slow:
        before = hub.listener_counts()["state_changed"]
        slow.result("history/stream", start_time=ago(hours=1), entity_ids=["ws_history.heavy"])
        assert hub.listener_counts()["state_changed"] == before + 1
        write(64, 64)  # more than may wait for a client
        wait_until(lambda: hub.listener_counts()["state_changed"] == before)


@pytest.mark.contract("WebSocket: history")
def test_stream_of_nothing_says_so_and_continues(hub, socket):
    socket.result("history/stream", start_time=ago(hours=1), entity_ids=["ws_history.later"])
    assert socket.receive()["event"]["states"] == {}
    set_state(hub, "ws_history.later", "on", {"n": 1})
    rows = socket.receive()["event"]["states"]["ws_history.later"]
    assert rows[0]["s"] == "on" and rows[0]["a"] == {"n": 1}


@pytest.mark.contract("WebSocket: history")
def test_logbook_events_have_seconds(hub, socket):
    set_state(hub, "ws_history.door", "open", {"friendly_name": "Door"})
    entries = socket.result("logbook/get_events", start_time=ago(hours=1), entity_ids=["ws_history.door"])
    assert [(entry["name"], entry["state"]) for entry in entries] == [("Door", "open")]
    assert abs(entries[0]["when"] - datetime.now(UTC).timestamp()) < 60
    assert socket.result("logbook/get_events", start_time=ago(hours=1), entity_ids=[]) == []
    call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"})
    everything = socket.result("logbook/get_events", start_time=ago(hours=1))
    pump = next(entry for entry in everything if entry.get("entity_id") == "switch.garden_pump")
    one = socket.result("logbook/get_events", start_time=ago(hours=1), context_id=pump["context_id"])
    assert {entry["entity_id"] for entry in one} == {"switch.garden_pump"}


def logbook_of(socket, condition):
    """The entries of the events until one is there for which the condition holds; each event but the last of what was is partial."""
    entries = []
    for _ in range(1_000):
        message = socket.receive()["event"]
        assert message["start_time"] <= message["end_time"]
        entries += message["events"]
        if condition(entries, message):
            return entries
    raise AssertionError(entries)


@pytest.mark.contract("WebSocket: history")
def test_logbook_stream_tells_what_was_and_what_is(hub, socket):
    set_state(hub, "ws_logbook.gate", "open", {"friendly_name": "Gate"}, user="ann")
    set_state(hub, "ws_logbook.other", "on")
    ids = ["ws_logbook.gate", "switch.garden_pump", "ws_logbook.watts"]
    call(hub, "switch.turn_off", {"entity_id": "switch.garden_pump"})
    socket.result("logbook/event_stream", start_time=ago(hours=1), entity_ids=ids)
    past = logbook_of(socket, lambda entries, message: not message.get("partial"))
    assert {entry["entity_id"] for entry in past} <= set(ids)
    assert [entry["state"] for entry in past if entry["entity_id"] == "ws_logbook.gate"] == ["open"]
    set_state(hub, "ws_logbook.other", "off")
    set_state(hub, "ws_logbook.watts", "5", {"unit_of_measurement": "W"})  # a measurement
    set_state(hub, "ws_logbook.gate", "open", {"friendly_name": "Gate", "n": 1})  # no new value
    call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"}, user="ann")
    set_state(hub, "ws_logbook.gate", "closed", {"friendly_name": "Gate"}, user="ann")
    live = logbook_of(socket, lambda entries, message: entries and entries[-1].get("state") == "closed")
    assert [(entry["entity_id"], entry["state"]) for entry in live] == [("switch.garden_pump", "on"), ("ws_logbook.gate", "closed")]
    pump, gate = live
    assert (pump["context_event_type"], pump["context_service"]) == ("call_service", "turn_on")
    assert gate["name"] == "Gate" and gate["context_user_id"] == pump["context_user_id"]
    # What it told is what the logbook has.
    again = socket.result("logbook/get_events", start_time=ago(hours=1), entity_ids=ids)
    assert again[-2:] == live
    socket.result("unsubscribe_events", subscription=1)


@pytest.mark.contract("WebSocket: history")
def test_logbook_stream_loses_nothing_between_past_and_present(hub, socket):
    done = threading.Event()

    def write():
        with hub.connect() as connection:
            number = 0
            while not done.is_set():
                number += 1
                connection.request("POST", "/api/states/ws_logbook.many", hub.bearer(), body='{"state":"%d"}' % number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        wait_until(lambda: len(socket.result("logbook/get_events", start_time=ago(hours=1), entity_ids=["ws_logbook.many"])) > 50)
        socket.result("logbook/event_stream", start_time=ago(hours=1), entity_ids=["ws_logbook.many"])
        past = logbook_of(socket, lambda entries, message: not message.get("partial"))
        entries = past + logbook_of(socket, lambda entries, message: len(entries) > 200)
    finally:
        done.set()
        writer.join()
    assert [int(entry["state"]) for entry in entries] == list(range(1, len(entries) + 1))


@pytest.mark.contract("WebSocket: history")
def test_logbook_stream_ends_at_its_end(hub, socket):
    set_state(hub, "ws_logbook.ended", "on")
    end = datetime.now(UTC).isoformat()
    socket.result("logbook/event_stream", start_time=ago(hours=1), end_time=end, entity_ids=["ws_logbook.ended"])
    assert [entry["state"] for entry in logbook_of(socket, lambda entries, message: not message.get("partial"))] == ["on"]
    set_state(hub, "ws_logbook.ended", "off")
    assert socket.result("get_config")["components"]  # nothing came before this answer


@pytest.mark.contract("WebSocket: history")
@pytest.mark.parametrize(("fields", "code"), [
    ({}, "invalid_format"),
    ({"start_time": "soon"}, "invalid_start_time"),
    ({"start_time": "9999-01-01"}, "invalid_start_time"),
    ({"start_time": "2026-11-21", "end_time": "soon"}, "invalid_end_time"),
    ({"start_time": "2026-11-21", "entity_ids": ["kitchen"]}, "invalid_entity_ids"),
    ({"start_time": "2026-11-21", "device_ids": 7}, "invalid_format"),
])
def test_logbook_stream_refuses_what_is_wrong(socket, fields, code):
    assert socket.command("logbook/event_stream", **fields)["error"]["code"] == code


@pytest.mark.contract("WebSocket: history")
def test_statistics_of_a_measurement(hub, socket):
    for value in ("10", "20", "unavailable", "15"):
        set_state(hub, "ws_history.temperature", value, {"unit_of_measurement": "°C", "state_class": "measurement"})
    set_state(hub, "ws_history.word", "on")
    result = socket.result("recorder/statistics_during_period", start_time=ago(hours=1), period="hour",
                           statistic_ids=["ws_history.temperature", "ws_history.word"])
    assert list(result) == ["ws_history.temperature"]
    row = result["ws_history.temperature"][-1]
    assert (row["min"], row["max"], row["state"]) == (10, 20, 15) and 10 <= row["mean"] <= 20
    assert row["end"] - row["start"] == 3_600_000 and "sum" not in row
    row = socket.result("recorder/statistics_during_period", start_time=ago(hours=1), period="5minute", types=["max"],
                        statistic_ids=["ws_history.temperature"])["ws_history.temperature"][-1]
    assert sorted(row) == ["end", "max", "start"] and row["end"] - row["start"] == 300_000


@pytest.mark.contract("WebSocket: history")
def test_statistics_of_a_meter_add_up(hub, socket):
    for value in ("100", "103", "1", "4"):
        set_state(hub, "ws_history.meter", value, {"unit_of_measurement": "kWh", "state_class": "total_increasing"})
    rows = socket.result("recorder/statistics_during_period", start_time=ago(hours=1), period="day",
                         statistic_ids=["ws_history.meter"])["ws_history.meter"]
    assert rows[-1]["sum"] == 3 + 1 + 3 and rows[-1]["state"] == 4 and "mean" not in rows[-1]


@pytest.mark.contract("WebSocket: history")
def test_a_total_begins_anew_when_its_last_reset_changes(hub, socket):
    for value, reset in (("5", "2026-01-01"), ("7", "2026-01-01"), ("1", "2026-01-02"), ("3", "2026-01-02")):
        set_state(hub, "ws_history.total", value, {"unit_of_measurement": "kWh", "state_class": "total",
                                                   "last_reset": f"{reset}T00:00:00+00:00"})
    row = socket.result("recorder/statistics_during_period", start_time=ago(hours=1), period="hour",
                        statistic_ids=["ws_history.total"])["ws_history.total"][-1]
    assert (row["sum"], row["state"], row["last_reset"]) == (2 + 3, 3, 1767312000000)


@pytest.mark.contract("WebSocket: history")
def test_the_mean_of_angles_is_over_the_circle(hub, socket):
    set_state(hub, "ws_history.wind", "-45", {"unit_of_measurement": "°", "state_class": "measurement_angle"})
    rows = lambda: socket.result("recorder/statistics_during_period", start_time=ago(hours=1), period="hour",
                                 statistic_ids=["ws_history.wind"])["ws_history.wind"]
    wait_until(lambda: rows()[-1]["mean"] == pytest.approx(315))
    assert "min" not in rows()[-1] and "sum" not in rows()[-1]
    assert [one["mean_type"] for one in socket.result("recorder/get_statistics_metadata", statistic_ids=["ws_history.wind"])] == [2]


def hours(first, *sums):
    return [{"start": f"2026-01-31T{first + after:02}:00:00+00:00", "state": 100 + total, "sum": total} for after, total in enumerate(sums)]


def imported(client, statistic_id="mine:energy", period="hour"):
    rows = client.result("recorder/statistics_during_period", start_time="2026-01-30T00:00:00+00:00", end_time="2026-02-02T00:00:00+00:00",
                         period=period, statistic_ids=[statistic_id]).get(statistic_id, [])
    return [(row["sum"], row["change"], row["state"]) for row in rows]


@pytest.mark.contract("WebSocket: history")
def test_statistics_are_imported_and_kept(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    metadata = {"statistic_id": "mine:energy", "source": "mine", "name": "Old house", "unit_of_measurement": "kWh",
                "has_mean": False, "has_sum": True}
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert imported(client) == []
        assert client.result("recorder/import_statistics", metadata=metadata, stats=hours(10, 1, 2.5)) is None
        client.result("recorder/import_statistics", metadata=metadata, stats=hours(11, 3, 4.25))
        code, message = client.error("recorder/import_statistics", metadata=metadata, stats=[{"start": "2026-01-31T10:30:00Z", "sum": 1}])
        assert code == "invalid_format" and "stats[0].start" in message
        listed = {one["statistic_id"]: one for one in client.result("recorder/list_statistic_ids")}
        assert listed["mine:energy"] == {
            "statistic_id": "mine:energy", "source": "mine", "name": "Old house", "statistics_unit_of_measurement": "kWh",
            "display_unit_of_measurement": "kWh", "unit_class": None, "has_mean": False, "mean_type": 0, "has_sum": True}
        assert "mine:energy" not in {one["statistic_id"] for one in client.result("recorder/list_statistic_ids", statistic_type="mean")}
    hub.stop()
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert imported(client) == [(1, 1, 101), (3, 2, 103), (4.25, 1.25, 104.25)]
        assert imported(client, period="day") == [(4.25, 4.25, 104.25)]
        assert imported(client, period="5minute") == []
        client.result("recorder/adjust_sum_statistics", statistic_id="mine:energy", start_time="2026-01-31T11:00:00+00:00", adjustment=10)
        assert imported(client) == [(1, 1, 101), (13, 12, 103), (14.25, 1.25, 104.25)]
        client.result("recorder/update_statistics_metadata", statistic_id="mine:energy", unit_of_measurement="MWh")
        assert client.result("recorder/get_statistics_metadata", statistic_ids=["mine:energy"])[0]["statistics_unit_of_measurement"] == "MWh"
        client.result("recorder/clear_statistics", statistic_ids=["mine:energy"])
        assert imported(client) == []
        assert client.error("recorder/clear_statistics", statistic_ids=["mine:energy"])[0] == "not_found"


@pytest.mark.contract("WebSocket: history")
def test_what_a_sensor_has_measured_follows_what_was_imported_for_it(hub, socket):
    set_state(hub, "sensor.ws_old_meter", "7", {"unit_of_measurement": "kWh", "state_class": "total"})
    set_state(hub, "sensor.ws_old_meter", "9", {"unit_of_measurement": "kWh", "state_class": "total"})
    done = hub.admin.post("/api/services/recorder/import_statistics", json={
        "statistic_id": "sensor.ws_old_meter", "unit_of_measurement": "kWh", "has_sum": True, "stats": hours(10, 100, 105)})
    assert done.status_code == 200, done.text
    rows = socket.result("recorder/statistics_during_period", start_time="2026-01-30T00:00:00+00:00", period="hour",
                         statistic_ids=["sensor.ws_old_meter"])["sensor.ws_old_meter"]
    assert [(row["sum"], row["change"]) for row in rows] == [(100, 100), (105, 5), (2, 2)]
    refused = hub.admin.post("/api/services/recorder/import_statistics", json={"statistic_id": "mine:x", "has_sum": True, "stats": [1]})
    assert refused.status_code == 400 and "stats[0]" in refused.json()["message"]


def begin_of(period, milliseconds):
    """The first moment of the day, the week or the month in the home's time zone that has that time."""
    day = datetime.fromtimestamp(milliseconds / 1000, ZoneInfo("Europe/Berlin")).replace(hour=0, minute=0, second=0, microsecond=0)
    day -= timedelta(days={"day": 0, "week": day.weekday(), "month": day.day - 1}[period])
    return int(day.timestamp() * 1000)


@pytest.mark.contract("WebSocket: history")
def test_days_weeks_and_months_are_those_of_the_homes_clock(hub, socket):
    """Of what is imported for nothing here, for an entity that measures nothing, and for one that does; over a day of 25 hours."""
    own, only, outside = "sensor.ws_days_own", "sensor.ws_days_only", "mine:ws_days"
    for value in ("7", "9"):
        set_state(hub, own, value, {"unit_of_measurement": "kWh", "state_class": "total"})
    first = datetime(2025, 10, 20, tzinfo=UTC)
    stats = [{"start": (first + timedelta(hours=hour)).isoformat(), "state": hour, "sum": hour * 1.5} for hour in range(20 * 24)]
    imports = []
    for statistic_id in (own, only, outside):
        metadata = {"statistic_id": statistic_id, "source": statistic_id.partition(":")[0] if ":" in statistic_id else "recorder",
                    "name": None, "unit_of_measurement": "kWh", "has_mean": False, "has_sum": True}
        imports.append({"metadata": metadata, "stats": stats})
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        for fields in imports:
            admin.result("recorder/import_statistics", **fields)
    ask = lambda period, **end: socket.result("recorder/statistics_during_period", start_time="2025-10-01T00:00:00+02:00", period=period,
                                              statistic_ids=[own, outside, only], **end)
    for end in {}, {"end_time": "2025-12-01T00:00:00+01:00"}:
        hours = ask("hour", **end)
        assert set(hours) == {own, only, outside} and min(len(rows) for rows in hours.values()) >= len(stats)
        for period in ("day", "week", "month"):
            found = ask(period, **end)
            for statistic_id, rows in hours.items():
                wanted = {}
                for row in rows:
                    wanted.setdefault(begin_of(period, row["start"]), []).append(row)
                assert [row["start"] for row in found[statistic_id]] == list(wanted)
                assert [row["sum"] for row in found[statistic_id]] == [rows[-1]["sum"] for rows in wanted.values()]
                assert [row["change"] for row in found[statistic_id]] == [pytest.approx(sum(row["change"] for row in rows)) for rows in wanted.values()]
                assert all(begin_of(period, row["end"]) == row["end"] == begin_of(period, row["end"] - 1) + row["end"] - row["start"]
                           for row in found[statistic_id])
    assert {row["end"] - row["start"] for row in ask("day")[outside]} == {24 * 3_600_000, 25 * 3_600_000}


@pytest.mark.contract("WebSocket: history")
def test_a_period_that_is_imported_and_measured_has_both(hub, socket):
    """An import of the hours up to now, of an entity that the hub measures since: its month is that of all of them."""
    entity = "sensor.ws_month_shared"
    last = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    stats = [{"start": (last - timedelta(hours=hour)).isoformat(), "state": 1000 - hour, "sum": 1000 - hour} for hour in range(800, 0, -1)]
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        metadata = {"statistic_id": entity, "source": "recorder", "unit_of_measurement": "kWh", "has_mean": False, "has_sum": True}
        admin.result("recorder/import_statistics", metadata=metadata, stats=stats)
    for value in ("7", "9"):
        set_state(hub, entity, value, {"unit_of_measurement": "kWh", "state_class": "total"})
    ask = lambda period: socket.result("recorder/statistics_during_period", start_time=ago(days=60), period=period, statistic_ids=[entity])[entity]
    hours = ask("hour")
    assert len(hours) > len(stats) and hours[-1]["sum"] == 2
    for period in ("day", "week", "month"):
        wanted = {}
        for row in hours:
            start = begin_of(period, row["start"])
            wanted[start] = wanted.get(start, 0) + row["change"]
        found = ask(period)
        assert {row["start"]: row["change"] for row in found} == wanted and len(found) == len(wanted)
        assert (found[-1]["sum"], found[-1]["state"]) == (2, 9)


@pytest.mark.contract("WebSocket: history")
def test_which_statistics_there_are(hub, socket):
    set_state(hub, "ws_statistics.heat", "20", {"unit_of_measurement": "°C", "state_class": "measurement"})
    set_state(hub, "ws_statistics.meter", "7", {"unit_of_measurement": "kWh", "state_class": "total"})
    set_state(hub, "ws_statistics.word", "on")
    everything = {one["statistic_id"]: one for one in socket.result("recorder/list_statistic_ids")}
    assert "ws_statistics.word" not in everything and "light.kitchen" not in everything
    assert everything["ws_statistics.heat"] == {
        "statistic_id": "ws_statistics.heat", "source": "recorder", "name": None, "statistics_unit_of_measurement": "°C",
        "display_unit_of_measurement": "°C", "unit_class": None, "has_mean": True, "mean_type": 1, "has_sum": False}
    meter = everything["ws_statistics.meter"]
    assert (meter["has_mean"], meter["mean_type"], meter["has_sum"]) == (False, 0, True)
    of_type = lambda kind: {one["statistic_id"] for one in socket.result("recorder/list_statistic_ids", statistic_type=kind)}
    assert "ws_statistics.meter" in of_type("sum") - of_type("mean") and "ws_statistics.heat" in of_type("mean") - of_type("sum")
    asked = socket.result("recorder/get_statistics_metadata", statistic_ids=["ws_statistics.meter", "no.one", "ws_statistics.word"])
    assert asked == [meter]


@pytest.mark.contract("WebSocket: history")
def test_a_unit_is_kept_for_the_statistics_of_an_entity(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    sensor = "sensor.outdoor_temperature"
    unit = lambda client: client.result("recorder/get_statistics_metadata", statistic_ids=[sensor])[0]["statistics_unit_of_measurement"]
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert unit(client) == "°C" and sensor not in client.result("recorder/validate_statistics")
        assert client.error("recorder/update_statistics_metadata", statistic_id=sensor)[0] == "invalid_format"
        assert client.error("recorder/update_statistics_metadata", statistic_id=sensor, unit_of_measurement="")[0] == "invalid_format"
        client.result("recorder/update_statistics_metadata", statistic_id=sensor, unit_of_measurement="K", unit_class="temperature")
    hub.stop()
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert unit(client) == "K"
        issue = client.result("recorder/validate_statistics")[sensor][0]
        assert issue["type"] == "units_changed"
        assert (issue["data"]["state_unit"], issue["data"]["metadata_unit"]) == ("°C", "K")
        client.result("recorder/update_statistics_metadata", statistic_id=sensor, unit_of_measurement=None)
        assert unit(client) == "°C"


@pytest.mark.contract("WebSocket: history")
def test_one_statistic_of_some_time(hub, socket):
    for value in ("10", "20", "unavailable", "15"):
        set_state(hub, "ws_statistics.one", value, {"unit_of_measurement": "°C", "state_class": "measurement"})
    for value in ("100", "103", "1", "4"):
        set_state(hub, "ws_statistics.sum", value, {"unit_of_measurement": "kWh", "state_class": "total_increasing"})
    ask = lambda one, **fields: socket.result("recorder/statistic_during_period", statistic_id=f"ws_statistics.{one}", **fields)
    whole = ask("one")
    assert (whole["min"], whole["max"], whole["change"]) == (10, 20, None) and 10 <= whole["mean"] <= 20
    assert ask("sum", types=["change", "max"]) == {"max": None, "change": 7}
    for time in ({"calendar": {"period": "year"}}, {"rolling_window": {"duration": {"hours": 1}}},
                 {"fixed_period": {"start_time": ago(hours=1)}}):
        assert ask("one", types=["max"], **time) == {"max": 20}, time
    for time in ({"calendar": {"period": "day", "offset": -2}}, {"fixed_period": {"end_time": "2020-01-01"}},
                 {"rolling_window": {"duration": {"hours": 1}, "offset": {"days": -3}}}):
        assert ask("one", types=["max"], **time) == {"max": None}, time
    assert ask("nobody") == {"max": None, "mean": None, "min": None, "change": None}


@pytest.mark.contract("WebSocket: history")
def test_one_statistic_of_what_was_imported(hub, socket):
    """Of an id that is no entity, of an entity that measures nothing, and of one that has gone on since; as whole hours."""
    mean, own = "mine:ws_during_mean", "sensor.ws_during_own"
    stats = hours(10, 100, 105, 112)
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        for statistic_id in ("mine:ws_during", "sensor.ws_during_only", own):
            source = "mine" if ":" in statistic_id else "recorder"
            admin.result("recorder/import_statistics", stats=stats, metadata={
                "statistic_id": statistic_id, "source": source, "unit_of_measurement": "kWh", "has_mean": False, "has_sum": True})
        admin.result("recorder/import_statistics", metadata={
            "statistic_id": mean, "source": "mine", "unit_of_measurement": "K", "has_mean": True, "has_sum": False},
            stats=[{"start": f"2026-01-31T{hour}:00:00Z", "mean": value, "min": value - 1, "max": value + 2} for hour, value in ((10, 5), (11, 9))])
        for value in ("7", "9"):
            set_state(hub, own, value, {"unit_of_measurement": "kWh", "state_class": "total"})
    ask = lambda statistic_id, **fields: socket.result("recorder/statistic_during_period", statistic_id=statistic_id, **fields)
    between = lambda start, end: {"fixed_period": {"start_time": f"2026-01-31T{start}Z", "end_time": f"2026-01-31T{end}Z"}}
    for statistic_id in ("mine:ws_during", "sensor.ws_during_only"):
        assert ask(statistic_id) == {"max": None, "mean": None, "min": None, "change": 112}
        assert ask(statistic_id, **between("11:00:00", "12:00:00")) == {"max": None, "mean": None, "min": None, "change": 5}
        assert ask(statistic_id, types=["change"], **between("10:30:00", "12:59:00")) == {"change": 5}
        assert ask(statistic_id, types=["change"], **between("12:10:00", "12:50:00")) == {"change": None}
        assert ask(statistic_id, types=["change"], **between("13:00:00", "14:00:00")) == {"change": None}
    assert ask(mean) == {"max": 11, "mean": 7, "min": 4, "change": None}
    assert ask(mean, **between("11:00:00", "13:00:00")) == {"max": 11, "mean": 9, "min": 8, "change": None}
    assert ask(own, types=["change", "mean"]) == {"change": 114, "mean": None}
    assert ask(own, types=["change"], rolling_window={"duration": {"minutes": 5}}) == {"change": 2}
    assert ask("mine:ws_during_nothing") == {"max": None, "mean": None, "min": None, "change": None}


@pytest.mark.contract("WebSocket: history")
@pytest.mark.parametrize(("fields", "code"), [
    ({}, "invalid_format"),
    ({"statistic_id": "kitchen"}, "invalid_format"),
    ({"statistic_id": "mine:"}, "invalid_format"),
    ({"statistic_id": "Mine:energy"}, "invalid_format"),
    ({"statistic_id": "a.b", "types": ["median"]}, "invalid_format"),
    ({"statistic_id": "a.b", "calendar": {"period": "decade"}}, "invalid_format"),
    ({"statistic_id": "a.b", "calendar": {"period": "week", "first_weekday": "noon"}}, "invalid_format"),
    ({"statistic_id": "a.b", "calendar": {"period": "day", "offset": 1e9}}, "invalid_format"),
    ({"statistic_id": "a.b", "calendar": {"period": "day"}, "rolling_window": {"duration": {"days": 1}}}, "invalid_format"),
    ({"statistic_id": "a.b", "rolling_window": {"duration": {"ages": 1}}}, "invalid_format"),
    ({"statistic_id": "a.b", "rolling_window": {"duration": {"days": 1e300}}}, "invalid_format"),
    ({"statistic_id": "a.b", "fixed_period": {"start_time": "soon"}}, "invalid_start_time"),
])
def test_one_statistic_refuses_what_is_wrong(socket, fields, code):
    assert socket.command("recorder/statistic_during_period", **fields)["error"]["code"] == code


@pytest.mark.contract("WebSocket: history")
@pytest.mark.parametrize("fields", [
    {"period": "hour", "statistic_ids": ["a.b"]},
    {"start_time": "2026-11-21", "period": "year", "statistic_ids": ["a.b"]},
    {"start_time": "2026-11-21", "period": "hour"},
    {"start_time": "2026-11-21", "period": "hour", "statistic_ids": ["a.b"], "types": ["median"]},
])
def test_statistics_refuse_invalid_requests(socket, fields):
    assert socket.command("recorder/statistics_during_period", **fields)["error"]["code"] == "invalid_format"


@pytest.mark.contract("WebSocket: history")
def test_recorder_reports_its_health(hub, socket):
    info = socket.result("recorder/info")
    assert info["recording"] is True and info["migration_in_progress"] is False and info["max_backlog"] > 0
    assert info["last_error"] is None and info["database_bytes"] > 0
    assert hub.ann.get("/api/core/state").json()["recorder_state"]["recording"] is True


@pytest.mark.contract("WebSocket: history")
def test_thousands_of_entities_are_answered_while_others_are_served(hub, socket):
    for number in range(0, 5_000, 50):
        set_state(hub, f"ws_history.many{number}", str(number))
    ids = [f"ws_history.many{number}" for number in range(5_000)]
    message = {"id": 1, "type": "history/history_during_period", "start_time": "0001-01-01", "end_time": "9999-12-31",
               "entity_ids": ids}
    socket.send(message)
    assert hub.ann.get("/api/").status_code == 200
    answer = socket.receive()
    assert answer["id"] == 1 and answer["success"], answer
    assert {key: rows[0]["s"] for key, rows in answer["result"].items()} == {ids[n]: str(n) for n in range(0, 5_000, 50)}
