# SPDX-License-Identifier: Apache-2.0
"""Backups by the command line: made beside a running hub, readable by their owner only, and restored to the same home."""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile

import pytest

from backups import areas, backup, listing, members, one_line, restore, states
from checks import call, set_state, state_of
from hub_process import BINARY, command, wait_until
from terminal import Terminal
from test_durability import WRITERS, Writers, check_sound, history_of
from websocket_client import WebSocketClient

RECORD = {"audit.db"}  # of the restore: a backup has none


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
    call(hub, "homeassistant.save_persistent_states")  # otherwise the registry is written within a second
    uuid = hub.admin.get("/api/config").json()["uuid"]
    writers = Writers(hub)
    wait_until(lambda: writers.least() >= 100, 30)
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
    assert {path.name for path in copy.iterdir()} == {"configuration.yaml", "home.db", "history.db", "www"} | RECORD
    assert copy.stat().st_mode & 0o777 == 0o700
    hub = hub_factory(copy)
    assert states(hub) == before
    assert history_of(hub, "test.k1") == [str(number) for number in range(1, 60, 3)]
    assert "Cellar" in areas(hub)
    with sqlite3.connect(folder / "home.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)  # nothing is locked or left behind


def test_other_programs_can_read_the_archive(kept):
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
                                              "www/Küche.js"} | RECORD


def test_backup_does_not_overwrite_a_file(kept, tmp_path):
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
    # A limit on the size of files acts like a full disk.
    done = subprocess.run(["prlimit", "--fsize=40960", str(BINARY), "backup", str(tmp_path / "a"), "--config", str(kept[0])],
                          capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL,
                          env=os.environ | {"LLVM_PROFILE_FILE": "/dev/null"})  # of tools/coverage
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


def test_damaged_backups_are_reported_and_change_nothing(kept, tmp_path):
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


def test_verify_describes_the_backup_and_writes_nothing(kept, tmp_path):
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
    assert one_line(command(tmp_path / "new", "restore", str(file)))  # no terminal to ask on
    assert not (tmp_path / "new").exists()
    restore(tmp_path / "new", file, "--passphrase-stdin", text="seven lamps\n")
    assert states(hub_factory(tmp_path / "new")) == kept[2]
    assert "passphrase is empty" in one_line(command(kept[0], "backup", str(tmp_path / "x"), "--passphrase-stdin"))


def test_a_passphrase_is_asked_for_twice(kept, tmp_path):
    file = tmp_path / "home.tar.zst.enc"

    def asked(second):
        with Terminal(BINARY, "backup", file, "--encrypt", "--config", kept[0]) as terminal:
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
def test_an_impossible_backup_is_reported_and_not_made(kept, tmp_path, file, options, text, told):
    file = str(tmp_path / file) if file == "x" else file
    assert one_line(command(kept[0], "backup", file, *options, text=text)) == told
    assert not list(tmp_path.iterdir())


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


def test_databases_are_private_whatever_the_archive_says(kept, tmp_path):
    if not shutil.which("zstd"):
        pytest.skip("there is no zstd")
    file = tmp_path / "foreign.tar.zst"
    file.write_bytes(with_file(kept[1], "configuration.yaml", b"demo:\n"))
    restore(tmp_path / "new", file)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").rglob("*") if path.is_file()}
    assert modes == {"home.db": 0o600, "history.db": 0o600, "configuration.yaml": 0o644, "Küche.js": 0o644, "audit.db": 0o600}
