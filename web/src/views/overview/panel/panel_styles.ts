// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const panelStyles = css`
  :host {
    min-height: 100dvh;
    padding: max(1rem, env(safe-area-inset-top)) clamp(1rem, 3vw, 3rem) max(1rem, env(safe-area-inset-bottom));
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.6rem 2rem;
    min-height: 5rem;
    margin-bottom: 1rem;
  }

  /* It stands a little elsewhere each minute: a screen that never sleeps keeps the traces of what never moves. */
  .clock {
    translate: var(--shift-x, 0) var(--shift-y, 0);
  }

  .time {
    font-size: clamp(2.6rem, 6vw, 4.6rem);
    font-weight: 650;
    font-variant-numeric: tabular-nums;
    line-height: 1.05;
  }

  .date {
    color: var(--text-2);
    font-size: 1.05rem;
  }

  .weather {
    display: flex;
    align-items: center;
    gap: 0.7rem;
    min-height: 3rem;
    color: inherit;
    font-size: 1.2rem;
    text-decoration: none;
  }

  .weather hearth-icon {
    width: 2.6rem;
    height: 2.6rem;
    color: var(--text-2);
  }

  .weather strong {
    font-size: 1.5rem;
  }

  h1 {
    flex: 1 1 10rem;
    font-size: 1.5rem;
    text-align: end;
  }

  header button {
    width: 3rem;
    min-height: 3rem;
    color: var(--text-2);
  }

  @media (max-width: 40rem) {
    h1 {
      text-align: start;
    }
  }

  /* As many columns as there is room for, all of about the same height. */
  .cards {
    columns: 18rem;
    column-gap: 0.8rem;
  }

  .cards > * {
    margin-bottom: 0.8rem;
    break-inside: avoid;
  }

  .about {
    margin-bottom: 1rem;
  }

  .lost {
    position: sticky;
    z-index: 4;
    top: 0.5rem;
    margin: 0 auto 0.8rem;
    width: fit-content;
    padding: 0.55rem 1.1rem;
    border: 1px solid var(--warning);
    border-radius: 999px;
    background: var(--warning-soft);
    font-weight: 550;
  }

  .stale {
    opacity: 0.55;
    filter: grayscale(0.8);
  }

  .dim {
    position: fixed;
    z-index: 15;
    inset: 0;
    display: grid;
    place-items: center;
    width: 100%;
    height: 100%;
    border: 0;
    border-radius: 0;
    background: #000;
    color: #8f8a84;
    cursor: none;
  }

  .dim:hover:not(:disabled) {
    background: #000;
  }

  .dim .clock {
    translate: calc(var(--shift-x, 0) * 8) calc(var(--shift-y, 0) * 8);
    text-align: center;
  }

  .dim .date {
    color: inherit;
  }

  hearth-picture {
    width: 100%;
  }
`;
