# SPDX-License-Identifier: Apache-2.0
"""Every command of the WebSocket API: one call that succeeds, one that fails."""

import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable

import pytest

from hub_process import REPOSITORY
from test_websocket_accounts import COMMANDS as ACCOUNT_COMMANDS
from websocket_client import WebSocketClient


@dataclass
class Case:
    """`fields` succeed and `check` accepts the result; `wrong` fail with `code`, as `wrong_user`. Fields that depend on the
    home are a function of the client."""

    check: Callable[[Any], Any]
    wrong: dict
    code: str
    fields: dict | Callable[[WebSocketClient], dict] = field(default_factory=dict)
    wrong_user: str = "admin"
    before: tuple = ()  # commands to send first, each with its fields


def is_null(result):
    return result is None


def new_area(client):
    return {"area_id": client.result("config/area_registry/create", name=f"Area {uuid.uuid4()}")["area_id"]}


def new_floor(client):
    return {"floor_id": client.result("config/floor_registry/create", name=f"Floor {uuid.uuid4()}")["floor_id"]}


def new_zone(client):
    return {"zone_id": client.result("zone/create", name=f"Zone {uuid.uuid4()}", latitude=1, longitude=2)["id"]}


def some_device(client):
    return {"device_id": client.result("config/device_registry/list")[0]["id"]}


def reversed_areas(client):
    return {"area_ids": [area["area_id"] for area in client.result("config/area_registry/list")][::-1]}


LAMP = {"entity_id": "light.kitchen"}
LAMPS = {"entity_ids": ["light.kitchen"]}
NO_AREA, NO_FLOOR, NO_DEVICE = {"area_id": "nowhere"}, {"floor_id": "nowhere"}, {"device_id": "nothing"}

