# SPDX-License-Identifier: Apache-2.0
"""ha-mcp, which lets assistants that speak MCP read and change a home. Run by tests/clients/all."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from packages import install_python_packages

pytestmark = [pytest.mark.large, pytest.mark.timeout(900)]

LIGHT, LIST = "light.kitchen", "todo.shopping_list"


def python():
    """A Python that is new enough for it."""
    found = [shutil.which("python3.14"), shutil.which("python3.13"),
             *sorted(Path.home().glob(".pyenv/versions/3.1[34].*/bin/python3"))]
    for candidate in filter(None, found):
        if subprocess.run([candidate, "--version"], capture_output=True).returncode == 0:
            return candidate
    pytest.skip("Python 3.13 or 3.14 is missing")


class Server:
    """The program, which reads and writes a JSON text a line."""

    def __init__(self, programs, folder, hub):
        environment = {**os.environ, "HOME": str(folder), "HOMEASSISTANT_URL": hub.url,
                       "HOMEASSISTANT_TOKEN": hub.tokens["admin"]}
        self.process = subprocess.Popen([programs / "ha-mcp"], cwd=folder, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0

    def send(self, method, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **parameters):
        self.count += 1
        self.send(method, id=self.count, params=parameters)
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.count:
                assert "result" in answer, answer
                return answer["result"]
        raise AssertionError("ha-mcp has ended")

    def use(self, tool, **given):
        """What the tool gives back; it fails if the tool did."""
        answer = self.ask("tools/call", name=tool, arguments=given)
        result = answer.get("structuredContent") or {}
        result = result.get("data", result)
        assert not answer.get("isError") and result.get("success") is not False, answer
        return result

    def stop(self):
        self.process.stdin.close()
        try:
            assert self.process.wait(30) == 0
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose home these tests change."""
    return module_hubs()


@pytest.fixture(scope="module")
def server(own, tmp_path_factory):
    programs = install_python_packages("ha_mcp", python=python())
    server = Server(programs, tmp_path_factory.mktemp("ha_mcp"), own)
    server.ask("initialize", protocolVersion="2025-06-18", capabilities={},
               clientInfo={"name": "tests", "version": "1"})
    server.send("notifications/initialized")
    yield server
    server.stop()


def state(hub, entity_id):
    return hub.admin.get(f"/api/states/{entity_id}").json()


def test_it_offers_its_tools(server):
    assert len(server.ask("tools/list")["tools"]) == 77


def test_it_sees_the_home(server, own):
    overview = server.use("ha_get_overview")
    assert overview["system_summary"]["total_entities"] == len(own.admin.get("/api/states").json())
    assert server.use("ha_get_state", entity_id=LIGHT)["state"] == state(own, LIGHT)["state"]
    assert LIGHT in [entity["entity_id"] for entity in server.use("ha_search", query="kitchen")["entities"]]
    assert "light.turn_on" in server.use("ha_list_services", domain="light")["services"]
    floors = server.use("ha_list_floors_areas")
    assert "kitchen" in [area["area_id"] for floor in floors["floors"] for area in floor["areas"]]
    assert server.use("ha_get_device", entity_id=LIGHT)["device"]["area_id"] == "kitchen"
    assert "hearth" in server.use("ha_get_system_health")["health_info"]["data"]
    assert server.use("ha_manage_updates", action="list")["updates"][0]["entity_id"] == "update.router"


def test_it_switches(server, own):
    server.use("ha_call_service", domain="light", service="turn_on", entity_id=LIGHT, data={"brightness": 120})
    assert state(own, LIGHT)["attributes"]["brightness"] == 120
    server.use("ha_bulk_control", operations=[{"entity_id": LIGHT, "action": "off"}])
    assert state(own, LIGHT)["state"] == "off"


def test_it_fires_events(server, own, name):
    with own.stream(f"?restrict={name}") as stream:
        server.use("ha_call_event", event_type=name, data={"a": 1})
        assert stream.next_event(5).event["data"] == {"a": 1}


def test_it_changes_the_registry(server, own):
    server.use("ha_set_area_or_floor", kind="area", name="Cellar")
    server.use("ha_set_device", device_id="demo.fridge", name="Cold", area_id="cellar")
    assert server.use("ha_get_device", device_id="demo.fridge")["device"]["area_id"] == "cellar"
    server.use("ha_set_entity", entity_id=LIGHT, name="Stove")
    assert state(own, LIGHT)["attributes"]["friendly_name"] == "Stove"
    server.use("ha_remove_area_or_floor", kind="area", id="cellar")


def test_it_keeps_lists_calendars_and_zones(server, own):
    server.use("ha_set_todo_item", entity_id=LIST, summary="Rope")
    items = own.admin.post("/api/services/todo/get_items?return_response", json={"entity_id": LIST}).json()
    assert "Rope" in [item["summary"] for item in items["service_response"][LIST]["items"]]
    server.use("ha_remove_todo_item", entity_id=LIST, item="Rope")
    assert server.use("ha_config_get_calendar_events", entity_id="calendar.family")["entity_id"] == "calendar.family"
    zone = server.use("ha_set_zone", name="School", latitude=52.4, longitude=13.3, radius=100)["zone_id"]
    assert "School" in [known["name"] for known in server.use("ha_get_zone")["zones"]]
    server.use("ha_remove_zone", zone_id=zone)


def test_it_reads_history_and_logbook(server, own):
    own.admin.post("/api/services/light/turn_on", json={"entity_id": LIGHT})
    rows, = server.use("ha_get_history", entity_ids=[LIGHT])["entities"]
    assert rows["entity_id"] == LIGHT and rows["states"]
    assert server.use("ha_get_logs", source="logbook")["entries"]
