// SPDX-License-Identifier: Apache-2.0
// A table that becomes a list of its rows where the page is narrow; each cell names its column in data-label. Rows and cells need their
// roles written out, for what is no table to the eye is none to assistive technology otherwise.
import { css } from "lit";

export const stackedTables = css`
  tbody tr:last-child td {
    border-bottom: 0;
  }

  td.actions {
    text-align: end;
    white-space: nowrap;
  }

  @media (max-width: 52rem) {
    table,
    tbody,
    tr,
    td {
      display: block;
    }

    thead {
      position: absolute;
      clip-path: inset(50%);
      width: 1px;
      height: 1px;
      overflow: hidden;
    }

    tr {
      padding: 0.6rem 0;
      border-bottom: 1px solid var(--border);
    }

    tr:last-child {
      border-bottom: 0;
    }

    td {
      display: flex;
      gap: 0.8rem;
      padding: 0.2rem 0;
      border: 0;
    }

    td[data-label]::before {
      content: attr(data-label);
      flex: 0 0 8rem;
      color: var(--text-2);
      font-size: 0.9rem;
    }

    td.actions {
      padding-top: 0.5rem;
    }
  }
`;
