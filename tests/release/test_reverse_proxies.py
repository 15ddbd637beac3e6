# SPDX-License-Identifier: Apache-2.0
"""The configurations of packaging/reverse-proxy: each proxy runs with its file, on other ports and with a certificate of the
test, before a hub that trusts it."""

import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import pytest
import websocket

from hub_process import free_port, wait_until
from login_client import CLIENT as LOGIN_CLIENT
from login_client import code_of
from websocket_client import WebSocketClient

FOLDER = Path(__file__).resolve().parents[2] / "packaging/reverse-proxy"
NAME = "home.example.org"
CLIENT = "127.0.0.2"  # the address that clients of the proxy have


def replaced(text, *changes):
    for old, new in changes:
        assert old in text, f"the configuration has no {old!r} any more"
        text = text.replace(old, new)
    return text


def nginx(folder, text, hub, plain, secure, certificate):
    text = replaced(text, ("127.0.0.1:8123", f"127.0.0.1:{hub}"), ("listen 80;", f"listen 127.0.0.1:{plain};"),
                    ("listen 443 ", f"listen 127.0.0.1:{secure} "), ("    listen [::]:80;\n", ""),
                    ("    listen [::]:443 ssl http2;\n", ""),
                    (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", f"{certificate}"),
                    (f"/etc/letsencrypt/live/{NAME}/privkey.pem", f"{certificate}"))
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"user root;\nworker_processes 1;\npid {folder}/pid;\nevents {{}}\n"
                                       f"http {{\naccess_log off;\n{temporary}{text}}}\n")
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr", "-g", "daemon off;"]


def caddy(folder, text, hub, plain, secure, certificate):
    text = replaced(text, ("127.0.0.1:8123", f"127.0.0.1:{hub}"),
                    (f"{NAME} {{\n", f"{NAME} {{\n\tbind 127.0.0.1\n\ttls {certificate} {certificate}\n"))
    options = f"{{\n\tadmin off\n\tgrace_period 1s\n\thttp_port {plain}\n\thttps_port {secure}\n}}\n"
    (folder / "Caddyfile").write_text(options + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


def haproxy(folder, text, hub, plain, secure, certificate):
    text = replaced(text, ("127.0.0.1:8123", f"127.0.0.1:{hub}"), ("bind :80", f"bind 127.0.0.1:{plain}"),
                    ("bind :443", f"bind 127.0.0.1:{secure}"), (f"/etc/haproxy/{NAME}.pem", f"{certificate}"))
    (folder / "haproxy.cfg").write_text(text)
    return ["haproxy", "-db", "-f", folder / "haproxy.cfg"]


PROXIES = {"nginx.conf": nginx, "Caddyfile": caddy, "haproxy.cfg": haproxy}


class Proxy:
    def __init__(self, hub, plain, secure):
        self.hub, self.plain, self.secure = hub, plain, secure

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = socket.create_connection(("127.0.0.1", self.secure), timeout=10, source_address=(CLIENT, 0))
        return context.wrap_socket(connection, server_hostname=NAME)

    def request(self, method, path, body=None, **headers):
        """The answer, to be read, as a client gets it."""
        connection = http.client.HTTPConnection(NAME)
        connection.sock = self.connect()
        headers = {"Authorization": "Bearer " + self.hub.tokens["admin"]} | headers
        connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        return connection.getresponse()

    def websocket(self):
        return websocket.create_connection(f"wss://{NAME}/api/websocket", socket=self.connect(), origin=f"https://{NAME}", timeout=10)


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request, module_hubs, tmp_path_factory):
    make = PROXIES[request.param]
    if not (shutil.which(make.__name__) or shutil.which(f"/usr/sbin/{make.__name__}")):
        pytest.skip(f"{make.__name__} is not installed")
    folder = tmp_path_factory.mktemp(make.__name__)
    certificate = folder / "both.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={NAME}",
                    "-addext", f"subjectAltName=DNS:{NAME}", "-days", "2", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
                   check=True, capture_output=True)
    certificate.write_text((folder / "certificate.pem").read_text() + (folder / "key.pem").read_text())
    hub = module_hubs.start(http={"trusted_proxies": "127.0.0.1"})
    plain, secure = free_port(), free_port()
    command = make(folder, (FOLDER / request.param).read_text(), hub.port, plain, secure, certificate)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin", "HOME": str(folder), "XDG_DATA_HOME": str(folder),
                   "XDG_CONFIG_HOME": str(folder)}
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    proxy = Proxy(hub, plain, secure)

    def answers():
        assert process.poll() is None, (folder / "log").read_text()
        try:
            return proxy.request("GET", "/api/").status == 200
        except OSError:
            return False

    try:
        wait_until(answers, 20)
        yield proxy
    finally:
        process.terminate()
        process.wait(20)


