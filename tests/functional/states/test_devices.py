# SPDX-License-Identifier: Apache-2.0
"""What the services of each domain do to the demo home."""

import pytest

from checks import call, state_of
from hub_process import wait_until
from websocket_client import WebSocketClient


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs()


def only(changed, entity_id):
    """The only state of an answer."""
    assert [state["entity_id"] for state in changed] == [entity_id]
    return changed[0]


def light(home, **data):
    """light.kitchen after turn_on, from off."""
    call(home, "light.turn_off", {"entity_id": "light.kitchen"})
    return only(call(home, "light.turn_on", {"entity_id": "light.kitchen", **data}), "light.kitchen")["attributes"]


def color(home, **data):
    """light.living_room after turn_on, from off."""
    call(home, "light.turn_off", {"entity_id": "light.living_room"})
    return only(call(home, "light.turn_on", {"entity_id": "light.living_room", **data}),
                "light.living_room")["attributes"]


@pytest.mark.parametrize("data, brightness", [({"brightness": 120}, 120), ({"brightness": "101"}, 101),
                                              ({"brightness_pct": 47}, 120), ({"brightness_pct": 100}, 255),
                                              ({"brightness_step": 40}, 40), ({"brightness_step_pct": 10}, 26)])
def test_light_dims(home, data, brightness):
    assert abs(light(home, **data)["brightness"] - brightness) <= (1 if "brightness_step_pct" in data else 0)


def test_light_steps_from_its_brightness(home):
    light(home, brightness=100)
    step = lambda by: only(call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness_step": by}),
                           "light.kitchen")["attributes"]["brightness"]
    assert step(-25) == 75
    assert step(255) == 255


def test_brightness_zero_turns_off(home):
    light(home, brightness=100)
    assert only(call(home, "light.turn_on", {"entity_id": "light.kitchen", "brightness": 0}),
                "light.kitchen")["state"] == "off"


@pytest.mark.parametrize("data", [{"color_temp_kelvin": 4000}, {"kelvin": 4000}, {"color_temp": 250}])
def test_light_takes_colour_temperatures(home, data):
    attributes = light(home, **data)
    assert attributes["color_mode"] == "color_temp"
    assert attributes["color_temp_kelvin"] == 4000


@pytest.mark.parametrize("data", [{"rgb_color": [255, 0, 0]}, {"hs_color": [0, 100]}, {"color_name": "red"},
                                  {"xy_color": [0.701, 0.299]}])
def test_light_takes_colours_in_every_form(home, data):
    attributes = color(home, **data)
    red, green, blue = attributes["rgb_color"]
    assert red >= 250 and green <= 8 and blue <= 8
    hue, saturation = attributes["hs_color"]
    assert min(hue, 360 - hue) <= 2 and saturation >= 97
    assert len(attributes["xy_color"]) == 2
    assert attributes["color_mode"] in attributes["supported_color_modes"]


@pytest.mark.parametrize("domain", ["light", "homeassistant", "platform"])
def test_toggle_toggles(home, domain):
    before = state_of(home, "light.kitchen")["state"]
    after = only(call(home, f"{domain}.toggle", {"entity_id": "light.kitchen"}), "light.kitchen")["state"]
    assert {before, after} == {"on", "off"}


def test_off_light_has_no_brightness(home):
    light(home, brightness=100)
    state = only(call(home, "light.turn_off", {"entity_id": "light.kitchen"}), "light.kitchen")
    assert state["state"] == "off"
    assert state["attributes"].get("brightness") is None


@pytest.mark.parametrize("domain", ["homeassistant", "platform"])
def test_hub_wide_services_reach_every_domain(home, domain):
    entities = ["light.kitchen", "fan.bedroom", "switch.garden_pump"]
    call(home, f"{domain}.turn_off", {"entity_id": entities})
    changed = call(home, f"{domain}.turn_on", {"entity_id": entities})
    assert sorted((state["entity_id"], state["state"]) for state in changed) == [(e, "on") for e in sorted(entities)]
    changed = call(home, f"{domain}.turn_off", {"entity_id": entities})
    assert sorted((state["entity_id"], state["state"]) for state in changed) == [(e, "off") for e in sorted(entities)]


