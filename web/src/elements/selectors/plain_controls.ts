// SPDX-License-Identifier: Apache-2.0
// The controls that need nothing of the home.
import { mdiShapeOutline } from "virtual:icons/lazy";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { formatNumber, language, t } from "../../i18n/catalogue";
import { digits, outOfRange } from "../fields/number_range";
import type { IconGrid } from "../icon_grid";
import { styles } from "../styles_directive";
import type { Draw, Given } from "./given";
import { choicesOf, limitsOf, partsOf, type Parts } from "./selector";
import "../icon";
import "../fields/slider";
import "../fields/switch";

const inputOf = (event: Event) => event.target as HTMLInputElement;

function input(
  given: Given,
  type: string,
  changed: (input: HTMLInputElement) => void,
  more: { min?: number; max?: number; step?: number | "any"; digitsOf?: number | "any" | undefined; list?: string } = {},
): TemplateResult {
  return html`<input
    id="control"
    type=${type}
    autocomplete="off"
    aria-required=${given.required ? "true" : "false"}
    aria-invalid=${given.invalid ? "true" : "false"}
    aria-describedby=${given.described || nothing}
    min=${more.min ?? nothing}
    max=${more.max ?? nothing}
    step=${more.step ?? nothing}
    list=${more.list ?? nothing}
    .value=${live(given.text)}
    @input=${(event: Event) => changed(inputOf(event))}
    ${styles(type === "number" ? digits({ ...more, step: more.digitsOf }, given.text) : {})}
  />`;
}

function labelled(given: Given, control: TemplateResult): TemplateResult {
  return html`<label for="control">${given.label}</label>${control}`;
}

function area(given: Given, mono: boolean, changed: (text: string) => void): TemplateResult {
  return html`<textarea
    id="control"
    class=${mono ? "mono" : "prose"}
    rows="3"
    spellcheck=${mono ? "false" : "true"}
    autocomplete="off"
    aria-required=${given.required ? "true" : "false"}
    aria-invalid=${given.invalid ? "true" : "false"}
    aria-describedby=${given.described || nothing}
    .value=${live(given.text)}
    @input=${(event: Event) => changed((event.target as HTMLTextAreaElement).value)}
  ></textarea>`;
}

const texts = ["email", "password", "search", "tel", "url"];

export const drawText: Draw = (given) => {
  const { options, tell } = given;
  if (options.multiple === true) {
    const hint = html`<p class="hint">${t("selector.onePerLine")}</p>`;
    const list = (text: string) =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    return html`${labelled(
      given,
      area(given, false, (text) => tell(list(text).length > 0 ? list(text) : undefined, text)),
    )}${hint}`;
  }
  const changed = (text: string) => tell(text === "" ? undefined : text, text);
  if (options.multiline === true) return labelled(given, area(given, false, changed));
  const type = texts.includes(String(options.type)) ? String(options.type) : "text";
  const control = input(given, type, ({ value }) => changed(value));
  if (!options.prefix && !options.suffix) return labelled(given, control);
  return labelled(
    given,
    html`<div class="number">
      ${options.prefix ? html`<span>${options.prefix}</span>` : nothing}${control}${options.suffix
        ? html`<span>${options.suffix}</span>`
        : nothing}
    </div>`,
  );
};

export const drawTemplate: Draw = (given) =>
  labelled(
    given,
    area(given, true, (text) => given.tell(text === "" ? undefined : text, text)),
  );

export const drawNumber: Draw = (given) => {
  const { min, max, step, unit, slides } = limitsOf(given.selector);
  const more = { ...(min !== undefined && { min }), ...(max !== undefined && { max }), step: "any" as const, digitsOf: step };
  const typed = ({ value, validity }: HTMLInputElement) => {
    if (validity.valid) return given.tell(value === "" ? undefined : Number(value), value);
    given.tell(undefined, value, outOfRange(min, max));
  };
  const field = html`<div class="number">${input(given, "number", typed, more)}${unit ? html`<span>${unit}</span>` : nothing}</div>`;
  if (!slides || min === undefined || max === undefined) return labelled(given, field);
  return labelled(
    given,
    html`<div class="sliding">
      <hearth-slider
        .min=${min}
        .max=${max}
        .step=${typeof step === "number" ? step : 1}
        .value=${typeof given.value === "number" ? given.value : min}
        .label=${given.label}
        .text=${(value: number) => `${formatNumber(value)}${unit && ` ${unit}`}`}
        @change-value=${({ detail }: CustomEvent<number>) => given.tell(detail, String(detail))}
      ></hearth-slider>
      ${field}
    </div>`,
  );
};

