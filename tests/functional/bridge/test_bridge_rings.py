# SPDX-License-Identifier: Apache-2.0
"""Hubs that mirror each other in a ring: nothing grows, and no entity returns to its home."""

import pytest

from bridge_home import own_uuid
from hub_process import wait_until
from ports import free_port

LONG = 40


def states_of(hub):
    return {state["entity_id"]: state["state"] for state in hub.admin.get("/api/states").json()}


def of_tests(hub):
    return {entity_id: value for entity_id, value in states_of(hub).items() if "_of_" in entity_id}


def connected(hub):
    [one] = hub.admin.get("/api/home_assistant").json()["instances"]
    return one["state"] == "connected"


def reload(hub):
    for entry in hub.admin.get("/api/config/config_entries/entry").json():
        if entry["domain"] == "home_assistant":
            assert hub.admin.post(f"/api/config/config_entries/entry/{entry['entry_id']}/reload").status_code == 200
    wait_until(lambda: connected(hub), LONG)


def write(hub, entity_id, value):
    assert hub.admin.post(f"/api/states/{entity_id}", json={"state": value}).status_code in (200, 201)


@pytest.mark.parametrize("transitive", [False, True])
def test_three_hubs_in_a_ring_stay_at_their_numbers(hub_factory, transitive):
    """Each mirrors the next: with `transitive` all have all, without it each has its own and those of the next."""
    ports = [free_port() for _ in range(3)]
    folders = [own_uuid(hub_factory.folder(
        demo=None, input_boolean={f"flag_of_{own}": {"name": f"Flag {own}"}},
        home_assistant={"url": f"http://127.0.0.1:{ports[(own + 1) % 3]}", "token": hub_factory.tokens["admin"],
                        "name": f"next_of_{own}x".replace("_of_", "_"), "transitive": transitive})) for own in range(3)]
    hubs = [hub_factory.start(folder, port=port) for folder, port in zip(folders, ports)]
    for own, hub in enumerate(hubs):
        write(hub, f"sensor.reading_of_{own}", str(own))  # without an entry there

    def expected(own):
        seen = range(3) if transitive else (own, (own + 1) % 3)
        return {f"input_boolean.flag_of_{each}" for each in seen} | {f"sensor.reading_of_{each}" for each in seen}

    def settled():
        return all(of_tests(hub).keys() == expected(own) for own, hub in enumerate(hubs))

    def settles():
        try:
            wait_until(settled, LONG, 0.1)
        except AssertionError as error:
            raise AssertionError(f"{error}: {[sorted(of_tests(hub)) for hub in hubs]}") from None

    for hub in hubs:
        reload(hub)
    settles()
    counts = [len(states_of(hub)) for hub in hubs]
    # A call of the one that is farthest goes to its home, and the change comes back to all that mirror it.
    far = 1 if transitive else 2
    for number in range(4):
        wanted = "off" if number % 2 else "on"
        entity = "input_boolean.flag_of_0"
        answer = hubs[far].admin.post(f"/api/services/input_boolean/turn_{wanted}", json={"entity_id": entity})
        assert answer.status_code == 200, answer.text
        for own, hub in enumerate(hubs):
            if entity in expected(own):
                wait_until(lambda hub=hub: states_of(hub)[entity] == wanted, LONG)
        write(hubs[0], "sensor.reading_of_0", str(100 + number))
        for own, hub in enumerate(hubs):
            if "sensor.reading_of_0" in expected(own):
                wait_until(lambda hub=hub: states_of(hub)["sensor.reading_of_0"] == str(100 + number), LONG)
    # Each starts again once: nothing is doubled while one does not know yet what it has from where.
    for own in range(3):
        hubs[own].stop()
        hubs[own] = hub_factory.start(folders[own], port=ports[own])
        write(hubs[own], f"sensor.reading_of_{own}", str(own))
        for hub in hubs:
            reload(hub)
        settles()
        for hub in hubs:
            reload(hub)
        settles()
    assert [len(states_of(hub)) for hub in hubs] == counts
