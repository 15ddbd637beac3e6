// SPDX-License-Identifier: Apache-2.0
// Settings → MQTT and the developer tools' tab MQTT, with a real mosquitto.
import { Broker, publish } from "../broker";
import { expect, test } from "../fixtures";
import { freePort, repository } from "../hub";
import { dialog, notices } from "../pages";

test("messages are heard live, looked at, filtered, and published", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/status of 400/);
  const broker = await Broker.start();
  try {
    const hub = await startHub({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });
    const page = await open("/developer-tools/mqtt", { hub });
    const heard = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    await expect(page.getByText(`Connected to 127.0.0.1:${broker.port} with MQTT 5`)).toBeVisible();

    await publish(hub, { topic: "lamp/kept", payload: "kept one", retain: true });
    await page.getByLabel("Topics, with + and # for several").fill("lamp/#");
    await page.getByRole("button", { name: "Start listening" }).click();
    await expect(heard("kept one")).toBeVisible();
    await publish(hub, { topic: "lamp/state", payload: { state: "</b><b>on" } });
    await heard("lamp/state").locator("summary").click();
    await expect(heard("lamp/state")).toContainText('"state": "</b><b>on"');
    await heard("kept one").locator("summary").click();
    await expect(heard("kept one")).toContainText("The broker had kept it.");

    await page.getByLabel("Topic", { exact: true }).fill("lamp/set");
    await page.getByLabel("Payload", { exact: true }).first().fill("from the page");
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(notices(page)).toContainText("Published to lamp/set.");
    await expect(heard("lamp/set")).toContainText("from the page");
    await page.screenshot({ path: `${repository}/build/screenshots/developer-mqtt-messages.png`, fullPage: true });

    await page.getByRole("searchbox").fill("page");
    await expect(heard("lamp/state")).toHaveCount(0);
    await expect(heard("lamp/set")).toBeVisible();
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Pause" }).click();
    await publish(hub, { topic: "lamp/paused" });
    await expect(page.getByText("One message waits")).toBeVisible();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(heard("lamp/paused")).toBeVisible();

    await page.getByLabel("Topic", { exact: true }).fill("lamp/#");
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("alert")).toContainText("expected a topic");
  } finally {
    broker.stop();
  }
});

test("a home without a broker says how to connect one, and a broker that is away says why", async ({ open, startHub }) => {
  const page = await open("/developer-tools/mqtt");
  await expect(page.getByText("The home has no MQTT broker yet.")).toBeVisible();
  await page.getByRole("link", { name: "Connect one" }).click();
  await expect(page.getByRole("button", { name: "Test connection" })).toBeVisible();
  const hub = await startHub({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${await freePort()}}\n` });
  const away = await open("/developer-tools/mqtt", { hub, language: "de-DE", width: 360 });
  await expect(away.getByText("Es gibt keine Verbindung zu 127.0.0.1")).toContainText("dort nimmt niemand Verbindungen an");
  await away.screenshot({ path: `${repository}/build/screenshots/developer-mqtt-away-360.png`, fullPage: true });
});

test("who is no administrator sees no messages", async ({ open }) => {
  const page = await open("/developer-tools/mqtt", { user: "ben" });
  await expect(page.getByText("Only administrators can see and publish")).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish" })).toHaveCount(0);
});

test("a broker is tried, connected, changed and removed", async ({ open, startHub }) => {
  const user = { name: "hub", password: "seven small lamps" };
  const broker = await Broker.start(user);
  try {
    const hub = await startHub();
    const page = await open("/settings/mqtt", { hub, height: 1_200 });
    await expect(page.getByText("The home has no MQTT broker yet.")).toBeVisible();
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const test = async () => page.getByRole("button", { name: "Test connection" }).click();

    await test();
    await expect(page.getByText("Fill this in.")).toBeVisible();
    await field("Host name or address").fill("two words");
    await test();
    await expect(page.locator("#broker-problem")).toContainText("expected");
    await field("Host name or address").fill("127.0.0.1");
    await field("Port").fill(String(await freePort()));
    await test();
    await expect(page.getByRole("alert")).toContainText("There is no connection: Connection refused");
    await field("Port").fill(String(broker.port));
    await field("Username").fill(user.name);
    await field("Password").fill("wrong");
    await test();
    await expect(page.getByRole("alert")).toContainText("the broker refuses the user name or the password");
    await page.getByLabel("Encryption (TLS)").selectOption("file");
    await field("Certificate of the authority").fill("missing.crt");
    await test();
    await expect(page.locator(".problem, .field-problem").filter({ hasText: "missing.crt" })).toBeVisible();
    await page.getByLabel("Encryption (TLS)").selectOption("none");
    await field("Password").fill(user.password);
    await test();
    await expect(page.getByText("This works: the broker answers with MQTT 5.")).toBeVisible();
    await page.getByText("More settings").click();
    await field("Client ID").fill("hearth-of-the-test");
    for (const width of [2560, 1024, 360]) {
      await page.setViewportSize({ width, height: 1_200 });
      await page.screenshot({ path: `${repository}/build/screenshots/mqtt-connection-${width}.png`, fullPage: true });
    }
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`Connected to 127.0.0.1:${broker.port} with MQTT 5`)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Discovery" })).toBeVisible();

    await page.reload();
    await expect(field("Username")).toHaveValue("hub");
    await expect(field("Password")).toHaveValue("");
    await expect(page.getByText("Leave it empty to keep the one that is stored.")).toBeVisible();
    await test(); // with the stored password
    await expect(page.getByText("This works: the broker answers with MQTT 5.")).toBeVisible();
    await page.getByText("More settings").click();
    await expect(field("Client ID")).toHaveValue("hearth-of-the-test");
    await page.getByLabel("Protocol").selectOption("3.1.1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`Connected to 127.0.0.1:${broker.port} with MQTT 3.1.1`)).toBeVisible();

    await page.getByRole("button", { name: "Remove the connection" }).click();
    await dialog(page).getByRole("button", { name: "Remove the connection" }).click();
    await expect(page.getByText("The home has no MQTT broker yet.")).toBeVisible();
    await expect(field("Host name or address")).toHaveValue("");
  } finally {
    broker.stop();
  }
});

test("a connection that configuration.yaml sets is shown and tested, and changed there", async ({ open, startHub }) => {
  const broker = await Broker.start();
  try {
    const hub = await startHub({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });
    const page = await open("/settings/mqtt", { hub });
    await expect(page.getByText("This is set in configuration.yaml")).toBeVisible();
    await expect(page.getByLabel("Host name or address")).toHaveValue("127.0.0.1");
    await expect(page.getByLabel("Host name or address")).toBeDisabled();
    for (const name of ["Save", "Remove the connection"]) await expect(page.getByRole("button", { name })).toHaveCount(0);
    await page.getByRole("button", { name: "Test connection" }).click();
    await expect(page.getByText("This works: the broker answers with MQTT 5.")).toBeVisible();
  } finally {
    broker.stop();
  }
});
