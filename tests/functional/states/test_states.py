# SPDX-License-Identifier: Apache-2.0
"""GET /api/states, GET, POST and DELETE /api/states/{entity_id}"""

import json
import threading

import pytest

from checks import LIST_KEYS, STATE_KEYS, assert_json, assert_message, assert_state, set_state, state_of


def post(hub, entity_id, body, user="admin"):
    content = body if isinstance(body, (str, bytes)) else json.dumps(body)
    return getattr(hub, user).post(f"/api/states/{entity_id}", content=content)


@pytest.mark.contract("States: list")
def test_list_has_every_entity_with_the_five_keys(hub):
    states = assert_json(hub.ann.get("/api/states"))
    assert len(states) >= 25
    for state in states:
        assert list(state) == LIST_KEYS
        assert_state(state, LIST_KEYS)
    ids = [state["entity_id"] for state in states]
    assert len(ids) == len(set(ids))
    assert {"light.kitchen", "sensor.outdoor_temperature", "lock.front_door"} <= set(ids)


@pytest.mark.contract("States: list")
def test_list_is_one_consistent_snapshot(hub, name):
    """A writer always writes a before b: no snapshot may show b ahead of a, or a more than one ahead of b."""
    first, second = f"test.{name}_a", f"test.{name}_b"
    set_state(hub, first, "0")
    set_state(hub, second, "0")

    def write():
        with hub.client("admin") as client:
            for number in range(1, 200):
                client.post(f"/api/states/{first}", json={"state": str(number)})
                client.post(f"/api/states/{second}", json={"state": str(number)})

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        values = {state["entity_id"]: state["state"] for state in hub.ann.get("/api/states").json()}
        assert 0 <= int(values[first]) - int(values[second]) <= 1
    assert state_of(hub, second)["state"] == "199"


