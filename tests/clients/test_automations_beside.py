# SPDX-License-Identifier: Apache-2.0
"""Automations of the hub, a flow of Node-RED and an app of AppDaemon in one home: each reacts to the same and to what the
others do, and then there is silence."""

from test_appdaemon import AppDaemon
from test_node_red import LIGHT, SENSOR, NodeRed, set_sensor

from hub_process import wait_until
from packages import install_python_packages
from websocket_client import WebSocketClient

AUTOMATIONS = [
    {"id": "told", "alias": "Told by the flow", "triggers": {"trigger": "event", "event_type": "night_light"},
     "actions": {"action": "switch.turn_on", "target": {"entity_id": "switch.garden_pump"}}},
    {"id": "follow", "alias": "Follow the light", "mode": "queued",
     "triggers": {"trigger": "state", "entity_id": LIGHT, "attribute": "brightness"},
     "conditions": {"condition": "state", "entity_id": LIGHT, "state": "on"},
     "actions": {"action": "light.turn_on", "target": {"entity_id": "light.bedroom"},
                 "data": {"brightness": "{{ trigger.to_state.attributes.brightness }}"}}},
]


def test_all_react_and_none_answers_itself(node_packages, hub_factory, tmp_path):
    programs = install_python_packages("appdaemon")
    hub = hub_factory(automation=AUTOMATIONS)
    set_sensor(hub, "off")
    for light in (LIGHT, "light.bedroom"):
        hub.admin.post("/api/services/light/turn_off", json={"entity_id": light})
    hub.admin.post("/api/services/switch/turn_off", json={"entity_id": "switch.garden_pump"})
    node_red = app = None
    try:
        with hub.stream("?restrict=appdaemon_ready") as stream:
            app = AppDaemon(programs, tmp_path / "appdaemon", hub)
            node_red = NodeRed(tmp_path / "node-red", hub, "admin")
            stream.next_event(60)
        node_red.wait_for("Registries Loaded")
        with WebSocketClient(hub, hub.tokens["admin"], timeout=10) as client:
            client.result("subscribe_events", event_type="call_service")
            set_sensor(hub, "on")
            calls = []

            def heard():
                """True if all of them have called, and nobody has for two seconds."""
                client.socket.settimeout(2)
                try:
                    while True:
                        calls.append(client.receive()["event"]["data"])
                except Exception as silence:  # noqa: BLE001 - the library's own kind of a time-out
                    assert "timed out" in str(silence), silence
                return state(hub, "switch.garden_pump")["state"] == "on" and state(hub, LIGHT)["attributes"].get("brightness") in (99, 120)

            wait_until(heard, 30)
            # The flow and the app have each set the light; whatever came last, the automation has followed it.
            # AppDaemon calls homeassistant.turn_on, which calls light.turn_on.
            lights = [call for call in calls if call["domain"] == "light"]
            brightness = [call["service_data"].get("brightness") for call in lights if LIGHT in str(call["service_data"])]
            assert sorted(brightness) == [99, 120]
            assert state(hub, "light.bedroom")["attributes"]["brightness"] == state(hub, LIGHT)["attributes"]["brightness"]
            assert sum("switch.garden_pump" in str(call["service_data"]) for call in calls) == 1
            assert 1 <= sum("light.bedroom" in str(call["service_data"]) for call in lights) <= 2
            assert len(calls) <= 6
    finally:
        for each in (node_red, app):
            if each:
                each.stop()


def state(hub, entity_id):
    return hub.admin.get(f"/api/states/{entity_id}").json()
