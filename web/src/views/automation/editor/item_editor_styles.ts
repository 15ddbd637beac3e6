// SPDX-License-Identifier: Apache-2.0
import { css } from "lit";

export const itemEditorStyles = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  li button {
    justify-content: flex-start;
    width: 100%;
    min-height: 2.4rem;
    padding: 0.35rem 0.5rem;
    font-weight: 400;
    text-align: start;
    overflow-wrap: anywhere;
  }

  li strong {
    flex: none;
    align-self: flex-start;
  }

  .overtaken p {
    margin: 0.3rem 0 0.6rem;
  }

  .id {
    max-width: 26rem;
  }

  /* Sentences may be many; above the navigation of small windows. */
  :is(.sentences, .inputs, .things) .end-buttons {
    position: sticky;
    z-index: 3;
    bottom: var(--navigation, 0px);
    align-items: center;
    margin: 0 -1.25rem -1.1rem;
    padding: 0.7rem 1.25rem;
    border-top: 1px solid var(--border);
    border-radius: 0 0 var(--radius) var(--radius);
    background: var(--surface);
  }
`;
