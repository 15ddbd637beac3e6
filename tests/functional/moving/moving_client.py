# SPDX-License-Identifier: Apache-2.0
"""A home that moved in, as the tests of it use it."""

from hub_process import free_port
from moved_home import VERSIONS, Fates, answers_of, import_home, sums_of, unpack
from mqtt_broker import Broker
from websocket_client import WebSocketClient

__all__ = ["VERSIONS", "HELPERS", "Moved"]
HELPERS = ("input_boolean", "input_button", "input_number", "input_text", "input_select", "input_datetime", "counter", "timer", "schedule",
           "zone", "tag")


class Moved:
    """A home that was moved, and lived in since."""

    def __init__(self, version, folder, hubs):
        self.version, self.answers = version, answers_of(version)
        self.broker = Broker(folder / "broker").start()
        self.source = unpack(version, folder / "old", broker=self.broker.port)
        self.before = sums_of(self.source)
        self.folder = folder / "home"
        self.done, report = import_home(self.source, self.folder)
        assert self.done.returncode == 0, self.done.stderr
        self.report, self.fates = report, Fates(report)
        port = free_port()
        self.hub = hubs.start(self.folder, port=port, environment={"HOME_PORT": str(port)})
        self.hub.errors_expected = True  # an automation is broken, there as here
        self.hub.tokens = {"admin": self.answers["tokens"]["ann"], **self.answers["tokens"]}

    def socket(self, user="ann"):
        return WebSocketClient(self.hub, self.answers["tokens"][user])

    def state(self, entity_id):
        """Its state; None if there is none."""
        answer = self.hub.admin.get(f"/api/states/{entity_id}")
        return answer.json() if answer.status_code == 200 else None

    def stop(self):
        self.hub.stop()
        self.broker.stop()
