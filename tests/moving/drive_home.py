# SPDX-License-Identifier: Apache-2.0
"""Lives in a home of Home Assistant by its own interface, and writes down what that hub answers. Runs in that version's environment and
a network of its own, see make_home.

    drive_home.py HASS FOLDER ANSWERS

Afterwards FOLDER is a home that was stopped, FOLDER.killed the same home that went on for a moment and was killed.
"""

import asyncio
import datetime
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

import aiohttp

import made_things
from old_hub import CLIENT, PATIENCE, Home, Socket, code_of, until

PASSWORD = "correct horse battery"
BROKER = {"broker": "127.0.0.1", "port": 1883, "username": "old-hub", "password": "password of the broker"}


def now():
    return datetime.datetime.now(datetime.timezone.utc)


async def people(home, ws, answers):
    """Users of each kind, their tokens and sessions."""
    made = {}
    for name, username, group, local in (("Bob", "bob", "system-users", False), ("Kid", "kid", "system-users", True),
                                         ("Guest", "guest", "system-read-only", False), ("Gone", "gone", "system-users", False),
                                         ("Nobody", None, "system-users", False), ("Careful", "careful", "system-admin", False)):
        user = (await ws.do("config/auth/create", name=name, group_ids=[group], local_only=local))["user"]
        made[name] = user["id"]
        if username:
            await ws.do("config/auth_provider/homeassistant/create", user_id=user["id"], username=username,
                        password=f"{PASSWORD} {username}")
    answers["sessions"] = {"ann": answers.pop("ann_session")}
    answers["tokens"] = {}
    for username in ("bob", "guest", "careful"):
        session = await home.login(username, f"{PASSWORD} {username}")
        answers["sessions"][username] = session["refresh_token"]
        async with Socket(home, session["access_token"]) as own:
            answers["tokens"][username] = await own.do("auth/long_lived_access_token", client_name=f"Panel of {username}",
                                                       lifespan=3650, client_icon="mdi:tablet")
            if username == "careful":
                step = await own.do("auth/setup_mfa", mfa_module_id="totp")
                answers["second_factor"] = {"careful": step["description_placeholders"]["code"]}
                done = await own.do("auth/setup_mfa", flow_id=step["flow_id"],
                                    user_input={"code": code_of(answers["second_factor"]["careful"])})
                if done["type"] != "create_entry":
                    raise SystemExit(f"no second factor: {done}")
            if username == "bob":
                await own.do("frontend/set_user_data", key="core", value={"showAdvanced": True, "words": ["ä", "€"]})
    await ws.do("config/auth/update", user_id=made["Gone"], is_active=False)
    answers["tokens"]["ann"] = await ws.do("auth/long_lived_access_token", client_name="Wall panel", lifespan=3650)
    answers["passwords"] = {name: f"{PASSWORD} {name}" for name in ("bob", "kid", "guest", "gone", "careful")} | {"ann": PASSWORD}
    return made


async def do_newest(ws, kind, extra, **fields):
    """The result of a command with `extra` fields, which old versions do not have."""
    made = await ws.may(kind, **fields, **extra)
    return made if made is not None else await ws.do(kind, **fields)


async def rooms(ws):
    """Floors, labels, areas; a category where there are such."""
    floors, labels, areas = {}, {}, {}
    for name, level in (("Ground floor", 0), ("Attic", 2)):
        fields = {"name": name, "level": level, "icon": "mdi:stairs"}
        made = await do_newest(ws, "config/floor_registry/create", {"aliases": ["storey of " + name]}, **fields)
        floors[name] = made["floor_id"]
    for name, colours in (("Heating", ("red", "#ff0000")), ("To do", (None,))):
        for colour in colours:  # by name, or in old versions as digits
            made = await ws.may("config/label_registry/create", name=name, color=colour, icon="mdi:label", description="Of " + name)
            if made:
                labels[name] = made["label_id"]
                break
    there = {each["name"].lower(): each["area_id"] for each in await ws.do("config/area_registry/list")}  # it makes some by itself
    for name, floor in (("Kitchen", "Ground floor"), ("Living room", "Ground floor"), ("Büro", "Attic"), ("Shed", None)):
        extra = {"floor_id": floors[floor]} if floor else {}
        if name == "Kitchen":
            extra["labels"] = [labels["Heating"]]
        kind, which = ("update", {"area_id": there[name.lower()]}) if name.lower() in there else ("create", {})
        made = await do_newest(ws, f"config/area_registry/{kind}", extra, name=name, aliases=["room " + name], icon="mdi:sofa", **which)
        areas[name] = made["area_id"]
    category = await ws.may("config/category_registry/create", scope="automation", name="Light", icon="mdi:lightbulb")
    return areas, labels, category["category_id"] if category else None


