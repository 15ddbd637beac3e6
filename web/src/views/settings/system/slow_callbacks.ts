// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { SlowCallback } from "../../../api/types";
import { formatDateTime, formatDuration, formatNumber, formatRelative, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";

// How often, and for how long at most, something has held up all of the home. Where in its sources, programs are told.
@customElement("hearth-slow-callbacks")
export class SlowCallbacks extends LitElement {
  @property({ attribute: false }) slow: SlowCallback[] = [];
  @property({ attribute: false }) zone = "UTC";

  static override styles = [shared];

  override render() {
    const longest = Math.max(...this.slow.map(({ longest_ms }) => longest_ms));
    const last = new Date(Math.max(...this.slow.map((one) => Date.parse(one.last))));
    const values = {
      count: this.slow.reduce((sum, { times }) => sum + times, 0),
      longest: longest < 10_000 ? t("slow.milliseconds", { count: formatNumber(longest) }) : formatDuration(Math.floor(longest / 1000)),
      last: formatRelative(last),
    };
    const now = this.slow.some(({ holds_now }) => holds_now) ? [t("slow.now")] : [];
    return html`<div class="stack">
      <h2>${t("slow.heading")}</h2>
      <p title=${formatDateTime(last, this.zone)}>${[t("slow.times", values), ...now].join(" ")}</p>
    </div>`;
  }
}
