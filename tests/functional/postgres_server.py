# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own, in a temporary folder, which they start, kill and ask."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from hub_process import free_port, wait_until

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=None, key=lambda path: int(path.parts[-3]))
USER, PASSWORD = "hearth", "three rows of ten"


class PostgresServer:
    def __init__(self):
        assert PROGRAMS, "PostgreSQL is missing: tools/bootstrap --test installs it"
        self.folder = Path(tempfile.mkdtemp(prefix="hearth-postgres-"))
        self.port = free_port()
        # It refuses to run as root.
        self.as_user = []
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.as_user = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self.program("initdb", "--no-sync", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256", f"--username={USER}",
                     f"--pwfile={password}", f"--pgdata={self.folder / 'data'}")
        self.process = None

    def program(self, name, *arguments):
        done = subprocess.run([*self.as_user, PROGRAMS.parent / name, *arguments], capture_output=True, text=True, timeout=60,
                              cwd="/")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self):
        options = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off",
                   "max_connections": 20, "logging_collector": "off"}
        command = [*self.as_user, PROGRAMS, "-D", self.folder / "data",
                   *(word for key, value in options.items() for word in ("-c", f"{key}={value}"))]

        def is_up():
            # It refuses to start while a session of a killed server has not noticed that yet.
            if not self.process or self.process.poll() is not None:
                with open(self.folder / "log", "ab") as log:
                    self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, cwd="/")
            return self.answers()

        try:
            wait_until(is_up, 60)
        except AssertionError:
            raise AssertionError("PostgreSQL does not start: " + (self.folder / "log").read_text()[-2000:]) from None

    def answers(self):
        try:
            return self.ask("SELECT 1", database="postgres") == [["1"]]
        except AssertionError:
            return False

    def freeze(self):
        """It keeps its connections and does nothing, as on a disk that hangs."""
        self.signal_all(signal.SIGSTOP)

    def thaw(self):
        self.signal_all(signal.SIGCONT)

    def signal_all(self, number):
        # The server first: it starts no more then.
        os.kill(self.process.pid, number)
        for child in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
            with contextlib.suppress(ProcessLookupError):  # its session has ended
                os.kill(int(child), number)

    def stop(self):
        self.end(signal.SIGINT)

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, how):
        if not self.process:
            return
        # setpriv becomes the server: its id is the server's. What a killed server has started ends when it notices.
        self.process.send_signal(how)
        self.process.wait(30)
        self.process = None
        wait_until(lambda: not self.answers())

    def remove(self):
        self.stop()
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not self.folder.exists():
                return
            time.sleep(0.1)

    def url(self, database, password=PASSWORD, user=USER):
        return f"postgresql://{user}:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/{database}"

    def create(self, database):
        self.ask(f'CREATE DATABASE "{database}"', database="postgres")
        return self.url(database)

    def ask(self, sql, database):
        """The rows, each a list of texts; null is ''."""
        done = subprocess.run(["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--field-separator=\x1f", "--quiet",
                               "--set=ON_ERROR_STOP=1", "--dbname", self.url(database), "--command", sql],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return [line.split("\x1f") for line in done.stdout.splitlines()]
