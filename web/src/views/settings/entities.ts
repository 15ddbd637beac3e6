// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { isReserved, type RegisteredEntity } from "../../api/types";
import { HomeController } from "../../elements/controllers";
import { formStyles } from "../../elements/form";
import { language, t } from "../../i18n/catalogue";
import { query, setQuery } from "../../router";
import { filters } from "../../styles/filters";
import { shared } from "../../styles/shared";
import "./entity_dialog";
import { clients } from "./entity_row";
import { choiceField, longList, searchField } from "./long_list";

type Kind = "all" | "withoutArea" | "hidden" | "disabled" | "reserved";
const kinds: Kind[] = ["all", "withoutArea", "hidden", "disabled", "reserved"];

// Every entity, to be searched and changed: those of the registry, and those that clients write; reserved ones by themselves; the one that
// `?open=` names at once.
@customElement("hearth-entities")
export class Entities extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  @state() private kind: Kind = "all";
  @state() private opened = "";

  static override styles = [
    shared,
    formStyles,
    filters,
    css`
      hearth-lazy-block {
        --card-gap: 0;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  // The address may name an entity; what is there of the home may come later.
  override willUpdate(): void {
    const wanted = query().get("open") ?? "";
    if (!this.opened && (this.home.registry.has(wanted) || this.home.entities.has(wanted))) this.opened = wanted;
  }

  private close(): void {
    this.opened = "";
    if (query().has("open")) setQuery({ open: undefined }, "replace");
  }

  private fits(id: string, entity: RegisteredEntity | undefined): boolean {
    const reserved = isReserved(entity);
    if (reserved !== (this.kind === "reserved")) return false;
    switch (this.kind) {
      case "withoutArea":
        return !this.home.areaOf(id);
      case "hidden":
        return Boolean(entity?.hidden_by);
      case "disabled":
        return Boolean(entity?.disabled_by);
      case "all":
      case "reserved":
        return true;
    }
  }

  private found(): [string, string][] {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const found: [string, string][] = [];
    for (const id of new Set([...this.home.registry.keys(), ...this.home.entities.keys()])) {
      const entity = this.home.registry.get(id);
      if (!this.fits(id, entity)) continue;
      const name = this.home.nameOf(id);
      const text = `${name} ${id} ${this.home.areaOf(id)?.name ?? ""} ${entity?.platform ?? clients}`.toLowerCase();
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
          ${searchField(t("entities.search"), this.search, (search) => (this.search = search))}
          ${choiceField(
            "kind",
            t("entities.show"),
            kinds,
            this.kind,
            (kind) => t(`entities.show.${kind}`),
            (kind) => (this.kind = kind),
          )}
        </div>
        <p class="hint" role="status">${t("entities.count", { count: found.length })}</p>
        ${this.blocks(found.map(([id]) => id))}
      </div>
      ${this.opened
        ? html`<hearth-registered-entity-dialog
            .home=${this.home}
            .entityId=${this.opened}
            @closed=${() => this.close()}
          ></hearth-registered-entity-dialog>`
        : nothing}`;
  }

  private blocks(ids: string[]): TemplateResult {
    return html`<div @edit=${(event: CustomEvent<string>) => (this.opened = event.detail)}>
      ${longList(
        ids,
        (id) => id,
        (block) => block.map((id) => html`<hearth-entity-row .home=${this.home} .entityId=${id}></hearth-entity-row>`),
      )}
    </div>`;
  }
}
