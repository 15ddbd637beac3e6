# SPDX-License-Identifier: Apache-2.0
"""A home that the hub cannot use, or a machine that it cannot trust: the hub's last line and the doctor say what to do."""

import datetime
import json
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest

from checks import set_state, state_of
from hub_process import BINARY, Hub, base_settings, free_port, wait_until, write_settings
from worse_machine import WorseMachine

YEAR_1970 = -round(datetime.datetime.now(datetime.timezone.utc).timestamp())
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else, and mounts")


def run(folder, *arguments, user=None, environment=None):
    return subprocess.run([str(BINARY), *arguments, "--config", str(folder)], capture_output=True, text=True, timeout=60,
                          user=user, group=user, extra_groups=[] if user else None,
                          env={**os.environ, **environment} if environment else None)


def serve(folder, **options):
    """What a hub says that does not start."""
    done = run(folder, "serve", "--host", "127.0.0.1", "--port", str(free_port()), **options)
    assert done.returncode == 1, done.stderr
    return done.stderr


def bad(folder, **options):
    """What the doctor calls bad, with what to do."""
    done = run(folder, "doctor", "--json", **options)
    assert done.returncode == 2, done.stdout + done.stderr
    return "\n".join(f"{each['text']}: {each['advice']}" for each in json.loads(done.stdout)["diagnoses"]
                     if each["grade"] == "bad")


@pytest.fixture
def made(hub_factory):
    """A home that has run."""
    folder = hub_factory.folder(demo=None)
    hub = hub_factory(folder)
    set_state(hub, "test.kept", "before")
    hub.stop()
    hub_factory.hubs.clear()
    return folder


@pytest.fixture
def open_to_others(made):
    """The home where other users can get to it, and a copy of the program."""
    with tempfile.TemporaryDirectory(prefix="hearth_bad_homes_") as parent:
        os.chmod(parent, 0o755)
        folder = Path(parent) / "home"
        shutil.copytree(made, folder)
        yield folder


@pytest.fixture
def mounted(made):
    """The home on a file system of its own."""
    kept = made.with_name("kept")
    shutil.copytree(made, kept)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "hearth-test", str(made)], capture_output=True)
    if done.returncode != 0:
        pytest.skip("mounting a disk takes root")
    shutil.copytree(kept, made, dirs_exist_ok=True)
    yield made
    subprocess.run(["umount", "--lazy", str(made)], check=True)


def goes_on(hub_factory, folder):
    """Nothing is lost."""
    hub = hub_factory(folder)
    assert state_of(hub, "test.kept")["state"] == "before"


@needs_root
def test_a_folder_of_another_user(open_to_others):
    nobody = pwd.getpwnam("nobody").pw_uid
    os.chmod(open_to_others, 0o755)
    for said in (serve(open_to_others, user=nobody), bad(open_to_others, user=nobody)):
        assert f"{open_to_others} cannot be written" in said, said
        assert "It belongs to root, and this runs as nobody" in said and "chown -R" in said, said


@needs_root
def test_databases_of_another_user(open_to_others):
    nobody = pwd.getpwnam("nobody").pw_uid
    for path in (open_to_others, *open_to_others.iterdir()):
        os.chown(path, nobody, nobody)
    os.chown(open_to_others / "history.db", 0, 0)
    for said in (serve(open_to_others, user=nobody), bad(open_to_others, user=nobody)):
        assert "history.db cannot be written by nobody" in said, said
        assert f"chown -R nobody {open_to_others}" in said, said


@needs_root
def test_a_folder_that_is_mounted_to_be_read(mounted, hub_factory):
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    for said in (serve(mounted), bad(mounted)):
        assert f"{mounted} cannot be written: Read-only file system" in said, said
        assert "mounted read-only" in said, said
    subprocess.run(["mount", "-o", "remount,rw", str(mounted)], check=True)
    goes_on(hub_factory, mounted)
    hub_factory.stop_all()


