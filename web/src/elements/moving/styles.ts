// SPDX-License-Identifier: Apache-2.0
// The look of the report of an import: groups, folded rows, and numbers with their names.
import { css } from "lit";

export const foldStyles = css`
  section {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
  }

  .folds {
    margin: 0;
    padding: 0;
    border: 1px solid var(--border);
    border-radius: var(--radius-small);
    list-style: none;
  }

  .folds > li + li {
    border-top: 1px solid var(--border);
  }

  .folds.needs {
    border-color: var(--warning);
    background: var(--warning-soft);
  }

  .folds.lost {
    border-color: var(--danger);
    background: var(--danger-soft);
  }

  summary {
    min-height: 2.75rem;
    padding: 0.6rem 0.8rem;
    overflow-wrap: anywhere;
    cursor: pointer;
  }

  summary .line {
    display: inline-flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 1rem;
    width: calc(100% - 1.3rem);
    vertical-align: top;
  }

  summary .what {
    font-weight: 600;
  }

  summary .how-many {
    color: var(--text-2);
    font-size: 0.9rem;
  }

  .inside {
    display: grid;
    gap: 0.5rem;
    padding: 0 0.8rem 0.8rem 1.75rem;
  }

  .tallies {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 45%), 1fr));
    gap: 0.6rem;
    margin: 0;
  }

  .tallies > div {
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
    padding: 0.6rem 0.8rem;
    border-radius: var(--radius-small);
    background: var(--surface-2);
  }

  .tallies dt,
  .tallies .of {
    color: var(--text-2);
    font-size: 0.9rem;
    font-weight: 400;
  }

  .tallies .of {
    white-space: nowrap;
  }

  .tallies dd {
    margin: 0;
    font-size: 1.35rem;
    font-weight: 650;
  }

  .all {
    columns: 16rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  h3:focus,
  h2:focus {
    outline: none;
  }
`;
