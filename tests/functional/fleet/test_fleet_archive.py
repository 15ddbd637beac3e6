# SPDX-License-Identifier: Apache-2.0
"""A portal's history in PostgreSQL: what sites publish gets there once and in order, whoever is killed, and is what the home itself would
answer."""

import itertools
from datetime import datetime, timedelta, timezone

import pytest

from fleet_hubs import Counter, Fleet, set_state, state
from hub_process import wait_until
from nats_server import PROGRAM, NatsServers
from postgres_server import PROGRAMS, PostgresServer

pytestmark = [pytest.mark.skipif(not PROGRAM or not PROGRAMS, reason="nats-server or PostgreSQL is not installed"),
              pytest.mark.timeout(180)]
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def servers():
    nats, postgres = NatsServers(), PostgresServer()
    nats.start()
    postgres.start()
    yield nats, postgres
    nats.remove()
    postgres.remove()


class ArchivedFleet(Fleet):
    def __init__(self, servers, hub_factory):
        super().__init__(servers[0], hub_factory)
        self.postgres = servers[1]
        self.database = f"fleet{next(NUMBERS)}"
        self.url = self.postgres.create(self.database)

    def portal(self, **changes):
        return super().portal(recorder={"commit_interval": "1s", "archive": self.url}, **changes)

    def values(self, site, entity_id):
        """The site's states of an entity, in the order of its log."""
        try:
            rows = self.postgres.ask(
                "SELECT changes.state FROM hearth.changes JOIN hearth.entities ON entities.id = changes.entity "
                f"JOIN hearth.sites ON sites.id = entities.site WHERE sites.name = '{site}' AND entities.entity_id = '{entity_id}' "
                "ORDER BY changes.epoch, changes.sequence", self.database)
        except AssertionError:  # the server or the tables are not there
            return []
        return [row[0] for row in rows]


@pytest.fixture
def fleet(servers, hub_factory):
    if not servers[1].process:
        servers[1].start()
    made = ArchivedFleet(servers, hub_factory)
    yield made
    made.end()


def history(hub, entity_id):
    start = datetime.now(timezone.utc) - timedelta(hours=1)
    answer = hub.admin.get(f"/api/history/period/{start.isoformat()}", params={"filter_entity_id": entity_id})
    assert answer.status_code == 200, answer.text
    return [(each["state"], each["last_changed"]) for series in answer.json() for each in series]


@pytest.mark.contract("Fleet: history")
def test_history_of_a_site_is_what_the_home_itself_answers(fleet):
    kitchen, attic = fleet.site("kitchen"), fleet.site("attic")
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen") and state(portal, "light.attic_kitchen"), 20)
    for number in range(20):
        set_state(kitchen, "sensor.level", str(number), unit_of_measurement="%", state_class="measurement")
        set_state(attic, "sensor.level", str(100 + number), unit_of_measurement="%", state_class="measurement")
    wait_until(lambda: len(fleet.values("kitchen", "sensor.level")) == len(fleet.values("attic", "sensor.level")) == 20, 20)
    assert fleet.values("kitchen", "sensor.level") == [str(number) for number in range(20)]
    for site, hub in (("kitchen", kitchen), ("attic", attic)):
        there = history(hub, "sensor.level")
        assert len(there) == 20
        wait_until(lambda site=site: state(portal, f"sensor.{site}_level") == there[-1][0], 60)
        assert history(portal, f"sensor.{site}_level") == there
    # The portal's own history has nothing of it, and its own entities are there, too.
    set_state(portal, "sensor.own", "1")
    wait_until(lambda: [value for value, _ in history(portal, "sensor.own")] == ["1"], 10)
    # The server is away: the own ones are answered, others say why not.
    fleet.postgres.stop()
    assert [value for value, _ in history(portal, "sensor.own")] == ["1"]
    answer = portal.admin.get("/api/history/period", params={"filter_entity_id": "sensor.kitchen_level"})
    assert answer.status_code in (500, 503), answer.text


@pytest.mark.contract("Fleet: nothing lost")
def test_each_change_is_there_once_whoever_is_killed(fleet):
    folder = fleet.folder("kitchen")
    kitchen = fleet.start(folder)
    portal = fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    counter = Counter(kitchen)

    def grows():
        before = len(fleet.values("kitchen", "sensor.count"))
        wait_until(lambda: len(fleet.values("kitchen", "sensor.count")) > before + 20, 40)

    grows()
    fleet.postgres.kill()
    fleet.postgres.start()
    grows()
    fleet.servers.nodes[0].kill()
    fleet.servers.start()
    grows()
    portal.process.kill()
    portal.process.wait()
    portal = fleet.start(portal.folder)
    grows()
    last = counter.stop()
    wait_until(lambda: fleet.values("kitchen", "sensor.count")[-1:] == [str(last)], 40)
    assert fleet.values("kitchen", "sensor.count") == [str(number) for number in range(1, last + 1)]
    kitchen.process.kill()
    kitchen.process.wait()
    kitchen = fleet.start(folder)
    set_state(kitchen, "sensor.count", "again")
    wait_until(lambda: fleet.values("kitchen", "sensor.count")[-1:] == ["again"], 40)
    values = fleet.values("kitchen", "sensor.count")
    assert values[:last] == [str(number) for number in range(1, last + 1)] and len(values) == len(set(values))


@pytest.mark.contract("Fleet: nothing lost")
def test_of_two_portals_one_writes_and_the_other_takes_over(fleet):
    kitchen = fleet.site("kitchen")
    first = fleet.portal()
    wait_until(lambda: state(first, "light.kitchen_kitchen"), 20)
    second = fleet.portal()
    wait_until(lambda: state(second, "light.kitchen_kitchen"), 20)
    set_state(kitchen, "sensor.level", "1")
    wait_until(lambda: fleet.values("kitchen", "sensor.level") == ["1"], 20)
    wait_until(lambda: state(first, "sensor.kitchen_level") == state(second, "sensor.kitchen_level") == "1", 20)
    first.process.kill()
    first.process.wait()
    set_state(kitchen, "sensor.level", "2")
    wait_until(lambda: fleet.values("kitchen", "sensor.level") == ["1", "2"], 40)
    wait_until(lambda: state(second, "sensor.kitchen_level") == "2", 20)