export const drawBoolean: Draw = ({ label, value, tell }) =>
  html`<div class="switch">
    <span>${label}</span>
    <hearth-switch .label=${label} .checked=${value === true} @toggle=${({ detail }: CustomEvent<boolean>) => tell(detail)}></hearth-switch>
  </div>`;

export const drawConstant: Draw = ({ label, value, options, tell }) => {
  const constant = options.value ?? true;
  return html`<label class="check"
    ><input
      type="checkbox"
      .checked=${live(value === constant)}
      @change=${(event: Event) => tell(inputOf(event).checked ? constant : undefined)}
    />${options.label ?? label}</label
  >`;
};

export const drawSaid: Draw = ({ label, options }) =>
  html`<p><strong>${label}</strong></p>
    <p class="mono said">${String(options.data ?? "")}</p>`;

// Several of few are ticked; one is chosen from a list, or written if the list is not all.
export const drawSelect: Draw = (given) => {
  const { options, value, tell, selector } = given;
  const choices = choicesOf(selector);
  if (options.multiple === true) {
    const chosen = Array.isArray(value) ? (value as string[]) : typeof value === "string" ? [value] : [];
    const all = [...choices, ...chosen.filter((one) => !choices.some(([each]) => each === one)).map((one): [string, string] => [one, one])];
    const tick = (one: string, on: boolean) => {
      const next = all.map(([each]) => each).filter((each) => (each === one ? on : chosen.includes(each)));
      tell(next.length > 0 ? next : undefined);
    };
    return html`<fieldset aria-describedby=${given.described || nothing}>
      <legend>${given.label}</legend>
      ${all.map(
        ([one, name]) =>
          html`<label class="check"
            ><input
              type="checkbox"
              .checked=${live(chosen.includes(one))}
              @change=${(event: Event) => tick(one, inputOf(event).checked)}
            />${name}</label
          >`,
      )}
    </fieldset>`;
  }
  if (options.custom_value === true) return writtenOrChosen(given, choices);
  return chosenOf(given, choices);
};

// One of a list.
function chosenOf(given: Given, choices: [string, string][]): TemplateResult {
  const { value, tell } = given;
  return labelled(
    given,
    html`<select
      id="control"
      aria-required=${given.required ? "true" : "false"}
      aria-invalid=${given.invalid ? "true" : "false"}
      aria-describedby=${given.described || nothing}
      @change=${(event: Event) => tell((event.target as HTMLSelectElement).value || undefined)}
    >
      <option value="" .selected=${!value}>${t("selector.choose")}</option>
      ${choices.map(([one, name]) => html`<option value=${one} .selected=${one === value}>${name}</option>`)}
    </select>`,
  );
}

// One of a list, or something else.
export function writtenOrChosen(given: Given, choices: [string, string][]): TemplateResult {
  const changed = ({ value }: HTMLInputElement) => given.tell(value === "" ? undefined : value, value);
  return html`${labelled(given, input(given, "text", changed, { list: "choices" }))}<datalist id="choices">
      ${choices.map(([one, name]) => html`<option value=${one}>${name}</option>`)}
    </datalist>`;
}

// The hub writes seconds, and a blank between date and time; browsers neither.
const seconds = (time: string) => (/^\d\d:\d\d$/.test(time) ? `${time}:00` : time);

export const drawTime: Draw = (given) =>
  labelled(
    given,
    input(given, "time", ({ value }) => given.tell(value ? seconds(value) : undefined, value), { step: 1 }),
  );
export const drawDate: Draw = (given) =>
  labelled(
    given,
    input(given, "date", ({ value }) => given.tell(value || undefined, value)),
  );
export const drawDateTime: Draw = (given) => {
  const changed = ({ value }: HTMLInputElement) => {
    const [date = "", time = ""] = value.split("T");
    given.tell(value ? `${date} ${seconds(time)}` : undefined, value);
  };
  return labelled(
    { ...given, text: given.text.replace(" ", "T") },
    input({ ...given, text: given.text.replace(" ", "T") }, "datetime-local", changed, { step: 1 }),
  );
};

