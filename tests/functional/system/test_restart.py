# SPDX-License-Identifier: Apache-2.0
"""How a hub stops, and what it restores at the next start."""

import json
import signal
import threading

import pytest
import yaml

from checks import assert_message, call, set_state, state_of, survives_a_start
from hub_process import write_settings
from raw_http import ConnectionEnded, request_text


def all_states(hub):
    """Every state that a start does not change, with its context, by id."""
    return {state["entity_id"]: state_of(hub, state["entity_id"]) for state in hub.ann.get("/api/states").json()
            if survives_a_start(state)}


@pytest.mark.contract("States: after a restart")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_every_state_is_restored(hub_factory, number):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    set_state(hub, "test.by_rest", "on", {"friendly_name": "Größe", "z": 1, "a": [1.0, None, {"b": 2**63}]}, user="ann")
    set_state(hub, "test.twice", "1", {"a": 1})
    set_state(hub, "test.twice", "1", {"a": 2})
    set_state(hub, "test.removed", "on")
    hub.admin.delete("/api/states/test.removed")
    set_state(hub, "sensor.outdoor_temperature", "99.5", {"unit_of_measurement": "°C"})
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 33}, user="ann")
    call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"})
    before = all_states(hub)
    assert before["test.twice"]["last_changed"] < before["test.twice"]["last_updated"]
    hub.stop(number)
    hub = hub_factory(folder)
    after = all_states(hub)
    for entity_id in ("test.by_rest", "test.twice", "light.kitchen", "switch.garden_pump"):
        assert after[entity_id] == before[entity_id]
    assert list(after["test.by_rest"]["attributes"]) == ["friendly_name", "z", "a"]
    assert "test.removed" not in after
    # Only measured values of the devices may differ.
    assert {i: s for i, s in after.items() if i != "sensor.outdoor_temperature"} == {
        i: s for i, s in before.items() if i != "sensor.outdoor_temperature"}


@pytest.mark.contract("States: after a restart")
def test_restart_adds_nothing_to_history(hub_factory):
    entities = "light.kitchen,switch.garden_pump,test.by_rest"

    def rows(hub):
        return hub.ann.get("/api/history/period", params={"filter_entity_id": entities}).json()

    folder = hub_factory.folder()
    hub = hub_factory(folder)
    set_state(hub, "test.by_rest", "on")
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 33})
    before = rows(hub)
    assert len(before) == 3
    hub.stop()
    assert rows(hub_factory(folder)) == before


@pytest.mark.contract("States: after a restart")
def test_entities_that_nobody_reports_are_marked_restored(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    set_state(hub, "test.by_rest", "on", {"a": 1})
    before = all_states(hub)
    hub.stop()
    settings = yaml.safe_load((folder / "configuration.yaml").read_text(encoding="utf-8"))
    del settings["demo"]
    write_settings(folder, settings)
    hub = hub_factory(folder)
    after = all_states(hub)
    assert after.keys() == before.keys()
    assert after["test.by_rest"] == before["test.by_rest"]
    for entity_id, state in before.items():
        if entity_id not in ("test.by_rest", "zone.home", "sun.sun"):  # the hub itself reports its place and the sun
            state["attributes"]["restored"] = True
            assert after[entity_id] == state
    # An equal report only removes the mark.
    lamp = after["light.kitchen"]
    del lamp["attributes"]["restored"]
    with hub.stream("?restrict=state_changed,state_confirmed,end") as stream:
        assert set_state(hub, "light.kitchen", lamp["state"], lamp["attributes"]) == lamp
        hub.admin.post("/api/events/end")
        assert [frame.type for frame in stream.events(2)] == ["state_confirmed", "end"]


@pytest.mark.contract("States: after a restart")
def test_restored_light_continues_from_its_brightness(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 100})
    hub.stop()
    hub = hub_factory(folder)
    assert call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 100}) == []
    changed = call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness_step": 50})
    assert changed[0]["attributes"]["brightness"] == 150


