# SPDX-License-Identifier: Apache-2.0
"""The history of a home in PostgreSQL: what is recorded gets there once and in order, whatever is killed meanwhile."""

import contextlib
import itertools
import json
import sqlite3
import threading

import pytest

from checks import call
from hub_process import base_settings, command, wait_until, write_settings
from postgres_server import PROGRAMS, PostgresServer
from raw_http import RawConnection, request_text
from test_durability import kill
from websocket_client import WebSocketClient

pytestmark = pytest.mark.skipif(not PROGRAMS, reason="PostgreSQL is not installed")
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def postgres():
    server = PostgresServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def folder(hub_factory):
    return hub_factory.folder()


class Archive:
    def __init__(self, server):
        self.server = server
        self.database = f"home{next(NUMBERS)}"
        self.url = server.create(self.database)

    def rows(self, sql):
        return self.server.ask(sql, self.database)

    def states(self, entity_id, columns="state"):
        try:
            return self.rows(f"SELECT {columns} FROM hearth.states WHERE entity_id = '{entity_id}' ORDER BY updated")
        except AssertionError:  # the tables are not there yet
            return []


@pytest.fixture
def archive(postgres):
    if not postgres.process:
        postgres.start()
    return Archive(postgres)


def home_of(folder, archive, **recorder):
    settings = base_settings()
    settings["recorder"] |= {"commit_interval": "50ms", "archive": archive} | recorder
    write_settings(folder, settings)


def set_state(hub, entity_id, state, attributes=None):
    answer = hub.admin.post(f"/api/states/{entity_id}", json={"state": str(state), "attributes": attributes or {}})
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def write_many(hub, prefix, count):
    """Writes states of a hundred entities in turn, by pipelined requests."""
    authorization = f"Authorization: Bearer {hub.tokens['admin']}"
    with RawConnection(hub.port, timeout=30) as connection:
        for start in range(0, count, 200):
            connection.send(b"".join(
                request_text("POST", f"/api/states/{prefix}{number % 100}", authorization, body=json.dumps({"state": str(number)}))
                for number in range(start, start + 200)))
            for _ in range(200):
                assert connection.read_response().status in (200, 201)


def recorder_state(hub):
    return hub.admin.get("/api/core/state").json()["recorder_state"]


def is_recorded(hub, entity_id, state):
    """In the file: the backlog does not count what the bus has not yet given to the recorder."""
    with contextlib.closing(sqlite3.connect(f"file:{hub.folder}/history.db?mode=ro", uri=True, timeout=10)) as history:
        found = history.execute("SELECT count(*) FROM changes JOIN entities ON entities.id = entity WHERE entity_id = ? AND value = ?",
                                (entity_id, str(state)))
        return found.fetchone()[0] > 0


@pytest.mark.contract("Archive: changes and events")
def test_what_is_recorded_gets_to_the_archive(hub_factory, folder, archive):
    home_of(folder, {"url": archive.url, "site": "Lake house"})
    hub = hub_factory(folder)
    odd = 'a\tb\\N\n"é\u0000'
    set_state(hub, "sensor.door", "on", {"note": odd, "n": 1.0, "m": 1})
    stored = set_state(hub, "sensor.door", "off", {"note": odd, "n": 1.0, "m": 1})
    assert hub.admin.delete("/api/states/sensor.door").status_code == 200
    rows = lambda: archive.states("sensor.door", "site, state, attributes, to_char(updated AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), changed = updated, context_id, user_id")
    wait_until(lambda: len(rows()) == 3)
    on, off, gone = rows()
    assert on[:2] == ["Lake house", "on"] and off[1] == "off" and gone[1:3] == ["", ""]
    assert on[2] == '{"note":"a\\tb\\\\N\\n\\"é\\u0000","n":1.0,"m":1}'
    assert off[3] == stored["last_updated"].removesuffix("+00:00")
    assert off[4:] == ["t", stored["context"]["id"], stored["context"]["user_id"]]
    assert archive.rows("SELECT count(*) FROM hearth.attribute_sets WHERE attributes LIKE '%note%'") == [["1"]]
    call(hub, "light.turn_on", {"entity_id": "light.kitchen"})
    wait_until(lambda: archive.rows("SELECT count(*) FROM hearth.events WHERE type = 'call_service'") != [["0"]])


@pytest.mark.contract("Archive: changes and events")
def test_an_entity_that_is_renamed_keeps_its_rows_and_what_is_not_recorded_is_not_there(hub_factory, folder, archive):
    home_of(folder, archive.url, exclude={"entities": "light.hall"})
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        call(hub, "light.turn_on", {"entity_id": ["light.kitchen", "light.hall"]})
        wait_until(lambda: archive.states("light.kitchen")[-1:] == [["on"]])
        before = len(archive.states("light.kitchen"))
        client.result("config/entity_registry/update", entity_id="light.kitchen", new_entity_id="light.cooking")
        call(hub, "light.turn_off", {"entity_id": "light.cooking"})
        wait_until(lambda: archive.states("light.cooking")[-1:] == [["off"]])
        assert len(archive.states("light.cooking")) > before
        assert archive.states("light.hall") == []


