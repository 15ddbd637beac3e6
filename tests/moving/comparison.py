# SPDX-License-Identifier: Apache-2.0
"""Compares what another hub answered with what Hearth answers after the import. Each function yields differences: what, which one,
the field, there, here."""

import datetime
import math

ENTITY = ("entity_id", "id", "unique_id", "platform", "name", "icon", "device_class", "area_id", "labels", "aliases", "categories",
          "hidden_by", "disabled_by", "original_name", "original_icon", "original_device_class", "has_entity_name", "translation_key",
          "entity_category", "device_id", "created_at", "modified_at", "options")
DEVICE = ("id", "identifiers", "connections", "name", "manufacturer", "model", "model_id", "sw_version", "hw_version", "serial_number",
          "configuration_url", "entry_type", "via_device_id", "name_by_user", "area_id", "labels", "disabled_by", "created_at", "modified_at")
AREA = ("area_id", "name", "aliases", "icon", "picture", "labels", "floor_id", "temperature_entity_id", "humidity_entity_id", "created_at",
        "modified_at")
FLOOR = ("floor_id", "name", "level", "icon", "aliases", "created_at", "modified_at")
LABEL = ("label_id", "name", "color", "icon", "description", "created_at", "modified_at")
CATEGORY = ("category_id", "name", "icon", "created_at", "modified_at")
# What whoever provides an entity says of it: of one that Hearth provides itself in Hearth's words.
PROVIDED = {"original_name", "original_icon", "original_device_class", "has_entity_name", "translation_key", "entity_category", "device_id",
            "modified_at"}
IN_ANY_ORDER = {"labels", "aliases", "identifiers", "connections"}
UNKNOWN_TIME = 86_400  # created_at of 1970 says that nobody knows
TOLERANCE = 1e-6  # of numbers, relative


def comparable(field, value):
    if field in IN_ANY_ORDER:
        return sorted((each for each in value or [] if each is not None), key=str)
    if field == "disabled_by" and value is not None:
        return "user" if value == "user" else "integration"
    if isinstance(value, float):
        return round(value, 3)  # both answer times as seconds, of different fineness
    return value


def fields_differ(what, identity, there, here, fields):
    """Of fields that the other hub's version has."""
    for field in fields:
        if field not in there or field.endswith("_at") and there[field] < UNKNOWN_TIME:
            continue
        old, new = comparable(field, there[field]), comparable(field, here.get(field))
        if old != new:
            yield what, identity, field, old, new


def lists_differ(what, there, here, key, fields, wanted=lambda item: True, fields_of=None):
    """Of items with an id; those of `wanted` must be here. `fields_of` says which fields of an item, if not all."""
    found = {item[key]: item for item in here}
    for item in there:
        if item[key] in found:
            yield from fields_differ(what, item[key], item, found[item[key]], fields_of(item) if fields_of else fields)
        elif wanted(item):
            yield what, item[key], "", "there", "not here"


def registry(answers, socket, fates):
    """Of entities and devices that were not left, of all areas, floors, labels and categories."""
    entities = socket.result("config/entity_registry/get_entries", entity_ids=list(answers["registered"]))

    def fields_of(item):
        carried = fates.of(["entity"], item["entity_id"]) == "carried"
        return [field for field in ENTITY if field not in (PROVIDED if carried else ())]

    there = {entity_id: entity for entity_id, entity in answers["registered"].items() if fates.of(["entity"], entity_id) != "left"}
    yield from lists_differ("entity", there.values(), [each for each in entities.values() if each], "entity_id", ENTITY,
                            fields_of=fields_of)
    yield from lists_differ("device", answers["devices"], socket.result("config/device_registry/list"), "id", DEVICE,
                            lambda item: fates.of(["device"], item["id"]) != "left")
    for plural, kind, key, fields in (("areas", "area", "area_id", AREA), ("floors", "floor", "floor_id", FLOOR),
                                      ("labels", "label", "label_id", LABEL)):
        here = socket.result(f"config/{kind}_registry/list")
        yield from lists_differ(kind, answers[plural], here, key, fields)
        order = [item[key] for item in answers[plural]]
        if kind != "label" and [item[key] for item in here if item[key] in order] != order and answers["version"] >= "2025":
            yield kind, "", "order", order, [item[key] for item in here]
    if answers["categories"]:  # old versions have none
        yield from lists_differ("category", answers["categories"], socket.result("config/category_registry/list", scope="automation"),
                                "category_id", CATEGORY)


