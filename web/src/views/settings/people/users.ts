// SPDX-License-Identifier: Apache-2.0
import { mdiAccountPlus } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { beginView } from "../../../api/session";
import type { User } from "../../../api/types";
import { confirm } from "../../../elements/confirm";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatMinute, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import "../../../elements/icon";
import "../../../elements/loading";
import { roleOf } from "./roles";
import "./user_dialog";
import "./user_password_dialog";

type Open = { kind: "add" } | { kind: "edit" | "password"; user: User };

// The people who may use the home. An action that would lock oneself out is not offered; that the last administrator stays is the hub's care.
@customElement("hearth-users")
export class Users extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private users: User[] | undefined;
  @state() private failure: unknown;
  @state() private open: Open | undefined;

  static override styles = [
    shared,
    css`
      ul {
        display: grid;
        gap: 0.7rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li.card {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.8rem 1.5rem;
      }

      .who {
        flex: 1 1 16rem;
        min-width: 0;
      }

      .off h3 {
        color: var(--text-2);
      }
    `,
  ];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.users = await this.home.command<User[]>("config/auth/list");
    } catch (error) {
      this.failure = error;
    }
  }

  private async change(action: () => Promise<unknown>): Promise<void> {
    if (await attempt(action)) notifyDone(t("action.saved"));
    await this.load();
  }

  private async setActive(user: User, is_active: boolean): Promise<void> {
    if (!is_active) {
      const yes = await confirm({
        heading: t("users.deactivateHeading", { name: user.name }),
        text: t("users.deactivateText"),
        action: t("users.deactivate"),
        danger: true,
      });
      if (!yes) return;
    }
    await this.change(() => this.home.command("config/auth/update", { user_id: user.id, is_active }));
  }

  private async resetFactor(user: User): Promise<void> {
    const yes = await confirm({
      heading: t("users.resetFactorHeading", { name: user.name }),
      text: t("users.resetFactorText"),
      action: t("users.resetFactor"),
      danger: true,
    });
    if (yes) await this.change(() => this.home.command("config/auth/reset_mfa", { user_id: user.id }));
  }

  private async delete(user: User): Promise<void> {
    const yes = await confirm({
      heading: t("users.deleteHeading", { name: user.name }),
      text: t("users.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes) await this.change(() => this.home.command("config/auth/delete", { user_id: user.id }));
  }

  // In this tab, until it is ended or the token is over.
  private viewAs(user: User): Promise<unknown> {
    return attempt(async () => {
      const { access_token } = await this.home.command<{ access_token: string }>("config/auth/view_as", { user_id: user.id });
      beginView({ name: user.name, access_token });
      location.assign(`${base}/overview`);
    });
  }

  private close(saved: boolean): void {
    this.open = undefined;
    if (!saved) return;
    notifyDone(t("action.saved"));
    void this.load();
  }

  override render() {
    if (this.failure !== undefined) {
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    }
    if (!this.users) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="stack">
        <div class="spread">
          <h2>${t("settings.users")}</h2>
          <button type="button" class="primary" @click=${() => (this.open = { kind: "add" })}>
            <hearth-icon .path=${mdiAccountPlus}></hearth-icon>${t("users.add")}
          </button>
        </div>
        <ul>
          ${this.users.map((user) => this.row(user))}
        </ul>
      </div>
      ${this.dialog()}`;
  }

  private row(user: User): TemplateResult {
    const self = user.id === this.home.user.id;
    const { name } = user;
    const button = (label: string, named: string, run: () => void, look = "") =>
      html`<button type="button" class=${look} aria-label=${named} @click=${run}>${label}</button>`;
    return html`<li class="card ${user.is_active ? "" : "off"}">
      <div class="who">
        <h3>${name}</h3>
        <p class="muted">${user.username}</p>
        <div class="row">
          <span class="badge ${roleOf(user) === "administrator" ? "accent" : ""}">${t(`users.role.${roleOf(user)}`)}</span>
          ${user.is_owner ? html`<span class="badge">${t("users.owner")}</span>` : nothing}
          ${user.rights ? html`<span class="badge">${t("users.limited")}</span>` : nothing}
          ${user.is_active ? nothing : html`<span class="badge">${t("users.inactive")}</span>`}
          ${user.ends_at
            ? html`<span class="badge"
                >${t(Date.parse(user.ends_at) > Date.now() ? "users.endsOn" : "users.endedOn", {
                  time: formatMinute(new Date(user.ends_at), this.home.configuration.time_zone),
                })}</span
              >`
            : nothing}
          ${self ? html`<span class="badge">${t("users.you")}</span>` : nothing}
          ${user.has_second_factor ? html`<span class="badge">${t("factor.heading")}</span>` : nothing}
        </div>
      </div>
      <div class="row">
        ${button(t("action.edit"), t("users.editNamed", { name }), () => (this.open = { kind: "edit", user }))}
        ${self
          ? nothing
          : html`<a class="button" href=${`${base}/settings/users/${user.id}`} aria-label=${t("users.rightsNamed", { name })}
              >${t("users.rights")}</a
            >`}
        ${button(t("users.setPassword"), t("users.setPasswordNamed", { name }), () => (this.open = { kind: "password", user }))}
        ${user.has_second_factor && !self
          ? button(t("users.resetFactor"), t("users.resetFactorNamed", { name }), () => void this.resetFactor(user))
          : nothing}
        ${self
          ? nothing
          : html`${user.is_active ? button(t("users.viewAs"), t("users.viewAsNamed", { name }), () => void this.viewAs(user)) : nothing}
            ${user.is_active
              ? button(t("users.deactivate"), t("users.deactivateNamed", { name }), () => void this.setActive(user, false))
              : button(t("users.activate"), t("users.activateNamed", { name }), () => void this.setActive(user, true))}
            ${button(t("action.delete"), t("users.deleteNamed", { name }), () => void this.delete(user), "danger")}`}
      </div>
    </li>`;
  }

  private dialog(): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const closed = () => this.close(false);
    const saved = () => this.close(true);
    if (this.open.kind === "password") {
      return html`<hearth-user-password-dialog
        .home=${this.home}
        .user=${this.open.user}
        @closed=${closed}
        @saved=${saved}
      ></hearth-user-password-dialog>`;
    }
    const user = this.open.kind === "edit" ? this.open.user : undefined;
    return html`<hearth-user-dialog .home=${this.home} .user=${user} @closed=${closed} @saved=${saved}></hearth-user-dialog>`;
  }
}
