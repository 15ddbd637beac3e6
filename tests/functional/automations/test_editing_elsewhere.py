# SPDX-License-Identifier: Apache-2.0
"""Items are changed where they stand: with anchors, in packages, in files of their own; or nothing is written."""

import pytest

from checks import state_of
from hub_process import wait_until
from item_files import change, start, text_of, url
from websocket_client import WebSocketClient

EMPTY = {"triggers": [], "actions": []}
PACKAGE = """input_boolean:
  lamp: {}

script:
  lamp:   # the lamp's
    sequence: []
  other: {sequence: []}

automation:
  - id: p1
    alias: In package
    triggers: []
    actions: []
"""


@pytest.mark.contract("Automations: REST")
def test_merged_keys_stay(hub_factory):
    text = ('- &base\n  id: "1"\n  alias: One\n  triggers: []\n  actions: []\n'
            '- <<: *base\n  id: "2"\n  alias: Two\n')
    hub = start(hub_factory, automations=text)
    assert change(hub, "2", mode="restart", alias="Zwei").status_code == 200
    text = text.replace("alias: Two\n", "alias: Zwei\n  mode: restart\n")
    assert text_of(hub, "automations.yaml") == text
    assert state_of(hub, "automation.two")["attributes"]["mode"] == "restart"
    # The other one has an alias of its own.
    assert change(hub, "1", alias="Eins").status_code == 200
    text = text.replace("alias: One", "alias: Eins")
    assert text_of(hub, "automations.yaml") == text
    for answer in (change(hub, "1", max=5, mode="queued"), hub.admin.delete(url("1")),
                   hub.admin.post(url("2"), json={"triggers": [], "actions": [], "alias": "Zwei", "variables": {"a": 1}, "x": 1})):
        assert answer.status_code == 400, answer.text
    answer = change(hub, "1", max=5, mode="queued")
    assert "would mean something else" in answer.json()["message"], answer.text
    assert "yaml-cpp" not in hub.admin.delete(url("1")).json()["message"]
    assert text_of(hub, "automations.yaml") == text


@pytest.mark.contract("Automations: REST")
def test_items_of_packages_change_in_the_package(hub_factory):
    hub = start(hub_factory, packages=True, pk__a=PACKAGE)
    assert change(hub, "lamp", "script", mode="restart").json() == {"result": "ok"}
    text = PACKAGE.replace("    sequence: []\n", "    sequence: []\n    mode: restart\n")
    assert text_of(hub, "pk/a.yaml") == text and state_of(hub, "script.lamp")["attributes"]["mode"] == "restart"
    assert change(hub, "other", "script", alias="Other").json() == {"result": "ok"}
    text = text.replace("{sequence: []}", "{sequence: [], alias: Other}")
    assert change(hub, "p1", mode="restart").json() == {"result": "ok"}
    text += "    mode: restart\n"
    assert text_of(hub, "pk/a.yaml") == text and state_of(hub, "input_boolean.lamp")["state"] == "off"
    assert hub.admin.delete(url("lamp", "script")).status_code == 200
    assert hub.admin.get("/api/states/script.lamp").status_code == 404
    assert hub.admin.delete(url("p1")).status_code == 200
    text = text.replace("  lamp:   # the lamp's\n    sequence: []\n    mode: restart\n", "")
    assert text_of(hub, "pk/a.yaml") == text[:text.index("  - id: p1")]


@pytest.mark.contract("Automations: REST")
def test_files_of_one_item_change(hub_factory):
    hub = start(hub_factory, "script: !include_dir_named sc\nautomation: !include_dir_list au\n",
                sc__q2="# q2\nalias: Q\nsequence: []\n", au__a="id: a\nalias: A  # the a\ntriggers: []\nactions: []\n")
    assert change(hub, "q2", "script", alias="Q 2").json() == {"result": "ok"}
    assert text_of(hub, "sc/q2.yaml") == "# q2\nalias: Q 2\nsequence: []\n"
    assert state_of(hub, "script.q2")["attributes"]["friendly_name"] == "Q 2"
    assert change(hub, "a", mode="restart").json() == {"result": "ok"}
    assert text_of(hub, "au/a.yaml") == "id: a\nalias: A  # the a\ntriggers: []\nactions: []\nmode: restart\n"


@pytest.mark.contract("Automations: REST")
@pytest.mark.parametrize("kind, made", [("automation", EMPTY | {"alias": "One"}), ("script", {"alias": "One", "sequence": []}),
                                        ("scene", {"name": "One", "entities": {}})])
def test_the_registry_forgets_what_is_removed(hub_factory, kind, made):
    hub = hub_factory()
    entity_id = f"{kind}.{'x0' if kind == 'script' else 'one'}"

    def registered():
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            return [row["entity_id"] for row in client.result("config/entity_registry/list") if row["entity_id"].startswith(f"{kind}.{entity_id.split('.')[1]}")]

    assert hub.admin.post(url("x0", kind), json=made).status_code == 200
    assert registered() == [entity_id]
    assert hub.admin.delete(url("x0", kind)).status_code == 200
    wait_until(lambda: registered() == [])
    assert hub.admin.post(url("x0" if kind == "script" else "x1", kind), json=made).status_code == 200
    assert registered() == [entity_id]


