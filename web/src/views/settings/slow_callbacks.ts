// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { SlowCallback } from "../../api/types";
import { formatDateTime, formatDuration, formatNumber, formatRelative, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { stackedTables } from "../../styles/tables";

// What has held up all of the home for too long, the longest first.
@customElement("hearth-slow-callbacks")
export class SlowCallbacks extends LitElement {
  @property({ attribute: false }) slow: SlowCallback[] = [];
  @property({ attribute: false }) zone = "UTC";

  static override styles = [shared, stackedTables];

  override render() {
    return html`<div class="stack">
      <h2>${t("slow.heading")}</h2>
      <p class="muted">${t("slow.text")}</p>
      <table role="table" aria-label=${t("slow.heading")}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${t("slow.column.where")}</th>
            <th scope="col" role="columnheader">${t("slow.column.longest")}</th>
            <th scope="col" role="columnheader">${t("slow.column.times")}</th>
            <th scope="col" role="columnheader">${t("slow.column.last")}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${this.slow.map((one) => this.row(one))}
        </tbody>
      </table>
    </div>`;
  }

  private row(one: SlowCallback): TemplateResult {
    const last = new Date(one.last);
    const longest =
      one.longest_ms < 10_000 ? t("slow.milliseconds", { count: formatNumber(one.longest_ms) }) : formatDuration(Math.floor(one.longest_ms / 1000));
    return html`<tr role="row">
      <td role="cell" data-label=${t("slow.column.where")} class="mono">${one.where}</td>
      <td role="cell" data-label=${t("slow.column.longest")}>${longest}</td>
      <td role="cell" data-label=${t("slow.column.times")}>${formatNumber(one.times)}</td>
      <td role="cell" data-label=${t("slow.column.last")} title=${formatDateTime(last, this.zone)}>
        ${one.holds_now ? t("slow.now") : formatRelative(last)}
      </td>
    </tr>`;
  }
}
