# SPDX-License-Identifier: Apache-2.0
"""What tools/zigbee_models makes."""

import gzip
import json
import os
import subprocess
from functools import cache
from itertools import islice
from pathlib import Path

from hub_process import REPOSITORY

PREFIX = "homeassistant/"
ALL_MODELS = 300  # of the sample
MODELS = int(os.environ.get("HEARTH_MODELS", ALL_MODELS))


@cache
def folder():
    made = subprocess.run([REPOSITORY / "tools/zigbee_models"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=600)
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip())


def lines(name):
    with gzip.open(folder() / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def discovery():
    """Objects with model, topic and payload (a text)."""
    return lines("discovery.jsonl.gz")


def least(count):
    """The part of the count, which is that of the whole sample, for the models of this run."""
    return count * MODELS // ALL_MODELS


def sample():
    return list(islice(lines("sample.jsonl.gz"), MODELS))


def component(topic):
    return topic.split("/")[1]
