# SPDX-License-Identifier: Apache-2.0
"""`hearth import-ha` itself: what it refuses, with which words and exit code, and what is there after it was stopped or killed. Each row
of the import's errors that can be tried from outside."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

import moving_client
from hub_process import BINARY, wait_until
from moved_home import import_home, sums_of, unpack

VERSION = moving_client.VERSIONS[-1]
HURRY = ("--history", "none")


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    return unpack(VERSION, tmp_path_factory.mktemp("old") / "home")


@pytest.fixture
def source(pristine, tmp_path):
    """A copy that the test may spoil."""
    return Path(shutil.copytree(pristine, tmp_path / "old"))


def refused(source, folder, code, words, *options):
    """It ends with the code and these words, and leaves no home."""
    done, report = import_home(source, folder, *options)
    assert done.returncode == code, (done.returncode, done.stderr)
    lines = [line for line in done.stderr.splitlines() if line.startswith("hearth: ")]
    assert len(lines) == 1 and words in lines[0], done.stderr
    assert report is None
    assert not (folder / "home.db").exists() and not (folder / "import.json").exists()
    return lines[0]


# Wrong sources and arguments


def test_a_folder_that_is_no_such_home(tmp_path):
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", tmp_path / "new", 2, ".storage")
    refused(tmp_path / "absent", tmp_path / "new", 2, "absent")
    (tmp_path / "file.tar").write_bytes(b"seven lamps" * 1000)
    refused(tmp_path / "file.tar", tmp_path / "new", 2, "file.tar")


@pytest.mark.parametrize("arguments", [["--history", "soon"], ["--history", "0d"], ["--only", "everything"], ["--automations", "no"]])
def test_wrong_arguments_are_named(pristine, tmp_path, arguments):
    assert arguments[0] in refused(pristine, tmp_path / "new", 2, arguments[1], *arguments)


def test_a_registry_is_needed(source, tmp_path):
    (source / ".storage/core.entity_registry").unlink()
    refused(source, tmp_path / "new", 1, "core.entity_registry")


@pytest.mark.parametrize("name", ["core.entity_registry", "core.device_registry", "auth", "input_boolean", "core.restore_state", "energy"])
def test_a_file_that_is_no_json_is_named(source, tmp_path, name):
    path = source / ".storage" / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:len(text) // 2], encoding="utf-8")
    refused(source, tmp_path / "new", 1, name)


def test_a_newer_version_is_refused_unless_it_is_accepted(source, tmp_path):
    path = source / ".storage/core.area_registry"
    file = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(file | {"version": 7}), encoding="utf-8")
    assert "--accept-newer" in refused(source, tmp_path / "new", 1, "core.area_registry")
    done, report = import_home(source, tmp_path / "new", "--accept-newer", *HURRY)
    assert done.returncode == 0, done.stderr
    assert report["counts"]["areas"]["carried"] == len(file["data"]["areas"])


def test_one_wrong_item_is_left_and_named(source, tmp_path):
    path = source / ".storage/core.entity_registry"
    file = json.loads(path.read_text(encoding="utf-8"))
    del file["data"]["entities"][0]["unique_id"]
    file["data"]["entities"].append("no entity")
    path.write_text(json.dumps(file), encoding="utf-8")
    done, report = import_home(source, tmp_path / "new", "--strict", *HURRY)
    assert done.returncode == 3, done.stderr
    broken = {each["id"] for each in report["items"] if each["what"] == "entity" and each.get("why") == "broken"}
    assert broken == {file["data"]["entities"][0]["entity_id"], '"no entity"'}
    counts = report["counts"]["entities"]
    assert counts["found"] == len(file["data"]["entities"]) == sum(counts[each] for each in ("carried", "reserved", "left", "lost"))


# History


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_a_history_that_is_none_stays_behind_and_the_rest_comes(source, tmp_path, content):
    (source / "home-assistant_v2.db").write_bytes(content)
    done, report = import_home(source, tmp_path / "new")
    assert done.returncode == 0, done.stderr
    assert [each["attention"] for each in report["attentions"]] == ["history"]
    assert report["counts"]["entities"]["carried"] > 40 and "states" not in report["counts"]


def test_half_a_history_is_refused(source, tmp_path):
    path = source / "home-assistant_v2.db"
    size = path.stat().st_size
    os.truncate(path, size // 8192 * 4096)
    refused(source, tmp_path / "new", 1, "incomplete")


def test_the_past_can_follow(pristine, tmp_path):
    new = tmp_path / "new"
    done, first = import_home(pristine, new, "--history", "later")
    assert done.returncode == 0 and "states" not in first["counts"]
    done, second = import_home(pristine, new, "--only", "history,statistics")
    assert done.returncode == 0, done.stderr
    assert second["counts"]["states"]["carried"] > 500 and set(second["counts"]) & {"users", "entities"} == set()
    with sqlite3.connect(new / "history.db") as database:
        assert database.execute("SELECT count(*) FROM segments").fetchone()[0] > 50
    with sqlite3.connect(new / "home.db") as database:
        assert database.execute("SELECT count(*) FROM users").fetchone()[0] == first["counts"]["users"]["carried"]


# The home that is there


def test_a_home_that_is_used_is_left_alone(pristine, tmp_path):
    new = tmp_path / "new"
    subprocess.run([str(BINARY), "user", "add", "somebody", "--admin", "--password-stdin", "--config", str(new)], input="a long password",
                   text=True, check=True, capture_output=True)
    before = sums_of(new)
    done, _ = import_home(pristine, new, *HURRY)
    assert done.returncode == 1 and "1 user" in done.stderr and "--into-existing" in done.stderr
    assert sums_of(new) == before
    done, report = import_home(pristine, new, "--into-existing", *HURRY)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(new / "home.db") as database:
        names = {row[0] for row in database.execute("SELECT name FROM users")}
    assert {"somebody", "bob", "ann"} <= names
    assert report["counts"]["users"]["carried"] == len(names) - 1


def test_files_that_people_wrote_win(pristine, tmp_path):
    new = tmp_path / "new"
    new.mkdir()
    (new / "configuration.yaml").write_text("home:\n  location_name: Mine\n", encoding="utf-8")
    (new / "scenes.yaml").write_text("[]\n", encoding="utf-8")
    done, _ = import_home(pristine, new, *HURRY)
    assert done.returncode == 1 and "configuration.yaml" in done.stderr
    subprocess.run([str(BINARY), "user", "list", "--config", str(new)], check=True, capture_output=True)
    done, report = import_home(pristine, new, "--into-existing", *HURRY)
    assert done.returncode == 0, done.stderr
    assert (new / "configuration.yaml").read_text(encoding="utf-8") == "home:\n  location_name: Mine\n"
    left = {each["id"] for each in report["items"] if each["what"] == "file" and each.get("why") == "duplicate"}
    assert {"configuration.yaml", "scenes.yaml"} <= left
    assert all((new / "left-behind" / name).exists() for name in left)


def test_a_hub_that_runs_keeps_its_home(pristine, hub_factory):
    hub = hub_factory()
    done, _ = import_home(pristine, hub.folder, *HURRY)
    assert done.returncode == 1 and "stop it first" in done.stderr
    assert hub.admin.get("/api/").status_code == 200


# Ends in the middle


def counted(folder):
    """What a home answers of itself, as far as two runs can be the same: without times of the import."""
    with sqlite3.connect(folder / "home.db") as home, sqlite3.connect(folder / "history.db") as history:
        return {
            "registry": sorted(home.execute("SELECT kind, id, entry FROM registry")),
            "users": sorted(home.execute("SELECT id, name, role, active, password FROM users")),
            "tokens": sorted(home.execute("SELECT id, name, hash FROM tokens")),
            "statistics": sorted(home.execute("SELECT * FROM imported_rows")),
            "entities": sorted(history.execute("SELECT entity_id FROM entities")),
            "segments": history.execute("SELECT count(*), sum(length(data)) FROM segments").fetchall(),
        }


def test_ten_kills_and_one_more_run_are_one_run(pristine, tmp_path):
    start = time.monotonic()
    assert import_home(pristine, tmp_path / "once")[0].returncode == 0
    took = time.monotonic() - start
    new, dice = tmp_path / "killed", random.Random(7)
    for _ in range(10):
        process = subprocess.Popen([str(BINARY), "import-ha", str(pristine), "--config", str(new)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0, took))
        process.kill()
        process.wait()
    done, _ = import_home(pristine, new)
    assert done.returncode == 0, done.stderr
    assert counted(new) == counted(tmp_path / "once")
    assert not (new / "import.partial").exists()


def test_it_stops_when_it_is_asked_to(pristine, tmp_path):
    process = subprocess.Popen([str(BINARY), "import-ha", str(pristine), "--config", str(tmp_path / "new"), "--progress"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline().startswith("settings")
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    # It may have been quicker.
    if process.returncode != 0:
        assert process.returncode == 1 and "goes on" in said
        assert not (tmp_path / "new/home.db").exists()
    done, _ = import_home(pristine, tmp_path / "new")
    assert done.returncode == 0
    wait_until(lambda: not (tmp_path / "new/import.partial").exists(), 5)
