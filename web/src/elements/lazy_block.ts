// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

// Draws its content only while it is near the part of the page that is seen, and keeps its height meanwhile: pages of 10,000 cards are
// hundreds of these, of which some are drawn. The content is drawn into the light DOM of the element's own shadow root, in a grid.
@customElement("hearth-lazy-block")
export class LazyBlock extends LitElement {
  @property({ attribute: false }) content: () => TemplateResult | TemplateResult[] = () => html``;
  // A guess of the height until it has been drawn once, in pixels.
  @property({ type: Number }) height = 400;
  @state() private near = false;

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
      grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--card-width, 17rem)), 1fr));
      gap: 0.8rem;
      align-items: var(--card-align, start);
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.minHeight = `${this.height}px`;
    LazyBlock.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    LazyBlock.observer.unobserve(this);
    this.near = false;
  }

  private seen(near: boolean): void {
    if (near === this.near) return;
    if (!near) this.height = this.getBoundingClientRect().height || this.height;
    this.style.minHeight = near ? "" : `${this.height}px`;
    this.near = near;
  }

  override render() {
    return this.near ? html`<div class="grid">${this.content()}</div>` : nothing;
  }
}
