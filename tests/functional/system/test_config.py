# SPDX-License-Identifier: Apache-2.0
"""GET /api/config"""

import re

import pytest

from checks import assert_json, assert_message
from hub_process import base_settings, write_settings

SIX = ["location_name", "version", "uuid", "base_url", "internal_url", "external_url"]


@pytest.fixture(scope="module")
def config(hub):
    return assert_json(hub.admin.get("/api/config"))


@pytest.mark.contract("Configuration object: six fields")
def test_has_the_six_fields_as_texts(config):
    for key in SIX:
        assert isinstance(config[key], str) and config[key], key
    assert config["location_name"] == "Test home"


@pytest.mark.contract("Configuration object: unset URLs")
def test_unset_urls_fall_back_to_the_bound_address(hub, config):
    for key in ("base_url", "internal_url", "external_url"):
        assert config[key].rstrip("/") == hub.url


@pytest.mark.contract("Configuration object: unset URLs", "Configuration object: six fields")
def test_set_urls_are_reported(hub_factory):
    home = base_settings()["home"] | {
        "internal_url": "http://hub.example:8123",
        "external_url": "https://home.example",
    }
    config = hub_factory(home=home).admin.get("/api/config").json()
    assert config["internal_url"] == "http://hub.example:8123"
    assert config["external_url"] == "https://home.example"
    assert config["base_url"].startswith("http")


@pytest.mark.contract("Configuration object: uuid")
def test_uuid_is_stable_and_belongs_to_the_folder(hub_factory, config):
    assert re.fullmatch(r"[0-9a-f]{32}", config["uuid"])
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    first = hub.admin.get("/api/config").json()["uuid"]
    hub.stop()
    assert hub_factory(folder).admin.get("/api/config").json()["uuid"] == first


@pytest.mark.contract("Configuration object: version")
def test_version_is_a_calendar_version(hub, config):
    year, month, *_ = (int(part) for part in re.fullmatch(r"(\d{4})\.(\d{1,2})\.(\d+)", config["version"]).groups())
    assert (year, month) >= (2022, 9) and 1 <= month <= 12
    assert config["version"] in hub.command("version").stdout


@pytest.mark.contract("Configuration object: further fields")
def test_has_the_fields_that_clients_read(hub, config):
    assert config["state"] == "RUNNING"
    assert isinstance(config["components"], list) and all(isinstance(name, str) for name in config["components"])
    assert {"demo", "light", "climate"} <= set(config["components"])
    assert config["config_dir"] == str(hub.folder)
    assert (config["latitude"], config["longitude"], config["elevation"]) == (52.5, 13.4, 34)
    assert config["time_zone"] == "Europe/Berlin"
    assert isinstance(config["unit_system"], dict) and config["unit_system"]["temperature"] == "°C"
    assert (config["currency"], config["country"], config["language"]) == ("EUR", "DE", "en")
    assert isinstance(config["allowlist_external_dirs"], list)
    assert isinstance(config["whitelist_external_dirs"], list)
    assert config["safe_mode"] is False
    assert config["recovery_mode"] is False


@pytest.mark.contract("Configuration object: further fields")
def test_follows_the_configuration_file(hub_factory):
    home = base_settings()["home"] | {"unit_system": "us_customary", "name": "Häuschen", "latitude": -33.25}
    response = hub_factory(home=home).admin.get("/api/config")
    assert "Häuschen".encode() in response.content
    config = response.json()
    assert config["unit_system"]["temperature"] == "°F"
    assert config["latitude"] == -33.25


@pytest.mark.contract("Configuration object: six fields")
def test_has_its_fields_without_any_home_settings(hub_factory):
    folder = hub_factory.folder()
    write_settings(folder, {"demo": {"seed": 7, "speed": 0}})
    config = hub_factory(folder).admin.get("/api/config").json()
    for key in SIX:
        assert isinstance(config[key], str), key


@pytest.mark.contract("Tokens and rights: right missing")
def test_is_for_administrators(hub):
    assert_message(hub.anonymous.get("/api/config"), 401)
    assert_message(hub.ann.get("/api/config"), 403)
    assert_message(hub.display.get("/api/config"), 403)


@pytest.mark.contract("Every endpoint: other method")
def test_knows_no_other_method(hub):
    response = hub.admin.post("/api/config", json={})
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]
