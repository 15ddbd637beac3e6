# SPDX-License-Identifier: Apache-2.0
"""Nothing acknowledged is lost: the hub is killed, its files are damaged, its disk is full."""

import contextlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import httpx
import pytest
import websocket

from checks import assert_message, call, set_state, state_of
from hub_process import wait_until
from raw_http import ConnectionEnded
from websocket_client import WebSocketClient

KILLS = int(os.environ.get("HEARTH_KILLS", "4"))  # bench/durability has more
WRITERS = 4


class Writers:
    """Threads that write rising numbers, each to its own entity, and record the acknowledged ones with their times."""

    def __init__(self, hub, first=0):
        self.hub = hub
        self.first = first
        self.acknowledged = {}  # by writer: [(number, time)]
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self._write, args=(number,)) for number in range(WRITERS)]
        for thread in self.threads:
            thread.start()

    def _write(self, writer):
        done = self.acknowledged.setdefault(writer, [])
        number = self.first
        try:
            with self.hub.connect() as connection:
                while not self.ended.is_set():
                    number += 1
                    body = json.dumps({"state": str(number), "attributes": {"n": number}})
                    response = connection.request("POST", f"/api/states/test.w{writer}", self.hub.bearer(), body=body)
                    if response.status not in (200, 201):
                        return
                    done.append((number, time.monotonic()))
        except (ConnectionEnded, OSError):
            pass

    def join(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def total(self):
        return sum(len(done) for done in self.acknowledged.values())

    def least(self):
        """How often each has written at least."""
        return min(len(self.acknowledged.get(writer, ())) for writer in range(WRITERS))

    def last(self, writer, before=float("inf")):
        return max((number for number, at in self.acknowledged[writer] if at <= before), default=0)


def kill(hub):
    hub.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    hub.wait_ended()
    hub.close_clients()
    return killed


def history_of(hub, entity_id):
    answer = hub.admin.get(f"/api/history/period?filter_entity_id={entity_id}")
    assert answer.status_code == 200, answer.text
    return [state["state"] for one in answer.json() for state in one]


def check_sound(folder):
    for name in ("home.db", "history.db"):
        with sqlite3.connect(folder / name) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), name
    assert not list(folder.glob("*.damaged*"))


@pytest.mark.contract("States: after a restart")
@pytest.mark.parametrize(("interval", "grace"), [("0s", 0.0), ("200ms", 0.2)])
@pytest.mark.slow
def test_kill_loses_nothing_older_than_the_interval(hub_factory, interval, grace):
    folder = hub_factory.folder(recorder={"commit_interval": interval}, demo=None)
    first, expected = 0, {writer: set() for writer in range(WRITERS)}
    for turn in range(KILLS):
        hub = hub_factory.start_to_kill(folder)
        writers = Writers(hub, first)
        wait_until(lambda: writers.total() >= 40 + 37 * turn, 30)
        if grace:
            time.sleep(2.5)  # so that some are older than the interval plus the delay of a busy disk
        killed = kill(hub)
        writers.join()
        hub = hub_factory.start_to_kill(folder)
        for writer in range(WRITERS):
            # Writes within the interval, or still on the bus, may be lost.
            sure = writers.last(writer, killed - (grace + 2 if grace else 0))
            state = hub.admin.get(f"/api/states/test.w{writer}")
            now = int(state.json()["state"]) if state.status_code == 200 else 0
            assert now >= sure, (
                f"{interval}, kill {turn}: writer {writer} had {sure} acknowledged, there is {state.status_code} {state.text}"
            )
            if now:
                assert state.json()["attributes"] == {"n": now}
            expected[writer] |= {number for number, _ in writers.acknowledged[writer] if number <= sure}
            found = {int(text) for text in history_of(hub, f"test.w{writer}")}
            assert expected[writer] <= found, f"{interval}, kill {turn}: history lacks {expected[writer] - found}"
        first = max(writers.last(writer) for writer in range(WRITERS)) + 1_000
        hub.stop()
        check_sound(folder)


def test_service_answers_wait_for_the_disk_too(hub_factory):
    folder = hub_factory.folder(recorder={"commit_interval": "0s"})
    hub = hub_factory(folder)
    assert call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"})[0]["state"] == "on"
    set_state(hub, "test.gone", "on")
    assert hub.admin.delete("/api/states/test.gone").status_code == 200
    hub.send_signal(signal.SIGKILL)
    hub.wait_ended()
    hub.close_clients()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert state_of(hub, "switch.garden_pump")["state"] == "on"
    assert hub.admin.get("/api/states/test.gone").status_code == 404


