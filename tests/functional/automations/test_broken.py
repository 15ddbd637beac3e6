# SPDX-License-Identifier: Apache-2.0
"""What `hearth check` says of broken configurations: broken/*.txt has each with the exact messages.

Cases are separated by ====. A case is a configuration.yaml, perhaps with other files after lines `>>>> name`; in
triggers.txt, conditions.txt and actions.txt it is one trigger, condition or step of an automation. Lines that begin with
=> are the messages; a case without any is a valid one. Lines that begin with -> are warnings of a valid one.
"""

import subprocess
from pathlib import Path

import pytest

from hub_process import BINARY

FOLDER = Path(__file__).parent / "broken"
AROUND = {
    "triggers": "automation:\n  - alias: A\n    actions: []\n    triggers:\n      - ",
    "conditions": "automation:\n  - alias: A\n    actions: []\n    triggers: []\n    conditions:\n      - ",
    "actions": "automation:\n  - alias: A\n    triggers: []\n    actions:\n      - ",
}
ENDS = ("hearth: Automations, scripts, scenes, helpers, template entities, sensors made of others or commands are not valid.", "hearth: The configuration is not valid.")

VALID = "configuration.yaml is valid."


def cases():
    for file in sorted(FOLDER.glob("*.txt")):
        for number, text in enumerate(file.read_text(encoding="utf-8").split("====\n")):
            lines = text.splitlines()
            expected = [line[3:] for line in lines if line.startswith("=> ")]
            warnings = [line[3:] for line in lines if line.startswith("-> ")]
            yield pytest.param(file.stem, "\n".join(line for line in lines if not line.startswith(("=> ", "-> "))),
                               expected or [*warnings, VALID], id=f"{file.stem}-{number + 1}")


def check(folder, kind, text):
    """Exit code and messages."""
    first, *others = text.split(">>>> ")
    if kind in AROUND:
        first = AROUND[kind] + first.replace("\n", "\n        ")
    (folder / "configuration.yaml").write_text(first.rstrip() + "\n", encoding="utf-8")
    for other in others:
        name, _, content = other.partition("\n")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    done = subprocess.run([BINARY, "check", "--config", str(folder)], capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, [line for line in (done.stdout + done.stderr).splitlines() if line and line not in ENDS]


@pytest.mark.contract("Automations: errors")
@pytest.mark.parametrize("kind, text, expected", cases())
def test_what_is_wrong_is_said_exactly(tmp_path, kind, text, expected):
    code, messages = check(tmp_path, kind, text)
    assert messages == expected
    assert code == (0 if VALID in expected else 1)


def test_there_are_more_than_two_hundred():
    assert sum(1 for case in cases() if VALID not in case.values[2]) > 200
