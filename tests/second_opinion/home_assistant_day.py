# SPDX-License-Identifier: Apache-2.0
"""Home Assistant's core with sensors made of others, whose clock only goes on as the day does.

    python home_assistant_day.py FOLDER < day.json

The day: {"zone", "latitude", "longitude", "start" (seconds since 1970), "configuration" (by integration), "states" (at the
start), "changes": [[seconds since the start, entity_id, state, attributes] …], "looks": [seconds since the start …]}.
Answers with a list, for each look {entity_id: {state, attributes}}.
"""

import asyncio
import datetime
import json
import logging
import sys
import time
from pathlib import Path

import homeassistant.util.dt as dt_util


class Clock:
    """The wall clock, in place of the machine's."""
    now = 0.0


time.time = lambda: Clock.now
dt_util.utcnow = lambda: datetime.datetime.fromtimestamp(Clock.now, datetime.UTC)
dt_util.now = lambda zone=None: datetime.datetime.fromtimestamp(Clock.now, zone or dt_util.DEFAULT_TIME_ZONE)

from homeassistant import bootstrap, config_entries, core, loader  # noqa: E402
from homeassistant.helpers import recorder as recorder_helper  # noqa: E402
from homeassistant.setup import async_setup_component  # noqa: E402


class Loop(asyncio.SelectorEventLoop):
    """Its timers go by the same clock."""

    def time(self):
        return Clock.now

    def next_timer(self):
        return min((timer.when() for timer in self._scheduled if not timer.cancelled()), default=float("inf"))


async def settle(hass):
    await hass.async_block_till_done()
    await hass.data["recorder_instance"].async_block_till_done()
    await hass.async_block_till_done()


async def go_to(hass, until):
    """Everything that is due until then happens at its time."""
    while (due := hass.loop.next_timer()) <= until:
        Clock.now = max(Clock.now, due) + 1e-6  # more than what its sums of times lose
        for _ in range(3):
            await asyncio.sleep(0)
        await hass.async_block_till_done()
    Clock.now = until


async def run(folder, day):
    (Path(folder) / "configuration.yaml").touch()
    Clock.now = day["start"]
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.config.set_time_zone(day["zone"])
    hass.config.latitude, hass.config.longitude, hass.config.elevation = day["latitude"], day["longitude"], 0
    recorder_helper.async_initialize_recorder(hass)
    assert await async_setup_component(hass, "recorder", {"recorder": {"db_url": f"sqlite:///{folder}/day.db", "commit_interval": 0}})
    assert await async_setup_component(hass, "homeassistant", {})
    await hass.async_start()
    for entity_id, (state, attributes) in day["states"].items():
        hass.states.async_set(entity_id, state, attributes)
    await settle(hass)
    for domain in sorted(day["configuration"]):
        assert await async_setup_component(hass, domain, day["configuration"]), domain
    await settle(hass)
    looks, seen = [day["start"] + at for at in day["looks"]], []
    for at, entity_id, state, attributes in [*day["changes"], [float("inf"), None, None, None]]:
        while looks and looks[0] < day["start"] + at:
            await go_to(hass, looks.pop(0))
            await settle(hass)
            seen.append({each.entity_id: {"state": each.state, "attributes": dict(each.attributes)} for each in hass.states.async_all()})
        if entity_id is None:
            break
        await go_to(hass, day["start"] + at)
        hass.states.async_set(entity_id, state, attributes)
        await settle(hass)
    print(json.dumps(seen, default=str), flush=True)


logging.basicConfig(filename=f"{sys.argv[1]}/home-assistant.log", level=logging.WARNING)
loop = Loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(run(sys.argv[1], json.load(sys.stdin)))
import os  # noqa: E402

os._exit(0)  # its threads wait for a clock that has stopped
