// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { CountedAttempts, KeptAttempts, LoginAttempts as Attempts } from "../../../api/types";
import { confirm } from "../../../elements/confirm";
import { PollController } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatDateTime, formatDuration, formatRelative, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { stackedTables } from "../../../styles/tables";
import "../../../elements/action";
import "../../../elements/loading";

const shownAtFirst = 50;

// The people who are kept out for now, and failed logins.
@customElement("hearth-login-attempts")
export class LoginAttempts extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private attempts: Attempts[] | undefined;
  @state() private failure: unknown;
  @state() private all = false;

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

  private async lift({ kind, subject }: CountedAttempts): Promise<void> {
    if (await attempt(() => this.home.command("auth/login_attempts/clear", { kind, subject }))) notifyDone(t("security.lifted"));
    await this.load();
  }

  private async forgetAll(): Promise<void> {
    const yes = await confirm({
      heading: t("security.clearHeading"),
      text: t("security.clearText"),
      action: t("security.clear"),
      danger: true,
    });
    if (!yes) return;
    await attempt(() => this.home.command("auth/login_attempts/clear", { kind: "attempt" }));
    await this.load();
  }

  override render() {
    if (this.failure !== undefined && !this.attempts) {
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    }
    if (!this.attempts) return html`<hearth-loading></hearth-loading>`;
    const counted = this.attempts.filter((one): one is CountedAttempts => one.kind !== "attempt");
    const kept = this.attempts.filter((one): one is KeptAttempts => one.kind === "attempt");
    return html`<div class="stack">
      ${counted.length > 0
        ? html`<section class="card stack">
            <h2>${t("security.counted")}</h2>
            <p class="muted">${t("security.text")}</p>
            ${this.countedTable(counted)}
          </section>`
        : nothing}
      <section class="card stack">
        <div class="spread">
          <h2>${t("security.heading")}</h2>
          ${kept.length > 0
            ? html`<button type="button" class="danger" @click=${() => void this.forgetAll()}>${t("security.clear")}</button>`
            : nothing}
        </div>
        <p class="muted">${t("security.keptText")}</p>
        ${kept.length > 0 ? this.keptTable(kept) : html`<p>${t("security.none")}</p>`}
      </section>
    </div>`;
  }

  private countedTable(attempts: CountedAttempts[]): TemplateResult {
    return html`<table role="table" aria-label=${t("security.counted")}>
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
        ${attempts.map((one) => this.countedRow(one))}
      </tbody>
    </table>`;
  }

  private countedRow(one: CountedAttempts): TemplateResult {
    const left = one.banned_until ? (new Date(one.banned_until).getTime() - Date.now()) / 1000 : 0;
    return html`<tr role="row">
      <td role="cell" data-label=${t("security.column.subject")}>
        <div><strong>${one.subject}</strong> <span class="badge">${t(`security.kind.${one.kind}`)}</span></div>
      </td>
      <td role="cell" data-label=${t("security.column.failures")}>${one.failures}</td>
      ${this.lastCell(one.last_attempt)}
      <td role="cell" data-label=${t("security.column.banned")}>
        ${left > 0 ? t("security.bannedFor", { time: formatDuration(left) }) : t("security.notBanned")}
      </td>
      <td role="cell" class="actions">
        <hearth-action .label=${left > 0 ? t("security.lift") : t("security.forget")} .run=${() => this.lift(one)}></hearth-action>
      </td>
    </tr>`;
  }

  private lastCell(time: string): TemplateResult {
    const last = new Date(time);
    return html`<td role="cell" data-label=${t("security.column.last")}>
      <div>
        ${formatDateTime(last, this.home.configuration.time_zone)}
        <div class="hint">${formatRelative(last)}</div>
      </div>
    </td>`;
  }

  private keptTable(attempts: KeptAttempts[]): TemplateResult {
    const shown = this.all ? attempts : attempts.slice(0, shownAtFirst);
    return html`<table role="table" aria-label=${t("security.heading")}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${t("security.column.last")}</th>
            <th scope="col" role="columnheader">${t("security.column.account")}</th>
            <th scope="col" role="columnheader">${t("security.column.address")}</th>
            <th scope="col" role="columnheader">${t("security.column.purpose")}</th>
            <th scope="col" role="columnheader">${t("security.column.failures")}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${shown.map((one) => this.keptRow(one))}
        </tbody>
      </table>
      ${shown.length < attempts.length
        ? html`<button type="button" @click=${() => (this.all = true)}>${t("security.showAll", { count: attempts.length })}</button>`
        : nothing}`;
  }

  private keptRow(one: KeptAttempts): TemplateResult {
    return html`<tr role="row">
      ${this.lastCell(one.last_attempt)}
      <td role="cell" data-label=${t("security.column.account")}>${one.account ?? "–"}</td>
      <td role="cell" data-label=${t("security.column.address")}>${one.address}</td>
      <td role="cell" data-label=${t("security.column.purpose")}>${t(`security.purpose.${one.purpose}`)}</td>
      <td role="cell" data-label=${t("security.column.failures")}>${one.failures}</td>
    </tr>`;
  }
}
