# SPDX-License-Identifier: Apache-2.0
"""The hub's templates beside Python's Jinja2: the same text, or the same kind of failure."""

import http.client
import json
import os
import random
from pathlib import Path

import pytest
from expressions import Maker
from reference import VARIABLES, Reference

WRITTEN = [line for line in (Path(__file__).parent / "expressions.txt").read_text(encoding="utf-8").splitlines() if line.strip()]
SEED = int(os.environ.get("HEARTH_SEED", "1"))  # another one makes other expressions
MOST_GROUPS, GROUP = 20, 1_000
GROUPS = int(os.environ.get("HEARTH_GROUPS", MOST_GROUPS))
MOMENT = "{% set moment = strptime('2026-11-24 10:05:09.012345+0000', '%Y-%m-%d %H:%M:%S.%f%z') %}"


def at_one_moment(template):
    """The template with a fixed time in place of now() and utcnow(), which differ from one program to the next."""
    fixed = template.replace("utcnow()", "moment").replace("now()", "moment")
    return template if fixed == template else MOMENT + fixed


class Renderer:
    """Renders in the hub, on one connection."""

    def __init__(self, hub):
        self.connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
        self.headers = {"Authorization": f"Bearer {hub.tokens['admin']}"}

    def render(self, template):
        """As Reference.render."""
        self.connection.request("POST", "/api/template", json.dumps({"template": template, "variables": VARIABLES}), self.headers)
        response = self.connection.getresponse()
        body = response.read().decode()
        assert response.status in (200, 400), (template, response.status, body)
        return (body, None) if response.status == 200 else (None, json.loads(body)["kind"])


@pytest.fixture(scope="module")
def renderer(module_hubs):
    return Renderer(module_hubs.start())


def same(ours, theirs):
    # What Python's integers of any size can hold, and ours cannot, is a limit here.
    return ours == theirs or ours[1] == "limit"


@pytest.mark.parametrize("template", WRITTEN)
def test_written_expressions(renderer, template):
    template = at_one_moment(template)
    assert renderer.render(template) == Reference().render(template)


@pytest.mark.parametrize("group", range(GROUPS))
def test_generated_expressions(renderer, group):
    maker, reference = Maker(random.Random(SEED * MOST_GROUPS + group)), Reference()
    different = []
    for _ in range(GROUP):
        template = maker.template()
        ours, theirs = renderer.render(template), reference.render(template)
        if not same(ours, theirs):
            different.append(f"{template}\n  here {ours}, there {theirs}")
    assert not different, "\n".join(different)