export const drawDuration: Draw = (given) => {
  const { options, value, tell } = given;
  const parts = partsOf(value);
  const names: (keyof Parts)[] = [
    ...(options.enable_day === true || parts?.days ? (["days"] as const) : []),
    "hours",
    "minutes",
    "seconds",
    ...(options.enable_millisecond === true || parts?.milliseconds ? (["milliseconds"] as const) : []),
  ];
  const change = (name: keyof Parts, text: string) => {
    const next = { ...(parts ?? { days: 0, hours: 0, minutes: 0, seconds: 0, milliseconds: 0 }), [name]: Math.max(0, Number(text) || 0) };
    const written = Object.fromEntries(names.map((each) => [each, next[each]]));
    tell(parts === undefined && text === "" ? undefined : written);
  };
  return html`<fieldset aria-describedby=${given.described || nothing}>
    <legend>${given.label}</legend>
    <div class="parts">
      ${names.map(
        (name) =>
          html`<label
            ><span class="hint">${t(`selector.${name}`)}</span>
            <input
              type="number"
              min="0"
              step="any"
              ${styles(digits({}, parts?.[name]))}
              .value=${live(parts ? String(parts[name]) : "")}
              @change=${(event: Event) => change(name, inputOf(event).value)}
          /></label>`,
      )}
    </div>
  </fieldset>`;
};

const hex = (value: unknown) =>
  Array.isArray(value) ? `#${(value as number[]).map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}` : "#ffffff";

export const drawColor: Draw = (given) =>
  labelled(
    given,
    html`<input
      id="control"
      type="color"
      .value=${live(hex(given.value))}
      @input=${(event: Event) => given.tell([1, 3, 5].map((at) => parseInt(inputOf(event).value.slice(at, at + 2), 16)))}
    />`,
  );

export const drawLocation: Draw = (given) => {
  const place = (typeof given.value === "object" && given.value !== null ? given.value : {}) as Record<string, unknown>;
  const change = (name: string, text: string) => {
    const { [name]: _, ...others } = place;
    const next = text === "" ? others : { ...others, [name]: Number(text) };
    given.tell(Object.keys(next).length > 0 ? next : undefined);
  };
  const names = ["latitude", "longitude", ...(given.options.radius === true ? ["radius"] : [])] as const;
  return html`<fieldset aria-describedby=${given.described || nothing}>
    <legend>${given.label}</legend>
    <div class="parts">
      ${names.map(
        (name) =>
          html`<label
            ><span class="hint">${t(`selector.${name as "latitude"}`)}</span>
            <input
              type="number"
              step="any"
              ${styles(digits({}, "-123.456789"))}
              .value=${live(String(place[name] ?? ""))}
              @change=${(event: Event) => change(name, inputOf(event).value)}
          /></label>`,
      )}
    </div>
  </fieldset>`;
};

export const drawIcon: Draw = (given) => {
  const pick = ({ detail }: CustomEvent<string>) => given.tell(detail, detail);
  const grid = (event: Event) => (event.currentTarget as HTMLElement).closest(".icon")?.querySelector("hearth-icon-grid") as IconGrid;
  const open = (event: Event) => {
    void import("../icon_grid");
    grid(event).hidden = false;
  };
  const leave = (event: FocusEvent) => {
    if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) grid(event).hidden = true;
  };
  const control = input(given, "text", ({ value }) => given.tell(value || undefined, value));
  return labelled(
    given,
    html`<div class="icon" @focusin=${open} @focusout=${leave}>
      <div class="number"><hearth-icon .path=${mdiShapeOutline} .name=${given.text}></hearth-icon>${control}</div>
      <hearth-icon-grid hidden .text=${given.text} @mousedown=${(event: Event) => event.preventDefault()} @pick=${pick}></hearth-icon-grid>
    </div>`,
  );
};

// The codes that browsers have names for.
function codes(type: "region" | "language"): [string, string][] {
  const names = new Intl.DisplayNames([language()], { type, fallback: "none" });
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const found = pairs.flatMap((pair): [string, string][] => {
    const code = type === "region" ? pair.toUpperCase() : pair;
    const name = names.of(code);
    return name && name !== code ? [[code, name]] : [];
  });
  return found.sort(([, one], [, other]) => one.localeCompare(other, language()));
}

function only(named: unknown, all: () => [string, string][]): [string, string][] {
  return Array.isArray(named) ? all().filter(([code]) => named.includes(code)) : all();
}

export const drawCountry: Draw = (given) =>
  chosenOf(
    given,
    only(given.options.countries, () => codes("region")),
  );
export const drawLanguage: Draw = (given) =>
  chosenOf(
    given,
    only(given.options.languages, () => codes("language")),
  );
