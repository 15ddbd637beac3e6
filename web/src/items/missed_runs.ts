// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { runItem } from "../api/automations";
import type { Home } from "../api/home";
import { readMissed, type Missed } from "../api/traces";
import { Polled } from "../elements/controllers";
import { notifyDone } from "../elements/notify";
import { formatDateTime, formatRelative, maybeT, t } from "../i18n/catalogue";
import { base } from "../router";
import { rows } from "../styles/lists";
import { shared } from "../styles/shared";
import { groupsOf, type MissedGroup } from "./missed_groups";
import "../elements/action";

const interval = 10_000;
// As many rows are shown at first.
const few = 5;

// Runs that should have been and were not, why, and a button that runs them now: of the whole home, or of one item. Empty if there are none.
@customElement("hearth-missed-runs")
export class MissedRuns extends LitElement {
  @property({ attribute: false }) home!: Home;
  // All if empty.
  @property({ attribute: false }) entityId = "";
  @state() private showsAll = false;
  private readonly missed = new Polled<Missed[]>(this, interval, () => readMissed(this.home, this.entityId));

  static override styles = [
    shared,
    rows,
    css`
      li {
        align-items: center;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("entityId") || changes.get("entityId") === undefined) return;
    this.missed.value = undefined;
    void this.missed.again();
  }

  private async run(id: string): Promise<void> {
    await runItem(this.home, id);
    notifyDone(t("automations.started", { name: this.home.nameOf(id) }));
  }

  // Goes on where the button was.
  private async showRest(): Promise<void> {
    this.showsAll = true;
    await this.updateComplete;
    const next = this.renderRoot.querySelectorAll("li")[few]?.querySelector<HTMLElement>("a, hearth-action");
    (next?.shadowRoot?.querySelector("button") ?? next)?.focus();
  }

  override render() {
    const groups = groupsOf(this.missed.value ?? []);
    if (groups.length === 0) return nothing;
    const shown = this.showsAll ? groups : groups.slice(0, few);
    return html`<section class="card stack">
      <h2>${t("runs.missed")}</h2>
      <ul>
        ${shown.map((group) => this.row(group))}
      </ul>
      ${shown.length < groups.length
        ? html`<button type="button" @click=${() => void this.showRest()}>
            ${t("runs.moreMissed", { count: groups.length - shown.length })}
          </button>`
        : nothing}
    </section>`;
  }

  private row({ entity_id: id, why, newest, oldest, count }: MissedGroup): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const time = new Date(newest);
    const isThere = this.home.entity(id) !== undefined;
    const name = this.home.nameOf(id);
    return html`<li>
      <div>
        ${this.entityId
          ? nothing
          : isThere
            ? html`<a href="${base}/settings/automations/${encodeURIComponent(id)}?view=runs">${name}</a>`
            : html`<span>${name}</span>`}
        <div>
          <time datetime=${newest} title=${formatRelative(time)}>${formatDateTime(time, zone)}</time>${count > 1
            ? html` – ${t("runs.missedTimes", { count, since: formatDateTime(new Date(oldest), zone) })}`
            : nothing}
        </div>
        <div class="hint">${maybeT(`runs.why_${why}`) ?? why}</div>
      </div>
      ${isThere
        ? html`<div class="row">
            <hearth-action
              .label=${t("editor.runNow")}
              .name=${`${t("editor.runNow")}: ${name}`}
              .run=${() => this.run(id)}
            ></hearth-action>
          </div>`
        : nothing}
    </li>`;
  }
}
