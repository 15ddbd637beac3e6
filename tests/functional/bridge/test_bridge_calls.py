# SPDX-License-Identifier: Apache-2.0
"""Services of another hub from here: calls, answers, errors, contexts, events both ways, triggers of its devices."""

import json
import threading

import pytest

from checks import assert_json, assert_message, becomes, call, state_of
from hub_process import wait_until
from item_files import url
from made_hub import NOTHING, MadeHub, Refused
from test_rights import add_with_rights
from websocket_client import WebSocketClient

LAMP, COVER, STOVE, RADIO, PROGRAM, ODD = ("light.cabin_lamp", "cover.cabin_blind", "climate.cabin_stove", "media_player.cabin_radio",
                                           "script.cabin_evening", "image_processing.cabin_door")
TARGET = {"entity": [{"domain": ["image_processing"]}]}


def service(target=True, **more):
    return {"name": "Named", "description": "Does it.", "fields": {}, **({"target": {"entity": [{}]}} if target else {}), **more}


@pytest.fixture(scope="module")
def there():
    hub = MadeHub()
    for number, (entity, value) in enumerate([("light.lamp", "off"), ("light.other", "off"), ("cover.blind", "open"), ("climate.stove", "heat"),
                                              ("media_player.radio", "on"), ("script.evening", "off"),
                                              ("image_processing.door", "0"), ("binary_sensor.window", "off")]):
        hub.add(entity, value, {"friendly_name": entity, "supported_features": 0}, unique_id=str(number), platform="zha",
                device_id="b1" * 16)
    hub.devices["b1" * 16] = {"name": "Button", "identifiers": [["zha", "1"]]}
    for domain, names in {"cover": ["open_cover", "close_cover"], "climate": ["set_temperature"], "media_player": ["play_media"],
                          "script": ["turn_on", "evening"], "homeassistant": ["turn_on", "turn_off", "toggle"]}.items():
        hub.services[domain] = {name: service() for name in names}
    hub.services["notify"] = {"mobile_app_phone": service(target=False)}
    hub.services["image_processing"] = {"scan": {**service(), "target": TARGET, "response": {"optional": True},
                                                 "fields": {"deep": {"required": False, "selector": {"boolean": {}}}}}}
    hub.start()
    yield hub
    hub.stop()


@pytest.fixture(scope="module")
def home(module_hubs, there):
    hub = module_hubs(home_assistant=there.section(prefix="cabin_", events={"receive": ["zha_event", "both"], "send": ["both", "out"]}))
    wait_until(lambda: state_or_none(hub, ODD) == "0")
    wait_until(lambda: "scan" in services(hub).get("image_processing", {}))
    return hub


@pytest.fixture(autouse=True)
def nothing_is_left(there):
    yield
    there.handlers.clear()
    there.overrides.clear()


def state_or_none(hub, entity_id):
    response = hub.admin.get(f"/api/states/{entity_id}")
    return response.json()["state"] if response.status_code == 200 else None


def services(hub):
    return {each["domain"]: each["services"] for each in hub.admin.get("/api/services").json()}


def save(hub, item, **keys):
    assert hub.admin.post(url(item), json=keys).status_code == 200


def post(hub, name, data, query=""):
    domain, action = name.split(".")
    return hub.admin.post(f"/api/services/{domain}/{action}{query}", json=data)


def last_call(there, name):
    return there.calls_of(name)[-1]


CASES = [
    ("light.turn_on", {"entity_id": LAMP, "brightness": 7, "sparkle": "unheard of"}, {"entity_id": ["light.lamp"], "brightness": 7,
                                                                                       "sparkle": "unheard of"}),
    ("cover.close_cover", {"entity_id": COVER}, {"entity_id": ["cover.blind"]}),
    ("climate.set_temperature", {"entity_id": STOVE, "temperature": 99}, {"entity_id": ["climate.stove"], "temperature": 99}),
    ("media_player.play_media", {"entity_id": RADIO, "media_content_id": "media-source://radio", "media_content_type": "x",
                                 "extra": {"volume": 1}},
     {"entity_id": ["media_player.radio"], "media_content_id": "media-source://radio", "media_content_type": "x",
      "extra": {"volume": 1}}),
    ("script.turn_on", {"entity_id": PROGRAM, "variables": {"lamp": LAMP}}, {"entity_id": ["script.evening"],
                                                                             "variables": {"lamp": "light.lamp"}}),
    ("notify.mobile_app_phone", {"message": "Hello"}, {"message": "Hello"}),
    ("image_processing.scan", {"entity_id": ODD, "deep": True, "more": 1}, {"entity_id": ["image_processing.door"], "deep": True,
                                                                           "more": 1}),
    ("homeassistant.turn_on", {"entity_id": ODD}, {"entity_id": ["image_processing.door"]}),
]


