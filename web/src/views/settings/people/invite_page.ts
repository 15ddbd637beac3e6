// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { NewInvitation } from "../../../api/types";
import { checkAccount } from "../../../elements/account_rules";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { formatMinute, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { endField, endOf } from "./end_field";
import { linkTo } from "./invitation_link";
import { starts, type Given } from "./rights";
import { groups } from "./roles";
import "../../../elements/back_link";
import "../../../elements/copy";
import "../../../elements/qr_code";
import "./rights_choice";

// Invites somebody: makes a link and its QR code, which are shown only here.
@customElement("hearth-invite")
export class Invite extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private given: Given = starts.guest;
  @state() private made: NewInvitation | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      hearth-qr-code {
        width: 100%;
        max-width: 15rem;
      }

      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#name")?.focus();
  }

  private async invite(values: Values): Promise<void> {
    const { given } = this;
    checkAccount({ name: values.name ?? "" });
    this.made = await this.home.command<NewInvitation>("config/auth/invitations/create", {
      name: (values.name ?? "").trim(),
      group_ids: [groups[given.role]],
      rights: given.rights,
      ends_at: given.role === "administrator" ? null : endOf(values, this.home),
    });
    await this.updateComplete;
    this.renderRoot.querySelector("h2")?.focus();
  }

  override render() {
    return html`<div class="stack">
      <hearth-back-link .href=${`${base}/settings/users`} .label=${t("settings.users")}></hearth-back-link>
      <section class="card stack">${this.made ? this.link(this.made) : this.question()}</section>
    </div>`;
  }

  private question(): TemplateResult {
    const { form, given } = this;
    return html`<h2>${t("people.invite")}</h2>
      <p class="muted">${t("people.inviteText")}</p>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.invite(values))}>
        ${form.text({ name: "name", label: t("people.inviteName"), hint: t("people.inviteNameHint"), required: true, maxLength: 64 })}
        <hearth-rights-choice
          .home=${this.home}
          .given=${given}
          .offered=${["guest", "child", "family", "panel", "administrator"]}
          @change-given=${({ detail }: CustomEvent<Given>) => (this.given = detail)}
        ></hearth-rights-choice>
        ${given.role === "administrator" ? nothing : endField(form, this.home, null)} ${form.failed()}
        <div class="end-buttons">${form.button(t("people.makeInvitation"))}</div>
      </form>`;
  }

  private link(made: NewInvitation): TemplateResult {
    const link = linkTo(made.invitation, this.home.configuration, location.origin, base);
    return html`<h2 tabindex="-1">${t("people.invitationFor", { name: made.name })}</h2>
      <p>${t("people.scan", { name: made.name, until: formatMinute(new Date(made.expires_at), this.home.configuration.time_zone) })}</p>
      <hearth-qr-code .text=${link} .label=${t("people.qr", { name: made.name })}></hearth-qr-code>
      <p><code>${link}</code></p>
      <div class="row">
        <hearth-copy .text=${() => link} .what=${t("people.link")}></hearth-copy>
      </div>
      <p class="hint">${t("people.shownOnce")}</p>`;
  }
}
