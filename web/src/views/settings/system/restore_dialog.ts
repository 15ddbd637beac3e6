// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { isCommandError, isLost } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Backup } from "../../../api/types";
import { FieldProblems, FormController, formStyles, type Values } from "../../../elements/form";
import { formatDateTime, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";

// Asks before the home goes back to a backup. Fires `begun` or `closed`.
@customElement("hearth-restore-dialog")
export class RestoreDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) backup!: Backup;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async restore({ passphrase }: Values): Promise<void> {
    try {
      await this.home.call("backup", "restore", { name: this.backup.name, ...(passphrase && { passphrase }) });
    } catch (error) {
      if (isCommandError(error) && error.message.includes("passphrase is wrong")) {
        throw new FieldProblems({ passphrase: t("backups.wrongPassphrase") });
      }
      if (!isLost(error)) throw error; // the hub has begun, and could not say so any more
    }
    this.dispatchEvent(new CustomEvent("begun"));
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form } = this;
    const { name, created, encrypted } = this.backup;
    const time = formatDateTime(new Date(created), this.home.configuration.time_zone);
    return html`<hearth-dialog .heading=${t("backups.restoreHeading", { name })} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.restore(values))}>
        <p>${t("backups.restoreText", { time })}</p>
        <p>${t("backups.restoreKept")}</p>
        ${encrypted ? form.password({ name: "passphrase", label: t("backups.passphrase"), required: true }) : nothing} ${form.failed()}
        ${form.end(t("backups.restore"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
