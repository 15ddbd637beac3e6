// SPDX-License-Identifier: Apache-2.0
import { mdiCheckCircle, mdiCircleOutline, mdiProgressClock } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Progress } from "../../api/imports/imports";
import { formatDuration, formatNumber, maybeT, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../icon";

const steps = ["settings", "registry", "users", "helpers", "automations", "dashboards", "states", "history", "statistics"] as const;

// How far an import is: its steps, and of the one that it is at, rows and the time that is left.
@customElement("hearth-import-progress")
export class ImportProgress extends LitElement {
  @property({ attribute: false }) progress: Progress = {};

  static override styles = [
    shared,
    css`
      ol {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        grid-template-columns: 1.5rem minmax(0, 1fr);
        gap: 0.1rem 0.6rem;
        align-items: center;
      }

      li > :not(hearth-icon, .name) {
        grid-column: 2;
      }

      .done hearth-icon {
        color: var(--good);
      }

      .now .name {
        font-weight: 650;
      }

      .now hearth-icon {
        color: var(--accent);
      }

      .later {
        color: var(--text-2);
      }

      progress {
        width: 100%;
        height: 0.7rem;
        accent-color: var(--accent);
      }
    `,
  ];

  override render() {
    const { step } = this.progress;
    const now = steps.findIndex((one) => one === step);
    return html`<p class="visually-hidden" role="status">${t("moving.now", { step: this.nameOf(step ?? "") })}</p>
      <ol>
        ${steps.map((one, index) => this.step(one, index < now ? "done" : index === now ? "now" : "later"))}
      </ol>`;
  }

  private nameOf(step: string): string {
    return maybeT(`moving.step.${step}`) ?? t("moving.step.other");
  }

  private step(step: string, state: "done" | "now" | "later"): TemplateResult {
    const path = { done: mdiCheckCircle, now: mdiProgressClock, later: mdiCircleOutline }[state];
    return html`<li class=${state} aria-current=${state === "now" ? "step" : nothing}>
      <hearth-icon .path=${path}></hearth-icon>
      <span class="name">
        ${this.nameOf(step)} ${state === "done" ? html`<span class="visually-hidden">${t("moving.stepDone")}</span>` : nothing}
      </span>
      ${state === "now" ? this.now() : nothing}
    </li>`;
  }

  private now(): TemplateResult {
    const { step, done, of, rows, seconds_left } = this.progress;
    const facts = [
      ...(rows ? [t("moving.rows", { rows })] : []),
      ...(typeof seconds_left === "number" ? [t("moving.timeLeft", { time: formatDuration(seconds_left) })] : []),
    ];
    const share = of ? Math.min(1, (done ?? 0) / of) : undefined;
    return html`<progress
        max="1"
        value=${share ?? nothing}
        aria-label=${this.nameOf(step ?? "")}
        aria-valuetext=${share === undefined ? nothing : formatNumber(share, { style: "percent", maximumFractionDigits: 0 })}
      ></progress>
      ${facts.length > 0 ? html`<p class="hint">${facts.join(" · ")}</p>` : nothing}`;
  }
}
