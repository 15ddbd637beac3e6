# SPDX-License-Identifier: Apache-2.0
"""Limits for one client: states, events, filters, commands and subscriptions."""

import contextlib
import json
import os
import re
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from checks import assert_json, assert_message, assert_state, set_state
from hub_process import wait_until
from websocket_client import WebSocketClient

KIB = 1024
LONG_GLOBS = [f"*a*a*a*a*ab{n}" for n in range(100_000)]


def attributes(size):
    """Attributes of that many bytes as JSON."""
    return {"x": "x" * (size - len('{"x":""}'))}


def others_are_served(hub, ended):
    """Counts how often another client is answered until the end."""
    count = 0
    with hub.client("ann") as client:
        while not ended.is_set() or count == 0:
            assert client.get("/api/").status_code == 200
            count += 1
    return count


@pytest.mark.contract("Weight, and strangers: attributes of a state")
def test_attributes_of_a_state_have_a_limit(hub):
    set_state(hub, "weight.attributes", "1", attributes(256 * KIB))
    refused = hub.ann.post("/api/states/weight.attributes", json={"state": "2", "attributes": attributes(256 * KIB + 1)})
    assert "attributes_size" in assert_message(refused, 400)
    assert assert_state(assert_json(hub.ann.get("/api/states/weight.attributes")))["state"] == "1"
    assert hub.ann.delete("/api/states/weight.attributes").status_code == 200


@pytest.mark.contract("Weight, and strangers: attributes of a state")
def test_data_of_an_event_have_a_limit(hub):
    assert hub.admin.post("/api/events/weight", json=attributes(KIB * KIB)).status_code == 200
    assert "event_data_size" in assert_message(hub.admin.post("/api/events/weight", json=attributes(KIB * KIB + 1)), 400)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("fire_event", event_type="weight", event_data=attributes(KIB * KIB))
        code, message = client.error("fire_event", event_type="weight", event_data=attributes(KIB * KIB + 1))
        assert code == "invalid_format" and "event_data_size" in message


@pytest.mark.contract("Weight, and strangers: attributes of a state")
def test_all_states_together_have_a_limit(hub_factory):
    hub = hub_factory.start(demo=None, limits={"states_size": "1MiB", "entities": 100})
    for number in range(5):
        set_state(hub, f"weight.large{number}", "1", attributes(200 * KIB))
    refused = hub.ann.post("/api/states/weight.large5", json={"state": "1", "attributes": attributes(200 * KIB)})
    assert "states_size" in assert_message(refused, 507)
    assert_message(hub.ann.get("/api/states/weight.large5"), 404)
    set_state(hub, "weight.large0", "2", attributes(100 * KIB))
    set_state(hub, "weight.large5", "1", attributes(90 * KIB))
    assert "states_size" in assert_message(
        hub.ann.post("/api/states/weight.large0", json={"state": "2", "attributes": attributes(200 * KIB)}), 507)

    missing = 100 - len(hub.ann.get("/api/states").json())
    for number in range(missing):
        set_state(hub, f"weight.small{number}", "1")
    assert "entities" in assert_message(hub.ann.post("/api/states/weight.more", json={"state": "1"}), 507)
    set_state(hub, "weight.small0", "2")
    assert hub.ann.delete("/api/states/weight.small1").status_code == 200
    set_state(hub, "weight.more", "1")


@pytest.mark.contract("Weight, and strangers: attributes of a state")
def test_states_beyond_the_limit_are_skipped_at_the_start_and_not_lost(hub_factory):
    folder = hub_factory.folder(demo=None)
    hub = hub_factory.start(folder)
    for number in range(10):
        set_state(hub, f"weight.large{number}", "1", attributes(200 * KIB))
    hub.stop()

    def restart(**limits):
        settings = (folder / "configuration.yaml").read_text(encoding="utf-8").split("limits:")[0]
        (folder / "configuration.yaml").write_text(f"{settings}limits: {json.dumps(limits)}\n", encoding="utf-8")
        started = hub_factory.start(folder)
        ids = {state["entity_id"] for state in started.ann.get("/api/states").json()}
        return started, [number for number in range(10) if f"weight.large{number}" in ids]

    hub, restored = restart(states_size="1MiB")
    assert restored == [5, 6, 7, 8, 9]
    said = hub.logged("are not restored")
    assert len(said) == 1 and "5 entities" in said[0] and "states_size" in said[0] and "weight.large0" in said[0]
    hub.stop()
    hub, restored = restart(states_size="512MiB")
    assert restored == list(range(10))


