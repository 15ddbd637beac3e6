// SPDX-License-Identifier: Apache-2.0
// Another hub for one test, which the hub can mirror: the made one of the functional tests, in a process of its own.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import { repository, type Hub } from "./hub";

export interface Entity {
  unique_id?: string;
  platform?: string;
  device_id?: string;
  area_id?: string;
  name?: string;
  disabled_by?: string;
}

interface Step {
  flow_id: string;
  result: { entry_id: string };
}

const flows = "/api/config/config_entries/flow";

export class OtherHub {
  url = "";
  token = "";
  private readonly lines: AsyncIterator<string>;

  private constructor(
    private readonly process: ChildProcessByStdio<Writable, Readable, null>,
    private readonly output: Interface,
  ) {
    this.lines = output[Symbol.asyncIterator]();
  }

  static async start(): Promise<OtherHub> {
    const process = spawn("/usr/bin/python3", [join(repository, "tests/web/other_hub.py")], { stdio: ["pipe", "pipe", "inherit"] });
    const other = new OtherHub(process, createInterface({ input: process.stdout }));
    Object.assign(other, await other.answer());
    return other;
  }

  private async answer(): Promise<unknown> {
    const line = await this.lines.next();
    if (line.done) throw new Error("The made hub has ended.");
    return JSON.parse(line.value);
  }

  // Calls a method of MadeHub, or one of other_hub.py. One at a time.
  async tell(method: string, arguments_: unknown[] = [], named: object = {}): Promise<unknown> {
    this.process.stdin.write(`${JSON.stringify([method, arguments_, named])}\n`);
    return this.answer();
  }

  add(id: string, state: string | null, attributes: object = {}, entry: Entity = {}): Promise<unknown> {
    return this.tell("add", [id, state, attributes], entry);
  }

  // Fills one of its tables: devices, areas, services and the like.
  put(table: string, entries: object): Promise<unknown> {
    return this.tell("put", [table, entries]);
  }

  // Connects the hub to it as the page's form does, and returns the id of the connection.
  async connect(hub: Hub, choices: object = {}): Promise<string> {
    const { flow_id } = await hub.rest<Step>("POST", flows, { handler: "home_assistant" });
    await hub.rest("POST", `${flows}/${flow_id}`, { url: this.url, token: this.token, verify_certificate: true });
    const fields = { name: "home", prefix: "", areas: "match", history: "local", include_domains: "", exclude_domains: "", ...choices };
    return (await hub.rest<Step>("POST", `${flows}/${flow_id}`, fields)).result.entry_id;
  }

  async end(): Promise<void> {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.stdin.end();
    await ended;
    this.output.close();
  }
}

const service = (name: string) => ({ [name]: { name, description: "", fields: {}, target: { entity: [{}] } } });

// A small home: a device with a lamp, what this hub has of its own, what is disabled, an id that a client of `hub` took, and an automation
// that `configuration` has, too.
export async function furnish(other: OtherHub): Promise<void> {
  await other.put("areas", { office: { name: "Office" } });
  await other.put("devices", { d1: { name: "Desk lamp", identifiers: [["hue", "1"]], area_id: "office" } });
  await other.put("services", { automation: { ...service("turn_on"), ...service("turn_off") } });
  const lamp = { friendly_name: "Desk lamp", supported_color_modes: ["onoff"], color_mode: null, supported_features: 0 };
  await other.add("light.reading", "off", lamp, { unique_id: "1", platform: "hue", device_id: "d1" });
  await other.add("switch.fan", "off", { friendly_name: "Fan" }, { unique_id: "fan", platform: "hue", name: "Fan" });
  await other.add("sensor.outside", "7.5", { friendly_name: "Outside", unit_of_measurement: "°C" }, { unique_id: "o", platform: "sky" });
  await other.add("sensor.broken", "unavailable", { friendly_name: "Broken" }, { unique_id: "b", platform: "sky" });
  await other.add("sensor.off", null, {}, { unique_id: "off", platform: "sky", disabled_by: "user" });
  await other.add("sensor.taken", "1", { friendly_name: "Taken" }, { unique_id: "t", platform: "sky" });
  await other.add("input_boolean.guests", "off", { friendly_name: "Guests there" });
  await other.add("sun.sun", "above_horizon", { friendly_name: "Sun" });
  await other.add("automation.night", "on", { id: "night", friendly_name: "Night" }, { unique_id: "night", platform: "automation" });
}

export const configuration = `
automation:
  - {id: night, alias: Night, triggers: [{trigger: event, event_type: never}], actions: []}
input_boolean:
  guests: {name: Guests here}
`;
