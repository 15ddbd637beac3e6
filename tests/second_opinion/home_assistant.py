# SPDX-License-Identifier: Apache-2.0
"""Home Assistant's core with its MQTT integration, without its web server's pages: it takes questions as JSON lines.

    python home_assistant.py FOLDER BROKER_PORT HTTP_PORT

{"ask": "states"}                                answers {unique id: {entity_id, state, attributes}}
{"ask": "enable"}                                enables every entity that was made disabled
{"ask": "call", "service": "a.b", "data": {…}}   answers {"error": null or a text}
"""

import asyncio
import json
import logging
import sys
from pathlib import Path

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.helpers import entity_registry
from homeassistant.setup import async_setup_component


async def start(folder, broker_port, http_port):
    (Path(folder) / "configuration.yaml").touch()  # which the integration reads
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "http", {"http": {"server_host": "127.0.0.1", "server_port": http_port}})
    await hass.async_start()
    await hass.config_entries.async_add(config_entries.ConfigEntry(
        version=1, minor_version=1, domain="mqtt", title="MQTT", source="user",
        data={"broker": "127.0.0.1", "port": broker_port, "discovery": True, "discovery_prefix": "homeassistant"}))
    return hass


def states(hass):
    registry = entity_registry.async_get(hass)
    unique_ids = {entry.entity_id: entry.unique_id for entry in registry.entities.values()}
    return {unique_ids.get(state.entity_id, state.entity_id): {"entity_id": state.entity_id, "state": state.state,
                                                               "attributes": dict(state.attributes)}
            for state in hass.states.async_all()}


async def answer(hass, question):
    if question["ask"] == "states":
        return states(hass)
    if question["ask"] == "enable":
        registry = entity_registry.async_get(hass)
        for entry in list(registry.entities.values()):
            if entry.disabled_by:
                registry.async_update_entity(entry.entity_id, disabled_by=None)
        for entry in hass.config_entries.async_entries("mqtt"):
            await hass.config_entries.async_reload(entry.entry_id)
        return {}
    domain, service = question["service"].split(".")
    try:
        await hass.services.async_call(domain, service, question["data"], blocking=True)
        return {"error": None}
    except Exception as error:  # whatever it says is what is compared
        return {"error": f"{type(error).__name__}: {error}"}


async def main():
    logging.basicConfig(filename=f"{sys.argv[1]}/home-assistant.log", level=logging.WARNING)
    hass = await start(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    reader = asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print(json.dumps({"ready": True}), flush=True)
    while line := await reader.readline():
        print(json.dumps(await answer(hass, json.loads(line)), default=str), flush=True)
    await hass.async_stop(force=True)


asyncio.run(main())
