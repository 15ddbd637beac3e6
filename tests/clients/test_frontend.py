# SPDX-License-Identifier: Apache-2.0
"""Another hub's own frontend, as its makers built it, served by this hub: in a real browser."""

import shutil

import pytest

from frontends import install_frontend
from hub_process import PASSWORD, REPOSITORY, wait_until
from line_client import LineClient
from packages import FOLDER

SCREENSHOTS = REPOSITORY / "build/screenshots"
LIGHT, SENSOR = "light.kitchen", "sensor.outdoor_temperature"
DIALOG = "ha-more-info-dialog ha-state-control-light-brightness"
# What the pages show without, because the home has none of it.
EMPTY = {("lovelace/config", "config_not_found"), ("energy/get_prefs", "not_found")}
# What the browser says of these pages at every hub.
# "Object" is a command of EMPTY. The 401 is of an image that nobody has taken yet: it has no token, so the page asks
# with the token "undefined". The transition is of a page that is left before it is drawn.
KNOWN_COMPLAINTS = ("net::ERR_ABORTED", "net::ERR_NAME_NOT_RESOLVED", "Object", "status of 401 (Unauthorized)",
                    "Transition was skipped")


@pytest.fixture(scope="module")
def browser(node_packages):
    executable = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
    assert executable, "chromium is missing: tools/bootstrap --test"
    client = LineClient(shutil.which("node"), "browser.mjs", cwd=FOLDER)
    client.ask("start", executable=executable)
    yield client
    client.stop()


class Visit:
    """Somebody who logs in on the pages of one version."""

    def __init__(self, browser, hub, version):
        self.browser, self.hub, self.version = browser, hub, version
        browser.ask("open", url=hub.url, width=1280, height=900)
        self.see("login", "ha-authorize input[name=username]")
        browser.ask("fill", selector="input[name=username]", text="admin")
        browser.ask("fill", selector="input[name=password]", text=PASSWORD, enter=True)

    def see(self, name, *selectors):
        for selector in selectors:
            self.browser.ask("waitFor", selector=selector)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.browser.ask("screenshot", path=str(SCREENSHOTS / f"frontend-{self.version[:4]}-{name}.png"))

    def click(self, selector):
        self.browser.ask("click", selector=selector)

    def go(self, path):
        self.browser.ask("goTo", url=self.hub.url + path)

    def is_on(self):
        return self.hub.admin.get(f"/api/states/{LIGHT}").json()["state"] == "on"

    def toggles(self, selector):
        before = self.is_on()
        self.click(selector)
        wait_until(lambda: self.is_on() != before)

    def history_and_logbook(self):
        self.go(f"/history?entity_id={LIGHT},{SENSOR}")
        self.see("history", "state-history-charts canvas")
        self.go("/logbook")
        self.see("logbook", "ha-logbook-renderer .entry")


@pytest.fixture
def visit(browser, module_hubs, request):
    version = request.param
    hub = module_hubs(module_hubs.folder(frontend={"folder": str(install_frontend(version))}))
    yield Visit(browser, hub, version)
    refused = {(answer["type"], answer["code"]) for answer in browser.ask("refused")} - EMPTY
    assert not refused
    complaints = browser.ask("complaints")
    assert not [text for text in complaints if not any(known in text for known in KNOWN_COMPLAINTS)], complaints


@pytest.mark.parametrize("visit", ["20240307.0"], indirect=True)
def test_the_frontend_of_2024_works(visit):
    row = "hui-entities-card:has-text('Kitchen') hui-toggle-entity-row:has-text('Light')"
    visit.see("overview", row)
    visit.toggles(f"{row} ha-switch")
    visit.hub.admin.post("/api/services/light/turn_on", json={"entity_id": LIGHT})
    visit.click(f"{row} .info")
    visit.see("more-info", DIALOG)
    visit.history_and_logbook()
    visit.go("/config/integrations/dashboard")
    visit.see("integrations", "ha-integration-card:has-text('Demo')")


@pytest.mark.large
@pytest.mark.parametrize("visit", ["20260128.6"], indirect=True)
def test_the_frontend_of_2026_works(visit):
    visit.see("overview", "hui-area-card:has-text('Kitchen')")
    visit.click("hui-area-card:has-text('Kitchen')")
    tile = "hui-tile-card:has-text('Light')"
    visit.see("area", tile)
    visit.toggles(f"{tile} ha-tile-icon")
    visit.hub.admin.post("/api/services/light/turn_on", json={"entity_id": LIGHT})
    visit.click(tile)
    visit.see("more-info", DIALOG)
    visit.history_and_logbook()
    visit.go("/config/integrations/dashboard")
    visit.see("integrations", "ha-integration-card:has-text('Demo')")
