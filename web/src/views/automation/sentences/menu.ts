// SPDX-License-Identifier: Apache-2.0
import { mdiCheck } from "virtual:icons/lazy";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { shared } from "../../../styles/shared";
import "../../../elements/icon";

export interface MenuItem {
  label: string;
  // Below the label.
  hint?: string;
  icon?: string;
  run: () => void;
  danger?: boolean;
  disabled?: boolean;
  // Of what is switched on and off.
  checked?: boolean;
}

// A button that opens a list of things to do.
@customElement("hearth-menu")
export class Menu extends LitElement {
  // The accessible name.
  @property() label = "";
  @property() icon = "";
  // Beside the icon.
  @property() text = "";
  @property({ attribute: false }) items: () => MenuItem[] = () => [];
  @state() private open = false;
  private hadFocus = false;
  @query("button") private button!: HTMLButtonElement;
  @query("[popover]") private list!: HTMLElement;

  static override styles = [
    shared,
    css`
      :host {
        display: inline-block;
      }

      .opens {
        min-width: 2.4rem;
        min-height: 2.4rem;
        padding: 0 0.5rem;
        color: var(--text-2);
      }

      .opens:hover,
      .opens[aria-expanded="true"] {
        background: var(--surface-2);
        color: var(--text);
      }

      .opens hearth-icon {
        width: 1.3rem;
        height: 1.3rem;
      }

      [popover] {
        position: fixed;
        inset: auto;
        width: max-content;
        max-width: min(20rem, calc(100vw - 1rem));
        max-height: min(36rem, calc(100dvh - 1rem));
        margin: 0;
        padding: 0.3rem;
        border: 1px solid var(--border-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow-high);
        overflow-y: auto;
      }

      [role="menu"] button {
        display: flex;
        justify-content: flex-start;
        width: 100%;
        gap: 0.7rem;
        border: 0;
        font-weight: 450;
        text-align: start;
      }

      [role="menu"] hearth-icon {
        width: 1.25rem;
        height: 1.25rem;
        color: var(--text-2);
      }

      [role="menu"] .danger,
      [role="menu"] .danger hearth-icon {
        color: var(--danger);
      }

      .mark {
        flex: none;
        width: 1.25rem;
      }

      small {
        display: block;
        color: var(--text-2);
        font-size: 0.82rem;
      }
    `,
  ];

  override focus(): void {
    this.button?.focus();
  }

  // Escape and a click beside it close the list before anybody hears of it: the focus was in what is gone then.
  private closes(event: ToggleEvent): void {
    this.hadFocus = event.newState === "closed" && this.shadowRoot?.activeElement?.closest("[popover]") === this.list;
  }

  private toggled(event: ToggleEvent): void {
    this.open = event.newState === "open";
    const { activeElement } = document;
    if (
      !this.open &&
      this.hadFocus &&
      (activeElement === null || activeElement === document.body || this.shadowRoot?.activeElement?.closest("[popover]"))
    )
      this.button.focus();
    if (!this.open) return;
    void this.updateComplete.then(() => {
      this.place();
      this.buttons[0]?.focus({ preventScroll: true });
    });
  }

  private get buttons(): HTMLButtonElement[] {
    return [...this.list.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  }

  // Below the button, or above it where there is more room, and within the window.
  private place(): void {
    const at = this.button.getBoundingClientRect();
    const { width, height } = this.list.getBoundingClientRect();
    const below = at.bottom + 4;
    const top =
      below + height > innerHeight - 8 && at.top > innerHeight - at.bottom
        ? at.top - height - 4
        : Math.min(below, innerHeight - height - 8);
    const left = Math.min(at.left + width > innerWidth - 8 ? at.right - width : at.left, innerWidth - width - 8);
    this.list.style.top = `${Math.max(8, top)}px`;
    this.list.style.left = `${Math.max(8, left)}px`;
  }

  private press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { buttons } = this;
    const here = buttons.indexOf(
      this.renderRoot instanceof ShadowRoot ? (this.renderRoot.activeElement as HTMLButtonElement) : buttons[0]!,
    );
    if (step !== undefined) buttons.at((here + step) % buttons.length)?.focus();
    else if (event.key === "Home") buttons[0]?.focus();
    else if (event.key === "End") buttons.at(-1)?.focus();
    else if (event.key === "Tab") this.list.hidePopover();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  }

  private choose(item: MenuItem): void {
    this.list.hidePopover();
    this.button.focus();
    item.run();
  }

  override render() {
    return html`<button
        type="button"
        class="opens plain"
        aria-label=${this.label}
        aria-haspopup="menu"
        aria-expanded=${this.open ? "true" : "false"}
        @click=${() => this.list.togglePopover()}
      >
        ${this.icon ? html`<hearth-icon .path=${this.icon}></hearth-icon>` : nothing}${this.text}
      </button>
      <div
        popover
        role="menu"
        aria-label=${this.label}
        @beforetoggle=${(event: ToggleEvent) => this.closes(event)}
        @toggle=${(event: ToggleEvent) => this.toggled(event)}
        @keydown=${(event: KeyboardEvent) => this.press(event)}
      >
        ${this.open
          ? this.items().map((item) => {
              const isSwitch = item.checked !== undefined;
              return html`<button
                type="button"
                role=${isSwitch ? "menuitemcheckbox" : "menuitem"}
                aria-checked=${isSwitch ? String(item.checked) : nothing}
                tabindex="-1"
                class=${item.danger ? "danger" : ""}
                ?disabled=${item.disabled}
                @click=${() => this.choose(item)}
              >
                ${isSwitch
                  ? html`<span class="mark">${item.checked ? html`<hearth-icon .path=${mdiCheck}></hearth-icon>` : nothing}</span>`
                  : item.icon
                    ? html`<hearth-icon .path=${item.icon}></hearth-icon>`
                    : nothing}
                <span>${item.label}${item.hint ? html`<small>${item.hint}</small>` : nothing}</span>
              </button>`;
            })
          : nothing}
      </div>`;
  }
}
