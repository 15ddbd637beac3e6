# SPDX-License-Identifier: Apache-2.0
"""tools/check_format in a fake repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/check_format", tmp_path / "tools")
    shutil.copy(ROOT / ".clang-format", tmp_path)
    (tmp_path / "good.cpp").write_text("int a;\n")
    return tmp_path


def check(tree, *options):
    return subprocess.run([tree / "tools/check_format", *options], capture_output=True, text=True)


def test_formatted_sources_pass(tree):
    done = check(tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_each_file_that_is_not_formatted_is_named_once_and_can_be_fixed(tree):
    (tree / "bad one.h").write_text("int a;\nint  b;\nint  c;\n")
    done = check(tree)
    assert done.returncode == 1
    assert done.stdout == "bad one.h:2: is not formatted\ntools/check_format --fix formats them.\n"
    assert check(tree, "--fix").returncode == 0
    assert (tree / "bad one.h").read_text() == "int a;\nint b;\nint c;\n"
    assert check(tree).returncode == 0


def test_files_that_git_ignores_are_skipped(tree):
    (tree / ".gitignore").write_text("/build/\n")
    (tree / "build").mkdir()
    (tree / "build/bad.h").write_text("int  a;\n")
    assert check(tree).returncode == 0


def test_a_broken_style_is_no_success(tree):
    (tree / ".clang-format").write_text("ColumnLimit: wide\n")
    done = check(tree)
    assert done.returncode == 1
    assert "ColumnLimit" in done.stdout


def test_an_unknown_option_is_refused(tree):
    done = check(tree, "--all")
    assert (done.returncode, done.stderr) == (1, "tools/check_format: unknown option --all; known is --fix\n")
