# SPDX-License-Identifier: Apache-2.0
"""`config/revisions/…`: what an automation, script or scene was before each change, and how it comes back."""

import pytest

from checks import state_of
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {f"config/revisions/{name}" for name in ("list", "deleted", "restore")}

HALL = """- id: hall
  alias: Hall   # by the door
  trigger:
    - platform: state
      entity_id: sensor.own
      to: !secret code
  action:
    - event: went
"""
FILE = "# The home's automations.\n\n" + HALL + "\n# The second one.\n- id: kept\n  alias: Kept\n  trigger: []\n  action: []\n"


@pytest.fixture
def home(hub_factory):
    folder = hub_factory.folder()
    (folder / "automations.yaml").write_text(FILE)
    (folder / "secrets.yaml").write_text("code: hunter2\n")
    (folder / "scripts.yaml").write_text("say:\n  # says it\n  sequence: []\n")
    return hub_factory(folder)


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def url(item, kind="automation"):
    return f"/api/config/{kind}/config/{item}"


def text_of(home, name="automations.yaml"):
    return (home.folder / name).read_text()


def listed(client, item, domain="automation"):
    return client.result("config/revisions/list", domain=domain, item_id=item)


def restore(client, item, revision, domain="automation"):
    return client.command("config/revisions/restore", domain=domain, item_id=item, revision=revision)


@pytest.mark.contract("Automations: revisions")
def test_what_was_changed_is_listed_and_comes_back_as_it_was_written(home, client):
    assert listed(client, "hall") == {"current": HALL, "revisions": []}
    item = home.admin.get(url("hall")).json()
    assert home.admin.post(url("hall"), json=item | {"alias": "Hallway", "mode": "restart"}).status_code == 200
    assert home.admin.post(url("kept"), json={"alias": "Other", "triggers": [], "actions": []}).status_code == 200
    first = listed(client, "hall")["revisions"]
    assert [(row["kind"], row["before"], row["changes"]) for row in first] == [
        ("changed", HALL, [{"path": "alias", "kind": "changed"}, {"path": "mode", "kind": "added"}])]
    assert first[0]["user"] == "admin" and first[0]["at"].startswith("20") and "hunter2" not in str(first)
    assert restore(client, "hall", first[0]["revision"])["success"]
    assert text_of(home) == FILE.replace("alias: Kept", "alias: Other")
    assert state_of(home, "automation.hall")["attributes"]["mode"] == "single"
    second = listed(client, "hall")
    assert second["current"] == HALL and [row["kind"] for row in second["revisions"]] == ["changed", "changed"]
    assert "mode: restart" in second["revisions"][0]["before"]


@pytest.mark.contract("Automations: revisions")
@pytest.mark.parametrize("domain, item, entity", [("automation", "hall", "automation.hall"), ("script", "say", "script.say")])
def test_what_was_deleted_is_listed_and_comes_back(home, client, domain, item, entity):
    assert client.result("config/revisions/deleted", domain=domain) == []
    before = listed(client, item, domain)["current"]
    assert home.admin.delete(url(item, domain)).status_code == 200
    assert home.admin.get(f"/api/states/{entity}").status_code == 404
    row, = client.result("config/revisions/deleted", domain=domain)
    assert row["item_id"] == item and row["user"] == "admin" and row["name"] in ("Hall", "say")
    assert listed(client, item, domain)["current"] is None
    assert restore(client, item, row["revision"], domain)["success"]
    wait_until(lambda: home.admin.get(f"/api/states/{entity}").status_code == 200)
    assert text_of(home, f"{domain}s.yaml").endswith(before)
    assert client.result("config/revisions/deleted", domain=domain) == []
    assert [row["kind"] for row in listed(client, item, domain)["revisions"]] == ["added", "removed"]


@pytest.mark.contract("Automations: revisions")
def test_a_scene_comes_back(home, client):
    scene = {"name": "Night off", "entities": {"light.kitchen": "off"}}
    assert home.admin.post(url("7", "scene"), json=scene).status_code == 200
    assert home.admin.post(url("7", "scene"), json=scene | {"name": "Dark"}).status_code == 200
    assert state_of(home, "scene.night_off")["attributes"]["friendly_name"] == "Dark"
    row, = listed(client, "7", "scene")["revisions"]
    assert row["changes"] == [{"path": "name", "kind": "changed"}]
    assert restore(client, "7", row["revision"], "scene")["success"]
    assert home.admin.get(url("7", "scene")).json() == {"id": "7"} | scene


@pytest.mark.contract("Automations: revisions")
def test_what_is_wrong_by_now_does_not_come_back(home, client):
    item = home.admin.get(url("hall")).json() | {"triggers": []}
    assert home.admin.post(url("hall"), json=item).status_code == 200
    changed = text_of(home)
    row, = listed(client, "hall")["revisions"]
    (home.folder / "secrets.yaml").write_text("other: x\n")
    refused = restore(client, "hall", row["revision"])
    assert not refused["success"] and "code" in refused["error"]["message"], refused
    kept = home.folder / ".revisions" / f"{row['revision']}.yaml"
    kept.write_text(FILE.replace("platform: state", "platfrom: state"))
    refused = restore(client, "hall", row["revision"])
    assert not refused["success"] and "did you mean platform" in refused["error"]["message"], refused
    assert text_of(home) == changed and len(listed(client, "hall")["revisions"]) == 1


@pytest.mark.contract("Automations: revisions")
@pytest.mark.parametrize("revision", ["", "automations.yaml/00000009", "../automations.yaml/00000001", "secrets.yaml/00000001"])
def test_what_is_not_kept_is_not_found(home, client, revision):
    assert home.admin.post(url("kept"), json={"alias": "Other", "triggers": [], "actions": []}).status_code == 200
    assert restore(client, "hall", revision)["error"]["code"] == "not_found"
    assert listed(client, "nowhere") == {"current": None, "revisions": []}
    assert client.command("config/revisions/list", domain="light", item_id="x")["error"]["code"] == "invalid_format"
    assert client.command("config/revisions/deleted")["error"]["code"] == "invalid_format"


@pytest.mark.contract("Automations: revisions")
def test_only_administrators_see_them(home):
    with WebSocketClient(home, home.tokens["ann"]) as client:
        for name, fields in (("list", {"item_id": "hall"}), ("deleted", {}), ("restore", {"item_id": "hall", "revision": "x"})):
            answer = client.command(f"config/revisions/{name}", domain="automation", **fields)
            assert answer["error"]["code"] == "unauthorized"
