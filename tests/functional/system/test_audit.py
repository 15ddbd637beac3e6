# SPDX-License-Identifier: Apache-2.0
"""The audit log: what it records, that nothing acknowledged is missing from it, and that it has no secrets."""

import contextlib
import json
import random
import sqlite3
import subprocess
import threading

import pytest
import websocket

from checks import assert_json, assert_message
from hub_process import PASSWORD, wait_until
from login_client import CLIENT, log_in, try_password
from websocket_client import WebSocketClient

COMMANDS = ["audit/list"]
ITEM = "/api/config/automation/config/"


def rows(hub):
    """All rows, the oldest first."""
    done = hub.command("audit", "export")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def whole(hub, *arguments):
    done = hub.command("audit", "verify", *arguments)
    return done.returncode == 0, done.stdout + done.stderr


def automation(alias):
    return {"alias": alias, "triggers": [{"trigger": "homeassistant", "event": "start"}], "actions": []}


@pytest.fixture
def socket(hub):
    with WebSocketClient(hub, hub.tokens["admin"], timeout=30) as client:
        yield client


@pytest.fixture
def hub(hub_factory):
    return hub_factory.start(automation=None)


def test_records_who_changed_what(hub, socket):
    made = socket.result("config/auth/create", name="Ben", username="ben", password=PASSWORD)
    socket.result("config/auth/update", user_id=made["user"]["id"], is_active=False)
    socket.result("config/auth/delete", user_id=made["user"]["id"])
    assert_json(hub.admin.post(ITEM + "night", json=automation("Night")))
    assert_json(hub.admin.post(ITEM + "night", json=automation("Late night")))
    assert_json(hub.admin.delete(ITEM + "night"))
    found = [row for row in rows(hub) if row["user"] == "admin"]
    assert [(row["what"], row["subject"]) for row in found if not row["what"].startswith("new_address")] == [
        ("config/auth/create", "ben"), ("config/auth/update", made["user"]["id"]),
        ("config/auth/delete", made["user"]["id"]), ("POST /api/config/automation/config/{id}", "night"),
        ("POST /api/config/automation/config/{id}", "night"), ("DELETE /api/config/automation/config/{id}", "night")]
    assert all(row["address"] == "127.0.0.1" and row["client"].startswith("token ") for row in found
               if not row["what"].startswith("new_address"))
    first, second, removed = found[-3:]
    assert first["before"] == "" and first["after"] and second["before"] and second["after"] != first["after"]
    assert removed["before"] and removed["before"] != second["before"] and removed["after"] == ""
    assert whole(hub)[0]


def test_records_logins_sessions_and_failures(hub):
    try_password(hub, "ann", "wrong")
    try_password(hub, "my own password in the wrong field", PASSWORD)
    tokens = log_in(hub, "ann")
    assert hub.anonymous.post("/auth/revoke", data={"token": tokens["refresh_token"]}).status_code == 200
    hub.stop()
    found = rows(hub)
    by_kind = {row["what"]: row for row in found}
    assert by_kind["login"]["user"] == by_kind["session_created"]["user"] == by_kind["session_ended"]["user"] == "ann"
    assert by_kind["session_created"]["subject"] == by_kind["session_ended"]["subject"]
    assert by_kind["login_failed"]["count"] == 2
    assert "wrong field" not in json.dumps(found)


def test_counts_what_was_refused(hub):
    for _ in range(30):
        assert_message(hub.ann.get("/api/error_log"), 403)
    with WebSocketClient(hub, hub.tokens["ann"]) as ann:
        for _ in range(12):
            assert ann.error("config/auth/list")[0] == "unauthorized"
    hub.stop()
    denied = [row for row in rows(hub) if row["what"] == "denied"]
    assert sum(row["count"] for row in denied) == 42 and len(denied) <= 2
    assert denied[0]["user"] == "ann" and denied[0]["subject"] == "/api/error_log"


