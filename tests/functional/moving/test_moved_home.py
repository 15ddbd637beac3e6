# SPDX-License-Identifier: Apache-2.0
"""Moving in: the report of `hearth import-ha`, the registry, the past, and what comes later, of homes that another hub has made."""

import datetime
import json

import comparison
from hub_process import free_port, wait_until
from moved_home import import_home, storage, sums_of, unpack
from moving_client import HELPERS


# The report


def test_the_report_is_of_that_home_and_nothing_is_lost(moved):
    source = moved.report["source"]
    assert (source["kind"], source["version"], source["running"]) == ("folder", moved.version, False)
    assert moved.report["counts"], "nothing was counted"
    for kind, counts in moved.report["counts"].items():
        assert counts["found"] == sum(counts.get(fate, 0) for fate in ("carried", "reserved", "left", "lost")), kind
        assert counts.get("lost", 0) == 0, kind


def found(moved):
    """Every thing of the old home, by kind, as its files have it: (the kinds that the report may call it, id)."""
    registry = storage(moved.source, "core.entity_registry")
    yield from ((["entity"], each["entity_id"]) for each in registry["entities"])
    yield from ((["device"], each["id"]) for each in storage(moved.source, "core.device_registry")["devices"])
    yield from ((["area"], each["id"]) for each in storage(moved.source, "core.area_registry")["areas"])
    yield from ((["floor"], each["floor_id"]) for each in storage(moved.source, "core.floor_registry")["floors"])
    yield from ((["label"], each["label_id"]) for each in storage(moved.source, "core.label_registry")["labels"])
    yield from ((["category"], each["category_id"]) for each in moved.answers["categories"])
    auth = storage(moved.source, "auth")
    yield from ((["user"], each["id"]) for each in auth["users"])
    for each in auth["refresh_tokens"]:
        if each["token_type"] != "system":
            yield ["token" if each["token_type"] == "long_lived_access_token" else "session"], each["id"]
    for kind in HELPERS:
        yield from (([kind, "helper", "item"], each["id"]) for each in storage(moved.source, kind)["items"])
    yield from ((["person", "helper", "item"], each["id"]) for each in storage(moved.source, "person")["items"])
    for each in storage(moved.source, "core.config_entries")["entries"]:
        yield ["config_entry", "entry", "integration", "helper", each["domain"]], each["entry_id"]


def test_everything_has_its_fate_in_the_report(moved):
    things = list(found(moved))
    assert len(things) > 130
    unnamed = [thing for thing in things if moved.fates.find(*thing) is None]
    assert not unnamed
    lost = [thing for thing in things if moved.fates.of(*thing) not in ("carried", "reserved", "left")]
    assert not lost


def test_the_fates_of_entities_are_true(moved):
    """Carried: it has a state or is disabled. Reserved: it is in the registry, nothing provides it, it has no state. Left: it is not there."""
    disabled = {each["entity_id"] for each in moved.answers["registered"].values() if each["disabled_by"]}
    with moved.socket() as socket:
        here = {each["entity_id"]: each for each in socket.result("config/entity_registry/list")}
    there = list(moved.answers["registered"])
    fates = {entity_id: moved.fates.of(["entity"], entity_id) for entity_id in there}
    wrong = []
    for entity_id, fate in fates.items():
        entry, state = here.get(entity_id), moved.state(entity_id)
        true = {"carried": entry and (state or entity_id in disabled),
                "reserved": entry and state is None and entry.get("hearth_provider") is None,
                "left": entry is None or entry["unique_id"] != moved.answers["registered"][entity_id]["unique_id"]}[fate]
        if not true:
            wrong.append((entity_id, fate, entry, state))
    assert not wrong
    assert {"carried", "reserved", "left"} <= set(fates.values()), "the home has some of each"


def test_what_hearth_has_is_carried(moved):
    """So that `reserved` and `left` do not hide what should work."""
    should = [entity_id for entity_id, entity in moved.answers["registered"].items() if entity["platform"] in (
        "automation", "script", "homeassistant", "template", "group", "utility_meter", "derivative", "integration", "min_max", "threshold",
        "tod", "switch_as_x", "trend", "random", "season", "workday", "statistics", "generic_thermostat", *HELPERS, "person")
        and not entity_id.startswith(("calendar.", "tag."))]  # tags trigger here, and have no state
    assert len(should) > 30
    assert {entity_id: moved.fates.of(["entity"], entity_id) for entity_id in should} == dict.fromkeys(should, "carried")


def test_the_source_is_as_it_was(moved):
    assert sums_of(moved.source) == moved.before


def test_no_secret_is_told(moved):
    """Neither the report nor the log of the import nor that of the hub has one."""
    auth = storage(moved.source, "auth")
    secrets = [each[key] for each in auth["refresh_tokens"] for key in ("token", "jwt_key")]
    secrets += [each["password"] for each in storage(moved.source, "auth_provider.homeassistant")["users"]]
    secrets += storage(moved.source, "auth_module.totp")["users"].values()
    secrets += [*moved.answers["tokens"].values(), "password of the broker", "a secret that stands in no report"]
    assert len(secrets) > 20 and all(len(each) > 15 for each in secrets)
    told = moved.done.stdout + moved.done.stderr + (moved.folder / "import.json").read_text() + "\n".join(moved.hub.log)
    assert not [each for each in secrets if each in told]


