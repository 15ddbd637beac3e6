#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What history costs: bytes on the disk and time to read, beside SQLite with a row for each change in its own transaction.

    bench/recorder.py                       200 entities that change once in ten seconds, for a minute
    bench/recorder.py --minutes 10
    bench/recorder.py --hearth FILE         another binary than build/release/hearth

Both sides are measured at once, each from its own /proc/PID/io, write-ahead log and checkpoints included.
"""

import argparse
import json
import multiprocessing
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/functional"))
import hub_process  # noqa: E402

ENTITIES, EVERY = 200, 10.0


def written(pid):
    for line in Path(f"/proc/{pid}/io").read_text().splitlines():
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    raise SystemExit("this system does not count what a process writes")


def attributes(number):
    return json.dumps({"unit_of_measurement": "°C", "friendly_name": f"Thermometer {number}", "state_class": "measurement"})


def rival(folder, ready, orders, answers):
    """A row for each change, each in its own transaction, with an index on entity and time: what a simple recorder does."""
    database = sqlite3.connect(Path(folder) / "rows.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("CREATE TABLE states(id INTEGER PRIMARY KEY, entity INTEGER, time INTEGER, state TEXT, context TEXT)")
    database.execute("CREATE INDEX states_entity_time ON states(entity, time)")
    start = written(os.getpid())
    ready.set()
    for entity, moment, value in iter(orders.get, None):
        database.execute("INSERT INTO states(entity, time, state, context) VALUES(?, ?, ?, ?)",
                         (entity, moment, value, "01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    answers.put(written(os.getpid()) - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--hearth", type=Path, default=ROOT / "build/release/hearth")
    arguments = parser.parse_args()
    hub_process.BINARY = arguments.hearth.resolve()
    # On a disk: what is written to a file system in memory is not counted.
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER", "/var/tmp")) as folder:
        home = Path(folder) / "home"
        home.mkdir()
        hub_process.write_settings(home, {"recorder": {"commit_interval": "1s"}})
        hub_process.add_user(home, "admin", "--admin")
        hub = hub_process.Hub(home, {"admin": hub_process.create_token(home, "admin", "bench")}).wait_ready()
        ready, orders, answers = multiprocessing.Event(), multiprocessing.Queue(), multiprocessing.Queue()
        other = multiprocessing.Process(target=rival, args=(folder, ready, orders, answers))
        other.start()
        ready.wait()
        values = [random.gauss(21, 3) for _ in range(ENTITIES)]
        for number in range(ENTITIES):  # the first time each entity and its attributes are new
            hub.admin.post(f"/api/states/sensor.t{number}", content=json.dumps(
                {"state": f"{values[number]:.1f}", "attributes": json.loads(attributes(number))}))
        time.sleep(3)
        start, changes, began = written(hub.process.pid), 0, time.monotonic()
        while (now := time.monotonic()) - began < arguments.minutes * 60:
            number = changes % ENTITIES
            due = began + changes * EVERY / ENTITIES
            if due > now:
                time.sleep(due - now)
            values[number] += random.choice((-0.1, 0.1))
            text = f"{values[number]:.1f}"
            hub.admin.post(f"/api/states/sensor.t{number}", content=json.dumps(
                {"state": text, "attributes": json.loads(attributes(number)), "force_update": True}))
            orders.put((number, time.time_ns() // 1000, text))
            changes += 1
        time.sleep(2)
        ours = written(hub.process.pid) - start
        orders.put(None)
        theirs = answers.get()
        other.join()
        print(f"written for each change: {ours / changes:,.0f} bytes; SQLite with a row in its own transaction "
              f"{theirs / changes:,.0f}; ratio {ours / theirs:.3f} (target 0.1), {changes} changes")
        times = []
        for number in range(ENTITIES):
            before = time.perf_counter()
            answer = hub.admin.get(f"/api/history/period?filter_entity_id=sensor.t{number}&minimal_response")
            times.append(time.perf_counter() - before)
            assert answer.status_code == 200 and answer.json()
        print(f"a day of one entity: median {statistics.median(times) * 1e3:.1f} ms, "
              f"99th percentile {sorted(times)[int(len(times) * 0.99)] * 1e3:.1f} ms (target 20)")
        hub.stop()


if __name__ == "__main__":
    main()
