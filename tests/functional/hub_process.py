# SPDX-License-Identifier: Apache-2.0
"""Starts, stops and administers the real binary."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import httpx
import yaml

import tunnel
from event_stream import EventStream
from ports import free_port
from raw_http import RawConnection

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("HEARTH_BINARY") or REPOSITORY / "build/release/hearth").absolute()
PASSWORD = "seven small lamps in a row"
# A client that could use TLS reads the system's certificates, which takes 30 ms of CPU time.
PLAIN_HTTP = {"verify": False, "trust_env": False}
# What a hub may log at any time if its machine is slow.
SLOW_MACHINE = " held the bus for "
ERROR_LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} error ")
SANITIZER_REPORT = re.compile(r"runtime error:|Sanitizer|data race|heap-|stack-overflow|Assertion|terminate called")


def base_settings():
    """A demo home without motion, the same each time."""
    return {
        **({"http": {"tls": tunnel.tls_settings()}} if tunnel.WANTED else {}),
        "home": {
            "name": "Test home",
            "latitude": 52.5,
            "longitude": 13.4,
            "elevation": 34,
            "time_zone": "Europe/Berlin",
            "unit_system": "metric",
            "currency": "EUR",
            "country": "DE",
            "language": "en",
        },
        "recorder": {"commit_interval": "1s"},
        "demo": {"seed": 7, "speed": 0},
    }


def write_settings(folder, settings):
    text = settings if isinstance(settings, str) else yaml.safe_dump(settings, sort_keys=False)
    (Path(folder) / "configuration.yaml").write_text(text, encoding="utf-8")


def command(folder, *arguments, text=None, timeout=20):
    """Runs one command of the binary to its end."""
    return subprocess.run(
        [str(BINARY), *arguments, "--config", str(folder)],
        input=text or "",
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def add_user(folder, name, *flags):
    done = command(folder, "user", "add", name, *flags, "--password-stdin", text=PASSWORD + "\n")
    assert done.returncode == 0, done.stderr
    return done


def create_token(folder, user, name, *flags):
    done = command(folder, "token", "create", "--user", user, "--name", name, *flags)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def wait_until(condition, timeout=5.0, interval=0.02):
    """The first true result of `condition`; fails the test if there is none in time."""
    deadline = time.monotonic() + timeout
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {timeout} s"
        time.sleep(interval)


class Hub:
    """One running hub. `stop` ends it and checks its exit code and log. With `stderr` the log goes elsewhere; `environment` has variables more."""

    def __init__(self, folder, tokens=None, arguments=(), port=None, binary=BINARY, stderr=None, environment=None):
        self.folder = Path(folder)
        self.tokens = dict(tokens or {})
        self.port = port or free_port()
        self.tunnel = tunnel.Tunnel(self.port, free_port()) if tunnel.WANTED and tunnel.is_secure(folder) else None
        self.log = []
        self.errors_expected = False
        self.process = subprocess.Popen(
            [str(binary), "serve", "--config", str(folder), "--host", "127.0.0.1", "--port",
             str(self.tunnel.inner if self.tunnel else self.port),
             *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if stderr is None else stderr,
            text=True,
            errors="replace",
            env={**os.environ, **environment} if environment else None,
        )
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        self._clients = {}

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _read_log(self):
        for line in self.process.stderr or ():
            self.log.append(line.rstrip("\n"))

    def wait_ready(self, timeout=10.0):
        with self.client() as client:
            def ready():
                assert self.process.poll() is None, "the hub ended at its start:\n" + "\n".join(self.log)
                try:
                    return client.get("/api/", timeout=2).status_code == 200
                except httpx.TransportError:
                    return False

            wait_until(ready, timeout)
        return self

    def client(self, user=None, **options):
        """A new client with the token of the user; the caller closes it."""
        headers = dict(options.pop("headers", {}))
        if user is not None:
            headers.setdefault("Authorization", "Bearer " + self.tokens[user])
        return httpx.Client(base_url=self.url, headers=headers, timeout=20, **PLAIN_HTTP, **options)

    def _shared(self, user):
        if user not in self._clients:
            self._clients[user] = self.client(user)
        return self._clients[user]

    @property
    def admin(self):
        return self._shared("admin")

    @property
    def ann(self):
        return self._shared("ann")

    @property
    def display(self):
        return self._shared("display")

    @property
    def anonymous(self):
        return self._shared(None)

    def connect(self, timeout=5.0, receive_buffer=None):
        return RawConnection(self.port, timeout, receive_buffer)

    def stream(self, query="", user="admin", token=None, headers=(), receive_buffer=None):
        """An open event stream; the answer's headers have arrived."""
        return EventStream(self.port, token or self.tokens[user], query, headers, receive_buffer)

    def command(self, *arguments, **options):
        return command(self.folder, *arguments, **options)

    def bearer(self, user="admin"):
        return "Authorization: Bearer " + self.tokens[user]

    def listener_counts(self):
        return {entry["event"]: entry["listener_count"] for entry in self.admin.get("/api/events").json()}

    def logged(self, text, timeout=5.0):
        """The lines of the log with that text; waits for the first, because it may follow the answer that it is about."""
        return wait_until(lambda: [line for line in self.log if text in line], timeout)

    def close_clients(self):
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    def send_signal(self, number):
        self.process.send_signal(number)

    def wait_ended(self, timeout=5.0):
        """The exit code; fails if the hub does not end in time."""
        try:
            return self.process.wait(timeout)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(2)
            if self.tunnel:
                self.tunnel.close()

    def stop(self, number=signal.SIGTERM):
        self.close_clients()
        if self.process.poll() is None:
            self.send_signal(number)
        code = self.wait_ended()
        log = "\n".join(self.log)
        assert code == 0, f"exit code {code}\n{log}"
        self.judge_log()

    def warnings(self):
        """The warnings of the log, except those of a machine that is slow."""
        return [line for line in self.log if " warning " in line and SLOW_MACHINE not in line]

    def judge_log(self):
        reports = [line for line in self.log if SANITIZER_REPORT.search(line)]
        errors = [] if self.errors_expected else [line for line in self.log if ERROR_LINE.search(line)]
        assert not reports + errors, "\n".join(self.log)


