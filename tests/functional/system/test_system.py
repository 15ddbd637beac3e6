# SPDX-License-Identifier: Apache-2.0
"""GET /api/error_log, system_log/list, the services of system_log, and system_health/info."""

import os
import platform
import re
import sqlite3
from datetime import datetime, timezone

import pytest

from checks import TIMESTAMP, assert_message
from hub_process import PASSWORD, SLOW_MACHINE, wait_until
from login_client import log_in, try_password
from websocket_client import WebSocketClient

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (debug|info|warning|error) +[^ ]+: .+")


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose log these tests may fill, also with errors."""
    hub = module_hubs()
    hub.errors_expected = True
    return hub


@pytest.fixture
def admin(own):
    with WebSocketClient(own, own.tokens["admin"]) as client:
        yield client


def write(hub, user="admin", **data):
    return getattr(hub, user).post("/api/services/system_log/write", json=data)


def log_lines(hub):
    response = hub.admin.get("/api/error_log")
    assert response.status_code == 200 and response.headers["content-type"] == "text/plain"
    return response.text.splitlines()


def entries(client, message, **fields):
    return [entry for entry in client.result("system_log/list", **fields) if message in entry["message"]]


def written(listed):
    """What clients wrote: a hub on a slow machine may warn of its own speed at any time."""
    return [entry for entry in listed if entry["name"] == "system_log.external"]


@pytest.mark.contract("Beyond the specification: error log")
def test_lines_are_those_that_were_logged(hub_factory):
    hub = hub_factory()
    lines = log_lines(hub)
    assert all(LINE.fullmatch(line) for line in lines)
    assert any("hub: ready at" in line for line in lines)
    wait_until(lambda: len(hub.log) >= len(lines))
    # Lines logged by two threads at the same time may be in either order.
    assert sorted(hub.log) == sorted(lines)


@pytest.mark.contract("Beyond the specification: error log", "Tokens and rights: right missing")
def test_log_is_for_administrators_and_get(own):
    assert_message(own.anonymous.get("/api/error_log"), 401)
    assert_message(own.ann.get("/api/error_log"), 403)
    assert_message(own.display.get("/api/error_log"), 403)
    response = own.admin.post("/api/error_log")
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]


@pytest.mark.contract("WebSocket: commands", "Services: answer")
def test_same_message_is_listed_once_newest_first(own, admin):
    before = datetime.now(timezone.utc).timestamp()
    for _ in range(3):
        assert write(own, message="Größe\n7", level="warning", logger="my.script").json() == []
    assert write(own, message="an error").json() == []
    assert write(own, message="only info", level="info").json() == []
    entry = entries(admin, "Größe\\x0a7")[0]
    assert list(entry) == ["name", "message", "level", "source", "timestamp", "exception", "count", "first_occurred"]
    assert (entry["name"], entry["level"], entry["count"], entry["exception"]) == ("my.script", "WARNING", 3, "")
    assert re.fullmatch(r"src/[a-z_/]+\.cpp", entry["source"][0]) and entry["source"][1] > 0
    assert before <= entry["first_occurred"] < entry["timestamp"] <= datetime.now(timezone.utc).timestamp()
    listed = admin.result("system_log/list")
    assert written(listed)[0]["message"] == ["an error"]
    assert [item["timestamp"] for item in listed] == sorted((item["timestamp"] for item in listed), reverse=True)
    assert not entries(admin, "only info") and entries(admin, "only info", level="info")
    assert [item["level"] for item in admin.result("system_log/list", level="critical")] == ["ERROR"]
    assert any(line.endswith(" warning my.script: Größe\\x0a7") for line in log_lines(own))


@pytest.mark.contract("WebSocket: commands", "WebSocket: rights")
def test_list_refuses(own, admin):
    code, message = admin.error("system_log/list", level="loud")
    assert code == "invalid_format" and message == "level: expected one of debug, info, warning, error, critical."
    assert admin.error("system_log/list", level=5)[0] == "invalid_format"
    assert admin.error("system_log/list", x=5)[0] == "invalid_format"
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        assert ann.error("system_log/list")[0] == "unauthorized"


@pytest.mark.contract("Services: wrong data", "Services: right missing")
@pytest.mark.parametrize("data, field", [
    ({}, "message"), ({"message": ""}, "message"), ({"message": "x" * 4097}, "message"), ({"message": [1]}, "message"),
    ({"message": "x", "level": "loud"}, "level"), ({"message": "x", "logger": "y" * 65}, "logger"),
    ({"message": "x", "volume": 1}, "volume")])
def test_write_refuses(own, data, field):
    assert field in assert_message(write(own, **data), 400)
    assert field in assert_message(write(own, "ann", **data), 400)
    assert_message(own.ann.post("/api/services/system_log/clear"), 403)


@pytest.mark.contract("Beyond the specification: error log", "Services: right missing")
def test_everybody_writes_a_few_lines(hub_factory):
    hub = hub_factory()
    for user in ("ann", "display"):
        answers = [write(hub, user, message=f"{user} {number}", level="warning") for number in range(30)]
        taken = [answer for answer in answers if answer.status_code == 200]
        assert 20 <= len(taken) <= 22 and answers[:20] == taken[:20]
        assert "20 lines" in assert_message(answers[-1], 429)
    with WebSocketClient(hub, hub.tokens["display"]) as display:
        code, message = display.error("call_service", domain="system_log", service="write",
                                      service_data={"message": "x"})
        assert code == "home_assistant_error" and "20 lines" in message
    assert all(write(hub, message=f"admin {number}", level="info").status_code == 200 for number in range(60))
    hub.logged("system_log.external: ann 19")
    assert_message(hub.anonymous.post("/api/services/system_log/write", json={"message": "x"}), 401)


@pytest.mark.contract("WebSocket: commands")
def test_clear_forgets_earlier_lines(hub_factory):
    hub = hub_factory()
    write(hub, message="one", level="warning")
    assert hub.admin.post("/api/services/system_log/clear").json() == []
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        assert written(admin.result("system_log/list")) == []
        write(hub, message="two", level="warning")
        assert [entry["message"] for entry in written(admin.result("system_log/list"))] == [["two"]]
    assert len([line for line in log_lines(hub) if SLOW_MACHINE not in line]) == 1
    hub.logged("system_log.external: one")


@pytest.mark.contract("Beyond the specification: error log")
def test_log_is_bounded(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        for number in range(1, 1101):
            admin.send({"id": number, "type": "call_service", "domain": "system_log", "service": "write",
                        "service_data": {"message": f"{number} " + "x" * 900, "level": "info"}})
            if number % 100 == 0:
                for _ in range(100):
                    assert admin.receive()["success"]
    lines = log_lines(hub)
    assert len(lines) == 1000 and f": 101 {'x' * 900}" in lines[0]


@pytest.mark.contract("Beyond the specification: error log", "Tokens and rights: failed logins")
def test_no_secret_reaches_the_log(hub_factory):
    hub = hub_factory(log={"level": "debug"})
    try_password(hub, "ann", "a guess of mine")
    tokens = log_in(hub, "ann")
    hub.anonymous.get("/api/states", headers={"Authorization": "Bearer not-a-token-at-all"})
    with WebSocketClient(hub, tokens["access_token"]) as ann:
        path = ann.result("auth/sign_path", path="/api/states")["path"]
        assert hub.anonymous.get(path).status_code == 200
        ann.error("config/auth_provider/homeassistant/change_password", current_password="a wrong one", new_password="b")
        made = ann.result("auth/long_lived_access_token", lifespan=1, client_name="x")
    text = "\n".join(log_lines(hub))
    secrets = [PASSWORD, "a guess of mine", "not-a-token-at-all", "a wrong one", made, tokens["access_token"],
               tokens["refresh_token"], path.partition("=")[2], *hub.tokens.values()]
    assert not [secret for secret in secrets if secret in text]


@pytest.mark.contract("WebSocket: commands")
def test_system_health(own, admin):
    users = len(admin.result("config/auth/list"))

    def health():
        assert admin.result("system_health/info") is None
        initial = admin.event(admin.last_id)
        assert admin.event(admin.last_id) == {"type": "finish"}
        return initial

    def connections():
        hub = health()["data"]["hearth"]["info"]
        return hub["websocket_connections"], hub["event_streams"]

    wait_until(lambda: connections() == (1, 0))  # other tests' clients have disconnected
    with own.stream(), WebSocketClient(own, own.tokens["ann"]):
        initial = health()
    assert admin.result("unsubscribe_events", subscription=admin.last_id) is None
    assert initial["type"] == "initial" and list(initial["data"]) == ["homeassistant", "hearth"]
    config = own.admin.get("/api/config").json()
    host, hub = initial["data"]["homeassistant"]["info"], initial["data"]["hearth"]["info"]
    assert host["version"] == hub["version"] == config["version"]
    assert host["installation_type"] in ("Native", "Container") and host["user"]
    assert (host["os_name"], host["os_version"], host["arch"]) == (platform.system(), platform.release(), platform.machine())
    assert host["timezone"] == "Europe/Berlin" and host["config_dir"] == hub["config_dir"] == str(own.folder)
    assert hub["state"] == "RUNNING" and TIMESTAMP.fullmatch(hub["started_at"])
    started = datetime.fromisoformat(hub["started_at"])
    assert 0 < hub["uptime"] <= (datetime.now(timezone.utc) - started).total_seconds() + 1
    assert 1e6 < hub["memory_resident"] <= hub["memory_peak"]
    assert hub["threads"] == len(os.listdir(f"/proc/{own.process.pid}/task"))
    assert hub["cpu_seconds"] > 0
    assert hub["websocket_connections"] == 2 and hub["event_streams"] == 1
    assert hub["http_connections"] >= 3
    assert hub["entities"] == len(own.admin.get("/api/states").json())
    assert hub["devices"] == len(admin.result("config/device_registry/list"))
    assert hub["areas"] == len(admin.result("config/area_registry/list"))
    assert hub["users"] == users
    assert isinstance(hub["bus"]["slow"], list)  # on a busy machine anything may have held up the bus
    for slow in hub["bus"]["slow"]:
        assert slow["where"].startswith("src/") and slow["longest_ms"] >= 100 and slow["times"] >= 1
        assert TIMESTAMP.fullmatch(slow["last"]) and slow["holds_now"] is False
    assert hub["database_size"] >= (own.folder / "home.db").stat().st_size
    wait_until(lambda: connections() == (1, 0))


@pytest.mark.contract("WebSocket: commands", "WebSocket: rights")
def test_system_health_refuses(own, admin):
    assert admin.error("system_health/info", x=1)[0] == "invalid_format"
    with WebSocketClient(own, own.tokens["ann"]) as ann:
        assert ann.error("system_health/info")[0] == "unauthorized"


@pytest.mark.contract("WebSocket: commands")
def test_bytes_written_are_a_sensor_of_the_recorder(hub_factory):
    def shown(hub):
        state = hub.admin.get("/api/states/sensor.hearth_bytes_written_today").json()
        with WebSocketClient(hub, hub.tokens["admin"]) as client:
            entry = client.result("config/entity_registry/get", entity_id=state["entity_id"])
        assert (entry["platform"], entry["entity_category"], entry["original_name"]) == ("recorder", "diagnostic", "Bytes written today")
        assert {"unit_of_measurement": "B", "state_class": "total_increasing", "device_class": "data_size",
                "friendly_name": "Bytes written today", "icon": "mdi:harddisk"}.items() <= state["attributes"].items()
        return entry["id"], state["attributes"]["day"], int(state["state"])

    hub = hub_factory()
    first = shown(hub)
    hub.stop()
    again = shown(hub_factory(hub.folder))
    assert first[0] == again[0]
    assert again[2] >= first[2] > 0 or again[1] != first[1]  # it goes on with the day's


@pytest.mark.contract("WebSocket: commands")
def test_what_an_older_version_wrote_as_a_client_goes_on_as_the_recorders(hub_factory):
    sensor = "sensor.hearth_bytes_written_today"
    hub = hub_factory()
    hub.stop()
    with sqlite3.connect(hub.folder / "home.db") as database:
        done = database.execute("UPDATE registry SET entry = replace(entry, '\"recorder\"', '\"api\"') WHERE kind = 'entity' AND entry LIKE ?",
                                (f"%{sensor}%",))
        assert done.rowcount == 1
    again = hub_factory(hub.folder)
    with WebSocketClient(again, again.tokens["admin"]) as client:
        entries = [entry for entry in client.result("config/entity_registry/list") if entry["entity_id"].startswith(sensor)]
    assert [(entry["entity_id"], entry["platform"]) for entry in entries] == [(sensor, "recorder")]
    assert int(again.admin.get(f"/api/states/{sensor}").json()["state"]) > 0
