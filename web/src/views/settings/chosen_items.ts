// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { deleteItem, itemId, kindOf } from "../../api/automations";
import { setCategory, type Category } from "../../api/categories";
import { errorText } from "../../api/errors";
import { deleteHelper, type KnownHelper } from "../../api/helpers";
import type { Home } from "../../api/home";
import { confirm } from "../../elements/confirm";
import type { LabelField } from "../../elements/fields/label_field";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import "../../elements/action";
import "../../elements/dialog";
import "../../elements/fields/label_field";

// So many names stand in the question.
const mostNames = 10;

// Acts on many automations, scripts, scenes and helpers at a time. Fires `done` when they are not chosen any more.
@customElement("hearth-chosen-items")
export class ChosenItems extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) chosen: string[] = [];
  @property({ attribute: false }) categories: Category[] = [];
  @property({ attribute: false }) names: string[] = [];
  // By their entities.
  @property({ attribute: false }) helpers: ReadonlyMap<string, KnownHelper> = new Map();
  @state() private asks: "category" | "labels" | undefined;
  @state() private category = "";
  @state() private failure = "";

  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }

      strong {
        margin-inline-end: 0.5rem;
      }

      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1rem;
      }
    `,
  ];

  private get automations(): string[] {
    return this.chosen.filter((id) => kindOf(id) === "automation");
  }

  private async turn(service: "turn_on" | "turn_off"): Promise<void> {
    await this.home.call("automation", service, {}, { entity_id: this.automations });
  }

  private ask(what: "category" | "labels"): void {
    this.category = "";
    this.failure = "";
    this.asks = what;
  }

  private async erase(): Promise<void> {
    const known = this.chosen.flatMap((id) => {
      const [kind, own, helper] = [kindOf(id), itemId(this.home, id), this.helpers.get(id)];
      if (helper) return [{ id, erase: () => deleteHelper(this.home, helper) }];
      return kind && own !== undefined ? [{ id, erase: () => deleteItem(this.home, kind, own) }] : [];
    });
    const others = this.chosen.length - known.length;
    const names = known.slice(0, mostNames).map(({ id }) => this.home.nameOf(id));
    if (known.length > mostNames) names.push(t("chosen.more", { count: known.length - mostNames }));
    const yes = await confirm({
      heading: t("chosen.deleteHeading", { count: known.length }),
      text: [names.join(", "), t("editor.deleteText"), ...(others > 0 ? [t("chosen.without", { count: others })] : [])].join(" "),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    for (const one of known) await one.erase();
    notifyDone(t("chosen.deleted", { count: known.length }));
    this.dispatchEvent(new CustomEvent("done"));
  }

  private async save(): Promise<void> {
    try {
      if (this.asks === "category") await setCategory(this.home, this.categories, this.chosen, this.category);
      else await this.label();
    } catch (error) {
      this.failure = hubMessage(errorText(error));
      return;
    }
    notifyDone(t("action.saved"));
    this.asks = undefined;
  }

  // Existing ones stay.
  private async label(): Promise<void> {
    const added = await this.renderRoot.querySelector<LabelField>("hearth-label-field")?.finished();
    if (!added || added.length === 0) return;
    for (const entity_id of this.chosen) {
      const own = this.home.registry.get(entity_id)?.labels ?? [];
      const labels = [...new Set([...own, ...added])];
      if (labels.length > own.length) await this.home.command("config/entity_registry/update", { entity_id, labels });
    }
  }

  override render() {
    const isNone = this.chosen.length === 0;
    const noAutomation = this.automations.length === 0;
    return html`<strong role="status">${t("chosen.count", { count: this.chosen.length })}</strong>
      <hearth-action .label=${t("chosen.enable")} ?disabled=${noAutomation} .run=${() => this.turn("turn_on")}></hearth-action>
      <hearth-action .label=${t("chosen.disable")} ?disabled=${noAutomation} .run=${() => this.turn("turn_off")}></hearth-action>
      <button type="button" ?disabled=${isNone} @click=${() => this.ask("category")}>${t("chosen.category")}</button>
      <button type="button" ?disabled=${isNone} @click=${() => this.ask("labels")}>${t("chosen.labels")}</button>
      <hearth-action look="danger" .label=${t("action.delete")} ?disabled=${isNone} .run=${() => this.erase()}></hearth-action>
      ${this.asks ? this.dialog(this.asks) : nothing}`;
  }

  private dialog(asks: "category" | "labels") {
    return html`<hearth-dialog .heading=${t(`chosen.${asks}`)} @closed=${() => (this.asks = undefined)}>
      <div class="fields">
        ${asks === "labels"
          ? html`<p class="hint">${t("chosen.labelsHint")}</p>
              <hearth-label-field .home=${this.home}></hearth-label-field>`
          : html`<label
              >${t("categories.category")} <span class="hint">${t("categories.hint")}</span>
              <input
                list="names"
                maxlength="255"
                autocomplete="off"
                .value=${this.category}
                @input=${(event: Event) => (this.category = (event.target as HTMLInputElement).value)}
              />
              <datalist id="names">${this.names.map((name) => html`<option value=${name}></option>`)}</datalist>
            </label>`}
        ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
      </div>
      <button slot="actions" type="button" @click=${() => (this.asks = undefined)}>${t("action.cancel")}</button>
      <hearth-action slot="actions" look="primary" .label=${t("action.save")} .run=${() => this.save()}></hearth-action>
    </hearth-dialog>`;
  }
}
