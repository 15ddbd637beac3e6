#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A node that announces itself: ADDRESS NAME MAC. Says `announced`; ends with its standard input."""

import socket
import sys
from pathlib import Path

from zeroconf import ServiceInfo, Zeroconf

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from esphome_node import Fixed, Node, message  # noqa: E402 - found by the line above

if __name__ == "__main__":
    address, name, mac = sys.argv[1:]
    node = Node(messages=[(17, message(f2=Fixed(1), f3="Relay")), (26, message(f1=Fixed(1)))], name=name, mac=mac, host=address)
    zeroconf = Zeroconf(interfaces=[address])
    kind = "_esphomelib._tcp.local."
    zeroconf.register_service(ServiceInfo(
        kind, f"{name}.{kind}", port=node.port, server=f"{name}.local.", addresses=[socket.inet_aton(address)],
        properties={"mac": mac.replace(":", "").lower(), "friendly_name": "Attic lamp", "version": "2026.6.5"}))
    print(f"announced\n{node.port}", flush=True)
    sys.stdin.read()
    zeroconf.close()
