# SPDX-License-Identifier: Apache-2.0
"""The hubs under test."""

import itertools
import re
import signal
import threading

import pytest
from _pytest.junitxml import xml_key

pytest.register_assert_rewrite("hub_process", "raw_http", "event_stream", "checks", "login_client", "backups", "terminal")

from hub_process import BINARY, Hub, HubFactory, add_user, base_settings, create_token, write_settings  # noqa: E402


class SecondTries:
    """Notes in the JUnit file which tests have passed at the second try only, and what the first one said."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        xml = self.config.stash.get(xml_key, None)
        if xml and report.outcome == "rerun":
            crash = getattr(report.longrepr, "reprcrash", None)
            said = (crash.message if crash else str(report.longrepr)).strip() or "nothing"
            xml.node_reporter(report).add_property("second_try", said.splitlines()[0])


def let_children_hear_signals():
    """Under nohup, and in the background of a shell, processes inherit that they ignore SIGHUP, or SIGINT: so would the hubs. A
    handler of this process is not inherited."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_configure(config):
    let_children_hear_signals()
    config.pluginmanager.register(SecondTries(config))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Shows what the hubs of a failed test have logged."""
    report = (yield).get_result()
    if call.when != "call" or not report.failed:
        return
    factory = item.funcargs.get("hub_factory")
    for hub in factory.hubs if factory else []:
        report.sections.append((f"end of the log of {hub.folder.name}", "\n".join(hub.log[-60:])))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """A configuration folder with the users admin, ann and display, and a token for each."""
    assert BINARY.is_file(), f"{BINARY} is missing: build it, or name one in HEARTH_BINARY"
    folder = tmp_path_factory.mktemp("prepared")
    write_settings(folder, base_settings())
    add_user(folder, "admin", "--admin")
    add_user(folder, "ann")
    add_user(folder, "display", "--read-only")
    tokens = {user: create_token(folder, user, "tests") for user in ("admin", "ann", "display")}
    return folder, tokens


@pytest.fixture(scope="session")
def session_hubs(prepared, tmp_path_factory):
    factory = HubFactory(*prepared, tmp_path_factory.mktemp("session"))
    yield factory
    factory.stop_all()


@pytest.fixture(scope="session")
def hub(session_hubs) -> Hub:
    """One hub for all tests that only read, or use entities and events of their own."""
    return session_hubs.start()


@pytest.fixture
def hub_factory(prepared, tmp_path):
    """Starts hubs of a single test; at its end all are stopped and checked."""
    factory = HubFactory(*prepared, tmp_path)
    yield factory
    factory.stop_all()


@pytest.fixture(scope="module")
def module_hubs(prepared, tmp_path_factory):
    factory = HubFactory(*prepared, tmp_path_factory.mktemp("module"))
    yield factory
    factory.stop_all()


_numbers = itertools.count(1)


@pytest.fixture
def name(request):
    """A name that no other test uses, fit for an object id and an event type."""
    stem = re.sub(r"[^a-z0-9]+", "_", request.node.originalname.lower()).strip("_")
    return f"{stem[:40].strip('_')}_{next(_numbers)}"
