# SPDX-License-Identifier: Apache-2.0
"""The order of the tests, and the long waits among them."""

import pytest

from deadlines import Deadlines


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.fixture(scope="session")
def deadlines(session_hubs):
    """The long waits, all at the same time on a hub of their own."""
    observations = Deadlines(session_hubs.start())
    yield observations
    observations.stop()


@pytest.fixture(scope="session", autouse=True)
def start_long_waits_first(request):
    if any(item.get_closest_marker("slow") for item in request.session.items):
        request.getfixturevalue("deadlines")
