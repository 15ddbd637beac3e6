# SPDX-License-Identifier: Apache-2.0
"""A hub under a service manager: it says when it is ready, that it is alive, and that it stops."""

import json
import socket

import httpx
import pytest

from hub_process import BINARY, base_settings, wait_until, write_settings

FAULTY = BINARY.with_name("hearth_faulty")


class Manager:
    """Gets what a service sends to its manager."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))

    def next(self, timeout=20.0):
        self.socket.settimeout(timeout)
        return self.socket.recv(4096).decode()

    def until(self, text, timeout=20.0):
        """The messages up to one with that text."""
        found = []
        while not found or text not in found[-1]:
            found.append(self.next(timeout))
        return found

    def drain(self):
        self.socket.setblocking(False)
        count = 0
        try:
            while True:
                self.socket.recv(4096)
                count += 1
        except BlockingIOError:
            return count


@pytest.fixture
def manager(tmp_path, monkeypatch):
    made = Manager(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    yield made
    made.socket.close()


def test_a_hub_tells_that_it_is_ready_and_stops(hub_factory, manager):
    hub = hub_factory.start()
    ready = manager.next()
    assert ready.startswith("READY=1\nSTATUS=") and f":{hub.port}" in ready
    hub.stop()
    assert manager.next().startswith("STOPPING=1")
    assert manager.drain() == 0  # no sign of life was asked for


def test_signs_of_life_come_from_the_bus(hub_factory, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    folder = hub_factory.folder()
    write_settings(folder, {**base_settings(), "faulty": {"mode": "hangs_in_commands"}})
    hub = hub_factory.start_to_kill(folder, binary=FAULTY)
    manager.until("READY=1")
    for _ in range(3):
        assert manager.next() == "WATCHDOG=1"
    with hub.client("ann") as client, pytest.raises(httpx.TimeoutException):
        client.post("/api/services/switch/turn_on", json={"entity_id": "switch.switch"}, timeout=1)  # holds the bus for good
    wait_until(lambda: hub.anonymous.get("/api/health").status_code == 503, 30)
    manager.drain()
    wait_until((folder / "last-hang.log").exists, 10)
    assert manager.drain() == 0
    assert "the home stands still" in (folder / "last-hang.log").read_text()


def test_the_log_may_be_json(hub_factory):
    hub = hub_factory.start(log={"format": "json"})
    wait_until(lambda: [line for line in hub.log if "ready at" in line])
    lines = [json.loads(line) for line in list(hub.log) if line.startswith("{")]
    ready = [line for line in lines if line["message"].startswith("ready at")]
    assert len(ready) == 1
    assert set(ready[0]) == {"time", "level", "part", "message", "file", "line"}
    assert (ready[0]["level"], ready[0]["part"]) == ("info", "hub")


def test_lines_name_the_entity_and_the_cause_that_they_are_about(hub_factory):
    hub = hub_factory.start(log={"format": "json"}, automation=[{
        "id": "hall", "alias": "Hall", "triggers": [{"trigger": "event", "event_type": "begin"}],
        "actions": [{"delay": {"milliseconds": 1}}, {"action": "nowhere.nothing"}],
    }])
    with hub.stream("?restrict=automation_triggered") as stream:
        hub.admin.post("/api/events/begin", json={})
        fired = stream.next_event().event
    lines = lambda: [json.loads(line) for line in list(hub.log) if line.startswith("{") and "nowhere" in line]
    about = wait_until(lines)[0]
    assert (about["part"], about["entity"], about["context"]) == ("automation", "automation.hall", fired["context"]["id"])
    hub.admin.post("/api/services/light/turn_on", json={"entity_id": ["light.kitchen", "light.nowhere"]})
    about = wait_until(lambda: [line for line in lines() if line["part"] == "services"])[0]
    assert "entity" not in about and len(about["context"]) == 26


def test_levels_of_the_log_change_while_the_hub_runs(hub_factory):
    hub = hub_factory.start()

    def write(message, logger):
        hub.admin.post("/api/services/system_log/write", json={"message": message, "level": "debug", "logger": logger})

    def call(service, **data):
        return hub.admin.post(f"/api/services/logger/{service}", json=data)

    write("first", "one")
    assert call("set_level", **{"custom.one": "debug"}).status_code == 200
    write("second", "one")
    write("third", "two")
    assert call("set_default_level", level="debug").status_code == 200
    write("fourth", "two")
    assert call("set_default_level", level="info").status_code == 200
    write("fifth", "one")
    hub.admin.post("/api/services/system_log/write", json={"message": "last", "level": "warning", "logger": "one"})
    hub.logged("one: last")
    assert [word for word in ("first", "second", "third", "fourth", "fifth")
            if [line for line in hub.log if line.endswith(f": {word}")]] == ["second", "fourth"]
    for wrong, named in [({}, "expected parts"), ({"mqtt": "loud"}, "mqtt: level: expected one of"),
                         ({"mqtt": 3}, "mqtt: level: expected a text"), ({"x" * 65: "debug"}, "the name of a part")]:
        response = call("set_level", **wrong)
        assert response.status_code == 400 and named in response.json()["message"], response.text
    assert hub.ann.post("/api/services/logger/set_default_level", json={"level": "debug"}).status_code == 403
    for number in range(64):
        assert call("set_level", **{f"part{number}": "info"}).status_code == 200
    response = call("set_level", one_more="info")
    assert response.status_code >= 400 and "64 parts of the log" in response.json()["message"]
