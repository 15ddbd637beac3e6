# SPDX-License-Identifier: Apache-2.0
"""The web server of docs/building-blocks.md: a weather service, news, a pump, a page; it also misbehaves."""

import http.server
import json
import threading

WEATHER = {"now": {"temperature": 21.5, "wind": 80}, "days": [{"wind": 30, "rain": 2, "sun": 5}]}
NEWS = """<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>
<item><title>First</title></item><item><title>Second</title></item></channel></rss>"""
PAGE = """<html><body><div id="depot"><p>Water</p><table><tr><td>Level<td class="level">3,42 m<tr><td>Flow<td class="level">17</table>
<a class="more" href="/next?page=2">next</a></div></body></html>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = self.path.split("?")[0]
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        if self.command in ("POST", "PUT") and path == "/pump":
            self.server.pages["/pump"] = ("application/json", body.encode())
        if path == "/huge":
            return self.stream()
        if path == "/hang":
            return self.server.released.wait(120)
        if path in self.server.redirections:
            return self.send(302, "text/plain", b"", {"Location": self.server.redirections[path]})
        if path not in self.server.pages:
            return self.send(404, "text/html", b"<h1>Not found</h1>")
        return self.send(200, *self.server.pages[path])

    do_GET = do_POST = do_PUT = answer

    def send(self, status, kind, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, text in dict(headers).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for _ in range(1_000):
                self.wfile.write(b"1" * 1_000_000)
                self.server.streamed += 1
        except OSError:
            pass

    def log_message(self, *_):
        pass


class ValueServer(http.server.ThreadingHTTPServer):
    """`asked` has (method, path, headers, body) of each request. /huge is without end, /hang answers when `released` is set."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.redirections, self.streamed, self.released = [], {}, 0, threading.Event()
        self.pages = {"/weather.json": ("application/json", json.dumps(WEATHER).encode()),
                      "/news.xml": ("application/rss+xml", NEWS.encode()),
                      "/pump": ("application/json", b'{"on": false}'),
                      "/water.html": ("text/html; charset=utf-8", PAGE.encode())}
        self.thread = threading.Thread(target=self.serve_forever)
        self.thread.start()

    def stop(self):
        self.released.set()
        self.shutdown()
        self.thread.join()
        self.server_close()
