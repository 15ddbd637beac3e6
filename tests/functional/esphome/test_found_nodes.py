# SPDX-License-Identifier: Apache-2.0
"""A node that announces itself on one machine is found, confirmed and used by a hub on another."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hub_process import BINARY, add_user, base_settings, create_token, wait_until, write_settings
from two_machines import TwoMachines

PATIENCE = 30.0
HERE = Path(__file__).resolve().parent
# Prints the answer of a command, or of a request.
ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import httpx
from websocket_client import WebSocketClient
token, kind, what, body = sys.argv[2:]
if kind == "command":
    class hub: port = 8123
    with WebSocketClient(hub, token) as page:
        print(json.dumps(page.result(what, **json.loads(body))))
else:
    headers = {"Authorization": "Bearer " + token}
    print(httpx.request(kind, "http://127.0.0.1:8123" + what, headers=headers, json=None if kind == "GET" else json.loads(body)).text)
"""


@pytest.fixture
def network(monkeypatch):
    monkeypatch.delenv("HEARTH_ANNOUNCE", raising=False)
    machines = TwoMachines()
    machines.connect("10.77.0.2/24", "10.77.0.9/24")
    yield machines
    machines.close()


@pytest.fixture
def hub(network, tmp_path):
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    write_settings(folder, base_settings() | {"http": {"server_port": 8123}})
    add_user(folder, "admin", "--admin")
    token = create_token(folder, "admin", "test")
    log = (tmp_path / "log").open("w+")
    process = network.first.popen(str(BINARY), "serve", "--config", str(folder), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=log)
    try:
        wait_until(lambda: "ready at" in (tmp_path / "log").read_text(), PATIENCE)

        def ask(kind, what, **body):
            return json.loads(network.first.run(sys.executable, "-c", ASK, str(HERE.parent), token, kind, what, json.dumps(body)))

        yield ask
    finally:
        process.terminate()
        process.wait(30)
        log.close()
        print((tmp_path / "log").read_text())


def test_a_node_that_announces_itself_is_offered_and_added(network, hub):
    assert hub("command", "config_entries/flow/progress") == []
    node = network.second.popen(sys.executable, str(HERE / "announced_node.py"), "10.77.0.9", "attic-lamp", "02:00:00:00:00:07",
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert node.stdout.readline() == "announced\n"
        wait_until(lambda: hub("command", "config_entries/flow/progress"), PATIENCE)
        [flow] = hub("command", "config_entries/flow/progress")
        assert (flow["handler"], flow["step_id"]) == ("esphome", "discovery_confirm")
        assert (flow["context"]["source"], flow["context"]["unique_id"]) == ("zeroconf", "02:00:00:00:00:07")
        assert flow["context"]["title_placeholders"]["name"] == "Attic lamp"
        made = hub("POST", f"/api/config/config_entries/flow/{flow['flow_id']}")
        assert made.get("type") == "create_entry", made
        assert (made["result"]["source"], made["result"]["domain"]) == ("zeroconf", "esphome")
        wait_until(lambda: hub("GET", "/api/states/switch.attic_lamp_relay").get("state") == "off", PATIENCE)
        assert hub("command", "config_entries/flow/progress") == []
    finally:
        node.stdin.close()
        assert node.wait(30) == 0


def test_a_node_that_is_ignored_can_be_offered_again(network, hub):
    node = network.second.popen(sys.executable, str(HERE / "announced_node.py"), "10.77.0.9", "attic-lamp", "02:00:00:00:00:07",
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    entries = "/api/config/config_entries/entry"

    def of_nodes(listed):
        return [entry for entry in listed if entry["domain"] == "esphome"]

    try:
        assert node.stdout.readline() == "announced\n"
        port = int(node.stdout.readline())
        wait_until(lambda: hub("command", "config_entries/flow/progress"), PATIENCE)
        [flow] = hub("command", "config_entries/flow/progress")
        hub("command", "config_entries/ignore_flow", flow_id=flow["flow_id"], title="Attic lamp")
        assert hub("command", "config_entries/flow/progress") == []
        [ignored] = of_nodes(hub("GET", entries))
        assert (ignored["source"], ignored["state"], ignored["domain"]) == ("ignore", "not_loaded", "esphome")
        assert (ignored["title"], ignored["reason"]) == ("Attic lamp", None)
        assert of_nodes(hub("command", "config_entries/get")) == [ignored]
        entry_id = ignored["entry_id"]
        # It never runs, and is no integration of the home.
        assert "is ignored" in hub("POST", f"{entries}/{entry_id}/reload")["message"]
        assert "is ignored" in hub("GET", f"/api/diagnostics/config_entry/{entry_id}")["message"]
        assert "esphome" not in [one["name"] for one in hub("GET", "/api/integrations")]
        assert hub("DELETE", f"{entries}/{entry_id}") == {"require_restart": False}
        assert of_nodes(hub("GET", entries)) == []
        # The hub knows it still: nobody has to wait for its next announcement.
        [again] = hub("command", "config_entries/flow/progress")
        assert again["context"]["unique_id"] == "02:00:00:00:00:07" and again["flow_id"] != flow["flow_id"]
        hub("command", "config_entries/ignore_flow", flow_id=again["flow_id"], title="Attic lamp")
        # A person who adds it by hand wants it after all.
        step = hub("POST", "/api/config/config_entries/flow", handler="esphome")
        made = hub("POST", f"/api/config/config_entries/flow/{step['flow_id']}", host="10.77.0.9", port=port)
        assert made.get("type") == "create_entry", made
        assert [entry["source"] for entry in of_nodes(hub("GET", entries))] == ["user"]
    finally:
        node.stdin.close()
        assert node.wait(30) == 0
