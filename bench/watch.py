# SPDX-License-Identifier: Apache-2.0
"""Observes a running hub for soak and strangers: memory, descriptors, threads, and times of answers."""

import os
import socket
import struct
from pathlib import Path

import client

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20


def binary():
    """$HEARTH_BINARY, otherwise the release."""
    found = Path(os.environ.get("HEARTH_BINARY") or ROOT / "build/release/hearth").absolute()
    if not found.is_file():
        raise SystemExit(f"{found} is not there: build the release, or name a binary in $HEARTH_BINARY")
    return found


def resident(pid):
    """Bytes of resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def percentile(values, part):
    """Of a list that is not empty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def median(values):
    return percentile(values, 0.5)


def milliseconds(seconds):
    return f"{seconds * 1e3:.2f}"


def break_off(connection):
    """Closes a socket as a client that is killed does: with a reset."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    connection.close()


class Stream(client.Connection):
    """An open event stream, whose first ping has come."""

    def __init__(self, port, headers):
        super().__init__(port)
        self.socket.sendall(client.request_text("GET", "/api/stream", headers))
        head = self.take_until(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())
        self.take_until(b"data: ping")


def step_aside():
    """Load generators run at the lowest priority, so that their own CPU time does not count against the hub."""
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.nice(19)
