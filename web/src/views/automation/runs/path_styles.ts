// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

// Rows stand on a line; what ran is a solid one in colour.
export const pathStyles = css`
  :host {
    container-type: inline-size;
  }

  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .part + .part {
    margin-top: 0.9rem;
  }

  .heading {
    margin: 0 0 0.4rem;
    color: var(--text-2);
    font-size: 0.9rem;
    font-weight: 600;
  }

  li {
    --line: var(--border-strong);
    position: relative;
    padding: 0 0 0.7rem 2.9rem;
  }

  li.ran {
    --line: var(--accent);
  }

  li.failed {
    --line: var(--danger);
  }

  /* The line to the next row. */
  li::before {
    content: "";
    position: absolute;
    inset-block: 0;
    inset-inline-start: 1.05rem;
    border-inline-start: 2px dashed var(--border-strong);
  }

  li.ran::before {
    border-inline-start: 3px solid var(--line);
  }

  li:last-child::before {
    bottom: auto;
    height: 1.1rem;
  }

  .mark {
    position: absolute;
    inset-inline-start: 0;
    top: 0.1rem;
    display: grid;
    place-items: center;
    width: 2.2rem;
    height: 2.2rem;
    border: 2px solid var(--line);
    border-radius: 50%;
    background: var(--surface);
    color: var(--text-2);
  }

  li:not(.ran) > .mark {
    border-style: dashed;
  }

  li.ran > .mark {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  li.failed > .mark {
    background: var(--danger-soft);
    color: var(--text);
  }

  li.stands > .mark {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  .mark hearth-icon {
    width: 1.25rem;
    height: 1.25rem;
  }

  .words {
    min-height: 2.4rem;
    overflow-wrap: anywhere;
  }

  li:not(.ran) > .words {
    color: var(--text-2);
  }

  button.words {
    display: block;
    width: 100%;
    padding: 0.3rem 0.5rem;
    font-weight: 400;
    text-align: start;
  }

  div.words {
    padding: 0.35rem 0.55rem;
  }

  li.ran > .words .say {
    font-weight: 550;
  }

  .words .badge {
    margin-inline-start: 0.3rem;
  }

  .words .hint {
    display: block;
  }

  .facts {
    margin: 0.1rem 0 0.5rem 0.5rem;
    padding: 0.5rem 0.8rem;
    border-radius: var(--radius-small);
    background: var(--surface-2);
  }

  .facts p {
    margin: 0.3rem 0;
  }

  .facts dl {
    margin: 0.2rem 0 0;
  }

  .lanes {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
    gap: 0.6rem;
    margin-top: 0.3rem;
  }

  .lane {
    min-width: 0;
    padding: 0.6rem 0.7rem 0.1rem;
    border: 1px dashed var(--border-strong);
    border-radius: var(--radius-small);
  }

  .lane.ran {
    border: 1px solid var(--accent);
  }

  .lane.wide {
    grid-column: 1 / -1;
  }

  .passes {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem;
    margin-bottom: 0.5rem;
  }

  .passes select {
    width: auto;
    min-height: 2.4rem;
  }

  .breakpoint {
    position: absolute;
    inset-inline-end: 0;
    top: 0;
    min-width: 2.4rem;
    min-height: 2.4rem;
    padding: 0.3rem;
  }

  .breakpoint hearth-icon {
    width: 1.2rem;
    height: 1.2rem;
    color: var(--text-2);
  }

  .breakpoint[aria-pressed="true"] hearth-icon {
    color: var(--danger);
  }

  li.breaks > .words {
    padding-inline-end: 2.9rem;
  }

  @container (max-width: 30rem) {
    .lane {
      padding: 0.5rem 0.35rem 0;
    }

    li li {
      padding-inline-start: 2.5rem;
    }
  }
`;
