# SPDX-License-Identifier: Apache-2.0
"""A fleet whose engines have no room, hang or lose their data: nothing is lost, it is said, and nobody else waits."""

import random

import pytest

from fleet_hubs import Counter, set_state, sites, state
from hub_process import wait_until
from nats_server import PROGRAM
from postgres_server import PROGRAMS
from test_fleet_archive import fleet, servers  # noqa: F401  fixtures

pytestmark = [pytest.mark.skipif(not PROGRAM or not PROGRAMS, reason="nats-server or PostgreSQL is not installed"),
              pytest.mark.timeout(240)]


@pytest.mark.contract("Fleet: full or failing engines")
@pytest.mark.slow
def test_a_full_server_loses_nothing_and_the_site_says_so(fleet):
    kitchen = fleet.site("kitchen")
    portal = fleet.portal(fleet={"max_size": "1MiB"})
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    generator, written = random.Random(3), 0
    # What no compression makes small.
    while not any("maximum bytes exceeded" in line for line in kitchen.log):
        written += 1
        assert written < 2000
        set_state(kitchen, "sensor.count", str(written), noise=generator.randbytes(4000).hex())
    for _ in range(50):
        written += 1
        set_state(kitchen, "sensor.count", str(written))
    # The home goes on; the portal hears how far it is behind.
    assert state(kitchen, "sensor.count") == str(written)
    wait_until(lambda: sites(portal)["kitchen"]["behind"] > 0, 40)
    assert state(portal, "sensor.kitchen_count") != str(written)
    portal.stop()
    portal = fleet.portal(fleet={"max_size": "64MiB"})
    wait_until(lambda: state(portal, "sensor.kitchen_count") == str(written), 60)
    wait_until(lambda: len(fleet.values("kitchen", "sensor.count")) == written, 60)
    assert fleet.values("kitchen", "sensor.count") == [str(number) for number in range(1, written + 1)]
    wait_until(lambda: sites(portal)["kitchen"]["behind"] == 0, 40)


@pytest.mark.contract("Fleet: full or failing engines")
@pytest.mark.slow
def test_a_postgresql_that_hangs_is_named_and_nobody_else_waits(fleet):
    kitchen = fleet.site("kitchen")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    counter = Counter(kitchen)
    wait_until(lambda: len(fleet.values("kitchen", "sensor.count")) > 10, 30)
    fleet.postgres.freeze()
    try:
        wait_until(lambda: any("PostgreSQL does not answer for" in line for line in portal.log), 60)
        seen = int(state(portal, "sensor.kitchen_count"))
        wait_until(lambda: int(state(portal, "sensor.kitchen_count")) > seen + 50, 10)
    finally:
        fleet.postgres.thaw()
    last = counter.stop()
    wait_until(lambda: fleet.values("kitchen", "sensor.count")[-1:] == [str(last)], 60)
    assert fleet.values("kitchen", "sensor.count") == [str(number) for number in range(1, last + 1)]


@pytest.mark.contract("Fleet: full or failing engines")
def test_a_postgresql_that_lost_its_data_gets_what_the_engine_still_has(fleet):
    kitchen = fleet.site("kitchen")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    for number in range(1, 21):
        set_state(kitchen, "sensor.count", str(number))
    wait_until(lambda: fleet.values("kitchen", "sensor.count")[-1:] == ["20"], 30)
    fleet.postgres.ask("DROP SCHEMA hearth CASCADE", fleet.database)
    set_state(kitchen, "sensor.count", "21")
    wait_until(lambda: len(fleet.values("kitchen", "sensor.count")) == 21, 60)
    assert fleet.values("kitchen", "sensor.count") == [str(number) for number in range(1, 22)]
    wait_until(lambda: state(portal, "sensor.kitchen_count") == "21", 20)
