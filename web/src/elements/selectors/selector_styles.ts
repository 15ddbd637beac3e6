// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const selectorStyles = css`
  .field > label:not(.check),
  legend {
    margin-bottom: 0.3rem;
    font-weight: 550;
  }

  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  legend {
    padding: 0;
  }

  .field > .hint,
  .field-problem {
    margin-top: 0.3rem;
    font-size: 0.9rem;
  }

  .field-problem {
    color: var(--danger);
    font-weight: 550;
  }

  .hint {
    white-space: pre-line;
  }

  [aria-invalid="true"] {
    border-color: var(--danger) !important;
  }

  textarea {
    min-height: 5rem;
  }

  textarea.prose {
    font-family: inherit;
    font-size: inherit;
  }

  .number {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }

  .number > * {
    min-width: 0;
    overflow-wrap: anywhere;
  }

  .number hearth-icon {
    flex: none;
  }

  .number > span {
    max-width: 50%;
  }

  .number > input[type="number"] {
    flex: 1 0 calc(var(--digits, 5) * 1ch + 3.3rem);
    max-width: 100%;
  }

  /* The field has what it needs, below the slider where there is no room beside it. */
  .sliding {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.8rem;
    align-items: center;
  }

  .sliding > hearth-slider {
    flex: 999 1 8rem;
  }

  .sliding > .number {
    flex: 1 0 auto;
    max-width: 100%;
  }

  .switch {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 1rem;
    min-height: 2.75rem;
    font-weight: 550;
  }

  .check {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    min-height: 2.2rem;
    font-weight: 400;
  }

  .parts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 7rem), 1fr));
    gap: 0.6rem;
  }

  .target {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
    gap: 0.8rem;
    padding: 0.8rem;
    border: 1px solid var(--border);
    border-radius: var(--radius-small);
  }

  .none {
    min-height: 2.2rem;
    padding: 0 0.4rem;
    color: var(--text-2);
    font-size: 0.9rem;
  }

  input[type="color"] {
    width: 4rem;
    height: 2.75rem;
    padding: 0.2rem;
    border: 1px solid var(--border-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
  }

  .part {
    margin-bottom: 0.4rem;
  }

  .said {
    overflow-wrap: anywhere;
  }
`;
