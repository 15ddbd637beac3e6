# SPDX-License-Identifier: Apache-2.0
"""Starts, asks and stops a Home Assistant. Runs in that version's environment, see make_home."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import pathlib
import signal
import struct
import subprocess
import time

import aiohttp

CLIENT = "http://127.0.0.1:8123/"
PORT = 8123
PATIENCE = 1200  # seconds for anything: the machine may be busy


def code_of(secret):
    """RFC 6238's code of this moment."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7fffffff) % 1_000_000:06}"


async def until(what, condition):
    """The first true answer of the coroutine function `condition`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = await condition()
        if answer:
            return answer
        await asyncio.sleep(0.5)
    raise SystemExit(f"not within {PATIENCE} s: {what}")


class Home:
    """One run of the hub, with the token of who asks."""

    def __init__(self, hass, folder, session, token=None):
        self.folder, self.session, self.token = pathlib.Path(folder), session, token
        self.base = f"http://127.0.0.1:{PORT}"
        environment = os.environ | {"HOME_PORT": str(PORT), "PATH": f"{pathlib.Path(hass).parent}:{os.environ['PATH']}"}
        # A log of its own: never the terminal, never a device.
        self.process = subprocess.Popen([hass, "-c", str(folder), "--skip-pip", "--log-file", str(self.folder / "home-assistant.log")],
                                        env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    async def ready(self):
        """Returns when it answers; with a token, when it runs."""
        async def answers():
            if self.process.poll() is not None:
                raise SystemExit(f"it ended with {self.process.returncode}: see {self.folder}/home-assistant.log")
            try:
                path = "/api/config" if self.token else "/api/onboarding"
                async with self.session.get(self.base + path, headers=self.headers()) as answer:
                    return answer.status == 200 and (not self.token or (await answer.json())["state"] == "RUNNING")
            except aiohttp.ClientError:
                return False

        await until("the hub runs", answers)

    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def rest(self, method, path, body=None, form=None, expect=200):
        async with self.session.request(method, self.base + path, json=body, data=form, headers=self.headers()) as answer:
            text = await answer.text()
            if answer.status not in ({expect} if isinstance(expect, int) else expect):
                raise SystemExit(f"{method} {path}: {answer.status} {text}")
            return json.loads(text) if "json" in answer.content_type else text

    async def state(self, entity_id):
        """Its state; None if there is no such entity."""
        answer = await self.rest("GET", f"/api/states/{entity_id}", expect=(200, 404))
        return answer.get("state") if isinstance(answer, dict) else None

    async def login(self, username, password):
        """A session: the answer of /auth/token."""
        flow = await self.rest("POST", "/auth/login_flow",
                               {"client_id": CLIENT, "handler": ["homeassistant", None], "redirect_uri": CLIENT})
        done = await self.rest("POST", f"/auth/login_flow/{flow['flow_id']}",
                               {"client_id": CLIENT, "username": username, "password": password})
        return await self.token_of(done["result"])

    async def token_of(self, code):
        return await self.rest("POST", "/auth/token", form={"grant_type": "authorization_code", "code": code, "client_id": CLIENT})

    async def flow(self, handler, inputs):
        """Answers each step of a configuration flow: "made", or which step was refused."""
        step = await self.rest("POST", "/api/config/config_entries/flow", {"handler": handler, "show_advanced_options": True},
                               expect=(200, 400, 404, 500))
        for given in inputs:
            if not isinstance(step, dict) or step.get("type") not in ("form", "menu"):
                break
            step = await self.rest("POST", f"/api/config/config_entries/flow/{step['flow_id']}", given, expect=(200, 400, 500))
        done = isinstance(step, dict) and step.get("type") == "create_entry"
        if isinstance(step, dict) and not done and "flow_id" in step:
            await self.rest("DELETE", f"/api/config/config_entries/flow/{step['flow_id']}", expect=(200, 404))
        said = {key: step.get(key) for key in ("type", "step_id", "errors", "message", "reason")} if isinstance(step, dict) else step
        return "made" if done else json.dumps(said)

    async def end(self, number=signal.SIGTERM):
        """Ends it and all that it has started; by SIGTERM it stops as it should, and has written its files then."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        await asyncio.get_running_loop().run_in_executor(None, self.process.wait)


class Socket:
    """A WebSocket with somebody's token."""

    def __init__(self, home, token):
        self.home, self.token, self.number = home, token, 0

    async def __aenter__(self):
        self.socket = await self.home.session.ws_connect(f"{self.home.base}/api/websocket", max_msg_size=0)
        await self.socket.receive_json()
        await self.socket.send_json({"type": "auth", "access_token": self.token})
        answer = await self.socket.receive_json()
        if answer["type"] != "auth_ok":
            raise SystemExit(f"the token is refused: {answer}")
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def ask(self, kind, **fields):
        """The answer of a command, result or not."""
        self.number += 1
        await self.socket.send_json({"id": self.number, "type": kind, **fields})
        while True:
            answer = await self.socket.receive_json()
            if answer["id"] == self.number and answer["type"] == "result":
                return answer

    async def do(self, kind, **fields):
        """The result of a command that must succeed."""
        answer = await self.ask(kind, **fields)
        if not answer["success"]:
            raise SystemExit(f"{kind} {fields}: {answer['error']}")
        return answer["result"]

    async def may(self, kind, **fields):
        """The result of a command; None if this version does not have it, or refuses it."""
        answer = await self.ask(kind, **fields)
        return answer["result"] if answer["success"] else None

    async def call(self, domain, service, data=None, target=None):
        return await self.do("call_service", domain=domain, service=service, service_data=data or {}, target=target or {})
