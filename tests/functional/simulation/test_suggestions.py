# SPDX-License-Identifier: Apache-2.0
"""`automation/suggestions`: what the home could do by itself, found in weeks of history."""

import pytest

from made_history import make_history
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {"automation/suggestions", "automation/suggestions/dismiss"}

HALL = "state binary_sensor.front_door=on light.hall=on"
BLIND = "cover.living_room_blind=closed"  # by the sun; around the solstices, when it sets at the same time each day, by the clock


@pytest.fixture
def folder(hub_factory):
    folder = hub_factory.folder()
    hub_factory(folder).stop()
    make_history(folder)
    return folder


@pytest.fixture
def home(hub_factory, folder):
    return hub_factory(folder)


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"], timeout=30) as client:
        yield client


def found(client):
    """What the command finds, by id, after all its progress."""
    assert client.result("automation/suggestions") is None
    return told(client)


def told(client):
    """The same of the last command."""
    subscription, progress = client.last_id, []
    while "suggestions" not in (event := client.event(subscription)):
        progress.append(event["progress"])
    assert progress == sorted(progress) and 0 < progress[-1] <= 1
    assert event["from"] < event["until"]
    return {each["id"]: each for each in event["suggestions"]}


def blind_in(suggestions):
    return next(each for each in suggestions if each.endswith(BLIND))


@pytest.mark.contract("Automations: suggestions")
def test_habits_are_found_with_their_evidence_and_no_others(home, client):
    suggestions = found(client)
    assert len(suggestions) >= 2 and HALL in suggestions
    assert not any("kitchen" in each or "motion" in each for each in suggestions), list(suggestions)
    hall = suggestions[HALL]
    assert hall["when"] == "dark" and not hall["dismissed"] and hall["lift"] > 4
    assert 0.8 * hall["occasions"] < hall["hits"] < hall["occasions"] and hall["days"] > 20
    assert len(hall["examples"]) == 10 and hall["examples"][0]["cause"] > hall["examples"][9]["cause"]
    assert hall["config"] == {
        "triggers": [{"trigger": "state", "entity_id": "binary_sensor.front_door", "to": "on"}],
        "conditions": [{"condition": "sun", "after": "sunset", "before": "sunrise"}],
        "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}
    trigger = suggestions[blind_in(suggestions)]["config"]["triggers"][0]
    assert trigger.get("event") == "sunset" or trigger["trigger"] == "time"


@pytest.mark.contract("Automations: suggestions")
def test_what_was_made_is_not_offered_again(home, client):
    config = found(client)[HALL]["config"]
    assert home.admin.post("/api/config/automation/config/1", json=config | {"alias": "Hall"}).status_code == 200
    suggestions = found(client)
    assert blind_in(suggestions) and HALL not in suggestions


@pytest.mark.contract("Automations: suggestions")
def test_what_nobody_wants_stays_dismissed_over_a_restart(hub_factory, folder):
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"], timeout=30) as client:
        assert client.result("automation/suggestions/dismiss", suggestion_id=HALL) is None
        assert client.result("automation/suggestions/dismiss", suggestion_id=HALL) is None
    home.stop()
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"], timeout=30) as client:
        suggestions = found(client)
        assert suggestions[HALL]["dismissed"] and not suggestions[blind_in(suggestions)]["dismissed"]
        client.result("automation/suggestions/dismiss", suggestion_id=HALL, dismissed=False)
        assert not found(client)[HALL]["dismissed"]


@pytest.mark.contract("Automations: suggestions")
def test_who_leaves_keeps_nobody_waiting(home, client):
    for _ in range(6):
        with WebSocketClient(home, home.tokens["admin"]) as other:
            other.command("automation/suggestions")
    # The hub notices a moment later that they have left.
    wait_until(lambda: client.command("automation/suggestions")["success"])
    assert HALL in told(client)
    assert client.result("automation/suggestions") is None
    client.result("unsubscribe_events", subscription=client.last_id)


@pytest.mark.contract("Automations: suggestions")
def test_only_administrators_are_told(home, client):
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        assert ann.error("automation/suggestions")[0] == "unauthorized"
        assert ann.error("automation/suggestions/dismiss", suggestion_id=HALL)[0] == "unauthorized"
    assert client.error("automation/suggestions", x=1)[0] == "invalid_format"
    assert client.error("automation/suggestions/dismiss", suggestion_id="")[0] == "invalid_format"
