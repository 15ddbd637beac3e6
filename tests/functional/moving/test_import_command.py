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
from moved_home import answers_of, import_home, sums_of, unpack
from mqtt_broker import Broker

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


def database_of(report):
    """The fate of the old database."""
    [database] = [each for each in report["items"] if each["what"] == "database"]
    assert database["id"] == database["file"] == "home-assistant_v2.db"
    return database


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_a_history_that_is_none_stays_behind_and_the_rest_comes(source, tmp_path, content):
    (source / "home-assistant_v2.db").write_bytes(content)
    done, report = import_home(source, tmp_path / "new")
    assert done.returncode == 0, done.stderr
    database = database_of(report)
    assert (database["fate"], database["why"], database["attention"]) == ("left", "broken", "history")
    assert report["counts"]["databases"] == {"found": 1, "carried": 0, "reserved": 0, "left": 1, "lost": 0}
    assert report["counts"]["entities"]["carried"] > 40 and "states" not in report["counts"]


def spoil_pages(path, table):
    """Overwrites what one of the pages with rows of that table says."""
    with sqlite3.connect(path) as database:
        [(root, size)] = database.execute("SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = ?",
                                          (table,))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = path.read_bytes()
    start = (root - 1) * size
    assert pages[start] == 5, "the table has pages below its first one"
    children = int.from_bytes(pages[start + 3:start + 5], "big")
    cells = [int.from_bytes(pages[start + 12 + 2 * n:start + 14 + 2 * n], "big") for n in range(children)]
    leaf = int.from_bytes(pages[start + cells[children // 2]:start + cells[children // 2] + 4], "big")
    with open(path, "r+b") as file:
        file.seek((leaf - 1) * size)
        file.write(b"\x55" * size)


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_what_is_lost_of_a_damaged_database_is_told(source, tmp_path, options):
    spoil_pages(source / "home-assistant_v2.db", "states")
    done, report = import_home(source, tmp_path / "new", *options)
    assert done.returncode == 0, done.stderr
    database = database_of(report)
    assert (database["fate"], database["why"], database["attention"]) == ("carried", "broken", "damaged")
    lost = [each for each in report["items"] if each["fate"] == "lost"]
    assert lost and {(each["what"], each["why"]) for each in lost} == {("state", "broken")}
    counts = report["counts"]["states"]
    assert sum(each.get("count", 1) for each in lost) == counts["lost"] > 0
    assert f"{counts['lost']} of its rows" in database["text"]
    assert counts["found"] == counts["carried"] + counts["left"] + counts["lost"] and counts["carried"] > 500


def test_a_sound_database_is_carried_and_one_that_is_locked_is_read(source, tmp_path):
    locked = sqlite3.connect(source / "home-assistant_v2.db", isolation_level=None)
    locked.execute("BEGIN EXCLUSIVE")
    try:
        done, report = import_home(source, tmp_path / "new")
    finally:
        locked.close()
    assert done.returncode == 0, done.stderr
    assert database_of(report)["fate"] == "carried" and "attention" not in database_of(report)
    assert report["counts"]["states"]["carried"] > 500 and report["counts"]["states"]["lost"] == 0


def test_the_report_says_who_may_what(pristine, tmp_path):
    done, report = import_home(pristine, tmp_path / "new", *HURRY)
    roles = {each["name"]: each["role"] for each in report["items"] if each["what"] == "user" and each["fate"] == "carried"}
    assert {roles["Ann"], *roles.values()} == {"administrator", "user", "reader"} and roles["Ann"] == "administrator", roles
    with sqlite3.connect(tmp_path / "new/home.db") as database:
        assert sorted(roles.values()) == sorted(row[0] for row in database.execute("SELECT role FROM users"))
    shown = subprocess.run([str(BINARY), "import-ha", str(pristine), "--dry-run", *HURRY], text=True, capture_output=True, check=True)
    assert "Ann administrator" in shown.stdout


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
    text = (new / "configuration.yaml").read_text(encoding="utf-8")
    assert text.startswith("home:\n  location_name: Mine\n") and "\nautomation: !include automations.yaml\n" in text
    left = {each["id"] for each in report["items"] if each["what"] == "collision"}
    assert {f"configuration.yaml: {key}" for key in ("homeassistant.name", "http", "recorder")} <= left and (new / "left-behind/configuration.yaml").exists()
    # There was none in it.
    assert (new / "scenes.yaml").read_bytes() == (pristine / "scenes.yaml").read_bytes()
    assert not (new / "left-behind/scenes.yaml").exists()


def test_automations_of_both_homes_are_in_one_file(source, tmp_path, hub_factory):
    new = tmp_path / "new"
    new.mkdir()
    ids = [line.split(":")[1].strip().strip("'\"") for line in (source / "automations.yaml").read_text(encoding="utf-8").splitlines()
           if line.startswith("- id:")]
    assert len(ids) > 2
    mine = (f"# Of this home\n- id: '{ids[0]}'\n  alias: It is mine\n  triggers: []\n  actions: []\n"
            "- id: own\n  alias: Own\n  triggers: []\n  actions: []\n")
    (new / "configuration.yaml").write_text("automation: !include automations.yaml\ninput_boolean:\n  own: {name: Own}\n", encoding="utf-8")
    (new / "automations.yaml").write_text(mine, encoding="utf-8")
    (new / "secrets.yaml").write_text("own: secret\n", encoding="utf-8")
    (new / "secrets.yaml").chmod(0o600)
    subprocess.run([str(BINARY), "user", "add", "somebody", "--admin", "--password-stdin", "--config", str(new)], input="a long password",
                   text=True, check=True, capture_output=True)
    done, report = import_home(source, new, "--into-existing", *HURRY)
    assert done.returncode == 0, done.stderr
    text = (new / "automations.yaml").read_text(encoding="utf-8")
    assert text.startswith(mine)
    collisions = {each["id"]: each for each in report["items"] if each["what"] == "collision"}
    one = collisions[f"automations.yaml: {ids[0]}"]
    assert (one["fate"], one["why"], one["attention"]) == ("left", "duplicate", "duplicate") and one["line"] > 0
    assert report["counts"]["collisions"]["left"] == len(collisions)
    assert (new / "left-behind/automations.yaml").read_bytes() == (source / "automations.yaml").read_bytes()
    assert (new / "secrets.yaml").read_text(encoding="utf-8").startswith("own: secret\n")
    assert (new / "secrets.yaml").stat().st_mode & 0o777 == 0o600
    # Once more, with another source: nothing stands there twice.
    os.utime(source / ".storage/core.config")
    done, _ = import_home(source, new, "--into-existing", *HURRY)
    assert done.returncode == 0 and (new / "automations.yaml").read_text(encoding="utf-8") == text

    token = subprocess.run([str(BINARY), "token", "create", "--user", "somebody", "--name", "Tests", "--config", str(new)], text=True,
                           check=True, capture_output=True).stdout.strip()
    hub = hub_factory(new, environment={"HOME_PORT": "1"})
    hub.errors_expected = True
    hub.tokens = {"admin": token}
    states = {each["attributes"].get("id"): each for each in hub.admin.get("/api/states").json() if each["entity_id"].startswith("automation.")}
    assert {"own", *ids} <= set(states)
    assert states[ids[0]]["attributes"]["friendly_name"] == "It is mine"


def test_devices_of_mqtt_that_were_made_on_pages_go_on(source, tmp_path, hub_factory):
    broker = Broker(tmp_path / "broker").start()
    try:
        path = source / ".storage/core.config_entries"
        file = json.loads(path.read_text(encoding="utf-8"))
        entry = next(each for each in file["data"]["entries"] if each["domain"] == "mqtt")
        entry["data"] = {"broker": "127.0.0.1", "port": broker.port}
        entry["subentries"] = [{"subentry_id": "01JGATE", "subentry_type": "device", "title": "Gate", "unique_id": None, "data": {
            "device": {"name": "Gate", "model": "G1", "mqtt_settings": {"qos": 0}},
            "components": {"aa": {"platform": "sensor", "name": "Distance", "state_topic": "gate/distance", "unit_of_measurement": "cm",
                                  "entity_category": None},
                           "bb": {"platform": "switch", "name": "Motor", "command_topic": "gate/set", "state_topic": "gate/motor"}}}}]
        path.write_text(json.dumps(file), encoding="utf-8")
        path = source / ".storage/core.entity_registry"
        file = json.loads(path.read_text(encoding="utf-8"))
        known = next(each for each in file["data"]["entities"] if each["platform"] == "mqtt")
        file["data"]["entities"].append(known | {"entity_id": "sensor.how_far", "unique_id": "01JGATE_aa", "id": "f" * 32, "name": "How far",
                                                 "device_id": None})
        path.write_text(json.dumps(file), encoding="utf-8")
        done, report = import_home(source, tmp_path / "new", *HURRY)
        assert done.returncode == 0, done.stderr
        [device] = [each for each in report["items"] if each["what"] == "mqtt_device"]
        assert (device["id"], device["fate"], device.get("text")) == ("01JGATE", "carried", None)
        hub = hub_factory(tmp_path / "new", environment={"HOME_PORT": "1"})
        hub.errors_expected = True
        hub.tokens = {"admin": answers_of(VERSION)["tokens"]["ann"]}
        client = broker.client()
        client.publish("gate/distance", "17", retain=True)
        state = lambda entity_id: hub.admin.get(f"/api/states/{entity_id}").json()
        wait_until(lambda: state("sensor.how_far").get("state") == "17", 20)
        assert state("sensor.how_far")["attributes"]["unit_of_measurement"] == "cm"
        assert state("switch.gate_motor")["state"] == "unknown"
    finally:
        broker.stop()


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
