// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { deviceName, entitiesByDevice, factsOf, makerOf } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { Device } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import { attempt } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { devicePath } from "../devices/device_row";

// The devices of a connection, each with a choice of its room, which is saved at once.
@customElement("hearth-entry-devices")
export class EntryDevices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) devices: Device[] = [];

  static override styles = [
    shared,
    rows,
    css`
      li select {
        flex: 0 1 14rem;
        width: auto;
        margin-inline-start: auto;
      }

      @media (max-width: 40rem) {
        li select {
          flex: 1 0 100%;
          margin: 0.3rem 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "any", () => this.home);
  }

  private async move(device: Device, event: Event): Promise<void> {
    const select = event.target as HTMLSelectElement;
    const area_id = select.value || null;
    const moved = await attempt(() => this.home.command("config/device_registry/update", { device_id: device.id, area_id }));
    if (!moved) select.value = device.area_id ?? "";
  }

  override render() {
    const ids = entitiesByDevice(this.home);
    return html`<ul>
      ${repeat(
        this.devices,
        ({ id }) => id,
        (device) => this.row(device, ids.get(device.id) ?? []),
      )}
    </ul>`;
  }

  private row(device: Device, ids: string[]): TemplateResult {
    const name = deviceName(device);
    const maker = makerOf(device);
    return html`<li>
      <div>
        <a href=${devicePath(device.id)}>${name}</a>
        ${device.disabled_by ? html`<span class="badge">${t("devices.disabled")}</span>` : nothing}
        ${factsOf(this.home, device, ids).isGone ? html`<span class="badge">${t("devices.gone")}</span>` : nothing}
        ${maker ? html`<div class="hint">${maker}</div>` : nothing}
      </div>
      ${this.home.areas.size === 0
        ? nothing
        : html`<select aria-label=${t("flow.roomOf", { name })} @change=${(event: Event) => void this.move(device, event)}>
            <option value="" .selected=${!device.area_id}>${t("flow.noRoom")}</option>
            ${[...this.home.areas.values()].map(
              ({ area_id, name: room }) => html`<option value=${area_id} .selected=${area_id === device.area_id}>${room}</option>`,
            )}
          </select>`}
    </li>`;
  }
}
