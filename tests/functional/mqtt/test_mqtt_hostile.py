# SPDX-License-Identifier: Apache-2.0
"""What a broker that strangers write to may do to the hub: huge messages, very many, and templates that never end."""

import json
import signal
import threading
import time

import pytest

from checks import state_of
from hub_process import wait_until
from mqtt_broker import Broker
from test_mqtt_discovery import PREFIX, becomes, report, start, tell, value

MEBIBYTE = 1024 * 1024
TOPICS = 100_000
# Of a hub that has taken all that it takes: 50,000 entities.
MOST_MEMORY = 900 * MEBIBYTE


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path / "broker").start()
    yield broker
    broker.stop()


@pytest.fixture
def device(broker):
    return broker.client()


class Visitor:
    """Asks the hub over REST, one request after the other, until `stop`; each must be answered."""

    def __init__(self, hub):
        self.hub = hub
        self.answers = 0
        self.failure = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        try:
            while not self._stopping.wait(0.05):
                self.answers += 1
                answer = self.hub.admin.post("/api/states/sensor.visitor", json={"state": str(self.answers)}, timeout=10)
                assert answer.status_code in (200, 201), answer.text
        except Exception as failure:
            self.failure = failure

    def stop(self):
        self._stopping.set()
        self._thread.join()
        assert self.failure is None, self.failure
        assert self.answers > 0


