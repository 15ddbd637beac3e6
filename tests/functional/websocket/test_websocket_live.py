# SPDX-License-Identifier: Apache-2.0
"""What subscribers of the WebSocket API get: every change once, in order, and nothing that they may not see."""

import json
import socket
import threading

import pytest

from hub_process import wait_until
from websocket_client import WebSocketClient


@pytest.fixture
def ann(hub):
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        yield client


@pytest.fixture
def admin(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        yield client


def apply(entities, event):
    """What home-assistant-js-websocket does with an event of subscribe_entities."""
    for entity_id, full in event.get("a", {}).items():
        context = full["c"] if isinstance(full["c"], dict) else {"id": full["c"], "parent_id": None, "user_id": None}
        entities[entity_id] = {"state": full["s"], "attributes": dict(full["a"]), "context": context,
                               "lc": full["lc"], "lu": full.get("lu", full["lc"])}
    for entity_id in event.get("r", []):
        del entities[entity_id]
    for entity_id, diff in event.get("c", {}).items():
        entity, plus = entities[entity_id], diff["+"]
        entity["state"] = plus.get("s", entity["state"])
        if "lc" in plus:
            entity["lc"] = entity["lu"] = plus["lc"]
        entity["lu"] = plus.get("lu", entity["lu"])
        if "c" in plus:
            entity["context"] |= plus["c"] if isinstance(plus["c"], dict) else {"id": plus["c"]}
        entity["attributes"] |= plus.get("a", {})
        for name in diff.get("-", {}).get("a", []):
            del entity["attributes"][name]


def subscribe(client, **fields):
    """Subscribes to entities; returns the command's id and the first states."""
    assert client.result("subscribe_entities", **fields) is None
    event = client.event(client.last_id)
    assert set(event) == {"a"}
    entities = {}
    apply(entities, event)
    return client.last_id, entities


@pytest.mark.contract("WebSocket: subscribe_entities")
def test_snapshot_shows_every_state(hub, ann):
    _, entities = subscribe(ann)
    states = {state["entity_id"]: state for state in ann.result("get_states")}
    assert set(entities) == set(states)
    for entity_id, entity in entities.items():
        assert entity["state"] == states[entity_id]["state"]
        assert entity["attributes"] == states[entity_id]["attributes"]
        assert entity["context"] == states[entity_id]["context"]


@pytest.mark.contract("WebSocket: subscribe_entities")
def test_change_shows_only_what_changed(hub, ann, name):
    entity_id = f"sensor.{name}"
    number, _ = subscribe(ann, entity_ids=[entity_id])
    hub.admin.post(f"/api/states/{entity_id}", json={"state": "1", "attributes": {"a": 1, "b": [2]}})
    added = ann.event(number)["a"][entity_id]
    assert (added["s"], added["a"], "lu" in added) == ("1", {"a": 1, "b": [2]}, False)
    assert set(added["c"]) == {"id", "parent_id", "user_id"}

    written = hub.admin.post(f"/api/states/{entity_id}", json={"state": "1", "attributes": {"b": [3], "c": None}}).json()
    event = ann.event(number)
    assert set(event) == {"c"}
    change = event["c"][entity_id]
    assert set(change["+"]) == {"lu", "c", "a"}
    assert change["+"]["a"] == {"b": [3], "c": None}
    assert change["+"]["c"] == written["context"]["id"]
    assert change["-"] == {"a": ["a"]}

    hub.ann.post(f"/api/states/{entity_id}", json={"state": "2", "attributes": {"b": [3], "c": None}})
    change = ann.event(number)["c"][entity_id]
    assert set(change) == {"+"} and set(change["+"]) == {"s", "lc", "c"}
    assert set(change["+"]["c"]) == {"id", "user_id"}

    hub.admin.delete(f"/api/states/{entity_id}")
    assert ann.event(number) == {"r": [entity_id]}
    hub.admin.post(f"/api/states/{entity_id}", json={"state": "3"})
    assert set(ann.event(number)) == {"a"}


@pytest.mark.contract("WebSocket: subscribe_entities")
def test_write_that_changes_nothing_shows_nothing(hub, ann, name):
    entity_id = f"sensor.{name}"
    hub.admin.post(f"/api/states/{entity_id}", json={"state": "1"})
    number, _ = subscribe(ann, entity_ids=[entity_id])
    hub.admin.post(f"/api/states/{entity_id}", json={"state": "1"})
    hub.admin.post(f"/api/states/{entity_id}", json={"state": "2"})
    assert ann.event(number)["c"][entity_id]["+"]["s"] == "2"


@pytest.mark.contract("WebSocket: subscribe_entities")
def test_include_and_exclude_choose_entities(hub, ann, name):
    number, entities = subscribe(ann, include={"domains": ["lock"], "entity_globs": [f"sensor.{name}_*"]},
                                 exclude={"entities": [f"sensor.{name}_b"]})
    assert entities and all(entity_id.startswith("lock.") for entity_id in entities)
    for letter in ("b", "c"):
        hub.admin.post(f"/api/states/sensor.{name}_{letter}", json={"state": "1"})
    assert list(ann.event(number)["a"]) == [f"sensor.{name}_c"]


@pytest.mark.contract("WebSocket: subscribe_entities", "WebSocket: no gap")
def test_no_change_is_lost_or_repeated_while_clients_connect(hub_factory):
    hub = hub_factory.start()
    stop = threading.Event()
    names = [f"sensor.race_{i}" for i in range(5)]
    for name in names:
        hub.admin.post(f"/api/states/{name}", json={"state": "0"})

    def write():
        with hub.client("admin") as client:
            value = 0
            while not stop.is_set():
                value += 1
                for name in names:
                    client.post(f"/api/states/{name}", json={"state": str(value), "attributes": {"n": value}})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(6):
            with WebSocketClient(hub, hub.tokens["ann"]) as client:
                number, entities = subscribe(client, entity_ids=names)
                seen = {name: int(entities[name]["state"]) for name in names}
                for _ in range(40):
                    event = client.event(number)
                    for name, change in event["c"].items():
                        assert int(change["+"]["s"]) == seen[name] + 1
                        seen[name] += 1
                    apply(entities, event)
                assert all(entities[name]["attributes"] == {"n": seen[name]} for name in names)
    finally:
        stop.set()
        writer.join()


@pytest.mark.contract("WebSocket: subscribe_events")
def test_events_come_in_their_envelope(hub, admin, name):
    assert admin.result("subscribe_events", event_type=name) is None
    number = admin.last_id
    hub.admin.post(f"/api/events/{name}", json={"answer": 42})
    event = admin.event(number)
    assert set(event) == {"event_type", "data", "origin", "time_fired", "context"}
    assert (event["event_type"], event["data"], event["origin"]) == (name, {"answer": 42}, "REMOTE")


@pytest.mark.contract("WebSocket: subscribe_events")
def test_subscription_to_all_gets_all(hub, admin, name):
    admin.result("subscribe_events")
    number = admin.last_id
    hub.admin.post(f"/api/events/{name}_a")
    hub.admin.post(f"/api/events/{name}_b")
    heard = []
    while len(heard) < 2:
        event = admin.event(number)
        if event["event_type"].startswith(name):
            heard.append(event["event_type"])
    assert heard == [f"{name}_a", f"{name}_b"]


@pytest.mark.contract("WebSocket: subscribe_events", "Events: list")
def test_subscription_counts_as_a_listener(hub, admin, name):
    admin.result("subscribe_events", event_type=name)
    number = admin.last_id
    assert hub.listener_counts()[name] == 1
    assert admin.result("unsubscribe_events", subscription=number) is None
    assert name not in hub.listener_counts()
    admin.result("subscribe_events", event_type=name)
    assert hub.listener_counts()[name] == 1
    admin.close()
    wait_until(lambda: name not in hub.listener_counts())


@pytest.mark.contract("WebSocket: rights")
def test_others_than_administrators_get_what_a_page_needs(hub, ann):
    for kind in ("state_changed", "service_registered", "service_removed", "core_config_updated", "component_loaded",
                 "area_registry_updated", "device_registry_updated", "entity_registry_updated", "panels_updated"):
        assert ann.result("subscribe_events", event_type=kind) is None
    for fields in ({}, {"event_type": "*"}, {"event_type": "call_service"}, {"event_type": "made_up"}):
        assert ann.error("subscribe_events", **fields)[0] == "unauthorized"


@pytest.mark.contract("WebSocket: service calls")
def test_service_call_acts_and_names_its_context(hub, ann):
    number, _ = subscribe(ann, entity_ids=["light.living_room"])
    target = {"entity_id": ["light.living_room"]}
    ann.result("call_service", domain="light", service="turn_off", target=target)
    ann.waiting.clear()
    result = ann.result("call_service", domain="light", service="turn_on", target=target,
                        service_data={"brightness": 77})
    assert result["response"] is None
    change = ann.event(number)["c"]["light.living_room"]["+"]
    assert (change["s"], change["a"]["brightness"]) == ("on", 77)
    state = hub.ann.get("/api/states/light.living_room").json()
    assert state["context"] == result["context"]


@pytest.mark.contract("WebSocket: service calls")
def test_service_call_distinguishes_wrong_data_from_a_failed_device(hub, ann):
    call = {"domain": "lock", "service": "lock", "target": {"entity_id": "lock.front_door"}}
    assert ann.error("call_service", **call | {"service": "open_sesame"}) == \
        ("not_found", "Service lock.open_sesame not found.")
    assert ann.error("call_service", **call | {"service_data": {"key": 1}})[0] == "invalid_format"
    assert ann.error("call_service", **call | {"domain": 3})[0] == "invalid_format"
    code, message = ann.error("call_service", domain="lock", service="open", target={"entity_id": "lock.garden_shed"})
    assert code == "service_validation_error", message
    with WebSocketClient(hub, hub.tokens["display"]) as display:
        assert display.error("call_service", **call)[0] == "unauthorized"


@pytest.mark.contract("WebSocket: slow reader")
def test_client_that_never_reads_is_cut_and_nobody_else_waits(hub_factory):
    hub = hub_factory.start()
    with WebSocketClient(hub, hub.tokens["admin"], sockopt=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)]) as slow, \
            WebSocketClient(hub, hub.tokens["admin"], timeout=20) as quick:
        for client in (slow, quick):
            client.result("subscribe_events", event_type="flood")
        body = json.dumps({"filler": "x" * 200_000})
        for count in range(1, 1_000):
            hub.admin.post("/api/events/flood", content=body)
            assert quick.event(quick.last_id)["data"]["filler"] == "x" * 200_000
            if count % 20 == 0 and hub.listener_counts()["flood"] == 1:
                break
        assert hub.listener_counts()["flood"] == 1
