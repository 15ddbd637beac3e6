// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { numberOf } from "../../../api/samples";
import type { RecorderInfo } from "../../../api/types";
import { EntityController, Polled } from "../../../elements/controllers";
import { formatBytes, formatDateTime, formatNumber, formatRelative, formatTime, t } from "../../../i18n/catalogue";
import { figures } from "../../../styles/figures";
import { shared } from "../../../styles/shared";

const interval = 5000;
const writtenToday = "sensor.hearth_bytes_written_today";

// The hub's writing, and its faults.
@customElement("hearth-recorder")
export class RecorderPanel extends LitElement {
  @property({ attribute: false }) home!: Home;
  private readonly info = new Polled(this, interval, () => this.home.command<RecorderInfo>("recorder/info"));

  static override styles = [shared, figures];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: writtenToday }));
  }

  override render() {
    const { value, failure } = this.info;
    return html`<div class="stack">
      <h2>${t("recorder.heading")}</h2>
      ${failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(failure)}</p>`}
      ${value ? this.content(value) : nothing}
    </div>`;
  }

  private content(info: RecorderInfo): TemplateResult {
    const { recording, backlog, max_backlog, last_commit, last_error, changes_dropped, database_bytes } = info;
    const zone = this.home.configuration.time_zone;
    const written = numberOf(this.home.entity(writtenToday)?.state ?? "");
    // The hub counts a day from midnight to midnight in UTC.
    const since = formatTime(new Date(new Date().setUTCHours(0, 0, 0, 0)), zone, { timeStyle: "short" });
    const commit = last_commit ? new Date(last_commit) : undefined;
    return html`
      ${recording ? nothing : html`<p class="problem" role="alert">${t("recorder.failing", { reason: last_error ?? "" })}</p>`}
      <dl>
        ${written === undefined
          ? nothing
          : figure(t("recorder.written"), formatBytes(written), t("recorder.writtenSince", { time: since }))}
        ${figure(t("recorder.size"), formatBytes(database_bytes))}
        ${commit ? figure(t("recorder.lastCommit"), formatRelative(commit), formatDateTime(commit, zone)) : nothing}
        ${figure(t("recorder.waiting"), formatNumber(backlog), t("recorder.waitingMost", { most: max_backlog }))}
        ${figure(t("recorder.dropped"), formatNumber(changes_dropped))}
        ${recording && last_error
          ? html`<div class="long">
              <dt>${t("recorder.lastError")}</dt>
              <dd>${last_error}</dd>
            </div>`
          : nothing}
      </dl>
    `;
  }
}

function figure(name: string, value: string, more = ""): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}${more ? html`<small>${more}</small>` : nothing}</dd>
  </div>`;
}
