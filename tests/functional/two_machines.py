# SPDX-License-Identifier: Apache-2.0
"""Two network namespaces with a cable between them: machines of a network that nobody else sees."""

import subprocess

import pytest


class Machine:
    """A network namespace, with loopback only. Of the user's own if the tests do not run as root."""

    def __init__(self, inside=None):
        unshare = ["unshare", "--net"] if inside or subprocess.run(
            ["unshare", "--net", "true"], capture_output=True).returncode == 0 else [
            "unshare", "--user", "--map-root-user", "--net"]
        keeper = ["sh", "-c", "ip link set lo up && echo up && exec sleep infinity"]
        self.enter = []
        self._process = subprocess.Popen([*(inside.enter if inside else []), *unshare, *keeper],
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self._process.stdout.readline() != "up\n":
            pytest.skip("this system allows no network namespace: " + self._process.stderr.read())
        of_user = ["--user", "--preserve-credentials"] if "--user" in unshare or (inside and "--user" in inside.enter) else []
        self.enter = ["nsenter", "--target", str(self.pid), *of_user, "--net"]

    @property
    def pid(self):
        return self._process.pid

    def run(self, *command):
        done = subprocess.run([*self.enter, *command], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def popen(self, *command, **options):
        return subprocess.Popen([*self.enter, *command], text=True, **options)

    def add_address(self, address):
        self.run("ip", "address", "add", address, "dev", "cable")

    def remove_address(self, address):
        self.run("ip", "address", "delete", address, "dev", "cable")

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()


class TwoMachines:
    def __init__(self):
        self.first = Machine()
        self.second = Machine(inside=self.first)

    def connect(self, first, second):
        """With these addresses, such as 10.77.0.2/24."""
        self.first.run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(self.second.pid))
        for machine, address in ((self.first, first), (self.second, second)):
            machine.add_address(address)
            machine.run("ip", "link", "set", "cable", "up")

    def close(self):
        self.second.close()
        self.first.close()