def quick(there, name):
    """The entities of the call report what it has changed at once, so that nobody waits for them."""
    def handler(made):
        for entity in made["entities"]:
            there.set(entity, there.states[entity].value, {**there.states[entity].attributes, "call": made["context"]["id"]},
                      context=made["context"])
        return {}
    there.handlers[name] = handler


@pytest.mark.contract("Bridge: calls")
@pytest.mark.parametrize("name,data,wanted", CASES, ids=[case[0] for case in CASES])
def test_each_way_of_calling_reaches_the_hub_there_with_the_data_as_given(home, there, name, data, wanted):
    quick(there, name)
    before = len(there.calls_of(name))
    changed = assert_json(post(home, name, data))
    entity = data.get("entity_id")
    assert [state["entity_id"] for state in changed] == ([entity] if entity else [])
    with WebSocketClient(home, home.tokens["admin"]) as socket:
        target = {"entity_id": data["entity_id"]} if entity else {}
        socket.result("call_service", domain=name.split(".")[0], service=name.split(".")[1], target=target,
                      service_data={key: each for key, each in data.items() if key != "entity_id"})
    save(home, "calls_there", alias="Calls there", triggers=[{"trigger": "event", "event_type": "call_there"}],
           actions=[{"action": name, "data": data}])
    home.admin.post("/api/events/call_there", json={})
    wait_until(lambda: len(there.calls_of(name)) == before + 3)
    assert [made["data"] for made in there.calls_of(name)[before:]] == [wanted] * 3


@pytest.mark.contract("Bridge: calls")
def test_an_answer_with_data_is_handed_on_with_ids_of_here(home, there):
    there.handlers["image_processing.scan"] = lambda made: {"image_processing.door": {"plates": ["B-1"]}}
    answer = assert_json(post(home, "image_processing.scan", {"entity_id": ODD}, "?return_response"))
    assert answer["service_response"] == {ODD: {"plates": ["B-1"]}}
    assert services(home)["image_processing"]["scan"]["target"] == TARGET
    assert services(home)["image_processing"]["scan"]["fields"]["deep"]["selector"] == {"boolean": {}}


@pytest.mark.contract("Bridge: calls")
def test_a_target_of_both_hubs_is_checked_here_before_anything_is_done(home, there):
    before = len(there.calls)
    response = post(home, "light.turn_on", {"entity_id": [LAMP, "light.kitchen"], "sparkle": 1})
    assert_message(response, 400)
    assert len(there.calls) == before
    changed = assert_json(post(home, "light.turn_on", {"entity_id": [LAMP, "light.kitchen"], "brightness": 40}))
    assert {state["entity_id"] for state in changed} == {LAMP, "light.kitchen"}
    assert last_call(there, "light.turn_on")["data"] == {"entity_id": ["light.lamp"], "brightness": 40}
    call(home, "light.turn_off", {"entity_id": [LAMP, "light.kitchen"]})


ERRORS = [("not_found", 404, "not_found"), ("invalid_format", 400, "invalid_format"),
          ("service_validation_error", 400, "service_validation_error"), ("home_assistant_error", 502, "home_assistant_error"),
          ("unauthorized", 403, "unauthorized"), ("timeout", 502, "home_assistant_error")]


@pytest.mark.contract("Bridge: errors")
@pytest.mark.parametrize("code,status,code_here", ERRORS, ids=[row[0] for row in ERRORS])
def test_what_the_hub_there_says_is_told_in_its_words(home, there, code, status, code_here):
    def refuse(_):
        raise Refused(code, "The bulb is broken.", translation_domain="hue", translation_key="bulb", translation_placeholders={"n": "1"})

    there.handlers["light.turn_on"] = refuse
    response = post(home, "light.turn_on", {"entity_id": LAMP})
    body = assert_json(response, status)
    assert body == {"message": "home (Home Assistant) says: The bulb is broken.", "translation_domain": "hue", "translation_key": "bulb",
                    "translation_placeholders": {"n": "1"}}
    with WebSocketClient(home, home.tokens["admin"]) as socket:
        error = socket.command("call_service", domain="light", service="turn_on", target={"entity_id": LAMP})["error"]
    assert error["code"] == code_here and error["message"] == body["message"]
    assert error["translation_key"] == "bulb" and error["translation_placeholders"] == {"n": "1"}


