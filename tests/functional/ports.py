# SPDX-License-Identifier: Apache-2.0
"""Ports for hubs and servers, which no two processes of tests ever share."""

import itertools
import os
import socket

FIRST, LAST = 20_000, 32_000  # below the ports that the system gives to clients; tests/web has those below
BLOCK = 200  # ports that a process claims at once

_claims = []  # one listening socket for each claimed block, as long as the process lives


def bind(port, reuse=False):
    """A socket bound to the port, or None if the port is taken. With `reuse` a closed connection does not count as taken."""
    found = socket.socket()
    if reuse:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(("127.0.0.1", port))
        found.listen()
    except OSError:
        found.close()
        return None
    return found


def claimed_ports():
    """The ports of one block after the other. The process that listens on the first port of a block owns the rest of it. When no
    block is left, those that this process has come again."""
    starts = list(range(FIRST, LAST, BLOCK))
    middle = os.getpid() % len(starts)  # most processes find a free block at once
    own = []
    for start in starts[middle:] + starts[:middle]:
        if claim := bind(start):
            _claims.append(claim)
            own.append(range(start + 1, start + BLOCK))
            yield from own[-1]
    yield from itertools.cycle(itertools.chain.from_iterable(own))


_ports = claimed_ports()


def free_port():
    """A port that nothing listens on. A process that tried any port could be given one that another process had found free, too:
    then a test would take a foreign hub for its own."""
    for port in itertools.islice(_ports, LAST - FIRST):
        if probe := bind(port, reuse=True):
            probe.close()
            return port
    raise AssertionError("no port is free")
