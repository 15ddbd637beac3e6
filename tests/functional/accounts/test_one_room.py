# SPDX-License-Identifier: Apache-2.0
"""A guest of one room asks for a thing of another room by every endpoint and command. Each has an expectation here: a new row
of a table fails until it has one. What the guest asks for must answer as what does not exist."""

import json
import re
import time

import pytest

from command_rows import COMMAND_ROWS
from test_rights import DAY, OTHER, RIGHTS, Home, add_with_rights
from test_scopes import TABLE
from websocket_client import WebSocketClient

# Groups of scopes.txt: what is for administrators refuses; what is the user's own, or open, has nothing of the home.
REFUSED = {"admin", "admin fire", "admin template", "metrics"}
OWN = {"open", "any", "account"}

# Commands that name nothing: the walk of test_rights.py sees that they answer nothing of another room.
LISTS = {
    "alerts/list", "alerts/subscribe", "assist_pipeline/pipeline/list", "auth/sign_path", "average/list", "bayesian/list",
    "config/area_registry/list", "config/device_registry/list", "config/entity_registry/list",
    "config/entity_registry/list_for_display", "config/floor_registry/list", "config/label_registry/list",
    "config_entries/get", "config_entries/subscribe", "conversation/agent/list", "counter/list", "derivative/list",
    "energy/get_prefs", "energy/info", "energy/solar_forecast", "energy/validate", "entity/source", "filter/list",
    "frontend/get_icons", "frontend/get_system_data", "hearth/energy",
    "frontend/get_themes", "frontend/get_translations", "frontend/get_user_data", "frontend/set_user_data",
    "frontend/subscribe_system_data", "frontend/subscribe_user_data", "generic_thermostat/list", "get_config", "get_panels",
    "get_services", "get_states", "group/list", "hearth/derived_kinds", "hearth/kinds", "hearth/sites", "history_stats/list",
    "hearth/notifications/browser/add", "hearth/notifications/browser/remove", "hearth/notifications/choice",
    "hearth/notifications/choose", "hearth/notifications/push_key", "hearth/notifications/test",
    "mobile_app/push_notification_channel", "mobile_app/push_notification_confirm",
    "homeassistant/expose_entity/list", "input_boolean/list", "input_button/list", "input_datetime/list", "input_number/list",
    "input_select/list", "input_text/list", "integration/descriptions", "integration/list", "labs/list", "labs/subscribe",
    "local_calendar/list", "local_todo/list", "logger/log_info", "lovelace/dashboards/list", "lovelace/info",
    "lovelace/resources", "manifest/get", "manifest/list", "min_max/list", "persistent_notification/get",
    "persistent_notification/subscribe", "person/list", "random/list", "recorder/info", "repairs/list_issues", "schedule/list",
    "season/list", "sensor/device_class_convertible_units", "sensor/numeric_device_classes", "statistics/list",
    "switch_as_x/list", "tag/list", "threshold/list", "time_date/list", "timer/list", "tod/list", "trend/list",
    "utility_meter/list", "validate_config", "workday/list", "zone/list",
}

