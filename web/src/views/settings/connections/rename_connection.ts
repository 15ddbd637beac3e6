// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { renameEntry, type ConfigEntry } from "../../../api/connections/entries";
import type { Home } from "../../../api/home";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";

// Another title for a connection. Fires `closed`.
@customElement("hearth-rename-connection")
export class RenameConnection extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entry!: ConfigEntry;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save({ title = "" }: Values): Promise<void> {
    if (title.trim() !== this.entry.title) await renameEntry(this.home, this.entry, title.trim());
    notifyDone(t("action.saved"));
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, entry } = this;
    return html`<hearth-dialog .heading=${t("connections.renameHeading", { name: entry.title })} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({ name: "title", label: t("areas.name"), value: entry.title, required: true, maxLength: 255 })} ${form.failed()}
        ${form.end(t("action.save"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
