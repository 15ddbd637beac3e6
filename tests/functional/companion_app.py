# SPDX-License-Identifier: Apache-2.0
"""A companion app: registers, and sends to its webhook what the apps send, plain or sealed by libsodium."""

import base64
import ctypes
import ctypes.util
import json
import os

import httpx

SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
NONCE, MAC = 24, 16
DEVICE = {"app_id": "io.robbie.app", "app_name": "App", "app_version": "2026.1", "device_name": "Ann's phone", "manufacturer": "Made",
          "model": "P1", "os_name": "Android", "os_version": "16", "supports_encryption": False, "app_data": {"push_websocket_channel": True}}
BATTERY = {"type": "sensor", "name": "Battery level", "unique_id": "battery_level", "state": 71, "icon": "mdi:battery-70",
           "device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement", "entity_category": "diagnostic",
           "attributes": {"charging": False}}


def key_of(secret, by_characters):
    return secret.encode()[:32] if by_characters else bytes.fromhex(secret)


def seal(secret, text, by_characters=False):
    nonce, text = os.urandom(NONCE), text.encode()
    sealed = ctypes.create_string_buffer(len(text) + MAC)
    assert SODIUM.crypto_secretbox_easy(sealed, text, ctypes.c_ulonglong(len(text)), nonce, key_of(secret, by_characters)) == 0
    return base64.b64encode(nonce + sealed.raw).decode()


def unseal(secret, sealed, by_characters=False):
    data = base64.b64decode(sealed)
    text = ctypes.create_string_buffer(len(data) - NONCE - MAC)
    opened = SODIUM.crypto_secretbox_open_easy(text, data[NONCE:], ctypes.c_ulonglong(len(data) - NONCE), data[:NONCE],
                                               key_of(secret, by_characters))
    assert opened == 0, "the answer is not sealed with the secret"
    return text.raw.decode()


class CompanionApp:
    def __init__(self, hub, user="admin", *, by_characters=False, **device):
        self.hub, self.by_characters = hub, by_characters
        self.device = {"device_id": f"device-{user}", **DEVICE, **device}
        client = hub.client(user) if isinstance(user, str) else user
        response = client.post("/api/mobile_app/registrations", json=self.device)
        assert response.status_code == 201, response.text
        self.registered = response.json()
        self.secret = self.registered["secret"]
        self.path = f"/api/webhook/{self.registered['webhook_id']}"

    def post(self, body):
        return httpx.post(self.hub.url + self.path, json=body, timeout=20, trust_env=False)

    def send(self, kind, data=None, status=200):
        """The answer's JSON."""
        response = self.post({"type": kind, "data": {} if data is None else data})
        assert response.status_code == status, response.text
        return response.json()

    def send_sealed(self, kind, data=None, whole=True, status=200):
        """The answer, unsealed. `whole`: the type is within, too."""
        data = {} if data is None else data
        body = {"type": kind, "data": data} if whole else data
        response = self.post({"type": "encrypted" if whole else kind, "encrypted": True,
                              "encrypted_data": seal(self.secret, json.dumps(body), self.by_characters)})
        assert response.status_code == status, response.text
        answer = response.json()
        assert answer["encrypted"] is True and set(answer) == {"encrypted", "encrypted_data"}
        return json.loads(unseal(self.secret, answer["encrypted_data"], self.by_characters))
