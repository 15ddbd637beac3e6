# SPDX-License-Identifier: Apache-2.0
"""Prints what the integrations that are named need from PyPI, by their manifests, and what a second factor needs."""

import json
import pathlib
import sys

import homeassistant
from homeassistant.auth.mfa_modules import totp

FOLDER = pathlib.Path(homeassistant.__file__).parent / "components"
HEAVY = {"webrtc-noise-gain"}  # built from source: see make_home

needed, waiting, seen = set(totp.REQUIREMENTS), sys.argv[1:], set()
while waiting:
    name = waiting.pop()
    manifest = FOLDER / name / "manifest.json"
    if name in seen or not manifest.exists():
        continue
    seen.add(name)
    known = json.loads(manifest.read_text(encoding="utf-8"))
    needed |= {each for each in known.get("requirements", []) if each.split("==")[0] not in HEAVY}
    waiting += known.get("dependencies", []) + known.get("after_dependencies", [])
    if name == "demo":  # it is a part of each of these
        waiting += [each.stem for each in (FOLDER / name).glob("*.py")]
print("\n".join(sorted(needed)))