@pytest.mark.contract("Bridge: errors")
def test_a_call_that_was_sent_before_a_loss_is_not_sent_again(home, there):
    before = len(there.calls)

    def lose(_):
        there.drop()
        return NOTHING

    there.handlers["light.turn_on"] = lose
    message = assert_message(post(home, "light.turn_on", {"entity_id": LAMP}), 503)
    assert "it is not known whether it was done" in message
    there.handlers.clear()
    wait_until(lambda: post(home, "light.turn_off", {"entity_id": "light.cabin_other"}).status_code == 200, timeout=20)
    assert len(there.calls_of("light.turn_on")) and len([made for made in there.calls[before:] if made["service"] == "turn_on"]) == 1


@pytest.mark.contract("Bridge: errors")
def test_calls_beyond_64_wait_for_answers_of_others(home, there):
    free, held = threading.Event(), []

    def hold(made):
        if not free.is_set():
            held.append(made)
            return NOTHING
        return {}

    there.handlers["light.toggle"] = hold
    with WebSocketClient(home, home.tokens["admin"], timeout=40) as socket:
        before = len(there.calls_of("light.toggle"))
        first = socket.last_id
        for _ in range(70):
            socket.last_id += 1
            socket.send({"id": socket.last_id, "type": "call_service", "domain": "light", "service": "toggle",
                         "target": {"entity_id": LAMP}})
        late = [socket.receive() for _ in range(6)]
        assert all("was not sent" in each["error"]["message"] for each in late), late
        assert len(there.calls_of("light.toggle")) == before + 64 and len(held) == 64
        there.drop()
        rest = [socket.receive() for _ in range(64)]
        assert all("not known" in each["error"]["message"] for each in rest)
        assert sorted(each["id"] for each in late + rest) == list(range(first + 1, first + 71))
    free.set()
    wait_until(lambda: post(home, "light.turn_off", {"entity_id": "light.cabin_other"}).status_code == 200, timeout=20)


@pytest.mark.contract("Bridge: calls")
def test_any_service_there_can_be_called_by_whoever_controls_everything(home, there):
    quick(there, "homeassistant.toggle")
    answer = assert_json(post(home, "home_assistant.call", {"domain": "homeassistant", "service": "toggle",
                                                            "target": {"entity_id": LAMP}, "data": {"x": LAMP}}))
    assert isinstance(answer, list)
    assert last_call(there, "homeassistant.toggle")["data"] == {"entity_id": "light.lamp", "x": "light.lamp"}
    add_with_rights(home, "cabinguest", f"read: {{entities: [{LAMP}]}}\ncontrol: {{entities: [{LAMP}]}}\n")
    before = len(there.calls)
    with home.client("cabinguest") as guest:
        assert guest.post("/api/services/home_assistant/call", json={"domain": "homeassistant", "service": "toggle"}).status_code == 403
    assert home.ann.post("/api/services/home_assistant/reload", json={}).status_code == 403
    assert len(there.calls) == before


@pytest.mark.contract("Bridge: contexts")
def test_a_change_of_a_call_has_the_context_of_whoever_called_also_before_the_result(home, there):
    save(home, "chain", alias="Chain", triggers=[{"trigger": "event", "event_type": "chain"}],
           actions=[{"action": "light.turn_on", "target": {"entity_id": LAMP}, "data": {"brightness": 3}}])
    call(home, "light.turn_off", {"entity_id": LAMP})
    home.admin.post("/api/events/chain", json={})
    becomes(home, LAMP, "on")
    context = state_of(home, LAMP)["context"]
    with WebSocketClient(home, home.tokens["admin"]) as socket:
        assert socket.result("trace/contexts", domain="automation", item_id="chain").get(context["id"]), context
        chain = socket.result("automation/explain", entity_id=LAMP)["chain"]
        assert "Chain" in json.dumps(chain), chain
    # A change by somebody there keeps its own chain.
    made = there.set("light.lamp", "off", parent_id="01MADEPARENT")
    becomes(home, LAMP, "off")
    shown = state_of(home, LAMP)["context"]
    assert (shown["id"], shown["parent_id"], shown["user_id"]) == (made["id"], "01MADEPARENT", None)


