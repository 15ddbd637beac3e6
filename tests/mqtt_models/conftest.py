# SPDX-License-Identifier: Apache-2.0
"""The home with the devices of the sample."""

import pytest

pytest.register_assert_rewrite("mqtt_broker", "sample_home")

import zigbee_models  # noqa: E402
from hub_process import wait_until  # noqa: E402
from mqtt_broker import Broker  # noqa: E402
from sample_home import SampleHome  # noqa: E402


@pytest.fixture(scope="package")
def sample():
    return zigbee_models.sample()


@pytest.fixture(scope="module")
def home(module_hubs, sample, tmp_path_factory):
    broker = Broker(tmp_path_factory.mktemp("broker")).start()
    try:
        hub = module_hubs.start(mqtt=broker.settings, demo=None, recorder={"keep": "never"})
        wait_until(lambda: any("mqtt: connected to" in line for line in hub.log), 15)
        yield SampleHome(hub, broker, sample)
    finally:
        broker.stop()


