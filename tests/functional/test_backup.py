# SPDX-License-Identifier: Apache-2.0
"""Backups: made beside a running hub, read by nobody they should not be, and restored to what was."""

import hashlib
import io
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import time
from pathlib import Path

import httpx
import pytest

from checks import assert_json, assert_message, call, set_state, state_of
from hub_process import BINARY, command, wait_until
from terminal import Terminal
from test_durability import WRITERS, Writers, check_sound, history_of
from websocket_client import WebSocketClient


def one_line(done, code=1):
    """What a command that failed said: one line."""
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
    """All states, but for what the hub tells of itself."""
    listed = assert_json(hub.admin.get("/api/states"))
    return {state["entity_id"]: state for state in listed if not state["entity_id"].startswith("sensor.hearth_")}


def listing(folder):
    """Every name below the folder, and the SHA-256 of each file."""
    return {str(path.relative_to(folder)): path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))}


def members(file):
    """The archive as others read it."""
    tar = subprocess.run(["zstd", "-dc", str(file)], capture_output=True, check=True).stdout
    return tarfile.open(fileobj=io.BytesIO(tar))


@pytest.fixture(scope="module")
def kept(module_hubs):
    """A stopped home with some history, and a backup of it."""
    folder = module_hubs.folder()
    hub = module_hubs.start(folder)
    for number in range(60):
        set_state(hub, f"test.k{number % 3}", str(number), {"friendly_name": "Größe", "n": number})
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/area_registry/create", name="Cellar")
    before = states(hub)
    hub.stop()
    (folder / "www").mkdir()
    (folder / "www" / "Küche.js").write_text("kitchen();\n")
    file = folder.parent / "kept.tar.zst"
    backup(folder, file)
    return folder, file, before


def test_backup_under_load_restores_to_a_complete_home(hub_factory, tmp_path):
    folder = hub_factory.folder(recorder={"commit_interval": "200ms"})
    hub = hub_factory(folder)
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 33})
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/area_registry/create", name="Cellar")
    uuid = hub.admin.get("/api/config").json()["uuid"]
    writers = Writers(hub)
    wait_until(lambda: writers.total() >= 400, 30)
    before = [writers.last(writer) for writer in range(WRITERS)]
    file = tmp_path / "home.tar.zst"
    backup(folder, file)
    after = [writers.last(writer) for writer in range(WRITERS)]
    assert after > before
    writers.join()
    area_names = areas(hub)
    assert "Cellar" in area_names
    hub.stop()

    copy = tmp_path / "copies" / "new"
    done = restore(copy, file)
    assert done.stdout.startswith(f"Restored into {copy}: Test home of 20")
    check_sound(copy)
    hub = hub_factory(copy)
    for writer in range(WRITERS):
        state = state_of(hub, f"test.w{writer}")
        now = int(state["state"])
        assert before[writer] <= now <= after[writer] + 1
        assert state["attributes"] == {"n": now}
        assert history_of(hub, f"test.w{writer}") == [str(number) for number in range(1, now + 1)]
    assert state_of(hub, "light.kitchen")["attributes"]["brightness"] == 33
    assert hub.admin.get("/api/config").json()["uuid"] == uuid
    assert areas(hub) == area_names
    assert hub.ann.get("/api/states").status_code == 200
    assert hub.ann.get("/api/config").status_code == 403
    assert hub.command("user", "list").stdout == command(folder, "user", "list").stdout


