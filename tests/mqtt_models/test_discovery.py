# SPDX-License-Identifier: Apache-2.0
"""Every model that Zigbee2MQTT knows, as its own code describes it: the hub takes all of it, or says why it does not."""

import json
from collections import Counter

import pytest

import zigbee_models
from hub_process import wait_until
from mqtt_broker import Broker

# What the hub does not take: component (or "any"), key ("" for the whole message), the beginning of the reason; and why this
# is right. Each must occur.
EXPLAINED = {
    ("infrared", "", "infrared is no component"): "a component that the hub does not have: codes that a remote control learns and sends",
    ("any", "", "expected a topic of letters"): "an action or property with a blank, a dot or a * in its name: no topic of discovery",
    ("switch", "device_class", "device_class:"): "the class of a binary sensor: a switch is an outlet or a switch",
    ("select", "device_class", "device_class:"): "a select has no classes",
    ("light", "max_mireds", "max_mireds:"): "65279: a colour of 15 K, which no lamp has",
}

pytestmark = pytest.mark.timeout(600)  # on a machine that has more to do

LEAST_MODELS = 4_000


@pytest.fixture(scope="module")
def messages():
    return list(zigbee_models.discovery())


def rows_of_home(hubs, messages, broker):
    """The rows of a hub that hears these messages, by topic."""
    # Stopping a home of 30,000 entities takes longer than a hub has, if the machine has much else to do.
    hub = hubs.start_to_kill(hubs.folder(mqtt=broker.settings, demo=None))
    wait_until(lambda: any("mqtt: connected to" in line for line in hub.log), 15)
    device = broker.client()
    for message in messages:
        if can_be_published(message["topic"]):
            device.send(message["topic"], message["payload"], retain=True)
    device.publish("homeassistant/sensor/the_last/config", json.dumps({"state_topic": "last", "name": "The last"}), retain=True)
    wait_until(lambda: hub.admin.get("/api/states/sensor.the_last").status_code == 200, 280, 0.5)
    rows = hub.admin.get("/api/mqtt/discovery", timeout=60).json()
    hub.judge_log()
    hub.process.kill()
    hub.wait_ended()
    return {row["topic"]: row for row in rows}


@pytest.fixture(scope="module")
def report(module_hubs, messages, tmp_path_factory):
    """Rows by topic. More models than one hub takes: a home hears a part of them each."""
    rows, homes = {}, 2
    for home in range(homes):
        broker = Broker(tmp_path_factory.mktemp("broker")).start()
        try:
            rows |= rows_of_home(module_hubs, messages[home::homes], broker)
        finally:
            broker.stop()
    return rows


def can_be_published(topic):
    """Some actions have names with a plus, and so do some properties."""
    return not set("+#") & set(topic)


def explain(component, key, reason):
    return next((rule for rule in EXPLAINED if rule[0] in ("any", component) and rule[1] == key and reason.startswith(rule[2])), None)


def reasons(row):
    """Pairs of key and reason of a row; the key of a refusal is empty."""
    if row["verdict"] == "refused":
        return [("", row["reason"])]
    parts = row["reason"].split("; ") if row["dropped"] else []
    return [(key, next((part for part in parts if part.startswith(key + ":")), row["reason"])) for key in row["dropped"]]


@pytest.mark.contract("MQTT: discovery")
def test_every_model_is_taken(messages, report, capsys):
    rows = report
    models = {message["model"] for message in messages}
    assert len(models) >= LEAST_MODELS
    unexplained, used, plain = [], Counter(), 0
    for message in messages:
        topic, component = message["topic"], zigbee_models.component(message["topic"])
        if not can_be_published(topic):
            continue
        row = rows.get(topic)
        if row is None:
            unexplained.append((message["model"], topic, "no row"))
            continue
        found = reasons(row)
        plain += not found
        for key, reason in found:
            rule = explain(component, key, reason)
            if rule:
                used[rule] += 1
            else:
                unexplained.append((message["model"], topic, reason))
    with capsys.disabled():
        print(f"\n{len(models)} models, {len(messages)} messages, {100 * plain / len(messages):.2f} % taken as they are")
        for rule, count in used.most_common():
            print(f"{count:7}: {' '.join(rule[:2])}: {EXPLAINED[rule]}")
    assert not unexplained, f"{len(unexplained)}, among them {unexplained[:20]}"
    assert set(used) == set(EXPLAINED)
