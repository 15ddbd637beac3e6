// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { RefreshToken } from "../../api/types";
import { confirm } from "../../elements/confirm";
import { attempt, notifyDone } from "../../elements/notify";
import { formatDateTime, formatRelative, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { stackedTables } from "../../styles/tables";
import { clientOf } from "./client_name";

// Where the user is logged in. Fires `changed` when a session was ended, and `log-out` for this one.
@customElement("hearth-sessions")
export class Sessions extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) sessions: RefreshToken[] = [];

  static override styles = [shared, stackedTables];

  private async end(session: RefreshToken): Promise<void> {
    if (session.is_current) {
      this.dispatchEvent(new CustomEvent("log-out"));
      return;
    }
    const yes = await confirm({
      heading: t("profile.endHeading"),
      text: t("profile.endText", { client: this.client(session) }),
      action: t("profile.end"),
      danger: true,
    });
    if (!yes || !(await attempt(() => this.home.command("auth/delete_refresh_token", { refresh_token_id: session.id })))) return;
    notifyDone(t("profile.ended"));
    this.dispatchEvent(new CustomEvent("changed"));
  }

  private async endAll(): Promise<void> {
    const yes = await confirm({
      heading: t("profile.logOutEverywhere"),
      text: t("profile.logOutEverywhereText"),
      action: t("profile.logOutEverywhere"),
      danger: true,
    });
    if (!yes) return;
    const done = await attempt(() => this.home.command("auth/delete_all_refresh_tokens", { token_type: "normal" }));
    if (done) this.dispatchEvent(new CustomEvent("log-out"));
  }

  // "Firefox on Android", and the application that logged in; the pages' own address is not worth reading.
  private client(session: RefreshToken): string {
    const { program, system } = clientOf(session.user_agent ?? "");
    const known = program && system ? t("profile.programOn", { program, system }) : (program ?? system);
    const address = session.client_id ?? "";
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const own = url?.origin === location.origin;
    const application = own ? t("profile.thesePages") : (url?.host ?? (address || t("profile.unknownClient")));
    if (!known) return application;
    return own ? known : `${known}, ${application}`;
  }

  override render() {
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("profile.sessions")}</h2>
        <button type="button" class="danger" @click=${() => void this.endAll()}>${t("profile.logOutEverywhere")}</button>
      </div>
      <p class="muted">${t("profile.sessionsText")}</p>
      <table role="table" aria-label=${t("profile.sessions")}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${t("profile.column.client")}</th>
            <th scope="col" role="columnheader">${t("profile.column.address")}</th>
            <th scope="col" role="columnheader">${t("profile.column.since")}</th>
            <th scope="col" role="columnheader">${t("profile.column.used")}</th>
            <th scope="col" role="columnheader"><span class="visually-hidden">${t("profile.end")}</span></th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${[...this.sessions].sort(latestFirst).map((session) => this.row(session))}
        </tbody>
      </table>
    </div>`;
  }

  private row(session: RefreshToken): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const used = session.last_used_at ?? session.created_at;
    return html`<tr role="row">
      <td role="cell" data-label=${t("profile.column.client")}>
        <div title=${session.user_agent ?? nothing}>
          ${this.client(session)} ${session.is_current ? html`<span class="badge accent">${t("profile.thisSession")}</span>` : nothing}
        </div>
      </td>
      <td role="cell" data-label=${t("profile.column.address")}>${session.last_used_ip ?? "–"}</td>
      <td role="cell" data-label=${t("profile.column.since")}>${formatDateTime(new Date(session.created_at), zone)}</td>
      <td role="cell" data-label=${t("profile.column.used")} title=${formatDateTime(new Date(used), zone)}>
        ${formatRelative(new Date(used))}
      </td>
      <td role="cell" class="actions">
        <button type="button" @click=${() => void this.end(session)}>${t("profile.end")}</button>
      </td>
    </tr>`;
  }
}

function latestFirst(a: RefreshToken, b: RefreshToken): number {
  if (a.is_current !== b.is_current) return a.is_current ? -1 : 1;
  return (b.last_used_at ?? b.created_at).localeCompare(a.last_used_at ?? a.created_at);
}
