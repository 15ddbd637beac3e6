# SPDX-License-Identifier: Apache-2.0
"""Services of the sample's entities: what arrives at the broker is what the description says, and a command that the device
has."""

import pytest

import commands
import zigbee_models
from checks import call

pytestmark = pytest.mark.timeout(600)  # on a machine that has more to do

LEAST_COMMANDS = 5_000
# What Zigbee2MQTT itself would not take, and why.
EXPLAINED = {
    ("MultIR/MIR-SM100-E", "silence"): "Zigbee2MQTT exposes it as settable and has no converter for it",
}
END = "zigbee2mqtt/the end"


class Listener:
    """What the hub publishes, call by call."""

    def __init__(self, home, broker_client):
        self.home, self.client = home, broker_client.subscribe("zigbee2mqtt/#")
        self.until_end()

    def until_end(self):
        """What it has published before now."""
        call(self.home.hub, "mqtt.publish", {"topic": END, "payload": ""}, query="?wait=0")
        messages = []
        while (message := self.client.message(30)).topic != END:
            if "/set" in message.topic or "/request/" in message.topic:
                messages.append((message.topic, message.payload.decode()))
        return messages


@pytest.mark.contract("MQTT: commands")
def test_every_command_arrives(home, capsys):
    for number in (1, 2):  # then an update is available
        home.play(number)
        home.settle()
    states = home.states()
    listener = Listener(home, home.broker.client())
    wrong, refused, count = [], [], 0
    for model in home.models:
        for entity_id, component, keys in home.entities[model["model"]]:
            expected, done = [], []
            for service, data, messages in commands.COMPONENTS.get(component, lambda _: ())(keys):
                if component == "update" and states[entity_id]["state"] != "on":
                    continue
                answer = home.hub.admin.post(f"/api/services/{component}/{service}?wait=0", json={"entity_id": entity_id, **data})
                count += 1
                if answer.status_code != 200:
                    refused.append((model["model"], entity_id, service, data, answer.text[:200]))
                    continue
                expected += messages
                done.append((service, data))
            if not done:
                continue
            published = listener.until_end()
            if expected != published:
                wrong.append((model["model"], entity_id, done, expected, published))
            for topic, payload in published:
                problem = commands.problem(model, topic, payload)
                if problem and (model["model"], topic.rpartition("/")[2]) not in EXPLAINED:
                    wrong.append((model["model"], entity_id, topic, payload, problem))
    with capsys.disabled():
        print(f"\n{count} commands, {len(refused)} refused, {len(wrong)} wrong")
    assert not wrong, wrong[:20]
    assert not refused, refused[:20]
    assert count >= zigbee_models.least(LEAST_COMMANDS)
