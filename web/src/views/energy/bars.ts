// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { amount } from "./words";

export interface BarSeries {
  name: string;
  // Of the curves, 1 to 6.
  colour: number;
  values: number[];
  // Hangs below the line.
  below?: boolean;
}

const height = 100;
const gap = 0.15;
// As many names of bars as fit below them on a phone.
const most = 6;

// Stacked bars, one for each hour, day or month; the one that is pointed at, or tapped, is told in words. A table has all of it, too.
@customElement("hearth-energy-bars")
export class EnergyBars extends LitElement {
  // The accessible name.
  @property() label = "";
  @property() unit = "kWh";
  @property({ attribute: false }) names: string[] = [];
  @property({ attribute: false }) series: BarSeries[] = [];
  @state() private chosen: number | undefined;

  static override styles = [
    shared,
    css`
      svg {
        display: block;
        width: 100%;
        height: 14rem;
      }

      .track {
        fill: transparent;
      }

      .chosen .track {
        fill: var(--surface-2);
      }

      line {
        stroke: var(--border-strong);
        vector-effect: non-scaling-stroke;
      }

      .c1 {
        fill: var(--curve-1);
        background: var(--curve-1);
      }
      .c2 {
        fill: var(--curve-2);
        background: var(--curve-2);
      }
      .c3 {
        fill: var(--curve-3);
        background: var(--curve-3);
      }
      .c4 {
        fill: var(--curve-4);
        background: var(--curve-4);
      }
      .c5 {
        fill: var(--curve-5);
        background: var(--curve-5);
      }
      .c6 {
        fill: var(--curve-6);
        background: var(--curve-6);
      }

      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem 1rem;
        margin: 0.6rem 0 0;
        padding: 0;
        list-style: none;
        font-size: 0.9rem;
      }

      .legend i {
        display: inline-block;
        width: 0.8rem;
        height: 0.8rem;
        margin-right: 0.4rem;
        border-radius: 3px;
      }

      .below {
        display: flex;
        justify-content: space-between;
        margin-top: 0.3rem;
        color: var(--text-2);
        font-size: 0.8rem;
      }

      /* On a phone every other one: they keep their places. */
      @media (max-width: 30rem) {
        .below span:nth-child(even) {
          visibility: hidden;
        }
      }

      .told {
        min-height: 2.9em;
        margin: 0;
        color: var(--text-2);
        font-size: 0.9rem;
        font-variant-numeric: tabular-nums;
      }

      details {
        margin-top: 0.6rem;
      }

      .scrolled {
        overflow-x: auto;
      }

      td,
      th {
        white-space: nowrap;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("names") && this.chosen !== undefined && this.chosen >= this.names.length) this.chosen = undefined;
  }

  private extent(): { up: number; down: number } {
    const sum = (bar: number, below: boolean) =>
      this.series.filter((one) => Boolean(one.below) === below).reduce((all, { values }) => all + Math.max(0, values[bar] ?? 0), 0);
    const bars = this.names.map((_, bar) => bar);
    return { up: Math.max(0, ...bars.map((bar) => sum(bar, false))), down: Math.max(0, ...bars.map((bar) => sum(bar, true))) };
  }

  override render() {
    const { up, down } = this.extent();
    const scale = up + down > 0 ? height / (up + down) : 0;
    const zero = up + down > 0 ? up * scale : height;
    return html`<p class="told" role="status">${this.told(up)}</p>
      <svg
        role="img"
        aria-label=${this.label}
        viewBox="0 0 ${Math.max(this.names.length, 1)} ${height}"
        preserveAspectRatio="none"
        @pointerleave=${() => (this.chosen = undefined)}
      >
        ${this.names.map((_, bar) => this.bar(bar, zero, scale))}
        <line x1="0" x2=${this.names.length} y1=${zero} y2=${zero}></line>
      </svg>
      <div class="below" aria-hidden="true">${this.shownNames().map((name) => html`<span>${name}</span>`)}</div>
      ${this.series.length > 1
        ? html`<ul class="legend">
            ${this.series.map(({ name, colour }) => html`<li><i class="c${colour}"></i>${name}</li>`)}
          </ul>`
        : nothing}
      ${this.table()}`;
  }

  private bar(bar: number, zero: number, scale: number) {
    let top = zero;
    let bottom = zero;
    const choose = () => (this.chosen = bar);
    return svg`<g class=${bar === this.chosen ? "chosen" : ""} @pointerenter=${choose} @pointerdown=${choose}>
      <rect class="track" x=${bar} y="0" width="1" height=${height}></rect>
      ${this.series.map(({ values, colour, below }) => {
        const length = Math.max(0, values[bar] ?? 0) * scale;
        if (length === 0) return nothing;
        if (!below) top -= length;
        const y = below ? bottom : top;
        if (below) bottom += length;
        return svg`<rect class="c${colour}" x=${bar + gap / 2} y=${y} width=${1 - gap} height=${length}></rect>`;
      })}
    </g>`;
  }

  private shownNames(): string[] {
    const { names } = this;
    if (names.length <= most) return names;
    const step = Math.ceil(names.length / most);
    return names.filter((_, index) => index % step === 0);
  }

  private told(up: number): string {
    const { chosen } = this;
    if (chosen === undefined) return t("energy.highest", { amount: amount(up, this.unit) });
    const parts = this.series
      .filter(({ values }) => (values[chosen] ?? 0) !== 0)
      .map(({ name, values }) => `${name} ${amount(values[chosen] ?? 0, this.unit)}`);
    return `${this.names[chosen]}: ${parts.join(" · ") || amount(0, this.unit)}`;
  }

  private table() {
    return html`<details>
      <summary>${t("energy.numbers")}</summary>
      <div class="scrolled" tabindex="0" role="group" aria-label=${this.label}>
        <table>
          <thead>
            <tr>
              <th></th>
              ${this.series.map(({ name }) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${this.names.map(
              (name, bar) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  ${this.series.map(({ values }) => html`<td>${amount(values[bar] ?? 0, this.unit)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}
