# SPDX-License-Identifier: Apache-2.0
"""Names of mirrored entities, and what people here make of them."""

from checks import attribute
from hub_process import wait_until
from websocket_client import WebSocketClient

DAWN = "sensor.sun_next_dawn"


def test_a_name_with_that_of_the_device_stays_and_comes_back_at_once(made_hubs, bridged):
    made = made_hubs()
    made.devices["sun"] = {"name": "Sun", "identifiers": [["sun", "1"]]}
    made.add(DAWN, "7", {"friendly_name": "Sun Next dawn", "unit_of_measurement": "h"}, unique_id="dawn", platform="sunny",
             device_id="sun", has_entity_name=True, original_name="Next dawn")
    home = bridged(made)
    home.becomes("connected")

    def is_called(name):
        wait_until(lambda: attribute(home.hub, DAWN, "friendly_name") == name, 20)

    def state():
        return home.hub.admin.get(f"/api/states/{DAWN}").json()

    is_called("Sun Next dawn")
    before = state()
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id=DAWN, aliases=["Daybreak"])
        assert client.result("config/entity_registry/get", entity_id=DAWN)["aliases"] == ["Daybreak"]
        now = state()
        assert {**now, "context": None} == {**before, "context": None}
        client.result("config/entity_registry/update", entity_id=DAWN, name="Mine")
        is_called("Mine")
        client.result("config/entity_registry/update", entity_id=DAWN, name=None)
        is_called("Sun Next dawn")
