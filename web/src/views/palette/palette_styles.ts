// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const paletteStyles = css`
  dialog {
    width: min(44rem, calc(100vw - 2rem));
    max-width: none;
    max-height: min(80dvh, 46rem);
    margin: 10dvh auto auto;
    padding: 0;
    overflow: hidden;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    box-shadow: var(--shadow-high);
  }

  dialog[open] {
    display: flex;
    flex-direction: column;
  }

  dialog::backdrop {
    background: rgb(20 12 6 / 45%);
  }

  .top {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.6rem;
    padding: 0.5rem 0.5rem 0.5rem 1rem;
    border-bottom: 1px solid var(--border);
  }

  .top > hearth-icon {
    flex: none;
    color: var(--text-2);
  }

  .top input:not([type="checkbox"]) {
    min-height: 3rem;
    padding: 0.4rem 0.2rem;
    border: 0;
    background: none;
    font-size: 1.1rem;
  }

  .top input:focus-visible {
    outline: none;
  }

  .top:has(input:focus-visible) {
    border-bottom-color: var(--accent);
    box-shadow: 0 1px 0 var(--accent);
  }

  .found {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
    padding: 0.4rem;
  }

  #found {
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
  }

  .about {
    padding: 0.4rem 0.7rem 0.2rem;
    color: var(--text-2);
    font-size: 0.85rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  [role="row"] {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-height: 3.4rem;
    padding-inline-end: 0.6rem;
    border-radius: var(--radius-small);
    cursor: pointer;
  }

  [role="row"][aria-selected="true"] {
    background: var(--surface-2);
    box-shadow: inset 3px 0 0 var(--accent);
  }

  .main {
    flex: 1;
    min-width: 0;
  }

  .main > :is(a, div) {
    display: flex;
    align-items: center;
    gap: 0.8rem;
    min-height: 3.4rem;
    padding: 0.3rem 0.2rem 0.3rem 0.8rem;
    color: inherit;
    text-decoration: none;
  }

  .main hearth-icon {
    flex: none;
    color: var(--text-2);
  }

  .command .main hearth-icon {
    color: var(--accent);
  }

  .words {
    flex: 1;
    min-width: 0;
  }

  .name,
  .note {
    display: -webkit-box;
    overflow: hidden;
    line-height: 1.25;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
  }

  .name {
    font-weight: 600;
    -webkit-line-clamp: 2;
  }

  .note {
    color: var(--text-2);
    font-size: 0.87rem;
    -webkit-line-clamp: 1;
  }

  .kind {
    flex: none;
    color: var(--text-2);
    font-size: 0.85rem;
  }

  .control {
    flex: none;
    max-width: 55%;
  }

  .keys {
    flex: none;
    padding: 0.5rem 1rem;
    border-top: 1px solid var(--border);
    color: var(--text-2);
    font-size: 0.82rem;
  }

  .none {
    padding: 1rem 0.8rem;
    overflow-wrap: anywhere;
  }

  /* The whole screen: the keyboard covers its lower half. */
  @media (max-width: 40rem) {
    dialog {
      width: 100%;
      height: 100dvh;
      max-height: none;
      margin: 0;
      border: 0;
      border-radius: 0;
    }

    .keys {
      display: none;
    }

    .found {
      padding-bottom: max(0.4rem, env(safe-area-inset-bottom));
    }
  }
`;
