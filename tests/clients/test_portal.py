# SPDX-License-Identifier: Apache-2.0
"""Clients at the portal of a fleet: to them it is a home like any other."""

import shutil

import pytest

from fleet_hubs import Fleet, set_state, state
from hub_process import wait_until
from line_client import ClientError, LineClient
from nats_server import PROGRAM, NatsServers
from packages import FOLDER, install_python_packages
from test_appdaemon import AppDaemon

pytestmark = [pytest.mark.skipif(not PROGRAM, reason="nats-server is not installed"), pytest.mark.timeout(300)]
LIGHT = "light.kitchen_kitchen"


@pytest.fixture
def fleet(hub_factory):
    servers = NatsServers()
    servers.start()
    made = Fleet(servers, hub_factory)
    yield made
    made.end()
    servers.remove()


def test_home_assistant_js_websocket(fleet, node_packages):
    kitchen, portal = fleet.site("kitchen"), fleet.portal()
    wait_until(lambda: state(portal, LIGHT), 20)
    client = LineClient(shutil.which("node"), "websocket_client.mjs", cwd=FOLDER)
    try:
        client.ask("useToken", url=portal.url, token=portal.tokens["admin"])
        client.ask("connect")
        client.ask("follow", collection="entities")
        seen = client.wait_for(lambda entities: entities and LIGHT in entities, "latest", collection="entities")
        assert seen[LIGHT]["state"] == state(kitchen, "light.kitchen")
        client.ask("call", domain="light", service="turn_on", data={"brightness": 99}, target={"entity_id": LIGHT})
        assert kitchen.admin.get("/api/states/light.kitchen").json()["attributes"]["brightness"] == 99
        client.wait_for(lambda entities: entities[LIGHT]["attributes"].get("brightness") == 99, "latest", collection="entities")
        set_state(kitchen, "sensor.level", "7")
        client.wait_for(lambda entities: entities.get("sensor.kitchen_level", {}).get("state") == "7", "latest", collection="entities")
        kitchen.stop()
        with pytest.raises(ClientError) as refusal:
            client.ask("call", domain="light", service="turn_off", data={}, target={"entity_id": LIGHT})
        assert "site kitchen" in str(refusal.value)
    finally:
        client.stop()


def test_appdaemon(fleet, tmp_path):
    programs = install_python_packages("appdaemon")
    kitchen, portal = fleet.site("kitchen"), fleet.portal()
    wait_until(lambda: state(portal, LIGHT), 20)
    with portal.stream("?restrict=appdaemon_ready") as stream:
        daemon = AppDaemon(programs, tmp_path / "appdaemon", portal)
        try:
            stream.next_event(60)
            daemon.wait_for(lambda: "Completed initialization" in daemon.text())
            daemon.wait_for(lambda: daemon.ask("entity_exists", LIGHT), 10)
            assert daemon.ask("get_state", LIGHT) == state(kitchen, "light.kitchen")
            answer = daemon.ask("call_service", "light/turn_on", target={"entity_id": LIGHT}, service_data={"brightness": 33})
            assert answer["success"] is True, answer
            assert kitchen.admin.get("/api/states/light.kitchen").json()["attributes"]["brightness"] == 33
            kitchen.admin.post("/api/services/light/turn_off", json={"entity_id": "light.kitchen"})
            daemon.wait_for(lambda: daemon.ask("get_state", LIGHT) == "off", 20)
        finally:
            daemon.stop()
