// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { scale } from "./scale";

// The height of a row of a packed grid, and the gap between its cards. In pixels; the gap for a rem of 16 pixels.
const unit = 4;
const gap = 12;

// Draws its content only while it is near the viewport, and keeps its height otherwise: pages of 10,000 cards are
// hundreds of these, of which a few are drawn. The content is in a grid in the element's own shadow root.
@customElement("hearth-lazy-block")
export class LazyBlock extends LitElement {
  @property({ attribute: false }) content: () => TemplateResult | TemplateResult[] = () => html``;
  // The assumed height until it has been drawn once, in pixels.
  @property({ type: Number }) height = 400;
  // Always drawn: for short pages.
  @property({ type: Boolean }) always = false;
  // Low cards stand one below the other beside high ones, instead of rows as high as their highest card.
  @property({ type: Boolean, reflect: true }) packed = false;
  @state() private near = false;

  private static observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) (entry.target as LazyBlock).seen(entry.isIntersecting);
    },
    { rootMargin: "600px" },
  );

  private static sizes = new ResizeObserver((entries) => {
    const below = gap * scale();
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      (target as HTMLElement).style.gridRowEnd = `span ${Math.ceil((height + below) / unit)}`;
    }
  });

  private cards = new Set<Element>();

  static override styles = css`
    :host {
      display: block;
    }

    .grid {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--card-width, 17rem)), 1fr));
      gap: var(--card-gap, 0.8rem);
      align-items: start;
    }

    :host([packed]) .grid {
      grid-auto-flow: row dense;
      grid-auto-rows: 4px;
      row-gap: 0;
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.reserve();
    LazyBlock.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    LazyBlock.observer.unobserve(this);
    for (const card of this.cards) LazyBlock.sizes.unobserve(card);
    this.cards.clear();
    this.near = false;
  }

  private seen(near: boolean): void {
    if (near === this.near) return;
    if (!near) this.height = this.getBoundingClientRect().height || this.height;
    this.near = near;
    this.reserve();
  }

  private reserve(): void {
    this.style.minHeight = this.near || this.always ? "" : `${this.height}px`;
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("always")) this.reserve();
  }

  override updated(): void {
    if (!this.packed || !this.isConnected) return;
    const cards = new Set<Element>(this.renderRoot.querySelector(".grid")?.children);
    for (const card of this.cards) if (!cards.has(card)) LazyBlock.sizes.unobserve(card);
    for (const card of cards) if (!this.cards.has(card)) LazyBlock.sizes.observe(card);
    this.cards = cards;
  }

  override render() {
    return this.near || this.always ? html`<div class="grid">${this.content()}</div>` : nothing;
  }
}
