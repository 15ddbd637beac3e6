# SPDX-License-Identifier: Apache-2.0
"""Companion apps: registration, and what they send to their webhooks."""

import json

import httpx
import pytest

from checks import assert_json, assert_message, call, set_state, state_of, value
from companion_app import BATTERY, DEVICE, CompanionApp, seal
from hub_process import add_user, command, create_token, wait_until
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def hub(module_hubs):
    return module_hubs.start()


@pytest.fixture(scope="module")
def app(hub):
    return CompanionApp(hub)


def error(response, status, code):
    assert response.status_code == status, response.text
    body = response.json()
    assert body["success"] is False and body["error"]["code"] == code and body["error"]["message"]


def fired(stream, kind):
    """The next event of that type."""
    return json.loads(list(stream.until_type(kind))[-1].data)


@pytest.mark.contract("Companion apps: registration")
def test_registration_is_answered_with_secrets(app):
    assert set(app.registered) == {"webhook_id", "secret", "cloudhook_url", "remote_ui_url"}
    assert len(app.registered["webhook_id"]) == 64 and app.secret is None
    assert app.registered["cloudhook_url"] is None and app.registered["remote_ui_url"] is None


@pytest.mark.contract("Companion apps: registration")
def test_registration_needs_a_token_and_all_fields(hub):
    assert_message(hub.anonymous.post("/api/mobile_app/registrations", json=DEVICE), 401)
    for field in ("app_id", "device_name", "model", "os_name"):
        assert field in assert_message(hub.admin.post("/api/mobile_app/registrations", json={k: v for k, v in DEVICE.items() if k != field}), 400)
    assert "app_data" in assert_message(hub.admin.post("/api/mobile_app/registrations", json=DEVICE | {"app_data": {"x": "y" * 20_000}}), 400)
    assert "model" in assert_message(hub.admin.post("/api/mobile_app/registrations", json=DEVICE | {"model": "y" * 2_560}), 400)


@pytest.mark.contract("Companion apps: sensors")
def test_sensors_become_entities_of_the_device(hub, app):
    assert app.send("register_sensor", BATTERY, 201) == {"success": True}
    state = state_of(hub, "sensor.ann_s_phone_battery_level")
    assert state["state"] == "71"
    wanted = {"unit_of_measurement": "%", "device_class": "battery", "state_class": "measurement", "charging": False, "icon": "mdi:battery-70"}
    assert wanted.items() <= state["attributes"].items()
    door = {"type": "binary_sensor", "unique_id": "is_charging", "name": "Charging", "state": True}
    app.send("register_sensor", door, 201)
    assert value(hub, "binary_sensor.ann_s_phone_charging") == "on"
    answer = app.send("update_sensor_states", [{"type": "sensor", "unique_id": "battery_level", "state": 70, "icon": "mdi:battery", "attributes": {}},
                                               {"type": "sensor", "unique_id": "unknown", "state": 1}])
    assert answer["battery_level"] == {"success": True}
    assert answer["unknown"]["success"] is False and answer["unknown"]["error"]["code"] == "not_registered"
    assert value(hub, "sensor.ann_s_phone_battery_level") == "70"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        entry = client.result("config/entity_registry/get", entity_id="sensor.ann_s_phone_battery_level")
        device = next(each for each in client.result("config/device_registry/list") if each["id"] == entry["device_id"])
    assert entry["platform"] == "mobile_app" and entry["entity_category"] == "diagnostic"
    assert (device["name"], device["manufacturer"], device["model"]) == ("Ann's phone", "Made", "P1")
    assert ["mobile_app", "device-admin"] in device["identifiers"]


def test_a_sensor_that_people_disable_is_said_to_be(hub, app):
    app.send("register_sensor", BATTERY | {"unique_id": "steps", "name": "Steps"}, 201)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id="sensor.ann_s_phone_steps", disabled_by="user")
    wait_until(lambda: app.send("update_sensor_states", [{"unique_id": "steps", "state": 5}])["steps"] == {"success": True, "is_disabled": True})
    assert app.send("get_config")["entities"]["steps"] == {"disabled": True}