def test_commands_wait_for_the_disk_too(hub_factory):
    """Registry changes and calls that were acknowledged over a WebSocket survive a kill."""
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    lamp = "light.kitchen"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        floor = client.result("config/floor_registry/create", name="Loft")["floor_id"]
        gone = client.result("config/area_registry/create", name="Gone")["area_id"]
        area = client.result("config/area_registry/create", name="Gable")["area_id"]
        client.result("config/area_registry/update", area_id=area, floor_id=floor)
        client.result("config/area_registry/delete", area_id=gone)
        client.result("config/entity_registry/update", entity_id=lamp, area_id=area)
        client.result("call_service", domain="light", service="turn_on", target={"entity_id": lamp},
                      service_data={"brightness": 77})
        client.result("config/area_registry/update", area_id=area, name="Gable room")
        kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        areas = {entry["area_id"]: entry for entry in client.result("config/area_registry/list")}
        assert areas[area]["name"] == "Gable room" and areas[area]["floor_id"] == floor and gone not in areas
        assert client.result("config/entity_registry/get", entity_id=lamp)["area_id"] == area
    assert state_of(hub, lamp)["attributes"]["brightness"] == 77


@contextlib.contextmanager
def held(folder):
    """Nobody else writes to home.db meanwhile."""
    with contextlib.closing(sqlite3.connect(folder / "home.db", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


def test_answers_wait_for_what_a_kill_would_lose(hub_factory):
    """What is under way and what people make, in every home; what neither is, such as a light, does not wait."""
    folder = hub_factory.folder(timer={"tea": {"duration": 60}})
    hub = hub_factory(folder)
    call(hub, "homeassistant.save_persistent_states")
    with held(folder):
        call(hub, "light.turn_on", {"entity_id": "light.kitchen"})
        with pytest.raises(httpx.ReadTimeout):
            hub.admin.post("/api/services/timer/start", json={"entity_id": "timer.tea"}, timeout=1)
    assert call(hub, "timer.cancel", {"entity_id": "timer.tea"})[0]["state"] == "idle"
    with WebSocketClient(hub, hub.tokens["admin"], timeout=1) as client:
        with held(folder), pytest.raises(websocket.WebSocketTimeoutException):
            client.command("timer/create", name="Egg", duration=60)
        client.socket.settimeout(10)
        assert client.receive()["success"]


def prepared(hub_factory, count=400):
    """The folder of a stopped hub with some history, all written."""
    folder = hub_factory.folder(demo=None)
    hub = hub_factory(folder)
    for number in range(count):
        set_state(hub, f"test.d{number % 8}", str(number), {"friendly_name": "x" * 200})
    hub.stop()
    for name in ("home.db", "history.db"):
        with sqlite3.connect(folder / name) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def set_aside(folder, name):
    """The damaged files that were moved aside, without SQLite's files beside them."""
    return [path for path in folder.glob(f"{name}.damaged-*") if not path.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("name", ["history.db", "home.db"])
def test_truncated_file_is_moved_aside_and_the_rest_is_read(hub_factory, name):
    folder = prepared(hub_factory)
    size = (folder / name).stat().st_size
    os.truncate(folder / name, size // 2 // 4096 * 4096)
    hub = hub_factory(folder)
    assert len(set_aside(folder, name)) == 1
    assert name in hub.logged("was damaged")[0]
    if name == "history.db":
        for number in range(392, 400):
            assert state_of(hub, f"test.d{number % 8}")["state"] == str(number)
        set_state(hub, "test.d0", "new")
        wait_until(lambda: "new" in history_of(hub, "test.d0"))


@pytest.mark.parametrize("name", ["history.db", "home.db"])
@pytest.mark.parametrize("damage", ["noise", "nothing but noise", "header"])
def test_flipped_bytes_do_not_prevent_the_start(hub_factory, name, damage):
    folder = prepared(hub_factory)
    data = bytearray((folder / name).read_bytes())
    if damage == "header":
        data[:64] = os.urandom(64)
    elif damage == "noise":
        middle = len(data) // 2 // 4096 * 4096
        data[middle:middle + 4096] = os.urandom(4096)
    else:
        data = os.urandom(len(data))
    (folder / name).write_bytes(data)
    hub = hub_factory(folder)
    assert hub.anonymous.get("/api/").status_code == 200
    if name == "history.db":
        set_state(hub, "test.after", "on")
        for number in range(8):
            assert hub.admin.get(f"/api/history/period?filter_entity_id=test.d{number}").status_code == 200
        # What the history lost is in the last states.
        assert state_of(hub, "test.d7")["state"] == "399"
    if damage != "noise":
        assert len(set_aside(folder, name)) == 1
    hub.stop()


def test_most_of_a_damaged_history_is_read(hub_factory):
    folder = prepared(hub_factory)
    with sqlite3.connect(folder / "history.db") as database:
        pages = [page for page, in database.execute(
            "SELECT pageno FROM dbstat WHERE name = 'changes' AND pagetype = 'leaf' ORDER BY pageno")] if has_dbstat(
                database) else []
        rows = database.execute("SELECT count(*) FROM changes").fetchone()[0]
    if len(pages) < 3:
        pytest.skip("this SQLite does not say which page holds what")
    with open(folder / "history.db", "r+b") as file:
        file.seek((pages[len(pages) // 2] - 1) * 4096)
        file.write(os.urandom(4096))
    hub = hub_factory(folder)
    found = sum(len(history_of(hub, f"test.d{number}")) for number in range(8))
    assert rows * 0.6 < found < rows


def has_dbstat(database):
    try:
        database.execute("SELECT 1 FROM dbstat LIMIT 1")
    except sqlite3.OperationalError:
        return False
    return True


class SmallDisk:
    """A file system of 4 MiB in memory, filled by a file."""

    def __init__(self, folder):
        self.folder = folder
        kept = folder.with_name(folder.name + "-kept")
        shutil.copytree(folder, kept)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "hearth-test", str(folder)], capture_output=True)
        if done.returncode != 0:
            pytest.skip("mounting a small disk takes root")
        shutil.copytree(kept, folder, dirs_exist_ok=True)

    def fill(self, _hub):
        with open(self.folder / "filler", "wb", buffering=0) as file:
            with pytest.raises(OSError, match="No space left"):
                while True:
                    file.write(bytes(4096))

    def empty(self, _hub):
        (self.folder / "filler").unlink()

    def close(self):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class SmallFiles:
    """A limit on the size of files, which needs no root."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self, hub):
        largest = max(path.stat().st_size for path in self.folder.iterdir())
        resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, (largest + 256 * 1024, resource.RLIM_INFINITY))

    def empty(self, hub):
        resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def close(self):
        pass


@pytest.fixture(params=[SmallDisk, SmallFiles])
def disk_of(request, hub_factory):
    disks = []

    def disk_of(folder):
        disks.append(request.param(folder))
        return disks[-1]

    yield disk_of
    hub_factory.stop_all()
    for disk in disks:
        disk.close()


@pytest.mark.parametrize("interval", ["100ms", "0s"])
def test_full_disk_stops_nothing_and_ends_well(hub_factory, disk_of, interval):
    folder = hub_factory.folder(recorder={"commit_interval": interval}, demo=None)
    disk = disk_of(folder)
    hub = hub_factory(folder)
    hub.errors_expected = True
    set_state(hub, "test.full", "before")
    disk.fill(hub)

    def failing():
        state = hub.admin.get("/api/core/state").json()["recorder_state"]
        return not state["recording"] and state

    refused = None
    for number in range(4_000):
        response = hub.admin.post("/api/states/test.full", json={"state": str(number), "attributes": {"x": "y" * 4_000}})
        if response.status_code == 503:
            refused = response
            break
        assert response.status_code in (200, 201)
        if number % 50 == 0 and failing():
            break
    state = wait_until(failing, 10)
    assert state["last_error"] and state["backlog"] > 0
    if interval == "0s":
        if refused is None:
            refused = hub.admin.post("/api/states/test.full", json={"state": "not saved"})
        assert "could not be saved" in assert_message(refused, 503)
        with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as client:
            code, message = client.error("config/area_registry/create", name="n" * 60, aliases=["x" * 60] * 9)
            assert code == "home_assistant_error" and message
    # It keeps running: answers reads, and accepts writes that it cannot store.
    hub.admin.post("/api/states/test.full", json={"state": "while full"})
    assert state_of(hub, "test.full")["state"] == "while full"
    assert history_of(hub, "test.full")[-1] == "while full"
    disk.empty(hub)
    wait_until(lambda: not failing(), 15)
    set_state(hub, "test.full", "after")
    values = history_of(hub, "test.full")
    assert values[0] == "before" and values[-2:] == ["while full", "after"]
    hub.stop()
    check_sound(folder)
    hub = hub_factory(folder)
    assert state_of(hub, "test.full")["state"] == "after"
