# SPDX-License-Identifier: Apache-2.0
"""A hub under test that is connected to a made hub, as pages see it."""

import sqlite3
import uuid

from hub_process import wait_until

ENTRY = "/api/config/config_entries/entry"


def own_uuid(folder):
    """Another one than that of the folder that it is a copy of."""
    with sqlite3.connect(folder / "home.db") as database:
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'home'").fetchone():
            database.execute("UPDATE home SET uuid = ?", (uuid.uuid4().hex,))
    database.close()
    return folder


class BridgeHome:
    def __init__(self, hub):
        self.hub = hub

    def entry(self):
        [entry] = [one for one in self.hub.admin.get(ENTRY).json() if one["domain"] == "home_assistant"]
        return entry

    def status(self):
        """What the connection knows of itself: `state`, `version`, `connections`, `losses`, `last_error` and so on."""
        return self.hub.admin.get(f"/api/diagnostics/config_entry/{self.entry()['entry_id']}").json()["data"]

    def becomes(self, state, timeout=20):
        """Waits until the connection is `connected`, `starting`, `lost`, `refused`; returns its status."""
        return wait_until(lambda: (found := self.status())["state"] == state and found, timeout)

    def reload(self):
        answer = self.hub.admin.post(f"{ENTRY}/{self.entry()['entry_id']}/reload")
        assert answer.status_code == 200, answer.text

    def connect(self, timeout=20):
        """Connects anew at once, whatever the pause; returns the status."""
        self.reload()
        return self.becomes("connected", timeout)

    def fails_with(self, text, timeout=20):
        """Waits until the last error has that text; returns the status."""
        return wait_until(lambda: text in ((found := self.status())["last_error"] or "") and found, timeout)
