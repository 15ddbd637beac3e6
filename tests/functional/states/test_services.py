# SPDX-License-Identifier: Apache-2.0
"""GET /api/services and POST /api/services/{domain}/{service}"""

import json
import threading
import time

import pytest

from checks import assert_json, assert_message, assert_state, call, set_state, state_of, turn_off
from hub_process import wait_until

PUMP = {"entity_id": "switch.garden_pump"}
KITCHEN = {"entity_id": "light.kitchen"}


@pytest.fixture(scope="module")
def home(module_hubs):
    """A hub whose devices these tests may command."""
    return module_hubs()


@pytest.fixture(autouse=True)
def lights_off(home):
    """Each test starts with everything off, so that turning something on is a change."""
    turn_off(home, "light.kitchen", "light.living_room", "switch.garden_pump")


def descriptions(home):
    """`domain.service` → its description."""
    domains = assert_json(home.ann.get("/api/services"))
    return {f"{d['domain']}.{name}": service for d in domains for name, service in d["services"].items()}


@pytest.mark.contract("Services: list")
def test_list_describes_every_service_and_field(home):
    domains = assert_json(home.ann.get("/api/services"))
    assert isinstance(domains, list)
    names = [entry["domain"] for entry in domains]
    assert len(names) == len(set(names))
    assert {"light", "switch", "cover", "climate", "fan", "lock", "platform", "homeassistant"} <= set(names)
    for entry in domains:
        assert list(entry) == ["domain", "services"]
        assert isinstance(entry["services"], dict) and entry["services"]
        for service in entry["services"].values():
            assert isinstance(service["description"], str) and service["description"]
            assert isinstance(service["fields"], dict)
            assert set(service) <= {"name", "description", "fields", "target", "response"}
            for field in service["fields"].values():
                assert isinstance(field["description"], str) and field["description"]
                assert "example" in field
                assert set(field) <= {"name", "description", "example", "required", "selector", "default", "advanced"}


@pytest.mark.contract("Services: list")
def test_list_has_the_catalogue(home):
    services = descriptions(home)
    for domain, names in {
        "light": "turn_on turn_off toggle",
        "switch": "turn_on turn_off toggle",
        "cover": "open_cover close_cover stop_cover toggle set_cover_position open_cover_tilt close_cover_tilt "
                 "stop_cover_tilt toggle_cover_tilt set_cover_tilt_position",
        "lock": "lock unlock open",
        "climate": "turn_on turn_off toggle set_temperature set_hvac_mode set_preset_mode set_fan_mode set_swing_mode "
                   "set_humidity",
        "fan": "turn_on turn_off toggle set_percentage increase_speed decrease_speed set_preset_mode oscillate "
               "set_direction",
        "platform": "turn_on turn_off toggle update_entity stop check_config",
        "homeassistant": "turn_on turn_off toggle update_entity stop check_config",
    }.items():
        for name in names.split():
            assert f"{domain}.{name}" in services
    fields = services["light.turn_on"]["fields"]
    for field in ("transition brightness brightness_pct brightness_step brightness_step_pct rgb_color rgbw_color "
                  "rgbww_color hs_color xy_color color_name color_temp_kelvin color_temp kelvin white effect flash "
                  "profile").split():
        assert field in fields
    assert services["cover.set_cover_position"]["fields"]["position"]["required"] is True


@pytest.mark.contract("Services: unknown service")
@pytest.mark.parametrize("service", ["light.explode", "nonsense.turn_on", "light.TURN-ON"])
def test_unknown_service_is_not_found(home, service):
    assert call(home, service, KITCHEN, status=404) == f"Service {service.lower()} not found."


@pytest.mark.contract("Services: empty body")
@pytest.mark.parametrize("content", [b"", b"{}"])
@pytest.mark.parametrize("service", ["homeassistant/check_config", "platform/check_config"])
def test_empty_body_is_no_data(home, service, content):
    assert assert_json(home.admin.post(f"/api/services/{service}", content=content)) == []


@pytest.mark.contract("Services: wrong data")
@pytest.mark.parametrize("content",
                         [b"nonsense", b"[]", b'"text"', b"1", b"null", b'{"entity_id":"light.kitchen"', b"{}}"])
