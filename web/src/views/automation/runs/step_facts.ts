// SPDX-License-Identifier: Apache-2.0
// Facts of a trace about one step: its result, the variables it changed, the values of templates, the states it read.
import { css, html, nothing, type TemplateResult } from "lit";

import type { Home } from "../../../api/home";
import type { TracedStep } from "../../../api/traces";
import { formatDuration, formatNumber, formatTime, t, type Key } from "../../../i18n/catalogue";
import { offsetText } from "../sentences/home_words";
import { valueText } from "./steps";

// Texts above this many characters are folded.
const long = 300;

export const factStyles = css`
  .after {
    white-space: nowrap;
  }

  dl {
    display: grid;
    grid-template-columns: minmax(6rem, auto) minmax(0, 1fr);
    gap: 0.2rem 1rem;
    margin: 0.4rem 0 0;
    font-size: 0.9rem;
  }

  dt {
    color: var(--text-2);
  }

  dd {
    margin: 0;
    min-width: 0;
    overflow-wrap: anywhere;
  }

  pre {
    margin: 0;
    max-height: 24rem;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  summary {
    min-height: 1.6rem;
    cursor: pointer;
  }

  @container (max-width: 32rem) {
    dl {
      grid-template-columns: minmax(0, 1fr);
    }

    dd {
      margin-bottom: 0.3rem;
    }
  }
`;

// The times that a condition compares the present one with.
const wantedTimes = ["after", "before"] as const;
const timeKeys: readonly string[] = ["result", ...wantedTimes.map((side) => `wanted_time_${side}`)];

// Of a condition whether it holds; undefined of all else.
export function holds({ result }: Pick<TracedStep, "result">): boolean | undefined {
  if (!isValues(result) || typeof result.result !== "boolean") return undefined;
  return Object.keys(result).every((key) => timeKeys.includes(key)) ? result.result : undefined;
}

// Of a condition of the sun or the time: "now 13:46, sunset 15:56"; empty of all else. `config` is what stands there in the item.
export function compared(home: Home, { result, timestamp }: Pick<TracedStep, "result" | "timestamp">, config: unknown): string {
  if (!isValues(result) || !isValues(config)) return "";
  const clock = (time: string) =>
    /^\d\d:/.test(time) ? time.replace(/:00$/, "") : formatTime(new Date(time), home.configuration.time_zone, { timeStyle: "short" });
  const sides = wantedTimes.flatMap((side) => {
    const wanted = result[`wanted_time_${side}`];
    if (wanted === undefined) return [];
    const time = typeof wanted === "string" ? clock(wanted) : t("runs.comparedNever");
    const what = config[side];
    if (what !== "sunset" && what !== "sunrise")
      return [/^\d/.test(String(what)) ? time : t("runs.compared_time", { name: home.nameOf(String(what)), time })];
    const text = t(`runs.compared_${what}`, { time });
    const offset = offsetText(config[`${side}_offset`]);
    return [offset ? t("runs.comparedShifted", { what: text, offset }) : text];
  });
  return sides.length === 0 ? "" : [t("runs.comparedNow", { time: clock(timestamp) }), ...sides].join(", ");
}

export function stepFacts(step: TracedStep): TemplateResult {
  const { result } = step;
  const isSaid = holds(step) !== undefined || result === undefined || result === null;
  return html`<dl>
    ${isSaid ? nothing : fact("runs.result", isValues(result) ? result : { "": result })} ${fact("runs.variables", step.changed_variables)}
    ${fact("runs.rendered", step.rendered)} ${fact("runs.states", step.states)}
  </dl>`;
}

function isValues(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function hasFacts({ result, changed_variables, rendered, states, error }: TracedStep): boolean {
  return (
    error !== undefined || [result, changed_variables, rendered, states].some((part) => isValues(part) && Object.keys(part).length > 0)
  );
}

export function fact(label: Key, values: Record<string, unknown> | undefined): TemplateResult | typeof nothing {
  const all = Object.entries(values ?? {});
  if (all.length === 0) return nothing;
  return html`<dt>${t(label)}</dt>
    <dd>${all.map(([name, value]) => valueOf(name, valueText(value)))}</dd>`;
}

function valueOf(name: string, text: string): TemplateResult {
  if (text.length <= long && !text.includes("\n"))
    return html`<div>${name ? html`<code>${name}</code> = ` : nothing}<code>${text}</code></div>`;
  return html`<details>
    <summary><code>${name || t("runs.show")}</code></summary>
    <pre tabindex="0">${text}</pre>
  </details>`;
}

// By the clock on the wall, and since the run began.
export function stepTime(home: Home, { timestamp }: TracedStep, start: Date): TemplateResult {
  const time = new Date(timestamp);
  const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 };
  const after = formatNumber((time.getTime() - start.getTime()) / 1000, { maximumFractionDigits: 3 });
  return html`<time datetime=${timestamp}>${formatTime(time, home.configuration.time_zone, options)}</time> ·
    <span class="after">+${after} s</span>`;
}

export function lasted(from: Date, to: Date): string {
  const milliseconds = to.getTime() - from.getTime();
  if (milliseconds < 1) return t("runs.lastedNotLong");
  const time =
    milliseconds < 1000
      ? `${milliseconds} ms`
      : milliseconds < 60_000
        ? `${formatNumber(milliseconds / 1000, { maximumFractionDigits: 1 })} s`
        : formatDuration(milliseconds / 1000);
  return t("runs.lasted", { time });
}
