// SPDX-License-Identifier: Apache-2.0
import type { Item, WrittenKind } from "../../api/automations";
import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";

let draft: Item | undefined;

// What the next new automation begins as.
export function offerDraft(item: Item): void {
  draft = item;
}

// Once.
export function takeDraft(): Item | undefined {
  const taken = draft;
  draft = undefined;
  return taken;
}

// What a new item begins as: nothing yet, or for a scene an example with things of this home, to be written over.
export function newItem(kind: WrittenKind, home: Pick<Home, "entities">): Item {
  const one = (domain: string) => [...home.entities.keys()].find((id) => id.startsWith(`${domain}.`)) ?? `${domain}.example`;
  switch (kind) {
    case "automation":
      return { alias: t("editor.new_automation"), triggers: [], conditions: [], actions: [], mode: "single" };
    case "script":
      return { alias: t("editor.new_script"), sequence: [] };
    case "scene":
      return { name: t("editor.new_scene"), entities: { [one("light")]: { state: "on" } } };
  }
}
