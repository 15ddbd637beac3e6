# SPDX-License-Identifier: Apache-2.0
"""AppDaemon: an app reacts to states and events, calls services, reads history and logbook; its app is appdaemon_app.py."""

import json
import shutil
import signal
import subprocess
import threading

import pytest
import yaml

from hub_process import wait_until
from packages import FOLDER, install_python_packages

SENSOR, LIGHT, COLOUR_LAMP = "binary_sensor.night", "light.kitchen", "light.bedside"


class AppDaemon:
    """One instance with a folder of its own."""

    def __init__(self, programs, folder, hub):
        self.hub = hub
        self.log = []
        (folder / "apps").mkdir(parents=True)
        shutil.copy(FOLDER / "appdaemon_app.py", folder / "apps/dimmer.py")
        (folder / "apps/apps.yaml").write_text("dimmer: {module: dimmer, class: Dimmer}\n")
        plugin = {"type": "hass", "ha_url": hub.url, "token": hub.tokens["admin"], "retry_secs": 1,
                  "enable_started_event": True}
        home = {"latitude": 52.5, "longitude": 13.4, "elevation": 34, "time_zone": "Europe/Berlin"}
        (folder / "appdaemon.yaml").write_text(yaml.safe_dump({"appdaemon": {**home, "plugins": {"HASS": plugin}}}))
        self.process = subprocess.Popen([programs / "appdaemon", "-c", folder], cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def _read_log(self):
        self.log.extend(iter(self.process.stdout.readline, ""))

    def text(self):
        return "".join(list(self.log))

    def end(self):
        """The last lines of its log."""
        return "".join(self.log[-60:])

    def problems(self):
        return [line for line in list(self.log) if " WARNING " in line or " ERROR " in line or "Traceback" in line]

    def wait_for(self, condition, timeout=60, interval=0.02):
        def fulfilled():
            assert self.process.poll() is None, "AppDaemon has ended:\n" + self.end()
            return condition()

        try:
            return wait_until(fulfilled, timeout, interval)
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.end()}") from None

    def ask(self, method, *arguments, **options):
        """The result of one method of the app's, as JSON."""
        with self.hub.stream("?restrict=appdaemon_answer") as stream:
            fired = self.hub.admin.post("/api/events/appdaemon_ask", json={
                "method": method, "arguments": arguments, "options": options})
            assert fired.status_code == 200, fired.text
            try:
                return json.loads(stream.next_event(30).event["data"]["result"])
            except Exception as failure:
                raise AssertionError(f"{method}: {failure!r}\n{self.end()}") from None

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(5)


@pytest.fixture(scope="module")
def programs():
    return install_python_packages("appdaemon")


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices these tests switch."""
    hub = module_hubs(notify=[{"platform": "file", "name": name, "filename": f"{name}.txt"} for name in ("first", "second")])
    set_state(hub, SENSOR, "off")
    return hub


@pytest.fixture(scope="module")
def appdaemon(programs, own, tmp_path_factory):
    """AppDaemon whose app listens; at the end it may have complained of nothing."""
    with own.stream("?restrict=appdaemon_ready") as stream:
        instance = AppDaemon(programs, tmp_path_factory.mktemp("appdaemon"), own)
        try:
            stream.next_event(60)
            instance.wait_for(lambda: "Completed initialization" in instance.text())
            # AppDaemon may start its apps a moment before it keeps the states that it has read, and then warns of each.
            instance.log[:] = [line for line in instance.log if "not found in the default namespace" not in line]
            yield instance
        finally:
            instance.stop()
    assert not instance.problems(), instance.end()


@pytest.fixture
def complaint(appdaemon):
    """Waits for a line of the log that the test expects, and takes it out."""

    def expected(text):
        appdaemon.wait_for(lambda: [line for line in appdaemon.problems() if text in line], 10)
        appdaemon.log[:] = [line for line in appdaemon.log if text not in line]

    return expected


def set_state(hub, entity_id, state, **attributes):
    response = hub.admin.post(f"/api/states/{entity_id}", json={"state": state, "attributes": attributes})
    assert response.status_code in (200, 201), response.text


def state(hub, entity_id):
    return hub.admin.get(f"/api/states/{entity_id}").json()


def test_an_app_dims_a_light_when_a_sensor_changes(appdaemon, own):
    own.admin.post("/api/services/light/turn_off", json={"entity_id": LIGHT})
    set_state(own, SENSOR, "off")
    with own.stream("?restrict=appdaemon_heard") as stream:
        set_state(own, SENSOR, "on")
        appdaemon.wait_for(lambda: state(own, LIGHT)["attributes"].get("brightness") == 120, 10)
        # The app has heard what its own call has changed.
        heard = stream.next_event(5).event["data"]
        assert (heard["entity"], heard["attribute"], heard["new"]) == (LIGHT, "brightness", 120)
    set_state(own, SENSOR, "off")
    appdaemon.wait_for(lambda: state(own, LIGHT)["state"] == "off", 10)


def test_states_are_those_of_the_hub(appdaemon, own):
    assert appdaemon.ask("get_state", LIGHT) == state(own, LIGHT)["state"]
    whole = appdaemon.ask("get_state", LIGHT, attribute="all")
    assert whole["attributes"] == state(own, LIGHT)["attributes"]
    everything = {item["entity_id"] for item in own.admin.get("/api/states").json()}
    assert set(appdaemon.ask("get_state")) >= everything
    assert set(appdaemon.ask("get_state", "light")) == {name for name in everything if name.startswith("light.")}
    assert appdaemon.ask("get_state", LIGHT, attribute="friendly_name") == "Kitchen light"
    assert appdaemon.ask("entity_exists", LIGHT) is True
    assert appdaemon.ask("entity_exists", "light.nowhere") is False


def test_it_writes_and_removes_states(appdaemon, own, name, complaint):
    entity_id = f"sensor.{name}"
    appdaemon.ask("set_state", entity_id, state="12.5", attributes={"unit_of_measurement": "°C"})
    complaint(f"Entity {entity_id} not found")  # it says so of what is new
    written = state(own, entity_id)
    assert (written["state"], written["attributes"]) == ("12.5", {"unit_of_measurement": "°C"})
    appdaemon.wait_for(lambda: appdaemon.ask("entity_exists", entity_id), 10)
    assert appdaemon.ask("get_state", entity_id) == "12.5"
    appdaemon.ask("remove_entity", entity_id)
    assert own.admin.get(f"/api/states/{entity_id}").status_code == 404


@pytest.mark.parametrize("method, options, expected", [
    ("turn_on", {"brightness": 77}, {"state": "on", "brightness": 77}),
    ("turn_on", {"color_name": "green"}, {"state": "on", "hs_color": pytest.approx([120, 100], abs=1)}),
    ("turn_on", {"brightness_pct": 50, "transition": 0}, {"state": "on", "brightness": 128}),
    ("turn_off", {}, {"state": "off"}),
    ("toggle", {}, {"state": "on"}),
])
def test_it_switches_lights(appdaemon, own, method, options, expected):
    """Its methods call homeassistant.turn_on with the light's own fields."""
    own.admin.post("/api/services/light/turn_off", json={"entity_id": COLOUR_LAMP})
    answer = appdaemon.ask(method, COLOUR_LAMP, **options)
    assert answer["success"] is True, answer
    seen = state(own, COLOUR_LAMP)
    found = {"state": seen["state"], **seen["attributes"]}
    assert {key: found.get(key) for key in expected} == expected


