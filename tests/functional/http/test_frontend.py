# SPDX-License-Identifier: Apache-2.0
"""What pages made for this family of APIs ask for besides states: names, icons, what they keep for the home, and how
its integrations do."""

import json
import re
import time

import pytest

from checks import assert_json
from hub_process import wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient


def connect(hub, user="admin"):
    return WebSocketClient(hub, hub.tokens[user])


def texts(client, language, category, **fields):
    return client.result("frontend/get_translations", language=language, category=category, **fields)["resources"]


@pytest.mark.contract("Other frontends: names")
def test_states_have_names_in_each_language(hub):
    with connect(hub, "ann") as client:
        english, german = (texts(client, tag, "entity_component") for tag in ("en", "de"))
        assert set(german) <= set(english) and len(german) > 150
        for key, said in {"light.entity_component._.state.on": ("On", "An"),
                          "binary_sensor.entity_component.door.state.on": ("Open", "Offen"),
                          "lock.entity_component._.state.locked": ("Locked", "Verriegelt"),
                          "climate.entity_component._.state_attributes.hvac_action.state.heating": ("Heating", "Heizt"),
                          "climate.entity_component._.state_attributes.preset_mode.state.away": ("Away", "Abwesend"),
                          "light.entity_component._.name": ("Light", "Licht")}.items():
            assert (english[f"component.{key}"], german[f"component.{key}"]) == said, key
        assert texts(client, "de-AT", "entity_component") == german
        assert texts(client, "tlh", "entity_component") == english
        assert all(key.startswith("component.") and isinstance(text, str) and text for key, text in german.items())


@pytest.mark.contract("Other frontends: names")
def test_every_state_of_the_demo_home_has_a_name(hub):
    with connect(hub) as client:
        kinds = {kind["domain"]: kind for kind in client.result("hearth/kinds")}
        for tag in ("en", "de"):
            known = texts(client, tag, "entity_component")
            for state in client.result("get_states"):
                domain = state["entity_id"].split(".")[0]
                if "select" in kinds.get(domain, {"value": {"selector": {}}})["value"]["selector"] and \
                        "from" not in kinds[domain]["value"] and state["state"] not in ("unknown", "unavailable"):
                    assert f"component.{domain}.entity_component._.state.{state['state']}" in known, (tag, state["entity_id"])


@pytest.mark.contract("Other frontends: names")
def test_services_and_domains_have_names(hub):
    with connect(hub, "ann") as client:
        services = texts(client, "en", "services")
        assert services["component.lock.services.unlock.name"] == "Unlock"
        assert services["component.light.services.turn_on.fields.brightness.description"]
        assert texts(client, "de", "services")["component.switch.services.turn_on.name"] == "Einschalten"
        assert texts(client, "de", "title")["component.vacuum.title"] == "Staubsauger"
        assert set(texts(client, "en", "title", integration=["light", "nix"])) == {"component.light.title"}
        assert texts(client, "en", "title", integration="cover") == {"component.cover.title": "Cover"}
        assert texts(client, "en", "title", integration=["demo"]) == {"component.demo.title": "Demo"}
        assert texts(client, "en", "title", integration=[]) == {}
        assert texts(client, "en", "config", config_flow=True) == {} == texts(client, "en", "no such category")


@pytest.mark.contract("Other frontends: limits")
def test_a_question_for_ten_thousand_names_is_answered_soon(hub):
    with connect(hub) as client:
        begun = time.monotonic()
        asked = [f"domain_{number}" for number in range(9_999)] + ["light"]
        assert set(texts(client, "en", "title", integration=asked)) == {"component.light.title"}
        assert time.monotonic() - begun < 10
        code, message = client.error("frontend/get_translations", language="en", category="title", integration=[*asked, "x"])
        assert code == "invalid_format" and "10000" in message
        assert len(json.dumps(texts(client, "en", "entity_component"))) < 200_000


@pytest.mark.contract("Other frontends: icons")
def test_icons_are_named_by_domain_and_class(hub):
    with connect(hub, "ann") as client:
        icons = client.result("frontend/get_icons", category="entity_component")["resources"]
        assert icons["light"]["_"] == {"default": "mdi:lightbulb-outline", "state": {"on": "mdi:lightbulb"}}
        assert icons["binary_sensor"]["door"] == {"default": "mdi:door-closed", "state": {"on": "mdi:door-open"}}
        assert icons["sensor"]["carbon_dioxide"] == {"default": "mdi:molecule-co2"}
        assert icons["lock"]["_"]["state"]["unlocked"] == "mdi:lock-open-variant"
        assert icons["weather"]["_"]["state"]["partlycloudy"] == "mdi:weather-partly-cloudy"
        one = client.result("frontend/get_icons", category="entity_component", integration=["light"])["resources"]
        assert one == {"light": icons["light"]}
        assert client.result("frontend/get_icons", category="services") == {"resources": {}}
        assert client.result("frontend/get_themes")["default_theme"] == "default"


