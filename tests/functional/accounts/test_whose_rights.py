# SPDX-License-Identifier: Apache-2.0
"""Scripts and automations act with all rights, scenes with those of their caller: what a user of one room makes of them."""

import pytest
import yaml

from checks import call, state_of
from hub_process import wait_until
from test_rights import RIGHTS, add_with_rights
from websocket_client import WebSocketClient

ITEMS = """
script:
  dim:
    fields:
      what: {selector: {entity: {domain: light}}}
      brightness: {selector: {number: {min: 1, max: 255}}}
    sequence:
      - {action: light.turn_on, target: {entity_id: "{{ what }}"}, data: {brightness: "{{ brightness | default(90) }}"}}
      - stop: done
        response_variable: answer
    variables: {answer: {dimmed: "{{ what }}"}}
  anything: {sequence: [{action: homeassistant.turn_on, target: "{{ target }}"}]}
  elsewhere: {sequence: [{action: light.turn_on, target: {entity_id: light.bedroom}}]}
automation:
  - {id: trial, alias: Trial, triggers: [], actions: [{action: light.turn_on, target: {entity_id: "{{ what }}"}}]}
scene:
  - {name: Both, entities: {light.kitchen: {state: "on", brightness: 70}, light.bedroom: {state: "on", brightness: 70}}}
"""


@pytest.fixture(scope="module")
def hub(module_hubs):
    hub = module_hubs(**yaml.safe_load(ITEMS))
    add_with_rights(hub, "guest", RIGHTS)
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        for entity in ("script.dim", "script.anything", "automation.trial", "scene.both"):
            admin.result("config/entity_registry/update", entity_id=entity, area_id="kitchen")
        admin.result("config/entity_registry/update", entity_id="script.elsewhere", area_id="bedroom")
    return hub


@pytest.fixture(autouse=True)
def dark(hub):
    call(hub, "light.turn_off", {"entity_id": ["light.kitchen", "light.bedroom"]})


def ask(hub, service, data, user="guest"):
    domain, name = service.split(".")
    with hub.client(user) as client:
        return client.post(f"/api/services/{domain}/{name}", json=data)


def lit(hub):
    return [room for room in ("kitchen", "bedroom") if state_of(hub, f"light.{room}")["state"] == "on"]


WAYS = {
    "its service": lambda script, variables: (f"script.{script}", variables),
    "turn_on": lambda script, variables: ("script.turn_on", {"entity_id": f"script.{script}", "variables": variables}),
    "toggle": lambda script, variables: ("script.toggle", {"entity_id": f"script.{script}", "variables": variables}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.contract("Tokens and rights: scripts, automations and scenes")
def test_a_script_takes_only_what_its_caller_controls(hub, way):
    for what in ("light.bedroom", ["light.bedroom"], "LIGHT.BEDROOM"):
        refused = ask(hub, *WAYS[way]("dim", {"what": what}))
        if isinstance(what, list):
            assert refused.status_code == 400 and "what: expected" in refused.json()["message"]
            continue
        assert refused.status_code == 403
        assert refused.json()["message"] == "what: This user may not control light.bedroom."
    assert ask(hub, *WAYS[way]("dim", {"what": "light.kitchen", "brightness": 300})).status_code == 400
    undeclared = ask(hub, *WAYS[way]("anything", {"target": {"entity_id": "light.bedroom"}}))
    assert undeclared.status_code == 403 and undeclared.json()["message"].startswith("target: ")
    assert lit(hub) == []
    assert ask(hub, *WAYS[way]("dim", {"what": "light.kitchen"})).status_code == 200
    wait_until(lambda: lit(hub) == ["kitchen"])
    assert ask(hub, *WAYS[way]("anything", {"target": {"entity_id": "light.bedroom"}}), user="admin").status_code == 200
    wait_until(lambda: lit(hub) == ["kitchen", "bedroom"])


@pytest.mark.contract("Tokens and rights: scripts, automations and scenes")
def test_a_script_is_called_by_who_controls_its_entity(hub):
    with hub.client("guest") as client:
        answer = client.post("/api/services/script/dim?return_response", json={"what": "light.kitchen"})
    assert answer.json()["service_response"] == {"dimmed": "light.kitchen"}
    hidden = ask(hub, "script.elsewhere", {})
    assert hidden.status_code == 404 and hidden.json() == ask(hub, "script.nowhere", {}).json() | hidden.json()
    assert lit(hub) == ["kitchen"]


@pytest.mark.contract("Tokens and rights: scripts, automations and scenes")
def test_an_automation_takes_no_variables_of_others(hub):
    data = {"entity_id": "automation.trial", "variables": {"what": "light.kitchen"}}
    refused = ask(hub, "automation.trigger", data)
    assert refused.status_code == 403 and refused.json()["message"].startswith("what: ")
    assert ask(hub, "automation.trigger", data, user="admin").status_code == 200
    wait_until(lambda: lit(hub) == ["kitchen"])


@pytest.mark.contract("Tokens and rights: scripts, automations and scenes")
def test_a_scene_leaves_out_what_its_caller_does_not_control(hub):
    call(hub, "scene.create", {"scene_id": "made", "entities": {"light.kitchen": "on", "light.bedroom": "on"}})
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        admin.result("config/entity_registry/update", entity_id="scene.made", area_id="kitchen")
    for scene in ("scene.both", "scene.made"):
        assert ask(hub, "scene.turn_on", {"entity_id": scene}).status_code == 200
        wait_until(lambda: lit(hub) == ["kitchen"])
        call(hub, "scene.turn_on", {"entity_id": scene})
        wait_until(lambda: lit(hub) == ["kitchen", "bedroom"])
        call(hub, "light.turn_off", {"entity_id": ["light.kitchen", "light.bedroom"]})
    for service, data in (("scene.apply", {"entities": {"light.bedroom": "on"}}),
                          ("scene.create", {"scene_id": "theirs", "snapshot_entities": ["light.bedroom"]})):
        assert ask(hub, service, data).status_code == 403
    assert lit(hub) == []
