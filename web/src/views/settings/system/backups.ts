// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Backup } from "../../../api/types";
import { confirm } from "../../../elements/confirm";
import { PollController } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatBytes, formatDateTime, formatRelative, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { stackedTables } from "../../../styles/tables";
import "../../../elements/action";
import "../../../elements/loading";
import "./backup_dialog";
import "./last_restore";
import "./restore_dialog";
import "./upload_dialog";

const interval = 15_000;

// The backups that the hub keeps: made, fetched, deleted, and gone back to.
@customElement("hearth-backups")
export class Backups extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private backups: Backup[] | undefined;
  @state() private failure: unknown;
  @state() private creating = false;
  @state() private uploading = false;
  @state() private restoring: Backup | undefined;

  static override styles = [shared, stackedTables];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  private async load(): Promise<void> {
    try {
      const backups = await this.home.rest<Backup[]>("GET", "/api/backups");
      this.backups = backups.sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  // A backup may be larger than what a page can hold: the browser itself fetches it.
  private async download({ name }: Backup): Promise<void> {
    const { path } = await this.home.command<{ path: string }>("auth/sign_path", { path: pathOf(name), expires: 60 });
    const link = document.createElement("a");
    link.href = path;
    link.download = ""; // as the hub names the file
    link.click();
  }

  private async erase({ name }: Backup): Promise<void> {
    const yes = await confirm({
      heading: t("backups.deleteHeading", { name }),
      text: t("backups.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    if (await attempt(() => this.home.rest("DELETE", pathOf(name)))) notifyDone(t("backups.deleted"));
    await this.load();
  }

  private created(): void {
    this.creating = false;
    notifyDone(t("backups.created"));
    void this.load();
  }

  private uploaded(): void {
    this.uploading = false;
    notifyDone(t("backups.uploaded"));
    void this.load();
  }

  private begun(): void {
    this.restoring = undefined;
    notifyDone(t("backups.restoreBegun"));
  }

  override render() {
    if (this.failure !== undefined && !this.backups) {
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    }
    if (!this.backups) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="card stack">
        <div class="spread">
          <h2>${t("settings.backups")}</h2>
          <div class="row">
            <button type="button" @click=${() => (this.uploading = true)}>${t("backups.upload")}</button>
            <button type="button" class="primary" @click=${() => (this.creating = true)}>${t("backups.create")}</button>
          </div>
        </div>
        <p class="muted">${t("backups.text")}</p>
        <hearth-last-restore .home=${this.home}></hearth-last-restore>
        ${this.backups.length > 0 ? this.table(this.backups) : html`<p>${t("backups.none")}</p>`}
      </div>
      ${this.creating
        ? html`<hearth-backup-dialog
            .home=${this.home}
            @created=${() => this.created()}
            @closed=${() => (this.creating = false)}
          ></hearth-backup-dialog>`
        : nothing}
      ${this.uploading
        ? html`<hearth-upload-dialog
            .home=${this.home}
            @uploaded=${() => this.uploaded()}
            @closed=${() => (this.uploading = false)}
          ></hearth-upload-dialog>`
        : nothing}
      ${this.restoring
        ? html`<hearth-restore-dialog
            .home=${this.home}
            .backup=${this.restoring}
            @begun=${() => this.begun()}
            @closed=${() => (this.restoring = undefined)}
          ></hearth-restore-dialog>`
        : nothing}`;
  }

  private table(backups: Backup[]): TemplateResult {
    return html`<table role="table" aria-label=${t("settings.backups")}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">${t("backups.column.name")}</th>
          <th scope="col" role="columnheader">${t("backups.column.created")}</th>
          <th scope="col" role="columnheader">${t("backups.column.size")}</th>
          <th scope="col" role="columnheader"><span class="visually-hidden">${t("backups.column.actions")}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${backups.map((backup) => this.row(backup))}
      </tbody>
    </table>`;
  }

  private row(backup: Backup): TemplateResult {
    const { name, bytes, created, encrypted, version } = backup;
    const time = new Date(created);
    return html`<tr role="row">
      <td role="cell" data-label=${t("backups.column.name")}>
        <div>
          <strong>${name}</strong> ${encrypted ? html`<span class="badge">${t("backups.encrypted")}</span>` : nothing}
          <div class="hint">${version ? t("backups.version", { version }) : t("backups.damaged")}</div>
        </div>
      </td>
      <td role="cell" data-label=${t("backups.column.created")}>
        <div>
          ${formatDateTime(time, this.home.configuration.time_zone)}
          <div class="hint">${formatRelative(time)}</div>
        </div>
      </td>
      <td role="cell" data-label=${t("backups.column.size")}>${formatBytes(bytes)}</td>
      <td role="cell" class="actions">
        <div class="row">
          <hearth-action
            .label=${t("backups.download")}
            .name=${t("backups.downloadNamed", { name })}
            .run=${() => this.download(backup)}
          ></hearth-action>
          <button type="button" aria-label=${t("backups.restoreNamed", { name })} @click=${() => (this.restoring = backup)}>
            ${t("backups.restore")}
          </button>
          <button type="button" class="danger" aria-label=${t("backups.deleteNamed", { name })} @click=${() => void this.erase(backup)}>
            ${t("action.delete")}
          </button>
        </div>
      </td>
    </tr>`;
  }
}

function pathOf(name: string): string {
  return `/api/backups/${encodeURIComponent(name)}`;
}
