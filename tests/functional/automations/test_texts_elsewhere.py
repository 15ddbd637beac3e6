# SPDX-License-Identifier: Apache-2.0
"""Items of packages, of configuration.yaml and of files of their own have texts, versions, and can be deleted as all others."""

import os
import stat

import pytest

from checks import state_of
from hub_process import wait_until
from item_files import change, start, text_of, url
from websocket_client import WebSocketClient

YAML = {"Content-Type": "application/yaml"}
PACKAGE = """input_boolean:
  lamp: {}
script:
  lamp:   # the lamp's
    # its steps
    sequence: []
automation:
- id: p1 # one
  alias: P1
  triggers: []
  actions: []

- id: p2
  triggers: []
  actions: []
scene:
  # only one
  id: p3
  name: P3
  entities: {}
# The end.
"""


def read(hub, item, kind="automation"):
    answer = hub.admin.get(url(item, kind), headers={"Accept": "application/yaml"})
    assert answer.status_code == 200, answer.text
    return answer.text


def write(hub, item, text, kind="automation"):
    return hub.admin.post(url(item, kind), content=text.encode(), headers=YAML)


def command(hub, name, **fields):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        return client.command(f"config/revisions/{name}", **fields)


def revisions(hub, item, kind="automation"):
    return command(hub, "list", domain=kind, item_id=item)["result"]["revisions"]


def restore(hub, item, kind="automation", number=0):
    row = revisions(hub, item, kind)[number]
    if row["kind"] == "added":
        row = revisions(hub, item, kind)[number + 1]
    return command(hub, "restore", domain=kind, item_id=item, revision=row["revision"])


@pytest.mark.contract("Automations: texts of items")
def test_texts_of_a_package(hub_factory):
    hub = start(hub_factory, packages=True, pk__a=PACKAGE)
    assert read(hub, "lamp", "script") == "# its steps\nsequence: []\n"
    assert read(hub, "p1") == "id: p1 # one\nalias: P1\ntriggers: []\nactions: []\n"
    assert read(hub, "p3", "scene") == "# only one\nid: p3\nname: P3\nentities: {}\n"
    for item, kind in (("lamp", "script"), ("p1", "automation"), ("p3", "scene")):
        assert write(hub, item, read(hub, item, kind), kind).json() == {"result": "ok"}
        assert text_of(hub, "pk/a.yaml") == PACKAGE, item
    assert write(hub, "p1", read(hub, "p1").replace("P1", "Eins # here")).status_code == 200
    text = PACKAGE.replace("alias: P1", "alias: Eins # here")
    assert write(hub, "lamp", "# none\nalias: Lamp\nsequence: []", "script").status_code == 200
    text = text.replace("    # its steps\n", "    # none\n    alias: Lamp\n")
    assert write(hub, "p3", "id: p3\nname: Drei\nentities: {}\n", "scene").status_code == 200
    text = text.replace("  # only one\n", "").replace("P3", "Drei")
    assert text_of(hub, "pk/a.yaml") == text
    assert state_of(hub, "automation.p1")["attributes"]["friendly_name"] == "Eins"
    assert state_of(hub, "script.lamp")["attributes"]["friendly_name"] == "Lamp"
    answer = write(hub, "p1", "id: p1\nalias: A\ntriggers: []\nactions:\n  - evnt: a\n")
    assert answer.status_code == 400 and answer.json()["message"].startswith("item.yaml:5: "), answer.text
    answer = write(hub, "p3", "# a scene\nname: A\nodd: 1\n", "scene")
    lines = [line.split(" ")[0] for line in answer.json()["message"].splitlines()]
    assert answer.status_code == 400 and lines == ["item.yaml:1:", "item.yaml:3:"], answer.text
    assert text_of(hub, "pk/a.yaml") == text


@pytest.mark.contract("Automations: revisions")
def test_versions_of_a_package(hub_factory):
    hub = start(hub_factory, packages=True, pk__a=PACKAGE)
    assert change(hub, "p1", alias="Eins").status_code == 200
    assert change(hub, "lamp", "script", alias="Lamp").status_code == 200
    assert change(hub, "p3", "scene", name="Drei").status_code == 200
    for item, kind in (("p1", "automation"), ("lamp", "script"), ("p3", "scene")):
        assert [(row["kind"], row["user"]) for row in revisions(hub, item, kind)] == [("changed", "admin")], item
        assert restore(hub, item, kind)["success"]
    assert text_of(hub, "pk/a.yaml") == PACKAGE
    # What is deleted comes back, too: last in its list, or where it stood.
    for item, kind in (("p1", "automation"), ("lamp", "script"), ("p3", "scene")):
        written = read(hub, item, kind)
        assert hub.admin.delete(url(item, kind)).status_code == 200
        assert hub.admin.get(url(item, kind)).status_code == 404
        row, = command(hub, "deleted", domain=kind)["result"]
        assert row["item_id"] == item
        assert restore(hub, item, kind)["success"]
        assert read(hub, item, kind) == written
    text = text_of(hub, "pk/a.yaml")
    assert text.startswith(PACKAGE[:PACKAGE.index("- id: p1")]) and text.endswith(PACKAGE[PACKAGE.index("scene:"):]), text
    wait_until(lambda: state_of(hub, "automation.p1")["state"] == "on")


