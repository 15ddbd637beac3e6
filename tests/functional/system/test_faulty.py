# SPDX-License-Identifier: Apache-2.0
"""An integration that fails in every possible way, and the home beside it, which is not affected.

The program is hearth_faulty: the hub with one integration more, `faulty`, which does what its option `mode` says.
"""

import json
import re
import signal
import threading
import time

import pytest

from checks import assert_json, set_state, state_of
from hub_process import BINARY, Hub, base_settings, wait_until, write_settings
from websocket_client import WebSocketClient

FAULTY = BINARY.with_name("hearth_faulty")

START_FAILURES = {
    "throws_in_create": "it cannot be made",
    "throws_in_start": "it cannot be started",
    "throws_no_exception": "something that is no exception was thrown",
    "fails_in_start": "The bridge does not answer.",
}
CALLBACK_FAILURES = {
    "throws_in_timers": "a timer: the time is wrong",
    "throws_in_listeners": "a listener: it does not want to know",
    "throws_in_tasks": "a task: the task is too hard",
}
RUNS_ON = ["none", "throws_in_commands", "blocks", "reports_nan", "reports_bad_text", "reports_much", "floods", "disappears"]


@pytest.fixture
def start(hub_factory):
    """Starts a hub whose first integration fails as `mode` says, and the demo home after it."""
    assert FAULTY.is_file(), f"{FAULTY} is missing: build the target hearth_faulty"

    def start_faulty(mode, folder=None, **options):
        if folder is None:
            folder = hub_factory.folder()
        write_settings(folder, {"faulty": {"mode": mode, **options}, **base_settings()})
        hub = hub_factory.start(folder, binary=FAULTY)
        hub.errors_expected = True
        return hub

    return start_faulty


