# SPDX-License-Identifier: Apache-2.0
"""Timers of files and of people: their services, events, and what a restart and a kill leave."""

import pytest

from checks import call, state_of
from hub_process import command, wait_until
from test_durability import kill
from websocket_client import WebSocketClient

CONFIGURATION = """\
timer:
  eggs: {name: Eggs, duration: 00:05:00}
  oven:
automation:
  - id: "1"
    alias: ended
    mode: queued
    triggers: {trigger: event, event_type: timer.finished}
    actions:
      action: system_log.write
      data: {level: info, message: "ended {{ trigger.event.data.entity_id }}"}
"""

PACKAGES = "  packages: {laundry: {timer: {wash: {duration: {minutes: 90}, icon: mdi:washing-machine}}}}\n"


@pytest.mark.contract("Automations: timers")
def test_a_timer_of_a_file_is_started_paused_and_cancelled(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    eggs = {"entity_id": "timer.eggs"}
    state = state_of(hub, "timer.eggs")
    assert state["state"] == "idle"
    assert state["attributes"] == {"duration": "0:05:00", "editable": False, "friendly_name": "Eggs"}
    assert state_of(hub, "timer.wash")["attributes"]["duration"] == "1:30:00"
    assert state_of(hub, "timer.oven")["attributes"]["duration"] == "0:00:00"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="timer.restarted")
        call(hub, "timer.start", eggs)
        running = state_of(hub, "timer.eggs")
        assert running["state"] == "active" and running["attributes"]["remaining"] == "0:05:00"
        call(hub, "timer.pause", eggs)
        assert "finishes_at" not in state_of(hub, "timer.eggs")["attributes"]
        call(hub, "timer.start", eggs | {"duration": "00:00:42"})
        event = client.receive()["event"]
        assert event["data"] == {"entity_id": "timer.eggs"}
        assert event["context"]["user_id"] is not None
    assert state_of(hub, "timer.eggs")["attributes"]["duration"] == "0:00:42"
    answer = hub.admin.post("/api/services/timer/change", json=eggs | {"duration": "00:01:00"})
    assert answer.status_code == 400 and "cannot run longer than its duration, 0:00:42" in answer.json()["message"]
    assert hub.admin.post("/api/services/timer/start", json=eggs | {"duration": "soon"}).status_code == 400
    call(hub, "timer.cancel", eggs)
    assert state_of(hub, "timer.eggs")["state"] == "idle"
    assert state_of(hub, "timer.eggs")["attributes"]["duration"] == "0:05:00"


@pytest.mark.contract("Automations: timers")
@pytest.mark.parametrize("end", ["restart", "kill"])
def test_timers_go_on_after_a(end, hub_factory, folder):
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("timer/create", name="Tea", duration="00:03:00")["id"] == "tea"
        assert [item["id"] for item in client.result("timer/list")] == ["tea"]
    names = ("tea", "eggs", "wash")
    call(hub, "timer.start", {"entity_id": [f"timer.{name}" for name in names]})
    call(hub, "timer.pause", {"entity_id": "timer.wash"})
    call(hub, "timer.start", {"entity_id": "timer.oven", "duration": 3})
    before = {name: state_of(hub, f"timer.{name}") for name in names}
    if end == "kill":
        kill(hub)
        hub_factory.hubs.remove(hub)
    else:
        hub.stop()
    again = hub_factory(folder)
    wait_until(lambda: state_of(again, "timer.oven")["state"] == "idle", 20)
    # On a busy machine it may have run out before the hub ended.
    wait_until(lambda: any("ended timer.oven" in line for line in hub.log + again.log), 20)
    after = {name: state_of(again, f"timer.{name}") for name in before}
    for name, state in before.items():
        assert after[name]["state"] == state["state"] == ("paused" if name == "wash" else "active")
        assert after[name]["attributes"] == state["attributes"]
    call(again, "timer.finish", {"entity_id": "timer.eggs"})
    again.logged("ended timer.eggs")


@pytest.mark.contract("Automations: timers")
def test_a_wrong_timer_is_named(hub_factory, folder):
    settings = folder / "configuration.yaml"
    hub = hub_factory(folder)
    settings.write_text(settings.read_text().replace("duration: 00:05:00", "duration: long"))
    call(hub, "timer.reload")
    assert state_of(hub, "timer.eggs")["attributes"]["duration"] == "0:05:00"
    checked = command(folder, "check")
    assert checked.returncode == 1
    assert 'duration: expected a duration: seconds' in checked.stdout + checked.stderr
