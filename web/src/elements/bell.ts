// SPDX-License-Identifier: Apache-2.0
import { mdiBell } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { deviceName, newDevices } from "../api/devices";
import type { Home } from "../api/home";
import type { Device, Notification } from "../api/types";
import { formatRelative, t } from "../i18n/catalogue";
import { base } from "../router";
import { shared } from "../styles/shared";
import { HomeController } from "./controllers";
import "./dialog";
import "./icon";
import { attempt } from "./notify";

type Stop = (() => Promise<void>) | undefined;

// Of what pages keep for the home: until when somebody has seen what devices there are, in seconds since 1970.
const seenKey = "hearth_devices_seen";
// As many new devices are named.
const mostNamed = 5;

interface Told {
  type: "current" | "added" | "updated" | "removed";
  notifications: Record<string, Notification>;
}

// Messages of the home, behind a bell that is there as long as there is something.
@customElement("hearth-bell")
export class Bell extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private notifications: Notification[] = [];
  @state() private opened = false;
  // Undefined until it is known, and for those who may not give devices a room.
  @state() private seen: number | undefined;
  private listening: Promise<Stop>[] | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: contents;
      }

      .bell {
        display: flex;
        align-items: center;
        justify-content: flex-start;
        gap: 0.8rem;
        min-height: 2.9rem;
        padding: 0.4rem 0.8rem;
        border-radius: var(--radius-small);
        font-weight: 550;
      }

      .bell span {
        position: relative;
        display: inline-flex;
      }

      .bell b {
        position: absolute;
        inset: -0.35rem -0.5rem auto auto;
        min-width: 1.15rem;
        padding: 0 0.25rem;
        border-radius: 999px;
        background: var(--danger);
        color: var(--surface);
        font-size: 0.72rem;
        line-height: 1.15rem;
        text-align: center;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        padding: 0.7rem 0;
        border-bottom: 1px solid var(--border);
        overflow-wrap: anywhere;
      }

      .text {
        white-space: pre-wrap;
      }

      .put {
        margin-top: 0.4rem;
      }

      @media (max-width: 52rem) {
        .bell {
          flex: 1 1 auto;
          flex-direction: column;
          justify-content: center;
          gap: 0.1rem;
          min-width: 0;
          padding: 0.3rem 0.1rem;
          font-size: 0.7rem;
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The subscriptions survive a lost connection.
    const listen = <T>(hear: (told: T) => void, question: { type: string; key?: string }): Promise<Stop> =>
      this.home.connection.subscribeMessage<T>(hear, question).catch(() => undefined);
    this.listening ??= [
      listen<Told>((told) => this.hear(told), { type: "persistent_notification/subscribe" }),
      ...(this.home.user.is_admin
        ? [
            listen<{ value: unknown }>(({ value }) => (this.seen = Number(value) || 0), {
              type: "frontend/subscribe_system_data",
              key: seenKey,
            }),
          ]
        : []),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const listening of this.listening ?? []) void listening.then((stop) => stop?.()).catch(() => undefined);
    this.listening = undefined;
  }

  private get devices(): Device[] {
    return this.seen === undefined ? [] : newDevices(this.home, this.seen);
  }

  private hear({ type, notifications }: Told): void {
    const kept = type === "current" ? [] : this.notifications.filter(({ notification_id }) => !(notification_id in notifications));
    const heard = type === "removed" ? [] : Object.values(notifications);
    this.notifications = [...kept, ...heard].sort((one, other) => other.created_at.localeCompare(one.created_at));
  }

  override willUpdate(): void {
    if (this.notifications.length === 0 && this.devices.length === 0) this.opened = false;
  }

  // The devices are known now, whether they have a room or not.
  private dismissDevices(): void {
    const [newest] = this.devices;
    if (newest) void attempt(() => this.home.command("frontend/set_system_data", { key: seenKey, value: newest.created_at }));
  }

  private dismissAll(): void {
    if (this.notifications.length > 0) this.call("dismiss_all");
    this.dismissDevices();
  }

  private call(service: string, data: object = {}): void {
    void attempt(() => this.home.call("persistent_notification", service, data));
  }

  override render() {
    const count = this.notifications.length + (this.devices.length > 0 ? 1 : 0);
    if (count === 0) return nothing;
    return html`<button type="button" class="bell plain" @click=${() => (this.opened = true)}>
        <span><hearth-icon .path=${mdiBell}></hearth-icon><b aria-hidden="true">${count}</b></span>
        ${t("bell.label")}<span class="visually-hidden">${t("bell.count", { count })}</span>
      </button>
      ${this.opened ? this.list() : nothing}`;
  }

  private list(): TemplateResult {
    const mayDismiss = !this.home.user.is_read_only;
    return html`<hearth-dialog .heading=${t("bell.label")} @closed=${() => (this.opened = false)}>
      <ul>
        ${this.newDevices(this.devices)} ${this.notifications.map((one) => this.item(one, mayDismiss))}
      </ul>
      ${mayDismiss
        ? html`<button slot="actions" type="button" @click=${() => this.dismissAll()}>${t("bell.dismissAll")}</button>`
        : nothing}
    </hearth-dialog>`;
  }

  // One for all of them, however many they are.
  private newDevices(devices: Device[]): TemplateResult | typeof nothing {
    const [newest] = devices;
    if (!newest) return nothing;
    const title = t("bell.newDevices", { count: devices.length });
    const left = devices.length - mostNamed;
    const came = new Date(newest.created_at * 1000);
    return html`<li>
      <div class="spread">
        <strong>${title}</strong>
        <button type="button" aria-label=${t("bell.dismissNamed", { name: title })} @click=${() => this.dismissDevices()}>
          ${t("bell.dismiss")}
        </button>
      </div>
      <p>${devices.slice(0, mostNamed).map(deviceName).join(", ")} ${left > 0 ? t("items.more", { count: left }) : nothing}</p>
      <p class="hint"><time datetime=${came.toISOString()}>${formatRelative(came)}</time></p>
      <a class="button put" href="${base}/settings/devices/rooms" @click=${() => (this.opened = false)}>${t("bell.putDevices")}</a>
    </li>`;
  }

  private item({ notification_id, title, message, created_at }: Notification, mayDismiss: boolean): TemplateResult {
    return html`<li>
      <div class="spread">
        <strong>${title ?? t("bell.untitled")}</strong>
        ${mayDismiss
          ? html`<button
              type="button"
              aria-label=${t("bell.dismissNamed", { name: title ?? message.slice(0, 40) })}
              @click=${() => this.call("dismiss", { notification_id })}
            >
              ${t("bell.dismiss")}
            </button>`
          : nothing}
      </div>
      <p class="text">${message}</p>
      <p class="hint"><time datetime=${created_at}>${formatRelative(new Date(created_at))}</time></p>
    </li>`;
  }
}
