# SPDX-License-Identifier: Apache-2.0
"""To-do lists: items over REST and WebSocket, for readers, and over a kill."""

import signal

import pytest

from checks import call, state_of
from hub_process import base_settings, write_settings
from test_durability import kill
from websocket_client import WebSocketClient

LIST = "todo.shopping_list"


def items(hub, user="admin", **fields):
    """The items of the list: {text: item}."""
    answer = call(hub, "todo.get_items", {"entity_id": LIST, **fields}, user=user, query="?return_response")
    assert answer["changed_states"] == []
    return {item["summary"]: item for item in answer["service_response"][LIST]["items"]}


@pytest.fixture
def home(hub_factory):
    return hub_factory()


def test_items_are_added_changed_and_removed(home):
    count = int(state_of(home, LIST)["state"])
    assert count == len(items(home))
    (changed,) = call(home, "todo.add_item", {"entity_id": LIST, "item": "Tea", "due_date": "2026-12-01"}, user="ann")
    assert changed["state"] == str(count + 1) and changed["context"]["user_id"]
    tea = items(home)["Tea"]
    assert tea == {"uid": tea["uid"], "summary": "Tea", "status": "needs_action", "due": "2026-12-01"}
    with WebSocketClient(home, home.tokens["ann"]) as client:
        client.result("call_service", domain="todo", service="update_item", target={"entity_id": LIST},
                      service_data={"item": tea["uid"], "rename": "Green tea", "status": "completed"})
    assert items(home)["Green tea"]["status"] == "completed"
    assert list(items(home, status="completed")) == ["Green tea"]
    call(home, "todo.remove_completed_items", {"entity_id": LIST})
    assert int(state_of(home, LIST)["state"]) == count == len(items(home))
    assert "there is no Green tea" in call(home, "todo.remove_item", {"entity_id": LIST, "item": "Green tea"}, status=400)


@pytest.mark.contract("Services: right missing")
def test_a_reader_may_ask_but_not_change(home):
    before = items(home)
    assert items(home, user="display") == before
    call(home, "todo.add_item", {"entity_id": LIST, "item": "Tea"}, user="display", status=403)
    with WebSocketClient(home, home.tokens["display"]) as client:
        asked = client.result("call_service", domain="todo", service="get_items", target={"entity_id": LIST},
                              return_response=True)
        assert len(asked["response"][LIST]["items"]) == len(before)
        assert client.error("call_service", domain="todo", service="add_item", target={"entity_id": LIST},
                            service_data={"item": "Tea"})[0] == "unauthorized"
    assert items(home) == before


def test_an_event_names_the_list_that_changed(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        subscription = client.send({"id": 1, "type": "subscribe_events", "event_type": "collection_updated"})
        assert client.receive()["success"], subscription
        call(home, "todo.add_item", {"entity_id": LIST, "item": "Tea"})
        event = client.event(1)
        assert event["data"]["action"] == "create" and event["data"]["entity_id"] == LIST
        assert event["data"]["item_id"] == items(home)["Tea"]["uid"]


def test_items_are_moved(home):
    def order(client):
        return [item["summary"] for item in client.result("todo/item/list", entity_id=LIST)["items"]]

    with WebSocketClient(home, home.tokens["ann"]) as client, WebSocketClient(home, home.tokens["display"]) as reader:
        first, second, third = client.result("todo/item/list", entity_id=LIST)["items"][:3]
        names = [item["summary"] for item in (first, second, third)]
        client.result("todo/item/move", entity_id=LIST, uid=first["uid"], previous_uid=third["uid"])
        assert order(client)[:3] == [names[1], names[2], names[0]] == list(items(home))[:3]
        client.result("todo/item/move", entity_id=LIST, uid=third["uid"])
        assert order(client)[:3] == [names[2], names[1], names[0]]
        assert set(client.result("todo/item/list", entity_id=LIST)["items"][0]) <= {"uid", "summary", "status", "due", "description"}
        assert client.error("todo/item/move", entity_id=LIST, uid="nobody")[1] == "item: there is no nobody."
        assert reader.error("todo/item/move", entity_id=LIST, uid=first["uid"])[0] == "unauthorized"
        assert order(client)[:3] == [names[2], names[1], names[0]]


def test_items_survive_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    call(hub, "todo.add_item", {"entity_id": LIST, "item": "Tea", "description": "green"})
    call(hub, "todo.move_item", {"entity_id": LIST, "item": "Tea"})
    call(hub, "todo.remove_item", {"entity_id": LIST, "item": "Bread"})
    before = items(hub)
    assert list(before)[0] == "Tea"
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert items(hub) == before and list(items(hub)) == list(before)
    assert state_of(hub, LIST)["state"] == str(len(before))


def test_a_removed_list_leaves_no_items(hub_factory):
    hub = hub_factory(folder := hub_factory.folder())
    call(hub, "todo.add_item", {"entity_id": LIST, "item": "Tea"})
    hub.stop(signal.SIGTERM)
    hub_factory.hubs.remove(hub)
    without_demo = base_settings()
    del without_demo["demo"]
    write_settings(folder, without_demo)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/remove", entity_id=LIST)
    hub.stop(signal.SIGTERM)
    hub_factory.hubs.remove(hub)
    write_settings(folder, base_settings())
    assert "Tea" not in items(hub_factory(folder))


@pytest.mark.contract("WebSocket: commands")
def test_a_client_follows_a_list_after_its_entity_was_renamed(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        before = client.result("todo/item/list", entity_id=LIST)
        assert [item["summary"] for item in before["items"]] == list(items(home))
        client.result("todo/item/subscribe", entity_id=LIST)
        subscription = client.last_id
        assert client.event(subscription) == before
        client.result("config/entity_registry/update", entity_id=LIST, new_entity_id="todo.errands")
        assert client.error("todo/item/list", entity_id=LIST)[0] == "not_found"
        call(home, "todo.add_item", {"entity_id": "todo.errands", "item": "Tea"})
        now = client.event(subscription)
        assert [item["summary"] for item in now["items"]] == [item["summary"] for item in before["items"]] + ["Tea"]
        assert client.result("todo/item/list", entity_id="todo.errands") == now
