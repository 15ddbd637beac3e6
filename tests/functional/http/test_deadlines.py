# SPDX-License-Identifier: Apache-2.0
"""The long waits of the contract. All of them start with the run, beside the other tests."""

import pytest

from deadlines import PING_INTERVAL

pytestmark = pytest.mark.slow


@pytest.mark.contract("Every endpoint: deadlines")
@pytest.mark.parametrize(
    "wait, seconds",
    [("header_stalled", 10), ("header_trickles", 10), ("body_stalled", 30), ("idle_after_answer", 75)],
)
def test_connection_is_closed_at_its_deadline(deadlines, wait, seconds):
    closed = deadlines.result(wait)
    assert seconds - 1 <= closed.after <= seconds + 4
    assert closed.answer == b"" or (wait != "idle_after_answer" and closed.answer.startswith(b"HTTP/1.1 408 "))


@pytest.mark.contract("Stream: ping")
def test_idle_stream_lives_and_pings(deadlines):
    first, second = deadlines.result("idle_stream")
    assert first < 1
    assert abs(second - PING_INTERVAL) < 1.5


@pytest.mark.contract("Stream: ping")
def test_busy_stream_pings_on_time(deadlines):
    first, second = deadlines.result("busy_stream")
    assert first < 1
    assert abs(second - PING_INTERVAL) < 1.5
