# SPDX-License-Identifier: Apache-2.0
"""Makes the machine of a hub worse, by preloaded.c: a wrong clock, no locks, an end at any change of the disk."""

import functools
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path


@functools.cache
def library():
    """The compiled library; it stays until the tests end."""
    compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("clang-19")
    assert compiler, "a C compiler is missing; tools/bootstrap installs one"
    folder = tempfile.TemporaryDirectory(prefix="hearth_preloaded_")
    library.folder = folder
    made = Path(folder.name) / "preloaded.so"
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-o", str(made),
                    str(Path(__file__).with_name("preloaded.c")), "-ldl"], check=True)
    return made


class WorseMachine:
    """The environment of a hub, for subprocesses. `clock` is in seconds, off the real one."""

    def __init__(self, folder, clock=None, locks=True, kill_at=None):
        self.environment = {"LD_PRELOAD": str(library())}
        self.clock_file = Path(folder) / "clock"
        self.changes_file = Path(folder) / "changes"
        self._write(self.changes_file, bytes(8))
        self.environment["HEARTH_TEST_CHANGES"] = str(self.changes_file)
        if clock is not None:
            self.set_clock(clock)
            self.environment["HEARTH_TEST_CLOCK"] = str(self.clock_file)
        if not locks:
            self.environment["HEARTH_TEST_NO_LOCKS"] = "1"
        if kill_at is not None:
            self.environment["HEARTH_TEST_KILL_AT"] = str(kill_at)

    @staticmethod
    def _write(path, content):
        # Hubs have the file mapped: it must not become shorter, not even for a moment.
        with open(path, "r+b" if path.exists() else "wb") as file:
            file.write(content)

    def set_clock(self, seconds):
        self._write(self.clock_file, struct.pack("=q", int(seconds)))

    def changes(self):
        """How often the process has changed the disk."""
        return struct.unpack("=q", self.changes_file.read_bytes())[0]
