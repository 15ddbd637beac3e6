// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { blocksOf } from "./flow";
import type { Tile } from "./layout";
import "../../elements/lazy_block";
import "./card_flow";

// As many cards are all drawn.
const few = 120;

// Cards side by side, without rooms: those of one room, favourites, what is found.
@customElement("hearth-card-list")
export class CardList extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) tiles: Tile[] = [];
  @property({ type: Number }) columns = 1;

  static override styles = css`
    :host {
      display: block;
    }

    hearth-lazy-block + hearth-lazy-block {
      margin-top: 0.5rem;
    }
  `;

  override render() {
    return blocksOf(this.tiles, this.columns).map(
      (block) =>
        html`<hearth-lazy-block
          .always=${this.tiles.length <= few}
          .height=${block.height}
          .content=${() => html`<hearth-card-flow .home=${this.home} .block=${block}></hearth-card-flow>`}
        ></hearth-lazy-block>`,
    );
  }
}