@pytest.mark.contract("Archive: nothing lost, nothing twice")
def test_kills_of_the_server_and_the_hub_lose_nothing_and_repeat_nothing(hub_factory, folder, archive):
    home_of(folder, archive.url)
    hub = hub_factory(folder)
    acknowledged = []
    for round_ in range(4):
        stop = threading.Event()

        def write():
            while not stop.is_set():
                try:
                    number = len(acknowledged)
                    set_state(hub, "sensor.counted", number)
                    acknowledged.append(number)
                except Exception:
                    return

        writer = threading.Thread(target=write)
        writer.start()
        target = len(acknowledged) + 300
        wait_until(lambda: len(acknowledged) >= target, 60)
        if round_ % 2 == 0:
            archive.server.kill()
            target = len(acknowledged) + 300
            wait_until(lambda: len(acknowledged) >= target, 60)
            stop.set()
            writer.join()
            archive.server.start()
        else:
            stop.set()
            writer.join()
            # What was written in the last commit interval may be gone at home as well.
            wait_until(lambda: is_recorded(hub, "sensor.counted", acknowledged[-1]))
            kill(hub)
            hub_factory.hubs.remove(hub)
            hub = hub_factory(folder)
    expected = [[str(number)] for number in acknowledged]
    wait_until(lambda: len(archive.states("sensor.counted")) >= len(expected), 90)
    assert archive.states("sensor.counted") == expected
    order = archive.rows("SELECT state FROM hearth.changes JOIN hearth.entities ON entities.id = entity "
                         "WHERE entity_id = 'sensor.counted' ORDER BY epoch, sequence")
    assert order == expected


@pytest.mark.contract("Archive: nothing lost, nothing twice")
def test_what_was_packed_while_the_server_was_away_gets_there_too(hub_factory, folder, archive):
    archive.server.stop()
    home_of(folder, archive.url)
    hub = hub_factory(folder)
    hub.logged("It is tried again")
    count = 40_000  # more than the log holds
    write_many(hub, "sensor.packed_", count)
    wait_until(lambda: recorder_state(hub)["backlog"] == 0)
    hub.stop()
    archive.server.start()
    hub = hub_factory(folder)
    archived = lambda: archive.rows("SELECT count(*), count(DISTINCT sequence), count(DISTINCT state) FROM hearth.changes "
                                    "JOIN hearth.entities ON entities.id = entity WHERE entity_id LIKE 'sensor.packed_%'")
    wait_until(lambda: archive.states("sensor.packed_0") and archived() == [[str(count)] * 3], 120)
    in_order = archive.rows("SELECT state FROM hearth.changes JOIN hearth.entities ON entities.id = entity "
                            "WHERE entity_id LIKE 'sensor.packed_%' ORDER BY sequence")
    assert in_order == [[str(number)] for number in range(count)]


@pytest.mark.contract("Archive: errors")
@pytest.mark.parametrize("wrong, message", [
    ({"password": "no"}, "password authentication failed"),
    ({"database": "nowhere"}, 'database "nowhere" does not exist'),
])
def test_a_server_that_refuses_is_named_and_the_hub_runs(hub_factory, folder, archive, wrong, message):
    url = archive.server.url(wrong.get("database", archive.database), wrong.get("password", "three rows of ten"))
    home_of(folder, url)
    hub = hub_factory(folder)
    line, = hub.logged(message)
    assert "It is tried again" in line and "%20" not in line
    set_state(hub, "sensor.door", "on")
    assert hub.admin.get("/api/states/sensor.door").json()["state"] == "on"


@pytest.mark.contract("Archive: errors")
def test_tables_of_a_newer_hub_are_left_alone(hub_factory, folder, archive):
    archive.rows("CREATE SCHEMA hearth; CREATE TABLE hearth.schema_version(version integer NOT NULL); "
                 "INSERT INTO hearth.schema_version VALUES(99)")
    home_of(folder, archive.url)
    hub = hub_factory(folder)
    hub.logged("A newer hub made the archive's tables: version 99")
    assert archive.rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'hearth'") == [["1"]]


@pytest.mark.contract("Archive: errors")
@pytest.mark.parametrize("value, message", [
    ("mysql://a:secret@b/c", "recorder.archive: expected a URL such as postgresql://"),
    ({"site": "x"}, "recorder.archive: expected a URL such as postgresql://"),
    ({"url": "postgresql://h/d", "keep": "never"}, 'recorder.archive.keep: expected a time such as 8w or 5y, or forever, found "never"'),
    ({"url": "postgresql://h/d", "site": ""}, "site is wrong: expected a name of 1 to 64 characters"),
])
def test_a_wrong_setting_is_named_without_the_password(folder, value, message):
    home_of(folder, value)
    done = command(folder, "check")
    assert done.returncode == 1 and message in done.stderr + done.stdout, done.stderr + done.stdout
    assert "secret" not in done.stderr + done.stdout
