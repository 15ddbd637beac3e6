// SPDX-License-Identifier: Apache-2.0
import type { Auth } from "home-assistant-js-websocket";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import { acceptInvitation, lookAtInvitation, type ShownInvitation } from "../../api/session";
import { checkAccount, passwordHint, usernameFor } from "../../elements/account_rules";
import { FormController, formStyles, type Values } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { formatTime, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/front";
import "../../elements/loading";

// Whoever was invited chooses a name and a password. Fires `entered` with the session, or with nothing if they have to log in; `leave`
// and `log-out` where somebody is logged in already.
@customElement("hearth-invitation")
export class InvitationPage extends LitElement {
  // The part of the link behind its #.
  @property() invitation = "";
  // Of who is logged in on this device.
  @property() knownAs: string | undefined;
  @state() private shown: ShownInvitation | undefined;
  @state() private failure: unknown;
  @state() private username = "";
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      h1 {
        margin-bottom: 0.8rem;
        text-align: center;
      }

      .words {
        margin-bottom: 1.2rem;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if ((changes.has("knownAs") || changes.has("invitation")) && this.knownAs === undefined) void this.look();
  }

  private async look(): Promise<void> {
    this.failure = undefined;
    try {
      this.shown = await lookAtInvitation(this.invitation);
      this.username = usernameFor(this.shown.name);
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("#name")?.focus();
    } catch (error) {
      this.failure = error;
    }
  }

  private async accept(values: Values): Promise<void> {
    checkAccount(values);
    const { name = "", username = "", password = "" } = values;
    const session = await acceptInvitation({
      invitation: this.invitation,
      name: name.trim(),
      username: username.trim(),
      password,
    });
    this.dispatchEvent(new CustomEvent<Auth | undefined>("entered", { detail: session }));
    notifyDone(t(session ? "people.welcome" : "people.logInNow"));
  }

  override render() {
    return html`<hearth-front>
      <h1>${t("page.invitation")}</h1>
      ${this.content()}
    </hearth-front>`;
  }

  private content(): TemplateResult {
    if (this.knownAs !== undefined) return this.known(this.knownAs);
    if (this.failure !== undefined)
      return html`<p class="problem" role="alert">${errorText(this.failure)}</p>
        <p><a href=${`${base}/login`}>${t("people.toLogin")}</a></p>`;
    return this.shown ? this.question(this.shown) : html`<hearth-loading></hearth-loading>`;
  }

  private known(name: string): TemplateResult {
    return html`<p class="words">${t("people.loggedIn", { name })}</p>
      <div class="end-buttons">
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("log-out"))}>${t("people.logOutFirst")}</button>
        <button type="button" class="primary" @click=${() => this.dispatchEvent(new CustomEvent("leave"))}>${t("people.toHome")}</button>
      </div>`;
  }

  private question({ name, home, invited_by, ends_at }: ShownInvitation): TemplateResult {
    const { form } = this;
    const until = ends_at && formatTime(new Date(ends_at), browserZone(), { dateStyle: "full", timeStyle: "short" });
    return html`<div class="words">
        <p>${invited_by ? t("people.invitedBy", { name: invited_by, home }) : t("people.invitedTo", { home })}</p>
        ${until ? html`<p class="muted">${t("people.until", { time: until })}</p>` : nothing}
      </div>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.accept(values))}>
        ${form.failed()}
        ${form.text({
          name: "name",
          label: t("account.name"),
          value: name,
          required: true,
          maxLength: 64,
        })}
        ${form.text({
          name: "username",
          label: t("account.username"),
          hint: t("people.usernameHint"),
          value: this.username,
          autocomplete: "username",
          required: true,
        })}
        ${form.password({
          name: "password",
          label: t("account.password"),
          hint: passwordHint(),
          autocomplete: "new-password",
          required: true,
        })}
        ${form.password({ name: "confirm", label: t("account.confirmPassword"), autocomplete: "new-password", required: true })}
        ${form.button(t("people.accept"))}
      </form>`;
  }
}

// The home's is not known before the login.
function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
