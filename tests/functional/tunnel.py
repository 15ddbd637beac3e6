# SPDX-License-Identifier: Apache-2.0
"""With $HEARTH_TLS the hubs of the tests speak TLS, and stunnel leads what tests say plainly to them: so each test of what goes
through the port is one of TLS, too. Hubs whose test writes the section `http` itself speak plainly."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

WANTED = bool(os.environ.get("HEARTH_TLS"))
PROGRAM = shutil.which("stunnel4") or shutil.which("stunnel")


@functools.cache
def tls_settings():
    """A pair of this run's own."""
    from hub_process import BINARY
    folder = Path(tempfile.mkdtemp(prefix="hearth-tls-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([BINARY, "tls", "self-signed", "--config", folder], check=True, stdout=subprocess.DEVNULL)
    return {"certificate": str(folder / "certificate.pem"), "key": str(folder / "certificate_key.pem")}


def is_secure(folder):
    file = Path(folder) / "configuration.yaml"
    return file.is_file() and tls_settings()["key"] in file.read_text(encoding="utf-8", errors="replace")


class Tunnel:
    """Whoever connects to `port` reaches the hub at `inner`, over TLS."""

    def __init__(self, port, inner):
        self.inner = inner
        self.file = tempfile.NamedTemporaryFile("w", suffix=".conf")  # noqa: SIM115
        self.file.write(f"foreground = quiet\npid =\nsocket = l:TCP_NODELAY=1\nsocket = r:TCP_NODELAY=1\n[hub]\nclient = yes\n"
                        f"accept = 127.0.0.1:{port}\nconnect = 127.0.0.1:{inner}\nsslVersionMin = TLSv1.2\n")
        self.file.flush()
        # The shell's input ends with this process, however it ends: stunnel goes with it.
        self.process = subprocess.Popen(["/bin/sh", "-c", '"$0" "$1" & read -r _; kill -KILL $!; wait', PROGRAM, self.file.name],
                                        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.file.close()
