// SPDX-License-Identifier: Apache-2.0
// The list of alerts, with those that this user has snoozed at the end.
import { mdiAlert } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { mdiBellOutline, mdiBellSleepOutline } from "virtual:icons/lazy";

import type { Alert } from "../../api/alerts";
import { deviceName } from "../../api/devices";
import type { Home, Unsubscribe } from "../../api/home";
import { stateText } from "../../cards/state_text";
import { attempt } from "../../elements/notify";
import { formatRelative, formatTime, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/icon";

// So many are drawn; a button draws the others.
const few = 100;
const pace = 60_000; // of "3 minutes ago"

interface Part {
  key: string;
  heading: string;
  alerts: Alert[];
}

@customElement("hearth-alert-list")
export class AlertListElement extends LitElement {
  @property({ attribute: false }) home!: Home;
  // All kinds if none is named.
  @property({ attribute: false }) kind: string | undefined;
  @state() private unfolded = new Set<string>();
  private stops: Unsubscribe[] = [];

  static override styles = [
    shared,
    css`
      section {
        margin-block-end: 1.5rem;
      }

      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.5rem;
        margin-block-end: 0.5rem;
      }

      h2 {
        font-size: 1.1rem;
        font-weight: 650;
      }

      ul {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        gap: 0.75rem;
        padding: 0.6rem 0.9rem;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
      }

      li.danger {
        border: 2px solid var(--danger);
        background: var(--danger-soft);
      }

      li.danger > hearth-icon {
        color: var(--danger);
      }

      li.warning > hearth-icon {
        color: var(--warning);
      }

      li.snoozed > hearth-icon {
        color: var(--text-2);
      }

      .words {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .words a {
        color: inherit;
        font-weight: 550;
      }

      .words p {
        color: var(--text-2);
        font-size: 0.87rem;
      }

      li button {
        flex: none;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const redraw = () => this.requestUpdate();
    const timer = setInterval(redraw, pace);
    this.stops = [this.home.on("alerts", redraw), this.home.on("structure", redraw), () => clearInterval(timer)];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
  }

  private async set(command: "snooze" | "unsnooze", alerts: Alert[]): Promise<void> {
    await attempt(() => this.home.command(`alerts/${command}`, { alert_ids: alerts.map(({ alert_id }) => alert_id) }));
  }

  private nameOf({ kind, entity_id, device_id }: Alert): string {
    const device = kind === "unavailable" ? this.home.devices.get(device_id ?? "") : undefined;
    return device ? deviceName(device) : this.home.nameOf(entity_id);
  }

  private row(alert: Alert): TemplateResult {
    const { entity_id: id, grade, since, snoozed_until: until } = alert;
    const entity = this.home.entity(id);
    const room = this.home.areaOf(id)?.name;
    const zone = this.home.configuration.time_zone;
    const said = [
      room,
      entity && stateText(this.home, entity),
      formatRelative(new Date(since)),
      until &&
        t("alerts.snoozedUntil", { time: formatTime(new Date(until), zone, { weekday: "short", hour: "numeric", minute: "2-digit" }) }),
    ];
    const name = this.nameOf(alert);
    const words = until ? t("alerts.unsnooze") : t("alerts.snooze");
    return html`<li class=${until ? "snoozed" : grade}>
      <hearth-icon .path=${mdiAlert}></hearth-icon>
      <div class="words">
        <a href=${linkTo(id)}>${name}</a>
        <p>${said.filter(Boolean).join(" · ")}</p>
      </div>
      <button
        type="button"
        class="plain round"
        aria-label="${words}: ${name}"
        title=${words}
        @click=${() => void this.set(until ? "unsnooze" : "snooze", [alert])}
      >
        <hearth-icon .path=${until ? mdiBellOutline : mdiBellSleepOutline}></hearth-icon>
      </button>
    </li>`;
  }

  private group({ key, heading, alerts }: Part): TemplateResult {
    const isSnoozed = key === "snoozed";
    const shown = this.unfolded.has(key) ? alerts : alerts.slice(0, few);
    return html`<section aria-label=${heading}>
      <header>
        <h2>${heading}</h2>
        ${alerts.length > 1 && key !== "danger"
          ? html`<button type="button" class="quiet" @click=${() => void this.set(isSnoozed ? "unsnooze" : "snooze", alerts)}>
              ${t(isSnoozed ? "alerts.unsnoozeAll" : "alerts.snoozeAll")}
            </button>`
          : nothing}
      </header>
      <ul>
        ${repeat(
          shown,
          ({ alert_id }) => alert_id,
          (alert) => this.row(alert),
        )}
      </ul>
      ${shown.length < alerts.length
        ? html`<button type="button" class="quiet" @click=${() => (this.unfolded = new Set(this.unfolded).add(key))}>
            ${t("items.more", { count: alerts.length - shown.length })}
          </button>`
        : nothing}
    </section>`;
  }

  override render() {
    const wanted = [...this.home.alerts.values()].filter(({ kind }) => this.kind === undefined || kind === this.kind);
    const parts = new Map<string, Alert[]>();
    for (const alert of wanted) {
      if (alert.snoozed_until) continue;
      const key = alert.grade === "danger" ? "danger" : alert.kind;
      parts.set(key, [...(parts.get(key) ?? []), alert]);
    }
    const snoozed = wanted.filter(({ snoozed_until }) => snoozed_until);
    const heading = (key: string, count: number) =>
      key === "danger" ? t("alerts.danger") : t(`alert.${key}` as "alert.battery", { count });
    return html`${parts.size === 0 ? html`<p class="card" role="status">${t("alerts.none")}</p>` : nothing}
    ${[...parts].map(([key, alerts]) => this.group({ key, heading: heading(key, alerts.length), alerts }))}
    ${snoozed.length > 0
      ? this.group({ key: "snoozed", heading: t("alerts.snoozed", { count: snoozed.length }), alerts: snoozed })
      : nothing}
    ${this.kind === undefined ? nothing : html`<p><a href="${base}/overview?show=alerts">${t("alerts.all")}</a></p>`}`;
  }
}

// The address of the page as it is, with the entity's dialog.
function linkTo(id: string): string {
  const parameters = new URLSearchParams(location.search);
  parameters.set("entity", id);
  return `?${parameters.toString()}`;
}
