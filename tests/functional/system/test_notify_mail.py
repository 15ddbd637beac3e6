# SPDX-License-Identifier: Apache-2.0
"""notify: e-mails, to a real server of SMTP."""

import datetime
import email
import email.policy
import ipaddress
import ssl

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from checks import call


class Mailbox:
    def __init__(self):
        self.mails = []
        self.answers = []

    async def handle_DATA(self, server, session, envelope):
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            self.mails.append((envelope.mail_from, envelope.rcpt_tos, session.ssl is not None, envelope.content))
        return answer


class Server(Controller):
    """On a free port, which it knows once it has begun."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"hub", b"right-password")
    return AuthResult(success=right, handled=right)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Of this machine, but signed by nobody whom the hub knows."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.test")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(key, hashes.SHA256()))
    path = tmp_path_factory.mktemp("mail") / "mail.pem"
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
                     + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path)
    return context


@pytest.fixture
def mailbox():
    return Mailbox()


@pytest.fixture
def serve(mailbox):
    """Starts a server on a free port, which it returns."""
    servers = []

    def start(**options):
        server = Server(mailbox, hostname="127.0.0.1", port=0, ready_timeout=30, **options)
        server.start()
        servers.append(server)
        return server.port

    yield start
    for server in servers:
        server.stop()


def mail(port, **more):
    return {"platform": "smtp", "name": "mail", "server": "127.0.0.1", "port": port, "sender": "hub@home.test",
            "recipient": ["ann@home.test", "bob@home.test"], **more}


def test_a_mail_arrives(hub_factory, mailbox, serve):
    hub = hub_factory(notify=[mail(serve(), encryption="none", sender_name="Das Haus")])
    call(hub, "notify.mail", {"message": "Die Wäsche ist fertig.\n.\nEnde", "title": "Wäsche"})
    [(sender, recipients, encrypted, content)] = mailbox.mails
    assert (sender, recipients, encrypted) == ("hub@home.test", ["ann@home.test", "bob@home.test"], False)
    read = email.message_from_bytes(content, policy=email.policy.default)
    assert (read["Subject"], read["From"], read["To"]) == ("Wäsche", "Das Haus <hub@home.test>", "ann@home.test, bob@home.test")
    assert read.get_content().replace("\r\n", "\n").strip() == "Die Wäsche ist fertig.\n.\nEnde"
    call(hub, "notify.mail", {"message": "x", "target": "eve@home.test"})
    assert mailbox.mails[1][1] == ["eve@home.test"]
    assert "target: expected addresses" in call(hub, "notify.mail", {"message": "x", "target": "eve@home.test>\r\nDATA"}, status=400)


def test_html_and_pictures(hub_factory, mailbox, serve):
    hub = hub_factory(notify=[mail(serve(), encryption="none")])
    for folder in ("www", "snapshots"):
        (hub.folder / folder).mkdir(exist_ok=True)
    (hub.folder / "www/a.png").write_bytes(b"\x89PNG" * 100)
    (hub.folder / "snapshots/door.jpg").write_bytes(b"\xff\xd8" * 100)
    (hub.folder / "www/secrets").symlink_to(hub.folder / "configuration.yaml")
    call(hub, "notify.mail", {"message": "x", "data": {"html": "<img src='cid:door.jpg'>", "images": ["www/a.png", str(hub.folder / "snapshots/door.jpg")]}})
    read = email.message_from_bytes(mailbox.mails[0][3], policy=email.policy.default)
    assert read.get_content_type() == "multipart/related"
    assert read.get_body(("html",)).get_content().strip() == "<img src='cid:door.jpg'>"
    assert read.get_body(("plain",)).get_content().strip() == "x"
    pictures = [part for part in read.walk() if part.get_content_maintype() == "image"]
    assert [(part["Content-ID"], part.get_content()) for part in pictures] == [("<a.png>", b"\x89PNG" * 100), ("<door.jpg>", b"\xff\xd8" * 100)]
    for wrong in ("configuration.yaml", "www/secrets", "/etc/hostname", "www/../configuration.yaml", "www/none.png", "www"):
        assert "data.images: expected files" in call(hub, "notify.mail", {"message": "x", "data": {"images": [wrong]}}, status=400), wrong
    assert len(mailbox.mails) == 1


def test_starttls_and_a_certificate_that_nobody_knows(hub_factory, mailbox, serve, certificate):
    port = serve(tls_context=certificate, require_starttls=True)
    hub = hub_factory(notify=[mail(port), mail(port, name="trusts", verify_ssl=False), mail(port, name="plain", encryption="none")])
    assert "certificate" in call(hub, "notify.mail", {"message": "x"}, status=500)
    assert not mailbox.mails
    call(hub, "notify.trusts", {"message": "x"})
    assert mailbox.mails[0][2]
    call(hub, "notify.plain", {"message": "x"}, status=500)
    assert len(mailbox.mails) == 1


def test_a_server_without_starttls_gets_no_mail(hub_factory, mailbox, serve):
    hub = hub_factory(notify=[mail(serve())])
    call(hub, "notify.mail", {"message": "x"}, status=500)
    assert not mailbox.mails


def test_passwords(hub_factory, mailbox, serve, certificate):
    port = serve(tls_context=certificate, auth_required=True, authenticator=authenticate)
    hub = hub_factory(notify=[mail(port, verify_ssl=False, username="hub", password="right-password"),
                              mail(port, name="wrong", verify_ssl=False, username="hub", password="wrong-password")])
    call(hub, "notify.mail", {"message": "x"})
    assert len(mailbox.mails) == 1
    call(hub, "notify.wrong", {"message": "x"}, status=500)
    assert "wrong-password" not in "\n".join(hub.log)


def test_what_is_refused_for_now_is_tried_again(hub_factory, mailbox, serve):
    mailbox.answers = ["451 later", "250 OK", "554 never"]
    hub = hub_factory(notify=[mail(serve(), encryption="none")])
    call(hub, "notify.mail", {"message": "x"})
    assert len(mailbox.mails) == 1
    assert "554" in call(hub, "notify.mail", {"message": "x"}, status=500)
