# SPDX-License-Identifier: Apache-2.0
"""A fleet over three NATS nodes, of which any may be killed. bench/fleet_failures runs the long form."""

import os
import random
import time

import pytest

from fleet_hubs import Counter, set_state, state
from hub_process import wait_until
from nats_server import PROGRAM, NatsServers
from postgres_server import PROGRAMS, PostgresServer
from test_fleet_archive import ArchivedFleet

KILLS = int(os.environ.get("HEARTH_FLEET_KILLS", 2))
LONG = KILLS > 2  # then nothing else runs beside it, and it counts how long changes stand still
STALL = 10        # seconds
ELECTION = 8      # seconds that one takes, about
CONNECTS = 100 if LONG else 8
pytestmark = [pytest.mark.skipif(not PROGRAM or not PROGRAMS, reason="nats-server or PostgreSQL is not installed"),
              pytest.mark.timeout(120 + 300 * KILLS)]


@pytest.fixture(scope="module")
def servers():
    nats, postgres = NatsServers(nodes=3), PostgresServer()
    nats.start()
    postgres.start()
    yield nats, postgres
    nats.remove()
    postgres.remove()


class ClusterFleet(ArchivedFleet):
    def settings(self, role, user, **more):
        return super().settings(role, user, **({"replicas": 3} if role == "portal" else {}), **more)


@pytest.fixture
def fleet(servers, hub_factory):
    made = ClusterFleet(servers, hub_factory)
    yield made
    made.end()


@pytest.mark.contract("Fleet: nothing lost")
@pytest.mark.slow
def test_nothing_is_lost_or_twice_whichever_node_or_hub_is_killed(fleet):
    nats = fleet.servers
    # What is acknowledged is on the disk then; otherwise a snapshot may show what a killed site had not written yet.
    folders = {site: fleet.folder(site, recorder={"commit_interval": "0s"}) for site in ("kitchen", "attic")}
    hubs = {site: fleet.start(folder) for site, folder in folders.items()}
    portal = fleet.portal()
    for site in hubs:
        wait_until(lambda site=site: state(portal, f"light.{site}_kitchen"), 60)
    counters = {site: Counter(hub) for site, hub in hubs.items()}
    stalls = []

    def passes(site, after):
        """Waits until a change of the site that is made from now on is at the portal, and notes how long that took after what."""
        begin, seen = time.monotonic(), counters[site].acknowledged
        wait_until(lambda: int(state(portal, f"sensor.{site}_count") or 0) > seen, 120)
        stalls.append((round(time.monotonic() - begin, 1), site, after))

    def restart(hub):
        hub.process.kill()
        hub.process.wait()
        return fleet.start(hub.folder)

    generator = random.Random(7)
    for _ in range(KILLS):
        node = generator.choice([nats.stream_leader() or nats.nodes[0], *nats.nodes])
        leads = node is nats.stream_leader()
        node.kill()
        for site in hubs:
            passes(site, f"{node.name}{', the leader,' if leads else ''} was killed")
        node.start()
        wait_until(nats.is_whole, 120)  # with two nodes away nobody may take messages
        portal = restart(portal)
        passes("kitchen", "the portal was killed")
    for _ in range(max(KILLS // 4, 1)):
        fleet.postgres.kill()
        fleet.postgres.start()
        passes("attic", "PostgreSQL was killed")
    written = {site: counter.stop() for site, counter in counters.items()}
    for site, last in written.items():
        wait_until(lambda site=site, last=last: fleet.values(site, "sensor.count")[-1:] == [str(last)], 90)
        assert fleet.values(site, "sensor.count") == [str(number) for number in range(1, last + 1)]
        wait_until(lambda site=site, last=last: state(portal, f"sensor.{site}_count") == str(last), 20)
    print(f"{sum(written.values())} changes, {KILLS} nodes and portals killed: each is there once, in order; longest stalls {sorted(stalls)[-3:]}")
    assert not LONG or max(stalls)[0] < STALL, stalls
    # Sites: what they committed is published, under numbers that go on.
    for number in range(KILLS):
        hubs["kitchen"] = restart(hubs["kitchen"])
        set_state(hubs["kitchen"], "sensor.count", f"after {number}")
        wait_until(lambda number=number: state(portal, "sensor.kitchen_count") == f"after {number}", 60)
    after = [f"after {number}" for number in range(KILLS)]
    wait_until(lambda: fleet.values("kitchen", "sensor.count")[-1:] == after[-1:], 60)
    values = fleet.values("kitchen", "sensor.count")
    assert values[:written["kitchen"]] == [str(number) for number in range(1, written["kitchen"] + 1)]
    assert [value for value in values if value.startswith("after")] == after


@pytest.mark.contract("Fleet: nothing lost")
def test_a_hub_that_connects_during_an_election_neither_crashes_nor_hangs(fleet):
    """A library of NATS crashed there once. Hubs that end must do so in their time, too, whatever they wait for."""
    nats = fleet.servers
    folder = fleet.folder("kitchen", recorder={"commit_interval": "0s"})
    site, portal = fleet.start(folder), fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 60)
    written = connects = 0
    while connects < CONNECTS:
        leader = nats.meta_leader()
        leader.kill()
        begin = time.monotonic()
        while time.monotonic() - begin < ELECTION and connects < CONNECTS:
            site.stop()
            portal.stop()
            site, portal = fleet.start(folder), fleet.start(portal.folder)
            connects += 2
            written += 1
            set_state(site, "sensor.count", str(written))
        leader.start()
        wait_until(nats.is_whole, 120)
        wait_until(lambda: state(portal, "sensor.kitchen_count") == str(written), 60)
    wait_until(lambda: len(fleet.values("kitchen", "sensor.count")) >= written, 60)
    assert fleet.values("kitchen", "sensor.count") == [str(number) for number in range(1, written + 1)]
