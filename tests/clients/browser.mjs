// SPDX-License-Identifier: Apache-2.0
// A person in a real browser, told what to do by line_client.py.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const limit = 60_000; // ms that a page may take for one thing
const complaints = []; // of the page: its console's warnings and errors, what broke the policy, what could not be fetched
const refused = []; // commands on the page's WebSocket that the hub answered with an error
let browser;
let page;

function watch(opened) {
  opened.setDefaultTimeout(limit);
  opened.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  opened.on("pageerror", (error) => complaints.push(String(error)));
  opened.on("requestfailed", (request) => {
    complaints.push(`${request.method()} ${request.url().split("?")[0]}: ${request.failure()?.errorText}`);
  });
  opened.on("websocket", (socket) => {
    const commands = new Map();
    const each = (payload) => [JSON.parse(payload)].flat();
    socket.on("framesent", ({ payload }) => each(payload).forEach(({ id, type }) => commands.set(id, type)));
    socket.on("framereceived", ({ payload }) =>
      each(payload)
        .filter(({ success }) => success === false)
        .forEach(({ id, error }) => refused.push({ type: commands.get(id), code: error.code, message: error.message })),
    );
  });
}

const actions = {
  async start({ executable }) {
    browser = await chromium.launch({
      executablePath: executable,
      // No name is looked up: the tests' addresses are numbers.
      args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    });
  },
  async open({ url, width = 1024, height = 768, scheme = "light" }) {
    await page?.context().close();
    complaints.length = 0;
    refused.length = 0;
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
    page = await context.newPage();
    watch(page);
    await page.goto(url);
  },
  // Waits for the login page to stand there.
  async waitForForm() {
    await page.getByRole("button", { name: "Log in" }).waitFor();
    const focused = await page.waitForFunction(() => document.activeElement?.id);
    return { url: page.url(), title: await page.title(), focused: await focused.jsonValue() };
  },
  async logIn({ username, password }) {
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  },
  async problem() {
    return await page.getByRole("alert").filter({ hasText: /./ }).textContent();
  },
  async waitForText({ selector, text }) {
    await page.locator(selector).filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
  },
  text: ({ selector }) => page.locator(selector).textContent(),
  async press({ button }) {
    await page.getByRole("button", { name: button }).click();
  },
  // `selector` finds what is inside of other elements' shadow trees, too.
  async click({ selector }) {
    await page.locator(selector).first().click();
  },
  async fill({ selector, text, enter = false }) {
    await page.locator(selector).fill(text);
    if (enter) await page.locator(selector).press("Enter");
  },
  async waitFor({ selector }) {
    await page.locator(selector).first().waitFor();
  },
  texts: ({ selector }) => page.locator(selector).allInnerTexts(),
  async goTo({ url }) {
    await page.goto(url);
  },
  refused: () => refused,
  async reload() {
    await page.reload();
  },
  url: () => page.url(),
  screenshot: async ({ path }) => void (await page.screenshot({ path })),
  // Whether all of the page fits its window, side by side.
  fits: () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
  // How the page looks: what a person would see as its colours.
  colours: () =>
    page.evaluate(() => {
      const of = (selector) => {
        const style = getComputedStyle(document.querySelector(selector));
        return { text: style.color, background: style.backgroundColor };
      };
      return { page: of("body"), card: of("main") };
    }),
  complaints: () => complaints,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { action, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await actions[action](given)) ?? null };
  } catch (error) {
    answer = { error: { message: error.message } };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser?.close();
