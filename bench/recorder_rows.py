# SPDX-License-Identifier: Apache-2.0
"""Cost and delays of the recorder. README.md describes each row."""

import json
import multiprocessing
import os
import random
import sqlite3
import statistics
import subprocess
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

import client
from programs import Failure, cpu_seconds, thread_seconds
from rows import ENTITY_BYTES, LISTED_STATES, MIB, NOT_KEPT, STARTS, Row, check_filled, fill

RATE = 20_000
CHANGING = 1_000  # entities, at that rate
KEPT = "recorder:\n  keep: 10d\n"
FOREVER = "recorder:\n  keep: forever\n"

SLOW, EVERY, MINUTES = 200, 10.0, 1

DAYS, RECORDED = 365, 10_000_000
QUESTIONS = 500
YEARS = 100


def table():
    return {
        row.name: row
        for row in [
            Row("changes", "20,000 changes/s by REST, CPU for each above `keep: never`", unit="µs", target=5),
            Row("writes", "the same, from when a write is due to its answer, 99th percentile ÷ `keep: never`", target=1.2),
            Row("written", "200 sensors, each every 10 s: bytes written for each change ÷ SQLite, a row in its own transaction",
                target=0.1),
            Row("rest", "10 million changes: bytes of history at rest for each, packed", unit="B", target=6),
            Row("day", "10 million changes: a day of one entity, 99th percentile", unit="ms", target=20),
            Row("year", "10 million changes: a year of hourly statistics, 99th percentile", unit="ms", target=50),
            Row("crashed", "ready after exec, 10,000 entities restored after SIGKILL", unit="ms", target=150),
        ]
    }


def percentile(times, part):
    return sorted(times)[int(part * (len(times) - 1))]


# ---- many changes


class Side:
    """A hub, and what has been written to it."""

    def __init__(self, bench, name, settings):
        self.bench = bench
        self.hub = bench.hub(name, pinned=False, settings=settings)
        self.written = 0

    def load(self):
        """Returns the CPU seconds for each change, those of the recorder's thread, and median, 99th percentile and longest
        delay in milliseconds."""
        before, own = cpu_seconds(self.hub.pids), thread_seconds(self.hub.program.pid, "recorder")
        output = self.bench.programs.run(self.bench.tools / "changes", self.hub.port, self.hub.token, CHANGING, RATE,
                                         self.bench.seconds, self.written, timeout=self.bench.seconds + 60, pinned=False)
        changes, taken, *delays = map(float, output.split())
        self.written += int(changes)
        if taken > self.bench.seconds + 1:
            raise Failure(f"{changes:,.0f} changes took {taken:.1f} s: this machine does not make {RATE:,} a second")
        time.sleep(1.5)  # the last changes are committed within a second, and belong to this account
        spent = cpu_seconds(self.hub.pids) - before
        return spent / changes, (thread_seconds(self.hub.program.pid, "recorder") - own) / changes, delays

    def lost(self):
        """How many acknowledged changes history does not have, each in its place."""
        start = quote((datetime.now(timezone.utc) - timedelta(hours=12)).isoformat())
        end = quote((datetime.now(timezone.utc) + timedelta(hours=1)).isoformat())
        lost = 0
        for entity in range(CHANGING):
            path = (f"/api/history/period/{start}?end_time={end}&filter_entity_id=sensor.change_{entity}"
                    "&minimal_response&no_attributes")
            status, _, body = client.get(self.hub.port, path, self.hub.headers())
            if status != 200:
                raise Failure(f"GET {path} was answered {status}")
            answer = json.loads(body)
            kept = [row["state"] for row in answer[0]] if answer else []
            count = len(range(entity, self.written, CHANGING))
            if kept != [f"{n // 10}.{n % 10}" for n in range(count)]:
                lost += max(1, count - len(kept))
        return lost


