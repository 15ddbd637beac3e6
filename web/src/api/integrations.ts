// SPDX-License-Identifier: Apache-2.0
// The integrations that the hub has; docs/websocket.md describes them.
import type { Home } from "./home";

export interface KnownIntegration {
  name: string;
  // It is turned on by its section in configuration.yaml, or a page of its own.
  set_by: "file" | "page";
  // Where a file has it.
  place: string | null;
  removable: boolean;
}

// The devices and entities that go with an integration.
export interface IntegrationParts {
  devices: number;
  entities: number;
  // The automations and scripts that name some of it.
  named_by: string[];
  // The names of rooms and floors that nothing else is in.
  areas: string[];
  floors: string[];
}

// The demo home, if it is on and can be removed on a page.
export async function removableDemo(home: Home): Promise<KnownIntegration | undefined> {
  const known = await home.command<KnownIntegration[]>("hearth/integrations/list").catch(() => []);
  return known.find(({ name, removable }) => name === "demo" && removable);
}
