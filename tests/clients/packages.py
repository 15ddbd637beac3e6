# SPDX-License-Identifier: Apache-2.0
"""Installs what the clients need, where it is missing or of another version than the locks say."""

import hashlib
import shutil
import subprocess
from pathlib import Path

from hub_process import REPOSITORY

FOLDER = Path(__file__).resolve().parent
LOCK = FOLDER / "package-lock.json"
REQUIREMENTS = FOLDER / "requirements.txt"
NODE_MODULES = FOLDER / "node_modules"
VENV = REPOSITORY / "build/clients-venv"
PYTHON = VENV / "bin/python"


def run(*command, cwd=FOLDER):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300)
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


def install_python_packages():
    install(REQUIREMENTS, VENV, ["/usr/bin/python3", "-m", "venv", VENV],
            [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
             "--only-binary", ":all:", "--requirement", REQUIREMENTS])
