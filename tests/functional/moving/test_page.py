# SPDX-License-Identifier: Apache-2.0
"""The import as the page does it: beside a running hub, whose next start completes it."""

import json
import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

import moving_client
import old_backup
from checks import assert_json, assert_message
from hub_process import BINARY, add_user, free_port, wait_until
from moved_home import answers_of, sums_of, unpack
from websocket_client import WebSocketClient

VERSION = moving_client.VERSIONS[-1]
BINARY_TYPE = {"Content-Type": "application/octet-stream"}
PASSPHRASE = "ABCD-EFGH-2345"
PARTIAL = "import.partial"
PAST = "/api/history/period/2020-01-01T00:00:00+00:00?end_time=2100-01-01T00:00:00%2B00:00&filter_entity_id="


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return unpack(VERSION, tmp_path_factory.mktemp("old") / "home")


@pytest.fixture(scope="module")
def backups(source):
    """The bytes of its backup, by whether it is protected."""
    files = old_backup.files_of(source)
    return {wanted: old_backup.backup_of(files, VERSION, PASSPHRASE if wanted else None) for wanted in (False, True)}


@pytest.fixture
def fresh(hub_factory, tmp_path):
    """A hub that nobody has used, without even a configuration."""
    (tmp_path / "fresh").mkdir()
    hub = hub_factory(tmp_path / "fresh", environment={"HOME_PORT": "1"})
    hub.errors_expected = True  # an automation is broken, there as here, and its broker is away
    return hub


@pytest.fixture
def used(hub_factory, source):
    """A hub that may import the folder."""
    hub = hub_factory(environment={"HOME_PORT": "1"}, **{"import": {"folders": [str(source)]}})
    hub.errors_expected = True
    return hub


@pytest.fixture(scope="module")
def quiet(module_hubs, source):
    """The same, whose home does not change."""
    return module_hubs(**{"import": {"folders": [str(source)]}})


@pytest.fixture
def socket(used):
    with WebSocketClient(used, used.tokens["admin"], timeout=60) as client:
        yield client


def folder_of(source):
    return f"folder:{source}"


def upload(client, content, name=None):
    return client.post("/api/imports", params={"name": name} if name else None, content=content, headers=BINARY_TYPE)


def first_step(hub, step, **fields):
    return hub.anonymous.post(f"/api/onboarding/import/{step}", json=fields, timeout=60)


def first_upload(hub, content):
    return hub.anonymous.post("/api/onboarding/import", content=content, headers=BINARY_TYPE)


def last_event(client, subscription):
    """The last event of a start, and those before it."""
    events = []
    while True:
        events.append(client.event(subscription))
        if "step" not in events[-1]:
            return events[-1], events[:-1]


def imported(client, source, **options):
    """The report of a start that has ended well."""
    client.result("hearth/import/start", source=source, **options)
    last, _ = last_event(client, client.last_id)
    return last["report"]


def state_of_import(hub):
    return assert_json(hub.admin.get("/api/imports"))["state"]


def wait_home(hub, token):
    """The hub has restarted as a home in which this token is valid."""

    def is_there():
        assert hub.process.poll() is None, "\n".join(hub.log)
        if not any("the import of " in line and "is complete" in line for line in hub.log):
            return False
        try:
            headers = {"Authorization": f"Bearer {token}"}
            return hub.anonymous.get("/api/config", headers=headers).status_code == 200
        except httpx.TransportError:
            return False

    wait_until(is_there, 30)


def restart(hub, client, token=None):
    client.result("hearth/import/restart")
    wait_home(hub, token or hub.tokens["admin"])


def processes_of(hub):
    """The command lines of its imports, by process."""
    lines = {}
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"import-ha" in words and str(hub.folder).encode() in words:
            lines[int(each.parent.name)] = b" ".join(words).decode()
    return lines


def state_of_process(number):
    """T if it is held, Z if it has ended; None before."""
    state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    return state if state in "TZ" else None


def held_in_the_middle(hub, client, source):
    """Begins an import, and stops its process while it works: the number of the subscription, and of the process."""
    while True:
        client.result("hearth/import/start", source=folder_of(source))
        subscription = client.last_id
        assert "step" in client.event(subscription)
        with suppress(ProcessLookupError, FileNotFoundError):
            for process in processes_of(hub):
                os.kill(process, signal.SIGSTOP)
                if wait_until(lambda: state_of_process(process), 20) == "T" and not (hub.folder / PARTIAL / "ready.json").exists():
                    return subscription, process
                os.kill(process, signal.SIGCONT)
        last_event(client, subscription)  # it was quicker
        client.result("hearth/import/cancel")


