// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

// Controls within a sentence: as high as a finger needs, as wide as what they say.
export const slotStyles = css`
  :host {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.35rem;
    max-width: 100%;
    min-width: 0;
    vertical-align: middle;
  }

  :host([wide]) {
    display: flex;
    flex: 1 1 100%;
  }

  button.token,
  select.token,
  input.token:not([type="checkbox"]) {
    display: inline-flex;
    width: auto;
    max-width: 100%;
    min-height: 2.4rem;
    padding: 0.2rem 0.6rem;
    border: 1px solid var(--border);
    border-bottom-color: var(--border-strong);
    border-radius: 8px;
    background: var(--surface-2);
    color: var(--text);
    font: inherit;
    font-weight: 600;
  }

  button.token {
    justify-content: flex-start;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .token.empty {
    border-color: var(--accent);
    border-style: dashed;
    color: var(--accent);
  }

  button.token hearth-icon {
    width: 1.25rem;
    height: 1.25rem;
  }

  select.token {
    field-sizing: content;
    padding-right: 0.3rem;
    text-overflow: ellipsis;
    cursor: pointer;
  }

  input.token {
    field-sizing: content;
    min-width: 4.5rem;
  }

  input.token[type="number"] {
    min-width: calc(var(--digits, 5) * 1ch + 2.8rem);
  }

  input.token[type="text"] {
    min-width: 8rem;
  }

  input.color {
    width: 4rem;
    height: 2.4rem;
    padding: 0.15rem;
    border: 1px solid var(--border-strong);
    border-radius: 8px;
    background: var(--surface);
  }

  button.more {
    width: 2.2rem;
    min-height: 2.2rem;
    color: var(--text-2);
  }

  button.more hearth-icon {
    width: 1.2rem;
    height: 1.2rem;
  }

  .or {
    color: var(--text-2);
  }

  textarea {
    field-sizing: content;
    min-height: 2.6rem;
    max-height: 20rem;
    resize: vertical;
  }

  .days {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .days button {
    min-width: 2.6rem;
    min-height: 2.4rem;
    padding: 0 0.4rem;
    border-color: var(--border);
    border-radius: 999px;
    font-size: 0.9rem;
  }

  .days button[aria-pressed="true"] {
    border-color: var(--accent);
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .wrong {
    flex: 1 1 100%;
    color: var(--danger);
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }

  :disabled {
    cursor: default;
  }
`;
