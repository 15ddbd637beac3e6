# SPDX-License-Identifier: Apache-2.0
"""Automations and scripts are read, written and removed by REST; their files keep every byte that did not have to change."""

import pytest

from checks import call, set_state, state_of
from hub_process import wait_until

FILE = """# The home's automations.

- id: '1'
  alias: Hall   # a comment
  trigger:
    - platform: state
      entity_id: sensor.own
      to: on
  action:
    - service: script.say
      data: {code: !secret code}

# The second one.
- id: kept
  alias: "Kept"
  trigger: []
  action: []
"""


@pytest.fixture
def home(hub_factory):
    folder = hub_factory.folder()
    (folder / "automations.yaml").write_text(FILE)
    (folder / "secrets.yaml").write_text("code: hunter2\n")
    (folder / "scripts.yaml").write_text("say:\n  # says it\n  sequence: []\n")
    return hub_factory(folder)


def url(item, kind="automation"):
    return f"/api/config/{kind}/config/{item}"


def text_of(home, name="automations.yaml"):
    return (home.folder / name).read_text()


@pytest.mark.contract("Automations: REST")
def test_files_of_their_names_count_without_an_include(home):
    assert state_of(home, "automation.hall")["state"] == "on" and state_of(home, "script.say")["state"] == "off"
    item = home.admin.get(url("1")).json()
    assert item == {"id": "1", "alias": "Hall", "triggers": [{"trigger": "state", "entity_id": "sensor.own", "to": True}],
                    "actions": [{"action": "script.say", "data": {"code": "********"}}]}
    assert home.admin.get(url("say", "script")).json() == {"sequence": []}
    assert home.admin.get(url("none")).status_code == 404
    assert home.ann.get(url("1")).status_code == 403 and home.ann.post(url("1"), json={}).status_code == 403


@pytest.mark.contract("Automations: REST")
def test_a_change_is_in_force_when_it_is_answered_and_keeps_the_rest(home):
    item = home.admin.get(url("1")).json() | {"alias": "Hallway", "mode": "restart"}
    answer = home.admin.post(url("1"), json=item)
    assert (answer.status_code, answer.json()) == (200, {"result": "ok"})
    assert text_of(home) == FILE.replace("alias: Hall   # a comment", "alias: Hallway").replace(
        "      data: {code: !secret code}\n", "      data: {code: !secret code}\n  mode: restart\n")
    assert state_of(home, "automation.hall")["attributes"]["mode"] == "restart"
    assert (home.folder / ".revisions/automations.yaml/00000001.yaml").read_text() == FILE
    made = {"alias": "New", "triggers": [{"trigger": "event", "event_type": "go"}], "actions": [{"event": "went"}]}
    assert home.admin.post(url("new"), json=made).status_code == 200
    assert state_of(home, "automation.new")["state"] == "on"
    assert text_of(home).endswith("  action: []\n- id: new\n  alias: New\n  triggers:\n    - trigger: event\n"
                                  "      event_type: go\n  actions:\n    - event: went\n")
    assert home.admin.get(url("new")).json() == {"id": "new"} | made


@pytest.mark.contract("Automations: REST")
def test_a_link_stays_one_and_a_file_keeps_its_mode(home):
    file, link = home.folder / "real.yaml", home.folder / "automations.yaml"
    link.rename(file)
    link.symlink_to("real.yaml")
    file.chmod(0o640)
    item = home.admin.get(url("kept")).json()
    assert home.admin.post(url("kept"), json=item | {"mode": "restart"}).status_code == 200
    assert link.is_symlink() and "mode: restart" in file.read_text() and file.stat().st_mode & 0o777 == 0o640
    assert not list(home.folder.glob("*.tmp"))


@pytest.mark.contract("Automations: REST")
def test_scripts_are_made_changed_and_removed(home):
    script = {"alias": "Say it", "sequence": [{"action": "light.turn_on", "data": {"brightness_pct": "{{ 5 }}"}}]}
    assert home.admin.post(url("say", "script"), json=script).status_code == 200
    assert text_of(home, "scripts.yaml").startswith("say:\n  # says it\n  sequence:\n    - action: light.turn_on\n")
    wait_until(lambda: state_of(home, "script.say")["attributes"]["friendly_name"] == "Say it")
    assert home.admin.post(url("other", "script"), json={"sequence": []}).status_code == 200
    assert home.admin.delete(url("say", "script")).json() == {"result": "ok"}
    assert home.admin.get("/api/states/script.say").status_code == 404
    assert text_of(home, "scripts.yaml") == "other:\n  sequence: []\n"


