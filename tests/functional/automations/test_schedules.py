# SPDX-License-Identifier: Apache-2.0
"""Schedules of files and of people: whether they are on now, and what they answer."""

import pytest

from checks import call, state_of
from hub_process import command
from websocket_client import WebSocketClient

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ALWAYS = "".join(f"    {day}:\n      - {{from: 00:00:00, to: 24:00:00, data: {{degrees: 21}}}}\n" for day in DAYS)
CONFIGURATION = f"schedule:\n  always:\n    name: Always\n{ALWAYS}  never:\n"


@pytest.mark.contract("Automations: schedules")
def test_a_schedule_is_on_at_its_times(hub_factory, folder):
    assert command(folder, "check").returncode == 0, command(folder, "check").stderr
    hub = hub_factory(folder)
    always = state_of(hub, "schedule.always")
    assert always["state"] == "on"
    assert always["attributes"]["degrees"] == 21 and always["attributes"]["editable"] is False
    assert "T00:00:00" in always["attributes"]["next_event"]
    never = state_of(hub, "schedule.never")
    assert never["state"] == "off" and never["attributes"]["next_event"] is None
    answer = hub.admin.post("/api/services/schedule/get_schedule?return_response", json={"entity_id": "schedule.always"})
    week = answer.json()["service_response"]["schedule.always"]
    assert list(week) == DAYS and week["monday"] == [{"from": "00:00:00", "to": "24:00:00", "data": {"degrees": 21}}]


@pytest.mark.contract("Automations: schedules")
def test_people_make_schedules_and_wrong_ones_are_named(hub_factory, folder):
    hub = hub_factory(folder)
    week = {day: [{"from": "00:00:00", "to": "24:00"}] for day in DAYS}
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        made = client.result("schedule/create", name="Mine", **week)
        assert made["id"] == "mine" and made["monday"] == week["monday"]
        assert state_of(hub, "schedule.mine")["state"] == "on"
        client.result("schedule/update", schedule_id="mine", **{day: [] for day in DAYS})
        assert state_of(hub, "schedule.mine")["state"] == "off"
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("  never:\n", "  never: {monday: [{from: 09:00, to: 08:00}]}\n"))
    call(hub, "schedule.reload")
    hub.logged("monday: expected times that end after they begin, got 09:00 to 08:00")
    assert command(folder, "check").returncode == 1
