// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { errorText } from "../api/errors";
import { shared } from "../styles/shared";
import { coveredBelow } from "./bottom_bars";

interface Notice {
  id: number;
  text: string;
  kind: "done" | "problem";
}

let show: ((text: string, kind: Notice["kind"]) => void) | undefined;

// Shows for some seconds, at the bottom of the page, that something was done.
export function notifyDone(text: string): void {
  show?.(text, "done");
}

// Shows there what went wrong, and what to do.
function notifyProblem(error: unknown): void {
  show?.(errorText(error), "problem");
}

// Runs an action of the user, and shows it if that fails. Resolves to whether it worked.
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    notifyProblem(error);
    return false;
  }
}

// The place of the notices; the app has one.
@customElement("hearth-notices")
export class Notices extends LitElement {
  @state() private notices: Notice[] = [];
  private next = 1;

  static override styles = [
    shared,
    css`
      :host {
        position: fixed;
        z-index: 20;
        inset: auto auto calc(var(--covered, 0px) + max(1rem, env(safe-area-inset-bottom))) 50%;
        width: min(30rem, calc(100vw - 2rem));
        margin: 0;
        padding: 0;
        border: 0;
        background: transparent;
        translate: -50% 0;
        overflow: visible;
        pointer-events: none;
      }

      @media print {
        :host {
          display: none;
        }
      }

      div {
        margin-top: 0.5rem;
        padding: 0.75rem 1rem;
        border-radius: var(--radius-small);
        background: var(--text);
        color: var(--background);
        box-shadow: var(--shadow-high);
      }

      div.problem {
        background: var(--danger-soft);
        color: var(--text);
        border: 1px solid var(--danger);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.popover = "manual"; // above open dialogs
    this.showPopover?.();
    show = (text, kind) => this.add(text, kind);
  }

  private add(text: string, kind: Notice["kind"]): void {
    const notice = { id: this.next++, text, kind };
    this.style.setProperty("--covered", `${coveredBelow()}px`);
    this.notices = [...this.notices.filter((old) => old.text !== text), notice].slice(-3);
    setTimeout(
      () => (this.notices = this.notices.filter((old) => old !== notice)),
      kind === "done" ? Math.max(4000, text.length * 60) : 9000,
    );
    this.hidePopover?.();
    this.showPopover?.();
  }

  override render() {
    return html`<section role="status" aria-live="polite">
      ${repeat(
        this.notices,
        (notice) => notice.id,
        (notice) => html`<div class=${notice.kind}>${notice.text}</div>`,
      )}
    </section>`;
  }
}
