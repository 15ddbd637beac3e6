# SPDX-License-Identifier: Apache-2.0
"""Connections that pages add: flows, entries, secrets, and an integration with any number of them.

The program is hearth_faulty, whose integration `bridge` asks for a host and then for the PIN 1234.
"""

import sqlite3

import pytest

from checks import value
from hub_process import BINARY, base_settings, command, wait_until, write_settings
from websocket_client import WebSocketClient

FAULTY = BINARY.with_name("hearth_faulty")
FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
ERROR_CODES = {"cannot_connect", "invalid_auth", "invalid_host", "invalid_pin", "invalid_psk", "already_configured",
               "timeout", "unsupported", "busy", "unknown"}


@pytest.fixture
def start(hub_factory):
    assert FAULTY.is_file(), f"{FAULTY} is missing: build the target hearth_faulty"

    def start_bridge(folder=None, **sections):
        if folder is None:
            folder = hub_factory.folder()
        write_settings(folder, {**sections, **base_settings()})
        return hub_factory.start(folder, binary=FAULTY)

    return start_bridge


def begin(hub, handler="bridge"):
    step = hub.admin.post(FLOW, json={"handler": handler})
    assert step.status_code == 200, step.text
    return step.json()


def submit(hub, step, **fields):
    return hub.admin.post(f"{FLOW}/{step['flow_id']}", json=fields)


def add(hub, host):
    step = submit(hub, begin(hub), host=host).json()
    assert step["step_id"] == "pin", step
    made = submit(hub, step, pin="1234")
    assert made.status_code == 200, made.text
    assert made.json()["type"] == "create_entry", made.text
    return made.json()["result"]


def entries(hub, domain="bridge"):
    return {entry["title"]: entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == domain}


def test_a_flow_asks_until_there_is_an_entry(start):
    hub = start()
    assert hub.admin.get("/api/config/config_entries/flow_handlers").json() == ["bridge", "caldav", "dsmr", "esphome", "home_assistant", "remote_calendar"]
    step = begin(hub)
    flow_id = step["flow_id"]
    assert step == {
        "type": "form", "flow_id": flow_id, "handler": "bridge", "step_id": "user", "errors": {},
        "description_placeholders": {}, "last_step": False,
        "data_schema": [{"name": "host", "type": "string", "required": True},
                        {"name": "port", "type": "integer", "required": False, "default": 80},
                        {"name": "kind", "type": "select", "required": False, "options": ["old", "new"]},
                        {"name": "secure", "type": "boolean", "required": False, "default": True}]}
    assert hub.admin.get(f"{FLOW}/{flow_id}").json() == step
    wrong = submit(hub, step, host="nobody").json()
    assert wrong == {**step, "errors": {"base": "cannot_connect"}}
    step = submit(hub, step, host="hall").json()
    assert (step["step_id"], step["last_step"]) == ("pin", True)
    assert step["description_placeholders"] == {"host": "hall"}
    assert step["data_schema"] == [{"name": "pin", "type": "string", "required": True, "secret": True}]
    wrong = submit(hub, step, pin="0000").json()
    assert wrong["errors"] == {"pin": "invalid_pin"}
    made = submit(hub, step, pin="1234").json()
    assert (made["type"], made["title"], made["flow_id"]) == ("create_entry", "Bridge hall", flow_id)
    entry = made["result"]
    assert len(entry["entry_id"]) == 26
    assert (entry["domain"], entry["source"], entry["state"], entry["reason"], entry["disabled_by"]) == (
        "bridge", "user", "loaded", None, None)
    assert entries(hub) == {"Bridge hall": entry}
    assert hub.admin.get(f"{FLOW}/{flow_id}").status_code == 404
    assert value(hub, "switch.bridge_hall") == "off"
    # The same device again.
    again = submit(hub, submit(hub, begin(hub), host="hall").json(), pin="1234").json()
    assert (again["type"], again["reason"]) == ("abort", "already_configured")
    assert list(entries(hub)) == ["Bridge hall"]


BAD_FIELDS = [
    ({}, "host: expected a value"),
    ({"host": None}, "host: expected a value"),
    ({"host": ""}, "host: expected a text that is not empty"),
    ({"host": 5}, "host: expected a text"),
    ({"host": "x" * 65_537}, "host: expected at most 65536 bytes"),
    ({"host": "a", "port": "80"}, "port: expected a whole number"),
    ({"host": "a", "port": 1.5}, "port: expected a whole number"),
    ({"host": "a", "kind": "other"}, "kind: expected one of old, new"),
    ({"host": "a", "secure": 1}, "secure: expected true or false"),
    ({"host": "a", "color": "red"}, "color: there is no such field"),
]


