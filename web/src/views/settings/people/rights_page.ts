// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { beginView } from "../../../api/session";
import type { User } from "../../../api/types";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { attempt, notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { endField, endOf } from "./end_field";
import { givenTo, type Given } from "./rights";
import { groups } from "./roles";
import "../../../elements/back_link";
import "../../../elements/loading";
import "./rights_choice";

// The things that one person sees and controls, and until when.
@customElement("hearth-user-rights")
export class UserRights extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() userId = "";
  @state() private user: User | undefined;
  @state() private given: Given | undefined;
  @state() private missing = false;
  @state() private failure: unknown;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      const users = await this.home.command<User[]>("config/auth/list");
      this.user = users.find(({ id }) => id === this.userId);
      this.missing = this.user === undefined;
      this.given = this.user && givenTo(this.user);
    } catch (error) {
      this.failure = error;
    }
  }

  private async save(values: Values): Promise<void> {
    const { given } = this;
    if (!given) return;
    const isAdministrator = given.role === "administrator";
    await this.home.command("config/auth/update", {
      user_id: this.userId,
      group_ids: [groups[given.role]],
      rights: given.rights,
      ends_at: isAdministrator ? null : endOf(values, this.home),
    });
    notifyDone(t("people.saved"));
    await this.load();
  }

  // In this tab, until it is ended or the token is over.
  private viewAs(user: User): Promise<unknown> {
    return attempt(async () => {
      const { access_token } = await this.home.command<{ access_token: string }>("config/auth/view_as", { user_id: user.id });
      beginView({ name: user.name, access_token });
      location.assign(`${base}/overview`);
    });
  }

  override render() {
    return html`<div class="stack">
      <hearth-back-link .href=${`${base}/settings/users`} .label=${t("settings.users")}></hearth-back-link>
      ${this.content()}
    </div>`;
  }

  private content() {
    const { user, given, form } = this;
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    if (this.missing) return html`<p class="card">${t("people.noUser")}</p>`;
    if (!user || !given) return html`<hearth-loading></hearth-loading>`;
    if (user.id === this.home.user.id) return html`<p class="card">${t("people.ownRights")}</p>`;
    return html`<section class="card stack">
      <div class="spread">
        <h2>${t("people.rightsOf", { name: user.name })}</h2>
        ${user.is_active
          ? html`<button type="button" @click=${() => void this.viewAs(user)}>${t("people.viewAs", { name: user.name })}</button>`
          : nothing}
      </div>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        <hearth-rights-choice
          .home=${this.home}
          .given=${given}
          @change-given=${({ detail }: CustomEvent<Given>) => (this.given = detail)}
        ></hearth-rights-choice>
        ${given.role === "administrator" ? nothing : endField(form, this.home, user.ends_at)}
        <p class="hint">${t("people.atOnce")}</p>
        ${form.failed()}
        <div class="end-buttons">${form.button(t("action.save"))}</div>
      </form>
    </section>`;
  }
}
