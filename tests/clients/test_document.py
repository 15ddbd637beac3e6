# SPDX-License-Identifier: Apache-2.0
"""docs/clients.md names the clients, in the versions that the tests install."""

import json
import re

import pytest

from hub_process import REPOSITORY
from packages import FOLDER, LOCK

DOCUMENT = (REPOSITORY / "docs/clients.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([\w@/.-]+) \| (\d[\w.]*) \|", DOCUMENT, re.M)
# What the tests need besides clients.
TOOLS = {"@digital-alchemy/core", "playwright-core", "node-red", "ws"}


def installed():
    """{(name, version)} of what the locks pin, however their names are written."""
    found = set()
    for path in [*FOLDER.glob("*.txt"), *FOLDER.glob("requirements/*.txt")]:
        found.update(re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.M))
    for path in FOLDER.glob("*/Cargo.toml"):
        found.update(re.findall(r'^([\w-]+) = (?:"=|\{ version = "=)([\w.]+)"', path.read_text(), re.M))
    packages = json.loads(LOCK.read_text())["packages"]
    found.update((path.removeprefix("node_modules/"), package["version"]) for path, package in packages.items() if path)
    return {(name.lower(), version) for name, version in found}


@pytest.mark.parametrize("name, version", ROWS)
def test_versions_are_those_that_the_tests_install(name, version):
    assert (name.lower(), version) in installed()


def test_every_client_of_node_has_a_row():
    names = json.loads((FOLDER / "package.json").read_text())["dependencies"].keys() - TOOLS
    assert names <= {name for name, _ in ROWS}