def test_backup_of_a_stopped_home_is_that_home(hub_factory, kept, tmp_path):
    folder, file, before = kept
    copy = tmp_path / "new"
    restore(copy, file)
    assert (copy / "configuration.yaml").read_bytes() == (folder / "configuration.yaml").read_bytes()
    assert (copy / "www" / "Küche.js").read_text() == "kitchen();\n"
    assert {path.name for path in copy.iterdir()} == {"configuration.yaml", "home.db", "history.db", "www"}
    assert copy.stat().st_mode & 0o777 == 0o700
    hub = hub_factory(copy)
    assert states(hub) == before
    assert history_of(hub, "test.k1") == [str(number) for number in range(1, 60, 3)]
    assert "Cellar" in areas(hub)
    with sqlite3.connect(folder / "home.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)  # nothing was locked or left


def test_others_can_read_the_archive(kept):
    _, file, _ = kept
    if not shutil.which("zstd"):
        pytest.skip("there is no zstd")
    with members(file) as tar:
        assert tar.getnames() == ["backup.json", "backup.json.sha256", "configuration.yaml", "www/Küche.js",
                                  "home.db", "history.db"]
        text = tar.extractfile("backup.json").read()
        manifest = json.loads(text)
        assert tar.extractfile("backup.json.sha256").read().decode() == \
            hashlib.sha256(text).hexdigest() + "  backup.json\n"
        assert (manifest["format"], manifest["home"]["name"]) == (1, "Test home")
        assert manifest["includes"] == ["configuration", "history"]
        for entry in manifest["files"]:
            content = tar.extractfile(entry["path"]).read()
            assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert file.stat().st_mode & 0o777 == 0o600


def test_backup_takes_the_users_files_and_no_others(kept, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(kept[0], home)
    (tmp_path / "outside").write_text("secret")
    (home / "out").symlink_to(tmp_path / "outside")
    (home / "backups").mkdir()
    for name in ("backups/old.tar.zst", "home.db.damaged-1", "x.tmp", "notes.txt"):
        (home / name).write_text("x")
    file = tmp_path / "home.tar.zst"
    done = backup(home, file)
    assert "out is left out" in done.stderr
    restore(tmp_path / "new", file)
    assert set(listing(tmp_path / "new")) == {"configuration.yaml", "home.db", "history.db", "notes.txt", "www",
                                              "www/Küche.js"}


def test_backup_does_not_write_over_a_file(kept, tmp_path):
    file = tmp_path / "home.tar.zst"
    file.write_text("precious")
    assert one_line(command(kept[0], "backup", str(file))) == f"{file} is there already; --force writes over it."
    assert file.read_text() == "precious"
    backup(kept[0], file, "--force")
    assert command(kept[0], "restore", "--verify", str(file)).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["home.tar.zst"]


def test_backup_that_fails_leaves_nothing(kept, tmp_path):
    assert one_line(command(tmp_path / "none", "backup", str(tmp_path / "a"))) == f"There is no home in {tmp_path}/none."
    assert "No such file" in one_line(command(kept[0], "backup", str(tmp_path / "no" / "a")))
    # A limit on the size of files is a disk that is full.
    done = subprocess.run(["prlimit", "--fsize=40960", str(BINARY), "backup", str(tmp_path / "a"), "--config", str(kept[0])],
                          capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    assert str(tmp_path / "a") in one_line(done)
    assert one_line(command(kept[0], "backup"), 2)
    assert not list(tmp_path.iterdir())


def damaged(content):
    middle = len(content) // 2
    yield "cut short", content[:-5], "cut short"
    yield "half", content[:middle], "cut short"
    yield "flipped", content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:], "damaged"
    yield "foreign", b"PK\x03\x04" + content[4:], "no backup of Hearth"
    yield "foreign text", b"home:\n", "no backup of Hearth"
    yield "empty", b"", "no backup of Hearth"
    yield "more behind", content + b"x", "behind its end"


def test_damaged_backups_are_told_and_touch_nothing(kept, tmp_path):
    content = kept[1].read_bytes()
    file = tmp_path / "damaged.tar.zst"
    empty = tmp_path / "empty"
    empty.mkdir()
    for what, bad, message in damaged(content):
        file.write_bytes(bad)
        for folder, *options in ((tmp_path / "new",), (empty,), (tmp_path / "new", "--verify")):
            line = one_line(command(folder, "restore", str(file), *options))
            assert line.startswith(f"{file}: ") and message in line, (what, line)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["damaged.tar.zst", "empty"], what
        assert not list(empty.iterdir()), what
    assert "No such file" in one_line(command(tmp_path / "new", "restore", str(tmp_path / "none")))
    assert "Is a directory" in one_line(command(tmp_path / "new", "restore", str(empty)))


def test_restore_fills_an_empty_folder_and_no_other(hub_factory, kept, tmp_path):
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "mine").write_text("mine")
    line = one_line(command(folder, "restore", str(kept[1])))
    assert line == f"{folder} is not empty (there is mine): a backup is restored into a new or empty folder."
    assert [path.name for path in folder.iterdir()] == ["mine"]
    assert "is not empty" in one_line(command(kept[0], "restore", str(kept[1])))
    (folder / "mine").unlink()
    inode = folder.stat().st_ino
    restore(folder, kept[1])
    assert folder.stat().st_ino == inode
    assert states(hub_factory(folder)) == kept[2]


def test_verify_says_what_it_is_and_writes_nothing(kept, tmp_path):
    done = command(tmp_path / "new", "restore", "--verify", str(kept[1]))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{kept[1]} is whole: Test home of 20") and "4 files" in done.stdout
    assert not list(tmp_path.iterdir())


def test_passphrase_is_needed(hub_factory, kept, tmp_path):
    file = tmp_path / "home.tar.zst.enc"
    backup(kept[0], file, "--passphrase-stdin", text="seven lamps\n")
    assert b"configuration.yaml" not in file.read_bytes()
    assert file.read_bytes().startswith(b"hearth-sealed-backup ")
    for wrong in ("six lamps\n", "\n", ""):
        line = one_line(command(tmp_path / "new", "restore", str(file), "--passphrase-stdin", text=wrong))
        assert ("passphrase is wrong" if wrong.strip() else "The passphrase is empty.") in line
    assert one_line(command(tmp_path / "new", "restore", str(file)))  # nobody to ask
    assert not (tmp_path / "new").exists()
    restore(tmp_path / "new", file, "--passphrase-stdin", text="seven lamps\n")
    assert states(hub_factory(tmp_path / "new")) == kept[2]
    assert "passphrase is empty" in one_line(command(kept[0], "backup", str(tmp_path / "x"), "--passphrase-stdin"))


def test_a_passphrase_is_asked_for_twice(kept, tmp_path):
    file = tmp_path / "home.tar.zst.enc"

    def asked(second):
        with Terminal(kept[0], "backup", str(file), "--encrypt") as terminal:
            terminal.read("Passphrase for the backup: ")
            terminal.type("seven lamps\n")
            terminal.read("Once more: ")
            terminal.type(second + "\n")
            return terminal.finish(), terminal.screen

    code, shown = asked("six lamps")
    assert code == 1 and "The two passphrases differ." in shown
    assert not file.exists()
    code, shown = asked("seven lamps")
    assert code == 0, shown
    assert "lamps" not in shown
    done = command(kept[0], "restore", "--verify", str(file), "--passphrase-stdin", text="seven lamps\n")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file, options, text, told", [
    ("", [], "", "FILE names no file."),
    ("/", [], "", "/ names no file."),
    ("x", ["--passphrase-stdin"], "x" * 1_025 + "\n", "The passphrase is too long."),
])
def test_a_backup_that_cannot_be_is_told_and_not_made(kept, tmp_path, file, options, text, told):
    file = str(tmp_path / file) if file == "x" else file
    assert one_line(command(kept[0], "backup", file, *options, text=text)) == told
    assert not list(tmp_path.iterdir())


