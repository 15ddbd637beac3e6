# SPDX-License-Identifier: Apache-2.0
"""Calendars at addresses of this machine, by Python's own server; and their texts."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def event(uid, start, end, summary="X", *more):
    lines = ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20261101T000000Z", f"DTSTART{start}", f"DTEND{end}", f"SUMMARY:{summary}", *more,
             "END:VEVENT"]
    return "".join(line + "\r\n" for line in lines)


def calendar(*events):
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + "".join(events) + "END:VCALENDAR\r\n"


class IcsServer:
    """Answers each path of `texts` with its text and an ETag; `requests` has (path, headers, status) of each."""

    def __init__(self, user=None, **texts):
        self.texts = {f"/{name}.ics": text for name, text in texts.items()}
        self.requests = []
        self.status = None  # of every answer, if it is not None
        self.kind = "text/calendar; charset=utf-8"
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                status, body, tag = owner.answer(self)
                owner.requests.append((self.path, dict(self.headers), status))
                self.send_response(status)
                if status == 401:
                    self.send_header("WWW-Authenticate", 'Basic realm="r"')
                if tag:
                    self.send_header("ETag", tag)
                self.send_header("Content-Type", owner.kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass  # the hub has ended a connection that brings too much

            def log_message(self, *arguments):
                pass

        self.credentials = user and "Basic " + base64.b64encode(user.encode()).decode()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def answer(self, handler):
        text = self.texts.get(handler.path)
        if self.status:
            return self.status, b"", None
        if self.credentials and handler.headers["Authorization"] != self.credentials:
            return 401, b"", None
        if text is None:
            return 404, b"", None
        body = text if isinstance(text, bytes) else text.encode()
        tag = f'"{hash(body)}"'
        return (304, b"", tag) if handler.headers["If-None-Match"] == tag else (200, body, tag)

    def url(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}.ics"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