def memory(hub):
    with open(f"/proc/{hub.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))


def lines(hub, text):
    return [line for line in hub.log if text in line]


def sensor(name, **keys):
    return json.dumps({"unique_id": name, "name": name, "state_topic": name} | keys)


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
def test_descriptions_of_a_mebibyte_are_refused(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    before = memory(hub)
    visitor = Visitor(hub)
    for number in range(100):
        huge = sensor("x", icon="i" * MEBIBYTE) if number % 2 else "[" * MEBIBYTE
        device.publish(f"{PREFIX}/sensor/huge{number}/config", huge)
    device.publish("tasmota/discovery/00112233AABB/sensors", "{" + " " * MEBIBYTE + "}")
    device.publish(f"{PREFIX}/sensor/last/config", sensor("last"))
    becomes(hub, "sensor.last", "unknown", 30)
    visitor.stop()
    rows = {row["topic"]: row for row in report(hub)}
    assert len(rows) == 102
    refused = [row for row in rows.values() if row["verdict"] == "refused"]
    assert len(refused) == 101 and all(row["reason"] == "expected at most 256 KiB" for row in refused)
    assert len(lines(hub, "expected at most 256 KiB")) == 101
    assert memory(hub) - before < 256 * MEBIBYTE


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
def test_states_of_a_mebibyte_are_warned_of_once(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    common = {"state_topic": "s"}
    device.publish(f"{PREFIX}/sensor/raw/config", sensor("raw", **common))
    device.publish(f"{PREFIX}/sensor/made/config", sensor("made", value_template="{{ value }}", **common))
    device.publish(f"{PREFIX}/sensor/json/config", sensor("json", value_template="{{ value_json.a }}", state_topic="j"))
    device.publish(f"{PREFIX}/binary_sensor/two/config", sensor("two", **common))
    device.publish(f"{PREFIX}/event/ring/config", sensor("ring", event_types=["a"], state_topic="j"))
    device.publish(f"{PREFIX}/update/new/config", sensor("new", state_topic="j"))
    device.publish(f"{PREFIX}/sensor/much/config", sensor("much", json_attributes_topic="j", state_topic="m"))
    tell(hub, device, "s", "ON", "sensor.raw", "ON")
    tell(hub, device, "j", '{"a": 5, "event_type": "a", "installed_version": "1"}', "sensor.json", "5")
    visitor = Visitor(hub)
    before = memory(hub)
    for _ in range(20):
        device.publish("s", "y" * MEBIBYTE)
        device.publish("s", "y" * (MEBIBYTE + 1))
        device.publish("j", json.dumps({"a": "z" * (MEBIBYTE - 100), "event_type": "a"}))
        device.publish("j", json.dumps({"installed_version": "z" * (MEBIBYTE - 100)}))
    device.publish("s", "OFF")
    device.publish("j", '{"a": 6, "event_type": "a", "installed_version": "2", "latest_version": "3"}')
    becomes(hub, "sensor.json", "6", 30)
    visitor.stop()
    assert value(hub, "sensor.raw") == value(hub, "sensor.made") == "OFF" and value(hub, "binary_sensor.two") == "off"
    assert value(hub, "update.new") == "on" and state_of(hub, "sensor.much")["attributes"]["a"] == 6
    assert memory(hub) - before < 128 * MEBIBYTE
    # Each cause has a line for its first time and its tenth.
    about = [line for line in hub.log if any(f".{name}:" in line for name in ("raw", "made", "json", "two", "ring", "new",
                                                                             "much"))]
    causes = {line.split(" mqtt: ")[1].split(", got ")[0].split(" (")[0] for line in about}
    assert len(about) == 2 * len(causes), about
    assert not lines(hub, " error ")
    for text in ("sensor.raw: state: expected at most 255 characters", "sensor.raw: length: expected a message of at most 1024 KiB",
                 "sensor.json: value_template: the result may have at most 262144 bytes", "binary_sensor.two: state_topic: expected ON, OFF",
                 "sensor.much: json_attributes_topic: expected at most 131072 bytes"):
        assert len(lines(hub, text)) == 2, text


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
def test_very_many_descriptions_fill_no_memory(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    visitor = Visitor(hub)
    for number in range(TOPICS):
        device.send(f"{PREFIX}/sensor/flood{number}/config", sensor(f"flood{number}", device={
            "identifiers": f"flood{number}", "name": f"Flood {number}", "suggested_area": f"Area {number}"}))
        if number % 1_000 == 0:
            time.sleep(0)
    device.publish(f"{PREFIX}/sensor/flood0/config", sensor("flood0", icon="mdi:first"))
    wait_until(lambda: any("50000 messages so far" in str(row["reason"]) for row in report(hub)), 240, 2)
    # What is known may still change, and go; then there is room for one.
    becomes(hub, "sensor.flood_0_flood0", "unknown")
    device.publish(f"{PREFIX}/sensor/flood1/config", "")
    device.publish(f"{PREFIX}/sensor/late/config", sensor("late"))
    becomes(hub, "sensor.late", "unknown", 30)
    visitor.stop()
    rows = report(hub)
    assert len(rows) == 50_001 and rows[0]["topic"] == f"{PREFIX}/#" and rows[0]["verdict"] == "refused"
    assert memory(hub) < MOST_MEMORY, memory(hub) / MEBIBYTE
    assert len(lines(hub, "what is beyond is left out")) <= 5 and len(hub.log) < 100
    # So many entities take their time to be written.
    hub.send_signal(signal.SIGTERM)
    assert hub.process.wait(60) == 0
    hub_factory.hubs.remove(hub)


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("MQTT: hostile amounts")
def test_refused_descriptions_do_not_fill_memory_or_log(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    before = memory(hub)
    for number in range(5_000):
        device.send(f"{PREFIX}/sensor/{'y' * 10_000}{number}/config", "{")
    device.publish(f"{PREFIX}/sensor/last/config", sensor("last"))
    becomes(hub, "sensor.last", "unknown", 60)
    assert len(hub.log) < 1_200 and len(lines(hub, "further causes are not logged")) == 1
    assert memory(hub) - before < 300 * MEBIBYTE


@pytest.mark.contract("MQTT: hostile amounts")
def test_what_components_inherit_is_counted(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    device.publish(f"{PREFIX}/device/heir/config", json.dumps({
        "device": {"ids": "heir"}, "origin": {"name": "x"}, "state_topic": "t" * 60_000,
        "components": {f"c{number}": {"platform": "sensor", "unique_id": f"c{number}"} for number in range(900)}}))
    wait_until(lambda: report(hub))
    [row] = report(hub)
    assert row["verdict"] == "refused" and "expected at most 4096 KiB with what they inherit" in row["reason"]


@pytest.mark.contract("MQTT: hostile amounts")
def test_templates_that_never_end_do_not_hold_the_hub(hub_factory, broker, device):
    hub = start(hub_factory, broker)
    endless = ["{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
               "{{ ('a' * 500000) | regex_search('(?=a*c)') }}",
               "{% for a in range(1000) %}{{ ('a' * 900000).find('a' * 400000 ~ 'b') }}{% endfor %}"]
    device.publish(f"{PREFIX}/device/loops/config", json.dumps({
        "device": {"ids": "loops", "name": "Loops"}, "origin": {"name": "x"}, "state_topic": "l", "components": {
            f"c{number}": {"platform": "sensor", "unique_id": f"l{number}", "name": f"c{number}",
                           "value_template": f"{{# {number} #}}" + endless[number % 3]} for number in range(900)}}))
    device.publish(f"{PREFIX}/sensor/fine/config", sensor("fine", value_template="{{ value_json.a }}", state_topic="f"))
    tell(hub, device, "f", '{"a": 1}', "sensor.fine", "1")
    wait_until(lambda: len(report(hub)) == 901)
    visitor = Visitor(hub)
    for number in range(2, 12):
        device.publish("l", "5")
        tell(hub, device, "f", json.dumps({"a": number}), "sensor.fine", str(number), 20)
    visitor.stop()
    wait_until(lambda: any("Loops" in line or "loops" in line for line in hub.log))
    # One that is not tried now is tried later: the others are not lost for good.
    assert len(hub.log) < 2_000 and not lines(hub, " error ")
