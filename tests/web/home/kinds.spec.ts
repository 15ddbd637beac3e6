// SPDX-License-Identifier: Apache-2.0
// The card that is drawn from what the hub tells of a domain: what it shows, and that each control calls one service.
import type { Locator, Page } from "@playwright/test";

import { calls, type Call } from "../calls";
import { expect, test } from "../fixtures";
import { Finger, pointOn } from "../finger";
import type { Hub } from "../hub";
import { dialog, fits, settled, toggle } from "../pages";

interface Kind {
  domain: string;
  value: { selector: { select?: { options: string[] } } };
  features: { bit: number }[];
  attributes: { name: string; selector: { text?: { multiple?: boolean } } }[];
  actions: { service: string; name: string }[];
}

// With those that are drawn by their domain's own card, but keep the same rules.
const own = ["alarm-control-panel", "media-player", "update", "vacuum", "weather"].map((domain) => `, hearth-${domain}-card`).join("");
const cards = (page: Page): Locator => page.locator(`hearth-kind-card${own}`);
const card = (page: Page, name: string): Locator => cards(page).filter({ has: page.getByRole("link", { name, exact: true }) });
const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const slider = (page: Page, name: string): Locator => page.getByRole("slider", { name, exact: true });
const field = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });

// Everything to use an entity with.
const controls = "button, input, select";

async function find(page: Page, name: string): Promise<Locator> {
  await page.getByRole("searchbox").fill(name);
  await expect(card(page, name)).toBeVisible();
  return card(page, name);
}

// The card of an entity, and every service that is called from then on.
async function watch(hub: Hub, page: Page, name: string): Promise<{ shown: Locator; noted: Call[] }> {
  const shown = await find(page, name);
  return { shown, noted: await calls(hub) };
}

// What the hub tells of its domains.
function kindsOf(hub: Hub, page: Page): Promise<Kind[]> {
  return page.evaluate(
    ([url, token]) =>
      new Promise<Kind[]>((resolve) => {
        const socket = new WebSocket(`${url.replace("http", "ws")}/api/websocket`);
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === "auth_required") socket.send(JSON.stringify({ type: "auth", access_token: token }));
          if (message.type === "auth_ok") socket.send(JSON.stringify({ id: 1, type: "hearth/kinds" }));
          if (message.type !== "result") return;
          socket.close();
          resolve(message.result);
        };
      }),
    [hub.url, hub.token("ann")] as const,
  );
}

interface Use {
  name: string;
  id: string;
  use: (page: Page) => Promise<unknown>;
  // Only its dialog has it.
  inDialog?: boolean;
  // The button of the question that comes first.
  asks?: string;
  called: string;
  data?: object;
  // What the card then says.
  says: string | RegExp;
}

