// SPDX-License-Identifier: Apache-2.0
import { mdiClose } from "@mdi/js";
import { LitElement, css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { BottomBar } from "./bottom_bars";
import { focusPath, giveBack } from "./focus";
import { TitleController } from "./title";
import "./icon";

// A modal dialog, open as long as it is in the page. Its content is slotted; the buttons at its end go to the slot
// "actions". The focus goes to what has `autofocus` there. Fires `closed` when the user leaves it by Escape, the close
// button or a click beside it; its creator then removes it.
@customElement("hearth-dialog")
export class Dialog extends LitElement {
  @property() heading = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  private opener: HTMLElement[] = [];
  // A drag that starts in a field, such as to select its text, does not close the dialog.
  private pressedBeside = false;

  static override styles = [
    shared,
    css`
      dialog {
        width: min(34rem, calc(100vw - 1.5rem));
        max-width: none;
        max-height: min(90dvh, 60rem);
        padding: 0;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow-high);
        overflow: auto;
        overscroll-behavior: contain;
      }

      dialog::backdrop {
        background: rgb(20 12 6 / 55%);
      }

      header {
        position: sticky;
        top: 0;
        z-index: 1;
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 1rem;
        padding: 0.9rem 1rem 0.6rem 1.4rem;
        background: var(--surface);
      }

      h2 {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 3;
      }

      .content {
        padding: 0.3rem 1.4rem 1.4rem;
      }

      footer {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 0.6rem;
        padding: 0 1.4rem 1.2rem;
      }

      footer:not(:has(slot[name="actions"])) {
        display: none;
      }

      /* A sheet from below, where a thumb reaches it. */
      @media (max-width: 40rem) {
        dialog {
          width: 100%;
          max-height: 92dvh;
          margin: auto 0 0;
          border-width: 1px 0 0;
          border-radius: calc(var(--radius) * 1.4) calc(var(--radius) * 1.4) 0 0;
          animation: rise 0.18s ease-out;
        }

        .content {
          padding-bottom: max(1.4rem, env(safe-area-inset-bottom));
        }

        footer {
          padding-bottom: max(1.2rem, env(safe-area-inset-bottom));
        }
      }

      @keyframes rise {
        from {
          translate: 0 3rem;
        }
      }

      @media (prefers-reduced-motion: reduce) {
        dialog {
          animation: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 3, () => this.heading);
    new BottomBar(this, () => (this.querySelector('[slot="actions"]') ? this.renderRoot.querySelector("footer") : null));
  }

  override firstUpdated(): void {
    this.opener = focusPath();
    this.dialog.showModal();
    this.querySelector<HTMLElement>("[autofocus]")?.focus();
  }

  // A dialog that is removed from the page does not give the focus back by itself.
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.dialog?.close();
    giveBack(this.opener);
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    return html`<dialog
      aria-labelledby="heading"
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.leave();
      }}
      @pointerdown=${(event: Event) => (this.pressedBeside = event.target === this.dialog)}
      @click=${(event: Event) => event.target === this.dialog && this.pressedBeside && this.leave()}
    >
      <header>
        <h2 id="heading">${this.heading}</h2>
        <button type="button" class="plain round" aria-label=${t("action.close")} @click=${() => this.leave()}>
          <hearth-icon .path=${mdiClose}></hearth-icon>
        </button>
      </header>
      <div class="content"><slot></slot></div>
      <footer><slot name="actions"></slot></footer>
    </dialog>`;
  }
}
