// SPDX-License-Identifier: Apache-2.0
// A program that uses homeassistant-ws, told what to do by line_client.py.
import { createInterface } from "node:readline";
import library from "homeassistant-ws";

let client;
const heard = {}; // events by type

const actions = {
  async connect({ port, token }) {
    client = await library.default({ host: "127.0.0.1", port, token });
  },
  use: ({ method, given = [] }) => client[method](...given),
  hear({ type }) {
    heard[type] = [];
    client.on(type, (event) => heard[type].push(event));
  },
  heard: ({ type }) => heard[type],
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
process.exit();
