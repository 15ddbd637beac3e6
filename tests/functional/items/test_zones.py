# SPDX-License-Identifier: Apache-2.0
"""Zones, the first collection that people change: commands, entities, events, rights, and what a kill leaves."""

from checks import state_of
from test_durability import kill
from test_rights import add_with_rights
from websocket_client import WebSocketClient

WORK = {"name": "Work", "latitude": 52.5, "longitude": 13.4}


def test_a_zone_is_made_changed_and_deleted(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="collection_updated")
        events = client.last_id
        work = client.result("zone/create", **WORK)
        assert work == {"id": "work", **WORK, "radius": 100, "passive": False}
        assert client.event(events)["data"] == {"action": "create", "collection": "zone", "item_id": "work"}
        assert client.result("zone/create", **WORK)["id"] == "work_2"
        assert client.result("zone/update", zone_id="work", name="Office", icon="mdi:desk")["name"] == "Office"
        assert [zone["name"] for zone in client.result("zone/list")] == ["Office", "Work"]
        state = state_of(hub, "zone.work")
        assert state["state"] == "0" and state["attributes"]["friendly_name"] == "Office"
        assert state["attributes"]["icon"] == "mdi:desk" and state["attributes"]["latitude"] == 52.5
        assert client.result("zone/delete", zone_id="work") is None
        assert hub.admin.get("/api/states/zone.work").status_code == 404
        code, message = client.error("zone/create", **WORK, height=3)
        assert code == "invalid_format" and message.startswith("height: unknown field of a zone")


def test_what_is_answered_has_happened(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events")
        for number in range(40):
            client.result("zone/create", **WORK)
            assert state_of(hub, "zone.work")["state"] == "0", number
            client.result("zone/update", zone_id="work", radius=number + 1)
            assert state_of(hub, "zone.work")["attributes"]["radius"] == number + 1
            client.result("zone/delete", zone_id="work")
            assert hub.admin.get("/api/states/zone.work").status_code == 404, number


def test_others_read_zones_only(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", "read: {domains: [zone]}\n")
    add_with_rights(hub, "cook", "read: {areas: [kitchen]}\n")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("zone/create", **WORK)
    for user in ("ann", "display", "guest"):
        with WebSocketClient(hub, hub.tokens[user]) as client:
            assert [zone["id"] for zone in client.result("zone/list")] == ["work"]
            for command in ("create", "update", "delete"):
                assert client.error(f"zone/{command}", zone_id="work")[0] == "unauthorized"
    with WebSocketClient(hub, hub.tokens["cook"]) as client:
        assert client.result("zone/list") == []


def test_zones_survive_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        for name in ("Work", "School", "Pool"):
            client.result("zone/create", **WORK | {"name": name})
        client.result("zone/delete", zone_id="school")
        before = client.result("zone/list")
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("zone/list") == before
    assert state_of(hub, "zone.pool")["state"] == "0"
