// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Item } from "../../../api/automations";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { simulate, type Comparison, type Difference, type Simulation } from "../../../api/simulation";
import { formatDateTime, formatTime, t } from "../../../i18n/catalogue";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";

const day = 24 * 60 * 60 * 1000;
const spans = [
  { days: 1, label: "whatIf.day" },
  { days: 7, label: "whatIf.week" },
] as const;
const second = 1000;
// As many differences are shown at once.
const step = 50;

interface Told {
  days: number;
  from: Date;
  comparison: Comparison;
}

// The runs that an automation would have had in the last day or week, as it is written now, beside the real ones. Nothing is called.
@customElement("hearth-what-if")
export class WhatIf extends LitElement {
  @property({ attribute: false }) home!: Home;
  // Empty for a new one.
  @property({ attribute: false }) entityId = "";
  // As it is written now. Throws if that is no automation.
  @property({ attribute: false }) item: () => Item = () => ({});
  @state() private running: Simulation | undefined;
  @state() private progress = 0;
  @state() private told: Told | undefined;
  @state() private failure: unknown;
  @state() private shown = step;

  static override styles = [
    shared,
    lined,
    css`
      progress {
        flex: 1;
        min-width: 6rem;
        accent-color: var(--accent);
      }

      .what {
        overflow-wrap: anywhere;
      }

      .sign {
        display: inline-block;
        width: 1.2em;
        font-weight: 700;
      }

      .added .sign {
        color: var(--good);
      }

      .removed .sign {
        color: var(--danger);
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("entityId")) return;
    this.cancel();
    this.told = undefined;
    this.failure = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.cancel();
  }

  private cancel(): void {
    this.running?.cancel();
    this.running = undefined;
  }

  private async ask(days: number): Promise<void> {
    this.cancel();
    this.failure = this.told = undefined;
    this.shown = step;
    this.progress = 0;
    let running: Simulation | undefined;
    try {
      const to = new Date();
      const from = new Date(to.getTime() - days * day);
      const question = { entityId: this.entityId, config: this.item(), from, to };
      running = this.running = simulate(this.home, question, (part) => this.running === running && (this.progress = part));
      const comparison = await running.done;
      if (this.running === running) this.told = { days, from, comparison };
    } catch (error) {
      if (this.running === running) this.failure = error;
    }
    if (this.running === running) this.running = undefined;
  }

  override render() {
    return html`<section class="card stack">
      <h2>${t("whatIf.heading")}</h2>
      <p class="hint">${t("whatIf.hint")}</p>
      <div class="row">
        ${spans.map(
          ({ days, label }) =>
            html`<button type="button" ?disabled=${this.running !== undefined} @click=${() => void this.ask(days)}>${t(label)}</button>`,
        )}
      </div>
      ${this.running
        ? html`<div class="row">
            <progress max="1" .value=${this.progress} aria-label=${t("whatIf.heading")}></progress>
            <button type="button" class="plain" @click=${() => this.cancel()}>${t("action.cancel")}</button>
          </div>`
        : nothing}
      <div role="status" class="stack">
        ${this.failure === undefined ? nothing : html`<p class="problem">${errorText(this.failure)}</p>`}
        ${this.told ? this.summary(this.told) : nothing}
      </div>
      ${this.told ? this.differences(this.told.comparison) : nothing}
    </section>`;
  }

  private summary({ days, from, comparison }: Told): TemplateResult {
    const { runs, calls, recorded_runs, recorded_calls, known_since, differences, left_out, faults } = comparison;
    const would = t("whatIf.would", { runs: t("whatIf.runs", { count: runs }), calls: t("whatIf.calls", { count: calls }) });
    const did = t("whatIf.did", { runs: t("whatIf.runs", { count: recorded_runs }), calls: t("whatIf.calls", { count: recorded_calls }) });
    const same = differences.length === 0;
    const known = new Date(known_since);
    const isCovered = known.getTime() - from.getTime() < second;
    return html`<p>
        <strong>${t(days === 1 ? "whatIf.inDay" : "whatIf.inWeek")}</strong> ${would} ${did}
        ${isCovered ? nothing : html`<strong>${t("whatIf.knownSince", { time: this.recently(known) })}</strong>`}
      </p>
      ${same ? html`<p>${t(isCovered ? "whatIf.same" : "whatIf.sameSince")}</p>` : nothing}
      ${left_out > 0 ? html`<p class="hint">${t("whatIf.leftOut", { count: left_out })}</p>` : nothing}
      ${faults.length > 0 ? html`<p class="hint">${t("whatIf.faults", { count: faults.length })}</p>` : nothing}`;
  }

  // Today the time is enough.
  private recently(time: Date): string {
    const zone = this.home.configuration.time_zone;
    const isToday = formatTime(time, zone, { dateStyle: "short" }) === formatTime(new Date(), zone, { dateStyle: "short" });
    return formatTime(time, zone, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  }

  private differences({ differences, left_off }: Comparison): TemplateResult | typeof nothing {
    if (differences.length === 0) return nothing;
    const rest = differences.length - this.shown;
    return html`<h3>${t("whatIf.differences")}</h3>
      <ul>
        ${differences.slice(0, this.shown).map((each) => this.difference(each))}
      </ul>
      ${rest > 0 ? html`<button type="button" @click=${() => (this.shown += step)}>${t("whatIf.more", { count: rest })}</button>` : nothing}
      ${rest <= 0 && left_off > 0 ? html`<p class="hint">${t("whatIf.leftOff", { count: left_off })}</p>` : nothing}`;
  }

  private difference(each: Difference): TemplateResult {
    const { at, kind, what } = each;
    return html`<li class=${kind}>
      <span class="sign" aria-hidden="true">${kind === "added" ? "+" : "−"}</span>
      <time datetime=${at}>${formatDateTime(new Date(at), this.home.configuration.time_zone)}</time>
      <span class="what">${t(`whatIf.${what}_${kind}`, { what: what === "run" ? (each.trigger ?? "") : this.call(each) })}</span>
    </li>`;
  }

  private call({ service = "", data = {} }: Difference): string {
    const { entity_id: target, ...rest } = data;
    const targets = (Array.isArray(target) ? target : [target]).filter((id): id is string => typeof id === "string");
    const fields = Object.entries(rest).map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
    const details = [targets.map((id) => this.home.nameOf(id)).join(", "), ...fields].filter(Boolean);
    return details.length > 0 ? `${service} (${details.join("; ")})` : service;
  }
}
