# SPDX-License-Identifier: Apache-2.0
"""Node-RED with node-red-contrib-home-assistant-websocket: flows that react to states and call services."""

import json
import shutil
import signal
import subprocess
import threading

import pytest

from hub_process import free_port, wait_until
from packages import FOLDER, NODE_MODULES

SENSOR, LIGHT = "binary_sensor.night", "light.kitchen"


def flows():
    """When the sensor turns on, so does the light, and the other way round; what is called is fired as an event, too."""
    call = {"type": "api-call-service", "z": "tab", "version": 7, "server": "hub", "entityId": [LIGHT], "areaId": [],
            "deviceId": [], "floorId": [], "labelId": [], "data": "", "dataType": "jsonata", "mergeContext": "",
            "mustacheAltTags": False, "queue": "none", "outputProperties": [], "blockInputOverrides": False}
    return [
        {"id": "tab", "type": "tab", "label": "Night"},
        {"id": "hub", "type": "server", "name": "Hub", "version": 6, "addon": False, "rejectUnauthorizedCerts": True,
         "ha_boolean": ["y", "yes", "true", "on", "home", "open"], "connectionDelay": False, "cacheJson": False,
         "heartbeat": False, "heartbeatInterval": "30", "enableGlobalContextStore": True},
        {"id": "sensor", "type": "server-state-changed", "z": "tab", "version": 6, "name": "Night", "server": "hub",
         "outputs": 2, "entities": {"entity": [SENSOR], "substring": [], "regex": []}, "ifState": "on",
         "ifStateType": "str", "ifStateOperator": "is", "outputInitially": False, "stateType": "str",
         "outputOnlyOnStateChange": True, "exposeAsEntityConfig": "", "for": "0", "forType": "num",
         "forUnits": "minutes", "ignorePrevStateNull": False, "ignorePrevStateUnknown": False,
         "ignorePrevStateUnavailable": False, "ignoreCurrentStateUnknown": False,
         "ignoreCurrentStateUnavailable": False, "outputProperties": [], "wires": [["on"], ["off"]]},
        {"id": "on", "name": "Light on", "action": "light.turn_on", **call, "data": '{"brightness": 99}',
         "wires": [["tell"]]},
        {"id": "off", "name": "Light off", "action": "light.turn_off", **call, "wires": [[]]},
        {"id": "tell", "type": "ha-fire-event", "z": "tab", "version": 0, "name": "Tell", "server": "hub",
         "event": "night_light", "data": '{"by": "flow"}', "dataType": "json", "wires": [[]]},
    ]


class NodeRed:
    """One instance with a folder of its own."""

    def __init__(self, folder, hub, user):
        self.log = []
        folder.mkdir()
        shutil.copy(FOLDER / "node_red_settings.cjs", folder / "settings.js")
        (folder / "package.json").write_text('{"name": "flows", "private": true, "dependencies": {}}')
        (folder / "flows.json").write_text(json.dumps(flows()))
        credentials = {"hub": {"host": hub.url, "access_token": hub.tokens[user]}}
        (folder / "flows_cred.json").write_text(json.dumps(credentials))
        self.process = subprocess.Popen(
            [shutil.which("node"), NODE_MODULES / "node-red/red.js", "--userDir", folder, "--settings",
             folder / "settings.js", "--port", str(free_port())],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def _read_log(self):
        self.log.extend(iter(self.process.stdout.readline, ""))

    def text(self):
        return "".join(list(self.log))

    def wait_for(self, text, timeout=120):
        def found():
            if text in self.text():
                return True
            assert self.process.poll() is None, "Node-RED has ended:\n" + self.text()
            return False

        try:
            wait_until(found, timeout)
        except AssertionError as failure:
            raise AssertionError(f"{text}: {failure}\n{self.text()}") from None

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(5)


@pytest.fixture
def start(node_packages, tmp_path):
    instances = []

    def begin(hub, user="admin"):
        instances.append(NodeRed(tmp_path / f"node-red-{len(instances)}", hub, user))
        return instances[-1]

    yield begin
    for instance in instances:
        instance.stop()


def set_sensor(hub, state):
    assert hub.admin.post(f"/api/states/{SENSOR}", json={"state": state}).status_code in (200, 201)


def light(hub):
    return hub.admin.get(f"/api/states/{LIGHT}").json()


def wait_for_light(hub, state, node_red):
    try:
        wait_until(lambda: light(hub)["state"] == state, 10)
    except AssertionError as failure:
        raise AssertionError(f"the light is not {state}: {failure}\n{node_red.text()}") from None


def test_a_flow_turns_a_light_on_when_a_sensor_changes(start, hub_factory):
    hub = hub_factory()
    set_sensor(hub, "off")
    hub.admin.post("/api/services/light/turn_off", json={"entity_id": LIGHT})
    assert light(hub)["state"] == "off"
    with hub.stream("?restrict=night_light") as stream:
        node_red = start(hub)
        # Until it knows everything it ignores what happens.
        node_red.wait_for("Registries Loaded")
        set_sensor(hub, "on")
        wait_for_light(hub, "on", node_red)
        assert light(hub)["attributes"]["brightness"] == 99
        assert stream.next_event(5).event["data"] == {"by": "flow"}
    set_sensor(hub, "off")
    wait_for_light(hub, "off", node_red)
    node_red.stop()
    assert "[error]" not in node_red.text() and "Uncaught" not in node_red.text(), node_red.text()


def test_it_wants_an_administrator(start, hub_factory):
    """It says so itself; that it can tell shows that the hub answers auth/current_user."""
    hub = hub_factory()
    node_red = start(hub, "ann")
    node_red.wait_for("[error] [server:Hub]")
    assert "admin" in node_red.text().split("[error] [server:Hub]")[1]