@needs_root
def test_a_disk_that_is_full_at_the_start(mounted, hub_factory):
    with open(mounted / "filler", "wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(4096))
    said = bad(mounted)
    assert "the hub cannot write" in said and "Make room" in said, said
    hub = Hub(mounted, hub_factory.tokens)
    # It starts, or says why not: both are good.
    ended = wait_until(lambda: hub.process.poll() is not None or any("ready at" in line for line in hub.log), 20)
    assert ended
    if hub.process.poll() is None:
        hub.process.terminate()
    hub.wait_ended(20)
    log = "\n".join(hub.log)
    assert "No space left" in log or "disk is full" in log or "cannot be written" in log, log
    (mounted / "filler").unlink()
    goes_on(hub_factory, mounted)
    hub_factory.stop_all()


def test_a_file_system_without_locks(made, hub_factory, tmp_path):
    environment = WorseMachine(tmp_path, locks=False).environment
    for said in (serve(made, environment=environment), bad(made, environment=environment)):
        assert "its file system has no locks: No locks available" in said, said
        assert "Move the folder to a disk of this machine" in said, said
    goes_on(hub_factory, made)


def test_a_second_hub(made, hub_factory):
    hub = hub_factory(made)
    said = serve(made)
    assert f"Another hub runs with {made} already; end it, or name another folder with --config" in said, said
    assert state_of(hub, "test.kept")["state"] == "before"


@pytest.mark.parametrize("name", ["home.db", "history.db"])
def test_a_broken_database(made, hub_factory, name):
    (made / name).write_bytes(b"not a database at all, whatever its name says" * 100)
    said = bad(made)
    assert f"{name}" in said and "The hub repairs it at its next start" in said, said
    hub = Hub(made, hub_factory.tokens).wait_ready(30)
    hub.logged(f"{name} was damaged")
    assert len(list(made.glob(f"{name}.damaged-*"))) == 1
    hub.process.terminate()
    hub.wait_ended(20)


def changes(folder, entity_id):
    """The times of its changes, oldest first."""
    database = sqlite3.connect(f"file:{folder}/history.db?mode=ro", uri=True)
    try:
        found = database.execute("SELECT updated FROM changes JOIN entities ON entities.id = changes.entity "
                                 "WHERE entity_id = ? ORDER BY changes.id", (entity_id,)).fetchall()
        return [datetime.datetime.fromtimestamp(row[0] / 1e6, datetime.timezone.utc).year for row in found]
    finally:
        database.close()


def test_a_clock_of_1970_that_is_set_later(made, hub_factory, tmp_path):
    """It is said at the start, when the clock is set, and by the doctor; what was recorded before stays."""
    settings = base_settings() | {"demo": None, "recorder": {"commit_interval": "100ms", "keep": "1d"}}
    write_settings(made, {key: value for key, value in settings.items() if value is not None})
    year = datetime.datetime.now(datetime.timezone.utc).year
    before = changes(made, "test.kept")
    assert before == [year]
    machine = WorseMachine(tmp_path, clock=YEAR_1970)
    assert "the machine's clock says 1970-01-01" in bad(made, environment=machine.environment)
    hub = Hub(made, hub_factory.tokens, environment=machine.environment).wait_ready(30)
    try:
        hub.logged("the machine's clock says 1970-01-01")
        set_state(hub, "test.early", "1")
        wait_until(lambda: changes(made, "test.early") == [1970])
        machine.set_clock(0)
        line = hub.logged("the clock has gone forward by ")[0]
        assert f"to {year}-" in line and "keeps the times that the clock had" in line
        set_state(hub, "test.early", "2")
        wait_until(lambda: changes(made, "test.early") == [1970, year])
        # A purge that somebody asks for keeps what is not a day old, whatever the clock was.
        assert changes(made, "test.kept") == before
    finally:
        hub.process.terminate()
        hub.wait_ended(20)
    done = run(made, "doctor", "--json")
    said = [each for each in json.loads(done.stdout)["diagnoses"] if each["check"] == "clock" and each["grade"] == "warning"]
    assert any("history has changes of 1970-01-01: the clock was wrong" in each["text"] for each in said), done.stdout
    goes_on(hub_factory, made)


def test_a_clock_far_ahead_is_noticed_by_the_doctor(made, hub_factory, tmp_path):
    machine = WorseMachine(tmp_path, clock=400 * 86_400)
    hub = Hub(made, hub_factory.tokens, environment=machine.environment).wait_ready(30)
    set_state(hub, "test.ahead", "1")
    wait_until(lambda: changes(made, "test.ahead"))
    hub.process.terminate()
    hub.wait_ended(20)
    done = run(made, "doctor", "--json")
    assert "which is in the future" in done.stdout, done.stdout
