# SPDX-License-Identifier: Apache-2.0
"""Makes the machine of a hub worse, by preloaded.c: a wrong clock, no locks, an end at any change of the disk, files
that cannot be written, hosts that are not found."""

import contextlib
import errno
import functools
import mmap
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


# As in preloaded.c.
CALLS = {"write": 1, "sync": 2, "truncate": 4, "rename": 8, "unlink": 16, "mkdir": 32}
RULE, RULES = struct.Struct("=iiq112s"), 8
NAMES = struct.Struct("=qq")


class Faults:
    """Calls of a running hub that fail, by the files that they are about."""

    def __init__(self, path):
        path.write_bytes(bytes(RULE.size * RULES + NAMES.size))
        with open(path, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 0)

    @contextlib.contextmanager
    def failing(self, part, calls, error):
        """While this lasts these calls ("write sync") fail for files with `part` in their path, at its end if it ends with $.
        `error` is "EIO" or "ENOSPC"; "short": writes take half of the bytes. Yields how often they did."""
        place = next(at for at in range(0, RULE.size * RULES, RULE.size) if RULE.unpack_from(self.shared, at)[0] == 0)
        number = 0 if error == "short" else getattr(errno, error)
        RULE.pack_into(self.shared, place, 0, number, 0, part.encode())
        struct.pack_into("=i", self.shared, place, sum(CALLS[call] for call in calls.split()))
        try:
            yield lambda: RULE.unpack_from(self.shared, place)[2]
        finally:
            struct.pack_into("=i", self.shared, place, 0)

    @contextlib.contextmanager
    def hanging_names(self):
        """While this lasts no question for a host is answered. Yields how many wait."""
        place = RULE.size * RULES
        NAMES.pack_into(self.shared, place, 1, 0)
        try:
            yield lambda: NAMES.unpack_from(self.shared, place)[1]
        finally:
            struct.pack_into("=q", self.shared, place, 0)


class WorseMachine:
    """The environment of a hub, for subprocesses. `clock` is in seconds, off the real one."""

    def __init__(self, folder, clock=None, locks=True, kill_at=None, faults=False):
        self.environment = {"LD_PRELOAD": str(library())}
        self.clock_file = Path(folder) / "clock"
        self.changes_file = Path(folder) / "changes"
        self._write(self.changes_file, bytes(8))
        self.environment["HEARTH_TEST_CHANGES"] = str(self.changes_file)
        if clock is not None:
            self.set_clock(clock)
            self.environment["HEARTH_TEST_CLOCK"] = str(self.clock_file)
        if faults:
            self.faults = Faults(Path(folder) / "faults")
            self.environment["HEARTH_TEST_FAULTS"] = str(Path(folder) / "faults")
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
