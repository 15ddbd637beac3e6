# SPDX-License-Identifier: Apache-2.0
"""Automations, scripts and scenes are read and written as their own texts, with comments; If-Match keeps what others wrote."""

import pytest

from checks import state_of
from websocket_client import WebSocketClient

FILE = """# The home's automations.

- id: hall
  alias: Hall   # by the door
  # When it is dark.
  trigger:
    - platform: state
      entity_id: sensor.own
      to: !secret code
  action: []

# The second one.
-   id: kept
    alias: "Kept"
    trigger: []
    action: []
"""
HALL = """id: hall
alias: Hall   # by the door
# When it is dark.
trigger:
  - platform: state
    entity_id: sensor.own
    to: !secret code
action: []
"""
YAML = {"Content-Type": "application/yaml"}


@pytest.fixture
def home(hub_factory):
    folder = hub_factory.folder()
    (folder / "automations.yaml").write_text(FILE)
    (folder / "secrets.yaml").write_text("code: hunter2\n")
    (folder / "scripts.yaml").write_text("say: # loudly\n  # says it\n  sequence: []\nflow: {sequence: []}\n")
    return hub_factory(folder)


def url(item, kind="automation"):
    return f"/api/config/{kind}/config/{item}"


def read(home, item, kind="automation"):
    return home.admin.get(url(item, kind), headers={"Accept": "application/yaml"})


def write(home, item, text, kind="automation", **headers):
    return home.admin.post(url(item, kind), content=text.encode(), headers=YAML | {"If-Match": headers["tag"]} if headers else YAML)


def text_of(home, name="automations.yaml"):
    return (home.folder / name).read_text()


@pytest.mark.contract("Automations: texts of items")
def test_an_item_is_read_as_its_own_text(home):
    answer = read(home, "hall")
    assert answer.text == HALL and answer.headers["Content-Type"].startswith("application/yaml")
    assert read(home, "kept").text == 'id: kept\nalias: "Kept"\ntrigger: []\naction: []\n'
    assert read(home, "say", "script").text == "# says it\nsequence: []\n"
    assert read(home, "none").status_code == 404
    assert read(home, "flow", "script").status_code == 400  # no lines of its own
    either = {"Accept": "application/yaml, application/json;q=0.5"}
    assert home.admin.get(url("flow", "script"), headers=either).json() == {"sequence": []}
    assert home.admin.get(url("hall"), headers=either).text == HALL
    assert home.ann.get(url("hall"), headers={"Accept": "application/yaml"}).status_code == 403
    assert home.admin.get(url("hall")).json()["alias"] == "Hall"


@pytest.mark.contract("Automations: texts of items")
def test_a_text_takes_the_items_place_and_all_else_stays(home):
    assert write(home, "hall", HALL).json() == {"result": "ok"}
    assert text_of(home) == FILE
    changed = HALL.replace("Hall ", "Hallway ").replace("action: []", "action:\n  # why\n  - event: went # there")
    assert write(home, "hall", changed).status_code == 200
    assert text_of(home) == FILE.replace("Hall ", "Hallway ").replace("  action: []\n\n#", "  action:\n    # why\n    - event: went # there\n\n#", 1)
    assert read(home, "hall").text == changed
    assert state_of(home, "automation.hall")["attributes"]["friendly_name"] == "Hallway"
    assert write(home, "say", "# quietly\nsequence: []", "script").status_code == 200
    assert text_of(home, "scripts.yaml") == "say: # loudly\n  # quietly\n  sequence: []\nflow: {sequence: []}\n"


@pytest.mark.contract("Automations: texts of items")
def test_a_new_item_is_added_with_its_comments(home):
    assert write(home, "fresh", "alias: Fresh # new\ntriggers: []\nactions: []\n").status_code == 200
    assert text_of(home).endswith("- id: fresh\n  alias: Fresh # new\n  triggers: []\n  actions: []\n")
    assert state_of(home, "automation.fresh")["state"] == "on"
    assert write(home, "hush", "sequence: [] # nothing\n", "script").status_code == 200
    assert text_of(home, "scripts.yaml").endswith("hush:\n  sequence: [] # nothing\n")
    assert write(home, "dusk", "name: Dusk\nentities: {light.own: on} # dark\n", "scene").status_code == 200
    assert read(home, "dusk", "scene").text == "id: dusk\nname: Dusk\nentities: {light.own: on} # dark\n"


