# SPDX-License-Identifier: Apache-2.0
"""Calendars of other places by their address (.ics), from Python's own HTTP server."""

import pytest

from checks import attributes, becomes, call, value
from hub_process import wait_until
from ics_server import IcsServer, calendar, event

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
WASTE = calendar(
    event("paper", ";VALUE=DATE:20360105", ";VALUE=DATE:20360106", "Papier, blau", "RRULE:FREQ=WEEKLY;INTERVAL=4;COUNT=5"),
    event("glass", ";TZID=W. Europe Standard Time:20360107T090000", ";TZID=W. Europe Standard Time:20360107T100000", "Glass",
          "LOCATION:Yard", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:!", "TRIGGER:-PT15M", "END:VALARM"))


@pytest.fixture
def server():
    made = []

    def make(**options):
        made.append(IcsServer(**options))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def entries(hub):
    return {entry["title"]: entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "remote_calendar"}


def in_state(hub, title, state):
    wait_until(lambda: entries(hub)[title]["state"] == state, 20)
    return entries(hub)[title]


def there(hub, entity_id):
    wait_until(lambda: value(hub, entity_id) != "unavailable", 20)


def events(hub, entity_id, start="2036-01-01T00:00:00Z", end="2036-12-31T00:00:00Z"):
    answer = hub.admin.get(f"/api/calendars/{entity_id}?start={start}&end={end}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def starts(hub, entity_id, **span):
    return [(each["summary"], each["start"].get("date") or each["start"]["dateTime"]) for each in events(hub, entity_id, **span)]


def refresh(hub, entity_id):
    call(hub, "homeassistant.update_entity", {"entity_id": entity_id})


def test_an_address_of_the_configuration_becomes_a_calendar(hub_factory, server):
    one = server(waste=WASTE)
    hub = hub_factory.start(remote_calendar=[{"name": "Waste", "url": one.url("waste")}])
    entry = in_state(hub, "Waste", "loaded")
    assert (entry["source"], entry["reason"]) == ("yaml", None)
    there(hub, "calendar.waste")
    assert value(hub, "calendar.waste") == "off"
    assert attributes(hub, "calendar.waste")["message"] == "Papier, blau"
    assert attributes(hub, "calendar.waste")["start_time"] == "2036-01-05 00:00:00"
    assert attributes(hub, "calendar.waste")["supported_features"] == 0
    assert starts(hub, "calendar.waste") == [
        ("Papier, blau", "2036-01-05"), ("Glass", "2036-01-07T09:00:00+01:00"), ("Papier, blau", "2036-02-02"),
        ("Papier, blau", "2036-03-01"), ("Papier, blau", "2036-03-29"), ("Papier, blau", "2036-04-26")]
    [glass] = [each for each in events(hub, "calendar.waste") if each["summary"] == "Glass"]
    assert (glass["location"], glass["uid"]) == ("Yard", "glass")
    answered = call(hub, "calendar.get_events", {"entity_id": "calendar.waste", "start_date_time": "2036-01-06 00:00",
                                                 "end_date_time": "2036-01-08 00:00"}, query="?return_response")
    assert [each["summary"] for each in answered["service_response"]["calendar.waste"]["events"]] == ["Glass"]
    call(hub, "calendar.delete_event", {"entity_id": "calendar.waste", "uid": "glass"}, status=400)


def test_what_has_not_changed_is_not_sent_again(hub_factory, server):
    one = server(waste=WASTE)
    hub = hub_factory.start(remote_calendar={"name": "Waste", "url": one.url("waste")})
    in_state(hub, "Waste", "loaded")
    refresh(hub, "calendar.waste")
    wait_until(lambda: len(one.requests) == 2)
    assert [status for _, _, status in one.requests] == [200, 304]
    one.texts["/waste.ics"] = calendar(event("a", ":20360101T080000Z", ":20360101T090000Z", "Other"))
    refresh(hub, "calendar.waste")
    wait_until(lambda: attributes(hub, "calendar.waste").get("message") == "Other")
    assert len(events(hub, "calendar.waste")) == 1


def test_a_server_that_fails_is_told_and_its_events_stay(hub_factory, server):
    one, other = server(waste=WASTE), server(school=WASTE)
    hub = hub_factory.start(remote_calendar=[{"name": "Waste", "url": one.url("waste")}, {"name": "School", "url": other.url("school")}])
    in_state(hub, "Waste", "loaded")
    in_state(hub, "School", "loaded")
    one.status = 503
    refresh(hub, "calendar.waste")
    entry = in_state(hub, "Waste", "setup_retry")
    assert entry["reason"].endswith("answers with 503.") and "127.0.0.1" in entry["reason"]
    assert value(hub, "calendar.waste") == "off" and len(events(hub, "calendar.waste")) == 6
    assert entries(hub)["School"]["state"] == "loaded"
    one.status = None
    refresh(hub, "calendar.waste")
    in_state(hub, "Waste", "loaded")


# The text, its kind, and what the reason has.
BAD = {
    "page": ("<html><body>Please log in</body></html>", "expected an iCalendar: it is not BEGIN:VCALENDAR to END:VCALENDAR"),
    "empty": ("", "it is not BEGIN:VCALENDAR"),
    "latin": (WASTE.replace("blau", "grün").encode("latin-1"), "it is not UTF-8 text"),
    "half": (WASTE[:-40], "it is not BEGIN:VCALENDAR to END:VCALENDAR"),
    "large": ("BEGIN:VCALENDAR\r\n" + "X" * (4 * 1024 * 1024), "answers with more than 4096 KiB"),
}


def test_bad_calendars_say_so_each_for_itself(hub_factory, server):
    one = server(good=WASTE, **{name: text for name, (text, _) in BAD.items()})
    names = ["good", *BAD]
    hub = hub_factory.start(remote_calendar=[{"name": name, "url": one.url(name)} for name in names])
    in_state(hub, "good", "loaded")
    for name, (_, reason) in BAD.items():
        wait_until(lambda name=name, reason=reason: reason in (entries(hub)[name]["reason"] or ""), 20)
        assert entries(hub)[name]["state"] == "setup_retry"
        assert value(hub, f"calendar.{name}") == "unavailable"


BOMBS = {
    "interval": event("i", ":20360101T080000Z", ":20360101T090000Z", "I", "RRULE:FREQ=DAILY;INTERVAL=1000000000"),
    "count": event("c", ":20360101T080000Z", ":20360101T090000Z", "C", "RRULE:FREQ=DAILY;COUNT=1000000000"),
    "second": event("s", ":20360101T080000Z", ":20360101T090000Z", "S",
                    "RRULE:FREQ=SECONDLY;BYSECOND=" + ",".join(str(each) for each in range(60))),
    "never": event("n", ":20360101T080000Z", ":20360101T090000Z", "N", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31"),
    "nested": "BEGIN:VEVENT\r\n" * 50_000 + "END:VEVENT\r\n" * 50_000,
    "line": event("l", ":20360101T080000Z", ":20360101T090000Z", "L", "DESCRIPTION:" + "ä" * 500_000),
    "zone": event("z", ";TZID=Moon/Sea:20360101T080000", ";TZID=Moon/Sea:20360101T090000", "Z"),
    "dates": event("d", ";VALUE=DATE:20360101", ";VALUE=DATE:20360102", "D", "RRULE:FREQ=DAILY;COUNT=3",
                   "EXDATE;VALUE=DATE:" + ",".join(["20360102"] * 100_000)),
    "daily": "".join(event(f"e{i}", ":20200101T080000Z", ":20200101T090000Z", f"E{i}", "RRULE:FREQ=DAILY") for i in range(1500)),
    "many": "".join(event(f"m{i}", ":20360101T080000Z", ":20360101T090000Z", "M") for i in range(12_000)),
}


def test_bombs_take_nobody_elses_time(hub_factory, server):
    one = server(good=WASTE, **{name: calendar(text) for name, text in BOMBS.items()})
    hub = hub_factory.start(
                            remote_calendar=[{"name": name, "url": one.url(name)} for name in ["good", *BOMBS]])
    for name in ["good", *BOMBS]:
        in_state(hub, name, "loaded")
    for name in ("interval", "count", "second", "never"):
        assert starts(hub, f"calendar.{name}") == [(name[0].upper(), "2036-01-01T09:00:00+01:00")], name
    assert starts(hub, "calendar.zone") == [("Z", "2036-01-01T08:00:00+01:00")]
    assert events(hub, "calendar.nested") == []
    assert len(events(hub, "calendar.line")[0]["description"]) <= 4096
    assert starts(hub, "calendar.dates") == [("D", "2036-01-01"), ("D", "2036-01-03")]
    day = {"start": "2036-01-01T00:00:00Z", "end": "2036-01-02T00:00:00Z"}
    assert len(events(hub, "calendar.daily", **day)) == 1000
    assert len(events(hub, "calendar.many", **day)) == 10_000
    report = hub.admin.get(f"/api/diagnostics/config_entry/{entries(hub)['zone']['entry_id']}").json()
    assert "the time zone Moon/Sea is not known" in str(report)
    # Nothing has held the bus for long; a callback that does is named in the log.
    assert not [line for line in hub.warnings() if "held the bus" in str(line)]


def test_a_page_adds_one_with_a_password(hub_factory, server):
    one = server(user="ann:secret", club=WASTE)
    hub = hub_factory.start()
    step = hub.admin.post(FLOW, json={"handler": "remote_calendar"}).json()
    assert [field["name"] for field in step["data_schema"]] == ["calendar_name", "url", "username", "password", "verify_ssl"]

    def submit(**fields):
        answer = hub.admin.post(f"{FLOW}/{step['flow_id']}", json={"calendar_name": "Club", "url": one.url("club"), **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert submit(url="ftp://127.0.0.1/a.ics")["errors"] == {"url": "invalid_host"}
    assert submit()["errors"] == {"base": "invalid_auth"}
    assert submit(username="ann", password="wrong")["errors"] == {"base": "invalid_auth"}
    one.texts["/page.ics"] = "<html>"
    assert submit(url=one.url("page"), username="ann", password="secret")["errors"] == {"url": "unsupported"}
    made = submit(username="ann", password="secret")
    assert (made["type"], made["title"]) == ("create_entry", "Club")
    in_state(hub, "Club", "loaded")
    there(hub, "calendar.club")
    assert len(events(hub, "calendar.club", "2035-12-31T00:00:00Z")) == 6
    # The password is in no answer, and has another place than the address.
    entry_id = made["result"]["entry_id"]
    assert "secret" not in hub.admin.get(f"/api/diagnostics/config_entry/{entry_id}").text
    step = hub.admin.post(FLOW, json={"handler": "remote_calendar"}).json()
    assert submit(username="ann", password="secret")["reason"] == "already_configured"
    # Another password at the server: a person is needed.
    one.credentials = "Basic other"
    refresh(hub, "calendar.club")
    assert in_state(hub, "Club", "setup_error")["reason"].endswith("does not accept the user name and password.")
    assert hub.admin.delete(f"{ENTRY}/{entry_id}").json() == {"require_restart": False}
    wait_until(lambda: hub.admin.get("/api/states/calendar.club").status_code == 404)


def test_an_event_turns_its_calendar_on(hub_factory, server):
    one = server(now=calendar(event("a", ":20200101T000000Z", ":20400101T000000Z", "Long")))
    hub = hub_factory.start(remote_calendar=[{"name": "Now", "url": one.url("now")}])
    becomes(hub, "calendar.now", "on")
    assert attributes(hub, "calendar.now")["message"] == "Long"
