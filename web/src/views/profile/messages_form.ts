// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { canBeTold, choose, forgetBrowser, readChoice, sendTest, tellThisBrowser, type MessageChoice } from "../../api/people/messages";
import { FormController, formStyles } from "../../elements/form";
import { attempt, notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { clientOf } from "./client_name";
import "../../elements/action";

const grades = ["none", "danger", "all"] as const;
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

// The messages to this person's phones and browsers, in force as soon as it is chosen.
@customElement("hearth-messages-form")
export class MessagesForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private choice: MessageChoice | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      .quiet {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 1rem;
      }
    `,
  ];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    await attempt(async () => {
      this.choice = await readChoice(this.home);
    });
  }

  private async change(changes: Partial<MessageChoice>): Promise<void> {
    if (!this.choice) return;
    const next = { ...this.choice, ...changes };
    if (await attempt(() => choose(this.home, next))) notifyDone(t("action.saved"));
    await this.load();
  }

  private quiet(from: string, to: string): Promise<void> {
    const none = from === "" || to === "";
    return this.change({ quiet_from: none ? null : from, quiet_to: none ? null : to });
  }

  private async subscribe(): Promise<void> {
    const { program, system } = clientOf(navigator.userAgent);
    const name = [program, system].filter(Boolean).join(", ") || t("messages.browser");
    if (await tellThisBrowser(this.home, name)) await this.load();
    else throw new Error(t("messages.notAllowed"));
  }

  override render() {
    const choice = this.choice;
    if (!choice) return nothing;
    const times = (value: string): [string, string][] => [
      ["", t("messages.never")],
      ...[...new Set([...hours, value])]
        .filter(Boolean)
        .sort()
        .map((time): [string, string] => [time, time]),
    ];
    return html`<div class="stack">
      <h2>${t("messages.title")}</h2>
      <p class="muted">${t("messages.text")}</p>
      ${this.form.select({
        name: "alerts",
        label: t("messages.alerts"),
        value: choice.alerts,
        options: grades.map((grade) => [grade, t(`messages.alerts.${grade}`)]),
        changed: (value) => void this.change({ alerts: value as MessageChoice["alerts"] }),
      })}
      ${this.home.user.is_admin
        ? this.form.checkbox({
            name: "logins",
            label: t("messages.logins"),
            checked: choice.logins,
            changed: (logins) => void this.change({ logins }),
          })
        : nothing}
      <div class="quiet">
        ${this.form.select({
          name: "quiet-from",
          label: t("messages.quietFrom"),
          value: choice.quiet_from ?? "",
          options: times(choice.quiet_from ?? ""),
          changed: (from) => void this.quiet(from, choice.quiet_to ?? "07:00"),
        })}
        ${this.form.select({
          name: "quiet-to",
          label: t("messages.quietTo"),
          value: choice.quiet_to ?? "",
          options: times(choice.quiet_to ?? ""),
          changed: (to) => void this.quiet(choice.quiet_from ?? "22:00", to),
        })}
      </div>
      <p class="hint">${t("messages.quietHint")}</p>
      ${this.devices(choice)}
    </div>`;
  }

  private devices({ apps, browsers }: MessageChoice): TemplateResult {
    const test = () => sendTest(this.home, t("messages.test")).then(() => notifyDone(t("messages.sent")));
    return html`${apps.map(({ name, app_name }) => html`<p>${name} <span class="muted">${app_name}</span></p>`)}
      ${browsers.map(
        ({ browser_id, name }) =>
          html`<div class="spread">
            <span>${name}</span>
            <hearth-action
              look="plain"
              .label=${t("messages.remove")}
              .name=${`${t("messages.remove")}: ${name}`}
              .run=${() => forgetBrowser(this.home, browser_id).then(() => this.load())}
            ></hearth-action>
          </div>`,
      )}
      <div class="row">
        ${canBeTold()
          ? html`<hearth-action .label=${t("messages.tellHere")} .run=${() => this.subscribe()}></hearth-action>`
          : html`<p class="hint">${t("messages.needsHttps")}</p>`}
        <hearth-action .label=${t("messages.sendTest")} .run=${test}></hearth-action>
      </div>`;
  }
}
