# SPDX-License-Identifier: Apache-2.0
"""Making, restoring and reading backups."""

import hashlib
import io
import subprocess
import tarfile

from checks import assert_json, survives_a_start
from hub_process import command
from websocket_client import WebSocketClient


def one_line(done, code=1):
    """The message of a failed command: one line."""
    assert done.returncode == code and done.stdout == "", done
    assert done.stderr.startswith("hearth: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr[8:-1]


def backup(folder, file, *options, **more):
    done = command(folder, "backup", str(file), *options, **more)
    assert done.returncode == 0, done.stderr
    return done


def restore(folder, file, *options, **more):
    done = command(folder, "restore", str(file), *options, **more)
    assert done.returncode == 0, done.stderr
    return done


def areas(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return {area["name"]: area["floor_id"] for area in client.result("config/area_registry/list")}


def states(hub):
    """All states that a start does not change."""
    return {state["entity_id"]: state for state in assert_json(hub.admin.get("/api/states")) if survives_a_start(state)}


def listing(folder):
    """Every name below the folder, and the SHA-256 of each file."""
    return {str(path.relative_to(folder)): path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))}


def members(file):
    """The archive as other programs read it."""
    tar = subprocess.run(["zstd", "-dc", str(file)], capture_output=True, check=True).stdout
    return tarfile.open(fileobj=io.BytesIO(tar))
