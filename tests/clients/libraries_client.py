# SPDX-License-Identifier: Apache-2.0
"""Programs that use hassapi and hass-client, run in the environment of their own: libraries_client.py PROGRAM, with
{"url", "token", "name", "code", "client_id"} on the standard input. Exits with 0 if all was as expected."""

import asyncio
import json
import queue
import sys

from hass_client import HomeAssistantClient
from hass_client.exceptions import AuthenticationFailed, FailedCommand
from hass_client.utils import get_long_lived_token, get_token, get_websocket_url
from hassapi import Hass
from hassapi.client.websocket import WebSocketClient
from hassapi.exceptions import BadRequest, NotFound, Unauthorised

LIGHT, COVER = "light.kitchen", "cover.office_blind"


def raises(error, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except error:
        return True
    return False


def hassapi_reads(given):
    hass = Hass(given["url"], given["token"])
    states = {state.entity_id: state for state in hass.get_states()}
    assert states[LIGHT].attributes["friendly_name"] == "Kitchen light"
    assert states[LIGHT].context.id == hass.get_state(LIGHT).context.id
    assert "state_changed" in [event.event for event in hass.get_events()]
    services = {service.domain: service.services for service in hass.get_services()}
    assert "brightness" in services["light"]["turn_on"]["fields"]
    assert raises(NotFound, hass.get_state, "light.nowhere")
    assert raises(Unauthorised, Hass(given["url"], "wrong").get_states)


def hassapi_writes(given):
    hass = Hass(given["url"], given["token"])
    written = hass.set_state(f"test.{given['name']}", 21.5, {"unit_of_measurement": "°C"})
    assert (written.state, written.attributes) == ("21.5", {"unit_of_measurement": "°C"})
    assert hass.get_state(f"test.{given['name']}").state == "21.5"
    assert hass.fire_event(given["name"], {"a": 1}) == f"Event {given['name']} fired."


def hassapi_calls(given):
    hass = Hass(given["url"], given["token"])
    hass.turn_off(LIGHT)
    changed, = hass.turn_on(LIGHT)
    assert (changed.entity_id, changed.state) == (LIGHT, "on")
    changed, = hass.toggle(LIGHT)
    assert changed.state == "off"
    changed, = hass.call_service("turn_on", LIGHT, brightness=120)
    assert changed.attributes["brightness"] == 120
    hass.set_cover_position(COVER, 40)
    assert hass.get_state(COVER).attributes["current_position"] == 40
    hass.close_cover(COVER)
    assert hass.get_state(COVER).state == "closed"
    hass.open_cover(COVER)
    assert hass.get_state(COVER).state == "open"
    assert raises(BadRequest, hass.call_service, "turn_on", LIGHT, brightness="much")
    assert raises(NotFound, hass.call_service, "explode", LIGHT)


def hassapi_hears(given):
    hass = Hass(given["url"], given["token"])
    heard = queue.Queue()
    client = WebSocketClient(given["url"], given["token"])
    client.subscribe_to_events(heard.put, given["name"])
    client.subscribe_to_state_changes(heard.put, f"test.{given['name']}")
    # It does not say when the hub listens.
    for _ in range(100):
        hass.fire_event(given["name"], {"a": 1})
        try:
            event = heard.get(timeout=0.1)
            break
        except queue.Empty:
            continue
    assert (event["event_type"], event["data"]) == (given["name"], {"a": 1})
    hass.set_state(f"test.{given['name']}", "on")
    while event["event_type"] != "state_changed":
        event = heard.get(timeout=5)
    assert event["data"]["new_state"]["state"] == "on"
    client.unsubscribe()


async def connected(given, work):
    client = HomeAssistantClient(get_websocket_url(given["url"]), given["token"])
    await client.connect()
    listening = asyncio.create_task(client.start_listening())
    try:
        await asyncio.wait_for(work(client), 30)
    finally:
        await client.disconnect()
        await listening


def hass_client_reads(given):
    async def work(client):
        assert client.version == (await client.get_config())["version"]
        states = {state["entity_id"]: state for state in await client.get_states()}
        assert states[LIGHT]["attributes"]["friendly_name"] == "Kitchen light"
        assert "turn_on" in (await client.get_services())["light"]
        assert "Kitchen" in [area["name"] for area in await client.get_area_registry()]
        assert "Fridge" in [device["name"] for device in await client.get_device_registry()]
        assert LIGHT in [entity["entity_id"] for entity in await client.get_entity_registry()]
        assert (await client.get_entity_registry_entry(LIGHT))["platform"] == "demo"
        try:
            await client.send_command("nonsense")
        except FailedCommand as failure:
            assert "Unknown command" in str(failure)
        else:
            raise AssertionError("nonsense was answered")

    asyncio.run(connected(given, work))


def hass_client_hears(given):
    async def work(client):
        changes, events = asyncio.Queue(), asyncio.Queue()
        stop = await client.subscribe_entities(changes.put_nowait, [LIGHT])
        await client.subscribe_events(events.put_nowait, given["name"])
        assert list((await changes.get())["a"]) == [LIGHT]
        await client.call_service("light", "turn_off", target={"entity_id": LIGHT})
        await client.call_service("light", "turn_on", {"brightness": 99}, {"entity_id": LIGHT})
        seen = {}
        while seen.get("a", {}).get("brightness") != 99:
            seen = (await changes.get())["c"][LIGHT]["+"]
        stop()
        await client.send_command("fire_event", event_type=given["name"], event_data={"a": 1})
        assert (await events.get())["data"] == {"a": 1}

    asyncio.run(connected(given, work))


def hass_client_logs_in(given):
    """With the code that the login page gives, then with a token for long that this session makes."""

    async def begin():
        session = await get_token(given["url"], given["code"], given["client_id"])
        token = await get_long_lived_token(given["url"], session["access_token"], given["name"])

        async def work(client):
            assert (await client.send_command("auth/current_user"))["name"] == "ann"

        await connected({**given, "token": token}, work)

    asyncio.run(begin())


def hass_client_is_refused(given):
    async def begin():
        client = HomeAssistantClient(get_websocket_url(given["url"]), "wrong")
        try:
            await client.connect()
        except AuthenticationFailed as failure:
            assert "Invalid access token" in str(failure)
        else:
            raise AssertionError("a wrong token was taken")
        finally:
            await client.disconnect()

    asyncio.run(begin())


PROGRAMS = {program.__name__: program for program in (
    hassapi_reads, hassapi_writes, hassapi_calls, hassapi_hears, hass_client_reads, hass_client_hears,
    hass_client_logs_in, hass_client_is_refused)}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](json.load(sys.stdin))
