# SPDX-License-Identifier: Apache-2.0
"""Calendars: their list, their events between two times, who may read and change them, and what a restart keeps."""

import pytest

from checks import assert_json, assert_message, call, state_of
from test_durability import kill
from test_rights import add_with_rights
from websocket_client import WebSocketClient

CALENDAR = "calendar.family"
JUNE = {"start": "2036-06-01T00:00:00+02:00", "end": "2036-07-01T00:00:00+02:00"}


@pytest.fixture(scope="module")
def home(module_hubs):
    hub = module_hubs()
    add_with_rights(hub, "guest", "read: {areas: [garage]}\n")
    return hub


def events(hub, user="admin", **span):
    answer = getattr(hub, user).get(f"/api/calendars/{CALENDAR}", params=span or JUNE)
    return assert_json(answer)


@pytest.mark.contract("Beyond the specification: calendars")
def test_calendars_are_listed_for_who_may_read_them(home):
    listed = [{"entity_id": CALENDAR, "name": "Family"}]
    for user in ("admin", "ann", "display"):
        assert assert_json(getattr(home, user).get("/api/calendars")) == listed
    with home.client("guest") as guest:
        assert assert_json(guest.get("/api/calendars")) == []
    assert home.anonymous.get("/api/calendars").status_code == 401


@pytest.mark.contract("Beyond the specification: calendars")
def test_events_between_two_times(home):
    found = events(home, "display")
    assert [event["summary"] for event in found] == [
        "Paper collection", "Dinner with Ada", "Piano lesson", "Chimney sweep", "Holidays"]
    paper, dinner = found[:2]
    assert paper["start"] == {"date": "2036-06-02"} and paper["end"] == {"date": "2036-06-03"}
    assert dinner["start"] == {"dateTime": "2036-06-03T19:00:00+02:00"} and dinner["location"] == "At home"
    assert paper["location"] is paper["description"] is paper["rrule"] is paper["recurrence_id"] is None
    evening = events(home, start="2036-06-03T20:00:00", end="2036-06-03T20:01:00")  # by the home's clocks
    assert [event["summary"] for event in evening] == ["Dinner with Ada"]
    assert events(home, start="2037-01-01", end="2037-12-01") == []


@pytest.mark.contract("Beyond the specification: calendars")
@pytest.mark.parametrize("span, named", [
    ({}, "start"), ({"start": JUNE["start"]}, "end"), ({"end": JUNE["end"]}, "start"), ({**JUNE, "start": "soon"}, "start"),
    ({"start": JUNE["end"], "end": JUNE["start"]}, "end"), ({**JUNE, "end": ""}, "end")])
def test_a_wrong_span_is_named(home, span, named):
    response = home.admin.get(f"/api/calendars/{CALENDAR}", params=span)
    assert named in assert_message(response, 400)


@pytest.mark.contract("Beyond the specification: calendars")
def test_others_are_not_found(home):
    with home.client("guest") as guest:
        for client, entity in ((home.admin, "calendar.none"), (home.admin, "light.kitchen"), (guest, CALENDAR)):
            assert assert_message(client.get(f"/api/calendars/{entity}", params=JUNE), 404) == "Entity not found."
    assert home.anonymous.get(f"/api/calendars/{CALENDAR}", params=JUNE).status_code == 401
    home.admin.post("/api/states/calendar.by_rest", json={"state": "off"})
    assert_message(home.admin.get("/api/calendars/calendar.by_rest", params=JUNE), 503)
    home.admin.delete("/api/states/calendar.by_rest")


