// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

// A window, a door or a garage, covered as far as it is: from above, or from both sides.
@customElement("hearth-cover-picture")
export class CoverPicture extends LitElement {
  // Percent, 100 is open.
  @property({ type: Number }) position = 0;
  // Of its slats, if it has some.
  @property({ attribute: false }) tilt: number | undefined;
  @property({ type: Boolean }) sideways = false;
  @property() label = "";

  static override styles = css`
    :host {
      display: block;
    }

    svg {
      display: block;
      width: min(100%, 13rem);
      margin: 0 auto;
      aspect-ratio: 4 / 3;
      overflow: visible;
    }

    .sky {
      fill: color-mix(in srgb, var(--curve-2) 22%, var(--surface));
      stroke: var(--border-strong);
      stroke-width: 1.5;
    }

    .bar {
      stroke: var(--border-strong);
      stroke-width: 1;
    }

    .cloth {
      fill: color-mix(in srgb, var(--active-border) 55%, var(--surface-2));
      stroke: var(--border-strong);
      stroke-width: 1;
    }

    .slat {
      stroke: var(--border-strong);
      stroke-width: 0.8;
    }

    .cloth,
    .slats {
      transition: all 0.25s ease-out;
    }

    @media (prefers-reduced-motion: reduce) {
      .cloth,
      .slats {
        transition: none;
      }
    }
  `;

  private sides(share: number): TemplateResult {
    const width = 4 + share * 52;
    return svg`
      <rect class="cloth" x="4" y="3" width=${width} height="84" rx="1" />
      <rect class="cloth" x=${116 - width} y="3" width=${width} height="84" rx="1" />
    `;
  }

  // Slats that stand open are thin.
  private above(share: number): TemplateResult {
    const height = 4 + share * 80;
    const open = this.tilt === undefined ? 0 : Math.abs(this.tilt - 0) / 100;
    const count = Math.floor(height / 7);
    const thickness = Math.max(1.2, 7 * (1 - open));
    const slats = Array.from({ length: count }, (_, i) => 3 + (i + 1) * 7);
    if (this.tilt === undefined || share === 0) {
      return svg`<rect class="cloth" x="4" y="3" width="112" height=${height} rx="1" />
        ${slats.map((y) => svg`<line class="slat" x1="4" x2="116" y1=${y} y2=${y} />`)}`;
    }
    return svg`${[3, ...slats.slice(0, -1)].map((y) => svg`<rect class="cloth" x="4" y=${y} width="112" height=${thickness} rx="0.6" />`)}`;
  }

  override render() {
    const share = Math.min(1, Math.max(0, 1 - this.position / 100));
    return html`<svg viewBox="0 0 120 90" role="img" aria-label=${this.label}>
      <rect class="sky" x="4" y="3" width="112" height="84" rx="2" />
      <line class="bar" x1="60" x2="60" y1="3" y2="87" />
      <line class="bar" x1="4" x2="116" y1="45" y2="45" />
      ${this.sideways ? this.sides(share) : this.above(share)}
    </svg>`;
  }
}
