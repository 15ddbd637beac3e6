# SPDX-License-Identifier: Apache-2.0
"""Blueprints: used, listed, imported, saved, replaced and removed."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from checks import call, set_state, state_of
from hub_process import command, wait_until
from websocket_client import WebSocketClient

# The commands that are tried here rather than in test_websocket_commands.py.
COMMANDS = {f"blueprint/{name}" for name in ("list", "get", "import", "save", "delete", "substitute")}

MOTION = """# By me.
blueprint:
  name: Motion light
  description: A light while there is motion
  domain: automation
  input:
    motion:
      name: Motion
      selector: {entity: {domain: sensor}}
    lights:
      selector: {target: {}}
    level:
      default: 77
      selector: {number: {min: 1, max: 255}}
triggers:
  - trigger: state
    entity_id: !input motion
    to: "on"
actions:
  - action: light.turn_on
    target: !input lights
    data: {brightness: !input level}
"""
PATH = "me/motion.yaml"
USE = {"alias": "Hall", "use_blueprint": {"path": PATH, "input": {
    "motion": "sensor.motion", "lights": {"entity_id": "light.kitchen"}}}}
PLAIN = "blueprint: {name: Plain, domain: script}\nsequence: []\n"


class Files(BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Files.asked.append(dict(self.headers))
        path, _, query = self.path.partition("?")
        if path == "/to":
            self.send_response(302)
            self.send_header("Location", query)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = {"/motion.yaml": MOTION.encode(), "/long.yaml": b"x" * (2 << 20), "/page": b"<html></html>"}.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def home(hub_factory):
    folder = hub_factory.folder()
    file = folder / "blueprints/automation" / PATH
    file.parent.mkdir(parents=True)
    file.write_text(MOTION)
    hub = hub_factory(folder)
    call(hub, "light.turn_off", {"entity_id": "light.kitchen"})
    return hub


@pytest.fixture
def client(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def put(home, **changes):
    return home.admin.post("/api/config/automation/config/1", json=USE | changes)


def move(home):
    set_state(home, "sensor.motion", "off")
    set_state(home, "sensor.motion", "on")


def brightness(home):
    return state_of(home, "light.kitchen")["attributes"].get("brightness")


def save(client, text, **more):
    return client.result("blueprint/save", domain="automation", path="me/motion", yaml=text, **more)


@pytest.mark.contract("Automations: blueprints")
def test_an_automation_runs_by_its_blueprint(home, client):
    assert put(home).status_code == 200
    move(home)
    wait_until(lambda: brightness(home) == 77)
    config = client.result("automation/config", entity_id="automation.hall")["config"]
    assert config["use_blueprint"] == USE["use_blueprint"] and "actions" not in config
    [row] = client.result("trace/list", domain="automation", item_id="1")
    trace = client.result("trace/get", domain="automation", item_id="1", run_id=row["run_id"])
    assert trace["config"]["actions"][0]["data"] == {"brightness": 77} and trace["blueprint_inputs"]["use_blueprint"]["path"] == PATH
    assert client.result("search/related", item_type="automation_blueprint", item_id=PATH) == {"automation": ["automation.hall"]}
    assert client.result("search/related", item_type="automation", item_id="automation.hall")["automation_blueprint"] == [PATH]


@pytest.mark.contract("Automations: blueprints")
def test_inputs_that_are_missing_or_do_not_fit_are_errors_when_saved(home):
    for inputs, error in (({"lights": {}}, "the input motion is missing"),
                          (USE["use_blueprint"]["input"] | {"level": 300}, "expected a number from 1 to 255"),
                          (USE["use_blueprint"]["input"] | {"motion": "light.hall"}, "expected the id of an entity of sensor"),
                          (USE["use_blueprint"]["input"] | {"none": 1}, "the blueprint has no such input")):
        answer = put(home, use_blueprint={"path": PATH, "input": inputs})
        assert answer.status_code == 400 and error in answer.json()["message"], answer.text
    assert "there is no blueprints/automation/other.yaml" in put(home, use_blueprint={"path": "other.yaml"}).json()["message"]


@pytest.mark.contract("Automations: blueprints")
def test_a_broken_use_is_unavailable_and_named_by_check(hub_factory):
    folder = hub_factory.folder(automation=[USE])
    done = command(folder, "check")
    assert done.returncode == 1 and "there is no blueprints/automation/me/motion.yaml" in done.stdout + done.stderr
    hub = hub_factory(folder)
    state = state_of(hub, "automation.hall")
    assert state["state"] == "unavailable" and "there is no blueprints/automation/me/motion.yaml" in state["attributes"]["error"]


@pytest.mark.contract("Automations: blueprints")
def test_they_are_listed_saved_replaced_and_removed(home, client):
    listed = client.result("blueprint/list", domain="automation")
    assert listed[PATH]["hash"] == hashlib.sha256(MOTION.encode()).hexdigest()
    assert [path for path, each in listed.items() if not each["built_in"]] == [PATH] and listed[PATH]["metadata"]["input"]["level"]["default"] == 77
    assert client.error("blueprint/save", domain="automation", path="me/motion", yaml=MOTION)[1] == \
        "There is a blueprint me/motion.yaml already."
    answer = client.result("blueprint/save", domain="script", path="me/plain", yaml=PLAIN, source_url="https://a.example/x")
    assert answer == {"overrides_existing": False, "outdated": []}
    other = PLAIN.replace("blueprint: {name: Plain, domain: script}", "blueprint:\n  name: Plain\n  domain: script")
    client.result("blueprint/save", domain="script", path="me/plain", yaml=other, source_url="https://a.example/x", allow_override=True)
    assert (home.folder / "blueprints/script/me/plain.yaml").read_text() == \
        other.replace("blueprint:\n", 'blueprint:\n  source_url: "https://a.example/x"\n')
    assert client.result("blueprint/list", domain="script")["me/plain.yaml"]["metadata"]["source_url"] == "https://a.example/x"
    (home.folder / "blueprints/script/me/broken.yaml").write_text("blueprint: {name: x}\n")
    assert "domain is missing" in client.result("blueprint/list", domain="script")["me/broken.yaml"]["error"]
    assert client.result("blueprint/delete", domain="script", path="me/plain.yaml") is None
    assert client.error("blueprint/delete", domain="script", path="me/plain")[0] == "not_found"
    assert put(home).status_code == 200
    assert client.error("blueprint/delete", domain="automation", path=PATH)[1] == "It is in use: Hall."


@pytest.mark.contract("Automations: blueprints")
def test_who_does_not_fit_a_new_version_keeps_the_former(home, client):
    assert put(home).status_code == 200
    more = MOTION.replace("    level:\n", "    room:\n      name: Room\n    level:\n").replace("default: 77", "default: 99")
    looked = client.result("blueprint/import", text=more)
    assert looked["blueprint"]["metadata"]["name"] == "Motion light" and looked["raw_data"] == more
    answer = save(client, more, allow_override=True)
    assert answer["overrides_existing"] and [each["item_id"] for each in answer["outdated"]] == ["1"]
    assert "the input room is missing" in answer["outdated"][0]["error"]
    move(home)
    wait_until(lambda: brightness(home) == 77)
    # What is saved now fits the present one.
    answer = put(home)
    assert answer.status_code == 400 and "the input room is missing" in answer.json()["message"], answer.text
    issue = wait_until(lambda: [each for each in client.result("repairs/list_issues")["issues"]
                                if each["translation_key"] == "blueprint_outdated"], 20)[0]
    assert issue["translation_placeholders"]["name"] == "Hall"
    use = {"path": PATH, "input": USE["use_blueprint"]["input"] | {"room": "hall"}}
    assert put(home, use_blueprint=use).status_code == 200
    move(home)
    wait_until(lambda: brightness(home) == 99)


@pytest.mark.contract("Automations: blueprints")
def test_a_text_is_held_against_what_is_there(home, client):
    assert put(home).status_code == 200
    more = MOTION.replace("    level:\n", "    room:\n      name: Room\n    level:\n")
    looked = client.result("blueprint/import", text=more, path="me/motion")
    assert looked["exists"] and [each["name"] for each in looked["outdated"]] == ["Hall"]
    assert not client.result("blueprint/import", text=more, path="me/other")["exists"]
    assert client.error("blueprint/import", text=more, path="../../secrets")[0] == "invalid_format"
    found = client.result("blueprint/get", domain="automation", path=PATH)
    assert found == {"raw_data": MOTION, "hash": hashlib.sha256(MOTION.encode()).hexdigest(), "former": [], "built_in": False}
    save(client, more, allow_override=True)
    found = client.result("blueprint/get", domain="automation", path=PATH)
    assert found["raw_data"] == more and [each["raw_data"] for each in found["former"]] == [MOTION]
    assert client.error("blueprint/get", domain="automation", path="me/none")[0] == "not_found"
    assert client.error("blueprint/get", domain="automation", path="../secrets")[0] == "invalid_format"


@pytest.mark.contract("Automations: blueprints")
def test_they_are_imported_from_an_address(home, client, server):
    looked = client.result("blueprint/import", url=f"{server}/motion.yaml")
    assert looked["suggested_filename"] == "127_0_0_1/motion" and looked["raw_data"] == MOTION and not looked["exists"]
    assert [path for path, each in client.result("blueprint/list", domain="automation").items() if not each["built_in"]] == [PATH]
    client.result("blueprint/save", domain="automation", path=looked["suggested_filename"], yaml=looked["raw_data"],
                  source_url=f"{server}/motion.yaml")
    assert client.result("blueprint/import", url=f"{server}/motion.yaml")["exists"]
    for path, error in (("none", "the server answers 404"), ("long.yaml", "expected at most 1 MiB"),
                        ("page", "expected a blueprint")):
        assert error in client.error("blueprint/import", url=f"{server}/{path}")[1], path
    assert "expected an address" in client.error("blueprint/import", url="file:///etc/passwd")[1]


HOOK = {"alias": "Hook", "triggers": [{"trigger": "webhook", "webhook_id": "own", "allowed_methods": ["GET", "POST"]}],
        "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.kitchen"}}]}


@pytest.mark.contract("Automations: blueprints")
def test_an_address_leads_neither_to_the_hub_nor_to_link_local_ones(home, client, server):
    assert home.admin.post("/api/config/automation/config/hook", json=HOOK).status_code == 200
    own = f"{home.tunnel.inner if home.tunnel else home.port}/api/webhook/own"
    with home.stream() as stream:
        for host in ("127.0.0.1", "localhost", "127.0.0.2", "0.0.0.0", "2130706433", "[::1]", "[::]", "[::ffff:127.0.0.1]"):
            for url in (f"http://{host}:{own}", f"{server}/to?http://{host}:{own}", f"{server}/to?{server}/to?http://{host}:{own}"):
                message = client.error("blueprint/import", url=url)[1]
                assert "which is the hub itself" in message, (url, message)
        for host in ("169.254.169.254", "[::ffff:169.254.169.254]", "2852039166", "[fe80::1]"):
            for url in (f"http://{host}/latest/meta-data", f"{server}/to?http://{host}/"):
                message = client.error("blueprint/import", url=url)[1]
                assert "link-local" in message, (url, message)
        assert home.admin.post("/api/events/end_of_test").status_code == 200
        assert "webhook_received" not in [event.type for event in stream.until_type("end_of_test")]
    assert state_of(home, "light.kitchen")["state"] == "off"


@pytest.mark.contract("Automations: blueprints")
def test_an_address_has_no_user_and_no_proxy(hub_factory, server, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    Files.asked.clear()
    hub = hub_factory()
    host = server.removeprefix("http://")
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        for url in (f"http://name:word@{host}/motion.yaml", f"http://name@{host}/motion.yaml", f"http://:@{host}/motion.yaml"):
            assert "without a user name" in client.error("blueprint/import", url=url)[1]
        assert not Files.asked
        assert "one with a user name" in client.error("blueprint/import", url=f"{server}/to?http://name:word@{host}/motion.yaml")[1]
        assert client.result("blueprint/import", url=f"{server}/motion.yaml")["raw_data"] == MOTION
    assert len(Files.asked) == 2 and not any("Authorization" in headers for headers in Files.asked)


@pytest.mark.contract("Automations: blueprints")
def test_substitute_shows_the_item(client):
    item = client.result("blueprint/substitute", domain="automation", path=PATH, input=USE["use_blueprint"]["input"])["substituted_config"]
    assert item["triggers"] == [{"trigger": "state", "entity_id": "sensor.motion", "to": "on"}]
    assert "the input motion is missing" in client.error("blueprint/substitute", domain="automation", path=PATH, input={})[1]


@pytest.mark.contract("Automations: blueprints")
@pytest.mark.parametrize("path", ["../secrets", "/etc/x", "a//b", ".hidden", "me/.x", "a" * 300, "a/b/c/d/e/f", "a\nb", ""])
def test_paths_stay_within_the_folder(client, path):
    assert client.error("blueprint/save", domain="script", path=path, yaml=PLAIN)[0] == "invalid_format"
    assert client.error("blueprint/delete", domain="script", path=path)[0] == "invalid_format"


@pytest.mark.contract("Automations: blueprints")
def test_template_entities_and_scripts_use_them(hub_factory):
    use = {"use_blueprint": {"path": "me/double.yaml", "input": {"source": "sensor.own"}}}
    folder = hub_factory.folder(template=[use, use | {"name": "Mine", "unique_id": "mine", "unit_of_measurement": "W"}],
                                script={"say": {"use_blueprint": {"path": "me/say.yaml", "input": {"level": 33}}}})
    for domain, name, text in (
            ("template", "double", "blueprint: {name: Double, domain: template, input: {source: }}\n"
             "variables: {from: !input source}\nsensor: {name: Double, state: '{{ states(from) | int * 2 }}'}\n"),
            ("script", "say", "blueprint: {name: Say, domain: script, input: {level: }}\n"
             "sequence: [{action: light.turn_on, target: {entity_id: light.kitchen}, data: {brightness: !input level}}]\n")):
        file = folder / f"blueprints/{domain}/me/{name}.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert "It is in use: configuration.yaml:" in client.error("blueprint/delete", domain="template", path="me/double")[1]
        assert client.error("blueprint/delete", domain="script", path="me/say")[1] == "It is in use: say."
        asks_more = "blueprint: {name: Double, domain: template, input: {source: , unit: }}\n"
        saved = client.result("blueprint/save", domain="template", path="me/double", yaml=asks_more, allow_override=True)
        assert [each["domain"] for each in saved["outdated"]] == ["template"] * 2 and "unit is missing" in saved["outdated"][0]["error"]
    set_state(hub, "sensor.own", "21")
    wait_until(lambda: state_of(hub, "sensor.double")["state"] == "42")
    wait_until(lambda: state_of(hub, "sensor.mine")["state"] == "42")
    assert state_of(hub, "sensor.mine")["attributes"]["unit_of_measurement"] == "W"
    call(hub, "script.say", {})
    wait_until(lambda: brightness(hub) == 33)


# What a trigger and a condition by purpose are of is asked for: as a target, and as parts of one.
BY_PURPOSE = """blueprint:
  name: Follow
  domain: automation
  input:
    lights: {selector: {target: {entity: {domain: light}}}}
    but: {selector: {entity: {domain: light, multiple: true}}, default: []}
    room: {selector: {area: {}}}
    first: {selector: {select: {options: [each, first, all]}}, default: each}
