// SPDX-License-Identifier: Apache-2.0
import { mdiClose } from "@mdi/js";
import { LitElement, css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { BottomBar } from "./bottom_bars";
import { focusPath, giveBack } from "./focus";
import { noticesIn } from "./notify";
import { TitleController } from "./title";
import "./icon";

// Where a dialog is a sheet from below.
const isSheet = "(max-width: 40rem)";

// A modal dialog, open as long as it is in the page. Its content is slotted; the buttons at its end go to the slot
// "actions", a button beside its name to "head". The focus goes to what has `autofocus` there. Fires `closed` when the user leaves it by Escape, the close
// button, a click beside it or, where it is a sheet, by pulling it down; its creator then removes it.
@customElement("hearth-dialog")
export class Dialog extends LitElement {
  @property() heading = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  private opener: HTMLElement[] = [];
  // A drag that starts in a field, such as to select its text, does not close the dialog.
  private pressedBeside = false;
  private releaseNotices: (() => void) | undefined;

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
        gap: 0.5rem;
        padding: 0.9rem 1rem 0.6rem 1.4rem;
        background: var(--surface);
      }

      h2 {
        flex: 1;
        min-width: 0;
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

        header {
          padding-top: 1.4rem;
          touch-action: none;
        }

        header::before {
          content: "";
          position: absolute;
          top: 0.55rem;
          left: calc(50% - 1.25rem);
          width: 2.5rem;
          height: 0.3rem;
          border-radius: 999px;
          background: var(--border-strong);
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
    this.releaseNotices = noticesIn(this.dialog);
    this.querySelector<HTMLElement>("[autofocus]")?.focus();
  }

  // A dialog that is removed from the page does not give the focus back by itself.
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.releaseNotices?.();
    this.dialog?.close();
    giveBack(this.opener);
  }

  // On a phone the sheet follows a finger that pulls its head down; let go far enough below, or quickly, it is left.
  private pulled(event: PointerEvent): void {
    if (event.pointerType === "mouse" || !event.isPrimary || !matchMedia(isSheet).matches) return;
    const { dialog } = this;
    const head = event.currentTarget as HTMLElement;
    const from = event.clientY;
    let last = { y: from, time: performance.now(), speed: 0 };
    const end = new AbortController();
    const { signal } = end;
    const follow = ({ pointerId, clientY: y }: PointerEvent): void => {
      if (pointerId !== event.pointerId) return;
      const time = performance.now();
      last = { y, time, speed: (y - last.y) / Math.max(1, time - last.time) };
      dialog.style.translate = `0 ${Math.max(0, y - from)}px`;
    };
    const release = ({ type, pointerId }: PointerEvent): void => {
      if (pointerId !== event.pointerId) return;
      end.abort();
      const way = last.y - from;
      const isFar = way > Math.min(160, dialog.offsetHeight / 3) || (way > 24 && last.speed > 0.5 && performance.now() - last.time < 100);
      if (type === "pointerup" && isFar) return this.leave();
      dialog.style.translate = "";
    };
    // A button in it is tapped, not pulled, until the finger moves: that takes the pointer from it.
    head.addEventListener("pointermove", follow, { signal });
    for (const type of ["pointerup", "pointercancel"] as const) head.addEventListener(type, release, { signal });
    if (!(event.target as Element).closest("button")) head.setPointerCapture(event.pointerId);
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
      <header @pointerdown=${(event: PointerEvent) => this.pulled(event)}>
        <h2 id="heading" title=${this.heading}>${this.heading}</h2>
        <slot name="head"></slot>
        <button type="button" class="plain round" autofocus aria-label=${t("action.close")} @click=${() => this.leave()}>
          <hearth-icon .path=${mdiClose}></hearth-icon>
        </button>
      </header>
      <div class="content"><slot></slot></div>
      <footer><slot name="actions"></slot></footer>
    </dialog>`;
  }
}
