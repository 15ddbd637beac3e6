# SPDX-License-Identifier: Apache-2.0
"""What the devices of the sample report, at the ends and the middle of each value's range and with each word of a choice:
every entity shows it."""

import pytest

import reference
import zigbee_models

pytestmark = pytest.mark.timeout(600)  # on a machine that has more to do

LEAST_ENTITIES, LEAST_COMPARISONS = 3_000, 25_000


def expected_of(component, keys, messages):
    """By the message on the topic that the entity listens to; None if there is none."""
    judge = reference.COMPONENTS.get(component)
    payloads = [messages[topic] for topic in reference.topics_of(keys) if topic in messages]
    return judge(keys, payloads[0]) if judge and payloads else None


def differences(state, expected):
    found = {}
    if expected.get("state", reference.KEEP) is not reference.KEEP and not expected["state"] == state["state"]:
        found["state"] = (expected["state"], state["state"])
    for name, value in expected.get("attributes", {}).items():
        shown = state["attributes"].get(name)
        if not value == shown:
            found[name] = (value, shown)
    return found


@pytest.mark.contract("MQTT: discovery")
def test_every_value_is_shown(home, capsys):
    wrong, compared, last = [], 0, {}
    for number in range(home.rounds):
        played = home.play(number)
        home.settle()
        states = home.states()
        for model, messages in played:
            for entity_id, component, keys in home.entities[model["model"]]:
                expected = expected_of(component, keys, messages)
                if expected is None:
                    continue
                if expected.get("state") is reference.KEEP:
                    expected["state"] = last.get(entity_id, reference.KEEP)
                last[entity_id] = expected.get("state", reference.KEEP)
                compared += 1
                if found := differences(states[entity_id], expected):
                    wrong.append((model["model"], entity_id, number, found))
    entities = sum(map(len, home.entities.values()))
    with capsys.disabled():
        print(f"\n{len(home.models)} models, {entities} entities, {compared} comparisons, {len(wrong)} differences")
    assert not wrong, wrong[:20]
    assert entities >= zigbee_models.least(LEAST_ENTITIES) and compared >= zigbee_models.least(LEAST_COMPARISONS)
