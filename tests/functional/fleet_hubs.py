# SPDX-License-Identifier: Apache-2.0
"""Sites and portals of one test, over a NATS server of the tests' own."""

import itertools
import shutil
import threading

from hub_process import base_settings
from websocket_client import WebSocketClient


class Fleet:
    """Hubs of one test: a stream and subjects of their own."""

    def __init__(self, servers, hub_factory):
        self.servers, self.hub_factory = servers, hub_factory
        if not servers.nodes[0].process:
            servers.start()

    def settings(self, role, user, **more):
        return {"role": role, **self.servers.options(user), **more}

    def site(self, name, **changes):
        return self.start(changes.pop("folder", None) or self.folder(name, **changes))

    def folder(self, name, **changes):
        fleet = self.settings("site", name, site=name, **changes.pop("fleet", {}))
        return self.hub_factory.folder(fleet=fleet, **({"home": base_settings()["home"] | {"name": f"The {name}"}} | changes))

    def portal_folder(self, **changes):
        fleet = self.settings("portal", "portal-a", **changes.pop("fleet", {}))
        return self.hub_factory.folder(demo=None, fleet=fleet, **changes)

    def portal(self, **changes):
        return self.start(self.portal_folder(**changes))

    def start(self, folder):
        return self.hub_factory.start_to_kill(folder)

    def end(self):
        """The next test's sites have the same subjects: the server forgets everything."""
        for hub in self.hub_factory.to_end:
            if hub.process.poll() is None:
                hub.stop()
        for node in self.servers.nodes:
            node.kill()
            shutil.rmtree(node.folder / "data", ignore_errors=True)


def call(hub, service, **data):
    return hub.admin.post(f"/api/services/{service.replace('.', '/')}", json=data)


def state(hub, entity_id, user="admin"):
    answer = hub._shared(user).get(f"/api/states/{entity_id}")
    return answer.json()["state"] if answer.status_code == 200 else None


def set_state(hub, entity_id, value, **attributes):
    answer = hub.admin.post(f"/api/states/{entity_id}", json={"state": value, "attributes": attributes})
    assert answer.status_code in (200, 201), answer.text


def sites(hub, user="admin"):
    with WebSocketClient(hub, hub.tokens[user]) as client:
        return {site["site"]: site for site in client.result("hearth/sites")["sites"]}


class Counter:
    """Writes increasing numbers to a site until it is told to stop; what was acknowledged is kept."""

    def __init__(self, hub):
        self.hub, self.acknowledged, self.ending = hub, 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        with self.hub.client("admin") as client:
            for number in itertools.count(1):
                if self.ending.wait(0.005):
                    return
                if client.post("/api/states/sensor.count", json={"state": str(number)}).status_code < 300:
                    self.acknowledged = number

    def stop(self):
        self.ending.set()
        self.thread.join(20)
        return self.acknowledged


