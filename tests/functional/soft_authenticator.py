# SPDX-License-Identifier: Apache-2.0
"""An authenticator in software (Web Authentication, level 2), and the browser between it and the hub."""

import base64
import hashlib
import json
import secrets
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

PRESENT, VERIFIED, CREDENTIAL = 0x01, 0x04, 0x40
ES256, EDDSA, RS256 = -7, -8, -257


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class SoftAuthenticator:
    def __init__(self, algorithm=ES256):
        self.algorithm = algorithm
        self.id = secrets.token_bytes(32)
        self.counter = 0
        if algorithm == ES256:
            self.key = ec.generate_private_key(ec.SECP256R1())
        elif algorithm == EDDSA:
            self.key = ed25519.Ed25519PrivateKey.generate()
        else:
            self.key = rsa.generate_private_key(65537, 2048)

    def cose_key(self):
        if self.algorithm == ES256:
            numbers = self.key.public_key().public_numbers()
            x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
            return b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + x + b"\x22\x58\x20" + y
        if self.algorithm == EDDSA:
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            return b"\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20" + self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        numbers = self.key.public_key().public_numbers()
        return (b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00" + numbers.n.to_bytes(256, "big") + b"\x21\x43" +
                numbers.e.to_bytes(3, "big"))

    def sign(self, data):
        if self.algorithm == ES256:
            return self.key.sign(data, ec.ECDSA(hashes.SHA256()))
        if self.algorithm == EDDSA:
            return self.key.sign(data)
        return self.key.sign(data, padding.PKCS1v15(), hashes.SHA256())

    def data(self, rp_id, flags=PRESENT | VERIFIED, attested=b""):
        return hashlib.sha256(rp_id.encode()).digest() + bytes([flags]) + struct.pack(">I", self.counter) + attested

    def create(self, options, origin, **changes):
        """What the browser sends for a new key; changes make it wrong."""
        client_data = {"type": "webauthn.create", "challenge": options["challenge"], "origin": origin, "crossOrigin": False}
        client_data |= changes.get("client_data", {})
        attested = b"\0" * 16 + struct.pack(">H", len(self.id)) + self.id + self.cose_key()
        flags = changes.get("flags", PRESENT | VERIFIED | CREDENTIAL)
        data = self.data(changes.get("rp_id", options["rp"]["id"]), flags, attested if flags & CREDENTIAL else b"")
        data = changes.get("data", lambda each: each)(data)
        return {"client_data": encode(json.dumps(client_data).encode()), "authenticator_data": encode(data)}

    def get(self, options, origin, **changes):
        """What the browser sends for a login."""
        self.counter += changes.get("step", 1)
        client_data = {"type": "webauthn.get", "challenge": options["challenge"], "origin": origin, "crossOrigin": False}
        client_data |= changes.get("client_data", {})
        text = json.dumps(client_data).encode()
        data = self.data(changes.get("rp_id", options["rpId"]), changes.get("flags", PRESENT | VERIFIED))
        signature = self.sign(data + hashlib.sha256(text).digest())
        text, data, signature = changes.get("sent", lambda *all: all)(text, data, signature)
        return {"id": encode(changes.get("id", self.id)), "client_data": encode(text), "authenticator_data": encode(data),
                "signature": encode(signature)}
