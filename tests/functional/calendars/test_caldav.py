# SPDX-License-Identifier: Apache-2.0
"""Calendars of an account at a CalDAV server: a real one, Radicale."""

import pytest

from checks import attributes, becomes, call, value
from hub_process import wait_until
from ics_server import IcsServer, calendar, event
from radicale_server import Radicale

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
DINNER = calendar(event("dinner", ":20360105T180000Z", ":20360105T200000Z", "Dinner & talk", "LOCATION:Home"))
WEEKLY = calendar(
    event("piano", ";TZID=Europe/Berlin:20360107T160000", ";TZID=Europe/Berlin:20360107T170000", "Piano", "RRULE:FREQ=WEEKLY;COUNT=3"),
    event("piano", ";TZID=Europe/Berlin:20360115T160000", ";TZID=Europe/Berlin:20360115T170000", "Moved piano",
          "RECURRENCE-ID;TZID=Europe/Berlin:20360114T160000"))


@pytest.fixture
def radicale(tmp_path):
    server = Radicale(tmp_path / "radicale")
    server.make("family", "Family")
    server.make("tasks", "Tasks", "VTODO")
    server.put("family", "dinner", DINNER)
    server.put("family", "piano", WEEKLY)
    yield server
    server.stop()


def account(server, path="/", **options):
    return {"url": server.url + path, "username": "ann", "password": "secret", **options}


def entry_of(hub):
    [entry] = [entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "caldav"]
    return entry


def in_state(hub, state):
    wait_until(lambda: entry_of(hub)["state"] == state, 20)
    return entry_of(hub)


