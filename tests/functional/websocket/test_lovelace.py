# SPDX-License-Identifier: Apache-2.0
"""lovelace/* and get_panels: dashboards that people make, who sees them, and what a kill leaves."""

import json
import sqlite3
from contextlib import closing

import pytest

from test_durability import kill
from test_rights import add_with_rights
from websocket_client import WebSocketClient

KITCHEN = {"views": [{"title": "Kitchen", "cards": [{"type": "tile", "entity": "light.kitchen"}]}]}
BEDROOM = {"views": [{"cards": [{"type": "markdown", "content": "{{ states('light.bedroom') }}"}]}]}
EVERYBODY = {"lovelace", "home", "light", "climate", "security", "map", "logbook", "history", "calendar", "profile"}
GUEST = "read: {areas: [kitchen]}\n"


def connect(hub, user="admin"):
    return WebSocketClient(hub, hub.tokens[user])


@pytest.mark.contract("Other frontends: panels")
def test_panels_are_those_that_the_user_may_open(hub):
    with connect(hub) as admin, connect(hub, "ann") as ann:
        panels = admin.result("get_panels")
        assert set(panels) >= EVERYBODY | {"config", "developer-tools"}
        assert {path for path, panel in panels.items() if panel["require_admin"]} == {"config", "developer-tools"}
        assert panels["lovelace"]["config"] == {"mode": "storage"} and panels["history"]["title"] == "history"
        assert all(panel["url_path"] == path and panel["component_name"] for path, panel in panels.items())
        assert set(ann.result("get_panels")) >= EVERYBODY and "config" not in ann.result("get_panels")


@pytest.mark.contract("Other frontends: dashboards")
def test_the_default_dashboard_is_kept(hub_factory):
    hub = hub_factory()
    with connect(hub) as client, connect(hub, "ann") as ann:
        assert client.error("lovelace/config", url_path=None)[0] == "config_not_found"
        assert client.error("lovelace/config", force=False)[0] == "config_not_found"
        ann.result("subscribe_events", event_type="lovelace_updated")
        odd = KITCHEN | {"number": 1.0, "big": 2**63, "text": 'ü"\\</script>', "empty": {}}
        assert client.result("lovelace/config/save", url_path=None, config=odd) is None
        assert ann.event(1)["data"] == {"url_path": None, "mode": "storage"}
        for path in ({}, {"url_path": None}, {"url_path": "lovelace"}):
            assert ann.result("lovelace/config", **path) == odd
        assert ann.error("lovelace/config/save", config=KITCHEN)[0] == "unauthorized"
        assert client.error("lovelace/config/save", config="views: []")[0] == "invalid_format"
        assert client.result("lovelace/config/delete", url_path=None) is None
        assert client.error("lovelace/config")[0] == "config_not_found"
        assert client.error("lovelace/config/delete")[0] == "config_not_found"


@pytest.mark.contract("Other frontends: dashboards")
def test_a_dashboard_is_made_changed_and_deleted(hub_factory):
    hub = hub_factory()
    with connect(hub) as client, connect(hub, "ann") as ann:
        client.result("subscribe_events", event_type="panels_updated")
        made = client.result("lovelace/dashboards/create", url_path="my-room", title="My room", icon="mdi:sofa",
                             show_in_sidebar=True, require_admin=True, mode="storage")
        assert made == {"id": "my_room", "url_path": "my-room", "title": "My room", "icon": "mdi:sofa",
                        "show_in_sidebar": True, "require_admin": True, "mode": "storage"}
        assert client.event(1)["data"] == {}
        assert client.result("lovelace/dashboards/list") == [made]
        assert client.result("get_panels")["my-room"]["title"] == "My room"
        client.result("lovelace/config/save", url_path="my-room", config=KITCHEN)
        # Only administrators see it.
        assert ann.result("lovelace/dashboards/list") == [] and "my-room" not in ann.result("get_panels")
        assert ann.error("lovelace/config", url_path="my-room")[0] == "config_not_found"
        changed = client.result("lovelace/dashboards/update", dashboard_id="my_room", title="Room", icon=None,
                                require_admin=False, show_in_sidebar=False)
        assert (changed["title"], changed["require_admin"], "icon" in changed) == ("Room", False, False)
        assert ann.result("lovelace/config", url_path="my-room") == KITCHEN
        assert ann.result("get_panels")["my-room"]["title"] is None
        assert client.error("lovelace/dashboards/create", url_path="my-room", title="Again")[0] == "home_assistant_error"
        assert client.result("lovelace/dashboards/delete", dashboard_id="my_room") is None
        assert client.error("lovelace/config", url_path="my-room")[0] == "config_not_found"
        client.result("lovelace/dashboards/create", url_path="my-room", title="New")
        assert client.error("lovelace/config", url_path="my-room")[0] == "config_not_found"


