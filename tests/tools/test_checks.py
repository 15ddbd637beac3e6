# SPDX-License-Identifier: Apache-2.0
"""tests/CMakeLists.txt, which lists what ./test runs: it is complete, and what each check needs exists."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def checks(tmp_path_factory):
    """The properties of each check, by its name, with its command as `command`."""
    folder = tmp_path_factory.mktemp("checks")
    subprocess.run(["cmake", "-S", ROOT / "tests", "-B", folder, "-G", "Ninja"], check=True, stdout=subprocess.DEVNULL)
    listed = json.loads(subprocess.check_output(["ctest", "--test-dir", folder, "--show-only=json-v1"], stderr=subprocess.DEVNULL))
    return {check["name"]: {found["name"]: found["value"] for found in check["properties"]} | {"command": " ".join(check["command"])}
            for check in listed["tests"]}


def module_of(path):
    """The folder of a source's module, as in the names of its programs."""
    lists = (parent / "CMakeLists.txt" for parent in path.parents)
    folder = next(found.parent for found in lists if found.exists() and "hearth_module(" in found.read_text())
    return folder.relative_to(ROOT / "src").as_posix().replace("/", "_")


def test_each_unit_test_is_in_a_program_that_runs(checks):
    sources = sorted((ROOT / "src").rglob("*_test.cpp"))
    programs = {f"tsan/{module_of(path)}_stress_test" if path.stem.endswith("_stress_test") else f"asan/{module_of(path)}_test"
                for path in sources}
    assert {name for name, check in checks.items() if "unit" in check["LABELS"]} == programs


def test_each_folder_of_tests_is_run(checks):
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders
    for folder in folders:
        own_script = (ROOT / "tests" / folder / "run").is_file()  # takes too long for ./test
        assert own_script or any(f" tests/{folder} " in check["command"] for check in checks.values()), folder


def test_each_fuzzer_is_run(checks):
    names = subprocess.check_output([ROOT / "tools/fuzz", "--list"], text=True).split()
    assert names and {f"fuzz/{name}" for name in names} == {name for name in checks if name.startswith("fuzz/")} - {"fuzz/build"}


def test_each_preset_that_is_built_exists(checks):
    presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    built = {check["command"].split()[4] for check in checks.values() if "build" in check["LABELS"]}
    assert built and built <= presets


def test_what_a_check_needs_is_made_by_another(checks):
    made = {name for check in checks.values() for name in check.get("FIXTURES_SETUP", [])}
    for name, check in checks.items():
        assert set(check.get("FIXTURES_REQUIRED", [])) <= made, name
        if "build" not in check["LABELS"]:
            trees = set(re.findall(r"build/(\w+)/", check["command"]))
            assert trees <= {fixture.partition("/")[0] for fixture in check.get("FIXTURES_REQUIRED", [])}, name


def test_no_two_checks_write_their_results_to_one_file(checks):
    results = [path for check in checks.values() for path in check.get("ATTACHED_FILES", [])]
    assert len(results) == len(set(results)) > 20
