# SPDX-License-Identifier: Apache-2.0
"""The Python that has Home Assistant, installed by the first use."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / part) for part in ("functional", "clients")]

import packages  # noqa: E402


def python():
    environment = packages.ENVIRONMENTS / "second_opinion"
    lock = FOLDER / "requirements.txt"
    packages.install(lock, environment, ["/usr/bin/python3", "-m", "venv", environment],
                     [environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                      "--require-hashes", "--requirement", lock])
    return environment / "bin/python"