@pytest.mark.parametrize(("fields", "said"), [
    ({"url_path": "word", "title": "x"}, "url_path: expected a hyphen"),
    ({"url_path": "history", "title": "x", "allow_single_word": True}, "url_path: history is a page of the hub"),
    ({"url_path": "api", "title": "x", "allow_single_word": True}, "url_path: api is a page of the hub"),
    ({"url_path": "Upper-Case", "title": "x"}, "url_path: expected lower-case letters"),
    ({"url_path": "a-b/c", "title": "x"}, "url_path: expected lower-case letters"),
    ({"url_path": "a-b", "title": ""}, "title: expected a text"),
    ({"url_path": "a-b", "title": "x" * 300}, "title: expected a text"),
    ({"url_path": "a-b", "title": "x", "mode": "yaml"}, "mode: expected storage"),
    ({"url_path": "a-b", "title": "x", "colour": 1}, "colour: there is no such key"),
])
@pytest.mark.contract("Other frontends: dashboards")
def test_a_wrong_dashboard_is_refused(hub, fields, said):
    with connect(hub) as client:
        code, message = client.error("lovelace/dashboards/create", **fields)
        assert code == "invalid_format" and message.startswith(said), message
        assert client.result("lovelace/dashboards/list") == []


@pytest.mark.contract("Other frontends: limits")
def test_dashboards_have_bounds(hub_factory):
    hub = hub_factory()
    with connect(hub) as client:
        large = {"text": "x" * (1024 * 1024 - len('{"text":""}'))}
        client.result("lovelace/config/save", config=large)
        large["text"] += "x"
        code, message = client.error("lovelace/config/save", config=large)
        assert code == "invalid_format" and "1048576 bytes" in message
        assert len(client.result("lovelace/config")["text"]) == len(large["text"]) - 1
        # Quotes and backslashes count twice where it is kept.
        client.result("lovelace/config/save", config={"text": '"' * (512 * 1024 - 20)})
        for number in range(99):
            client.result("lovelace/dashboards/create", url_path=f"d-{number}", title="x")
        code, message = client.error("lovelace/dashboards/create", url_path="d-99", title="x")
        assert code == "home_assistant_error" and "99" in message
        assert len(client.result("lovelace/dashboards/list")) == 99


@pytest.mark.contract("Other frontends: rights")
def test_a_dashboard_that_names_another_room_is_hidden(hub_factory):
    hub = hub_factory()
    add_with_rights(hub, "guest", GUEST)
    with connect(hub) as admin, connect(hub, "guest") as guest:
        for path, config in (("of-kitchen", KITCHEN), ("of-bedroom", BEDROOM), ("of-area", {"area": "bedroom"})):
            admin.result("lovelace/dashboards/create", url_path=path, title="x")
            admin.result("lovelace/config/save", url_path=path, config=config)
        assert [dashboard["url_path"] for dashboard in guest.result("lovelace/dashboards/list")] == ["of-kitchen"]
        assert guest.result("lovelace/config", url_path="of-kitchen") == KITCHEN
        for path in ("of-bedroom", "of-area"):
            assert guest.error("lovelace/config", url_path=path)[0] == "config_not_found"
            assert path not in guest.result("get_panels")
        admin.result("lovelace/config/save", config=BEDROOM)
        assert guest.error("lovelace/config")[0] == "config_not_found"
        # A name of a service, or of nothing, hides no dashboard.
        admin.result("lovelace/config/save", config={"tap": "light.turn_on", "text": "see example.org, area bedrooms"})
        assert guest.result("lovelace/config")["tap"] == "light.turn_on"


@pytest.mark.contract("Other frontends: dashboards")
def test_resources_are_made_changed_and_deleted(hub_factory):
    hub = hub_factory()
    with connect(hub) as client, connect(hub, "ann") as ann:
        made = client.result("lovelace/resources/create", res_type="module", url="/local/card.js")
        assert made == {"type": "module", "url": "/local/card.js", "id": made["id"]}
        changed = client.result("lovelace/resources/update", resource_id=made["id"], url="/local/card.js?2")
        assert ann.result("lovelace/resources") == [changed] and changed["url"].endswith("?2")
        assert client.error("lovelace/resources/create", res_type="exe", url="x")[0] == "invalid_format"
        assert client.error("lovelace/resources/create", res_type="css", url="")[0] == "invalid_format"
        assert client.error("lovelace/resources/update", resource_id="none", url="x")[0] == "not_found"
        assert client.result("lovelace/resources/delete", resource_id=made["id"]) is None
        assert client.error("lovelace/resources/delete", resource_id=made["id"])[0] == "not_found"
        assert ann.result("lovelace/resources") == []


@pytest.mark.contract("Other frontends: dashboards")
def test_a_dashboard_survives_a_kill_and_a_damaged_one_hurts_nobody_else(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    with connect(hub) as client:
        for path in ("one-a", "two-b"):
            client.result("lovelace/dashboards/create", url_path=path, title=path)
            client.result("lovelace/config/save", url_path=path, config=KITCHEN)
    kill(hub)
    hub_factory.hubs.remove(hub)
    with closing(sqlite3.connect(hub.folder / "home.db")) as database:
        where = "kind = 'lovelace' AND id = 'two-b'"
        [(text,)] = database.execute(f"SELECT entry FROM registry WHERE {where}")
        item = json.loads(text)
        item["fields"]["config"] = '{"views": ['
        database.execute(f"UPDATE registry SET entry = ? WHERE {where}", (json.dumps(item),))
        database.commit()
    hub = hub_factory(folder)
    with connect(hub) as client:
        assert client.result("lovelace/config", url_path="one-a") == KITCHEN
        code, message = client.error("lovelace/config", url_path="two-b")
        assert code == "home_assistant_error" and "two-b is damaged" in message
        assert len(client.result("lovelace/dashboards/list")) == 2 and "two-b" in client.result("get_panels")
        client.result("lovelace/config/save", url_path="two-b", config=KITCHEN)
        assert client.result("lovelace/config", url_path="two-b") == KITCHEN
