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
    display: grid;
    flex: none;
    place-items: center;
    width: 2.75rem;
    min-height: 2.75rem;
    margin-inline-start: -0.6rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
    color: var(--text);
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

  .rooms {
    display: grid;
    grid-template-columns: repeat(var(--room-columns, 1), minmax(0, 1fr));
    grid-auto-flow: row dense;
    grid-auto-rows: 0.25rem;
    column-gap: 1rem;
    align-items: start;
  }

  section {
    display: contents;
  }

  .goes-on {
    overflow: hidden;
    height: 1.6rem;
    color: var(--text-2);
    font-size: 0.82rem;
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .floor {
    overflow: hidden;
    color: var(--text-2);
    font-size: 0.82rem;
    font-weight: 600;
    line-height: 1.4rem;
    letter-spacing: 0.03em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  hearth-room-head {
    margin-bottom: 0.4rem;
  }

  hearth-lazy-block + hearth-lazy-block {
    margin-top: 0.5rem;
  }
`;
