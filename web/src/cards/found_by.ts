// SPDX-License-Identifier: Apache-2.0
// The words that an entity is found by, wherever people search.
import type { Home } from "../api/home";
import { plain } from "../elements/fields/finder";
import { maybeT } from "../i18n/catalogue";
import { stateText } from "./state_text";

// The names of its kind: "light lamp lights lamps".
export function kindWordsOf(home: Home, id: string): string {
  const kind = home.entity(id)?.attributes.device_class;
  const ofKind = typeof kind === "string" ? `${kind} ${maybeT(`find.${kind}`) ?? ""}` : "";
  return `${maybeT(`find.${id.slice(0, id.indexOf("."))}`) ?? ""} ${ofKind}`.trim();
}

// All but its state.
export function wordsOf(home: Home, id: string): string {
  return plain([home.nameOf(id), home.areaOf(id)?.name, id.replace(/[._]/g, " "), id, kindWordsOf(home, id)].filter(Boolean).join(" "));
}

export function stateWordsOf(home: Home, id: string): string {
  const entity = home.entity(id);
  return entity ? plain(`${entity.state} ${stateText(home, entity)}`) : "";
}
