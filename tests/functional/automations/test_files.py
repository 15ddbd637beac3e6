# SPDX-License-Identifier: Apache-2.0
"""The files of automations and scripts: every form in which they may be written, and every error in them."""

import re
import shutil
import subprocess

import pytest

from checks import call, set_state, state_of
from hub_process import command, wait_until
from websocket_client import WebSocketClient


def on_event(name, event, text="x"):
    return f"""\
- alias: {name}
  triggers: {{trigger: event, event_type: {event}}}
  actions: [{{event: done, event_data: {{by: {name}, text: "{text}"}}}}]
"""


class Home:
    """A configuration folder that a test writes, and its hub."""

    def __init__(self, hub_factory):
        self.hub_factory = hub_factory
        self.folder = hub_factory.folder()

    def write(self, text, **files):
        """Appends to configuration.yaml, and writes files: `packages__a` is packages/a.yaml."""
        path = self.folder / "configuration.yaml"
        path.write_text(path.read_text() + text)
        for name, content in files.items():
            file = self.folder / (name.replace("__", "/") + ".yaml")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        return self

    def check(self):
        done = command(self.folder, "check")
        return done.returncode, done.stdout + done.stderr

    def start(self):
        return self.hub_factory(self.folder)


@pytest.fixture
def home(hub_factory):
    return Home(hub_factory)


def done_by(hub, event):
    """Who says so after the event."""
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="done")
        subscription = client.last_id
        client.result("fire_event", event_type=event)
        return client.event(subscription)["data"]


@pytest.mark.contract("Automations: includes")
def test_automations_come_from_every_form_of_include(home):
    home.write("automation: !include all.yaml\n"
               "automation list: !include_dir_list one\n"
               "automation merged: !include_dir_merge_list many\n"
               "script: !include_dir_named scripts\n"
               "script more: !include_dir_merge_named merged\n",
               all=on_event("plain", "e1"), one__a=on_event("listed", "e2")[2:].replace("\n  ", "\n"),
               many__sub__b=on_event("merged", "e3"), many__c=on_event("other", "e4"), **{"many__.hidden": "nonsense: ["},
               scripts__hello="sequence: [{event: done, event_data: {by: hello}}]\n",
               merged__x="bye: {sequence: []}\nsoon: {sequence: []}\n")
    assert home.check()[0] == 0, home.check()[1]
    hub = home.start()
    for event, name in {"e1": "plain", "e2": "listed", "e3": "merged", "e4": "other"}.items():
        assert done_by(hub, event)["by"] == name
    assert {f"script.{name}" for name in ("hello", "bye", "soon")} <= {
        state["entity_id"] for state in hub.admin.get("/api/states").json()}


@pytest.mark.contract("Automations: secrets and the environment")
def test_secrets_come_from_the_nearest_file_and_are_never_shown(home, monkeypatch):
    monkeypatch.setenv("HEARTH_TEST_WORD", "from outside")
    home.write("automation: !include_dir_merge_list rooms\n", secrets="word: top\nnumber: 7\n",
               rooms__a=on_event("a", "e1").replace('"x"', "!secret word"),
               rooms__deep__b=on_event("b", "e2").replace('"x"', "!secret word"),
               rooms__deep__secrets="word: deep\n",
               rooms__deep__c=on_event("c", "e3").replace('"x"', "!secret number"),
               rooms__d=on_event("d", "e4").replace('"x"', "!env_var HEARTH_TEST_WORD"),
               rooms__e=on_event("e", "e5").replace('"x"', "!env_var HEARTH_TEST_NONE by default"))
    hub = home.start()
    assert [done_by(hub, f"e{n}")["text"] for n in range(1, 6)] == ["top", "deep", 7, "from outside", "by default"]


