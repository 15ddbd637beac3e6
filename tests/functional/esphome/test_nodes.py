# SPDX-License-Identifier: Apache-2.0
"""Nodes of ESPHome by their native API, played from a recorded session of a real one."""

import base64
import json

import pytest

from checks import attribute, becomes, call, value
from esphome_node import DISCONNECT, LISTS, PING, Fixed, Node, fields, message, recorded
from hub_process import command, wait_until
from websocket_client import WebSocketClient

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
KEY = base64.b64encode(bytes(range(32))).decode()
OTHER_KEY = base64.b64encode(bytes(range(1, 33))).decode()
RELAY = "switch.test_node_relay"


@pytest.fixture
def node():
    """Makes nodes, which end with the test."""
    made = []

    def make(**options):
        made.append(Node(**options))
        return made[-1]

    yield make
    for one in made:
        try:
            one.stop()
        except OSError:
            pass


def section(*nodes, **options):
    return {"nodes": [{"host": "127.0.0.1", "port": node.port, **options} for node in nodes]}


def entries(hub):
    return [entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "esphome"]


def has_state(hub, state, place=0):
    wait_until(lambda: entries(hub)[place]["state"] == state, 10)
    return entries(hub)[place]


def there(hub, entity_id):
    wait_until(lambda: hub.admin.get(f"/api/states/{entity_id}").status_code == 200, 10)


def small(name, mac):
    """A node with one switch, Relay."""
    return {"messages": [(17, message(f2=Fixed(1), f3="Relay")), (26, message(f1=Fixed(1)))], "name": name, "mac": mac}


def repair(hub, kind):
    """The issue, once the hub has it."""
    def found():
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            issues = client.result("repairs/list_issues")["issues"]
        return next((issue for issue in issues if issue["translation_key"] == kind), None)
    return wait_until(found, 15)


def begin(hub, **data):
    step = hub.admin.post(FLOW, json={"handler": "esphome"}).json()
    return submit(hub, step, **data) if data else step