@pytest.mark.contract("Automations: REST")
def test_secrets_stay_where_their_neighbours_change(hub_factory):
    text = ("- id: a\n  alias: A\n  triggers: []\n  actions:\n"
            "    - {event: one, event_data: {code: !secret first}}\n    - {event: two, event_data: {code: !secret second}}\n")
    hub = start(hub_factory, automations=text, secrets="first: hunter1\nsecond: hunter2\n")
    steps = hub.admin.get(url("a")).json()["actions"]
    assert change(hub, "a", actions=[{"delay": 5}, steps[1], steps[0] | {"event_data": {"code": "********", "count": 1}}]).status_code == 200
    assert text_of(hub, "automations.yaml") == text[:text.index("    - {")] + (
        "    - delay: 5\n    - event: two\n      event_data:\n        code: !secret second\n"
        "    - event: one\n      event_data:\n        code: !secret first\n        count: 1\n")
    answer = change(hub, "a", actions=[{"event": "three", "event_data": {"code": "********"}}] * 3)
    assert answer.status_code == 400 and "not certain which one" in answer.json()["message"]


@pytest.mark.contract("Automations: REST")
def test_numbers_line_breaks_and_ids_are_kept(hub_factory):
    text = "- id: a\r\n  alias: A\r\n  triggers: []\r\n  actions: []\r\n...\r\n"
    hub = start(hub_factory, automations=text)
    numbers = {"a": 1e30, "b": 1e-7, "c": 1e16, "d": -9223372036854775808, "e": 18446744073709551615, "f": 5.0}
    assert change(hub, "a", variables=numbers).status_code == 200
    assert hub.admin.get(url("a")).json()["variables"] == numbers
    assert hub.admin.post(url("b"), json=EMPTY | {"alias": "B", "id": "b"}).status_code == 200
    made = text_of(hub, "automations.yaml")
    assert made.endswith("  triggers: []\r\n  actions: []\r\n  alias: B\r\n...\r\n") and made.count("\n") == made.count("\r\n")
    answer = hub.admin.post(url("a"), json=EMPTY | {"id": "b"})
    assert answer.status_code == 400 and "id: expected a, as in the path, found b" in answer.json()["message"]


@pytest.mark.contract("Automations: REST")
def test_brackets_and_their_comments_stay(hub_factory):
    text = "[{id: k1, alias: A, triggers: [], actions: []}, # one\n {id: k2, alias: 'B', triggers: [], actions: []}] # two\n"
    hub = start(hub_factory, automations=text)
    assert change(hub, "k1", mode="restart").status_code == 200
    text = text.replace("actions: []}, # one", "actions: [], mode: restart}, # one")
    assert text_of(hub, "automations.yaml") == text
    assert hub.admin.post(url("k3"), json=EMPTY).status_code == 200
    assert text_of(hub, "automations.yaml") == text.replace("}] # two", "}, {id: k3, triggers: [], actions: []}] # two")
    answer = hub.admin.delete(url("k3"))
    assert answer.status_code == 200, answer.text
    assert text_of(hub, "automations.yaml") == text


@pytest.mark.contract("Automations: REST")
def test_items_in_the_configuration_change_there(hub_factory):
    text = "# Mine.\nautomation:\n- {id: k, alias: K, triggers: [], actions: []}\n\n- id: l # two\n  triggers: []\n  actions: []\n\n# One more\nscript:\n  s: {sequence: []}\n"
    hub = start(hub_factory, text)
    before = text_of(hub, "configuration.yaml")
    assert change(hub, "k", mode="restart").json() == {"result": "ok"}
    assert change(hub, "l", alias="L").json() == {"result": "ok"}
    changed = before.replace("actions: []}", "actions: [], mode: restart}").replace("  actions: []\n\n#", "  actions: []\n  alias: L\n\n#")
    assert text_of(hub, "configuration.yaml") == changed
    assert state_of(hub, "automation.k")["attributes"]["mode"] == "restart"
    assert hub.admin.delete(url("l")).status_code == 200
    assert "id: l" not in text_of(hub, "configuration.yaml") and "id: k" in text_of(hub, "configuration.yaml")


@pytest.mark.contract("Automations: REST")
def test_what_is_included_by_a_label_is_changed_by_people_only(hub_factory):
    text = "- {id: k, alias: K, triggers: [], actions: []}\n"
    hub = start(hub_factory, "automation kitchen: !include k.yaml\nautomation ui: !include automations.yaml\n", k=text,
                automations=text.replace("k", "u"))
    answer = change(hub, "k", mode="restart")
    assert answer.status_code == 400 and 'includes it by the label "automation kitchen"' in answer.json()["message"]
    assert hub.admin.delete(url("k")).status_code == 400 and text_of(hub, "k.yaml") == text
    assert change(hub, "u", mode="restart").status_code == 200
    # A label stands for people only where the items are, too.
    settings = hub.folder / "configuration.yaml"
    settings.write_text(settings.read_text() + "automation hall:\n  - {id: h, triggers: [], actions: []}\n")
    assert hub.admin.post("/api/services/automation/reload").status_code == 200
    answer = change(hub, "h", mode="restart")
    assert answer.status_code == 400 and "under a label, at automation hall[0]" in answer.json()["message"], answer.text


@pytest.mark.contract("Automations: REST")
def test_the_older_spelling_of_what_is_there_changes_nothing(hub_factory):
    text = ("- id: a\n  alias: A\n  trigger:\n    - platform: state\n      entity_id: sensor.own   # keep me\n"
            "  action:\n    - service: light.turn_on\n      target: {entity_id: light.kitchen}  # me too\n")
    hub = start(hub_factory, automations=text)
    item = {"id": "a", "alias": "A", "trigger": [{"platform": "state", "entity_id": "sensor.own"}],
            "action": [{"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}]}
    assert hub.admin.post(url("a"), json=item).status_code == 200
    assert text_of(hub, "automations.yaml") == text
    assert hub.admin.post(url("a"), json=item | {"alias": "B"}).status_code == 200
    assert text_of(hub, "automations.yaml") == text.replace("alias: A", "alias: B")
    answer = hub.admin.post(url("a"), json=item | {"triggers": []})
    assert answer.status_code == 400 and "trigger" in answer.json()["message"], answer.text