@pytest.mark.contract("Weight, and strangers: filters")
def test_globs_have_a_limit(hub):
    set_state(hub, "weight.globbed", "1")
    with WebSocketClient(hub, hub.tokens["display"], timeout=20) as client:
        for globs, limit in ((LONG_GLOBS, "filter_globs"), (["*" * 9], "glob_stars"), (["a" * 256], "glob_length")):
            code, message = client.error("subscribe_entities", include={"entity_globs": globs})
            assert code == "invalid_format" and limit in message
        client.result("subscribe_entities", include={"entity_globs": ["*a*a*a*a*a*a*a*" + "a" * 200 + str(n)
                                                                      for n in range(100)]})
        assert client.event(client.last_id) == {"a": {}}
        client.result("subscribe_entities", include={"entity_globs": ["weight.glob?[a-e]d"] * 100_000})
        assert list(client.event(client.last_id)["a"]) == ["weight.globbed"]


@pytest.mark.contract("Weight, and strangers: filters")
def test_lists_of_ids_have_a_limit_that_ignores_duplicates(hub):
    many = [f"light.n{number}" for number in range(10_001)]
    again = ["weight.named"] * 100_000
    start = "2026-01-01T00:00:00Z"
    with WebSocketClient(hub, hub.tokens["display"], timeout=20) as client:
        for command, key, fields in (
            ("subscribe_entities", "entity_ids", {}),
            ("history/history_during_period", "entity_ids", {"start_time": start}),
            ("logbook/get_events", "entity_ids", {"start_time": start}),
            ("logbook/get_events", "device_ids", {"start_time": start}),
            ("recorder/statistics_during_period", "statistic_ids", {"start_time": start, "period": "hour"}),
        ):
            code, message = client.error(command, **{key: many}, **fields)
            assert code == "invalid_format" and "filter_entries" in message, command
            result = client.result(command, **{key: again}, **fields)
            assert len(json.dumps(result)) < 100_000, command
        code, message = client.error("subscribe_entities", exclude={"entities": many})
        assert code == "invalid_format" and "filter_entries" in message
    refused = hub.ann.post("/api/services/light/turn_on", json={"entity_id": many})
    assert "filter_entries" in assert_message(refused, 400)
    assert assert_json(hub.ann.post("/api/services/light/turn_on", json={"entity_id": ["light.nobody"] * 20_000})) == []


@pytest.mark.contract("Weight, and strangers: commands in one frame")
@pytest.mark.unsanitized
def test_array_of_commands_counts_each_and_lets_others_have_their_turn(hub):
    count = 20_000
    with WebSocketClient(hub, hub.tokens["display"], timeout=30) as client:
        ended = threading.Event()
        served = []
        others = [threading.Thread(target=lambda: served.append(others_are_served(hub, ended))) for _ in range(4)]
        for other in others:
            other.start()
        client.send([{"id": number, "type": "get_services"} for number in range(1, count + 1)])
        answers = [client.receive() for _ in range(count)]
        ended.set()
        for other in others:
            other.join()
        assert [answer["id"] for answer in answers] == list(range(1, count + 1))
        assert all(answer["success"] for answer in answers[:512])
        assert not any(answer["success"] for answer in answers[512:])
        assert "commands" in answers[-1]["error"]["message"]
        assert len(served) == 4
        client.last_id = count
        assert client.result("get_services")


@pytest.mark.contract("Weight, and strangers: subscriptions")
def test_subscriptions_have_a_limit(hub):
    with WebSocketClient(hub, hub.tokens["display"], timeout=20) as client:
        for _ in range(1_024):
            client.result("subscribe_entities", entity_ids=[])
        code, message = client.error("subscribe_entities", entity_ids=[])
        assert code == "home_assistant_error" and "1024" in message and "subscriptions" in message
        code, message = client.error("subscribe_events", event_type="state_changed")
        assert code == "home_assistant_error" and "subscriptions" in message


