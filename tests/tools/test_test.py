# SPDX-License-Identifier: Apache-2.0
"""./test in a made-up tree, where everything that it builds or runs is quick: what runs again, and what does not."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STAMPED = {"functional", "functional-asan", "web", "clients", "tools", "asan-a_test", "asan-b_test", "tsan-a_stress_test"}
PASSES = "def test_it(): pass\n"


class Tree:
    def __init__(self, folder):
        self.folder = folder
        for name in ("fingerprint", "count_tests"):
            (folder / "tools").mkdir(exist_ok=True)
            shutil.copy(ROOT / "tools" / name, folder / "tools" / name)
        shutil.copy(ROOT / "test", folder / "test")
        for name in ("tools/bootstrap", "tools/check_format", "tools/check_layers", "tools/check_sources", "tools/fuzz",
                     "bin/cmake"):
            self.program(name, "true")
        self.program("tests/web/run", "echo '  3 passed (1s)'")
        for name in ("build/asan/src/a_test", "build/asan/src/b_test", "build/asan/src/a_stress_test", "build/tsan/src/a_stress_test"):
            self.program(name, "echo '[  PASSED  ] 2 tests.'")
        for name in ("build/release/hearth", "build/release/src/a/libhearth_a.a", "build/release/src/web/libhearth_web_files.a",
                     "build/asan/src/a/libhearth_a.a", "build/asan/src/b/libhearth_b.a",
                     "build/asan/src/web/libhearth_web_files.a", "web/package.json", "src/a_test.cpp", "tests/conftest.py",
                     "tests/openapi/package.json", ".ci/run", "run", "cmake/a.cmake", ".clang-format", "CMakeLists.txt"):
            self.write(name, "")
        for name in ("clients/test_c.py", "docs/test_d.py", "release/test_r.py", "tools/test_t.py", "functional/test_f.py",
                     "functional/test_pages.py"):
            self.write("tests/" + name, PASSES)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def append(self, name):
        self.write(name, ((self.folder / name).read_text() if (self.folder / name).exists() else "") + "\n")

    def program(self, name, command):
        self.write(name, f"#!/bin/sh\n{command}\n")
        (self.folder / name).chmod(0o755)

    def run(self, *options):
        """The exit code, the last line, and how each check ended."""
        ended = subprocess.run(["./test", *options], cwd=self.folder, capture_output=True, text=True,
                               env=os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})
        self.printed = ended.stdout
        checks = dict(re.findall(r"^(\S+) +(ok|FAILED|unchanged) \(", ended.stdout, re.MULTILINE))
        return ended.returncode, ended.stdout.splitlines()[-1], checks

    def run_again(self, *options):
        """What runs, of the checks that do not always run."""
        return {name for name, outcome in self.run(*options)[2].items() if name in STAMPED and outcome != "unchanged"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """One for all tests, which leave everything passed."""
    tree = Tree(tmp_path_factory.mktemp("tree"))
    assert tree.run()[:2] == (0, "23 passed, 0 failed")
    return tree


def test_what_has_passed_is_not_run_again_but_counted(tree):
    code, line, checks = tree.run()
    assert (code, line) == (0, "23 passed, 0 failed")
    assert {name for name, outcome in checks.items() if outcome == "unchanged"} == STAMPED
    assert all(outcome == "ok" for name, outcome in checks.items() if name not in STAMPED)


@pytest.mark.parametrize("changed, again", [
    (["build/asan/src/a_test", "docs/api.md"], {"asan-a_test"}),
    (["build/asan/src/b/libhearth_b.a", "tests/web/login.spec.ts"], {"functional-asan", "web"}),
    (["web/src/page.ts", "build/release/hearth", "build/release/src/web/libhearth_web_files.a",
      "build/asan/src/web/libhearth_web_files.a"], {"clients", "web"}),
    (["src/a.h"], {"tools"}),
    (["src/CMakeLists.txt"], {"functional", "functional-asan", "clients", "tools"}),
], ids=["module", "tests", "pages", "header", "link"])
def test_what_looks_at_a_changed_file_runs_again(changed, again, tree):
    for name in changed:
        tree.append(name)
    assert tree.run_again() == again


def test_what_passed_beside_a_failed_build_runs_again(tree):
    tree.append("build/asan/src/a/libhearth_a.a")  # built anew, but not linked
    tree.program("bin/cmake", "false")
    code, line, checks = tree.run()
    tree.program("bin/cmake", "true")
    assert (code, checks["asan-build"], checks["functional-asan"]) == (1, "FAILED", "ok")
    assert tree.run_again() == {"functional-asan"}
    assert tree.run_again() == set()


def test_pages_are_left_out_while_they_are_as_they_were(tree):
    tree.append("build/release/hearth")
    tree.append("build/release/src/a/libhearth_a.a")
    code, line, checks = tree.run()
    assert (code, line) == (0, "20 passed, 0 failed")
    assert "Left to ./test --all: web" in tree.printed
    assert "web" not in checks and checks["functional"] == checks["clients"] == "ok"
    assert tree.run("--all")[1:] == ("24 passed, 0 failed", dict.fromkeys([*checks, "web", "fuzz"], "ok"))
    assert "Left" not in tree.printed


def test_what_has_failed_runs_again_until_it_passes(tree):
    tree.write("tests/clients/test_c.py", "def test_it(): assert False\n")
    for _ in range(2):
        code, line, checks = tree.run()
        assert (code, line, checks["clients"]) == (1, "22 passed, 1 failed", "FAILED")
    tree.write("tests/clients/test_c.py", PASSES)
    assert tree.run()[2]["clients"] == "ok"


def test_an_unknown_option_is_named(tree):
    ended = subprocess.run(["./test", "--fast"], cwd=tree.folder, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (2, "./test: unknown option --fast; there is --all\n")
