# SPDX-License-Identifier: Apache-2.0
"""`hearth doctor`: a healthy home, and sick ones of which it says what to do."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess

import pytest

from hub_process import BINARY, Hub, base_settings, free_port, wait_until, write_settings
from mqtt_broker import Broker
from websocket_client import WebSocketClient


def examine(folder, *arguments, wanted=None):
    """Each diagnosis; with the exit code that fits the gravest."""
    done = subprocess.run([str(BINARY), "doctor", "--json", "--config", str(folder), *arguments],
                          capture_output=True, text=True, timeout=60)
    report = json.loads(done.stdout)
    assert done.returncode == {"good": 0, "warning": 1, "bad": 2}[report["grade"]], done.stderr
    for each in report["diagnoses"]:
        assert bool(each["advice"]) == (each["grade"] != "good"), each
    if wanted:
        assert report["grade"] == wanted, report
    return report["diagnoses"]


def the(diagnoses, check, grade):
    found = [each["text"] for each in diagnoses if each["check"] == check and each["grade"] == grade]
    assert found, diagnoses
    return "\n".join(found)


@pytest.fixture
def home(hub_factory):
    def make(**changes):
        port = free_port()
        folder = hub_factory.folder(**changes)
        settings = base_settings() | changes
        settings["http"] = {**settings.get("http", {}), "server_host": "127.0.0.1", "server_port": port}
        write_settings(folder, settings)
        os.chmod(folder, 0o700)
        return folder, port

    return make


def test_a_healthy_home(home, hub_factory):
    folder, port = home()
    hub = hub_factory.start(folder, port=port)
    diagnoses = examine(folder)
    assert the(diagnoses, "configuration", "good") == "configuration.yaml is valid"
    assert "belongs to" in the(diagnoses, "folder", "good")
    assert the(diagnoses, "databases", "good").count("is sound") == 2
    assert f"answers at 127.0.0.1:{port}" in the(diagnoses, "hub", "good")
    assert f"process {hub.process.pid} uses" in the(diagnoses, "hub", "good")
    # A busy disk may be slow.
    assert not [each for each in diagnoses if each["grade"] == "bad" and each["check"] != "disk"]
    text = hub.command("doctor")
    assert "good     configuration: configuration.yaml is valid" in text.stdout
    ready = subprocess.run([str(BINARY), "doctor", "--ready", "--config", str(folder)], capture_output=True, text=True)
    assert (ready.returncode, ready.stdout) == (0, "ready\n")
    assert not list(folder.glob(".doctor*"))


def test_what_makes_a_home_easier_to_take(home):
    folder, _ = home(mqtt={"broker": "127.0.0.1", "port": free_port(), "username": "hub", "password": "seven small lamps"},
                     http={"trusted_proxies": ["127.0.0.1", "172.16.0.0/12", "::1/128"]})
    settings = folder / "configuration.yaml"
    said = the(examine(folder), "security", "warning")
    line = settings.read_text().splitlines().index("  password: seven small lamps") + 1
    assert f"configuration.yaml:{line}: mqtt.password is written as it is" in said and "seven" not in said
    assert "http: trusted_proxies has 172.16.0.0/12, which is a whole network" in said and "::1" not in said
    assert "127.0.0.1" not in said and "tokens" not in said
    settings.write_text(settings.read_text().replace("seven small lamps", "!secret broker").replace("172.16.0.0/12", "172.16.0.2"))
    (folder / "secrets.yaml").write_text("broker: seven small lamps\n")
    with contextlib.closing(sqlite3.connect(folder / "home.db")) as database, database:
        database.execute("UPDATE tokens SET created_at = created_at - 8000000 * 1000000, expires_at = NULL")
    diagnoses = examine(folder)
    said = the(diagnoses, "security", "warning")
    assert "3 tokens have not been used for 90 days" in said
    assert "1 unused tokens of administrators may do everything" in said  # not those of others
    for scopes, rights, named in (("read,control", None, False), ("read,admin", None, True), ("all", "{}", False), ("all", None, True)):
        with contextlib.closing(sqlite3.connect(folder / "home.db")) as database, database:
            database.execute("UPDATE tokens SET scope = ?, rights = ?", (scopes, rights))
        assert ("may do everything" in the(examine(folder), "security", "warning")) == named, (scopes, rights)
    assert "3 tokens are valid for ever" in the(diagnoses, "security", "good")


def test_who_logs_in_with_a_password_alone(home):
    folder, _ = home()
    assert "3 of 3 users have no second factor" in the(examine(folder), "security", "good")
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("home:\n", "home:\n  external_url: https://home.example.org\n", 1))
    said = the(examine(folder), "security", "warning")
    assert said == "3 of 3 users have no second factor, and the home is reached from elsewhere"
    with contextlib.closing(sqlite3.connect(folder / "home.db")) as database, database:
        database.execute("INSERT INTO totp_secrets SELECT id, zeroblob(20), 0, 0 FROM users WHERE name = 'admin'")
        database.execute("UPDATE users SET active = 0 WHERE name = 'display'")
    assert the(examine(folder), "security", "warning").startswith("1 of 2 users have no second factor")
    with contextlib.closing(sqlite3.connect(folder / "home.db")) as database, database:
        database.execute("UPDATE users SET active = 0 WHERE name = 'ann'")
    assert not [each for each in examine(folder) if "second factor" in each["text"]]


def test_no_hub_runs(home):
    folder, port = home()
    assert "no hub runs" in the(examine(folder), "hub", "warning")
    for arguments in (["--config", str(folder)], ["--port", str(port), "--config", str(folder)]):
        done = subprocess.run([str(BINARY), "doctor", "--ready", *arguments], capture_output=True, text=True)
        assert done.returncode == 1 and f"No hub answers at http://127.0.0.1:{port}" in done.stderr


def test_another_program_has_the_port(home):
    folder, port = home()
    with socket.create_server(("127.0.0.1", port)):
        assert f"another program has port {port}" in the(examine(folder, wanted="bad"), "hub", "bad")


def test_a_configuration_that_refuses(home):
    folder, _ = home()
    (folder / "configuration.yaml").write_text("http:\n  server_port: 99999999\n")
    assert "http.server_port" in the(examine(folder, wanted="bad"), "configuration", "bad")


def test_a_configuration_with_a_wrong_value(home):
    folder, _ = home()
    (folder / "configuration.yaml").write_text("recorder:\n  keep: soon\nnonsense: 1\n")
    diagnoses = examine(folder)
    assert "recorder.keep" in the(diagnoses, "configuration", "warning")
    assert "1 of its words have no meaning here" in the(diagnoses, "configuration", "warning")


def test_no_configuration(tmp_path):
    diagnoses = examine(tmp_path, wanted="bad")
    assert "there is no such file" in the(diagnoses, "configuration", "bad")
    assert "No such file" in the(examine(tmp_path / "nowhere", wanted="bad"), "folder", "bad")


@pytest.mark.parametrize("name", ["home.db", "history.db"])
def test_a_broken_database(home, hub_factory, name):
    folder, port = home()
    hub_factory.start(folder, port=port).stop()
    file = folder / name
    file.write_bytes(b"not a database at all, whatever its name says" * 100)
    assert name in the(examine(folder, wanted="bad"), "databases", "bad")


def test_a_folder_that_others_can_open(home):
    folder, _ = home()
    os.chmod(folder, 0o755)
    assert "other users of this machine" in the(examine(folder), "folder", "warning")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_of_another_user(home):
    folder, _ = home()
    (folder / "automations.yaml").write_text("[]\n")
    os.chown(folder / "automations.yaml", 65534, 65534)
    assert "automations.yaml" in the(examine(folder), "folder", "warning")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(home):
    folder, _ = home()
    os.chmod(folder, 0o500)
    try:
        assert "cannot be written" in the(examine(folder, wanted="bad"), "folder", "bad")
    finally:
        os.chmod(folder, 0o700)


def test_a_broker_that_does_not_answer(home, tmp_path):
    port = free_port()
    folder, _ = home(mqtt={"broker": "127.0.0.1", "port": port})
    assert f"the MQTT broker 127.0.0.1:{port}: Connection refused" in the(examine(folder), "connections", "bad")
    broker = Broker(tmp_path / "broker")
    broker.port = port
    broker.start()
    try:
        assert "answers" in the(examine(folder), "connections", "good")
    finally:
        broker.stop()


def expire(certificate, key):
    """Signs it again, from the first to the last second of a day long ago."""
    work = certificate.parent / "authority"
    work.mkdir()
    (work / "index.txt").write_text("")
    (work / "serial").write_text("01\n")
    (work / "conf").write_text(f"""[ca]