def test_body_must_be_an_object(home, content):
    assert_message(home.admin.post("/api/services/light/turn_on", content=content), 400)
    assert state_of(home, "light.kitchen")["state"] == "off"


@pytest.mark.contract("Services: wrong data")
@pytest.mark.parametrize(
    "service, data, field",
    [
        ("light.turn_on", {"brightnes": 3}, "brightnes"),
        ("light.turn_on", {"brightness": "bright"}, "brightness"),
        ("light.turn_on", {"brightness": None}, "brightness"),
        ("light.turn_on", {"brightness_pct": 101}, "brightness_pct"),
        ("light.turn_on", {"brightness_pct": -0.5}, "brightness_pct"),
        ("light.turn_on", {"transition": "soon"}, "transition"),
        ("platform.turn_on", {"brightness": "bright"}, "brightness"),
        ("homeassistant.turn_on", {"brightness_pct": 101}, "brightness_pct"),
        ("platform.update_entity", {"brightness": 1}, "brightness"),
        ("light.turn_on", {"rgb_color": [1, 2]}, "rgb_color"),
        ("light.turn_on", {"rgb_color": "red"}, "rgb_color"),
        ("light.turn_on", {"color_name": "no such colour"}, "color_name"),
        ("light.turn_on", {"flash": "medium"}, "flash"),
        ("light.turn_on", {"target": "light.kitchen"}, "target"),
        ("light.turn_on", {"target": {"nonsense": "x"}}, "nonsense"),
        ("light.turn_on", {"entity_id": 5}, "entity_id"),
        ("light.turn_on", {"entity_id": [5]}, "entity_id"),
        ("light.turn_off", {"brightness": 3}, "brightness"),
        ("cover.set_cover_position", {"entity_id": "cover.living_room_blind"}, "position"),
        ("cover.set_cover_position", {"entity_id": "cover.living_room_blind", "position": "half"}, "position"),
        ("cover.set_cover_position", {"entity_id": "cover.living_room_blind", "position": 101}, "position"),
        ("fan.set_percentage", {"entity_id": "fan.bedroom", "percentage": -1}, "percentage"),
        ("climate.set_hvac_mode", {"entity_id": "climate.living_room"}, "hvac_mode"),
        ("climate.set_hvac_mode", {"entity_id": "climate.living_room", "hvac_mode": "boil"}, "hvac_mode"),
        ("fan.oscillate", {"entity_id": "fan.bedroom", "oscillating": "maybe"}, "oscillating"),
    ],
)
def test_wrong_data_names_the_field_and_does_nothing(home, service, data, field):
    data = {"entity_id": "light.kitchen", **data}
    before = home.admin.get("/api/states").json()
    assert field in call(home, service, data, status=400)
    assert home.admin.get("/api/states").json() == before


@pytest.mark.contract("Services: wrong data")
def test_target_is_needed(home):
    assert "entity_id" in call(home, "light.turn_on", {"brightness": 3}, status=400)


@pytest.mark.contract("Services: wrong data")
def test_one_colour_at_a_time(home):
    message = call(home, "light.turn_on", {"entity_id": "light.living_room", "rgb_color": [1, 2, 3],
                                           "color_temp_kelvin": 4000}, status=400)
    assert "rgb_color" in message or "color_temp_kelvin" in message
    assert state_of(home, "light.living_room")["state"] == "off"


@pytest.mark.contract("Services: names")
def test_names_are_lower_cased(home):
    changed = call(home, "Light.TURN_ON", {"entity_id": "LIGHT.Kitchen"})
    assert [state["entity_id"] for state in changed] == ["light.kitchen"]


@pytest.mark.contract("Services: parameter that cannot be honoured")
def test_parameter_that_a_lamp_cannot_honour_is_left_out(home):
    lamps = ["light.kitchen", "light.living_room"]
    assert "effect_list" not in state_of(home, lamps[0])["attributes"]
    assert "colorloop" in state_of(home, lamps[1])["attributes"]["effect_list"]
    changed = call(home, "light.turn_on", {"entity_id": lamps, "effect": "colorloop", "brightness": 90})
    assert {state["entity_id"]: state["attributes"].get("effect") for state in changed} == {
        lamps[0]: None, lamps[1]: "colorloop"}
    assert all(state["attributes"]["brightness"] == 90 for state in changed)


