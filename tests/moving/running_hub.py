# SPDX-License-Identifier: Apache-2.0
"""A Home Assistant that runs with its demo, for `bridge`: started, onboarded, killed and started again. Only on 127.0.0.1."""

import contextlib
import datetime
import os
import shutil
import signal
import subprocess
import time

import httpx
import yaml

from hub_process import PLAIN_HTTP, wait_until
from websocket_client import WebSocketClient

CLIENT = "http://127.0.0.1:8123/"
PASSWORD = "correct horse battery"
PATIENCE = 300  # seconds for a start: the machine may be busy
CHURNED = [f"input_number.churn_{number}" for number in range(20)]


def settings(port):
    """Its demo, and a few things that change, follow and answer."""
    return {
        "homeassistant": {"name": "The other home", "latitude": 52.5, "longitude": 13.4, "elevation": 34, "currency": "EUR",
                          "time_zone": "Europe/Berlin", "unit_system": "metric", "country": "DE"},
        "http": {"server_host": "127.0.0.1", "server_port": port},
        **dict.fromkeys(("api", "config", "frontend", "history", "logbook", "sun", "person", "scene", "demo")),
        "recorder": {"commit_interval": 1},
        "logger": {"default": "warning"},
        "input_number": {each.split(".")[1]: {"min": 0, "max": 100_000, "step": 1} for each in CHURNED},
        "input_boolean": {"leader": {"name": "Leader"}},
        "group": {"some_lights": {"name": "Some lights", "entities": ["light.bed_light", "light.ceiling_lights"]}},
        "script": {"answering": {"alias": "Answering", "sequence": [
            {"service": "light.turn_on", "target": {"entity_id": "light.office_rgbw_lights"}, "data": {"brightness": 77}},
            {"variables": {"answer": {"said": "{{ word | default('nothing') }}"}}},
            {"stop": "done", "response_variable": "answer"}]}},
        "automation": [{"id": "follows", "alias": "Follows", "mode": "queued",
                        "trigger": [{"platform": "state", "entity_id": "input_boolean.leader"}],
                        "action": [{"service": "light.toggle", "target": {"entity_id": "light.kitchen_lights"}}]}],
    }


class RunningHub:
    def __init__(self, hass, folder, port):
        self.hass, self.folder, self.port = hass, folder, port
        self.token = None
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, **PLAIN_HTTP)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "configuration.yaml").write_text(yaml.safe_dump(settings(port), sort_keys=False), encoding="utf-8")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen([self.hass, "-c", str(self.folder), "--skip-pip", "--log-file", str(self.folder / "hub.log")],
                                        start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        return self

    def end(self, number=signal.SIGTERM):
        """Ends it and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()

    def kill(self):
        self.end(signal.SIGKILL)

    def answers(self, path, wanted):
        def is_so():
            if self.process.poll() is not None:
                raise SystemExit(f"it ended with {self.process.returncode}: see {self.folder}/hub.log")
            with contextlib.suppress(httpx.TransportError):
                answer = self.client.get(path)
                return answer.status_code == 200 and wanted(answer.json())

        wait_until(is_so, PATIENCE, 0.05)

    def wait_running(self):
        self.answers("/api/config", lambda config: config["state"] == "RUNNING")
        return time.monotonic()

    def onboard(self):
        """Makes its first user, and a long-lived token of it."""
        self.answers("/api/onboarding", lambda _: True)
        made = self.client.post("/api/onboarding/users", json={"client_id": CLIENT, "name": "Ann", "username": "ann",
                                                               "password": PASSWORD, "language": "en"}).json()
        session = self.client.post("/auth/token", data={"grant_type": "authorization_code", "code": made["auth_code"],
                                                        "client_id": CLIENT}).json()
        with WebSocketClient(self, session["access_token"]) as client:
            self.token = client.result("auth/long_lived_access_token", client_name="Hearth", lifespan=365)
            self.user_id = client.result("auth/current_user")["id"]
        self.client.headers["Authorization"] = f"Bearer {self.token}"
        self.wait_running()
        return self

    def states(self):
        return {state["entity_id"]: state for state in self.client.get("/api/states").json()}

    def state(self, entity_id):
        answer = self.client.get(f"/api/states/{entity_id}")
        return answer.json() if answer.status_code == 200 else None

    def call(self, service, **data):
        answer = self.client.post(f"/api/services/{service.replace('.', '/')}", json=data)
        if answer.status_code != 200:
            raise SystemExit(f"{service} {data}: {answer.status_code} {answer.text}")

    def churn(self, number):
        """Changes several of its states, of a helper, of the demo, and of a client."""
        self.call("input_number.set_value", entity_id=CHURNED[number % len(CHURNED)], value=number)
        self.call("light.turn_on", entity_id="light.bed_light", brightness=1 + number % 250)
        self.client.post(f"/api/states/sensor.of_a_client_{number % 7}", json={
            "state": str(number), "attributes": {"unit_of_measurement": "m", "at": datetime.datetime.now().isoformat()}})
