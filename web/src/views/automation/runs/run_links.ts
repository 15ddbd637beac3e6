// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { nameOfUser } from "../../../api/cause";
import type { Home } from "../../../api/home";
import { readContexts, tracedEntity, type RunName, type Trace, type TracedStep } from "../../../api/traces";
import { stateText } from "../../../cards/state_text";
import { formatTime, t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { linkWords } from "../../../i18n/why_words";
import { base } from "../../../router";
import { definitions } from "../../../styles/lists";
import { shared } from "../../../styles/shared";

interface Entry {
  when: number;
  name?: string;
  entity_id?: string;
  state?: string;
  message?: string;
}

// As many of what it changed are shown at first.
const few = 8;
// The recorder writes once a second, in milliseconds.
const written = 1500;

// The cause of a run, and its results: links to entities and other runs.
@customElement("hearth-run-links")
export class RunLinks extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) trace!: Trace;
  @state() private entries: Entry[] = [];
  @state() private contexts: Record<string, RunName> = {};
  @state() private user = "";
  @state() private showsAll = false;
  private later: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    definitions,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li a {
        display: inline-block;
        min-height: 1.6rem;
      }

      @media (max-width: 30rem) {
        dl {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("trace")) return;
    const before = changes.get("trace") as Trace | undefined;
    if (before?.run_id !== this.trace.run_id) {
      this.entries = [];
      this.user = "";
      this.showsAll = false;
    }
    if (before?.run_id === this.trace.run_id && before.state === this.trace.state && this.trace.state === "stopped") return;
    void this.ask();
    clearTimeout(this.later);
    const finish = new Date(this.trace.timestamp.finish ?? Date.now()).getTime();
    if (Date.now() - finish < 2 * written) this.later = setTimeout(() => void this.ask(), written);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.later);
  }

  private async ask(): Promise<void> {
    const { home, trace } = this;
    const { context } = trace;
    if (!context) return;
    const start_time = new Date(new Date(trace.timestamp.start).getTime() - 1000).toISOString();
    const [entries, contexts, user] = await Promise.all([
      home.command<Entry[]>("logbook/get_events", { start_time, context_id: context.id }).catch(() => []),
      readContexts(home).catch(() => ({})),
      context.user_id ? nameOfUser(home, context.user_id) : "",
    ]);
    if (trace.run_id !== this.trace.run_id) return;
    const own = tracedEntity(home, trace);
    this.entries = entries.filter(({ entity_id, state, message }) => entity_id !== own && (state !== undefined || message !== undefined));
    this.contexts = contexts;
    this.user = user;
  }

  private get firstStep(): TracedStep | undefined {
    const path = Object.keys(this.trace.trace).find((each) => /^trigger(\/|$)/.test(each));
    return path === undefined ? undefined : this.trace.trace[path]?.[0];
  }

  override render() {
    const steps = Object.values(this.trace.trace).flat();
    const children = steps.flatMap(({ child_id }) => (child_id ? [child_id] : []));
    const shown = this.showsAll ? this.entries : this.entries.slice(0, few);
    return html`<dl>
      <dt>${t("runs.cause")}</dt>
      <dd>${this.cause()}</dd>
      ${children.length + this.entries.length === 0
        ? nothing
        : html`<dt>${t("runs.effects")}</dt>
            <dd>
              <ul>
                ${children.map((child) => html`<li>${this.run(child)}</li>`)} ${shown.map((entry) => html`<li>${this.entry(entry)}</li>`)}
              </ul>
              ${shown.length < this.entries.length
                ? html`<button type="button" class="small" @click=${() => (this.showsAll = true)}>
                    ${t("runs.moreEffects", { count: this.entries.length - shown.length })}
                  </button>`
                : nothing}
            </dd>`}
    </dl>`;
  }

  private cause(): TemplateResult {
    const { context } = this.trace;
    const parent = context?.parent_id ? this.contexts[context.parent_id] : undefined;
    const trigger = this.trigger();
    if (!trigger) return parent ? this.run(parent) : html`${this.user ? t("runs.byHandOf", { name: this.user }) : t("runs.byHand")}`;
    const from = parent ? html` ${t("runs.by")} ${this.run(parent)}` : nothing;
    const by = this.user ? html` ${t("why.user", { name: this.user })}` : nothing;
    return html`${trigger}${from}${by}`;
  }

  // The change of an entity, where there is one.
  private trigger(): TemplateResult | undefined {
    const trigger = this.firstStep?.changed_variables?.trigger;
    const values = (typeof trigger === "object" && trigger !== null ? trigger : {}) as Record<string, unknown>;
    const id = typeof values.entity_id === "string" ? values.entity_id : "";
    const to = stateOf(values.to_state);
    if (id !== "" && to !== undefined) {
      const words = linkWords(this.home, { kind: "state", at: "", text: "", entity_id: id, from: stateOf(values.from_state) ?? null, to });
      return html`<a href="?entity=${encodeURIComponent(id)}">${words}</a>`;
    }
    if (!this.trace.trigger) return undefined;
    const said = hubMessage(this.trace.trigger);
    return id !== "" && this.home.entity(id) ? html`<a href="?entity=${encodeURIComponent(id)}">${said}</a>` : html`${said}`;
  }

  private run(name: RunName): TemplateResult {
    const id = tracedEntity(this.home, name);
    const words = t(name.domain === "script" ? "runs.ofScript" : "runs.ofAutomation", { name: id ? this.home.nameOf(id) : name.item_id });
    return id
      ? html`<a href="${base}/settings/automations/${encodeURIComponent(id)}?view=runs&amp;run=${encodeURIComponent(name.run_id)}"
          >${words}</a
        >`
      : html`${words}`;
  }

  private entry({ when, name, entity_id, state, message }: Entry): TemplateResult {
    const time = new Date(when * 1000);
    const entity = entity_id ? this.home.entity(entity_id) : undefined;
    const said = state === undefined ? (message ?? "") : entity ? stateText(this.home, entity, state) : state;
    const words = `${entity_id ? this.home.nameOf(entity_id) : (name ?? "")}: ${said}`;
    return html`${entity ? html`<a href="?entity=${encodeURIComponent(entity_id as string)}">${words}</a>` : words}
      <time class="hint" datetime=${time.toISOString()}
        >${formatTime(time, this.home.configuration.time_zone, { timeStyle: "medium" })}</time
      >`;
  }
}

function stateOf(value: unknown): string | undefined {
  const state = typeof value === "object" && value !== null ? (value as { state?: unknown }).state : undefined;
  return typeof state === "string" ? state : undefined;
}