def test_the_page_and_the_interface_answer(proxy):
    page = proxy.request("GET", "/")
    assert page.status == 200 and b"<html" in page.read()
    assert json.load(proxy.request("GET", "/api/states/light.kitchen"))["entity_id"] == "light.kitchen"


def test_plain_http_leads_to_https(proxy):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=10)
    connection.request("GET", "/history?day=1", headers={"Host": NAME})
    answer = connection.getresponse()
    assert answer.status in (301, 308)
    assert re.fullmatch(rf"https://{re.escape(NAME)}(:\d+)?/history\?day=1", answer.headers["location"])


def test_a_change_arrives_at_once_on_the_event_stream(proxy):
    stream = proxy.request("GET", "/api/stream?restrict=proxied", Accept="text/event-stream")
    assert stream.status == 200 and "Content-Length" not in stream.headers
    for number in range(3):  # each alone: nothing waits for a buffer that fills
        assert proxy.request("POST", "/api/events/proxied", json.dumps({"number": number})).status == 200
        line = b""
        while b'"proxied"' not in line:
            line = stream.fp.readline()
            assert line
        assert json.loads(line.removeprefix(b"data: "))["data"] == {"number": number}
    stream.close()


def test_a_websocket_works(proxy):
    connection = proxy.websocket()
    assert json.loads(connection.recv())["type"] == "auth_required"
    connection.send(json.dumps({"type": "auth", "access_token": proxy.hub.tokens["admin"]}))
    assert json.loads(connection.recv())["type"] == "auth_ok"
    connection.send(json.dumps({"id": 1, "type": "ping"}))
    assert json.loads(connection.recv()) == {"id": 1, "type": "pong"}
    connection.close()


@pytest.mark.parametrize("claimed", [None, "127.0.0.1", "203.0.113.9", "203.0.113.9, 127.0.0.1"])
def test_the_hub_sees_the_address_of_the_client_and_not_one_that_it_claims(proxy, claimed):
    form = {"grant_type": "authorization_code", "client_id": LOGIN_CLIENT, "code": code_of(proxy.hub, "ann")}
    headers = {"X_Forwarded_For": claimed} if claimed else {}
    answer = proxy.request("POST", "/auth/token", urlencode(form), Content_Type="application/x-www-form-urlencoded", **headers)
    token = json.load(answer)["access_token"]
    with WebSocketClient(proxy.hub, token) as client:
        session = next(entry for entry in client.result("auth/refresh_tokens") if entry["is_current"])
    assert session["last_used_ip"] == CLIENT


def test_no_proxy_bounds_a_body_that_the_hub_takes(proxy):
    variables = {"x": "x" * 3_000_000}
    answer = proxy.request("POST", "/api/template", json.dumps({"template": "{{ x | length }}", "variables": variables}))
    assert answer.status == 200 and answer.read() == b"3000000"


@pytest.mark.parametrize("name", PROXIES)
def test_the_document_shows_the_configuration_as_it_is(name):
    document = (FOLDER.parents[1] / "docs/reverse-proxy.md").read_text(encoding="utf-8")
    _, _, shown = (FOLDER / name).read_text(encoding="utf-8").partition("\n")  # without the licence
    assert f"\n{shown}```\n" in document