async def devices(home, ws):
    """What comes by MQTT, with its first states; the answer of the flow."""
    done = await home.flow("mqtt", [BROKER])

    async def publish(topic, payload):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        await ws.call("mqtt", "publish", {"topic": topic, "retain": True, "payload": text})

    for domain, description in made_things.BOX_ENTITIES.items():
        await publish(f"homeassistant/{domain}/made/config", description | {"device": made_things.BOX})
    await publish("homeassistant/device_automation/made/config", made_things.BOX_TRIGGER | {"device": made_things.BOX})
    await publish("homeassistant/sensor/cellar/config", made_things.CELLAR)
    await publish("homeassistant/light/lamp/config", made_things.LAMP)
    for topic, payload in (("light", '{"state":"ON","brightness":128}'), ("switch", "OFF"), ("meter", "1234.5"), ("door", "ON"),
                           ("cellar", "11.5"), ("lamp", "ON")):
        await publish(f"made/{topic}", payload)

    async def arrived():
        return [await home.state(each) for each in ("light.made", "switch.made", "sensor.meter", "binary_sensor.door", "sensor.cellar",
                                                    "light.old_lamp")] == ["on", "off", "1234.5", "on", "11.5", "on"]

    await until("the devices of MQTT are there", arrived)
    await publish("homeassistant/light/lamp/config", "")
    await publish("made/lamp", "")

    async def gone():
        return await home.state("light.old_lamp") is None

    await until("the old lamp is gone", gone)
    return done


async def phone(home):
    """A phone's app; None where the integration cannot run."""
    try:
        made = await home.rest("POST", "/api/mobile_app/registrations", made_things.PHONE, expect=201)
    except SystemExit as refused:
        return str(refused)
    await home.rest("POST", f"/api/webhook/{made['webhook_id']}", {"type": "register_sensor", "data": made_things.PHONE_SENSOR}, expect=201)
    await home.rest("POST", f"/api/webhook/{made['webhook_id']}",
                    {"type": "update_location", "data": {"gps": [52.52, 13.41], "gps_accuracy": 20, "battery": 71}})
    return "made"


async def changes(home, ws):
    """Some past: each helper changes, an automation and a script run."""
    for number in range(12):
        await ws.call("input_number", "set_value", {"value": 15 + number / 2}, {"entity_id": "input_number.target"})
        await ws.call("input_boolean", "toggle", {}, {"entity_id": "input_boolean.guests"})
        await ws.call("mqtt", "publish", {"topic": "made/meter", "payload": str(1235 + number), "retain": True})
        await ws.call("mqtt", "publish", {"topic": "made/cellar", "payload": str(11.5 + number / 4), "retain": True})
        await ws.call("mqtt", "publish", {"topic": "made/door", "payload": "OFF" if number % 3 else "ON", "retain": True})
        await asyncio.sleep(0.7)  # so that the times differ
    await ws.call("script", "count_twice", {"by": 3})
    await ws.call("automation", "trigger", {}, {"entity_id": "automation.from_a_blueprint"})
    await ws.call("automation", "turn_off", {}, {"entity_id": "automation.light_at_dusk"})
    await ws.call("scene", "turn_on", {}, {"entity_id": "scene.evening"})
    await ws.call("timer", "start", {}, {"entity_id": "timer.long"})
    await ws.call("input_button", "press", {}, {"entity_id": "input_button.press_me"})
    await ws.call("input_number", "set_value", {"value": 7.5}, {"entity_id": "input_number.volume"})
    await ws.call("input_text", "set_value", {"value": "ä long text, with \"quotes\" and 😀"}, {"entity_id": "input_text.message"})
    await ws.call("input_select", "select_option", {"option": "zwölf"}, {"entity_id": "input_select.programme"})
    await ws.call("input_datetime", "set_datetime", {"datetime": "2031-02-03 04:05:06"}, {"entity_id": "input_datetime.trip"})
    await ws.call("input_datetime", "set_datetime", {"time": "06:45:00"}, {"entity_id": "input_datetime.wake"})
    await ws.call("todo", "add_item", {"item": "Sweep", "due_date": "2031-01-02", "description": "The yard, too"}, {"entity_id": "todo.chores"})
    await ws.call("todo", "add_item", {"item": "Done already"}, {"entity_id": "todo.chores"})
    await ws.call("todo", "update_item", {"item": "Done already", "status": "completed"}, {"entity_id": "todo.chores"})
    await ws.call("shopping_list", "add_item", {"name": "Milk"})
    await ws.do("calendar/event/create", entity_id="calendar.family", event={
        "summary": "Bins", "dtstart": "2031-01-07", "dtend": "2031-01-08", "rrule": "FREQ=WEEKLY;BYDAY=TU"})
    await ws.do("calendar/event/create", entity_id="calendar.family", event={
        "summary": "Doctor", "dtstart": "2031-01-09T10:00:00+01:00", "dtend": "2031-01-09T10:30:00+01:00", "location": "Upstairs"})
    await ws.do("fire_event", event_type="made_event", event_data={"text": "seen"})
    await home.rest("POST", "/api/states/sensor.by_rest", {"state": "7", "attributes": {"unit_of_measurement": "m"}}, expect=(200, 201))
    await home.rest("POST", "/api/states/sensor.by_rest", {"state": "8", "attributes": {"unit_of_measurement": "m"}})


