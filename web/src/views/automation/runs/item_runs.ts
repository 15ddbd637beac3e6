// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readRuns, type Run } from "../../../api/traces";
import { EntityController, Polled } from "../../../elements/controllers";
import { formatDateTime, formatRelative, t } from "../../../i18n/catalogue";
import { faultMessage, hubMessage } from "../../../i18n/hub_messages";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { runLooks } from "./run_styles";
import { outcomeLook, outcomeText } from "./run_words";
import "../../../items/missed_runs";
import "./run_steps";

// How often the runs are asked for, in milliseconds.
const interval = 2000;

// The last runs of an automation or a script, the steps of one, and the runs that it missed.
@customElement("hearth-item-runs")
export class ItemRuns extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  // The one whose steps are shown; the newest if empty.
  @property({ attribute: false }) runId = "";
  private readonly runs = new Polled<Run[]>(this, interval, () => readRuns(this.home, this.entityId));

  private seen: unknown;

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  static override styles = [
    shared,
    lined,
    runLooks,
    css`
      .both {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        gap: 1rem;
      }

      .both > * {
        flex: 3 1 26rem;
        min-width: 0;
        max-width: 100%;
      }

      .both > :first-child {
        flex: 1 1 16rem;
      }

      .runs {
        max-height: 40rem;
        overflow: auto;
      }

      li {
        padding: 0;
      }

      .run {
        display: block;
        padding: 0.55rem 0.6rem;
        border-radius: var(--radius-small);
        color: var(--text);
        text-decoration: none;
      }

      .run:hover {
        background: var(--surface-2);
      }

      .run[aria-current] {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      .run[aria-current] .hint {
        color: inherit;
      }

      .failure {
        display: block;
        color: var(--danger);
        font-size: 0.9rem;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    // A run that begins or ends changes the entity; what happens in between is asked for.
    const entity = this.home.entity(this.entityId);
    if (this.seen !== undefined && this.seen !== entity) void this.runs.again();
    this.seen = entity;
    if (!changes.has("entityId") || changes.get("entityId") === undefined) return;
    this.runs.value = undefined;
    void this.runs.again();
  }

  override render() {
    const runs = this.runs.value;
    if (!runs)
      return this.runs.failure === undefined
        ? html`<p class="muted">${t("app.loading")}</p>`
        : html`<p class="problem" role="alert">${errorText(this.runs.failure)}</p>`;
    const shown = runs.find(({ run_id }) => run_id === this.runId) ?? (this.runId ? undefined : runs[0]);
    return html`<div class="stack">
      <hearth-missed-runs .home=${this.home} .entityId=${this.entityId}></hearth-missed-runs>
      ${runs.length === 0
        ? html`<p class="card muted">${t("runs.none")}</p>`
        : html`<div class="both">
            <section class="card stack">
              <h2>${t("runs.runs")}</h2>
              <ul class="runs">
                ${repeat(
                  runs,
                  ({ run_id }) => run_id,
                  (run) => this.item(run, run === shown),
                )}
              </ul>
            </section>
            <section class="card stack">
              <h2>${t("runs.steps")}</h2>
              ${shown
                ? html`<hearth-run-steps .home=${this.home} .run=${shown}></hearth-run-steps>`
                : html`<p class="muted">${t("runs.gone")}</p>`}
            </section>
          </div>`}
    </div>`;
  }

  private item(run: Run, isShown: boolean): TemplateResult {
    const start = new Date(run.timestamp.start);
    return html`<li>
      <a class="run" href="?view=runs&amp;run=${encodeURIComponent(run.run_id)}" aria-current=${isShown ? "true" : nothing}>
        <span class="row">
          <time datetime=${run.timestamp.start} title=${formatRelative(start)}
            >${formatDateTime(start, this.home.configuration.time_zone)}</time
          >
          <span class=${outcomeLook(run)}>${outcomeText(run)}</span>
        </span>
        ${run.domain === "automation"
          ? html`<span class="hint">${run.trigger ? hubMessage(run.trigger) : t("runs.byHand")}</span>`
          : nothing}
        ${run.error ? html`<span class="failure">${faultMessage(run.error)}</span>` : nothing}
      </a>
    </li>`;
  }
}
