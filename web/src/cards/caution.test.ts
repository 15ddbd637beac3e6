// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import type { Home } from "../api/home";
import { loadLanguage } from "../i18n/catalogue";
import { cautionOf, cautionOfCall, cautionOfSteps, isGuarded } from "./caution";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });
beforeAll(() => loadLanguage("en"));

const entities = new Map<string, { entity_id: string; state: string; attributes: Record<string, unknown> }>();
const registry = new Map<string, { device_id: string; options: object }>();
const home = {
  entities,
  registry,
  entity: (id: string) => entities.get(id),
  nameOf: (id: string) => id.split(".")[1],
  areaOf: (id: string) => (id.endsWith("yard") ? { area_id: "yard" } : undefined),
} as unknown as Home;

function add(id: string, device_class = "", state = "closed", more = {}): void {
  entities.set(id, { entity_id: id, state, attributes: { device_class, ...more } });
}

// [what it is, its class, the service, what is asked]; an empty text if nothing is.
const cases: [string, string, string, string, object?][] = [
  ["cover.x", "garage", "open_cover", "Open x?"],
  ["cover.x", "gate", "toggle", "Open x?"],
  ["cover.x", "door", "turn_on", "Open x?"],
  ["cover.x", "garage", "set_cover_position", "Move x?", { position: 40 }],
  ["cover.x", "garage", "set_cover_position", "", { position: 0 }],
  ["cover.x", "garage", "close_cover", ""],
  ["cover.x", "garage", "stop_cover", ""],
  ["cover.x", "blind", "open_cover", ""],
  ["cover.x", "", "open_cover", ""],
  ["valve.x", "water", "open_valve", "Open x?"],
  ["valve.x", "water", "close_valve", "Close x?"],
  ["valve.x", "gas", "set_valve_position", "Move x?", { position: 3 }],
  ["valve.x", "gas", "toggle", "Move x?"],
  ["valve.x", "", "open_valve", ""],
  ["siren.x", "", "turn_on", "Let x sound?"],
  ["siren.x", "", "toggle", "Let x sound?"],
  ["siren.x", "", "turn_off", ""],
  ["lock.x", "", "unlock", "Unlock x?"],
  ["lock.x", "", "open", "Open x?"],
  ["alarm_control_panel.x", "", "alarm_disarm", "Disarm: x"],
  ["alarm_control_panel.x", "", "alarm_trigger", "Set off the alarm: x"],
  ["alarm_control_panel.x", "", "alarm_arm_away", ""],
  ["light.x", "", "turn_on", ""],
];

test.each(cases)("%s of class “%s”: %s asks “%s”", (id, device_class, service, heading, data = {}) => {
  entities.clear();
  registry.clear();
  add(id, device_class);
  expect(cautionOf(home, id, service, data)?.heading ?? "").toBe(heading);
  if (heading !== "") expect(isGuarded(home.entity(id))).toBe(true);
  registry.set(id, { device_id: "d", options: { hearth: { ask: false } } });
  expect(cautionOf(home, id, service, data)).toBeUndefined();
});

test("a door that is open, or goes down, is moved at once", () => {
  add("cover.x", "garage", "open", { current_position: 60 });
  registry.clear();
  expect(cautionOf(home, "cover.x", "toggle")).toBeUndefined();
  expect(cautionOf(home, "cover.x", "set_cover_position", { position: 50 })).toBeUndefined();
  expect(cautionOf(home, "cover.x", "set_cover_position", { position: 70 })?.heading).toBe("Move x?");
});

// [what it is, its class, the service, whether the hub's demand of a PIN is the question]
test.each([
  ["cover.x", "garage", "open_cover", true],
  ["cover.x", "garage", "set_cover_position", true],
  ["cover.x", "garage", "close_cover", undefined],
  ["valve.x", "water", "open_valve", true],
  ["valve.x", "water", "turn_off", false],
  ["siren.x", "", "turn_off", undefined],
  ["lock.x", "", "unlock", true],
  ["lock.x", "", "open", true],
  ["lock.x", "", "lock", false],
  ["switch.x", "", "turn_on", undefined],
])("a PIN takes the place of the question: %s of class “%s”, %s: %j", (id, device_class, service, pin) => {
  entities.clear();
  registry.clear();
  add(id, device_class, "closed");
  registry.set(id, { device_id: "d", options: { hearth: { ask: "pin" } } });
  const question = cautionOf(home, id, service, { position: 30 });
  expect(question && (question.pin ?? false)).toBe(pin);
});

test("a group asks for its members, also where one is within itself", () => {
  entities.clear();
  registry.clear();
  add("cover.garage", "garage");
  add("cover.blind", "blind");
  add("cover.all", "", "closed", { entity_id: ["cover.blind", "cover.garage", "cover.all"] });
  expect(cautionOf(home, "cover.all", "open_cover")?.heading).toBe("Open garage?");
  registry.set("cover.garage", { device_id: "d", options: { hearth: { ask: false } } });
  expect(cautionOf(home, "cover.all", "open_cover")).toBeUndefined();
});

test("a call that is written asks for all that it is for, and so do steps", () => {
  entities.clear();
  registry.clear();
  add("cover.garage", "garage");
  add("cover.gate_yard", "gate");
  add("cover.blind_yard", "blind");
  registry.set("cover.garage", { device_id: "motor", options: {} });
  const asked = (call: Record<string, unknown>, service = "cover.open_cover") => cautionOfCall(home, service, call);
  expect(asked({ entity_id: "cover.garage" })?.heading).toBe("Open garage?");
  expect(asked({ target: { device_id: ["motor"] } })?.heading).toBe("Open garage?");
  expect(asked({ target: { area_id: "yard" } })).toEqual({ heading: "Open gate_yard?", text: "", action: "Open" });
  expect(asked({ entity_id: "all" })).toMatchObject({ heading: "Open garage?", text: "Open gate_yard?" });
  expect(asked({ entity_id: "cover.garage, cover.blind_yard" }, "homeassistant.turn_on")?.heading).toBe("Open garage?");
  expect(asked({ entity_id: "cover.blind_yard" })).toBeUndefined();
  expect(asked({ target: { entity_id: "cover.garage" }, data: { position: 30 } }, "cover.set_cover_position")?.heading).toBe(
    "Move garage?",
  );
  const steps = { if: [], then: [{ action: "light.turn_on" }, { action: "cover.open_cover", target: { entity_id: "cover.garage" } }] };
  expect(cautionOfSteps(home, steps)?.heading).toBe("Open garage?");
  expect(cautionOfSteps(home, { delay: 5 })).toBeUndefined();
});
