# SPDX-License-Identifier: Apache-2.0
"""What needs attention: alerts that come and go, who sees them, and snoozing."""

import pytest

from checks import TIMESTAMP, assert_json, assert_message
from hub_process import wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient

KEYS = {"alert_id", "kind", "grade", "entity_id", "device_id", "area_id", "since", "snoozed_until"}
CLASSES = {"smoke": "danger", "carbon_monoxide": "danger", "gas": "danger", "moisture": "danger", "safety": "danger",
           "tamper": "danger", "problem": "warning", "heat": "warning", "cold": "warning", "battery": "warning"}


@pytest.fixture
def home(hub_factory):
    """A hub without devices."""
    return hub_factory(demo=None)


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def write(hub, entity_id, state, **attributes):
    answer = hub.admin.post(f"/api/states/{entity_id}", json={"state": state, "attributes": attributes})
    assert answer.status_code in (200, 201), answer.text


def leak(hub, state="on", name="leak"):
    write(hub, f"binary_sensor.{name}", state, device_class="moisture")


def alerts(client):
    return {alert["entity_id"]: alert for alert in client.result("alerts/list")["alerts"]}


def subscribe(client):
    client.result("alerts/subscribe")
    subscription = client.last_id
    return subscription, client.event(subscription)["alerts"]


def check_rest(hub, client, user):
    with hub.client(user) as rest:
        assert assert_json(rest.get("/api/alerts")) == client.result("alerts/list")["alerts"] != []


@pytest.mark.contract("Beyond the specification: alerts")
def test_rest_lists_them_for_a_token(home, admin):
    assert assert_json(home.admin.get("/api/alerts")) == []
    leak(home)
    wait_until(lambda: alerts(admin))
    check_rest(home, admin, "admin")
    for user in ("ann", "display"):
        with WebSocketClient(home, home.tokens[user]) as client:
            check_rest(home, client, user)
    assert_message(home.anonymous.get("/api/alerts"), 401)


@pytest.mark.contract("WebSocket: alerts")
def test_an_alert_comes_and_goes(home, admin):
    subscription, first = subscribe(admin)
    assert first == []
    leak(home)
    event = admin.event(subscription)
    (alert,) = event["changed"]
    assert set(event) == {"changed"} and set(alert) == KEYS
    state = home.admin.get("/api/states/binary_sensor.leak").json()
    assert alert["since"] == state["last_changed"] and TIMESTAMP.fullmatch(alert["since"])
    assert (alert["kind"], alert["grade"], alert["entity_id"]) == ("moisture", "danger", "binary_sensor.leak")
    assert (alert["device_id"], alert["area_id"], alert["snoozed_until"]) == (None, None, None)
    write(home, "light.lamp", "on")  # no alert, and no event
    leak(home, "off")
    assert admin.event(subscription) == {"removed": [alert["alert_id"]]}
    assert alerts(admin) == {}


@pytest.mark.contract("WebSocket: alerts")
def test_danger_comes_first_and_kinds_stand_together(home, admin):
    for device_class in reversed(CLASSES):
        write(home, f"binary_sensor.{device_class}", "on", device_class=device_class)
    write(home, "alarm_control_panel.home", "triggered")
    write(home, "lock.door", "jammed")
    write(home, "vacuum.robot", "error")
    write(home, "sensor.battery", "15", device_class="battery", unit_of_measurement="%")
    write(home, "sensor.full", "16", device_class="battery", unit_of_measurement="%")
    write(home, "update.firmware", "on", in_progress=False)
    write(home, "binary_sensor.door", "on", device_class="door")  # not for long
    found = wait_until(lambda: len(alerts(admin)) == len(CLASSES) + 5 and admin.result("alerts/list")["alerts"])
    grades = [alert["grade"] for alert in found]
    assert grades == sorted(grades) and grades.count("danger") == 9
    kinds = [alert["kind"] for alert in found]
    assert all(kinds[kinds.index(kind):][:kinds.count(kind)] == [kind] * kinds.count(kind) for kind in kinds)
    assert {alert["entity_id"]: alert["grade"] for alert in found} | {f"binary_sensor.{kind}": grade for kind, grade in CLASSES.items()} \
        == {alert["entity_id"]: alert["grade"] for alert in found}


