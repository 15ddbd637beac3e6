# SPDX-License-Identifier: Apache-2.0
"""Configurations of others start and run, and a mistake of the own one does not keep the home dark."""

import os
import re
import stat

import pytest

from checks import assert_json, state_of
from foreign_homes import HOMES, on_go
from hub_process import REPOSITORY, Hub, command, free_port, wait_until
from websocket_client import WebSocketClient


def write_files(folder, files):
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def answers(hub, count):
    """Who answers the event `go`: the names of the first so many."""
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="done")
        subscription = client.last_id
        assert_json(hub.admin.post("/api/events/go", json={}))
        return {client.event(subscription)["data"]["by"] for _ in range(count)}


@pytest.fixture
def home(hub_factory):
    """A folder with users; its hubs have no demo home."""
    folder = hub_factory.folder()
    (folder / "configuration.yaml").unlink()
    return folder


def stop(hub_factory, hub):
    hub.stop()
    hub_factory.hubs.remove(hub)


@pytest.mark.contract("Configuration: homes of others")
@pytest.mark.parametrize("name", HOMES)
def test_a_home_of_another_hub_starts_and_its_automations_run(hub_factory, home, name):
    files, names, states = HOMES[name]
    write_files(home, files)
    checked = command(home, "check")
    assert checked.returncode in (0, 1)
    hub = hub_factory(home)
    assert answers(hub, len(names)) == names
    for entity_id, value in states.items():
        assert state_of(hub, entity_id)["state"] == value


@pytest.mark.contract("Configuration: homes of others")
@pytest.mark.parametrize("name", ["large packages", "themes", "custom components", "recorder and logger", "blueprints"])
def test_words_of_another_hub_are_no_errors(home, name):
    write_files(home, HOMES[name][0])
    checked = command(home, "check")
    assert checked.returncode == 0, checked.stderr
    assert command(home, "check", "--strict").returncode == (0 if name == "blueprints" else 1)


@pytest.mark.contract("Configuration: known sections")
def test_translated_words_count(hub_factory, home):
    write_files(home, HOMES["large packages"][0])
    config = assert_json(hub_factory(home).admin.get("/api/config"))
    assert (config["location_name"], config["elevation"], config["latitude"]) == ("Large", 44, 40.5)
    assert config["unit_system"]["length"] == "mi"


@pytest.mark.contract("Configuration: customize")
def test_customize_gives_entities_attributes(hub_factory, home):
    write_files(home, HOMES["split folders"][0])
    hub = hub_factory(home)
    attributes = state_of(hub, "input_boolean.guests")["attributes"]
    assert attributes["friendly_name"] == "Guests are here" and attributes["icon"] == "mdi:home"
    assert (attributes["own"], attributes["initial"]) == ("glob", False)
    (home / "customize.yaml").write_text("input_boolean.guests: {own: entity, hidden: true, device_class: door}\n")
    assert_json(hub.admin.post("/api/services/homeassistant/reload_core_config", json={}))
    attributes = wait_until(lambda: (found := state_of(hub, "input_boolean.guests")["attributes"]).get("hidden") and found)
    assert (attributes["friendly_name"], attributes["own"], attributes["device_class"]) == ("Guests", "entity", "door")


@pytest.mark.contract("Configuration: known sections")
def test_the_table_of_known_words_is_in_the_manual():
    source = (REPOSITORY / "src/app/sections/foreign_words.cpp").read_text(encoding="utf-8")
    texts = dict(re.findall(r'constexpr std::string_view (k\w+) =\s*"([^"]*)"', source))
    rows = re.findall(r'\{"([\w.]+)",\s*(\w+),\s*(k\w+|(?:"[^"]*"\s*)+)\}', source[source.index("kForeignWords[] = {"):])
    table = []
    for name, kind, text in rows:
        meaning = texts.get(text) or "".join(re.findall(r'"([^"]*)"', text))
        table.append(f"| `{name}` | {kind.replace('_', ' ')} | {meaning} |")
    assert len(table) > 100
    manual = (REPOSITORY / "docs/configuration.md").read_text(encoding="utf-8").splitlines()
    first = manual.index(table[0])
    assert manual[first:first + len(table)] == table
    assert not manual[first + len(table)].startswith("|")


GOOD = "home: {name: Good, latitude: 52.5}\ndemo: {seed: 7, speed: 0}\nautomation: !include automations.yaml\n"


@pytest.mark.contract("Configuration: wrong values")
def test_a_wrong_value_makes_the_last_good_section_count(hub_factory, home):
    write_files(home, {"configuration.yaml": GOOD, "automations.yaml": on_go("a")})
    stop(hub_factory, hub_factory(home))
    bad = GOOD.replace("52.5", "north").replace("Good", "Bad")
    write_files(home, {"configuration.yaml": bad})
    assert command(home, "check").returncode == 1
    for _ in range(2):  # a start with a mistake does not become the good one
        hub = hub_factory(home)
        config = assert_json(hub.admin.get("/api/config"))
        assert (config["location_name"], config["latitude"]) == ("Good", 52.5)
        assert answers(hub, 1) == {"a"}
        assert any("home.latitude" in line and "last good start" in line for line in hub.log)
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            wait_until(lambda: [issue for issue in client.result("repairs/list_issues")["issues"]
                                if issue["translation_key"] == "configuration_kept"], 15)
        stop(hub_factory, hub)


