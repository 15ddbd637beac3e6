# SPDX-License-Identifier: Apache-2.0
"""History: GET /api/history/period and GET /api/logbook."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest

from checks import assert_json, assert_message, call, parse_time, set_state


def period(hub, query, start="", user="ann"):
    path = "/api/history/period" + (f"/{quote(start)}" if start else "")
    return getattr(hub, user).get(f"{path}?{query}")


def states(hub, entity_id, query="", start=""):
    """The values of one entity, oldest first; the answer has no other entity."""
    lists = assert_json(period(hub, f"filter_entity_id={entity_id}{query}", start))
    assert len(lists) <= 1
    return [state["state"] for state in lists[0]] if lists else []


@pytest.mark.contract("Beyond the specification: history")
def test_has_every_change_in_order(hub):
    before = datetime.now(UTC)
    for value in ("one", "two", "three"):
        set_state(hub, "history.order", value, {"friendly_name": "Größe", "n": value})
    lists = assert_json(period(hub, "filter_entity_id=history.order"))
    assert [state["state"] for state in lists[0]] == ["one", "two", "three"]
    for state in lists[0]:
        assert list(state) == ["entity_id", "state", "attributes", "last_changed", "last_updated"]
        assert state["entity_id"] == "history.order"
        assert state["attributes"] == {"friendly_name": "Größe", "n": state["state"]}
        assert parse_time(state["last_changed"]) >= before - timedelta(seconds=1)


@pytest.mark.contract("Beyond the specification: history")
def test_several_entities_each_have_their_list(hub):
    set_state(hub, "history.a", "1")
    set_state(hub, "history.b", "2")
    lists = assert_json(period(hub, "filter_entity_id=history.b,history.nobody,HISTORY.A,history.b"))
    assert [[state["entity_id"] for state in one] for one in lists] == [["history.b"], ["history.a"]]


@pytest.mark.contract("Beyond the specification: history")
def test_nothing_found_is_an_empty_array(hub):
    assert assert_json(period(hub, "filter_entity_id=history.nobody")) == []
    assert assert_json(period(hub, "filter_entity_id=sun.sun", "2001-01-01")) == []
    assert assert_json(period(hub, "filter_entity_id=sun.sun", "2999-01-01T00:00:00Z")) == []
    assert assert_json(period(hub, "filter_entity_id=sun.sun&end_time=1999-01-01", "2001-01-01")) == []


@pytest.mark.contract("Beyond the specification: history")
def test_state_at_the_start_comes_first(hub):
    set_state(hub, "history.start", "old", {"a": 1})
    start = datetime.now(UTC).isoformat()
    set_state(hub, "history.start", "new")
    lists = assert_json(period(hub, "filter_entity_id=history.start", start))
    assert [state["state"] for state in lists[0]] == ["old", "new"]
    assert parse_time(lists[0][0]["last_changed"]) == parse_time(lists[0][0]["last_updated"])
    assert parse_time(lists[0][0]["last_changed"]) == datetime.fromisoformat(start)
    assert states(hub, "history.start", "&skip_initial_state", start) == ["new"]


@pytest.mark.contract("Beyond the specification: history")
@pytest.mark.parametrize("form", ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S+00:00", "%Y-%m-%dT%H:%M:%S.%f+00:00",
                                  "%Y-%m-%d %H:%M:%S", "%Y-%m-%d"])
def test_dates_come_in_many_forms(hub, form):
    set_state(hub, "history.dates", "on")
    start = (datetime.now(UTC) - timedelta(hours=30)).strftime(form)
    end = (datetime.now(UTC) + timedelta(hours=30)).strftime(form)
    # As some clients send it: not percent-encoded, so that a + arrives as a space.
    assert "on" in states(hub, "history.dates", "&end_time=" + end.replace(" ", "%20"), start)


@pytest.mark.contract("Beyond the specification: history")
@pytest.mark.parametrize(("path", "message"), [
    ("/api/history/period", "filter_entity_id is missing"),
    ("/api/history/period?filter_entity_id=", "filter_entity_id is missing"),
    ("/api/history/period?filter_entity_id=kitchen", "Invalid filter_entity_id"),
    ("/api/history/period?filter_entity_id=light.a,,light.b", "Invalid filter_entity_id"),
    ("/api/history/period/yesterday?filter_entity_id=light.a", "Invalid datetime"),
    ("/api/history/period/2026-13-01?filter_entity_id=light.a", "Invalid datetime"),
    ("/api/history/period/2026-11-21?filter_entity_id=light.a&end_time=soon", "Invalid end_time"),
    ("/api/logbook/yesterday", "Invalid datetime"),
    ("/api/logbook?end_time=soon", "Invalid end_time"),
    ("/api/logbook?entity=kitchen", "Invalid entity"),
])
def test_invalid_requests_are_refused(hub, path, message):
    assert_message(hub.ann.get(path), 400, message)


@pytest.mark.contract("Beyond the specification: logbook")
@pytest.mark.parametrize("days", ["0", "-1", "many", "1.5", "99999999999999999999", ""])
def test_period_is_a_number_of_days(hub, days):
    assert "Invalid period" in assert_message(hub.ann.get(f"/api/logbook?period={days}"), 400)


@pytest.mark.contract("Beyond the specification: history")
def test_minimal_response_is_short_in_the_middle(hub):
    for value in ("1", "2", "2", "3", "4"):
        set_state(hub, "history.minimal", value, {"value": value}, force_update=True)
    one = assert_json(period(hub, "filter_entity_id=history.minimal&minimal_response"))[0]
    assert [state["state"] for state in one] == ["1", "2", "3", "4"]
    assert "attributes" in one[0] and "attributes" in one[-1]
    for state in one[1:-1]:
        assert sorted(state) == ["last_changed", "state"]


@pytest.mark.contract("Beyond the specification: history")
def test_flags_leave_parts_out(hub):
    set_state(hub, "history.flags", "on", {"n": 1})
    set_state(hub, "history.flags", "on", {"n": 2})
    set_state(hub, "history.flags", "off", {"n": 3})
    assert states(hub, "history.flags", "&significant_changes_only=0") == ["on", "on", "off"]
    for on in ("", "&significant_changes_only", "&significant_changes_only=1"):
        assert states(hub, "history.flags", on) == ["on", "off"]
    one = assert_json(period(hub, "filter_entity_id=history.flags&no_attributes&significant_changes_only=0"))[0]
    assert [state["attributes"] for state in one] == [{}, {}, {}]


@pytest.mark.contract("Beyond the specification: history")
def test_long_answers_come_in_pieces(hub):
    text = "x" * 20_000
    for number in range(120):
        set_state(hub, "history.long", str(number), {"text": text})
    with hub.connect() as connection:
        response = connection.request("GET", "/api/history/period?filter_entity_id=history.long", hub.bearer("ann"))
        assert response.status == 200
        assert [state["state"] for state in json.loads(response.body)[0]] == [str(number) for number in range(120)]
        assert connection.request("GET", "/api/").status == 200


@pytest.mark.contract("Beyond the specification: history", "Beyond the specification: logbook")
def test_history_needs_a_token(hub):
    for path in ("/api/history/period?filter_entity_id=light.a", "/api/logbook"):
        assert hub.anonymous.get(path).status_code == 401
        assert hub.display.get(path).status_code == 200


def test_history_outlives_a_restart(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    for value in ("on", "off", "on"):
        set_state(hub, "history.kept", value)
    hub.stop()
    hub = hub_factory(folder)
    set_state(hub, "history.kept", "off")
    assert states(hub, "history.kept") == ["on", "off", "on", "off"]


@pytest.mark.contract("Beyond the specification: logbook")
def test_logbook_says_what_happened_and_who_did_it(hub):
    call(hub, "switch.turn_off", {"entity_id": "switch.garden_pump"})
    call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"}, user="ann")
    set_state(hub, "history.text", "open", {"friendly_name": "Gate"}, user="ann")
    set_state(hub, "history.measured", "21.5", {"unit_of_measurement": "°C"})
    entries = assert_json(hub.ann.get("/api/logbook"))
    assert [entry["when"] for entry in entries] == sorted(entry["when"] for entry in entries)
    by_id = {entry.get("entity_id"): entry for entry in entries}
    assert "history.measured" not in by_id
    gate = by_id["history.text"]
    assert (gate["name"], gate["state"], gate["domain"]) == ("Gate", "open", "history")
    pump = by_id["switch.garden_pump"]
    assert pump["context_user_id"] == gate["context_user_id"]
    assert (pump["context_event_type"], pump["context_domain"], pump["context_service"]) == (
        "call_service", "switch", "turn_on")
    only = assert_json(hub.ann.get("/api/logbook?entity=history.text"))
    assert {entry["entity_id"] for entry in only} == {"history.text"}
    started = [entry for entry in entries if entry["domain"] == "platform"]
    assert started and started[0]["message"] == "started" and "state" not in started[0]


@pytest.mark.contract("Beyond the specification: logbook")
def test_logbook_takes_entries(hub):
    call(hub, "logbook.log", {"name": "Kitchen", "message": "is being used", "entity_id": "light.Noted"})
    call(hub, "logbook.log", {"name": "Somebody", "message": "rang"})
    entries = {entry.get("message"): entry for entry in assert_json(hub.ann.get("/api/logbook"))}
    used = entries["is being used"]
    assert (used["name"], used["entity_id"], used["domain"]) == ("Kitchen", "light.noted", "light")
    assert (entries["rang"]["name"], entries["rang"]["domain"]) == ("Somebody", "logbook")
    for wrong in ({"name": "A"}, {"name": "A", "message": ""}, {"name": "A", "message": "b", "entity_id": "c"},
                  {"name": "A", "message": "b", "domain": "C d"}):
        call(hub, "logbook.log", wrong, status=400)


@pytest.mark.contract("Beyond the specification: logbook")
def test_logbook_of_one_context(hub):
    call(hub, "switch.turn_off", {"entity_id": "switch.garden_pump"})
    call(hub, "switch.turn_on", {"entity_id": "switch.garden_pump"})
    pump = [entry for entry in assert_json(hub.ann.get("/api/logbook?entity=switch.garden_pump"))][-1]
    only = assert_json(hub.ann.get("/api/logbook", params={"context_id": pump["context_id"]}))
    assert [(entry["entity_id"], entry["state"]) for entry in only] == [("switch.garden_pump", "on")]
    assert assert_json(hub.ann.get("/api/logbook?context_id=01ARZ3NDEKTSV4RRFFQ69G5FAV")) == []


def test_excluded_entities_have_no_history(hub_factory):
    folder = hub_factory.folder(recorder={
        "exclude": {"domains": "history", "entity_globs": ["test.no_*"]},
        "classes": [{"domains": "test", "keep": "never"}, {"entities": "test.kept", "keep": "2y"}]})
    hub = hub_factory(folder)
    for entity_id in ("history.not", "test.no_one", "test.never", "test.kept"):
        set_state(hub, entity_id, "on")
    found = assert_json(period(hub, "filter_entity_id=history.not,test.no_one,test.never,test.kept"))
    assert [one[0]["entity_id"] for one in found] == ["test.kept"]
    hub.stop()
    hub = hub_factory(folder)
    assert hub.admin.get("/api/states/history.not").json()["state"] == "on"


def count_of(hub, entity_id):
    return len(states(hub, entity_id))


@pytest.mark.contract("Services: list", "Services: wrong data")
def test_history_can_be_deleted(hub_factory):
    hub = hub_factory(demo=None)
    for entity_id in ("history.one", "history.two", "test.other"):
        for value in ("1", "2", "3"):
            set_state(hub, entity_id, value)
    call(hub, "recorder.purge_entities", {"entity_id": "history.one"})
    assert count_of(hub, "history.one") == 0 and count_of(hub, "history.two") == 3
    call(hub, "recorder.purge_entities", {"entity_globs": "history.*", "keep_days": 1})
    assert count_of(hub, "history.two") == 3
    call(hub, "recorder.purge_entities", {"domains": ["history"]})
    assert count_of(hub, "history.two") == 0 and count_of(hub, "test.other") > 0
    call(hub, "recorder.purge", {"keep_days": 0, "repack": True})
    assert count_of(hub, "test.other") <= 1  # the newest change of all stays, to mark how far history goes
    assert "Nobody" in call(hub, "recorder.purge_entities", {}, status=400)
    assert "keep_days" in call(hub, "recorder.purge", {"keep_days": -1}, status=400)
    call(hub, "recorder.purge", {}, user="ann", status=403)
    set_state(hub, "history.one", "4")
    assert states(hub, "history.one") == ["4"]


@pytest.mark.contract("Beyond the specification: history")
@pytest.mark.parametrize(("start", "end"), [("0001-01-01", "9999-12-31T23:59:59Z"), ("1600-01-01", "2600-01-01"),
                                            ("2600-01-01", "1600-01-01"), ("9999-12-31", "9999-12-31")])
def test_span_of_centuries_is_answered_with_what_there_is(hub, start, end):
    set_state(hub, "history.centuries", "on")
    lists = assert_json(period(hub, f"filter_entity_id=history.centuries&end_time={end}", start))
    assert [state["state"] for state in lists[0]] == ["on"] if start < "2026" < end else lists == []
    assert isinstance(assert_json(hub.ann.get(f"/api/logbook/{start}", params={"end_time": end})), list)


@pytest.mark.contract("Beyond the specification: history")
@pytest.mark.parametrize("start", ["10000-01-01", "-4000-01-01", "2026-02-30", "2026-01-01T25:00:00", "1e9", "%00"])
def test_impossible_date_is_refused(hub, start):
    assert_message(period(hub, "filter_entity_id=light.kitchen", start), 400)
