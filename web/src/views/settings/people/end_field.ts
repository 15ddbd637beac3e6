// SPDX-License-Identifier: Apache-2.0
// The end of an account in a form, by the home's clocks.
import { html, type TemplateResult } from "lit";

import type { Home } from "../../../api/home";
import { FieldProblems, type FormController, type Values } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { fromWallTime, wallTime } from "../../../i18n/wall_time";

export function endField(form: FormController, home: Home, endsAt: string | null): TemplateResult {
  const zone = home.configuration.time_zone;
  const field = { name: "ends", label: t("people.ends"), hint: t("people.endsHint") };
  return form.framed(
    field,
    html`<input
      id="ends"
      name="ends"
      type="datetime-local"
      .value=${endsAt ? wallTime(Date.parse(endsAt) / 1000, zone) : ""}
      aria-invalid=${form.problemAt("ends") ? "true" : "false"}
      aria-describedby="ends-hint"
    />`,
  );
}

// As the hub reads it; null: never. Throws FieldProblems.
export function endOf(values: Values, home: Home): string | null {
  const text = values.ends ?? "";
  if (text === "") return null;
  const seconds = fromWallTime(text.slice(0, 16), home.configuration.time_zone);
  if (!(seconds * 1000 > Date.now())) throw new FieldProblems({ ends: t("people.endsPast") });
  return new Date(seconds * 1000).toISOString();
}