def strictly(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def integrations(hub):
    return {entry["name"]: entry for entry in strictly(hub.ann.get("/api/integrations").content)}


def sensors_of(hub):
    return {state["entity_id"]: state for state in strictly(hub.ann.get("/api/states").content)
            if state["entity_id"] in ("sensor.counter", "switch.switch", "climate.thermostat")}


def expect_the_home_is_well(hub, name):
    """Entities answer, commands work, streams and sockets get each event once and in order."""
    states = strictly(hub.ann.get("/api/states").content)
    assert {"light.kitchen", "climate.living_room"} <= {state["entity_id"] for state in states}
    for service, expected in (("turn_on", "on"), ("turn_off", "off")):
        response = hub.ann.post(f"/api/services/light/{service}", json={"entity_id": "light.kitchen"})
        assert response.status_code == 200, response.text
        assert state_of(hub, "light.kitchen")["state"] == expected

    entity_id, count = f"sensor.{name}", 60
    set_state(hub, entity_id, "0")
    with hub.stream(f"?restrict={name}") as stream, WebSocketClient(hub, hub.tokens["ann"], timeout=20) as socket:
        assert stream.next_frame(20).is_ping
        socket.result("subscribe_entities", entity_ids=[entity_id])
        assert socket.event(socket.last_id)["a"][entity_id]["s"] == "0"
        for number in range(1, count + 1):
            set_state(hub, entity_id, str(number))
            assert hub.ann.post(f"/api/events/{name}", json={"n": number}).status_code == 200
        assert [strictly(stream.next_frame(20).data)["data"]["n"] for _ in range(count)] == list(range(1, count + 1))
        heard = []
        while len(heard) < count:
            heard.append(socket.event(socket.last_id)["c"][entity_id]["+"]["s"])
        assert heard == [str(number) for number in range(1, count + 1)]

    with WebSocketClient(hub, hub.tokens["ann"], timeout=20) as socket:
        socket.result("subscribe_entities")
        assert "light.kitchen" in strictly(socket.socket.recv())["event"]["a"]
    demo = integrations(hub)["demo"]
    assert demo["state"] == "running" and demo["failures"] == 0 and demo["error"] is None


@pytest.mark.parametrize("mode", RUNS_ON)
def test_the_home_works_beside_one_that_misbehaves(start, name, mode):
    hub = start(mode)
    if mode == "throws_in_commands":
        assert hub.ann.post("/api/services/switch/turn_on", json={"entity_id": "switch.switch"}).status_code == 500
    expect_the_home_is_well(hub, name)
    assert integrations(hub)["faulty"]["state"] == "running"


def test_one_that_holds_the_bus_is_named(start):
    hub = start("blocks")
    wait_until(lambda: [line for line in hub.log if re.search(r"integrations/faulty/faulty\.cpp:\d+.* held the bus", line)], 10)


@pytest.mark.contract("Beyond the specification: integrations")
@pytest.mark.parametrize("mode", CALLBACK_FAILURES)
def test_exceptions_are_counted_and_named(start, name, mode):
    hub = start(mode)
    expect_the_home_is_well(hub, name)
    faulty = integrations(hub)["faulty"]
    assert faulty["state"] == "running" and faulty["failures"] > 0
    assert faulty["last_failure"] == CALLBACK_FAILURES[mode]
    what = CALLBACK_FAILURES[mode].replace(": ", " failed: ")
    hub.logged(f"integrations: faulty: {what}")
    wait_until(lambda: integrations(hub)["faulty"]["failures"] > faulty["failures"])  # it keeps running


@pytest.mark.contract("Beyond the specification: integrations")
@pytest.mark.parametrize("mode", START_FAILURES)
def test_one_that_does_not_start_is_shown_as_failed(start, name, mode):
    hub = start(mode)
    expect_the_home_is_well(hub, name)
    faulty = integrations(hub)["faulty"]
    assert faulty["state"] == "failed" and faulty["attempts"] >= 1
    assert faulty["error"] == START_FAILURES[mode]
    assert faulty["since"] < faulty["retry_at"]
    assert {state["state"] for state in sensors_of(hub).values()} <= {"unavailable"}
    hub.logged("error   integrations: faulty does not start: ")


def test_one_that_starts_later_adds_its_entities(start, name):
    hub = start("throws_in_start", failing_starts=1)
    assert integrations(hub)["faulty"]["state"] == "failed"
    assert {state["state"] for state in sensors_of(hub).values()} == {"unavailable"}
    assert "faulty" not in hub.ann.get("/api/components").json()
    with WebSocketClient(hub, hub.tokens["ann"]) as socket:
        socket.result("subscribe_events", event_type="core_config_updated")
        wait_until(lambda: integrations(hub)["faulty"]["state"] == "running", 20)
        socket.socket.settimeout(10)
        socket.event(socket.last_id)
    assert "faulty" in hub.ann.get("/api/components").json()
    faulty = integrations(hub)["faulty"]
    assert faulty["attempts"] == 0 and faulty["error"] is None and faulty["retry_at"] is None
    response = hub.ann.post("/api/services/switch/turn_on", json={"entity_id": "switch.switch"})
    assert response.json()[0]["state"] == "on"
    expect_the_home_is_well(hub, name)


def test_a_command_that_throws_fails_and_others_of_the_call_do_not(start):
    hub = start("throws_in_commands")
    response = hub.ann.post("/api/services/homeassistant/turn_on", json={"entity_id": ["switch.switch", "light.kitchen"]})
    assert response.status_code == 500
    assert state_of(hub, "light.kitchen")["state"] == "on"
    assert state_of(hub, "switch.switch")["state"] == "off"
    faulty = integrations(hub)["faulty"]
    assert faulty["failures"] == 1 and faulty["last_failure"] == "a command of switch.switch: the device does not obey"


def slow_places(socket):
    """What the System page shows of callbacks that held the bus too long."""
    assert socket.result("system_health/info") is None
    info = socket.event(socket.last_id)["data"]["hearth"]["info"]
    assert socket.event(socket.last_id) == {"type": "finish"}
    return {place["where"]: place for place in info["bus"]["slow"]}


def test_a_timer_that_holds_the_bus_repeatedly_is_logged_once_a_minute(start):
    hub = start("blocks")
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        def slow():
            return [place for where, place in slow_places(socket).items() if "/faulty.cpp:" in where and place["times"] > 2]
        wait_until(slow, 20)
        [timer] = slow()
    assert timer["where"].startswith("src/integrations/faulty/faulty.cpp:") and timer["longest_ms"] >= 490
    assert len(hub.logged(f"{timer['where']} h")) == 1


def test_a_command_that_holds_the_bus_is_named_and_delays_no_reader(start):
    hub = start("blocks_in_commands")
    set_state(hub, "sensor.mine", "1")
    answers = []
    with hub.client("ann") as caller, WebSocketClient(hub, hub.tokens["admin"]) as socket:
        call = {"entity_id": "switch.switch"}
        command = threading.Thread(
            target=lambda: answers.append(caller.post("/api/services/switch/turn_on", json=call, timeout=30)))
        command.start()

        def holding():
            return [where for where, place in slow_places(socket).items() if place["holds_now"]]
        wait_until(holding, 5)
        assert re.fullmatch(r"src/integrations/faulty/faulty.cpp:\d+", holding()[0])
        hub.logged(f"{holding()[0]} has held the bus for", 3)

        # The bus may hold 64 MiB.
        fired = []
        while not fired or fired[-1] == 200 and len(fired) < 100:
            fired.append(hub.admin.post("/api/events/some_event", json={"event_data": {"x": "x" * 1_000_000}}).status_code)
        assert fired[-1] == 503 and len(fired) <= 72
        for _ in range(20):
            with hub.client("admin") as other:  # each has a connection of its own, on one worker or another
                assert other.get("/api/states/sensor.mine").json()["state"] == "1"
                refused = other.post("/api/states/sensor.mine", json={"state": "2"})
                assert refused.status_code == 503 and "64 MiB" in refused.json()["message"]
                assert other.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen"}).status_code == 503
                assert len(other.get("/api/states").json()) > 5
        assert socket.error("fire_event", event_type="some_event")[0] == "home_assistant_error"
        assert len(socket.result("get_states")) > 5
        assert answers == []
        command.join()
        assert answers[0].status_code == 200
        wait_until(lambda: not holding())
    assert state_of(hub, "sensor.mine")["state"] == "1"
    set_state(hub, "sensor.mine", "3")
    assert state_of(hub, "sensor.mine")["state"] == "3"


def test_nan_and_infinity_become_null_and_are_logged_once(start):
    hub = start("reports_nan")
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        socket.result("subscribe_entities", entity_ids=["climate.thermostat"])
        for _ in range(10):
            strictly(socket.socket.recv())
    thermostat = state_of(hub, "climate.thermostat")
    assert thermostat["attributes"]["current_temperature"] is None
    assert thermostat["attributes"]["temperature"] is None
    assert state_of(hub, "sensor.counter")["state"] != "nan"
    assert len(hub.logged("climate.thermostat of faulty reports a value that no state can hold")) == 1


@pytest.mark.parametrize("mode", ["reports_bad_text", "reports_much"])
def test_what_no_state_can_hold_is_refused_and_logged_once(start, mode):
    hub = start(mode)
    wait_until(lambda: state_of(hub, "sensor.counter")["state"].isdigit())
    before = state_of(hub, "sensor.counter")["state"]
    wait_until(lambda: state_of(hub, "sensor.counter")["state"] != before)  # correct states in between still arrive
    assert state_of(hub, "sensor.counter")["state"].isdigit()
    assert len(hub.logged("sensor.counter of faulty reports an invalid state")) == 1
    thermostat = state_of(hub, "climate.thermostat")["attributes"]
    assert thermostat["preset_mode"] == ("caf\ufffd" if mode == "reports_bad_text" else "none")
    if mode == "reports_much":
        [line] = hub.logged("climate.thermostat of faulty reports an invalid state")
        assert "attributes_size" in line
    else:
        assert not any("climate.thermostat of faulty reports an invalid state" in line for line in hub.log)


@pytest.mark.parametrize("mode", ["throws_in_stop", "throws_in_start", "floods", "blocks"])
def test_it_stops_in_time_and_its_states_are_restored(start, mode):
    hub = start(mode)
    set_state(hub, "sensor.kept", "7")
    hub.stop()  # within 5 s, with 0
    if mode == "throws_in_stop":
        hub.logged("faulty does not stop as it should: it cannot be stopped")
    again = start("none", hub.folder)
    assert state_of(again, "sensor.kept")["state"] == "7"


def test_one_that_never_stops_does_not_keep_the_hub_running(start, hub_factory):
    folder = hub_factory.folder()
    write_settings(folder, {"faulty": {"mode": "blocks_for_good"}, **base_settings()})
    hub = hub_factory.start_to_kill(folder, binary=FAULTY)
    set_state(hub, "sensor.kept", "7")
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended(6) == 1
    hub.logged("the hub does not stop in time")
    again = start("none", folder)
    assert state_of(again, "sensor.kept")["state"] == "7"


def test_one_that_never_starts_does_not_keep_the_hub_running(hub_factory):
    folder = hub_factory.folder()
    write_settings(folder, {"faulty": {"mode": "blocks_in_start"}, **base_settings()})
    hub = Hub(folder, binary=FAULTY)
    hub_factory.to_end.append(hub)
    hub.logged("configuration in", 10)
    time.sleep(0.5)
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended(6) == 1


@pytest.mark.contract("Beyond the specification: integrations")
def test_integrations_are_shown_to_everybody_with_a_token(hub):
    for client in (hub.admin, hub.ann, hub.display):
        (demo,) = assert_json(client.get("/api/integrations"))
        assert list(demo) == ["name", "state", "since", "error", "retry_at", "attempts", "failures", "last_failure"]
        assert demo["name"] == "demo" and demo["state"] == "running"
    assert hub.anonymous.get("/api/integrations").status_code == 401
    assert hub.admin.delete("/api/integrations").status_code == 405


@pytest.mark.contract("Other frontends: config entries")
def test_an_entry_tells_that_its_integration_fails_and_recovers(start):
    hub = start("throws_in_start", failing_starts=1)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config_entries/subscribe")
        first = {change["entry"]["domain"]: change["entry"] for change in client.event(1)}
        assert first["faulty"]["state"] == "setup_retry" and first["faulty"]["reason"]
        client.socket.settimeout(30)
        states = []
        while "loaded" not in states:
            states += [change["entry"]["state"] for change in client.event(1) if change["entry"]["domain"] == "faulty"]
        assert set(states) <= {"setup_retry", "setup_in_progress", "loaded"}  # the start between may be too short to be told
