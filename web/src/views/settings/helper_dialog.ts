// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { helperKinds, type Helper, type HelperKind, type KnownHelper } from "../../api/helpers";
import type { Home } from "../../api/home";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";

// The name of a field in the hub, and how it is asked for.
type FieldName = "min" | "max" | "step" | "minimum" | "maximum" | "initial" | "unit_of_measurement" | "pattern" | "mode" | "options" | "has_date" | "has_time" | "duration" | "entities" | Weekday;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
type Weekday = (typeof weekdays)[number];

interface Asked {
  name: FieldName;
  kind: "number" | "text" | "texts" | "check" | "choice" | "duration" | "times";
  required?: boolean;
  // What a new one begins with.
  first?: string;
  choices?: readonly ("slider" | "box" | "text" | "password")[];
}

const fields: Record<HelperKind, Asked[]> = {
  input_boolean: [],
  input_button: [],
  input_number: [
    { name: "min", kind: "number", required: true, first: "0" },
    { name: "max", kind: "number", required: true, first: "100" },
    { name: "step", kind: "number", required: true, first: "1" },
    { name: "unit_of_measurement", kind: "text" },
    { name: "mode", kind: "choice", choices: ["slider", "box"] },
  ],
  input_select: [{ name: "options", kind: "texts", required: true }],
  input_text: [
    { name: "min", kind: "number", required: true, first: "0" },
    { name: "max", kind: "number", required: true, first: "100" },
    { name: "pattern", kind: "text" },
    { name: "mode", kind: "choice", choices: ["text", "password"] },
  ],
  input_datetime: [
    { name: "has_date", kind: "check" },
    { name: "has_time", kind: "check", first: "on" },
  ],
  counter: [
    { name: "initial", kind: "number", required: true, first: "0" },
    { name: "step", kind: "number", required: true, first: "1" },
    { name: "minimum", kind: "number" },
    { name: "maximum", kind: "number" },
  ],
  schedule: weekdays.map((name) => ({ name, kind: "times" })),
  timer: [{ name: "duration", kind: "duration", required: true, first: "00:05:00" }],
  group: [{ name: "entities", kind: "texts", required: true }],
};
// Groups are not made here.
const made = helperKinds.filter((kind) => kind !== "group");

// Of a schedule's day; `data` is not asked for, but kept.
interface Stretch {
  from: string;
  to: string;
  data?: unknown;
}

// "06:30-08:00, 17:00-24:00", which the hub checks.
function stretchesIn(text: string, former: Stretch[]): Stretch[] {
  return textsIn(text).map((part) => {
    const [from = "", to = ""] = part.split(/[-–]/).map((time) => time.trim());
    const known = former.find((each) => short(each.from) === from && short(each.to) === to);
    return known ?? { from, to };
  });
}

// 08:00:00 → 08:00
function short(time: string): string {
  return time.replace(/^(\d+:\d\d):00$/, "$1");
}

// "a, b" → ["a", "b"]
function textsIn(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter(Boolean);
}

// 90 → "00:01:30"; also of the parts of an object.
export function clockText(given: unknown): string {
  if (typeof given === "string" && given.includes(":")) return given;
  const parts = typeof given === "object" && given !== null ? (given as Record<string, number | undefined>) : { seconds: Number(given) || 0 };
  const seconds = ((Number(parts.days ?? 0) * 24 + Number(parts.hours ?? 0)) * 60 + Number(parts.minutes ?? 0)) * 60 + Number(parts.seconds ?? 0);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds % 60))}`;
}

function valueOf({ kind, first }: Asked, helper: Helper | undefined, given: unknown): string {
  if (!helper) return first ?? "";
  if (kind === "texts") return (given as string[]).join(", ");
  if (kind === "check") return given === true ? "on" : "";
  if (kind === "times") return ((given as Stretch[] | undefined) ?? []).map(({ from, to }) => `${short(from)}–${short(to)}`).join(", ");
  if (kind === "duration") return clockText(given);
  return given === undefined || given === null ? "" : String(given as string | number);
}

// Makes a helper or, with `known`, changes one. Fires `closed`.
@customElement("hearth-helper-dialog")
export class HelperDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) known: KnownHelper | undefined;
  // Of a new one.
  @state() private chosen: HelperKind = "input_boolean";
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private get kind(): HelperKind {
    return this.known?.kind ?? this.chosen;
  }

  private async save(values: Values): Promise<void> {
    const { kind, known } = this;
    if (kind === "input_datetime" && !values.has_date && !values.has_time) throw new FieldProblems({ has_time: t("helpers.dateOrTime") });
    // Null takes away what a change leaves empty; a new one has nothing to be taken away.
    const changes: Record<string, unknown> = { name: values.name?.trim(), icon: values.icon?.trim() || null };
    for (const { name, kind: asked } of fields[kind]) {
      const text = values[name]?.trim() ?? "";
      if (asked === "check") changes[name] = text === "on";
      else if (asked === "times") changes[name] = stretchesIn(text, (known?.helper[name] as Stretch[] | undefined) ?? []);
      else if (asked === "texts") changes[name] = textsIn(text);
      else if (asked === "number") changes[name] = text === "" ? null : Number(text);
      else changes[name] = text || null;
    }
    if (!known) for (const [name, value] of Object.entries(changes)) if (value === null) delete changes[name];
    if (known) await this.home.command(`${kind}/update`, { [`${kind}_id`]: known.helper.id, ...changes });
    else await this.home.command(`${kind}/create`, changes);
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, known, kind } = this;
    const heading = known ? t("areas.editNamed", { name: known.helper.name }) : t("helpers.add");
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${known
          ? nothing
          : form.select({
              name: "kind",
              label: t("helpers.kind"),
              value: kind,
              options: made.map((each) => [each, t(`domain.${each}`)]),
              changed: (each) => (this.chosen = each as HelperKind),
            })}
        ${form.text({ name: "name", label: t("areas.name"), value: known?.helper.name ?? "", required: true, maxLength: 255 })}
        ${form.icon({ name: "icon", label: t("areas.icon"), value: known?.helper.icon ?? "" })}
        ${fields[kind].length > 0 ? html`<div class="pair">${fields[kind].map((asked) => this.field(asked))}</div>` : nothing} ${form.failed()}
        ${form.end(known ? t("action.save") : t("helpers.add"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }

  private field(asked: Asked): TemplateResult {
    const { form } = this;
    const helper = this.known?.helper;
    const { name, kind, required = false, choices = [] } = asked;
    const value = valueOf(asked, helper, helper?.[name]);
    const label = t(this.kind === "input_text" && (name === "min" || name === "max") ? `helpers.${name}Length` : `helpers.${name}`);
    if (kind === "check") return form.checkbox({ name, label, checked: value === "on" });
    if (kind === "choice") return form.select({ name, label, value, options: choices.map((choice) => [choice, t(`helpers.mode.${choice}`)]) });
    return form.text({
      name,
      label,
      value,
      required,
      ...(kind === "number" && { type: "number" }),
      ...(kind === "times" && name === "monday" && { hint: t("helpers.timesHint") }),
      ...(kind === "duration" && { hint: t("helpers.durationHint") }),
      ...(kind === "texts" && { hint: t("helpers.optionsHint") }),
    });
  }
}
