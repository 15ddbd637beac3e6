# SPDX-License-Identifier: Apache-2.0
"""The ports of the tests' own servers."""

import subprocess
import sys
from pathlib import Path

FUNCTIONAL = Path(__file__).resolve().parents[1] / "functional"
ASKS = "import sys, ports; print(*[ports.free_port() for _ in range(int(sys.argv[1]))], flush=True); sys.stdin.read()"


def test_no_two_processes_have_a_port_in_common():
    count = 1_500  # more than a process has between its first port and that of the next one, however they are spread
    askers = [subprocess.Popen([sys.executable, "-c", ASKS, str(count)], cwd=FUNCTIONAL, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True) for _ in range(4)]
    found = [[int(port) for port in asker.stdout.readline().split()] for asker in askers]
    for asker in askers:
        asker.communicate()
    assert [len(set(ports)) for ports in found] == [count] * 4
    assert len(set().union(*found)) == 4 * count


def test_ports_come_again_when_all_have_been_given(tmp_path):
    asks = ASKS.replace("import sys, ports;", "import sys, ports; ports.FIRST, ports.LAST = 9_000, 9_400;")
    done = subprocess.run([sys.executable, "-c", asks, "1200"], cwd=FUNCTIONAL, input="", capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {str(port) for port in range(9_000, 9_400)}