# A home that nobody has used


def test_a_new_home_starts_from_a_protected_backup(fresh, backups):
    answers, before = answers_of(VERSION), fresh.process.pid
    one = assert_json(first_upload(fresh, backups[True]))
    assert one == {"source": "upload:first_start", "name": "first_start", "bytes": len(backups[True]), "version": VERSION,
                   "created": "2026-11-20T04:05:06.000000+00:00", "protected": True}
    assert (fresh.folder / "imports/first_start.tar").stat().st_mode & 0o777 == 0o600
    report = assert_json(first_step(fresh, "look", passphrase=PASSPHRASE))
    assert report["dry_run"] and report["counts"]["users"]["carried"] >= 3 and report["counts"]["states"]["carried"] > 500
    assert assert_json(first_step(fresh, "state")) == {"state": "idle"}
    assert [each.name for each in (fresh.folder / "imports").iterdir()] == ["first_start.tar"]

    assert assert_json(first_step(fresh, "start", passphrase=PASSPHRASE), 202)["state"] in ("working", "restarting")

    def restarts():
        try:
            answer = first_step(fresh, "state")
            return answer.status_code != 200 or answer.json()["state"] == "restarting"
        except httpx.TransportError:
            return True

    wait_until(restarts, 60)
    wait_home(fresh, answers["tokens"]["ann"])
    assert fresh.process.pid == before
    assert assert_json(fresh.anonymous.get("/api/onboarding")) == [{"step": "user", "done": True}]
    kept = json.loads((fresh.folder / "import.json").read_text(encoding="utf-8"))
    assert kept["counts"]["states"] == report["counts"]["states"] and not kept["dry_run"]
    assert not (fresh.folder / PARTIAL).exists() and list((fresh.folder / "imports").iterdir()) == []
    # What makes a first user, or another home of it, is over.
    for answer in (first_upload(fresh, backups[False]), first_step(fresh, "look"), first_step(fresh, "start"),
                   first_step(fresh, "state"), first_step(fresh, "cancel")):
        assert_message(answer, 403)
    for text in ("\n".join(fresh.log), json.dumps(kept)):
        assert PASSPHRASE not in text


def test_passphrases_can_be_tried_five_times_a_minute(fresh, backups):
    assert_json(first_upload(fresh, backups[True]))
    assert "protected" in assert_message(first_step(fresh, "look"), 400)
    for _ in range(5):
        message = assert_message(first_step(fresh, "look", passphrase="ABCD-EFGH-0000"), 400)
        assert "the passphrase is wrong" in message and str(fresh.folder) not in message and "--" not in message
    for step in ("look", "start"):
        answer = first_step(fresh, step, passphrase=PASSPHRASE)
        wait = answer.headers["retry-after"]
        assert 1 <= int(wait) <= 60 and f"{wait} seconds" in assert_message(answer, 429)
    assert assert_json(first_step(fresh, "state")) == {"state": "idle"}
    assert "ABCD-EFGH" not in "\n".join(fresh.log)


def test_a_home_that_gets_a_user_meanwhile_keeps_it(fresh, backups):
    assert_json(first_upload(fresh, backups[False]))
    assert_json(first_step(fresh, "start", history="none"), 202)
    add_user(fresh.folder, "eve", "--admin")

    wait_until(lambda: [line for line in fresh.log if "first user already" in line or "it has 1 user" in line], 60)
    wait_until(lambda: not (fresh.folder / PARTIAL).exists(), 20)

    def has_its_user():
        try:
            return fresh.anonymous.get("/api/onboarding").json() == [{"step": "user", "done": True}]
        except httpx.TransportError:  # it restarts
            return False

    wait_until(has_its_user, 20)
    assert "eve" in fresh.command("user", "list").stdout and "bob" not in fresh.command("user", "list").stdout


