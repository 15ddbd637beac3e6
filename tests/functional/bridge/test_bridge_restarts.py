# SPDX-License-Identifier: Apache-2.0
"""Restarts of either side at random, under changes: nothing is missing, doubled or wrong afterwards."""

import os
import random
import re

import pytest

from hub_process import wait_until
from made_hub import MadeHub

ENTITIES = 60


def here(hub):
    """What the home has of the other hub: by entity id, the value and the attributes."""
    return {state["entity_id"]: (state["state"], state["attributes"]) for state in hub.admin.get("/api/states").json()
            if re.fullmatch(r"\w+\.m\d+", state["entity_id"])}


def there(made):
    return {entity_id: (state.value, state.attributes) for entity_id, state in dict(made.states).items()}


def differences(hub, made):
    """By entity id: how it is here and there, of those that differ."""
    ours, theirs = here(hub), there(made)
    return {entity_id: (ours.get(entity_id), theirs.get(entity_id)) for entity_id in ours.keys() | theirs.keys()
            if ours.get(entity_id) != theirs.get(entity_id)}


def becomes_equal(hub, made):
    try:
        wait_until(lambda: not differences(hub, made), 30)
    except AssertionError as error:
        raise AssertionError(f"{error}: {differences(hub, made)}") from None


def change(made, chance):
    """A few changes, new entities and removals."""
    for _ in range(chance.randrange(10)):
        entity_id = chance.choice(list(made.states))
        made.set(entity_id, chance.choice(["on", "off", "3"]), {"friendly_name": entity_id, "level": chance.randrange(9)})
    if chance.random() < 0.3:
        number = chance.randrange(1_000, 10_000)
        made.add(f"light.m{number}", "on", {"friendly_name": str(number)}, unique_id=str(number), platform="hue")
    if chance.random() < 0.3:
        made.remove(chance.choice(list(made.states)))


@pytest.mark.parametrize("times", [8, pytest.param(50, marks=pytest.mark.long)])
def test_restarts_leave_nothing_missing_doubled_or_wrong(hub_factory, times):
    chance = random.Random(int(os.environ.get("HEARTH_SEED", "7")))
    made = MadeHub().start()
    try:
        for number in range(ENTITIES):
            made.add(f"{chance.choice(['light', 'sensor', 'cover'])}.m{number}", "on", {"friendly_name": str(number)},
                     unique_id=str(number) if number % 3 else None, platform="hue")
        hub = hub_factory(home_assistant=made.section())
        becomes_equal(hub, made)
        for _ in range(times):
            change(made, chance)
            kind = chance.randrange(4)
            if kind == 0:
                made.drop()
            elif kind == 1:
                made.early = set(chance.sample(list(made.states), 5))
                made.restart()
                made.run()
            elif kind == 2:
                hub.stop()
                change(made, chance)
                hub = hub_factory(hub.folder)
            change(made, chance)
            # The pause of a connection that was lost again and again is long: a person may end it.
            [entry] = [one for one in hub.admin.get("/api/config/config_entries/entry").json()
                       if one["domain"] == "home_assistant"]
            assert hub.admin.post(f"/api/config/config_entries/entry/{entry['entry_id']}/reload").status_code == 200
            change(made, chance)
            becomes_equal(hub, made)
        wait_until(lambda: len(made.connections) == 1)
    finally:
        made.stop()
