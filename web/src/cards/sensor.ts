// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, svg } from "lit";
import { customElement } from "lit/decorators.js";

import { recentSpan, type Curve } from "../api/recent_values";
import { numberOf } from "../api/samples";
import type { Entity } from "../api/types";
import { Card } from "./card";
import { recentHistory } from "./recent_history";

const width = 240;
const height = 30;

// A path through a curve of the last hours, filling the box but for the stroke's width; empty where there is no value. Where less is
// known it begins at the left all the same; it goes up to now where a value `holds`.
function pathOf({ times, values }: Curve, now: number, holds: boolean): string {
  const first = Math.max(times[0] ?? now, now - recentSpan);
  if (first >= now) return "";
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const x = (time: number) => (Math.max(0, (time - first) / (now - first)) * width).toFixed(1);
  const y = (value: number) => (high > low ? 2 + (1 - (value - low) / (high - low)) * (height - 4) : height / 2).toFixed(1);
  let path = "";
  times.forEach((time, index) => {
    const to = y(values[index] as number);
    path += index === 0 ? `M0 ${to}` : `H${x(time)}V${to}`;
  });
  return holds ? `${path}H${width}` : path;
}

@customElement("hearth-sensor-card")
export class SensorCard extends Card {
  private giveUp: (() => void) | undefined;

  static override styles = [
    ...Card.styles,
    css`
      .measured .state {
        color: var(--text);
        font-size: 1.2rem;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }

      svg {
        display: block;
        width: 100%;
        height: 1.9rem;
        margin-top: auto;
        overflow: visible;
      }

      path {
        fill: none;
        stroke: var(--curve-2);
        stroke-width: 2;
        stroke-linejoin: round;
        vector-effect: non-scaling-stroke;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.wantHistory();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.giveUp?.();
    this.giveUp = undefined;
  }

  private isMeasured(entity: Entity | undefined): boolean {
    return entity?.attributes.unit_of_measurement !== undefined;
  }

  private wantHistory(): void {
    if (this.detailed || this.giveUp || !this.isMeasured(this.home.entity(this.entityId))) return;
    this.giveUp = recentHistory(this.home).watch(this.entityId, () => this.requestUpdate());
  }

  override updated(): void {
    this.wantHistory(); // it may measure something only now
    const entity = this.home.entity(this.entityId);
    this.renderRoot.querySelector(".tile")?.classList.toggle("measured", this.isMeasured(entity) && entity?.state !== "unavailable");
  }

  protected override body(entity: Entity) {
    if (this.detailed || !this.isMeasured(entity)) return nothing;
    const curve = recentHistory(this.home).of(this.entityId);
    const path = curve && pathOf(curve, Math.max(Date.now() / 1000, entity.last_updated), numberOf(entity.state) !== undefined);
    // Room for the curve, until it is known that there is none.
    if (path === "") return nothing;
    return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
      ${path ? svg`<path d=${path}></path>` : nothing}
    </svg>`;
  }
}
