# SPDX-License-Identifier: Apache-2.0
"""config/core/update: the home's name, place and units, changed while the hub runs."""

import sqlite3
from contextlib import closing

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, write_settings
from login_client import CLIENT, token_request
from websocket_client import WebSocketClient

SETTINGS = {
    "location_name": "Häuschen",
    "latitude": 48.137,
    "longitude": 11.575,
    "elevation": 519,
    "time_zone": "America/New_York",
    "unit_system": "us_customary",
    "currency": "USD",
    "country": "US",
    "language": "pt-BR",
    "internal_url": "http://192.168.1.5:8123",
    "external_url": "https://home.example.org",
}
# Refused settings, and parts of the message.
WRONG = {
    "nothing": ({}, "Expected at least one of location_name, "),
    "only null": ({"time_zone": None}, "Expected at least one of location_name, "),
    "unknown key": ({"location_name": "X", "radius": 5}, "radius: there is no such key"),
    "name that is none": ({"location_name": ""}, 'location_name: expected a text of 1 to 255 characters, found ""'),
    "name too long": ({"location_name": "ä" * 256}, "location_name: expected a text of 1 to 255 characters"),
    "number for a text": ({"location_name": 5}, "location_name: expected a text"),
    "latitude too far north": ({"latitude": 90.5}, 'latitude: expected a number from -90 to 90, found "90.5"'),
    "text for a number": ({"longitude": "13.4"}, "longitude: expected a number"),
    "elevation with a fraction": ({"elevation": 3.5}, "elevation: expected a whole number from -1000 to 10000"),
    "time zone that is none": ({"time_zone": "Europe/Atlantis"},
                               'time_zone: expected a time zone such as Europe/Berlin, found "Europe/Atlantis"'),
    "unit system that is none": ({"unit_system": "nautical"}, "unit_system: expected metric or us_customary"),
    "currency that is none": ({"currency": "euro"}, "currency: expected three capital letters such as EUR"),
    "country that is none": ({"country": "Germany"}, "country: expected two capital letters such as DE"),
    "language that is none": ({"language": "?"}, "language: expected a language such as en or pt-BR"),
    "URL with a path": ({"internal_url": "http://a/b"}, "internal_url: expected an address such as"),
    "one of several": ({"location_name": "X", "currency": "x"}, "currency: expected three capital letters"),
}


@pytest.fixture
def home(hub_factory):
    """A hub whose file has no settings of the home."""
    return hub_factory(home=None)


def admin_of(hub):
    return WebSocketClient(hub, hub.tokens["admin"])


def shown(config):
    """The settings as they were given."""
    named = {"°C": "metric", "°F": "us_customary"}
    return {key: config[key] for key in SETTINGS} | {"unit_system": named[config["unit_system"]["temperature"]]}


@pytest.mark.contract("WebSocket: commands", "Configuration object: further fields")
def test_settings_apply_at_once_and_after_a_restart(home, hub_factory):
    with admin_of(home) as admin:
        assert admin.result("get_config")["config_source"] == "storage"
        assert admin.result("config/core/update", **SETTINGS) is None
        assert shown(admin.result("get_config")) == SETTINGS
        assert shown(home.admin.get("/api/config").json()) == SETTINGS
    home.process.kill()
    home.wait_ended()
    hub_factory.hubs.remove(home)
    with admin_of(hub_factory(home.folder)) as admin:
        config = admin.result("get_config")
        assert shown(config) == SETTINGS
        assert config["config_source"] == "storage" and config["yaml_keys"] == []
        cleared = {"country": None, "internal_url": None, "external_url": ""}
        assert admin.result("config/core/update", **cleared) is None
        config = admin.result("get_config")
        assert config["country"] is None and config["location_name"] == "Häuschen"
        assert config["internal_url"] == config["external_url"] != SETTINGS["internal_url"]


@pytest.mark.contract("WebSocket: subscribe_events", "WebSocket: commands")
def test_event_has_what_differs(home):
    with admin_of(home) as admin, WebSocketClient(home, home.tokens["ann"]) as ann:
        ann.result("subscribe_events", event_type="core_config_updated")
        admin.result("config/core/update", location_name="Villa", latitude=52.5, language="en", unit_system="metric")
        event = ann.event(1)
        assert event["data"] == {"location_name": "Villa", "latitude": 52.5}
        assert event["context"]["user_id"] == admin.result("auth/current_user")["id"]
        admin.result("config/core/update", location_name="Villa")  # no change, no event
        admin.result("config/core/update", internal_url="https://a.example", country="DE")
        event = ann.event(1)
        # Without an external URL, it follows the internal one.
        assert event["data"] == {"internal_url": "https://a.example", "external_url": "https://a.example", "country": "DE"}
        assert ann.result("get_config")["internal_url"] == "https://a.example"


