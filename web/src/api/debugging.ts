// SPDX-License-Identifier: Apache-2.0
// Breakpoints of automations and scripts, and the runs that stand at one. The hub keeps them as long as somebody listens.
import type { Home, Unsubscribe } from "./home";
import type { RunName } from "./traces";

type Item = Pick<RunName, "domain" | "item_id">;
export type Doing = "continue" | "step" | "stop";

interface Breakpoint extends RunName {
  node: string;
}

// `stopped`: a run stands before the step of that path.
export async function watchBreakpoints(home: Home, stopped: (at: Breakpoint) => void): Promise<Unsubscribe> {
  const stop = await home.connection.subscribeMessage(stopped, { type: "trace/debug/breakpoint/subscribe" });
  return () => void stop().catch(() => undefined); // a lost connection has no subscription
}

// The paths of an item before which each of its runs stops.
export async function readBreakpoints(home: Home, { domain, item_id }: Item): Promise<string[]> {
  const all = await home.command<Breakpoint[]>("trace/debug/breakpoint/list");
  return all.filter((each) => each.domain === domain && each.item_id === item_id && each.run_id === "*").map(({ node }) => node);
}

export function setBreakpoint(home: Home, item: Item, node: string, wanted: boolean): Promise<unknown> {
  return home.command(`trace/debug/breakpoint/${wanted ? "set" : "clear"}`, { domain: item.domain, item_id: item.item_id, node });
}

export function debugRun(home: Home, { domain, item_id }: Item, run_id: string, doing: Doing): Promise<unknown> {
  return home.command(`trace/debug/${doing}`, { domain, item_id, run_id });
}
