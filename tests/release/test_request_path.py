# SPDX-License-Identifier: Apache-2.0
"""cmake/request_path.ld names functions that are there, and the linker has laid them together."""

import fnmatch
import os
import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("HEARTH_BINARY") or REPOSITORY / "build/release/hearth").absolute()
PATTERNS = re.findall(r"\.text\.(_Z\S+?)(?=[\s)])", (REPOSITORY / "cmake/request_path.ld").read_text())


@pytest.fixture(scope="module")
def section():
    """Where the section of the request path begins and ends."""
    listed = subprocess.run(["readelf", "-SW", BINARY], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\.text\.request_path +PROGBITS +(\w+) \w+ (\w+)", listed)
    assert found, listed
    start, size = (int(number, 16) for number in found.groups())
    return range(start, start + size)


@pytest.fixture(scope="module")
def functions():
    """The address of each function, by name."""
    listed = subprocess.run(["nm", "--defined-only", BINARY], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in listed.splitlines()]
    return {name: int(address, 16) for address, kind, name in lines if kind in "tTwW"}


def test_there_are_patterns():
    assert len(PATTERNS) > 50


def test_the_patterns_lay_functions_there(functions, section):
    laid = [name for name, address in functions.items() if address in section]
    unused = [pattern for pattern in PATTERNS if not fnmatch.filter(laid, pattern)]
    # One compiler copies into its callers what another leaves a function.
    assert len(unused) <= len(PATTERNS) // 15, unused


def test_only_little_lies_there(section):
    assert 64 * 1024 < len(section) < 256 * 1024
