# SPDX-License-Identifier: Apache-2.0
"""The hub's own port with TLS: what it agrees to, what goes through it, and certificates that change meanwhile."""

import contextlib
import json
import re
import shutil
import socket
import ssl
import subprocess

import httpx
import pytest
import websocket

from hub_process import Hub, command, free_port, wait_until
from raw_http import RawConnection


def make_pair(folder, *more):
    done = command(folder, "tls", "self-signed", "--name", "127.0.0.1", "--name", "hub.local", *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_tls(hub_factory, http=(), **tls):
    folder = hub_factory.folder(http={"tls": {"certificate": "certificate.pem", "key": "certificate_key.pem"} | tls} | dict(http))
    make_pair(folder)
    return SecureHub(hub_factory, folder).start()


class SecureHub:
    """A hub that speaks TLS, asked over it."""

    def __init__(self, hub_factory, folder):
        self.factory, self.folder, self.port = hub_factory, folder, free_port()

    def start(self):
        self.hub = Hub(self.folder, self.factory.tokens, port=self.port)
        self.factory.hubs.append(self.hub)
        self.hub.logged("ready at https://", 20)
        return self

    def context(self, **options):
        context = ssl.create_default_context(cafile=self.folder / "certificate.pem")
        for name, value in options.items():
            setattr(context, name, value)
        return context

    def client(self, user="admin"):
        return httpx.Client(base_url=f"https://127.0.0.1:{self.port}", verify=self.context(), trust_env=False, timeout=20,
                            headers={"Authorization": "Bearer " + self.hub.tokens[user]})

    def connect(self, context=None, name="hub.local"):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        return (context or self.context()).wrap_socket(plain, server_hostname=name)

    def websocket(self):
        opened = websocket.create_connection(f"wss://127.0.0.1:{self.port}/api/websocket", timeout=10, suppress_origin=True,
                                             sslopt={"ca_certs": str(self.folder / "certificate.pem")})
        assert json.loads(opened.recv())["type"] == "auth_required"
        opened.send(json.dumps({"type": "auth", "access_token": self.hub.tokens["admin"]}))
        assert json.loads(opened.recv())["type"] == "auth_ok"
        return opened


@pytest.fixture
def hub(hub_factory):
    return with_tls(hub_factory)


def agreed(hub, *arguments):
    """What openssl says of a handshake with these arguments."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{hub.port}", *arguments], input="", text=True,
                          capture_output=True, timeout=20)
    return done.stdout + done.stderr


@pytest.mark.contract("Every endpoint: TLS")
def test_what_is_agreed_on(hub):
    usual = agreed(hub, "-alpn", "h2,http/1.1")
    assert "TLSv1.3" in usual and "ALPN protocol: http/1.1" in usual and "Compression: NONE" in usual
    assert "Cipher is ECDHE-ECDSA-AES" in agreed(hub, "-tls1_2")
    for refused in (["-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0"], ["-tls1", "-cipher", "DEFAULT:@SECLEVEL=0"],
                    ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
                    ["-alpn", "h2"]):
        assert "Cipher is (NONE)" in agreed(hub, *refused), refused


def test_renegotiation_is_refused(hub):
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{hub.port}", "-tls1_2"], input="R\n", text=True,
                          capture_output=True, timeout=20)
    assert re.search(r"no renegotiation|wrong version|RENEGOTIATING\n.*error", done.stdout + done.stderr, re.S)
    with hub.client() as client:
        assert client.get("/api/").status_code == 200


def test_tls_1_3_alone_if_that_is_wanted(hub_factory):
    hub = with_tls(hub_factory, min_version="1.3")
    assert "Cipher is (NONE)" in agreed(hub, "-tls1_2")
    with hub.client() as client:
        assert client.get("/api/").status_code == 200


def test_long_answers_and_bodies_go_through(hub):
    with hub.client() as client:
        states = {f"sensor.tls_{number}": "x" * 200 for number in range(300)}
        for entity, state in states.items():
            assert client.post(f"/api/states/{entity}", json={"state": state, "attributes": {"text": "y" * 2_000}}).status_code == 201
        found = {state["entity_id"]: state["state"] for state in client.get("/api/states", headers={"Accept-Encoding": "identity"}).json()}
        assert states.items() <= found.items()
        page = client.get("/")
        assert page.status_code == 200 and page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "Strict-Transport-Security" not in page.headers
        assert client.post("/api/services/backup/create", json={}).status_code == 200
        name = client.get("/api/backups").json()[0]["name"]
        bytes_of_it = (hub.folder / "backups" / f"{name}.tar.zst").read_bytes()
        assert client.get(f"/api/backups/{name}").content == bytes_of_it
        assert client.delete(f"/api/backups/{name}").status_code == 200
        assert client.post("/api/backups", content=bytes_of_it).json()["bytes"] == len(bytes_of_it)


def test_a_reader_that_is_slow_gets_every_byte(hub):
    with hub.client() as client:
        for number in range(400):
            client.post(f"/api/states/sensor.slow_{number}", json={"state": "x" * 200, "attributes": {"text": "z" * 4_000}})
    with hub.connect() as secure:
        secure.sendall(f"GET /api/states HTTP/1.0\r\nAuthorization: Bearer {hub.hub.tokens['admin']}\r\n\r\n".encode())
        received = b""
        while piece := secure.recv(1_000):
            received += piece
    assert len(json.loads(received.split(b"\r\n\r\n", 1)[1])) >= 400


def serial(hub):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with hub.connect(context) as secure:
        return ssl.DER_cert_to_PEM_cert(secure.getpeercert(True))


def test_a_new_certificate_is_taken_without_a_cut(hub):
    with contextlib.ExitStack() as opened, hub.client() as client:
        sockets = [opened.enter_context(contextlib.closing(hub.websocket())) for _ in range(100)]
        streams = [opened.enter_context(hub.connect()) for _ in range(100)]
        for stream in streams:
            stream.sendall(f"GET /api/stream HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {hub.hub.tokens['admin']}\r\n\r\n".encode())
            assert stream.recv(12) == b"HTTP/1.1 200"
        for each in sockets:
            each.send(json.dumps({"id": 1, "type": "subscribe_events", "event_type": "renewed"}))
            assert json.loads(each.recv())["success"]
        assert client.get("/api/").status_code == 200  # by a connection that stays
        former = serial(hub)
        make_pair(hub.folder, "--force")
        wait_until(lambda: serial(hub) != former, 10)
        assert client.post("/api/events/renewed", json={}).status_code == 200
        for each in sockets:
            assert json.loads(each.recv())["event"]["event_type"] == "renewed"
        for stream in streams:
            received = b""
            while b'"renewed"' not in received:
                received += stream.recv(4_096)


def test_a_broken_pair_leaves_the_former_one(hub):
    hub.hub.errors_expected = True
    former = serial(hub)
    (hub.folder / "certificate.pem").rename(hub.folder / "good.pem")
    (hub.folder / "certificate.pem").write_text("no certificate")
    hub.hub.logged("the former certificate stays in force: ")
    assert "certificate.pem: expected certificates in PEM" in hub.hub.logged("the former certificate stays in force: ")[0]
    assert serial(hub) == former
    other = hub.folder.parent / "other"
    other.mkdir()
    make_pair(other)
    shutil.copy(other / "certificate.pem", hub.folder / "certificate.pem")
    wait_until(lambda: any("the private key of the certificate" in line or "key values mismatch" in line for line in hub.hub.log), 10)
    assert serial(hub) == former
    (hub.folder / "good.pem").rename(hub.folder / "certificate.pem")
    (hub.folder / "certificate_key.pem").chmod(0o644)
    opened = hub.websocket()

    def found():
        opened.send(json.dumps({"id": found.id, "type": "repairs/list_issues"}))
        found.id += 1
        return {issue["translation_key"] for issue in json.loads(opened.recv())["result"]["issues"]}
    found.id = 1
    wait_until(lambda: "key_is_readable" in found() and "certificate_refused" not in found(), 90)
    opened.close()


@pytest.mark.parametrize("wrong, said", [
    ({"certificate": "gone.pem"}, "gone.pem: expected certificates in PEM: "),
    ({"key": "gone.pem"}, "gone.pem: expected the certificate's private key in PEM, without a password: "),
    ({"key": "certificate.pem"}, "certificate.pem: expected the certificate's private key in PEM"),
    ({"certificate": None}, "http.tls: certificate is missing: expected a file"),
    ({"min_version": "1.1"}, "http.tls.min_version: expected 1.2 or 1.3, found"),
    ({"plain_port": 8123}, "http.tls.plain_port: expected another port than server_port"),
])
def test_what_cannot_be_used_is_refused_at_the_start(hub_factory, wrong, said):
    tls = {"certificate": "certificate.pem", "key": "certificate_key.pem"} | wrong
    folder = hub_factory.folder(http={"tls": {key: value for key, value in tls.items() if value is not None}})
    make_pair(folder)
    done = command(folder, "serve", "--host", "127.0.0.1", "--port", str(free_port()))
    assert done.returncode != 0 and said in done.stderr, done.stderr


def test_the_plain_port_leads_to_https(hub_factory):
    plain_port = free_port()
    folder_name = "challenges"
    hub = with_tls(hub_factory, plain_port=plain_port, challenge_folder=folder_name, hsts="1h")
    (hub.folder / folder_name).mkdir()
    (hub.folder / folder_name / "to-ken_1").write_text("to-ken_1.thumb")
    with httpx.Client(base_url=f"http://127.0.0.1:{plain_port}", trust_env=False, timeout=20) as plain, hub.client() as client:
        assert client.get("/").headers["Strict-Transport-Security"] == "max-age=3600"
        for path in ("/", "/settings/devices?show=all", "/hearth/overview"):
            led = plain.get(path, headers={"Host": "hub.local"})
            assert led.status_code == 308 and led.headers["Location"] == f"https://hub.local:{hub.port}{path}", path
        assert plain.head("/").status_code == 308
        with RawConnection(plain_port, 5) as raw:
            raw.send(b"GET //evil.example HTTP/1.1\r\nHost: hub.local\r\n\r\n")
            assert raw.read_response().headers["location"] == f"https://hub.local:{hub.port}//evil.example"
        assert plain.get("/.well-known/acme-challenge/to-ken_1").text == "to-ken_1.thumb"
        assert plain.get("/.well-known/acme-challenge/none").status_code == 404
        for refused in (plain.get("/api/"), plain.get("/api/health"), plain.post("/"), plain.post("/auth/token"), plain.get("/?code=1"),
                        plain.get("/", headers=client.headers), plain.get("/.well-known/acme-challenge/..%2fhome.db")):
            assert refused.status_code in (403, 308, 400), refused.url
            assert refused.status_code == 403 or b"SQLite" not in refused.content
        assert "revoke" in plain.get("/api/states", headers=client.headers).json()["message"]
        assert plain.get("/api/websocket", headers={"Upgrade": "websocket", "Connection": "Upgrade"}).status_code == 403


def test_who_does_not_go_on_with_the_handshake_is_cut(hub_factory):
    hub = with_tls(hub_factory, http={"limits": {"header_time": "2s"}})
    hello = ssl.MemoryBIO()
    client = hub.context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="hub.local")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    first = hello.read()
    silent = [socket.create_connection(("127.0.0.1", hub.port), timeout=20) for _ in range(60)]
    for number, each in enumerate(silent):
        each.sendall(first[:number % 3 * 100] or first)
    for each in silent:
        with contextlib.suppress(ConnectionResetError):
            while each.recv(65_536):
                pass
        each.close()
    with hub.client() as asking:
        assert asking.get("/api/").status_code == 200


def test_bytes_that_are_no_tls_end_their_connection_only(hub):
    with hub.client() as client:
        for bytes_sent in (b"GET /api/ HTTP/1.1\r\nHost: h\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"\x01" * 70_000, b"\0" * 100,
                           b"\x15\x03\x03\x00\x02\x02\x28", b"\x80\x2e\x01\x00\x02"):
            with socket.create_connection(("127.0.0.1", hub.port), timeout=10) as raw:
                with contextlib.suppress(OSError):
                    raw.sendall(bytes_sent)
                    raw.shutdown(socket.SHUT_WR)
                    while raw.recv(65_536):
                        pass
            assert client.get("/api/").status_code == 200


def test_programs_of_the_machine_find_the_hub(hub):
    done = command(hub.folder, "doctor", "--ready", "--port", str(hub.port))
    assert done.returncode == 0 and done.stdout == "ready\n", done.stderr
    with hub.client() as client:
        assert client.get("/api/config").json()["internal_url"].startswith("https://127.0.0.1:")


def test_a_pair_is_made_once(hub_factory):
    folder = hub_factory.folder()
    assert "certificate: certificate.pem" in make_pair(folder)
    assert (folder / "certificate_key.pem").stat().st_mode & 0o777 == 0o600
    again = command(folder, "tls", "self-signed")
    assert again.returncode == 1 and "is there already; --force replaces it" in again.stderr
    wrong = command(folder, "tls", "self-signed", "--force", "--name", "no name")
    assert wrong.returncode == 1 and "no name: expected a host name or an address" in wrong.stderr