def test_the_code_of_the_log_is_asked_for(hub_factory, tmp_path, backups):
    (tmp_path / "fresh").mkdir()
    hub = hub_factory(tmp_path / "fresh", ["--code-for-all"])
    [line] = hub.logged("there is no user yet")
    code = line.split("ask for the code ")[1].split(")")[0]
    assert_message(first_upload(hub, backups[False]), 403)
    for step in ("look", "start", "state", "cancel"):
        assert_message(first_step(hub, step), 403)
    answer = hub.anonymous.post("/api/onboarding/import", content=backups[False], headers={**BINARY_TYPE, "X-First-User-Code": code})
    assert assert_json(answer)["version"] == VERSION
    assert assert_json(first_step(hub, "state", code=code)) == {"state": "idle"}
    assert "automations" in assert_message(first_step(hub, "start", code=code, automations="perhaps"), 400)
    assert "passphrases" in assert_message(first_step(hub, "start", code=code, passphrases="x"), 400)
    assert_message(hub.anonymous.post("/api/onboarding/import/start", content=b"{}", headers=BINARY_TYPE), 400)


# A home that people use


def test_what_the_home_is_told_before_the_restart_stays(used, socket, source):
    answers, old = answers_of(VERSION), sums_of(source)
    used.admin.post("/api/states/sensor.mine", json={"state": "1", "attributes": {"unit_of_measurement": "°C"}})
    report = imported(socket, folder_of(source))
    assert report["counts"]["entities"]["lost"] == 0 and report["counts"]["users"]["carried"] >= 3
    answer = socket.result("hearth/import/report")
    assert answer["state"]["state"] == "ready" and answer["report"] == report and answer["to_do"] == []

    # The home goes on, and people, too.
    used.admin.post("/api/states/sensor.mine", json={"state": "2", "attributes": {"unit_of_measurement": "°C"}})
    area = socket.result("config/area_registry/create", name="Meanwhile")
    here = {each["name"] for each in socket.result("config/area_registry/list")}
    theirs = next(each["name"] for each in answers["areas"] if each["name"] not in here)
    same = socket.result("config/area_registry/create", name=theirs)
    socket.result("input_boolean/create", name="Since then")
    add_user(used.folder, "bob")
    add_user(used.folder, "late")
    (used.folder / "www").mkdir()
    (used.folder / "www/late.txt").write_text("late", encoding="utf-8")
    restart(used, socket)

    with WebSocketClient(used, used.tokens["admin"]) as client:
        areas = {each["area_id"]: each["name"] for each in client.result("config/area_registry/list")}
        entities = {each["entity_id"]: each for each in client.result("config/entity_registry/list")}
        after = client.result("hearth/import/report")
    assert areas[area["area_id"]] == "Meanwhile" and areas[same["area_id"]] == theirs
    assert {each["area_id"] for each in answers["areas"]} <= set(areas)
    left = {each["id"] for each in after["report"]["items"] if each["what"] == "entity" and each["fate"] == "left"}
    assert "input_boolean.since_then" in entities and set(answers["registered"]) - set(entities) <= left
    assert (used.folder / "www/late.txt").read_text(encoding="utf-8") == "late"
    assert after["state"] == {"state": "idle"} and after["report"]["counts"]["states"] == report["counts"]["states"]
    # Of two who are named bob each has his own password.
    listed = used.command("user", "list").stdout
    assert "late" in listed and "bob_2" in listed
    for name in ("ann", "admin"):
        token = used.tokens["admin"] if name == "admin" else answers["tokens"]["ann"]
        assert used.anonymous.get("/api/config", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    # Both pasts, and the present state.
    [mine] = assert_json(used.admin.get(PAST + "sensor.mine"))
    assert [change["state"] for change in mine][:2] == ["1", "2"]
    [volume] = assert_json(used.admin.get(PAST + "input_number.volume"))
    there = answers["history"]["input_number.volume"]
    assert [change["state"] for change in volume][:len(there)] == [change["state"] for change in there]
    assert sums_of(source) == old
    [before] = used.folder.glob("before-restore-*")
    assert (before / "home.db").exists() and not (used.folder / PARTIAL).exists()


def test_the_list_of_what_is_to_do_empties_itself(used, socket, source):
    imported(socket, folder_of(source), history="none", credentials=True)
    restart(used, socket)
    with WebSocketClient(used, used.tokens["admin"]) as client:
        tasks = client.result("hearth/import/report")["to_do"]
        by_what = {(each["what"], each["name"]): each for each in tasks}
        assert len({each["id"] for each in tasks}) == len(tasks)
        assert all(each["text"] and set(each) == {"id", "text", "do", "attention", "what", "name"} for each in tasks)
        people = {each["name"]: each for each in tasks if each["what"] == "user"}
        waiting = [each for each in tasks if each["what"] == "reserved"]
        broken = [each for each in tasks if each["what"] == "automation"]
        assert people and waiting and broken, by_what

        # A person mends what is asked for.
        names = {each["name"]: each["username"] for each in client.result("config/auth/list")}
        for name, task in people.items():
            login = names[name]
            if "hearth user passwd" in task["do"]:
                assert used.command("user", "passwd", login, "--password-stdin", text="a new long password\n").returncode == 0
            if "hearth user activate" in task["do"]:
                assert used.command("user", "activate", login).returncode == 0
        solved = {task["id"] for task in people.values() if "hearth user" in task["do"] and "hearth user rights" not in task["do"]}
        assert solved
        [unknown] = [each for each in broken if "unknown trigger nothing_like_this" in each["text"]]
        solved.add(unknown["id"])
        path = used.folder / "automations.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("nothing_like_this", "event\n      event_type: go"), encoding="utf-8")
        left = {each["id"] for each in client.result("hearth/import/report")["to_do"]}
        assert left == {each["id"] for each in tasks} - solved

        # Reserved entities that somebody removes.
        kind = waiting[0]["name"]
        for entity in client.result("config/entity_registry/list"):
            if entity["platform"] == kind and "hearth_provider" in entity:
                client.result("config/entity_registry/remove", entity_id=entity["entity_id"])
        left = client.result("hearth/import/report")["to_do"]
        assert {each["id"] for each in left} == {each["id"] for each in tasks} - solved - {waiting[0]["id"]}

        # The rest a person marks.
        for task in left:
            client.result("hearth/import/done", item=task["id"])
        assert client.result("hearth/import/report")["to_do"] == []
        assert client.error("hearth/import/done", item=left[0]["id"])[0] == "not_found"
        assert client.error("hearth/import/done", item="nothing")[0] == "not_found"
    assert (used.folder / "import.json").stat().st_mode & 0o777 == 0o600
    with WebSocketClient(used, used.tokens["admin"]) as client:
        assert client.result("hearth/import/report")["to_do"] == []


def test_progress_is_told_and_one_runs_at_a_time(used, socket, source):
    socket.result("hearth/import/start", source=folder_of(source))
    first = socket.last_id
    with WebSocketClient(used, used.tokens["admin"]) as other:
        for kind in ("hearth/import/start", "hearth/import/look"):
            assert other.error(kind, source=folder_of(source)) == ("home_assistant_error", "Another import is under way.")
    last, steps = last_event(socket, first)
    assert [each for each in dict.fromkeys(each["step"] for each in steps)] == [
        "settings", "registry", "users", "helpers", "automations", "dashboards", "states", "history", "statistics"]
    assert all(set(each) == {"step", "done", "of", "rows", "seconds_left"} for each in steps)
    assert last["report"]["counts"]["entities"]["carried"] > 40
    # Nothing has changed yet, and what is ready can be forgotten.
    assert used.command("user", "list").stdout.count("\n") < 6 and not (used.folder / "import.json").exists()
    assert state_of_import(used) == {"state": "ready", "source": folder_of(source)}
    socket.result("hearth/import/cancel")
    assert state_of_import(used) == {"state": "idle"} and not (used.folder / PARTIAL).exists()
    assert socket.error("hearth/import/restart")[0] == "home_assistant_error"
    socket.result("hearth/import/cancel")


def test_a_cancelled_import_changes_nothing(used, socket, source):
    subscription, process = held_in_the_middle(used, socket, source)
    assert state_of_import(used)["state"] == "working"
    with WebSocketClient(used, used.tokens["admin"]) as other:
        other.send({"id": 1, "type": "hearth/import/cancel"})
        os.kill(process, signal.SIGCONT)
        assert other.receive()["success"]
    last, _ = last_event(socket, subscription)
    assert last == {"error": {"code": "home_assistant_error", "message": "The import was cancelled."}}
    assert state_of_import(used) == {"state": "idle"} and not (used.folder / PARTIAL).exists()
    assert processes_of(used) == {}


def test_a_look_ends_with_its_connection(used, source):
    while True:
        with WebSocketClient(used, used.tokens["admin"]) as client:
            client.send({"id": 1, "type": "hearth/import/look", "source": folder_of(source)})
            process = next(iter(wait_until(lambda: processes_of(used), 20)))
            with suppress(ProcessLookupError, FileNotFoundError):
                os.kill(process, signal.SIGSTOP)
                if wait_until(lambda: state_of_process(process), 20) == "T":
                    break
    # It cannot end by itself.
    wait_until(lambda: state_of_import(used) == {"state": "idle"}, 20)
    assert processes_of(used) == {} and not list(used.folder.glob("imports/*"))


def test_a_hub_that_stops_in_the_middle_goes_on_later(used, socket, source, hub_factory):
    held_in_the_middle(used, socket, source)
    used.stop()
    assert processes_of(used) == {} and (used.folder / PARTIAL).exists()
    hub = hub_factory(used.folder, environment={"HOME_PORT": "1"})
    hub.errors_expected = True
    assert state_of_import(hub) == {"state": "idle"} and not (hub.folder / "import.json").exists()
    hub.admin.post("/api/states/sensor.mine", json={"state": "1"})
    with WebSocketClient(hub, hub.tokens["admin"], timeout=60) as client:
        report = imported(client, folder_of(source))
    hub.admin.post("/api/states/sensor.mine", json={"state": "2"})
    hub.stop()
    # The starts that complete it are killed, too.
    dice = random.Random(11)
    for _ in range(5):
        process = subprocess.Popen([str(BINARY), "serve", "--config", str(hub.folder), "--port", str(free_port()), "--host", "127.0.0.1"],
                                   env={**os.environ, "HOME_PORT": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0, 0.8))
        process.kill()
        process.wait()
    hub = hub_factory(hub.folder, environment={"HOME_PORT": "1"})
    hub.errors_expected = True
    assert "bob" in hub.command("user", "list").stdout
    [mine] = assert_json(hub.admin.get(PAST + "sensor.mine"))
    assert [change["state"] for change in mine][:2] == ["1", "2"]
    [volume] = assert_json(hub.admin.get(PAST + "input_number.volume"))
    there = answers_of(VERSION)["history"]["input_number.volume"]
    assert [change["state"] for change in volume][:len(there)] == [change["state"] for change in there]
    kept = json.loads((hub.folder / "import.json").read_text(encoding="utf-8"))
    assert kept["counts"]["states"] == report["counts"]["states"] and not (hub.folder / PARTIAL).exists()


def test_a_source_that_is_gone_at_the_restart_leaves_the_home_as_it_is(hub_factory, tmp_path, source):
    stick = tmp_path / "stick"
    subprocess.run(["cp", "-a", str(source), str(stick)], check=True)
    hub = hub_factory(environment={"HOME_PORT": "1"}, **{"import": {"folders": [str(stick) + "/"]}})
    hub.errors_expected = True
    with WebSocketClient(hub, hub.tokens["admin"], timeout=60) as client:
        imported(client, folder_of(stick), history="none")
        (stick / ".storage/core.entity_registry").unlink()
        client.result("hearth/import/restart")
    hub.logged("was not completed", 30)
    wait_until(lambda: state_or_none(hub) == "failed", 20)
    assert "core.entity_registry" in state_of_import(hub)["error"]
    assert "bob" not in hub.command("user", "list").stdout
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("hearth/import/cancel")
    assert not (hub.folder / PARTIAL).exists()


def state_or_none(hub):
    try:
        answer = hub.admin.get("/api/imports")
        return answer.json()["state"]["state"] if answer.status_code == 200 else None
    except httpx.TransportError:
        return None


# What is refused


def test_uploads_are_kept_listed_and_removed(used, backups, source):
    assert assert_json(used.admin.get("/api/imports")) == {"state": {"state": "idle"}, "sources": [
        {"source": folder_of(source), "kind": "folder", "name": str(source), "bytes": None, "created": None, "version": VERSION,
         "protected": False}]}
    one = assert_json(upload(used.admin, backups[True], "My Home"), 201)
    assert one["name"] == "my_home" and one["protected"] and one["version"] == VERSION
    assert "my_home already" in assert_message(upload(used.admin, backups[True], "my_home"), 400)
    for number in range(4):
        assert_json(upload(used.admin, backups[False], f"n{number}"), 201)
    sources = assert_json(used.admin.get("/api/imports"))["sources"]
    assert [each["name"] for each in sources] == ["n3", "n2", "n1", "n0", str(source)]  # the oldest has gone
    assert assert_json(used.admin.delete("/api/imports/n0")) == {}
    assert_message(used.admin.delete("/api/imports/n0"), 404)
    assert sorted(each.name for each in (used.folder / "imports").iterdir()) == ["n1.tar", "n2.tar", "n3.tar"]


@pytest.mark.parametrize("content", ["text", "empty", "a tar of something else", "a large backup.json", "without the hub", "cut"])
def test_what_is_no_such_backup_is_not_kept(quiet, backups, content):
    bodies = {"text": b"seven lamps " * 1000, "empty": b"", "a tar of something else": old_backup.archive_of([("a.txt", b"a")]),
              "a large backup.json": old_backup.archive_of([("backup.json", b" " * (5 << 20))]),
              "without the hub": old_backup.archive_of([("backup.json", b"{}"), ("share.tar.gz", b"x")]), "cut": backups[False][:300]}
    message = assert_message(upload(quiet.admin, bodies[content]), 400)
    assert str(quiet.folder) not in message
    assert [each["kind"] for each in assert_json(quiet.admin.get("/api/imports"))["sources"]] == ["folder"]
    wait_until(lambda: not list((quiet.folder / "imports").glob("*")))


def test_a_hostile_backup_is_refused(quiet):
    for name in ("../outside", "data/../../outside"):
        assert_json(upload(quiet.admin, old_backup.backup_of([("data/configuration.yaml", b""), (name, b"x")], VERSION), "bad"), 201)
        with WebSocketClient(quiet, quiet.tokens["admin"], timeout=60) as client:
            code, message = client.error("hearth/import/look", source="upload:bad")
        assert code == "home_assistant_error" and "refused" in message and str(quiet.folder) not in message, message
        assert_json(quiet.admin.delete("/api/imports/bad"))
    assert not (quiet.folder.parent / "outside").exists()


def test_only_what_the_configuration_lists_can_be_read(quiet, source):
    others = ["folder:/etc", f"folder:{source}/.storage", f"folder:{source}/../home", str(source), "upload:nothing", "upload:../home", ""]
    with WebSocketClient(quiet, quiet.tokens["admin"]) as client:
        for bad in others:
            for kind in ("hearth/import/look", "hearth/import/start"):
                assert client.error(kind, source=bad)[0] in ("not_found", "invalid_format")
    assert state_of_import(quiet) == {"state": "idle"}


def test_the_import_is_for_administrators(quiet, backups, source):
    for user, status in (("ann", 403), ("display", 403), ("anonymous", 401)):
        client = getattr(quiet, user)
        assert_message(upload(client, backups[False]), status)
        assert_message(client.get("/api/imports"), status)
        assert_message(client.delete("/api/imports/x"), status)
    for user in ("ann", "display"):
        with WebSocketClient(quiet, quiet.tokens[user]) as client:
            for kind in ("look", "start", "cancel", "report", "done", "restart"):
                assert client.error(f"hearth/import/{kind}", source=folder_of(source))[0] == "unauthorized"
    assert first_upload(quiet, backups[False]).status_code == 403


def test_a_disk_that_is_full(hub_factory, tmp_path, source):
    folder = hub_factory.folder(**{"import": {"folders": [str(source)]}})
    kept = tmp_path / "kept"
    folder.rename(kept)
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "hearth-test", str(folder)], check=False).returncode != 0:
        pytest.skip("mounting a disk takes root")
    try:
        subprocess.run(["cp", "-a", f"{kept}/.", str(folder)], check=True)
        hub = hub_factory(folder, environment={"HOME_PORT": "1"})
        with WebSocketClient(hub, hub.tokens["admin"], timeout=60) as client:
            client.result("hearth/import/start", source=folder_of(source))
            last, _ = last_event(client, client.last_id)
            assert "MiB left" in last["error"]["message"], last
            assert state_of_import(hub)["state"] == "failed"
            client.result("hearth/import/cancel")
        assert hub.admin.get("/api/config").status_code == 200
        hub.stop()
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_who_began_an_import_is_recorded_and_no_secret(used, socket, backups):
    assert_json(upload(used.admin, backups[True], "home"), 201)
    socket.result("hearth/import/start", source="upload:home", passphrase=PASSPHRASE, history="none")
    lines = processes_of(used)
    last, _ = last_event(socket, socket.last_id)
    assert "report" in last
    rows = socket.result("audit/list")["rows"]
    begun = [row for row in rows if row["what"] == "hearth/import/start"]
    assert [row["subject"] for row in begun] == ["upload:home"] and begun[0]["user"] and not begun[0].get("after")
    assert [row for row in rows if row["what"] == "POST /api/imports"]
    answers = answers_of(VERSION)
    secrets = [PASSPHRASE, *answers["tokens"].values()]
    told = json.dumps([last, rows, lines, used.log])
    told += json.dumps(socket.result("hearth/import/report"))
    assert not [secret for secret in secrets if secret in told]
    assert not [path for path in used.folder.rglob("*.json") if PASSPHRASE.encode() in path.read_bytes()]