@pytest.mark.contract("WebSocket: alerts")
def test_who_may_not_read_the_entity_has_no_alert_of_it(home, admin):
    admin.result("config/area_registry/create", name="Kitchen")
    admin.result("config/area_registry/create", name="Bedroom")
    leak(home, "off", "kitchen")
    leak(home, "off", "bedroom")
    for room in ("kitchen", "bedroom"):
        admin.result("config/entity_registry/update", entity_id=f"binary_sensor.{room}", area_id=room)
    add_with_rights(home, "guest", "read: {areas: [kitchen]}\n")
    with WebSocketClient(home, home.tokens["guest"]) as guest:
        subscription, first = subscribe(guest)
        assert first == []
        leak(home, "on", "bedroom")
        assert wait_until(lambda: alerts(admin))["binary_sensor.bedroom"]["area_id"] == "bedroom"
        leak(home, "on", "kitchen")
        event = guest.event(subscription)
        assert [(alert["entity_id"], alert["area_id"]) for alert in event["changed"]] == [("binary_sensor.kitchen", "kitchen")]
        assert list(alerts(guest)) == ["binary_sensor.kitchen"]
        hidden = alerts(admin)["binary_sensor.bedroom"]["alert_id"]
        assert guest.error("alerts/snooze", alert_ids=[hidden])[0] == "not_found"
        # A user who may only read snoozes for themselves.
        guest.result("alerts/snooze", alert_ids=[event["changed"][0]["alert_id"], hidden])
        assert alerts(guest)["binary_sensor.kitchen"]["snoozed_until"]
        assert {alert["snoozed_until"] for alert in alerts(admin).values()} == {None}
        check_rest(home, guest, "guest")
        check_rest(home, admin, "admin")
        # It moves out of sight.
        admin.result("config/entity_registry/update", entity_id="binary_sensor.kitchen", area_id="bedroom")
        wait_until(lambda: not alerts(guest))


@pytest.mark.contract("WebSocket: alerts")
def test_a_person_snoozes_for_all_of_their_pages(home, admin):
    write(home, "sensor.battery", "3", device_class="battery")
    alert_id = wait_until(lambda: alerts(admin))["sensor.battery"]["alert_id"]
    with WebSocketClient(home, home.tokens["admin"]) as tablet, WebSocketClient(home, home.tokens["ann"]) as ann:
        (on_tablet, _), (of_ann, _) = subscribe(tablet), subscribe(ann)
        admin.result("alerts/snooze", alert_ids=[alert_id])
        (snoozed,) = tablet.event(on_tablet)["changed"]
        assert TIMESTAMP.fullmatch(snoozed["snoozed_until"])
        admin.result("alerts/unsnooze", alert_ids=[alert_id])
        (again,) = tablet.event(on_tablet)["changed"]
        assert again["snoozed_until"] is None
        leak(home)  # the first that Ann hears of
        assert [alert["kind"] for alert in ann.event(of_ann)["changed"]] == ["moisture"]


@pytest.mark.contract("WebSocket: alerts")
def test_a_snooze_survives_a_restart_and_a_new_danger_does_not_stay_snoozed(hub_factory):
    hub = hub_factory(demo=None)
    leak(hub)
    write(hub, "sensor.battery", "3", device_class="battery")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        before = wait_until(lambda: len(alerts(client)) == 2 and alerts(client))
        client.result("alerts/snooze", alert_ids=[alert["alert_id"] for alert in before.values()])
        before = alerts(client)
    hub.stop()
    hub = hub_factory(hub.folder, demo=None)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        after = alerts(client)
        assert after == before and all(alert["snoozed_until"] for alert in after.values())
        subscription, _ = subscribe(client)
        leak(hub, "off")
        client.event(subscription)
        leak(hub)
        (alert,) = client.event(subscription)["changed"]
        assert alert["alert_id"] == before["binary_sensor.leak"]["alert_id"] and alert["snoozed_until"] is None


@pytest.mark.contract("WebSocket: alerts")
def test_automations_hear_of_alerts_by_an_event(home, admin):
    admin.result("subscribe_events", event_type="alert_updated")
    subscription = admin.last_id
    leak(home)
    data = admin.event(subscription)["data"]
    assert (data["action"], data["kind"], data["grade"], data["entity_id"]) == ("raised", "moisture", "danger", "binary_sensor.leak")
    assert set(data) == KEYS - {"snoozed_until"} | {"action"}
    leak(home, "off")
    assert admin.event(subscription)["data"]["action"] == "ended"


@pytest.mark.contract("WebSocket: alerts")
def test_wrong_ids_are_refused(admin):
    for command in ("alerts/snooze", "alerts/unsnooze"):
        for fields in ({}, {"alert_ids": []}, {"alert_ids": 7}, {"alert_ids": None}, {"alert_ids": ["x"], "until": "x"}):
            code, message = admin.error(command, **fields)
            assert code == "invalid_format" and message, fields
    assert admin.error("alerts/snooze", alert_ids=["battery.nothing"])[0] == "not_found"
    assert admin.result("alerts/unsnooze", alert_ids=["battery.nothing"]) is None
