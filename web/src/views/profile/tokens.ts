// SPDX-License-Identifier: Apache-2.0
import { mdiKeyPlus } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import type { RefreshToken } from "../../api/types";
import { confirm } from "../../elements/confirm";
import { copyText } from "../../elements/copy_text";
import { formStyles } from "../../elements/form";
import { attempt, notifyDone } from "../../elements/notify";
import { formatDateTime, formatList, formatRelative, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { stackedTables } from "../../styles/tables";
import "../../elements/icon";
import { namesOf } from "./token_form";

// A token that expires later than this, in milliseconds from now, does not to a person.
const forEver = 900 * 365 * 86_400_000;

// The long-lived tokens of the user. Fires `changed` when there is one more or less.
@customElement("hearth-tokens")
export class Tokens extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) tokens: RefreshToken[] = [];
  @state() private creating = false;
  private labels = new LabelsController(this, () => this.home);
  // The text of the new one, which the hub does not know any more.
  @state() private text = "";

  static override styles = [
    shared,
    formStyles,
    stackedTables,
    css`
      .created {
        display: grid;
        gap: 0.7rem;
        padding: 1rem;
        border: 1px solid var(--active-border);
        border-radius: var(--radius-small);
        background: var(--active);
      }

      .copy {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem;
      }

      .copy input {
        flex: 1 1 16rem;
        width: auto;
      }
    `,
  ];

  private async show(text: string): Promise<void> {
    this.creating = false;
    this.text = text;
    this.dispatchEvent(new CustomEvent("changed"));
    await this.updateComplete;
    this.field()?.select();
  }

  private field(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>("#text");
  }

  private async copy(): Promise<void> {
    if (await attempt(() => copyText(this.text, this.renderRoot))) notifyDone(t("action.copied"));
    this.field()?.select(); // to be seen, or to be copied by hand
  }

  private async revoke(token: RefreshToken): Promise<void> {
    const yes = await confirm({
      heading: t("profile.revokeHeading", { name: token.client_name ?? "" }),
      text: t("profile.revokeText"),
      action: t("profile.revoke"),
      danger: true,
    });
    if (!yes || !(await attempt(() => this.home.command("auth/delete_refresh_token", { refresh_token_id: token.id })))) return;
    notifyDone(t("profile.revoked"));
    this.dispatchEvent(new CustomEvent("changed"));
  }

  override render() {
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("profile.tokens")}</h2>
        ${this.creating
          ? nothing
          : html`<button type="button" @click=${() => (this.creating = true)}>
              <hearth-icon .path=${mdiKeyPlus}></hearth-icon>${t("profile.createToken")}
            </button>`}
      </div>
      <p class="muted">${t("profile.tokensText")}</p>
      ${this.creating
        ? html`<hearth-token-form
            .home=${this.home}
            @created=${(event: CustomEvent<string>) => void this.show(event.detail)}
            @cancelled=${() => (this.creating = false)}
          ></hearth-token-form>`
        : nothing}
      ${this.text ? this.created() : nothing} ${this.tokens.length > 0 ? this.table() : html`<p>${t("profile.noTokens")}</p>`}
    </div>`;
  }

  private created(): TemplateResult {
    return html`<div class="created" role="status">
      <label for="text">${t("profile.accessToken")}</label>
      <div class="copy">
        <input id="text" class="mono" readonly .value=${this.text} aria-describedby="once" @focus=${() => this.field()?.select()} />
        <button type="button" class="primary" @click=${() => void this.copy()}>${t("action.copy")}</button>
        <button type="button" @click=${() => (this.text = "")}>${t("profile.tokenKept")}</button>
      </div>
      <p id="once">${t("profile.tokenOnce")}</p>
    </div>`;
  }

  private time(text: string | null): string {
    return text ? formatDateTime(new Date(text), this.home.configuration.time_zone) : "";
  }

  private expiry({ expire_at }: RefreshToken): TemplateResult | string {
    const left = expire_at ? new Date(expire_at).getTime() - Date.now() : Infinity;
    if (left <= 0) return html`<span class="badge">${t("profile.expired")}</span>`;
    return left > forEver ? t("profile.neverExpires") : this.time(expire_at);
  }

  private permitted({ scopes, rights }: RefreshToken): string {
    const what = scopes ? formatList(scopes.map((scope) => t(`profile.scope.${scope}`))) : t("profile.scopes.all");
    return rights ? `${what} · ${formatList(namesOf(rights.read, this.home, (id) => this.labels.named(id).name))}` : what;
  }

  private table(): TemplateResult {
    return html`<table role="table" aria-label=${t("profile.tokens")}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">${t("profile.column.name")}</th>
          <th scope="col" role="columnheader">${t("profile.column.created")}</th>
          <th scope="col" role="columnheader">${t("profile.column.used")}</th>
          <th scope="col" role="columnheader">${t("profile.column.address")}</th>
          <th scope="col" role="columnheader">${t("profile.column.expires")}</th>
          <th scope="col" role="columnheader"><span class="visually-hidden">${t("profile.revoke")}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${this.tokens.map((token) => this.row(token))}
      </tbody>
    </table>`;
  }

  private row(token: RefreshToken): TemplateResult {
    const name = token.client_name ?? "";
    return html`<tr role="row">
      <td role="cell" data-label=${t("profile.column.name")}>
        <div>
          <strong>${name}</strong> ${token.is_current ? html`<span class="badge accent">${t("profile.thisSession")}</span>` : nothing}
          <p class="muted">${this.permitted(token)}</p>
        </div>
      </td>
      <td role="cell" data-label=${t("profile.column.created")}>${this.time(token.created_at)}</td>
      <td role="cell" data-label=${t("profile.column.used")} title=${this.time(token.last_used_at)}>
        ${token.last_used_at ? formatRelative(new Date(token.last_used_at)) : t("profile.neverUsed")}
      </td>
      <td role="cell" data-label=${t("profile.column.address")}>${token.last_used_ip ?? "–"}</td>
      <td role="cell" data-label=${t("profile.column.expires")}>${this.expiry(token)}</td>
      <td role="cell" class="actions">
        <button type="button" class="danger" aria-label=${t("profile.revokeNamed", { name })} @click=${() => void this.revoke(token)}>
          ${t("profile.revoke")}
        </button>
      </td>
    </tr>`;
  }
}
