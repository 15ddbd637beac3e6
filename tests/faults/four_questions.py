# SPDX-License-Identifier: Apache-2.0
"""Four questions about a home beside a fault: is anything lost that was acknowledged, is the fault said, does the home heal
when it ends, and does it use no processor while it waits."""

import contextlib
import os
import signal
import time

import httpx
import websocket

from hub_process import wait_until
from websocket_client import WebSocketClient

# Of one core, by all threads: a loop that does not wait takes all of one, and half beside another busy process.
MOST_SHARE = 0.25
ENDED = "the connection ended"
AUTOMATION = {"alias": "Kept", "triggers": [], "actions": []}


def processor_time(pid):
    """Seconds that the process has used, in the kernel, too."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_share(pid, seconds, times=20):
    """Of one core, while nobody asks for anything: the least of so many times, or the first that is small enough, because a home
    has a moment's work if the clock jumps."""
    least = 1.0
    while times > 0 and least >= MOST_SHARE:
        used, began, times = processor_time(pid), time.monotonic(), times - 1
        time.sleep(seconds)
        least = min(least, (processor_time(pid) - used) / (time.monotonic() - began))
    return least


class Home:
    """A hub in which people change things: a state, an area and an automation at a time. What it has acknowledged is kept
    here, what it has refused must have been refused in words."""

    def __init__(self, hub_factory, machine=None, **changes):
        self.factory = hub_factory
        self.folder = hub_factory.folder(recorder={"commit_interval": "0s"}, **changes)
        self.hub = hub_factory.start_to_kill(self.folder, environment=machine.environment if machine else None)
        self.client = self.hub.client("admin")
        self.socket = None
        self.number = 0
        self.state = self.automation = 0
        self.areas = set()
        self.refused = []

    def change(self):
        """True if all of it was acknowledged."""
        self.number += 1
        before = len(self.refused)
        if self._asked("/api/states/test.kept", {"state": str(self.number)}):
            self.state = self.number
        if self._commanded("config/area_registry/create", name=f"Area {self.number}"):
            self.areas.add(f"Area {self.number}")
        if self._asked("/api/config/automation/config/kept", AUTOMATION | {"description": str(self.number)}):
            self.automation = self.number
        assert all(self.refused), self.refused
        return len(self.refused) == before

    def _asked(self, path, body):
        """An answer within 30 seconds, or the end of the connection."""
        try:
            answer = self.client.post(path, json=body, timeout=30)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            self.refused.append(ENDED)
            return False
        if answer.status_code in (200, 201):
            return True
        assert answer.status_code in (400, 500, 503), answer.text
        self.refused.append(answer.json()["message"])
        return False

    def _commanded(self, kind, **fields):
        try:
            if not self.socket:
                self.socket = WebSocketClient(self.hub, self.hub.tokens["admin"], timeout=30)
            answer = self.socket.command(kind, **fields)
        except (OSError, websocket.WebSocketConnectionClosedException, websocket.WebSocketBadStatusException):
            self.socket = None
            self.refused.append(ENDED)
            return False
        if not answer["success"]:
            self.refused.append(answer["error"]["message"])
        return answer["success"]

    def is_healthy(self):
        return self.change() and self.client.get("/api/core/state").json()["recorder_state"]["recording"]

    def close(self):
        self.client.close()
        if self.socket:
            self.socket.close()

    def check_kept(self):
        """Kills the hub, and looks at what another one finds."""
        self.close()
        self.hub.close_clients()
        self.hub.send_signal(signal.SIGKILL)
        self.hub.wait_ended()
        found = self.factory.start(self.folder)
        assert int(found.admin.get("/api/states/test.kept").json()["state"]) >= self.state
        kept = found.admin.get("/api/config/automation/config/kept").json()
        assert int(kept["description"]) >= self.automation
        with WebSocketClient(found, found.tokens["admin"]) as socket:
            names = {area["name"] for area in socket.result("config/area_registry/list")}
        assert self.areas <= names, self.areas - names
        # Of all times: what was recorded while the clock was wrong keeps the times that it had.
        asked = "/api/history/period/2010-01-01T00:00:00%2B00:00?end_time=2045-01-01T00:00:00%2B00:00&filter_entity_id=test.kept"
        history = found.admin.get(asked).json()
        assert str(self.state) in [state["state"] for one in history for state in one]
        return found


def ask(home, fault, said=None, changes=3, waits=1.5, healed_within=40, healed_when=lambda home: True):
    """The four questions. `fault` lasts as long as the context; it may yield a function that says how often it struck. `said` is
    text of the log, or a function of the home that is true once it is said; `healed_when` is true once it has healed."""
    with contextlib.closing(home):
        assert home.change()
        assert home.refused == []
        with fault as times:
            for _ in range(changes):
                home.change()
            if callable(said):
                wait_until(lambda: said(home), 30)
            elif said:
                home.hub.logged(said, 30)
            share = processor_share(home.hub.process.pid, waits)
            assert times is None or times() > 0, "the fault did not happen"
        assert share < MOST_SHARE, f"{share:.0%} of a core while the home waits"

        def healed():
            try:
                return home.is_healthy() and healed_when(home)
            except httpx.TransportError:
                return False

        wait_until(healed, healed_within, 0.2)
        assert home.hub.process.poll() is None
        return home.check_kept()
