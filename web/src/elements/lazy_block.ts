// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

// A long list in parts of `size`, each for a block.
export function blocksOf<T>(items: T[], size: number): T[][] {
  const blocks: T[][] = [];
  for (let from = 0; from < items.length; from += size) blocks.push(items.slice(from, from + size));
  return blocks;
}

// Draws its content only while it is near the viewport, and keeps its height otherwise: pages of 10,000 cards are
// hundreds of these, of which a few are drawn. The content is in a grid of `columns` in the element's own shadow root;
// all cards of a row are as high as its highest.
@customElement("hearth-lazy-block")
export class LazyBlock extends LitElement {
  @property({ attribute: false }) content: () => TemplateResult | TemplateResult[] = () => html``;
  // The assumed height until it has been drawn once, in rem.
  @property({ type: Number }) height = 25;
  @property({ type: Number }) columns = 1;
  // Always drawn: for short pages.
  @property({ type: Boolean }) always = false;
  @state() private near = false;
  // In pixels, once it is known.
  private measured: number | undefined;

  private static observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) (entry.target as LazyBlock).seen(entry.isIntersecting);
    },
    { rootMargin: "600px" },
  );

  static override styles = css`
    :host {
      display: block;
    }

    .grid {
      display: grid;
      grid-template-columns: repeat(var(--columns, 1), minmax(0, 1fr));
      gap: var(--card-gap, 0.5rem);
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    LazyBlock.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    LazyBlock.observer.unobserve(this);
    this.near = false;
  }

  private seen(near: boolean): void {
    if (near === this.near) return;
    if (!near) this.measured = this.getBoundingClientRect().height || this.measured;
    this.near = near;
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("height") || changes.has("columns")) this.measured = undefined;
    this.style.setProperty("--columns", String(this.columns));
    this.style.minHeight = this.near || this.always ? "" : this.measured === undefined ? `${this.height}rem` : `${this.measured}px`;
  }

  override render() {
    return this.near || this.always ? html`<div class="grid">${this.content()}</div>` : nothing;
  }
}
