# SPDX-License-Identifier: Apache-2.0
"""aioesphomeapi beside the hub: prints the node's entities with their states, or gives the node a key.

    second_client.py states [KEY]
    second_client.py set-key KEY
"""

import asyncio
import json
import math
import sys

import aioesphomeapi


def plain(value):
    return None if isinstance(value, float) and math.isnan(value) else value


async def main(what, key=None):
    client = aioesphomeapi.APIClient("127.0.0.1", 9053, None, noise_psk=key if what == "states" else None)
    await client.connect(login=True)
    if what == "set-key":
        print(json.dumps(await client.noise_encryption_set_key(key.encode())))
    else:
        entities, _ = await client.list_entities_services()
        names = {(type(entity).__name__[:-len("Info")], entity.key): entity.name for entity in entities}
        states, done = {}, asyncio.Event()

        def take(state):
            kind = type(state).__name__.removesuffix("State").removesuffix("Entity")
            states[f"{kind} {names.get((kind, state.key))}"] = {
                name: plain(getattr(state, name)) for name in state.__dataclass_fields__ if name not in ("key", "device_id")}
            if len(states) == expected:
                done.set()

        silent = ("ButtonInfo", "EventInfo", "CameraInfo")
        expected = sum(type(entity).__name__ not in silent for entity in entities)
        client.subscribe_states(take)
        await asyncio.wait_for(done.wait(), 10)
        print(json.dumps(states, default=str))
    await client.disconnect()


asyncio.run(main(*sys.argv[1:]))
