// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import { cardOf } from "../../cards/card_of";
import { scale } from "../../elements/charts/scale";
import { gap, type Block } from "./flow";

// The rows of the grid, in rem.
const unit = 0.25;

function span(place: HTMLElement, height: number): void {
  const rows = `span ${Math.max(1, Math.ceil((height + gap) / unit - 0.01))}`;
  if (place.style.gridRowEnd !== rows) place.style.gridRowEnd = rows;
}

// Cards in their columns, each as high as it is. Their columns are those of the block, so that no card changes its column when another
// grows.
@customElement("hearth-card-flow")
export class CardFlow extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) block!: Block;

  private static sizes = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (height > 0) span(target as HTMLElement, height / (16 * scale()));
    }
  });

  static override styles = css`
    :host {
      display: grid;
      grid-template-columns: repeat(var(--flow-columns, 1), minmax(0, 1fr));
      grid-auto-flow: row dense;
      grid-auto-rows: 0.25rem;
      column-gap: 0.5rem;
      align-items: start;
      margin-bottom: -0.5rem; /* the gap below the last card */
    }
  `;

  override updated(): void {
    this.style.setProperty("--flow-columns", String(this.block.columns));
    for (const [index, place] of [...this.renderRoot.querySelectorAll<HTMLElement>(".place")].entries()) {
      const { tile, column, span: width } = this.block.places[index]!;
      place.style.gridColumn = `${column + 1} / span ${width}`;
      if (place.dataset.tile !== tile.id) span(place, tile.height);
      place.dataset.tile = tile.id;
      CardFlow.sizes.observe(place);
    }
  }

  override render() {
    return repeat(
      this.block.places,
      ({ tile }) => tile.id,
      ({ tile }) => html`<div class="place">${cardOf(this.home, tile.id)}</div>`,
    );
  }
}
