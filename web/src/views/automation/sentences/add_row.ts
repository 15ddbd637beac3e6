// SPDX-License-Identifier: Apache-2.0
// Rows that can be added to a list, in plain words.
import { mdiCodeBraces, mdiContentPaste } from "virtual:icons/lazy";

import { t } from "../../../i18n/catalogue";
import { kindsOf } from "./classify";
import type { Editing } from "./editing";
import type { Section } from "./kinds";
import { pick, type Pickable } from "./pick";
import { purposeKinds } from "./purpose_pieces";
import { keptFor } from "./row_changes";
import { thingFinder, type ThingOffer } from "./thing_offers";

const flow = ["if", "choose", "repeat_count", "repeat_each", "repeat_while", "repeat_until", "parallel", "sequence"];
const waits = ["delay", "wait_for_trigger", "wait_template"];
const first = ["action", "scene", "device"];

function groupOf(section: Section, name: string, isCondition: boolean): string {
  if (section !== "actions") return t("offer.general");
  if (isCondition) return t("offer.onlyIf");
  if (first.includes(name)) return t("offer.do");
  if (waits.includes(name)) return t("offer.wait");
  return flow.includes(name) ? t("offer.flow") : t("offer.more");
}

// The sentences that a list can have: the usual ones, and those by purpose.
const kindsFor = (section: Section) => [...kindsOf[section], ...purposeKinds(section)];

function choices(section: Section): Pickable[] {
  const byPurpose = t(section === "triggers" ? "offer.purposes" : "offer.purposesHold");
  const kinds = kindsFor(section).map((kind, index) => ({
    id: String(index),
    name: kind.title(),
    note: kind.hint(),
    icon: kind.icon,
    group: kind.name === "purpose" ? byPurpose : groupOf(section, kind.name, kind.section === "conditions"),
  }));
  const groups =
    section === "actions" ? [t("offer.do"), t("offer.wait"), t("offer.flow"), t("offer.onlyIf"), t("offer.more")] : [t("offer.general")];
  const others = groups.at(-1) ?? "";
  const pasted: Pickable[] =
    keptFor(section) === undefined
      ? []
      : [{ id: "kept", name: t("offer.paste"), note: t("offer.pasteHint"), icon: mdiContentPaste, group: groups[0] ?? "" }];
  const yaml: Pickable = { id: "yaml", name: t("offer.yaml"), note: t("offer.yamlHint"), icon: mdiCodeBraces, group: others };
  return [
    ...pasted,
    ...groups.flatMap((group) => kinds.filter((kind) => kind.group === group)),
    yaml,
    ...kinds.filter((kind) => kind.group === byPurpose),
  ];
}

const emptyYaml: Record<Section, object> = { triggers: { trigger: "" }, conditions: { condition: "" }, actions: { device_id: "" } };

// The row that the person wants to add; undefined if none.
export async function addedRow(editing: Editing, section: Section, heading: string): Promise<unknown> {
  const things = thingFinder(editing, section);
  let offered: ThingOffer[] = [];
  const more = (text: string) => (offered = things(text));
  const found = (await pick({ heading, choices: choices(section), chosen: [], many: false, more }))?.[0];
  if (found === undefined) return undefined;
  const thing = offered.find(({ id }) => id === found);
  if (thing) return thing.row;
  if (found === "kept") return keptFor(section);
  return found === "yaml" ? emptyYaml[section] : kindsFor(section)[Number(found)]?.begin(editing);
}