@pytest.mark.contract("Companion apps: update_location")
def test_location_moves_the_tracker_through_zones(hub, app):
    config = assert_json(hub.admin.get("/api/config"))
    home = [config["latitude"], config["longitude"]]
    assert app.send("update_location", {"gps": home, "gps_accuracy": 10, "battery": 45, "speed": 2, "altitude": 34, "course": 90}) == {}
    state = state_of(hub, "device_tracker.ann_s_phone")
    assert state["state"] == "home"
    assert {"battery_level": 45, "gps_accuracy": 10, "source_type": "gps", "speed": 2}.items() <= state["attributes"].items()
    app.send("update_location", {"gps": [home[0] + 1, home[1]], "gps_accuracy": 10})
    assert value(hub, "device_tracker.ann_s_phone") == "not_home"
    app.send("update_location", {"location_name": "Garden"})
    assert value(hub, "device_tracker.ann_s_phone") == "Garden"
    for gps in ([91, 0], [0, 181], ["a", 1], [1], "1,1", {"a": 1}):
        error(app.post({"type": "update_location", "data": {"gps": gps}}), 400, "invalid_format")
    assert value(hub, "device_tracker.ann_s_phone") == "Garden"


@pytest.mark.contract("Companion apps: get_config, get_zones")
def test_configuration_and_zones_are_told(hub, app):
    config, zones = app.send("get_config"), app.send("get_zones")
    assert config["location_name"] == assert_json(hub.admin.get("/api/config"))["location_name"]
    assert {"version", "unit_system", "time_zone", "components", "theme_color", "hass_device_id"} <= set(config)
    assert "mobile_app" in config["components"] and config["hass_device_id"]
    assert "zone.home" in [zone["entity_id"] for zone in zones]


@pytest.mark.contract("Companion apps: update_registration")
def test_registration_is_updated(hub, app):
    answer = app.send("update_registration", {"app_version": "2026.2", "device_name": "Ann's phone", "manufacturer": "Made", "model": "P2",
                                              "os_version": "17", "app_data": {"push_token": "t", "push_url": "https://push.invalid/"}})
    assert answer["model"] == "P2" and "secret" not in answer and "webhook_id" not in answer
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        [device] = [each for each in client.result("config/device_registry/list") if ["mobile_app", "device-admin"] in each["identifiers"]]
    assert (device["model"], device["sw_version"]) == ("P2", "17")


@pytest.mark.contract("Companion apps: call_service, fire_event", "Companion apps: render_template", "Companion apps: scan_tag", "Companion apps: conversation_process", "Companion apps: stream_camera")
def test_events_services_templates_tags_and_sentences(hub, app, name):
    with hub.stream() as stream:
        assert app.send("fire_event", {"event_type": name, "event_data": {"a": 1}}) == {}
        assert fired(stream, name)["data"] == {"a": 1}
        assert app.send("scan_tag", {"tag_id": "door"}) == {}
        assert fired(stream, "tag_scanned")["data"] == {"tag_id": "door", "device_id": app.send("get_config")["hass_device_id"]}
    set_state(hub, f"sensor.{name}", "5")
    assert app.send("render_template", {"one": {"template": "{{ states('sensor." + name + "') | int + a }}", "variables": {"a": 2}},
                                        "two": {"template": "{{ nothing("}})["one"] == "7"
    assert "error" in app.send("render_template", {"two": {"template": "{{ nothing("}})["two"]
    assert app.send("call_service", {"domain": "persistent_notification", "service": "create", "service_data": {"message": "x", "notification_id": name}}) == {}
    error(app.post({"type": "call_service", "data": {"domain": "nothing", "service": "there"}}), 400, "not_found")
    answer = app.send("conversation_process", {"text": "abracadabra", "language": "en"})
    assert answer["response"]["response_type"] == "error"
    error(app.post({"type": "stream_camera", "data": {"camera_entity_id": "camera.none"}}), 400, "not_found")
    error(app.post({"type": "no_such_type", "data": {}}), 400, "invalid_format")


@pytest.mark.contract("Companion apps: call_service, fire_event")
def test_services_for_administrators_are_not_called(hub, app):
    error(app.post({"type": "call_service", "data": {"domain": "homeassistant", "service": "restart"}}), 403, "forbidden")