# Services and REST


def create(hub, data=None, status=200):
    answer = call(hub, "backup.create", data, query="?return_response", status=status)
    return answer["service_response"] if status == 200 else answer


@pytest.mark.contract("Beyond the specification: backups")
def test_service_makes_a_backup_that_rest_lists_sends_and_removes(hub_factory, tmp_path):
    hub = hub_factory()
    assert assert_json(hub.admin.get("/api/backups")) == []
    set_state(hub, "test.acknowledged", "just now")
    with hub.stream("?restrict=backup_created") as stream:
        made = create(hub, {"name": "Before the Update"})
        event = stream.next_event().event
    assert list(made) == ["name", "bytes", "created"] and made["name"] == "before_the_update"
    assert event["data"] == made
    listed = assert_json(hub.admin.get("/api/backups"))
    version = hub.admin.get("/api/config").json()["version"]
    assert listed == [{**made, "version": version, "encrypted": False}]

    response = hub.admin.get("/api/backups/before_the_update")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"] == 'attachment; filename="before_the_update.tar.zst"'
    assert int(response.headers["content-length"]) == len(response.content) == made["bytes"]
    assert response.content == (hub.folder / "backups" / "before_the_update.tar.zst").read_bytes()
    head = hub.admin.head("/api/backups/before_the_update")
    assert head.content == b"" and int(head.headers["content-length"]) == made["bytes"]
    file = tmp_path / "downloaded.tar.zst"
    file.write_bytes(response.content)
    restore(tmp_path / "new", file)
    assert state_of(hub_factory(tmp_path / "new"), "test.acknowledged")["state"] == "just now"

    time_made = create(hub)
    assert [one["name"] for one in hub.admin.get("/api/backups").json()] == [time_made["name"], "before_the_update"]
    assert_message(hub.admin.delete("/api/backups/before_the_update"), 200, "Backup removed.")
    assert [one["name"] for one in hub.admin.get("/api/backups").json()] == [time_made["name"]]
    assert not (hub.folder / "backups" / "before_the_update.tar.zst").exists()


