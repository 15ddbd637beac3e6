# SPDX-License-Identifier: Apache-2.0
"""Every command of the WebSocket API: one call that succeeds, one that fails."""

import uuid
from dataclasses import dataclass, field
from typing import Any, Callable

import pytest

from automations.test_blueprints import COMMANDS as BLUEPRINT_COMMANDS
from automations.test_revisions import COMMANDS as REVISION_COMMANDS
from command_rows import COMMAND_ROWS
from test_audit import COMMANDS as AUDIT_COMMANDS
from test_debugger import COMMANDS as DEBUGGER_COMMANDS
from test_explain import COMMANDS as EXPLAIN_COMMANDS
from test_fleet import COMMANDS as FLEET_COMMANDS
from test_integrations import COMMANDS as INTEGRATION_COMMANDS
from test_invitations import COMMANDS as INVITATION_COMMANDS
from test_made_sensors import COMMANDS as MADE_SENSOR_COMMANDS
from test_simulate import COMMANDS as SIMULATE_COMMANDS
from test_suggestions import COMMANDS as SUGGESTION_COMMANDS
from test_traces import COMMANDS as TRACE_COMMANDS
from test_websocket_accounts import COMMANDS as ACCOUNT_COMMANDS
from websocket_client import WebSocketClient


@dataclass
class Case:
    """`fields` succeed and `check` accepts the result; `wrong` fail with `code`, as `wrong_user`. Fields that depend on the
    home are a function of the client."""

    check: Callable[[Any], Any]
    wrong: dict
    code: str
    fields: dict | Callable[[WebSocketClient], dict] = field(default_factory=dict)
    wrong_user: str = "admin"
    before: tuple = ()  # commands to send first, each with its fields


def is_null(result):
    return result is None


def new_area(client):
    return {"area_id": client.result("config/area_registry/create", name=f"Area {uuid.uuid4()}")["area_id"]}


def new_floor(client):
    return {"floor_id": client.result("config/floor_registry/create", name=f"Floor {uuid.uuid4()}")["floor_id"]}


def some_alert(client):
    """The demo home has an update."""
    return {"alert_ids": [client.result("alerts/list")["alerts"][0]["alert_id"]]}


def new_label(client):
    return {"label_id": client.result("config/label_registry/create", name=f"Label {uuid.uuid4()}")["label_id"]}


def new_category(client):
    made = client.result("config/category_registry/create", scope="light", name=f"Category {uuid.uuid4()}")
    return {"scope": "light", "category_id": made["category_id"]}


# A new helper of each domain, beside its name.
HELPERS = {"input_boolean": {}, "input_button": {}, "input_number": {"min": 0, "max": 9}, "input_select": {"options": ["a", "b"]},
           "input_text": {}, "input_datetime": {"has_time": True}, "counter": {},
           "timer": {"duration": "00:05:00"},
           "group": {"group_type": "switch", "entities": ["switch.pump"]},
           "schedule": {"monday": [{"from": "08:00:00", "to": "24:00"}]}, "local_todo": {}, "local_calendar": {}}


def helper_cases():
    cases = {}
    for domain, fields in HELPERS.items():
        id_key = f"{domain}_id"

        def new(client, domain=domain, fields=fields):
            return {f"{domain}_id": client.result(f"{domain}/create", name=f"Helper {uuid.uuid4()}", **fields)["id"]}

        cases[f"{domain}/list"] = Case(lambda items: isinstance(items, list), {"x": 1}, "invalid_format")
        cases[f"{domain}/create"] = Case(lambda item: item["name"] == "Made", {"name": "Made", "height": 3}, "invalid_format",
                                         fields={"name": "Made", **fields})
        cases[f"{domain}/update"] = Case(lambda item: item["icon"] == "mdi:star", {id_key: "nowhere", "name": "x"}, "not_found",
                                         fields=lambda client, new=new: new(client) | {"icon": "mdi:star"})
        cases[f"{domain}/delete"] = Case(is_null, {id_key: "nowhere"}, "not_found", fields=new)
    return cases


def new_person(client):
    return {"person_id": client.result("person/create", name="Ann")["id"]}


NEW_EVENT = {"summary": "Made", "dtstart": "2036-06-02", "dtend": "2036-06-03"}


