# SPDX-License-Identifier: Apache-2.0
"""The link to another hub: versions, starts and restarts, refusals, and whatever a broken or hostile hub sends."""

import json
import os
import threading

import pytest

from hub_process import wait_until
from made_hub import NOTHING, Refused

VERSIONS = ["2021.12.10", "2024.3.3", "2026.2.3"]


@pytest.mark.parametrize("version", VERSIONS)
def test_it_connects_to_each_version(made_hubs, bridged, version):
    made = made_hubs(version)
    made.add("light.desk", "on", unique_id="1", platform="hue")
    status = bridged(made).becomes("connected")
    assert (status["version"], status["administrator"], status["user"]) == (version, True, "Bridge")
    assert status["latency_ms"] is not None and status["services"] == 3
    lacks = {"2021.12.10": {"subscribe_entities", "config/entity_registry/get_entries", "config/floor_registry/list",
                            "config/label_registry/list"},
             "2024.3.3": {"config/floor_registry/list", "config/label_registry/list"}, "2026.2.3": set()}[version]
    assert set(status["missing"]) == lacks


def test_a_refused_token_is_not_tried_again_until_somebody_asks(made_hubs, bridged):
    made = made_hubs()
    home = bridged(made, token="another")
    assert "Invalid access token" in home.becomes("refused")["last_error"]
    accepted = made.accepted
    # A second try would come after about a second.
    clock = threading.Event()
    clock.wait(2.5)
    assert made.accepted == accepted
    made.users["another"] = made.user
    home.connect()
    assert made.accepted == accepted + 1


def test_a_token_that_is_withdrawn_is_refused_at_the_next_connection(made_hubs, bridged):
    made = made_hubs()
    home = bridged(made)
    home.becomes("connected")
    made.users.clear()
    made.drop()
    home.becomes("refused")


def test_a_token_of_a_plain_user_does_what_it_may(made_hubs, bridged):
    made = made_hubs(administrator=False)
    made.add("light.desk", "on")
    assert bridged(made, events={"receive": ["zha_event"]}).becomes("connected")["administrator"] is False


def test_a_hub_that_closes_without_a_word_is_tried_again(made_hubs, bridged):
    made = made_hubs()
    made.greeting = lambda channel: False
    home = bridged(made)
    home.fails_with("closed")
    wait_until(lambda: made.accepted >= 2, 20)
    made.greeting = None
    home.becomes("connected")


def test_a_hub_that_starts_is_not_whole_until_it_runs(made_hubs, bridged):
    made = made_hubs(running=False)
    made.add("light.desk", "on", unique_id="1")
    home = bridged(made)
    home.becomes("starting")
    wait_until(lambda: len(made.commands_of("get_config")) >= 3, 20)
    assert home.status()["state"] == "starting"
    made.run()
    home.becomes("connected")
    assert home.status()["losses"] == 0


def test_a_hub_that_restarts_is_found_again(made_hubs, bridged):
    made = made_hubs()
    for number in range(20):
        made.add(f"light.n{number}", "on", unique_id=str(number))
    home = bridged(made)
    home.becomes("connected")
    made.early = {"light.n1"}
    made.restart()
    home.becomes("starting")
    made.run()
    status = home.becomes("connected")
    assert (status["connections"], status["losses"]) == (2, 1)


@pytest.mark.parametrize("text, reason", [
    ("<html>log in</html>", "no message"), ("[1, 2]", "no message"), ('{"id": 1', "no message"), ("", "no message")],
    ids=["page", "numbers", "half", "nothing"])
def test_what_is_no_message_ends_the_connection(made_hubs, bridged, text, reason):
    made = made_hubs()
    made.add("light.desk", "on")
    home = bridged(made)
    home.becomes("connected")
    made.say_bytes(text.encode())
    home.fails_with(reason)
    home.becomes("connected")


def test_half_a_picture_is_none(made_hubs, bridged):
    made = made_hubs()
    made.add("light.desk", "on")

    def half(connection, message):
        connection.result(message["id"], None)
        connection.channel.say_bytes(b'{"id": %d, "type": "event", "event": {"a": {"light.a": {"s": "on"}, "lig' % message["id"])
        return NOTHING

    made.overrides["subscribe_entities"] = half
    home = bridged(made)
    home.fails_with("no message")
    assert home.hub.admin.get("/api/states/light.a").status_code == 404
    made.overrides.clear()
    home.becomes("connected")


def test_unknown_kinds_and_second_answers_are_ignored(made_hubs, bridged):
    made = made_hubs()
    made.add("light.desk", "on")
    home = bridged(made)
    home.becomes("connected")
    for message in ({"type": "news", "id": 4}, {"type": 7}, {}, {"id": "x", "type": "result", "success": True},
                    {"id": 99_999, "type": "event", "event": {"a": {}}}, {"id": -1, "type": "pong"},
                    *({"id": number, "type": "result", "success": False, "error": "x"} for number in range(40))):
        made.say_all(message)
    made.set("light.desk", "off")
    [(connection, number)] = made.subscriptions()
    connection.event(number, {"z": {"light.desk": 1}, "c": {}, "r": [], "a": {}})
    made.say_bytes(json.dumps([{"type": "news"}] * 1000).encode())
    made.set("light.desk", "on")
    wait_until(lambda: home.status()["changes_per_second"] > 0, 20)
    assert home.status()["losses"] == 0


