# SPDX-License-Identifier: Apache-2.0
"""./test in a fake tree: what it runs, and its last lines."""

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOGLE_TESTS = """#include <gtest/gtest.h>
TEST(Lamp, Shines) {}
TEST(Lamp, Burns) { EXPECT_EQ(1, 2) << "too hot"; }
TEST(Lamp, Flies) { GTEST_SKIP() << "it has no wings"; }
TEST(Lamp, Bursts) { std::abort(); }
"""


class Tree:
    """A repository whose checks are scripts."""

    def __init__(self, folder):
        self.folder = folder
        self.checks = []
        for name in ("test", "tools/sum_tests"):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        self.program("tools/bootstrap", "true")

    def program(self, name, script):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)
        return self.folder / name

    def check(self, name, script, results=False, **properties):
        """`script` gets the path of its JUnit file in $RESULTS."""
        program = self.program(f"checks/{name}", f"RESULTS={self.folder}/build/test-results/{name}.xml\n{script}")
        properties.setdefault("LABELS", name)
        if results:
            properties["ATTACHED_FILES"] = f"{self.folder}/build/test-results/{name}.xml"
        self.checks.append(f"add_test(NAME {name} COMMAND {program})")
        self.checks += [f'set_tests_properties({name} PROPERTIES {key} "{value}")' for key, value in properties.items()]

    def junit(self, name, *cases, then="true"):
        """A check with tests of its own: "works", "breaks: failure", "sleeps: skipped"."""
        written = []
        for case in cases:
            case, _, outcome = case.partition(": ")
            written.append(f"<testcase classname='Lamp' name='{case}'>{outcome and f'<{outcome} message=&quot;dark&quot;/>'}</testcase>"
                           .replace("&quot;", '"'))
        self.check(name, f"mkdir -p $(dirname $RESULTS)\ncat > $RESULTS <<'END'\n<testsuite>{''.join(written)}</testsuite>\nEND\n{then}",
                   results=True)

    def start(self, *arguments):
        (self.folder / "tests").mkdir(exist_ok=True)
        (self.folder / "tests/CMakeLists.txt").write_text("\n".join(
            ["cmake_minimum_required(VERSION 3.25)", "project(made_up LANGUAGES NONE)", "enable_testing()", *self.checks]))
        return subprocess.Popen(["./test", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *arguments):
        """The exit code and the last line."""
        process = self.start(*arguments)
        self.printed = process.communicate(timeout=120)[0]
        return process.returncode, self.printed.splitlines()[-1]

    def left_out(self):
        return self.printed.splitlines()[-2]


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


@pytest.fixture(scope="module")
def google_tests(tmp_path_factory):
    program = tmp_path_factory.mktemp("google") / "lamp_test"
    subprocess.run(["clang++-19", "-O0", "-x", "c++", "-", "-lgtest_main", "-lgtest", "-o", program], input=GOOGLE_TESTS, text=True,
                   check=True)
    return program


def test_all_that_passed_is_counted(tree):
    tree.check("layering", "true")
    tree.junit("web", "shines", "glows")
    assert tree.run() == (0, "3 passed, 0 failed")
    assert tree.left_out() == "Left out: nothing"


def test_each_google_test_is_counted(tree, google_tests):
    tree.check("lamp_test", f"{google_tests} --gtest_output=xml:$RESULTS --gtest_filter=-*Bursts", results=True)
    assert tree.run() == (1, "1 passed, 1 failed")
    assert "\nlamp_test: 1 of its tests failed\n" in tree.printed and "too hot" in tree.printed
    assert tree.left_out() == "Left out: 1 skipped (it has no wings)"


def test_what_a_failed_test_says_is_shown_however_much_follows(tree, google_tests):
    tree.check("lamp_test", f"{google_tests} --gtest_output=xml:$RESULTS --gtest_filter=-*Bursts; code=$?; seq 1000; exit $code", results=True)
    assert tree.run() == (1, "1 passed, 1 failed")
    assert "\n    Lamp.Burns failed:\n" in tree.printed and "too hot" in tree.printed


def test_a_program_that_crashes_has_failed(tree, google_tests):
    tree.check("lamp_test", f"exec {google_tests} --gtest_output=xml:$RESULTS", results=True)
    assert tree.run() == (1, "0 passed, 1 failed")


def test_each_python_test_is_counted(tree):
    (tree.folder / "test_lamp.py").write_text("""import pytest
def test_shines(): pass
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_glows(colour): assert colour == "red"
@pytest.mark.skip("no cable")
def test_hums(): pass
@pytest.fixture
def socket(): raise RuntimeError("no socket")
def test_plugs(socket): pass
""")
    tree.check("lamps", f"cd {tree.folder}; /usr/bin/python3 -m pytest -q -p no:cacheprovider --junitxml=$RESULTS test_lamp.py", results=True)
    assert tree.run() == (1, "2 passed, 2 failed")
    assert tree.left_out() == "Left out: 1 skipped (no cable)"


def test_what_waited_in_vain_is_tried_once_more_and_named(tree):
    (tree.folder / "test_lamp.py").write_text("""from pathlib import Path
def fail_once(name, message):
    tried = Path(name).exists()
    Path(name).touch()
    assert tried, message
def test_shines(): pass
def test_glows(): fail_once("glows", "not within 5 s")
def test_hums(): fail_once("hums", "it is silent")
""")
    listed = (ROOT / "tests/CMakeLists.txt").read_text()
    second_try = re.search(r"^set\(second_try (.*)\)$", listed, re.MULTILINE)[1].replace('"', "'")
    shutil.copy(ROOT / "tests/conftest.py", tree.folder)
    tree.check("lamps", f"cd {tree.folder}; PYTHONPATH={ROOT}/tests/functional /usr/bin/python3 -m pytest -q -p no:cacheprovider "
               f"--junitxml=$RESULTS -n 2 {second_try} test_lamp.py", results=True)
    assert tree.run() == (1, "2 passed, 1 failed")
    assert "Passed at the second try: lamps: test_lamp.test_glows: AssertionError: not within 5 s\n" in tree.printed
    assert "FAILED lamps: test_lamp.test_hums: AssertionError: it is silent" in tree.printed


def test_a_test_of_several_builds_is_one_that_failed_if_it_failed_anywhere(tree):
    tree.junit("release/functional", "works", "breaks", "sleeps: skipped", "wakes: skipped")
    tree.junit("asan/functional", "works", "breaks: failure", "sleeps", "wakes: skipped", then="false")
    tree.junit("asan/other", "works")
    assert tree.run() == (1, "3 passed, 1 failed")
    assert tree.left_out() == "Left out: 1 skipped (dark)"
    assert "\n\nFAILED asan/functional: Lamp.breaks: dark\n\nLeft out: " in tree.printed


def test_a_check_that_takes_too_long_has_failed(tree):
    tree.check("slow", "echo begun; sleep 60", TIMEOUT=1)
    assert tree.run() == (1, "0 passed, 1 failed")
    assert "\nslow: failed\n    begun\n" in tree.printed


def test_a_check_that_a_failed_build_prevented_has_failed(tree):
    tree.check("build", "echo broken; false", FIXTURES_SETUP="build")
    tree.junit("unit", "works")
    tree.checks.append("set_tests_properties(unit PROPERTIES FIXTURES_REQUIRED build)")
    tree.check("layering", "true")
    assert tree.run() == (1, "1 passed, 2 failed")
    assert "\nbuild: failed\n    broken\n" in tree.printed and "\nunit: did not run: " in tree.printed


def test_a_missing_program_has_failed(tree):
    tree.check("unit", "true")
    (tree.folder / "checks/unit").unlink()
    assert tree.run() == (1, "0 passed, 1 failed")


@pytest.mark.parametrize("script", ["true", "echo > $RESULTS", "echo '<testsuite><testcase' > $RESULTS", "echo '<testsuite/>' > $RESULTS"])
def test_a_check_that_ran_no_test_has_failed(tree, script):
    tree.check("unit", script, results=True)
    assert tree.run() == (1, "0 passed, 1 failed")
    assert "\nunit: ran no test\n" in tree.printed


def test_results_of_an_earlier_run_do_not_count(tree):
    tree.junit("unit", "works")
    assert tree.run() == (0, "1 passed, 0 failed")
    tree.program("checks/unit", "true")
    assert tree.run() == (1, "0 passed, 1 failed")


def test_a_check_that_fails_after_its_tests_has_failed(tree):
    tree.junit("unit", "works", "glows", then="echo 24 bytes leaked; exit 1")
    assert tree.run() == (1, "2 passed, 1 failed")
    assert "\nunit: failed\n    24 bytes leaked\n" in tree.printed


def test_the_end_of_a_long_log_is_shown(tree):
    tree.check("unit", "seq 100000; false")
    tree.run()
    assert "\nunit: failed\n    99941\n    99942\n" in tree.printed and "    100000\n\nFAILED unit: failed\n\nLeft out" in tree.printed


def test_the_label_all_is_left_to_all(tree):
    tree.check("layering", "true")
    tree.check("fuzz/form", "true", LABELS="fuzz;all")
    assert tree.run() == (0, "1 passed, 0 failed")
    assert tree.left_out() == "Left out: 1 checks of fuzz (./test --all runs them)"
    assert tree.run("--all") == (0, "2 passed, 0 failed")
    assert tree.left_out() == "Left out: nothing"


def test_parts_run_with_what_they_need(tree):
    for name in ("build", "other"):
        tree.check(name, f"touch {tree.folder}/{name}", FIXTURES_SETUP=name)
    tree.check("unit", "true", LABELS="quick", FIXTURES_REQUIRED="build")
    tree.check("web", "true")
    assert tree.run("quick", "web") == (0, "3 passed, 0 failed")
    assert (tree.folder / "build").exists() and not (tree.folder / "other").exists()
    assert tree.left_out() == "Left out: 1 checks of other (not asked for)"
    assert tree.run("we") == (2, "./test: there is no we; ./test --list names what there is")
    tree.run("--list")
    assert tree.printed.split() == ["build", "other", "quick", "web"]


def test_an_unknown_option_is_named(tree):
    assert tree.run("--fast") == (2, "./test: unknown option --fast; there are --all and --list")


def test_a_check_that_cannot_start_has_failed(tree):
    assert tree.run() == (1, "0 passed, 1 failed")  # there is no check
    tree.checks.append("nonsense(")
    assert tree.run() == (1, "0 passed, 1 failed")
    tree.program("tools/bootstrap", "false")
    assert tree.run() == (1, "0 passed, 1 failed")


@pytest.mark.parametrize("rule", ["-", "''"], ids=["obedient", "stubborn"])
def test_an_interrupt_ends_all_that_runs(tree, rule):
    tree.check("functional", f"trap {rule} INT; echo $$ > {tree.folder}/running; exec sleep 600")
    process = tree.start()
    deadline = time.monotonic() + 60
    while not (tree.folder / "running").exists() or not (tree.folder / "running").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    command = Path("/proc", (tree.folder / "running").read_text().strip(), "cmdline")
    assert not command.exists() or command.read_text() == ""  # gone, or ended and not yet collected


def test_the_longest_checks_are_named(tmp_path):
    checks = {"quick": 3, "web": 612.4, "build": 90}
    listed = {"tests": [{"name": name, "properties": []} for name in checks]}
    for name in ("all.json", "selected.json"):
        (tmp_path / name).write_text(json.dumps(listed))
    (tmp_path / "ctest.xml").write_text("<testsuite>" + "".join(
        f"<testcase name='{name}' time='{seconds}' status='run'/>" for name, seconds in checks.items()) + "</testsuite>")
    done = subprocess.run([ROOT / "tools/sum_tests", tmp_path, "none"], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-4:] == ["Took longest: web 612 s, build 90 s", "", "Left out: nothing", "3 passed, 0 failed"]
