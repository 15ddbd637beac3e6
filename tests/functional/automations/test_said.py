# SPDX-License-Identifier: Apache-2.0
"""What comes from calendars, from what people say, and to clients that listen to triggers."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from websocket_client import WebSocketClient

AUTOMATIONS = [
    {"id": "party", "alias": "Party", "triggers": {"trigger": "conversation", "command": ["[it is] party time", "play {what} in (the kitchen|here)"]},
     "actions": [{"event": "said", "event_data": {"sentence": "{{ trigger.sentence }}", "slots": "{{ trigger.slots }}"}},
                 {"if": "{{ trigger.slots.what is defined }}", "then": {"set_conversation_response": "Now playing {{ trigger.slots.what }}"}}]},
    {"id": "bin", "alias": "Bin", "triggers": {"trigger": "calendar", "entity_id": "calendar.family", "event": "start", "offset": "-00:10:00"},
     "actions": {"event": "bin", "event_data": {"summary": "{{ trigger.calendar_event.summary }}", "all_day": "{{ trigger.calendar_event.all_day }}"}}},
]


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs(automation=AUTOMATIONS)


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def speech(answer):
    return answer["response"]["speech"]["plain"]["speech"]


@pytest.mark.contract("Automations: conversation triggers")
def test_a_sentence_runs_the_automation_that_knows_it_and_gets_its_answer(home, client):
    with WebSocketClient(home, home.tokens["admin"]) as listener:
        listener.result("subscribe_events", event_type="said")
        answer = client.result("conversation/process", text="It is PARTY time!", conversation_id="c")
        assert speech(answer) == "Done" and answer["conversation_id"] == "c" and answer["response"]["response_type"] == "action_done"
        assert listener.event(listener.last_id)["data"] == {"sentence": "It is PARTY time!", "slots": {}}
        answer = client.result("conversation/process", text="play some jazz in the kitchen")
        assert speech(answer) == "Now playing some jazz"
        assert listener.event(listener.last_id)["data"]["slots"] == {"what": "some jazz"}
    answer = client.result("call_service", domain="conversation", service="process", return_response=True,
                           service_data={"text": "make coffee", "language": "de"})["response"]
    assert answer["response"]["response_type"] == "error" and answer["response"]["data"] == {"code": "no_intent_match"}
    assert answer["response"]["language"] == "de"
    assert client.error("conversation/process", text="a" * 1_001)[0] in ("service_validation_error", "invalid_format")
    with WebSocketClient(home, home.tokens["display"]) as reader:
        assert reader.error("conversation/process", text="party time")[0] == "unauthorized"


@pytest.mark.contract("Automations: calendar triggers")
def test_an_event_of_a_calendar_runs_it_once_even_if_it_is_edited(home, client):
    client.result("subscribe_events", event_type="bin")
    subscription = client.last_id
    start = datetime.now(timezone.utc) + timedelta(minutes=10, seconds=2)
    event = {"entity_id": "calendar.family", "summary": "Bin", "start_date_time": start.isoformat(),
             "end_date_time": (start + timedelta(hours=1)).isoformat()}
    client.result("call_service", domain="calendar", service="create_event", service_data=event)
    assert client.event(subscription)["data"] == {"summary": "Bin", "all_day": False}
    found = client.result("call_service", domain="calendar", service="get_events", return_response=True,
                          service_data={"entity_id": "calendar.family"})["response"]["calendar.family"]["events"]
    uid = next(each["uid"] for each in found if each["summary"] == "Bin")
    moved = start + timedelta(seconds=1)
    client.result("call_service", domain="calendar", service="update_event",
                  service_data={"entity_id": "calendar.family", "uid": uid, "start_date_time": moved.isoformat(),
                                "end_date_time": (moved + timedelta(hours=1)).isoformat()})
    second = event | {"summary": "Second"}
    client.result("call_service", domain="calendar", service="create_event", service_data=second | {
        "start_date_time": (start + timedelta(seconds=2)).isoformat()})
    assert client.event(subscription)["data"]["summary"] == "Second"  # and no other Bin before


@pytest.mark.contract("Automations: calendar triggers")
def test_an_event_that_recurs_runs_it_each_time(home, client):
    client.result("subscribe_events", event_type="bin")
    subscription = client.last_id
    start = datetime.now(timezone.utc) + timedelta(minutes=10, seconds=2)
    first = start.astimezone(ZoneInfo("Europe/Berlin")) - timedelta(days=1)  # by the home's clocks
    event = {"entity_id": "calendar.family", "start_date_time": first.isoformat(), "rrule": "FREQ=DAILY",
             "end_date_time": (first + timedelta(minutes=1)).isoformat()}
    client.result("call_service", domain="calendar", service="create_event", service_data=event | {"summary": "Again"})
    assert client.event(subscription)["data"] == {"summary": "Again", "all_day": False}


@pytest.mark.contract("Automations: API")
def test_clients_listen_to_triggers(home, client):
    assert client.result("subscribe_trigger", trigger=[{"platform": "state", "entity_id": "sensor.listened", "to": "{{ x }}"},
                                                       {"trigger": "event", "event_type": "{{ 'heard' }}"},
                                                       {"trigger": "state", "entity_id": "sensor.seen"}], variables={"x": 1}) is None
    subscription = client.last_id
    client.result("fire_event", event_type="heard", event_data={"n": 1})
    event = client.event(subscription)
    trigger = event["variables"]["trigger"]
    assert trigger["platform"] == "event" and trigger["idx"] == "1" and trigger["event"]["data"] == {"n": 1}
    assert event["context"]["user_id"]
    home.admin.post("/api/states/sensor.seen", json={"state": "5", "attributes": {"unit_of_measurement": "W"}})
    trigger = client.event(subscription)["variables"]["trigger"]
    assert trigger["to_state"]["state"] == "5" and trigger["to_state"]["attributes"] == {"unit_of_measurement": "W"}
    assert trigger["from_state"] is None and trigger["entity_id"] == "sensor.seen"
    assert client.result("unsubscribe_events", subscription=subscription) is None
    client.result("fire_event", event_type="heard")
    assert client.command("ping")["type"] == "pong" and not client.waiting
    assert "did you mean state" in client.error("subscribe_trigger", trigger={"trigger": "stat"})[1]
    assert client.error("subscribe_trigger")[0] == "invalid_format"
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        assert ann.error("subscribe_trigger", trigger=[])[0] == "unauthorized"