@pytest.mark.contract("States: after a restart")
def test_every_acknowledged_write_is_restored(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    acknowledged = {}

    def write(writer):
        with hub.connect() as connection:
            for step in range(100_000):
                body = json.dumps({"state": str(step)})
                try:
                    response = connection.request("POST", f"/api/states/test.writer_{writer}", hub.bearer(), body=body)
                except (ConnectionEnded, OSError):
                    return
                if response.status not in (200, 201):
                    assert_message(response, 503)
                    return
                acknowledged[writer] = step

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    with hub.stream("?restrict=state_changed") as stream:
        for writer in writers:
            writer.start()
        stream.events(300, 10)
    hub.stop()
    for writer in writers:
        writer.join()
    hub = hub_factory(folder)
    for writer, step in acknowledged.items():
        assert int(state_of(hub, f"test.writer_{writer}")["state"]) >= step


@pytest.mark.contract("Stream: shutdown")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_streams_end_with_the_last_chunk(hub_factory, number):
    hub = hub_factory()
    streams = [hub.stream(), hub.stream("?restrict=nothing"), hub.stream("?restrict=platform_stop")]
    for stream in streams:
        assert stream.next_frame(1).is_ping
    hub.send_signal(number)
    for stream in streams:
        stream.rest()
        assert stream.ended == "last chunk"
        stream.close()
    assert hub.wait_ended() == 0


@pytest.mark.contract("Stream: shutdown", "Every endpoint: during shutdown")
def test_idle_and_incomplete_requests_do_not_delay_the_stop(hub_factory):
    hub = hub_factory()
    idle, started, silent = hub.connect(), hub.connect(), hub.connect()
    assert idle.request("GET", "/api/").status == 200
    started.send(request_text("POST", "/api/states/test.half", hub.bearer(), length=1000) + b'{"state"')
    slow = hub.stream(receive_buffer=4096)
    for _ in range(100):
        hub.admin.post("/api/events/flood", json={"text": "x" * 65_536})
    hub.stop()
    for connection in (idle, started, silent, slow):
        connection.close()


@pytest.mark.contract("Every endpoint: during shutdown")
def test_requests_during_shutdown_are_answered_or_refused_whole(hub_factory):
    hub = hub_factory()
    statuses = []
    with hub.connect() as connection:
        assert connection.request("GET", "/api/").status == 200
        hub.send_signal(signal.SIGTERM)
        try:
            while True:
                response = connection.request("GET", "/api/states", hub.bearer())
                statuses.append(response.status)
                if response.status == 503:
                    assert_message(response, 503)
                else:
                    json.loads(response.body)
        except (ConnectionEnded, OSError):
            assert connection.buffer == b""  # no answer was truncated
    assert set(statuses) <= {200, 503}
    assert hub.wait_ended() == 0


@pytest.mark.contract("Every endpoint: during shutdown")
def test_request_that_began_before_the_stop_is_answered_503(hub_factory):
    """Its head is complete only after the streams have ended."""
    hub = hub_factory()
    head = request_text("GET", "/api/states", hub.bearer())
    with hub.connect() as connection, hub.stream() as stream:
        connection.send(head[:-2])
        assert stream.next_frame(1).is_ping
        hub.send_signal(signal.SIGTERM)
        stream.rest()
        connection.send(head[-2:])
        response = connection.read_response()
        assert_message(response, 503)
        assert connection.is_closed()
    assert hub.wait_ended() == 0


@pytest.mark.contract("Every endpoint: during shutdown")
def test_running_call_is_answered(hub_factory):
    hub = hub_factory()
    with hub.connect() as connection, hub.stream("?restrict=call_service") as stream:
        connection.send(request_text("POST", "/api/services/switch/turn_on?wait=10", hub.bearer(),
                                     body='{"entity_id":"switch.garden_pump"}'))
        stream.next_event()
        hub.send_signal(signal.SIGTERM)
        try:
            response = connection.read_response()
            assert response.status in (200, 503)
            json.loads(response.body)
        except ConnectionEnded:
            assert connection.buffer == b""
    assert hub.wait_ended() == 0


@pytest.mark.contract("Services: right missing", "Services: empty body")
@pytest.mark.parametrize("service", ["platform/stop", "homeassistant/stop"])
def test_administrator_may_stop_the_hub(hub_factory, service):
    hub = hub_factory()
    with hub.stream("?restrict=nothing") as stream:
        response = hub.admin.post(f"/api/services/{service}")
        assert response.status_code == 200 and response.json() == []
        stream.rest()
        assert stream.ended == "last chunk"
    assert hub.wait_ended() == 0
    hub.judge_log()


def test_second_signal_does_no_harm(hub_factory):
    hub = hub_factory()
    for _ in range(5):
        hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended() == 0
    hub.judge_log()
