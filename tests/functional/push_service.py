# SPDX-License-Identifier: Apache-2.0
"""A push service on loopback: checks who sends (RFC 8292), and opens what is sent (RFC 8291), as a browser would."""

import base64
import http.server
import json
import os
import threading

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derived(salt, secret, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


class Subscription:
    """What a browser has: a key, and a secret."""

    def __init__(self, service, path="/push"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.endpoint = service.url + path

    def fields(self, name="Chrome, Linux"):
        return {"endpoint": self.endpoint, "p256dh": encoded(point_of(self.key.public_key())), "auth": encoded(self.auth), "name": name}

    def open(self, body):
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        assert len(body) <= size <= 4096 and length == 65
        sender = body[21:21 + length]
        secret = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        key = derived(self.auth, secret, b"WebPush: info\0" + point_of(self.key.public_key()) + sender, 32)
        content, nonce = derived(salt, key, b"Content-Encoding: aes128gcm\0", 16), derived(salt, key, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(content).decrypt(nonce, body[21 + length:], None)
        assert text[-1:] == b"\2"
        return json.loads(text[:-1])


def check_vapid(header, audience):
    """The public key of who has signed it."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid" and set(parts) == {"t", "k"}
    head, claims, signature = parts["t"].split(".")
    raw = decoded(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(decoded(claims))
    assert said["aud"] == audience and said["sub"].startswith("mailto:")
    return parts["k"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.service.asked.append((self.path, dict(self.headers), body))
        status, headers, text = self.server.service.answers.get(self.path, (201, {}, b""))
        if status is None:
            self.server.service.released.wait(60)
            return
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(text))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *_):
        pass


class PushService:
    """`answers`: status, headers and body by path; a status of None never answers."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.service = self
        self.asked, self.answers, self.released = [], {}, threading.Event()
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def messages(self, subscription):
        """What has come for it, checked and opened."""
        opened = []
        for path, headers, body in list(self.asked):
            if self.url + path != subscription.endpoint:
                continue
            assert headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0
            check_vapid(headers["Authorization"], self.url)
            opened.append(subscription.open(body))
        return opened
