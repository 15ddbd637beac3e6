// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home, Unsubscribe } from "../api/home";
import type { RecorderInfo } from "../api/types";
import { t } from "../i18n/catalogue";
import { base } from "../router";
import { shared } from "../styles/shared";

type Health = Pick<RecorderInfo, "recording" | "last_error">;

// A warning while the hub cannot write history. For administrators only: others are not told.
@customElement("hearth-recorder-warning")
export class RecorderWarning extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private health: Health | undefined;
  private listening: Promise<(() => Promise<void>) | undefined> | undefined;
  private stopWatching: Unsubscribe | undefined;

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
    this.stopWatching = home.on("connection", () => home.connectionState === "connected" && this.begin());
    this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
    void this.listening?.then((stop) => stop?.()).catch(() => undefined);
    this.listening = undefined;
  }

  // The subscription survives a lost connection, unless the connection was lost while subscribing.
  private begin(): void {
    this.listening ??= this.home.connection
      .subscribeEvents<{ data: Health }>(({ data }) => (this.health = data), "recorder_health")
      .catch(() => (this.listening = undefined));
    void this.home.command<RecorderInfo>("recorder/info").then(
      (info) => (this.health = info),
      () => undefined, // asked again when the connection is back
    );
  }

  override render() {
    if (!this.health || this.health.recording) return nothing;
    return html`<div role="alert">
      ${t("recorder.failing", { reason: this.health.last_error ?? "" })} <a href="${base}/settings/system">${t("settings.system")}</a>
    </div>`;
  }
}
