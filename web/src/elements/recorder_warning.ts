// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home, Unsubscribe } from "../api/home";
import type { RecorderInfo } from "../api/types";
import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";

type Health = Pick<RecorderInfo, "recording" | "last_error">;

// Says that the hub cannot write history, as long as it cannot. For administrators: others do not hear of it.
@customElement("hearth-recorder-warning")
export class RecorderWarning extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private health: Health | undefined;
  private stops: Unsubscribe[] = [];

  static override styles = [
    shared,
    css`
      div {
        padding: 0.7rem 1rem;
        border-bottom: 1px solid var(--danger);
        background: var(--danger-soft);
        font-weight: 550;
        text-align: center;
        overflow-wrap: anywhere;
      }

      a {
        color: inherit;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const { home } = this;
    this.stops = [home.on("connection", () => home.connectionState === "connected" && void this.ask())];
    void this.listen();
    void this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    this.stops = [];
  }

  private async listen(): Promise<void> {
    const { stops } = this;
    const stop = await this.home.connection
      .subscribeEvents<{ data: Health }>(({ data }) => (this.health = data), "recorder_health")
      .catch(() => undefined);
    if (!stop) return;
    if (stops === this.stops) stops.push(() => void stop().catch(() => undefined));
    else await stop().catch(() => undefined);
  }

  private async ask(): Promise<void> {
    const health = await this.home.command<RecorderInfo>("recorder/info").catch(() => undefined);
    if (health) this.health = health;
  }

  override render() {
    if (!this.health || this.health.recording) return nothing;
    return html`<div role="alert">
      ${t("recorder.failing", { reason: this.health.last_error ?? "" })} <a href="/settings/system">${t("settings.system")}</a>
    </div>`;
  }
}