def measure_changes(bench, rows):
    kept, not_kept = Side(bench, "kept", KEPT), Side(bench, "not-kept", NOT_KEPT)
    for side in kept, not_kept:
        side.load()  # the entities exist, and caches and logs are as in the middle of the day
    samples = bench.interleave({"kept": kept.load, "not kept": not_kept.load})
    if lost := kept.lost():
        raise Failure(f"of {kept.written:,} acknowledged changes history lacks {lost:,}")
    pairs = list(zip(samples["kept"], samples["not kept"]))
    if row := rows.get("changes"):
        row.values = [(ours[0] - theirs[0]) * 1e6 for ours, theirs in pairs]
        row.ours, row.rival = (f"{statistics.median(sample[0] for sample in samples[name]) * 1e6:.2f} µs" for name in samples)
        row.note = ("all of {:,} changes are in history; of the CPU the recorder's thread has {:.2f} and {:.2f} µs; "
                    "{:.1f} MiB resident at the end").format(
            kept.written, *(statistics.median(sample[1] for sample in samples[name]) * 1e6 for name in samples),
            kept.hub.memory()[0] / MIB)
    if row := rows.get("writes"):
        row.values = [ours[2][1] / theirs[2][1] for ours, theirs in pairs]
        row.ours, row.rival = (f"{statistics.median(sample[2][1] for sample in samples[name]):.2f} ms" for name in samples)
        row.note = "medians {:.3f} and {:.3f} ms, longest {:.1f} and {:.1f} ms".format(
            *(statistics.median(sample[2][0] for sample in samples[name]) for name in samples),
            *(max(sample[2][2] for sample in samples[name]) for name in samples))
    for side in kept, not_kept:
        side.hub.stop()


# ---- bytes written


def written(pid):
    for line in open(f"/proc/{pid}/io"):
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    raise Failure("this system does not count what a process writes")


