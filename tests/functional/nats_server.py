# SPDX-License-Identifier: Apache-2.0
"""NATS servers of the tests' own, one or a cluster of three, with the configuration and the users of packaging/nats, in a
temporary folder. Each node is started, killed and stopped by itself."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import httpx

from hub_process import PLAIN_HTTP, REPOSITORY, free_port, wait_until

# Debian's, or a newer one.
PROGRAM = os.environ.get("HEARTH_NATS_SERVER") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin:/usr/bin")
PACKAGING = REPOSITORY / "packaging/nats"


def version():
    return tuple(int(part) for part in re.search(r"v(\d+)\.(\d+)", subprocess.check_output([PROGRAM, "--version"], text=True)).groups())


def replaced(text, changes):
    for old, new in changes.items():
        assert old in text, f"{old} is not in the recipe any more"
        text = text.replace(old, str(new))
    return text


class NatsNode:
    def __init__(self, servers, index):
        self.servers, self.index = servers, index
        self.name = f"hearth-{index + 1}"
        self.folder = servers.folder / self.name
        self.folder.mkdir()
        # A file is included by its path from the one that includes it, even if it begins with /.
        self.configuration, self.log = servers.folder / f"{self.name}.conf", self.folder / "log"
        self.port, self.cluster_port, self.monitor_port = free_port(), free_port(), free_port()
        self.process = None

    @property
    def url(self):
        return f"{'tls' if self.servers.tls else 'nats'}://127.0.0.1:{self.port}"

    def write_configuration(self):
        shared = self.servers.folder
        text = replaced((PACKAGING / "hearth.conf").read_text(), {
            'server_name: "hearth-1"': f'server_name: "{self.name}"',
            "0.0.0.0:4222": f"127.0.0.1:{self.port}",
            "/var/lib/nats-server": self.folder / "data",
            "/etc/nats-server/": f"{shared}/",
            "./nats-server/": "./",
        })
        if version() < (2, 10):
            text = replaced(text, {"  sync_interval: always\n": ""})
        if not self.servers.tls:
            text, count = re.subn(r"\ntls \{.*?\n\}\n", "\n", text, flags=re.DOTALL)
            assert count == 1
        if len(self.servers.nodes) > 1:
            text = replaced(text, {'#include "./hearth-cluster.conf"': f'include "./{self.name}-cluster.conf"'})
            cluster = replaced((PACKAGING / "hearth-cluster.conf").read_text(), {
                "0.0.0.0:6222": f"127.0.0.1:{self.cluster_port}",
                "/etc/nats-server/": f"{shared}/",
                **{f"nats-{node.index + 1}.example.org:6222": f"127.0.0.1:{node.cluster_port}" for node in self.servers.nodes},
            })
            (shared / f"{self.name}-cluster.conf").write_text(cluster)
        text += f'http: "127.0.0.1:{self.monitor_port}"\n' + self.servers.more
        self.configuration.write_text(text)

    def start(self, wait=True):
        """Returns when it answers; in a cluster that may be before it has a leader: wait_for_leader."""
        assert not self.process
        self.write_configuration()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([PROGRAM, "-c", self.configuration, "-l", self.log], stdout=log, stderr=log)
        if wait:
            wait_until(self.answers, 30)

    def answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            return True
        except OSError:
            return False

    def monitor(self, path):
        """A page of the server's own, such as /jsz?streams=true."""
        answer = httpx.get(f"http://127.0.0.1:{self.monitor_port}{path}", timeout=5, **PLAIN_HTTP)
        answer.raise_for_status()
        return answer.json()

    def reload(self):
        """Reads the users again."""
        before = self.log.read_text().count("Reloaded server configuration")
        self.process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.log.read_text().count("Reloaded server configuration") > before)

    def stop(self):
        self.end(signal.SIGTERM)

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, how):
        if self.process:
            self.process.send_signal(how)
            self.process.send_signal(signal.SIGCONT)
            self.process.wait(30)
            self.process = None

    def freeze(self):
        """It keeps its connections and does nothing, as behind a cable that was pulled."""
        self.process.send_signal(signal.SIGSTOP)
        wait_until(lambda: Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].startswith("T"))

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class NatsServers:
    """`sites` and one portal are users from the start. `more`: further lines of the configuration."""

    def __init__(self, nodes=1, tls=False, sites=("kitchen", "attic"), more=""):
        assert PROGRAM, "nats-server is missing: tools/bootstrap --test installs it"
        self.folder = Path(tempfile.mkdtemp(prefix="hearth-nats-"))
        self.tls, self.more = tls, more
        self.ca = self.folder / "server.pem"
        if tls or nodes > 1:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                            "-subj", "/CN=hearth-nats", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-keyout", self.folder / "server.key", "-out", self.ca], check=True, capture_output=True, timeout=60)
            shutil.copy(self.ca, self.folder / "nodes-ca.pem")
        self.passwords = {}
        for site in sites:
            self.add_user("add-site", site)
        self.add_user("add-portal", "a")
        self.nodes = [NatsNode(self, index) for index in range(nodes)]

    def users(self, *arguments):
        return subprocess.run([PACKAGING / "users", *arguments], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "HEARTH_NATS_USERS": str(self.folder / "hearth-users.conf")})

    def add_user(self, action, name):
        """`add-site`, `add-portal` or `renew`. Running servers need a reload."""
        done = self.users(action, name)
        assert done.returncode == 0, done.stderr
        user, password = re.fullmatch(r"user: (\S+)\npassword: (\S+)\n", done.stdout).groups()
        self.passwords[user] = password

    def start(self):
        for node in self.nodes:
            if not node.process:
                node.start(wait=False)
        for node in self.nodes:
            wait_until(node.answers, 30)
        if len(self.nodes) > 1:
            self.wait_for_leader()

    def wait_for_leader(self):
        """Until the nodes that run have elected who decides about streams."""
        wait_until(lambda: self.meta_leader() is not None, 60)

    def meta_leader(self):
        running = [node for node in self.nodes if node.process]
        try:
            named = {node.monitor("/jsz").get("meta_cluster", {}).get("leader") for node in running}
        except httpx.HTTPError:
            return None
        return next((node for node in running if named == {node.name}), None)

    def stream(self, name="HEARTH"):
        """What its leader knows of the stream; None if nobody has it."""
        for node in self.nodes:
            if not node.process:
                continue
            for account in node.monitor("/jsz?streams=true&config=true").get("account_details", []):
                for stream in account.get("stream_detail", []):
                    leader = stream.get("cluster", {}).get("leader") or node.name
                    if stream["name"] == name and leader == node.name:
                        return stream
        return None

    def stream_leader(self, name="HEARTH"):
        """The node that takes the stream's messages; None while there is none."""
        try:
            found = self.stream(name)
        except httpx.HTTPError:
            return None
        leader = found and found.get("cluster", {}).get("leader", self.nodes[0].name)
        return next((node for node in self.nodes if node.name == leader and node.process), None)

    def is_whole(self, name="HEARTH"):
        """Each node is there and has everything of the stream: one may go, and nobody waits for another one."""
        try:
            found = self.stream(name) if self.meta_leader() else None
        except httpx.HTTPError:
            return False
        replicas = found.get("cluster", {}).get("replicas", []) if found else []
        return len(replicas) == len(self.nodes) - 1 and all(each["current"] and not each.get("offline") for each in replicas)

    def reload(self):
        for node in self.nodes:
            node.reload()

    def stop(self):
        for node in self.nodes:
            node.stop()

    def remove(self):
        for node in self.nodes:
            node.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def options(self, user):
        """What a hub's configuration needs to connect as this user: a site's name, or portal-a."""
        return {"servers": [node.url for node in self.nodes], "user": user, "password": self.passwords[user],
                **({"tls": {"ca": str(self.ca)}} if self.tls else {})}
