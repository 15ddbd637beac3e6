// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const overviewStyles = css`
  header {
    margin-bottom: 0.9rem;
  }

  .title {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-width: 0;
    min-height: 2.75rem;
  }

  .title a {
    margin-inline-start: -0.6rem;
    color: var(--text);
  }

  /* Beside the search, or at the end of the heading's line. */
  header > a.round {
    margin-inline-start: auto;
  }

  form {
    position: relative;
    flex: 1 1 9rem;
    max-width: 22rem;
  }

  form hearth-icon {
    position: absolute;
    top: 50%;
    inset-inline-start: 0.75rem;
    width: 1.3rem;
    height: 1.3rem;
    color: var(--text-2);
    translate: 0 -50%;
    pointer-events: none;
  }

  form input[type="search"] {
    padding-inline-start: 2.6rem;
    border-radius: 999px;
  }

  p[role="status"] {
    margin-bottom: 0.8rem;
  }

  hearth-home-chips {
    margin-bottom: 0.8rem;
  }

  .choices {
    display: flex;
    justify-content: flex-end;
    margin-top: -0.6rem;
  }

  a.round {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.75rem;
    min-height: 2.75rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
    color: var(--text-2);
  }

  .row {
    display: flex;
  }
`;
