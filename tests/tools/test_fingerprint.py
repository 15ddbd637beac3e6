# SPDX-License-Identifier: Apache-2.0
"""tools/fingerprint: what changes it, and what does not."""

import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "tools/fingerprint"


def fingerprint(*paths):
    return subprocess.run([PROGRAM, *paths], capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "a file").write_text("one")
    (tmp_path / "inner/b").write_text("two")
    return tmp_path


@pytest.fixture
def before(folder):
    return fingerprint(folder).stdout


def test_it_is_the_same_as_long_as_nothing_changes(folder, before):
    assert len(before.strip()) == 64
    assert fingerprint(folder).stdout == before


@pytest.mark.parametrize("change", [
    lambda folder: (folder / "inner/b").write_text("three"),
    lambda folder: (folder / "inner/c").write_text(""),
    lambda folder: (folder / "inner/b").unlink(),
    lambda folder: (folder / "inner/b").rename(folder / "b"),
], ids=["content", "new file", "deleted file", "moved file"])
def test_it_changes_with_the_files(change, folder, before):
    change(folder)
    assert fingerprint(folder).stdout != before


@pytest.mark.parametrize("name", ["__pycache__", "node_modules"])
def test_what_tools_leave_behind_does_not_count(name, folder, before):
    (folder / "inner" / name).mkdir()
    (folder / "inner" / name / "x").write_text("x")
    assert fingerprint(folder).stdout == before


def test_single_files_can_be_named(folder):
    alone = fingerprint(folder / "a file").stdout
    (folder / "inner/b").write_text("three")
    assert fingerprint(folder / "a file").stdout == alone != fingerprint(folder / "a file", folder / "inner/b").stdout


def test_what_is_not_there_is_an_error(folder):
    ended = fingerprint(folder / "a file", folder / "none")
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert "none" in ended.stderr