def test_bad_answers_are_named_and_the_flow_goes_on(start):
    hub = start()
    step = begin(hub)
    for fields, message in BAD_FIELDS:
        answer = submit(hub, step, **fields)
        assert (answer.status_code, answer.json()["message"]) == (400, message)
    assert hub.admin.post(f"{FLOW}/{step['flow_id']}", content="[1]").status_code == 400
    assert submit(hub, step, host="a").json()["step_id"] == "pin"
    for body in ({}, {"handler": 5}, {"handler": ["bridge"]}):
        assert hub.admin.post(FLOW, json=body).status_code == 400
    for handler in ("demo", "nothing", "x" * 1000):
        assert hub.admin.post(FLOW, json={"handler": handler}).status_code == 404
    for method in ("get", "delete"):
        assert getattr(hub.admin, method)(f"{FLOW}/nothing").status_code == 404
    assert submit(hub, {"flow_id": "nothing"}).status_code == 404


def test_flows_end(start):
    hub = start()
    hub.errors_expected = True
    step = begin(hub)
    assert hub.admin.delete(f"{FLOW}/{step['flow_id']}").json() == {}
    assert hub.admin.get(f"{FLOW}/{step['flow_id']}").status_code == 404
    aborted = submit(hub, begin(hub), host="aborts").json()
    assert (aborted["type"], aborted["reason"]) == ("abort", "unsupported")
    thrown = submit(hub, begin(hub), host="throws").json()
    assert (thrown["type"], thrown["reason"]) == ("abort", "unknown")
    hub.logged("adding a connection of bridge failed: the host is too much")
    assert {"unsupported", "unknown"} <= ERROR_CODES
    # At most 32: the oldest goes.
    steps = [begin(hub) for _ in range(40)]
    alive = [hub.admin.get(f"{FLOW}/{step['flow_id']}").status_code == 200 for step in steps]
    assert alive == [False] * 8 + [True] * 32


def test_each_connection_fails_alone(start):
    hub = start()
    hub.errors_expected = True
    made = {host: add(hub, host) for host in ("hall", "sleeps", "locked", "fails")}
    states = {title.split()[-1]: (entry["state"], entry["reason"]) for title, entry in entries(hub).items()}
    assert states == {"hall": ("loaded", None), "sleeps": ("setup_retry", "The bridge sleeps."),
                      "locked": ("setup_error", "The bridge wants another PIN."),
                      "fails": ("setup_retry", "The bridge does not answer.")}
    assert made["sleeps"]["state"] == "setup_retry"
    wanted = {f"setup_failed_{made[host]['entry_id']}" for host in ("locked", "fails")}
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        wait_until(lambda: wanted == {issue["issue_id"] for issue in page.result("repairs/list_issues")["issues"]
                                      if issue["issue_id"].startswith("setup_failed")}, 20)
    answer = hub.admin.post("/api/services/switch/turn_on", json={"entity_id": "switch.bridge_hall"})
    assert answer.status_code == 200
    assert value(hub, "switch.bridge_hall") == "on"
    lines = [line for line in hub.admin.get("/api/prometheus").text.splitlines() if "integration=\"bridge\"" in line]
    assert len(lines) == len(set(lines)) == 4


def test_a_flow_changes_an_entry_that_waits_for_a_person(start, hub_factory):
    hub = start()
    hub.errors_expected = True
    entry = add(hub, "locked")
    assert (entry["state"], entry["supports_reconfigure"]) == ("setup_error", True)

    def change():
        step = hub.admin.post(FLOW, json={"handler": "bridge", "entry_id": entry["entry_id"]}).json()
        assert step["step_id"] == "reconfigure", step
        return step
    step = change()
    assert submit(hub, step, pin="0000").json()["errors"] == {"pin": "invalid_pin"}
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        page.result("config_entries/update", entry_id=entry["entry_id"], title="Renamed meanwhile")
    done = submit(hub, step, pin="1234").json()
    assert (done["type"], done["reason"]) == ("abort", "reconfigure_successful")
    assert entries(hub)["Renamed meanwhile"]["state"] == "loaded"
    hub = hub_restarted(hub, hub_factory)
    assert entries(hub)["Renamed meanwhile"]["state"] == "loaded", "it is kept"
    assert entries(hub)["Renamed meanwhile"]["supports_reconfigure"] is True
    step = change()
    hub.admin.delete(f"{ENTRY}/{entry['entry_id']}")
    late = hub.admin.post(f"{FLOW}/{step['flow_id']}", json={"pin": "1234"})
    assert late.status_code == 404 and entries(hub) == {}, "it does not come back"


