# SPDX-License-Identifier: Apache-2.0
"""tools/new_integration in a copy of the files it needs, compiled against this repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "src/core").mkdir(parents=True)
    for name in ("tools/new_integration", ".clang-format"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def new(tree, *arguments):
    return subprocess.run([tree / "tools/new_integration", *arguments], capture_output=True, text=True)


def test_its_output_compiles_and_is_tidy(tree):
    assert new(tree, "water_meter").returncode == 0
    folder = tree / "src/integrations/water_meter"
    names = ["CMakeLists.txt", "water_meter.cpp", "water_meter.h", "water_meter_test.cpp"]
    assert sorted(path.name for path in folder.iterdir()) == names
    sources = sorted(folder.glob("*.cpp"))
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wno-attributes", "-Werror"]
    include = [f"-I{tree}/src", f"-I{ROOT}/src"]
    subprocess.run(["c++", "-std=c++23", *warnings, *include, "-fsyntax-only", *sources], check=True)
    subprocess.run(["clang-format-19", "--dry-run", "--Werror", *sources, folder / "water_meter.h"], check=True)
    subprocess.run([ROOT / "tools/check_sources", tree / "src"], check=True)


def test_it_names_the_lines_to_add(tree):
    lines = new(tree, "sun").stdout
    assert "add_subdirectory(sun)" in lines
    assert '#include "integrations/sun/sun.h"' in lines
    assert 'integration_factory<integrations::sun::Sun>("sun"),' in lines


@pytest.mark.parametrize("name", ["Sun", "1wire", "a-b", "a__b", "a_", "../x", ""])
def test_an_invalid_name_is_refused(tree, name):
    done = new(tree, name)
    assert done.returncode == 1
    assert "is no name of an integration" in done.stderr
    assert not (tree / "src/integrations").exists()


def test_a_name_that_is_taken_is_refused(tree):
    assert "is a word of C++" in new(tree, "switch").stderr
    assert "is the name of a module" in new(tree, "core").stderr
    new(tree, "sun")
    (tree / "src/integrations/sun/sun.h").write_text("mine")
    done = new(tree, "sun")
    assert (done.returncode, done.stderr) == (1, "tools/new_integration: there is an integration sun already\n")
    assert (tree / "src/integrations/sun/sun.h").read_text() == "mine"


def test_without_a_name_it_prints_its_usage(tree):
    done = new(tree)
    assert done.returncode == 1
    assert "tools/new_integration NAME" in done.stderr
