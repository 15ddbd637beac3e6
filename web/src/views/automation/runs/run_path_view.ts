// SPDX-License-Identifier: Apache-2.0
// The path of a run through its item. It knows the sentences: only what shows one imports it, when it runs.
import { mdiCodeBraces, mdiRecordCircle, mdiRecordCircleOutline } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { Trace, TracedStep } from "../../../api/traces";
import { HomeController } from "../../../elements/controllers";
import { t, type Key } from "../../../i18n/catalogue";
import { faultMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import {
  drawnItem,
  hasRun,
  passesOf,
  recordsOf,
  wholeRun,
  type DrawnList,
  type DrawnRow,
  type Lane,
  type Span,
} from "../editor/drawn_item";
import { KnowledgeController } from "../editor/knowledge";
import { kindOf } from "../sentences/classify";
import { isConfig, type Config } from "../sentences/edit";
import type { Knowledge } from "../sentences/home_words";
import { kindText, sentenceText } from "../sentences/words";
import { pathStyles } from "./path_styles";
import { runLooks } from "./run_styles";
import { compared, factStyles, hasFacts, holds, stepFacts, stepTime } from "./step_facts";
import "../../../elements/icon";
import "./run_links";

// As many rows of a list are drawn at first.
const most = 100;
const sections = ["triggers", "conditions", "actions"] as const;
const nothingRan = { trace: {}, timestamp: { start: "", finish: null }, state: "stopped", last_step: null } as unknown as Trace;

// Without a trace the item alone. Fires `breakpoint` with the path of a step, where there are `breakpoints`.
@customElement("hearth-run-path")
export class RunPath extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) config: Config = {};
  @property({ attribute: false }) trace: Trace | undefined;
  @property({ attribute: false }) breakpoints: ReadonlySet<string> | undefined;
  // Of the steps before which the run stands.
  @property({ attribute: false }) standing: readonly string[] = [];
  // The sections that people opened and closed, the pass of each loop, how much of long lists is drawn; by path.
  @state() private opened = new Map<string, boolean>();
  @state() private passes = new Map<string, number>();
  @state() private lengths = new Map<string, number>();
  private drawn: ReturnType<typeof drawnItem> | undefined;
  private readonly knowledge = new KnowledgeController(this, () => this.home);

  static override styles = [shared, runLooks, factStyles, pathStyles];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    const before = changes.get("trace") as Trace | undefined;
    if (before && before.run_id !== this.trace?.run_id) for (const kept of [this.opened, this.passes]) kept.clear();
    if (changes.has("config")) this.drawn = drawnItem(this.config);
  }

  private get shown(): Trace {
    return this.trace ?? nothingRan;
  }

  private get start(): Date {
    return new Date(this.shown.timestamp.start);
  }

  override render() {
    const { drawn } = this;
    if (!drawn) return nothing;
    const know = this.knowledge.of(drawn.triggers.rows.map(({ config }) => config));
    return html`${sections.map((section) => {
      const list = drawn[section];
      if (list.rows.length === 0) return nothing;
      return html`<div class="part">
        <div class="heading">${t(`sentences.${section}`)}</div>
        ${this.list(know, list, wholeRun, t(`sentences.${section}`))}
      </div>`;
    })}`;
  }

  private list(know: Knowledge, list: DrawnList, span: Span, label: string): TemplateResult {
    const length = this.lengths.get(list.path) ?? most;
    const rest = list.rows.length - length;
    return html`<ol aria-label=${label}>
        ${list.rows.slice(0, length).map((row) => this.row(know, row, span))}
      </ol>
      ${rest > 0
        ? html`<button type="button" class="small" @click=${() => (this.lengths = new Map(this.lengths).set(list.path, length + 5 * most))}>
            ${t("runs.moreRows", { count: rest })}
          </button>`
        : nothing}`;
  }

  private row(know: Knowledge, row: DrawnRow, span: Span): TemplateResult {
    const { path, section, config } = row;
    const isOff = isConfig(config) && config.enabled === false;
    const records = isOff ? [] : recordsOf(this.shown.trace, path, span); // a trace notes the steps that it passes over, too
    const last = records.at(-1);
    const hasFailed = records.some(({ error }) => error !== undefined);
    const stands = this.standing.includes(path);
    const breaks = this.breakpoints !== undefined && section === "actions";
    const isOpen = last !== undefined && (this.opened.get(path) ?? hasFailed);
    const kind = kindOf(section, config);
    const text = sentenceText(know, section, config);
    const named = kind && isConfig(config) && typeof config.alias === "string" && config.alias !== "" ? kindText(know, kind, config) : "";
    const times = last ? compared(this.home, last, config) : "";
    const words = html`<span class="say">${text}</span>${this.badges(row, records, { isOff, stands })}
      ${times ? html`<span class="hint">${times}</span>` : nothing} ${named ? html`<span class="hint">${named}</span>` : nothing}
      ${last ? html`<span class="hint">${stepTime(this.home, records[0] as TracedStep, this.start)}</span>` : nothing}`;
    return html`<li class="${last ? "ran" : ""} ${hasFailed ? "failed" : ""} ${stands ? "stands" : ""} ${breaks ? "breaks" : ""}">
      <span class="mark" aria-hidden="true"><hearth-icon .path=${kind?.icon ?? mdiCodeBraces}></hearth-icon></span>
      ${last
        ? html`<button
            type="button"
            class="words plain"
            aria-expanded=${isOpen ? "true" : "false"}
            @click=${() => (this.opened = new Map(this.opened).set(path, !isOpen))}
          >
            ${words}
          </button>`
        : html`<div class="words">${words}</div>`}
      ${breaks ? this.breakpoint(path, text) : nothing} ${isOpen ? this.facts(path, records) : nothing} ${this.lanes(know, row, span)}
    </li>`;
  }

  private badges({ path }: DrawnRow, records: TracedStep[], { isOff, stands }: { isOff: boolean; stands: boolean }): TemplateResult {
    const last = records.at(-1);
    const held = last && holds(last);
    const isNow = this.shown.state === "running" && this.shown.last_step === path && this.standing.length === 0;
    const said: [Key, string][] = [];
    if (isOff) said.push(["row.disabled", ""]);
    if (held !== undefined) said.push([held ? "runs.holds" : "runs.holdsNot", held ? "good" : ""]);
    if (last?.error !== undefined) said.push(["runs.outcome_error", "failed"]);
    if (stands) said.push(["debug.stands", "accent"]);
    if (isNow) said.push(["runs.atThis", "accent"]);
    return html`${said.map(([key, look]) => html` <span class="badge ${look}">${t(key)}</span>`)}
    ${records.length > 1 ? html` <span class="badge">${t("runs.times", { count: records.length })}</span>` : nothing}
    ${last || isOff || !this.trace || stands ? nothing : html`<span class="visually-hidden"> – ${t("runs.notDone")}</span>`}`;
  }

  private facts(path: string, records: TracedStep[]): TemplateResult {
    return html`<div class="facts">
      <div class="hint mono">${path}</div>
      ${records.map(
        (record) =>
          html`${records.length > 1 ? html`<p class="hint">${stepTime(this.home, record, this.start)}</p>` : nothing}
          ${record.error ? html`<p class="problem">${faultMessage(record.error)}</p>` : nothing}
          ${hasFacts(record) ? stepFacts(record) : html`<p class="hint">${t("runs.noValues")}</p>`}`,
      )}
    </div>`;
  }

  private breakpoint(path: string, text: string): TemplateResult {
    const isSet = this.breakpoints?.has(path) === true;
    return html`<button
      type="button"
      class="plain breakpoint"
      aria-pressed=${isSet ? "true" : "false"}
      aria-label=${t("debug.breakpoint", { text })}
      title=${t(isSet ? "debug.clear" : "debug.set")}
      @click=${() => this.dispatchEvent(new CustomEvent("breakpoint", { detail: path }))}
    >
      <hearth-icon .path=${isSet ? mdiRecordCircle : mdiRecordCircleOutline}></hearth-icon>
    </button>`;
  }

  private lanes(know: Knowledge, row: DrawnRow, span: Span): TemplateResult | typeof nothing {
    if (row.lanes.length === 0) return nothing;
    return html`<div class="lanes">${row.lanes.map((lane) => this.lane(know, row, lane, span))}</div>`;
  }

  private lane(know: Knowledge, row: DrawnRow, lane: Lane, span: Span): TemplateResult {
    const { trace } = this.shown;
    const passes = lane.heading === "repeat" ? passesOf(trace, row.path, span) : [];
    const chosen = Math.min(this.passes.get(row.path) ?? passes.length - 1, passes.length - 1);
    const inner = passes[chosen] ?? span;
    const heading = laneHeading(lane);
    const ran = lane.lists.some(({ path, heading: part }) => part !== "if" && hasRun(trace, path, span));
    const isWide = ["if", "repeat", "sequence", "group", "wait"].includes(lane.heading);
    return html`<div class="lane ${ran ? "ran" : ""} ${isWide ? "wide" : ""}" role="group" aria-label=${heading}>
      <div class="heading">${heading}</div>
      ${passes.length > 1 ? this.passChoice(row.path, passes.length, chosen) : nothing}
      ${lane.lists.map((list) => {
        if (list.rows.length === 0) return nothing;
        const label = list.heading ? t(`block.${list.heading}`) : heading;
        return html`${list.heading ? html`<div class="heading">${label}</div>` : nothing}${this.list(know, list, inner, label)}`;
      })}
    </div>`;
  }

  private passChoice(path: string, count: number, chosen: number): TemplateResult {
    const choose = (event: Event) => (this.passes = new Map(this.passes).set(path, Number((event.target as HTMLSelectElement).value)));
    return html`<label class="passes"
      >${t("runs.pass")}
      <select @change=${choose}>
        ${Array.from(
          { length: count },
          (_, index) =>
            html`<option value=${index} ?selected=${index === chosen}>${t("runs.passOf", { number: index + 1, count })}</option>`,
        )}
      </select>
    </label>`;
  }
}

function laneHeading({ heading, number, alias }: Lane): string {
  const words: Record<Lane["heading"], () => string> = {
    if: () => t("block.if"),
    then: () => t("block.then"),
    else: () => t("block.else"),
    option: () => t("block.option", { number: number + 1 }),
    default: () => t("block.default"),
    repeat: () => t("block.repeat"),
    branch: () => t("runs.branch", { number: number + 1 }),
    sequence: () => t("block.sequence"),
    group: () => t("runs.group"),
    wait: () => t("block.wait"),
  };
  return alias ? `${words[heading]()} · ${alias}` : words[heading]();
}