def write_rows(file, index, ready, orders, answers):
    """A row for each change, each in its own transaction: what a simple recorder does."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("CREATE TABLE states(id INTEGER PRIMARY KEY, entity INTEGER, time INTEGER, state TEXT, context TEXT)")
    if index:
        database.execute("CREATE INDEX states_entity_time ON states(entity, time)")
    start = written(os.getpid())
    ready.set()
    for change in iter(orders.get, None):
        database.execute("INSERT INTO states(entity, time, state, context) VALUES(?, ?, ?, ?)", change)
    answers.put(written(os.getpid()) - start)


class RowWriter:
    def __init__(self, file, index):
        ready, self.orders, self.answers = multiprocessing.Event(), multiprocessing.Queue(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=write_rows, args=(file, index, ready, self.orders, self.answers),
                                               daemon=True)
        self.process.start()
        ready.wait()

    def bytes(self):
        self.orders.put(None)
        answer = self.answers.get()
        self.process.join()
        return answer


def measure_written(bench, rows):
    hub = bench.hub("written", pinned=False, settings=KEPT)
    rivals = [RowWriter(bench.programs.folder / f"rows-{index}.db", index) for index in (True, False)]
    values = [random.gauss(21, 3) for _ in range(SLOW)]

    def request(number):
        body = json.dumps({"state": f"{values[number]:.1f}", "force_update": True, "attributes": {
            "unit_of_measurement": "°C", "friendly_name": f"Thermometer {number}", "state_class": "measurement"}})
        return client.request_text("POST", f"/api/states/sensor.slow_{number}", hub.headers(), body)

    with client.Connection(hub.port) as connection:
        for number in range(SLOW):  # the first time each entity and its attributes are new
            connection.ask(request(number))
        time.sleep(3)
        start, changes, began = written(hub.program.pid), 0, time.monotonic()
        while (now := time.monotonic()) - began < MINUTES * 60:
            number = changes % SLOW
            due = began + changes * EVERY / SLOW
            if due > now:
                time.sleep(due - now)
            values[number] += random.choice((-0.1, 0.1))
            if connection.ask(request(number))[0] != 200:
                raise Failure("a change was refused")
            for rival in rivals:
                rival.orders.put((number, time.time_ns() // 1000, f"{values[number]:.1f}", "01ARZ3NDEKTSV4RRFFQ69G5FAV"))
            changes += 1
    time.sleep(2)
    ours = written(hub.program.pid) - start
    theirs, bare = (rival.bytes() for rival in rivals)
    row = rows["written"]
    row.values = [ours / theirs]
    row.ours, row.rival = (f"{count / changes:,.0f} B" for count in (ours, theirs))
    row.note = (f"without its index on entity and time the rival writes {bare / changes:,.0f} B, ratio {ours / bare:.3f}; "
                f"{changes:,} changes")
    hub.stop()


# ---- a long history


def ask_days(hub, sensors):
    """Milliseconds for a day of one entity, both chosen at random, and the longest answer in bytes."""
    times, longest = [], 0
    now = datetime.now(timezone.utc)
    with client.Connection(hub.port) as connection:
        for _ in range(QUESTIONS):
            start = now - timedelta(days=random.uniform(2, DAYS - 1))
            path = (f"/api/history/period/{quote(start.isoformat())}?end_time={quote((start + timedelta(days=1)).isoformat())}"
                    f"&filter_entity_id={random.choice(sensors)}")
            text = client.request_text("GET", path, hub.headers())
            before = time.perf_counter()
            status, body = connection.ask(text)
            times.append((time.perf_counter() - before) * 1e3)
            longest = max(longest, len(body))
            if status != 200 or not json.loads(body):
                raise Failure(f"GET {path} was answered {status} {body[:200]}")
    return times, longest


def ask_years(hub, sensors):
    times = []
    now = datetime.now(timezone.utc)
    with client.WebSocket(hub.port, hub.token) as socket:
        for number in range(YEARS):
            sensor = random.choice(sensors)
            before = time.perf_counter()
            answer = socket.ask({"type": "recorder/statistics_during_period", "statistic_ids": [sensor], "period": "hour",
                                 "start_time": (now - timedelta(days=DAYS)).isoformat(), "end_time": now.isoformat()})
            times.append((time.perf_counter() - before) * 1e3)
            hours = json.loads(answer)["result"].get(sensor, [])
            if len(hours) < (DAYS - 2) * 24:
                raise Failure(f"a year of {sensor} has {len(hours)} hours")
    return times


def measure_history(bench, rows):
    hub = bench.hub("history", pinned=False, settings=FOREVER, start=False)
    output = bench.programs.run(bench.tools / "write_history", hub.folder, DAYS, RECORDED, timeout=1800, pinned=False)
    changes, packed, size = map(int, output.split())
    whole = (hub.folder / "history.db").stat().st_size
    if row := rows.get("rest"):
        row.values = [size / packed]
        row.ours = f"{row.median:.2f} B"
        row.note = (f"{changes:,} changes; the whole file, with its statistics of five minutes, is {whole / MIB:,.0f} MiB, "
                    f"{whole / changes:.1f} B for each")
    hub.start()
    states = json.loads(client.get(hub.port, "/api/states", hub.headers())[2])
    sensors = [state["entity_id"] for state in states if state["entity_id"].startswith("sensor.every_")]
    if row := rows.get("day"):
        by_kind = {}
        for kind in "every_1_", "every_10_", "every_60_":
            by_kind[kind], longest = ask_days(hub, [sensor for sensor in sensors if kind in sensor])
        times = sum(by_kind.values(), [])
        row.values = [percentile(times, 0.99)]
        row.ours = f"{row.median:.1f} ms"
        row.note = "median {:.1f} ms; those that report each minute {:.1f} ms, at worst {:.1f}; {} sensors, {:.1f} MiB resident".format(
            statistics.median(times), statistics.median(by_kind["every_1_"]), max(times), len(sensors), hub.memory()[0] / MIB)
    if row := rows.get("year"):
        times = ask_years(hub, sensors)
        row.values = [percentile(times, 0.99)]
        row.ours = f"{row.median:.1f} ms"
        row.note = f"median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms"
    hub.stop()


# ---- after a crash


def measure_crashed(bench, rows):
    row = rows["crashed"]
    hub = bench.hub("crashed", pinned=False, settings=KEPT)
    fill(hub, LISTED_STATES, ENTITY_BYTES)
    for _ in range(STARTS):
        # As much as the log holds before it is packed: all of it must be read back.
        subprocess.run([bench.tools / "changes", str(hub.port), hub.token, str(CHANGING), str(RATE), "1", "0"], check=True,
                       capture_output=True)
        time.sleep(1.5)
        hub.kill()
        row.values.append(hub.start() * 1000)
    check_filled(hub, LISTED_STATES)
    row.ours = f"{row.median:.1f} ms"
    hub.stop()


GROUPS = [
    ({"changes", "writes"}, measure_changes),
    ({"written"}, measure_written),
    ({"rest", "day", "year"}, measure_history),
    ({"crashed"}, measure_crashed),
]