@pytest.mark.contract("Beyond the specification: backups")
def test_unknown_backups_are_not_found(hub):
    for name in ("none", "NONE", "a.tar.zst", "configuration.yaml", "..%2Fconfiguration", "a%20b", "x" * 65):
        for method in ("GET", "DELETE"):
            assert_message(hub.admin.request(method, f"/api/backups/{name}"), 404)
    response = hub.admin.post("/api/backups/none")
    assert_message(response, 405)
    assert response.headers["allow"] == "GET, HEAD, DELETE"


@pytest.mark.contract("Beyond the specification: backups")
def test_backups_are_for_administrators(hub):
    for user, status in (("ann", 403), ("display", 403), ("anonymous", 401)):
        client = getattr(hub, user)
        assert_message(client.get("/api/backups"), status)
        assert_message(client.get("/api/backups/x"), status)
        assert_message(client.delete("/api/backups/x"), status)
        for service in ("create", "restore"):
            assert_message(client.post(f"/api/services/backup/{service}", json={"name": "x"}), status)
    assert not (hub.folder / "backups").exists()


@pytest.mark.contract("Beyond the specification: backups")
def test_wrong_orders_are_told_and_make_nothing(hub_factory):
    hub = hub_factory()
    for data, message in (
        ({"name": "家"}, "name: expected 1 to 64 letters, digits, _ or -"),
        ({"name": ""}, "name: expected a text that is not empty"),
        ({"passphrase": ""}, "passphrase: expected a text that is not empty"),
        ({"include": ["everything"]}, 'include: expected configuration, history, got "everything"'),
        ({"nome": "x"}, "nome: unknown field of backup.create"),
    ):
        assert create(hub, data, status=400) == message
    assert call(hub, "backup.restore", {"name": "none"}, status=400) == "name: there is no backup named none"
    assert "name: required field" in call(hub, "backup.restore", {}, status=400)
    create(hub, {"name": "x"})
    assert create(hub, {"name": "X"}, status=400) == "name: there is a backup named x already"
    assert [path.name for path in (hub.folder / "backups").iterdir()] == ["x.tar.zst"]


@pytest.mark.contract("Beyond the specification: backups")
def test_backup_holds_what_was_asked_for(hub_factory, tmp_path):
    hub = hub_factory()
    set_state(hub, "test.last", "just now")
    for include, held in (([], {"home.db"}), (["configuration"], {"home.db", "configuration.yaml"}),
                          ("history", {"home.db", "history.db"})):
        made = create(hub, {"include": include})
        copy = tmp_path / made["name"]
        restore(copy, hub.folder / "backups" / (made["name"] + ".tar.zst"))
        assert {path.name for path in copy.iterdir()} == held
        # Last states are always there, and the newest of them.
        assert state_of(hub_factory(copy), "test.last")["state"] == "just now"


