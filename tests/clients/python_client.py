# SPDX-License-Identifier: Apache-2.0
"""Programs that use HomeAssistant-API, run in its own environment: python_client.py PROGRAM, with
{"url", "token", "name", "entity_id"} on the standard input. Exits with 0 when all was as expected."""

import asyncio
import inspect
import json
import sys

from homeassistant_api import AsyncClient, AsyncWebsocketClient, Client, State, WebsocketClient
from homeassistant_api.errors import (EndpointNotFoundError, MethodNotAllowedError, RequestError, ResponseError,
                                      UnauthorizedError)


def raises(error, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except error:
        return True
    return False


def same(state, other):
    """Apart from last_reported, which the library makes up where it is not there, and the context, which lists leave out."""
    left_out = {"last_reported", "context"}
    return state.model_dump(exclude=left_out) == other.model_dump(exclude=left_out)


async def raises_later(error, awaitable):
    try:
        await awaitable
    except error:
        return True
    return False


def reads(client, given):
    assert client.check_api_running()
    config = client.get_config()
    assert config["state"] == "RUNNING" and config["location_name"] == "Test home"
    assert "light" in client.get_components()
    states = {state.entity_id: state for state in client.get_states()}
    assert states["light.kitchen"].state in ("on", "off")
    assert client.get_state(entity_id="light.kitchen").entity_id == "light.kitchen"
    groups = client.get_entities()
    assert {entity.entity_id for group in groups.values() for entity in group.entities.values()} == set(states)
    entity = client.get_entity(group_id="light", slug="kitchen")
    assert entity.get_state().attributes == states["light.kitchen"].attributes
    assert "state_changed" in [event.event for event in client.get_events()]
    domains = client.get_domains()
    assert "turn_on" in domains["light"].services and "brightness" in domains["light"].services["turn_on"].fields
    assert client.get_domain("light").turn_off.service_id == "turn_off"
    assert raises(EndpointNotFoundError, client.get_state, entity_id="light.nowhere")
    assert raises(EndpointNotFoundError, client.trigger_service, "light", "explode", entity_id="light.kitchen")
    assert raises(RequestError, client.trigger_service, "light", "turn_on", entity_id="light.kitchen", brightness="much")
    assert raises(MethodNotAllowedError, client.request, "", method="DELETE")


def writes(client, given):
    entity_id = given["entity_id"]
    written = client.set_state(State(entity_id=entity_id, state="12.5", attributes={"unit_of_measurement": "°C"}))
    assert written.state == "12.5" and written.attributes == {"unit_of_measurement": "°C"}
    entity = client.get_entity(entity_id=entity_id)
    entity.state.state = "13"
    entity.update_state()
    again = client.get_state(entity_id=entity_id)
    assert again.state == "13" and again.last_changed > written.last_changed
    assert again.context.id != written.context.id


def fires(client, given):
    assert client.fire_event(given["name"], by="sync") == f"Event {given['name']} fired."


def calls(client, given):
    client.trigger_service("light", "turn_off", entity_id="light.kitchen")
    changed = client.trigger_service("light", "turn_on", entity_id="light.kitchen", brightness=120)
    assert [state.entity_id for state in changed] == ["light.kitchen"]
    assert changed[0].state == "on" and changed[0].attributes["brightness"] == 120
    changed = client.get_domain("light").turn_off(entity_id="light.kitchen")
    assert [(state.entity_id, state.state) for state in changed] == [("light.kitchen", "off")]


async def async_reads(client, given):
    assert (await client.get_config())["location_name"] == "Test home"
    states = {state.entity_id: state for state in await client.get_states()}
    assert same(states["light.kitchen"], await client.get_state(entity_id="light.kitchen"))
    assert "light" in await client.get_components()
    assert "state_changed" in [event.event for event in await client.get_events()]
    assert "turn_on" in (await client.get_domain("light")).services
    # All at once, as a program that does so would.
    answers = await asyncio.gather(*(client.get_state(entity_id="light.kitchen") for _ in range(10)))
    assert len(answers) == 10 and len(set(state.state for state in answers)) == 1
    assert await raises_later(EndpointNotFoundError, client.get_state(entity_id="light.nowhere"))


async def async_writes(client, given):
    written = await client.set_state(State(entity_id=given["entity_id"], state="on", attributes={"a": [1, None]}))
    assert written.attributes == {"a": [1, None]}
    assert (await client.get_state(entity_id=given["entity_id"])).context.id == written.context.id
    assert await client.fire_event(given["name"], by="async") == f"Event {given['name']} fired."
    await client.trigger_service("light", "turn_off", entity_id="light.kitchen")
    changed = await client.trigger_service("light", "turn_on", entity_id="light.kitchen")
    assert [(state.entity_id, state.state) for state in changed] == [("light.kitchen", "on")]


def websocket(client, given):
    assert client.ping_latency() > 0
    assert client.get_config()["location_name"] == "Test home"
    states = {state.entity_id: state for state in client.get_states()}
    assert same(states["light.kitchen"], client.get_state(entity_id="light.kitchen"))
    assert "turn_on" in client.get_domains()["light"].services
    with client.listen_events(given["name"]) as events:
        context = client.fire_event(given["name"], number=1)
        client.fire_event(given["name"], number=2)
        first, second = next(events), next(events)
    assert (first.event_type, first.data, first.origin) == (given["name"], {"number": 1}, "LOCAL")
    assert second.data == {"number": 2} and first.context.id == context.id
    client.trigger_service("light", "turn_off", entity_id="light.kitchen")
    with client.listen_events("state_changed") as events:
        client.trigger_service("light", "turn_on", entity_id="light.kitchen", brightness=55)
        for event in events:
            if event.data["entity_id"] == "light.kitchen" and event.data["new_state"]["state"] == "on":
                break
    assert event.data["new_state"]["attributes"]["brightness"] == 55
    assert raises(ResponseError, client.trigger_service, "light", "explode", entity_id="light.kitchen")


def websocket_registry(client, given):
    entries = {entry.entity_id: entry for entry in client.list_entity_registry()}
    assert client.get_entity_registry_entry("light.kitchen").entity_id == "light.kitchen"
    assert entries["light.kitchen"].platform == "demo"
    renamed = client.update_entity_registry_entry({"entity_id": "light.kitchen", "name": "Over the sink"})
    assert renamed.entity_entry.name == "Over the sink"
    client.update_entity_registry_entry({"entity_id": "light.kitchen", "name": None})
    assert client.get_entity_registry_entry("light.kitchen").name is None


async def async_websocket(client, given):
    assert await client.ping_latency() > 0
    assert (await client.get_config())["location_name"] == "Test home"
    assert "light.kitchen" in [state.entity_id for state in await client.get_states()]
    async with client.listen_events(given["name"]) as events:
        await client.fire_event(given["name"], number=3)
        event = await anext(events)
    assert event.event_type == given["name"] and event.data == {"number": 3}
    await client.trigger_service("light", "turn_on", entity_id="light.kitchen")
    assert (await client.get_state(entity_id="light.kitchen")).state == "on"


def wrong_token(given):
    for client in (Client(given["url"] + "/api", "wrong"), WebsocketClient(given["url"] + "/api/websocket", "wrong")):
        assert raises(UnauthorizedError, enter, client)


def enter(client):
    with client:
        if isinstance(client, Client):
            client.get_states()


PROGRAMS = {program.__name__: (program, client) for client, programs in (
    (Client, (reads, writes, fires, calls)), (AsyncClient, (async_reads, async_writes)),
    (WebsocketClient, (websocket, websocket_registry)), (AsyncWebsocketClient, (async_websocket,)))
    for program in programs}


async def run_later(program, client, given):
    async with client:
        await program(client, given)


def main():
    given = json.load(sys.stdin)
    if sys.argv[1] == "wrong_token":
        return wrong_token(given)
    program, kind = PROGRAMS[sys.argv[1]]
    path = "/api/websocket" if "Websocket" in kind.__name__ else "/api"
    client = kind(given["url"] + path, given["token"])
    if inspect.iscoroutinefunction(program):
        return asyncio.run(run_later(program, client, given))
    with client:
        program(client, given)


if __name__ == "__main__":
    main()
