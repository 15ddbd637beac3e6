# SPDX-License-Identifier: Apache-2.0
"""Four weeks of history, in place of what a hub that does not run has: the hall light soon after the front door opened in the
dark, the living room's blind half an hour after sunset, and a motion sensor that means nothing. Also a program: `made_history.py FOLDER`."""

import datetime
import random
import sqlite3
import sys
from pathlib import Path

from sunlight import sunrise_and_sunset

DAYS = 28
HOUR = 3_600_000_000  # microseconds


class MadeHistory:
    def __init__(self, folder):
        self.database = sqlite3.connect(Path(folder) / "history.db")
        self.random = random.Random(7)
        self.rows = []
        midnight = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        self.first = int((midnight - datetime.timedelta(days=DAYS)).timestamp() * 1_000_000)

    def at(self, day, hour):
        return self.first + int((24 * day + hour) * HOUR)

    def sunset(self, day):
        """The hour at 52.5° north and 13.4° east, within some minutes."""
        date = datetime.datetime.fromtimestamp(self.at(day, 12) / 1_000_000, datetime.timezone.utc)
        return sunrise_and_sunset(date)[1]

    def set(self, entity_id, time, value, context=None, parent=None):
        self.rows.append((entity_id, time, value, context or f"{len(self.rows):026d}", parent))

    def blink(self, entity_id, time, seconds, **context):
        self.set(entity_id, time, "on", **context)
        self.set(entity_id, time + int(seconds * 1_000_000), "off", **context)

    def plant(self):
        uniform = self.random.uniform
        for day in range(DAYS):
            sunset = self.sunset(day)
            self.set("cover.living_room_blind", self.at(day, uniform(8, 11)), "open")
            self.set("cover.living_room_blind", self.at(day, sunset + 0.5 + uniform(0, 0.2)), "closed")
            sunrise = 24 - 2 * 13.4 / 15 - sunset  # but for the equation of time
            dark = (22.2, 23.1, 24.3)  # also in summer
            for hour in (sunrise + 1, 11, 13, sunset - 2, *dark):
                opened = self.at(day, hour + uniform(0, 0.6))
                self.blink("binary_sensor.front_door", opened, 20)
                if hour in dark and uniform(0, 1) < 0.9:
                    self.blink("light.hall", opened + int(uniform(5, 30) * 1_000_000), 400)
                # An automation does this.
                self.blink("light.kitchen", opened + 8_000_000, 300, parent="0" * 26)
            for _ in range(60):
                self.blink("binary_sensor.hall_motion", self.at(day, uniform(6, 23)), 30)

    def write(self):
        with self.database:
            (last,) = self.database.execute("SELECT coalesce(max(id), 0) FROM changes").fetchone()
            for table in ("changes", "segments", "events"):
                self.database.execute(f"DELETE FROM {table}")
            ids = {}
            for entity_id in sorted({row[0] for row in self.rows}):
                self.database.execute("INSERT OR IGNORE INTO entities(entity_id) VALUES(?)", (entity_id,))
                (ids[entity_id],) = self.database.execute("SELECT id FROM entities WHERE entity_id = ?", (entity_id,)).fetchone()
            rows = sorted(self.rows, key=lambda row: row[1])
            self.database.executemany(
                "INSERT INTO changes(id, entity, updated, value, context_id, parent_id) VALUES(?, ?, ?, ?, ?, ?)",
                [(last + 1 + number, ids[entity_id], *rest) for number, (entity_id, *rest) in enumerate(rows)])
        self.database.close()


def make_history(folder):
    made = MadeHistory(folder)
    made.plant()
    made.write()


if __name__ == "__main__":
    make_history(sys.argv[1])