# Messages that name a hidden thing. ENTITY, DEVICE and AREA are of the other room; once more they are of nobody.
TARGETS = [{"target": {"entity_id": "ENTITY"}}, {"target": {"area_id": "AREA"}}, {"target": {"device_id": "DEVICE"}}]
EVENT = {"summary": "x", "dtstart": "2036-06-02", "dtend": "2036-06-03"}
ASKS = {
    "alerts/snooze": [{"ids": ["battery.ENTITY"]}],
    "alerts/unsnooze": [{"ids": ["battery.ENTITY"]}],
    "calendar/event/create": [{"entity_id": "calendar.ENTITY_NAME", "event": EVENT}],
    "calendar/event/update": [{"entity_id": "calendar.ENTITY_NAME", "uid": "nothing", "event": EVENT}],
    "calendar/event/delete": [{"entity_id": "calendar.ENTITY_NAME", "uid": "nothing"}],
    "calendar/event/subscribe": [{"entity_id": "calendar.ENTITY_NAME", "start": "START", "end": "END"}],
    "call_service": [{"domain": "light", "service": "turn_on", **target} for target in TARGETS],
    **{f"camera/{kind}": [{"entity_id": "camera.ENTITY_NAME"}] for kind in ("capabilities", "get_prefs", "stream")},
    "camera/web_rtc_offer": [{"entity_id": "camera.ENTITY_NAME", "offer": "x"}],
    "camera/webrtc/candidate": [{"entity_id": "camera.ENTITY_NAME", "session_id": "x", "candidate": {"candidate": "x"}}],
    "camera/webrtc/get_client_config": [{"entity_id": "camera.ENTITY_NAME"}],
    "camera/webrtc/offer": [{"entity_id": "camera.ENTITY_NAME", "offer": "x"}],
    "config/category_registry/list": [{"scope": "light"}],
    "config/entity_registry/get": [{"entity_id": "ENTITY"}],
    "config/entity_registry/get_entries": [{"entity_ids": ["ENTITY"]}],
    "config_entries/get_single": [{"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ"}],
    "conversation/process": [{"text": "turn on ENTITY"}],
    "energy/fossil_energy_consumption": [{"start_time": "START", "energy_statistic_ids": ["ENTITY"], "co2_statistic_id": "ENTITY",
                                          "period": "hour"}],
    "extract_from_target": TARGETS,
    "get_conditions_for_target": TARGETS,
    "get_services_for_target": TARGETS,
    "get_triggers_for_target": TARGETS,
    "history/history_during_period": [{"start_time": "START", "entity_ids": ["ENTITY"]}],
    "history/stream": [{"start_time": "START", "entity_ids": ["ENTITY"]}],
    "logbook/event_stream": [{"start_time": "START", "entity_ids": ["ENTITY"]}, {"start_time": "START", "device_ids": ["DEVICE"]}],
    "logbook/get_events": [{"start_time": "START", "entity_ids": ["ENTITY"]}, {"start_time": "START", "device_ids": ["DEVICE"]}],
    "lovelace/config": [{"url_path": "of-another"}],
    "media_player/browse_media": [{"entity_id": "media_player.ENTITY_NAME"}],
    "media_player/search_media": [{"entity_id": "media_player.ENTITY_NAME", "search_query": "x"}],
    "media_source/browse_media": [{"media_content_id": "media-source://camera/camera.ENTITY_NAME"}],
    "media_source/resolve_media": [{"media_content_id": "media-source://camera/camera.ENTITY_NAME"}],
    "recorder/get_statistics_metadata": [{"statistic_ids": ["ENTITY"]}],
    "recorder/list_statistic_ids": [{}],
    "recorder/statistic_during_period": [{"statistic_id": "ENTITY"}],
    "recorder/statistics_during_period": [{"start_time": "START", "statistic_ids": ["ENTITY"], "period": "hour"}],
    "recorder/validate_statistics": [{}],
    "render_template": [{"template": text} for text in (
        "{{ states('ENTITY') }}", "{{ state_attr('ENTITY', 'friendly_name') }}", "{{ states['ENTITY'] is none }}",
        "{{ area_entities('AREA') }}", "{{ area_name('ENTITY') }}", "{{ device_attr('DEVICE', 'name') }}", "{{ device_id('ENTITY') }}",
        "{{ expand('ENTITY') | list }}", "{{ is_state('ENTITY', 'on') }}", "{{ has_value('ENTITY') }}")],
    "search/related": [{"item_type": "entity", "item_id": "ENTITY"}, {"item_type": "device", "item_id": "DEVICE"},
                       {"item_type": "area", "item_id": "AREA"}],
    "subscribe_entities": [{"entity_ids": ["ENTITY"]}],
    "subscribe_events": [{"event_type": "state_changed"}],
    "todo/item/list": [{"entity_id": "todo.ENTITY_NAME"}],
    "todo/item/move": [{"entity_id": "todo.ENTITY_NAME", "uid": "nothing"}],
    "todo/item/subscribe": [{"entity_id": "todo.ENTITY_NAME"}],
    "update/release_notes": [{"entity_id": "update.ENTITY_NAME"}],
    "weather/subscribe_forecast": [{"entity_id": "weather.ENTITY_NAME", "forecast_type": "daily"}],
}

