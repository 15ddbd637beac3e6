// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { isCommandError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { FieldProblems, FormController, formStyles, type Values } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";

// Makes a backup. Fires `created` or `closed`.
@customElement("hearth-backup-dialog")
export class BackupDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async create({ name = "", passphrase = "", confirm = "" }: Values): Promise<void> {
    if (passphrase !== confirm) throw new FieldProblems({ confirm: t("backups.passphraseMismatch") });
    try {
      await this.home.call("backup", "create", { ...(name.trim() && { name: name.trim() }), ...(passphrase && { passphrase }) });
    } catch (error) {
      if (!isCommandError(error) || !/^name: there is a backup/.test(error.message)) throw error;
      throw new FieldProblems({ name: t("backups.nameTaken") });
    }
    this.dispatchEvent(new CustomEvent("created"));
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form } = this;
    return html`<hearth-dialog .heading=${t("backups.create")} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.create(values))}>
        ${form.text({ name: "name", label: t("backups.name"), hint: t("backups.nameHint"), maxLength: 64 })}
        ${form.password({
          name: "passphrase",
          label: t("backups.passphrase"),
          hint: t("backups.passphraseHint"),
          autocomplete: "new-password",
        })}
        ${form.password({ name: "confirm", label: t("backups.confirmPassphrase"), autocomplete: "new-password" })} ${form.failed()}
        ${form.end(t("backups.create"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