async def statistics(ws, answers):
    """Two months of hours: of two entities, and of something outside."""
    hour = now().replace(minute=0, second=0, microsecond=0)
    hours = [(number, (hour - datetime.timedelta(hours=number)).isoformat()) for number in range(24 * 60, 0, -1)]

    async def bring(statistic_id, source, name, unit, unit_class, steps):
        metadata = {"has_mean": "mean" in steps[0], "has_sum": "sum" in steps[0], "name": name, "source": source,
                    "statistic_id": statistic_id, "unit_of_measurement": unit}
        if answers["version"] >= "2025.10":
            metadata |= {"unit_class": unit_class, "mean_type": int("mean" in steps[0])}
        await ws.do("recorder/import_statistics", metadata=metadata, stats=steps)

    await bring("made:energy", "made", "From outside", "kWh", "energy",
                [{"start": start, "state": 5000.25 - number, "sum": 3000.5 - number} for number, start in hours])
    await bring("sensor.meter", "recorder", None, "kWh", "energy",
                [{"start": start, "state": 1234.5 - number / 10, "sum": 200.0 - number / 10} for number, start in hours])
    await bring("sensor.cellar", "recorder", None, "°C", "temperature",
                [{"start": start, "mean": 11 + number % 24 / 10, "min": 10.5, "max": 14 + number % 7 / 3} for number, start in hours])


async def registry_edits(ws, areas, labels, category):
    """What a person sets on devices and entities."""
    async def entity(entity_id, extra=None, **fields):
        await do_newest(ws, "config/entity_registry/update", extra or {}, entity_id=entity_id, **fields)

    found = await ws.do("config/device_registry/list")
    device = next(each for each in found if ["mqtt", "made_0x01"] in each["identifiers"])
    await do_newest(ws, "config/device_registry/update", {"labels": [labels["To do"]]}, device_id=device["id"], area_id=areas["Kitchen"],
                    name_by_user="Box")
    await entity("switch.made", {"labels": [labels["Heating"]]}, new_entity_id="switch.kettle", name="Kettle", icon="mdi:kettle",
                 area_id=areas["Shed"], aliases=["boiler"])
    await entity("binary_sensor.door", hidden_by="user", device_class="window")
    await entity("sensor.meter", options_domain="sensor", options={"display_precision": 1})
    await entity("sensor.cellar", options_domain="sensor", options={"unit_of_measurement": "°F"})
    await entity("input_boolean.holiday", area_id=areas["Büro"])
    if category:
        await entity("automation.light_at_dusk", categories={"automation": category})
    await entity("sensor.dice", disabled_by="user")


