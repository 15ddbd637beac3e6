# SPDX-License-Identifier: Apache-2.0
"""The real node is built once, before the first test."""

import pytest

pytest.register_assert_rewrite("real_node")

from real_node import program  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def built():
    program()