@pytest.mark.contract("States: list")
@pytest.mark.parametrize("count", [1, 400])
def test_list_has_contexts_if_configured(hub_factory, count):
    """Both the short list and one that is long enough to be kept between requests."""
    hub = hub_factory(api={"state_list_context": True})
    for number in range(count):
        set_state(hub, f"test.n{number}", "on", {"number": number})
    for headers in ({}, {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity"}):
        for user in ("admin", "display"):
            listed = assert_json(getattr(hub, user).get("/api/states", headers=headers))
            assert len(listed) > count
            for state in listed:
                assert_state(state)
    one = next(state for state in listed if state["entity_id"] == "test.n0")
    assert one == state_of(hub, "test.n0")


@pytest.mark.contract("States: one", "States: context")
def test_one_has_the_five_keys_and_context(hub):
    state = assert_json(hub.ann.get("/api/states/light.kitchen"))
    assert list(state) == STATE_KEYS
    assert_state(state)


@pytest.mark.contract("States: one")
def test_one_and_list_agree(hub, name):
    written = set_state(hub, f"test.{name}", "on", {"a": [1, {"b": None}]})
    listed = next(s for s in hub.ann.get("/api/states").json() if s["entity_id"] == f"test.{name}")
    assert listed == {key: written[key] for key in LIST_KEYS}
    assert state_of(hub, f"test.{name}") == written


@pytest.mark.contract("States: unknown id")
@pytest.mark.parametrize("entity_id",
                         ["light.nowhere", "nonsense", "a.b.c", "light.", ".light", "light.b__c", "x" * 300])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_unknown_and_impossible_ids_are_not_found(hub, method, entity_id):
    assert_message(hub.admin.request(method, f"/api/states/{entity_id}"), 404, "Entity not found.")


@pytest.mark.contract("States: id in other case")
def test_id_is_lower_cased_first(hub, name):
    response = post(hub, f"Test.{name.upper()}", {"state": "on"})
    assert response.status_code == 201
    assert response.json()["entity_id"] == f"test.{name}"
    assert response.headers["location"] == f"/api/states/test.{name}"
    assert hub.ann.get(f"/api/states/TEST.{name}").json() == response.json()
    assert post(hub, f"test.{name.upper()}", {"state": "off"}).status_code == 200
    assert_message(hub.admin.delete(f"/api/states/tEst.{name}"), 200, "Entity removed.")


@pytest.mark.contract("States: new entity", "States: known entity")
def test_new_entity_is_created_then_updated(hub, name):
    created = post(hub, f"test.{name}", {"state": "on", "attributes": {"friendly_name": "Tëst", "level": 7}})
    state = assert_state(assert_json(created, 201))
    assert created.headers["location"] == f"/api/states/test.{name}"
    assert list(state) == STATE_KEYS
    assert (state["state"], state["attributes"]) == ("on", {"friendly_name": "Tëst", "level": 7})
    updated = post(hub, f"test.{name}", {"state": "off", "attributes": {"level": 8}})
    state = assert_state(assert_json(updated, 200))
    assert "location" not in updated.headers
    assert (state["state"], state["attributes"]) == ("off", {"level": 8})
    assert state_of(hub, f"test.{name}") == state


@pytest.mark.contract("States: id rule")
@pytest.mark.parametrize(
    "entity_id",
    ["nodot", "a.b.c", "light.", ".kitchen", "light.a__b", "light._a", "light.a_", "_light.a", "light_.a", "light.a-b",
     "light.k%C3%BCche", "light.a%20b", "light.a!", "d" * 65 + ".a", "light." + "a" * 250],
)
def test_impossible_ids_cannot_be_written(hub, entity_id):
    assert_message(post(hub, entity_id, {"state": "on"}), 400, "Invalid entity ID specified.")


@pytest.mark.contract("States: id rule")
@pytest.mark.parametrize("entity_id", ["d" * 64 + ".a", "light." + "a" * 249, "1.2", "a1_b2.3_c"])
def test_longest_and_shortest_ids_can_be_written(hub, entity_id):
    assert_json(post(hub, entity_id, {"state": "on"}), 201)
    assert_message(hub.admin.delete(f"/api/states/{entity_id}"), 200, "Entity removed.")


@pytest.mark.contract("States: state missing")
@pytest.mark.parametrize("body", [{}, {"state": None}, {"attributes": {"a": 1}}])
def test_state_is_needed(hub, name, body):
    assert_message(post(hub, f"test.{name}", body), 400, "No state specified.")
    assert_message(hub.ann.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("States: state number")
@pytest.mark.parametrize("number", ["0", "21.50", "21.5", "-3", "1e3", "1E+3", "0.10", "-0.0", "18446744073709551615",
                                    "123456789012345678901234567890"])
def test_number_is_kept_as_its_own_text(hub, name, number):
    response = post(hub, f"test.{name}", '{"state": %s}' % number)
    assert assert_json(response, 201)["state"] == number


@pytest.mark.contract("States: state boolean")
@pytest.mark.parametrize("value, text", [(True, "True"), (False, "False")])
def test_boolean_becomes_what_templates_print(hub, name, value, text):
    assert assert_json(post(hub, f"test.{name}", {"state": value}), 201)["state"] == text


@pytest.mark.contract("States: state array or object")
@pytest.mark.parametrize("value", [[], {}, ["on"], {"a": 1}])
def test_array_and_object_are_no_state(hub, name, value):
    assert_message(post(hub, f"test.{name}", {"state": value}), 400)
    assert_message(hub.ann.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("States: state too long")
def test_state_is_at_most_255_code_points(hub, name):
    assert assert_json(post(hub, f"test.{name}", {"state": "ü" * 255}), 201)["state"] == "ü" * 255
    assert assert_json(post(hub, f"test.{name}", {"state": "🏠" * 255}))["state"] == "🏠" * 255
    assert_message(post(hub, f"test.{name}", {"state": "a" * 256}), 400, "Invalid state specified.")
    assert state_of(hub, f"test.{name}")["state"] == "🏠" * 255


@pytest.mark.contract("States: state missing")
def test_empty_text_is_a_state(hub, name):
    assert assert_json(post(hub, f"test.{name}", {"state": ""}), 201)["state"] == ""


@pytest.mark.contract("States: attributes missing")
@pytest.mark.parametrize("body", [{"state": "on"}, {"state": "on", "attributes": None}])
def test_write_replaces_attributes(hub, name, body):
    set_state(hub, f"test.{name}", "on", {"a": 1, "b": 2})
    assert assert_json(post(hub, f"test.{name}", {"state": "on", "attributes": {"b": 3}}))["attributes"] == {"b": 3}
    assert assert_json(post(hub, f"test.{name}", body))["attributes"] == {}


@pytest.mark.contract("States: attributes not an object")
@pytest.mark.parametrize("attributes", [[], "text", 1, True])
def test_attributes_must_be_an_object(hub, name, attributes):
    assert_message(post(hub, f"test.{name}", {"state": "on", "attributes": attributes}), 400)
    assert_message(hub.ann.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("States: attribute order")
def test_attribute_order_is_kept(hub, name):
    attributes = {"zeta": 1, "alpha": {"y": 1, "b": 2}, "mid": 3, "_first": 4, "10": 5, "9": 6}
    set_state(hub, f"test.{name}", "on", attributes)
    read = hub.ann.get(f"/api/states/test.{name}").json()["attributes"]
    assert list(read) == list(attributes) and list(read["alpha"]) == ["y", "b"]


@pytest.mark.contract("States: force_update")
def test_force_update_writes_even_if_nothing_differs(hub, name):
    with hub.stream("?restrict=state_changed") as stream:
        before = set_state(hub, f"test.{name}", "on", {"a": 1})
        after = set_state(hub, f"test.{name}", "on", {"a": 1}, force_update=True)
        mine = lambda event: event["data"]["entity_id"] == f"test.{name}"
        stream.until(mine)
        event = stream.until(mine)[-1].event
    assert after["last_changed"] > before["last_changed"]
    assert after["last_updated"] == after["last_changed"]
    assert after["context"]["id"] != before["context"]["id"]
    assert event["data"]["old_state"] == before and event["data"]["new_state"] == after


@pytest.mark.contract("States: force_update")
@pytest.mark.parametrize("value", ["yes", 1, [], {}])
def test_force_update_must_be_a_boolean(hub, name, value):
    assert_message(post(hub, f"test.{name}", {"state": "on", "force_update": value}), 400)
    assert_message(hub.ann.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("States: other keys")
def test_other_keys_are_ignored(hub, name):
    body = {"entity_id": "other.thing", "state": "on", "attributes": {}, "last_changed": "2001-01-01T00:00:00+00:00",
            "last_updated": 5, "context": None, "anything": [1]}
    state = assert_state(assert_json(post(hub, f"test.{name}", body), 201))
    assert state["entity_id"] == f"test.{name}"
    assert state["last_changed"] > "2026"


@pytest.mark.contract("States: same state, same attributes")
def test_equal_write_changes_nothing(hub, name):
    with hub.stream("?restrict=state_changed,state_reported,end") as named, hub.stream() as all_events:
        before = set_state(hub, f"test.{name}", "on", {"a": 1, "b": 2})
        assert set_state(hub, f"test.{name}", "on", {"a": 1, "b": 2}, user="ann") == before
        assert set_state(hub, f"test.{name}", "on", {"b": 2, "a": 1}, user="ann") == before
        hub.admin.post("/api/events/end", json={"name": name})
        end = lambda event: event["event_type"] == "end" and event["data"] == {"name": name}

        def mine(stream):
            events = [frame.event for frame in stream.until(end)]
            return [event["event_type"] for event in events if event["data"].get("entity_id") == f"test.{name}"]

        assert mine(named) == ["state_changed", "state_reported", "state_reported"]
        assert mine(all_events) == ["state_changed"]
    assert state_of(hub, f"test.{name}") == before


@pytest.mark.contract("States: same state, other attributes")
def test_other_attributes_keep_last_changed(hub, name):
    before = set_state(hub, f"test.{name}", "on", {"a": 1})
    after = set_state(hub, f"test.{name}", "on", {"a": 2})
    assert after["last_changed"] == before["last_changed"]
    assert after["last_updated"] > before["last_updated"]
    assert after["context"]["id"] != before["context"]["id"]


@pytest.mark.contract("States: same state, other attributes")
def test_one_and_one_point_zero_are_different_attributes(hub, name):
    post(hub, f"test.{name}", '{"state": "on", "attributes": {"a": 1}}')
    response = post(hub, f"test.{name}", '{"state": "on", "attributes": {"a": 1.0}}')
    assert b'"a":1.0' in response.content


@pytest.mark.contract("States: other state")
def test_other_state_changes_both_times(hub, name):
    before = set_state(hub, f"test.{name}", "on", {"a": 1})
    after = set_state(hub, f"test.{name}", "off", {"a": 1})
    assert after["last_changed"] > before["last_changed"]
    assert after["last_updated"] == after["last_changed"]


@pytest.mark.contract("States: clock")
def test_times_never_go_back_under_many_writers(hub, name):
    writers, writes = 4, 50

    def write(number):
        with hub.client("admin") as client:
            for step in range(writes):
                client.post(f"/api/states/test.{name}", json={"state": f"{number}-{step}"})

    with hub.stream("?restrict=state_changed") as stream:
        threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
        for thread in threads:
            thread.start()
        times, old_states = [], []
        while len(times) < writers * writes:
            data = stream.next_event(10).event["data"]
            if data["entity_id"] == f"test.{name}":
                old_states.append(data["old_state"])
                times.append(data["new_state"]["last_updated"])
                last = data["new_state"]
        for thread in threads:
            thread.join()
    assert times == sorted(times)
    assert [state["last_updated"] for state in old_states[1:]] == times[:-1]
    assert state_of(hub, f"test.{name}") == last


@pytest.mark.contract("States: context")
def test_context_names_the_caller(hub, name):
    by_admin = set_state(hub, f"test.{name}", "1")["context"]
    by_ann = set_state(hub, f"test.{name}", "2", user="ann")["context"]
    by_ann_again = set_state(hub, f"test.{name}", "3", user="ann")["context"]
    assert by_admin["user_id"] and by_ann["user_id"] and by_admin["user_id"] != by_ann["user_id"]
    assert by_ann["user_id"] == by_ann_again["user_id"]
    assert by_admin["parent_id"] is by_ann["parent_id"] is None
    assert len({by_admin["id"], by_ann["id"], by_ann_again["id"]}) == 3
    assert by_admin["id"][:10] <= by_ann["id"][:10] <= by_ann_again["id"][:10]  # the time comes first


@pytest.mark.contract("States: delete")
def test_delete_removes_the_entity(hub, name):
    before = set_state(hub, f"test.{name}", "on")
    with hub.stream("?restrict=state_changed") as stream:
        assert_message(hub.ann.delete(f"/api/states/test.{name}"), 200, "Entity removed.")
        event = stream.until(lambda event: event["data"]["entity_id"] == f"test.{name}")[-1].event
    assert event["data"] == {"entity_id": f"test.{name}", "old_state": before, "new_state": None}
    assert_message(hub.ann.get(f"/api/states/test.{name}"), 404, "Entity not found.")
    assert_message(hub.ann.delete(f"/api/states/test.{name}"), 404, "Entity not found.")
    assert post(hub, f"test.{name}", {"state": "on"}).status_code == 201


@pytest.mark.contract("Tokens and rights: right missing", "States: delete")
def test_reader_may_read_only(hub, name):
    before = set_state(hub, f"test.{name}", "on")
    assert hub.display.get("/api/states").status_code == 200
    assert hub.display.get(f"/api/states/test.{name}").json() == before
    assert_message(post(hub, f"test.{name}", {"state": "off"}, "display"), 403)
    assert_message(post(hub, f"test.{name}_new", {"state": "off"}, "display"), 403)
    assert_message(hub.display.delete(f"/api/states/test.{name}"), 403)
    assert state_of(hub, f"test.{name}") == before
    assert_message(hub.admin.get(f"/api/states/test.{name}_new"), 404)


@pytest.mark.contract("Tokens and rights: no valid token")
def test_needs_a_token(hub, name):
    assert_message(hub.anonymous.get("/api/states"), 401)
    assert_message(hub.anonymous.get("/api/states/light.kitchen"), 401)
    assert_message(hub.anonymous.post(f"/api/states/test.{name}", json={"state": "on"}), 401)
    assert_message(hub.anonymous.delete("/api/states/light.kitchen"), 401)
    assert_message(hub.admin.get(f"/api/states/test.{name}"), 404)
    assert hub.admin.get("/api/states/light.kitchen").status_code == 200


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize(
    "method, path, allowed",
    [("POST", "/api/states", {"GET"}), ("DELETE", "/api/states", {"GET"}),
     ("PUT", "/api/states/light.kitchen", {"GET", "POST", "DELETE"}),
     ("PATCH", "/api/states/light.kitchen", {"GET", "POST", "DELETE"})],
)
def test_knows_no_other_method(hub, method, path, allowed):
    response = hub.admin.request(method, path)
    assert_message(response, 405)
    assert allowed <= {word.strip() for word in response.headers["allow"].split(",")}


@pytest.mark.contract("Every endpoint: body")
@pytest.mark.parametrize("body", ["", "nonsense", "[]", '"on"', "1", "null", '{"state":"on"', '{"state":"on"} x'])
def test_body_must_be_an_object(hub, name, body):
    assert_message(post(hub, f"test.{name}", body), 400)
    assert_message(hub.admin.get(f"/api/states/test.{name}"), 404)


@pytest.mark.contract("States: list", "States: one")
def test_demo_home_is_there(hub):
    states = {state["entity_id"]: state for state in hub.ann.get("/api/states").json()}
    for entity_id in ("light.kitchen", "light.living_room", "switch.garden_pump", "lock.front_door",
                      "cover.living_room_blind", "climate.living_room", "fan.bedroom", "sensor.outdoor_temperature",
                      "binary_sensor.hall_motion"):
        assert entity_id in states
        assert states[entity_id]["attributes"]["friendly_name"]
    assert any(state["state"] == "unavailable" for state in states.values())
    float(states["sensor.outdoor_temperature"]["state"])
    assert states["sensor.outdoor_temperature"]["attributes"]["unit_of_measurement"] == "°C"