def same_value(old, new):
    """True if both are the same text or number: "8.0" is "8"."""
    try:
        return old == new or float(old) == float(new)
    except ValueError:
        return False


def states(answers, here, entity_ids, attributes=("friendly_name", "unit_of_measurement", "device_class", "icon")):
    """Of these entities, values and these attributes; `here` is the answer of /api/states."""
    found = {state["entity_id"]: state for state in here}
    for there in answers["states"]:
        entity_id = there["entity_id"]
        if entity_id not in entity_ids:
            continue
        if entity_id not in found:
            yield "state", entity_id, "", there["state"], "no state"
            continue
        if not same_value(there["state"], found[entity_id]["state"]):
            yield "state", entity_id, "state", there["state"], found[entity_id]["state"]
        for name in attributes:
            old, new = there["attributes"].get(name), found[entity_id]["attributes"].get(name)
            if old != new:
                yield "state", entity_id, name, old, new


def without_none(attributes):
    return {name: value for name, value in attributes.items() if value is not None}


def history_of(client, answers, entity_ids):
    """Every change of these until that hub was asked, by entity."""
    parameters = {"end_time": answers["asked"], "significant_changes_only": "0", "filter_entity_id": ",".join(entity_ids)}
    answer = client.get(f"/api/history/period/{answers['began']}", params=parameters, timeout=120)
    assert answer.status_code == 200, answer.text
    return {each[0]["entity_id"]: each for each in answer.json()}


def history(there, here):
    """Of the entities of `there`: values, attributes, both times, and their number."""
    for entity_id, changes in there.items():
        changes = [change for change in changes if change["state"]]  # the other hub answers that it was removed, too
        found = here.get(entity_id, [])
        if len(changes) != len(found):
            yield "history", entity_id, "changes", len(changes), len(found)
        for number, (old, new) in enumerate(zip(changes, found)):
            for name in ("state", "last_changed", "last_updated"):
                if old[name] != new[name]:
                    yield "history", entity_id, f"{name} of {number}", old[name], new[name]
            if without_none(old["attributes"]) != without_none(new["attributes"]):
                yield "history", entity_id, f"attributes of {number}", old["attributes"], new["attributes"]


def statistic_ids(answers, socket):
    here = {each["statistic_id"]: each for each in socket.result("recorder/list_statistic_ids")}
    for each in answers["statistic_ids"]:
        new = here.get(each["statistic_id"])
        if new is None:
            yield "statistic", each["statistic_id"], "", "there", "not here"
            continue
        for field in ("source", "name", "has_sum", "has_mean", "display_unit_of_measurement"):  # that of states
            if field in each and each[field] != new.get(field):
                yield "statistic", each["statistic_id"], field, each[field], new.get(field)


def near(old, new):
    if old is None or new is None:
        return old is new
    return math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=1e-9)


def statistics(answers, socket, period="hour"):
    """Of each step that had ended when that hub was asked: mean, min, max, state, and the change between steps."""
    there = answers["statistics"][period]
    if not there:
        return
    asked = datetime.datetime.fromisoformat(answers["asked"])
    start = asked - datetime.timedelta(days=90)
    here = socket.result("recorder/statistics_during_period", period=period, statistic_ids=list(there),
                         start_time=start.isoformat(), end_time=answers["asked"])
    for statistic_id, steps in there.items():
        steps = [step for step in steps if step["end"] <= asked.timestamp() * 1000]
        found = {step["start"]: step for step in here.get(statistic_id, [])}
        sums = [(old["sum"], found[old["start"]]["sum"]) for old in steps
                if old.get("sum") is not None and found.get(old["start"], {}).get("sum") is not None]
        for old in steps:
            new = found.get(old["start"])
            if new is None:
                yield "statistics", statistic_id, f"{period} of {old['start']}", old, None
                continue
            for name in ("end", "mean", "min", "max", "state"):
                if not near(old.get(name), new.get(name)):
                    yield "statistics", statistic_id, f"{name} of the {period} {old['start']}", old.get(name), new.get(name)
            if old.get("sum") is not None:
                if new.get("sum") is None:
                    yield "statistics", statistic_id, f"sum of the {period} {old['start']}", old["sum"], None
                elif not math.isclose(old["sum"] - sums[0][0], new["sum"] - sums[0][1], rel_tol=TOLERANCE, abs_tol=1e-6):
                    yield "statistics", statistic_id, f"change until the {period} {old['start']}", old["sum"] - sums[0][0], new["sum"] - sums[0][1]