@pytest.mark.contract("Beyond the specification: calendars")
def test_reading_is_no_service_call_for_others(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        client.send({"id": 1, "type": "subscribe_events", "event_type": "call_service"})
        assert client.receive()["success"]
        events(home)
        call(home, "calendar.get_events", {"entity_id": CALENDAR}, query="?return_response")
        assert client.event(1)["data"]["service_data"] == {"entity_id": CALENDAR}  # the second only
        client.send({"id": 2, "type": "ping"})
        assert client.receive()["type"] == "pong"


@pytest.mark.contract("Beyond the specification: calendars")
def test_events_are_made_changed_and_deleted_and_survive_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    for user, status in (("display", 403), ("ann", 200)):
        call(hub, "calendar.create_event", {"entity_id": CALENDAR, "summary": "Now", "start_date_time": "2020-01-01 00:00",
                                            "end_date_time": "2100-01-01 00:00"}, user=user, status=status)
    assert state_of(hub, CALENDAR)["state"] == "on"
    (now,) = events(hub, start="2030-01-01", end="2030-01-02")
    holidays = next(event for event in events(hub) if event["summary"] == "Holidays")
    call(hub, "calendar.update_event", {"entity_id": CALENDAR, "uid": holidays["uid"], "description": "By the sea"})
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    state = state_of(hub, CALENDAR)
    assert state["state"] == "on" and state["attributes"]["message"] == "Now"
    assert events(hub, start="2030-01-01", end="2030-01-02") == [now]
    assert {**holidays, "description": "By the sea"} in events(hub)
    call(hub, "calendar.delete_event", {"entity_id": CALENDAR, "uid": now["uid"]})
    assert state_of(hub, CALENDAR)["state"] == "off"
    assert "there is no event" in call(hub, "calendar.delete_event", {"entity_id": CALENDAR, "uid": now["uid"]}, status=400)


def made(hub, **event):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return client.result("calendar/event/create", entity_id=CALENDAR, event=event)


def of(hub, summary, start="2036-08-01", end="2036-12-01"):
    return [event for event in events(hub, start=start, end=end) if event["summary"] == summary]


@pytest.mark.contract("Beyond the specification: calendars")
def test_events_that_recur_are_changed_one_by_one_and_from_one_on(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        def change(kind, **fields):
            return client.result(f"calendar/event/{kind}", entity_id=CALENDAR, **fields)

        choir = {"summary": "Choir", "dtstart": "2036-10-07T18:00:00", "dtend": "2036-10-07T20:00:00", "description": "Bass"}
        assert change("create", event=choir | {"rrule": "FREQ=WEEKLY;BYDAY=TU;COUNT=6"}) is None
        found = of(hub, "Choir")
        assert [event["recurrence_id"] for event in found] == [f"2036{day}T180000" for day in (
            "1007", "1014", "1021", "1028", "1104", "1111")]
        assert found[3]["start"] == {"dateTime": "2036-10-28T18:00:00+01:00"}  # the clocks went back on the 26th
        assert found[0]["start"] == {"dateTime": "2036-10-07T18:00:00+02:00"}
        assert {event["rrule"] for event in found} == {"FREQ=WEEKLY;BYDAY=TU;COUNT=6"}
        (uid,) = {event["uid"] for event in found}

        assert change("delete", uid=uid, recurrence_id="20361014T180000", recurrence_range="") is None
        change("update", uid=uid, recurrence_id="20361021T180000", event=choir | {
            "summary": "Concert", "dtstart": "2036-10-22T19:00:00", "dtend": "2036-10-22T22:00:00"})
        (concert,) = of(hub, "Concert")
        assert concert["start"] == {"dateTime": "2036-10-22T19:00:00+02:00"} and concert["uid"] == uid
        change("update", uid=uid, recurrence_id="20361104T180000", recurrence_range="THISANDFUTURE", event=choir | {
            "summary": "Band", "dtstart": "2036-11-05T18:00:00", "dtend": "2036-11-05T19:00:00", "rrule": "FREQ=WEEKLY"})
        assert [event["start"]["dateTime"][:10] for event in of(hub, "Choir")] == ["2036-10-07", "2036-10-28"]
        band = of(hub, "Band")
        assert [event["start"]["dateTime"][:10] for event in band] == ["2036-11-05", "2036-11-12", "2036-11-19", "2036-11-26"]
        change("delete", uid=band[0]["uid"], recurrence_id=band[1]["recurrence_id"], recurrence_range="THISANDFUTURE")
        assert len(of(hub, "Band")) == 1
        change("delete", uid=uid, recurrence_id=None)
        assert of(hub, "Choir") == of(hub, "Concert") == []


@pytest.mark.contract("Beyond the specification: calendars")
def test_whole_days_recur_and_survive_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    made(hub, summary="Bins", dtstart="2036-09-02", dtend="2036-09-03", rrule="FREQ=WEEKLY;INTERVAL=2")
    before = of(hub, "Bins")
    assert before[1]["start"] == {"date": "2036-09-16"} and before[1]["recurrence_id"] == "20360916"
    kill(hub)
    hub_factory.hubs.remove(hub)
    assert of(hub_factory(folder), "Bins") == before


@pytest.mark.contract("Beyond the specification: calendars")
@pytest.mark.parametrize("rule, named", [
    ("FREQ=SECONDLY", "expected YEARLY, MONTHLY, WEEKLY or DAILY"), ("FREQ=DAILY;BYSECOND=1,2", "BYSECOND"), ("x", "expected a rule"),
    ("FREQ=DAILY;COUNT=10001", "at most 10000"), ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "BYSETPOS"), ("FREQ=DAILY;UNTIL=20200101", "ends")])
def test_a_rule_that_is_none_or_too_dense_is_refused(home, rule, named):
    event = {"summary": "Never", "dtstart": "2036-09-02", "dtend": "2036-09-03", "rrule": rule}
    with WebSocketClient(home, home.tokens["admin"]) as client:
        message = client.error("calendar/event/create", entity_id=CALENDAR, event=event)[1]
    assert message.startswith("rrule: ") and named in message
    assert of(home, "Never") == []


@pytest.mark.contract("Beyond the specification: calendars")
def test_only_who_may_control_the_calendar_changes_its_events(home):
    event = {"summary": "Mine", "dtstart": "2036-09-02", "dtend": "2036-09-03"}
    with WebSocketClient(home, home.tokens["display"]) as client:
        assert client.error("calendar/event/create", entity_id=CALENDAR, event=event)[0] == "unauthorized"
    with WebSocketClient(home, home.tokens["guest"]) as client:
        assert client.error("calendar/event/create", entity_id=CALENDAR, event=event)[0] in ("not_found", "unauthorized")
    with WebSocketClient(home, home.tokens["admin"]) as client:
        assert client.error("calendar/event/create", entity_id="calendar.none", event=event)[0] == "not_found"
    assert of(home, "Mine") == []
