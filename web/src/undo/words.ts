// SPDX-License-Identifier: Apache-2.0
// The text of the notice.
import type { Asked, Home } from "../api/home";
import { optionWord, quantity } from "../cards/kind_words";
import { unitOf } from "../cards/kind_controls";
import { stateText } from "../cards/state_text";
import { formatNumber, t } from "../i18n/catalogue";
import { withUnit } from "../cards/state_text";
import type { Moved } from "./offer";
import { rowOf } from "./table";

// Not more of a name of many letters.
const longest = 80;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// A name within a sentence: one that is written from the right keeps its direction to itself.
export function nameIn(name: string): string {
  const letters = [...name];
  const short = letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : name;
  return rightToLeft.test(short) ? `\u2068${short}\u2069` : short;
}

// Whose name stands in the notice: that of what was tapped, also of a group.
function namesOf(home: Home, asked: Asked[], moved: Moved[]): string {
  const named = asked.length === 1 ? asked[0]?.target?.entity_id : undefined;
  const one = typeof named === "string" && named !== "all" ? named : Array.isArray(named) && named.length === 1 ? named[0] : undefined;
  const ids = [...new Set(moved.map(({ before }) => before.entity_id))];
  const first = nameIn(home.nameOf(one ?? (ids[0] as string)));
  return one !== undefined || ids.length === 1 ? first : t("undo.more", { name: first, count: ids.length - 1 });
}

// The field that says most of a call: "60 %", "21 °C", "Away".
function valueOf(home: Home, { service, data }: Asked, domain: string): string | undefined {
  if (typeof data.brightness_pct === "number") return withUnit(formatNumber(data.brightness_pct), "%");
  const kind = home.kinds.get(domain);
  const fields = kind?.actions.find((action) => action.service === service)?.fields ?? {};
  const said = Object.entries(data).flatMap(([field, value]) => {
    const input = fields[field];
    if (!kind || !input) return [];
    const sets = input.sets ?? field;
    if (typeof value === "number") return [quantity(home, sets, value, unitOf(input.selector))];
    return typeof value === "string" && input.from?.options !== undefined ? [optionWord(kind, sets, value)] : [];
  });
  return said.length > 0 ? said.join(" – ") : undefined;
}

const isSameCall = (one: Asked, other: Asked) => one.service === other.service && JSON.stringify(one.data) === JSON.stringify(other.data);

// Of one call, or of several that are taken back together; `moved` by the last of them first.
export function textOf(home: Home, all: Asked[], movedLastFirst: Moved[]): string {
  const moved = all.length === 1 ? movedLastFirst : [...movedLastFirst].reverse();
  const [{ before }] = moved as [Moved];
  const [asked] = all as [Asked];
  const domain = before.entity_id.split(".")[0] as string;
  const name = namesOf(home, all, moved);
  if (!all.every((other) => isSameCall(asked, other))) return t("undo.changed", { name });
  const what = valueOf(home, asked, domain);
  if (what !== undefined) return t("undo.is", { name, what });
  const aim = rowOf(domain, asked.service)?.aim(before, asked.data).state?.[0];
  if (aim === "on" || aim === "off") return t(aim === "on" ? "undo.isOn" : "undo.isOff", { name });
  if (typeof aim === "string") return t("undo.is", { name, what: stateText(home, before, aim) });
  return t("undo.changed", { name });
}