@pytest.mark.contract("Automations: secrets and the environment")
def test_a_missing_secret_breaks_its_item_only_and_a_wrong_one_is_not_shown(home):
    home.write("automation: !include all.yaml\n", secrets="word: hushhush\n",
               all=on_event("a", "e1").replace('"x"', "!secret nothing") + on_event("b", "e2") +
               "- alias: c\n  triggers: []\n  actions: [{delay: !secret word}]\n")
    code, text = home.check()
    assert code != 0 and "all.yaml:3: actions[0].event_data.text: there is no secret nothing in secrets.yaml" in text
    assert "actions[0].delay: expected a duration" in text and "hushhush" not in text
    hub = home.start()
    assert state_of(hub, "automation.a")["state"] == state_of(hub, "automation.c")["state"] == "unavailable"
    assert done_by(hub, "e2")["by"] == "b"


@pytest.mark.contract("Automations: includes")
def test_files_outside_of_the_folder_are_refused(home):
    (home.folder.parent / "outside.yaml").write_text("[]\n")
    (home.folder / "link.yaml").symlink_to(home.folder.parent / "outside.yaml")
    home.write("automation a: !include ../outside.yaml\nautomation b: !include link.yaml\nautomation c: !include /etc/passwd\n"
               "automation d: !include loop.yaml\nautomation e: !include none.yaml\n", loop="!include loop.yaml\n")
    code, text = home.check()
    assert code != 0
    assert text.count("is outside of the configuration folder") == 3
    assert "files include each other more than 16 deep" in text
    assert "none.yaml: there is no such file" in text
    home.start()


OWN_LINKS = {
    "besides": "",
    "included": "automation: !include automations.yaml\nscript: !include scripts.yaml\nscene: !include scenes.yaml\n",
}


@pytest.mark.contract("Automations: includes")
@pytest.mark.parametrize("where", ["outside", "inside"])
@pytest.mark.parametrize("text", OWN_LINKS.values(), ids=OWN_LINKS)
def test_files_that_the_hub_looks_for_may_be_links(home, text, where):
    """To a checkout elsewhere, as their owner has made them; each counts once."""
    checkout = home.folder.parent / "checkout" if where == "outside" else home.folder / "checkout"
    (checkout / "templates").mkdir(parents=True)
    files = {"automations.yaml": "- id: a\n" + on_event("a", "e1", "!secret word").replace('"!secret word"', "!secret word")
             .replace("- alias", "  alias", 1),
             "scripts.yaml": "s: {sequence: []}\n", "scenes.yaml": "- {id: c, name: c, entities: {light.kitchen: 'on'}}\n",
             "secrets.yaml": "word: hushhush\n"}
    for name, content in files.items():
        (checkout / name).write_text(content)
        (home.folder / name).symlink_to(checkout / name)
    (checkout / "templates/x.jinja").write_text("{% macro five() %}5{% endmacro %}")
    (home.folder / "custom_templates").symlink_to(checkout / "templates")
    home.write(text)
    code, said = home.check()
    assert code == 0, said
    hub = home.start()
    assert done_by(hub, "e1")["text"] == "hushhush"
    states = {state["entity_id"] for state in hub.admin.get("/api/states").json()}
    assert {one for one in states if one.split(".")[0] in ("automation", "script", "scene")} >= {"automation.a", "script.s", "scene.c"}
    assert not [id for id in states if id.endswith("_2")]  # each counts once
    assert hub.admin.post("/api/template", json={"template": "{% from 'x.jinja' import five %}{{ five() }}"}).text == "5"
    item = hub.admin.get("/api/config/automation/config/a").json()
    changed = hub.admin.post("/api/config/automation/config/a", json=item | {"description": "through a link"})
    assert changed.status_code == 200, changed.text
    assert (home.folder / "automations.yaml").is_symlink()
    assert "through a link" in (checkout / "automations.yaml").read_text()
    file = home.folder.parent / "home.tar.zst"
    done = command(home.folder, "backup", str(file))
    assert done.returncode == 0, done.stderr
    listed = subprocess.run(["tar", "--zstd", "-xOf", file, "automations.yaml", "secrets.yaml"], capture_output=True, text=True)
    assert "through a link" in listed.stdout and "hushhush" in listed.stdout


