// SPDX-License-Identifier: Apache-2.0
// What an entity is found and sorted by.
import type { Home } from "../../api/home";
import { plain } from "../../elements/fields/finder";
import { maybeT } from "../../i18n/catalogue";

// What an entity is found by, beside its state.
export function wordsOf(home: Home, id: string): string {
  const domain = id.slice(0, id.indexOf("."));
  const kind = home.entity(id)?.attributes.device_class;
  const called = [maybeT(`find.${domain}`), typeof kind === "string" ? `${kind} ${maybeT(`find.${kind}`) ?? ""}` : ""];
  return plain([home.nameOf(id), home.areaOf(id)?.name, id.replace(/[._]/g, " "), id, ...called].filter(Boolean).join(" "));
}
