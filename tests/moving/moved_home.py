# SPDX-License-Identifier: Apache-2.0
"""The kept homes of another hub, and moving out of them: for the functional tests and for second_opinion."""

import datetime
import hashlib
import json
import lzma
import subprocess
import tarfile
from pathlib import Path

from hub_process import BINARY

HOMES = Path(__file__).resolve().parent / "homes"
VERSIONS = sorted(folder.name for folder in HOMES.iterdir())


def answers_of(version):
    """What that hub itself answered, and the made-up passwords, tokens and sessions of its users."""
    return json.loads(lzma.open(HOMES / version / "answers.json.xz").read())


def change_json(path, change):
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data["data"])
    path.write_text(json.dumps(data), encoding="utf-8")


def used_an_hour_ago(auth):
    """As if its people had used it until now: sessions end after 90 days."""
    now = datetime.datetime.now(datetime.timezone.utc)
    for token in auth["refresh_tokens"]:
        if token["token_type"] == "normal":
            token["last_used_at"] = (now - datetime.timedelta(hours=1)).isoformat()
            token["expire_at"] = (now + datetime.timedelta(days=90)).timestamp()


def unpack(version, folder, killed=False, broker=None):
    """The old home in a new folder, which was used until now; as it was left when its hub was `killed`; with this port of its broker."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    for name in ("home.tar.xz", *(["killed.tar.xz"] if killed else [])):
        with tarfile.open(HOMES / version / name) as archive:
            archive.extractall(folder)  # made by make_home
    change_json(folder / ".storage/auth", used_an_hour_ago)
    if broker:
        change_json(folder / ".storage/core.config_entries", lambda data: next(
            each for each in data["entries"] if each["domain"] == "mqtt")["data"].update(port=broker))
    return folder


def storage(source, name):
    """The data of a file of .storage/."""
    return json.loads((Path(source) / ".storage" / name).read_text(encoding="utf-8"))["data"]


def sums_of(folder):
    """SHA-256 of every file below."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def import_home(source, folder, *options, timeout=120):
    """Runs `hearth import-ha` to its end: the process, and its report; None if it has printed none."""
    done = subprocess.run([str(BINARY), "import-ha", str(source), "--config", str(folder), "--json", *options],
                          capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    return done, json.loads(done.stdout) if done.stdout.startswith("{") else None


class Fates:
    """The items of a report, by what they are and their id."""

    def __init__(self, report):
        self.report = report
        self.items = {(item["what"], item["id"]): item for item in report["items"]}

    def find(self, kinds, identity):
        """The item of one of these kinds; None if the report does not name it."""
        found = [self.items[kind, identity] for kind in kinds if (kind, identity) in self.items]
        return found[0] if found else None

    def of(self, kinds, identity):
        """The fate; None if the report does not name it."""
        item = self.find(kinds, identity)
        return item["fate"] if item else None
