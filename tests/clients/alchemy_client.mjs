// SPDX-License-Identifier: Apache-2.0
// An application made with @digital-alchemy/core and @digital-alchemy/hass, told what to do by line_client.py.
import { createInterface } from "node:readline";
import { CreateApplication } from "@digital-alchemy/core";
import { LIB_HASS } from "@digital-alchemy/hass";

let hass;
const heard = []; // the new states of the entities that it follows
const complaints = []; // what the libraries warned of

console.warn = console.error = (text) => void complaints.push(text);

const application = CreateApplication({
  libraries: [LIB_HASS],
  name: "tests",
  services: {
    Program(given) {
      hass = given.hass;
    },
  },
});

const actions = {
  async start({ url, token }) {
    await application.bootstrap({
      configuration: {
        boilerplate: { IS_TEST: true, LOG_LEVEL: "warn" },
        hass: { BASE_URL: url, EVENT_DEBOUNCE_MS: 1, TOKEN: token },
      },
    });
  },
  // What hass.PATH is, or gives back if it is a function.
  async use({ path, given = [] }) {
    const steps = path.split(".");
    const name = steps.pop();
    const owner = steps.reduce((object, step) => object[step], hass);
    return typeof owner[name] === "function" ? await owner[name](...given) : owner[name];
  },
  history: ({ entity_id, minutes }) =>
    hass.refBy.id(entity_id).history(new Date(Date.now() - minutes * 60_000), new Date(Date.now() + 60_000)),
  follow({ entity_id }) {
    hass.refBy.id(entity_id).onUpdate((state) => void heard.push(state));
  },
  // Calls a service of the entity's domain through its reference.
  async command({ entity_id, service, data = {} }) {
    await hass.refBy.id(entity_id)[service](data);
  },
  state: ({ entity_id }) => hass.refBy.id(entity_id).state,
  heard: () => heard,
  complaints: () => complaints,
};

// A command that the hub refused never ends in this library.
const lines = createInterface({ input: process.stdin }).on("close", () => process.exit());
for await (const line of lines) {
  const { action, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await actions[action](given)) ?? null };
  } catch (error) {
    answer = { error: { message: error.message } };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
