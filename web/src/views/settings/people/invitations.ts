// SPDX-License-Identifier: Apache-2.0
import { mdiEmailPlusOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Invitation } from "../../../api/types";
import { confirm } from "../../../elements/confirm";
import { PollController } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatMinute, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { startOf } from "./rights";
import { roleOf } from "./roles";
import "../../../elements/icon";

// The people who were invited, and whether they came.
@customElement("hearth-invitations")
export class Invitations extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private invitations: Invitation[] = [];
  @state() private failure: unknown;

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

      li > div {
        min-width: 0;
      }
    `,
  ];

  constructor() {
    super();
    new PollController(this, 5000, () => this.load());
  }

  private async load(): Promise<void> {
    try {
      this.invitations = await this.home.command<Invitation[]>("config/auth/invitations/list");
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  private async takeBack({ invitation_id, name, used_at }: Invitation): Promise<void> {
    const open = used_at === null;
    const yes =
      !open ||
      (await confirm({
        heading: t("people.takeBackHeading", { name }),
        text: t("people.takeBackText"),
        action: t("people.takeBack"),
        danger: true,
      }));
    if (!yes) return;
    if (await attempt(() => this.home.command("config/auth/invitations/delete", { invitation_id })))
      notifyDone(t(open ? "people.takenBack" : "action.saved"));
    await this.load();
  }

  override render() {
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("people.invitations")}</h2>
        <a class="button" href=${`${base}/settings/users/invite`}
          ><hearth-icon .path=${mdiEmailPlusOutline}></hearth-icon>${t("people.invite")}</a
        >
      </div>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.failure)}</p>`}
      ${this.invitations.length > 0
        ? html`<ul>
            ${this.invitations.map((each) => this.row(each))}
          </ul>`
        : html`<p class="muted">${t("people.noInvitations")}</p>`}
    </div>`;
  }

  private said({ used_at, used_by, expires_at }: Invitation): string {
    const time = (text: string) => formatMinute(new Date(text), this.home.configuration.time_zone);
    if (used_at) return t("people.used", { time: time(used_at), name: used_by ?? "" });
    return t(Date.parse(expires_at) <= Date.now() ? "people.over" : "people.openUntil", { time: time(expires_at) });
  }

  private row(each: Invitation): TemplateResult {
    const { name, used_at, expires_at, rights, ends_at } = each;
    const isOpen = used_at === null && Date.parse(expires_at) > Date.now();
    const start = startOf({ role: roleOf(each), rights });
    return html`<li class="card">
      <div>
        <h3>${name}</h3>
        <p class="muted">${this.said(each)}</p>
        <div class="row">
          <span class="badge ${start === "administrator" ? "accent" : ""}">${t(`people.badge.${start}`)}</span>
          ${ends_at
            ? html`<span class="badge"
                >${t("people.endsOn", { time: formatMinute(new Date(ends_at), this.home.configuration.time_zone) })}</span
              >`
            : nothing}
        </div>
      </div>
      <button
        type="button"
        class=${isOpen ? "danger" : ""}
        aria-label=${t(isOpen ? "people.takeBackNamed" : "people.forgetNamed", { name })}
        @click=${() => void this.takeBack(each)}
      >
        ${t(isOpen ? "people.takeBack" : "people.forget")}
      </button>
    </li>`;
  }
}
