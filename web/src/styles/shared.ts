// SPDX-License-Identifier: Apache-2.0
// The look of plain controls. Every element with controls of its own adopts it: `static override styles = [shared, css`…`]`.
import { css } from "lit";

export const shared = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  h1,
  h2,
  h3,
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }

  h1 {
    font-size: 1.6rem;
    font-weight: 650;
    letter-spacing: -0.01em;
  }

  h2 {
    font-size: 1.15rem;
    font-weight: 650;
  }

  h3 {
    font-size: 1rem;
    font-weight: 600;
  }

  a {
    color: var(--accent);
  }

  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.45rem;
    min-height: 2.6rem;
    padding: 0.35rem 1rem;
    border: 1px solid var(--border-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-weight: 550;
    text-decoration: none;
    cursor: pointer;
  }

  button:hover:not(:disabled),
  .button:hover {
    background: var(--surface-2);
  }

  button:disabled {
    opacity: 0.55;
    cursor: default;
  }

  button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-text);
  }

  button.primary:hover:not(:disabled) {
    background: var(--accent);
    filter: brightness(1.08);
  }

  button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }

  button.danger.primary {
    background: var(--danger);
    color: var(--danger-text);
  }

  button.plain {
    border-color: transparent;
    background: transparent;
  }

  button.round {
    flex: none;
    width: 2.75rem;
    min-height: 2.75rem;
    padding: 0;
    border-radius: 50%;
  }

  label {
    display: block;
    font-weight: 550;
  }

  label > span.hint,
  .hint {
    color: var(--text-2);
    font-weight: 400;
    font-size: 0.9rem;
  }

  input:not([type="checkbox"], [type="radio"], [type="range"], [type="color"]),
  select,
  textarea {
    display: block;
    width: 100%;
    min-height: 2.75rem;
    padding: 0.45rem 0.75rem;
    border: 1px solid var(--border-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-weight: 400;
  }

  /* Its digits, and the arrows that browsers draw. */
  input[type="number"] {
    min-width: min(100%, calc(var(--digits, 5) * 1ch + 3.3rem));
  }

  input.mono,
  textarea,
  code,
  pre,
  .mono {
    font-family: var(--font-mono);
    font-size: 0.9rem;
  }

  textarea {
    min-height: 8rem;
    resize: vertical;
  }

  input[type="checkbox"],
  input[type="radio"] {
    width: 1.2rem;
    height: 1.2rem;
    accent-color: var(--accent);
  }

  input:placeholder-shown {
    text-overflow: ellipsis;
  }

  input::placeholder {
    color: var(--text-2);
    opacity: 1;
  }

  .card {
    padding: 1.1rem 1.25rem;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }

  .stack {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.6rem;
  }

  .spread {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.6rem;
  }

  .end-buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.6rem;
  }

  .muted {
    color: var(--text-2);
  }

  .problem {
    padding: 0.7rem 0.9rem;
    border-radius: var(--radius-small);
    background: var(--danger-soft);
    color: var(--text);
    overflow-wrap: anywhere;
  }

  .notice {
    padding: 0.7rem 0.9rem;
    border-radius: var(--radius-small);
    background: var(--surface-2);
    overflow-wrap: anywhere;
  }

  .badge {
    display: inline-block;
    padding: 0.1rem 0.55rem;
    border-radius: 999px;
    background: var(--surface-2);
    color: var(--text-2);
    font-size: 0.82rem;
    font-weight: 550;
  }

  .badge.accent {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .spinner {
    width: 1rem;
    height: 1rem;
    border: 2px solid currentcolor;
    border-right-color: transparent;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  table {
    width: 100%;
    border-collapse: collapse;
  }

  th {
    color: var(--text-2);
    font-size: 0.85rem;
    font-weight: 600;
    text-align: start;
  }

  th,
  td {
    padding: 0.55rem 0.6rem;
    border-bottom: 1px solid var(--border);
    vertical-align: middle;
    overflow-wrap: anywhere;
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
    border: 0;
    white-space: nowrap;
  }

  @media print {
    /* Paper shows what is, and cannot be pressed. A switch is seen by its place, what is to do by its words. */
    button:not([role="switch"], [role="checkbox"]),
    .button,
    .filters,
    input[type="search"] {
      display: none !important;
    }

    .card {
      box-shadow: none;
      break-inside: avoid;
    }

    h1,
    h2,
    h3 {
      break-after: avoid;
    }
  }
`;
