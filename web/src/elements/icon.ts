// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import edition from "virtual:icons";
import { shelfOf, shelfPath } from "./icon_shelf";
import { loaded } from "./loaded";

type Shelf = Promise<Record<string, string>>;
const fetched = new Map<number, Shelf>();

function fetchShelf(index: number): Shelf {
  const shelf =
    fetched.get(index) ??
    loaded(async () => {
      const answer = await fetch(`/${shelfPath(index, edition)}`);
      if (!answer.ok) throw new Error(answer.statusText);
      return (await answer.json()) as Record<string, string>;
    });
  fetched.set(index, shelf);
  return shelf;
}

// The path of an icon by its name as entities give it, "mdi:coffee-maker"; undefined if there is none.
async function pathOf(name: string): Promise<string | undefined> {
  const key = name
    .replace(/^mdi:/, "")
    .split("-")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
  return (await fetchShelf(shelfOf(key)))[key];
}

// An icon: `.path` of @mdi/js for icons built into the pages, `name` for those that an entity names. It is decoration:
// its meaning has to be in text beside it, or in the accessible name of its parent.
@customElement("hearth-icon")
export class Icon extends LitElement {
  @property() path = "";
  @property() name = "";
  @state() private named: string | undefined;

  static override styles = css`
    :host {
      display: inline-block;
      width: 1.5rem;
      height: 1.5rem;
      flex: none;
    }

    svg {
      display: block;
      width: 100%;
      height: 100%;
      fill: currentcolor;
    }
  `;

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("name")) return;
    this.named = undefined;
    const name = this.name;
    if (name) void pathOf(name).then((path) => name === this.name && (this.named = path));
  }

  override render() {
    const path = this.named ?? this.path;
    return html`<svg viewBox="0 0 24 24" aria-hidden="true">${path ? svg`<path d=${path}></path>` : nothing}</svg>`;
  }
}
