# SPDX-License-Identifier: Apache-2.0
"""The hub as a process: the log that others read or do not read, and signals."""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from checks import call, set_state, state_of
from hub_process import BINARY, Hub, free_port, wait_until
from terminal import Terminal

MISSING = re.compile(r" warning log: (\d+) lines? (?:is|are) missing here")
ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGPWR, signal.SIGXCPU]
IGNORED = [signal.SIGPIPE, signal.SIGXFSZ, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM,
           signal.SIGPROF, signal.SIGIO, signal.SIGSTKFLT, signal.SIGTTOU, signal.SIGCHLD, signal.SIGWINCH,
           signal.SIGURG, signal.SIGCONT, signal.SIGRTMIN, signal.SIGRTMIN + 7, signal.SIGRTMAX]


class UnreadLog:
    """A pipe for a hub's log that nobody reads: there is no room for a single byte."""

    def __init__(self):
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.writing, False)
        for size in (4096, 1):
            try:
                while True:
                    os.write(self.writing, b"." * size)
            except BlockingIOError:
                continue
        os.set_blocking(self.writing, True)

    def read_rest(self):
        """All that comes until its writers have ended."""
        blocks = []
        while block := os.read(self.reading, 1 << 20):
            blocks.append(block)
        return b"".join(blocks).decode().lstrip(".")

    def close(self):
        for end in (self.reading, self.writing):
            if end is not None:
                os.close(end)


@pytest.fixture
def unread_log():
    log = UnreadLog()
    yield log
    log.close()


@pytest.fixture
def start(hub_factory):
    """A hub of the test's own, with its standard error at a descriptor."""
    hubs = []

    def start_with(stderr, folder=None):
        hub = Hub(folder or hub_factory.folder(), hub_factory.tokens, stderr=stderr)
        hubs.append(hub)
        return hub.wait_ready(30)

    yield start_with
    for hub in hubs:
        hub.close_clients()
        if hub.process.poll() is None:
            hub.process.kill()
            hub.process.wait()


def write_to_log(hub, times):
    for _ in range(times):
        call(hub, "system_log.write", {"message": "€" * 4_096, "level": "warning"})


@pytest.mark.contract("What a change may cost: a reader of the log that stops or goes")
def test_log_that_nobody_reads_holds_nobody_up(start, unread_log):
    hub = start(unread_log.writing)
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 33})
    write_to_log(hub, 20)
    assert state_of(hub, "light.kitchen")["attributes"]["brightness"] == 33
    hub.close_clients()
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended(5) == 0


@pytest.mark.contract("What a change may cost: a reader of the log that stops or goes")
def test_log_says_how_many_lines_are_missing_when_it_is_read_again(start, unread_log):
    hub = start(unread_log.writing)
    write_to_log(hub, 500)
    call(hub, "system_log.write", {"message": "the last of many", "level": "warning"})
    os.close(unread_log.writing)
    unread_log.writing = None
    read = []
    reader = threading.Thread(target=lambda: read.append(unread_log.read_rest()))
    reader.start()
    hub.close_clients()
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended() == 0
    reader.join()
    lines = read[0].splitlines()
    missing = [int(found[1]) for line in lines if (found := MISSING.search(line))]
    long_ones = sum("€€€" in line for line in lines)
    assert missing and long_ones > 50, lines[:5]
    assert 0 <= sum(missing) + long_ones - 500 < 20  # and those of the start
    assert any("the last of many" in line for line in lines)
    assert lines[-1].endswith("info    hub: stopped")


@pytest.mark.contract("What a change may cost: a reader of the log that stops or goes")
def test_hub_goes_on_when_the_reader_of_its_log_has_gone(start):
    reading, writing = os.pipe()
    hub = start(writing)
    os.close(writing)
    os.close(reading)
    write_to_log(hub, 3)
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 44})
    assert state_of(hub, "light.kitchen")["attributes"]["brightness"] == 44
    hub.close_clients()
    hub.send_signal(signal.SIGTERM)
    assert hub.wait_ended(5) == 0


def test_log_is_in_order_and_whole(hub_factory):
    hub = hub_factory()
    for number in range(200):
        call(hub, "system_log.write", {"message": f"line {number}", "level": "warning"})
    hub.stop()
    numbers = [int(found[1]) for line in hub.log if (found := re.search(r"external: line (\d+)$", line))]
    assert numbers == list(range(200))
    assert hub.log[-1].endswith("hub: stopped")