async def dashboards(ws):
    """The first dashboard, another one, what they load, and energy."""
    await ws.do("lovelace/config/save", config=made_things.DASHBOARD)
    await ws.do("lovelace/dashboards/create", url_path="the-attic", title="The attic", mode="storage", icon="mdi:home-roof",
                show_in_sidebar=True, require_admin=False)
    await ws.do("lovelace/config/save", url_path="the-attic", config=made_things.ATTIC)
    await ws.do("lovelace/resources/create", res_type="module", url="/local/made.js")
    await ws.do("lovelace/resources/create", res_type="module", url="/hacsfiles/made/made.js")
    fields = {"device_consumption": [{"stat_consumption": "sensor.energy_day"}]}
    saved = await ws.may("energy/save_prefs", energy_sources=made_things.energy_sources(True), **fields)
    if saved is None:
        await ws.do("energy/save_prefs", energy_sources=made_things.energy_sources(False), **fields)


async def history_of(home, answers, entity_ids):
    """Its own answer for the whole past, by entity: every change, of attributes, too."""
    end = now().isoformat().replace("+00:00", "Z")
    found = await home.rest("GET", f"/api/history/period/{answers['began']}?end_time={end}&significant_changes_only=0"
                                   f"&filter_entity_id={','.join(entity_ids)}")
    return {each[0]["entity_id"]: each for each in found}


async def recorded(home, answers, wanted):
    """The history of these entities when it ends with these states."""
    async def is_there():
        found = await history_of(home, answers, list(wanted))
        return found if all(found.get(each, [{}])[-1].get("state") == state for each, state in wanted.items()) else None

    return await until(f"{wanted} is recorded", is_there)


async def answers_of(home, ws, answers):
    """What the hub says of all that can move."""
    for kind, plural in (("area", "areas"), ("device", "devices"), ("entity", "entities"), ("floor", "floors"), ("label", "labels")):
        answers[plural] = await ws.may(f"config/{kind}_registry/list") or []
    answers["categories"] = await ws.may("config/category_registry/list", scope="automation") or []
    answers["registered"] = await ws.do("config/entity_registry/get_entries", entity_ids=[each["entity_id"] for each in answers["entities"]])
    answers["items"] = {kind: await ws.do(f"{kind}/list") for kind in [*made_things.HELPERS, "person"]}
    answers["entries"] = await home.rest("GET", "/api/config/config_entries/entry")
    answers["users"] = await ws.do("config/auth/list")
    answers["listed_tokens"] = {}
    for username, token in answers["tokens"].items():
        async with Socket(home, token) as own:
            answers["listed_tokens"][username] = await own.do("auth/refresh_tokens")
            if username == "bob":
                answers["user_data"] = {"bob": await own.do("frontend/get_user_data", key="core")}
    answers["config"] = {key: value for key, value in (await home.rest("GET", "/api/config")).items()
                         if not key.endswith("_dir") and not key.endswith("_dirs")}  # paths of the machine on which it ran
    answers["energy"] = await ws.do("energy/get_prefs")
    answers["dashboards"] = await ws.do("lovelace/dashboards/list")
    answers["dashboard_configs"] = {"": await ws.do("lovelace/config", url_path=None),
                                    "the-attic": await ws.do("lovelace/config", url_path="the-attic")}
    answers["resources"] = await ws.do("lovelace/resources")
    answers["todo"] = await ws.do("todo/item/list", entity_id="todo.chores")
    answers["shopping_list"] = await ws.may("shopping_list/items")
    answers["calendar"] = await home.rest("GET", "/api/calendars/calendar.family?start=2031-01-01T00:00:00Z&end=2031-03-01T00:00:00Z")
    answers["states"] = await home.rest("GET", "/api/states")
    known = {each["entity_id"] for each in answers["states"]} | {each["entity_id"] for each in answers["entities"]} | {"light.old_lamp"}
    answers["history"] = await history_of(home, answers, sorted(known))
    answers["statistic_ids"] = await ws.do("recorder/list_statistic_ids")
    ids = [each["statistic_id"] for each in answers["statistic_ids"]]
    fields = {"statistic_ids": ids, "start_time": (now() - datetime.timedelta(days=90)).isoformat(), "end_time": now().isoformat()}
    answers["statistics"] = {period: await ws.do("recorder/statistics_during_period", period=period, **fields)
                             for period in ("5minute", "hour", "day", "month")}
    answers["asked"] = now().isoformat()


