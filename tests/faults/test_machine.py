# SPDX-License-Identifier: Apache-2.0
"""A machine that lacks descriptors or memory, that stands still, whose clock jumps, and that finds no hosts."""

import contextlib
import os
import resource
import signal
import threading
import time

import httpx
import pytest

from four_questions import Home, ask
from hub_process import wait_until
from mqtt_broker import Broker
from worse_machine import WorseMachine

TEN_YEARS = 3_600 * 86_400  # a little less: the token of the tests lives as long


@contextlib.contextmanager
def limited(hub, kind, value):
    of_process = hub.process.pid, kind
    limits = resource.prlimit(*of_process)
    resource.prlimit(*of_process, (value, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(*of_process, limits)


@contextlib.contextmanager
def no_descriptors(hub):
    with limited(hub, resource.RLIMIT_NOFILE, len(os.listdir(f"/proc/{hub.process.pid}/fd"))):
        with hub.connect() as waiting:
            waiting.send(f"GET /api/ HTTP/1.1\r\nHost: a\r\n{hub.bearer()}\r\n\r\n")
            yield


def address_space(hub):
    with open(f"/proc/{hub.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize:"))


def ask_for_much(hub, seconds):
    """Requests that need more memory than there is: what they get does not matter, as long as it is an answer or an end."""
    ends = time.monotonic() + seconds
    outcomes = []

    def run(number):
        with hub.client("admin") as client:
            while time.monotonic() < ends:
                try:
                    many = "{% set n = namespace(l=[]) %}{% for i in range(100) %}{% set n.l = n.l + ['a' * 20000 ~ i] %}{% endfor %}"
                    client.post("/api/template", json={"template": many}, timeout=20)
                    answer = client.post(f"/api/states/test.large_{number}", timeout=20,
                                         json={"state": "1", "attributes": {"x": "y" * 100_000}})
                    outcomes.append(answer.status_code)
                except httpx.ReadTimeout:
                    outcomes.append("nothing")
                except httpx.TransportError:
                    outcomes.append("end")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_without_descriptors_nothing_is_lost(hub_factory):
    home = Home(hub_factory)
    ask(home, no_descriptors(home.hub), "cannot accept a connection: Too many open files")
    assert any("Too many open files" in message for message in home.refused)


def test_without_memory_nothing_is_lost(hub_factory):
    home = Home(hub_factory)
    with limited(home.hub, resource.RLIMIT_AS, address_space(home.hub)):
        outcomes = ask_for_much(home.hub, 3)
    assert "nothing" not in outcomes, outcomes
    assert {"end", 500, 503} & set(outcomes), outcomes
    ask(home, limited(home.hub, resource.RLIMIT_AS, address_space(home.hub)), "std::bad_alloc")


@pytest.mark.parametrize("jump", [3_600, -3_600, TEN_YEARS, -TEN_YEARS])
def test_a_clock_that_jumps_loses_nothing(hub_factory, tmp_path, jump):
    machine = WorseMachine(tmp_path, clock=0)
    home = Home(hub_factory, machine)

    @contextlib.contextmanager
    def jumped():
        machine.set_clock(jump)
        try:
            yield
        finally:
            machine.set_clock(0)

    ask(home, jumped(), "the clock has gone")


@pytest.mark.parametrize("seconds", [2, pytest.param(30, marks=pytest.mark.long)])
def test_a_hub_that_stands_still_answers_when_it_goes_on(hub_factory, seconds):
    home = Home(hub_factory)
    assert home.change()

    @contextlib.contextmanager
    def stopped():
        home.hub.send_signal(signal.SIGSTOP)
        with home.hub.connect(timeout=seconds + 20) as waiting:
            waiting.send(f"GET /api/states/test.kept HTTP/1.1\r\nHost: a\r\n{home.hub.bearer()}\r\n\r\n")
            time.sleep(seconds)
            home.hub.send_signal(signal.SIGCONT)
            assert waiting.read_response().status == 200
            yield

    ask(home, stopped())
    assert home.refused == []  # the WebSocket has stayed open, too


def test_hosts_that_are_not_found_for_a_while(hub_factory, tmp_path):
    """The hub serves meanwhile, and connects when the name is found."""
    machine = WorseMachine(tmp_path, faults=True)
    broker = Broker(tmp_path / "broker").start()
    try:
        hanging = contextlib.ExitStack()
        waiting = hanging.enter_context(machine.faults.hanging_names())

        @contextlib.contextmanager
        def hangs():
            with hanging:
                yield waiting

        def is_connected(home):
            return home.socket.result("hearth/mqtt")["connected"]

        home = Home(hub_factory, machine, mqtt=broker.settings | {"broker": "localhost"})
        wait_until(lambda: waiting() > 0, 10)
        ask(home, hangs(), said=lambda home: not is_connected(home), healed_when=is_connected)
    finally:
        broker.stop()


def test_a_hub_that_waits_for_a_name_stops(hub_factory, tmp_path):
    machine = WorseMachine(tmp_path, faults=True)
    with machine.faults.hanging_names() as waiting:
        hub = hub_factory(environment=machine.environment, mqtt={"broker": "broker.test"})
        wait_until(lambda: waiting() > 0, 10)
        hub.stop()