@pytest.mark.contract("Automations: includes")
@pytest.mark.parametrize("named", ["d/automations.yaml", "other.yaml", "../outside.yaml", "d/../other.yaml"])
def test_links_of_other_names_lead_nowhere_outside(home, named):
    (home.folder.parent / "outside.yaml").write_text("[]\n")
    (home.folder / "d").mkdir()
    for link in ("d/automations.yaml", "other.yaml"):
        (home.folder / link).symlink_to(home.folder.parent / "outside.yaml")
    code, said = home.write(f"automation: !include {named}\n").check()
    assert code == 1 and "is outside of the configuration folder" in said


@pytest.mark.contract("Automations: includes")
def test_tags_work_in_other_sections(home):
    home.write("log: !include log.yaml\n", log="level: !secret level\n", secrets="level: info\n")
    assert home.check()[0] == 0
    home.write("", secrets="other: 1\n")
    code, text = home.check()
    assert code == 1 and "log.yaml:1: level: there is no secret level in secrets.yaml" in text
    home.write("", log="level: loud\n")
    assert "log.yaml:1: level: expected one of debug" in home.check()[1]


@pytest.mark.contract("Automations: packages")
def test_packages_add_up_and_scripts_are_there_once(home):
    home.write("homeassistant:\n  packages: !include_dir_named packages\nautomation:\n" + on_event("own", "e1"),
               packages__kitchen="automation:\n" + on_event("kitchen", "e2") + "script: {s: {sequence: []}}\n",
               packages__hall="automation hall:\n" + on_event("hall", "e3") + "script: {s: {sequence: []}, t: {sequence: []}}\nrocket: []\n")
    settings = home.folder / "configuration.yaml"
    text = settings.read_text()
    start = text.index("home:\n")
    settings.write_text(text[:start] + text[text.index("recorder:"):])
    code, text = home.check()
    assert code != 0
    assert "packages/kitchen.yaml:" in text and "the script s is there twice, also at packages/hall.yaml:" in text
    assert "packages/hall.yaml:" in text and "rocket is not supported" in text
    hub = home.start()
    for event, name in {"e1": "own", "e2": "kitchen", "e3": "hall"}.items():
        assert done_by(hub, event)["by"] == name
    assert state_of(hub, "script.t")["state"] == "off"


@pytest.mark.contract("Automations: booleans and times without quotes")
def test_unquoted_words_are_states_and_times_are_times(home):
    home.write("""\
automation:
  - alias: a
    triggers:
      - {trigger: state, entity_id: binary_sensor.own, from: off, to: on, for: 00:00:00}
      - {trigger: time, at: 10:00:00}
    actions: [{event: done, event_data: {by: a, on: on, n: 010, t: 10:00:00, q: "on"}}]
""")
    assert home.check()[0] == 0, home.check()[1]
    hub = home.start()
    set_state(hub, "binary_sensor.own", "off")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="done")
        subscription = client.last_id
        set_state(hub, "binary_sensor.own", "on")
        assert client.event(subscription)["data"] == {"by": "a", "on": True, "n": 8, "t": "10:00:00", "q": "on"}


@pytest.mark.contract("Automations: a key twice")
def test_the_last_of_two_keys_counts_with_a_warning(home):
    home.write("automation:\n- alias: a\n  alias: b\n  triggers: []\n  actions: []\n")
    code, text = home.check()
    assert code == 0 and "automation[0].alias: the key is there twice; this one counts, not the one in line" in text
    assert state_of(home.start(), "automation.b")["state"] == "on"


@pytest.mark.contract("Automations: a key twice")
def test_a_key_twice_is_named_in_files_that_nothing_includes(home):
    twice = "alias: a\n  alias: b\n  "
    home.write("", automations=f"- {twice}triggers: []\n  actions: []\n", scripts=f"s:\n  {twice}sequence: []\n",
               scenes="- name: a\n  name: b\n  entities: {}\n")
    code, text = home.check()
    assert code == 0, text
    for place in ("automations.yaml:2: [0].alias", "scripts.yaml:3: s.alias", "scenes.yaml:2: [0].name"):
        assert f"{place}: the key is there twice" in text


