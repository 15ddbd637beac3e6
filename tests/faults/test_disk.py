# SPDX-License-Identifier: Apache-2.0
"""A disk that fails: errors and lack of space, file by file, and writes that take a part only."""

import signal

import pytest

from four_questions import Home, ask
from hub_process import Hub
from worse_machine import WorseMachine

EVERYTHING = "write sync truncate rename mkdir"
NO_SPACE = "No space left on device"


def not_saved(home):
    """A recorder that says that it cannot save."""
    state = home.client.get("/api/core/state").json()["recorder_state"]
    return not state["recording"] and state["last_error"]


def refused(text):
    return lambda home: any(text in message for message in home.refused)


CASES = {
    "states: no space": ("/home.db", "write", "ENOSPC", "home.db cannot be written: the disk is full"),
    "states: write": ("/home.db", "write", "EIO", "home.db cannot be read or written: disk I/O error"),
    "states: sync": ("/home.db", "sync", "EIO", "home.db cannot be read or written: disk I/O error"),
    "history: no space": ("/history.db", "write", "ENOSPC", not_saved),
    "history: write": ("/history.db", "write", "EIO", not_saved),
    "history: sync": ("/history.db", "sync", "EIO", not_saved),
    "audit log: no space": ("/audit.db", "write sync", "ENOSPC", refused("audit")),
    "automations: no space": ("/automations.yaml", "write", "ENOSPC", refused(f"automations.yaml cannot be written: {NO_SPACE}")),
    "automations: sync": ("/automations.yaml", "sync", "EIO", refused("automations.yaml cannot be written: Input/output error")),
    "automations: rename": ("/automations.yaml", "rename", "EIO", refused("automations.yaml cannot be written: Input/output error")),
    "automations: sync of the folder": ("$", "sync", "EIO", refused("automations.yaml cannot be written: Input/output error")),
    "revisions": ("/.revisions", EVERYTHING, "ENOSPC", "could not be kept"),
    "all: no space": ("/", EVERYTHING, "ENOSPC", not_saved),
    "all: errors": ("/", EVERYTHING, "EIO", not_saved),
    "all: short writes": ("/home", "write", "short", None),
}


@pytest.mark.parametrize(("part", "calls", "error", "said"), CASES.values(), ids=CASES)
def test_a_disk_that_fails_loses_nothing(hub_factory, tmp_path, part, calls, error, said):
    machine = WorseMachine(tmp_path, faults=True)
    home = Home(hub_factory, machine)
    where = str(home.folder) + part if part != "/home" else str(home.folder)
    # While the history cannot be written each change waits ten seconds for it.
    ask(home, machine.faults.failing(where, calls, error), said, changes=1 if part == "/history.db" else 3)
    # A short write is finished by another one.
    assert bool(home.refused) == (error != "short" and part != "/.revisions")


@pytest.mark.parametrize(("calls", "error"), [("write", "ENOSPC"), ("write", "EIO"), ("sync", "EIO"), ("rename", "EIO")])
def test_a_backup_that_cannot_be_written_is_said_and_leaves_nothing(hub_factory, tmp_path, calls, error):
    machine = WorseMachine(tmp_path, faults=True)
    hub = hub_factory(environment=machine.environment)
    hub.errors_expected = True
    create = lambda: hub.admin.post("/api/services/backup/create?return_response", json={})
    with machine.faults.failing("/backups/", calls, error) as times:
        answer = create()
        assert times() > 0 and answer.status_code in (500, 503), answer.text
        assert "/backups/" in answer.json()["message"]
        assert any(text in answer.json()["message"] for text in ("cannot be written", "cannot be read or written"))
        assert hub.admin.get("/api/backups").json() == []
        assert list((hub.folder / "backups").iterdir()) == []
    assert create().status_code == 200
    assert len(hub.admin.get("/api/backups").json()) == 1


@pytest.mark.parametrize("part", ["/home.db", "/history.db", "/"])
def test_a_start_beside_a_full_disk_keeps_all_files(hub_factory, tmp_path, part):
    """Nothing is moved aside or made anew because a disk is full: the hub's last line says why it does not start."""
    machine = WorseMachine(tmp_path, faults=True)
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    assert hub.admin.post("/api/states/test.kept", json={"state": "5"}).status_code == 201
    hub.stop()
    before = {path.name for path in folder.iterdir()}
    with machine.faults.failing(str(folder) + part, EVERYTHING, "ENOSPC") as times:
        full = Hub(folder, environment=machine.environment)
        assert full.wait_ended(20) == 1
        assert times() > 0
        assert "No space left on device" in full.log[-1] or "the disk is full" in full.log[-1]
    assert not {path.name for path in folder.iterdir()} - before - {f"{path}-{kind}" for path in before for kind in ("wal", "shm")}
    assert hub_factory(folder).admin.get("/api/states/test.kept").json()["state"] == "5"
