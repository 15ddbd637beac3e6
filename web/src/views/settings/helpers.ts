// SPDX-License-Identifier: Apache-2.0
import { mdiDelete, mdiPencil, mdiPlus, mdiShapeOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";

import { deleteHelper, entitiesOf, HelpersController, isOf, type KnownHelper } from "../../api/helpers";
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { iconOf } from "../../cards/icons";
import { stateText } from "../../cards/state_text";
import { confirm } from "../../elements/confirm";
import { EntitiesController, HomeController } from "../../elements/controllers";
import { plain } from "../../elements/fields/finder";
import { attempt } from "../../elements/notify";
import { language, t } from "../../i18n/catalogue";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import { grouped } from "./item_filters";
import { kindName } from "./derived/derived_words";
import "../../elements/icon";

function has(search: string, ...texts: string[]): boolean {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return words.every((word) => plain(texts.join(" ")).includes(word));
}

// Things that people made for themselves: switches, numbers, choices and so on, and sensors made of others.
@customElement("hearth-helpers")
export class Helpers extends LitElement {
  @property({ attribute: false }) home!: Home;
  // The searched text; all are shown if it is empty.
  @property() search = "";
  // Of an entity: its category, the heading that it stands under, and if it is wanted at all; a helper may have no entity.
  @property({ attribute: false }) categoryOf = (_id: string): string => "";
  @property({ attribute: false }) groupOf = (_id: string): string => "";
  @property({ attribute: false }) isWanted = (_id: string): boolean => true;
  // The headings; undefined without groups.
  @property({ attribute: false }) withoutGroup: string | undefined;
  // While several are chosen: their entities. Fires `choose` with the one that was ticked.
  @property({ attribute: false }) chosen: ReadonlySet<string> | undefined;
  @state() private open: { known?: KnownHelper } | undefined;
  private readonly firsts = new Map<KnownHelper, string>();
  private readonly helpers = new HelpersController(this, () => this.home);

  static override styles = [
    shared,
    rows,
    css`
      h3 {
        font-size: 1rem;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({
      home: this.home,
      ids: [...this.all.flatMap((known) => entitiesOf(this.home, known).ids), ...this.ofFiles()],
    }));
  }

  private get all(): KnownHelper[] {
    return this.helpers.all ?? [];
  }

  // The sensors made of others that the files of the configuration have.
  private ofFiles(): string[] {
    const { derived } = this.helpers;
    const made = this.all.filter(({ kind }) => kind in derived);
    return [...this.home.registry.values()]
      .filter((entity) => entity.platform in derived && this.home.entity(entity.entity_id) && !made.some((known) => isOf(entity, known)))
      .map(({ entity_id }) => entity_id);
  }

  private show(open: { known?: KnownHelper }): void {
    void attempt(async () => {
      await import("./helper_dialog");
      this.open = open;
    });
  }

  private async erase({ kind, helper }: KnownHelper): Promise<void> {
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name: helper.name }),
      text: t("helpers.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes) await attempt(() => deleteHelper(this.home, { kind, helper }));
  }

  override willUpdate(): void {
    this.firsts.clear();
  }

  // Empty if it has no entity.
  private firstOf(known: KnownHelper): string {
    const first = this.firsts.get(known) ?? entitiesOf(this.home, known).ids[0] ?? "";
    this.firsts.set(known, first);
    return first;
  }

  // The shown helpers, by their entities.
  shown(search = this.search, isWanted = this.isWanted): Map<string, KnownHelper> {
    return new Map(this.found(search, isWanted).map((known) => [this.firstOf(known), known]));
  }

  private found(search: string, isWanted: (id: string) => boolean): KnownHelper[] {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    return this.all
      .filter((known) => has(search, known.helper.name, known.helper.id, kindName(known.kind)) && isWanted(this.firstOf(known)))
      .sort((a, b) => compare(a.helper.name, b.helper.name));
  }

  override render() {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const all = this.found(this.search, this.isWanted);
    const ofFiles = (this.helpers.all ? this.ofFiles() : [])
      .filter((id) => has(this.search, this.home.nameOf(id), id) && this.isWanted(id))
      .sort((a, b) => compare(this.home.nameOf(a), this.home.nameOf(b)));
    return html`<div class="stack">
        <div class="spread">
          <h2>${t("helpers.heading")}</h2>
          <button type="button" @click=${() => this.show({})}><hearth-icon .path=${mdiPlus}></hearth-icon>${t("helpers.add")}</button>
        </div>
        ${this.helpers.all && all.length === 0 && ofFiles.length === 0
          ? html`<p class="muted">${t(this.all.length > 0 ? "automations.noneFound" : "helpers.none")}</p>`
          : nothing}
        ${grouped(all, (known) => this.groupOf(this.firstOf(known)), compare).map(
          ([name, group]) =>
            html`${this.withoutGroup === undefined ? nothing : html`<h3>${name || this.withoutGroup}</h3>`}
              <ul>
                ${repeat(
                  group,
                  ({ kind, helper }) => `${kind}.${helper.id}`,
                  (known) => this.item(known),
                )}
              </ul>`,
        )}
        <ul>
          ${repeat(
            ofFiles,
            (id) => id,
            (id) => this.itemOfFile(id),
          )}
        </ul>
      </div>
      ${this.open
        ? html`<hearth-helper-dialog
            .home=${this.home}
            .known=${this.open.known}
            .derived=${this.helpers.derived}
            @closed=${() => (this.open = undefined)}
          ></hearth-helper-dialog>`
        : nothing}`;
  }

  private item(known: KnownHelper): TemplateResult {
    const { ids, isItself } = entitiesOf(this.home, known);
    const entities = ids.flatMap((id) => this.home.entity(id) ?? []);
    const [entity] = entities;
    const name = isItself && ids[0] ? this.home.nameOf(ids[0]) : known.helper.name;
    const icon = entity ? iconOf(this.home, entity) : { path: mdiShapeOutline, name: known.helper.icon ?? "" };
    const edit = t("areas.editNamed", { name });
    const erase = t("areas.deleteNamed", { name });
    const link = ({ entity_id: id }: Entity) => html`<a href="?entity=${id}">${this.home.nameOf(id)}</a>`;
    const category = entity && this.categoryOf(entity.entity_id);
    return html`<li>
      ${this.chosen && entity
        ? html`<input
            type="checkbox"
            aria-label=${t("automations.choose.named", { name })}
            .checked=${live(this.chosen.has(entity.entity_id))}
            @change=${() => this.dispatchEvent(new CustomEvent("choose", { detail: entity.entity_id }))}
          />`
        : nothing}
      <hearth-icon .path=${icon.path} .name=${icon.name}></hearth-icon>
      <div>
        ${entity && isItself ? html`<a href="?entity=${entity.entity_id}">${name}</a>` : html`<strong>${name}</strong>`}
        <div class="hint">
          ${kindName(known.kind)}${entities.map(
            (each) => html` · ${isItself ? nothing : html`${link(each)} `}${stateText(this.home, each)}`,
          )}${category ? html` · ${category}` : nothing}
        </div>
      </div>
      <div class="row">
        <button type="button" class="plain round" aria-label=${edit} title=${edit} @click=${() => this.show({ known })}>
          <hearth-icon .path=${mdiPencil}></hearth-icon>
        </button>
        <button type="button" class="plain round" aria-label=${erase} title=${erase} @click=${() => void this.erase(known)}>
          <hearth-icon .path=${mdiDelete}></hearth-icon>
        </button>
      </div>
    </li>`;
  }

  private itemOfFile(id: string): TemplateResult | typeof nothing {
    const entity = this.home.entity(id);
    if (!entity) return nothing;
    const icon = iconOf(this.home, entity);
    return html`<li>
      <hearth-icon .path=${icon.path} .name=${icon.name}></hearth-icon>
      <div>
        <a href="?entity=${id}">${this.home.nameOf(id)}</a>
        <div class="hint">
          ${kindName(this.home.registry.get(id)?.platform ?? "")} · ${stateText(this.home, entity)} · ${t("derived.ofFile")}
        </div>
      </div>
    </li>`;
  }
}