@pytest.mark.contract("Weight, and strangers: subscriptions")
def test_filters_of_all_subscriptions_together_have_a_limit(hub):
    ids = [f"weight.{'x' * 150}{number}" for number in range(6_000)]
    with WebSocketClient(hub, hub.tokens["display"], timeout=20) as client:
        for _ in range(3):
            client.result("subscribe_entities", entity_ids=ids)
            assert client.event(client.last_id) == {"a": {}}
        for command in ("subscribe_entities", "history/stream"):
            code, message = client.error(command, entity_ids=ids, **({"start_time": "2026-01-01"} if "/" in command else {}))
            assert code == "home_assistant_error" and "filters_size" in message
        client.result("unsubscribe_events", subscription=1)
        client.result("subscribe_entities", entity_ids=ids)


@pytest.mark.contract("Weight, and strangers: subscriptions")
def test_large_change_reaches_many_filtered_subscriptions(hub):
    large = attributes(120_000)
    set_state(hub, "weight.watched", "1", large | {"n": 1})
    each = 100
    with WebSocketClient(hub, hub.tokens["display"], timeout=20) as one, \
            WebSocketClient(hub, hub.tokens["ann"], timeout=20) as other:
        for client in (one, other):
            for _ in range(each):
                client.result("subscribe_entities", entity_ids=["weight.watched"])
                assert client.event(client.last_id)["a"]["weight.watched"]["a"]["n"] == 1
        set_state(hub, "weight.watched", "1", large | {"n": 2})
        for client in (one, other):
            for subscription in range(1, each + 1):
                change = client.event(subscription)["c"]["weight.watched"]["+"]
                assert change["a"] == {"n": 2}
    assert wait_until(lambda: hub.listener_counts()["state_changed"] < each)
    assert hub.ann.delete("/api/states/weight.watched").status_code == 200


def write_history(folder, entities, changes):
    """Writes that many changes of the last hours to the history of a stopped hub."""
    now = int(time.time() * 1_000_000)
    step = 10 * 3_600 * 1_000_000 // changes
    with contextlib.closing(sqlite3.connect(folder / "history.db")) as database, database:
        database.execute("INSERT INTO attribute_sets VALUES(1000000, '{}')")
        first = database.execute("SELECT coalesce(max(id), 0) + 1 FROM entities").fetchone()[0]
        last = database.execute("SELECT coalesce(max(id), 0) FROM changes").fetchone()[0]
        database.executemany("INSERT INTO entities VALUES(?, ?)",
                             ((first + number, f"weight.history{number}") for number in range(entities)))
        database.executemany(
            "INSERT INTO changes VALUES(?, ?, ?, NULL, ?, 1000000, ?, NULL, NULL)",
            ((last + number + 1, first + number % entities, now - (changes - number) * step, str(number),
              f"01M{number:023d}") for number in range(changes)))


