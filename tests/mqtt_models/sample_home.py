# SPDX-License-Identifier: Apache-2.0
"""The devices of the sample, in a home of their own, with a broker between."""

import json
from itertools import count

import zigbee_models
from hub_process import wait_until
from websocket_client import WebSocketClient


class SampleHome:
    """The devices have described themselves and are available; each entity is enabled. `change` makes another description of a
    device's."""

    def __init__(self, hub, broker, models, change=lambda payload: payload):
        self.hub, self.broker, self.models = hub, broker, models
        self.device = broker.client()
        self.numbers = count(1)
        self.entities = {}  # by model: pairs of entity id and description
        names = {model["model"] for model in models}
        by_topic = {}
        for message in zigbee_models.discovery():
            if message["model"] in names and not set("+#") & set(message["topic"]):
                self.device.send(message["topic"], change(message["payload"]), retain=True)
                by_topic[message["topic"]] = message
        self.device.send("homeassistant/sensor/the_last/config", json.dumps({"state_topic": "last", "name": "The last"}), retain=True)
        self.device.send("zigbee2mqtt/bridge/state", '{"state":"online"}', retain=True)
        for model in models:
            self.device.send(f"zigbee2mqtt/{model['name']}/availability", '{"state":"online"}', retain=True)
        wait_until(lambda: hub.admin.get("/api/states/sensor.the_last").status_code == 200, 120, 0.1)
        for row in hub.admin.get("/api/mqtt/discovery").json():
            message = by_topic.get(row["topic"])
            if message and row["entity_id"]:
                keys = json.loads(message["payload"])
                self.entities.setdefault(message["model"], []).append((row["entity_id"], zigbee_models.component(row["topic"]), keys))
        self.enable()

    def enable(self):
        states = self.states()
        with WebSocketClient(self.hub, self.hub.tokens["admin"], timeout=30) as socket:
            for entities in self.entities.values():
                for entity_id, _, _ in entities:
                    if entity_id not in states:
                        socket.result("config/entity_registry/update", entity_id=entity_id, disabled_by=None)

    def settle(self):
        """Returns when the hub has handled what was published before."""
        number = str(next(self.numbers))

        def handled():
            self.device.publish("last", number)
            return self.hub.admin.get("/api/states/sensor.the_last").json()["state"] == number

        wait_until(handled, 60, 0.05)

    def states(self):
        return {state["entity_id"]: state for state in self.hub.admin.get("/api/states").json()}

    def play(self, number):
        """Publishes that round of each model, and returns those that have one, with the messages by topic."""
        played = []
        for model in self.models:
            if number < len(model["rounds"]):
                messages = model["rounds"][number]["messages"]
                for message in messages:
                    self.device.send(message["topic"], message["payload"])
                played.append((model, {message["topic"]: message["payload"] for message in messages}))
        return played

    @property
    def rounds(self):
        return max(len(model["rounds"]) for model in self.models)