@pytest.mark.contract("Beyond the specification: backups")
def test_passphrases_are_told_nobody(hub_factory):
    hub = hub_factory()
    with hub.stream("?restrict=call_service") as stream:
        create(hub, {"name": "secret", "passphrase": "seven lamps"})
        assert stream.next_event().event["data"]["service_data"] == {"name": "secret", "passphrase": "…"}
    assert hub.admin.get("/api/backups").json()[0]["encrypted"] is True
    assert (hub.folder / "backups" / "secret.tar.zst.enc").exists()
    for data, message in (({}, "its passphrase is needed"), ({"passphrase": "six"}, "passphrase is wrong")):
        for verify in (True, False):
            order = {"name": "secret", "verify": verify, **data}
            response = hub.admin.post("/api/services/backup/restore", json=order)
            assert message in assert_message(response, 400)
    verified = call(hub, "backup.restore", {"name": "secret", "verify": True, "passphrase": "seven lamps"},
                    query="?return_response")["service_response"]
    assert verified["restarting"] is False and verified["home"] == "Test home"
    assert {path.name for path in hub.folder.iterdir()} >= {"backups"}
    assert not list(hub.folder.glob("restore*"))
    assert not any("lamps" in line for line in hub.log)
    hub.stop()
    for name in ("home.db", "history.db", "history.db-wal"):
        assert not (hub.folder / name).exists() or b"seven lamps" not in (hub.folder / name).read_bytes()


def wait_restarted(hub, condition):
    """The same process, another home."""

    def restarted():
        assert hub.process.poll() is None, "\n".join(hub.log)
        try:
            return hub.admin.get("/api/").status_code == 200 and condition()
        except httpx.TransportError:
            return False

    wait_until(restarted, 20)


@pytest.mark.contract("Beyond the specification: backups")
def test_service_restores_a_backup_and_restarts(hub_factory):
    hub = hub_factory()
    (hub.folder / "www").mkdir()
    (hub.folder / "www" / "a.js").write_text("before")
    set_state(hub, "test.value", "before", {"n": 1})
    call(hub, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 33})
    before = states(hub)
    create(hub, {"name": "good"})
    set_state(hub, "test.value", "after")
    set_state(hub, "test.new", "after")
    (hub.folder / "www" / "a.js").write_text("after")
    (hub.folder / "new.txt").write_text("after")
    hub.command("user", "add", "late", "--password-stdin", text="a long passphrase\n")

    answer = call(hub, "backup.restore", {"name": "good"}, query="?return_response")["service_response"]
    assert answer["restarting"] is True and answer["files"] == 4
    wait_restarted(hub, lambda: hub.admin.get("/api/states/test.new").status_code == 404)
    assert states(hub) == before
    assert history_of(hub, "test.value") == ["before"]
    assert (hub.folder / "www" / "a.js").read_text() == "before"
    assert not (hub.folder / "new.txt").exists()
    assert "late" not in hub.command("user", "list").stdout
    assert [one["name"] for one in hub.admin.get("/api/backups").json()] == ["good"]
    (old,) = hub.folder.glob("before-restore-*")
    assert (old / "www" / "a.js").read_text() == "after" and (old / "new.txt").exists()
    assert "late" in command(old, "user", "list").stdout
    assert any("good.tar.zst is restored; what was there is in" in line for line in hub.log)
    check_sound(hub.folder)


def with_file(file, path, content):
    """The text of the archive with that file as another program would write it: each file as anybody's."""
    with members(file) as tar:
        contents = {name: tar.extractfile(name).read() for name in tar.getnames()}
    contents[path] = content
    manifest = json.loads(contents["backup.json"])
    for entry in manifest["files"]:
        entry |= {"bytes": len(contents[entry["path"]]), "sha256": hashlib.sha256(contents[entry["path"]]).hexdigest()}
    contents["backup.json"] = json.dumps(manifest).encode()
    contents["backup.json.sha256"] = (hashlib.sha256(contents["backup.json"]).hexdigest() + "  backup.json\n").encode()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, text in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o666
            tar.addfile(entry, io.BytesIO(text))
    return subprocess.run(["zstd", "-c", "--check"], input=archive.getvalue(), capture_output=True, check=True).stdout


def test_databases_are_their_owners_whatever_the_archive_says(kept, tmp_path):
    if not shutil.which("zstd"):
        pytest.skip("there is no zstd")
    file = tmp_path / "foreign.tar.zst"
    file.write_bytes(with_file(kept[1], "configuration.yaml", b"demo:\n"))
    restore(tmp_path / "new", file)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").rglob("*") if path.is_file()}
    assert modes == {"home.db": 0o600, "history.db": 0o600, "configuration.yaml": 0o644, "Küche.js": 0o644}


