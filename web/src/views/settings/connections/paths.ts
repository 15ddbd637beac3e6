// SPDX-License-Identifier: Apache-2.0
import { base } from "../../../router";

// The list of all connections.
export const connectionsPath = (): string => `${base}/settings/devices/connections`;

// The page of one.
export const connectionPath = (entry_id: string): string => `${base}/settings/devices/connection?id=${encodeURIComponent(entry_id)}`;

// The page that adds one: of an integration, or what was found; or that goes on with a flow, or shows what was made. With `change`,
// the id of an entry, it changes that one.
export function connectPath(
  how: { handler: string; change?: string } | { flow: string; found?: "1"; change?: string } | { entry: string },
): string {
  return `${base}/settings/devices/connect?${new URLSearchParams(how).toString()}`;
}