triggers:
  - {trigger: light.turned_on, target: !input lights, options: {behavior: !input first}, id: whole}
  - {trigger: light.turned_on, target: {area_id: !input room, exclude: {entity_id: !input but}}, id: part}
  - {trigger: event, event_type: look, id: end}
actions:
  - if: {or: [{condition: trigger, id: end}, {condition: light.is_on, target: !input lights, options: {behavior: all}}]}
    then:
      - {action: input_text.set_value, target: {entity_id: input_text.said}, data: {value: "{{ states('input_text.said') }} {{ trigger.id }}"}}
mode: queued
"""
BEDROOM = ["light.bedroom", "light.bedside"]


@pytest.mark.contract("Automations: blueprints")
@pytest.mark.parametrize(("inputs", "said"), [
    ({"lights": {"area_id": "kitchen"}, "room": "bedroom", "but": "light.bedside"}, "whole part"),
    ({"lights": {"area_id": ["kitchen", "bedroom"]}, "room": "kitchen", "first": "all"}, "whole"),
    ({"lights": {"entity_id": "light.bedroom"}, "room": "kitchen"}, "whole"),
    ({"lights": {"entity_id": ["light.kitchen"], "area_id": []}, "room": "bedroom", "but": BEDROOM}, "whole"),
    ({"lights": {"entity_id": []}, "room": "kitchen"}, "part"),
])
def test_what_a_trigger_by_purpose_is_of_is_asked_for(hub_factory, inputs, said):
    use = {"id": "1", "alias": "Follow", "use_blueprint": {"path": "me/follow.yaml", "input": inputs}}
    folder = hub_factory.folder(automation=[use], input_text={"said": {"initial": "said"}})
    file = folder / "blueprints/automation/me/follow.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(BY_PURPOSE)
    hub = hub_factory(folder)
    assert state_of(hub, "automation.follow")["state"] == "on"
    call(hub, "light.turn_off", {"entity_id": ["light.kitchen", *BEDROOM]})
    for light in ("light.kitchen", *BEDROOM):
        call(hub, "light.turn_on", {"entity_id": light})
    hub.admin.post("/api/events/look", json={})
    wait_until(lambda: state_of(hub, "input_text.said")["state"].endswith("end"))
    assert state_of(hub, "input_text.said")["state"] == f"said {said} end"


@pytest.mark.contract("Automations: blueprints")
def test_only_administrators_have_them(home, client):
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        for name in COMMANDS:
            assert ann.error(name)[0] == "unauthorized", name
    for name in COMMANDS:
        assert client.error(name)[0] == "invalid_format", name
    assert client.error("blueprint/save", domain="light", path="a", yaml=PLAIN)[0] == "invalid_format"