@pytest.mark.contract("WebSocket: commands")
@pytest.mark.parametrize("case", WRONG)
def test_wrong_settings_change_nothing(hub_without_home, case):
    fields, text = WRONG[case]
    with admin_of(hub_without_home) as admin:
        before = admin.result("get_config")
        code, message = admin.error("config/core/update", **fields)
        assert code == "invalid_format" and message.startswith(text), message
        assert admin.result("get_config") == before


@pytest.fixture(scope="module")
def hub_without_home(module_hubs):
    return module_hubs(home=None)


@pytest.mark.contract("WebSocket: rights")
@pytest.mark.parametrize("user", ["ann", "display"])
def test_settings_are_for_administrators(hub_without_home, user):
    with WebSocketClient(hub_without_home, hub_without_home.tokens[user]) as client:
        assert client.error("config/core/update", location_name="X")[0] == "unauthorized"


@pytest.mark.contract("WebSocket: commands", "Configuration object: further fields")
def test_settings_of_the_file_are_changed_only_there(hub_factory):
    folder = hub_factory.folder(home={"name": "From the file", "time_zone": "Europe/Berlin"})
    hub = hub_factory(folder)
    with admin_of(hub) as admin:
        config = admin.result("get_config")
        assert config["config_source"] == "yaml" and config["yaml_keys"] == ["location_name", "time_zone"]
        for key, value, place in (("location_name", "X", "configuration.yaml:2: home.name"),
                                  ("time_zone", "UTC", "configuration.yaml:3: home.time_zone")):
            code, message = admin.error("config/core/update", currency="USD", **{key: value})
            assert code == "invalid_info" and message.startswith(f"{key} is set in {place}, "), message
        assert admin.result("get_config") == config
        assert admin.result("config/core/update", currency="USD") is None
    hub.stop()
    # A key in the file overrides a stored setting; without it the setting can change again.
    write_settings(folder, {"home": {"currency": "CHF"}})
    config = hub_factory(folder).admin.get("/api/config").json()
    assert (config["currency"], config["location_name"]) == ("CHF", "Home")


@pytest.mark.contract("Configuration object: further fields")
def test_stored_setting_that_is_no_longer_valid_is_skipped(home, hub_factory):
    with admin_of(home) as admin:
        admin.result("config/core/update", location_name="Villa", time_zone="Europe/Berlin")
    home.stop()
    with closing(sqlite3.connect(home.folder / "home.db")) as database, database:
        database.execute("UPDATE home_settings SET value = 'Europe/Atlantis' WHERE key = 'time_zone'")
    hub = hub_factory(home.folder)
    config = hub.admin.get("/api/config").json()
    assert (config["location_name"], config["time_zone"]) == ("Villa", "UTC")
    hub.logged("a stored setting is ignored: time_zone: expected a time zone")


@pytest.mark.contract("Services: wrong data", "Services: right missing", "Services: answer")
@pytest.mark.parametrize("domain", ["platform", "homeassistant"])
def test_set_location(hub_factory, domain):
    hub = hub_factory(home={"elevation": 7})
    call = f"/api/services/{domain}/set_location"
    assert hub.admin.post(call, json={"latitude": 48.1, "longitude": 11}).json() == []
    config = hub.admin.get("/api/config").json()
    assert (config["latitude"], config["longitude"], config["elevation"]) == (48.1, 11, 7)
    assert_message(hub.admin.post(call, json={"latitude": 48.1}), 400)
    assert_message(hub.admin.post(call, json={"latitude": 91, "longitude": 11}), 400)
    message = assert_message(hub.admin.post(call, json={"latitude": 1, "longitude": 1, "elevation": 8}), 400)
    assert "elevation is set in configuration.yaml:2: home.elevation" in message
    assert_message(hub.ann.post(call, json={"latitude": 1, "longitude": 1}), 403)
    assert hub.admin.get("/api/config").json()["latitude"] == 48.1


@pytest.mark.contract("Beyond the specification: onboarding")
def test_first_administrator_names_the_home(hub_factory, tmp_path):
    """As the Welcome page does."""
    folder = tmp_path / "new home"
    folder.mkdir()
    hub = hub_factory(folder)
    first = {"name": "Ann", "username": "ann", "password": PASSWORD, "client_id": CLIENT}
    code = assert_json(hub.anonymous.post("/api/onboarding/users", json=first))["auth_code"]
    token = assert_json(token_request(hub, grant_type="authorization_code", code=code))["access_token"]
    with WebSocketClient(hub, token) as admin:
        assert admin.result("config/core/update", location_name="Villa", time_zone="Europe/Berlin") is None
        assert admin.result("get_config")["location_name"] == "Villa"
