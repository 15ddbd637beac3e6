// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { dismissSuggestion, findSuggestions, type Suggestion } from "../../api/suggestions";
import type { Services } from "../../api/types";
import { HomeController } from "../../elements/controllers";
import { notifyDone } from "../../elements/notify";
import { formatDateTime, formatTime, t } from "../../i18n/catalogue";
import { translated } from "../../i18n/service_words";
import { base, navigate } from "../../router";
import { lined } from "../../styles/lists";
import { shared } from "../../styles/shared";
import { offerDraft } from "./editor/new_item";
import { sentenceText } from "./sentences/words";
import "../../elements/action";
import "../../elements/loading";

// Automations that could be made of what people do by hand, with what shows that they do.
@customElement("hearth-suggestion-list")
export class SuggestionList extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private suggestions: Suggestion[] | undefined;
  @state() private services: Services | undefined;
  @state() private progress = 0;
  @state() private failure: unknown;
  private search = new AbortController();

  static override styles = [
    shared,
    lined,
    css`
      h3 {
        font-size: 1.1rem;
      }

      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 0.2rem 0.6rem;
        margin: 0;
      }

      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }

      progress {
        width: min(100%, 20rem);
        accent-color: var(--accent);
      }

      summary {
        display: inline-block;
        padding: 0.5rem 0;
        color: var(--accent);
        cursor: pointer;
      }

      .evidence {
        font-weight: 550;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override firstUpdated(): void {
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search.abort();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    this.progress = 0;
    this.search = new AbortController();
    try {
      const search = findSuggestions(this.home, (share) => (this.progress = share), this.search.signal);
      this.services = await translated(await this.home.command<Services>("get_services"));
      this.suggestions = (await search).suggestions;
    } catch (error) {
      this.failure = error;
    }
  }

  private async dismiss(suggestion: Suggestion, dismissed: boolean): Promise<void> {
    await dismissSuggestion(this.home, suggestion.id, dismissed);
    this.suggestions = this.suggestions?.map((each) => (each === suggestion ? { ...each, dismissed } : each));
    if (dismissed) notifyDone(t("suggestions.dismissed"));
  }

  private say(section: "triggers" | "conditions" | "actions", config: unknown): string {
    return sentenceText({ home: this.home, services: this.services ?? {}, labels: [], triggers: [] }, section, config);
  }

  // Shows it in the editor; nothing is saved yet.
  private make({ config, hits, occasions }: Suggestion): void {
    const alias = this.say("actions", config.actions[0]);
    offerDraft({ alias, description: t("suggestions.description", { hits, occasions }), ...config, mode: "single" });
    navigate(`${base}/settings/automations/new-automation`);
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    const offered = this.suggestions?.filter(({ dismissed }) => !dismissed) ?? [];
    const dismissed = this.suggestions?.filter((each) => each.dismissed) ?? [];
    return html`<div class="stack">
      <div class="stack">
        <h2>${t("suggestions.heading")}</h2>
        <p class="hint">${t("suggestions.hint")}</p>
      </div>
      ${this.suggestions && this.services
        ? html`${offered.length === 0 ? html`<p class="card muted">${t("suggestions.none")}</p>` : nothing}
          ${offered.map((each) => this.card(each))}`
        : html`<section class="card stack">
            <label>${t("suggestions.searching")} <progress max="1" .value=${this.progress}></progress></label>
          </section>`}
      ${dismissed.length === 0
        ? nothing
        : html`<details class="card">
            <summary>${t("suggestions.dismissedOnes", { count: dismissed.length })}</summary>
            <ul>
              ${dismissed.map((each) => {
                const what = `${this.say("actions", each.config.actions[0])} – ${this.say("triggers", each.config.triggers[0])}`;
                return html`<li class="spread">
                  <span>${what}</span>
                  <hearth-action
                    .label=${t("suggestions.again")}
                    .name=${`${t("suggestions.again")}: ${what}`}
                    .run=${() => this.dismiss(each, false)}
                  ></hearth-action>
                </li>`;
              })}
            </ul>
          </details>`}
    </div>`;
  }

  private card(suggestion: Suggestion): TemplateResult {
    const { config, hits, occasions, days, within, cause } = suggestion;
    const what = this.say("actions", config.actions[0]);
    const time = t("suggestions.minutes", { count: Math.round(within / 60) });
    return html`<section class="card stack" aria-label=${what}>
      <h3>${what}</h3>
      <dl>
        <dt class="hint">${t("suggestions.when")}</dt>
        <dd>${this.say("triggers", config.triggers[0])}</dd>
        ${config.conditions.map(
          (condition) =>
            html`<dt class="hint">${t("suggestions.if")}</dt>
              <dd>${this.say("conditions", condition)}</dd>`,
        )}
      </dl>
      <p class="evidence">
        ${t(cause === "state" ? "suggestions.evidence_state" : "suggestions.evidence_time", { hits, occasions, days, time })}
      </p>
      <details>
        <summary>${t("suggestions.examples")}</summary>
        <ul>
          ${suggestion.examples.map((example) => html`<li>${this.example(suggestion, example)}</li>`)}
        </ul>
      </details>
      <div class="row">
        <button type="button" class="primary" @click=${() => this.make(suggestion)}>${t("suggestions.make")}</button>
        <hearth-action
          .label=${t("suggestions.dismiss")}
          .name=${`${t("suggestions.dismiss")}: ${what}`}
          .run=${() => this.dismiss(suggestion, true)}
        ></hearth-action>
      </div>
    </section>`;
  }

  private example({ cause: kind }: Suggestion, { cause, effect }: Suggestion["examples"][number]): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const begin = new Date(cause);
    const end = effect === null ? undefined : new Date(effect);
    if (kind !== "state") {
      const day = formatTime(begin, zone, { dateStyle: "medium" });
      return html`${day}:
        <span class="hint"
          >${end ? t("suggestions.doneAt", { time: formatTime(end, zone, { timeStyle: "short" }) }) : t("suggestions.notDone")}</span
        >`;
    }
    const seconds = end ? Math.max(1, Math.round((end.getTime() - begin.getTime()) / 1000)) : 0;
    const later =
      seconds < 120 ? t("suggestions.later", { count: seconds }) : t("suggestions.laterMinutes", { count: Math.round(seconds / 60) });
    return html`${formatDateTime(begin, zone)}: <span class="hint">${end ? later : t("suggestions.notDone")}</span>`;
  }
}
