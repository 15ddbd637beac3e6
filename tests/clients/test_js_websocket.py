# SPDX-License-Identifier: Apache-2.0
"""home-assistant-js-websocket: what browsers and Node programs use."""

import shutil

import pytest

from line_client import ClientError, LineClient
from login_client import CLIENT, code_of, refresh
from packages import FOLDER
from test_tokens import become, expire, get

# Of the library.
ERR_INVALID_AUTH = 2


@pytest.fixture
def start(node_packages):
    """Starts clients that end with the test."""
    clients = []

    def begin():
        clients.append(LineClient(shutil.which("node"), "websocket_client.mjs", cwd=FOLDER))
        return clients[-1]

    yield begin
    for client in clients:
        client.stop()


@pytest.fixture
def connected(start, hub):
    """A client of the user that is connected with a long-lived token."""

    def begin(user="ann", hub=hub):
        client = start()
        client.ask("useToken", url=hub.url, token=hub.tokens[user])
        client.ask("connect")
        return client

    return begin


def has_state(entity_id, state):
    return lambda entities: entities and entities.get(entity_id, {}).get("state") == state


def write(hub, entity_id, state, **attributes):
    response = hub.ann.post(f"/api/states/{entity_id}", json={"state": state, "attributes": attributes})
    assert response.status_code in (200, 201), response.text


def test_hub_is_new_enough_for_compressed_states(start, hub):
    """From 2022.9 on the library subscribes to entities and lets messages come in one frame."""
    client = start()
    client.ask("useToken", url=hub.url, token=hub.tokens["ann"])
    version = client.ask("connect")
    assert [int(part) for part in version.split(".")[:2]] >= [2022, 9]
    assert version == hub.admin.get("/api/config").json()["version"]


def test_a_wrong_token_is_refused_for_good(start, hub):
    client = start()
    client.ask("useToken", url=hub.url, token="wrong")
    with pytest.raises(ClientError) as refusal:
        client.ask("connect")
    assert refusal.value.code == ERR_INVALID_AUTH


@pytest.mark.parametrize("user", ["admin", "ann", "display"])
def test_snapshot_is_what_rest_shows(connected, hub, name, user):
    write(hub, f"test.{name}", "on", friendly_name="Größe", list=[1, None, {"a": 0.5}], big=2**53 - 1)
    client = connected(user)
    client.ask("follow", collection="entities")
    seen = client.wait_for(bool, "latest", collection="entities")
    expected = {state["entity_id"]: state for state in hub.ann.get("/api/states").json()}
    assert {i: (s["state"], s["attributes"]) for i, s in seen.items()} == {
        i: (s["state"], s["attributes"]) for i, s in expected.items()}
    assert {state["entity_id"] for state in client.ask("states")} == set(expected)
    # The library gives times in milliseconds.
    for moment in ("last_changed", "last_updated"):
        assert seen[f"test.{name}"][moment][:19] == expected[f"test.{name}"][moment][:19]


@pytest.mark.parametrize("user", ["admin", "ann", "display"])
def test_a_write_by_rest_arrives_as_a_change(connected, hub, name, user):
    entity_id = f"test.{name}"
    client = connected(user)
    client.ask("follow", collection="entities")
    client.wait_for(bool, "latest", collection="entities")
    write(hub, entity_id, "on", kept=1, dropped=2)
    first = client.wait_for(has_state(entity_id, "on"), "latest", collection="entities")[entity_id]
    assert first["attributes"] == {"kept": 1, "dropped": 2}
    write(hub, entity_id, "off", kept=1, added=[3])
    second = client.wait_for(has_state(entity_id, "off"), "latest", collection="entities")[entity_id]
    assert second["attributes"] == {"kept": 1, "added": [3]}
    assert second["last_changed"] > first["last_changed"]
    assert second["context"]["id"] != first["context"]["id"]
    write(hub, entity_id, "off", kept=2)
    third = client.wait_for(lambda entities: entities[entity_id]["attributes"] == {"kept": 2}, "latest",
                            collection="entities")[entity_id]
    assert third["last_changed"] == second["last_changed"] and third["last_updated"] > second["last_updated"]
    assert hub.admin.delete(f"/api/states/{entity_id}").status_code == 200
    client.wait_for(lambda entities: entity_id not in entities, "latest", collection="entities")
    write(hub, entity_id, "new")
    client.wait_for(has_state(entity_id, "new"), "latest", collection="entities")


def test_changes_of_one_burst_all_arrive(connected, hub, name):
    client = connected()
    client.ask("follow", collection="entities")
    client.wait_for(bool, "latest", collection="entities")
    for number in range(100):
        write(hub, f"test.{name}_{number % 20}", str(number), number=number)
    expected = {f"test.{name}_{number % 20}": (str(number), {"number": number}) for number in range(80, 100)}

    def complete(entities):
        return {i: (s["state"], s["attributes"]) for i, s in entities.items() if i in expected} == expected

    client.wait_for(complete, "latest", collection="entities")


def test_calls_a_service(connected, hub_factory):
    hub = hub_factory()
    client = connected("ann", hub)
    client.ask("follow", collection="entities")
    client.wait_for(bool, "latest", collection="entities")
    for state, service in (("on", "turn_on"), ("off", "turn_off"), ("on", "toggle")):
        result = client.ask("call", domain="light", service=service, target={"entity_id": "light.kitchen"})
        light = client.wait_for(has_state("light.kitchen", state), "latest", collection="entities")["light.kitchen"]
        assert light["context"]["id"] == result["context"]["id"]
    client.ask("call", domain="light", service="turn_on", data={"entity_id": ["light.kitchen"], "brightness": 77})
    client.wait_for(lambda entities: entities["light.kitchen"]["attributes"]["brightness"] == 77, "latest",
                    collection="entities")


