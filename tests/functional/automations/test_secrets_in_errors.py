# SPDX-License-Identifier: Apache-2.0
"""No error shows what !secret brought: in the configurations of broken/*.txt each value is a secret in turn."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml

import test_broken

SECRET = "Zq7Wahr"
AT_ONCE = 40  # items of automations in one configuration
EVERY = 3     # of the other values; all of them take a minute


def values_of(node):
    """The texts of a document that are no keys."""
    if isinstance(node, yaml.ScalarNode):
        return [node]
    if isinstance(node, yaml.SequenceNode):
        return [value for item in node.value for value in values_of(item)]
    return [value for _, item in node.value for value in values_of(item)] if isinstance(node, yaml.MappingNode) else []


def with_secrets(text):
    """The document once for each of its values, in which that value is the secret."""
    try:
        count = len(values_of(yaml.compose(text)))
    except yaml.YAMLError:
        return
    for number in range(count):
        root = yaml.compose(text)
        value = values_of(root)[number]
        if value.tag.startswith("!"):
            continue
        value.tag, value.value, value.style = "!secret", "word", None
        yield yaml.serialize(root)


def item(kind, number, text):
    own = {"triggers": "triggers", "conditions": "conditions", "actions": "actions"}[kind]
    others = "".join(f"    {each}: []\n" for each in ("triggers", "actions") if each != own)
    return f"  - alias: A{number}\n{others}    {own}:\n      -\n" + "".join(f"        {line}\n" for line in text.splitlines())


def configurations():
    """configuration.yaml, and files beside it."""
    items, others = [], []
    for case in test_broken.cases():
        kind, text, _ = case.values
        first, *files = text.split(">>>> ")
        for changed in with_secrets(first):
            if kind in test_broken.AROUND:
                items.append(item(kind, len(items), changed))
            else:
                others.append((changed, [file.partition("\n")[::2] for file in files]))
    for start in range(0, len(items), AT_ONCE):
        yield "automation:\n" + "".join(items[start:start + AT_ONCE]), []
    yield from others[::EVERY]


def shown(folder, configuration, files):
    """The lines of `hearth check` that show the secret, and whether it has complained at all."""
    folder.mkdir()
    for name, content in [("secrets.yaml", f"word: {SECRET}\n"), ("configuration.yaml", configuration), *files]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    done = subprocess.run([test_broken.BINARY, "check", "--config", str(folder)], capture_output=True, text=True, timeout=60, check=False)
    said = done.stdout + done.stderr
    return [line for line in said.splitlines() if SECRET.lower() in line.lower()], "********" in said


@pytest.mark.unsanitized  # starts the program two hundred times
@pytest.mark.contract("Automations: secrets and the environment")
def test_no_error_shows_a_secret(tmp_path):
    all_of_them = list(configurations())
    assert len(all_of_them) > 100
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda one: shown(tmp_path / str(one[0]), *one[1]), enumerate(all_of_them)))
    assert [line for lines, _ in results for line in lines] == []
    assert sum(masked for _, masked in results) > 10  # errors did name the value
