# SPDX-License-Identifier: Apache-2.0
"""Automations and scripts at work on the demo home: what starts them, what they do, and who may."""

import pytest

from checks import call, set_state, state_of
from hub_process import wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient

LAMP, PUMP = "light.living_room", "switch.garden_pump"

AUTOMATIONS = [
    {"id": "17", "alias": "Motion", "mode": "restart",
     "triggers": {"trigger": "state", "entity_id": "binary_sensor.own", "to": "on"},
     "conditions": {"condition": "numeric_state", "entity_id": "sensor.own", "below": 40},
     "actions": [{"action": "light.turn_on", "target": {"entity_id": LAMP},
                  "data": {"brightness": "{{ states('sensor.own') | int + 100 }}"}},
                 {"delay": {"milliseconds": 200}},
                 {"if": [{"condition": "state", "entity_id": LAMP, "state": "on"}],
                  "then": [{"action": "script.pump", "data": {"what": "turn_on"}}]}]},
    {"alias": "Old keys", "trigger": [{"platform": "event", "event_type": "press"}],
     "action": [{"choose": [{"conditions": "{{ trigger.event.data.button == 1 }}",
                             "sequence": [{"service": "switch.turn_off", "entity_id": PUMP}]}],
                 "default": [{"event": "other_button"}]}]},
    {"alias": "Loop", "mode": "parallel", "max_exceeded": "silent", "triggers": {"trigger": "event", "event_type": "loop"},
     "actions": [{"event": "loop"}]},
]
SCRIPTS = {"pump": {"alias": "Pump", "fields": {"what": {"description": "A service"}},
                    "sequence": [{"action": "switch.{{ what }}", "target": {"entity_id": PUMP}},
                                 {"variables": {"answer": {"did": "{{ what }}"}}},
                                 {"stop": "done", "response_variable": "answer"}]},
           "slow": {"sequence": [{"delay": 60}]}}


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs(automation=AUTOMATIONS, script=SCRIPTS)


@pytest.mark.contract("Automations: runs")
def test_a_state_starts_steps_that_call_services_and_scripts(home):
    call(home, "light.turn_off", {"entity_id": LAMP})
    call(home, "switch.turn_off", {"entity_id": PUMP})
    set_state(home, "sensor.own", "50")
    set_state(home, "binary_sensor.own", "off")
    set_state(home, "binary_sensor.own", "on")
    call(home, "switch.turn_off", {"entity_id": PUMP})  # comes after the run
    set_state(home, "sensor.own", "20")
    assert state_of(home, LAMP)["state"] == "off"  # the condition
    set_state(home, "binary_sensor.own", "off")
    cause = set_state(home, "binary_sensor.own", "on")
    wait_until(lambda: state_of(home, PUMP)["state"] == "on")
    lamp = state_of(home, LAMP)
    assert lamp["attributes"]["brightness"] == 120
    assert lamp["context"]["parent_id"] == state_of(home, "binary_sensor.own")["context"]["id"], cause
    wait_until(lambda: state_of(home, "automation.motion")["attributes"]["current"] == 0)
    motion = state_of(home, "automation.motion")
    assert motion["state"] == "on" and motion["attributes"]["id"] == "17" and motion["attributes"]["mode"] == "restart"
    assert motion["attributes"]["last_triggered"]


@pytest.mark.contract("Automations: runs")
def test_events_of_clients_start_those_with_old_keys(home):
    call(home, "switch.turn_on", {"entity_id": PUMP})
    # A connection delivers the events of its subscriptions one subscription after the other.
    with (WebSocketClient(home, home.tokens["admin"]) as client,
          WebSocketClient(home, home.tokens["admin"]) as listener):
        client.result("subscribe_events", event_type="other_button")
        other = client.last_id
        listener.result("subscribe_events", event_type="automation_triggered")
        triggered = listener.last_id
        fired = client.result("fire_event", event_type="press", event_data={"button": 2})
        event = listener.event(triggered)
        assert event["data"] == {"name": "Old keys", "entity_id": "automation.old_keys", "source": "event 'press'",
                                 "trigger": {"platform": "event"}}
        assert client.event(other)["context"] == event["context"]
        assert event["context"]["parent_id"] == fired["context"]["id"]
        client.result("fire_event", event_type="press", event_data={"button": 1})
        wait_until(lambda: state_of(home, PUMP)["state"] == "off")


