// SPDX-License-Identifier: Apache-2.0
// The links of an explanation, in the user's words.
import type { Link } from "../api/explanation";
import type { Home } from "../api/home";
import { stateText } from "../cards/state_text";
import { maybeT, t } from "./catalogue";

type Names = Pick<Home, "entity" | "nameOf">;

function valueText(home: Names, id: string, value: string): string {
  const entity = home.entity(id);
  return entity ? stateText(home as Home, entity, value) : value;
}

function stateWords(home: Names, { entity_id, from, to }: Link): string {
  const id = entity_id ?? "";
  const values = { name: home.nameOf(id), from: valueText(home, id, from ?? ""), to: valueText(home, id, to ?? "") };
  if (from === null || from === undefined) return t("why.stateNew", values);
  return t(from === to ? "why.stateSame" : "why.state", values);
}

// The cause of a run, as far as a sentence can say it.
function triggerWords(home: Names, { platform, entity_id }: Link): string {
  const name = entity_id ? home.nameOf(entity_id) : "";
  if (name) return t("why.triggerOf", { name });
  return t("why.trigger", { what: maybeT(`add.trigger.${platform}`) ?? (platform ?? "").replaceAll("_", " ") });
}

export function linkWords(home: Names, link: Link): string {
  switch (link.kind) {
    case "state":
      return stateWords(home, link);
    case "call":
      return t("why.call", { service: link.service ?? "" });
    case "run":
      return t(link.automation === undefined ? "why.script" : "why.automation", {
        name: link.alias || link.automation || link.script || "",
      });
    case "trigger":
      return triggerWords(home, link);
    case "time":
      return t("why.time");
    case "user":
      return link.name ? t("why.user", { name: link.name }) : t("why.someUser");
    case "report":
      return t("why.report", { name: home.nameOf(link.entity_id ?? ""), integration: link.integration ?? t("why.client") });
    default:
      return link.text;
  }
}