def test_an_entry_is_disabled_renamed_reloaded_and_removed(start, hub_factory):
    hub = start()
    entry_id, other = add(hub, "hall")["entry_id"], add(hub, "attic")["entry_id"]
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        assert page.result("config_entries/disable", entry_id=entry_id, disabled_by="user") == {"require_restart": False}
        entry = page.result("config_entries/get_single", entry_id=entry_id)["config_entry"]
        assert (entry["state"], entry["disabled_by"]) == ("not_loaded", "user")
        assert value(hub, "switch.bridge_hall") == "unavailable"
        assert hub.admin.post(f"{ENTRY}/{entry_id}/reload").status_code == 400
        renamed = page.result("config_entries/update", entry_id=entry_id, title="Flur ✓")["config_entry"]
        assert renamed["title"] == "Flur ✓"
        for title in ("", "x" * 256):
            assert page.error("config_entries/update", entry_id=entry_id, title=title)[0] == "invalid_format"
        assert page.error("config_entries/disable", entry_id="nothing", disabled_by=None)[0] == "not_found"
        hub = hub_restarted(hub, hub_factory)
    assert entries(hub)["Flur ✓"]["disabled_by"] == "user"
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        page.result("config_entries/disable", entry_id=entry_id, disabled_by=None)
        assert page.result("config_entries/get_single", entry_id=entry_id)["config_entry"]["state"] == "loaded"
    assert value(hub, "switch.bridge_hall") == "off"
    assert hub.admin.post(f"{ENTRY}/{entry_id}/reload").json() == {"require_restart": False}
    assert hub.admin.delete(f"{ENTRY}/{entry_id}").json() == {"require_restart": False}
    hub.logged("hall was told that it is free")
    assert hub.admin.delete(f"{ENTRY}/{entry_id}").status_code == 404
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        devices = [device["name"] for device in page.result("config/device_registry/list") if device["name"].startswith("Bridge")]
        assert devices == ["Bridge attic"]
        ids = [entity["entity_id"] for entity in page.result("config/entity_registry/list")]
    assert "switch.bridge_attic" in ids and "switch.bridge_hall" not in ids
    assert value(hub, "switch.bridge_attic") == "off"
    hub = hub_restarted(hub, hub_factory)
    assert {entry["entry_id"] for entry in entries(hub).values()} == {other}
    # One that is added again has its former id.
    add(hub, "hall")
    assert value(hub, "switch.bridge_hall") == "off"


def hub_restarted(hub, hub_factory):
    hub.stop()
    return hub_factory.start(hub.folder, binary=FAULTY)


def test_connections_of_the_file_and_of_pages_live_together(start, hub_factory):
    hub = start(bridge={"hosts": ["cellar", "roof"]})
    made = add(hub, "hall")
    known = entries(hub)
    assert {title: entry["source"] for title, entry in known.items()} == {
        "Bridge cellar": "yaml", "Bridge roof": "yaml", "Bridge hall": "user"}
    of_file = known["Bridge roof"]["entry_id"]
    refused = hub.admin.delete(f"{ENTRY}/{of_file}")
    assert refused.status_code == 400 and "configuration.yaml" in refused.json()["message"]
    again = submit(hub, submit(hub, begin(hub), host="roof").json(), pin="1234").json()
    assert (again["type"], again["reason"]) == ("abort", "already_configured")
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        page.result("config_entries/disable", entry_id=of_file, disabled_by="user")
        listed = {entity["entity_id"]: entity["config_entry_id"] for entity in page.result("config/entity_registry/list")}
        assert listed["switch.bridge_hall"] == made["entry_id"]
        assert listed["switch.bridge_roof"] == of_file
        devices = {device["name"]: device["config_entries"] for device in page.result("config/device_registry/list")}
        assert devices["Bridge hall"] == [made["entry_id"]]
        related = page.result("search/related", item_type="config_entry", item_id=made["entry_id"])
        assert related["entity"] == ["switch.bridge_hall"]
    shown = hub.admin.post("/api/template", json={"template": "{{ config_entry_id('switch.bridge_hall') }}"}).text
    assert shown == made["entry_id"]
    template = "{{ config_entry_attr('%s', 'title') }} {{ config_entry_attr('%s', 'state') }}" % (of_file, of_file)
    assert hub.admin.post("/api/template", json={"template": template}).text == "Bridge roof not_loaded"
    hub = hub_restarted(hub, hub_factory)
    assert {title: (entry["entry_id"], entry["disabled_by"]) for title, entry in entries(hub).items()} == {
        "Bridge cellar": (known["Bridge cellar"]["entry_id"], None), "Bridge roof": (of_file, "user"),
        "Bridge hall": (made["entry_id"], None)}
    # What was disabled in the file, and has left it, can come by a page.
    hub.stop()
    write_settings(hub.folder, {"bridge": {"hosts": ["cellar"]}, **base_settings()})
    hub = hub_factory.start(hub.folder, binary=FAULTY)
    assert set(entries(hub)) == {"Bridge cellar", "Bridge hall"}
    again = add(hub, "roof")
    assert (again["source"], again["state"], again["disabled_by"]) == ("user", "loaded", None)
    hub = hub_restarted(hub, hub_factory)
    assert entries(hub)["Bridge roof"]["entry_id"] == again["entry_id"]