@pytest.mark.contract("Bridge: contexts")
def test_why_names_the_automation_of_there(home, there):
    there.add("automation.follows", "on", {"friendly_name": "Follows"}, unique_id="follows", platform="automation", original_name="Follows")
    wait_until(lambda: state_or_none(home, "automation.cabin_follows") == "on")
    there.set("light.lamp", "off")
    becomes(home, LAMP, "off")
    ran = there.context(parent_id="01MADEPARENT")
    there.set("automation.follows", "on", {"friendly_name": "Follows", "last_triggered": "now"}, context=ran)
    there.set("light.lamp", "on", context=ran)
    becomes(home, LAMP, "on")

    def chain(entity_id):
        with WebSocketClient(home, home.tokens["admin"]) as socket:
            return socket.result("automation/explain", entity_id=entity_id)["chain"]

    wait_until(lambda: len(chain(LAMP)) > 1)
    state, run = chain(LAMP)
    assert (state["kind"], state["to"]) == ("state", "on")
    assert (run["kind"], run["automation"], run["run_id"]) == ("run", "automation.cabin_follows", None)
    assert run["text"] == "The automation Follows ran at another hub."
    assert [link["kind"] for link in chain("automation.cabin_follows")] == ["state", "report"]


@pytest.mark.contract("Bridge: events")
def test_events_come_and_go_and_nothing_goes_in_a_circle(home, there):
    with WebSocketClient(home, home.tokens["admin"]) as socket:
        subscriptions = {kind: socket.last_id for kind in ("zha_event", "both", "out") if socket.result("subscribe_events", event_type=kind) is None}
        there.fire("zha_event", {"entity_id": "light.lamp", "command": "on"})
        event = socket.event(subscriptions["zha_event"])
        assert event["data"] == {"entity_id": LAMP, "command": "on", "hearth_instance": "home"} and event["origin"] == "REMOTE"
        there.fired.clear()
        socket.result("fire_event", event_type="both", event_data={"n": 1})
        assert socket.event(subscriptions["both"])["data"] == {"n": 1}
        wait_until(lambda: there.fired == [("both", {"n": 1})])
        # It has come back, and was dropped: the next is another one.
        there.fire("both", {"n": 2})
        assert socket.event(subscriptions["both"])["data"] == {"n": 2, "hearth_instance": "home"}
        home.admin.post("/api/events/out", json={"of": "a client of REST"})
        assert socket.event(subscriptions["out"])["origin"] == "REMOTE"
        socket.result("fire_event", event_type="out", event_data={"entity_id": LAMP})
        wait_until(lambda: len(there.fired) == 2)
        assert there.fired[1] == ("out", {"entity_id": "light.lamp"})


@pytest.mark.contract("Bridge: delegated triggers")
def test_a_trigger_condition_and_step_that_only_the_hub_there_knows_are_asked_of_it(home, there):
    device = "b1" * 16
    asked = {"device_id": device, "domain": "zha"}
    save(home, "button", alias="Button", triggers=[{"trigger": "device", **asked, "type": "remote_press", "subtype": "left"}],
           conditions=[{"condition": "device", **asked, "type": "is_armed"}], actions=[{**asked, "type": "squawk"}])
    wait_until(lambda: there.commands_of("subscribe_trigger") and there.commands_of("test_condition"), timeout=20)
    assert there.commands_of("subscribe_trigger")[-1]["trigger"] == [
        {**asked, "type": "remote_press", "subtype": "left", "platform": "device"}]
    before = len(there.commands_of("subscribe_trigger"))
    there.drop()
    wait_until(lambda: len(there.commands_of("subscribe_trigger")) == before + 1, timeout=20)
    wait_until(lambda: sum(len(each.triggers) for each in there.connections) == 1)
    wait_until(lambda: len(there.commands_of("test_condition")) > 1)

    def ran():
        there.trigger({"platform": "device", "description": "left was pressed"})
        return bool(there.commands_of("execute_script"))

    wait_until(ran, timeout=10, interval=0.2)
    assert there.commands_of("execute_script")[-1]["sequence"] == [{**asked, "type": "squawk"}]
    with WebSocketClient(home, home.tokens["admin"]) as socket:
        traces = json.dumps(socket.result("trace/list", domain="automation", item_id="button"))
    assert "home (Home Assistant): left was pressed" in traces
    assert home.admin.delete("/api/config/automation/config/button").status_code == 200
    wait_until(lambda: sum(len(each.triggers) for each in there.connections) == 0)