@pytest.mark.contract("Companion apps: encrypted messages")
@pytest.mark.parametrize("by_characters", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_encrypted_messages_are_answered_encrypted(hub, whole, by_characters):
    app = CompanionApp(hub, device_id=f"sealed-{whole}-{by_characters}", device_name=f"Sealed {whole} {by_characters}", supports_encryption=True,
                       by_characters=by_characters)
    assert len(app.secret) == 64
    assert "location_name" in app.send_sealed("get_config", whole=whole)
    assert app.send_sealed("register_sensor", BATTERY, whole, 201) == {"success": True}
    assert app.send_sealed("update_sensor_states", [{"unique_id": "battery_level", "state": 3}], whole) == {"battery_level": {"success": True}}
    error(app.post({"type": "get_config", "data": {}}), 400, "encryption_required")


@pytest.mark.contract("Companion apps: encrypted messages")
def test_nonsense_is_refused_with_a_word(hub, app):
    sealed = CompanionApp(hub, device_id="nonsense", device_name="Nonsense", supports_encryption=True)
    other = "0" * 64
    for data in ("", "AAAA", "not base64!", "A" * 4_000, seal(other, '{"type":"get_config"}'), seal(sealed.secret, "not json"), seal(sealed.secret, "[]"),
                 seal(sealed.secret, '{"data": {}}'), seal(sealed.secret, '{"type": "encrypted"}'), 5, {"a": 1}):
        error(sealed.post({"type": "encrypted", "encrypted": True, "encrypted_data": data}), 400, "invalid_format")
    for body in ([], "x", 5, {}, {"type": 5}, {"type": ""}, {"type": "get_config", "data": []}, {"type": "update_sensor_states", "data": {}}):
        error(app.post(body), 400, "invalid_format")
    response = httpx.post(hub.url + app.path, content=b"\xff\xfe{", timeout=20, trust_env=False)
    error(response, 400, "invalid_format")
    assert "location_name" in app.send("get_config")


@pytest.mark.contract("Companion apps: enable_encryption")
def test_encryption_is_enabled_later_and_once(hub):
    app = CompanionApp(hub, device_id="later", device_name="Later")
    app.secret = app.send("enable_encryption")["secret"]
    assert "location_name" in app.send_sealed("get_config")
    response = app.post({"type": "encrypted", "encrypted": True, "encrypted_data": seal(app.secret, '{"type": "enable_encryption"}')})
    error(response, 400, "encryption_already_enabled")


@pytest.mark.contract("Companion apps: sensors")
def test_sensors_have_bounds(hub_factory):
    hub = hub_factory()
    app = CompanionApp(hub)
    wrong = [{"type": "light"}, {"unique_id": ""}, {"unique_id": 5}, {"name": "x" * 2_560}, {"attributes": []}, {"attributes": {"a": "x" * 164_000}}]
    for change in wrong:
        error(app.post({"type": "register_sensor", "data": BATTERY | change}), 400, "invalid_format")
    for number in range(200):
        app.send("register_sensor", BATTERY | {"unique_id": f"s{number}", "name": f"S {number}"}, 201)
    for number in range(2_000, 2_020):
        error(app.post({"type": "register_sensor", "data": BATTERY | {"unique_id": f"s{number}"}}), 400, "full")
    error(app.post({"type": "update_sensor_states", "data": [{"unique_id": "s1", "state": 1}] * 2_000}), 400, "invalid_format")
    app.send("register_sensor", BATTERY | {"unique_id": "s1", "name": "S 1"}, 201)


@pytest.mark.contract("Companion apps: registration", "Companion apps: unknown webhooks")
def test_an_app_that_registers_a_thousand_times_gets_errors(hub_factory):
    hub = hub_factory()
    app = CompanionApp(hub)
    answers = [hub.admin.post("/api/mobile_app/registrations", json=DEVICE | {"device_id": f"d{number}"}).status_code for number in range(500)]
    assert answers[:19] == [201] * 19 and set(answers[19:]) == {507}, answers[:40]
    again = [hub.admin.post("/api/mobile_app/registrations", json=DEVICE | {"device_id": "device-admin"}).status_code for _ in range(500)]
    assert again[:40] == [201] * 40 and set(again[40:]) == {429}, again[:50]
    assert app.post({"type": "get_config", "data": {}}).content == b""  # another registration has taken its place
    assert CompanionApp(hub, "ann").send("get_zones")


def test_a_phone_may_what_its_owner_may(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    set_state(hub, "switch.seen", "on")
    set_state(hub, "switch.hidden", "secret")
    display = CompanionApp(hub, "display")
    error(display.post({"type": "call_service", "data": {"domain": "homeassistant", "service": "turn_off", "service_data": {"entity_id": "switch.seen"}}}),
          403, "forbidden")
    error(display.post({"type": "fire_event", "data": {"event_type": "anything"}}), 403, "forbidden")
    error(display.post({"type": "scan_tag", "data": {"tag_id": "door"}}), 403, "forbidden")
    with hub.stream() as stream:
        assert display.send("fire_event", {"event_type": "mobile_app_notification_action", "event_data": {"action": "OFF"}}) == {}
        event = fired(stream, "mobile_app_notification_action")
        assert event["data"] == {"action": "OFF"} and event["context"]["user_id"]


@pytest.mark.contract("Companion apps: unknown webhooks")
def test_a_phone_ends_with_its_token_and_comes_back_as_it_was(hub_factory):
    folder = hub_factory.folder()
    add_user(folder, "bob")
    token = create_token(folder, "bob", "phone")
    hub = hub_factory(folder)
    bob = httpx.Client(base_url=hub.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False)
    app = CompanionApp(hub, bob, device_id="bobs", device_name="Bob's phone")
    app.send("register_sensor", BATTERY, 201)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/update", entity_id="sensor.bob_s_phone_battery_level", new_entity_id="sensor.bobs_battery")
    command(folder, "token", "revoke", "--user", "bob", "--name", "phone")
    wait_until(lambda: hub.admin.get("/api/states/sensor.bobs_battery").status_code == 404)
    assert app.post({"type": "get_config", "data": {}}).content == b""
    second = create_token(folder, "bob", "again")
    bob = httpx.Client(base_url=hub.url, headers={"Authorization": f"Bearer {second}"}, trust_env=False)
    wait_until(lambda: bob.get("/api/states").status_code == 200)
    app = CompanionApp(hub, bob, device_id="bobs", device_name="Bob's phone")
    app.send("register_sensor", BATTERY, 201)
    assert value(hub, "sensor.bobs_battery") == "71"


def test_phones_survive_a_restart(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    app = CompanionApp(hub)
    app.send("register_sensor", BATTERY, 201)
    config = assert_json(hub.admin.get("/api/config"))
    app.send("update_location", {"gps": [config["latitude"], config["longitude"]], "gps_accuracy": 5})
    wait_until(lambda: value(hub, "device_tracker.ann_s_phone") == "home")
    hub.stop()
    app.hub = hub_factory(folder)
    assert value(app.hub, "sensor.ann_s_phone_battery_level") == "71"
    assert value(app.hub, "device_tracker.ann_s_phone") == "home"
    assert app.send("update_sensor_states", [{"unique_id": "battery_level", "state": 9}]) == {"battery_level": {"success": True}}
    assert value(app.hub, "sensor.ann_s_phone_battery_level") == "9"


def test_the_phone_tells_where_its_person_is(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        ann = client.result("auth/current_user")["id"]
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("person/create", name="Ann", user_id=ann, device_trackers=[])
    app = CompanionApp(hub, "ann")
    app.send("update_location", {"location_name": "Garden"})
    wait_until(lambda: value(hub, "person.ann") == "Garden")


def test_another_user_cannot_take_a_phone_over(hub_factory):
    hub = hub_factory()
    mine = CompanionApp(hub, "admin", device_id="same")
    mine.send("register_sensor", BATTERY, 201)
    theirs = CompanionApp(hub, "ann", device_id="same")
    theirs.send("register_sensor", BATTERY | {"state": 1}, 201)
    assert value(hub, "sensor.ann_s_phone_battery_level") == "71" and value(hub, "sensor.ann_s_phone_battery_level_2") == "1"


def test_registrations_are_in_the_audit_log(hub):
    CompanionApp(hub, device_id="audited", device_name="Audited")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        rows = client.result("audit/list")["rows"]
    assert "POST /api/mobile_app/registrations" in [row["what"] for row in rows]