default_ca = here
[here]
dir = {work}
database = {work}/index.txt
serial = {work}/serial
new_certs_dir = {work}
default_md = sha256
policy = any
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
""")
    request = work / "request.pem"
    subprocess.run(["openssl", "req", "-new", "-key", str(key), "-subj", "/CN=hearth", "-out", str(request)], check=True,
                   capture_output=True)
    subprocess.run(["openssl", "ca", "-batch", "-selfsign", "-config", str(work / "conf"), "-keyfile", str(key), "-in",
                    str(request), "-out", str(certificate), "-startdate", "20260101000000Z", "-enddate",
                    "20260101235959Z", "-notext"], check=True, capture_output=True)
    shutil.rmtree(work)


def test_certificates_that_end(home, tmp_path):
    folder, _ = home()
    key = tmp_path / "key.pem"

    def make(name, days):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", str(key), "-out", str(folder / name), "-subj", "/CN=hearth", "-days", str(days)],
                       check=True, capture_output=True)

    for name, days, grade, text in [("long.pem", 400, "good", "is valid for "), ("soon.pem", 5, "warning", "more days")]:
        make(name, days)
        write_settings(folder, base_settings() | {"mqtt": {"broker": "127.0.0.1", "port": 1, "certificate": name}})
        assert text in the(examine(folder), "certificates", grade)
    # A day that begins and ends in the past: such a certificate is made with the clock of then.
    make("over.pem", 400)
    expire(folder / "over.pem", key)
    write_settings(folder, base_settings() | {"mqtt": {"broker": "127.0.0.1", "port": 1, "certificate": "over.pem"}})
    assert "over.pem has expired" in the(examine(folder, wanted="bad"), "certificates", "bad")
    (folder / "none.pem").write_text("nothing")
    write_settings(folder, base_settings() | {"mqtt": {"broker": "127.0.0.1", "port": 1, "certificate": "none.pem"}})
    assert "has no certificate" in the(examine(folder), "certificates", "bad")


def test_a_home_that_has_stood_still(home):
    folder, _ = home()
    (folder / "last-hang.log").write_text("a line\n")
    assert "has stood still" in the(examine(folder), "past", "warning")


def test_starts_that_failed(home):
    folder, port = home()
    with socket.create_server(("127.0.0.1", port)):
        for _ in range(2):
            done = subprocess.run([str(BINARY), "serve", "--config", str(folder)], capture_output=True, text=True, timeout=30)
            assert done.returncode == 1, done.stderr
    assert "the last starts have not ended well" in the(examine(folder), "past", "warning")


def test_a_hub_that_stopped_in_the_middle(home):
    """Killed: nothing is left that a doctor would call bad."""
    folder, port = home()
    hub = Hub(folder, port=port).wait_ready()
    hub.send_signal(signal.SIGKILL)
    hub.wait_ended()
    wait_until(lambda: "no hub runs" in the(examine(folder), "hub", "warning"))
    assert the(examine(folder), "databases", "good").count("is sound") == 2


def test_the_hub_looks_at_itself(home, hub_factory):
    folder, port = home()
    hub = hub_factory.start(folder, port=port)
    for each in ("ben", "guest"):
        if each in hub.tokens:
            with WebSocketClient(hub, hub.tokens[each]) as client:
                assert client.error("hearth/doctor")[0] == "unauthorized"
    with WebSocketClient(hub, hub.tokens["admin"], timeout=60) as admin:
        report = admin.result("hearth/doctor")
        assert f"answers at 127.0.0.1:{port}" in the(report["diagnoses"], "hub", "good")
        assert the(report["diagnoses"], "databases", "good").count("is sound") == 2
        # The files are read when it is asked; the port is the one in force.
        settings = base_settings() | {"recorder": {"keep": "soon"}, "http": {"server_port": 1}}
        write_settings(folder, settings)
        report = admin.result("hearth/doctor")
        assert report["grade"] != "good"
        assert "recorder.keep" in the(report["diagnoses"], "configuration", "warning")
        assert f"answers at 127.0.0.1:{port}" in the(report["diagnoses"], "hub", "good")
        # More than it has room for are told so, and the others get theirs.
        ids = []
        for _ in range(12):
            admin.last_id += 1
            admin.send({"id": admin.last_id, "type": "hearth/doctor"})
            ids.append(admin.last_id)
        answers = {answer["id"]: answer for answer in (admin.receive() for _ in ids)}
        assert set(answers) == set(ids)
        refused = [answer["error"] for answer in answers.values() if not answer["success"]]
        assert len(refused) < len(ids) and all("try again later" in error["message"] for error in refused)
