# SPDX-License-Identifier: Apache-2.0
"""Clients that people use, as their makers ship them."""

import pytest

pytest.register_assert_rewrite("line_client", "packages")

from packages import install_node_packages, install_python_packages  # noqa: E402


@pytest.fixture(scope="session")
def node_packages():
    install_node_packages()


@pytest.fixture(scope="session")
def libraries():
    """The folder with the Python whose packages are libraries of clients."""
    return install_python_packages("libraries")
