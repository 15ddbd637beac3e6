# SPDX-License-Identifier: Apache-2.0
"""The automations of bench/automations in Home Assistant's core, in this process: states change within it, so that neither
its web server nor a client counts. Prints the milliseconds from each change to the call that it led to, as a JSON list.

    PYTHON automations_rival.py FOLDER SECONDS RATE < automations.json
"""

import asyncio
import json
import sys
import time

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.setup import async_setup_component


def in_old_words(automation):
    """The release that the second opinion uses does not know the new keys."""
    trigger, action = automation["triggers"], automation["actions"]
    return {"id": automation["id"], "alias": automation["alias"], "mode": automation["mode"], "max": automation["max"],
            "trigger": {"platform": trigger["trigger"], "entity_id": trigger["entity_id"]},
            "action": {"service": action["action"], "target": action["target"], "data": action["data"]}}


async def main():
    folder, seconds, rate = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    automations = [in_old_words(each) for each in json.load(sys.stdin)]
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    number = {"moment": {"min": 0, "max": 1e11, "step": 1e-6}}
    for domain, section in ("homeassistant", {}), ("input_number", number), ("automation", automations):
        assert await async_setup_component(hass, domain, {domain: section})
    await hass.async_start()
    delays = []

    def on_call(event):
        if event.data["domain"] == "input_number":
            delays.append(1000 * (event.time_fired.timestamp() - float(event.data["service_data"]["value"])))

    hass.bus.async_listen("call_service", on_call)
    begin = time.monotonic()
    for change in range(int(seconds * rate)):
        hass.states.async_set(f"sensor.change_{change % len(automations)}", str(change))
        await asyncio.sleep(max(0, begin + (change + 1) / rate - time.monotonic()))
    await hass.async_block_till_done()
    print(json.dumps(delays))
    await hass.async_stop(force=True)


asyncio.run(main())
