// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Sample } from "../../api/samples";
import { formatDateTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

export interface Row {
  name: string;
  samples: Sample[];
  text: (state: string) => string;
}

// How many are shown, the newest.
const most = 100;

// The values of a plot, to be read.
@customElement("hearth-sample-table")
export class SampleTable extends LitElement {
  @property({ attribute: false }) rows: Row[] = [];
  @property() timeZone = "UTC";
  @state() private open = false;

  static override styles = [
    shared,
    css`
      summary {
        padding: 0.4rem 0;
        color: var(--text-2);
        cursor: pointer;
      }

      .scroll {
        max-height: 22rem;
        overflow-y: auto;
      }

      td {
        font-variant-numeric: tabular-nums;
      }

      p {
        padding-top: 0.5rem;
      }
    `,
  ];

  override render() {
    return html`<details @toggle=${(event: Event) => (this.open = (event.target as HTMLDetailsElement).open)}>
      <summary>${t("history.asTable")}</summary>
      ${this.open ? this.table() : nothing}
    </details>`;
  }

  private table() {
    const lines = this.rows
      .flatMap(({ name, samples, text }) => samples.slice(-most).map((sample) => ({ name, time: sample.time, state: say(sample, text) })))
      .sort((a, b) => b.time - a.time);
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t("history.asTable")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("history.time")}</th>
              <th scope="col">${t("history.entity")}</th>
              <th scope="col">${t("history.state")}</th>
            </tr>
          </thead>
          <tbody>
            ${lines.slice(0, most).map(
              ({ name, time, state }) =>
                html`<tr>
                  <td>${formatDateTime(new Date(time * 1000), this.timeZone)}</td>
                  <td>${name}</td>
                  <td>${state}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${lines.length > most ? html`<p class="hint">${t("history.newest", { count: most })}</p>` : nothing}`;
  }
}

function say({ state, low, high }: Sample, text: (state: string) => string): string {
  return low === undefined || high === undefined ? text(state) : `${text(state)} (${text(String(low))} – ${text(String(high))})`;
}
