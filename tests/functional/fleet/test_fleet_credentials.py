# SPDX-License-Identifier: Apache-2.0
"""A fleet whose hubs have files of credentials (JWTs and keys) instead of users with passwords."""

import pytest

from fleet_hubs import Fleet, call, set_state, state
from hub_process import wait_until
from nats_credentials import CredentialsServers, Key
from nats_server import PROGRAM

pytestmark = [pytest.mark.skipif(not PROGRAM, reason="nats-server is not installed"), pytest.mark.timeout(120)]


@pytest.fixture
def fleet(hub_factory):
    servers = CredentialsServers(sites=("kitchen",))
    try:
        made = Fleet(servers, hub_factory)
        yield made
        made.end()
    finally:
        servers.remove()


@pytest.mark.contract("Fleet: credentials")
def test_hubs_connect_with_files_of_credentials(fleet):
    kitchen, portal = fleet.site("kitchen"), fleet.portal()
    wait_until(lambda: state(portal, "light.kitchen_kitchen"), 20)
    set_state(kitchen, "sensor.level", "7")
    wait_until(lambda: state(portal, "sensor.kitchen_level") == "7", 20)
    assert call(portal, "light.turn_on", entity_id="light.kitchen_kitchen").status_code == 200
    assert state(kitchen, "light.kitchen") == "on"


@pytest.mark.contract("Fleet: credentials")
def test_credentials_that_the_server_does_not_know_are_named(fleet):
    servers = fleet.servers
    servers.credentials("kitchen").write_text(servers.make("kitchen", Key("A", servers.folder)))
    kitchen = fleet.site("kitchen")
    wait_until(lambda: any("does not accept the credentials" in line for line in kitchen.log), 20)
    # Without a file that can be read, a hub says which, and serves its home.
    servers.credentials("kitchen").unlink()
    kitchen.stop()
    kitchen = fleet.start(kitchen.folder)
    kitchen.errors_expected = True
    wait_until(lambda: any(f"The file of credentials cannot be read: {servers.credentials('kitchen')}" in line for line in kitchen.log), 20)
    assert state(kitchen, "light.kitchen")