def some_event(client):
    client.result("calendar/event/create", entity_id="calendar.family", event=NEW_EVENT)
    found = client.result("call_service", domain="calendar", service="get_events", return_response=True, service_data={
        "entity_id": "calendar.family", "start_date_time": "2036-06-02 00:00", "end_date_time": "2036-06-03 00:00"})
    events = found["response"]["calendar.family"]["events"]
    return {"entity_id": "calendar.family", "uid": next(event["uid"] for event in events if event["summary"] == "Made")}


def new_zone(client):
    return {"zone_id": client.result("zone/create", name=f"Zone {uuid.uuid4()}", latitude=1, longitude=2)["id"]}


def new_dashboard(client):
    return {"dashboard_id": client.result("lovelace/dashboards/create", url_path=f"d-{uuid.uuid4()}", title="x")["id"]}


def new_resource(client):
    return {"resource_id": client.result("lovelace/resources/create", res_type="css", url="/x.css")["id"]}


def some_device(client):
    return {"device_id": client.result("config/device_registry/list")[0]["id"]}


def reversed_areas(client):
    return {"area_ids": [area["area_id"] for area in client.result("config/area_registry/list")][::-1]}


def reversed_floors(client):
    return {"floor_ids": [floor["floor_id"] for floor in reversed(client.result("config/floor_registry/list"))]}


LAMP = {"entity_id": "light.kitchen"}
LAMPS = {"entity_ids": ["light.kitchen"]}
NO_LABEL, NO_CATEGORY = {"label_id": "none"}, {"scope": "light", "category_id": "none"}
NO_AREA, NO_FLOOR, NO_DEVICE = {"area_id": "nowhere"}, {"floor_id": "nowhere"}, {"device_id": "nothing"}

# Commands that only entities of other hubs have answers to.
ELSEWHERE = ("calendar/event/subscribe", "camera/get_prefs", "camera/stream", "camera/web_rtc_offer", "camera/webrtc/candidate",
             "camera/webrtc/get_client_config", "camera/webrtc/offer", "media_player/browse_media", "media_player/search_media",
             "media_source/browse_media", "media_source/resolve_media", "update/release_notes", "weather/subscribe_forecast")

