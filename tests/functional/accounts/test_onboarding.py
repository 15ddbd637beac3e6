# SPDX-License-Identifier: Apache-2.0
"""The first user of a new home."""

import threading

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD, add_user, base_settings, wait_until, write_settings
from login_client import CLIENT, Browser, Page, log_in, redirect_parameters, token_request
from test_tokens import get

FIRST = {"name": "Ann B.", "username": "ann", "password": PASSWORD, "client_id": CLIENT, "language": "en"}


def make_new_folder(parent):
    """The folder of a home without users."""
    folder = parent / "new home"
    folder.mkdir()
    write_settings(folder, base_settings())
    return folder


@pytest.fixture
def new_home(hub_factory, tmp_path):
    """A hub without users."""
    return hub_factory(make_new_folder(tmp_path))


def steps(hub):
    return assert_json(hub.anonymous.get("/api/onboarding"))


def onboard(hub, **changes):
    body = {key: value for key, value in (FIRST | changes).items() if value is not ...}
    return hub.anonymous.post("/api/onboarding/users", json=body)


@pytest.mark.contract("Beyond the specification: onboarding")
def test_first_user_is_an_administrator_and_can_be_created_once(new_home):
    assert steps(new_home) == [{"step": "user", "done": False}]
    code = assert_json(onboard(new_home))["auth_code"]
    tokens = assert_json(token_request(new_home, grant_type="authorization_code", code=code))
    assert get(new_home, tokens["access_token"], "/api/config").status_code == 200
    assert steps(new_home) == [{"step": "user", "done": True}]
    assert_message(onboard(new_home, username="eve"), 403)
    assert_message(new_home.anonymous.post("/api/onboarding/users", content="nonsense"), 403)
    assert log_in(new_home, "ann")["access_token"]
    listed = new_home.command("user", "list").stdout
    assert "administrator" in listed and "eve" not in listed


@pytest.mark.contract("Beyond the specification: onboarding")
def test_is_closed_after_a_restart_even_if_no_user_is_active(new_home, hub_factory):
    assert_json(onboard(new_home))
    assert new_home.command("user", "deactivate", "ann").returncode == 0
    new_home.stop()
    hub = hub_factory(new_home.folder)
    assert steps(hub) == [{"step": "user", "done": True}]
    assert_message(onboard(hub, username="eve"), 403)


@pytest.mark.contract("Beyond the specification: onboarding")
def test_is_closed_by_the_command_line(new_home):
    add_user(new_home.folder, "display", "--read-only")
    assert_message(onboard(new_home), 403)
    wait_until(lambda: steps(new_home) == [{"step": "user", "done": True}], 2)


@pytest.mark.contract("Beyond the specification: onboarding")
def test_one_of_many_requests_wins(new_home):
    answers = {}

    def run(number):
        with new_home.client() as client:
            answers[number] = client.post("/api/onboarding/users", json=FIRST | {"username": f"user{number}"})

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [number for number, answer in answers.items() if answer.status_code == 200]
    assert len(answers) == 8 and len(winners) == 1
    for number, answer in answers.items():
        if number not in winners:
            assert_message(answer, 403)
    assert new_home.command("user", "list").stdout.count("administrator") == 1


@pytest.mark.contract("Beyond the specification: onboarding")
@pytest.mark.parametrize("changes", [
    {"name": ...}, {"username": ...}, {"password": ...}, {"client_id": ...}, {"username": ""}, {"password": ""},
    {"name": 5}, {"username": " ann"}, {"password": "1234567"}, {"password": "x" * 1025}, {"client_id": "nonsense"}, {"language": 5}])
def test_refuses_wrong_requests_and_stays_open(new_home, changes):
    assert_message(onboard(new_home, **changes), 400)
    assert steps(new_home) == [{"step": "user", "done": False}]


@pytest.mark.contract("Beyond the specification: login", "Beyond the specification: onboarding")
def test_login_page_says_how_to_create_a_user(new_home):
    with Browser(new_home) as browser:
        page = Page(browser.open())
        assert page.action is None and "hearth user add" in page.text
        assert_json(onboard(new_home))
        page = Page(browser.open())
        redirect_parameters(browser.submit(page, username="ann", password=PASSWORD))
