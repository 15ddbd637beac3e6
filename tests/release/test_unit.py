# SPDX-License-Identifier: Apache-2.0
"""The unit of systemd: what it protects, and that the hub works under it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hub_process import BINARY

REPOSITORY = Path(__file__).resolve().parents[2]
SYSTEMD = REPOSITORY / "packaging/systemd"
UNIT = SYSTEMD / "hearth.service"
DROP_INS = sorted((SYSTEMD / "drop-ins").glob("*.conf"))
LAUNCHER = REPOSITORY / "tests/release/confined_hearth"

needs_systemd_analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")


def exposure(unit):
    shown = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit], capture_output=True, text=True)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", shown.stdout)
    assert found, shown.stdout + shown.stderr
    return float(found[1])


@needs_systemd_analyze
def test_the_unit_exposes_little():
    assert exposure(UNIT) <= 1.2


@needs_systemd_analyze
@pytest.mark.parametrize("drop_in", DROP_INS, ids=lambda path: path.name)
def test_a_drop_in_opens_no_more_than_it_says(tmp_path, drop_in):
    unit = tmp_path / "hearth.service"
    unit.write_text(UNIT.read_text() + "\n" + drop_in.read_text())
    assert exposure(unit) <= 2.0


@needs_systemd_analyze
@pytest.mark.parametrize("drop_ins", [[], DROP_INS], ids=["alone", "with all drop-ins"])
def test_systemd_understands_every_line(tmp_path, drop_ins):
    """With a program that is there; systemd names each key and value that it does not know."""
    text = UNIT.read_text().replace("/usr/bin/hearth", str(BINARY)) + "".join("\n" + path.read_text() for path in drop_ins)
    unit = tmp_path / "hearth.service"
    unit.write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "hearth.service" in line]
    assert not said, "\n".join(said)


@pytest.fixture
def launcher():
    pytest.importorskip("seccomp", reason="python3-seccomp is not installed")
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze")
    return LAUNCHER


def test_the_launcher_denies_what_the_unit_denies(launcher, tmp_path, monkeypatch):
    """The tests under the launcher prove something only if it denies."""
    program = tmp_path / "program"
    program.write_text("""#!/usr/bin/python3
import ctypes, errno, mmap, os, socket
def code(call):
    try:
        call()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    ctypes.set_errno(0)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "")
open("file", "w").close()
print(code(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE)))
print(code(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)))
print(code(lambda: socket.socket(socket.AF_INET)))
print(code(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)))
print(code(lambda: os.chmod("file", 0o600)))
print(code(lambda: os.chmod("file", 0o4755)))
print(code(lambda: os.setpriority(os.PRIO_PROCESS, 0, 10)))
print(code(lambda: os.chroot("/")))
print(code(lambda: called("unshare", 0x10000000)))
print(code(lambda: called("mount", b"none", b"/tmp", b"tmpfs", 0, None)))
""")
    program.chmod(0o755)
    monkeypatch.setenv("HEARTH_CONFINED", str(program))
    done = subprocess.run([launcher], capture_output=True, text=True, cwd=tmp_path)
    expected = ["done", "EPERM", "done", "EAFNOSUPPORT", "done", "EPERM", "done", "EPERM", "EPERM", "EPERM"]
    assert done.stdout.split() == expected, done.stderr


def test_the_hub_works_under_the_limits_of_the_unit(launcher, hub_factory, monkeypatch):
    """In short; the functional tests take HEARTH_BINARY=tests/release/confined_hearth."""
    monkeypatch.setenv("HEARTH_CONFINED", str(BINARY))
    folder = hub_factory.folder()
    hub = hub_factory.start(folder, binary=launcher)
    answer = hub.admin.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen"})
    assert answer.status_code == 200
    assert hub.admin.post("/api/services/backup/create", json={}).status_code == 200
    hub.stop()
    again = hub_factory.start(folder, binary=launcher)
    assert again.admin.get("/api/states/light.kitchen").json()["state"] == "on"
    status = Path(f"/proc/{again.process.pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status and re.search(r"CapEff:\t0+\n", status) and "Seccomp:\t2" in status
    assert not again.warnings()
