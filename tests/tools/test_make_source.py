# SPDX-License-Identifier: Apache-2.0
"""tools/make_source and the refusals of packaging/release, in a small repository, where npm is a script."""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NPM = """#!/usr/bin/env bash
echo "$*" >> "$CALLS"
[ "$1" != ci ] || { mkdir -p node_modules/lit node_modules/vite && echo "Be kind." > node_modules/lit/LICENSE; }
[ "$1" != run ] || { mkdir -p ../build/web && cat src/main.ts > ../build/web/index.html; }
"""
PACKAGES = {"": {}, "node_modules/lit": {"version": "3.3.3", "license": "BSD-3-Clause"},
            "node_modules/vite": {"version": "6.0.0", "license": "MIT", "dev": True}}


class Tree:
    def __init__(self, folder):
        self.folder = folder
        self.environment = os.environ | {"PATH": f"{folder}.bin:{os.environ['PATH']}", "CALLS": f"{folder}.calls",
                                         "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a",
                                         "GIT_COMMITTER_EMAIL": "a@b.c", "GIT_CONFIG_GLOBAL": "/dev/null"}
        npm = Path(f"{folder}.bin/npm")
        npm.parent.mkdir()
        npm.write_text(NPM)
        npm.chmod(0o755)
        texts = {"CMakeLists.txt": "project(hearth VERSION 2026.11.3 LANGUAGES CXX)\n", ".gitignore": "/build/\nnode_modules/\n",
                 "CHANGELOG.md": "# Changes\n\n## 2026.11.3\n\nMore lamps.\n", "web/package-lock.json": json.dumps({"packages": PACKAGES}),
                 "web/src/main.ts": "one"}
        for path, text in texts.items():
            self.write(path, text)
        for path in ("tools/build_web", "tools/make_source", "packaging/release"):
            (folder / path).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
        self.run("git", "init", "-q")
        self.commit()

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def run(self, *command, folder=None):
        return subprocess.run(command, cwd=folder or self.folder, env=self.environment, capture_output=True, text=True, timeout=60)

    def commit(self):
        self.run("git", "add", "-A")
        assert self.run("git", "commit", "-qm", "x").returncode == 0

    def make(self, *arguments):
        done = self.run("tools/make_source", *arguments)
        assert done.returncode == 0, done.stderr
        return self.folder / done.stdout.strip()


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tree").mkdir()
    return Tree(tmp_path / "tree")


def test_the_archive_builds_its_pages_without_npm(tree, tmp_path):
    with tarfile.open(tree.make()) as archive:
        names = archive.getnames()
        archive.extractall(tmp_path / "out")
    assert "hearth-2026.11.3/build/web/index.html" in names and not [name for name in names if "node_modules" in name]
    out = tmp_path / "out/hearth-2026.11.3"
    licenses = (out / "build/licenses-of-the-pages.txt").read_text()
    assert "lit 3.3.3: BSD-3-Clause\n\nBe kind." in licenses and "vite" not in licenses
    calls = Path(f"{tree.folder}.calls")
    calls.write_text("")
    assert tree.run("tools/build_web", folder=out).returncode == 0
    assert calls.read_text() == ""  # npm had nothing to do


def test_the_same_commit_gives_the_same_archive(tree, tmp_path):
    first = tree.make().read_bytes()
    os.utime(tree.folder / "web/src/main.ts", (1, 1))
    (tree.folder / "CMakeLists.txt").chmod(0o600)
    assert tree.make(str(tmp_path / "elsewhere")).read_bytes() == first


def test_changes_that_are_not_committed_are_refused(tree):
    tree.write("web/src/main.ts", "two")
    done = tree.run("tools/make_source")
    assert done.returncode == 1 and "changes that are not committed" in done.stderr


@pytest.mark.parametrize("version, said", [
    ("2026.13.0", "is no version"), ("2026.1", "is no version"), ("2026.11.2", "CMakeLists.txt has another version"),
    ("2026.11.3", "changes that are not committed"),
])
def test_a_release_that_does_not_fit_the_tree_is_refused(tree, version, said):
    tree.write("more", "")
    done = tree.run("packaging/release", version)
    assert done.returncode == 1 and said in done.stderr


def test_a_release_needs_its_changes_in_words(tree):
    tree.write("CHANGELOG.md", "# Changes\n\n## 2026.11.2\n")
    tree.commit()
    done = tree.run("packaging/release", "2026.11.3")
    assert done.returncode == 1 and "say there what people notice" in done.stderr