def test_lock_locks_and_unlocks(home):
    for service, end in (("unlock", "unlocked"), ("lock", "locked"), ("unlock", "unlocked"), ("lock", "locked")):
        call(home, f"lock.{service}", {"entity_id": "lock.front_door"})
        wait_until(lambda: state_of(home, "lock.front_door")["state"] == end)


def test_cover_moves_and_stops(home):
    cover = {"entity_id": "cover.living_room_blind"}

    def arrived(state, position):
        now = state_of(home, "cover.living_room_blind")
        return (now["state"], now["attributes"]["current_position"]) == (state, position)

    call(home, "cover.set_cover_position", cover | {"position": 50})
    wait_until(lambda: arrived("open", 50), 30)
    call(home, "cover.close_cover", cover)
    wait_until(lambda: arrived("closed", 0), 30)
    call(home, "cover.open_cover", cover)
    call(home, "cover.stop_cover", cover)
    wait_until(lambda: state_of(home, "cover.living_room_blind")["state"] in ("open", "closed"), 2)


def test_climate_takes_a_temperature_and_a_mode(home):
    climate = {"entity_id": "climate.living_room"}
    call(home, "climate.set_hvac_mode", climate | {"hvac_mode": "off"})
    state = only(call(home, "climate.set_temperature", climate | {"temperature": 21.5, "hvac_mode": "heat"}),
                 "climate.living_room")
    assert (state["state"], state["attributes"]["temperature"]) == ("heat", 21.5)
    assert state["attributes"]["hvac_action"] in ("heating", "idle")
    assert state["attributes"]["min_temp"] < 21.5 < state["attributes"]["max_temp"]
    assert only(call(home, "climate.turn_off", climate), "climate.living_room")["state"] == "off"


def test_fan_takes_a_percentage(home):
    fan = {"entity_id": "fan.bedroom"}
    call(home, "fan.turn_off", fan)
    state = only(call(home, "fan.turn_on", fan | {"percentage": 66}), "fan.bedroom")
    assert state["state"] == "on"
    assert 60 <= state["attributes"]["percentage"] <= 70
    assert only(call(home, "fan.set_percentage", fan | {"percentage": 0}), "fan.bedroom")["state"] == "off"


def test_switch_turns_on_and_off(home):
    pump = {"entity_id": "switch.garden_pump"}
    call(home, "switch.turn_off", pump)
    assert only(call(home, "switch.turn_on", pump), "switch.garden_pump")["state"] == "on"
    assert only(call(home, "switch.toggle", pump), "switch.garden_pump")["state"] == "off"


@pytest.mark.contract("Services: return_response")
def test_weather_answers_with_its_forecast(home):
    query = "?return_response"
    asked = {"entity_id": "weather.home", "type": "daily"}
    answer = call(home, "weather.get_forecasts", asked, query=query)
    assert answer["changed_states"] == []
    days = answer["service_response"]["weather.home"]["forecast"]
    assert len(days) == 7 and [day["datetime"] for day in days] == sorted(day["datetime"] for day in days)
    assert all(day["templow"] < day["temperature"] and day["condition"] for day in days)
    assert "only answers with data" in call(home, "weather.get_forecasts", asked, status=400)
    wrong = call(home, "weather.get_forecasts", {**asked, "type": "yearly"}, query=query, status=400)
    assert wrong.startswith("type: expected one of daily, hourly, twice_daily")
    with WebSocketClient(home, home.tokens["ann"]) as client:
        response = client.result("call_service", domain="weather", service="get_forecasts", service_data={"type": "hourly"},
                                 target={"entity_id": "weather.home"}, return_response=True)["response"]
        assert len(response["weather.home"]["forecast"]) == 24
