// SPDX-License-Identifier: Apache-2.0
// Runs of an automation or a script, step by step. Only what shows it imports it, when it runs.
import { mdiDebugStepOver, mdiPlay, mdiStop } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { readItem, runItem, type Item } from "../../../api/automations";
import { debugRun, readBreakpoints, setBreakpoint, watchBreakpoints, type Doing } from "../../../api/debugging";
import { errorText, isCommandError } from "../../../api/errors";
import type { Home, Unsubscribe } from "../../../api/home";
import { readRuns, readTrace, tracedAs, type Run, type Trace } from "../../../api/traces";
import { Polled } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatTime, t } from "../../../i18n/catalogue";
import { faultMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import { runLooks } from "./run_styles";
import { outcomeLook, outcomeText } from "./run_words";
import { fact, factStyles } from "./step_facts";
import { stepsOf } from "./steps";
import "../../../elements/action";
import "../../../elements/icon";
import "../../../elements/loading";
import "../../../elements/fields/segments";
import "./run_path_view";

const interval = 2000;
// Before any step.
const any = "*";

@customElement("hearth-item-debugger")
export class ItemDebugger extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private config: Item | undefined;
  @state() private failure: unknown;
  @state() private breakpoints: ReadonlySet<string> = new Set();
  // The steps before which each run stands.
  @state() private standing: ReadonlyMap<string, string[]> = new Map();
  @state() private chosen = "";
  @state() private trace: Trace | undefined;
  private listening: Promise<Unsubscribe> | undefined;
  private readonly runs = new Polled<Run[]>(this, interval, () => this.look());

  static override styles = [
    shared,
    runLooks,
    factStyles,
    css`
      :host {
        container-type: inline-size;
      }

      .stopped {
        padding: 0.9rem 1rem;
        border: 2px solid var(--accent);
        border-radius: var(--radius-small);
      }

      .variables {
        max-height: 24rem;
        overflow: auto;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // The properties are set before the first update.
    queueMicrotask(() => void this.begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.home.connection.removeEventListener("ready", this.returned);
    void this.listening?.then((stop) => stop()).catch(() => undefined);
    this.listening = undefined;
  }

  private get item() {
    return tracedAs(this.home, this.entityId);
  }

  private async begin(): Promise<void> {
    this.failure = undefined;
    try {
      this.listening = watchBreakpoints(this.home, ({ domain, item_id, run_id, node }) => {
        if (domain === this.item.domain && item_id === this.item.item_id) this.stopped(run_id, node);
      });
      this.home.connection.addEventListener("ready", this.returned);
      const [config, breakpoints] = await Promise.all([
        readItem(this.home, this.entityId),
        readBreakpoints(this.home, this.item),
        this.listening,
      ]);
      this.config = config;
      this.breakpoints = new Set(breakpoints);
    } catch (error) {
      this.failure = error;
    }
  }

  // A hub that nobody listened to has forgotten them.
  private readonly returned = (): void => {
    this.standing = new Map();
    for (const node of this.breakpoints) void setBreakpoint(this.home, this.item, node, true).catch(() => undefined);
  };

  private stopped(run: string, node: string): void {
    const nodes = this.standing.get(run) ?? [];
    this.standing = new Map(this.standing).set(run, [...nodes.filter((each) => each !== node), node]);
    if (!this.standing.has(this.chosen)) this.chosen = run;
    void this.runs.again();
  }

  private leave(run: string): void {
    const standing = new Map(this.standing);
    standing.delete(run);
    this.standing = standing;
  }

  // The runs, of which those that have ended stand nowhere any more, and what the one that is looked at did.
  private async look(): Promise<Run[]> {
    const runs = await readRuns(this.home, this.entityId);
    for (const run of this.standing.keys()) if (runs.some(({ run_id, state }) => run_id === run && state === "stopped")) this.leave(run);
    const shown = runs.find(({ run_id }) => run_id === this.chosen);
    if (shown) this.trace = await readTrace(this.home, shown);
    return runs;
  }

  private async toggle(node: string): Promise<void> {
    const wanted = !this.breakpoints.has(node);
    await setBreakpoint(this.home, this.item, node, wanted);
    const breakpoints = new Set(this.breakpoints);
    if (wanted) breakpoints.add(node);
    else breakpoints.delete(node);
    this.breakpoints = breakpoints;
  }

  private async clear(): Promise<void> {
    for (const node of this.breakpoints) await this.toggle(node);
  }

  private async run(): Promise<void> {
    this.chosen = "";
    this.trace = undefined;
    // The call may last as long as the run, which may stop.
    void attempt(() => runItem(this.home, this.entityId));
    notifyDone(t("automations.started", { name: this.home.nameOf(this.entityId) }));
    await this.runs.again();
  }

  private async go(run: string, doing: Doing): Promise<void> {
    this.leave(run);
    try {
      await debugRun(this.home, this.item, run, doing);
    } catch (error) {
      if (!isCommandError(error) || error.code !== "not_found") throw error; // others may have let it go on
    }
    await this.runs.again();
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.begin()}></hearth-loading>`;
    if (!this.config) return html`<p class="muted">${t("app.loading")}</p>`;
    const own = this.trace?.run_id === this.chosen ? this.trace : undefined;
    const nodes = this.standing.get(this.chosen) ?? [];
    return html`<section class="card stack">
      <h2>${t("debug.debugger")}</h2>
      <p class="hint">${t("debug.hint")}</p>
      <div class="row">
        <hearth-action .label=${t("editor.runNow")} .run=${() => this.run()}></hearth-action>
        <button
          type="button"
          aria-pressed=${this.breakpoints.has(any) ? "true" : "false"}
          @click=${() => void attempt(() => this.toggle(any))}
        >
          ${t("debug.each")}
        </button>
        <button type="button" ?disabled=${this.breakpoints.size === 0} @click=${() => void attempt(() => this.clear())}>
          ${t("debug.clearAll")}
        </button>
      </div>
      <div role="status">
        ${this.standing.size === 0 ? html`<p class="hint">${own ? this.outcome(own) : t("debug.none")}</p>` : nothing}
      </div>
      ${this.standing.size > 1 ? this.choice() : nothing} ${nodes.length > 0 ? this.stand(own, nodes) : nothing}
      <hearth-run-path
        .home=${this.home}
        .config=${own?.config ?? this.config}
        .trace=${own ?? undefined}
        .breakpoints=${this.breakpoints}
        .standing=${nodes}
        @breakpoint=${(event: CustomEvent<string>) => void attempt(() => this.toggle(event.detail))}
      ></hearth-run-path>
    </section>`;
  }

  private outcome(trace: Trace): TemplateResult {
    return html`${t("debug.last")} <span class=${outcomeLook(trace)}>${outcomeText(trace)}</span> ${trace.error
        ? faultMessage(trace.error)
        : nothing}`;
  }

  private choice(): TemplateResult {
    const time = (run: string) => this.runs.value?.find(({ run_id }) => run_id === run)?.timestamp.start;
    const options = [...this.standing.keys()].map((id) => ({
      id,
      name: formatTime(new Date(time(id) ?? Date.now()), this.home.configuration.time_zone, { timeStyle: "medium" }),
    }));
    const choose = (id: string) => {
      this.chosen = id;
      void this.runs.again();
    };
    return html`<hearth-segments
      .label=${t("debug.which")}
      .options=${options}
      .chosen=${this.chosen}
      @choose=${(event: CustomEvent<string>) => choose(event.detail)}
    ></hearth-segments>`;
  }

  private stand(trace: Trace | undefined, nodes: string[]): TemplateResult {
    const run = this.chosen;
    const variables: Record<string, unknown> = Object.assign(
      {},
      ...(trace ? stepsOf(trace).map(({ changed_variables }) => changed_variables) : []),
    );
    const button = (doing: Doing, icon: string) =>
      html`<button
        type="button"
        class=${doing === "stop" ? "danger" : doing === "step" ? "primary" : ""}
        @click=${() => void attempt(() => this.go(run, doing))}
      >
        <hearth-icon .path=${icon}></hearth-icon>${t(`debug.${doing}`)}
      </button>`;
    return html`<div class="stopped stack" role="group" aria-label=${t("debug.stopped")}>
      <p role="status">${t("debug.standsAt")} <code>${nodes.join(", ")}</code></p>
      <div class="row">${button("step", mdiDebugStepOver)} ${button("continue", mdiPlay)} ${button("stop", mdiStop)}</div>
      ${Object.keys(variables).length === 0
        ? nothing
        : html`<div class="variables" tabindex="0" role="group" aria-label=${t("debug.variables")}>
            <dl>${fact("debug.variables", variables)}</dl>
          </div>`}
    </div>`;
  }
}
