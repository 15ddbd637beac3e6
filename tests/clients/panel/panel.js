// SPDX-License-Identifier: Apache-2.0
// A web application of its own origin that shows and switches a light: ?hub=… is the address of the hub.
import { callService, createConnection, getAuth, subscribeEntities } from "/library/index.js";

const show = (id, text) => (document.getElementById(id).textContent = text);

// The hub's address comes back in the state of the redirect.
const hub = new URLSearchParams(location.search).get("hub");

try {
  const auth = await getAuth({
    hassUrl: hub,
    loadTokens: async () => JSON.parse(sessionStorage.getItem("tokens")),
    saveTokens: (tokens) => sessionStorage.setItem("tokens", JSON.stringify(tokens)),
  });
  history.replaceState(null, "", `/?hub=${encodeURIComponent(hub)}`); // the code has served

  const headers = { Authorization: `Bearer ${auth.accessToken}` };
  const states = await (await fetch(`${hub}/api/states`, { headers })).json();
  show("states", states.length);

  const connection = await createConnection({ auth });
  subscribeEntities(connection, (entities) => show("state", entities["light.kitchen"]?.state));
  document.getElementById("toggle").onclick = () =>
    callService(connection, "light", "toggle", {}, { entity_id: "light.kitchen" });
  document.getElementById("leave").onclick = async () => {
    connection.close();
    await auth.revoke();
    const answer = await fetch(`${hub}/api/states`, { headers });
    show("problem", `Logged out: ${answer.status}`);
  };
} catch (error) {
  show("problem", `Failed: ${error}`);
}
