# SPDX-License-Identifier: Apache-2.0
"""A home whose configuration a test writes, and the examples of the documents."""

import re

from checks import call
from hub_process import REPOSITORY, wait_until


def example_of(section, document="building-blocks"):
    """The YAML with which a section of a document begins."""
    text = (REPOSITORY / f"docs/{document}.md").read_text(encoding="utf-8")
    return re.search(rf"## `{section}`\n\n```yaml\n(.*?)```", text, re.DOTALL)[1]


class WrittenHome:
    """`port`: that of the test's server, in place of 8080, which the documents have."""

    def __init__(self, hub_factory, port=8080, **configuration):
        self.folder = hub_factory.folder(**configuration)
        self.base = (self.folder / "configuration.yaml").read_text()
        self.hub_factory = hub_factory
        self.port = port
        self.hub = None

    def write(self, text):
        """Below the usual configuration; replaces what was written before."""
        (self.folder / "configuration.yaml").write_text(self.base + text.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}"))
        return self

    def start(self):
        self.hub = self.hub_factory(self.folder)
        return self.hub

    def becomes(self, entity_id, expected):
        def state():
            answer = self.hub.admin.get(f"/api/states/{entity_id}")
            return answer.json()["state"] if answer.status_code == 200 else None

        wait_until(lambda: state() == expected, timeout=60)

    def ask(self, service, user="admin", **data):
        """The service's response."""
        return call(self.hub, service, data, user=user, query="?return_response")["service_response"]
