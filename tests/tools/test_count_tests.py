# SPDX-License-Identifier: Apache-2.0
"""tools/count_tests on the closing lines of each runner."""

import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "tools/count_tests"

GOOGLE_TEST = """[ RUN      ] A.B
[  FAILED  ] A.B (0 ms)
[ RUN      ] All/C.D/1
[  FAILED  ] All/C.D/1, where GetParam() = "x" (12 ms)
[==========] 7 tests from 2 test suites ran. (4 ms total)
[  PASSED  ] 5 tests.
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] A.B
[  FAILED  ] All/C.D/1, where GetParam() = "x"
[==========] 1 test from 1 test suite ran. (4 ms total)
[  PASSED  ] 1 test.
"""
BRIEF_GOOGLE_TEST = """tests/a_test.cpp:7: Failure
[  FAILED  ] A.B (0 ms)
[==========] 3 tests from 1 test suite ran. (4 ms total)
[  PASSED  ] 2 tests.
"""
PYTEST = """FAILED tests/a.py::test_b - assert 3 passed
=== 2 failed, 11 passed, 1 skipped, 3 errors in 4.56s ===
"""
QUIET_PYTEST = "12 passed in 93.10s (0:01:33)\n"
PLAYWRIGHT = """
Running 90 tests using 2 workers
  ✓   1 login.spec.ts:17:1 › 3 passed (8.5s)
  1) login.spec.ts:27:1 › a wrong password is told
  2 failed
    login.spec.ts:27:1 › a wrong password is told
  1 flaky
    login.spec.ts:36:1 › who has guessed too often
  4 did not run
  83 passed (2.3m)
"""


@pytest.mark.parametrize(
    "log, passed, failed",
    [
        (GOOGLE_TEST, 6, 2),
        (BRIEF_GOOGLE_TEST, 2, 1),
        (PYTEST, 11, 5),
        (QUIET_PYTEST, 12, 0),
        (PLAYWRIGHT, 84, 6),
        ("  5 passed (12s)\n", 5, 0),
        ("  1 passed (812ms)\n", 1, 0),
        ("nothing of the kind\n", 0, 0),
    ],
)
def test_counts_what_a_log_says(tmp_path, log, passed, failed):
    path = tmp_path / "log"
    path.write_text(log)
    assert subprocess.check_output([PROGRAM, path], text=True) == f"{passed} {failed}\n"
