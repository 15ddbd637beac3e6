// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isCommandError } from "../../api/errors";
import type { Home } from "../../api/home";
import { readTrace, type Run, type Trace } from "../../api/traces";
import { formatDateTime, formatDuration, formatNumber, formatTime, t, type Key } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { outcomeLook, outcomeText } from "./run_words";
import { runLooks } from "./run_styles";
import { stepsOf, valueText, type Step } from "./steps";

// Texts above this many characters are folded.
const long = 300;

// The steps of one run; `run` is read again as it goes on.
@customElement("hearth-run-steps")
export class RunSteps extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) run!: Run;
  @state() private trace: Trace | undefined;
  @state() private failure: unknown;

  static override styles = [
    shared,
    runLooks,
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
    `,
  ];

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
    const steps = stepsOf(trace);
    return html`<div class="stack">
      <div class="row">
        <h3>${formatDateTime(start, this.home.configuration.time_zone)}</h3>
        <span class=${outcomeLook(trace)}>${outcomeText(trace)}</span>
        ${trace.timestamp.finish ? html`<span class="hint">${this.lasted(start, new Date(trace.timestamp.finish))}</span>` : nothing}
      </div>
      ${trace.error ? html`<p class="problem">${trace.error}</p>` : nothing}
      <ol aria-label=${t("runs.steps")}>
        ${steps.map((step) => this.step(step, start))}
      </ol>
      ${trace.left_out ? html`<p class="hint">${t("runs.leftOut", { count: trace.left_out })}</p>` : nothing}
    </div>`;
  }

  private lasted(from: Date, to: Date): string {
    const milliseconds = to.getTime() - from.getTime();
    if (milliseconds < 1) return t("runs.lastedNotLong");
    const time = milliseconds < 1000 ? `${milliseconds} ms` : milliseconds < 60_000 ? `${formatNumber(milliseconds / 1000, { maximumFractionDigits: 1 })} s` : formatDuration(milliseconds / 1000);
    return t("runs.lasted", { time });
  }

  private step(step: Step, start: Date): TemplateResult {
    const time = new Date(step.timestamp);
    const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 };
    const after = formatNumber((time.getTime() - start.getTime()) / 1000, { maximumFractionDigits: 3 });
    const { result, isChecked } = this.resultOf(step);
    return html`<li class="depth-${Math.min(step.depth, 4)} ${step.error ? "failed" : ""}">
      <div class="row">
        <span class="badge">${t(`runs.part_${step.part}`)}</span>
        <strong>${step.title || step.path}</strong>
        ${isChecked ? html`<span class="badge ${result ? "good" : ""}">${t(result ? "runs.holds" : "runs.holdsNot")}</span>` : nothing}
      </div>
      <div class="hint">
        <time datetime=${step.timestamp} title=${`+${after} s`}>${formatTime(time, this.home.configuration.time_zone, options)}</time> · <span class="mono">${step.path}</span>
      </div>
      ${step.error ? html`<p class="problem">${step.error}</p>` : nothing}
      <dl>
        ${isChecked || result === undefined || result === null ? nothing : this.fact("runs.result", { "": result })} ${this.fact("runs.variables", step.changed_variables)}
        ${this.fact("runs.rendered", step.rendered)} ${this.fact("runs.states", step.states)}
      </dl>
    </li>`;
  }

  // Of a condition whether it holds.
  private resultOf({ result }: Step): { result: unknown; isChecked: boolean } {
    if (typeof result !== "object" || result === null) return { result, isChecked: false };
    const { result: holds, ...more } = result as { result?: unknown };
    return typeof holds === "boolean" && Object.keys(more).length === 0 ? { result: holds, isChecked: true } : { result, isChecked: false };
  }

  private fact(label: Key, values: Record<string, unknown> | undefined): TemplateResult | typeof nothing {
    const all = Object.entries(values ?? {});
    if (all.length === 0) return nothing;
    return html`<dt>${t(label)}</dt>
      <dd>${all.map(([name, value]) => this.value(name, valueText(value)))}</dd>`;
  }

  private value(name: string, text: string): TemplateResult {
    if (text.length <= long && !text.includes("\n")) return html`<div>${name ? html`<code>${name}</code> = ` : nothing}<code>${text}</code></div>`;
    return html`<details>
      <summary><code>${name || t("runs.show")}</code></summary>
      <pre tabindex="0">${text}</pre>
    </details>`;
  }
}
