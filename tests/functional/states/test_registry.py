# SPDX-License-Identifier: Apache-2.0
"""Areas, floors, devices and entities over the WebSocket API, and how the states follow."""

import signal

import pytest

from checks import assert_json, assert_message, call, state_of
from test_rights import add_with_rights
from websocket_client import WebSocketClient

DEVICE_KEYS = {"id", "name", "name_by_user", "area_id", "config_entry_id", "config_entries", "primary_config_entry",
               "connections", "identifiers", "manufacturer", "model", "model_id", "sw_version", "hw_version",
               "serial_number", "via_device_id", "entry_type", "configuration_url", "disabled_by", "labels",
               "created_at", "modified_at", "config_entries_subentries"}
ENTITY_KEYS = {"area_id", "categories", "config_entry_id", "config_subentry_id", "created_at", "modified_at",
               "device_id", "disabled_by", "entity_category", "entity_id", "has_entity_name", "hidden_by", "icon",
               "id", "labels", "name", "options", "original_name", "platform", "translation_key", "unique_id"}


@pytest.fixture
def home(hub_factory):
    """A hub of the test's own."""
    return hub_factory()


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


def by(key, entries):
    return {entry[key]: entry for entry in entries}


def listen(client, kind):
    client.result("subscribe_events", event_type=f"{kind}_registry_updated")
    return client.last_id


@pytest.mark.contract("WebSocket: registry")
def test_demo_home_has_three_floors(admin):
    floors = by("floor_id", admin.result("config/floor_registry/list"))
    assert {floor["name"]: floor["level"] for floor in floors.values()} == {
        "Ground floor": 0, "First floor": 1, "Second floor": 2}
    areas = admin.result("config/area_registry/list")
    assert [area["name"] for area in areas] == [
        "Living room", "Kitchen", "Hall", "Garden", "Garage", "Bedroom", "Bathroom", "Office", "Guest room"]
    assert {area["floor_id"] for area in areas} == set(floors)
    devices = by("id", admin.result("config/device_registry/list"))
    assert all(set(device) == DEVICE_KEYS and device["manufacturer"] and device["model"]
               for device in devices.values())
    [demo] = [entry["entry_id"] for entry in admin.result("config_entries/get", domain="demo")]
    assert all((device["config_entry_id"], device["config_entries"], device["config_entries_subentries"]) ==
               (demo, [demo], {demo: [None]}) for device in devices.values())
    entities = admin.result("config/entity_registry/list", registered_only=True)
    assert len(entities) >= 80 and all(set(entity) == ENTITY_KEYS for entity in entities)
    for entity in entities:
        if entity["platform"] != "demo":
            assert entity["config_entry_id"] is None
            continue
        assert entity["config_entry_id"] == demo
        assert devices[entity["device_id"]]["area_id"] in by("area_id", areas)
    shown = admin.result("config/entity_registry/list_for_display")
    assert shown["entity_categories"] == {"0": "config", "1": "diagnostic"}
    assert by("ei", shown["entities"])["light.kitchen"] == {
        "ei": "light.kitchen", "pl": "demo", "lb": [], "di": "demo.kitchen_light", "en": "Kitchen light"}
    sources = admin.result("entity/source")
    assert sources["light.kitchen"] == {"domain": "demo"} and len(sources) == len(entities)


@pytest.mark.contract("WebSocket: registry")
def test_areas_and_floors_are_created_changed_ordered_and_deleted(admin):
    areas, floors = listen(admin, "area"), listen(admin, "floor")
    attic = admin.result("config/floor_registry/create", name="Attic", level=2, aliases=["roof"])
    assert (attic["floor_id"], attic["level"], attic["aliases"]) == ("attic", 2, ["roof"])
    assert admin.event(floors)["data"] == {"action": "create", "floor_id": "attic"}
    study = admin.result("config/area_registry/create", name="Study", floor_id="attic", labels=["quiet"])
    event = admin.event(areas)
    assert event["data"] == {"action": "create", "area_id": "study"} and event["context"]["user_id"]
    changed = admin.result("config/area_registry/update", area_id="study", name="Library", icon="mdi:book")
    assert changed == study | {"name": "Library", "icon": "mdi:book", "modified_at": changed["modified_at"]}
    assert admin.event(areas)["data"] == {"action": "update", "area_id": "study"}
    order = ["study"] + [area["area_id"] for area in admin.result("config/area_registry/list")[:-1]]
    assert admin.result("config/area_registry/reorder", area_ids=order) == "success"
    assert [area["area_id"] for area in admin.result("config/area_registry/list")] == order
    assert admin.event(areas)["data"] == {"action": "reorder", "area_id": None}
    assert admin.result("config/floor_registry/update", floor_id="attic", level=None)["level"] is None
    assert admin.event(floors)["data"]["action"] == "update"
    assert admin.result("config/floor_registry/delete", floor_id="attic") == "success"
    assert by("area_id", admin.result("config/area_registry/list"))["study"]["floor_id"] is None
    assert admin.event(areas)["data"]["action"] == "update"
    assert admin.event(floors)["data"] == {"action": "remove", "floor_id": "attic"}
    assert admin.result("config/area_registry/delete", area_id="study") == "success"
    assert admin.event(areas)["data"] == {"action": "remove", "area_id": "study"}