@pytest.mark.contract("Automations: REST")
def test_scenes_are_made_changed_and_removed(home):
    scene = {"name": "Night off", "entities": {"light.kitchen": "off"}}
    assert home.admin.post(url("7", "scene"), json=scene).status_code == 200
    assert text_of(home, "scenes.yaml") == '- id: "7"\n  name: Night off\n  entities:\n    light.kitchen: "off"\n'
    assert state_of(home, "scene.night_off")["state"] == "unknown"
    assert home.admin.get(url("7", "scene")).json() == {"id": "7"} | scene
    call(home, "light.turn_on", {"entity_id": "light.kitchen"})
    call(home, "scene.turn_on", {"entity_id": "scene.night_off"})
    wait_until(lambda: state_of(home, "light.kitchen")["state"] == "off")
    assert home.admin.post(url("7", "scene"), json={"entities": 5}).status_code == 400
    assert home.admin.delete(url("7", "scene")).status_code == 200
    assert home.admin.get("/api/states/scene.night_off").status_code == 404


@pytest.mark.contract("Automations: REST")
def test_a_removed_one_leaves_with_its_entity(home):
    assert home.admin.delete(url("1")).status_code == 200
    assert "Hall" not in text_of(home) and text_of(home).endswith('  alias: "Kept"\n  trigger: []\n  action: []\n')
    assert home.admin.get("/api/states/automation.hall").status_code == 404
    assert home.admin.delete(url("1")).status_code == 404


@pytest.mark.contract("Automations: REST")
@pytest.mark.parametrize("item, body, expected", [
    ("1", {"alias": "Hall"}, "triggers is missing"),
    ("1", {"triggers": [{"trigger": "stat"}], "actions": []}, "did you mean state"),
    ("1", {"triggers": [{"platfrom": "state"}], "actions": []}, "triggers[0].platfrom: unknown key, did you mean platform?"),
    ("1", {"triggers": [], "actions": [{"action": "script.say", "data": {"password": "********"}}]}, "stands for a secret"),
    ("1", {"id": "kept", "triggers": [], "actions": []}, "id: expected 1, as in the path"),
    ("1", [], "Expected a JSON object"),
])
def test_what_is_wrong_is_said_and_changes_nothing(home, item, body, expected):
    answer = home.admin.post(url(item), json=body)
    assert answer.status_code == 400 and expected in answer.json()["message"], answer.text
    assert not answer.json()["message"].startswith(".")
    assert text_of(home) == FILE and not (home.folder / ".revisions").exists()


@pytest.mark.contract("Automations: REST")
def test_new_ones_stand_in_their_own_file_beside_those_of_the_configuration(hub_factory):
    hub = hub_factory(automation=[{"id": "1", "alias": "One", "triggers": [], "actions": []}])
    settings = (hub.folder / "configuration.yaml").read_text()
    assert hub.admin.post(url("2"), json={"alias": "Two", "triggers": [], "actions": []}).status_code == 200
    assert "alias: Two" in text_of(hub) and (hub.folder / "configuration.yaml").read_text() == settings
    assert state_of(hub, "automation.two")["state"] == "on"
    set_state(hub, "sensor.own", "1")
    wait_until(lambda: state_of(hub, "automation.one")["state"] == "on")


def long_script(steps, name="Long"):
    return {"alias": name, "sequence": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}, "data": {"brightness_pct": 1 + number % 100}}
                                        for number in range(steps)]}


@pytest.mark.contract("Automations: REST")
def test_the_longest_item_is_there_after_it_was_written(home):
    assert home.admin.post(url("long", "script"), json=long_script(10_000)).json() == {"result": "ok"}
    assert state_of(home, "script.long")["attributes"]["friendly_name"] == "Long"
    assert len(home.admin.get(url("long", "script")).json()["sequence"]) == 10_000


@pytest.mark.contract("Automations: REST")
def test_a_file_that_could_not_be_read_back_is_not_written(home):
    assert home.admin.post(url("one", "script"), json=long_script(10_000)).status_code == 200
    before = text_of(home, "scripts.yaml")
    answer = home.admin.post(url("two", "script"), json=long_script(10_000))
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("scripts.yaml: two cannot be changed so: the new text:")
    assert text_of(home, "scripts.yaml") == before
    assert [state_of(home, f"script.{name}")["state"] for name in ("one", "say")] == ["off", "off"]
    assert home.admin.get("/api/states/script.two").status_code == 404
