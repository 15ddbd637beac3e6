# SPDX-License-Identifier: Apache-2.0
"""hearth/integrations/…: which integrations there are, and a home that gives its demo up."""

import json

import pytest

from checks import assert_message
from hub_process import wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {f"hearth/integrations/{name}" for name in ("list", "parts", "remove")}

BEFORE = """# The home of the Examples.
home:
  name: Examples   # all of us
  time_zone: Europe/Berlin

# To try things with.
"""
AFTER = """
http:
  # from the hall's tablet
  trusted_proxies: [127.0.0.1]
"""
DEMO = "demo:\n  seed: 7   # always the same\n  speed: 0\n"


@pytest.fixture
def folder(hub_factory):
    made = hub_factory.folder()
    (made / "configuration.yaml").write_text(BEFORE + DEMO + AFTER)
    return made


@pytest.fixture
def home(hub_factory, folder):
    return hub_factory(folder)


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def listed(client):
    return {row["name"]: row for row in client.result("hearth/integrations/list")}


def domains(home):
    return {state["entity_id"].split(".")[0] for state in home.admin.get("/api/states").json()}


def test_integrations_say_what_turns_them_on(admin):
    rows = listed(admin)
    assert rows["demo"] == {"name": "demo", "set_by": "file", "place": "configuration.yaml:7", "removable": True}
    assert rows["mqtt"] == {"name": "mqtt", "set_by": "page", "place": None, "removable": False}


def test_the_demo_goes_at_once_and_for_good(hub_factory, folder, home, admin):
    admin.result("config/area_registry/create", name="Cellar")  # nobody's yet
    admin.result("config/entity_registry/update", entity_id="light.hall", name="My light")
    parts = admin.result("hearth/integrations/parts", integration="demo")
    assert parts["devices"] == len(admin.result("config/device_registry/list")) > 20
    assert parts["entities"] == len([e for e in admin.result("config/entity_registry/list") if e["platform"] == "demo"])
    assert "Kitchen" in parts["areas"] and "Cellar" not in parts["areas"] and "Ground floor" in parts["floors"]
    assert parts["named_by"] == []
    assert "light" in domains(home)

    gone = admin.result("hearth/integrations/remove", integration="demo", with_areas=True)
    assert (gone["devices"], gone["entities"]) == (parts["devices"], parts["entities"])
    assert (gone["areas"], gone["floors"]) == (len(parts["areas"]), len(parts["floors"]))
    assert (folder / "configuration.yaml").read_text() == BEFORE + AFTER
    kept = sorted((folder / ".revisions/configuration.yaml").glob("*.yaml"))
    assert [file.read_text() for file in kept] == [BEFORE + DEMO + AFTER]
    assert json.loads(kept[0].with_suffix(".json").read_text())["domain"] == "integration"

    def check(home, client):
        assert client.result("config/device_registry/list") == []
        assert [area["name"] for area in client.result("config/area_registry/list")] == ["Cellar"]
        assert client.result("config/floor_registry/list") == []
        assert not {"light", "climate", "todo", "calendar", "camera"} & domains(home)
        assert_message(home.admin.get("/api/states/light.hall"), 404)
        assert home.admin.get("/api/integrations").json() == []
        assert listed(client)["demo"] == {"name": "demo", "set_by": "file", "place": None, "removable": False}
        code, message = client.error("hearth/integrations/remove", integration="demo")
        assert code == "not_found" and "does not name demo" in message

    wait_until(lambda: home.admin.get("/api/integrations").json() == [])
    check(home, admin)
    home.stop()
    again = hub_factory(folder)
    with WebSocketClient(again, again.tokens["admin"]) as client:
        check(again, client)


def test_rooms_stay_unless_they_are_to_go(home, admin):
    rooms = admin.result("config/area_registry/list")
    gone = admin.result("hearth/integrations/remove", integration="demo")
    assert (gone["areas"], gone["floors"]) == (0, 0)
    assert admin.result("config/area_registry/list") == rooms


def test_automations_that_name_the_demo_are_told_of_and_stay(home, admin):
    item = {"alias": "Names it", "triggers": [], "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}
    other = {"alias": "Does not", "triggers": [], "actions": [{"action": "light.turn_on", "target": {"area_id": "kitchen"}}]}
    for name, text in (("names", item), ("not", other)):
        assert home.admin.post(f"/api/config/automation/config/{name}", json=text).status_code == 200
    wait_until(lambda: "automation.names_it" in [s["entity_id"] for s in home.admin.get("/api/states").json()])
    parts = admin.result("hearth/integrations/parts", integration="demo")
    assert parts["named_by"] == ["automation.names_it"]
    assert "Kitchen" not in parts["areas"]  # which the other names
    admin.result("hearth/integrations/remove", integration="demo", with_areas=True)
    assert home.admin.get("/api/config/automation/config/names").json()["alias"] == "Names it"
    assert [area["area_id"] for area in admin.result("config/area_registry/list")] == ["kitchen"]


@pytest.mark.parametrize("text", ["demo: !include demo.yaml\nlog:\n", '"demo": {}\nlog:\n', "{demo: {speed: 0}, log: {}}\n",
                                  "demo:\n", "log: &quiet\n  level: info\ndemo:\n  speed: 0\n"])
def test_the_section_is_taken_out_however_it_is_written(hub_factory, text):
    folder = hub_factory.folder()
    (folder / "demo.yaml").write_text("speed: 0\n")
    (folder / "configuration.yaml").write_text(text)
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"]) as client:
        client.result("hearth/integrations/remove", integration="demo")
        assert not listed(client)["demo"]["removable"]
    assert "demo" not in (folder / "configuration.yaml").read_text()
    assert ("log" in text) == ("log" in (folder / "configuration.yaml").read_text())


def test_what_the_file_does_not_let_be_removed_stays(hub_factory):
    folder = hub_factory.folder()
    text = "demo: &all\n  speed: 0\nother: *all\n"
    (folder / "configuration.yaml").write_text(text)
    home = hub_factory(folder)
    with WebSocketClient(home, home.tokens["admin"]) as client:
        code, message = client.error("hearth/integrations/remove", integration="demo")
        assert "demo" in message and client.result("config/device_registry/list")
    assert (folder / "configuration.yaml").read_text() == text


@pytest.mark.parametrize("fields, code", [({}, "invalid_format"), ({"integration": 7}, "invalid_format"),
                                          ({"integration": "none"}, "not_found"),
                                          ({"integration": "demo", "with_areas": "all"}, "invalid_format"),
                                          ({"integration": "demo", "extra": 1}, "invalid_format")])
def test_bad_requests_remove_nothing(module_hubs, fields, code):
    home = module_hubs()
    with WebSocketClient(home, home.tokens["admin"]) as client:
        assert client.error("hearth/integrations/remove", **fields)[0] == code
        assert "mqtt/config/delete" in client.error("hearth/integrations/remove", integration="mqtt")[1]
        assert client.result("config/device_registry/list")


@pytest.mark.parametrize("user", ["ann", "display"])
@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_only_administrators_look_and_remove(module_hubs, user, kind):
    home = module_hubs()
    with WebSocketClient(home, home.tokens[user]) as client:
        assert client.error(kind, integration="demo")[0] == "unauthorized"
        assert client.result("config/device_registry/list")
