# SPDX-License-Identifier: Apache-2.0
"""configuration.yaml while the hub runs: check_config, reload_core_config, reload_all; and save_persistent_states."""

import signal

import pytest

from checks import assert_json, assert_message, call, set_state
from hub_process import base_settings, write_settings

CHECK = "/api/config/core/check_config"


def configuration(hub):
    return hub.folder / "configuration.yaml"


def config(hub):
    return assert_json(hub.admin.get("/api/config"))


def rewrite(hub, **sections):
    write_settings(hub.folder, base_settings() | sections)


@pytest.fixture
def own(hub_factory):
    """A hub whose configuration.yaml a test may edit."""
    return hub_factory()


@pytest.mark.contract("Beyond the specification: check_config")
def test_file_is_checked_as_it_is_now(own):
    assert assert_json(own.admin.post(CHECK)) == {"result": "valid", "errors": None, "warnings": None}
    text = configuration(own).read_text()
    configuration(own).write_text(text + "\nnonsense: 1\n")
    checked = assert_json(own.admin.post(CHECK))
    assert checked["result"] == "valid" and checked["errors"] is None
    assert "configuration.yaml:" in checked["warnings"] and "nonsense: unknown key" in checked["warnings"]
    configuration(own).write_text(text + "\nlog: {level: nonsense}\n")
    checked = assert_json(own.admin.post(CHECK))
    assert checked["result"] == "invalid" and checked["warnings"] is None
    assert "configuration.yaml:" in checked["errors"] and "nonsense" in checked["errors"]
    configuration(own).write_text("home: [\n")
    assert assert_json(own.admin.post(CHECK))["result"] == "invalid"
    configuration(own).unlink()
    assert assert_json(own.admin.post(CHECK))["result"] == "invalid"
    configuration(own).write_text(text)
    assert assert_json(own.admin.post(CHECK, json={"x": 1}))["result"] == "valid"


@pytest.mark.contract("Beyond the specification: check_config")
def test_check_is_for_administrators(own):
    assert_message(own.anonymous.post(CHECK), 401)
    assert_message(own.ann.post(CHECK), 403)
    assert_message(own.display.post(CHECK), 403)
    assert_message(own.admin.get(CHECK), 405)


@pytest.mark.contract("Services: platform.turn_on and the like")
@pytest.mark.parametrize("service", ["homeassistant.reload_core_config", "platform.reload_core_config",
                                     "platform.reload_all", "homeassistant.reload_all"])
def test_home_is_read_anew(own, service):
    rewrite(own, home={"name": "Cabin", "latitude": 47.25, "unit_system": "us_customary"})
    assert config(own)["location_name"] != "Cabin"
    with own.stream("?restrict=core_config_updated") as stream:
        assert call(own, service, {}, user="admin") == []
        event = stream.next_event().event
    assert event["data"]["location_name"] == "Cabin" and event["data"]["latitude"] == 47.25
    now = config(own)
    assert (now["location_name"], now["latitude"], now["unit_system"]["length"]) == ("Cabin", 47.25, "mi")
    assert event["context"]["user_id"]


@pytest.mark.contract("Services: platform.turn_on and the like")
def test_wrong_file_changes_nothing(own):
    before = config(own)
    rewrite(own, home={"name": "Cabin", "latitude": 91})
    for name in ("reload_core_config", "reload_all"):
        assert "latitude" in call(own, f"homeassistant.{name}", {}, user="admin", status=400)
    assert config(own) == before


@pytest.mark.contract("Services: platform.turn_on and the like")
def test_reload_all_sets_the_level_of_the_log(own):
    write = "/api/services/system_log/write"
    own.admin.post(write, json={"message": "quiet one", "level": "debug"})
    rewrite(own, log={"level": "debug"})
    call(own, "homeassistant.reload_core_config", {}, user="admin")
    own.admin.post(write, json={"message": "still quiet", "level": "debug"})
    call(own, "homeassistant.reload_all", {}, user="admin")
    own.admin.post(write, json={"message": "loud one", "level": "debug"})
    own.logged("system_log.external: loud one")
    assert not any("quiet" in line for line in own.log)


@pytest.mark.contract("Services: right missing")
@pytest.mark.parametrize("name", ["reload_core_config", "reload_all", "save_persistent_states"])
@pytest.mark.parametrize("domain", ["platform", "homeassistant"])
def test_reloading_is_for_administrators(hub, domain, name):
    for user in ("ann", "display"):
        call(hub, f"{domain}.{name}", {}, user=user, status=403)


@pytest.mark.contract("States: after a restart")
def test_saved_states_survive_a_power_failure(hub_factory):
    """Within the minute until the next commit only what save_persistent_states wrote survives."""
    folder = hub_factory.folder(recorder={"commit_interval": "60s"})
    hub = hub_factory.start_to_kill(folder)
    set_state(hub, "test.saved", "yes")
    assert call(hub, "homeassistant.save_persistent_states", {}, user="admin") == []
    set_state(hub, "test.lost", "yes")
    hub.send_signal(signal.SIGKILL)
    hub.wait_ended()
    again = hub_factory(folder=folder)
    assert again.admin.get("/api/states/test.saved").json()["state"] == "yes"
    assert again.admin.get("/api/states/test.lost").status_code == 404
