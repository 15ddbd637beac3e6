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
    file.write_text(good + "\nhttp: {server_port: nonsense}\n")
    assert wait_until(issues, 20)
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
    assert wait_until(lambda: not issues(), 20)
    assert admin.error("repairs/ignore_issue", **name, ignore=True)[0] == "not_found"


@pytest.mark.contract("WebSocket: repairs")
@pytest.mark.slow
def test_unknown_words_wrong_values_and_broken_files_are_issues_until_they_are_mended(home, admin):
    file = home.folder / "configuration.yaml"
    good = file.read_text()

    def issues():
        return {(issue["translation_key"], issue["severity"]): issue["translation_placeholders"]
                for issue in admin.result("repairs/list_issues")["issues"]
                if issue["translation_key"].startswith("configuration_")}

    assert issues() == {}
    log = home.folder / "log.yaml"
    log.write_text("level: loud\n")
    file.write_text(good + "nonsense: 1\nlog: !include log.yaml\n")
    found = wait_until(lambda: len(issues()) == 2 and issues(), 20)
    left_out, wrong = found["configuration_left_out", "warning"], found["configuration_kept", "error"]
    assert "nonsense: unknown key" in left_out["error"] and left_out["file"] == "configuration.yaml"
    assert int(left_out["line"]) == len(good.splitlines()) + 1
    assert "level: expected one of debug" in wrong["error"] and (wrong["file"], wrong["line"]) == ("log.yaml", "1")
    # Mended in a file that configuration.yaml includes, and broken there again.
    log.write_text("level: info\n")
    wait_until(lambda: len(issues()) == 1, 20)
    log.write_text("level: [\n")
    kept = wait_until(lambda: issues().get(("configuration_kept", "error")), 20)
    assert kept["file"] == "log.yaml" and "not valid YAML" in kept["error"]
    file.write_text(good)
    wait_until(lambda: issues() == {}, 20)
