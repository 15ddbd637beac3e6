// SPDX-License-Identifier: Apache-2.0
import { mdiKeyPlus } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isCommandError } from "../../api/errors";
import type { Home } from "../../api/home";
import { browserHasPasskeys, makePasskey, type PasskeyOptions } from "../../api/people/passkeys";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { formatRelative, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/icon";
import "../../elements/loading";

interface Passkey {
  passkey_id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  closed: boolean;
}

// The user's own passkeys. One is added, or removed, after the password.
@customElement("hearth-passkeys")
export class Passkeys extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private passkeys: Passkey[] | undefined;
  @state() private failure: unknown;
  @state() private change: "add" | Passkey | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      ul {
        display: grid;
        gap: 0.6rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.4rem 1rem;
      }

      form {
        padding: 1rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
      }
    `,
  ];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.passkeys = await this.home.command<Passkey[]>("auth/passkeys/list");
    } catch (error) {
      this.failure = error;
    }
  }

  private async open(change: "add" | Passkey | undefined): Promise<void> {
    this.form.clear();
    this.change = change;
    if (!change) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("input")?.focus();
  }

  private async ask<T>(type: string, fields: Record<string, unknown>): Promise<T> {
    try {
      return await this.home.command<T>(type, fields);
    } catch (error) {
      if (!isCommandError(error) || error.code !== "invalid_current_password") throw error;
      throw new FieldProblems({ current: t("profile.wrongPassword") });
    }
  }

  private async add({ name = "", current = "" }: Values): Promise<void> {
    const options = await this.ask<PasskeyOptions>("auth/passkeys/options", { origin: location.origin, current_password: current });
    let made;
    try {
      made = await makePasskey(options);
    } catch {
      throw new Error(t("passkeys.notMade"));
    }
    await this.home.command("auth/passkeys/create", { name: name.trim(), ...made });
    notifyDone(t("passkeys.added"));
    await this.done();
  }

  private async delete({ passkey_id }: Passkey, { current = "" }: Values): Promise<void> {
    await this.ask("auth/passkeys/delete", { passkey_id, current_password: current });
    notifyDone(t("passkeys.removed"));
    await this.done();
  }

  private async done(): Promise<void> {
    await this.open(undefined);
    await this.load();
  }

  override render() {
    return html`<div class="stack">
      <h2>${t("passkeys.heading")}</h2>
      ${this.failure !== undefined
        ? html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`
        : this.passkeys
          ? this.body(this.passkeys)
          : html`<hearth-loading></hearth-loading>`}
    </div>`;
  }

  private body(passkeys: Passkey[]): TemplateResult {
    const able = browserHasPasskeys();
    return html`<p class="muted">${t(able ? "passkeys.text" : "passkeys.notHere")}</p>
      ${passkeys.length > 0
        ? html`<ul>
            ${passkeys.map((passkey) => this.row(passkey))}
          </ul>`
        : nothing}
      ${this.change === "add" ? this.addForm() : nothing}
      ${!this.change && able
        ? html`<div>
            <button type="button" @click=${() => void this.open("add")}>
              <hearth-icon .path=${mdiKeyPlus}></hearth-icon>${t("passkeys.add")}
            </button>
          </div>`
        : nothing}`;
  }

  private row(passkey: Passkey): TemplateResult {
    const { name, last_used_at, closed } = passkey;
    if (this.change === passkey) {
      return html`<li>${this.removeForm(passkey)}</li>`;
    }
    return html`<li>
      <div>
        <strong>${name}</strong>
        <p class="muted">
          ${closed
            ? t("passkeys.closed")
            : last_used_at
              ? t("passkeys.used", { when: formatRelative(new Date(last_used_at)) })
              : t("passkeys.unused")}
        </p>
      </div>
      <button type="button" class="danger" aria-label=${t("passkeys.removeNamed", { name })} @click=${() => void this.open(passkey)}>
        ${t("factor.remove")}
      </button>
    </li>`;
  }

  private addForm(): TemplateResult {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.add(values))}>
      ${form.text({ name: "name", label: t("passkeys.name"), hint: t("passkeys.nameHint"), required: true, maxLength: 64 })}
      ${form.password({ name: "current", label: t("profile.currentPassword"), autocomplete: "current-password", required: true })}
      ${form.failed()} ${form.end(t("factor.goOn"), () => void this.open(undefined))}
    </form>`;
  }

  private removeForm(passkey: Passkey): TemplateResult {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.delete(passkey, values))}>
      <p>${t("passkeys.removeNamed", { name: passkey.name })}</p>
      ${form.password({ name: "current", label: t("profile.currentPassword"), autocomplete: "current-password", required: true })}
      ${form.failed()} ${form.end(t("factor.remove"), () => void this.open(undefined), "danger")}
    </form>`;
  }
}