class HubFactory:
    """Starts hubs of a single test from one prepared folder with the users admin, ann and display."""

    def __init__(self, template, tokens, parent):
        self.template = Path(template)
        self.tokens = tokens
        self.parent = Path(parent)
        self.hubs = []
        self.to_end = []

    def folder(self, **changes):
        """A fresh copy of the prepared folder; `changes` replace top-level keys of its settings, None removes one."""
        folder = self.parent / f"home{len(list(self.parent.iterdir()))}"
        shutil.copytree(self.template, folder)
        settings = base_settings() | changes
        write_settings(folder, {key: value for key, value in settings.items() if value is not None})
        return folder

    def start(self, folder=None, arguments=(), port=None, binary=BINARY, environment=None, **changes):
        hub = Hub(folder or self.folder(**changes), self.tokens, arguments, port, binary, environment=environment)
        self.hubs.append(hub)
        return hub.wait_ready()

    __call__ = start

    def start_to_kill(self, folder, binary=BINARY, environment=None):
        """A hub that the test ends by a signal of its own; if it did not get there, the hub is killed here."""
        hub = Hub(folder, self.tokens, binary=binary, environment=environment)
        self.to_end.append(hub)
        return hub.wait_ready(30)

    def stop_all(self):
        for hub in self.to_end:
            if hub.process.poll() is None:
                hub.process.kill()
                hub.process.wait()
        self.to_end.clear()
        failures = []
        for hub in self.hubs:
            hub.close_clients()
            if hub.process.poll() is None:
                hub.send_signal(signal.SIGTERM)
        for hub in self.hubs:
            try:
                hub.stop()
            except (AssertionError, subprocess.TimeoutExpired) as failure:
                failures.append(str(failure))
        self.hubs.clear()
        assert not failures, "\n".join(failures)


def compact(value):
    """The JSON text as the hub writes it, for values without decimals."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
