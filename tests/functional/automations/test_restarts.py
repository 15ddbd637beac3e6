# SPDX-License-Identifier: Apache-2.0
"""What is under way survives an end of the hub: each step is done once, whenever the hub is killed."""

import random
import re
import signal
import sqlite3
import time
from collections import Counter

import pytest

from backups import backup, restore
from checks import call, set_state, state_of
from hub_process import wait_until

AUTOMATIONS, KILLS = 40, 50
DID = re.compile(r"did ([abc]) (\d+) (\d+)$")
INTERRUPTED = re.compile(r"evening(\d+): the hub ended while (action|sequence)/(\d+) was under way")


def write(text):
    return {"action": "system_log.write", "data": {"level": "info", "message": text}}


def evening(number):
    what = f"{number} {{{{ trigger.to_state.state }}}}"
    return {"id": str(number), "alias": f"evening{number}", "mode": "parallel", "max": 1000,
            "triggers": {"trigger": "state", "entity_id": f"sensor.s{number}"},
            "actions": [write(f"did a {what}"), {"delay": {"milliseconds": 150}},
                        write(f"did b {what}"),
                        {"wait_for_trigger": {"trigger": "event", "event_type": "never"}, "timeout": {"milliseconds": 100}},
                        write(f"did c {what}")]}


def report(hub, states):
    """As devices do when the hub is back: each tells its state; one that the hub has already is no change."""
    for number, value in states.items():
        set_state(hub, f"sensor.s{number}", str(value))


@pytest.mark.contract("Automations: durable runs")
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_an_evening_with_50_kills_does_each_step_once(hub_factory):
    chance = random.Random(7)
    folder = hub_factory.folder(automation=[evening(number) for number in range(AUTOMATIONS)])
    states = {number: 0 for number in range(AUTOMATIONS)}
    done, marked, begun = Counter(), Counter(), set()
    hubs, turn = [], 0
    for _ in range(KILLS):
        hub = hub_factory.start_to_kill(folder)
        hubs.append(hub)
        try:
            report(hub, states)
            begun |= {(number, 0) for number in states}
            for _ in range(chance.randrange(2, 30)):
                # In turns: a value that is overtaken before the kill lets it be heard is lost, as it is for any listener.
                number = turn % AUTOMATIONS
                turn += 1
                states[number] += 1
                begun.add((number, states[number]))
                set_state(hub, f"sensor.s{number}", str(states[number]))
                time.sleep(0.01)
        finally:
            hub.send_signal(signal.SIGKILL)
            hub.wait_ended()
            hub.close_clients()
    last = hub_factory.start_to_kill(folder)
    hubs.append(last)
    report(last, states)
    for number in range(AUTOMATIONS):
        wait_until(lambda: state_of(last, f"automation.evening{number}")["attributes"]["current"] == 0, 20)
    last.send_signal(signal.SIGTERM)
    assert last.wait_ended() == 0
    for hub in hubs:
        for line in hub.log:
            if found := DID.search(line):
                done[found[1], int(found[2]), int(found[3])] += 1
            elif found := INTERRUPTED.search(line):
                marked[{"0": "a", "2": "b", "4": "c"}[found[3]], int(found[1])] += 1
    twice = [step for step, times in done.items() if times > 1]
    assert not twice, twice
    missing = Counter((step, number) for step in "abc" for number, value in begun if (step, number, value) not in done)
    # A step that was begun is perhaps done, too.
    unmarked = {step: times for step, times in missing.items() if times > marked[step]}
    assert not unmarked, (unmarked, marked)
    assert sum(marked.values()) < sum(done.values()) / 2, marked


def journaled_kinds(folder):
    """The kinds of entries in the journal on the disk: run, clock."""
    database = sqlite3.connect(f"file:{folder}/home.db?mode=ro", uri=True)
    try:
        return {key.partition("/")[0] for key, in database.execute("SELECT key FROM journal")}
    finally:
        database.close()


@pytest.mark.contract("Automations: durable runs")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_delay_and_a_clock_go_on_after_the_end(hub_factory, end):
    folder = hub_factory.folder(
        automation=[{"alias": "Held", "triggers": {"trigger": "state", "entity_id": "sensor.own", "to": "on", "for": 2},
                     "actions": [{"event": "held"}, {"delay": 600}]}],
        script={"slow": {"sequence": [{"delay": 600}]}})
    hub = hub_factory.start_to_kill(folder)
    set_state(hub, "sensor.own", "off")
    call(hub, "script.turn_on", {"entity_id": "script.slow"})
    wait_until(lambda: state_of(hub, "script.slow")["state"] == "on")
    set_state(hub, "sensor.own", "on")
    wait_until(lambda: {"clock", "run"} <= journaled_kinds(folder))  # what nobody waits for is written a little later
    hub.send_signal(end)
    hub.wait_ended()
    hub.close_clients()
    hub = hub_factory(folder)
    assert state_of(hub, "script.slow")["state"] == "on"
    wait_until(lambda: state_of(hub, "automation.held")["attributes"]["current"] == 1)
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert state_of(hub, "automation.held")["attributes"]["current"] == 1
    call(hub, "automation.turn_off", {"entity_id": "automation.held"})
    call(hub, "script.turn_off", {"entity_id": "script.slow"})


def at_shutdown(delay):
    return [{"alias": "Last", "triggers": {"trigger": "homeassistant", "event": "shutdown"},
             "actions": [{"delay": delay}, {"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.left"}},
                         write("did the last")]}]


@pytest.mark.contract("Automations: durable runs")
def test_what_begins_at_shutdown_ends_before_the_hub(hub_factory):
    folder = hub_factory.folder(automation=at_shutdown(1), input_boolean={"left": {}})
    hub = hub_factory(folder)
    hub.stop()
    assert [line for line in hub.log if "did the last" in line]
    assert [line for line in hub.log if "waiting for runs that began because the hub stops: automation.last" in line]
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert state_of(hub, "input_boolean.left")["state"] == "on"
    assert state_of(hub, "automation.last")["attributes"]["current"] == 0


@pytest.mark.contract("Automations: durable runs")
@pytest.mark.slow
def test_what_lasts_longer_than_a_shutdown_may_goes_on_afterwards(hub_factory):
    folder = hub_factory.folder(automation=at_shutdown(11), input_boolean={"left": {}})
    hub = hub_factory.start_to_kill(folder)
    began = time.monotonic()
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended(20) == 0
    assert time.monotonic() - began > 9.5
    hub.close_clients()
    assert [line for line in hub.log if "automation.last: has not ended within 10 s" in line]
    hub = hub_factory(folder)
    wait_until(lambda: state_of(hub, "input_boolean.left")["state"] == "on")
    call(hub, "automation.turn_off", {"entity_id": "automation.last"})


@pytest.mark.contract("Automations: durable runs")
def test_a_backup_holds_nothing_that_is_under_way(hub_factory, tmp_path):
    hub = hub_factory(script={"slow": {"sequence": [{"delay": 600}]}})
    call(hub, "script.turn_on", {"entity_id": "script.slow"})
    file = tmp_path / "home.tar.zst"
    backup(hub.folder, file)
    restore(tmp_path / "new", file)
    other = hub_factory(tmp_path / "new")
    assert state_of(other, "script.slow")["state"] == "off"
    call(hub, "script.turn_off", {"entity_id": "script.slow"})
