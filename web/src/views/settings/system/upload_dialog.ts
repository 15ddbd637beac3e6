// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { RestError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Backup } from "../../../api/types";
import { upload, type Upload } from "../../../api/upload";
import { FormController, formStyles } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";
import "../../../elements/fields/upload_field";

// Sends a backup's file to the hub. Fires `uploaded` with the Backup, or `closed`.
@customElement("hearth-upload-dialog")
export class UploadDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private progress: number | undefined;
  @state() private problem = "";
  private file: File | undefined;
  private running: Upload<Backup> | undefined;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.cancel();
  }

  private async send(): Promise<void> {
    this.problem = this.file ? "" : t("form.required");
    if (!this.file) return;
    const { auth } = this.home;
    if (auth.expired) await auth.refreshAccessToken();
    this.progress = 0;
    this.running = upload<Backup>(
      `/api/backups?name=${encodeURIComponent(nameOf(this.file))}`,
      this.file,
      { Authorization: `Bearer ${auth.accessToken}` },
      (share) => (this.progress = share),
    );
    try {
      this.dispatchEvent(new CustomEvent<Backup>("uploaded", { detail: await this.running.done }));
    } catch (error) {
      this.problem = problemOf(error);
      if (!this.problem) throw error;
    } finally {
      this.progress = undefined;
    }
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form } = this;
    return html`<hearth-dialog .heading=${t("backups.upload")} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, () => this.send())}>
        <p>${t("backups.uploadText")}</p>
        <hearth-upload-field
          .label=${t("backups.file")}
          accept=".zst,.enc"
          .problem=${this.problem}
          .progress=${this.progress}
          @chosen=${({ detail }: CustomEvent<File>) => (this.file = detail)}
        ></hearth-upload-field>
        ${form.failed()} ${form.end(t("backups.uploadAction"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}

// As the backup was called where it comes from.
function nameOf(file: File): string {
  return file.name.replace(/\.tar\.zst(\.enc)?$/i, "").slice(0, 64);
}

// The error of the file, as far as the hub has said it; empty for anything else.
function problemOf(error: unknown): string {
  if (!(error instanceof RestError)) return "";
  if (error.status === 413) return t("backups.tooLarge");
  if (error.status === 503) return hubMessage(error.message);
  if (error.status !== 400) return "";
  if (error.message.startsWith("name: there is")) return t("backups.nameTaken");
  return t("backups.notABackup", { reason: hubMessage(error.message).replace(/^The file: /, "") });
}
