// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { hasLowBattery } from "../../../api/alerts";
import { deviceName, factsOf, makerOf, seenAt, type DeviceFacts } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { Device } from "../../../api/types";
import { stateText } from "../../../cards/state_text";
import { EntitiesController, HomeController } from "../../../elements/controllers";
import { attempt } from "../../../elements/notify";
import { formatDateTime, formatRelative, t, type Key } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";

// The columns of a row, and of the line of headings above them; below the width, facts stand below the name.
export const deviceColumns = css`
  :host {
    container-type: inline-size;
  }

  .device {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) 4.5rem 5rem minmax(0, 1.6fr) minmax(0, 1.6fr);
    align-items: center;
    gap: 0.2rem 0.9rem;
  }
`;

// The address of a device's page.
export function devicePath(id: string): string {
  return `${base}/settings/devices/${encodeURIComponent(id)}`;
}

// A device in the list: a link to its page, and what it says of itself. What has no area can be put into one here.
@customElement("hearth-device-row")
export class DeviceRow extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) device!: Device;
  // Of its entities.
  @property({ attribute: false }) ids: string[] = [];

  static override styles = [
    shared,
    deviceColumns,
    css`
      .device {
        min-height: 4rem;
        padding: 0.4rem 0;
        border-bottom: 1px solid var(--border);
        font-size: 0.95rem;
      }

      .device > * {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      a {
        color: inherit;
        font-weight: 650;
        text-decoration: none;
      }

      a::before {
        content: "";
        position: absolute;
        inset: 0;
      }

      .name {
        position: relative;
      }

      .name:hover a {
        text-decoration: underline;
      }

      .low {
        color: var(--danger);
        font-weight: 650;
      }

      .badge {
        white-space: nowrap;
      }

      @container (max-width: 40rem) {
        .device {
          display: flex;
          flex-wrap: wrap;
          gap: 0.2rem 1rem;
        }

        .name,
        .area:has(select) {
          flex: 1 0 100%;
        }

        .nothing {
          display: none;
        }

        .fact > .visually-hidden {
          all: unset;
          color: var(--text-2);
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: this.ids }));
  }

  private async move(event: Event): Promise<void> {
    const select = event.target as HTMLSelectElement;
    const { value } = select;
    const moved = await attempt(() => this.home.command("config/device_registry/update", { device_id: this.device.id, area_id: value }));
    if (!moved) select.value = "";
  }

  override render() {
    const { device } = this;
    const facts = factsOf(this.home, device, this.ids);
    const maker = makerOf(device);
    const { battery, signal } = facts;
    return html`<div class="device">
      <div class="name">
        <a href=${devicePath(device.id)}>${deviceName(device)}</a>
        ${device.disabled_by ? html`<span class="badge">${t("devices.disabled")}</span>` : nothing}
        ${facts.isGone ? html`<span class="badge">${t("devices.gone")}</span>` : nothing}
        ${maker ? html`<div class="hint">${maker}</div>` : nothing}
      </div>
      ${this.area(device)}
      ${this.fact(
        "devices.battery",
        battery && html`<span class=${hasLowBattery(this.home, battery.entity_id) ? "low" : ""}>${stateText(this.home, battery)}</span>`,
      )}
      ${this.fact("devices.signal", signal && html`${stateText(this.home, signal)}`)} ${this.seen(facts)} ${this.firmware(facts)}
    </div>`;
  }

  private area(device: Device): TemplateResult {
    const area = device.area_id ? this.home.areas.get(device.area_id) : undefined;
    if (area) return html`<div class="area">${area.name}</div>`;
    if (this.home.areas.size === 0) return html`<div class="area nothing muted">–</div>`;
    return html`<div class="area">
      <select aria-label=${t("devices.putNamed", { name: deviceName(device) })} @change=${(event: Event) => void this.move(event)}>
        <option value="" selected disabled>${t("devices.put")}</option>
        ${[...this.home.areas.values()].map(({ area_id, name }) => html`<option value=${area_id}>${name}</option>`)}
      </select>
    </div>`;
  }

  private fact(name: Key, content: TemplateResult | undefined): TemplateResult {
    if (!content) return html`<div class="nothing muted">–</div>`;
    return html`<div class="fact"><span class="visually-hidden">${t(name)} </span>${content}</div>`;
  }

  private seen(facts: DeviceFacts): TemplateResult {
    const time = seenAt(facts);
    if (time === undefined) return this.fact("devices.lastSeen", undefined);
    const moment = new Date(time);
    const whole = formatDateTime(moment, this.home.configuration.time_zone);
    return this.fact("devices.lastSeen", html`<time datetime=${moment.toISOString()} title=${whole}>${formatRelative(moment)}</time>`);
  }

  private firmware({ firmware, update }: DeviceFacts): TemplateResult {
    const isOffered = update?.state === "on";
    if (!firmware && !isOffered) return this.fact("devices.firmware", undefined);
    return this.fact(
      "devices.firmware",
      html`${firmware} ${isOffered ? html`<span class="badge accent">${t("devices.update")}</span>` : nothing}`,
    );
  }
}
