// SPDX-License-Identifier: Apache-2.0
// An automation from nothing, in Firefox: written in sentences, seen to run, asked why, and undone.
import { expect } from "../fixtures";
import { gone, isMissing, logIn, picture, press, seen, test, type } from "../firefox";

test.skip(isMissing, "there is no Firefox; tools/bootstrap --test installs Debian's");

// A home where it is dark: on the equator, three hours after sunset, before midnight.
function darkHome(): string {
  const hour = new Date().getUTCHours();
  const ahead = ((20 - hour + 36) % 24) - 12; // -12 … 11
  const zone = ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  return `\nhome:\n  name: Dark home\n  latitude: 0\n  longitude: ${ahead * 15}\n  time_zone: ${zone}\n  country: DE\n`;
}

for (const [width, height] of [
  [1280, 900],
  [360, 740],
] as const) {
  test(`Firefox makes light at motion, off after two minutes, only after sunset, at ${width} px`, async ({ visit, startHub }) => {
    test.setTimeout(240_000);
    const hub = await startHub({ name: "", configuration: darkHome() });
    await hub.call("light", "turn_off", { entity_id: "light.hall" });
    await hub.setState("binary_sensor.hall_motion", "off", { device_class: "motion", friendly_name: "Hall motion" });
    await visit.setViewport({ width, height });
    await logIn(visit, `${hub.url}/settings/automations/new-automation`);

    await type(visit, "input", /^Name$/, "Hall at night");
    const choose = async (text: string, option: RegExp, many = false) => {
      await type(visit, 'hearth-pick input[type="search"], input[type="search"]', /.*/, text);
      await press(visit, "button", option, true);
      if (many) await press(visit, "button", /^Use th/);
      await gone(visit, "hearth-pick", /.*/);
    };
    const add = async (what: RegExp, button: RegExp) => {
      await press(visit, "button", button);
      await press(visit, "button", what);
      await gone(visit, "hearth-pick", /.*/);
    };
    await add(/^Something changes/, /^Add a trigger$/);
    await press(visit, "button", /^Entity/);
    await choose("hall motion", /^Hall motion/, true);
    const state = await seen(visit, "select", /state/);
    await state.select(
      await state.evaluate((select) => [...(select as HTMLSelectElement).options].find(({ text }) => text === "Detected")?.value ?? ""),
    );
    await add(/^It is dark/, /^Add a condition$/);
    await add(/^Control something/, /^Add a step$/);
    await press(visit, "button", /^what to do/);
    await choose("light turn on", /^Turn on/);
    await press(visit, "button", /^for what/);
    await choose("hall", /^Hall light/, true);
    await add(/^Wait for some time/, /^Add a step$/);
    await add(/^Control something/, /^Add a step$/);
    await press(visit, "button", /^what to do.*choose/);
    await choose("light turn off", /^Turn off/);
    await press(visit, "button", /^for what.*choose/);
    await choose("hall light", /^Hall light/, true);
    await picture(visit, `automation-${width}`);
    await press(visit, "button", /^Save$/);
    await seen(visit, "h2", /^Hall at night$/);
    const { attributes } = await hub.state("automation.hall_at_night");
    const address = `/api/config/automation/config/${String(attributes.id)}`;
    const written = {
      id: attributes.id,
      alias: "Hall at night",
      triggers: [{ trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on", skip_unavailable: true }],
      conditions: [{ condition: "sun", after: "sunset", before: "sunrise" }],
      actions: [
        { action: "light.turn_on", target: { entity_id: "light.hall" } },
        { delay: { minutes: 2 } },
        { action: "light.turn_off", target: { entity_id: "light.hall" } },
      ],
      mode: "single",
    };
    expect(await hub.rest("GET", address)).toEqual(written);

    // It runs, and its run says at which step it is.
    await hub.setState("binary_sensor.hall_motion", "on", { device_class: "motion", friendly_name: "Hall motion" });
    await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
    await press(visit, "a", /^Runs$/);
    await seen(visit, "span.badge", /^Running$/);
    await picture(visit, `automation-runs-${width}`);

    // Why the light is on.
    await visit.goto(`${hub.url}/overview?entity=light.hall`);
    await press(visit, "button", /^Why\?$/);
    await seen(visit, "li", /The automation Hall at night ran\./);
    await seen(visit, "li", /Hall motion/);
    await picture(visit, `automation-why-${width}`);

    // What was changed is undone, and saved as it was.
    await visit.goto(`${hub.url}/settings/automations/automation.hall_at_night`);
    await type(visit, "input", /^Name$/, "Hall by day");
    await seen(visit, "span", /^Not saved yet$/);
    await press(visit, "button", /^Undo$/);
    await gone(visit, "span", /^Not saved yet$/);
    expect(await (await seen(visit, "input", /^Name$/)).evaluate((input) => (input as HTMLInputElement).value)).toBe("Hall at night");
    expect(await hub.rest("GET", address)).toEqual(written);
  });
}
