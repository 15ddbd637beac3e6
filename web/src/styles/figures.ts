// SPDX-License-Identifier: Apache-2.0
// A `dl` of figures, each in a `div`, as many side by side as there is room; `.long` ones have a line of their own.
import { css } from "lit";

export const figures = css`
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr));
    gap: 1rem;
    margin: 0;
  }

  @media (max-width: 40rem) {
    dl {
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 8rem), 1fr));
    }
  }

  dt {
    color: var(--text-2);
    font-size: 0.85rem;
  }

  dd {
    margin: 0;
    font-size: 1.1rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  dd small {
    display: block;
    color: var(--text-2);
    font-size: 0.82rem;
    font-weight: 400;
  }

  .long {
    grid-column: 1 / -1;
  }

  .long dd {
    font-size: 0.9rem;
    font-weight: 400;
  }
`;
