// SPDX-License-Identifier: Apache-2.0
// Above a long list: a field to search it, and beside it a choice of what is shown.
import { css } from "lit";

export const filters = css`
  .filters {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(min(100%, 11rem), 1fr);
    gap: 0.8rem;
  }

  @media (max-width: 40rem) {
    .filters {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
