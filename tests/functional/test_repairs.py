# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the home: issues that come, are ignored and go."""

import pytest

from hub_process import wait_until
from test_rights import add_with_rights
from websocket_client import WebSocketClient


@pytest.fixture
def home(hub_factory):
    return hub_factory()


@pytest.fixture
def admin(home):
    with WebSocketClient(home, home.tokens["admin"]) as client:
        yield client


@pytest.mark.contract("WebSocket: repairs")
def test_a_configuration_that_cannot_be_read_is_an_issue_until_it_is_mended(home, admin):
    file = home.folder / "configuration.yaml"
    good = file.read_text()
    issues = lambda: [issue for issue in admin.result("repairs/list_issues")["issues"]
                      if issue["issue_id"] == "configuration_unreadable"]
    assert issues() == []
    admin.result("subscribe_events", event_type="repairs_issue_registry_updated")
    subscription = admin.last_id
    file.write_text(good + "\nnonsense: 1\n")
    assert wait_until(issues)
    event = admin.event(subscription)["data"]
    assert event == {"action": "create", "domain": "hearth", "issue_id": "configuration_unreadable"}
    issue = issues()[0]
    assert (issue["severity"], issue["translation_key"], issue["ignored"]) == ("error", "configuration_unreadable", False)
    assert "nonsense" in issue["translation_placeholders"]["error"]
    name = {"domain": "hearth", "issue_id": "configuration_unreadable"}
    admin.result("repairs/ignore_issue", **name, ignore=True)
    assert issues()[0]["ignored"] is True
    admin.result("repairs/ignore_issue", **name, ignore=False)
    assert issues()[0]["ignored"] is False
    with WebSocketClient(home, home.tokens["ann"]) as ann:
        assert any(each["issue_id"] == name["issue_id"] for each in ann.result("repairs/list_issues")["issues"])
        assert ann.error("repairs/ignore_issue", **name, ignore=True)[0] == "unauthorized"
    add_with_rights(home, "guest", "read: {areas: [kitchen]}\n")
    with WebSocketClient(home, home.tokens["guest"]) as guest:
        assert guest.result("repairs/list_issues") == {"issues": []}
    file.write_text(good)
    assert wait_until(lambda: not issues())
    assert admin.error("repairs/ignore_issue", **name, ignore=True)[0] == "not_found"