CASES = {
    "ping": None,  # its answer is no result: test_websocket.py
    "supported_features": Case(is_null, {"features": {"coalesce_messages": "yes"}}, "invalid_format",
                               fields={"features": {}}),
    "get_states": Case(lambda states: any(state["entity_id"] == "light.kitchen" and state["context"] for state in states),
                       {"entity_id": "light.kitchen"}, "invalid_format"),
    "get_config": Case(lambda config: config["state"] == "RUNNING" and "light" in config["components"], {"x": 1},
                       "invalid_format"),
    "hearth/kinds": Case(lambda kinds: next(kind for kind in kinds if kind["domain"] == "lock")["value"]["selector"]["select"]
                         == {"options": "locked locking unlocked unlocking open opening jammed".split()},
                         {"domain": "lock"}, "invalid_format"),
    "get_services": Case(lambda domains: domains["light"]["turn_on"]["fields"]["brightness"]["description"], {"x": 1},
                         "invalid_format"),
    "config/core/update": None,  # test_home_settings.py
    "get_panels": Case(lambda panels: panels == {}, {"x": 1}, "invalid_format"),
    "subscribe_entities": Case(is_null, {"entity_ids": 7}, "invalid_format", fields={"entity_ids": ["light.kitchen"]}),
    "subscribe_events": Case(is_null, {"event_type": "call_service"}, "unauthorized", fields={"event_type": "call_service"},
                             wrong_user="ann"),
    "unsubscribe_events": Case(is_null, {"subscription": 77}, "not_found", fields={"subscription": 1},
                               before=(("subscribe_events", {"event_type": "x"}),)),
    "fire_event": Case(lambda result: result["context"]["id"], {"event_type": "x"}, "unauthorized",
                       fields={"event_type": "x", "event_data": {"a": 1}}, wrong_user="ann"),
    "call_service": Case(lambda result: result["context"]["user_id"] and result["response"] is None,
                         {"domain": "light", "service": "nix", "target": LAMP}, "not_found",
                         fields={"domain": "light", "service": "toggle", "target": LAMP}),
    "entity/source": Case(lambda sources: sources["light.kitchen"] == {"domain": "demo"}, {"x": 1}, "invalid_format"),
    # test_user_data.py has more of these.
    "frontend/get_user_data": Case(lambda result: result == {"value": None}, {"key": 1}, "invalid_format",
                                   fields={"key": "never set"}),
    "frontend/set_user_data": Case(is_null, {"key": "x"}, "invalid_format", fields={"key": "x", "value": [1]}),
    "frontend/subscribe_user_data": Case(is_null, {"key": 1}, "invalid_format"),
    "system_health/info": None,  # test_system.py
    "system_log/list": None,
    "config/area_registry/list": Case(lambda areas: "kitchen" in [area["area_id"] for area in areas], {"x": 1},
                                      "invalid_format"),
    "config/area_registry/create": Case(lambda area: (area["area_id"], area["name"]) == ("annex", "Annex"),
                                        {"name": "Kitchen"}, "invalid_info", fields={"name": "Annex"}),
    "config/area_registry/update": Case(lambda area: area["icon"] == "mdi:sofa", NO_AREA | {"name": "X"}, "invalid_info",
                                        fields=lambda client: new_area(client) | {"icon": "mdi:sofa"}),
    "config/area_registry/delete": Case(lambda result: result == "success", NO_AREA, "invalid_info", fields=new_area),
    "config/area_registry/reorder": Case(lambda result: result == "success", {"area_ids": ["nowhere"]}, "invalid_info", fields=reversed_areas),
    "config/floor_registry/list": Case(lambda floors: len(floors) >= 2, {"x": 1}, "invalid_format"),
    "config/floor_registry/create": Case(lambda floor: floor["level"] == 7, {"name": ""}, "invalid_info",
                                         fields={"name": "Attic of the case", "level": 7}),
    "config/floor_registry/update": Case(lambda floor: floor["name"] == "Renamed floor", NO_FLOOR, "invalid_info",
                                         fields=lambda client: new_floor(client) | {"name": "Renamed floor"}),
    "config/floor_registry/delete": Case(lambda result: result == "success", NO_FLOOR, "invalid_info", fields=new_floor),
    "zone/list": Case(lambda zones: isinstance(zones, list), {"x": 1}, "invalid_format"),
    "zone/create": Case(lambda zone: zone["radius"] == 100 and zone["id"].startswith("pool"), {"name": "Pool"}, "invalid_format",
                        fields={"name": "Pool", "latitude": 1, "longitude": 2}),
    "zone/update": Case(lambda zone: zone["radius"] == 7, {"zone_id": "nowhere", "radius": 7}, "not_found",
                        fields=lambda client: new_zone(client) | {"radius": 7}),
    "zone/delete": Case(is_null, {"zone_id": "nowhere"}, "not_found", fields=lambda client: new_zone(client)),
    "config/label_registry/list": Case(lambda labels: labels == [] or labels[0]["label_id"], {"x": 1}, "invalid_format"),
    "config/device_registry/list": Case(lambda devices: all(device["manufacturer"] for device in devices), {"x": 1},
                                        "invalid_format"),
    "config/device_registry/update": Case(lambda device: device["name_by_user"] == "Mine", NO_DEVICE, "not_found",
                                          fields=lambda client: some_device(client) | {"name_by_user": "Mine"}),
    "config/entity_registry/list": Case(lambda entries: any(e["entity_id"] == "light.kitchen" for e in entries), {"x": 1},
                                        "invalid_format"),
    "config/entity_registry/list_for_display": Case(lambda r: any(e["ei"] == "light.kitchen" for e in r["entities"]),
                                                    {"x": 1}, "invalid_format"),
    "config/entity_registry/get": Case(lambda entry: entry["platform"] == "demo", {"entity_id": "light.none"}, "not_found",
                                       fields={"entity_id": "light.kitchen"}),
    "config/entity_registry/update": Case(lambda r: r["entity_entry"]["icon"] == "mdi:lamp", {"entity_id": "light.none"},
                                          "not_found", fields={"entity_id": "light.hall", "icon": "mdi:lamp"}),
    "history/history_during_period": Case(lambda history: len(history["light.kitchen"]) >= 1, {"start_time": "soon"} | LAMPS,
                                          "invalid_start_time", fields={"start_time": "2026-01-01"} | LAMPS),
    "history/stream": Case(is_null, {"start_time": "2026-01-01", "entity_ids": ["kitchen"]}, "invalid_entity_ids",
                           fields={"start_time": "2026-01-01"} | LAMPS),
    "logbook/get_events": Case(lambda entries: isinstance(entries, list), {"start_time": "soon"}, "invalid_start_time",
                               fields={"start_time": "2026-01-01"}),
    "recorder/info": Case(lambda info: info["recording"] is True, {"x": 1}, "invalid_format"),
    "recorder/statistics_during_period": Case(
        lambda rows: isinstance(rows, dict), {"start_time": "2026-01-01", "period": "year", "statistic_ids": []}, "invalid_format",
        fields={"start_time": "2026-01-01", "period": "hour", "statistic_ids": ["sensor.outdoor_temperature"]}),
    # An entity that its integration provides cannot be removed: test_registry.py.
    "config/entity_registry/remove": None,
}


def test_every_command_has_a_case():
    table = (REPOSITORY / "src/api/commands.cpp").read_text(encoding="utf-8")
    assert sorted([*CASES, *ACCOUNT_COMMANDS]) == sorted(re.findall(r'^\s*\{"([a-z_/]+)",\s*Access::', table, re.MULTILINE))


@pytest.fixture
def connect(hub):
    clients = []

    def connect(user):
        clients.append(WebSocketClient(hub, hub.tokens[user]))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", [command for command, case in CASES.items() if case])
def test_command_succeeds(connect, command):
    case = CASES[command]
    client = connect("admin")
    for earlier, fields in case.before:
        client.result(earlier, **fields)
    fields = case.fields(client) if callable(case.fields) else case.fields
    result = client.result(command, **fields)
    assert case.check(result), result


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", [command for command, case in CASES.items() if case])
def test_command_fails(connect, command):
    case = CASES[command]
    code, message = connect(case.wrong_user).error(command, **case.wrong)
    assert code == case.code, message
    assert message


@pytest.mark.contract("WebSocket: rights")
def test_commands_that_act_are_not_for_readers(connect):
    display = connect("display")
    assert display.error("call_service", domain="light", service="toggle", target=LAMP)[0] == "unauthorized"
    assert display.error("fire_event", event_type="x")[0] == "unauthorized"
    assert display.result("get_states")
