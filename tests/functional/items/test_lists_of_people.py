# SPDX-License-Identifier: Apache-2.0
"""To-do lists and calendars that people make: commands, entities, what a kill leaves, and what goes with them."""

import pytest

from checks import assert_json, call, state_of
from hub_process import wait_until
from test_durability import kill
from websocket_client import WebSocketClient


@pytest.fixture
def home(hub_factory):
    return hub_factory()


def admin(hub):
    return WebSocketClient(hub, hub.tokens["admin"])


def made(hub, collection, **fields):
    """The id of the entity of a new list."""
    with admin(hub) as client:
        item = client.result(f"{collection}/create", **fields)["id"]
        found = lambda: [entity for entity in client.result("config/entity_registry/list")
                         if entity["platform"] == collection and entity["unique_id"] == item]
        wait_until(found)
        return found()[0]["entity_id"]


def items(hub, entity):
    answer = call(hub, "todo.get_items", {"entity_id": entity}, query="?return_response")
    return [item["summary"] for item in answer["service_response"][entity]["items"]]


def test_a_list_and_a_calendar_survive_a_kill_with_what_stands_on_them(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    assert made(hub, "local_todo", name="Chores", icon="mdi:broom") == "todo.chores"
    assert made(hub, "local_calendar", name="Work") == "calendar.work"
    call(hub, "todo.add_item", {"entity_id": "todo.chores", "item": "Sweep"})
    call(hub, "calendar.create_event", {"entity_id": "calendar.work", "summary": "Now", "start_date_time": "2020-01-01 00:00",
                                        "end_date_time": "2100-01-01 00:00"})
    assert state_of(hub, "calendar.work")["state"] == "on"
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    chores = state_of(hub, "todo.chores")
    assert chores["state"] == "1" and chores["attributes"]["friendly_name"] == "Chores"
    assert items(hub, "todo.chores") == ["Sweep"]
    assert state_of(hub, "calendar.work")["attributes"]["message"] == "Now"
    assert {"entity_id": "calendar.work", "name": "Work"} in assert_json(hub.admin.get("/api/calendars"))


def test_a_list_can_be_renamed_and_what_stands_on_it_goes_with_it(home):
    entity = made(home, "local_todo", name="Chores")
    call(home, "todo.add_item", {"entity_id": entity, "item": "Sweep"})
    with admin(home) as client:
        client.result("local_todo/update", local_todo_id="chores", name="Duties")
        wait_until(lambda: state_of(home, entity)["attributes"]["friendly_name"] == "Duties")
        assert items(home, entity) == ["Sweep"]
        client.result("local_todo/delete", local_todo_id="chores")
        wait_until(lambda: home.admin.get(f"/api/states/{entity}").status_code == 404)
    assert items(home, made(home, "local_todo", name="Chores")) == []


def test_one_whose_name_is_taken_gets_another_id(home):
    assert made(home, "local_todo", name="Shopping list") == "todo.shopping_list_2"  # the demo home has one
    assert made(home, "local_calendar", name="Family") == "calendar.family_2"


def test_files_cannot_define_them(hub_factory):
    folder = hub_factory.folder(local_todo={"chores": {"name": "Chores"}})
    assert hub_factory(folder).admin.get("/api/states/todo.chores").status_code == 404