async def first_run(home, answers):
    code = await home.rest("POST", "/api/onboarding/users",
                           {"client_id": CLIENT, "name": "Ann", "username": "ann", "password": PASSWORD, "language": "en"})
    first = await home.token_of(code["auth_code"])
    answers["ann_session"] = first["refresh_token"]
    home.token = first["access_token"]
    for step in ("core_config", "analytics"):
        await home.rest("POST", f"/api/onboarding/{step}", {})
    await home.rest("POST", "/api/onboarding/integration", {"client_id": CLIENT, "redirect_uri": CLIENT})
    await home.ready()
    answers["version"] = (await home.rest("GET", "/api/config"))["version"]
    async with Socket(home, home.token) as ws:
        await ws.do("config/core/update", latitude=52.5, longitude=13.4, elevation=34, time_zone="Europe/Berlin", unit_system="metric",
                    currency="EUR", country="DE", language="de", location_name="The old home")
        made = await people(home, ws, answers)
        areas, labels, category = await rooms(ws)
        for kind, items in made_things.HELPERS.items():
            for item in items:
                await ws.do(f"{kind}/create", **item)
        await ws.do("person/create", name="Bob", user_id=made["Bob"], device_trackers=[])
        answers["flows"] = {"mqtt": await devices(home, ws), "phone": await phone(home)}
        for number, (handler, inputs) in enumerate(made_things.FLOWS):
            answers["flows"][f"{number} {handler}"] = await home.flow(handler, inputs)
        print(json.dumps(answers["flows"], indent=1), flush=True)

        async def helpers_are_there():
            return all([await home.state(each) not in (None, "unavailable", "unknown") for each in ("sensor.warmest", "sensor.twice", "todo.chores")])

        await until("the helpers of entries are there", helpers_are_there)
        await changes(home, ws)
        await statistics(ws, answers)
        await dashboards(ws)
        await registry_edits(ws, areas, labels, category)

        async def computed():
            fields = {"start_time": (now() - datetime.timedelta(hours=1)).isoformat(), "statistic_ids": ["sensor.meter"], "period": "5minute"}
            return (await ws.do("recorder/statistics_during_period", **fields)).get("sensor.meter")

        await until("its recorder has computed statistics of five minutes", computed)


async def second_run(home, answers):
    """So that there are restored states, and a run without all that made it."""
    async with Socket(home, home.token) as ws:
        await ws.call("input_number", "set_value", {"value": 8}, {"entity_id": "input_number.volume"})
        await ws.call("mqtt", "publish", {"topic": "made/meter", "payload": "1250", "retain": True})
        await recorded(home, answers, {"input_number.volume": "8.0", "sensor.meter": "1250"})
        await answers_of(home, ws, answers)


async def killed_run(home, answers):
    """Something is only in the write-ahead log."""
    async with Socket(home, home.token) as ws:
        await ws.call("input_number", "set_value", {"value": 9.5}, {"entity_id": "input_number.volume"})
        answers["killed"] = {"history": await recorded(home, answers, {"input_number.volume": "9.5"})}


def start_broker(folder):
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {BROKER['port']} 127.0.0.1\nallow_anonymous true\n", encoding="utf-8")
    command = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    return subprocess.Popen([command, "-c", str(settings)], start_new_session=True)


async def main():
    hass, folder, written = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    killed = folder.with_name(folder.name + ".killed")
    shutil.rmtree(killed, ignore_errors=True)
    answers = {"began": now().isoformat().replace("+00:00", "Z")}
    broker = start_broker(folder.parent)
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE)) as session:
            for run, place, signal_number in ((first_run, folder, signal.SIGTERM), (second_run, folder, signal.SIGTERM),
                                              (killed_run, killed, signal.SIGKILL)):
                if place == killed:
                    shutil.copytree(folder, killed)
                home = Home(hass, place, session, answers.get("tokens", {}).get("ann"))
                try:
                    await home.ready()
                    print(f"{run.__name__}: ready", flush=True)
                    await run(home, answers)
                finally:
                    await home.end(signal_number)
    finally:
        broker.terminate()
        broker.wait()
    written.write_text(json.dumps(answers, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", BROKER["port"])) == 0:
            raise SystemExit(f"port {BROKER['port']} is in use: it wants a network of its own")
    asyncio.run(main())
