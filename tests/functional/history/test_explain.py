# SPDX-License-Identifier: Apache-2.0
"""`automation/explain`: why an entity is as it is, back to the root."""

import time

import pytest

from checks import call, set_state, state_of
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {"automation/explain"}

AUTOMATIONS = [
    {"alias": "Motion", "triggers": [{"trigger": "state", "entity_id": "sensor.own", "to": "7", "id": "seven"}],
     "actions": [{"delay": 0}, {"choose": {"conditions": "{{ true }}", "sequence": {
         "action": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness": 77}}}}]},
    {"alias": "Follow", "triggers": [{"trigger": "state", "entity_id": "light.kitchen", "to": "on"}],
     "actions": [{"action": "script.pump"}]},
]
SCRIPTS = {"pump": {"alias": "Pump", "sequence": [{"action": "switch.turn_on", "target": {"entity_id": "switch.towel_heater"}}]}}


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs(automation=AUTOMATIONS, script=SCRIPTS)


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def explain(client, kinds, **fields):
    """The chain, as soon as it is of these kinds."""
    def ready():
        chain = client.result("automation/explain", **fields)["chain"]
        return chain if [each["kind"] for each in chain] == kinds else None
    return wait_until(ready)


@pytest.mark.contract("Automations: explanations")
def test_a_chain_goes_back_to_the_user(home, client):
    call(home, "switch.turn_off", {"entity_id": "switch.towel_heater"})
    call(home, "light.turn_off", {"entity_id": "light.kitchen"})
    set_state(home, "sensor.own", "7")
    wait_until(lambda: home.admin.get("/api/states/switch.towel_heater").json()["state"] == "on")
    chain = explain(client, ["state", "call", "run", "call", "run", "trigger", "state", "call", "run", "trigger", "state", "user"],
                    entity_id="switch.towel_heater")
    assert {key: chain[0][key] for key in ("entity_id", "from", "to")} == {"entity_id": "switch.towel_heater", "from": "off", "to": "on"}
    assert chain[1]["service"] == "switch.turn_on" and chain[2]["script"] == "script.pump"
    assert chain[4]["automation"] == "automation.follow" and chain[4]["alias"] == "Follow" and chain[4]["run_id"]
    assert (chain[2]["path"], chain[4]["path"], chain[8]["path"]) == ("sequence/0", "action/0", "action/1/choose/0/sequence/0")
    assert chain[5]["platform"] == "state" and chain[5]["entity_id"] == "light.kitchen"
    assert (chain[5]["id"], chain[9]["id"]) == ("0", "seven")
    assert chain[7]["data"]["brightness"] == 77 and chain[8]["automation"] == "automation.motion"
    assert (chain[10]["entity_id"], chain[10]["to"]) == ("sensor.own", "7")
    times = [each["at"] for each in chain]
    assert times == sorted(times, reverse=True)
    assert chain[0]["text"] == "switch.towel_heater changed from off to on."
    assert all(each["text"].endswith(".") for each in chain)


@pytest.mark.contract("Automations: explanations")
def test_what_a_device_reports_has_no_cause(client):
    chain = explain(client, ["state", "report"], entity_id="sensor.outdoor_temperature")
    assert chain[1]["integration"] == "demo"


@pytest.mark.contract("Automations: explanations")
def test_the_user_is_named(home, client):
    for service in ("turn_off", "turn_on"):
        assert home.ann.post(f"/api/services/light/{service}", json={"entity_id": "light.hall"}).status_code == 200
    chain = explain(client, ["state", "call", "user"], entity_id="light.hall")
    assert (chain[2]["name"], chain[2]["text"]) == ("ann", "ann did it.")


def test_what_is_not_there_or_wrong_is_told(home, client):
    assert client.error("automation/explain", entity_id="light.none")[0] == "not_found"
    assert client.error("automation/explain", entity_id="light.kitchen", at="2001-01-01T00:00:00+00:00")[0] == "not_found"
    assert client.error("automation/explain", entity_id="light.kitchen", at="soon")[0] == "invalid_format"
    assert client.error("automation/explain")[0] == "invalid_format"
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        assert ann.error("automation/explain", entity_id="light.kitchen")[0] == "unauthorized"


@pytest.mark.contract("Automations: explanations")
def test_a_chain_goes_back_to_who_fired_the_event(hub_factory):
    hub = hub_factory(automation=[{"alias": "Go", "triggers": [{"trigger": "event", "event_type": "go"}],
                                   "actions": [{"action": "light.toggle", "target": {"entity_id": "light.kitchen"}}]}])
    before = state_of(hub, "light.kitchen")["state"]
    assert hub.admin.post("/api/events/go", json={}).status_code == 200
    wait_until(lambda: state_of(hub, "light.kitchen")["state"] != before)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        chain = explain(client, ["state", "call", "run", "trigger", "user"], entity_id="light.kitchen")
    assert chain[-1]["name"] == "admin" and chain[-1]["at"] == chain[-2]["at"] and chain[-1]["text"] == "admin did it."


def of_each_platform():
    """The triggers that a client can make fire, by the name of their automation, and what the event says of each."""
    alarm = "input_datetime.alarm"
    return {
        "State": ({"trigger": "state", "entity_id": "sensor.w", "to": "5"}, "state of sensor.w", "state", "sensor.w"),
        "Numeric": ({"trigger": "numeric_state", "entity_id": "sensor.w", "above": 4},
                    "numeric state of sensor.w", "numeric_state", "sensor.w"),
        "Template": ({"trigger": "template", "value_template": "{{ is_state('sensor.w', '5') }}"},
                     "template", "template", "sensor.w"),
        "Device": ({"trigger": "device", "device_id": "d", "domain": "light", "type": "turned_on", "entity_id": "light.w"},
                   "state of light.w", "state", "light.w"),
        "Purpose": ({"trigger": "light.turned_on", "target": {"entity_id": "light.w"}}, "state of light.w", "state", "light.w"),
        "Zone": ({"trigger": "zone", "entity_id": "person.w", "zone": "zone.w", "event": "enter"},
                 "person.w entering zone.w", "zone", "person.w"),
        "Event": ({"trigger": "event", "event_type": "walk"}, "event 'walk'", "event", None),
        "Tag": ({"trigger": "tag", "tag_id": "w"}, "event 'tag_scanned'", "event", None),
        "Webhook": ({"trigger": "webhook", "webhook_id": "walk"}, "webhook", "webhook", None),
        "Said": ({"trigger": "conversation", "command": "walk on"}, "sentence 'walk on'", "conversation", None),
        "Note": ({"trigger": "persistent_notification", "update_type": "added"},
                 "a notification was added", "persistent_notification", None),
        "Pattern": ({"trigger": "time_pattern", "seconds": "*"}, "time pattern", "time_pattern", None),
        "Time": ({"trigger": "time", "at": alarm}, "time", "time", alarm),
        "Hand": ({"trigger": "event", "event_type": "never"}, "by hand", None, None),
    }


@pytest.mark.contract("Automations: explanations")
def test_each_platform_tells_its_cause_as_data(hub_factory):
    triggers = of_each_platform()
    hub = hub_factory(automation=[{"alias": name, "triggers": trigger, "actions": {
        "action": "input_boolean.toggle", "target": {"entity_id": f"input_boolean.{name.lower()}"}}}
        for name, (trigger, *_) in triggers.items()],
        input_boolean={name.lower(): {} for name in triggers}, input_datetime={"alarm": {"has_date": True, "has_time": True}})
    for entity_id, value, attributes in [("zone.w", "0", {"latitude": 52.0, "longitude": 13.0, "radius": 100}),
                                         ("person.w", "away", {"latitude": 40.0, "longitude": 13.0}),
                                         ("sensor.w", "1", {}), ("light.w", "off", {})]:
        set_state(hub, entity_id, value, attributes)
    told = {}
    with WebSocketClient(hub, hub.tokens["admin"]) as client, WebSocketClient(hub, hub.tokens["admin"]) as listener:
        listener.result("subscribe_events", event_type="automation_triggered")
        subscription = listener.last_id
        set_state(hub, "sensor.w", "5")
        set_state(hub, "light.w", "on")
        set_state(hub, "person.w", "w", {"latitude": 52.0, "longitude": 13.0})
        assert hub.admin.post("/api/events/walk", json={}).status_code == 200
        assert hub.admin.post("/api/events/tag_scanned", json={"tag_id": "w"}).status_code == 200
        assert hub.anonymous.post("/api/webhook/walk", json={}).status_code == 200
        client.result("conversation/process", text="walk on")
        call(hub, "persistent_notification.create", {"message": "x"})
        call(hub, "automation.trigger", {"entity_id": "automation.hand"})
        call(hub, "input_datetime.set_datetime", {"entity_id": "input_datetime.alarm", "timestamp": time.time() + 2})
        while told.keys() != triggers.keys():
            data = listener.event(subscription)["data"]
            told[data["name"]] = (data["source"], data["trigger"])
        for name, (_, source, platform, entity_id) in triggers.items():
            data = {key: value for key, value in (("platform", platform), ("entity_id", entity_id)) if value}
            assert told[name] == (source, data), name

            def trigger_link(name=name):
                chain = client.result("automation/explain", entity_id=f"input_boolean.{name.lower()}")["chain"]
                return next((each for each in chain if each["kind"] == "trigger"), None)
            link = wait_until(trigger_link)
            assert (link["platform"], link.get("entity_id")) == (platform, entity_id), name
            assert link["text"] == f"Its trigger was: {source}."
    # The change that it watched is the next link.
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        for name, cause in (("template", "sensor.w"), ("zone", "person.w"), ("state", "sensor.w")):
            chain = explain(client, ["state", "call", "run", "trigger", "state", "user"], entity_id=f"input_boolean.{name}")
            assert chain[4]["entity_id"] == cause