# The registry


def test_the_registry_is_that_of_the_old_hub(moved):
    with moved.socket() as socket:
        different = set(comparison.registry(moved.answers, socket, moved.fates))
    # The shopping list is a to-do list as any here.
    assert different == {("entity", "todo.shopping_list", "platform", "shopping_list", "local_todo")}


def test_an_item_of_the_registry_that_is_changed_is_seen(moved):
    """The comparison itself."""
    with moved.socket() as socket:
        socket.result("config/area_registry/update", area_id="shed", icon="mdi:barn")
        seen = list(comparison.registry(moved.answers, socket, moved.fates))
        socket.result("config/area_registry/update", area_id="shed", icon="mdi:sofa")
    assert ("area", "shed", "icon", "mdi:sofa", "mdi:barn") in seen


# The past


def test_the_past_is_that_of_the_old_hub(moved):
    there = moved.answers["history"]
    assert len(there) > 70
    here = comparison.history_of(moved.hub.admin, moved.answers, sorted(there))
    different = list(comparison.history(there, here))
    assert different == [], f"{len({each[1] for each in different})} entities of {len(there)} differ"


def test_statistics_are_those_of_the_old_hub(moved):
    with moved.socket() as socket:
        assert list(comparison.statistic_ids(moved.answers, socket)) == []
        for period, there in moved.answers["statistics"].items():
            assert there and list(comparison.statistics(moved.answers, socket, period)) == [], period


# Again


def test_a_second_import_changes_nothing(moved, tmp_path):
    once = tmp_path / "once"
    assert import_home(moved.source, once)[0].returncode == 0
    before = sums_of(once)
    done, _ = import_home(moved.source, once)
    assert done.returncode == 0, done.stderr
    assert sums_of(once) == before


def test_a_dry_run_says_the_same_and_writes_nothing(moved, tmp_path):
    done, report = import_home(moved.source, tmp_path / "none", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "none").exists() and report["dry_run"] is True
    assert report["items"] == moved.report["items"] and report["counts"] == moved.report["counts"]


def test_what_was_only_in_the_write_ahead_log_comes_too(moved, tmp_path, hub_factory):
    source = unpack(moved.version, tmp_path / "killed", killed=True)
    before = sums_of(source)
    done, report = import_home(source, tmp_path / "new home")
    assert done.returncode == 0, done.stderr
    assert sums_of(source) == before
    port = free_port()
    hub = hub_factory.start(tmp_path / "new home", port=port, environment={"HOME_PORT": str(port)})
    hub.errors_expected = True
    hub.tokens = {"admin": moved.answers["tokens"]["ann"]}
    changes = moved.answers["killed"]["history"]["input_number.volume"]
    end = (datetime.datetime.fromisoformat(changes[-1]["last_updated"]) + datetime.timedelta(milliseconds=1)).isoformat()
    here = comparison.history_of(hub.admin, moved.answers | {"asked": end}, ["input_number.volume"])
    assert list(comparison.history({"input_number.volume": changes}, here)) == []


# The last, because it changes the home: a device comes.


def test_a_device_that_comes_by_mqtt_takes_its_reserved_entry(moved):
    answers = moved.answers
    old = answers["registered"]["switch.kettle"]
    device = next(each for each in answers["devices"] if ["mqtt", "made_0x01"] in each["identifiers"])
    with moved.socket() as socket:
        entry = socket.result("config/entity_registry/get", entity_id="switch.kettle")
        before = moved.state("switch.kettle")
        assert before is None or before["attributes"]["restored"]
        client = moved.broker.client(username="old-hub", password="password of the broker")
        description = {"name": "Outlet", "unique_id": "made_switch", "object_id": "quite_another", "command_topic": "made/switch/set",
                       "state_topic": "made/switch", "device": {"identifiers": ["made_0x01"], "name": "Box of the hall",
                                                                "connections": [["mac", "02:00:00:00:00:01"]], "manufacturer": "Made"}}
        client.publish("homeassistant/switch/made/config", json.dumps(description), retain=True)
        client.publish("made/switch", "ON", retain=True)
        wait_until(lambda: (moved.state("switch.kettle") or {}).get("state") == "on", 20)
        assert moved.state("switch.quite_another") is None
        entry = socket.result("config/entity_registry/get", entity_id="switch.kettle")
        here = {each["id"]: each for each in socket.result("config/device_registry/list")}
    for key in ("id", "unique_id", "platform", "name", "icon", "area_id", "device_id", "aliases"):
        assert entry[key] == old[key], key
    assert entry["labels"] == old["labels"]
    assert entry["device_id"] == device["id"]
    assert (here[device["id"]]["name_by_user"], here[device["id"]]["area_id"]) == ("Box", "kitchen")
    assert [each for each in here.values() if ["mqtt", "made_0x01"] in each["identifiers"]] == [here[device["id"]]]
    there = {"switch.kettle": answers["history"]["switch.kettle"]}
    assert list(comparison.history(there, comparison.history_of(moved.hub.admin, answers, ["switch.kettle"]))) == []

    def with_its_own_changes():
        later = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1)).isoformat()
        changes = comparison.history_of(moved.hub.admin, answers | {"asked": later}, ["switch.kettle"])["switch.kettle"]
        return changes[-1]["state"] == "on" and len(changes) > len(there["switch.kettle"])

    wait_until(with_its_own_changes, 20)
