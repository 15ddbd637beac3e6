# SPDX-License-Identifier: Apache-2.0
"""Homes that programs of then have made, with the program of today: every answer is as it was."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tarfile
from pathlib import Path

import pytest

from answers import ASKED, clock_of, collect, differences
from hub_process import BINARY, PASSWORD, Hub, command
from login_client import try_password
from worse_machine import WorseMachine

HOMES = Path(__file__).parent / "homes"
NAMES = sorted(path.name.removesuffix(".json") for path in HOMES.glob("*.json"))
OLDEST = NAMES[0]
# Points of the upgrade at which the hub is killed, of those that there are.
KILLS = 20


class OldHome:
    def __init__(self, name, parent):
        self.folder = parent / "home"
        self.folder.mkdir(mode=0o700, parents=True)
        with tarfile.open(HOMES / f"{name}.tar.xz") as archive:
            archive.extractall(self.folder)
        for file in self.folder.iterdir():
            file.chmod(0o600)
        record = json.loads((HOMES / f"{name}.json").read_text())
        self.tokens, self.answers = record["tokens"], record["answers"]
        self.parent = parent
        self.hubs = []

    def machine(self, **changes):
        return WorseMachine(self.parent, clock=clock_of(ASKED), **changes)

    def start(self, **changes):
        hub = Hub(self.folder, self.tokens, environment=self.machine(**changes).environment)
        self.hubs.append(hub)
        return hub

    def answered(self, hub):
        return collect(hub, BINARY, self.folder, os.environ | self.machine().environment)

    def run(self, *arguments):
        return subprocess.run([str(BINARY), *arguments, "--config", str(self.folder)], capture_output=True, text=True,
                              env=os.environ | self.machine().environment, timeout=60)

    def copies(self):
        return sorted((self.folder / "upgrades").glob("*"))

    def versions(self, file):
        return dict(rows(self.folder / file, "SELECT module, version FROM schema_version"))

    def end(self):
        for hub in self.hubs:
            print(f"exit code {hub.process.poll()}", *hub.log, sep="\n")  # pytest shows it if the test has failed
            hub.close_clients()
            if hub.process.poll() is None:
                hub.process.kill()
                hub.wait_ended()


def rows(file, sql):
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


@pytest.fixture
def home_of(tmp_path):
    homes = []

    def make(name):
        homes.append(OldHome(name, tmp_path / f"{name}-{len(homes)}"))
        return homes[-1]

    yield make
    for home in homes:
        home.end()


def test_there_are_homes():
    assert len(NAMES) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_as_it_was(home_of, name):
    home = home_of(name)
    hub = home.start().wait_ready(60)
    assert differences(home.answers, home.answered(hub)) == []
    assert try_password(hub, "ann", PASSWORD).json()["type"] == "create_entry"
    for user in ("ann", "display"):
        assert hub.client(user).get("/api/").status_code == 200
    hub.stop()
    assert not hub.warnings(), hub.warnings()


@pytest.mark.parametrize("name", NAMES)
def test_copies_are_kept_and_shown(home_of, name):
    home = home_of(name)
    before = {file: home.versions(file) for file in ("home.db", "history.db")}
    hub = home.start().wait_ready(60)
    hub.logged("upgrade: done; the copies are kept for 30 days")
    hub.stop()
    (kept,) = home.copies()
    record = json.loads((kept / "upgrade.json").read_text())
    assert record["finished"] and record["from"] == "2026.11.0"
    changed = [file for file in before if {**home.versions(file), **before[file]} != home.versions(file)]
    assert sorted(record["databases"]) == sorted(changed) and changed
    for file in changed:
        assert dict(rows(kept / file, "SELECT module, version FROM schema_version")) == before[file]
        assert (kept / file).stat().st_mode & 0o777 == 0o600
    report = json.loads(home.run("doctor", "--json").stdout)
    (shown,) = [each for each in report["diagnoses"] if each["check"] == "upgrades"]
    assert shown["grade"] == "good" and "a copy of Hearth " in shown["text"]
    assert "2026.11.0" in home.run("downgrade").stdout
    # Once: the next start finds nothing to do.
    hub = home.start().wait_ready(60)
    hub.stop()
    assert home.copies() == [kept] and not [line for line in hub.log if " upgrade: " in line]


@pytest.mark.parametrize("name", NAMES)
def test_the_way_back(home_of, name):
    home = home_of(name)
    before = {file: home.versions(file) for file in ("home.db", "history.db")}
    hub = home.start().wait_ready(60)
    refused = home.run("downgrade", "--to", "2026.11.0")
    assert refused.returncode == 1 and "A hub runs with" in refused.stderr
    assert hub.admin.post("/api/states/sensor.later", json={"state": "1"}).status_code == 201
    hub.stop()
    unknown = home.run("downgrade", "--to", "2020.1.0")
    assert unknown.returncode == 1 and "there are copies of 2026.11.0" in unknown.stderr
    done = home.run("downgrade", "--to", "2026.11.0")
    assert done.returncode == 0, done.stderr
    assert "home.db is as of" in done.stdout and "Now install Hearth 2026.11.0" in done.stdout
    assert {file: home.versions(file) for file in before} == before
    (aside,) = home.folder.glob("before-downgrade-*")
    assert (aside / "home.db").exists()
    # All is there once more, after another upgrade.
    hub = home.start().wait_ready(60)
    answers = home.answered(hub)
    # What was recorded since is in a history that did not change; so is its last state.
    assert [each for each in differences(home.answers, answers) if not each.startswith("/states")] == []
    hub.stop()
    assert len(home.copies()) == 2


def test_a_command_upgrades_as_the_hub_does(home_of):
    home = home_of(OLDEST)
    done = home.run("user", "list")
    assert done.returncode == 0, done.stderr
    assert len(home.copies()) == 1
    hub = home.start().wait_ready(60)
    assert differences(home.answers, home.answered(hub)) == []
    hub.stop()


def test_killed_at_any_change_of_the_disk(home_of):
    """At points all over the upgrade: the doctor knows, and the next start completes it; nothing is lost."""
    home = home_of(OLDEST)
    machine = home.machine()
    subprocess.run([str(BINARY), "user", "list", "--config", str(home.folder)], check=True, capture_output=True,
                   env=os.environ | machine.environment)
    whole = machine.changes()
    assert whole > KILLS
    points = sorted(random.Random(7).sample(range(1, whole + 1), KILLS - 2) + [1, whole])
    unfinished = 0
    for point in points:
        home = home_of(OLDEST)
        hub = home.start(kill_at=point)
        try:
            hub.process.wait(60)
        except subprocess.TimeoutExpired:
            pass
        assert hub.process.returncode == -signal.SIGKILL, f"at {point}: {hub.log}"
        report = home.run("doctor", "--json")
        assert report.returncode in (1, 2), report.stderr
        shown = [each for each in json.loads(report.stdout)["diagnoses"] if each["check"] == "upgrades"]
        unfinished += any("interrupted" in each["text"] for each in shown)
        assert shown and all(each["grade"] == "good" or "Start the hub" in each["advice"] for each in shown), shown
        hub = home.start().wait_ready(60)
        assert differences(home.answers, home.answered(hub)) == [], f"at {point}"
        hub.stop()
        finished = [json.loads((kept / "upgrade.json").read_text()) for kept in home.copies()]
        assert [each["finished"] for each in finished] == [True], f"at {point}: {finished}"
        for file in finished[0]["databases"]:
            kept = home.copies()[0] / file
            assert rows(kept, "PRAGMA integrity_check") == [("ok",)]
            assert rows(kept, "SELECT version FROM schema_version WHERE module = 'auth'") in ([], [(7,)])
        assert not list(home.folder.rglob("*.partial"))
        shutil.rmtree(home.parent)
    assert unfinished > KILLS // 4, "most points are outside of the upgrade"


def test_without_room_nothing_begins(home_of):
    """A disk that has no room for the copy: words that say what to do, and the old home as it was."""
    home = home_of(OLDEST)
    before = {file: (home.folder / file).read_bytes() for file in ("home.db", "history.db")}
    kept = home.parent / "kept"
    shutil.copytree(home.folder, kept)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "hearth-test", str(home.folder)],
                             capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("mounting a small disk takes root")
    try:
        shutil.copytree(kept, home.folder, dirs_exist_ok=True)
        hub = home.start()
        assert hub.process.wait(60) == 1
        hub.wait_ended()
        log = "\n".join(hub.log)
        assert "The upgrade has not begun, and nothing is changed" in log and "MiB" in log, log
        assert {file: (home.folder / file).read_bytes() for file in before} == before
        assert not home.copies()
        report = json.loads(home.run("doctor", "--json").stdout)
        (shown,) = [each for each in report["diagnoses"] if each["check"] == "upgrades"]
        assert shown["grade"] == "bad" and "needs" in shown["text"] and "Make room" in shown["advice"]
        # Copies on another disk.
        other = home.parent / "other"
        other.mkdir()
        (home.folder / "upgrades").symlink_to(other)
        hub = home.start().wait_ready(60)
        hub.stop()
        assert len(list(other.iterdir())) == 1
    finally:
        home.end()
        subprocess.run(["umount", "--lazy", str(home.folder)], check=True)


def test_a_newer_home_is_refused(home_of):
    home = home_of(OLDEST)
    home.start().wait_ready(60).stop()
    with sqlite3.connect(home.folder / "home.db") as database:
        database.execute("UPDATE schema_version SET version = 99 WHERE module = 'registry'")
        database.execute("INSERT INTO program(version, since) VALUES('2031.1.0', 0)")
    database.close()
    hub = home.start()
    assert hub.process.wait(60) == 1
    hub.wait_ended()
    log = "\n".join(hub.log)
    for words in ("was written by a newer version of Hearth (2031.1.0; tables of registry: version 99",
                  f"hearth downgrade --to 2026.11.0 --config {home.folder}"):
        assert words in log
    assert command(home.folder, "user", "list").returncode == 1
    report = home.run("doctor", "--json")
    assert report.returncode == 2 and "newer version of Hearth, 2031.1.0" in report.stdout
    assert home.run("downgrade", "--to", "2026.11.0").returncode == 0
    hub = home.start().wait_ready(60)
    # Runs that were under way are forgotten.
    assert [each for each in differences(home.answers, home.answered(hub)) if "automation.hall/" not in each] == []
    hub.stop()