CASES = {
    "ping": None,  # its answer is no result: test_websocket.py
    "supported_features": Case(is_null, {"features": {"coalesce_messages": "yes"}}, "invalid_format",
                               fields={"features": {}}),
    "get_states": Case(lambda states: any(state["entity_id"] == "light.kitchen" and state["context"] for state in states),
                       {"entity_id": "light.kitchen"}, "invalid_format"),
    "get_config": Case(lambda config: config["state"] == "RUNNING" and "light" in config["components"], {"x": 1},
                       "invalid_format"),
    "hearth/kinds": Case(lambda kinds: next(kind for kind in kinds if kind["domain"] == "lock")["value"]["selector"]["select"]
                         == {"options": "locked locking unlocked unlocking open opening jammed".split()},
                         {"domain": "lock"}, "invalid_format"),
    "conversation/process": Case(lambda said: said["response"]["data"] == {"code": "no_intent_match"}, {"text": 5}, "invalid_format",
                                 fields={"text": "nobody knows this"}),
    "get_services": Case(lambda domains: domains["light"]["turn_on"]["fields"]["brightness"]["description"], {"x": 1},
                         "invalid_format"),
    "config/core/update": None,  # test_home_settings.py
    # test_lovelace.py has more of these.
    "get_panels": Case(lambda panels: panels["lovelace"]["config"] == {"mode": "storage"}, {"x": 1}, "invalid_format"),
    "lovelace/info": Case(lambda info: info["resource_mode"] == "storage", {"x": 1}, "invalid_format"),
    "lovelace/config": Case(lambda config: config == {"views": []}, {"url_path": "no-where"}, "config_not_found",
                            before=(("lovelace/config/save", {"config": {"views": []}}),)),
    "lovelace/config/save": Case(is_null, {"config": []}, "invalid_format", fields={"url_path": None, "config": {"views": []}}),
    "lovelace/config/delete": Case(is_null, {"url_path": "no-where"}, "config_not_found",
                                   before=(("lovelace/config/save", {"config": {"views": []}}),)),
    "lovelace/dashboards/list": Case(lambda dashboards: isinstance(dashboards, list), {"x": 1}, "invalid_format"),
    "lovelace/dashboards/create": Case(lambda dashboard: dashboard["title"] == "Case", {"url_path": "api", "title": "x"},
                                       "invalid_format", fields=lambda client: {"url_path": f"case-{uuid.uuid4()}", "title": "Case"}),
    "lovelace/dashboards/update": Case(lambda dashboard: dashboard["title"] == "Other", {"dashboard_id": "none"}, "not_found",
                                       fields=lambda client: new_dashboard(client) | {"title": "Other"}),
    "lovelace/dashboards/delete": Case(is_null, {"dashboard_id": "none"}, "not_found", fields=lambda client: new_dashboard(client)),
    "lovelace/resources": Case(lambda resources: isinstance(resources, list), {"x": 1}, "invalid_format"),
    "lovelace/resources/create": Case(lambda resource: resource["id"], {"res_type": "x", "url": "y"}, "invalid_format",
                                      fields={"res_type": "module", "url": "/x.js"}),
    "lovelace/resources/update": Case(lambda resource: resource["url"] == "/y.js", {"resource_id": "none"}, "not_found",
                                      fields=lambda client: new_resource(client) | {"url": "/y.js"}),
    "lovelace/resources/delete": Case(is_null, {"resource_id": "none"}, "not_found", fields=lambda client: new_resource(client)),
    "subscribe_entities": Case(is_null, {"entity_ids": 7}, "invalid_format", fields={"entity_ids": ["light.kitchen"]}),
    "render_template": Case(is_null, {"template": "{% if %}"}, "template_error", fields={"template": "{{ states('light.kitchen') }}"}),
    "subscribe_events": Case(is_null, {"event_type": "call_service"}, "unauthorized", fields={"event_type": "call_service"},
                             wrong_user="ann"),
    "unsubscribe_events": Case(is_null, {"subscription": 77}, "not_found", fields={"subscription": 1},
                               before=(("subscribe_events", {"event_type": "x"}),)),
    "fire_event": Case(lambda result: result["context"]["id"], {"event_type": "x"}, "unauthorized",
                       fields={"event_type": "x", "event_data": {"a": 1}}, wrong_user="ann"),
    "call_service": Case(lambda result: result["context"]["user_id"] and result["response"] is None,
                         {"domain": "light", "service": "nix", "target": LAMP}, "not_found",
                         fields={"domain": "light", "service": "toggle", "target": LAMP}),
    "entity/source": Case(lambda sources: sources["light.kitchen"] == {"domain": "demo"}, {"x": 1}, "invalid_format"),
    # test_user_data.py has more of these.
    "frontend/get_user_data": Case(lambda result: result == {"value": None}, {"key": 1}, "invalid_format",
                                   fields={"key": "never set"}),
    "frontend/set_user_data": Case(is_null, {"key": "x"}, "invalid_format", fields={"key": "x", "value": [1]}),
    "frontend/subscribe_user_data": Case(is_null, {"key": 1}, "invalid_format"),
    "hearth/last_restore": Case(is_null, {"x": 1}, "invalid_format"),  # test_backup_upload.py has more of these
    # test_frontend.py has more of these.
    "frontend/get_system_data": Case(lambda result: result == {"value": None}, {"key": 1}, "invalid_format", fields={"key": "x"}),
    "frontend/set_system_data": Case(is_null, {"key": "x"}, "invalid_format", fields={"key": "y", "value": [1]}),
    "frontend/subscribe_system_data": Case(is_null, {}, "invalid_format", fields={"key": "x"}),
    "frontend/get_translations": Case(lambda result: result["resources"]["component.light.title"] == "Licht", {"language": "de"},
                                      "invalid_format", fields={"language": "de", "category": "title"}),
    "frontend/get_icons": Case(lambda result: result["resources"]["fan"], {"category": 1}, "invalid_format",
                               fields={"category": "entity_component"}),
    "frontend/get_themes": Case(lambda result: result["themes"] == {}, {"x": 1}, "invalid_format"),
    "config_entries/get": Case(lambda entries: entries[0]["domain"] == "demo", {"x": 1}, "invalid_format"),
    "config_entries/get_single": Case(lambda result: result["config_entry"]["state"] == "loaded", {"entry_id": "x"}, "not_found",
                                      fields={"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ"}),
    "config_entries/subscribe": Case(is_null, {"type_filter": 1}, "invalid_format"),
    "config_entries/flow/progress": Case(lambda flows: flows == [], {"x": 1}, "invalid_format"),
    "config_entries/flow/subscribe": Case(is_null, {"x": 1}, "invalid_format"),
    "config_entries/disable": Case(lambda result: result == {"require_restart": False}, {"entry_id": "x"}, "not_found",
                                   fields={"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ"}),
    "config_entries/update": Case(lambda result: result["config_entry"]["title"] == "Demo", {"title": ""}, "invalid_format",
                                  fields={"entry_id": "0BW6TE7HY9K7VAKDFGYNT2KVSZ", "title": "Demo"}),
    "config_entries/ignore_flow": None,  # test_connections.py
    "manifest/list": Case(lambda manifests: "light" in [one["domain"] for one in manifests], {"integrations": 1}, "invalid_format"),
    "manifest/get": Case(lambda manifest: manifest["name"] == "Light", {"integration": "x"}, "not_found",
                         fields={"integration": "light"}),
    "integration/descriptions": Case(lambda result: result["core"]["integration"]["demo"], {"x": 1}, "invalid_format"),
    "logger/log_info": Case(lambda levels: levels[0]["level"] == 20, {"x": 1}, "invalid_format"),
    # test_mqtt_discovery.py has more of these.
    "mqtt/device/debug_info": Case(lambda info: info == {"entities": [], "triggers": []}, {}, "invalid_format",
                                   fields={"device_id": "x"}),
    "device_automation/trigger/list": Case(lambda triggers: triggers == [], {}, "invalid_format", fields={"device_id": "x"}),
    "mqtt/subscribe": None,  # test_mqtt_socket.py
    # test_mqtt_settings.py has more of these.
    "mqtt/config": Case(lambda answer: answer == {"editable": True, "place": None, "config": None}, {"x": 1},
                        "invalid_format"),
    "mqtt/config/save": None,
    "mqtt/config/delete": None,
    "mqtt/test_connection": Case(lambda answer: not answer["success"] and answer["error"], {"port": 1}, "invalid_format",
                                 {"broker": "127.0.0.1", "port": 1}),
    "hearth/mqtt": Case(is_null, {"x": 1}, "invalid_format"),  # test_mqtt_socket.py has more of these
    "energy/get_prefs": Case(lambda result: result["energy_sources"] == [], {"x": 1}, "invalid_format",
                             before=(("energy/save_prefs", {"energy_sources": []}),)),
    "energy/save_prefs": Case(lambda result: result["device_consumption"] == [], {"energy_sources": 1}, "invalid_format"),
    # tests/functional/energy has more of these.
    "hearth/energy": Case(lambda report: report["meters"] == [], {"span": "decade"}, "invalid_format",
                          before=(("energy/save_prefs", {"energy_sources": []}),)),
    "energy/validate": Case(lambda result: result["energy_sources"] == [], {"x": 1}, "invalid_format"),
    "energy/solar_forecast": Case(lambda result: result == {}, {"x": 1}, "invalid_format"),
    "energy/fossil_energy_consumption": Case(
        lambda result: result == {}, {"start_time": "2026-01-01", "energy_statistic_ids": [], "co2_statistic_id": "x", "period": "year"},
        "invalid_format", fields={"start_time": "2026-01-01", "end_time": "2026-01-02", "energy_statistic_ids": [],
                                  "co2_statistic_id": "sensor.share", "period": "day"}),
    "energy/info": Case(lambda result: result["cost_sensors"] == {}, {"x": 1}, "invalid_format"),
    "backup/agents/info": Case(lambda result: result["agents"][0]["agent_id"] == "backup.local", {"x": 1}, "invalid_format"),
    "backup/info": Case(lambda result: result["backups"] == [], {"x": 1}, "invalid_format"),
    "assist_pipeline/pipeline/list": Case(lambda result: result["pipelines"] == [], {"x": 1}, "invalid_format"),
    "conversation/agent/list": Case(lambda result: result["agents"] == [], {"x": 1}, "invalid_format"),
    "labs/list": Case(lambda result: result["features"] == [], {"x": 1}, "invalid_format"),
    "labs/subscribe": Case(is_null, {"domain": "x"}, "invalid_format", fields={"domain": "x", "preview_feature": "y"}),
    "hearth/doctor": Case(lambda report: report["grade"] in ("good", "warning", "bad") and report["diagnoses"], {"x": 1},
                          "invalid_format"),  # test_doctor.py has more
    "hearth/import/look": None,  # test_page.py
    "hearth/import/start": None,
    "hearth/import/done": None,
    "hearth/import/restart": None,
    "hearth/import/cancel": Case(is_null, {"x": 1}, "invalid_format"),
    "hearth/import/report": Case(lambda result: result == {"state": {"state": "idle"}, "report": None, "to_do": []}, {"x": 1}, "invalid_format"),
    "system_health/info": None,  # test_system.py
    "system_log/list": None,
    "config/area_registry/list": Case(lambda areas: "kitchen" in [area["area_id"] for area in areas], {"x": 1},
                                      "invalid_format"),
    "config/area_registry/create": Case(lambda area: (area["area_id"], area["name"]) == ("annex", "Annex"),
                                        {"name": "Kitchen"}, "invalid_info", fields={"name": "Annex"}),
    "config/area_registry/update": Case(lambda area: area["icon"] == "mdi:sofa", NO_AREA | {"name": "X"}, "invalid_info",
                                        fields=lambda client: new_area(client) | {"icon": "mdi:sofa"}),
    "config/area_registry/delete": Case(lambda result: result == "success", NO_AREA, "invalid_info", fields=new_area),
    "config/area_registry/reorder": Case(lambda result: result == "success", {"area_ids": ["nowhere"]}, "invalid_info", fields=reversed_areas),
    "config/floor_registry/list": Case(lambda floors: len(floors) >= 2, {"x": 1}, "invalid_format"),
    "config/floor_registry/create": Case(lambda floor: floor["level"] == 7, {"name": ""}, "invalid_info",
                                         fields={"name": "Attic of the case", "level": 7}),
    "config/floor_registry/update": Case(lambda floor: floor["name"] == "Renamed floor", NO_FLOOR, "invalid_info",
                                         fields=lambda client: new_floor(client) | {"name": "Renamed floor"}),
    "config/floor_registry/delete": Case(lambda result: result == "success", NO_FLOOR, "invalid_info", fields=new_floor),
    "config/floor_registry/reorder": Case(lambda result: result == "success", {"floor_ids": ["nowhere"]}, "invalid_info",
                                          fields=reversed_floors),
    "calendar/event/create": Case(is_null, {"entity_id": "calendar.none", "event": NEW_EVENT}, "not_found",
                                  fields={"entity_id": "calendar.family", "event": NEW_EVENT}),
    "calendar/event/update": Case(is_null, {"entity_id": "calendar.none", "uid": "x", "event": NEW_EVENT}, "not_found",
                                  fields=lambda client: some_event(client) | {"event": NEW_EVENT}),
    "calendar/event/delete": Case(is_null, {"entity_id": "calendar.none", "uid": "x"}, "not_found",
                                  fields=lambda client: some_event(client)),
    "todo/item/list": Case(lambda result: result["items"][0]["status"] == "needs_action", {"entity_id": "light.kitchen"},
                           "not_found", fields={"entity_id": "todo.shopping_list"}),
    "todo/item/subscribe": Case(is_null, {"entity_id": "todo.none"}, "not_found", fields={"entity_id": "todo.shopping_list"}),
    "todo/item/move": Case(is_null, {"entity_id": "todo.none", "uid": "x"}, "not_found", fields=lambda client: {
        "entity_id": "todo.shopping_list", "uid": client.result("todo/item/list", entity_id="todo.shopping_list")["items"][1]["uid"]}),
    "extract_from_target": Case(lambda found: "light.kitchen" in found["referenced_entities"], {"target": {"area": "kitchen"}},
                                "invalid_format", fields={"target": {"area_id": "kitchen"}}),
    "get_services_for_target": Case(lambda names: "light.toggle" in names and "cover.open_cover" not in names, {"target": {"area": "kitchen"}},
                                    "invalid_format", fields={"target": {"entity_id": "light.kitchen"}}),
    "get_triggers_for_target": Case(lambda names: names == [], {}, "invalid_format", fields={"target": {"entity_id": "light.kitchen"}}),
    "get_conditions_for_target": Case(lambda names: names == [], {"target": "light.kitchen"}, "invalid_format",
                                      fields={"target": {"entity_id": "light.kitchen"}}),
    "homeassistant/expose_entity/list": Case(lambda result: result == {"exposed_entities": {}}, {"x": 1}, "invalid_format"),
    "zone/list": Case(lambda zones: isinstance(zones, list), {"x": 1}, "invalid_format"),
    "zone/create": Case(lambda zone: zone["radius"] == 100 and zone["id"].startswith("pool"), {"name": "Pool"}, "invalid_format",
                        fields={"name": "Pool", "latitude": 1, "longitude": 2}),
    "zone/update": Case(lambda zone: zone["radius"] == 7, {"zone_id": "nowhere", "radius": 7}, "not_found",
                        fields=lambda client: new_zone(client) | {"radius": 7}),
    "zone/delete": Case(is_null, {"zone_id": "nowhere"}, "not_found", fields=lambda client: new_zone(client)),
    "tag/list": Case(lambda tags: isinstance(tags, list), {"x": 1}, "invalid_format"),
    "tag/create": Case(lambda tag: tag["name"] == "Door", {"colour": "red"}, "invalid_format", fields={"name": "Door"}),
    "tag/update": Case(lambda tag: tag["name"] == "Door", {"tag_id": "none", "name": "x"}, "not_found",
                       fields=lambda client: {"tag_id": client.result("tag/create")["id"], "name": "Door"}),
    "tag/delete": Case(is_null, {"tag_id": "none"}, "not_found",
                       fields=lambda client: {"tag_id": client.result("tag/create")["id"]}),
    "person/list": Case(lambda result: set(result) == {"storage", "config"}, {"x": 1}, "invalid_format"),
    **{f"{domain}/list": Case(lambda result: result == [], {"x": 1}, "invalid_format") for domain in
       ("timer", "schedule")},
    **helper_cases(),
    "person/create": Case(lambda item: item["name"] == "Made", {"name": "Made", "device_trackers": ["light.a"]}, "invalid_format",
                          fields={"name": "Made", "device_trackers": ["device_tracker.x"]}),
    "person/update": Case(lambda item: item["user_id"] == "ann", {"person_id": "nowhere", "name": "x"}, "not_found",
                          fields=lambda client: new_person(client) | {"user_id": "ann"}),
    "person/delete": Case(is_null, {"person_id": "nowhere"}, "not_found", fields=new_person),
    "config/entity_registry/get_entries": Case(lambda entries: entries["light.none"] is None
                                               and entries["light.kitchen"]["platform"] == "demo", {}, "invalid_format",
                                               fields={"entity_ids": ["light.kitchen", "light.none"]}),
    "search/related": Case(lambda found: found["area"] == ["kitchen"], {"item_type": "cellar", "item_id": "x"},
                           "invalid_format", fields={"item_type": "entity", "item_id": "light.kitchen"}),
    "repairs/list_issues": Case(lambda result: isinstance(result["issues"], list), {"x": 1}, "invalid_format"),
    "repairs/ignore_issue": None,  # test_repairs.py
    "alerts/list": Case(lambda result: isinstance(result["alerts"], list), {"x": 1}, "invalid_format"),
    "alerts/subscribe": Case(is_null, {"x": 1}, "invalid_format"),
    **{command: Case(is_null, {"alert_ids": []}, "invalid_format", fields=some_alert)
       for command in ("alerts/snooze", "alerts/unsnooze")},
    **{command: None for command in ("mobile_app/push_notification_channel", "mobile_app/push_notification_confirm",
                                     "hearth/notifications/choice", "hearth/notifications/choose", "hearth/notifications/test",
                                     "hearth/notifications/push_key", "hearth/notifications/browser/add",
                                     "hearth/notifications/browser/remove")},  # phones/test_messages.py
    "persistent_notification/get": Case(lambda notes: isinstance(notes, list), {"x": 1}, "invalid_format"),
    "persistent_notification/subscribe": Case(is_null, {"x": 1}, "invalid_format"),
    "config/label_registry/list": Case(lambda labels: labels == [] or labels[0]["label_id"], {"x": 1}, "invalid_format"),
    "config/label_registry/create": Case(lambda label: label["label_id"] == "night", {"name": "x", "color": "loud"},
                                         "invalid_info", fields={"name": "Night"}),
    "config/label_registry/update": Case(lambda label: label["color"] == "#123456", NO_LABEL, "invalid_info",
                                         fields=lambda client: new_label(client) | {"color": "#123456"}),
    "config/label_registry/delete": Case(lambda result: result == "success", NO_LABEL, "invalid_info", fields=new_label),
    "config/category_registry/list": Case(lambda result: result == [], {}, "invalid_format", fields={"scope": "none"}),
    "config/category_registry/create": Case(lambda category: category["name"] == "Night", {"name": "x"}, "invalid_info",
                                            fields={"scope": "light", "name": "Night"}),
    "config/category_registry/update": Case(lambda category: category["icon"] == "mdi:lamp",
                                            NO_CATEGORY | {"icon": "mdi:lamp"}, "invalid_info",
                                            fields=lambda client: new_category(client) | {"icon": "mdi:lamp"}),
    "config/category_registry/delete": Case(lambda result: result == "success", NO_CATEGORY, "invalid_info",
                                            fields=new_category),
    "config/device_registry/list": Case(lambda devices: all(device["manufacturer"] for device in devices), {"x": 1},
                                        "invalid_format"),
    "config/device_registry/update": Case(lambda device: device["name_by_user"] == "Mine", NO_DEVICE, "not_found",
                                          fields=lambda client: some_device(client) | {"name_by_user": "Mine"}),
    "hearth/devices/update": Case(
        lambda outcome: outcome == {"updated": 1, "failed": []}, {"devices": [{}]}, "invalid_format",
        fields=lambda client: {"devices": [some_device(client) | {"name_by_user": "Mine"}]}),
    "config/entity_registry/list": Case(lambda entries: any(e["entity_id"] == "light.kitchen" for e in entries), {"x": 1},
                                        "invalid_format"),
    "config/entity_registry/list_for_display": Case(lambda r: any(e["ei"] == "light.kitchen" for e in r["entities"]),
                                                    {"x": 1}, "invalid_format"),
    "config/entity_registry/get": Case(lambda entry: entry["platform"] == "demo", {"entity_id": "light.none"}, "not_found",
                                       fields={"entity_id": "light.kitchen"}),
    "config/entity_registry/update": Case(lambda r: r["entity_entry"]["icon"] == "mdi:lamp", {"entity_id": "light.none"},
                                          "not_found", fields={"entity_id": "light.hall", "icon": "mdi:lamp"}),
    "history/history_during_period": Case(lambda history: len(history["light.kitchen"]) >= 1, {"start_time": "soon"} | LAMPS,
                                          "invalid_start_time", fields={"start_time": "2026-01-01"} | LAMPS),
    "history/stream": Case(is_null, {"start_time": "2026-01-01", "entity_ids": ["kitchen"]}, "invalid_entity_ids",
                           fields={"start_time": "2026-01-01"} | LAMPS),
    "logbook/get_events": Case(lambda entries: isinstance(entries, list), {"start_time": "soon"}, "invalid_start_time",
                               fields={"start_time": "2026-01-01"}),
    "logbook/event_stream": Case(is_null, {"start_time": "2026-01-01", "end_time": "2025-01-01"}, "invalid_end_time",
                                 fields={"start_time": "2026-01-01"} | LAMPS),
    "sensor/numeric_device_classes": Case(
        lambda r: {"temperature", "energy"} <= set(r["numeric_device_classes"]) and "timestamp" not in r["numeric_device_classes"],
        {"x": 1}, "invalid_format"),
    "sensor/device_class_convertible_units": Case(lambda r: r == {"units": ["°C", "°F", "K"]}, {"device_class": 1}, "invalid_format",
                                                  fields={"device_class": "temperature"}),
    "recorder/info": Case(lambda info: info["recording"] is True, {"x": 1}, "invalid_format"),
    "recorder/statistics_during_period": Case(
        lambda rows: isinstance(rows, dict), {"start_time": "2026-01-01", "period": "year", "statistic_ids": []}, "invalid_format",
        fields={"start_time": "2026-01-01", "period": "hour", "statistic_ids": ["sensor.outdoor_temperature"]}),
    "recorder/statistic_during_period": Case(
        lambda r: r["min"] <= r["mean"] <= r["max"] and r["change"] is None,
        {"statistic_id": "sensor.outdoor_temperature", "calendar": {"period": "decade"}}, "invalid_format",
        fields={"statistic_id": "sensor.outdoor_temperature"}),
    "recorder/list_statistic_ids": Case(
        lambda ids: any(r["statistic_id"] == "sensor.outdoor_temperature" and r["statistics_unit_of_measurement"] for r in ids),
        {"statistic_type": "median"}, "invalid_format"),
    "recorder/get_statistics_metadata": Case(
        lambda ids: [r["statistic_id"] for r in ids] == ["sensor.outdoor_temperature"], {"statistic_ids": 7}, "invalid_format",
        fields={"statistic_ids": ["sensor.outdoor_temperature", "light.kitchen"]}),
    "recorder/validate_statistics": Case(lambda issues: "sensor.outdoor_temperature" not in issues, {"x": 1}, "invalid_format"),
    "recorder/update_statistics_metadata": Case(
        is_null, {"statistic_id": "sensor.nobody", "unit_of_measurement": "W"}, "not_found",
        fields={"statistic_id": "sensor.outdoor_temperature", "unit_of_measurement": "°C"}),
    "recorder/import_statistics": Case(
        is_null, {"metadata": {"statistic_id": "other:energy", "source": "mine", "has_sum": True}, "stats": []}, "invalid_format",
        fields={"metadata": {"statistic_id": "case:energy", "has_sum": True}, "stats": []}),
    "recorder/adjust_sum_statistics": Case(
        is_null, {"statistic_id": "case:water", "start_time": "2026-01-01", "adjustment": 1}, "not_found",
        before=(("recorder/import_statistics", {"metadata": {"statistic_id": "case:adjusted", "has_sum": True}, "stats": []}),),
        fields={"statistic_id": "case:adjusted", "start_time": "2026-01-01", "adjustment": 1}),
    "recorder/clear_statistics": Case(
        is_null, {"statistic_ids": ["case:water"]}, "not_found",
        before=(("recorder/import_statistics", {"metadata": {"statistic_id": "case:cleared", "has_sum": True}, "stats": []}),),
        fields={"statistic_ids": ["case:cleared"]}),
    # Entities of other hubs have answers to these: bridge/test_bridge_media.py.
    "camera/capabilities": Case(lambda answer: answer == {"frontend_stream_types": []}, {"entity_id": "camera.none"}, "not_found",
                                fields={"entity_id": "camera.driveway"}),
    **dict.fromkeys(ELSEWHERE),
    # An entity that its integration provides cannot be removed: test_registry.py.
    "config/entity_registry/remove": None,
}


