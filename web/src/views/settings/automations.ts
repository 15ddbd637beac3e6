// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { writtenKinds as domains, type WrittenKind as Domain } from "../../api/automations";
import type { Home } from "../../api/home";
import { readLastRuns, tracedAs, type Run } from "../../api/traces";
import type { Entity } from "../../api/types";
import { iconOf } from "../../cards/icons";
import { EntitiesController, HomeController } from "../../elements/controllers";
import { attempt, notifyDone } from "../../elements/notify";
import { language, t } from "../../i18n/catalogue";
import { faultMessage, faultMessages } from "../../i18n/hub_messages";
import { base } from "../../router";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import { lastRun } from "../automation/last_run";
import { started } from "../automation/started";
import { WordsController } from "../automation/words";
import "../../elements/action";
import "../../elements/icon";
import "../../elements/loading";
import "../../elements/switch";
import "../automation/missed_runs";
import "./helpers";

// What happens by itself: automations, scripts and scenes, as the files of the configuration folder have them, and helpers.
@customElement("hearth-automations")
export class Automations extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private lastRuns: Record<string, Map<string, Run>> = {};

  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    rows,
    css`
      .lists {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      li .row {
        gap: 0.6rem;
      }

      .error {
        flex: 1 0 100%;
        color: var(--danger);
        font-size: 0.9rem;
        white-space: pre-line;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: domains.flatMap((domain) => this.idsOf(domain)) }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.readRuns();
  }

  // Once a visit: these are all runs of the home.
  private async readRuns(): Promise<void> {
    await Promise.resolve(); // the properties are set by then
    for (const domain of ["automation", "script"] as const) {
      const runs = await readLastRuns(this.home, domain).catch(() => undefined);
      if (runs) this.lastRuns = { ...this.lastRuns, [domain]: runs };
    }
  }

  // Why the last run failed, if it did and there is no newer one.
  private failureOf({ entity_id, attributes }: Entity): string {
    const { domain, item_id } = tracedAs(this.home, entity_id);
    const run = this.lastRuns[domain]?.get(item_id);
    if (run?.script_execution !== "error") return "";
    const isLast = typeof attributes.last_triggered !== "string" || new Date(attributes.last_triggered).getTime() <= new Date(run.timestamp.start).getTime() + 1000;
    return isLast ? t("automations.lastFailed", { error: faultMessage(run.error ?? "") }) : "";
  }

  private idsOf(domain: Domain): string[] {
    return [...this.home.entities.keys()].filter((id) => id.startsWith(`${domain}.`));
  }

  private async reload(): Promise<void> {
    for (const domain of domains) await this.home.call(domain, "reload");
    notifyDone(t("automations.reloaded"));
  }

  private async run(id: string): Promise<void> {
    if (!(await started(this.home, id))) return;
    notifyDone(t("automations.started", { name: this.home.nameOf(id) }));
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="stack">
      <div class="spread">
        <p class="hint">${t("automations.hint")}</p>
        <div class="row">
          <a class="button" href="${base}/settings/automations/suggestions">${t("suggestions.suggestions")}</a>
          <a class="button" href="${base}/settings/automations/deleted">${t("versions.deleted")}</a>
          <a class="button" href="${base}/settings/automations/blueprints">${t("blueprints.heading")}</a>
          <hearth-action .label=${t("automations.reload")} .run=${() => this.reload()}></hearth-action>
        </div>
      </div>
      <hearth-missed-runs .home=${this.home}></hearth-missed-runs>
      <div class="lists">
        ${domains.map((domain) => this.list(domain))}
        <hearth-helpers class="card" .home=${this.home}></hearth-helpers>
      </div>
    </div>`;
  }

  private list(domain: Domain): TemplateResult {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const ids = this.idsOf(domain).sort((a, b) => compare(this.home.nameOf(a), this.home.nameOf(b)));
    return html`<section class="card stack">
      <div class="spread">
        <h2>${t(`automations.${domain}s`)}</h2>
        <a class="button" href="${base}/settings/automations/new-${domain}">${t(`editor.new_${domain}`)}</a>
      </div>
      ${ids.length === 0 ? html`<p class="muted">${t(`automations.no_${domain}s`)}</p>` : nothing}
      <ul>
        ${repeat(
          ids,
          (id) => id,
          (id) => this.item(domain, this.home.entity(id) as Entity),
        )}
      </ul>
    </section>`;
  }

  private item(domain: Domain, entity: Entity): TemplateResult {
    const { entity_id: id, attributes } = entity;
    const name = this.home.nameOf(id);
    const label = t(domain === "scene" ? "automations.activate" : "automations.run");
    const icon = iconOf(this.home, entity);
    const runs = Number(attributes.current) || 0;
    const error = typeof attributes.error === "string" ? faultMessages(attributes.error) : "";
    const failure = error || this.failureOf(entity);
    return html`<li>
      <hearth-icon .path=${icon.path} .name=${icon.name}></hearth-icon>
      <div>
        <a href="${base}/settings/automations/${encodeURIComponent(id)}">${name}</a>
        ${runs > 0 ? html`<span class="badge">${t("automations.running", { count: runs })}</span>` : nothing}
        <div class="hint">${lastRun(this.home, entity)}</div>
      </div>
      <div class="row">
        ${domain === "script" && runs > 0
          ? html`<hearth-action
              .label=${t("automations.stop")}
              .name=${`${t("automations.stop")}: ${name}`}
              .run=${() => this.home.call(domain, "turn_off", {}, { entity_id: id })}
            ></hearth-action>`
          : nothing}
        <hearth-action
          .label=${label}
          .name=${`${label}: ${name}`}
          ?disabled=${error !== ""}
          .run=${() => this.run(id)}
        ></hearth-action>
        ${domain === "automation" ? this.switch(entity, name, error !== "") : nothing}
      </div>
      ${failure ? html`<p class="error">${failure}</p>` : nothing}
    </li>`;
  }

  private switch({ entity_id: id, state }: Entity, name: string, disabled: boolean): TemplateResult {
    const toggle = (event: CustomEvent<boolean>) =>
      void attempt(() => this.home.call("automation", event.detail ? "turn_on" : "turn_off", {}, { entity_id: id }));
    return html`<hearth-switch .checked=${state === "on"} .disabled=${disabled} .label=${name} @toggle=${toggle}></hearth-switch>`;
  }
}
