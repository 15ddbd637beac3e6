// SPDX-License-Identifier: Apache-2.0
import type { Item, WrittenKind } from "../../api/automations";
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

// What a new item begins as: nothing yet.
export function newItem(kind: WrittenKind, blueprint = ""): Item {
  if (blueprint && kind !== "scene") return { alias: nameOfPath(blueprint), use_blueprint: { path: blueprint, input: {} } };
  switch (kind) {
    case "automation":
      return { alias: t("editor.new_automation"), triggers: [], conditions: [], actions: [], mode: "single" };
    case "script":
      return { alias: t("editor.new_script"), sequence: [] };
    case "scene":
      return { name: t("editor.new_scene"), entities: {} };
  }
}

// "me/motion_light.yaml" → "Motion light"
function nameOfPath(path: string): string {
  const name = (path.split("/").at(-1) ?? "").replace(/\.yaml$/, "").replace(/[_-]+/g, " ").trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
