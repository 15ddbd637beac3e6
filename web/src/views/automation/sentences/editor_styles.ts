// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const editorStyles = css`
  .editor {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.6rem;
  }

  .top {
    display: flex;
    align-items: end;
    gap: 0.6rem;
  }

  .alias {
    flex: 1;
    max-width: 34rem;
  }

  .undo {
    display: flex;
    margin-left: auto;
  }

  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
  }

  .section-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.2rem 0.8rem;
  }

  details > hearth-script-fields {
    padding-top: 0.6rem;
  }

  summary {
    min-height: 2.4rem;
    padding: 0.4rem 0;
    font-weight: 600;
    cursor: pointer;
  }

  h3 {
    font-size: 1.15rem;
    font-weight: 700;
  }
`;
