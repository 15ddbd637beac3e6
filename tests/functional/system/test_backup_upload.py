# SPDX-License-Identifier: Apache-2.0
"""Backups that come from elsewhere: uploaded by administrators, and the one that a new home starts from."""

import json
import select
from contextlib import ExitStack

import httpx
import pytest

from backups import backup, listing
from checks import TIMESTAMP, assert_json, assert_message, call, set_state, state_of
from hub_process import base_settings, wait_until, write_settings
from test_backup_services import wait_restarted
from test_foreign_pages import EVIL, code_of_log
from test_onboarding import new_home, onboard, steps  # noqa: F401
from websocket_client import WebSocketClient

BINARY_TYPE = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def made(module_hubs, tmp_path_factory):
    """The bytes of a backup, and of a sealed one, of a home in which test.kept is 42."""
    hub = module_hubs()
    set_state(hub, "test.kept", "42")
    folder = tmp_path_factory.mktemp("made")
    for name, data in (("plain", {}), ("sealed", {"passphrase": "seven lamps"})):
        call(hub, "backup.create", {"name": name, **data})
        (folder / name).write_bytes(hub.admin.get(f"/api/backups/{name}").content)
    return {name: (folder / name).read_bytes() for name in ("plain", "sealed")}


@pytest.fixture(scope="module")
def target(module_hubs):
    """A hub that keeps nothing of what it is sent."""
    return module_hubs()


def upload(client, content, name=None, **options):
    return client.post("/api/backups", params={"name": name} if name else None, content=content, headers=BINARY_TYPE, **options)


def kept_names(hub):
    return [one["name"] for one in assert_json(hub.admin.get("/api/backups"))]


@pytest.mark.contract("Beyond the specification: backups")
def test_an_uploaded_backup_is_one_like_those_made_here(hub_factory, made):
    hub = hub_factory()
    answer = upload(hub.admin, made["plain"], "From Elsewhere")
    one = assert_json(answer, 201)
    assert answer.headers["location"] == "/api/backups/from_elsewhere"
    assert one["name"] == "from_elsewhere" and one["bytes"] == len(made["plain"]) and not one["encrypted"]
    assert assert_json(hub.admin.get("/api/backups")) == [one]
    assert hub.admin.get("/api/backups/from_elsewhere").content == made["plain"]
    assert (hub.folder / "backups" / "from_elsewhere.tar.zst").stat().st_mode & 0o777 == 0o600
    sealed = assert_json(upload(hub.admin, made["sealed"]), 201)
    assert sealed["encrypted"] and sealed["name"] == sealed["created"][:19].replace("T", "_").replace(":", "-")
    again = assert_json(upload(hub.admin, made["sealed"]), 201)
    assert again["name"] == sealed["name"] + "-2"

    call(hub, "backup.restore", {"name": "from_elsewhere"})
    wait_restarted(hub, lambda: hub.admin.get("/api/states/test.kept").status_code == 200)
    assert state_of(hub, "test.kept")["state"] == "42"


@pytest.mark.contract("Beyond the specification: backups")
@pytest.mark.parametrize("damage", ["text", "empty", "cut", "changed", "sealed head"])
def test_what_is_no_whole_backup_is_refused_and_not_kept(target, made, damage):
    hub = target
    plain = made["plain"]
    content = {"text": b"nonsense " * 1_000, "empty": b"", "cut": plain[:-20],
               "changed": plain[:-200] + bytes(byte ^ 1 for byte in plain[-200:-100]) + plain[-100:],
               "sealed head": made["sealed"][:40]}[damage]
    message = assert_message(upload(hub.admin, content, "broken"), 400)
    assert str(hub.folder) not in message and message
    assert kept_names(hub) == []
    wait_until(lambda: not list((hub.folder / "backups").glob("*")) if (hub.folder / "backups").exists() else True)


@pytest.mark.contract("Beyond the specification: backups")
def test_a_name_that_is_taken_or_none_is_refused(hub_factory, made):
    hub = hub_factory()
    call(hub, "backup.create", {"name": "taken"})
    assert assert_message(upload(hub.admin, made["plain"], "Taken"), 400) == "name: there is a backup named taken already"
    assert "name: expected 1 to 64" in assert_message(upload(hub.admin, made["plain"], "家"), 400)
    assert kept_names(hub) == ["taken"]


@pytest.mark.contract("Beyond the specification: backups", "Tokens and rights: right missing")
def test_uploading_is_for_administrators(hub, made):
    for user, status in (("ann", 403), ("display", 403), ("anonymous", 401)):
        assert_message(upload(getattr(hub, user), made["plain"]), status)
    assert kept_names(hub) == []