def test_it_calls_services(appdaemon, own, complaint):
    answer = appdaemon.ask("call_service", "light/turn_on", target={"entity_id": LIGHT}, service_data={"brightness": 33})
    assert answer["success"] is True
    assert state(own, LIGHT)["attributes"]["brightness"] == 33
    assert "brightness" in appdaemon.ask("get_service_info", "light/turn_on")["fields"]
    refused = appdaemon.ask("call_service", "light/turn_on", entity_id=LIGHT, service_data={"brightness": "much"})
    assert refused["success"] is False and "brightness" in refused["error"]["message"]
    complaint("brightness")


def test_it_notifies(appdaemon, own):
    appdaemon.ask("notify", "The washing is done.")
    appdaemon.ask("notify", "It is wet.", title="Laundry", name="second", data={"priority": 1}, service_data={"target": ["ann"]})
    first, second = ((own.folder / f"{name}.txt").read_text() for name in ("first", "second"))
    assert first.endswith("\nThe washing is done.\n")
    assert second.startswith("Laundry notifications") and second.endswith("\nIt is wet.\n")


def test_it_fires_events(appdaemon, own, name):
    with own.stream(f"?restrict={name}") as stream:
        appdaemon.ask("fire_event", name, number=1)
        assert stream.next_event(5).event["data"] == {"number": 1}


def test_it_reads_history(appdaemon, own, name):
    entity_id = f"sensor.{name}"
    for value in ("1", "2", "3"):
        set_state(own, entity_id, value)
    appdaemon.wait_for(
        lambda: [[row["state"] for row in rows] for rows in appdaemon.ask("get_history", entity_id, days=1)]
        == [["1", "2", "3"]], 10)


def test_it_reads_the_logbook(appdaemon, own, name):
    entity_id = f"binary_sensor.{name}"
    set_state(own, entity_id, "off", friendly_name="Back door")
    set_state(own, entity_id, "on", friendly_name="Back door")

    def entries():
        return [(entry["name"], entry.get("state")) for entry in appdaemon.ask("get_logbook", entity_id, days=1)]

    appdaemon.wait_for(lambda: ("Back door", "on") in entries(), 10)


def test_it_comes_back_after_the_hub_was_restarted(programs, hub_factory, tmp_path):
    """It waits for homeassistant_started, or for a configuration that says RUNNING."""
    hub = hub_factory()
    set_state(hub, SENSOR, "off")
    instance = AppDaemon(programs, tmp_path / "appdaemon", hub)
    try:
        instance.wait_for(lambda: "App initialization complete" in instance.text())
        hub.stop()
        instance.wait_for(lambda: "Attempting reconnection" in instance.text())
        again = hub_factory(folder=hub.folder, port=hub.port)

        def hears():
            set_state(again, SENSOR, "off")
            set_state(again, SENSOR, "on")
            return state(again, LIGHT)["attributes"].get("brightness") == 120

        instance.wait_for(hears, interval=0.5)
        assert " ERROR " not in instance.text().split("Attempting reconnection")[-1], instance.end()
    finally:
        instance.stop()