@pytest.mark.contract("Automations: services")
def test_services_turn_them_off_and_trigger_them(home):
    call(home, "automation.turn_off", {"entity_id": "automation.old_keys"}, user="ann")
    assert state_of(home, "automation.old_keys")["state"] == "off"
    with WebSocketClient(home, home.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="other_button")
        other = client.last_id
        call(home, "automation.trigger", {"entity_id": "automation.old_keys"}, user="ann")
        # By hand there is no event: the template fails, and the default is taken.
        assert client.event(other)["context"]["user_id"]
    call(home, "automation.toggle", {"entity_id": "automation.old_keys"})
    assert state_of(home, "automation.old_keys")["state"] == "on"
    call(home, "automation.trigger", {"entity_id": "automation.old_keys"}, user="display", status=403)


@pytest.mark.contract("Automations: services")
def test_a_script_answers_its_caller(home):
    answer = call(home, "script.pump", {"what": "turn_on"}, query="?return_response")
    assert answer["service_response"] == {"did": "turn_on"}
    assert state_of(home, PUMP)["state"] == "on"
    call(home, "script.turn_on", {"entity_id": "script.slow"})
    assert state_of(home, "script.slow")["state"] == "on"
    call(home, "script.turn_off", {"entity_id": "script.slow"})
    assert state_of(home, "script.slow")["state"] == "off"
    assert "there is no service switch.explode" in call(home, "script.pump", {"what": "explode"}, status=400)
    home.errors_expected = True


@pytest.mark.contract("Automations: services")
def test_who_may_control_a_room_controls_only_the_automations_that_are_named(home):
    add_with_rights(home, "guest", "read: {entities: [automation.motion]}\ncontrol: {entities: [automation.motion]}\n")
    with home.client("guest") as guest:
        def status(service, data):
            return guest.post(f"/api/services/{service}", json=data).status_code

        assert status("automation/turn_off", {"entity_id": "automation.motion"}) == 200
        assert state_of(home, "automation.motion")["state"] == "off"
        # What the guest may not read is treated as absent.
        assert status("automation/turn_on", {"entity_id": ["automation.motion", "automation.old_keys"]}) == 200
        assert state_of(home, "automation.motion")["state"] == "on"
        assert status("script/pump", {"what": "turn_on"}) == status("script/nothing", {"what": "turn_on"}) == 404
        assert status("automation/reload", {}) == 403


@pytest.mark.contract("Automations: a loop")
def test_one_that_triggers_itself_is_stopped_and_named(home):
    call(home, "automation.turn_on", {"entity_id": "automation.loop"})
    with WebSocketClient(home, home.tokens["admin"]) as client:
        client.result("fire_event", event_type="loop")
        wait_until(lambda: state_of(home, "automation.loop")["state"] == "off")
        found = wait_until(lambda: [issue for issue in client.result("repairs/list_issues")["issues"]
                                    if issue["translation_placeholders"].get("entity_id") == "automation.loop"], 15)
    assert "by its own changes" in found[0]["translation_placeholders"]["error"]


@pytest.mark.contract("Automations: over a restart")
def test_what_is_off_stays_off_over_a_restart(hub_factory):
    folder = hub_factory.folder(automation=AUTOMATIONS, recorder={"commit_interval": "0s"})
    hub = hub_factory(folder)
    call(hub, "automation.turn_off", {"entity_id": "automation.motion"})
    call(hub, "automation.trigger", {"entity_id": "automation.old_keys"})
    last = state_of(hub, "automation.old_keys")["attributes"]["last_triggered"]
    hub.stop()
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    assert state_of(hub, "automation.motion")["state"] == "off"
    assert state_of(hub, "automation.old_keys")["state"] == "on"
    assert state_of(hub, "automation.old_keys")["attributes"]["last_triggered"] == last
