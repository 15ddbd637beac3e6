// SPDX-License-Identifier: Apache-2.0
// `lined`: a list of rows with a line between them. `rows` are one line each: what a thing is, and at its end what can be done with it.
import { css } from "lit";

export const lined = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  li {
    padding: 0.6rem 0;
    border-bottom: 1px solid var(--border);
    overflow-wrap: anywhere;
  }

  li:last-child {
    border-bottom: 0;
  }
`;

export const rows = [
  lined,
  css`
    li {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.1rem 0.8rem;
      padding: 0.45rem 0;
    }

    li > div:first-of-type {
      flex: 1 1 8rem;
      min-width: 0;
    }

    li .row {
      gap: 0;
      margin-inline-start: auto;
    }
  `,
];

// Names beside their values.
export const definitions = css`
  dl {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.3rem 1rem;
    margin: 0;
  }

  dt {
    color: var(--text-2);
  }

  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
