# SPDX-License-Identifier: Apache-2.0
"""Clients find the hub in the network: python3-zeroconf on one machine, the hub on another."""

import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hub_process import BINARY, base_settings, wait_until, write_settings
from two_machines import TwoMachines

BROWSER = Path(__file__).resolve().parents[1] / "mdns_browser.py"
TYPE = "_home-assistant._tcp"
PATIENCE = 30.0


@pytest.fixture
def network(monkeypatch):
    monkeypatch.delenv("HEARTH_ANNOUNCE", raising=False)
    machines = TwoMachines()
    yield machines
    machines.close()


class Lines:
    """What a process prints, as it comes."""

    def __init__(self, process, stream):
        self.process, self.lines = process, []
        self._reader = threading.Thread(target=lambda: self.lines.extend(line.rstrip("\n") for line in stream), daemon=True)
        self._reader.start()

    def wait_for(self, matches):
        def found():
            assert self.process.poll() is None, self.lines
            return next((line for line in list(self.lines) if matches(line)), None)

        try:
            return wait_until(found, PATIENCE)
        except AssertionError:
            raise AssertionError("\n".join(self.lines)) from None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(30) in (0, -signal.SIGTERM), self.lines
        self._reader.join()


class Browser(Lines):
    def wait_for_service(self, matches):
        def hit(line):
            return matches(json.loads(line))

        return json.loads(self.wait_for(hit))

    def names(self):
        return {json.loads(line).get("name") for line in list(self.lines)} - {None}


@pytest.fixture
def started():
    running = []

    def start(lines):
        running.append(lines)
        return lines

    yield start
    for each in reversed(running):
        if each.process.poll() is None:
            each.stop()


@pytest.fixture
def hub(network, started, tmp_path):
    def start(name="home", port=8123, **changes):
        folder = tmp_path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        settings = base_settings() | changes
        settings["http"] = {"server_port": port}
        write_settings(folder, settings)
        process = network.first.popen(str(BINARY), "serve", "--config", str(folder), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return started(Lines(process, process.stderr))

    return start


@pytest.fixture
def browse(network, started):
    def start():
        process = network.second.popen(sys.executable, str(BROWSER), TYPE, stdout=subprocess.PIPE)
        browser = started(Browser(process, process.stdout))
        browser.wait_for_service(lambda seen: seen["change"] == "begun")
        return browser

    return start


def announced(name):
    return lambda line: line.endswith(f"announced in the network as {name}")


def doctor(network, folder):
    done = subprocess.run([*network.first.enter, str(BINARY), "doctor", "--json", "--config", str(folder)],
                          capture_output=True, text=True, timeout=60)
    return next(each for each in json.loads(done.stdout)["diagnoses"] if each["check"] == "announcement")


def test_is_found_with_all_that_clients_ask_for(network, hub, browse, tmp_path):
    network.connect("10.77.0.2/24", "10.77.0.9/24")
    log = hub()
    log.wait_for(announced("Test home"))
    browser = browse()
    seen = browser.wait_for_service(lambda seen: "texts" in seen)
    texts = seen["texts"]
    uuid, version = texts.pop("uuid"), texts.pop("version")
    assert re.fullmatch("[0-9a-f]{32}", uuid) and re.fullmatch(r"\d{4}\.\d+\.\d+", version)
    assert texts == {"location_name": "Test home", "internal_url": "http://10.77.0.2:8123", "external_url": "",
                     "base_url": "http://10.77.0.2:8123", "requires_api_password": "True"}
    assert (seen["name"], seen["port"], seen["host"]) == ("Test home", 8123, f"{uuid}.local.")
    assert "10.77.0.2" in seen["addresses"] and not [each for each in seen["addresses"] if each in ("127.0.0.1", "::1")]
    found = doctor(network, tmp_path / "home")
    assert (found["grade"], found["text"]) == ("good", f"clients find it in the network, as {uuid}.local")
    log.stop()
    browser.wait_for_service(lambda seen: seen["change"] == "removed" and seen["name"] == "Test home")


def test_outlives_a_missing_network_and_follows_its_addresses(network, hub, browse, tmp_path):
    log = hub()
    log.wait_for(lambda line: "ready at http://127.0.0.1:8123" in line)
    assert doctor(network, tmp_path / "home")["text"] == "the machine is in no network"
    network.connect("10.77.0.2/24", "10.77.0.9/24")
    browser = browse()

    def at(address):
        return lambda seen: seen.get("texts", {}).get("base_url") == f"http://{address}:8123" and address in seen["addresses"]

    browser.wait_for_service(at("10.77.0.2"))
    network.first.remove_address("10.77.0.2/24")
    network.first.add_address("10.77.0.3/24")
    browser.wait_for_service(at("10.77.0.3"))
    network.first.run("ip", "link", "delete", "cable")
    network.connect("10.77.1.2/24", "10.77.1.9/24")
    browse().wait_for_service(at("10.77.1.2"))
    log.stop()
    assert not [line for line in log.lines if " warning mdns" in line or " error " in line]


KEEPER = """
import socket, sys
kept = [socket.socket(family, socket.SOCK_DGRAM) for family in (socket.AF_INET, socket.AF_INET6)]
kept[1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
for each, address in zip(kept, ("0.0.0.0", "::")):
    each.bind((address, 5353))
print("kept", flush=True)
sys.stdin.read()
"""


def test_goes_on_while_another_program_keeps_the_port(network, hub, browse):
    network.connect("10.77.0.2/24", "10.77.0.9/24")
    with network.first.popen(sys.executable, "-c", KEEPER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout.readline() == "kept\n"
        log = hub()
        log.wait_for(lambda line: "warning mdns: mDNS does not work, which is tried again: " in line)
        log.wait_for(lambda line: "ready at http://10.77.0.2:8123" in line)
        keeper.stdin.close()
        keeper.wait(30)
    log.wait_for(announced("Test home"))
    browse().wait_for_service(lambda seen: "10.77.0.2" in seen.get("addresses", []))
    assert len([line for line in log.lines if "mDNS does not work" in line]) == 1


def test_a_name_that_is_taken_gets_a_number(network, hub, browse):
    network.connect("10.77.0.2/24", "10.77.0.9/24")
    hub("one", 8123).wait_for(announced("Test home"))
    hub("two", 8124).wait_for(announced("Test home #2"))
    browser = browse()
    for name, port in (("Test home", 8123), ("Test home #2", 8124)):
        seen = browser.wait_for_service(lambda seen, name=name: seen.get("name") == name and "port" in seen)
        assert (seen["port"], seen["texts"]["location_name"]) == (port, "Test home")


def test_is_silent_if_told_so(network, hub, browse, tmp_path):
    network.connect("10.77.0.2/24", "10.77.0.9/24")
    silent = hub("silent", 8124, network={"announce": False}, home={**base_settings()["home"], "name": "Silent home"})
    silent.wait_for(lambda line: "ready at" in line)
    hub().wait_for(announced("Test home"))
    browser = browse()
    browser.wait_for_service(lambda seen: seen.get("name") == "Test home")
    assert browser.names() == {"Test home"}
    assert not [line for line in silent.lines if "mdns" in line]
    assert doctor(network, tmp_path / "silent")["text"] == "network: announce is false: clients must be told its address"
