// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { shared } from "../styles/shared";

export interface Tab {
  path: string;
  label: string;
}

// The parts of a page, as links; `current` is the path of the one that is shown.
@customElement("hearth-tabs")
export class Tabs extends LitElement {
  @property({ attribute: false }) tabs: Tab[] = [];
  @property() current = "";
  // The accessible name.
  @property() label = "";

  static override styles = [
    shared,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        border-bottom: 1px solid var(--border);
      }

      a {
        margin-bottom: -1px;
        padding: 0.6rem 0.55rem;
        border-bottom: 3px solid transparent;
        border-radius: var(--radius-small) var(--radius-small) 0 0;
        color: var(--text-2);
        font-weight: 550;
        text-decoration: none;
      }

      a:hover {
        background: var(--surface-2);
      }

      a[aria-current] {
        border-bottom-color: var(--accent);
        color: var(--text);
      }

      /* One row, however many there are. */
      @media (max-width: 70rem) {
        nav {
          flex-wrap: nowrap;
          border: 0;
          padding-inline: 1px; /* widths are fractions: scrolled to its end, the last one would lack a part of a pixel */
          box-shadow: inset 0 -1px var(--border);
          overflow-x: auto;
          scrollbar-width: none;
        }

        a {
          flex: none;
          margin: 0;
          padding-inline: 0.35rem;
          font-size: 0.92rem;
        }
      }

      /* It reaches the edges of the window, so that one sees that it goes on. */
      @media (max-width: 40rem) {
        nav {
          gap: 0.4rem;
          margin-inline: -1rem;
          padding: 0.2rem 1rem;
          box-shadow: none;
        }

        a {
          padding: 0.55rem 0.9rem;
          font-size: 1rem;
          border: 1px solid var(--border-strong);
          border-radius: 999px;
          background: var(--surface);
        }

        a[aria-current] {
          border-color: var(--accent);
          background: var(--accent-soft);
          color: var(--on-accent-soft);
        }
      }
    `,
  ];

  // The width of the row changes with the window, and its fonts may come late.
  private readonly resized = new ResizeObserver(() => this.show());

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  override updated(changes: Map<string, unknown>): void {
    if (changes.has("current")) this.show();
  }

  // Scrolls a row that is longer than the page to the current tab.
  private show(): void {
    const current = this.renderRoot.querySelector<HTMLElement>("[aria-current]");
    const row = current?.parentElement;
    if (row) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }

  override render() {
    return html`<nav aria-label=${this.label}>
      ${this.tabs.map(({ path, label }) => html`<a href=${path} aria-current=${path === this.current ? "page" : nothing}>${label}</a>`)}
    </nav>`;
  }
}