def log_size(folder):
    with contextlib.closing(sqlite3.connect(f"file:{folder}/history.db?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM changes").fetchone()[0]


def resident(hub):
    """The hub's resident memory in MiB."""
    status = Path(f"/proc/{hub.process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / KIB


@pytest.mark.contract("Weight, and strangers: long answers")
@pytest.mark.unsanitized
def test_long_logbooks_asked_at_once_take_little_memory_and_return_it(hub_factory):
    changes = 120_000
    folder = hub_factory.folder(demo=None)
    hub_factory.start(folder).stop()
    write_history(folder, 300, changes)
    hub = hub_factory.start(folder)
    wait_until(lambda: log_size(folder) < 32_768, 60, 0.2)  # packed
    assert_json(hub.ann.get("/api/logbook?entity=weight.history1"))
    wait_until(lambda: resident(hub) > 0)
    before = resident(hub)
    ended = threading.Event()

    def ask():
        states, entry = 0, b'"entity_id":"weight.'
        with hub.client("ann") as client, client.stream("GET", "/api/logbook", timeout=120) as answer:
            assert answer.status_code == 200
            rest = b""
            for piece in answer.iter_bytes():
                states += (rest + piece).count(entry)
                rest = piece[1 - len(entry):]
        return states

    with ThreadPoolExecutor(9) as pool:
        other = pool.submit(others_are_served, hub, ended)
        questions = [pool.submit(ask) for _ in range(8)]
        most = before
        while not all(question.done() for question in questions):
            most = max(most, resident(hub))
            time.sleep(0.02)
        ended.set()
        assert [question.result() for question in questions] == [changes] * 8
        assert other.result() > 0
    assert most - before < 64
    wait_until(lambda: resident(hub) - before < 16, 30)


@pytest.mark.contract("Weight, and strangers: long answers")
def test_more_questions_than_places_wait_their_turn(hub_factory):
    folder = hub_factory.folder(demo=None, limits={"questions": 2})
    hub_factory.start(folder).stop()
    write_history(folder, 100, 40_000)
    hub = hub_factory.start(folder)
    wait_until(lambda: log_size(folder) < 32_768, 60, 0.2)
    head = ["GET /api/logbook HTTP/1.1", "Host: h", hub.bearer("ann")]
    held = [hub.connect(receive_buffer=4096) for _ in range(2)]
    for connection in held:  # each takes a place and reads only the head
        connection.socket.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        assert connection.socket.recv(15).startswith(b"HTTP/1.1 200 OK")
    # Another waits until one of these has not read for ten seconds.
    answer = hub.ann.get("/api/history/period?filter_entity_id=weight.history1", timeout=40)
    assert len(assert_json(answer)[0]) == 400
    for connection in held:
        connection.socket.close()
    assert len(assert_json(hub.ann.get("/api/logbook?entity=weight.history1"))) == 400


@pytest.mark.contract("Weight, and strangers: spans of time")
def test_spans_of_millennia_are_cut_to_what_is_kept(hub_factory):
    folder = hub_factory.folder(demo=None)
    hub_factory.start(folder).stop()
    write_history(folder, 300, 3_000)
    hub = hub_factory.start(folder)
    ids = [f"weight.history{number}" for number in range(300)]
    span = {"start_time": "1000-01-01T00:00:00Z", "end_time": "9999-12-31T00:00:00Z"}

    def processor():
        return sum(map(int, Path(f"/proc/{hub.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]))

    with WebSocketClient(hub, hub.tokens["display"], timeout=30) as client:
        before = processor()
        statistics = client.result("recorder/statistics_during_period", statistic_ids=ids, period="hour", **span)
        history = client.result("history/history_during_period", entity_ids=ids, **span)
        logbook = client.result("logbook/get_events", entity_ids=ids, **span)
        used = (processor() - before) / os.sysconf("SC_CLK_TCK")
    assert statistics == {} or set(statistics) <= set(ids)
    assert len(history) == 300 and sum(len(rows) for rows in history.values()) == 3_000
    assert len(logbook) == 3_000
    assert used < 20  # seconds of CPU time; day by day it would take minutes


@pytest.mark.contract("Weight, and strangers: long answers")
@pytest.mark.unsanitized
def test_states_that_many_sockets_request_but_do_not_read_take_little_memory(hub_factory):
    hub = hub_factory.start(demo=None)

    def written(entity_ids):
        return sum(entity_id.startswith("weight.n") for entity_id in entity_ids)

    body = json.dumps({"state": "1", "attributes": attributes(4_000)})
    for number in range(2_000):
        assert hub.ann.post(f"/api/states/weight.n{number}", content=body).status_code == 201
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(WebSocketClient(hub, hub.tokens["display"], timeout=30)) for _ in range(20)]
        clients[0].result("get_states")
        before = resident(hub)
        for client in clients:  # eight megabytes each
            client.send({"id": 2, "type": "get_states"})
            client.send({"id": 3, "type": "subscribe_entities"})
        with hub.client("ann") as other:
            for _ in range(50):
                assert other.get("/api/").status_code == 200
        assert resident(hub) - before < 32
        for client in clients[1:4]:
            assert written(state["entity_id"] for state in client.receive()["result"]) == 2_000
            assert client.receive()["id"] == 3
            assert written(client.receive()["event"]["a"]) == 2_000
