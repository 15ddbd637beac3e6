# SPDX-License-Identifier: Apache-2.0
"""tools/fuzz in a fake tree, whose fuzzers are scripts; and whether each fuzzer of this repository has seeds."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What libFuzzer prints, and what it is called with.
PASSES = """echo "$*" > called
echo '#2 INITED cov: 12 ft: 13'; echo '#99 DONE cov: 1234 ft: 2000'
echo 'stat::number_of_executed_units: 56789'; echo 'stat::average_exec_per_sec:     1893'"""
FINDS = """echo 'does not hold: each command is answered'
echo 'Test unit written to tests/fuzz/http_form/crash-1'; exit 77"""


class Tree:
    def __init__(self, folder):
        self.folder = folder
        self.program("bin/cmake", 'echo "$*" >> built')
        for name, source in (("http_form", "http/form"), ("api_connection", "api/gateway/connection")):
            self.program(f"build/fuzz/src/{name.split('_')[0]}/{name}_fuzz", PASSES)
            (folder / f"src/{source}_fuzz.cpp").parent.mkdir(parents=True)
            (folder / f"src/{source}_fuzz.cpp").touch()
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/fuzz", folder / "tools/fuzz")

    def program(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def run(self, *arguments):
        return subprocess.run(["tools/fuzz", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_a_line_gives_the_result_of_each(tree):
    ended = tree.run()
    assert (ended.returncode, ended.stderr) == (0, "")
    line = re.compile(r"(\w+) +56789 executions, +1893/s, coverage +1234: nothing found")
    assert [line.fullmatch(printed)[1] for printed in ended.stdout.splitlines()] == ["api_connection", "http_form"]
    assert "api_connection_fuzz http_form_fuzz" in (tree.folder / "built").read_text()


def test_time_and_names_can_be_given(tree):
    assert len(tree.run("7", "http_form").stdout.splitlines()) == 1
    called = (tree.folder / "called").read_text()
    assert "-max_total_time=7 " in called and "-artifact_prefix=tests/fuzz/http_form/ " in called
    assert called.endswith("build/fuzz-corpus/http_form tests/fuzz/http_form\n")
    assert tree.run("--list").stdout == "api_connection\nhttp_form\n"


def test_built_ones_are_not_built_again(tree):
    assert len(tree.run("--built", "7", "http_form").stdout.splitlines()) == 1
    assert not (tree.folder / "built").exists()


def test_a_finding_is_reported_and_fails(tree):
    tree.program("build/fuzz/src/http/http_form_fuzz", FINDS)
    ended = tree.run()
    assert ended.returncode == 1
    lines = ended.stdout.splitlines()
    assert "nothing found" in lines[0]
    assert lines[1].startswith("http_form ") and lines[1].endswith(": FOUND tests/fuzz/http_form/crash-1")
    assert lines[2].strip() == "does not hold: each command is answered"


def test_one_that_does_not_run_fails(tree):
    (tree.folder / "build/fuzz/src/http/http_form_fuzz").unlink()
    ended = tree.run()
    assert ended.returncode == 1 and "FOUND nothing, but ended with" in ended.stdout


def test_one_that_does_not_build_fails(tree):
    tree.program("bin/cmake", "echo broken; false")
    ended = tree.run()
    assert ended.returncode == 2 and "broken" in ended.stdout and "do not build" in ended.stderr


@pytest.mark.parametrize("arguments", [["0"], ["5", "nobody"], ["--fast"]])
def test_wrong_arguments_are_refused(tree, arguments):
    ended = tree.run(*arguments)
    assert ended.returncode == 2 and ended.stderr.startswith("tools/fuzz: ")
    assert not (tree.folder / "built").exists()


def test_each_fuzzer_has_seeds_and_each_seed_a_fuzzer():
    names = subprocess.run([ROOT / "tools/fuzz", "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert names and sorted(names) == sorted(path.name for path in (ROOT / "tests/fuzz").iterdir())
    for name in names:
        assert any((ROOT / "tests/fuzz" / name).iterdir()), name