def test_only_administrators_see_flows_and_change_entries(start):
    hub = start()
    entry_id = add(hub, "hall")["entry_id"]
    step = begin(hub)
    attempts = [("post", FLOW, {"handler": "bridge"}), ("post", f"{FLOW}/{step['flow_id']}", {"host": "a"}),
                ("get", f"{FLOW}/{step['flow_id']}", None), ("delete", f"{FLOW}/{step['flow_id']}", None),
                ("delete", f"{ENTRY}/{entry_id}", None), ("post", f"{ENTRY}/{entry_id}/reload", {}),
                ("get", f"/api/diagnostics/config_entry/{entry_id}", None)]
    for method, path, body in attempts:
        options = {} if body is None else {"json": body}
        for client, status in ((hub.ann, 403), (hub.display, 403), (hub.anonymous, 401)):
            assert getattr(client, method)(path, **options).status_code == status, (path, status)
    with WebSocketClient(hub, hub.tokens["ann"]) as page:
        for command, fields in (("config_entries/disable", {"entry_id": entry_id, "disabled_by": "user"}),
                                ("config_entries/update", {"entry_id": entry_id, "title": "Mine"}),
                                ("config_entries/ignore_flow", {"flow_id": step["flow_id"], "title": "x"}),
                                ("config_entries/flow/progress", {}), ("config_entries/flow/subscribe", {})):
            assert page.error(command, **fields)[0] == "unauthorized"
    assert entries(hub)["Bridge hall"]["state"] == "loaded"
    assert hub.admin.get(f"{FLOW}/{step['flow_id']}").json()["step_id"] == "user"


def test_a_secret_is_in_its_table_alone(start):
    hub = start()
    secret = "1234"
    entry_id = add(hub, "hall")["entry_id"]
    diagnosis = hub.admin.get(f"/api/diagnostics/config_entry/{entry_id}").json()
    assert diagnosis["data"] == {"messages": ["the PIN is **"], "host": "hall"}
    assert diagnosis["config_entry"]["entry_id"] == entry_id
    assert hub.admin.get("/api/diagnostics/config_entry/nothing").status_code == 404
    for path in (ENTRY, "/api/integrations", "/api/states", "/api/error_log"):
        assert f'"{secret}"' not in hub.admin.get(path).text
    with WebSocketClient(hub, hub.tokens["admin"]) as page:
        rows = page.result("audit/list")["rows"]
    about = [row for row in rows if "config_entries/flow" in row["what"]]
    assert about and all(not row.get("after") for row in about)
    hub.stop()
    with sqlite3.connect(hub.folder / "home.db") as database:
        assert database.execute("SELECT name, value FROM connection_secrets").fetchall() == [("pin", b"1234")]
        assert secret not in str(database.execute("SELECT * FROM connections").fetchall())


@pytest.mark.parametrize("flags, kept", [((), False), (("--with-keys",), True), (("--passphrase-stdin",), True)])
def test_a_backup_has_secrets_only_if_it_is_encrypted_or_somebody_says_so(start, hub_factory, tmp_path, flags, kept):
    hub = start()
    add(hub, "hall")
    file, folder = tmp_path / "home.tar.zst", tmp_path / "restored"
    made = hub.command("backup", file, *flags, text="seven small lamps in a row\n")
    assert made.returncode == 0, made.stderr
    hub.stop()
    passphrase = [flag for flag in flags if flag.startswith("--pass")]
    restored = command(folder, "restore", file, *passphrase, text="seven small lamps in a row\n")
    assert restored.returncode == 0, restored.stderr
    with sqlite3.connect(folder / "home.db") as database:
        found = database.execute("SELECT value FROM connection_secrets").fetchall()
        assert found == ([(b"1234",)] if kept else [])
        assert database.execute("SELECT title FROM connections").fetchall() == [("Bridge hall",)]
    assert (b"pin1234" in (folder / "home.db").read_bytes()) == kept
