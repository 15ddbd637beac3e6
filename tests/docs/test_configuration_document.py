# SPDX-License-Identifier: Apache-2.0
"""docs/configuration.md against the configuration that the hub writes."""

import re
import subprocess
from pathlib import Path

import yaml

from hub_process import BINARY

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")


def default_configuration():
    source = (ROOT / "src/app/files/configuration_file.cpp").read_text(encoding="utf-8")
    text = re.search(r'R"\((.*?)\)"', source, re.DOTALL)[1]
    return yaml.load(re.sub(r"\n  # (\w+: )", r"\n  \1", text), Loader=yaml.BaseLoader)


def section(name):
    return re.search(rf"^##+ `{name}`\n(.*?)(?=^##|\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)[1]


def test_every_key_is_described_with_its_default():
    configuration = default_configuration()
    del configuration["demo"]
    assert list(configuration) == ["home", "http", "network", "zeroconf", "auth", "api", "frontend", "limits", "audit", "import",
                                   "log", "recorder"]
    for name, keys in configuration.items():
        table = section(name).split("| Key of ")[0]
        rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", table, re.MULTILINE))
        assert list(rows) == list(keys)
        for key, default in keys.items():
            shown = {"": '""', "[]": "[]"}.get(str(default), str(default))
            assert rows[key].startswith(f"`{shown}`"), key


def test_every_limit_of_http_is_described(tmp_path):
    (tmp_path / "configuration.yaml").write_text("http: {limits: {nonsense: 1}}\n", encoding="utf-8")
    done = subprocess.run([BINARY, "check", "--config", tmp_path], capture_output=True, text=True, timeout=30)
    known = re.search(r"http\.limits\.nonsense: unknown key.*? Known: (.*)", done.stdout + done.stderr)[1].split(", ")
    table = section("limits").split("| Key of `http: limits:` |")[1]
    assert re.findall(r"^\| `(\w+)` \|.*\| `\w+` \|$", table, re.MULTILINE) == known


def test_the_example_is_yaml():
    example = re.search(r"## An example\n\n```yaml\n(.*?)```", DOCUMENT, re.DOTALL)[1]
    assert set(yaml.safe_load(example)) == {"home", "http", "log", "demo"}