@pytest.mark.contract("Services: parameter that cannot be honoured")
def test_effect_that_a_named_lamp_does_not_list_is_refused(home):
    message = call(home, "light.turn_on", {"entity_id": ["light.kitchen", "light.living_room"], "effect": "no such"},
                   status=400)
    assert "light.living_room" in message and "colorloop" in message
    assert state_of(home, "light.kitchen")["state"] == "off"


@pytest.mark.contract("Services: numbers")
@pytest.mark.parametrize("service, entity_id, given, shown", [
    ("light.turn_on", "light.kitchen", {"brightness": 128.7}, {"brightness": 129}),
    ("light.turn_on", "light.kitchen", {"brightness": "128"}, {"brightness": 128}),
    ("light.turn_on", "light.kitchen", {"brightness": "12.5"}, {"brightness": 13}),
    ("light.turn_on", "light.kitchen", {"brightness": 300}, {"brightness": 255}),
    ("light.turn_on", "light.kitchen", {"brightness": 1e300}, {"brightness": 255}),
    ("light.turn_on", "light.kitchen", {"brightness_step": 999.5}, {"brightness": 255}),
    ("light.turn_on", "light.kitchen", {"brightness_step_pct": 400}, {"brightness": 255}),
    ("light.turn_on", "light.kitchen", {"brightness": 7, "transition": 400}, {"brightness": 7}),
    ("light.turn_on", "light.kitchen", {"brightness": 8, "transition": -1}, {"brightness": 8}),
    ("light.turn_on", "light.living_room", {"color_temp_kelvin": 90000}, {"color_temp_kelvin": "max"}),
    ("light.turn_on", "light.living_room", {"kelvin": 100.5}, {"color_temp_kelvin": "min"}),
    ("light.turn_on", "light.living_room", {"color_temp": 1}, {"color_temp_kelvin": "max"}),
    ("light.turn_on", "light.living_room", {"color_temp": "9999"}, {"color_temp_kelvin": "min"}),
    ("fan.set_percentage", "fan.bedroom", {"percentage": 33.34}, {"percentage": 33}),
    ("platform.turn_on", "light.kitchen", {"brightness": "77.6"}, {"brightness": 78}),
])
def test_number_is_rounded_and_clamped(home, service, entity_id, given, shown):
    call(home, service, {"entity_id": entity_id, **given})
    attributes = state_of(home, entity_id)["attributes"]
    for key, value in shown.items():
        assert attributes[key] == attributes.get(f"{value}_{key}", value)


@pytest.mark.contract("Services: numbers")
def test_brightness_below_the_range_is_its_lower_end(home):
    call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 50})
    [state] = call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": -5})
    assert state["state"] == "off"


@pytest.mark.contract("Services: platform.turn_on and the like")
@pytest.mark.parametrize("domain", ["platform", "homeassistant"])
def test_data_go_on_to_each_entitys_own_service(home, domain):
    entities = ["light.kitchen", "switch.garden_pump", "fan.bedroom"]
    call(home, "platform.turn_off", {"entity_id": entities})
    call(home, f"{domain}.turn_on", {"entity_id": entities, "brightness": 120, "percentage": 60, "no_such_field": [1]})
    assert state_of(home, "light.kitchen")["attributes"]["brightness"] == 120
    assert state_of(home, "fan.bedroom")["attributes"]["percentage"] == 60
    assert state_of(home, "switch.garden_pump")["state"] == "on"
    call(home, f"{domain}.toggle", {"target": {"entity_id": entities}, "transition": 0})
    assert [state_of(home, entity)["state"] for entity in entities] == ["off"] * 3
    call(home, f"{domain}.toggle", {"entity_id": "light.living_room", "color_name": "green"})
    assert state_of(home, "light.living_room")["attributes"]["rgb_color"] == [0, 128, 0] or state_of(
        home, "light.living_room")["attributes"]["hs_color"][0] == 120
    call(home, f"{domain}.turn_off", {"entity_id": "light.living_room", "brightness": 3})
    assert state_of(home, "light.living_room")["state"] == "off"


