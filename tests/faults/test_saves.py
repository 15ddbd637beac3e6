# SPDX-License-Identifier: Apache-2.0
"""Everything that people save, on a machine that has no descriptors, no room or a broken disk: what is refused is refused as the
machine's fault, in words, and is not there afterwards; then it can be saved."""

import contextlib
import json
import os
import resource

import pytest

from hub_process import wait_until
from test_machine import limited
from websocket_client import WebSocketClient
from worse_machine import WorseMachine

ITEM = {"alias": "Kept", "triggers": [], "actions": []}
YAML = {"Content-Type": "application/yaml"}
BLUEPRINT = "blueprint:\n  name: Plain\n  domain: script\nsequence: []\n"
MACHINE = {"EMFILE": "Too many open files", "ENOSPC": "No space left on device", "EIO": "Input/output error"}


class Saves:
    """Changes that are made of a home, each by its name: a call of REST, or a command."""

    def __init__(self, hub):
        self.hub = hub
        self.client = hub.client("admin")
        self.socket = WebSocketClient(hub, hub.tokens["admin"], timeout=30)
        self.client.get("/api/").raise_for_status()

    def close(self):
        self.client.close()
        self.socket.close()

    def rest(self, method, path, **body):
        answer = self.client.request(method, path, **body)
        if answer.status_code in (200, 201):
            return ""
        # A service that fails is 500, whatever the reason.
        expected = (500, 503) if path.startswith("/api/services/") else (503, 507)
        assert answer.status_code in expected, f"{method} {path}: {answer.status_code} {answer.text}"
        assert answer.json()["message"] != "Internal error.", path
        return answer.json()["message"]

    def command(self, kind, **fields):
        answer = self.socket.command(kind, **fields)
        if answer["success"]:
            return ""
        assert answer["error"]["code"] == "home_assistant_error", f"{kind}: {answer}"
        return answer["error"]["message"]

    def item(self, kind, name, text):
        body = {"sequence": [], "description": text} if kind == "script" else \
            {"name": text, "entities": {"light.kitchen": "on"}} if kind == "scene" else ITEM | {"description": text}
        return self.rest("POST", f"/api/config/{kind}/config/{name}", json=body)

    def item_text(self, name, text):
        own = f"id: {name}\nalias: Kept\ndescription: {text}\ntriggers: []\nactions: []\n"
        return self.rest("POST", f"/api/config/automation/config/{name}", content=own, headers=YAML)

    def blueprint(self, text):
        return self.command("blueprint/save", domain="script", path="me/plain", yaml=BLUEPRINT + f"description: {text}\n",
                            allow_override=True)

    def dashboard(self, text):
        return self.command("lovelace/config/save", config={"views": [{"title": text}]})

    def all(self, text):
        return {
            "automation": lambda: self.item("automation", "a", text),
            "new automation": lambda: self.item("automation", f"new_{text}", text),
            "automation as text": lambda: self.item_text("t", text),
            "automation removed": lambda: self.rest("DELETE", f"/api/config/automation/config/gone_{text}"),
            "script": lambda: self.item("script", "s", text),
            "scene": lambda: self.item("scene", "c", text),
            "blueprint": lambda: self.blueprint(text),
            "revision": lambda: self.command("config/revisions/restore", domain="automation", item_id="r",
                                             revision=self.revision()),
            "snapshot": lambda: self.rest("POST", "/api/services/camera/snapshot",
                                          json={"entity_id": "camera.front_door", "filename": f"www/{text}.png"}),
            "dashboard": lambda: self.dashboard(text),
            "helper": lambda: self.command("input_boolean/create", name=text),
            "area": lambda: self.command("config/area_registry/create", name=text),
            "home": lambda: self.command("config/core/update", location_name=text),
            "backup": lambda: self.rest("POST", "/api/services/backup/create?return_response", json={}),
        }

    def revision(self):
        """The first one of an automation with two."""
        return self.known_revision

    def prepare(self, words):
        for word in words:
            assert self.item("automation", f"gone_{word}", word) == ""
        for kind, name in (("automation", "a"), ("automation", "r"), ("script", "s"), ("scene", "c")):
            assert self.item(kind, name, "first") == ""
        assert self.item("automation", "r", "second") == ""
        assert self.item_text("t", "first") == self.blueprint("first") == self.dashboard("first") == ""
        rows = self.socket.result("config/revisions/list", domain="automation", item_id="r")["revisions"]
        self.known_revision = next(row["revision"] for row in rows if row["kind"] == "changed")

    def files(self):
        """What the home's files say, without databases and what is kept of former texts."""
        folder = self.hub.folder
        return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.yaml")
                if not any(part.startswith(".") for part in path.relative_to(folder).parts)}


@contextlib.contextmanager
def no_more_descriptors(hub):
    with limited(hub, resource.RLIMIT_NOFILE, len(os.listdir(f"/proc/{hub.process.pid}/fd"))):
        yield


@contextlib.contextmanager
def broken_disk(machine, hub, error):
    with machine.faults.failing(str(hub.folder) + "/", "write sync truncate rename mkdir", error):
        yield


@pytest.mark.parametrize("error", MACHINE)
def test_what_the_machine_keeps_from_being_saved(hub_factory, tmp_path, error):
    machine = WorseMachine(tmp_path, faults=error != "EMFILE")
    # Changes that the audit log keeps from being made are those of test_disk.
    hub = hub_factory.start_to_kill(hub_factory.folder(audit={"required": False}, home=None), environment=machine.environment)
    with contextlib.closing(Saves(hub)) as saves:
        saves.prepare(["during", "after"])
        before = saves.files()
        with no_more_descriptors(hub) if error == "EMFILE" else broken_disk(machine, hub, error):
            said = {name: save() for name, save in saves.all("during").items()}
            during = saves.files()
        # What has a file of its own; the rest waits in memory until the database takes it, and the pages say so.
        for name in ("automation", "new automation", "automation as text", "automation removed", "script", "scene",
                     "blueprint", "revision", "backup"):
            assert MACHINE[error] in said[name] or "disk" in said[name] or "database" in said[name], (name, said[name])
        assert during == before
        for name, save in saves.all("after").items():
            wait_until(lambda save=save, name=name: save() == "" or name == "automation removed", 20, 0.3)
        after = saves.files()
        assert "after" in after["automations.yaml"] and "during" not in json.dumps(
            {name: text for name, text in after.items() if name != "automations.yaml"})
        assert "gone_after" not in after["automations.yaml"] and "new_after" in after["automations.yaml"]