const uses: Use[] = [
  {
    name: "Irrigation valve",
    id: "valve.irrigation",
    use: (page) => button(page, "Open: Irrigation valve").click(),
    asks: "Open",
    called: "open_valve",
    says: "Open",
  },
  {
    name: "Irrigation valve",
    id: "valve.irrigation",
    inDialog: true,
    use: (page) => slider(page, "Position of Irrigation valve").fill("40"),
    asks: "Move",
    called: "set_valve_position",
    data: { position: 40 },
    says: "Open · 40%",
  },
  {
    name: "Lawn mower",
    id: "lawn_mower.garden",
    use: (page) => button(page, "Start: Lawn mower").click(),
    called: "start_mowing",
    says: "Mowing",
  },
  {
    name: "Car charge limit",
    id: "number.car_charge_limit",
    use: (page) => slider(page, "Car charge limit").fill("90"),
    called: "set_value",
    data: { value: 90 },
    says: "90%",
  },
  {
    name: "Fridge target",
    id: "number.fridge_target",
    // At once, whoever else uses the machine: what is pressed within a moment is one call.
    use: (page) => button(page, "Raise Fridge target").evaluate((raise: HTMLElement) => [1, 2, 3].forEach(() => raise.click())),
    called: "set_value",
    data: { value: 6.5 },
    says: "6.5 °C",
  },
  {
    name: "Car charge mode",
    id: "select.car_charge_mode",
    use: (page) => page.getByLabel("Car charge mode").and(page.locator("select")).selectOption("fast"),
    called: "select_option",
    data: { option: "fast" },
    says: "fast",
  },
  {
    name: "Desk display text",
    id: "text.desk_display",
    inDialog: true,
    use: async (page) => {
      await field(page, "Desk display text").fill("Back at five");
      await button(page, "Set: Desk display text").click();
    },
    called: "set_value",
    data: { value: "Back at five" },
    says: "Back at five",
  },
  {
    name: "Desk display messages",
    id: "notify.desk_display",
    inDialog: true,
    use: async (page) => {
      await field(page, "Message of Desk display messages").fill("Tea is ready");
      await field(page, "Message of Desk display messages").press("Enter");
    },
    called: "send_message",
    data: { message: "Tea is ready" },
    says: /20\d\d/,
  },
  {
    name: "Guest wake-up",
    id: "time.guest_wake_up",
    inDialog: true,
    use: async (page) => {
      await page.getByLabel("Guest wake-up", { exact: true }).and(page.locator("input")).fill("08:15");
      await button(page, "Set: Guest wake-up").click();
    },
    called: "set_value",
    data: { time: "08:15:00" },
    says: /8:15/,
  },
  {
    name: "Guest arrival",
    id: "date.guest_arrival",
    inDialog: true,
    use: async (page) => {
      await page.getByLabel("Guest arrival", { exact: true }).and(page.locator("input")).fill("2027-01-02");
      await button(page, "Set: Guest arrival").click();
    },
    called: "set_value",
    data: { date: "2027-01-02" },
    says: /2027/,
  },
  {
    // It is shown, and understood, by the home's clocks: those of Berlin.
    name: "Guest departure",
    id: "datetime.guest_departure",
    inDialog: true,
    use: async (page) => {
      const departure = page.getByLabel("Guest departure", { exact: true }).and(page.locator("input"));
      await expect(departure).toHaveValue("2026-12-28T10:00");
      await departure.fill("2027-01-03T11:30");
      await button(page, "Set: Guest departure").click();
    },
    called: "set_value",
    data: { datetime: "2027-01-03 11:30:00" },
    says: /2027.*11:30/,
  },
  {
    name: "Guest room humidifier",
    id: "humidifier.guest_room",
    use: (page) => slider(page, "Target of Guest room humidifier").fill("60"),
    called: "set_humidity",
    data: { humidity: 60 },
    says: /60\s?%/,
  },
  {
    name: "Guest room humidifier",
    id: "humidifier.guest_room",
    use: (page) => toggle(page, "Guest room humidifier").click(),
    called: "turn_off",
    says: "Off",
  },
  {
    name: "Boiler",
    id: "water_heater.boiler",
    use: (page) => page.getByLabel("Mode of Boiler").selectOption("performance"),
    called: "set_operation_mode",
    data: { operation_mode: "performance" },
    says: "Performance",
  },
  {
    name: "Boiler",
    id: "water_heater.boiler",
    use: async (page) => {
      await expect(toggle(page, "Boiler")).toHaveAttribute("aria-checked", "true");
      await toggle(page, "Boiler").click();
    },
    called: "turn_off",
    says: "Off",
  },
  {
    name: "Living room remote",
    id: "remote.living_room",
    use: (page) => page.getByLabel("Activity of Living room remote").selectOption("Listen"),
    called: "turn_on",
    data: { activity: "Listen" },
    says: "On",
  },
  {
    name: "Hall siren",
    id: "siren.hall",
    use: (page) => toggle(page, "Hall siren").click(),
    asks: "Turn on",
    called: "turn_on",
    says: "On",
  },
  {
    name: "Router restart",
    id: "button.router_restart",
    use: async (page) => {
      await expect(card(page, "Router restart")).toContainText("Not yet");
      await button(page, "Press: Router restart").click();
    },
    called: "press",
    says: /20\d\d/,
  },
  {
    name: "Movie",
    id: "scene.movie",
    use: (page) => button(page, "Activate: Movie").click(),
    called: "turn_on",
    says: /20\d\d/,
  },
  {
    name: "Router firmware",
    id: "update.router",
    use: (page) => button(page, "Skip: Router firmware").click(),
    called: "skip",
    says: "Up to date",
  },
];

test("each control of a card calls one service, and shows what is reported", async ({ open, startHub }) => {
  test.setTimeout(240_000);
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, height: 1_200 });
  for (const { name, id, use, inDialog, asks, called, data = {}, says } of uses) {
    const { shown, noted } = await watch(hub, page, name);
    if (inDialog) {
      await page.getByRole("link", { name, exact: true }).click();
      await expect(dialog(page)).toHaveCount(1);
    }
    await use(page);
    if (asks !== undefined) {
      expect(noted).toEqual([]);
      await dialog(page).last().getByRole("button", { name: asks, exact: true }).click();
    }
    const domain = id.split(".")[0];
    const expected: Call[] = [{ service: `${domain}.${called}`, data: { ...data, entity_id: id } }];
    const first = () => noted.filter((call) => call.service.startsWith(`${domain}.`));
    await expect.poll(first, `${id}: ${called}`).toEqual(expected);
    await expect(shown, id).toContainText(says);
    expect(first(), `${id}: ${called}`).toEqual(expected);
    if (inDialog) await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
  }
});

