# SPDX-License-Identifier: Apache-2.0
"""The release is hardened: memory errors end the program instead of being exploitable, and nothing in it names the
machine that built it."""

import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("HEARTH_BINARY") or REPOSITORY / "build/release/hearth").absolute()
OURS = "6hearth"  # in the names of functions
STRUCTURE = re.compile(r"^[0-9a-f]+ <(.+)>:$")
SLOT = re.compile(r"call .*# ([0-9a-f]+) <")  # a call through the table of addresses (GOT)
STUB = re.compile(r"call .*<(\w+)@plt>")


def printed(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


def readelf(*options):
    return printed("readelf", "-W", *options, BINARY)


def is_x86():
    return "X86-64" in readelf("-h")


@pytest.fixture(scope="module")
def slots():
    """The slot with the address of each function of other libraries."""
    fields = (line.split() for line in readelf("-r").splitlines())
    return {int(line[0], 16): line[4].partition("@")[0] for line in fields
            if len(line) > 4 and re.fullmatch("[0-9a-f]{8,}", line[0])}


@pytest.fixture(scope="module")
def code(slots):
    """For each of our functions: the functions of other libraries that it calls, and its first instruction."""
    calls, first = defaultdict(set), {}
    name = None
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", BINARY], stdout=subprocess.PIPE, text=True) as dump:
        for line in dump.stdout:
            if found := STRUCTURE.match(line):
                name = found[1] if OURS in found[1] else None
            elif name is not None and ":\t" in line:
                first.setdefault(name, line.split("\t")[-1].strip())
                if found := SLOT.search(line):
                    calls[name].add(slots.get(int(found[1], 16)))
                elif found := STUB.search(line):
                    calls[name].add(found[1])
    assert dump.returncode == 0
    return calls, first


def test_it_is_position_independent_and_its_stack_is_not_executable():
    assert re.search(r"Type: +DYN", readelf("-h"))
    stack = re.search(r"GNU_STACK .* ([RWE]{1,3}) +0x", readelf("-l"))
    assert stack and stack[1] == "RW"
    assert not [line for line in readelf("-l").splitlines() if " LOAD " in line and "RWE" in line]


def test_relocations_are_read_only_after_the_start():
    assert "GNU_RELRO" in readelf("-l")
    dynamic = readelf("-d")
    assert re.search(r"\(FLAGS\) .*BIND_NOW", dynamic) and re.search(r"\(FLAGS_1\) .*NOW", dynamic)


def test_libraries_are_searched_in_system_folders_only():
    assert not re.search(r"\((RPATH|RUNPATH)\)", readelf("-d"))


@pytest.mark.skipif(not is_x86(), reason="reads x86")
def test_our_functions_protect_their_stack(code):
    calls, _ = code
    assert sum("__stack_chk_fail" in called for called in calls.values()) > 500


@pytest.mark.skipif(not is_x86(), reason="reads x86")
def test_our_functions_call_fortified_functions(code):
    calls, _ = code
    fortified = {name for called in calls.values() for name in called if name and re.fullmatch(r"__(?!stack)\w+_chk", name)}
    assert fortified


def test_containers_check_their_bounds():
    assert "_ZSt21__glibcxx_assert_fail" in printed("nm", BINARY)


@pytest.mark.skipif(not is_x86(), reason="a feature of x86")
def test_indirect_jumps_are_restricted(code):
    """The binary as a whole is marked only if each linked library is, and Debian's archives are not."""
    _, first = code
    assert sum(instruction == "endbr64" for instruction in first.values()) > 500
    objects = list((REPOSITORY / "build/release/src").rglob("*.o")) if BINARY.parent.name == "release" else []
    for file in objects:
        assert re.search(r"x86 feature: IBT, SHSTK", printed("readelf", "-nW", file)), file


def test_no_path_of_the_machine_that_built_it():
    content = BINARY.read_bytes()
    for place in {str(REPOSITORY), str(BINARY.parent), str(Path.home())}:
        if len(place) > len("/root"):
            assert place.encode() not in content, place
    assert b"\0src/app/app.cpp\0" in content  # its paths start at the repository
