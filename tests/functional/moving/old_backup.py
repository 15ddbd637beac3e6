# SPDX-License-Identifier: Apache-2.0
"""Backups as the other hub makes them, of a folder of it."""

import hashlib
import io
import json
import subprocess
import tarfile


def entry(name, content):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info, io.BytesIO(content)


def archive_of(entries, mode="w"):
    """The bytes of a tar of (name, content)."""
    made = io.BytesIO()
    quickly = {"compresslevel": 1} if mode.endswith("gz") else {}
    with tarfile.open(fileobj=made, mode=mode, **quickly) as archive:
        for name, content in entries:
            archive.addfile(*entry(name, content))
    return made.getvalue()


def hundred_hashes(data):
    for _ in range(100):
        data = hashlib.sha256(data).digest()
    return data[:16]


def sealed(plain, passphrase):
    """By version 2 of its encryption."""
    salt = bytes(range(16))
    key = hundred_hashes(passphrase.encode())
    secret = subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", key.hex(), "-iv", hundred_hashes(key + salt).hex()],
                            input=plain, capture_output=True, check=True).stdout
    return b"SecureTar\x02" + bytes(6) + len(plain).to_bytes(8, "big") + bytes(8) + salt + secret


def files_of(folder):
    return [(f"data/{path.relative_to(folder)}", path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]


def backup_of(entries, version, passphrase=None):
    """The bytes of a backup with these entries (name, content) in its inner archive."""
    inner = archive_of(entries, "w:gz")
    about = {"slug": "a1b2c3d4", "name": "Before the move", "date": "2026-11-20T04:05:06.000000+00:00", "type": "full", "compressed": True,
             "protected": passphrase is not None, "homeassistant": {"version": version, "exclude_database": False}, "folders": [], "addons": []}
    return archive_of([("./backup.json", json.dumps(about).encode()),
                       ("./homeassistant.tar.gz", sealed(inner, passphrase) if passphrase else inner)])
