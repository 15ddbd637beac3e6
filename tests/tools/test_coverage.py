# SPDX-License-Identifier: Apache-2.0
"""tools/coverage in a fake tree, whose compilers and tests are scripts."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def counted(covered, count):
    return {"covered": covered, "count": count}


class Tree:
    def __init__(self, folder):
        self.folder = folder
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/coverage", folder / "tools/coverage")
        self.program("tools/bootstrap", 'echo "$*" > installed')
        self.program("bin/cmake", "mkdir -p build/coverage/src/core; touch build/coverage/src/core/core_test")
        self.program("bin/ctest", 'touch "${LLVM_PROFILE_FILE%/*}/core_test.profraw"')
        self.program("bin/llvm-profdata-19", 'echo "$*" > merged')
        self.program("bin/llvm-cov-19", f'echo "$*" >> asked; [ $1 = show ] || cat {folder}/found.json')
        for name in ("functional", "templates", "mqtt_models"):
            (folder / "tests" / name).mkdir(parents=True)
            (folder / "tests" / name / "test_it.py").write_text("def test_it():\n    pass\n")
        names = [f"core/part{number:02}.cpp" for number in range(12)] + ["core/short.h"]
        files = [{"filename": str(folder / "src" / name), "summary": {"lines": counted(number % 12, 20 if number < 12 else 19), "branches": counted(0, 0)}}
                 for number, name in enumerate(names)]
        totals = {"lines": counted(66, 144), "branches": counted(1, 4)}
        (folder / "found.json").write_text(json.dumps({"data": [{"files": files[::-1], "totals": totals}]}))

    def program(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def functional(self, body):
        (self.folder / "tests/functional/test_it.py").write_text(f"import os\ndef test_it():\n    {body}\n")

    def run(self, *arguments):
        return subprocess.run(["tools/coverage", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_the_sum_comes_last_after_the_ten_files_with_the_least(tree):
    ended = tree.run()
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert lines[-1] == "src/: lines  45.8 % (66 of 144), branches  25.0 % (1 of 4)"
    assert lines[-12] == "Of 12 files with 20 lines or more the 10 that have the least:"
    assert [line.split()[0] for line in lines[-11:-1]] == [f"src/core/part{number:02}.cpp" for number in range(10)]
    assert lines[-9].split()[1:] == "lines 10.0 % (2 of 20), branches 100.0 % (0 of 0)".split()
    assert "core_test.profraw" in (tree.folder / "merged").read_text()
    assert "/src/core/core_test --sources" in (tree.folder / "asked").read_text()
    assert (tree.folder / "installed").read_text() == "--test --coverage\n"


def test_functional_tests_run_the_instrumented_program(tree):
    tree.functional("assert os.environ['HEARTH_BINARY'].endswith('/build/coverage/hearth') and os.environ['LLVM_PROFILE_FILE']")
    assert tree.run().returncode == 0


@pytest.mark.parametrize("which", ["unit", "functional"])
def test_a_failed_test_fails_it_but_the_figures_are_printed(tree, which):
    if which == "unit":
        tree.program("bin/ctest", 'touch "${LLVM_PROFILE_FILE%/*}/core_test.profraw"; exit 8')
    else:
        tree.functional("assert False")
    ended = tree.run()
    assert ended.returncode == 1 and ended.stdout.splitlines()[-1].startswith("src/: lines")


def test_a_failed_build_is_shown(tree):
    tree.program("bin/cmake", "echo no compiler; false")
    ended = tree.run()
    assert (ended.returncode, ended.stderr) == (1, "no compiler\ntools/coverage: the build failed\n")


def test_each_line_can_be_shown(tree):
    assert "Each line: build/coverage/html/index.html\n" in tree.run("--html").stdout
    assert "show --format=html" in (tree.folder / "asked").read_text()


def test_an_unknown_option_is_named(tree):
    ended = tree.run("--fast")
    assert (ended.returncode, ended.stderr) == (1, "tools/coverage: unknown option --fast; there is --html\n")
    assert not (tree.folder / "installed").exists()
