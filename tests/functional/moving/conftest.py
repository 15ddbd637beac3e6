# SPDX-License-Identifier: Apache-2.0
"""Homes of another hub, after the import."""

import pytest

import moving_client


@pytest.fixture(scope="module", params=moving_client.VERSIONS)
def moved(request, tmp_path_factory, module_hubs):
    home = moving_client.Moved(request.param, tmp_path_factory.mktemp("moved"), module_hubs)
    yield home
    home.stop()
