# SPDX-License-Identifier: Apache-2.0
"""What ./run needs is what tools/bootstrap installs without --test."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_release_configures_without_the_libraries_of_the_tests(tmp_path):
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON" for library in ("GTest", "benchmark")]
    done = subprocess.run(["cmake", "--preset", "release", "-B", str(tmp_path), *without],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