def test_records_services_for_administrators_only(hub, socket):
    assert_json(hub.admin.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen"}))
    socket.result("call_service", domain="homeassistant", service="reload_core_config")
    assert [row["subject"] for row in rows(hub) if row["what"] == "service"] == ["homeassistant.reload_core_config"]


def test_records_the_command_line(hub):
    assert hub.command("user", "deactivate", "ann").returncode == 0
    assert hub.command("user", "list").returncode == 0
    found = [row for row in rows(hub) if row["what"] == "command_line"]
    assert found[-1]["subject"] == "user deactivate ann" and found[-1]["client"] == "command line"
    assert whole(hub)[0]


def test_lists_pages_to_administrators(hub, socket):
    for number in range(5):
        socket.result("config/area_registry/create", name=f"Room {number}")
    page = socket.result("audit/list", limit=2)
    assert [row["subject"] for row in page["rows"]] == ["Room 4", "Room 3"]
    older = socket.result("audit/list", before=page["rows"][-1]["number"], limit=1)
    assert older["rows"][0]["subject"] == "Room 2"
    assert page["head"] in whole(hub)[1]
    assert socket.error("audit/list", limit=201)[0] == "invalid_format"
    with WebSocketClient(hub, hub.tokens["ann"]) as ann:
        assert ann.error("audit/list")[0] == "unauthorized"


def test_commands_behind_a_recorded_one_see_what_it_did(hub, socket):
    socket.send(json.dumps([
        {"id": 1, "type": "config/area_registry/create", "name": "Attic"}, {"id": 2, "type": "config/area_registry/list"},
        {"id": 3, "type": "config/area_registry/create", "name": "Cellar"}, {"id": 4, "type": "config/area_registry/list"}]))
    answers = {}
    while len(answers) < 4:
        message = socket.receive()
        answers[message["id"]] = message["result"]
    names = [{area["name"] for area in answers[number]} & {"Attic", "Cellar"} for number in (2, 4)]
    assert names == [{"Attic"}, {"Attic", "Cellar"}]


def test_each_backup_has_the_head(hub, socket):
    socket.result("config/area_registry/create", name="Attic")
    assert_json(hub.admin.post("/api/services/backup/create?return_response", json={"name": "one"}))
    manifest = json.loads(subprocess.run(
        ["tar", "--zstd", "-xOf", str(hub.folder / "backups/one.tar.zst"), "backup.json"], capture_output=True,
        check=True).stdout)
    good, said = whole(hub, "--head", manifest["audit_head"])
    assert good, said
    hub.stop()
    with sqlite3.connect(hub.folder / "audit.db") as database:
        database.execute("DELETE FROM audit_rows WHERE number > 2")
    assert whole(hub)[0]
    good, said = whole(hub, "--head", manifest["audit_head"])
    assert not good and "the end is missing" in said


def test_refuses_changes_while_the_log_cannot_be_written_and_heals(hub_factory):
    folder = hub_factory.folder()
    for left in folder.glob("audit.db*"):
        left.unlink()
    (folder / "audit.db").mkdir()
    hub = hub_factory.start(folder)
    hub.errors_expected = True
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        code, message = socket.error("config/area_registry/create", name="Attic")
        assert code == "home_assistant_error"
        assert message.startswith("Nothing was changed, because the audit log cannot be written: ") and "audit.db" in message
        assert "Attic" not in [area["name"] for area in socket.result("config/area_registry/list")]
        answer = hub.admin.post(ITEM + "night", json=automation("Night"))
        assert answer.status_code == 503 and answer.json()["message"].startswith("Nothing was changed, because")
        assert hub.admin.get(ITEM + "night").status_code == 404
        assert hub.command("user", "deactivate", "ann").returncode == 1
        # The home lives on, and people come in.
        assert_json(hub.ann.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen"}))
        assert log_in(hub, "ann")["access_token"]
        wait_until(lambda: [issue for issue in socket.result("repairs/list_issues")["issues"]
                            if issue["issue_id"] == "audit_failing"], 15)
        (folder / "audit.db").rmdir()
        wait_until(lambda: not [issue for issue in socket.result("repairs/list_issues")["issues"]
                                if issue["issue_id"] == "audit_failing"], 15)
        socket.result("config/area_registry/create", name="Attic")
    found = rows(hub)
    assert [row["what"] for row in found][0] == "log_gap" and found[0]["count"] >= 4
    # Logins of the time without a log may follow.
    assert "Attic" in [row["subject"] for row in found] and whole(hub)[0]


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 256 KiB."""
    folder = tmp_path / "small_disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "hearth-test", str(folder)], capture_output=True)
    if done.returncode != 0:
        pytest.skip("mounting a small disk takes root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_refuses_changes_and_loses_no_row(hub_factory, small_disk):
    folder = hub_factory.folder()
    for left in folder.glob("audit.db*"):
        left.unlink()
    (small_disk / "audit.db").touch(0o600)
    (folder / "audit.db").symlink_to(small_disk / "audit.db")
    hub = hub_factory.start(folder)
    hub.errors_expected = True
    made = []
    with WebSocketClient(hub, hub.tokens["admin"], timeout=20) as socket:
        with open(small_disk / "filler", "wb", buffering=0) as filler, pytest.raises(OSError, match="No space left"):
            while True:
                filler.write(bytes(1024))
        for number in range(1_000):
            answer = socket.command("config/area_registry/create", name=f"Room {number}")
            if not answer["success"]:
                break
            made.append(f"Room {number}")
        assert answer["error"]["message"].startswith("Nothing was changed, because the audit log cannot be written: ")
        assert "full" in answer["error"]["message"]
        names = [area["name"] for area in socket.result("config/area_registry/list")]
        assert set(made) <= set(names) and f"Room {len(made)}" not in names
        (small_disk / "filler").unlink()
        wait_until(lambda: socket.command("config/area_registry/create", name="After")["success"], 15)
    found = [row["subject"] for row in rows(hub) if row["what"] == "config/area_registry/create"]
    assert found == [*made, "After"] and whole(hub)[0]
    assert [row["count"] for row in rows(hub) if row["what"] == "log_gap"]


def test_lets_changes_pass_if_it_need_not_be_written(hub_factory):
    folder = hub_factory.folder(audit={"required": False})
    for left in folder.glob("audit.db*"):
        left.unlink()
    (folder / "audit.db").mkdir()
    hub = hub_factory.start(folder)
    hub.errors_expected = True
    with WebSocketClient(hub, hub.tokens["admin"]) as socket:
        socket.result("config/area_registry/create", name="Attic")


@pytest.mark.slow
def test_a_killed_hub_has_the_row_of_each_acknowledged_change(hub_factory):
    draw = random.Random(20261129)
    folder = hub_factory.folder()
    acknowledged = 0
    for turn in range(20):
        hub = hub_factory.start_to_kill(folder)
        done = []
        changes = draw.randrange(1, 40)

        def change(hub=hub, turn=turn, done=done):
            with WebSocketClient(hub, hub.tokens["admin"]) as socket:
                for number in range(1_000):
                    name = f"Room {turn} by {number}"
                    made = socket.result("config/area_registry/create", name=name)
                    done.append(name)
                    socket.result("config/area_registry/delete", area_id=made["area_id"])

        def until_killed():
            with contextlib.suppress(OSError, websocket.WebSocketException, json.JSONDecodeError):
                change()

        worker = threading.Thread(target=until_killed)
        worker.start()
        wait_until(lambda: len(done) >= changes, 30, 0.001)
        hub.process.kill()
        hub.wait_ended()
        worker.join()
        recorded = {row["subject"] for row in rows(hub) if row["what"] == "config/area_registry/create"}
        assert set(done) <= recorded
        acknowledged += len(done)
        assert whole(hub)[0]
    assert acknowledged >= 100


def test_has_no_secret(hub, socket):
    secrets = [PASSWORD, "another lamp behind the shelf", hub.tokens["admin"]]
    secrets.append(socket.result("auth/long_lived_access_token", lifespan=10, client_name="Panel"))
    socket.result("config/auth/create", name="Ben", username="ben", password=PASSWORD)
    socket.result("config/auth_provider/homeassistant/admin_change_password",
                  user_id=[user["id"] for user in socket.result("config/auth/list") if user["username"] == "ben"][0],
                  password=secrets[1])
    issued = log_in(hub, "ann")
    secrets += [issued["access_token"], issued["refresh_token"]]
    refreshed = assert_json(hub.anonymous.post("/auth/token", data={
        "grant_type": "refresh_token", "refresh_token": issued["refresh_token"], "client_id": CLIENT}))
    secrets.append(refreshed["access_token"])
    try_password(hub, PASSWORD, PASSWORD)
    socket.command("mqtt/config/save", broker="127.0.0.1", port=1, username="hub", password="sesame and thyme")
    secrets.append("sesame and thyme")
    socket.command("call_service", domain="backup", service="create", return_response=True,
                   service_data={"name": "sealed", "passphrase": "a small brass key"})
    secrets.append("a small brass key")
    hub.stop()
    raw = b"".join(file.read_bytes() for file in hub.folder.glob("audit.db*"))
    assert b"config/auth/create" in raw
    assert [secret for secret in secrets if secret.encode() in raw] == []


def test_the_doctor_looks_at_the_chain(hub, socket):
    def finding():
        report = json.loads(hub.command("doctor", "--json").stdout)
        return [(one["grade"], one["text"]) for one in report["diagnoses"] if one["check"] == "audit"]

    for number in range(3):
        socket.result("config/area_registry/create", name=f"Room {number}")
    [(grade, text)] = finding()
    assert grade == "good" and text.startswith("the audit log is whole: ")
    hub.stop()
    with sqlite3.connect(hub.folder / "audit.db") as database:
        database.execute("UPDATE audit_rows SET subject = 'Attic' WHERE subject = 'Room 1'")
    [(grade, text)] = finding()
    assert grade == "bad" and text.startswith("The audit log was tampered with: row ")


def test_is_its_owners_alone(hub):
    assert (hub.folder / "audit.db").stat().st_mode & 0o777 == 0o600
