// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { LoginAttempts as Attempts } from "../../api/types";
import { PollController } from "../../elements/controllers";
import { attempt, notifyDone } from "../../elements/notify";
import { formatDateTime, formatDuration, formatRelative, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { stackedTables } from "../../styles/tables";
import "../../elements/action";
import "../../elements/loading";

// Who has failed to log in lately, and who is kept out for it.
@customElement("hearth-login-attempts")
export class LoginAttempts extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private attempts: Attempts[] | undefined;
  @state() private failure: unknown;

  static override styles = [shared, stackedTables];

  constructor() {
    super();
    new PollController(this, 5000, () => this.load());
  }

  private async load(): Promise<void> {
    try {
      this.attempts = await this.home.command<Attempts[]>("auth/login_attempts/list");
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  private async lift({ kind, subject }: Attempts): Promise<void> {
    if (await attempt(() => this.home.command("auth/login_attempts/clear", { kind, subject }))) notifyDone(t("security.lifted"));
    await this.load();
  }

  override render() {
    if (this.failure !== undefined && !this.attempts) {
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    }
    if (!this.attempts) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="card stack">
      <h2>${t("settings.security")}</h2>
      <p class="muted">${t("security.text")}</p>
      ${this.attempts.length > 0 ? this.table(this.attempts) : html`<p>${t("security.none")}</p>`}
    </div>`;
  }

  private table(attempts: Attempts[]): TemplateResult {
    return html`<table role="table" aria-label=${t("settings.security")}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">${t("security.column.subject")}</th>
          <th scope="col" role="columnheader">${t("security.column.failures")}</th>
          <th scope="col" role="columnheader">${t("security.column.last")}</th>
          <th scope="col" role="columnheader">${t("security.column.banned")}</th>
          <th scope="col" role="columnheader"><span class="visually-hidden">${t("security.lift")}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${attempts.map((one) => this.row(one))}
      </tbody>
    </table>`;
  }

  private row(one: Attempts): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const left = one.banned_until ? (new Date(one.banned_until).getTime() - Date.now()) / 1000 : 0;
    return html`<tr role="row">
      <td role="cell" data-label=${t("security.column.subject")}>
        <div><strong>${one.subject}</strong> <span class="badge">${t(`security.kind.${one.kind}`)}</span></div>
      </td>
      <td role="cell" data-label=${t("security.column.failures")}>${one.failures}</td>
      <td role="cell" data-label=${t("security.column.last")} title=${formatDateTime(new Date(one.last_attempt), zone)}>
        ${formatRelative(new Date(one.last_attempt))}
      </td>
      <td role="cell" data-label=${t("security.column.banned")}>
        ${left > 0 ? t("security.bannedFor", { time: formatDuration(left) }) : t("security.notBanned")}
      </td>
      <td role="cell" class="actions">
        <hearth-action .label=${left > 0 ? t("security.lift") : t("security.forget")} .run=${() => this.lift(one)}></hearth-action>
      </td>
    </tr>`;
  }
}
