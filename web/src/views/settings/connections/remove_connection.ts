// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { devicesOf, entitiesOf, removeEntry, usersOf, type ConfigEntry } from "../../../api/connections/entries";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { notifyDone } from "../../../elements/notify";
import { language, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "../../../elements/dialog";

// Says what goes with a connection, and removes it. Fires `closed`, and `removed` before.
@customElement("hearth-remove-connection")
export class RemoveConnection extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entry!: ConfigEntry;
  // The automations and scripts that name some of it; undefined while the hub is asked.
  @state() private users: string[] | undefined;
  @state() private failure = "";

  static override styles = [
    shared,
    css`
      ul {
        margin: 0;
        padding-inline-start: 1.2rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    queueMicrotask(() => void this.load()); // the properties are set then
  }

  // Unknown facts are not said: the connection can be removed all the same.
  private async load(): Promise<void> {
    this.users = await usersOf(this.home, devicesOf(this.home, this.entry, language())).catch(() => []);
  }

  private async removeIt(): Promise<void> {
    this.failure = "";
    try {
      await removeEntry(this.home, this.entry);
    } catch (error) {
      this.failure = errorText(error);
      return;
    }
    notifyDone(t("removal.done", { name: this.entry.title }));
    this.dispatchEvent(new CustomEvent("removed"));
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    return html`<hearth-dialog .heading=${t("removal.heading", { name: this.entry.title })} @closed=${() => this.leave()}>
      ${this.content()}
      <button slot="actions" type="button" @click=${() => this.leave()}>${t("action.cancel")}</button>
      <hearth-action
        slot="actions"
        look="primary danger"
        .label=${t("connections.remove")}
        ?disabled=${!this.users}
        .run=${() => this.removeIt()}
      ></hearth-action>
    </hearth-dialog>`;
  }

  private content(): TemplateResult {
    const { home, entry, users = [] } = this;
    const counts = [devicesOf(home, entry, language()).length, entitiesOf(home, entry).length] as const;
    const [devices, entities] = [t("removal.devices", { count: counts[0] }), t("removal.entities", { count: counts[1] })];
    return html`<div class="stack">
      <p>${counts[0] + counts[1] > 0 ? t("removal.goes", { devices, entities }) : nothing} ${t("connections.removeKeys")}</p>
      <div role="status">
        ${users.length > 0
          ? html`<p>${t("removal.namedBy", { count: users.length })}</p>
              <ul>
                ${users.map((id) => html`<li><a href="${base}/settings/automations/${encodeURIComponent(id)}">${home.nameOf(id)}</a></li>`)}
              </ul>`
          : nothing}
      </div>
      <p class="hint">${t("removal.history")}</p>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
    </div>`;
  }
}
