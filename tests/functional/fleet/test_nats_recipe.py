# SPDX-License-Identifier: Apache-2.0
"""The recipe of packaging/nats: real servers take it, and each user may do what it is for and nothing else."""

import json
import os
import re
import socket
import ssl
import subprocess

import pytest

from hub_process import wait_until
from nats_server import PROGRAM, NatsServers

pytestmark = pytest.mark.skipif(not PROGRAM, reason="nats-server is not installed")


class Client:
    """Speaks the protocol of NATS, so that nothing stands between the test and the server's rights."""

    def __init__(self, servers, user, password=None, node=0):
        self.socket = socket.create_connection(("127.0.0.1", servers.nodes[node].port), timeout=10)
        self.read = self.socket.makefile("rb")
        self.info = json.loads(self.read.readline().removeprefix(b"INFO "))
        if servers.tls:
            self.socket = ssl.create_default_context(cafile=servers.ca).wrap_socket(self.socket, server_hostname="127.0.0.1")
            self.read = self.socket.makefile("rb")
        options = {"verbose": False, "headers": True, "no_responders": True, "user": user,
                   "pass": password or servers.passwords[user]}
        # A server that refuses closes at once: its words may be lost with what it has not read.
        try:
            self.send(f"CONNECT {json.dumps(options)}")
            self.refused = self.settle()
        except OSError as closed:
            self.refused = [str(closed)]

    def send(self, line, payload=None):
        self.socket.sendall(line.encode() + b"\r\n" + (payload + b"\r\n" if payload is not None else b""))

    def settle(self):
        """All that the server says until it has done what it was asked so far: refusals, and messages as (subject, reply,
        payload)."""
        self.send("PING")
        said = []
        while line := self.read.readline():
            word, *rest = line.decode().split()
            if word == "PONG":
                return said
            if word == "-ERR":
                said.append(line.decode().strip())
            elif word in ("MSG", "HMSG"):
                sizes = rest[3 if len(rest) == (4 if word == "MSG" else 5) else 2:]
                reply = rest[2] if len(rest) == (4 if word == "MSG" else 5) else ""
                payload = self.read.read(int(sizes[-1]) + 2)[:-2]
                said.append((rest[0], reply, payload))
            elif word == "PING":
                self.send("PONG")
        return said + ["closed"]

    def publish(self, subject, payload=b"x", reply=""):
        self.send(f"PUB {subject} {reply} {len(payload)}", payload)
        return self.settle()

    def subscribe(self, subject):
        self.send(f"SUB {subject} 1")
        return self.settle()

    def until(self, condition):
        """What is said until some of it meets the condition."""
        said = []
        wait_until(lambda: (said.extend(self.settle()), any(condition(item) for item in said))[1])
        return said

    def ask(self, subject, payload=b"", inbox="_INBOX.test"):
        """The first answer."""
        self.send(f"SUB {inbox} 9")
        said = self.publish(subject, payload, inbox)
        said += [] if said else self.until(lambda item: True)
        return said[0]

    def close(self):
        self.socket.close()


def is_refusal(said, subject):
    return len(said) == 1 and "Permissions Violation" in said[0] and f'"{subject}"' in said[0]


@pytest.fixture(scope="module", params=["plain", "tls"])
def servers(request):
    made = NatsServers(tls=request.param == "tls")
    made.start()
    yield made
    made.remove()


@pytest.fixture
def connect(servers):
    clients = []

    def client(*arguments):
        clients.append(Client(servers, *arguments))
        return clients[-1]

    yield client
    for made in clients:
        made.close()


@pytest.fixture
def portal(connect):
    client = connect("portal-a")
    config = {"name": "HEARTH", "subjects": ["hearth.*.log", "hearth.*.snapshot.*", "hearth.*.registry"], "discard": "new",
              "max_bytes": 1 << 20, "storage": "file", "retention": "limits", "num_replicas": 1}
    made = json.loads(client.ask("$JS.API.STREAM.CREATE.HEARTH", json.dumps(config).encode())[2])
    assert made["config"]["name"] == "HEARTH"
    return client


def test_a_site_publishes_and_is_told_so(connect, portal):
    kitchen = connect("kitchen")
    answer = kitchen.ask("hearth.kitchen.log", b"x", "_INBOX_hearth.kitchen.1.1")
    assert json.loads(answer[2])["stream"] == "HEARTH"


def test_a_site_speaks_for_no_other(connect, portal):
    kitchen = connect("kitchen")
    for subject in ("hearth.attic.log", "hearth.attic.alive", "hearth.attic.call", "other", "_INBOX.test",
                    "$JS.API.STREAM.INFO.HEARTH", "$JS.API.STREAM.DELETE.HEARTH", "$JS.API.STREAM.NAMES", "$SYS.REQ.SERVER.PING"):
        assert is_refusal(kitchen.publish(subject), subject), subject


def test_a_site_hears_no_other(connect, portal):
    kitchen = connect("kitchen")
    for subject in ("hearth.attic.call", "hearth.>", ">", "hearth.*.alive", "hearth.*.call", "_INBOX.>", "_INBOX_hearth.>",
                    "_INBOX_hearth.attic.>"):
        assert is_refusal(kitchen.subscribe(subject), subject), subject