# Endpoints that name nothing, as LISTS; and requests that name a hidden thing.
PLAIN = {"GET /api/alerts", "GET /api/calendars", "GET /api/components", "GET /api/config/config_entries/entry",
         "GET /api/config/config_entries/flow_handlers", "GET /api/core/state", "GET /api/events", "GET /api/integrations",
         "GET /api/registry", "GET /api/services", "GET /api/states", "POST /api/events/{event_type}"}
SPAN = {"start": "START", "end": "END"}
REQUESTS = {
    "GET /api/calendars/{entity_id}": [("/api/calendars/calendar.ENTITY_NAME", SPAN, None)],
    "GET /api/camera_proxy/{entity_id}": [("/api/camera_proxy/camera.ENTITY_NAME", {}, None)],
    "GET /api/camera_proxy_stream/{entity_id}": [("/api/camera_proxy_stream/camera.ENTITY_NAME", {}, None)],
    "GET /api/media_player_proxy/{entity_id}": [("/api/media_player_proxy/media_player.ENTITY_NAME", {}, None)],
    "GET /api/media_player_proxy/{entity_id}/browse_media/{path}": [
        ("/api/media_player_proxy/media_player.ENTITY_NAME/browse_media/x", {}, None)],
    "GET /api/image_proxy/{entity_id}": [("/api/image_proxy/image.ENTITY_NAME", {}, None)],
    "POST /api/services/{domain}/{service}": [("/api/services/light/turn_on", {}, target) for target in (
        {"entity_id": "ENTITY"}, {"area_id": "AREA"}, {"device_id": "DEVICE"})],
    "GET /api/states/{entity_id}": [("/api/states/ENTITY", {}, None)],
    "DELETE /api/states/{entity_id}": [("/api/states/ENTITY", {}, None)],
    "POST /api/states/{entity_id}": [("/api/states/ENTITY", {}, {"state": "stolen"})],
    "GET /api/history/period": [("/api/history/period", {"filter_entity_id": "ENTITY"}, None)],
    "GET /api/history/period/{start}": [("/api/history/period/START", {"filter_entity_id": "ENTITY"}, None)],
    "GET /api/logbook": [("/api/logbook", {"entity": "ENTITY"}, None)],
    "GET /api/logbook/{start}": [("/api/logbook/START", {"entity": "ENTITY"}, None)],
}


@pytest.fixture(scope="module")
def home(module_hubs):
    return Home(module_hubs())


class Names:
    """Of a hidden thing or, as `of_nobody`, of none."""

    def __init__(self, home):
        device = next(id for id, device in home.devices.items() if device["area_id"] == OTHER)
        now = time.time()
        stamp = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now + seconds))
        times = {"START": stamp(-DAY), "END": stamp(DAY)}
        self.hidden = {"ENTITY_NAME": home.other_lamp.split(".")[1], "ENTITY": home.other_lamp, "DEVICE": device, "AREA": OTHER} | times
        self.of_nobody = {"ENTITY_NAME": "nobody", "ENTITY": "light.nobody", "DEVICE": "0" * 32, "AREA": "nowhere"} | times

    @staticmethod
    def fill(fields, names):
        text = json.dumps(fields)
        for key, value in names.items():
            text = text.replace(key, value)
        return json.loads(text)

    def anonymous(self, text):
        for names in (self.hidden, self.of_nobody):
            for value in sorted(names.values(), key=len, reverse=True):
                text = text.replace(value, "NAME")  # a room may be called as its lamp is
        return re.sub(r'"(id|date|last_changed|last_updated|last_reported|context)": ?("[^"]*"|\{[^}]*\}|\d+)', "", text)


def test_every_row_has_an_expectation():
    of_home = {row for row, group in TABLE.items() if group not in REFUSED | OWN}
    assert of_home == LISTS | set(ASKS) | PLAIN | set(REQUESTS), "state here what a guest gets of a hidden thing"
    assert not (LISTS & set(ASKS) or PLAIN & set(REQUESTS))


