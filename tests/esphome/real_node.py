# SPDX-License-Identifier: Apache-2.0
"""Builds a real ESPHome node for this machine, and runs it. What takes minutes is kept under build/esphome/."""

import hashlib
import os
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hub_process import REPOSITORY, wait_until

HERE = Path(__file__).resolve().parent
LOCK, NODE = HERE / "requirements.txt", HERE / "node"
FOLDER = REPOSITORY / "build/esphome"
PORT = 9053  # in test_node.yaml; no test claims it, see tests/functional/ports.py
MAC = "06:35:69:ab:f6:79"
FLAGS = ["-O0", "-w", "-std=gnu++20", "-fno-exceptions", "-DUSE_HOST", "-DHAVE_INLINE_ASM=1", "-DHAVE_WEAK_SYMBOLS=1",
         "-DESPHOME_LOG_LEVEL=ESPHOME_LOG_LEVEL_DEBUG"]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=900, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}"


def python():
    """The Python that has ESPHome and aioesphomeapi."""
    environment = FOLDER / "python"
    stamp, digest = environment / ".installed", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not (stamp.is_file() and stamp.read_text() == digest):
        shutil.rmtree(environment, ignore_errors=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        run("/usr/bin/python3", "-m", "venv", environment)
        run(environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
            "--no-deps", "--requirement", LOCK)
        stamp.write_text(digest)
    return environment / "bin/python"


def program():
    """The node's program, of test_node.yaml. ESPHome writes C++; PlatformIO, which would compile it, is not needed."""
    parts = [LOCK, *sorted(path for path in NODE.rglob("*") if path.is_file())]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()[:16]
    folder = FOLDER / digest
    made = folder / "node"
    if made.is_file():
        return made
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(NODE / "test_node.yaml", folder)
    run(python(), "-m", "esphome", "compile", "--only-generate", folder / "test_node.yaml")
    root = folder / ".esphome/build/test-node"
    sources = sorted((root / "src").rglob("*.cpp"))
    objects = [folder / f"{place}.o" for place in range(len(sources))]

    def compile_one(source, to):
        run("nice", "-n", "15", "g++", *FLAGS, f"-I{root / 'src'}", f"-I{NODE}", "-c", source, "-o", to)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, sources, objects))
    run("g++", *objects, "-o", folder / "linked", "-lpthread", "-lsodium")
    for each in objects:
        each.unlink()
    (folder / "linked").rename(made)
    return made


class RealNode:
    """A node that runs; what it keeps is in the folder."""

    def __init__(self, folder):
        self.folder = folder
        self.process = None
        self.start()

    def start(self):
        self.log = open(self.folder / "node.log", "ab")
        self.process = subprocess.Popen([program()], env={**os.environ, "HOME": str(self.folder)}, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=subprocess.STDOUT)
        wait_until(self.listens, 10)

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", PORT)) == 0

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        self.log.close()