@pytest.mark.contract("Other frontends: system data")
def test_data_of_the_home_is_one_for_all(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\n")
    with connect(hub) as admin, connect(hub, "ann") as ann, connect(hub, "guest") as guest:
        assert ann.result("frontend/get_system_data", key="core") == {"value": None}
        for client in (ann, guest):
            client.result("frontend/subscribe_system_data", key="home")
        assert ann.event(2) == {"value": None} and guest.event(1) == {"value": None}
        favourites = {"favorite_entities": ["light.bedroom"], "n": 1.0}
        assert admin.result("frontend/set_system_data", key="home", value=favourites) is None
        admin.result("frontend/set_system_data", key="core", value={"default_panel": "map"})
        assert ann.event(2) == {"value": favourites}
        assert ann.result("frontend/get_system_data", key="home") == {"value": favourites}
        assert guest.result("frontend/get_system_data", key="home") == {"value": None}
        assert guest.result("frontend/get_system_data", key="core") == {"value": {"default_panel": "map"}}
        assert guest.waiting == []  # of what is hidden not even a change is told
        assert ann.error("frontend/set_system_data", key="home", value=1)[0] == "unauthorized"
        assert admin.error("frontend/set_system_data", key="", value=1)[0] == "invalid_format"
        assert admin.error("frontend/set_system_data", key="big", value="x" * 20_000)[0] == "invalid_format"


@pytest.mark.contract("Other frontends: config entries")
def test_each_integration_is_a_config_entry(hub):
    with connect(hub, "ann") as client:
        [entry] = client.result("config_entries/get")
        assert (entry["domain"], entry["title"], entry["source"], entry["state"], entry["reason"], entry["disabled_by"]) == (
            "demo", "Demo", "yaml", "loaded", None, None)
        assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{26}", entry["entry_id"])
        assert assert_json(hub.ann.get("/api/config/config_entries/entry")) == [entry]
        assert client.result("config_entries/get", type_filter=["hub", "service"], domain="demo") == [entry]
        assert client.result("config_entries/get", type_filter=["helper"]) == []
        assert client.result("config_entries/get", domain="hue") == []
        assert client.result("config_entries/get_single", entry_id=entry["entry_id"]) == {"config_entry": entry}
        assert client.error("config_entries/get_single", entry_id="hue")[0] == "not_found"
        client.result("config_entries/subscribe")
        assert client.event(client.last_id) == [{"type": None, "entry": entry}]
    assert assert_json(hub.ann.get("/api/config/config_entries/flow_handlers?type=hub")) == ["caldav", "dsmr", "esphome", "home_assistant", "remote_calendar"]
    with connect(hub) as admin:
        assert admin.result("config_entries/flow/progress") == []
        admin.result("config_entries/flow/subscribe")
        assert admin.event(2) == []


@pytest.mark.contract("Other frontends: manifests")
def test_integrations_and_domains_have_a_manifest(hub):
    with connect(hub, "ann") as client:
        manifests = {manifest["domain"]: manifest for manifest in client.result("manifest/list")}
        assert manifests["demo"]["integration_type"] == "hub" and manifests["light"]["integration_type"] == "entity"
        assert [one["domain"] for one in client.result("manifest/list", integrations=["light", "nix"])] == ["light"]
        assert client.result("manifest/get", integration="light") == manifests["light"]
        assert client.error("manifest/get", integration="nix")[0] == "not_found"
        assert client.result("integration/descriptions")["core"]["integration"]["demo"]["name"]
        assert client.result("logger/log_info") == [{"domain": "demo", "level": 20}]


@pytest.mark.contract("Other frontends: energy")
def test_energy_preferences_are_kept(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\n")
    source = {"type": "grid", "stat_energy_from": "sensor.outdoor_temperature"}
    with connect(hub) as client, connect(hub, "ann") as ann, connect(hub, "guest") as guest:
        assert client.error("energy/get_prefs")[0] == "not_found"
        saved = client.result("energy/save_prefs", energy_sources=[source])
        assert saved == {"energy_sources": [source], "device_consumption": [], "device_consumption_water": []}
        client.result("energy/save_prefs", device_consumption=[{"stat_consumption": "sensor.x"}])
        assert ann.result("energy/get_prefs")["energy_sources"] == [source]
        assert guest.error("energy/get_prefs")[0] == "not_found"
        code, message = client.error("energy/save_prefs", energy_sources=["x"])
        assert code == "invalid_format" and message.startswith("energy_sources: expected a list of objects")
        assert client.result("energy/info") == {"cost_sensors": {}, "solar_forecast_domains": []}


@pytest.mark.contract("Other frontends: backups")
def test_backups_are_told_in_the_pages_terms(hub_factory):
    hub = hub_factory()
    with connect(hub) as client:
        assert client.result("backup/info")["backups"] == []
        done = hub.admin.post("/api/services/backup/create", json={"name": "first"}, timeout=30)
        assert done.status_code == 200, done.text
        [backup] = wait_until(lambda: client.result("backup/info")["backups"], timeout=20)
        assert (backup["backup_id"], backup["slug"], backup["protected"]) == ("first", "first", False)
        assert backup["agents"]["backup.local"]["size"] > 0


@pytest.mark.contract("Other frontends: what there is none of")
def test_what_the_hub_has_none_of_is_empty(hub):
    with connect(hub, "ann") as client:
        assert client.result("assist_pipeline/pipeline/list") == {"pipelines": [], "preferred_pipeline": None}
        assert client.result("conversation/agent/list", language="en", country="DE") == {"agents": []}
        assert client.result("labs/list") == {"features": []}
        client.result("labs/subscribe", domain="frontend", preview_feature="winter")
        assert client.event(client.last_id)["enabled"] is False
