# SPDX-License-Identifier: Apache-2.0
"""hass-rs, a library for Rust: its program is hass_rs/src/main.rs. Run by tests/clients/all."""

import os
import re
import shutil
import subprocess

import pytest

from packages import ENVIRONMENTS, FOLDER

pytestmark = pytest.mark.large


def build():
    """The program, built from the crates that Cargo.lock pins."""
    cargo = shutil.which("cargo")
    if not cargo:
        pytest.skip("cargo is missing")
    folder = ENVIRONMENTS / "hass_rs"
    shutil.copytree(FOLDER / "hass_rs", folder, dirs_exist_ok=True)
    lock = folder / "Cargo.lock"
    pinned = lock.read_text()
    # The lock names no registry. Which one cargo uses, it writes itself.
    lock.unlink()
    run(cargo, "generate-lockfile", cwd=folder)
    source = re.search(r"^source = .*\n", lock.read_text(), re.M)[0]
    lock.write_text(re.sub(r"^(?=checksum = )", source, pinned, flags=re.M))
    run(cargo, "build", "--quiet", "--locked", cwd=folder)
    return folder / "target/debug/hass-rs-client"


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=1200, env={**os.environ, "CARGO_TARGET_DIR": str(cwd / "target")})
    assert done.returncode == 0, done.stdout


@pytest.mark.timeout(1500)
def test_program(module_hubs, name):
    program = build()
    hub = module_hubs()
    ran = subprocess.Popen([program, hub.url.replace("http", "ws") + "/api/websocket", hub.tokens["admin"], name],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for _ in range(300):
            hub.admin.post(f"/api/events/{name}", json={"a": 1})
            try:
                ran.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                continue
    finally:
        if ran.poll() is None:
            ran.kill()
        printed, _ = ran.communicate()
    assert ran.returncode == 0, printed
    assert hub.admin.get("/api/states/light.kitchen").json()["attributes"]["brightness"] == 120
