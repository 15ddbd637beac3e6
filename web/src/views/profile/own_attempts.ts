// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { OwnAttempts as Own, OwnAttempt } from "../../api/types";
import { formatDateTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

const most = 20;

// The failed logins as the user since their last login, if there are any.
@customElement("hearth-own-attempts")
export class OwnAttempts extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private own: Own | undefined;

  static override styles = [shared];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.own = await this.home.command<Own>("auth/login_attempts/own").catch(() => undefined);
    this.hidden = (this.own?.attempts.length ?? 0) === 0;
  }

  override render() {
    const { attempts, since } = this.own ?? { attempts: [], since: null };
    if (attempts.length === 0) return nothing;
    const count = attempts.reduce((sum, one) => sum + one.failures, 0);
    const zone = this.home.configuration.time_zone;
    return html`<div class="stack">
      <h2>${t("profile.attempts", { count })}</h2>
      <p>${since ? t("profile.attemptsSince", { time: formatDateTime(new Date(since), zone) }) : t("profile.attemptsEver")}</p>
      <ul>
        ${attempts.slice(0, most).map((one) => html`<li>${this.line(one)}</li>`)}
      </ul>
      <p class="muted">${t("profile.attemptsHint")}</p>
    </div>`;
  }

  private line({ address, failures, last_attempt, purpose }: OwnAttempt): string {
    const time = formatDateTime(new Date(last_attempt), this.home.configuration.time_zone);
    const times = failures > 1 ? [t("log.times", { count: failures })] : [];
    return [time, address, t(`security.purpose.${purpose}`), ...times].join(" · ");
  }
}
