// SPDX-License-Identifier: Apache-2.0
import { objectIdOf, type Item, type WrittenKind } from "../../api/automations";
import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";

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

// One that no script has yet, by the name of the new one.
export function freeObjectId(home: Pick<Home, "entity">, { alias }: Item): string {
  const stem = (typeof alias === "string" && objectIdOf(alias)) || "script";
  for (let i = 1; ; i++) {
    const id = i === 1 ? stem : `${stem}_${i}`;
    if (!home.entity(`script.${id}`)) return id;
  }
}
