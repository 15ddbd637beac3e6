// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import type { RegisteredEntity } from "../../api/types";
import { HomeController } from "../../elements/controllers";
import { formStyles } from "../../elements/form";
import { language, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/lazy_block";
import "./entity_dialog";
import "./entity_row";

// Rows that are drawn together, and what each is high about, in pixels.
const rowsPerBlock = 40;
const rowHeight = 65;

type Kind = "all" | "withoutArea" | "hidden" | "disabled";
const kinds: Kind[] = ["all", "withoutArea", "hidden", "disabled"];

// Every entity of the registry, to be searched and changed.
@customElement("hearth-entities")
export class Entities extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  @state() private kind: Kind = "all";
  @state() private opened = "";

  static override styles = [
    shared,
    formStyles,
    css`
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

      hearth-lazy-block {
        --card-width: 100%;
        --card-gap: 0;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  private fits(entity: RegisteredEntity): boolean {
    switch (this.kind) {
      case "withoutArea":
        return !this.home.areaOf(entity.entity_id);
      case "hidden":
        return entity.hidden_by !== null;
      case "disabled":
        return entity.disabled_by !== null;
      case "all":
        return true;
    }
  }

  private found(): [string, string][] {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const found: [string, string][] = [];
    for (const entity of this.home.registry.values()) {
      if (!this.fits(entity)) continue;
      const id = entity.entity_id;
      const name = this.home.nameOf(id);
      const text = `${name} ${id} ${this.home.areaOf(id)?.name ?? ""} ${entity.platform}`.toLowerCase();
      if (words.every((word) => text.includes(word))) found.push([id, name]);
    }
    const collator = new Intl.Collator(language(), { numeric: true });
    return found.sort((a, b) => collator.compare(a[1], b[1]));
  }

  override render() {
    const found = this.found();
    return html`<div class="stack">
        <h2>${t("entities.heading")}</h2>
        <div class="filters">
          <div class="field">
            <label for="search">${t("entities.search")}</label>
            <input
              id="search"
              type="search"
              autocomplete="off"
              .value=${this.search}
              @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
            />
          </div>
          <div class="field">
            <label for="kind">${t("entities.show")}</label>
            <select id="kind" @change=${(event: Event) => (this.kind = (event.target as HTMLSelectElement).value as Kind)}>
              ${kinds.map((kind) => html`<option value=${kind} .selected=${kind === this.kind}>${t(`entities.show.${kind}`)}</option>`)}
            </select>
          </div>
        </div>
        <p class="hint" role="status">${t("entities.count", { count: found.length })}</p>
        ${this.blocks(found.map(([id]) => id))}
      </div>
      ${this.opened
        ? html`<hearth-registered-entity-dialog
            .home=${this.home}
            .entityId=${this.opened}
            @closed=${() => (this.opened = "")}
          ></hearth-registered-entity-dialog>`
        : nothing}`;
  }

  private blocks(ids: string[]): TemplateResult {
    const blocks: string[][] = [];
    for (let from = 0; from < ids.length; from += rowsPerBlock) blocks.push(ids.slice(from, from + rowsPerBlock));
    return html`<div @edit=${(event: CustomEvent<string>) => (this.opened = event.detail)}>
      ${repeat(
        blocks,
        (block) => block[0],
        (block) =>
          html`<hearth-lazy-block
            .height=${block.length * rowHeight}
            .content=${() => block.map((id) => html`<hearth-entity-row .home=${this.home} .entityId=${id}></hearth-entity-row>`)}
          ></hearth-lazy-block>`,
      )}
    </div>`;
  }
}