@pytest.mark.contract("Beyond the specification: backups", "Weight, and strangers: bodies")
def test_uploads_have_a_limit_and_one_comes_at_a_time(hub_factory, made):
    hub = hub_factory(http={"limits": {"upload_size": "1MiB"}})
    with hub.connect() as connection:
        head = f"POST /api/backups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {hub.tokens['admin']}\r\n"
        connection.send((head + f"Content-Length: {(1 << 20) + 1}\r\n\r\n").encode())
        assert "1048576 bytes" in assert_message(connection.read_response(), 413)
    # The refused one is forgotten soon after its connection has ended.
    wait_until(lambda: upload(hub.admin, b"x").status_code == 400, 5)
    with hub.connect() as connection:
        connection.send((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        for _ in range(17):
            connection.send(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        assert "1048576 bytes" in assert_message(connection.read_response(), 413)
    wait_until(lambda: upload(hub.admin, b"x").status_code == 400, 5)
    with ExitStack() as connections:
        def has_begun():
            """True if an upload, of which little has come, has the place; it is refused while the one before goes."""
            connection = connections.enter_context(hub.connect())
            connection.send((head + "Content-Length: 600000\r\n\r\n").encode() + made["plain"][:1_000])
            return not select.select([connection.socket], [], [], 0.3)[0]

        wait_until(has_begun, 10)
        assert "Another backup is being uploaded" in upload(hub.admin, made["plain"]).json()["message"]
    wait_until(lambda: upload(hub.admin, made["plain"], "after").status_code == 201, 5)
    assert kept_names(hub) == ["after"]
    assert sorted(path.name for path in (hub.folder / "backups").iterdir()) == ["after.tar.zst"]


@pytest.mark.contract("Beyond the specification: backups")
@pytest.mark.unsanitized
def test_a_large_upload_goes_to_the_disk_and_not_into_memory(hub_factory):
    hub = hub_factory()
    status = lambda: next(int(line.split()[1]) for line in open(f"/proc/{hub.process.pid}/status") if line.startswith("VmRSS"))
    piece, before, seen = bytes(range(256)) * 4_096, status(), []

    def pieces():
        yield b"\x28\xb5\x2f\xfd"
        for number in range(96):
            yield piece
            if number % 16 == 15:
                seen.append(status())

    assert_message(upload(hub.admin, pieces(), timeout=60), 400)
    assert max(seen) - before < 48 * 1_024, (before, seen)
    assert kept_names(hub) == []


@pytest.mark.contract("Beyond the specification: backups")
def test_what_a_killed_hub_left_of_an_upload_goes(hub_factory, made):
    hub = hub_factory()
    call(hub, "backup.create", {"name": "good"})
    hub.stop()
    (hub.folder / "backups" / "upload.partial").write_bytes(b"a part")
    hub = hub_factory(hub.folder)
    assert kept_names(hub) == ["good"]
    wait_until(lambda: not (hub.folder / "backups" / "upload.partial").exists())


@pytest.mark.contract("Beyond the specification: backups", "WebSocket: commands")
def test_after_a_restore_the_hub_says_what_by_whom_and_when(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        assert admin.result("hearth/last_restore") is None
    with WebSocketClient(hub, hub.tokens["ann"]) as ann:
        assert ann.error("hearth/last_restore")[0] == "unauthorized"
    call(hub, "backup.create", {"name": "good"})
    set_state(hub, "test.later", "1")
    created = assert_json(hub.admin.get("/api/backups"))[0]["created"]
    call(hub, "backup.restore", {"name": "good"})
    wait_restarted(hub, lambda: hub.admin.get("/api/states/test.later").status_code == 404)
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        last = admin.result("hearth/last_restore")
    assert last["backup"] == "good.tar.zst" and last["created"] == created and last["home"] == "Test home"
    assert last["asked_by"] == "admin" and TIMESTAMP.fullmatch(last["asked_at"]) and last["asked_at"] > created
    assert (hub.folder / last["before"] / "home.db").exists()
    # It belongs to this folder, not to the home in it.
    call(hub, "backup.create", {"name": "later"})
    assert "restored.json" not in json.dumps(listing(hub.folder / "backups"))


def start_upload(hub, content, **headers):
    return hub.anonymous.post("/api/onboarding/backup", content=content, headers=BINARY_TYPE | headers)


def start_restore(hub, passphrase=None, **fields):
    return hub.anonymous.post("/api/onboarding/restore", json={"passphrase": passphrase, **fields})


def wait_restored(hub):
    """Until the hub is there again, as a home with users."""

    def restored():
        try:
            return steps(hub) == [{"step": "user", "done": True}]
        except (httpx.TransportError, AssertionError):
            return False

    wait_until(restored, 20)


@pytest.mark.contract("Beyond the specification: onboarding", "Weight, and strangers: first user")
def test_a_new_home_starts_from_a_backup(new_home, made):  # noqa: F811
    one = assert_json(start_upload(new_home, made["sealed"]))
    assert one["encrypted"] and one["bytes"] == len(made["sealed"])
    assert_json(start_upload(new_home, made["sealed"]))  # it replaces the one before
    assert [path.name for path in (new_home.folder / "backups").iterdir()] == ["first_start.tar.zst.enc"]
    assert "passphrase is needed" in assert_message(start_restore(new_home), 400)
    message = assert_message(start_restore(new_home, "six lamps"), 400)
    assert "passphrase is wrong" in message and str(new_home.folder) not in message
    assert "file: expected" in assert_message(start_restore(new_home, "seven lamps", file="x" * 256), 400)
    assert "file: expected" in assert_message(start_restore(new_home, "seven lamps", file="a\nb"), 400)
    answer = assert_json(start_restore(new_home, "seven lamps", file="home of autumn.tar.zst.enc"))
    assert answer["home"] == "Test home" and answer["restarting"] is True
    wait_restored(new_home)
    assert_message(start_upload(new_home, made["plain"]), 403)
    assert_message(start_restore(new_home, "seven lamps"), 403)
    assert_message(onboard(new_home), 403)
    assert "administrator" in new_home.command("user", "list").stdout
    assert json.loads((new_home.folder / "restored.json").read_text())["backup"] == "home of autumn.tar.zst.enc"


@pytest.mark.contract("Weight, and strangers: first user", "Weight, and strangers: Origin")
@pytest.mark.parametrize(("headers", "status"), [
    ({"Content-Type": "text/plain"}, 400), ({"Content-Type": "application/x-www-form-urlencoded"}, 400),
    ({"Content-Type": "multipart/form-data; boundary=x"}, 400), ({"Origin": EVIL}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403)])
def test_a_foreign_page_starts_from_nothing(new_home, made, headers, status):  # noqa: F811
    assert_message(start_upload(new_home, made["plain"], **headers), status)
    body = json.dumps({"passphrase": None})
    sent = {"Content-Type": "application/json"} | headers
    assert_message(new_home.anonymous.post("/api/onboarding/restore", content=body, headers=sent), status)
    assert not (new_home.folder / "backups").exists() and steps(new_home) == [{"step": "user", "done": False}]


@pytest.mark.contract("Weight, and strangers: first user", "Weight, and strangers: Host")
def test_a_start_from_elsewhere_needs_the_code(hub_factory, tmp_path, made):
    folder = tmp_path / "new home"
    folder.mkdir()
    write_settings(folder, base_settings() | {"http": {"trusted_proxies": ["127.0.0.1"]}})
    hub = hub_factory(folder)
    outside, rebound = {"X-Forwarded-For": "203.0.113.9"}, {"Host": "evil.example"}
    code = code_of_log(hub)
    for headers in (outside, rebound):
        assert "log" in assert_message(start_upload(hub, made["plain"], **headers), 403)
        assert_message(start_upload(hub, made["plain"], **headers, **{"X-First-User-Code": "0000-0000"}), 403)
        refused = hub.anonymous.post("/api/onboarding/restore", json={}, headers=headers)
        assert "code" in assert_message(refused, 403)
    assert not (hub.folder / "backups").exists()
    assert_json(start_upload(hub, made["plain"], **outside, **{"X-First-User-Code": code}))
    done = hub.anonymous.post("/api/onboarding/restore", json={"code": code}, headers=outside)
    assert assert_json(done)["restarting"] is True
    wait_restored(hub)


@pytest.mark.contract("Beyond the specification: onboarding")
def test_who_makes_the_first_user_first_wins_over_a_restore(new_home, made):  # noqa: F811
    assert_json(start_upload(new_home, made["plain"]))
    for wrong in ({"passphrase": 5}, {"code": 5}):
        assert_message(start_restore(new_home, **wrong), 400)
    assert_json(onboard(new_home))
    assert_message(start_restore(new_home), 403)
    assert new_home.process.poll() is None and steps(new_home) == [{"step": "user", "done": True}]


@pytest.mark.contract("Beyond the specification: onboarding")
def test_nothing_is_restored_before_something_is_there(new_home):  # noqa: F811
    assert "there is no backup named first_start" in assert_message(start_restore(new_home), 400)


@pytest.mark.contract("Beyond the specification: backups")
def test_a_backup_of_the_command_line_can_be_uploaded(hub_factory, tmp_path):
    hub = hub_factory()
    backup(hub.folder, tmp_path / "cli.tar.zst")
    assert assert_json(upload(hub.admin, (tmp_path / "cli.tar.zst").read_bytes(), "cli"), 201)["name"] == "cli"