test("a slider of a valve sends one position, where the finger leaves, and no tap moves it", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=valve.irrigation", { width: 360, height: 740, touch: true, hub });
  const noted = await calls(hub);
  const finger = await Finger.on(page);
  const meant = slider(page, "Position of Irrigation valve");
  await finger.tap(await pointOn(meant, 0.8));
  await finger.down(await pointOn(meant, 0.2));
  await finger.by(40, 2);
  await finger.by(40, 2);
  await expect(meant).not.toHaveValue("0");
  expect(noted).toEqual([]);
  await finger.up();
  await dialog(page).last().getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => noted.map(({ service }) => service)).toEqual(["valve.set_valve_position"]);
  await expect.poll(async () => (await hub.state("valve.irrigation")).attributes.current_position).toBe(noted[0]?.data.position);
});

test("a card has what its entity can do, and its dialog the rest", async ({ open, hub }) => {
  const buttonsOf = (place: Locator) => place.getByRole("button").allInnerTexts();
  await hub.setState("valve.dream", "closed", { friendly_name: "Dream valve", supported_features: 1 });
  await hub.setState("camera.dream", "idle", { friendly_name: "Dream camera", supported_features: 1 });
  await hub.setState("lawn_mower.dream", "docked", { friendly_name: "Dream mower" });
  const page = await open("/overview?view=list");
  expect(await buttonsOf(await find(page, "Dream valve"))).toEqual(["Open"]);
  await expect((await find(page, "Dream camera")).locator(controls)).toHaveCount(0);
  await expect((await find(page, "Dream mower")).locator(controls)).toHaveCount(0);
  await page.goto("/overview?entity=camera.dream");
  await expect(dialog(page).locator("hearth-kind-card").getByRole("button")).not.toHaveCount(0);
  for (const id of ["valve.dream", "camera.dream", "lawn_mower.dream"]) await hub.rest("DELETE", `/api/states/${id}`);
});

const asked = { friendly_name: "Dream number", min: 0, max: 10, step: 1, mode: "box" };

test("a camera's search for motion is one switch, which shows whether it is on", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=camera.driveway", { hub });
  const looks = dialog(page).getByRole("switch", { name: "Motion detection of Driveway camera" });
  await expect(looks).toBeChecked();
  await expect(dialog(page).getByRole("button", { name: /motion/i })).toHaveCount(0);
  await looks.click();
  await expect.poll(async () => (await hub.state("camera.driveway")).attributes.motion_detection).toBe(false);
  await expect(looks).not.toBeChecked();
  await expect(dialog(page).getByText(/access_token|entity_picture/)).toHaveCount(0);
});

test("a zone says who is there", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  const zone = page.locator("hearth-zone-card").filter({ hasText: "Test home" });
  await expect(zone).toContainText("Nobody here");
  await hub.setState("person.ann", "home", { friendly_name: "Ann" });
  await hub.setState("zone.home", "1", { friendly_name: "Test home", persons: ["person.ann"] });
  await expect(zone.locator(".state")).toHaveText("Ann");
  await hub.setState("zone.home", "2", { friendly_name: "Test home" });
  await expect(zone.locator(".state")).toHaveText("2 people here");
});

test("nothing is sent to what is unavailable, also what waits until then", async ({ open, hub }) => {
  await hub.setState("number.dream", "5", asked);
  const page = await open("/overview?view=list");
  const { shown: dream, noted } = await watch(hub, page, "Dream number");
  const sent = () => noted.filter(({ data }) => JSON.stringify(data).includes("number.dream")).map(({ data }) => data.value);
  await button(page, "Raise Dream number").click();
  await expect.poll(sent).toEqual([6]); // what is sent is seen
  await hub.setState("number.dream", "6", asked);
  await expect(dream).toContainText("6");
  await button(page, "Raise Dream number").click(); // it is sent after half a second
  await hub.setState("number.dream", "unavailable", asked);
  await expect(dream).toContainText("Unavailable");
  for (const control of await dream.locator(controls).all()) await expect(control).toBeDisabled();
  await page.waitForTimeout(1_000);
  expect(sent()).toEqual([6]);
  await hub.rest("DELETE", "/api/states/number.dream");
});

