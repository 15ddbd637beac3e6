# SPDX-License-Identifier: Apache-2.0
"""history/*, logbook/* and recorder/* over the WebSocket."""

import socket as socket_module
import threading
from datetime import UTC, datetime, timedelta

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
