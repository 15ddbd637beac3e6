# SPDX-License-Identifier: Apache-2.0
"""Fetches the frontends that frontends.txt names, if they are missing or of another digest."""

import shutil
import sys
import zipfile

from hub_process import REPOSITORY
from packages import FOLDER, run

LOCK = FOLDER / "frontends.txt"


def install_frontend(version):
    """The folder with the built pages of that version."""
    line = next(line for line in LOCK.read_text().splitlines() if f"=={version} " in line)
    folder = REPOSITORY / "build/frontends" / version
    stamp = folder / ".installed"
    if not (stamp.is_file() and stamp.read_text() == line):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "requirement.txt").write_text(line + "\n")
        # The pages are no Python: which one the package is for does not matter.
        run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes",
            "--only-binary", ":all:", "--python-version", "3.13", "--dest", folder, "--requirement", folder / "requirement.txt")
        [wheel] = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder, [name for name in packed.namelist() if name.startswith("hass_frontend/")])
        wheel.unlink()
        stamp.write_text(line)
    return folder / "hass_frontend"
