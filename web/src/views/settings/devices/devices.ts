// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { hasLowBattery } from "../../../api/alerts";
import { deviceName, entitiesByDevice, factsOf, integrationOf, makerOf, seenAt, type DeviceFacts } from "../../../api/devices";
import type { Home } from "../../../api/home";
import { numberOf } from "../../../api/samples";
import type { Device } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import { formStyles } from "../../../elements/form";
import { language, t } from "../../../i18n/catalogue";
import { base, onNavigation, query, setQuery } from "../../../router";
import { shared } from "../../../styles/shared";
import { connectionsPath } from "../connections/paths";
import { choiceField, longList, searchField } from "../long_list";
import { deviceColumns } from "./device_row";

const kinds = ["all", "withoutArea", "lowBattery", "gone", "updates", "disabled"] as const;
type Kind = (typeof kinds)[number];
const orders = ["name", "area", "battery", "signal", "lastSeen", "newest"] as const;
type Order = (typeof orders)[number];

interface Row {
  device: Device;
  ids: string[];
  facts: DeviceFacts;
  name: string;
  area: string;
}

// Every device, to be searched and sorted; `?show=` in the address chooses which.
@customElement("hearth-devices")
export class Devices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  @state() private kind: Kind = "all";
  @state() private order: Order = "name";
  private stop: (() => void) | undefined;

  static override styles = [
    shared,
    formStyles,
    deviceColumns,
    css`
      .filters {
        display: grid;
        grid-template-columns: minmax(0, 1fr) repeat(2, minmax(0, 13rem));
        gap: 0.8rem;
      }

      .head {
        color: var(--text-2);
        font-size: 0.85rem;
        font-weight: 600;
      }

      hearth-lazy-block {
        --card-gap: 0;
      }

      @container (max-width: 40rem) {
        .head {
          display: none;
        }
      }

      @container (max-width: 36rem) {
        .filters {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .filters > :first-child {
          grid-column: 1 / -1;
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
    const read = () => (this.kind = kinds.find((kind) => kind === query().get("show")) ?? "all");
    this.stop = onNavigation(read);
    read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  private fits({ device, facts }: Row): boolean {
    switch (this.kind) {
      case "all":
        return true;
      case "withoutArea":
        return !device.area_id;
      case "lowBattery":
        return facts.battery !== undefined && hasLowBattery(this.home, facts.battery.entity_id);
      case "gone":
        return facts.isGone;
      case "updates":
        return facts.update?.state === "on";
      case "disabled":
        return device.disabled_by !== null;
    }
  }

  private rows(): Row[] {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const entities = entitiesByDevice(this.home);
    const rows: Row[] = [];
    for (const device of this.home.devices.values()) {
      const ids = entities.get(device.id) ?? [];
      const area = (device.area_id && this.home.areas.get(device.area_id)?.name) || "";
      const row = { device, ids, facts: factsOf(this.home, device, ids), name: deviceName(device), area };
      const text = [row.name, device.name, makerOf(device), device.model_id, area, integrationOf(device)].join(" ").toLowerCase();
      if (this.fits(row) && words.every((word) => text.includes(word))) rows.push(row);
    }
    return this.sorted(rows);
  }

  // A device without a value for the sorted column comes last.
  private sorted(rows: Row[]): Row[] {
    const collator = new Intl.Collator(language(), { numeric: true });
    const byName = (a: Row, b: Row) => collator.compare(a.name, b.name);
    const valueOf: Partial<Record<Order, (row: Row) => number | undefined>> = {
      battery: ({ facts: { battery } }) => battery && (numberOf(battery.state) ?? { on: 0, off: 100 }[battery.state]),
      signal: ({ facts: { signal } }) => signal && numberOf(signal.state),
      lastSeen: ({ facts }) => seenAt(facts),
      newest: ({ device }) => -device.created_at,
    };
    const value = valueOf[this.order];
    if (value) {
      const known = new Map(rows.map((row) => [row, value(row) ?? Infinity]));
      const of = (row: Row) => known.get(row) as number;
      return rows.sort((a, b) => (of(a) === of(b) ? byName(a, b) : of(a) - of(b)));
    }
    if (this.order === "area")
      return rows.sort((a, b) => Number(!a.area) - Number(!b.area) || collator.compare(a.area, b.area) || byName(a, b));
    return rows.sort(byName);
  }

  override render() {
    const rows = this.rows();
    return html`<div class="card stack">
      <div class="spread">
        <h2>${t("devices.heading")}</h2>
        <div class="row">
          <a href="${base}/settings/areas">${t("devices.allEntities")}</a>
          <a class="button" href=${connectionsPath()}>${t("addDevices.connections")}</a>
          <a class="button" href="${base}/settings/devices/rooms">${t("arrange.heading")}</a>
          <a class="button" href="${base}/settings/devices/add">${t("addDevices.heading")}</a>
        </div>
      </div>
      <div class="filters">
        ${searchField(t("devices.search"), this.search, (search) => (this.search = search))}
        ${choiceField(
          "show",
          t("devices.show"),
          kinds,
          this.kind,
          (kind) => t(`devices.show.${kind}`),
          (kind) => setQuery({ show: kind === "all" ? undefined : kind }, "replace"),
        )}
        ${choiceField(
          "order",
          t("devices.order"),
          orders,
          this.order,
          (order) => t(`devices.order.${order}`),
          (order) => (this.order = order),
        )}
      </div>
      <p class="hint" role="status">${t("devices.count", { count: rows.length })}</p>
      ${this.home.devices.size === 0 ? html`<p class="muted">${t("devices.none")}</p>` : nothing}
      ${rows.length > 0 ? this.list(rows) : nothing}
    </div>`;
  }

  private list(rows: Row[]): TemplateResult {
    return html`<div>
      <div class="device head" aria-hidden="true">
        <div>${t("devices.device")}</div>
        <div>${t("entities.area")}</div>
        <div>${t("devices.battery")}</div>
        <div>${t("devices.signal")}</div>
        <div>${t("devices.lastSeen")}</div>
        <div>${t("devices.firmware")}</div>
      </div>
      ${longList(
        rows,
        ({ device }) => device.id,
        (block) => this.block(block),
      )}
    </div>`;
  }

  // Each keeps its element: a choice that was made in one is not to be seen in the next.
  private block(rows: Row[]): TemplateResult {
    return html`${repeat(
      rows,
      ({ device }) => device.id,
      ({ device, ids }) => html`<hearth-device-row .home=${this.home} .device=${device} .ids=${ids}></hearth-device-row>`,
    )}`;
  }
}
