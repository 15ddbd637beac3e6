// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { AuditPage, AuditRow } from "../../../api/types";
import { formatDateTime, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { stackedTables } from "../../../styles/tables";
import "../../../elements/action";
import "../../../elements/loading";

const atOnce = 50;

// Words of people for endpoints and commands that the hub records; others are shown by their own name.
const words = {
  "config/auth/create": "userCreated",
  "config/auth/update": "userChanged",
  "config/auth/delete": "userDeleted",
  "config/auth_provider/homeassistant/create": "loginSet",
  "config/auth_provider/homeassistant/admin_change_password": "passwordSet",
  "config/auth_provider/homeassistant/change_password": "passwordChanged",
  "config/auth/reset_mfa": "factorReset",
  "config/auth/invitations/create": "invitationMade",
  "config/auth/invitations/delete": "invitationTakenBack",
  "auth/setup_mfa": "factorSetUp",
  "auth/depose_mfa": "factorRemoved",
  "auth/recovery_codes": "recoveryCodes",
  "auth/passkeys/create": "passkeyAdded",
  "auth/passkeys/delete": "passkeyRemoved",
  "auth/update_current_user": "ownNameChanged",
  "auth/long_lived_access_token": "tokenCreated",
  "auth/delete_refresh_token": "tokenDeleted",
  "auth/delete_all_refresh_tokens": "tokensDeleted",
  "auth/login_attempts/clear": "attemptsCleared",
  "config/core/update": "homeChanged",
  "config/revisions/restore": "revisionRestored",
  "lovelace/config/save": "dashboardSaved",
  "lovelace/config/delete": "dashboardEmptied",
  "lovelace/dashboards/create": "dashboardCreated",
  "lovelace/dashboards/update": "dashboardChanged",
  "lovelace/dashboards/delete": "dashboardDeleted",
  "blueprint/import": "blueprintImported",
  "blueprint/save": "blueprintSaved",
  "blueprint/delete": "blueprintDeleted",
  "POST /api/config/automation/config/{id}": "automationSaved",
  "DELETE /api/config/automation/config/{id}": "automationDeleted",
  "POST /api/config/script/config/{id}": "scriptSaved",
  "DELETE /api/config/script/config/{id}": "scriptDeleted",
  "POST /api/config/scene/config/{id}": "sceneSaved",
  "DELETE /api/config/scene/config/{id}": "sceneDeleted",
  "POST /api/backups": "backupUploaded",
  "GET /api/backups/{name}": "backupDownloaded",
  "DELETE /api/backups/{name}": "backupDeleted",
} as const;
// The kinds of src/audit/kinds.h.
const kinds = [
  "login",
  "factor_set",
  "passkey_closed",
  "login_failed",
  "session_created",
  "session_ended",
  "new_address",
  "first_user",
  "invited",
  "denied",
  "service",
  "command_line",
  "log_cut",
  "log_gap",
] as const;

function isKind(what: string): what is (typeof kinds)[number] {
  return (kinds as readonly string[]).includes(what);
}

function wordsOf(what: string): string | undefined {
  if (isKind(what)) return t(`audit.kind.${what}`);
  return what in words ? t(`audit.what.${words[what as keyof typeof words]}`) : undefined;
}

// Changes and their authors: the hub's audit log, the latest first.
@customElement("hearth-audit-log")
export class AuditLog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private rows: AuditRow[] = [];
  @state() private page: AuditPage | undefined;
  @state() private failure: unknown;

  static override styles = [
    shared,
    stackedTables,
    css`
      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(before?: number): Promise<void> {
    try {
      const page = await this.home.command<AuditPage>("audit/list", { limit: atOnce, ...(before ? { before } : {}) });
      this.rows = before ? [...this.rows, ...page.rows] : page.rows;
      this.page = page;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  override render() {
    return html`<section class="card stack">
      <div class="spread">
        <h2>${t("audit.heading")}</h2>
        <hearth-action .label=${t("audit.again")} .run=${() => this.load()}></hearth-action>
      </div>
      <p class="muted">${t("audit.text")}</p>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.failure)}</p>`}
      ${this.page ? this.table(this.page) : this.failure === undefined ? html`<hearth-loading></hearth-loading>` : nothing}
    </section>`;
  }

  private table(page: AuditPage): TemplateResult {
    const last = this.rows.at(-1);
    const more = last !== undefined && page.rows.length === atOnce && last.number > 1;
    return html`<table role="table" aria-label=${t("audit.heading")}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${t("audit.column.time")}</th>
            <th scope="col" role="columnheader">${t("audit.column.user")}</th>
            <th scope="col" role="columnheader">${t("audit.column.what")}</th>
            <th scope="col" role="columnheader">${t("audit.column.address")}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${this.rows.map((row) => this.row(row))}
        </tbody>
      </table>
      ${more ? html`<hearth-action .label=${t("audit.older")} .run=${() => this.load(last.number)}></hearth-action>` : nothing}
      <p class="hint">${t("audit.head", { count: page.total })} <code>${page.head}</code></p>`;
  }

  private row(row: AuditRow): TemplateResult {
    const said = wordsOf(row.what);
    return html`<tr role="row">
      <td role="cell" data-label=${t("audit.column.time")}>${formatDateTime(new Date(row.time), this.home.configuration.time_zone)}</td>
      <td role="cell" data-label=${t("audit.column.user")}>${row.user ?? "–"}</td>
      <td role="cell" data-label=${t("audit.column.what")}>
        <div>
          ${said ?? html`<code>${row.what}</code>`}
          ${row.count > 1 ? html`<span class="badge">${t("audit.times", { count: row.count })}</span>` : nothing}
          ${row.subject ? html`<div class="hint"><code>${row.subject}</code></div>` : nothing}
        </div>
      </td>
      <td role="cell" data-label=${t("audit.column.address")}>${row.address ?? "–"}</td>
    </tr>`;
  }
}
