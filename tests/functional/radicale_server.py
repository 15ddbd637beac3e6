# SPDX-License-Identifier: Apache-2.0
"""Radicale, a CalDAV server, on a port of its own of this machine, with the user ann (secret)."""

import shutil
import subprocess

import httpx

from hub_process import free_port, wait_until

USER, PASSWORD = "ann", "secret"
CALENDAR = """<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>{name}</D:displayname>
<C:supported-calendar-component-set><C:comp name="{kind}"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>
"""


class Radicale:
    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.process = None
        self.log = folder / "log"
        folder.mkdir()
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        self.write_settings()
        self.start()

    def write_settings(self):
        (self.folder / "config").write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = {self.folder}/users\n"
            f"htpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = {self.folder}/collections\n"
            "[logging]\nlevel = info\n")

    def forbid_writing(self):
        """From now on the user may read only, though the server does not say so before."""
        self.stop()
        (self.folder / "rights").write_text("[all]\nuser: .+\ncollection: .*\npermissions: Rr\n")
        with (self.folder / "config").open("a") as settings:
            settings.write(f"[rights]\ntype = from_file\nfile = {self.folder}/rights\n")
        self.start()

    def start(self):
        program = shutil.which("radicale")
        assert program, "radicale is missing: tools/bootstrap --test installs it"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(["/usr/bin/python3", program, "--config", str(self.folder / "config")], stdout=log, stderr=log)
        self.client = httpx.Client(base_url=self.url, auth=(USER, PASSWORD), trust_env=False)

        def answers():
            assert self.process.poll() is None, self.log.read_text()
            try:
                return self.client.request("OPTIONS", "/").status_code < 500
            except httpx.TransportError:
                return False
        wait_until(answers, 20)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def requests(self):
        """The methods and paths that have come, such as "PROPFIND /ann/"."""
        lines = [line.split(" request for '") for line in self.log.read_text().splitlines() if " request for '" in line]
        return [f"{before.split()[-1]} {after.split(chr(39))[0]}" for before, after in lines]

    def make(self, calendar, name, kind="VEVENT"):
        answer = self.client.request("MKCALENDAR", f"/{USER}/{calendar}/", content=CALENDAR.format(name=name, kind=kind).encode())
        assert answer.status_code == 201, answer.text

    def put(self, calendar, uid, text):
        answer = self.client.put(f"/{USER}/{calendar}/{uid}.ics", content=text.encode(), headers={"Content-Type": "text/calendar"})
        assert answer.status_code == 201, answer.text

    def get(self, calendar, uid):
        answer = self.client.get(f"/{USER}/{calendar}/{uid}.ics")
        return answer.text if answer.status_code == 200 else None

    def delete(self, calendar, uid=None):
        assert self.client.delete(f"/{USER}/{calendar}/" + (f"{uid}.ics" if uid else "")).status_code == 200

    def objects(self, calendar):
        """The texts of all events."""
        found = self.client.request("PROPFIND", f"/{USER}/{calendar}/", headers={"Depth": "1"}).text
        paths = [part.split("</href>")[0] for part in found.split("<href>")[1:]]
        return [self.client.get(path).text for path in paths if path.endswith(".ics")]

    def stop(self):
        self.client.close()
        self.process.terminate()
        self.process.wait(10)