@pytest.mark.contract("Beyond the specification: backups")
def test_configuration_that_would_fill_the_memory_is_not_restored(hub_factory):
    hub = hub_factory()
    configuration = hub.folder / "configuration.yaml"
    valid = configuration.read_text()
    configuration.write_text(",a: 1")
    create(hub, {"name": "comma"})
    configuration.write_text(valid)

    def resident():
        pages = int((Path("/proc") / str(hub.process.pid) / "statm").read_text().split()[1])
        return pages * resource.getpagesize()

    before = resident()
    message = call(hub, "backup.restore", {"name": "comma"}, status=400)
    assert message.startswith("The configuration in the backup is not valid: configuration.yaml:1: not valid YAML:")
    assert resident() - before < 64 << 20
    assert not list(hub.folder.glob("restore*")) and not list(hub.folder.glob("before*"))
    assert hub.admin.get("/api/").status_code == 200


@pytest.mark.contract("Beyond the specification: backups")
def test_backup_that_would_not_start_is_not_restored(hub_factory):
    hub = hub_factory()
    valid = (hub.folder / "configuration.yaml").read_text()
    (hub.folder / "configuration.yaml").write_text("home:\n  nome: x\n")
    create(hub, {"name": "bad"})
    (hub.folder / "configuration.yaml").write_text(valid)
    message = call(hub, "backup.restore", {"name": "bad"}, status=400)
    assert message.startswith("The configuration in the backup is not valid: configuration.yaml:2: home.nome: unknown")
    (hub.folder / "backups" / "cut.tar.zst").write_bytes((hub.folder / "backups" / "bad.tar.zst").read_bytes()[:-9])
    for verify in (True, False):
        assert "cut short" in call(hub, "backup.restore", {"name": "cut", "verify": verify}, status=400)
    assert not list(hub.folder.glob("restore*")) and not list(hub.folder.glob("before*"))
    listed = {one["name"]: one["version"] for one in hub.admin.get("/api/backups").json()}
    assert listed["cut"] is not None  # its beginning is whole
    (hub.folder / "backups" / "cut.tar.zst").write_bytes(b"nothing")
    listed = {one["name"]: one["version"] for one in hub.admin.get("/api/backups").json()}
    assert listed["cut"] is None and listed["bad"] is not None


@pytest.mark.parametrize("delay", [0, 0.002, 0.01, 0.03, 0.1])
def test_kill_during_the_restore_is_made_good_by_the_next_start(hub_factory, delay):
    """restore_test kills it at each of its steps; here it is killed for real, somewhere."""
    folder = hub_factory.folder(recorder={"commit_interval": "0s"}, demo=None)
    hub = hub_factory(folder)
    for number in range(50):
        set_state(hub, f"test.n{number}", "before")
    create(hub, {"name": "good"})
    for number in range(50):
        set_state(hub, f"test.n{number}", "after")
    call(hub, "backup.restore", {"name": "good"})
    time.sleep(delay)
    hub.send_signal(signal.SIGKILL)
    hub.wait_ended()
    hub.close_clients()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert {state["state"] for state in states(hub).values()} == {"before"}
    assert not list(folder.glob("restore*"))
    assert len(list(folder.glob("before-restore-*"))) == 1
    check_sound(folder)


def test_long_backup_does_not_hold_up_the_end(hub_factory):
    hub = hub_factory()
    with hub.connect() as connection:
        body = json.dumps({"passphrase": "x"})
        connection.send((f"POST /api/services/backup/create HTTP/1.1\r\nHost: h\r\n{hub.bearer()}\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        hub.send_signal(signal.SIGTERM)
        # What may be under way is the passphrase's key: two seconds' work of a processor that other tests want, too.
        assert hub.wait_ended(20) == 0
    kept_files = list((hub.folder / "backups").iterdir()) if (hub.folder / "backups").exists() else []
    assert not [path for path in kept_files if path.name.endswith(".partial")]
    assert os.listdir(hub.folder)
