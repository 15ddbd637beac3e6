// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const runLooks = css`
  .badge.good {
    color: var(--good);
  }

  .badge.failed {
    background: var(--danger-soft);
    color: var(--text);
  }
`;