@pytest.mark.parametrize("user, service, data, code", [
    ("ann", "explode", {"entity_id": "light.kitchen"}, "not_found"),
    ("ann", "turn_on", {"entity_id": "light.kitchen", "brightness": "much"}, "invalid_format"),
    ("display", "turn_on", {"entity_id": "light.kitchen"}, "unauthorized")])
def test_calls_that_fail_say_why(connected, user, service, data, code):
    client = connected(user)
    with pytest.raises(ClientError) as refusal:
        client.ask("call", domain="light", service=service, data=data)
    assert refusal.value.code == code
    client.ask("ping")


@pytest.mark.parametrize("user", ["admin", "ann", "display"])
def test_collections_and_user_are_for_everybody(connected, hub, user):
    client = connected(user)
    for collection in ("config", "services"):
        client.ask("follow", collection=collection)
    config = client.wait_for(bool, "latest", collection="config")
    assert config == {**hub.admin.get("/api/config").json(), **config}
    assert config["state"] == "RUNNING" and "light" in config["components"]
    services = client.wait_for(bool, "latest", collection="services")
    assert services == {entry["domain"]: entry["services"] for entry in hub.admin.get("/api/services").json()}
    assert "turn_on" in services["light"]
    known = client.ask("user")
    assert known["name"] == user and known["is_admin"] == (user == "admin")
    assert known["id"] and isinstance(known["is_owner"], bool)


def test_hears_events(connected, hub, name):
    client = connected("admin")
    client.ask("hear", type=name)
    hub.admin.post(f"/api/events/{name}", json={"a": [1]})
    event = client.wait_for(bool, "heard", type=name)[0]
    assert event["event_type"] == name and event["data"] == {"a": [1]}
    assert {"origin", "time_fired", "context"} <= set(event)


@pytest.mark.parametrize("user", ["admin", "ann"])
def test_goes_on_after_a_restart_of_the_hub(connected, hub_factory, user):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    client = connected(user, hub)
    client.ask("hear", type="state_changed")
    for collection in ("entities", "config", "services"):
        client.ask("follow", collection=collection)
        client.wait_for(bool, "latest", collection=collection)
    write(hub, "test.before", "on")
    client.wait_for(has_state("test.before", "on"), "latest", collection="entities")
    write(hub, "test.removed", "on")
    client.wait_for(has_state("test.removed", "on"), "latest", collection="entities")
    hub.admin.delete("/api/states/test.removed")
    hub.stop()
    client.wait_for(lambda counts: counts["disconnected"] == 1, "counts")
    hub = hub_factory(folder, port=hub.port)
    write(hub, "test.before", "meanwhile")
    client.wait_for(lambda counts: counts["ready"] == 1, "counts", timeout=15)
    entities = client.wait_for(has_state("test.before", "meanwhile"), "latest", collection="entities")
    assert "test.removed" not in entities
    heard = len(client.ask("heard", type="state_changed"))
    write(hub, "test.after", "on")
    client.wait_for(has_state("test.after", "on"), "latest", collection="entities")
    client.wait_for(lambda events: [event for event in events[heard:] if event["data"]["entity_id"] == "test.after"],
                    "heard", type="state_changed")
    client.ask("call", domain="light", service="turn_on", target={"entity_id": "light.kitchen"})
    client.wait_for(has_state("light.kitchen", "on"), "latest", collection="entities")


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose sessions these tests may end."""
    return module_hubs()


def log_in(client, hub, user="ann"):
    assert client.ask("logIn", url=hub.url, clientId=CLIENT, code=code_of(hub, user)) == 1800


@pytest.mark.parametrize("user", ["admin", "ann", "display"])
def test_logs_in_with_a_code(start, own, user):
    client = start()
    log_in(client, own, user)
    client.ask("connect")
    assert client.ask("user")["name"] == user
    client.ask("follow", collection="entities")
    client.wait_for(lambda entities: entities and "light.kitchen" in entities, "latest", collection="entities")


def test_a_code_serves_once(start, own):
    client, code = start(), code_of(own)
    client.ask("logIn", url=own.url, clientId=CLIENT, code=code)
    with pytest.raises(ClientError) as refusal:
        client.ask("logIn", url=own.url, clientId=CLIENT, code=code)
    assert refusal.value.code == ERR_INVALID_AUTH


def test_refreshes_an_access_token_that_has_expired(start, own):
    client = start()
    log_in(client, own)
    old = client.ask("accessToken")
    expire(own, old)
    become(own, 401, old)
    client.ask("expire")
    client.ask("logInAgain", url=own.url, clientId=CLIENT)
    client.ask("connect")
    assert client.ask("user")["name"] == "ann"
    new = client.ask("accessToken")
    assert new != old
    assert get(own, new).status_code == 200
    assert client.ask("refresh") is True
    assert client.ask("accessToken") not in (old, new)


def test_revoking_ends_the_session_and_its_connection(start, own):
    client, untouched = start(), start()
    log_in(client, own)
    log_in(untouched, own)
    for one in (client, untouched):
        one.ask("connect")
    access, refresh_token = client.ask("accessToken"), client.ask("refreshToken")
    assert client.ask("revoke") is None
    client.wait_for(lambda counts: counts["disconnected"] == 1, "counts", timeout=1.5)
    client.wait_for(lambda errors: errors == [ERR_INVALID_AUTH], "reconnectErrors")
    assert get(own, access).status_code == 401
    assert refresh(own, refresh_token).status_code == 400
    with pytest.raises(ClientError) as refusal:
        client.ask("refresh")
    assert refusal.value.code == ERR_INVALID_AUTH
    untouched.ask("ping")
    assert untouched.ask("counts")["disconnected"] == 0
