// SPDX-License-Identifier: Apache-2.0
import type { Item, WrittenKind } from "../../api/automations";
import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";

// What a new item begins as: an example with things of this home, to be written over.
export function newItem(kind: WrittenKind, home: Pick<Home, "entities">): Item {
  const one = (domain: string) => [...home.entities.keys()].find((id) => id.startsWith(`${domain}.`)) ?? `${domain}.example`;
  const light = one("light");
  const step = { action: "light.turn_on", target: { entity_id: light } };
  switch (kind) {
    case "automation":
      return {
        alias: t("editor.new_automation"),
        triggers: [{ trigger: "state", entity_id: one("binary_sensor"), to: "on" }],
        conditions: [],
        actions: [step],
        mode: "single",
      };
    case "script":
      return { alias: t("editor.new_script"), sequence: [step] };
    case "scene":
      return { name: t("editor.new_scene"), entities: { [light]: { state: "on" } } };
  }
}