@pytest.mark.contract("Automations: revisions")
def test_files_of_one_item_have_texts_and_versions(hub_factory):
    script, automation = "# q2\nalias: Q\n\nsequence: []\n", "id: a\nalias: A  # the a\ntriggers: []\nactions: []\n"
    hub = start(hub_factory, "script: !include_dir_named sc\nautomation: !include_dir_list au\n", sc__q2=script, au__a=automation)
    assert read(hub, "q2", "script") == script and read(hub, "a") == automation
    assert write(hub, "q2", script.replace("Q", "Q 2"), "script").status_code == 200
    assert write(hub, "a", "# an A\nalias: B\ntriggers: []\nactions: []\n").status_code == 200
    assert text_of(hub, "sc/q2.yaml") == script.replace("Q", "Q 2")
    assert text_of(hub, "au/a.yaml") == "id: a\n# an A\nalias: B\ntriggers: []\nactions: []\n"
    answer = write(hub, "a", "# an A\nalias: B\ntriggers: 7\nactions: []\n")
    assert answer.status_code == 400 and answer.json()["message"].startswith("item.yaml:3: "), answer.text
    assert restore(hub, "q2", "script")["success"] and restore(hub, "a")["success"]
    assert text_of(hub, "sc/q2.yaml") == script and text_of(hub, "au/a.yaml") == automation


@pytest.mark.contract("Automations: REST")
def test_a_file_of_one_item_goes_with_it(hub_factory):
    files = {"sc__q2": "# q2\nalias: Q\nsequence: []\n", "sc__q3": "sequence: []\n", "au__a": "id: a\ntriggers: []\nactions: []\n",
             "b": "id: b\ntriggers: []\nactions: []\n"}
    hub = start(hub_factory, "script: !include_dir_named sc\nautomation: !include_dir_list au\nscene: []\n", **files)
    for item, kind, name in (("q2", "script", "sc/q2.yaml"), ("a", "automation", "au/a.yaml")):
        written = text_of(hub, name)
        assert hub.admin.delete(url(item, kind)).json() == {"result": "ok"}
        assert not (hub.folder / name).exists()
        assert hub.admin.get(f"/api/states/{kind}.{item}").status_code == 404
        row, = command(hub, "deleted", domain=kind)["result"]
        assert row["item_id"] == item and row["user"] == "admin"
        assert restore(hub, item, kind)["success"]
        assert text_of(hub, name) == written
        wait_until(lambda: hub.admin.get(f"/api/states/{kind}.{item}").status_code == 200)
        assert hub.admin.delete(url(item, kind)).status_code == 200
    assert state_of(hub, "script.q3")["state"] == "off"
    # Where nothing reads it any more it cannot come back.
    settings = hub.folder / "configuration.yaml"
    settings.write_text(settings.read_text().replace("!include_dir_list au", "[]"))
    kept = sorted((hub.folder / ".revisions" / "au" / "a.yaml").iterdir())
    answer = restore(hub, "a")
    assert not answer["success"] and "au/a.yaml: nothing includes it" in answer["error"]["message"], answer
    assert not (hub.folder / "au" / "a.yaml").exists()
    assert sorted((hub.folder / ".revisions" / "au" / "a.yaml").iterdir()) == kept


@pytest.mark.contract("Automations: REST")
def test_a_file_that_is_included_by_its_name_stays_empty(hub_factory):
    item = "id: {}\ntriggers: []\nactions: []\n"
    hub = start(hub_factory, "automation:\n  - !include b.yaml\n  - !include c.yaml\nscript:\n  q: !include q.yaml\n",
                b=item.format("b"), c=item.format("c"), q="sequence: []\n")
    for name, kind in (("b", "automation"), ("q", "script")):
        assert hub.admin.delete(url(name, kind)).json() == {"result": "ok"}
        assert text_of(hub, f"{name}.yaml") == "" and hub.admin.get(url(name, kind)).status_code == 404
    hub.stop()
    hub = hub_factory(hub.folder)
    assert hub.admin.get(url("c")).status_code == 200 and not hub.warnings()
    assert restore(hub, "b")["success"] and restore(hub, "q", "script")["success"]
    assert text_of(hub, "b.yaml") == item.format("b") and text_of(hub, "q.yaml") == "sequence: []\n"
    wait_until(lambda: hub.admin.get("/api/states/script.q").status_code == 200)


@pytest.mark.contract("Automations: revisions")
def test_former_texts_are_as_private_as_their_file(hub_factory):
    hub = start(hub_factory, "automation:\n  - {id: k, triggers: [], actions: []}\n  - id: l\n    triggers: []\n    actions: []\n")
    os.chmod(hub.folder / "configuration.yaml", 0o600)
    assert read(hub, "l") == "id: l\ntriggers: []\nactions: []\n"
    assert write(hub, "l", "id: l\nalias: L\ntriggers: []\nactions: []\n").status_code == 200
    kept, = (hub.folder / ".revisions" / "configuration.yaml").glob("*.yaml")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (kept, hub.folder / "configuration.yaml")] == [0o600, 0o600]
    assert restore(hub, "l")["success"] and "alias: L" not in text_of(hub, "configuration.yaml")