@pytest.mark.contract("Configuration: wrong values")
def test_without_a_good_start_a_wrong_value_has_its_default(hub_factory, home):
    write_files(home, {"configuration.yaml": "home: {name: First, latitude: north}\ndemo: {speed: -1}\n"})
    hub = hub_factory(home)
    config = assert_json(hub.admin.get("/api/config"))
    assert (config["location_name"], config["latitude"]) == ("First", 0)
    assert "demo" in config["components"]


@pytest.mark.contract("Configuration: no YAML")
@pytest.mark.parametrize("broken", ["home: [\n", "- a list\n", "\x00", "home:\n\tname: x\n", "text"])
def test_a_configuration_that_is_no_yaml_counts_as_it_was(hub_factory, home, broken):
    write_files(home, {"configuration.yaml": GOOD, "automations.yaml": on_go("a")})
    stop(hub_factory, hub_factory(home))
    write_files(home, {"configuration.yaml": broken})
    assert command(home, "check").returncode == 1
    hub = hub_factory(home)
    assert assert_json(hub.admin.get("/api/config"))["location_name"] == "Good"
    assert answers(hub, 1) == {"a"}
    assert any("configuration.yaml" in line and "last good start" in line for line in hub.log)


@pytest.mark.contract("Configuration: no YAML")
def test_what_was_changed_since_the_start_is_not_lost_with_its_file(hub_factory, home):
    write_files(home, {"configuration.yaml": GOOD, "automations.yaml": on_go("a")})
    hub = hub_factory(home)
    item = {"alias": "b", "triggers": [{"trigger": "event", "event_type": "go"}],
            "actions": [{"event": "done", "event_data": {"by": "b"}}]}
    assert_json(hub.admin.post("/api/config/automation/config/b", json=item))
    wait_until(lambda: (home / ".last_good/later/automations.yaml").exists(), 20)
    stop(hub_factory, hub)
    write_files(home, {"automations.yaml": "- [\n"})
    assert answers(hub_factory(home), 2) == {"a", "b"}


@pytest.mark.contract("Configuration: starts that fail")
def test_the_fourth_start_takes_the_last_good_configuration_whole(hub_factory, home):
    write_files(home, {"configuration.yaml": GOOD, "automations.yaml": on_go("a")})
    stop(hub_factory, hub_factory(home))
    write_files(home, {"configuration.yaml": GOOD.replace("Good", "Bad") + "http: {server_host: nowhere}\n",
                       "automations.yaml": on_go("b")})
    for _ in range(3):
        failed = Hub(home, port=free_port())
        assert failed.wait_ended(10) == 1
    hub = hub_factory(home)
    assert assert_json(hub.admin.get("/api/config"))["location_name"] == "Good"
    assert answers(hub, 1) == {"a"}
    assert any("have failed" in line for line in hub.log)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        wait_until(lambda: {"configuration_last_good", "configuration_unreadable"} <= {
            issue["translation_key"] for issue in client.result("repairs/list_issues")["issues"]}, 15)
    stop(hub_factory, hub)
    # The home's own files are as they were, and count again once they are mended.
    write_files(home, {"configuration.yaml": GOOD})
    assert answers(hub_factory(home), 1) == {"b"}


@pytest.mark.contract("Configuration: files of the hub's own")
def test_only_the_owner_reads_what_the_hub_keeps(hub_factory, home):
    write_files(home, {"configuration.yaml": GOOD, "automations.yaml": on_go("a"), "secrets.yaml": "a: b\n"})
    former = os.umask(0)
    try:
        hub = hub_factory(home)
    finally:
        os.umask(former)
    for alias in ("one", "two", "three"):
        assert_json(hub.admin.post("/api/config/automation/config/b", json={"alias": alias, "triggers": [], "actions": []}))
    for folder in (home / ".last_good", home / ".revisions"):
        found = [folder, *folder.rglob("*")]
        assert len(found) > 3
        for each in found:
            assert stat.S_IMODE(each.stat().st_mode) == (0o700 if each.is_dir() else 0o600), each


@pytest.mark.contract("Configuration: no YAML")
@pytest.mark.parametrize("tag", ["!include_dir_list", "!include_dir_merge_list"])
def test_a_link_out_of_the_folder_is_not_read(home, tmp_path, tag):
    outside = tmp_path / "outside.yaml"
    outside.write_text(on_go("outside"))
    write_files(home, {"configuration.yaml": f"automation: {tag} d\n", "d/a.yaml": on_go("inside")})
    (home / "d/l.yaml").symlink_to(outside)
    checked = command(home, "check")
    assert checked.returncode == 1 and "l.yaml is outside of the configuration folder" in checked.stderr


@pytest.mark.contract("Configuration: no YAML")
@pytest.mark.parametrize("tag", ["!include_dir_named", "!include_dir_merge_named"])
def test_a_link_out_of_the_folder_is_not_read_as_a_map(home, tmp_path, tag):
    outside = tmp_path / "outside.yaml"
    outside.write_text("s: {sequence: []}\n")
    write_files(home, {"configuration.yaml": f"script: {tag} d\n", "d/a.yaml": "t: {sequence: []}\n"})
    (home / "d/l.yaml").symlink_to(outside)
    checked = command(home, "check")
    assert checked.returncode == 1 and "l.yaml is outside of the configuration folder" in checked.stderr
