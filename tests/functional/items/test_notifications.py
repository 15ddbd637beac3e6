# SPDX-License-Identifier: Apache-2.0
"""Notifications for people."""

import pytest

from test_rights import add_with_rights
from websocket_client import WebSocketClient


@pytest.fixture
def home(hub_factory):
    return hub_factory()


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def service(client, name, **data):
    return client.result("call_service", domain="persistent_notification", service=name, service_data=data)


@pytest.mark.contract("WebSocket: notifications")
def test_a_note_comes_changes_and_goes(home, admin):
    service(admin, "create", message="Old", notification_id="old")
    admin.result("persistent_notification/subscribe")
    subscription = admin.last_id
    first = admin.event(subscription)
    assert first["type"] == "current" and list(first["notifications"]) == ["old"]
    service(admin, "create", message="Open for an hour", title="Door", notification_id="door")
    added = admin.event(subscription)
    assert added["type"] == "added"
    note = added["notifications"]["door"]
    assert (note["message"], note["title"], note["status"]) == ("Open for an hour", "Door", "unread")
    assert set(note) == {"notification_id", "message", "title", "created_at", "status"}
    service(admin, "mark_read", notification_id="door")
    updated = admin.event(subscription)
    assert (updated["type"], updated["notifications"]["door"]["status"]) == ("updated", "read")
    assert [each["notification_id"] for each in admin.result("persistent_notification/get")] == ["old", "door"]
    service(admin, "dismiss", notification_id="door")
    gone = admin.event(subscription)
    assert (gone["type"], list(gone["notifications"])) == ("removed", ["door"])
    service(admin, "dismiss", notification_id="door")  # somebody else was quicker
    service(admin, "dismiss_all")
    assert admin.event(subscription)["type"] == "removed"
    assert admin.result("persistent_notification/get") == []


@pytest.mark.contract("WebSocket: notifications")
def test_notes_survive_a_restart(hub_factory):
    hub = hub_factory()
    assert hub.admin.post("/api/services/persistent_notification/create", json={"message": "Stay"}).status_code == 200
    hub.stop()
    hub = hub_factory(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert [note["message"] for note in client.result("persistent_notification/get")] == ["Stay"]


@pytest.mark.contract("WebSocket: notifications")
def test_one_note_too_many_removes_the_oldest(home, admin):
    for number in range(103):
        service(admin, "create", message=str(number), notification_id=str(number))
    service(admin, "create", message="again", notification_id="50")
    notes = admin.result("persistent_notification/get")
    assert [note["notification_id"] for note in notes] == [str(number) for number in range(3, 103)]


@pytest.mark.contract("WebSocket: notifications")
@pytest.mark.parametrize(("name", "data", "said"), [
    ("create", {}, "message"),
    ("create", {"message": "x" * 8_193}, "message: expected at most 8192 characters"),
    ("create", {"message": "x", "title": "x" * 256}, "title: expected at most 255 characters"),
    ("dismiss", {}, "notification_id"),
    ("mark_read", {"notification_id": "none"}, "notification_id: there is no none"),
])
def test_wrong_notes_are_refused(home, name, data, said):
    answer = home.admin.post(f"/api/services/persistent_notification/{name}", json=data)
    assert answer.status_code == 400 and said in answer.json()["message"]


@pytest.mark.contract("WebSocket: notifications")
def test_notes_are_for_those_who_read_the_whole_home(home, admin):
    add_with_rights(home, "guest", "read: {areas: [kitchen], domains: [zone]}\ncontrol: {areas: [kitchen]}\n")
    with WebSocketClient(home, home.tokens["guest"]) as guest:
        guest.result("persistent_notification/subscribe")
        assert guest.event(1) == {"type": "current", "notifications": {}}
        guest.result("subscribe_events", event_type="collection_updated")
        service(admin, "create", message="The bedroom is cold", notification_id="secret")
        admin.result("zone/create", name="Work", latitude=1, longitude=2)
        assert guest.event(2)["data"]["collection"] == "zone"  # the first that this user hears of
        assert guest.result("persistent_notification/get") == []
        assert guest.error("call_service", domain="persistent_notification", service="dismiss_all")[0] == "unauthorized"