def test_what_is_for_administrators_refuses_the_guest(home):
    with WebSocketClient(home.hub, home.hub.tokens["guest"], timeout=20) as guest:
        for kind, _ in COMMAND_ROWS:
            if TABLE[kind] in REFUSED:
                assert guest.error(kind, entity_id=home.other_lamp)[0] == "unauthorized", kind
    with home.hub.client("guest") as guest:
        for row, group in TABLE.items():
            if group not in REFUSED or not row[0].isupper():
                continue
            method, path = row.split(" ")
            answer = guest.request(method, re.sub(r"\{\w+\}", "x", path))
            assert answer.status_code == 403, (row, answer.text)
            home.check(answer.text)


@pytest.mark.parametrize("kind", ASKS)
def test_a_command_answers_of_a_hidden_thing_as_of_none(home, kind):
    names = Names(home)
    before = home.hub.admin.get(f"/api/states/{home.other_lamp}").json()
    for fields in ASKS[kind]:
        answers = []
        for of in (names.hidden, names.of_nobody):
            with WebSocketClient(home.hub, home.hub.tokens["guest"], timeout=20) as guest:
                answers.append(json.dumps(guest.command(kind, **names.fill(fields, of))))
        home.check(answers[0], json.dumps(names.fill(fields, names.hidden)))
        assert names.anonymous(answers[0]) == names.anonymous(answers[1]), fields
    assert home.hub.admin.get(f"/api/states/{home.other_lamp}").json() == before


@pytest.mark.parametrize("row", REQUESTS)
def test_an_endpoint_answers_of_a_hidden_thing_as_of_none(home, row):
    names = Names(home)
    before = home.hub.admin.get(f"/api/states/{home.other_lamp}").json()
    for path, query, body in REQUESTS[row]:
        answers = []
        for of in (names.hidden, names.of_nobody):
            target, parameters, sent = names.fill([path, query, body], of)
            with home.hub.client("guest") as guest:
                answer = guest.request(row.split(" ")[0], target, params=parameters, **({} if sent is None else {"json": sent}))
            answers.append(f"{answer.status_code} {answer.text}")
        home.check(answers[0], json.dumps(names.fill([path, query, body], names.hidden)))
        assert names.anonymous(answers[0]) == names.anonymous(answers[1]), (path, query, body)
    assert home.hub.admin.get(f"/api/states/{home.other_lamp}").json() == before


@pytest.mark.parametrize("kind", ["history/stream", "logbook/event_stream", "subscribe_entities", "subscribe_events", "render_template"])
def test_what_goes_on_in_a_hidden_thing_arrives_nowhere(home, kind):
    names = Names(home)
    with WebSocketClient(home.hub, home.hub.tokens["guest"], timeout=20) as guest:
        for fields in ASKS[kind]:
            guest.command(kind, **names.fill(fields, names.hidden))
        guest.result("subscribe_entities", entity_ids=[home.lamp])
        for entity_id in (home.other_lamp, home.lamp):
            done = home.hub.admin.post("/api/services/light/toggle", json={"entity_id": entity_id})
            assert done.status_code == 200, done.text
        end = guest.last_id
        while True:
            message = guest.receive()
            home.check(json.dumps(message), json.dumps([names.fill(fields, names.hidden) for fields in ASKS[kind]]))
            if message.get("id") == end and message["type"] == "event" and "c" in message["event"]:
                break


def test_a_guest_whose_room_is_taken_away_is_told_nothing_more(home):
    add_with_rights(home.hub, "former", RIGHTS)
    with WebSocketClient(home.hub, home.hub.tokens["former"], timeout=20) as guest, WebSocketClient(
            home.hub, home.hub.tokens["admin"]) as admin:
        guest.result("subscribe_entities")
        user = next(each for each in admin.result("config/auth/list") if each["username"] == "former")
        admin.result("config/auth/update", user_id=user["id"], rights={"read": {}, "control": {}})
        assert guest.close_code() == 1008
    with home.hub.client("former") as client:
        assert client.get("/api/states").json() == []
        assert client.get(f"/api/states/{home.lamp}").status_code == 404
