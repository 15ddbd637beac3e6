// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { checkAccount } from "../../elements/account_rules";
import { FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

// Days; the longest that the hub knows is as good as for ever.
const tenYears = "3650";
const longest = 1_000_000;

// Fires `created` with the text of a new long-lived token, and `cancelled`.
@customElement("hearth-token-form")
export class TokenForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private lifetime = tenYears;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        padding: 1rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#name")?.focus();
  }

  private async create(values: Values): Promise<void> {
    checkAccount({ name: values.name ?? "" });
    const text = await this.home.command<string>("auth/long_lived_access_token", {
      client_name: (values.name ?? "").trim(),
      lifespan: Number(values.days ?? values.lifetime),
    });
    this.dispatchEvent(new CustomEvent("created", { detail: text }));
  }

  override render() {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.create(values))}>
      <div class="pair">
        ${form.text({ name: "name", label: t("profile.tokenName"), hint: t("profile.tokenNameHint"), required: true, maxLength: 64 })}
        ${form.select({
          name: "lifetime",
          label: t("profile.lifetime"),
          value: this.lifetime,
          options: [
            ["30", t("profile.lifetime.month")],
            ["365", t("profile.lifetime.year")],
            [tenYears, t("profile.lifetime.tenYears")],
            [String(longest), t("profile.lifetime.never")],
            ["", t("profile.lifetime.own")],
          ],
          changed: (value) => (this.lifetime = value),
        })}
        ${this.lifetime === ""
          ? form.text({
              name: "days",
              label: t("profile.days"),
              type: "number",
              step: "1",
              min: 1,
              max: longest,
              value: "90",
              required: true,
            })
          : nothing}
      </div>
      ${form.failed()} ${form.end(t("profile.create"), () => this.dispatchEvent(new CustomEvent("cancelled")))}
    </form>`;
  }
}