@pytest.mark.contract("Services: platform.turn_on and the like")
@pytest.mark.parametrize("data, named", [({"brightness": []}, "brightness"), ({"percentage": 101}, "percentage"),
                                         ({"rgb_color": [1, 2, 3], "kelvin": 3000}, "only one colour"),
                                         ({"preset_mode": "no such"}, "fan.bedroom"),
                                         ({"effect": "no such"}, "light.living_room")])
def test_one_wrong_value_and_nothing_is_done(home, data, named):
    entities = ["switch.garden_pump", "light.living_room", "fan.bedroom"]
    call(home, "platform.turn_off", {"entity_id": entities})
    assert named in call(home, "homeassistant.turn_on", {"entity_id": entities, **data}, status=400)
    assert [state_of(home, entity)["state"] for entity in entities] == ["off"] * 3


@pytest.mark.contract("Services: right missing", "Tokens and rights: right missing")
def test_reader_controls_nothing(home):
    for data in (KITCHEN, {"entity_id": ["light.kitchen", "light.living_room"]}, {"area_id": "kitchen"},
                 {"entity_id": "all"}):
        call(home, "light.turn_on", data, user="display", status=403)
    assert state_of(home, "light.kitchen")["state"] == "off"
    assert home.display.get("/api/services").status_code == 200


@pytest.mark.contract("Services: right missing")
@pytest.mark.parametrize("service", ["platform.stop", "homeassistant.stop"])
@pytest.mark.parametrize("user", ["ann", "display"])
def test_stopping_the_hub_is_for_administrators(home, user, service):
    call(home, service, user=user, status=403)
    assert home.admin.get("/api/config").json()["state"] == "RUNNING"


@pytest.mark.contract("Services: answer")
def test_answer_is_what_changed(home):
    changed = call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 120}, user="ann")
    assert len(changed) == 1
    state = assert_state(changed[0])
    assert (state["entity_id"], state["state"], state["attributes"]["brightness"]) == ("light.kitchen", "on", 120)
    assert state == state_of(home, "light.kitchen")
    assert state["context"]["user_id"] == set_state(home, "test.caller", "on", user="ann")["context"]["user_id"]
    assert call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 120}) == []


@pytest.mark.contract("Services: answer", "Services: entity missing or unavailable")
def test_changes_of_others_are_not_in_the_answer(home):
    done = threading.Event()

    def write():
        with home.client("admin") as client:
            number = 0
            while not done.is_set():
                number += 1
                client.post("/api/states/test.noise", json={"state": str(number)})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        changed = call(home, "switch.turn_on", PUMP)
    finally:
        done.set()
        writer.join()
    assert [state["entity_id"] for state in changed] == ["switch.garden_pump"]


@pytest.mark.contract("Services: devices that answer later")
def test_call_waits_for_the_device(home):
    started = time.monotonic()
    changed = call(home, "switch.turn_on", PUMP)
    assert time.monotonic() - started >= 0.25
    assert [(state["entity_id"], state["state"]) for state in changed] == [("switch.garden_pump", "on")]


@pytest.mark.contract("Services: devices that answer later")
def test_call_waits_no_longer_than_asked(home):
    assert call(home, "switch.turn_on", PUMP, query="?wait=0") == []
    assert state_of(home, "switch.garden_pump")["state"] == "off"
    wait_until(lambda: state_of(home, "switch.garden_pump")["state"] == "on", 2)


@pytest.mark.contract("Services: devices that answer later")
def test_call_ends_as_soon_as_the_device_has_answered(home):
    started = time.monotonic()
    assert len(call(home, "switch.turn_on", PUMP, query="?wait=10")) == 1
    assert time.monotonic() - started < 9  # not the ten seconds that it may wait


@pytest.mark.contract("Services: devices that answer later")
@pytest.mark.parametrize("wait", ["-1", "10.5", "11", "soon", "", "nan", "1e9"])
def test_wait_has_limits(home, wait):
    assert "wait" in call(home, "switch.turn_on", PUMP, query=f"?wait={wait}", status=400)
    assert state_of(home, "switch.garden_pump")["state"] == "off"


