// SPDX-License-Identifier: Apache-2.0
// How high cards stand on the overview, before they are drawn: so that the page is as high as it will be.
import type { Home } from "../api/home";
import type { Entity } from "../api/types";
import { numberIn, textIn, textsIn } from "./attributes";
import { domainOf, rowHeight } from "./domains";
import { controlsOf, placesOf } from "./kind_controls";

// A line of controls in a card, with the gap above it; what a slider is for, above it; what is below the last line; a picture. In rem.
const line = 3.1;
const caption = 1.25;
const foot = 0.7;
const picture = 11;

// In rem; about, for cards that are higher than a row.
export function heightOf(home: Home, entity: Entity): number {
  const domain = entity.entity_id.slice(0, entity.entity_id.indexOf("."));
  const known = domainOf(domain);
  if (known?.height !== undefined) return typeof known.height === "number" ? known.height : known.height(entity);
  const kind = home.kinds.get(domain);
  if (!kind) {
    const isSet = textsIn(entity, "options").length > 0 || (numberIn(entity, "min") !== undefined && numberIn(entity, "max") !== undefined);
    return isSet ? rowHeight + line + foot : rowHeight;
  }
  const { hasButtons, fields } = placesOf(domain, controlsOf(kind, entity, false));
  const lines = home.user.is_read_only ? 0 : fields.length + (hasButtons ? 1 : 0);
  const captions = lines > 0 ? fields.filter(({ form, sets }) => form.as === "slider" && sets !== "state").length * caption : 0;
  const pictured = known?.pictured && textIn(entity, "entity_picture") !== "";
  return rowHeight + lines * line + captions + (pictured ? picture : 0) + (lines > 0 || pictured ? foot : 0);
}
