// SPDX-License-Identifier: Apache-2.0
import { itemId, objectIdOf, type Item, type WrittenKind } from "../../../api/automations";
import { blueprintName, readBlueprints } from "../../../api/blueprints";
import type { Home } from "../../../api/home";
import { confirm } from "../../../elements/confirm";
import { t } from "../../../i18n/catalogue";

let draft: Item | undefined;

// The beginning of the next new automation.
export function offerDraft(item: Item): void {
  draft = item;
}

// Once.
export function takeDraft(): Item | undefined {
  const taken = draft;
  draft = undefined;
  return taken;
}

// The beginning of a new item: nothing yet, or a use of the blueprint with nothing filled in, called as that is.
export async function newItem(home: Home, kind: WrittenKind, blueprint = ""): Promise<Item> {
  if (blueprint && kind !== "scene") {
    const known = (await readBlueprints(home, kind)).find(({ path }) => path === blueprint);
    return { alias: blueprintName(known ?? { metadata: {}, path: blueprint }), use_blueprint: { path: blueprint, input: {} } };
  }
  switch (kind) {
    case "automation":
      return { alias: t("editor.new_automation"), triggers: [], conditions: [], actions: [], mode: "single" };
    case "script":
      return { alias: t("editor.new_script"), sequence: [] };
    case "scene":
      return { name: t("editor.new_scene"), entities: {} };
  }
}

// An id that no script has yet, by the name of the new one.
export function freeObjectId(home: Pick<Home, "entity">, { alias }: Item): string {
  const stem = (typeof alias === "string" && objectIdOf(alias)) || "script";
  for (let i = 1; ; i++) {
    const id = i === 1 ? stem : `${stem}_${i}`;
    if (!home.entity(`script.${id}`)) return id;
  }
}

// An automation and a scene may have their id among their keys.
export function splitId(kind: WrittenKind, whole: Item): { written?: unknown; item: Item } {
  if (kind === "script") return { item: whole };
  const { id: written, ...item } = whole;
  return { written, item };
}

// Asks if another one has the id of a new one, and would be lost.
export async function mayTake(home: Home, kind: WrittenKind, id: string): Promise<boolean> {
  const taken = [...home.entities.keys()].find((entityId) => entityId.startsWith(`${kind}.`) && itemId(home, entityId) === id);
  if (!taken) return true;
  const heading = t("editor.takenHeading", { name: home.nameOf(taken) });
  return confirm({ heading, text: t("editor.takenText", { id }), action: t("editor.replace"), danger: true });
}
