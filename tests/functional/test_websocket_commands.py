# SPDX-License-Identifier: Apache-2.0
"""Every command of the WebSocket API: one call that succeeds, one that fails."""

import re
from dataclasses import dataclass, field
from typing import Any, Callable

import pytest

from hub_process import REPOSITORY
from test_websocket_accounts import COMMANDS as ACCOUNT_COMMANDS
from websocket_client import WebSocketClient


@dataclass
class Case:
    """`fields` succeed and `check` likes the result; `wrong` fail with `code`. As administrator unless `user` says who."""

    check: Callable[[Any], Any]
    wrong: dict
    code: str
    fields: dict = field(default_factory=dict)
    wrong_user: str = "admin"
    # Commands that have to come before, whose results `fields` and `wrong` may need: name → (command, fields).
    before: tuple = ()


def is_null(result):
    return result is None


LAMP = {"entity_id": "light.kitchen"}

CASES = {
    "ping": None,  # whose answer is no result: test_websocket.py
    "supported_features": Case(is_null, {"features": {"coalesce_messages": "yes"}}, "invalid_format",
                               fields={"features": {}}),
    "get_states": Case(lambda states: any(state["entity_id"] == "light.kitchen" and state["context"] for state in states),
                       {"entity_id": "light.kitchen"}, "invalid_format"),
    "get_config": Case(lambda config: config["state"] == "RUNNING" and "light" in config["components"], {"x": 1},
                       "invalid_format"),
    "get_services": Case(lambda domains: domains["light"]["turn_on"]["fields"]["brightness"]["description"], {"x": 1},
                         "invalid_format"),
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
}


def test_every_command_has_a_case():
    table = (REPOSITORY / "src/api/websocket/commands.cpp").read_text(encoding="utf-8")
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
    result = client.result(command, **case.fields)
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