def test_a_site_answers_the_portal_once_and_unasked_never(connect, portal):
    kitchen = connect("kitchen")
    assert kitchen.subscribe("hearth.kitchen.call") == []
    assert portal.subscribe("_INBOX.>") == []
    portal.publish("hearth.kitchen.call", b"question", "_INBOX.asked")
    asked = kitchen.until(lambda item: item[2] == b"question")
    assert asked == [("hearth.kitchen.call", "_INBOX.asked", b"question")]
    assert kitchen.publish("_INBOX.asked", b"answer") == []
    portal.until(lambda item: item[2] == b"answer")
    assert is_refusal(kitchen.publish("_INBOX.asked", b"another"), "_INBOX.asked")


def test_a_portal_hears_who_is_alive_and_writes_nothing(connect, portal):
    assert portal.subscribe("hearth.*.alive") == []
    connect("attic").publish("hearth.attic.alive", b"here")
    portal.until(lambda item: item[2] == b"here")
    for subject in ("hearth.kitchen.log", "hearth.attic.alive", "$JS.API.STREAM.DELETE.HEARTH", "$JS.API.STREAM.PURGE.HEARTH",
                    "$JS.API.STREAM.MSG.DELETE.HEARTH"):
        assert is_refusal(portal.publish(subject), subject), subject


def test_a_portal_reads(connect, portal):
    connect("attic").ask("hearth.attic.registry", b"rooms", "_INBOX_hearth.attic.1.1")
    wanted = {"stream_name": "HEARTH", "config": {"ack_policy": "none", "deliver_policy": "last_per_subject",
                                                  "filter_subject": "hearth.*.registry"}}
    made = json.loads(portal.ask("$JS.API.CONSUMER.CREATE.HEARTH", json.dumps(wanted).encode())[2])
    got = portal.ask(f"$JS.API.CONSUMER.MSG.NEXT.HEARTH.{made['name']}", b"1")
    assert (got[0], got[2]) == ("hearth.attic.registry", b"rooms")


def test_a_wrong_password_is_refused(connect):
    assert connect("kitchen", "wrong").refused
    assert connect("kitchen").refused == []


def test_a_user_comes_and_goes_while_the_server_runs(servers, connect):
    servers.add_user("add-site", "cellar")
    servers.reload()
    cellar = connect("cellar")
    assert cellar.refused == []
    old = servers.passwords["cellar"]
    servers.add_user("renew", "cellar")
    servers.reload()
    assert connect("cellar", old).refused
    assert connect("cellar").refused == []
    assert servers.users("remove", "cellar").returncode == 0
    servers.reload()
    assert connect("cellar").refused
    assert connect("kitchen").refused == []


def test_three_nodes_take_the_recipe():
    servers = NatsServers(nodes=3, tls=True)
    try:
        servers.start()
        client = Client(servers, "portal-a", node=1)
        config = {"name": "HEARTH", "subjects": ["hearth.*.log"], "num_replicas": 3, "max_bytes": 1 << 20}
        made = json.loads(client.ask("$JS.API.STREAM.CREATE.HEARTH", json.dumps(config).encode())[2])
        assert len(made["cluster"]["replicas"]) == 2
        wait_until(lambda: servers.stream_leader())
        client.close()
    finally:
        servers.remove()


@pytest.fixture
def users(tmp_path):
    file = tmp_path / "hearth-users.conf"

    def run(*arguments):
        return subprocess.run([os.path.join(os.path.dirname(__file__), "../../../packaging/nats/users"), *arguments],
                              capture_output=True, text=True, timeout=60, env={**os.environ, "HEARTH_NATS_USERS": str(file)})

    run.file = file
    return run


def test_a_user_who_is_there_stays_as_he_is(users):
    made = users("add-site", "kitchen")
    assert re.fullmatch(r"user: kitchen\npassword: [0-9a-f]{40}\n", made.stdout)
    before = users.file.read_text()
    assert made.stdout.split()[-1] not in before
    again = users("add-site", "kitchen")
    assert (again.returncode, again.stdout, users.file.read_text()) == (0, "", before)
    assert "kitchen is there already" in again.stderr
    assert users("add-portal", "kitchen").stdout.startswith("user: portal-kitchen\n")
    assert users("list").stdout == "kitchen\nportal-kitchen\n"
    assert users.file.stat().st_mode & 0o007 == 0


@pytest.mark.parametrize("arguments, words", [
    ((), "users add-site NAME"),
    (("add-sight", "kitchen"), "expected one of these, got: add-sight"),
    (("add-site",), "expected 1 arguments after add-site, got 0"),
    (("add-site", "Kitchen"), "got: Kitchen"),
    (("add-site", "a.b"), "got: a.b"),
    (("add-site", 'a", password: "x'), "at most 32 small letters"),
    (("add-site", "a" * 33), "at most 32 small letters"),
    (("renew", "kitchen"), "there is no user kitchen"),
    (("remove", "kitchen"), "there is no user kitchen"),
])
def test_bad_arguments_are_named(users, arguments, words):
    done = users(*arguments)
    assert done.returncode != 0
    assert words in done.stderr
    assert not users.file.exists()


def test_a_missing_folder_is_named(users):
    users.file.parent.rmdir()
    done = users("add-site", "kitchen")
    assert done.returncode == 1
    assert f"there is no folder {users.file.parent}" in done.stderr
