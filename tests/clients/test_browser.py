# SPDX-License-Identifier: Apache-2.0
"""A web application on another origin, in a real browser: it sends the user to the hub to log in, and works with it."""

import functools
import http.server
import shutil
import threading
from urllib.parse import quote, urlsplit

import pytest

from hub_process import PASSWORD, REPOSITORY
from line_client import LineClient
from packages import FOLDER, NODE_MODULES

SCREENSHOTS = REPOSITORY / "build/screenshots"
LIBRARY = NODE_MODULES / "home-assistant-js-websocket/dist"


class Panel(http.server.SimpleHTTPRequestHandler):
    """Serves the application, and the library that it uses."""

    def translate_path(self, path):
        name = urlsplit(path).path
        folder, name = (LIBRARY, name[len("/library/"):]) if name.startswith("/library/") else (FOLDER / "panel", name)
        return str(folder / (name.strip("/") or "index.html"))

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def panel(node_packages):
    """The origin of the application."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Panel)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def own(module_hubs, panel):
    return module_hubs(http={"cors_allowed_origins": [panel]})


@pytest.fixture(scope="module")
def browser(node_packages):
    executable = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
    assert executable, "chromium is missing: tools/bootstrap --test"
    client = LineClient(shutil.which("node"), "browser.mjs", cwd=FOLDER)
    client.ask("start", executable=executable)
    yield client
    client.stop()


@pytest.fixture
def open_panel(browser, panel, own):
    """Opens the application, which leads to the login page; at the end the browser may have complained of nothing but
    what the test expects."""
    expected = []

    def begin(*complaints, hub=own, **window):
        expected.extend(complaints)
        browser.ask("open", url=f"{panel}/?hub={quote(hub.url, safe='')}", **window)
        return browser.ask("waitForForm")

    yield begin
    complaints = browser.ask("complaints")
    for complaint in complaints:
        assert [text for text in expected if text in complaint], complaint
    for text in expected:
        assert [complaint for complaint in complaints if text in complaint], (text, complaints)


@pytest.mark.parametrize("user", ["admin", "ann"])
def test_user_logs_in_and_comes_back(browser, panel, own, open_panel, user):
    form = open_panel()
    assert urlsplit(form["url"])[:3] == ("http", urlsplit(own.url).netloc, "/auth/authorize")
    assert form["title"] == "Log in to Test home" and form["focused"] == "username"
    browser.ask("logIn", username=user, password=PASSWORD)
    browser.ask("waitForText", selector="#states", text=str(len(own.ann.get("/api/states").json())))
    address = browser.ask("url")
    assert address.startswith(panel + "/?hub=") and "code=" not in address

    # It is live: what changes elsewhere is seen, what is pressed here happens.
    own.admin.post("/api/services/light/turn_on", json={"entity_id": "light.kitchen"})
    browser.ask("waitForText", selector="#state", text="on")
    browser.ask("press", button="Toggle")
    browser.ask("waitForText", selector="#state", text="off")
    assert own.ann.get("/api/states/light.kitchen").json()["state"] == "off"

    # The session outlives the page.
    browser.ask("reload")
    browser.ask("waitForText", selector="#state", text="off")


def test_user_logs_out(browser, own, open_panel):
    open_panel("401")  # that is how the browser reports the answer that the application expects
    browser.ask("logIn", username="ann", password=PASSWORD)
    browser.ask("waitForText", selector="#state", text="on|off")
    browser.ask("press", button="Log out")
    browser.ask("waitForText", selector="#problem", text="Logged out: 401")


def test_a_wrong_password_is_told_and_can_be_mended(browser, own, open_panel):
    open_panel()
    browser.ask("logIn", username="ann", password="wrong")
    assert browser.ask("problem") == "The user name or the password is wrong."
    assert browser.ask("waitForForm")["focused"] == "password"  # the name is still there
    browser.ask("logIn", username="ann", password=PASSWORD)
    browser.ask("waitForText", selector="#state", text="on|off")


def test_an_origin_that_is_not_allowed_gets_no_token(browser, hub, open_panel):
    """The shared hub allows none: the user may log in, but the application cannot read the answer."""
    open_panel("CORS policy", "net::ERR_FAILED", hub=hub)
    browser.ask("logIn", username="ann", password=PASSWORD)
    browser.ask("waitForText", selector="#problem", text="Failed: TypeError: Failed to fetch")


@pytest.mark.parametrize("width, height", [(360, 640), (1024, 768)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_login_page_fits_its_window_in_both_schemes(browser, open_panel, width, height, scheme):
    open_panel(width=width, height=height, scheme=scheme)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    suffix = "" if scheme == "light" else "-dark"
    browser.ask("screenshot", path=str(SCREENSHOTS / f"authorize-{width}{suffix}.png"))
    assert browser.ask("fits")
    for colours in browser.ask("colours").values():
        text, background = (sum(map(int, colour.strip("rgb()").split(", "))) for colour in
                            (colours["text"], colours["background"]) if "rgba" not in colour)
        assert (text < background) == (scheme == "light")
    browser.ask("logIn", username="ann", password="wrong")
    assert browser.ask("problem")
    assert browser.ask("fits")
    browser.ask("screenshot", path=str(SCREENSHOTS / f"authorize-{width}{suffix}-wrong.png"))
