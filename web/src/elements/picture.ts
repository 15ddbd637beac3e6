// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

// A picture of the home, such as a camera's: loaded again every `seconds` while it is visible. Its space is reserved
// before it loads. The element's content is shown if it fails to load; pictures of other hosts are never loaded.
@customElement("hearth-picture")
export class Picture extends LitElement {
  @property() src = "";
  // The alternative text; empty if it is decoration.
  @property() label = "";
  // The text shown if the picture fails to load.
  @property() missing = "";
  // 0: it is loaded once.
  @property({ type: Number }) seconds = 0;
  @state() private turn = 0;
  @state() private failed = false;
  private near = false;
  private timer: number | undefined;

  private static observer = new IntersectionObserver((entries) => {
    for (const entry of entries) (entry.target as Picture).near = entry.isIntersecting;
  });

  static override styles = css`
    :host {
      display: grid;
      place-items: center;
      aspect-ratio: 16 / 9;
      overflow: hidden;
      border-radius: 0.6rem;
      background: var(--surface-2);
      color: var(--text-2);
      font-size: 0.88rem;
    }

    img {
      width: 100%;
      height: 100%;
      object-fit: cover;
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    Picture.observer.observe(this);
    if (this.seconds > 0) this.timer = window.setInterval(() => this.again(), this.seconds * 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    Picture.observer.unobserve(this);
    window.clearInterval(this.timer);
  }

  private again(): void {
    if (this.near && document.visibilityState === "visible") this.turn += 1;
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("src")) this.failed = false;
  }

  // The page's Content-Security-Policy allows no other pictures.
  private get isOurs(): boolean {
    try {
      const { origin, protocol } = new URL(this.src, location.href);
      return origin === location.origin || protocol === "data:";
    } catch {
      return false;
    }
  }

  override render() {
    if (this.failed || this.src === "" || !this.isOurs) return html`<slot><span>${this.missing}</span></slot>`;
    const src = this.turn === 0 ? this.src : `${this.src}${this.src.includes("?") ? "&" : "?"}turn=${this.turn}`;
    return html`<img src=${src} alt=${this.label} @error=${() => (this.failed = true)} />`;
  }
}
