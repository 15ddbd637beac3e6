// SPDX-License-Identifier: Apache-2.0
// A program that uses home-assistant-js-websocket, told what to do by line_client.py.
import { createInterface } from "node:readline";
import * as library from "home-assistant-js-websocket";
import WebSocket from "ws";

globalThis.WebSocket = WebSocket; // the library wants a browser's; Node has one from version 22 on

let auth;
let connection;
const followed = {}; // the latest value of each collection
const events = {}; // the events heard, by type
const counts = { ready: 0, disconnected: 0 };
const reconnectErrors = [];
let savedTokens;

const collections = {
  config: library.subscribeConfig,
  entities: library.subscribeEntities,
  services: library.subscribeServices,
};

const actions = {
  useToken({ url, token }) {
    auth = library.createLongLivedTokenAuth(url, token);
  },
  async logIn({ url, clientId, code }) {
    auth = await library.getAuth({
      hassUrl: url,
      clientId,
      authCode: code,
      saveTokens: (tokens) => (savedTokens = tokens),
    });
    return auth.data.expires_in;
  },
  // Starts from what an earlier run has kept.
  async logInAgain({ url, clientId }) {
    globalThis.location ??= new URL("http://127.0.0.1/");
    auth = await library.getAuth({
      hassUrl: url,
      clientId,
      loadTokens: async () => savedTokens,
      saveTokens: (tokens) => (savedTokens = tokens),
    });
  },
  async connect() {
    connection = await library.createConnection({ auth });
    connection.addEventListener("ready", () => ++counts.ready);
    connection.addEventListener("disconnected", () => ++counts.disconnected);
    connection.addEventListener("reconnect-error", (_, error) => reconnectErrors.push(error));
    return connection.haVersion;
  },
  counts: () => counts,
  reconnectErrors: () => reconnectErrors,
  follow({ collection }) {
    collections[collection](connection, (value) => (followed[collection] = value));
  },
  latest: ({ collection }) => followed[collection] ?? null,
  async hear({ type }) {
    events[type] = [];
    await connection.subscribeEvents((event) => events[type].push(event), type);
  },
  heard: ({ type }) => events[type],
  user: () => library.getUser(connection),
  states: () => library.getStates(connection),
  call: ({ domain, service, data, target, response }) =>
    library.callService(connection, domain, service, data, target, response),
  ping: () => connection.ping(),
  // As if the half hour of the access token had passed.
  expire() {
    auth.data.expires = Date.now() - 1;
  },
  async refresh() {
    await auth.refreshAccessToken();
    return savedTokens.access_token === auth.accessToken;
  },
  accessToken: () => auth.accessToken,
  refreshToken: () => auth.data.refresh_token,
  async revoke() {
    await auth.revoke();
    return savedTokens;
  },
  close: () => connection.close(),
};

// Errors of the library are numbers, those of the hub objects with a code and a message.
function described(error) {
  if (typeof error === "number") return { code: error };
  return { code: error.code ?? null, message: error.message ?? String(error) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { action, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await actions[action](given)) ?? null };
  } catch (error) {
    answer = { error: described(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit();
