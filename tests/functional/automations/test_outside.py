# SPDX-License-Identifier: Apache-2.0
"""The triggers from outside of the home: webhooks and messages of the MQTT broker."""

import json

import pytest

from checks import call, state_of
from hub_process import wait_until
from mqtt_broker import Broker
from websocket_client import WebSocketClient


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.mark.contract("Automations: webhook triggers")
def test_a_webhook_triggers_all_who_name_it_with_its_body(hub_factory):
    told = {"event": "told", "event_data": {"by": "{{ trigger.id }}", "json": "{{ trigger.json | default(none) }}",
                                            "data": "{{ trigger.data | default(none) }}", "query": "{{ trigger.query }}"}}
    hub = hub_factory(automation=[
        {"alias": "Sent", "triggers": {"trigger": "webhook", "webhook_id": "knock-knock", "id": "sent"}, "actions": [told]},
        {"alias": "Any", "triggers": {"trigger": "webhook", "webhook_id": "knock-knock", "id": "any",
                                      "allowed_methods": ["GET", "POST"]}, "actions": [told]}])
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="told")
        subscription = client.last_id

        def heard(count):
            return [client.event(subscription)["data"] for _ in range(count)]

        address = "/api/webhook/knock-knock"
        assert hub.anonymous.get(address).status_code == 200
        assert heard(1) == [{"by": "any", "json": None, "data": {}, "query": {}}]
        assert hub.anonymous.put(address, json={"n": [1, None]}).status_code == 200
        assert heard(1) == [{"by": "sent", "json": {"n": [1, None]}, "data": None, "query": {}}]
        assert hub.anonymous.post(address + "?q=1", data={"a b": "c&ü"}).status_code == 200
        form = {"json": None, "data": {"a b": "c&ü"}, "query": {"q": "1"}}
        assert heard(2) == [{"by": "sent", **form}, {"by": "any", **form}]
        bad = hub.anonymous.post(address, content=b"{", headers={"Content-Type": "application/json"})
        assert bad.status_code == 200
        hub.logged("a webhook is called with a body that is no JSON")
        # One that is gone tells nobody, and is answered alike.
        call(hub, "automation.turn_off", {"entity_id": ["automation.sent", "automation.any"]})
        assert hub.anonymous.post(address, json={}).status_code == 200
        call(hub, "automation.turn_on", {"entity_id": "automation.sent"})
        assert hub.anonymous.post(address, json={"n": 2}).status_code == 200
        assert heard(1) == [{"by": "sent", "json": {"n": 2}, "data": None, "query": {}}]


@pytest.mark.contract("Automations: mqtt triggers")
def test_messages_trigger_by_topic_and_by_what_a_template_makes_of_them(hub_factory, broker):
    hub = hub_factory(mqtt={"broker": "127.0.0.1", "port": broker.port}, automation=[
        {"alias": "Every", "mode": "queued", "triggers": {"trigger": "mqtt", "topic": "own/+/state"},
         "actions": [{"event": "every", "event_data": {"topic": "{{ trigger.topic }}", "n": "{{ trigger.payload_json.n }}"}}]},
        {"alias": "One", "triggers": {"trigger": "mqtt", "topic": "own/{{ 'a' }}/state", "payload": 7,
                                      "value_template": "{{ value_json.n }}"},
         "actions": [{"event": "one", "event_data": {"payload": "{{ trigger.payload }}!"}}]}])
    with WebSocketClient(hub, hub.tokens["admin"]) as client, WebSocketClient(hub, hub.tokens["admin"]) as listener:
        wait_until(lambda: client.result("hearth/mqtt")["connected"], 10)

        def listens():  # a little after it is connected
            call(hub, "mqtt.publish", {"topic": "own/probe/state", "payload": '{"n": 0}'})
            return state_of(hub, "automation.every")["attributes"]["last_triggered"]
        wait_until(listens, 10, 0.1)
        client.result("subscribe_events", event_type="every")
        every = client.last_id
        listener.result("subscribe_events", event_type="one")
        one = listener.last_id
        for n in (6, 7):
            call(hub, "mqtt.publish", {"topic": "own/a/state", "payload": json.dumps({"n": n})})
        heard = []
        while len(heard) < 2:
            data = client.event(every)["data"]
            if data["topic"] != "own/probe/state":
                heard.append(data)
        assert heard == [{"topic": "own/a/state", "n": 6}, {"topic": "own/a/state", "n": 7}]
        assert listener.event(one)["data"] == {"payload": '{"n": 7}!'}
