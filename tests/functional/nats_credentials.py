# SPDX-License-Identifier: Apache-2.0
"""A NATS server whose users have keys and JWTs instead of passwords, as operators of larger ones make them with `nsc`: here by openssl.
The formats: https://docs.nats.io/reference/reference-protocols/nats-protocol/nkeys and github.com/nats-io/jwt."""

import base64
import binascii
import hashlib
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from nats_server import NatsNode, NatsServers

# The kinds of keys, by the letter that their texts begin with.
PREFIXES = {"O": 14 << 3, "A": 0, "U": 20 << 3}
SEED = 18 << 3
UNLIMITED = {"subs": -1, "data": -1, "payload": -1}


def with_checksum(data):
    data += binascii.crc_hqx(data, 0).to_bytes(2, "little")
    return base64.b32encode(data).rstrip(b"=").decode()


def base64_url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """An Ed25519 key of a kind: O for an operator, A for an account, U for a user."""

    def __init__(self, kind, folder):
        self.kind = kind
        self.file = Path(tempfile.mkstemp(dir=folder, suffix=".der")[1])
        self.openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", self.file)
        # The key itself is at the end of its file.
        self.secret = self.file.read_bytes()[-32:]
        self.public = with_checksum(bytes([PREFIXES[kind]]) + self.openssl("pkey", "-inform", "DER", "-in", self.file, "-pubout",
                                                                            "-outform", "DER")[-32:])

    @staticmethod
    def openssl(*arguments):
        return subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=20).stdout

    @property
    def seed(self):
        prefix = PREFIXES[self.kind]
        return with_checksum(bytes([SEED | prefix >> 5, (prefix & 31) << 3]) + self.secret)

    def sign(self, subject, name, **claims):
        """A JWT for the subject's key, issued with this one."""
        body = {"iat": int(time.time()), "iss": self.public, "name": name, "sub": subject.public, "nats": claims | {"version": 2}}
        body["jti"] = base64.b32encode(hashlib.sha256(json.dumps(body).encode()).digest()).rstrip(b"=").decode()
        text = ".".join(base64_url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, body))
        with tempfile.NamedTemporaryFile(dir=self.file.parent) as message:
            message.write(text.encode())
            message.flush()
            signature = self.openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", self.file, "-in", message.name)
        return f"{text}.{base64_url(signature)}"


class CredentialsNode(NatsNode):
    def write_configuration(self):
        servers = self.servers
        self.configuration.write_text("\n".join([
            f'server_name: "{self.name}"', f'listen: "127.0.0.1:{self.port}"', f'http: "127.0.0.1:{self.monitor_port}"',
            "max_payload: 8MB", f'jetstream {{ store_dir: "{self.folder / "data"}" }}',
            f"operator: {servers.operator_jwt}", f"system_account: {servers.system.public}", "resolver: MEMORY",
            f"resolver_preload: {{ {servers.system.public}: {servers.system_jwt}, {servers.account.public}: {servers.account_jwt} }}", ""]))


class CredentialsServers(NatsServers):
    """One node. The users and their rights are those of packaging/nats/users."""

    def __init__(self, **options):
        super().__init__(**options)
        self.nodes = [CredentialsNode(self, 1)]
        self.operator, self.system, self.account = Key("O", self.folder), Key("A", self.folder), Key("A", self.folder)
        self.operator_jwt = self.operator.sign(self.operator, "hearth", type="operator", system_account=self.system.public)
        limits = UNLIMITED | {"imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
        self.system_jwt = self.operator.sign(self.system, "SYS", type="account", limits=limits)
        stored = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}
        self.account_jwt = self.operator.sign(self.account, "HEARTH", type="account", limits=limits | stored)
        for user in self.passwords:
            self.credentials(user).write_text(self.make(user, self.account))

    def credentials(self, user):
        return self.folder / f"{user}.creds"

    def make(self, user, issuer):
        line = re.search(rf'\{{user: "{re.escape(user)}",.*', (self.folder / "hearth-users.conf").read_text())[0]
        rights = {kind: json.loads(re.search(rf"{kind}: (\[.*?\])", line)[1].replace("\\$", "$")) for kind in ("publish", "subscribe")}
        answers = {"resp": {"max": 1, "ttl": 300_000_000_000}} if "allow_responses" in line else {}
        key = Key("U", self.folder)
        token = issuer.sign(key, user, type="user", pub={"allow": rights["publish"]}, sub={"allow": rights["subscribe"]}, **answers, **UNLIMITED)
        return (f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
                f"-----BEGIN USER NKEY SEED-----\n{key.seed}\n------END USER NKEY SEED------\n")

    def options(self, user):
        return {"servers": [node.url for node in self.nodes], "credentials": str(self.credentials(user))}
