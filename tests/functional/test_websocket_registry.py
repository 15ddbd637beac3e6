# SPDX-License-Identifier: Apache-2.0
"""Areas, devices and entities as users change them: what follows from a change, and that it outlives a restart."""

import pytest

from hub_process import wait_until
from websocket_client import WebSocketClient

KITCHEN = "light.kitchen"


@pytest.fixture
def home(hub_factory):
    return hub_factory.start()


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as connected:
        yield connected


def state(home, entity_id):
    answer = home.admin.get(f"/api/states/{entity_id}")
    return answer.json() if answer.status_code == 200 else None


def update(client, entity_id=KITCHEN, **fields):
    return client.result("config/entity_registry/update", entity_id=entity_id, **fields)["entity_entry"]


@pytest.mark.contract("WebSocket: registry")
def test_new_name_shows_in_the_state(home, client):
    before = state(home, KITCHEN)["attributes"]["friendly_name"]
    entry = update(client, name="Lamp over the table")
    assert (entry["name"], entry["original_name"]) == ("Lamp over the table", before)
    wait_until(lambda: state(home, KITCHEN)["attributes"]["friendly_name"] == "Lamp over the table")
    update(client, name=None)
    wait_until(lambda: state(home, KITCHEN)["attributes"]["friendly_name"] == before)


@pytest.mark.contract("WebSocket: registry")
def test_new_entity_id_moves_the_state_and_is_served(home, client):
    update(client, new_entity_id="light.counter")
    wait_until(lambda: state(home, "light.counter"))
    assert state(home, KITCHEN) is None
    client.result("call_service", domain="light", service="turn_on", target={"entity_id": "light.counter"})
    assert state(home, "light.counter")["state"] == "on"


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize("wanted", ["light.hall", "switch.kitchen", "light.", "Light Kitchen"])
def test_entity_id_that_is_taken_or_of_another_domain_is_refused(client, wanted):
    code, message = client.error("config/entity_registry/update", entity_id=KITCHEN, new_entity_id=wanted)
    assert code in ("invalid_info", "invalid_format"), message


@pytest.mark.contract("WebSocket: registry")
def test_disabled_entity_has_no_state_and_no_service(home, client):
    update(client, disabled_by="user")
    wait_until(lambda: state(home, KITCHEN) is None)
    assert client.result("call_service", domain="light", service="turn_on", target={"entity_id": KITCHEN})
    assert state(home, KITCHEN) is None
    update(client, disabled_by=None)
    wait_until(lambda: state(home, KITCHEN))


@pytest.mark.contract("WebSocket: registry")
def test_area_of_an_entity_counts_for_service_calls(home, client):
    area = client.result("config/area_registry/create", name="Workshop")["area_id"]
    update(client, area_id=area)
    target = {"area_id": area}
    client.result("call_service", domain="light", service="turn_on", target=target)
    assert state(home, KITCHEN)["state"] == "on"
    client.result("call_service", domain="light", service="turn_off", target=target)
    assert state(home, KITCHEN)["state"] == "off"
    assert client.result("config/area_registry/delete", area_id=area) == "success"
    assert client.result("config/entity_registry/get", entity_id=KITCHEN)["area_id"] is None


@pytest.mark.contract("WebSocket: registry")
def test_labels_are_those_that_something_carries(client):
    assert client.result("config/label_registry/list") == []
    update(client, labels=["warm", "dim"])
    assert [label["label_id"] for label in client.result("config/label_registry/list")] == ["dim", "warm"]


@pytest.mark.contract("WebSocket: registry")
def test_changes_are_told_to_everybody(home, client):
    with WebSocketClient(home, home.tokens["ann"]) as listener:
        for kind in ("area", "device", "entity"):
            listener.result("subscribe_events", event_type=f"{kind}_registry_updated")
        area = client.result("config/area_registry/create", name="Workshop")["area_id"]
        event = listener.event(1)
        assert (event["event_type"], event["data"]) == ("area_registry_updated", {"action": "create", "area_id": area})
        device = client.result("config/entity_registry/get", entity_id=KITCHEN)["device_id"]
        client.result("config/device_registry/update", device_id=device, area_id=area)
        event = listener.event(2)
        assert (event["data"]["action"], event["data"]["device_id"]) == ("update", device)
        update(client, name="Lamp")
        event = listener.event(3)
        assert (event["data"]["action"], event["data"]["entity_id"]) == ("update", KITCHEN)
        update(client, name="Lamp")  # nothing changes, nothing is told
        update(client, icon="mdi:lamp")
        assert "icon" in listener.event(3)["data"]["changes"]


@pytest.mark.contract("WebSocket: registry", "States: after a restart")
def test_changes_outlive_a_restart(hub_factory):
    hub = hub_factory.start()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        area = client.result("config/area_registry/create", name="Workshop", icon="mdi:hammer")["area_id"]
        entry = update(client, name="Lamp", area_id=area, new_entity_id="light.bench")
        update(client, "light.hall", disabled_by="user")
    wait_until(lambda: state(hub, "light.bench"))
    hub.stop()
    hub = hub_factory.start(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        again = client.result("config/entity_registry/get", entity_id="light.bench")
        assert {key: again[key] for key in ("id", "name", "area_id", "unique_id")} == \
            {key: entry[key] for key in ("id", "name", "area_id", "unique_id")}
        assert {"area_id": area, "icon": "mdi:hammer"}.items() <= \
            next(a for a in client.result("config/area_registry/list") if a["area_id"] == area).items()
    assert state(hub, "light.bench")["attributes"]["friendly_name"] == "Lamp"
    assert state(hub, KITCHEN) is None and state(hub, "light.hall") is None


@pytest.mark.contract("WebSocket: registry")
def test_entity_that_no_integration_brings_any_more_can_be_removed(hub_factory):
    hub = hub_factory.start()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.error("config/entity_registry/remove", entity_id=KITCHEN)[0] == "invalid_info"
    hub.stop()
    (hub.folder / "configuration.yaml").write_text("recorder: {commit_interval: 1s}\n")
    hub = hub_factory.start(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("config/entity_registry/get", entity_id=KITCHEN)["platform"] == "demo"
        assert client.result("config/entity_registry/remove", entity_id=KITCHEN) is None
        assert client.error("config/entity_registry/get", entity_id=KITCHEN)[0] == "not_found"


@pytest.mark.contract("WebSocket: rights")
def test_who_is_no_administrator_reads_the_registry_but_changes_nothing(home):
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        assert ann.result("config/area_registry/list")
        for command, fields in (("area_registry/create", {"name": "X"}), ("entity_registry/update", {"entity_id": KITCHEN}),
                                ("device_registry/update", {"device_id": "x"})):
            assert ann.error(f"config/{command}", **fields)[0] == "unauthorized"