def submit(hub, step, **data):
    answer = hub.admin.post(f"{FLOW}/{step['flow_id']}", json=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_node_of_the_configuration_brings_its_entities(hub_factory, node):
    one = node()
    hub = hub_factory(esphome=section(one))
    becomes_there = has_state(hub, "loaded")
    assert becomes_there["source"] == "yaml" and becomes_there["reason"] is None
    becomes(hub, "climate.test_node_heating", "off")
    becomes(hub, "cover.test_node_blind", "open")
    assert attribute(hub, "cover.test_node_blind", "current_position") == 100
    becomes(hub, "number.test_node_level", "2.5")
    becomes(hub, RELAY, "off")
    changed = call(hub, "switch.turn_on", {"entity_id": RELAY})
    assert [(state["entity_id"], state["state"]) for state in changed] == [(RELAY, "on")]
    temperature = next(payload for kind, payload in recorded() if kind == 16 and b"Temperature" in payload)
    one.send(25, message(f1=Fixed(int.from_bytes(fields(temperature)[2], "little")), f2=21.456))
    becomes(hub, "sensor.test_node_temperature", "21.5")
    hub.stop()
    assert one.wait_for(DISCONNECT) == b""


def test_entities_stay_while_a_node_restarts_and_go_if_it_stays_away(hub_factory, node):
    one = node()
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    becomes(hub, RELAY, "off")  # its first report would answer the call
    call(hub, "switch.turn_on", {"entity_id": RELAY})
    with hub.stream("?restrict=state_changed") as stream:
        one.drop()
        wait_until(lambda: one.sessions == 2, 10)
        wait_until(lambda: entries(hub)[0]["state"] == "loaded")
        call(hub, "switch.turn_off", {"entity_id": "switch.test_node_sub_relay"})
        call(hub, "switch.turn_on", {"entity_id": "switch.test_node_sub_relay"})
        seen = stream.until(lambda event: event["data"]["entity_id"] == "switch.test_node_sub_relay"
                            and event["data"]["new_state"]["state"] == "on")
        assert not [frame for frame in seen if frame.event["data"]["new_state"]["state"] == "unavailable"]
    one.stop()
    wait_until(lambda: value(hub, RELAY) == "unavailable", 15)
    assert value(hub, "binary_sensor.test_node_status") == "off"
    assert entries(hub)[0]["state"] == "setup_retry" and "127.0.0.1" in entries(hub)[0]["reason"]
    one.start()
    wait_until(lambda: value(hub, RELAY) != "unavailable", 30)


def test_entities_are_there_after_a_start_before_the_node_is(hub_factory, node):
    one = node()
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    becomes(hub, RELAY, "off")  # its first report would answer the call
    call(hub, "switch.turn_on", {"entity_id": RELAY})
    becomes(hub, RELAY, "on")
    becomes(hub, "select.test_node_mode", "eco")
    hub.stop()
    one.stop()
    hub = hub_factory.start(hub.folder)
    assert value(hub, RELAY) == "on"
    assert value(hub, "select.test_node_mode") == "eco"
    assert entries(hub)[0]["state"] == "setup_retry"


def test_an_encrypted_node_needs_its_key(hub_factory, node):
    right, wrong, none, needless = (node(key=key, **small(f"n{place}", f"02:00:00:00:00:0{place}"))
                                    for place, key in enumerate((KEY, KEY, KEY, None)))
    nodes = (section(right, encryption_key=KEY)["nodes"] + section(wrong, encryption_key=OTHER_KEY)["nodes"] +
             section(none)["nodes"] + section(needless, encryption_key=KEY)["nodes"])
    hub = hub_factory(esphome={"nodes": nodes})
    assert has_state(hub, "loaded", 0)["reason"] is None
    becomes(hub, "switch.n0_relay", "off")
    assert [state["state"] for state in call(hub, "switch.turn_on", {"entity_id": "switch.n0_relay"})] == ["on"]
    assert has_state(hub, "setup_error", 1)["reason"] == "The node has another encryption key."
    assert has_state(hub, "setup_error", 2)["reason"] == "The node needs its encryption key."
    assert "has no encryption" in has_state(hub, "setup_error", 3)["reason"]


def test_a_wrong_key_in_the_file_is_named_with_its_line(hub_factory):
    folder = hub_factory.folder(esphome={"nodes": [{"host": "a.local"}, {"host": "b.local", "encryption_key": "c2hvcnQ="},
                                                   {"port": 1}, {"host": "c.local", "noise": 1}]})
    lines = (folder / "configuration.yaml").read_text().splitlines()
    place = next(n for n, line in enumerate(lines, 1) if "encryption_key" in line)
    done = command(folder, "check")
    said = done.stdout + done.stderr
    assert f"configuration.yaml:{place}: esphome.nodes[1].encryption_key: expected an encryption key" in said, said
    assert "c2hvcnQ" not in said
    assert "esphome.nodes[2]: host: missing" in said and "esphome.nodes[3].noise: unknown key" in said, said


def test_a_node_is_added_by_a_flow_with_its_key(hub_factory, node):
    one = node(key=KEY)
    hub = hub_factory()
    step = begin(hub)
    assert step["step_id"] == "user" and [field["name"] for field in step["data_schema"]] == ["host", "port"]
    step = submit(hub, step, host="127.0.0.1", port=one.port)
    assert step["step_id"] == "encryption_key" and step["errors"] == {}
    assert step["data_schema"] == [{"name": "noise_psk", "type": "string", "required": True, "secret": True}]
    assert submit(hub, step, noise_psk="short")["errors"] == {"noise_psk": "invalid_psk"}
    assert submit(hub, step, noise_psk=OTHER_KEY)["errors"] == {"noise_psk": "invalid_auth"}
    made = submit(hub, step, noise_psk=KEY)
    assert (made["type"], made["title"]) == ("create_entry", "Test Node")
    entry = has_state(hub, "loaded")
    assert entry["source"] == "user"
    becomes(hub, RELAY, "off")
    assert one.wait_for(DISCONNECT) == b"", "the flow says goodbye"
    again = begin(hub, host="127.0.0.1", port=one.port)
    assert submit(hub, again, noise_psk=KEY) | {"flow_id": None} == {
        "type": "abort", "flow_id": None, "handler": "esphome", "reason": "already_configured"}
    report = hub.admin.get(f"/api/diagnostics/config_entry/{entry['entry_id']}")
    assert report.status_code == 200 and KEY not in report.text and "test-node" in report.text
    assert hub.admin.delete(f"{ENTRY}/{entry['entry_id']}").json() == {"require_restart": False}
    wait_until(lambda: hub.admin.get(f"/api/states/{RELAY}").status_code == 404)
    assert entries(hub) == []


def change(hub, entry, **data):
    step = hub.admin.post(FLOW, json={"handler": "esphome", "entry_id": entry["entry_id"]}).json()
    return submit(hub, step, **data) if data else step


DONE = {"type": "abort", "handler": "esphome", "reason": "reconfigure_successful"}


def said(step):
    return {name: step.get(name) for name in DONE}


def test_a_connection_follows_its_node_to_another_address_and_key(hub_factory, node):
    one = node(**small("hall", "02:00:00:00:00:01"))
    hub = hub_factory()
    begin(hub, host="127.0.0.1", port=one.port)
    entry = has_state(hub, "loaded")
    assert entry["supports_reconfigure"] is True
    becomes(hub, "switch.hall_relay", "off")
    one.stop()
    moved = node(key=KEY, **small("hall", "02:00:00:00:00:01"))
    step = change(hub, entry)
    assert [(field["name"], field.get("default")) for field in step["data_schema"]] == [
        ("host", "127.0.0.1"), ("port", one.port), ("noise_psk", None), ("allow_service_calls", False)]
    assert submit(hub, step, host="no host", port=1)["errors"] == {"host": "invalid_host"}
    assert submit(hub, step, host="127.0.0.1", port=one.port, noise_psk="short")["errors"] == {"noise_psk": "invalid_psk"}
    assert submit(hub, step, host="127.0.0.1", port=one.port, noise_psk=KEY)["errors"] == {"base": "cannot_connect"}
    assert submit(hub, step, host="127.0.0.1", port=moved.port)["errors"] == {"noise_psk": "invalid_auth"}
    assert submit(hub, step, host="127.0.0.1", port=moved.port, noise_psk=OTHER_KEY)["errors"] == {
        "noise_psk": "invalid_auth"}
    other = node(**small("other", "02:00:00:00:00:02"))
    assert said(change(hub, entry, host="127.0.0.1", port=other.port)) == DONE | {"reason": "unique_id_mismatch"}
    assert said(submit(hub, step, host="127.0.0.1", port=moved.port, noise_psk=KEY)) == DONE
    has_state(hub, "loaded")
    becomes(hub, "switch.hall_relay", "off")
    assert [each["entry_id"] for each in entries(hub)] == [entry["entry_id"]], "it is the same connection"
    # The key stays if nobody types another.
    assert said(change(hub, entry, host="127.0.0.1", port=moved.port, allow_service_calls=True)) == DONE
    assert change(hub, entry)["data_schema"][3]["default"] is True
    has_state(hub, "loaded")


def test_a_node_that_sleeps_may_be_allowed_to_call_services(hub_factory, node):
    one = node()
    hub = hub_factory()
    begin(hub, host="127.0.0.1", port=one.port)
    entry = has_state(hub, "loaded")
    one.stop()
    assert said(change(hub, entry, host="127.0.0.1", port=one.port, allow_service_calls=True)) == DONE


def test_a_node_is_given_a_key(hub_factory, node):
    one = node(**small("hall", "02:00:00:00:00:01"))
    hub = hub_factory()
    begin(hub, host="127.0.0.1", port=one.port)
    entry = has_state(hub, "loaded")
    becomes(hub, "switch.hall_relay", "off")
    step = wait_until(lambda: next((step for step in [change(hub, entry)] if len(step["data_schema"]) == 5), None))
    assert step["data_schema"][4] == {"name": "new_key", "type": "boolean", "required": False, "default": False}
    step = submit(hub, step, host="127.0.0.1", port=one.port, new_key=True)
    assert (step["step_id"], step["data_schema"], one.key) == ("new_key", [], None), "a person sees it before"
    key = step["description_placeholders"]["key"]
    assert said(submit(hub, step)) == DONE
    assert one.key == key
    has_state(hub, "loaded")
    assert wait_until(lambda: one.session and one.session.noise)
    becomes(hub, "switch.hall_relay", "off")
    assert len(change(hub, entry)["data_schema"]) == 4, "it has one"
    assert key not in hub.admin.get(f"/api/diagnostics/config_entry/{entry['entry_id']}").text


def test_only_connections_of_pages_are_changed_by_flows(hub_factory, node):
    one = node()
    hub = hub_factory(esphome=section(one))
    entry = has_state(hub, "loaded")
    assert entry["supports_reconfigure"] is False
    for handler, entry_id, status, words in [
            ("esphome", entry["entry_id"], 400, "is set in configuration.yaml"),
            ("esphome", "nothing", 404, "There is no config entry nothing"),
            ("demo", entry["entry_id"], 400, "handler: "),
            ("esphome", 7, 400, "entry_id")]:
        answer = hub.admin.post(FLOW, json={"handler": handler, "entry_id": entry_id})
        assert answer.status_code == status and words in answer.text, answer.text


def test_a_flow_says_what_is_wrong(hub_factory, node):
    hub = hub_factory()
    gone = node()
    gone.stop()
    assert begin(hub, host="127.0.0.1", port=gone.port)["errors"] == {"base": "cannot_connect"}
    assert begin(hub, host="no host", port=1)["errors"] == {"host": "invalid_host"}
    one = node()
    made = begin(hub, host="127.0.0.1", port=one.port)
    assert made["type"] == "create_entry"
    with_password = node(password="secret", **small("old", "02:00:00:00:00:01"))
    assert begin(hub, host="127.0.0.1", port=with_password.port)["errors"] == {"base": "invalid_auth"}


def test_a_node_of_the_file_is_not_added_twice(hub_factory, node):
    one = node()
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    assert begin(hub, host="127.0.0.1", port=one.port)["reason"] == "already_configured"


def test_another_node_at_the_same_host_is_refused(hub_factory, node):
    one = node(**small("first", "02:00:00:00:00:01"))
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    one.info = message(f2="second", f3="02:00:00:00:00:02", f13="Second")
    one.drop()
    entry = has_state(hub, "setup_error")
    assert entry["reason"].startswith("127.0.0.1 is now another node: second"), entry
    assert hub.admin.get("/api/states/switch.second_relay").status_code == 404


def test_two_connections_cannot_have_the_same_node(hub_factory, node):
    first, copy = node(**small("first", "02:00:00:00:00:01")), node(**small("copy", "02:00:00:00:00:01"))
    copy.silent = True
    hub = hub_factory(esphome=section(first, copy))
    has_state(hub, "loaded", 0)
    copy.silent = False
    hub.admin.post(f"{ENTRY}/{entries(hub)[1]['entry_id']}/reload")
    assert "has a connection already" in has_state(hub, "setup_error", 1)["reason"]
    becomes(hub, "switch.first_relay", "off")


def test_a_nodes_actions_are_services(hub_factory, node):
    go = message(f1="Go", f2=Fixed(7), f3=message(f1="count", f2=1), f4=1)
    one = node(messages=[(41, go)], name="test-node", mac="02:00:00:00:00:01")
    one.answers[7] = {"f2": True, "f4": json.dumps({"sum": 3})}
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    listed = {each["domain"]: each["services"] for each in hub.admin.get("/api/services").json()}
    assert listed["esphome"]["test_node_go"]["fields"]["count"]["required"] is True
    answer = hub.admin.post("/api/services/esphome/test_node_go?return_response", json={"count": 3}).json()
    assert answer["service_response"] == {"sum": 3}
    assert fields(fields(one.wait_for(42))[2])[5] == 6, "a sint32"
    one.answers[7] = {"f2": False, "f3": "it is stuck"}
    failed = hub.admin.post("/api/services/esphome/test_node_go", json={"count": 3})
    assert failed.status_code == 400 and "it is stuck" in failed.text
    refused = hub.display.post("/api/services/esphome/test_node_go", json={"count": 3})
    assert refused.status_code == 403


def test_a_node_fires_events_hears_states_and_does_not_call_services(hub_factory, node):
    one = node(**small("first", "02:00:00:00:00:01"))
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    wait_until(lambda: one.session)
    with hub.stream("?restrict=esphome.pressed") as stream:
        one.send(35, message(f1="esphome.pressed", f2=message(f1="which", f2="left"), f5=True))
        event = stream.until_type("esphome.pressed")[-1].event
        assert event["data"] == {"which": "left", "device_id": "esphome.02:00:00:00:00:01"}
    one.send(39, message(f1="sun.sun"))
    assert fields(one.wait_for(40))[1] == b"sun.sun"
    one.send(35, message(f1="switch.turn_on", f2=message(f1="entity_id", f2="switch.first_relay"), f6=4))
    refusal = fields(one.wait_for(130))
    assert refusal[1] == 4 and 2 not in refusal
    assert value(hub, "switch.first_relay") == "off"
    issue = repair(hub, "esphome_calls_refused")
    assert issue["translation_placeholders"] == {"node": "First", "services": "switch.turn_on"}


def test_what_a_node_no_longer_has_is_said_and_can_be_removed(hub_factory, node):
    one = node(**small("first", "02:00:00:00:00:01"))
    hub = hub_factory(esphome=section(one))
    has_state(hub, "loaded")
    one.messages = []
    one.drop()
    assert repair(hub, "esphome_entities_gone")["translation_placeholders"]["entities"] == "switch.first_relay"
    assert value(hub, "switch.first_relay") == "unavailable"
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/entity_registry/remove", entity_id="switch.first_relay")
    wait_until(lambda: hub.admin.get("/api/states/switch.first_relay").status_code == 404)



def test_a_node_that_may_calls_services(hub_factory, node):
    one = node(**small("first", "02:00:00:00:00:01"))
    hub = hub_factory(esphome=section(one, allow_service_calls=True))
    has_state(hub, "loaded")
    one.send(35, message(f1="switch.turn_on", f2=message(f1="entity_id", f2="switch.first_relay"), f6=4))
    assert fields(one.wait_for(130))[2] == 1
    becomes(hub, "switch.first_relay", "on")


def test_a_node_that_talks_nonsense_harms_nobody(hub_factory, node):
    good, bad, silent = (node(**small(f"n{place}", f"02:00:00:00:00:0{place}")) for place in range(3))
    bad.messages = [(17, b"\x0a\x05")]
    silent.silent = True
    hub = hub_factory(esphome=section(good, bad, silent))
    has_state(hub, "loaded", 0)
    assert "cannot be read" in has_state(hub, "setup_retry", 1)["reason"]
    wait_until(lambda: "did not greet" in (entries(hub)[2]["reason"] or ""), 15)
    becomes(hub, "switch.n0_relay", "off")
    assert [state["state"] for state in call(hub, "switch.turn_on", {"entity_id": "switch.n0_relay"})] == ["on"]


def test_twenty_nodes_in_one_home(hub_factory, node):
    nodes = [node(**small(f"n{place}", f"02:00:00:00:01:{place:02x}")) for place in range(20)]
    hub = hub_factory(esphome=section(*nodes))
    wait_until(lambda: {entry["state"] for entry in entries(hub)} == {"loaded"}, 20)
    for place in range(20):
        becomes(hub, f"switch.n{place}_relay", "off")
    changed = call(hub, "switch.turn_on", {"entity_id": [f"switch.n{place}_relay" for place in range(20)]})
    assert len(changed) == 20 and {state["state"] for state in changed} == {"on"}
    one, *others = entries(hub)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config_entries/disable", entry_id=one["entry_id"], disabled_by="user")
    becomes(hub, "switch.n0_relay", "unavailable")
    assert value(hub, "switch.n1_relay") == "on"
    assert all(kind in (PING, *LISTS) or kind < 200 for each in nodes for kind, _ in each.received)
