# SPDX-License-Identifier: Apache-2.0
"""Backups by the hub's services and REST: made, listed, sent, removed and restored."""

import json
import os
import resource
import signal
import time
from pathlib import Path

import httpx
import pytest

from backups import restore, states
from checks import assert_json, assert_message, call, set_state, state_of
from hub_process import command, wait_until
from test_durability import check_sound, history_of


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
def test_wrong_requests_are_reported_and_make_nothing(hub_factory):
    hub = hub_factory()
    for data, message in (
        ({"name": "家"}, "name: expected 1 to 64 letters, digits, _ or -"),
        ({"name": ""}, "name: expected a text that is not empty"),
        ({"passphrase": ""}, "passphrase: expected a text that is not empty"),
        ({"include": ["everything"]}, 'include: expected configuration, history, keys, got "everything"'),
        ({"nome": "x"}, "nome: unknown field of backup.create"),
    ):
        assert create(hub, data, status=400) == message
    assert call(hub, "backup.restore", {"name": "none"}, status=400) == "name: there is no backup named none"
    assert "name: required field" in call(hub, "backup.restore", {}, status=400)
    create(hub, {"name": "x"})
    assert create(hub, {"name": "X"}, status=400) == "name: there is a backup named x already"
    assert [path.name for path in (hub.folder / "backups").iterdir()] == ["x.tar.zst"]


@pytest.mark.contract("Beyond the specification: backups")
def test_backup_contains_what_was_asked_for(hub_factory, tmp_path):
    hub = hub_factory()
    set_state(hub, "test.last", "just now")
    for include, held in (([], {"home.db"}), (["configuration"], {"home.db", "configuration.yaml"}),
                          ("history", {"home.db", "history.db"})):
        made = create(hub, {"include": include})
        copy = tmp_path / made["name"]
        restore(copy, hub.folder / "backups" / (made["name"] + ".tar.zst"))
        assert {path.name for path in copy.iterdir()} == held | {"audit.db"}  # which records the restore
        # Last states are always included, up to the newest.
        assert state_of(hub_factory(copy), "test.last")["state"] == "just now"


@pytest.mark.contract("Beyond the specification: backups")
def test_passphrases_are_not_revealed(hub_factory):
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
            states = hub.admin.get("/api/states")
            # What is restored has not been confirmed yet: its entity is about to come.
            return (states.status_code == 200 and all("restored" not in state["attributes"] for state in states.json())
                    and condition())
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
    hub.logged("good.tar.zst is restored; what was there is in")
    check_sound(hub.folder)


@pytest.mark.contract("Beyond the specification: backups")
def test_configuration_that_would_exhaust_memory_is_not_restored(hub_factory):
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
    assert message.startswith("The configuration in the backup is not valid: configuration.yaml:1:")
    assert ": not valid YAML: " in message
    assert resident() - before < 64 << 20
    assert not list(hub.folder.glob("restore*")) and not list(hub.folder.glob("before*"))
    assert hub.admin.get("/api/").status_code == 200


@pytest.mark.contract("Beyond the specification: backups")
def test_backup_that_would_not_start_is_not_restored(hub_factory):
    hub = hub_factory()
    valid = (hub.folder / "configuration.yaml").read_text()
    (hub.folder / "configuration.yaml").write_text("home:\n  latitude: x\n")
    create(hub, {"name": "bad"})
    (hub.folder / "configuration.yaml").write_text(valid)
    message = call(hub, "backup.restore", {"name": "bad"}, status=400)
    assert message.startswith("The configuration in the backup is not valid: configuration.yaml:2: home.latitude: expected")
    (hub.folder / "backups" / "cut.tar.zst").write_bytes((hub.folder / "backups" / "bad.tar.zst").read_bytes()[:-9])
    for verify in (True, False):
        assert "cut short" in call(hub, "backup.restore", {"name": "cut", "verify": verify}, status=400)
    assert not list(hub.folder.glob("restore*")) and not list(hub.folder.glob("before*"))
    listed = {one["name"]: one["version"] for one in hub.admin.get("/api/backups").json()}
    assert listed["cut"] is not None  # its start is intact
    (hub.folder / "backups" / "cut.tar.zst").write_bytes(b"nothing")
    listed = {one["name"]: one["version"] for one in hub.admin.get("/api/backups").json()}
    assert listed["cut"] is None and listed["bad"] is not None


@pytest.mark.parametrize("delay", [0, 0.002, 0.01, 0.03, 0.1])
def test_restore_continues_at_the_next_start_after_a_kill(hub_factory, delay):
    """restore_test stops it at each step; here it is killed at some moment."""
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
    assert {state["state"] for id, state in states(hub).items() if id.startswith("test.")} == {"before"}
    assert not list(folder.glob("restore.*"))
    assert len(list(folder.glob("before-restore-*"))) == 1
    check_sound(folder)


def test_long_backup_does_not_delay_the_stop(hub_factory):
    hub = hub_factory()
    with hub.connect() as connection:
        body = json.dumps({"passphrase": "x"})
        connection.send((f"POST /api/services/backup/create HTTP/1.1\r\nHost: h\r\n{hub.bearer()}\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        hub.send_signal(signal.SIGTERM)
        # The passphrase's key may be computed now: two seconds of CPU time that other tests need, too.
        assert hub.wait_ended(20) == 0
    kept_files = list((hub.folder / "backups").iterdir()) if (hub.folder / "backups").exists() else []
    assert not [path for path in kept_files if path.name.endswith(".partial")]
    assert os.listdir(hub.folder)
