# SPDX-License-Identifier: Apache-2.0
"""What fails again and again is in the log a few times, and then counted: who can make it fail cannot fill the log."""

import time

import pytest

from hub_process import wait_until
from websocket_client import WebSocketClient

TIMES = 200
MOST = 20  # the first, the 2nd, 4th, 8th … 128th, of two kinds
LAMP = {"entity_id": "light.kitchen"}
# Automations of a webhook that go wrong, each in its own way.
WRONG = {
    "unknown service": {"actions": [{"action": "light.nonsense", "target": LAMP}]},
    "unknown target": {"actions": [{"action": "light.turn_on", "target": {"entity_id": "light.none"}}], "mode": "parallel"},
    "failing template": {"actions": [{"action": "light.turn_on", "target": LAMP, "data": {"brightness": "{{ 1 / 0 }}"}}]},
    "wrong value": {"actions": [{"action": "light.turn_on", "target": LAMP, "data": {"brightness": "{{ 'x' }}"}}]},
    "failing condition": {"conditions": [{"condition": "template", "value_template": "{{ 1 / 0 }}"}], "actions": []},
    "no number": {"conditions": [{"condition": "numeric_state", **LAMP, "above": "sensor.none"}], "actions": []},
    "still running": {"actions": [{"delay": 60}]},
    "queue is full": {"actions": [{"delay": 60}], "mode": "queued", "max": 2},
    "as many as allowed": {"actions": [{"delay": 60}], "mode": "parallel", "max": 2},
    "stop": {"actions": [{"stop": "that is wrong", "error": True}]},
    "undefined variable": {"actions": [{"variables": {"a": "{{ nothing.at.all }}"}}]},
    "script that runs": {"actions": [{"action": "script.long"}]},
}


@pytest.fixture(scope="module")
def hub(module_hubs):
    automations = [{"alias": name, "id": str(number), "triggers": [
        {"trigger": "webhook", "webhook_id": f"a-webhook-of-the-tests-{number}", "local_only": False}], **keys}
        for number, (name, keys) in enumerate(WRONG.items())]
    sensors = [{"name": "Float", "state": "{{ states('sensor.text') | float }}"},
               {"name": "Long", "state": "{{ 'x' * 300 ~ states('sensor.text') }}"}]
    hub = module_hubs.start(automation=automations, script={"long": {"sequence": [{"delay": 60}], "mode": "single"}},
                            template=[{"sensor": sensors}])
    hub.errors_expected = True
    return hub


def lines_after(hub, work):
    """How many lines the log has of the work; the last line is the test's own."""
    before = len(hub.log)
    work()
    mark = f"mark {time.monotonic()}"
    hub.admin.post("/api/services/system_log/write", json={"message": mark, "level": "warning"})
    hub.logged(mark, 20)
    return len(hub.log) - before - 1


@pytest.mark.parametrize("name", WRONG)
def test_an_automation_that_goes_wrong_again_and_again(hub, name):
    path = f"/api/webhook/a-webhook-of-the-tests-{list(WRONG).index(name)}"

    def call():
        for _ in range(TIMES):
            # The queue of webhooks may be full for a moment.
            wait_until(lambda: hub.anonymous.post(path, json={}).status_code == 200)

    assert 1 <= lines_after(hub, call) <= MOST


def test_template_entities_whose_errors_are_always_others(hub):
    def change():
        for number in range(TIMES):
            hub.admin.post("/api/states/sensor.text", json={"state": f"text {number}"})

    assert 2 <= lines_after(hub, change) <= 2 * MOST


def test_users_who_name_what_is_not_there(hub):
    def call():
        for number in range(TIMES):
            answer = hub.ann.post("/api/services/light/turn_on", json={"entity_id": f"light.none_{number}"})
            assert answer.status_code == 200
        for _ in range(TIMES):
            assert hub.admin.post("/api/template", json={"template": "{{ 1 / 0 }}"}).status_code == 400
            assert hub.ann.post("/api/services/light/turn_on", json={**LAMP, "brightness": "x"}).status_code == 400
        with WebSocketClient(hub, hub.tokens["ann"]) as client:
            for _ in range(TIMES):
                client.error("nonsense")
                client.error("call_service", domain="light", service="nonsense")

    assert 1 <= lines_after(hub, call) <= MOST