@pytest.mark.contract("Services: devices that answer later")
def test_calls_of_others_do_not_wait(home):
    waiting = threading.Thread(target=call, args=(home, "switch.turn_on", PUMP))
    answered = 0
    with home.client("ann") as client:
        waiting.start()
        while waiting.is_alive():
            assert_json(client.post("/api/services/light/toggle", json=KITCHEN))
            answered += 1
    assert answered > 1  # of which only the last one can have ended after the call
    waiting.join()


@pytest.mark.contract("Services: handler runs long")
def test_handler_continues_if_the_client_disconnects(home):
    body = json.dumps(PUMP)
    with home.connect() as connection:
        connection.send(f"POST /api/services/switch/turn_on HTTP/1.1\r\nHost: hub\r\n{home.bearer()}\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n{body}")
    wait_until(lambda: state_of(home, "switch.garden_pump")["state"] == "on", 3)


@pytest.mark.contract("Services: handler fails")
@pytest.mark.parametrize("temperature", [1000, -300])
def test_wrong_data_is_400(home, temperature):
    before = state_of(home, "climate.living_room")
    call(home, "climate.set_temperature", {"entity_id": "climate.living_room", "temperature": temperature}, status=400)
    assert state_of(home, "climate.living_room") == before


@pytest.mark.contract("Services: return_response")
def test_response_is_only_for_services_that_have_one(home):
    for query in ("?return_response", "?return_response=true"):
        call(home, "light.turn_on", KITCHEN, query=query, status=400)
    assert state_of(home, "light.kitchen")["state"] == "off"


@pytest.mark.contract("Services: return_response")
def test_response_comes_with_the_changed_states(home):
    """Of every service that says it can answer with data and needs none."""
    for service, description in descriptions(home).items():
        required = [name for name, field in description["fields"].items() if field.get("required")]
        ends_the_hub = service.endswith((".stop", ".restart"))
        if "response" not in description or required or "target" in description or ends_the_hub:
            continue
        answer = call(home, service, query="?return_response")
        assert list(answer) == ["changed_states", "service_response"]
        assert isinstance(answer["changed_states"], list)
        assert isinstance(answer["service_response"], dict)
        if description["response"]["optional"]:
            assert isinstance(call(home, service), list)
        else:
            call(home, service, status=400)


@pytest.mark.contract("Services: events")
def test_call_is_announced_before_its_changes(home):
    with home.stream("?restrict=call_service,state_changed") as stream:
        data = {"entity_id": ["light.kitchen"], "brightness": "99"}
        changed = call(home, "light.turn_on", data, user="ann")
        announced, change = (frame.event for frame in stream.events(2))
    assert announced["event_type"] == "call_service"
    assert announced["data"] == {"domain": "light", "service": "turn_on", "service_data": data}
    assert change["event_type"] == "state_changed"
    assert change["data"]["new_state"] == changed[0]
    assert changed[0]["context"]["id"] == announced["context"]["id"] \
        or changed[0]["context"]["parent_id"] == announced["context"]["id"]


@pytest.mark.contract("Services: events", "Services: wrong data")
def test_refused_call_is_not_announced(home):
    with home.stream("?restrict=call_service") as stream:
        call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": "bright"}, status=400)
        call(home, "light.turn_on", KITCHEN, user="display", status=403)
        call(home, "light.explode", status=404)
        call(home, "light.turn_off", KITCHEN)
        assert stream.next_event().event["data"]["service"] == "turn_off"


@pytest.mark.contract("Tokens and rights: no valid token")
def test_needs_a_token(home):
    assert_message(home.anonymous.get("/api/services"), 401)
    assert_message(home.anonymous.post("/api/services/light/turn_on", json=KITCHEN), 401)
    assert state_of(home, "light.kitchen")["state"] == "off"


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize("method, path, allow", [("POST", "/api/services", "GET"),
                                                 ("GET", "/api/services/light/turn_on", "POST"),
                                                 ("PUT", "/api/services/light/turn_on", "POST")])
def test_knows_no_other_method(home, method, path, allow):
    response = home.admin.request(method, path)
    assert_message(response, 405)
    assert allow in response.headers["allow"]