@pytest.mark.contract("Automations: errors")
def test_a_broken_item_is_unavailable_with_its_errors_and_a_repair(home):
    home.write("automation: !include automations.yaml\nscript: {bad: {sequence: [{delya: 1}]}}\ntemplate: [{sensor: []}]\n",
               automations=on_event("good", "e1") + "- alias: Bad one\n  triggers:\n    - platfrom: state\n  actions: [{action: light}]\n")
    code, text = home.check()
    wrong = "automations.yaml:6: triggers[0].platfrom: unknown key, did you mean platform? Known: trigger, platform"
    assert code != 0 and wrong in text and "automations.yaml:7: actions[0].action: expected a service" in text
    assert "configuration.yaml:" in text and "has no entities: expected sensor, binary_sensor and so on" in text
    hub = home.start()
    bad = state_of(hub, "automation.bad_one")
    assert bad["state"] == "unavailable" and wrong in bad["attributes"]["error"]
    assert bad["attributes"]["friendly_name"] == "Bad one"
    assert done_by(hub, "e1")["by"] == "good"
    assert "unknown step delya" in call(hub, "script.bad", status=400)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        found = wait_until(lambda: [issue for issue in client.result("repairs/list_issues")["issues"]
                                    if issue["domain"] == "automation"], 15)
    assert {issue["translation_key"] for issue in found} == {"automation_broken", "configuration_left_out"}
    assert any(wrong in issue["translation_placeholders"]["error"] for issue in found)


@pytest.mark.contract("Automations: errors")
def test_a_file_that_is_no_yaml_counts_as_it_was_or_not_at_all(home):
    home.write("automation: !include automations.yaml\nautomation own:\n" + on_event("own", "e2"), automations=on_event("a", "e1"))
    hub = home.start()
    assert state_of(hub, "automation.a")["state"] == "on"
    hub.stop()
    home.hub_factory.hubs.remove(hub)
    home.write("", automations="- alias: [\n")
    code, text = home.check()
    assert code != 0 and re.search(r"automations\.yaml:\d+:\d+: not valid YAML", text)
    # The copy of the last good start counts, and the log says so.
    hub = home.start()
    assert done_by(hub, "e1")["by"] == "a" and done_by(hub, "e2")["by"] == "own"
    assert any("automations.yaml" in line and "last good start" in line for line in hub.log)
    hub.stop()
    home.hub_factory.hubs.remove(hub)
    # Without a copy the hub starts without the file.
    shutil.rmtree(home.folder / ".last_good")
    hub = home.start()
    assert state_of(hub, "automation.a")["state"] == "unavailable"
    assert done_by(hub, "e2")["by"] == "own"


@pytest.mark.contract("Automations: reload")
def test_reload_takes_good_items_and_keeps_the_last_good_version_of_broken_ones(home):
    home.write("automation: !include automations.yaml\n", automations=on_event("a", "e1", "first") + on_event("b", "e2"))
    hub = home.start()
    home.write("", automations=on_event("a", "e1", "second") + "- alias: b\n  triggers: 5\n  actions: []\n" + on_event("c", "e3"))
    call(hub, "automation.reload", user="ann", status=403)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="automation_reloaded")
        subscription = client.last_id
        call(hub, "automation.reload")
        client.event(subscription)
    assert done_by(hub, "e1")["text"] == "second"
    assert done_by(hub, "e2")["by"] == "b" and done_by(hub, "e3")["by"] == "c"
    home.write("", automations=on_event("c", "e3", "third"))
    call(hub, "platform.reload_all")
    wait_until(lambda: hub.admin.get("/api/states/automation.a").status_code == 404)
    assert done_by(hub, "e3")["text"] == "third"