@pytest.mark.parametrize("kind", ["get_config", "auth/current_user"])
def test_an_answer_of_another_shape_breaks_nothing(made_hubs, bridged, kind):
    made = made_hubs()
    made.overrides[kind] = lambda connection, message: [1, None, {"a": "b"}]
    home = bridged(made)
    if kind == "get_config":
        home.fails_with("does not tell its configuration")
        made.overrides.clear()
    home.becomes("connected")


@pytest.mark.parametrize("kind", ["config/entity_registry/list", "config/device_registry/list", "get_services",
                                  "config/entity_registry/get_entries", "config/area_registry/list"])
@pytest.mark.parametrize("answer", [None, 7, "x", [None, 3, {}], {"a": {"b": 1}, "c": None}], ids=str)
def test_registries_of_other_shapes_break_nothing(made_hubs, bridged, kind, answer):
    made = made_hubs()
    made.add("light.desk", "on", unique_id="1")
    made.overrides[kind] = lambda connection, message: answer
    bridged(made).becomes("connected")


def test_a_registry_that_is_not_given_leaves_the_states(made_hubs, bridged):
    made = made_hubs()
    made.add("light.desk", "on", unique_id="1")

    def refuse(connection, message):
        raise Refused("unauthorized", "Unauthorized")

    made.overrides["config/entity_registry/list"] = refuse
    bridged(made).becomes("connected")


def test_messages_of_64_mib_are_read_and_larger_ones_end_the_connection(made_hubs, bridged):
    made = made_hubs()
    made.add("light.desk", "on")
    home = bridged(made)
    home.becomes("connected")
    [(connection, number)] = made.subscriptions()
    head = b'{"id": %d, "type": "event", "event": {"a": {"light.large": {"s": "on", "a": {"text": "' % number
    fits = head + b"x" * (64 * 1024 * 1024 - len(head) - 8) + b'"}}}}}'
    made.say_bytes(fits)
    made.set("light.desk", "off")
    wait_until(lambda: home.status()["changes_per_second"] > 0, 60)
    assert home.status()["losses"] == 0
    made.say_bytes(fits + b" " * 1024)
    home.fails_with("65536 KiB", 60)


def test_a_flood_is_cut_and_the_home_stays_quick(made_hubs, bridged):
    made = made_hubs()
    for number in range(100):
        made.add(f"sensor.n{number}", "0")
    home = bridged(made)
    home.becomes("connected")
    home.hub.errors_expected = True
    [(connection, number)] = made.subscriptions()
    stop = threading.Event()

    def flood():
        value = 0
        while not stop.wait(0.05):
            value += 1
            changes = ",".join(f'"sensor.n{each % 100}":{{"+":{{"s":"{value + each}"}}}}' for each in range(1000))
            connection.channel.say_text(f'{{"id":{number},"type":"event","event":{{"c":{{{changes}}}}}}}')

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    try:
        status = home.fails_with("more than 5000 changes", 60)
        assert status["losses"] >= 1
        assert home.hub.admin.get("/api/states").status_code == 200
    finally:
        stop.set()
        thread.join(5)
    home.becomes("connected", 30)


@pytest.mark.long
@pytest.mark.unsanitized
def test_fifty_thousand_entities_come(made_hubs, bridged):
    made = made_hubs()
    for number in range(50_000):
        made.add(f"sensor.n{number}", "1", {"friendly_name": f"Value {number}", "unit_of_measurement": "W"},
                 unique_id=str(number))
    home = bridged(made)
    home.becomes("connected", 120)
    made.set("sensor.n49999", "2")
    wait_until(lambda: home.status()["changes_per_second"] > 0, 20)
    assert home.status()["losses"] == 0


def descriptors(hub):
    return len(os.listdir(f"/proc/{hub.process.pid}/fd"))


def memory(hub):
    with open(f"/proc/{hub.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.parametrize("times", [30, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.unsanitized
def test_reconnects_leak_nothing(made_hubs, bridged, times):
    made = made_hubs()
    for number in range(50):
        made.add(f"light.n{number}", "on", {"friendly_name": f"Light {number}"}, unique_id=str(number))
    home = bridged(made)
    for _ in range(10):
        home.connect()
    files, kibibytes = descriptors(home.hub), memory(home.hub)
    for _ in range(times):
        home.connect()
    wait_until(lambda: len(made.connections) == 1)
    assert descriptors(home.hub) <= files + 2
    assert memory(home.hub) < kibibytes + 8 * 1024 + 8 * times
