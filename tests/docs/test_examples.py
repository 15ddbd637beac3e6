# SPDX-License-Identifier: Apache-2.0
"""The YAML examples of the documents are configurations that the hub takes."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from hub_process import BINARY

ROOT = Path(__file__).resolve().parents[2]
# Sections of configuration.yaml; an example without any is another file.
SECTIONS = {"automation", "script", "scene", "template", "sensor", "binary_sensor", "switch", "climate", "utility_meter", "group",
            "input_boolean", "input_number", "input_select", "input_text", "input_datetime", "input_button", "timer", "counter",
            "schedule", "zone", "person", "mqtt", "homeassistant", "home", "http", "recorder", "log", "demo", "command_line", "notify", "rest", "rest_command", "scrape", "shell_command", "sql", "wake_on_lan",
            "remote_calendar", "caldav", "calendar"}


class Loader(yaml.SafeLoader):
    """Takes !secret, !include and !input for texts."""


Loader.add_multi_constructor("!", lambda loader, tag, node: str(node.value))


def examples():
    for path in sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("docs/automations/*.md")]):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 1
            yield pytest.param(found[1], id=f"{path.relative_to(ROOT)}:{line}")


@pytest.mark.parametrize("example", examples())
def test_an_example_is_yaml(example):
    yaml.load(example, Loader)


@pytest.mark.parametrize("example", [each for each in examples() if SECTIONS & set(yaml.load(each.values[0], Loader) or {})])
def test_an_example_is_a_configuration(example, tmp_path):
    (tmp_path / "configuration.yaml").write_text(example, encoding="utf-8")
    secrets = {name: "postgresql://hearth@db.home/hearth" for name in re.findall(r"!secret (\w+)", example)}
    (tmp_path / "secrets.yaml").write_text(yaml.safe_dump(secrets), encoding="utf-8")
    done = subprocess.run([BINARY, "check", "--config", tmp_path], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
