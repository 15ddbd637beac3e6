# SPDX-License-Identifier: Apache-2.0
"""The words of the hub's services in other languages than English, and of what the page makes of its descriptions."""

import json
import re

import pytest

from checks import assert_json
from hub_process import REPOSITORY, free_port
from websocket_client import WebSocketClient

FOLDER = REPOSITORY / "web/src/i18n/languages"
FILES = sorted(FOLDER.glob("services.*.json"))


def keys_of(hub):
    """What every service and field of the running hub needs, as lists of keys of which one is enough."""
    for entry in assert_json(hub.admin.get("/api/services")):
        for name, service in entry["services"].items():
            own = f"{entry['domain']}.{name}"
            for key in ["name"] * ("name" in service) + ["description"]:
                yield [f"{own}.{key}", f"*.{key}"]
            for field, described in service["fields"].items():
                for key in ["name"] * ("name" in described) + ["description"]:
                    yield [f"{own}.fields.{field}.{key}", f"*.fields.{field}.{key}"]


@pytest.fixture(scope="module")
def whole(module_hubs):
    """A hub with every integration that has services."""
    return module_hubs(mqtt={"broker": "127.0.0.1", "port": free_port()},
                       modbus={"type": "tcp", "host": "127.0.0.1", "port": free_port()},
                       home_assistant={"url": f"http://127.0.0.1:{free_port()}", "token": "nobody.listens"})


def test_there_is_german():
    assert "services.de.json" in [path.name for path in FILES]


@pytest.mark.contract("Services: list")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_service_and_field_has_words(whole, path):
    words = json.loads(path.read_text(encoding="utf-8"))
    wanted = list(keys_of(whole))
    assert len(wanted) > 500
    assert [keys[0] for keys in wanted if not any(words.get(key, "").strip() for key in keys)] == []
    known = {key for keys in wanted for key in keys}
    assert sorted(set(words) - known) == []  # what is there no more
    assert all(re.fullmatch(r"[^\s].*[^\s]", text) for text in words.values())


def words_of_derived(kinds):
    """What the page says of each kind of sensor made of others, as lists of keys of which one is enough."""
    for platform, kind in kinds.items():
        yield [f"derived.{platform}"]
        yield [f"derived.{platform}.about"]
        for field in kind["fields"]:
            if field["key"] == "name":
                continue
            yield from words_of_field(platform, field)
            by = field["selector"].get("object")
            for variant, fields in by["kinds"].items() if by else ():
                yield [f"derived.{platform}.{by['by']}.{variant}"]
                for inner in fields:
                    yield from words_of_field(platform, inner)
            if by:
                yield [f"derived.{platform}.{by['by']}"]
                yield [f"derived.{field['key']}.add"]
                yield [f"derived.{field['key']}.one"]


def words_of_field(platform, field):
    yield [f"derived.{platform}.{field['key']}", f"derived.field.{field['key']}"]
    choice = field["selector"].get("select", {})
    for option in [] if choice.get("custom_value") else choice.get("options", []):
        # What is written the same everywhere, such as 0.1, M and T.
        if re.fullmatch(r"[a-z0-9-]+(_[a-z0-9-]+)*", option) and len(option) > 1 or field["key"] == "unit_time":
            yield [f"derived.{platform}.{field['key']}.{option}", f"derived.choice.{option}"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sensor_made_of_others_has_words_in_the_page(whole, language):
    words = json.loads((FOLDER / f"automations.{language}.json").read_text(encoding="utf-8"))
    with WebSocketClient(whole, whole.tokens["admin"]) as client:
        wanted = list(words_of_derived(client.result("hearth/derived_kinds")))
    assert len(wanted) > 150
    assert [keys[0] for keys in wanted if not any(words.get(key, "").strip() for key in keys)] == []
    known = {key for keys in wanted for key in keys} | {"derived.ofFile"}
    assert sorted(key for key in words if key.startswith("derived.") and not key.endswith(".hint") and key not in known) == []


def texts_of(part):
    """The texts for people in what a blueprint says of itself."""
    if isinstance(part, list):
        return {text for each in part for text in texts_of(each)}
    if not isinstance(part, dict):
        return set()
    own = {part[key] for key in ("name", "description", "label") if isinstance(part.get(key), str)}
    return own | {text for each in part.values() for text in texts_of(each)}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("blueprints.*.json")), ids=lambda path: path.name)
def test_every_blueprint_of_the_hub_has_words(whole, path):
    words = json.loads(path.read_text(encoding="utf-8"))
    with WebSocketClient(whole, whole.tokens["admin"]) as client:
        listed = client.result("blueprint/list", domain="automation").values()
    wanted = {text for each in listed if each["built_in"] for text in texts_of(each["metadata"])}
    assert len(wanted) > 40
    assert sorted(text for text in wanted if not words.get(text, "").strip()) == []
    assert sorted(set(words) - wanted) == []