@pytest.mark.contract("WebSocket: registry")
def test_floors_are_in_the_order_that_people_give_them(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        floors = listen(client, "floor")
        attic = client.result("config/floor_registry/create", name="Attic", level=3, icon="mdi:home-roof", aliases=["top"])
        assert (attic["level"], attic["icon"], attic["aliases"]) == (3, "mdi:home-roof", ["top"]) and "position" not in attic
        client.event(floors)
        order = [floor["floor_id"] for floor in client.result("config/floor_registry/list")]
        assert order[-1] == "attic"
        order = order[::-1]
        assert client.result("config/floor_registry/reorder", floor_ids=order) == "success"
        assert client.event(floors)["data"] == {"action": "reorder", "floor_id": None}
        assert client.error("config/floor_registry/reorder", floor_ids=order[1:]) == (
            "invalid_info", "floor_ids: expected the id of each floor once")
    hub.stop()
    hub = hub_factory(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert [floor["floor_id"] for floor in client.result("config/floor_registry/list")] == order


@pytest.mark.contract("WebSocket: registry")
def test_an_empty_text_is_no_floor_icon_or_picture(admin):
    """Clients send it for null."""
    nothing = {"floor_id": "", "icon": "", "picture": ""}
    loft = admin.result("config/area_registry/create", name="Loft", **nothing)
    assert (loft["floor_id"], loft["icon"], loft["picture"]) == (None, None, None)
    admin.result("config/area_registry/update", area_id="loft", floor_id="ground_floor", icon="mdi:stairs")
    loft = admin.result("config/area_registry/update", area_id="loft", **nothing)
    assert (loft["floor_id"], loft["icon"], loft["picture"]) == (None, None, None)
    assert admin.result("config/area_registry/delete", area_id="loft") == "success"


@pytest.mark.contract("WebSocket: registry")
def test_renamed_entity_and_its_area_apply_at_once(home, admin):
    entities = listen(admin, "entity")
    entry = admin.result("config/entity_registry/update", entity_id="light.kitchen", name="Stove", icon="mdi:stove",
                         area_id="hall", new_entity_id="light.stove")["entity_entry"]
    assert (entry["entity_id"], entry["name"], entry["original_name"]) == ("light.stove", "Stove", "Kitchen light")
    assert admin.event(entities)["data"] == {
        "action": "update", "entity_id": "light.stove", "old_entity_id": "light.kitchen",
        "changes": {"entity_id": "light.kitchen", "name": None, "icon": None, "area_id": None}}
    changed = call(home, "light.toggle", {"area_id": "hall"})
    assert {state["entity_id"] for state in changed} == {"light.stove", "light.hall"}
    attributes = state_of(home, "light.stove")["attributes"]
    assert (attributes["friendly_name"], attributes["icon"]) == ("Stove", "mdi:stove")
    assert_message(home.ann.get("/api/states/light.kitchen"), 404)
    assert admin.result("config/entity_registry/get", entity_id="light.stove") == entry
    device = admin.result("config/device_registry/update", device_id="demo.hall_light", area_id="kitchen",
                          name_by_user="Lamp", labels=["old"])
    assert (device["area_id"], device["name_by_user"], device["labels"]) == ("kitchen", "Lamp", ["old"])
    changed = call(home, "light.turn_on", {"area_id": "kitchen"})
    assert {state["entity_id"] for state in changed} == {"light.hall"}


def test_many_devices_change_at_once_and_what_cannot_is_named(home, admin):
    outcome = admin.result("hearth/devices/update", devices=[
        {"device_id": "demo.hall_light", "area_id": "kitchen", "name_by_user": "<b>Lamp</b> 💡 ‏מנורה"},
        {"device_id": "none", "area_id": "kitchen"},
        {"device_id": "demo.kitchen_light", "area_id": "none"},
        {"device_id": "demo.bedroom_light", "name_by_user": "x" * 256},
        {"device_id": "demo.living_room_light", "area_id": None, "hidden": True}])
    assert outcome["updated"] == 2
    assert [(row["device_id"], row["code"]) for row in outcome["failed"]] == [
        ("none", "not_found"), ("demo.kitchen_light", "invalid_info"), ("demo.bedroom_light", "invalid_info")]
    devices = {device["id"]: device for device in admin.result("config/device_registry/list")}
    assert devices["demo.hall_light"]["area_id"] == "kitchen"
    assert devices["demo.hall_light"]["name_by_user"] == "<b>Lamp</b> 💡 ‏מנורה"
    assert devices["demo.kitchen_light"]["area_id"] == "kitchen" and devices["demo.living_room_light"]["area_id"] is None
    hidden = lambda: admin.result("config/entity_registry/get", entity_id="light.living_room")["hidden_by"]
    assert hidden() == "user"
    admin.result("hearth/devices/update", devices=[{"device_id": "demo.living_room_light", "hidden": False}])
    assert hidden() is None


@pytest.mark.parametrize("fields", [
    {}, {"devices": {}}, {"devices": [7]}, {"devices": [{}]}, {"devices": [{"device_id": 7}]}, {"devices": [], "extra": 1},
    {"devices": [{"device_id": "demo.hall_light", "hidden": "yes"}]},
    {"devices": [{"device_id": "demo.hall_light", "area_id": "kitchen"}, {"device_id": "demo.hall_light", "labels": []}]},
    {"devices": [{"device_id": "none"}] * 1_001}])
def test_a_change_of_many_devices_that_is_wrong_changes_none(home, admin, fields):
    before = admin.result("config/device_registry/list")
    code, message = admin.error("hearth/devices/update", **fields)
    assert code == "invalid_format" and ("devices" in message or "extra" in message)
    assert admin.result("config/device_registry/list") == before


@pytest.mark.parametrize("user", ["ann", "display"])
def test_only_administrators_change_many_devices(home, admin, user):
    before = admin.result("config/device_registry/list")
    with WebSocketClient(home, home.tokens[user]) as client:
        change = {"device_id": "demo.hall_light", "area_id": "kitchen"}
        assert client.error("hearth/devices/update", devices=[change])[0] == "unauthorized"
    assert admin.result("config/device_registry/list") == before


@pytest.mark.contract("WebSocket: registry")
def test_disabled_entity_has_no_state(home, admin):
    update = "config/entity_registry/update"
    admin.result(update, entity_id="light.hall", disabled_by="user")
    call(home, "light.turn_off", {"entity_id": "light.kitchen"})  # after the change
    assert_message(home.ann.get("/api/states/light.hall"), 404)
    assert "light.hall" not in admin.result("entity/source")
    admin.result(update, entity_id="light.hall", disabled_by=None)
    call(home, "light.turn_off", {"entity_id": "light.hall"})
    assert state_of(home, "light.hall")["state"] == "off"
    admin.result("config/device_registry/update", device_id="demo.hall_light", disabled_by="user")
    assert admin.result("config/entity_registry/get", entity_id="light.hall")["disabled_by"] == "device"


@pytest.mark.contract("WebSocket: registry")
def test_the_users_changes_survive_a_restart(hub_factory):
    folder = hub_factory.folder()
    lists = [f"config/{kind}_registry/list" for kind in ("area", "floor", "device", "entity")]

    def everything(client):
        return [client.result(kind, **({"registered_only": True} if "entity" in kind else {})) for kind in lists]

    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("config/area_registry/update", area_id="kitchen", name="Küche")
        client.result("config/area_registry/delete", area_id="bathroom")
        client.result("config/device_registry/update", device_id="demo.hall_light", area_id="kitchen")
        client.result("config/entity_registry/update", entity_id="light.bedroom", new_entity_id="light.mine", name="M")
        client.result("config/entity_registry/update", entity_id="fan.bedroom", disabled_by="user")
        call(hub, "light.turn_on", {"entity_id": "light.mine", "brightness": 77})
        before = everything(client)
        state = state_of(hub, "light.mine")
    hub.stop(signal.SIGTERM)
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert everything(client) == before
    assert state_of(hub, "light.mine") == state
    assert_message(hub.ann.get("/api/states/fan.bedroom"), 404)
    assert_message(hub.ann.get("/api/states/light.bedroom"), 404)


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize("kind, fields, code", [
    ("config/area_registry/create", {"name": "kitchen"}, "invalid_info"),
    ("config/area_registry/create", {"name": " "}, "invalid_info"),
    ("config/area_registry/create", {}, "invalid_format"),
    ("config/area_registry/create", {"name": "Cellar", "floor_id": "cellar"}, "invalid_info"),
    ("config/area_registry/update", {"area_id": "none"}, "invalid_info"),
    ("config/area_registry/update", {"area_id": "hall", "labels": [1]}, "invalid_format"),
    ("config/area_registry/delete", {"area_id": "none"}, "invalid_info"),
    ("config/area_registry/reorder", {"area_ids": ["hall"]}, "invalid_info"),
    ("config/floor_registry/create", {"name": "ground floor"}, "invalid_info"),
    ("config/floor_registry/update", {"floor_id": "none"}, "invalid_info"),
    ("config/floor_registry/update", {"floor_id": "ground_floor", "level": 1.5}, "invalid_format"),
    ("config/floor_registry/delete", {"floor_id": "none"}, "invalid_info"),
    ("config/device_registry/update", {"device_id": "none"}, "not_found"),
    ("config/device_registry/update", {"device_id": "demo.hall_light", "area_id": "none"}, "invalid_info"),
    ("config/device_registry/update", {"device_id": "demo.hall_light", "disabled_by": "me"}, "invalid_format"),
    ("config/entity_registry/get", {"entity_id": "light.none"}, "not_found"),
    ("config/entity_registry/update", {"entity_id": "light.none"}, "not_found"),
    ("config/entity_registry/update", {"entity_id": "light.hall", "new_entity_id": "light.kitchen"}, "invalid_info"),
    ("config/entity_registry/update", {"entity_id": "light.hall", "new_entity_id": "fan.hall"}, "invalid_info"),
    ("config/entity_registry/update", {"entity_id": "light.hall", "new_entity_id": "light hall"}, "invalid_info"),
    ("config/entity_registry/update", {"entity_id": "light.hall", "colour": "red"}, "invalid_format"),
    ("config/entity_registry/remove", {"entity_id": "light.hall"}, "invalid_info"),
    ("config/entity_registry/remove", {"entity_id": "light.none"}, "not_found"),
])
def test_wrong_changes_change_nothing(hub, kind, fields, code):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        before = client.result("config/entity_registry/list", registered_only=True)
        assert client.error(kind, **fields)[0] == code
        assert client.result("config/entity_registry/list", registered_only=True) == before


LABEL_KEYS = {"label_id", "name", "color", "description", "icon", "created_at", "modified_at"}


@pytest.mark.contract("WebSocket: registry")
def test_a_label_is_made_changed_and_taken_off_everything(admin):
    admin.result("subscribe_events", event_type="label_registry_updated")
    label = admin.result("config/label_registry/create", name="Night lights", color="light-blue", icon="mdi:lamp",
                         description="All that shines at night")
    assert set(label) == LABEL_KEYS
    assert (label["label_id"], label["color"]) == ("night_lights", "light-blue")
    assert admin.event(1)["data"] == {"action": "create", "label_id": "night_lights"}
    assert admin.result("config/label_registry/list") == [label]
    changed = admin.result("config/label_registry/update", label_id="night_lights", name="Nightlights", icon=None)
    assert (changed["name"], changed["icon"], changed["description"]) == ("Nightlights", None, label["description"])
    assert admin.event(1)["data"]["action"] == "update"
    device = admin.result("config/device_registry/list")[0]["id"]
    admin.result("config/area_registry/update", area_id="kitchen", labels=["night_lights"])
    admin.result("config/entity_registry/update", entity_id="light.kitchen", labels=["night_lights", "warm"])
    admin.result("config/device_registry/update", device_id=device, labels=["night_lights"])
    # One that nobody made is made by its use.
    assert [entry["label_id"] for entry in admin.result("config/label_registry/list")] == ["night_lights", "warm"]
    assert admin.result("config/label_registry/delete", label_id="night_lights") == "success"
    carriers = (admin.result("config/area_registry/list") + admin.result("config/device_registry/list")
                + admin.result("config/entity_registry/list"))
    assert sorted(label for carrier in carriers for label in carrier["labels"]) == ["warm"]
    assert [entry["name"] for entry in admin.result("config/label_registry/list")] == ["warm"]
    assert admin.error("config/label_registry/update", label_id="night_lights", name="x")[0] == "invalid_info"


@pytest.mark.contract("WebSocket: registry")
def test_labels_and_categories_survive_a_restart(hub_factory):
    hub = hub_factory()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        label = client.result("config/label_registry/create", name="Warm")
        category = client.result("config/category_registry/create", scope="light", name="Reading", icon="mdi:book")
        client.result("config/entity_registry/update", entity_id="light.kitchen", labels=["warm"],
                      categories={"light": category["category_id"]})
    hub.stop()
    hub = hub_factory(hub.folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("config/label_registry/list") == [label]
        assert client.result("config/category_registry/list", scope="light") == [category]
        kept = client.result("config/entity_registry/get", entity_id="light.kitchen")
        assert (kept["labels"], kept["categories"]) == (["warm"], {"light": category["category_id"]})


@pytest.mark.contract("WebSocket: registry")
def test_a_category_sorts_within_its_scope(admin):
    admin.result("subscribe_events", event_type="category_registry_updated")
    made = admin.result("config/category_registry/create", scope="light", name="Reading")
    assert set(made) == {"category_id", "name", "icon", "created_at", "modified_at"}
    assert admin.event(1)["data"] == {"action": "create", "scope": "light", "category_id": made["category_id"]}
    assert admin.result("config/category_registry/list", scope="automation") == []
    of = {"category_id": made["category_id"]}
    assert admin.error("config/category_registry/update", scope="automation", **of, name="x")[0] == "invalid_info"
    assert admin.result("config/category_registry/update", scope="light", **of, icon="mdi:book")["icon"] == "mdi:book"
    entry = admin.result("config/entity_registry/update", entity_id="light.kitchen",
                         categories={"light": made["category_id"]})["entity_entry"]
    assert entry["categories"] == {"light": made["category_id"]}
    assert admin.result("config/category_registry/delete", scope="light", **of) == "success"
    assert admin.result("config/entity_registry/get", entity_id="light.kitchen")["categories"] == {}


@pytest.mark.contract("WebSocket: registry")
def test_labels_and_categories_show_to_those_who_read_a_carrier(home):
    hub = home
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\n")
    with WebSocketClient(hub, hub.tokens["admin"]) as client, WebSocketClient(hub, hub.tokens["guest"]) as guest:
        guest.result("subscribe_events", event_type="label_registry_updated")
        category = client.result("config/category_registry/create", scope="light", name="Secret")["category_id"]
        for name in ("Secret", "Shared"):
            client.result("config/label_registry/create", name=name)
        client.result("config/entity_registry/update", entity_id="light.hall", labels=["secret"],
                      categories={"light": category})
        client.result("config/entity_registry/update", entity_id="light.kitchen", labels=["shared"])
        assert [label["name"] for label in guest.result("config/label_registry/list")] == ["Shared"]
        assert guest.result("config/category_registry/list", scope="light") == []
        for label in ("secret", "shared"):
            client.result("config/label_registry/update", label_id=label, icon="mdi:eye")
        # The creation is told, too, if the light carries the label by the time that the event is delivered.
        heard = [guest.event(1)["data"]]
        while heard[-1]["action"] != "update":
            heard.append(guest.event(1)["data"])
        assert {event["label_id"] for event in heard} == {"shared"}
        client.result("config/entity_registry/update", entity_id="light.kitchen", categories={"light": category})
        assert [entry["name"] for entry in guest.result("config/category_registry/list", scope="light")] == ["Secret"]


@pytest.mark.contract("WebSocket: registry")
def test_a_tag_keeps_the_id_that_it_brings(admin):
    printed = admin.result("tag/create", tag_id="printed-1", name="Front door")
    assert printed == {"id": "printed-1", "name": "Front door"}
    other = admin.result("tag/create", description="Beside the bell")
    assert admin.result("tag/list") == [printed, other]
    assert admin.error("tag/create", tag_id="printed-1")[1] == "There is a printed-1 already."
    assert admin.error("tag/create", tag_id="")[0] == "invalid_format"
    assert admin.result("tag/update", tag_id="printed-1", name="Door")["name"] == "Door"
    admin.result("tag/delete", tag_id="printed-1")
    assert admin.result("tag/list") == [other]


@pytest.mark.contract("WebSocket: registry")
def test_an_area_names_its_sensors(admin):
    area = admin.result("config/area_registry/update", area_id="kitchen", temperature_entity_id="sensor.kitchen_temperature")
    assert (area["temperature_entity_id"], area["humidity_entity_id"]) == ("sensor.kitchen_temperature", None)
    code, message = admin.error("config/area_registry/update", area_id="kitchen", humidity_entity_id="light.kitchen")
    assert (code, message) == ("invalid_info", "humidity_entity_id: expected the id of a sensor")


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize("kind", [f"config/{part}" for part in (
    "area_registry/create", "area_registry/update", "area_registry/delete", "area_registry/reorder", "floor_registry/reorder",
    "floor_registry/create", "floor_registry/update", "floor_registry/delete", "device_registry/update",
    "entity_registry/update", "entity_registry/remove", "label_registry/create", "label_registry/update",
    "label_registry/delete", "category_registry/create", "category_registry/update", "category_registry/delete")])
def test_only_administrators_change_the_registry(hub, kind):
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        assert client.error(kind)[0] == "unauthorized"


@pytest.mark.contract("WebSocket: registry")
@pytest.mark.parametrize("kind", ["config/area_registry/list", "config/floor_registry/list",
                                  "config/device_registry/list", "config/entity_registry/list",
                                  "config/entity_registry/list_for_display", "entity/source"])
def test_everybody_reads_the_registry(hub, kind):
    with WebSocketClient(hub, hub.tokens["display"]) as client:
        assert client.result(kind)
        assert client.error(kind, extra=1)[0] == "invalid_format"


@pytest.mark.contract("WebSocket: registry")
def test_everybody_gets_events_of_changes(home, admin):
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        entities = listen(ann, "entity")
        update = "config/entity_registry/update"
        admin.result(update, entity_id="light.kitchen", name="Lamp")
        assert ann.event(entities)["data"]["changes"] == {"name": None}
        admin.result(update, entity_id="light.kitchen", name="Lamp")  # nothing changes, so no event
        admin.result(update, entity_id="light.kitchen", icon="mdi:lamp")
        assert ann.event(entities)["data"]["changes"] == {"icon": None}


@pytest.mark.contract("WebSocket: registry")
def test_entity_that_no_integration_provides_any_more_can_be_removed(hub_factory):
    folder = hub_factory.folder()
    hub_factory(folder).stop()
    (folder / "configuration.yaml").write_text("recorder: {commit_interval: 1s}\n")
    hub = hub_factory(folder)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.result("config/entity_registry/get", entity_id="light.kitchen")["platform"] == "demo"
        assert client.result("config/entity_registry/remove", entity_id="light.kitchen") is None
        assert client.error("config/entity_registry/get", entity_id="light.kitchen")[0] == "not_found"


REGISTRY_LISTS = {"areas": "area", "floors": "floor", "devices": "device", "entities": "entity"}


def lists_of(user, **headers):
    return user.get("/api/registry", headers=headers)


@pytest.mark.contract("Beyond the specification: registry")
def test_registry_has_the_lists_of_the_commands(home, admin):
    registry = assert_json(lists_of(home.admin))
    assert list(registry) == list(REGISTRY_LISTS)
    for name, kind in REGISTRY_LISTS.items():
        only = {"registered_only": True} if kind == "entity" else {}
        assert registry[name] and registry[name] == admin.result(f"config/{kind}_registry/list", **only)


@pytest.mark.contract("Beyond the specification: registry")
def test_registry_is_empty_for_whoever_has_it(home, admin):
    first = lists_of(home.ann)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["content-encoding"] in ("zstd", "gzip")
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/")):
        again = lists_of(home.ann, **{"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert lists_of(home.ann, **{"If-None-Match": tag[:-2] + 'x"'}).status_code == 200

    admin.result("config/area_registry/update", area_id="kitchen", name="Cookhouse")
    changed = lists_of(home.ann, **{"If-None-Match": tag})
    assert changed.headers["etag"] != tag
    assert by("area_id", assert_json(changed)["areas"])["kitchen"]["name"] == "Cookhouse"


@pytest.mark.contract("Beyond the specification: registry")
def test_registry_needs_a_token_and_get(home):
    assert_message(lists_of(home.anonymous), 401)
    assert lists_of(home.display).status_code == 200
    assert_message(home.admin.post("/api/registry"), 405)
