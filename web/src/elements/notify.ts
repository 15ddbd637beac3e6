// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { Cancelled, errorText } from "../api/errors";
import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { coveredBelow } from "./bottom_bars";
import { focusPath, giveBack } from "./focus";

interface Notice {
  id: number;
  text: string;
  kind: "done" | "problem" | "undo";
  // Of a notice with a button: what that does, and what is done when the notice goes unused.
  run?: () => void;
  gone?: () => void;
}

// Milliseconds that an undo is offered.
const undoTime = 5000;

let notices: Notices | undefined;
const show = (text: string, kind: "done" | "problem"): void => void notices?.add({ text, kind });

// A modal dialog makes inert what is outside of it: the notices stand in the dialog that was opened last.
const places: Element[] = [];
let front: ParentNode | null = null;

function place(): void {
  const wanted = places.at(-1) ?? front;
  if (notices && wanted && notices.parentNode !== wanted) wanted.append(notices);
}

function stand(here: Notices): void {
  notices = here;
  front ??= here.parentNode;
}

// They stand there until the result is called.
export function noticesIn(dialog: Element): () => void {
  places.push(dialog);
  place();
  return () => {
    places.splice(places.indexOf(dialog), 1);
    place();
  };
}

// Shows for some seconds, at the bottom of the page, that something was done.
export function notifyDone(text: string): void {
  show(text, "done");
}

// Shows there what went wrong, and what to do.
function notifyProblem(error: unknown): void {
  show(errorText(error), "problem");
}

// Shows there for five seconds what was done, with a button to take it back: `run`. Without it `gone` is called. The result takes the
// notice away.
export function offerUndo(text: string, run: () => void, gone: () => void): () => void {
  const notice = notices?.add({ text, kind: "undo", run, gone });
  return () => notice && notices?.dismiss(notice);
}

// Runs an action of the user, and shows it if that fails. Resolves to whether it worked.
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (!(error instanceof Cancelled)) notifyProblem(error);
    return false;
  }
}

// So many are shown at a time.
const most = 3;

// The place of the notices; the app has one.
@customElement("hearth-notices")
export class Notices extends LitElement {
  @state() private notices: Notice[] = [];
  private next = 1;
  private readonly timers = new Map<Notice, ReturnType<typeof setTimeout>>();
  // The element that had the focus before a notice's button.
  private opener: HTMLElement[] = [];

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

      div > span {
        display: -webkit-box;
        flex: 1;
        min-width: 0;
        overflow: hidden;
        overflow-wrap: anywhere;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 6;
      }

      div.undo {
        display: flex;
        align-items: center;
        gap: 0.8rem;
        padding-block: 0.35rem;
        padding-inline-end: 0.5rem;
      }

      div.undo > span {
        -webkit-line-clamp: 3;
      }

      button {
        flex: none;
        min-height: 2.75rem;
        border-color: transparent;
        background: transparent;
        color: inherit;
        font-weight: 650;
        text-decoration: underline;
        text-underline-offset: 0.2em;
        pointer-events: auto;
      }

      button:hover {
        background: color-mix(in srgb, var(--background) 15%, transparent);
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
    stand(this);
  }

  add(made: Omit<Notice, "id">): Notice {
    const notice = { ...made, id: this.next++ };
    if ((this.renderRoot as ShadowRoot).activeElement === null) this.opener = focusPath();
    this.style.setProperty("--covered", `${coveredBelow()}px`);
    const kept = this.notices.filter((old) => old.kind === "undo" || old.text !== notice.text);
    const [oldest] = kept.length < most ? [] : kept;
    this.notices = [...kept.slice(-most + 1), notice];
    if (oldest) this.leave(oldest);
    this.begin(notice);
    this.hidePopover?.();
    this.showPopover?.();
    return notice;
  }

  dismiss(notice: Notice): void {
    clearTimeout(this.timers.get(notice));
    this.timers.delete(notice);
    this.notices = this.notices.filter((old) => old !== notice);
  }

  private begin(notice: Notice): void {
    const { kind, text } = notice;
    const time = kind === "undo" ? undoTime : kind === "done" ? Math.max(4000, text.length * 60) : 9000;
    clearTimeout(this.timers.get(notice));
    this.timers.set(
      notice,
      setTimeout(() => this.leave(notice), time),
    );
  }

  private leave(notice: Notice): void {
    this.dismiss(notice);
    notice.gone?.();
  }

  // People at its button have the time that it takes.
  private hold(notice: Notice): void {
    clearTimeout(this.timers.get(notice));
  }

  private use(notice: Notice): void {
    const hadFocus = (this.renderRoot as ShadowRoot).activeElement !== null;
    this.dismiss(notice);
    notice.run?.();
    // The button is gone with its notice.
    if (hadFocus && this.opener.length > 0) giveBack(this.opener);
  }

  private undo(notice: Notice) {
    return html`<button
      type="button"
      aria-keyshortcuts="Control+Z"
      title=${t("undo.key")}
      @pointerenter=${() => this.hold(notice)}
      @pointerleave=${() => this.begin(notice)}
      @focus=${() => this.hold(notice)}
      @blur=${() => this.notices.includes(notice) && this.begin(notice)}
      @click=${() => this.use(notice)}
    >
      ${t("undo.undo")}
    </button>`;
  }

  override render() {
    return html`<section role="status" aria-live="polite">
      ${repeat(
        this.notices,
        (notice) => notice.id,
        (notice) =>
          html`<div class=${notice.kind}><span>${notice.text}</span>${notice.kind === "undo" ? this.undo(notice) : nothing}</div>`,
      )}
    </section>`;
  }
}