@pytest.mark.parametrize(
    "text, error",
    [
        ("alias: [\n", "item.yaml:1:9: not valid YAML"),
        ("id: hall\nalias: A\n\ttrigger: []\n", "item.yaml:3:"),
        ("- id: hall\n", "item.yaml:1:1: expected keys and their values"),
        ("", "item.yaml:1:1: expected keys and their values"),
        ("id: other\n", "item.yaml:1:5: id: expected hall"),
        ("# first\nid: hall\ntriggers: []\nactions:\n  - evnt: a\n", "item.yaml:5: "),
        ("triggers: []\nactions: []\nodd: 1\n", "item.yaml:3: "),
        ("alias: A\n---\nalias: B\n", "item.yaml:2:"),
        ("alias: !nothing x\ntriggers: []\nactions: []\n", "item.yaml:1: "),
        ("a: " + "[" * 100, "item.yaml:"),
        ("alias: &a [*a]\n", ""),
    ],
)
@pytest.mark.contract("Automations: texts of items")
def test_what_is_wrong_is_said_with_its_line_and_nothing_changes(home, text, error):
    answer = write(home, "hall", text)
    assert answer.status_code == 400 and error in answer.json()["message"], answer.text
    assert text_of(home) == FILE


@pytest.mark.contract("Automations: texts of items")
def test_errors_of_scripts_have_their_lines(home):
    answer = write(home, "say", "# one\nalias: A\nsequence:\n  - evnt: a\n", "script")
    assert answer.status_code == 400 and answer.json()["message"].startswith("item.yaml:4: "), answer.text
    answer = write(home, "hush", "alias: A\nodd: 1\nsequence: []\n", "script")
    assert answer.json()["message"].startswith("item.yaml:2: "), answer.text
    assert write(home, "Not a slug", "sequence: []\n", "script").status_code == 400


@pytest.mark.contract("Automations: texts of items")
def test_a_text_that_would_leave_its_item_is_refused(home):
    for text in ("alias: A\n- id: more\n", "alias: >\n  a\n? b\n", "'\n- id: more\n  alias: '\n"):
        assert write(home, "hall", text).status_code == 400, text
    assert text_of(home) == FILE


@pytest.mark.contract("Automations: texts of items")
def test_if_match_keeps_what_others_wrote(home):
    tag = read(home, "hall").headers["ETag"]
    assert home.admin.get(url("hall")).headers["ETag"] == tag
    (home.folder / "automations.yaml").write_text(FILE.replace("When it is dark", "By hand"))
    answer = write(home, "hall", HALL, tag=tag)
    assert answer.status_code == 412 and answer.json() == {"message": "It was changed meanwhile; read it again."}
    refused = home.admin.post(url("hall"), json={"alias": "Mine", "triggers": [], "actions": []}, headers={"If-Match": tag})
    assert refused.status_code == 412 and "By hand" in text_of(home)
    assert write(home, "hall", HALL, tag=read(home, "hall").headers["ETag"]).status_code == 200
    assert text_of(home) == FILE
    assert write(home, "hall", HALL, tag=f'"old", {tag}').status_code == 200
    assert write(home, "none", "triggers: []\nactions: []\n", tag=tag).status_code == 412
    flow = home.admin.get(url("flow", "script")).headers["ETag"]
    assert home.admin.post(url("flow", "script"), json={"sequence": [{"event": "a"}]}, headers={"If-Match": flow}).status_code == 200
    assert home.admin.post(url("flow", "script"), json={"sequence": []}, headers={"If-Match": flow}).status_code == 412


@pytest.mark.contract("Automations: texts of items")
def test_each_change_of_an_item_is_an_event_for_administrators(home):
    with WebSocketClient(home, home.tokens["admin"]) as client, WebSocketClient(home, home.tokens["ann"]) as other:
        assert other.error("subscribe_events", event_type="config_item_updated")[0] == "unauthorized"
        user_id = client.result("auth/current_user")["id"]
        client.result("subscribe_events", event_type="config_item_updated")
        subscription = client.last_id

        def is_told(domain, item_id):
            event = client.event(subscription)
            assert event["data"] == {"domain": domain, "item_id": item_id}
            assert event["context"]["user_id"] == user_id

        assert write(home, "hall", HALL.replace("by the door", "by hand")).status_code == 200
        is_told("automation", "hall")
        assert home.admin.post(url("say", "script"), json={"sequence": [{"event": "a"}]}).status_code == 200
        is_told("script", "say")
        assert write(home, "hall", "odd: 1\n").status_code == 400  # no event: the next one is of the scene
        assert home.admin.post(url("night", "scene"), json={"name": "Night", "entities": {}}).status_code == 200
        is_told("scene", "night")
        revision = client.result("config/revisions/list", domain="automation", item_id="hall")["revisions"][0]["revision"]
        client.result("config/revisions/restore", domain="automation", item_id="hall", revision=revision)
        is_told("automation", "hall")
        assert home.admin.delete(url("night", "scene")).status_code == 200
        is_told("scene", "night")
