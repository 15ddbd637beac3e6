// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { takeNames, type Difference } from "../../../api/connections/bridges";
import type { Home } from "../../../api/home";
import { notifyDone } from "../../../elements/notify";
import { maybeT, t } from "../../../i18n/catalogue";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { readable } from "./words";
import "../../../elements/action";
import "../../../elements/dialog";

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return t("bridge.nothing");
  if (Array.isArray(value)) return value.length === 0 ? t("bridge.nothing") : value.map(String).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
};

// The names and areas that are others there than here, before they are taken. Fires `closed`.
@customElement("hearth-bridge-differences")
export class BridgeDifferences extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) instance = "";
  @property({ attribute: false }) differences: Difference[] = [];
  // Ids that stay as they are.
  @state() private kept = new Set<string>();

  static override styles = [
    shared,
    lined,
    css`
      label {
        display: flex;
        gap: 0.6rem;
        align-items: baseline;
      }

      small {
        display: block;
        color: var(--text-2);
      }
    `,
  ];

  private get byId(): Map<string, Difference[]> {
    const all = new Map<string, Difference[]>();
    for (const one of this.differences) all.set(one.id, [...(all.get(one.id) ?? []), one]);
    return all;
  }

  private keep(id: string, kept: boolean): void {
    const all = new Set(this.kept);
    if (kept) all.add(id);
    else all.delete(id);
    this.kept = all;
  }

  private async take(): Promise<void> {
    const ids = [...this.byId.keys()].filter((id) => !this.kept.has(id));
    const { changed } = await takeNames(this.home, this.instance, ids);
    notifyDone(t("bridge.taken", { count: changed }));
    this.close();
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  private nameOf(id: string): string {
    return id.includes(".") ? this.home.nameOf(id) : (this.home.devices.get(id)?.name_by_user ?? this.home.devices.get(id)?.name ?? id);
  }

  override render() {
    return html`<hearth-dialog .heading=${t("bridge.differences")} @closed=${() => this.close()}>
      <p>${t("bridge.differencesHint")}</p>
      <ul>
        ${[...this.byId].map(
          ([id, differences]) =>
            html`<li>
              <label>
                <input
                  type="checkbox"
                  .checked=${!this.kept.has(id)}
                  @change=${(event: Event) => this.keep(id, !(event.target as HTMLInputElement).checked)}
                />
                <span>
                  ${this.nameOf(id)}
                  ${differences.map(
                    ({ field, here, there }) =>
                      html`<small>${maybeT(`bridge.field.${field}`) ?? readable(field)}: ${shown(here)} → ${shown(there)}</small>`,
                  )}
                </span>
              </label>
            </li>`,
        )}
      </ul>
      <button slot="actions" type="button" @click=${() => this.close()}>${t("action.cancel")}</button>
      <hearth-action
        slot="actions"
        look="primary"
        .label=${t("bridge.take")}
        .disabled=${this.kept.size === this.byId.size}
        .run=${() => this.take()}
      ></hearth-action>
    </hearth-dialog>`;
  }
}
