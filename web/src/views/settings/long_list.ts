// SPDX-License-Identifier: Apache-2.0
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { blocksOf } from "../../elements/lazy_block";

// The text that a list is searched for.
export function searchField(label: string, value: string, changed: (value: string) => void): TemplateResult {
  return html`<div class="field">
    <label for="search">${label}</label>
    <input
      id="search"
      type="search"
      autocomplete="off"
      .value=${value}
      @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}
    />
  </div>`;
}

// Which of a list are shown, or in which order.
export function choiceField<Choice extends string>(
  id: string,
  label: string,
  choices: readonly Choice[],
  chosen: Choice,
  textOf: (choice: Choice) => string,
  changed: (choice: Choice) => void,
): TemplateResult {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} @change=${(event: Event) => changed((event.target as HTMLSelectElement).value as Choice)}>
      ${choices.map((choice) => html`<option value=${choice} .selected=${choice === chosen}>${textOf(choice)}</option>`)}
    </select>
  </div>`;
}

// Rows that are drawn together, and what each is high about, in pixels.
const rowsPerBlock = 40;
const rowHeight = 65;

// A long list in columns, of which only what is near the window is drawn. Blocks are told apart by the keys of their first rows.
export function longList<Row>(rows: Row[], key: (row: Row) => unknown, content: (rows: Row[]) => unknown, columns = 1): TemplateResult {
  return html`${repeat(
    blocksOf(rows, rowsPerBlock * columns),
    (block) => block[0] && key(block[0]),
    (block) =>
      html`<hearth-lazy-block
        .columns=${columns}
        .height=${(Math.ceil(block.length / columns) * rowHeight) / 16}
        .content=${() => content(block)}
      ></hearth-lazy-block>`,
  )}`;
}