def events(hub, entity_id="calendar.family", start="2036-01-01T00:00:00Z", end="2036-12-31T00:00:00Z"):
    answer = hub.admin.get(f"/api/calendars/{entity_id}?start={start}&end={end}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def summaries(hub, entity_id="calendar.family"):
    return [each["summary"] for each in events(hub, entity_id)]


def refresh(hub, entity_id="calendar.family"):
    call(hub, "homeassistant.update_entity", {"entity_id": entity_id})


@pytest.mark.parametrize("path", ["", "/", "/ann/", "/ann/family/"])
def test_the_calendars_of_an_account_are_found(hub_factory, radicale, path):
    hub = hub_factory.start(demo=None, caldav=account(radicale, path))
    entry = in_state(hub, "loaded")
    assert (entry["title"], entry["source"], entry["reason"]) == ("ann", "yaml", None)
    assert attributes(hub, "calendar.family")["message"] == "Dinner & talk"
    assert attributes(hub, "calendar.family")["location"] == "Home"
    assert attributes(hub, "calendar.family")["start_time"] == "2036-01-05 19:00:00"
    assert [(each["summary"], each["start"]["dateTime"]) for each in events(hub)] == [
        ("Dinner & talk", "2036-01-05T19:00:00+01:00"), ("Piano", "2036-01-07T16:00:00+01:00"),
        ("Moved piano", "2036-01-15T16:00:00+01:00"), ("Piano", "2036-01-21T16:00:00+01:00")]
    # Lists of to-dos are no calendars.
    assert hub.admin.get("/api/states/calendar.tasks").status_code == 404


def test_an_unchanged_account_costs_one_request_and_a_change_what_has_changed(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    before = len(radicale.requests())
    refresh(hub)
    wait_until(lambda: len(radicale.requests()) > before)
    radicale.put("family", "new", calendar(event("new", ":20360101T080000Z", ":20360101T090000Z", "New")))
    unchanged = [request for request in radicale.requests()[before:] if not request.startswith("PUT")]
    assert unchanged == ["PROPFIND /ann/"]
    before = len(radicale.requests())
    refresh(hub)
    wait_until(lambda: summaries(hub)[:1] == ["New"])
    assert radicale.requests()[before:] == ["PROPFIND /ann/", "REPORT /ann/family/", "REPORT /ann/family/"]
    radicale.delete("family", "dinner")
    radicale.delete("family", "new")
    refresh(hub)
    wait_until(lambda: summaries(hub) == ["Piano", "Moved piano", "Piano"])


def test_calendars_come_and_go(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    radicale.make("work", "Work")
    radicale.delete("family")
    refresh(hub)
    wait_until(lambda: hub.admin.get("/api/states/calendar.work").status_code == 200)
    becomes(hub, "calendar.work", "off")
    becomes(hub, "calendar.family", "unavailable")
    assert hub.admin.get("/api/calendars/calendar.family?start=2036-01-01T00:00:00Z&end=2036-02-01T00:00:00Z").status_code == 503


def test_a_file_of_another_hub_loads_as_it_is(hub_factory, radicale):
    radicale.make("work", "Work")
    radicale.put("work", "dinner", DINNER.replace("UID:dinner", "UID:other"))
    custom = [{"name": "Music", "calendar": "Family", "search": "Pia"}, {"name": "Home things", "calendar": "Family", "search": "(?i)home"}]
    hub = hub_factory.start(demo=None, calendar=[
        {"platform": "caldav", **account(radicale), "custom_calendars": custom, "days": 1},
        {"platform": "caldav", **account(radicale, "/ann/"), "calendars": ["Work"]}])
    wait_until(lambda: {entry["state"] for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "caldav"} == {"loaded"}, 20)
    assert summaries(hub, "calendar.music") == ["Piano", "Moved piano", "Piano"]
    assert summaries(hub, "calendar.home_things") == ["Dinner & talk"]
    assert "message" not in attributes(hub, "calendar.music")  # further away than a day
    assert attributes(hub, "calendar.work")["message"] == "Dinner & talk"
    assert hub.admin.get("/api/states/calendar.family").status_code == 404


def test_a_page_adds_an_account(hub_factory, radicale):
    hub = hub_factory.start(demo=None)
    step = hub.admin.post(FLOW, json={"handler": "caldav"}).json()
    assert [field["name"] for field in step["data_schema"]] == ["url", "username", "password", "verify_ssl"]

    def submit(**fields):
        answer = hub.admin.post(f"{FLOW}/{step['flow_id']}", json={**account(radicale), **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert submit(url="nothing")["errors"] == {"url": "invalid_host"}
    assert submit(password="wrong")["errors"] == {"base": "invalid_auth"}
    web = IcsServer(page="<html>")
    try:
        assert submit(url=web.url("page"))["errors"]["base"] in ("cannot_connect", "unsupported")
    finally:
        web.stop()
    made = submit()
    assert (made["type"], made["title"]) == ("create_entry", "ann")
    in_state(hub, "loaded")
    wait_until(lambda: value(hub, "calendar.family") == "off", 20)
    assert "secret" not in hub.admin.get(f"/api/diagnostics/config_entry/{made['result']['entry_id']}").text
    step = hub.admin.post(FLOW, json={"handler": "caldav"}).json()
    assert submit()["reason"] == "already_configured"


def test_a_server_that_is_away_or_wants_another_password_is_told(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    radicale.stop()
    refresh(hub)
    assert "127.0.0.1" in in_state(hub, "setup_retry")["reason"]
    assert len(events(hub)) == 4  # for an hour
    (radicale.folder / "users").write_text("ann:other\n")
    radicale.start()
    refresh(hub)
    assert in_state(hub, "setup_error")["reason"].endswith("does not accept the user name and password.")
    (radicale.folder / "users").write_text("ann:secret\n")
    radicale.client.close()
    radicale.process.terminate()
    radicale.process.wait(10)
    radicale.start()
    refresh(hub)
    in_state(hub, "loaded")


def test_a_page_gives_an_account_another_password(hub_factory, radicale):
    hub = hub_factory.start(demo=None)
    step = hub.admin.post(FLOW, json={"handler": "caldav"}).json()
    hub.admin.post(f"{FLOW}/{step['flow_id']}", json=account(radicale))
    entry_id = in_state(hub, "loaded")["entry_id"]
    radicale.stop()
    (radicale.folder / "users").write_text("ann:other\n")
    radicale.start()
    refresh(hub)
    assert in_state(hub, "setup_error")["supports_reconfigure"] is True
    step = hub.admin.post(FLOW, json={"handler": "caldav", "entry_id": entry_id}).json()
    assert step["step_id"] == "reconfigure"
    assert [(field["name"], field["required"]) for field in step["data_schema"]] == [("password", True), ("verify_ssl", False)]

    def submit(password):
        return hub.admin.post(f"{FLOW}/{step['flow_id']}", json={"password": password}).json()
    assert submit("wrong")["errors"] == {"base": "invalid_auth"}
    assert entry_of(hub)["state"] == "setup_error"
    assert submit("other")["reason"] == "reconfigure_successful"
    assert in_state(hub, "loaded")["entry_id"] == entry_id
    hub.stop()
    hub = hub_factory.start(hub.folder)
    in_state(hub, "loaded")
    assert "other" not in hub.admin.get(f"/api/diagnostics/config_entry/{entry_id}").text


def changed(hub, service, **data):
    return call(hub, f"calendar.{service}", {"entity_id": "calendar.family", **data})


def test_events_are_written_at_the_server(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    assert attributes(hub, "calendar.family")["supported_features"] == 7
    changed(hub, "create_event", summary="Dentist, teeth", location="Town", start_date_time="2036-01-02 09:00",
            end_date_time="2036-01-02 10:00")
    # The call is done when the server's version has been read.
    assert attributes(hub, "calendar.family")["message"] == "Dentist, teeth"
    [made] = [text for text in radicale.objects("family") if "Dentist" in text]
    assert "SUMMARY:Dentist\\, teeth" in made and "DTSTART:20360102T080000Z" in made
    [uid] = [each["uid"] for each in events(hub) if each["summary"] == "Dentist, teeth"]
    changed(hub, "update_event", uid=uid, summary="Doctor")
    assert summaries(hub)[0] == "Doctor"
    assert "SUMMARY:Doctor" in radicale.get("family", uid) and "LOCATION:Town" in radicale.get("family", uid)
    changed(hub, "delete_event", uid=uid)
    assert "Doctor" not in summaries(hub) and radicale.get("family", uid) is None
    changed(hub, "create_event", summary="Holiday", start_date="2036-08-01", end_date="2036-08-15", rrule="FREQ=YEARLY")
    assert "Holiday" in summaries(hub)


def test_parts_of_an_event_that_recurs_are_written(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    piano = [each for each in events(hub) if each["uid"] == "piano"]
    assert [each["recurrence_id"] for each in piano] == ["20360107T160000", "20360114T160000", "20360121T160000"]
    changed(hub, "update_event", uid="piano", recurrence_id="20360121T160000", recurrence_range="THISANDFUTURE", summary="Organ")
    assert summaries(hub) == ["Dinner & talk", "Piano", "Moved piano", "Organ"]
    assert len(radicale.objects("family")) == 3 and "UNTIL=20360121T145959Z" in radicale.get("family", "piano")
    changed(hub, "update_event", uid="piano", recurrence_id="20360107T160000", summary="Concert")
    assert summaries(hub) == ["Dinner & talk", "Concert", "Moved piano", "Organ"]
    assert radicale.get("family", "piano").count("BEGIN:VEVENT") == 3
    changed(hub, "delete_event", uid="piano", recurrence_id="20360107T160000")
    assert summaries(hub) == ["Dinner & talk", "Moved piano", "Organ"]
    assert "EXDATE;TZID=Europe/Berlin:20360107T160000" in radicale.get("family", "piano")


def test_what_the_server_has_changed_meanwhile_is_not_overwritten(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale))
    in_state(hub, "loaded")
    radicale.delete("family", "dinner")
    radicale.put("family", "dinner", DINNER.replace("Dinner & talk", "Supper"))
    refusal = call(hub, "calendar.delete_event", {"entity_id": "calendar.family", "uid": "dinner"}, status=500)
    assert refusal == f"calendar.family: 127.0.0.1:{radicale.port} has another version of this by now (412)."
    assert "Supper" in radicale.get("family", "dinner")
    hub.logged("has another version of this by now")
    wait_until(lambda: "Supper" in summaries(hub))
    changed(hub, "delete_event", uid="dinner")
    assert radicale.get("family", "dinner") is None
    for data, message in (({"uid": "nobody"}, "there is no event nobody"),
                          ({"uid": "piano", "recurrence_id": "20360108T160000"}, "has no occurrence")):
        assert message in call(hub, "calendar.delete_event", {"entity_id": "calendar.family", **data}, status=400)


def test_what_the_server_refuses_fails_the_call_with_its_words(hub_factory, radicale):
    hub = hub_factory.start(demo=None, caldav=account(radicale), script={"write": {"sequence": [
        {"action": "calendar.create_event", "target": {"entity_id": "calendar.family"}, "continue_on_error": True,
         "data": {"summary": "One", "start_date": "2036-03-01", "end_date": "2036-03-02"}},
        {"event": "reached"},
        {"action": "calendar.delete_event", "target": {"entity_id": "calendar.family"}, "data": {"uid": "dinner"}},
        {"event": "not_reached"}]}})
    hub.errors_expected = True  # of the script
    in_state(hub, "loaded")
    radicale.forbid_writing()
    refusal = f"calendar.family: 127.0.0.1:{radicale.port} forbids this to the user."
    for service, data in (("create_event", {"summary": "One", "start_date": "2036-03-01", "end_date": "2036-03-02"}),
                          ("update_event", {"uid": "dinner", "summary": "Lunch"}),
                          ("update_event", {"uid": "piano", "recurrence_id": "20360121T160000", "recurrence_range": "THISANDFUTURE",
                                            "summary": "Organ"}),
                          ("delete_event", {"uid": "dinner"})):
        assert call(hub, f"calendar.{service}", {"entity_id": "calendar.family", **data}, status=500) == refusal
    assert refusal in call(hub, "script.write", status=400)
    assert summaries(hub) == ["Dinner & talk", "Piano", "Moved piano", "Piano"]
    radicale.stop()
    wait_until(lambda: "127.0.0.1" in call(hub, "calendar.delete_event", {"entity_id": "calendar.family", "uid": "dinner"}, status=500))
    radicale.start()
