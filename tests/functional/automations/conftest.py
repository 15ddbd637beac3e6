# SPDX-License-Identifier: Apache-2.0
"""Homes with what a module wants of their configuration."""

import pytest


@pytest.fixture
def folder(hub_factory, request):
    """A home with the module's CONFIGURATION, and its PACKAGES if it has some."""
    made = hub_factory.folder()
    settings = made / "configuration.yaml"
    packages = getattr(request.module, "PACKAGES", "")
    settings.write_text(settings.read_text().replace("home:\n", f"home:\n{packages}", 1) + request.module.CONFIGURATION)
    return made
