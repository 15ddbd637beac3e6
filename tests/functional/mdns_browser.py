#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints each change of the services of a type, as python3-zeroconf sees it: a line of JSON each."""

import json
import sys

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf


def say(seen):
    """A line, in one write: others are said by threads of the browser."""
    sys.stdout.write(json.dumps(seen) + "\n")
    sys.stdout.flush()


class Printer(ServiceListener):
    def _print(self, change, zeroconf, type_, name):
        seen = {"change": change, "name": name.removesuffix("." + type_)}
        info = zeroconf.get_service_info(type_, name) if change != "removed" else None
        if info:
            seen |= {"port": info.port, "host": info.server, "addresses": info.parsed_addresses(),
                     "texts": {key.decode(): (value or b"").decode() for key, value in info.properties.items()}}
        say(seen)

    def add_service(self, zc, type_, name):
        self._print("added", zc, type_, name)

    def update_service(self, zc, type_, name):
        self._print("updated", zc, type_, name)

    def remove_service(self, zc, type_, name):
        self._print("removed", zc, type_, name)


if __name__ == "__main__":
    browser = ServiceBrowser(Zeroconf(), sys.argv[1] + ".local.", Printer())
    say({"change": "begun"})
    browser.join()
