// SPDX-License-Identifier: Apache-2.0
// Which automations, scripts and scenes a list shows, and in which order: found by their names, their rooms and labels, by what they
// use, and by the rest of their text.
import { readItem } from "../../api/automations";
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { plain } from "../../elements/fields/finder";

export const shows = ["all", "on", "off", "error", "today"] as const;
export type Show = (typeof shows)[number];
export const orders = ["name", "newest"] as const;
export type Order = (typeof orders)[number];

// Of a scene it is its state.
export function lastTime({ entity_id, state, attributes }: Entity): number | undefined {
  const time = new Date(String(entity_id.startsWith("scene.") ? state : attributes.last_triggered)).getTime();
  return Number.isNaN(time) ? undefined : time;
}

// `midnight`: the beginning of the home's day. `failure`: why its last run failed.
export function isShown(entity: Entity, show: Show, midnight: number, failure: string): boolean {
  switch (show) {
    case "all":
      return true;
    case "on":
    case "off":
      return entity.entity_id.startsWith("automation.") && entity.state === show;
    case "error":
      return typeof entity.attributes.error === "string" || failure !== "";
    case "today":
      return (lastTime(entity) ?? 0) >= midnight;
  }
}

// The ids of entities that stand in a text.
const idsIn = (text: string): string[] => [...new Set(text.match(/\b[a-z_]+\.[a-z0-9_]+\b/g) ?? [])];

// At once; more wait.
const atOnce = 16;

// The texts that items are found by. They are read when somebody searches for the first time.
export class ItemTexts {
  private readonly texts = new Map<string, string>();
  private reading: Promise<void> | undefined;

  constructor(
    private readonly home: Home,
    private readonly labelOf: (id: string) => string,
  ) {}

  // Resolves when all are there; one that cannot be read is found by its name alone.
  load(ids: string[]): Promise<void> {
    return (this.reading ??= this.readAll([...ids]));
  }

  private async readAll(left: string[]): Promise<void> {
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const text = await readItem(this.home, id).then(JSON.stringify, () => "");
        const used = idsIn(text).filter((one) => this.home.entity(one));
        this.texts.set(id, plain(`${text} ${used.map((one) => this.home.nameOf(one)).join(" ")}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  has(id: string, words: string[]): boolean {
    const labels = this.home.registry.get(id)?.labels ?? [];
    const own = plain([this.home.nameOf(id), id, this.home.areaOf(id)?.name, ...labels.map(this.labelOf)].join(" "));
    const text = this.texts.get(id) ?? "";
    return words.every((word) => own.includes(word) || text.includes(word));
  }
}
