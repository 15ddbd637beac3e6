// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { RestError } from "../../api/errors";
import { isFirstRun, needsFirstUserCode, restoreFirst } from "../../api/session";
import type { Backup } from "../../api/types";
import { upload, type Upload } from "../../api/upload";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { formatBytes, formatDateTime, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import "../../elements/loading";
import "../../elements/fields/upload_field";

const patience = 180_000;
const interval = 1_000;

// The first start from a backup: sends its file, restores it, and waits for the hub that comes back. Fires `back` if the user would
// rather make an account.
@customElement("hearth-from-backup")
export class FromBackup extends LitElement {
  @property({ type: Boolean }) needsCode = false;
  @state() private progress: number | undefined;
  @state() private problem = "";
  // The backups that the hub has, and has not restored yet.
  @state() private sent: Backup | undefined;
  @state() private restarting = false;
  private file: File | undefined;
  private running: Upload<Backup> | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      .end {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 0.6rem;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.cancel();
  }

  private async begin({ passphrase = "", code = "" }: Values): Promise<void> {
    this.problem = "";
    if (!this.sent) await this.send(code.trim());
    if (!this.sent) return;
    if (this.sent.encrypted && passphrase === "") throw new FieldProblems({ passphrase: t("welcome.passphraseNeeded") });
    await restoreFirst(passphrase, code.trim() || null, this.file?.name.slice(0, 200) ?? "").catch((error: unknown) => this.refused(error));
    this.restarting = true;
    await this.wait();
  }

  private async send(code: string): Promise<void> {
    if (!this.file) {
      this.problem = t("form.required");
      return;
    }
    this.progress = 0;
    this.running = upload<Backup>("/api/onboarding/backup", this.file, code ? { "X-First-User-Code": code } : {}, (share) => {
      this.progress = share;
    });
    try {
      this.sent = await this.running.done;
    } catch (error) {
      if (error instanceof RestError && error.status === 400)
        this.problem = t("backups.notABackup", { reason: hubMessage(error.message).replace(/^The file: /, "") });
      else if (error instanceof RestError && error.status === 413) this.problem = t("backups.tooLarge");
      else if (error instanceof RestError && error.status === 503) this.problem = hubMessage(error.message);
      else await this.refused(error);
    } finally {
      this.progress = undefined;
    }
  }

  private async refused(error: unknown): Promise<never> {
    if (error instanceof RestError && error.status === 403 && (await needsFirstUserCode())) {
      this.needsCode = true;
      await this.updateComplete;
      throw new FieldProblems({ code: t("welcome.codeWrong") });
    }
    if (error instanceof RestError && error.message.includes("passphrase is")) {
      throw new FieldProblems({ passphrase: t("backups.wrongPassphrase") });
    }
    throw error;
  }

  // Until the hub is there as the home of the backup, which has users to log in.
  private async wait(): Promise<void> {
    const until = Date.now() + patience;
    let gone = false;
    while (Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, interval));
      const first = await isFirstRun().catch(() => undefined);
      if (first === undefined) gone = true;
      else if (!first || gone) break;
    }
    location.assign("/");
  }

  private other(file: File): void {
    this.file = file;
    this.sent = undefined;
    this.problem = "";
  }

  override render() {
    if (this.restarting)
      return html`<p role="status">${t("welcome.restoring")}</p>
        <hearth-loading></hearth-loading>`;
    const { form, sent } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.begin(values))}>
      <hearth-upload-field
        .label=${t("backups.file")}
        accept=".zst,.enc"
        .problem=${this.problem}
        .progress=${this.progress}
        @chosen=${({ detail }: CustomEvent<File>) => this.other(detail)}
      ></hearth-upload-field>
      ${sent ? this.found(sent) : nothing}
      ${form.password({ name: "passphrase", label: t("backups.passphrase"), hint: t("welcome.passphraseHint") })}
      ${this.needsCode
        ? form.text({ name: "code", label: t("welcome.code"), hint: t("welcome.codeHint"), required: true, mono: true })
        : nothing}
      ${form.failed()}
      <div class="end">
        <button type="button" ?disabled=${form.busy} @click=${() => this.dispatchEvent(new CustomEvent("back"))}>
          ${t("welcome.back")}
        </button>
        ${form.button(t("backups.restore"))}
      </div>
    </form>`;
  }

  private found({ bytes, created, version }: Backup): TemplateResult {
    const time = formatDateTime(new Date(created), Intl.DateTimeFormat().resolvedOptions().timeZone);
    return html`<p class="notice" role="status">
      ${t("welcome.backupFound", { time, version: version ?? "?", size: formatBytes(bytes) })}
    </p>`;
  }
}
