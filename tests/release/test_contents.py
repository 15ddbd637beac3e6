# SPDX-License-Identifier: Apache-2.0
"""The release has what users get, and nothing of what tests need."""

import re
import subprocess

from hub_process import BINARY


def test_the_released_program_has_nothing_that_fails_on_purpose(hub_factory):
    folder = hub_factory.folder(faulty={"mode": "none"})
    done = subprocess.run([str(BINARY), "check", "--config", str(folder)], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and re.search(r"faulty: unknown key", done.stdout), done.stdout + done.stderr
