// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, svg } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { Card, type Content } from "./card";
import { recentHistory } from "./recent_history";
import { height, pathsOf, width } from "./sparkline";

@customElement("hearth-sensor-card")
export class SensorCard extends Card {
  private giveUp: (() => void) | undefined;

  static override styles = [
    ...Card.styles,
    css`
      .measured .state {
        font-variant-numeric: tabular-nums;
      }

      :host(:not([detailed])) .measured .state {
        font-size: 1rem;
        font-weight: 600;
      }

      .measured:not(.danger, .warning) .state {
        color: var(--text);
      }

      svg {
        display: block;
        width: 5.5rem;
        height: 2rem;
        overflow: visible;
        pointer-events: none;
      }

      .line {
        fill: none;
        stroke: var(--curve-2);
        stroke-width: 2;
        stroke-linejoin: round;
        vector-effect: non-scaling-stroke;
      }

      .band {
        fill: color-mix(in srgb, var(--curve-2) 30%, transparent);
        stroke: none;
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

  // Its room is kept while it is not known what there is.
  protected override control(entity: Entity): Content {
    if (this.detailed || !this.isMeasured(entity)) return nothing;
    const periods = recentHistory(this.home).of(this.entityId, Math.max(Date.now() / 1000, entity.last_updated));
    const { band, line } = pathsOf(periods ?? []);
    if (periods && !line) return nothing;
    return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
      ${line ? svg`<path class="band" d=${band}></path><path class="line" d=${line}></path>` : nothing}
    </svg>`;
  }
}
