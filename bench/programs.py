# SPDX-License-Identifier: Apache-2.0
"""The programs of a run: the hub, nginx, and load generators. Programs stops each that was started."""

import itertools
import os
import random
import shlex
import signal
import socket
import subprocess
import time
from pathlib import Path

import client

STOP_TIME = 8  # seconds until a program that does not stop is killed


class Failure(Exception):
    """A row's figure is worthless. The message says why."""


def build_tool(name, folder):
    """The program of bench/NAME.cpp, built into the folder if that is needed."""
    source, program = Path(__file__).resolve().parent / f"{name}.cpp", folder / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["c++", "-std=c++20", "-O2", source, "-o", program, "-lfmt"], check=True)
    return program


_ports = itertools.count(random.randrange(12_000))


def free_port():
    """A port below those that the system gives to clients, each once: a server may be told its port long before it listens there."""
    for _ in range(12_000):
        port = 20_000 + next(_ports) % 12_000
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise Failure("no port is free")


def cpu_seconds(pids):
    """CPU time of the processes, with threads that have ended, to the nanosecond (clock_getcpuclockid(3))."""
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def thread_seconds(pid, name):
    """CPU time of the running threads of that name."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().strip() == name:
            spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


class Programs:
    """Starts programs, and at its exit at the latest stops those that still run."""

    def __init__(self, folder, core):
        self.folder = Path(folder)
        self.core = core
        self._running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A second Ctrl-C must not leave anything running.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for program in self._running[::-1]:
            self.stop(program)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def start(self, *command, pinned=True, log):
        """In a process group of its own, so that Ctrl-C reaches only this script, which then stops everything in order."""
        if pinned:
            command = ["taskset", "--cpu-list", str(self.core), *command]
        with open(self.folder / log, "ab") as output:
            program = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       start_new_session=True)
        program.log = self.folder / log
        self._running.append(program)
        return program

    def run(self, *command, timeout, pinned=True):
        """Runs a program to its end; returns what it printed."""
        if pinned:
            # In the batch class: woken by an answer, it does not preempt the server on the core that they share.
            command = ["chrt", "--batch", "0", "taskset", "--cpu-list", str(self.core), *command]
        program = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self._running.append(program)
        try:
            output, errors = program.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.stop(program)
            raise Failure(f"{Path(str(command[0])).name}: not done after {timeout} s") from None
        self._running.remove(program)
        if program.returncode != 0:
            raise Failure(errors.strip() or f"exit {program.returncode} of {shlex.join(map(str, command))}")
        return output

    def stop(self, program):
        if program in self._running:
            self._running.remove(program)
        if program.poll() is None:
            program.send_signal(signal.SIGTERM)
            try:
                program.wait(STOP_TIME)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
        return program.wait()


def wait_for_port(program, port, patience=20.0):
    """Waits until the program listens there."""
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if program.poll() is not None or time.monotonic() > end:
                raise Failure(f"{program.args[0]} does not listen:\n{program.log.read_text()[-500:]}") from None
        time.sleep(0.0002)


class Hub:
    """A hub in a folder of its own, which outlives its process: stop and start is a restart."""

    def __init__(self, programs, binary, name, demo=False, pinned=True, settings=""):
        self.programs = programs
        self.binary = binary
        self.folder = programs.folder / name
        self.pinned = pinned
        self.port = free_port()
        self.program = None
        self.folder.mkdir()
        lines = ["http:", "  server_host: 127.0.0.1", f"  server_port: {self.port}"]
        # One token asks for all that the hub can do. Former hubs know no such limit.
        self.valid = any(self.configure(lines + more + (["demo:"] if demo else []), settings)
                         for more in (["  limits: {requests_per_second: 1000000, token_sockets: 100000, token_streams: 100000, "
                          "token_subscriptions: 1000000, template_time: 64s}"], []))

    def configure(self, lines, settings):
        """True if the configuration is valid."""
        (self.folder / "configuration.yaml").write_text("\n".join(lines) + "\n" + settings)
        return subprocess.run([self.binary, "check", "--config", self.folder], capture_output=True).returncode == 0

    def make_token(self):
        subprocess.run([self.binary, "user", "add", "bench", "--admin", "--password-stdin", "--config", self.folder],
                       input=os.urandom(12).hex() + "\n", text=True, capture_output=True, check=True)
        made = subprocess.run([self.binary, "token", "create", "--user", "bench", "--name", "bench", "--config", self.folder],
                              text=True, capture_output=True, check=True)
        self.token = made.stdout.strip()

    def start(self):
        """Returns the seconds from exec to the first answer."""
        begin = time.monotonic()
        self.program = self.programs.start(self.binary, "serve", "--config", self.folder, pinned=self.pinned,
                                           log=self.folder.name + ".log")
        wait_for_port(self.program, self.port)
        status, _, body = client.get(self.port, "/api/")
        taken = time.monotonic() - begin
        if status != 200 or body != b'{"message":"API running."}':
            raise Failure(f"GET /api/ was answered {status} {body!r}")
        return taken

    def kill(self):
        self.program.kill()
        self.programs.stop(self.program)

    def stop(self):
        if code := self.programs.stop(self.program):
            raise Failure(f"the hub ended with {code}")

    @property
    def pids(self):
        return [self.program.pid]

    def workers(self):
        names = [path.read_text() for path in Path(f"/proc/{self.program.pid}/task").glob("*/comm")]
        return sum(name.startswith("http-") for name in names)

    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def memory(self):
        """Resident memory in bytes: whole (Rss), its share (Pss), and what no other process maps (Uss)."""
        rollup = Path(f"/proc/{self.program.pid}/smaps_rollup").read_text()
        kib = {line.split(":")[0]: int(line.split()[1]) for line in rollup.splitlines()[1:]}
        return kib["Rss"] * 1024, kib["Pss"] * 1024, (kib["Private_Clean"] + kib["Private_Dirty"]) * 1024

    def settle(self, patience=30.0):
        """Waits until it is nearly idle: deferred writes are done."""
        end = time.monotonic() + patience
        quiet = 0
        while quiet < 3 and time.monotonic() < end:
            before = cpu_seconds(self.pids)
            time.sleep(0.5)
            quiet = quiet + 1 if cpu_seconds(self.pids) - before < 0.01 else 0


NGINX_CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
{user}
events {{ worker_connections 1024; }}
http {{
  access_log off;
  server_tokens off;
  sendfile on;
  keepalive_requests 2000000000;
  default_type application/json;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  add_header X-Content-Type-Options nosniff;
  add_header Referrer-Policy no-referrer;
  add_header X-Frame-Options SAMEORIGIN;
  server {{
    listen 127.0.0.1:{port};
    location = /api/states {{ alias {folder}/states.json; }}
    location = /api/states/light.bench {{ return 200 '{state}'; }}
  }}
}}
"""


class Nginx:
    """nginx with one worker; answers two paths with the very bytes that the hub answers."""

    def __init__(self, programs, state, states):
        self.port = free_port()
        folder = programs.folder
        (folder / "states.json").write_bytes(states)
        user = "user root;" if os.geteuid() == 0 else ""
        configuration = NGINX_CONFIGURATION.format(folder=folder, user=user, port=self.port, state=state.decode())
        (folder / "nginx.conf").write_text(configuration)
        self.program = programs.start("nginx", "-p", folder, "-c", folder / "nginx.conf", log="nginx.out")
        wait_for_port(self.program, self.port)
        client.get(self.port, "/")  # after the first answer, the worker is there
        children = Path(f"/proc/{self.program.pid}/task/{self.program.pid}/children").read_text()
        self.pids = [int(pid) for pid in children.split()]