test("who may only look sees values, and no controls", async ({ open }) => {
  const page = await open("/overview?view=list", { user: "display", height: 6_000 });
  await settled(page);
  await expect(card(page, "Irrigation valve")).toContainText("Closed");
  expect(await cards(page).count()).toBeGreaterThan(15);
  await expect(cards(page).locator(controls)).toHaveCount(0);
  await page.getByRole("searchbox").fill("charge limit");
  await expect(card(page, "Car charge limit")).toContainText(/80\s?%/);
  await expect(cards(page).locator(controls)).toHaveCount(0);
});

test("every control is large enough for a finger, and every card fits a phone", async ({ open }) => {
  const page = await open("/overview?view=list", { width: 360, height: 9_000, touch: true });
  await settled(page);
  await fits(page);
  const sizes = await page
    .locator("hearth-overview")
    .locator(controls)
    .evaluateAll((found) =>
      found.map((element) => {
        const { width, height } = element.getBoundingClientRect();
        const reach = element.getAttribute("role") === "switch" ? 14 : 0; // its ::before reaches beyond it
        const name = element.getAttribute("aria-label") ?? (element as HTMLInputElement).labels?.[0]?.innerText;
        return { name, width, height: height + reach };
      }),
    );
  expect(sizes.length).toBeGreaterThan(80);
  expect(sizes.filter(({ width, height }) => width < 44 || height < 44)).toEqual([]);
});

// Everything that the hub tells of, made as states with every feature and a list for each attribute that is one.
async function everything(hub: Hub, kinds: Kind[]): Promise<{ id: string; name: string; value: string }[]> {
  const made: { id: string; name: string; value: string }[] = [];
  for (const { domain, value, features, attributes } of kinds) {
    for (const state of value.selector.select?.options ?? ["5"]) {
      const lists = attributes.filter(({ selector }) => selector.text?.multiple).map(({ name }) => [name, ["one", "two"]]);
      const name = `Word ${domain} ${state}`;
      await hub.setState(`${domain}.word_${state.replaceAll("-", "_")}`, state, {
        ...Object.fromEntries(lists),
        friendly_name: name,
        supported_features: features.reduce((sum, { bit }) => sum | bit, 0),
      });
      made.push({ id: `${domain}.word_${state.replaceAll("-", "_")}`, name, value: state });
    }
  }
  return made;
}

test("every value and every control has a German word", async ({ open, startHub }) => {
  test.setTimeout(180_000);
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, language: "de-DE", height: 6_000 });
  const kinds = await kindsOf(hub, page);
  expect(kinds.length).toBeGreaterThan(20);
  const made = await everything(hub, kinds);
  const ours = new Set(["Pause", "Name"]); // the same in both languages
  const foreign = new Set(kinds.flatMap(({ actions }) => actions.map(({ name }) => name)).filter((name) => !ours.has(name)));
  await page.getByRole("searchbox").fill("word");
  await settled(page);
  await expect(cards(page).first()).toBeVisible();
  const seen = await cards(page).evaluateAll((found) =>
    found.map((element) => ({
      id: (element as HTMLElement & { entityId: string }).entityId,
      state: element.shadowRoot?.querySelector(".state")?.textContent?.trim(),
      texts: [...(element.shadowRoot?.querySelectorAll("button, .line span") ?? [])].map((part) => part.textContent?.trim() ?? ""),
    })),
  );
  expect(seen.length).toBeGreaterThan(50);
  for (const { id, state, texts } of seen) {
    const known = made.find((one) => one.id === id);
    if (known && known.value !== "5") expect.soft(state, id).not.toBe(known.value);
    expect
      .soft(
        texts.filter((text) => foreign.has(text)),
        id,
      )
      .toEqual([]);
  }
});

test("a hub that tells nothing of kinds gets the plain cards", async ({ open, hub }) => {
  await hub.setState("number.dream", "5", { ...asked, mode: "slider" });
  const page = await open("about:blank");
  await page.route("**/api/kinds", (route) => route.fulfill({ json: [] }));
  await page.goto(`${hub.url}/overview`);
  await page.getByRole("searchbox").fill("Dream number");
  await expect(page.locator("hearth-generic-card")).toContainText("5");
  await expect(slider(page, "Dream number")).toHaveValue("5");
  await expect(cards(page)).toHaveCount(0);
  await hub.rest("DELETE", "/api/states/number.dream");
});