def test_start_that_fails_has_logged_all_before_its_error(hub_factory):
    hub = hub_factory()
    done = subprocess.run([BINARY, "serve", "--config", hub_factory.folder(), "--host", "127.0.0.1", "--port",
                           str(hub.port)], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert " info    hub: Hearth " in lines[0]
    assert lines[-1].startswith("hearth: Cannot listen on ")


def test_a_crash_waits_until_its_last_lines_are_read(hub_factory):
    hub = hub_factory.start_to_kill(hub_factory.folder())
    for number in range(50):
        call(hub, "system_log.write", {"message": f"line {number}", "level": "warning"})
    hub.send_signal(signal.SIGABRT)
    assert hub.wait_ended() == -signal.SIGABRT
    assert hub.log[-1].endswith("external: line 49")


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_signals_that_end_the_hub_lose_nothing(hub_factory, number):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    set_state(hub, "test.last", number.name)
    hub.stop(number)
    assert f"hub: stopping: {number.name} received" in "\n".join(hub.log)
    assert state_of(hub_factory(folder), "test.last")["state"] == number.name


def test_signals_that_mean_nothing_to_a_hub_change_nothing(hub_factory):
    hub = hub_factory()
    for number in IGNORED:
        hub.send_signal(number)
        set_state(hub, "test.last", str(int(number)))
    assert hub.process.poll() is None
    hub.stop()


def test_hangup_puts_in_force_what_needs_no_restart(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    file = folder / "configuration.yaml"
    good = file.read_text(encoding="utf-8")
    file.write_text(good.replace("Test home", "Other home"), encoding="utf-8")
    hub.send_signal(signal.SIGHUP)
    wait_until(lambda: hub.admin.get("/api/config").json()["location_name"] == "Other home")
    hub.logged("hub: all that needs no restart is in force")
    file.write_text(good + "home: [", encoding="utf-8")
    hub.send_signal(signal.SIGHUP)
    hub.logged(" warning hub: nothing has changed: configuration.yaml:")
    assert hub.admin.get("/api/config").json()["location_name"] == "Other home"
    file.write_text(good, encoding="utf-8")
    hub.send_signal(signal.SIGHUP)
    wait_until(lambda: hub.admin.get("/api/config").json()["location_name"] == "Test home")


def test_hangups_at_any_time_lose_nothing(hub_factory):
    """At the start, by the hundred beside changes, while the configuration is broken, and at the stop."""
    folder = hub_factory.folder()
    hub = Hub(folder, hub_factory.tokens)
    hub_factory.hubs.append(hub)
    wait_until(lambda: any("hub: Hearth" in line for line in hub.log) or hub.process.poll() is not None)
    hub.send_signal(signal.SIGHUP)
    hub.wait_ready()
    file = folder / "configuration.yaml"
    good = file.read_text(encoding="utf-8")
    for number in range(300):
        if number in (100, 200):
            file.write_text(good + ("home: [" if number == 100 else ""), encoding="utf-8")
        hub.send_signal(signal.SIGHUP)
        set_state(hub, "test.last", str(number))
    hub.send_signal(signal.SIGTERM)
    for _ in range(20):
        hub.send_signal(signal.SIGHUP)
    assert hub.process.wait(20) == 0
    hub_factory.hubs.remove(hub)
    assert state_of(hub_factory(folder), "test.last")["state"] == "299"


def test_hub_ends_in_order_when_its_terminal_closes(hub_factory):
    folder = hub_factory.folder()
    with Terminal(BINARY, "serve", "--config", folder, "--host", "127.0.0.1", "--port",
                  str(free_port())) as terminal:
        terminal.read("ready at")
        terminal.close()
        assert terminal.process.wait(10) == 0
    hub = hub_factory(folder)
    assert hub.admin.get("/api/core/state").json()["state"] == "RUNNING"


def test_the_hub_gets_no_more_privileges(hub):
    status = Path(f"/proc/{hub.process.pid}/status").read_text(encoding="ascii")
    assert "NoNewPrivs:\t1\n" in status
