// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isCommandError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readTrace, type Run, type Trace } from "../../../api/traces";
import { formatDateTime, t } from "../../../i18n/catalogue";
import { faultMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import { runLooks } from "./run_styles";
import { outcomeLook, outcomeText } from "./run_words";
import { compared, factStyles, holds, lasted, stepFacts, stepTime } from "./step_facts";
import { partAt, stepsOf, type Step } from "./steps";
import "../../../elements/fields/segments";

type Look = "path" | "order";
// Others that are opened look the same.
let lastLook: Look = "path";

// One run: its path through the item, or its steps in their order; `run` is read again as it goes on.
@customElement("hearth-run-steps")
export class RunSteps extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) run!: Run;
  @state() private trace: Trace | undefined;
  @state() private failure: unknown;
  @state() private look = lastLook;
  @state() private canDraw = false;

  static override styles = [
    shared,
    runLooks,
    factStyles,
    css`
      :host {
        container-type: inline-size;
      }

      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        margin-inline-start: calc(min(var(--depth, 0), 4) * 0.9rem);
        padding: 0.6rem 0 0.6rem 0.9rem;
        border-inline-start: 3px solid var(--border);
        overflow-wrap: anywhere;
      }

      li.failed {
        border-color: var(--danger);
      }

      .depth-1 {
        --depth: 1;
      }

      .depth-2 {
        --depth: 2;
      }

      .depth-3 {
        --depth: 3;
      }

      .depth-4 {
        --depth: 4;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void import("./run_path_view").then(
      () => (this.canDraw = true),
      () => (this.look = "order"), // what came with the page has to do
    );
  }

  private choose(look: Look): void {
    this.look = lastLook = look;
  }

  override willUpdate(changes: Map<string, unknown>): void {
    const before = changes.get("run") as Run | undefined;
    if (!changes.has("run")) return;
    if (before?.run_id !== this.run.run_id) this.trace = undefined;
    if (before?.run_id !== this.run.run_id || this.run.state === "running" || before.state !== this.run.state) void this.load();
  }

  private async load(): Promise<void> {
    const { run } = this;
    try {
      const trace = await readTrace(this.home, run);
      if (run.run_id !== this.run.run_id) return;
      this.trace = trace;
      this.failure = undefined;
    } catch (error) {
      if (run.run_id === this.run.run_id) this.failure = error;
    }
  }

  override render() {
    const { trace, failure } = this;
    if (!trace && failure !== undefined) {
      const isGone = isCommandError(failure) && failure.code === "not_found";
      return html`<p class="problem" role="alert">${isGone ? t("runs.gone") : errorText(failure)}</p>`;
    }
    if (!trace) return html`<p class="muted">${t("app.loading")}</p>`;
    const start = new Date(trace.timestamp.start);
    const { finish } = trace.timestamp;
    const isDrawn = this.look === "path" && trace.config !== null;
    return html`<div class="stack">
      <div class="row">
        <h3>${formatDateTime(start, this.home.configuration.time_zone)}</h3>
        <span class=${outcomeLook(trace)}>${outcomeText(trace)}</span>
        ${finish ? html`<span class="hint">${lasted(start, new Date(finish))}</span>` : nothing}
      </div>
      ${trace.error ? html`<p class="problem">${faultMessage(trace.error)}</p>` : nothing}
      ${this.canDraw ? html`<hearth-run-links .home=${this.home} .trace=${trace}></hearth-run-links>` : nothing}
      ${trace.config ? this.looks() : nothing}
      ${isDrawn
        ? this.path(trace)
        : html`<ol aria-label=${t("runs.steps")}>
            ${stepsOf(trace).map((step) => this.step(step, start))}
          </ol>`}
      ${trace.left_out ? html`<p class="hint">${t("runs.leftOut", { count: trace.left_out })}</p>` : nothing}
    </div>`;
  }

  private looks(): TemplateResult {
    const options = [
      { id: "path", name: t("runs.asPath") },
      { id: "order", name: t("runs.inOrder") },
    ];
    return html`<hearth-segments
      .label=${t("runs.look")}
      .options=${options}
      .chosen=${this.look}
      @choose=${(event: CustomEvent<Look>) => this.choose(event.detail)}
    ></hearth-segments>`;
  }

  private path(trace: Trace): TemplateResult {
    if (!this.canDraw) return html`<p class="muted">${t("app.loading")}</p>`;
    return html`<hearth-run-path .home=${this.home} .config=${trace.config} .trace=${trace}></hearth-run-path>`;
  }

  private step(step: Step, start: Date): TemplateResult {
    const held = holds(step);
    const times = compared(this.home, step, partAt(this.trace?.config, step.path));
    return html`<li class="depth-${Math.min(step.depth, 4)} ${step.error ? "failed" : ""}">
      <div class="row">
        <span class="badge">${t(`runs.part_${step.part}`)}</span>
        <strong>${step.title || step.path}</strong>
        ${held === undefined ? nothing : html`<span class="badge ${held ? "good" : ""}">${t(held ? "runs.holds" : "runs.holdsNot")}</span>`}
      </div>
      ${times ? html`<div class="hint">${times}</div>` : nothing}
      <div class="hint">${stepTime(this.home, step, start)} · <span class="mono">${step.path}</span></div>
      ${step.error ? html`<p class="problem">${faultMessage(step.error)}</p>` : nothing} ${stepFacts(step)}
    </li>`;
  }
}
