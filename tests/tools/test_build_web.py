# SPDX-License-Identifier: Apache-2.0
"""tools/build_web in a fake tree, where npm is a script that records its calls and does as the test says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hub_process import wait_until

ROOT = Path(__file__).resolve().parents[2]
CI = "ci --include=dev --ignore-scripts --no-audit --no-fund"
BUILD = "run build"
NPM = """#!/usr/bin/env bash
echo "$*" >> "$TREE/calls"
[ "$FAILS" = "$1" ] && echo "something broke in $PWD" >&2 && exit 3
[ "$1" = ci ] && rm -rf node_modules && mkdir node_modules && exit
[ -z "$SLEEPS" ] || { echo ready > "$SLEEPS"; read -r _ < "$SLEEPS"; }
[ "$MAKES" = nothing ] || { mkdir -p ../build/web && cat src/main.ts > ../build/web/index.html; }
[ "$FAILS" != late ]
"""


class Tree:
    def __init__(self, folder):
        self.folder = folder
        for path, text in {"web/package.json": "{}", "web/package-lock.json": "{}", "web/src/main.ts": "one"}.items():
            self.write(path, text)
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/build_web", folder / "tools")
        self.write("bin/npm", NPM)
        (folder / "bin/npm").chmod(0o755)
        self.write("calls", "")

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def start(self, *options, **environment):
        environment = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "TREE": str(self.folder)} | environment
        return subprocess.Popen([self.folder / "tools/build_web", *options], cwd="/", env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def build(self, *options, **environment):
        """The exit code, the output, and the calls of npm."""
        self.write("calls", "")
        process = self.start(*options, **environment)
        out, err = process.communicate(timeout=60)
        return process.returncode, out + err, self.calls()

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def page(self):
        return (self.folder / "build/web/index.html").read_text()

    def files(self):
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_it_builds_what_has_changed_and_nothing_else(tree):
    assert tree.build() == (0, "", [CI, BUILD])
    assert tree.page() == "one"
    assert tree.build() == (0, "", [])
    os.utime(tree.folder / "web/src/main.ts")
    assert tree.build() == (0, "", [])
    tree.write("web/src/main.ts", "two")
    assert tree.build() == (0, "", [BUILD])
    assert tree.page() == "two"


@pytest.mark.parametrize("change", ["web/public/new.svg", "web/vite.config.ts", "web/package.json"])
def test_any_file_counts(tree, change):
    tree.build()
    tree.write(change, "{ }")
    assert tree.build() == (0, "", [BUILD])
    (tree.folder / change).unlink()
    assert tree.build() == (0, "", [BUILD])


def test_unit_tests_do_not_count(tree):
    tree.build()
    tree.write("web/src/main.test.ts", "a test")
    assert tree.build() == (0, "", [])


def test_packages_alone_can_be_installed(tree):
    assert tree.build("--packages") == (0, "", [CI])
    assert not (tree.folder / "build/web").exists()
    assert tree.build("--packages") == (0, "", [])
    assert tree.build() == (0, "", [BUILD])
    assert tree.build("--sideways") == (1, "tools/build_web: unknown option --sideways; known is --packages\n", [])


def test_packages_are_installed_if_the_lock_differs(tree):
    tree.build()
    tree.write("web/package-lock.json", "{ }")
    assert tree.build() == (0, "", [CI, BUILD])
    shutil.rmtree(tree.folder / "web/node_modules")
    tree.write("web/src/main.ts", "two")
    assert tree.build() == (0, "", [CI, BUILD])
    tree.write("web/node_modules/lit/index.js", "not ours")
    assert tree.build() == (0, "", [])


def test_it_writes_only_to_folders_that_git_ignores(tree):
    before = tree.files()
    tree.build()
    written = tree.files() - before
    assert {"build/web/index.html", "build/web.stamp"} <= written
    assert all(path.startswith(("build/", "web/node_modules/")) for path in written)


def test_output_of_an_earlier_build_is_deleted(tree):
    tree.build()
    tree.write("build/web/assets/old.js", "")
    tree.write("web/src/main.ts", "two")
    tree.build()
    assert not (tree.folder / "build/web/assets/old.js").exists()


def test_a_deleted_page_is_built_again(tree):
    tree.build()
    shutil.rmtree(tree.folder / "build/web")
    assert tree.build() == (0, "", [BUILD])


@pytest.mark.parametrize("step, command", [("ci", CI), ("run", BUILD)])
def test_a_failure_is_reported_and_retried(tree, step, command):
    code, said, _ = tree.build(FAILS=step)
    assert code == 1
    assert said.splitlines() == [
        f"something broke in {tree.folder}/web",
        f"tools/build_web: `npm {command}` failed in web/; what it said stands above, and in build/web.log",
    ]
    assert tree.build()[::2] == (0, [CI, BUILD] if step == "ci" else [BUILD])


def test_output_of_a_failed_build_is_deleted(tree):
    tree.build()
    tree.write("web/src/main.ts", "two")
    assert tree.build(FAILS="late")[0] == 1
    tree.write("web/src/main.ts", "one")
    assert tree.build() == (0, "", [BUILD])
    assert tree.page() == "one"


def test_a_build_without_a_page_is_a_failure(tree):
    code, said, _ = tree.build(MAKES="nothing")
    assert (code, said) == (1, "tools/build_web: `npm run build` made no build/web/index.html\n")


def test_without_npm_it_says_how_to_get_it(tree):
    (tree.folder / "bin/npm").unlink()
    for name in ("bash", "dirname", "mkdir", "flock", "find", "sort", "xargs", "sha256sum", "env"):
        os.symlink(shutil.which(name), tree.folder / "bin" / name)
    code, said, _ = tree.build(PATH=str(tree.folder / "bin"))
    assert (code, said) == (1, "tools/build_web: npm is missing; tools/bootstrap installs it\n")


def test_of_two_at_once_one_builds(tree):
    pipe = tree.folder / "build/pipe"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    first = tree.start(SLEEPS=str(pipe))
    assert pipe.read_text() == "ready\n"  # the first is running
    second = tree.start()
    waiter = re.compile(rf"-> FLOCK .*:{(tree.folder / 'build/web.lock').stat().st_ino} ")
    wait_until(lambda: waiter.search(Path("/proc/locks").read_text()) or second.poll() is not None)
    pipe.write_text("go on\n")
    assert (first.wait(60), second.wait(60)) == (0, 0)
    assert tree.calls() == [CI, BUILD]
