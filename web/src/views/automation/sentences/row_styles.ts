// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const rowStyles = css`
  .row-box {
    border: 1px solid var(--border);
    border-radius: var(--radius-small);
    background: var(--surface);
  }

  .row-box:focus-within {
    border-color: var(--border-strong);
  }

  .row-box.wrong {
    border-color: var(--danger);
  }

  .head {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: start;
    gap: 0.2rem;
    padding: 0.3rem;
  }

  .handle {
    display: inline-flex;
    align-items: center;
    gap: 0;
    min-width: 2.4rem;
    min-height: 2.7rem;
    padding: 0;
    color: var(--text-2);
    cursor: grab;
    touch-action: none;
  }

  .handle:disabled {
    opacity: 1;
    cursor: default;
  }

  .handle hearth-icon.kind {
    width: 1.35rem;
    height: 1.35rem;
  }

  .handle hearth-icon.grip {
    width: 1rem;
    height: 1.35rem;
    margin-inline: -0.2rem 0;
    opacity: 0.65;
  }

  .body {
    grid-column: 2;
    grid-row: 1;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.35rem;
    min-width: 0;
  }

  .sentence {
    line-height: 2.7rem;
    overflow-wrap: anywhere;
  }

  .sentence > * {
    line-height: 1.35;
  }

  .row-box.disabled {
    border-style: dashed;
    background: var(--background);
    color: var(--text-2);
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 0.5rem;
  }

  .lines {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.35rem;
    margin-bottom: 0.3rem;
  }

  .badges {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
  }

  .name {
    margin-top: 0.2rem;
    font-weight: 650;
    overflow-wrap: anywhere;
  }

  input.alias {
    min-height: 2.4rem;
    font-weight: 650;
  }

  .tools {
    grid-column: 3;
    display: flex;
    align-items: center;
    min-height: 2.7rem;
  }

  .said {
    margin: 0 0.5rem 0.5rem;
    padding: 0.4rem 0.7rem;
    border-radius: 8px;
    background: var(--danger-soft);
    font-size: 0.92rem;
    overflow-wrap: anywhere;
  }

  .missing {
    display: flex;
    gap: 0.5rem;
    margin: 0 0.5rem 0.5rem;
    padding: 0.4rem 0.7rem;
    border-radius: 8px;
    background: var(--warning-soft);
    font-size: 0.92rem;
    overflow-wrap: anywhere;
  }

  .missing hearth-icon {
    flex: none;
    width: 1.2rem;
    height: 1.2rem;
    color: var(--warning);
  }

  .blocks {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.7rem;
    padding: 0.1rem 0.5rem 0.6rem;
  }

  .block {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.35rem;
    padding-left: 0.6rem;
    border-left: 3px solid var(--accent-soft);
  }

  .block-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    min-height: 2rem;
    color: var(--text-2);
    font-size: 0.92rem;
    font-weight: 600;
  }

  .option {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
    padding: 0.5rem;
    border: 1px dashed var(--border);
    border-radius: 8px;
  }

  button.small {
    justify-self: start;
    min-height: 2.3rem;
    padding: 0.1rem 0.8rem;
    font-size: 0.92rem;
  }

  button.small hearth-icon {
    width: 1.15rem;
    height: 1.15rem;
  }

  /* The words flow around what is at the edges, so that they have the whole width. */
  @media (max-width: 40rem) {
    .head {
      position: relative;
      display: flow-root;
    }

    .handle {
      float: left;
    }

    .tools {
      position: absolute;
      inset: 0.3rem 0.3rem auto auto;
    }

    .body {
      display: block;
      padding-inline: 0.3rem;
    }

    /* The words leave room for the buttons, which follow them. */
    .body::before {
      content: "";
      float: right;
      width: 5.1rem;
      height: 2.7rem;
    }

    .lines,
    .badges {
      clear: both;
    }

    .blocks {
      padding: 0.1rem 0.3rem 0.5rem;
    }

    .block {
      padding-left: 0.4rem;
    }
  }
`;
