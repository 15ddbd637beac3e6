# SPDX-License-Identifier: Apache-2.0
"""tools/bootstrap on fake systems: apt's commands are scripts that answer as the test says and record their calls."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def packages(name):
    """What a list in tools/bootstrap holds."""
    return re.search(rf"^{name}=\((.*?)\)", (ROOT / "tools/bootstrap").read_text(), re.MULTILINE | re.DOTALL)[1].split()


BUILD, TEST = packages("wanted"), packages("for_tests")
BOOST = ["libboost1.81-dev", "libboost-json1.81-dev"]
INSTALL = "apt-get -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends"
UPDATE = "apt-get -qq -o DPkg::Lock::Timeout=300 update"


class System:
    """A system with installed and available packages."""

    def __init__(self, folder):
        self.folder = folder
        self.installed = dict.fromkeys(BUILD + BOOST, "1.81.0-1")
        self.available = {}
        self.commands = ["bash", "env", "sed", "dpkg"]
        for name in ("installed", "available", "calls"):
            (folder / name).write_text("")
        self.script("dpkg-query", 'cat "$SYSTEM/installed"')
        self.script("apt-cache", 'grep "^$2 " "$SYSTEM/available" | while read -r _ v; do echo "  Candidate: $v"; done')
        self.script("apt-get", 'echo "apt-get $*" >> "$SYSTEM/calls"')
        self.script("npm", "true")
        self.script("sudo", 'echo "sudo" >> "$SYSTEM/calls"; exec "$@"')
        for name in ("cat", "grep"):
            os.symlink(shutil.which(name), folder / "bin" / name)

    def script(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        path.chmod(0o755)

    def bootstrap(self, *options):
        for name in self.commands:
            link = self.folder / "bin" / name
            if not link.exists():
                os.symlink(shutil.which(name), link)
        lines = [f"installed {name} {version}" for name, version in self.installed.items()]
        (self.folder / "installed").write_text("\n".join(lines) + "\n")
        lines = [f"{name} {version}" for name, version in self.available.items()]
        (self.folder / "available").write_text("\n".join(lines) + "\n")
        (self.folder / "calls").write_text("")
        environment = {"PATH": str(self.folder / "bin"), "SYSTEM": str(self.folder)}
        return subprocess.run(
            [ROOT / "tools/bootstrap", *options], env=environment, capture_output=True, text=True, timeout=60
        )

    def calls(self):
        return [call for call in (self.folder / "calls").read_text().splitlines() if call != "sudo"]


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_it_says_and_does_nothing_if_nothing_is_missing(system):
    done = system.bootstrap()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert system.calls() == []


def test_it_installs_only_what_is_missing(system):
    del system.installed["cmake"], system.installed["tzdata"]
    done = system.bootstrap()
    assert done.returncode == 0
    assert done.stdout == ""
    assert system.calls() == [UPDATE, f"{INSTALL} cmake tzdata"]


def test_tests_need_more(system):
    system.script("chromium", "true")
    assert system.bootstrap("--test").returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} {' '.join(TEST)}"]


def test_packaging_needs_more_than_building(system):
    assert system.bootstrap("--packages").returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} {' '.join(packages('for_packages'))}"]


def test_coverage_needs_more_than_tests(system):
    system.installed.update(dict.fromkeys(TEST, "1"))
    system.script("chromium", "true")
    assert system.bootstrap("--test", "--coverage").returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} llvm-19"]


def test_node_is_installed_only_without_npm(system):
    (system.folder / "bin/npm").unlink()
    system.bootstrap()
    assert system.calls() == [UPDATE, f"{INSTALL} nodejs npm"]
    system.script("npm", "true")
    system.bootstrap()
    assert system.calls() == []


@pytest.mark.parametrize("browser", ["chromium-headless-shell", "chromium", "google-chrome"])
def test_a_browser_is_installed_only_without_one(system, browser):
    system.installed.update(dict.fromkeys(TEST, "1"))
    system.bootstrap("--test")
    assert system.calls() == [UPDATE, f"{INSTALL} chromium"]
    system.script(browser, "true")
    system.bootstrap("--test")
    assert system.calls() == []


def test_the_headless_browser_is_preferred(system):
    system.installed.update(dict.fromkeys(TEST, "1"))
    system.available["chromium-headless-shell"] = "150.0.7871.100-1~deb12u1"
    assert system.bootstrap("--test").returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} chromium-headless-shell"]


def test_firefox_is_installed_if_it_is_not_there_and_can_be_had(system):
    system.installed.update(dict.fromkeys(TEST, "1"))
    system.script("chromium", "true")
    system.bootstrap("--test")
    assert system.calls() == []
    system.available["firefox-esr"] = "140.6.0esr-1~deb12u1"
    system.bootstrap("--test")
    assert system.calls() == [UPDATE, f"{INSTALL} firefox-esr"]
    system.script("firefox-esr", "true")
    system.bootstrap("--test")
    assert system.calls() == []


def test_nats_is_installed_if_it_is_not_there_and_can_be_had(system):
    system.bootstrap()
    assert system.calls() == []
    system.available["libnats-dev"] = "3.4.1-1+b1"
    system.bootstrap()
    assert system.calls() == [UPDATE, f"{INSTALL} libnats-dev"]
    system.installed["libnats-dev"] = "3.4.1-1+b1"
    system.bootstrap()
    assert system.calls() == []


def test_boost_1_81_is_installed_by_its_own_name_if_available(system):
    for name in BOOST:
        del system.installed[name]
        system.available[name] = "1.81.0-5+deb12u1"
    system.available |= {"libboost-dev": "1.74.0.3", "libboost-json-dev": "1.74.0.3"}
    assert system.bootstrap().returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} {' '.join(BOOST)}"]


def test_a_newer_boost_of_the_system_is_accepted(system):
    for name in BOOST:
        del system.installed[name]
    system.available |= {"libboost-dev": "1.83.0.1ubuntu2", "libboost-json-dev": "1.83.0.1ubuntu2"}
    assert system.bootstrap().returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} libboost-dev libboost-json-dev"]
    system.installed |= system.available
    assert system.bootstrap().returncode == 0
    assert system.calls() == []


def test_an_older_boost_is_refused(system):
    for name in BOOST:
        del system.installed[name]
    system.installed |= {"libboost-dev": "1.74.0.3", "libboost-json-dev": "1.74.0.3"}
    system.available |= system.installed
    done = system.bootstrap()
    assert done.returncode == 1
    assert "Boost 1.81 or newer is needed; this system's packages have 1.74.0.3." in done.stderr
    assert system.calls() == [UPDATE]


def test_benchmarks_take_perf_from_the_package_that_has_it(system):
    system.installed |= {"wrk": "1", "nginx-light": "1"}
    system.available |= {"linux-tools-generic": "6.8"}
    assert system.bootstrap("--bench").returncode == 0
    assert system.calls() == [UPDATE, f"{INSTALL} linux-tools-generic"]
    system.available = {}
    done = system.bootstrap("--bench")
    assert done.returncode == 0
    assert "benchmarks run without it" in done.stderr
    system.script("perf", "true")
    assert system.bootstrap("--bench").stderr == ""


def test_it_reports_what_cannot_be_installed(system):
    del system.installed["cmake"]
    system.script("apt-get", "exit 100")
    done = system.bootstrap()
    assert done.returncode == 1
    assert "apt-get could not install cmake" in done.stderr


def test_without_apt_it_names_what_is_needed(system):
    (system.folder / "bin/apt-get").unlink()
    done = system.bootstrap()
    assert done.returncode == 1
    assert "there is no apt on this system" in done.stderr
    assert all(package in done.stderr for package in BUILD)


def test_an_unknown_option_is_refused(system):
    done = system.bootstrap("--all")
    assert (done.returncode, done.stderr) == (
        1,
        "tools/bootstrap: unknown option --all; known are --test, --coverage, --bench and --packages\n",
    )
