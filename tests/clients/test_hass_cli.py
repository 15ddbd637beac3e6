# SPDX-License-Identifier: Apache-2.0
"""hass-cli: its commands, each with its exit code and what it prints. docs/clients.md names those that work at no hub."""

import json
import os
import re
import signal
import subprocess

import pytest

from hub_process import REPOSITORY, wait_until
from packages import install_python_packages

# Commands that fail with every hub of this kind, what they say, and why.
FAIL_EVERYWHERE = {
    "info": ("404 Client Error", "it asks for `/api/discovery_info`, which is gone"),
    "ha supervisor info": ("404 Client Error", "it asks for the supervisor of an operating system"),
    "raw get api/": ("InvalidURL", "it puts the path behind the port as it is; `raw get /api/` works"),
    "state history light.kitchen": ("bad escape", "its dateparser does not work with the regex that it allows"),
    "completion bash": ("No such command", "it needs an older click than it allows"),
}
# What is not run, and why.
NOT_RUN = {
    "discover": "it scans the network",
}


@pytest.fixture(scope="module")
def programs():
    return install_python_packages("hass_cli", ["homeassistant-cli"])


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices these tests switch."""
    return module_hubs()


@pytest.fixture
def environment(own):
    # BROWSER is what opens the map.
    return {"PATH": os.environ["PATH"], "HOME": str(own.folder), "LANG": "C.UTF-8", "HASS_SERVER": own.url,
            "HASS_TOKEN": own.tokens["admin"], "BROWSER": "/bin/true"}


@pytest.fixture
def cli(programs, environment):
    """Runs one command; gives back what it prints. It fails unless its exit code is as expected."""

    def run(*arguments, code=0):
        done = subprocess.run([programs / "hass-cli", *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout if code == 0 else done.stdout + done.stderr

    return run


def state(hub, entity_id):
    return hub.admin.get(f"/api/states/{entity_id}").json()


READ = {
    "state list": r"^ENTITY +DESCRIPTION +STATE +CHANGED\n(.*\n)*light\.kitchen +Kitchen light +o(n|ff) +\d{4}-",
    "state list ^cover": r"^ENTITY.*\n(cover\..*\n)+$",
    "state get light.kitchen": r"^ENTITY.*\nlight\.kitchen +Kitchen light +o(n|ff) +\d{4}-.*\n$",
    "state get light.nowhere": r"^$",
    "--no-headers --columns=ENTITY=entity_id state get light.kitchen": r"^light\.kitchen\n$",
    "--sort-by entity_id --columns=ENTITY=entity_id state list ^lock": (
        r"^ENTITY\nlock\.car\nlock\.front_door\nlock\.garden_shed\n$"),
    "service list ^light": r"^DOMAIN +SERVICE +DESCRIPTION\nlight +toggle .*\nlight +turn_off .*\nlight +turn_on .*\n$",
    "config full": r"^VERSION .*\n20\d\d\.\d+\.\d+ +.* Europe/Berlin +Test home +13\.4 +52\.5 +34 ",
    "config components": r"^COMPONENT\n(.*\n)*light\n",
    "config whitelist-dirs": r"^DIRECTORY\n",
    "config release": r"^VERSION\n20\d\d\.\d+\.\d+\n$",
    "area list Kitchen": r"^ID +NAME\nkitchen +Kitchen\n$",
    "device list ^Fridge": r"^ID +NAME +MODEL +MANUFACTURER +AREA\ndemo\.fridge +Fridge +F1 +Eisbär +Kitchen\n$",
    "entity list light.kitchen": r"^ENTITY_ID +NAME .*\nlight\.kitchen +None +demo\.\w+ +demo ",
    "raw get /api/": r"^message: API running\.\n",
    "raw ws zone/list": r"^id: 1\ntype: result\nsuccess: true\nresult: ",
    "raw ws nonsense": r"success: false\n(.*\n)*  +code: unknown_command\n",
    "system log": r" info +hub: ready at http://127\.0\.0\.1:",
    # The result of a subscription; what it is about comes in an event, which it does not wait for.
    "system health": r"^ *- *\n",
    "map": r"^Test home location is at 52\.5, 13\.4\n$",
}


@pytest.mark.parametrize("command", READ)
def test_it_reads(cli, command):
    printed = cli(*command.split())
    assert re.search(READ[command], printed), printed


@pytest.mark.parametrize("command, problem", [
    ("service call nonsense", "Service name not following"),
    ("service call light.explode", "404"),
    ("service call light.turn_on --arguments entity_id=light.kitchen,brightness=much", "400"),
    ("area delete Nowhere", "Could not find area with id or name: Nowhere"),
    ("device rename Nowhere Somewhere", "Could not find device"),
    ("entity assign Nowhere light.kitchen", "Could not find area"),
    ("raw get /api/nonsense", "404 Client Error"),
    ("--token wrong state list", "A valid access token is needed."),
])
def test_it_says_what_is_wrong(cli, command, problem):
    assert problem in cli(*command.split(), code=1)


def test_what_has_no_place_is_on_no_map(cli):
    assert "No exact location info found in Kitchen light" in cli("map", "light.kitchen", code=2)


@pytest.mark.parametrize("command", FAIL_EVERYWHERE)
def test_what_fails_everywhere_still_fails(cli, command):
    code = 2 if command.startswith("completion") else 1
    assert FAIL_EVERYWHERE[command][0] in cli(*command.split(), code=code)


def test_both_formats_are_the_states_themselves(cli, own):
    shown, = json.loads(cli("-o", "json", "state", "get", "light.kitchen"))
    assert shown == state(own, "light.kitchen")
    assert "entity_id: light.kitchen" in cli("-o", "yaml", "state", "get", "light.kitchen")


def test_states_are_edited_merged_and_deleted(cli, own, name):
    entity_id = f"test.{name}"
    assert "No existing state found" in cli("state", "edit", entity_id, "on", "--attributes", "a=b")
    assert state(own, entity_id)["attributes"] == {"a": "b"}
    assert "Existing state found" in cli("state", "edit", entity_id, "--merge", "--attributes", "c=d")
    assert (state(own, entity_id)["state"], state(own, entity_id)["attributes"]) == ("on", {"a": "b", "c": "d"})
    cli("state", "edit", entity_id, "--json", '{"state": "off"}')
    assert (state(own, entity_id)["state"], state(own, entity_id)["attributes"]) == ("off", {})
    assert cli("state", "delete", entity_id) == f"State for entity {entity_id} deleted.\n"
    assert cli("state", "delete", entity_id) == f"Entity {entity_id} not found.\n"
    assert own.admin.get(f"/api/states/{entity_id}").status_code == 404


def test_entities_are_switched(cli, own):
    cli("state", "turn_off", "light.kitchen", "light.desk")
    assert {state(own, light)["state"] for light in ("light.kitchen", "light.desk")} == {"off"}
    printed = cli("state", "turn_on", "light.kitchen", "light.desk")
    assert re.search(r"^light\.desk .* on ", printed, re.M) and re.search(r"^light\.kitchen .* on ", printed, re.M)
    assert re.search(r"^light\.kitchen .* off ", cli("state", "toggle", "light.kitchen"), re.M)


@pytest.mark.parametrize("service, brightness", [("light.turn_on", "120"), ("homeassistant.turn_on", "121")])
def test_services_are_called(cli, own, service, brightness):
    """All its values are texts."""
    printed = cli("service", "call", service, "--arguments", f"entity_id=light.kitchen,brightness={brightness}")
    assert "entity_id: light.kitchen" in printed
    assert state(own, "light.kitchen")["attributes"]["brightness"] == int(brightness)


def test_areas_come_and_go_with_what_is_in_them(cli, own):
    assert "success: true" in cli("area", "create", "Attic")
    assert "success: true" in cli("area", "rename", "Attic", "Loft")
    assert cli("area", "list", "Loft").splitlines()[1].split() == ["attic", "Loft"]
    assert cli("device", "assign", "Loft", "Fridge") == "Successfully assigned 'Loft' to 'Fridge'\n"
    assert "Successfully renamed 'Fridge'" in cli("device", "rename", "Fridge", "Big fridge")
    device, = json.loads(cli("-o", "json", "device", "list", "^Fridge"))
    assert (device["area_id"], device["name_by_user"]) == ("attic", "Big fridge")
    assert cli("entity", "assign", "Loft", "lock.front_door") == "Successfully assigned 'Loft' to 'lock.front_door'\n"
    assert cli("entity", "list", "^lock.front_door").splitlines()[1].split()[4] == "Loft"
    assert "result: success" in cli("area", "delete", "Loft")
    assert cli("area", "list", "Loft").splitlines() == ["ID    NAME"]


def test_entities_are_renamed(cli, own):
    assert "success: true" in cli("entity", "rename", "light.desk", "--name", "Lamp")
    assert state(own, "light.desk")["attributes"]["friendly_name"] == "Lamp"
    assert "success: true" in cli("entity", "rename", "light.desk", "light.table")
    assert own.admin.get("/api/states/light.desk").status_code == 404
    assert state(own, "light.table")["attributes"]["friendly_name"] == "Lamp"
    cli("entity", "rename", "light.table", "light.desk")


def test_events_are_fired(cli, own, name):
    with own.stream(f"?restrict={name}") as stream:
        assert f"message: Event {name} fired." in cli("event", "fire", name, "--json", '{"a": 1}')
        assert stream.next_event(5).event["data"] == {"a": 1}
        cli("raw", "post", f"/api/events/{name}", "--json", '{"b": 2}')
        assert stream.next_event(5).event["data"] == {"b": 2}


def test_events_are_watched(programs, environment, own, name):
    before = own.listener_counts().get(name, 0)
    watch = subprocess.Popen([programs / "hass-cli", "-o", "json", "event", "watch", name], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_until(lambda: own.listener_counts().get(name, 0) > before, 20)
        own.admin.post(f"/api/events/{name}", json={"a": [1]})
        seen = json.loads("".join(first_object(watch.stdout)))
        assert (seen["event_type"], seen["data"]) == (name, {"a": [1]})
    finally:
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=10)


def first_object(lines):
    """Its lines."""
    for line in lines:
        yield line
        if line.startswith("}"):
            return


def test_a_template_is_rendered_by_the_hub(cli, tmp_path):
    template, data = tmp_path / "of.jinja", tmp_path / "data.yaml"
    template.write_text("{{ states('sun.sun') in ['above_horizon', 'below_horizon', 'unknown'] }} {{ x * 2 }}", encoding="utf-8")
    data.write_text("x: 21\n", encoding="utf-8")
    assert cli("template", str(template), str(data)).strip() == "True 42"


def test_the_document_names_what_does_not_work():
    document = (REPOSITORY / "docs/clients.md").read_text(encoding="utf-8")
    for command, reason in {**{command: why for command, (_, why) in FAIL_EVERYWHERE.items()}, **NOT_RUN}.items():
        assert f"`{command}`" in document and reason in document, command
