# SPDX-License-Identifier: Apache-2.0
"""Made hubs, and homes that are connected to them."""

import pytest

from bridge_home import BridgeHome
from made_hub import MadeHub


@pytest.fixture
def made_hubs():
    """Makes and starts made hubs, which end with the test."""
    hubs = []

    def make(*arguments, **options):
        hubs.append(MadeHub(*arguments, **options).start())
        return hubs[-1]

    yield make
    for one in hubs:
        one.stop()


@pytest.fixture
def bridged(hub_factory):
    """Starts a home that is connected to a made hub."""

    def start(made, **options):
        return BridgeHome(hub_factory(home_assistant=made.section(**options)))

    return start
