# SPDX-License-Identifier: Apache-2.0
"""Installs what the clients need, if it is missing or of another version than the locks say."""

import hashlib
import shutil
import subprocess
from pathlib import Path

from hub_process import REPOSITORY

FOLDER = Path(__file__).resolve().parent
LOCK = FOLDER / "package-lock.json"
NODE_MODULES = FOLDER / "node_modules"
ENVIRONMENTS = REPOSITORY / "build/clients"  # of Python, one for each lock in requirements/


def run(*command, cwd=FOLDER):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(map(str, command))}:\n{done.stdout}"


def install(lock, folder, *commands):
    """Runs the commands, unless they ran to their end for this lock before."""
    stamp = folder / ".installed"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    for command in commands:
        run(*command)
    stamp.write_text(digest)


def install_node_packages():
    npm = shutil.which("npm")
    assert npm, "npm is missing: tools/bootstrap --test"
    install(LOCK, NODE_MODULES, [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"])


def install_python_packages(name, source_only=(), python="/usr/bin/python3"):
    """The folder with the programs of the environment that requirements/NAME.txt describes. Packages of `source_only` are
    built from their source, with the setuptools of the same lock."""
    lock = FOLDER / f"requirements/{name}.txt"
    folder = ENVIRONMENTS / name
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
           "--no-deps"]
    commands = [[python, "-m", "venv", folder]]
    wheels, sources = split_lock(lock.read_text(), source_only)
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    for part, options in ((wheels, ["--only-binary", ":all:"]), (sources, ["--no-build-isolation"])):
        if part:
            path = ENVIRONMENTS / f"{name}.{len(commands)}.txt"
            path.write_text(part)
            commands.append([*pip, *options, "--requirement", path])
    install(lock, folder, *commands)
    return folder / "bin"


def split_lock(text, names):
    """The lock without the packages of these names, and the lock of them alone."""
    entries = []
    for line in text.splitlines(keepends=True):
        if line[:1].isspace() and entries:
            entries[-1] += line
        elif not line.startswith("#"):
            entries.append(line)
    chosen = [entry for entry in entries if entry.split("==")[0] in names]
    assert len(chosen) == len(names), f"{names} are not all in the lock"
    return "".join(entry for entry in entries if entry not in chosen), "".join(chosen)
