# SPDX-License-Identifier: Apache-2.0
"""The words of the hub's services in other languages than English."""

import json
import re

import pytest

from checks import assert_json
from hub_process import REPOSITORY, free_port

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
    return module_hubs(mqtt={"broker": "127.0.0.1", "port": free_port()})


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