def test_every_command_has_a_case():
    assert sorted([*CASES, *ACCOUNT_COMMANDS, *AUDIT_COMMANDS, *BLUEPRINT_COMMANDS, *DEBUGGER_COMMANDS, *EXPLAIN_COMMANDS, *FLEET_COMMANDS,
                   *INTEGRATION_COMMANDS, *INVITATION_COMMANDS, *MADE_SENSOR_COMMANDS, *REVISION_COMMANDS, *SIMULATE_COMMANDS, *SUGGESTION_COMMANDS, *TRACE_COMMANDS]) == \
        sorted(command for command, _ in COMMAND_ROWS)


@pytest.fixture
def connect(hub):
    clients = []

    def connect(user):
        clients.append(WebSocketClient(hub, hub.tokens[user]))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", [command for command, case in CASES.items() if case])
def test_command_succeeds(connect, command):
    case = CASES[command]
    client = connect("admin")
    for earlier, fields in case.before:
        client.result(earlier, **fields)
    fields = case.fields(client) if callable(case.fields) else case.fields
    result = client.result(command, **fields)
    assert case.check(result), result


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", [command for command, case in CASES.items() if case])
def test_command_fails(connect, command):
    case = CASES[command]
    code, message = connect(case.wrong_user).error(command, **case.wrong)
    assert code == case.code, message
    assert message


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("command", ELSEWHERE)
def test_command_of_other_hubs_says_that_this_one_cannot(connect, command):
    client = connect("admin")
    if not command.startswith("media_source/"):
        assert client.error(command, entity_id="camera.none")[0] == "not_found"
        assert client.error(command)[0] == "invalid_format"
    named = {"media_content_id": "media-source://camera/camera.driveway"} if command.startswith("media_source/") else {}
    assert client.error(command, entity_id="camera.driveway", **named)[0] == "not_supported"


@pytest.mark.contract("WebSocket: rights")
def test_commands_that_act_are_not_for_readers(connect):
    display = connect("display")
    assert display.error("call_service", domain="light", service="toggle", target=LAMP)[0] == "unauthorized"
    assert display.error("fire_event", event_type="x")[0] == "unauthorized"
    assert display.result("get_states")
