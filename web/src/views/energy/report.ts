// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { DeviceLine, EnergyReport, Line, MeterLine, Role } from "../../api/energy";
import type { Home } from "../../api/home";
import { formatDateTime, t } from "../../i18n/catalogue";
import { figures } from "../../styles/figures";
import { shared } from "../../styles/shared";
import type { BarSeries } from "./bars";
import { amount, barName, change, money, nameOf, share } from "./words";
import "./bars";

const colours = { grid: 2, sun: 5, battery: 3, sold: 4, gas: 1, water: 6 } as const;

interface Part {
  name: string;
  total: number;
}

function sum(lines: Line[]): Line {
  const values = (lines[0]?.values ?? []).map((_, bar) => lines.reduce((all, line) => all + (line.values[bar] ?? 0), 0));
  const all = (key: "total" | "before") => lines.reduce((whole, line) => whole + line[key], 0);
  return { values, total: all("total"), before: all("before") };
}

// The figures of a span, its charts, and what is odd.
@customElement("hearth-energy-report")
export class EnergyReportView extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) report!: EnergyReport;

  static override styles = [
    shared,
    figures,
    css`
      .cards {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1rem;
      }

      .card {
        min-width: 0;
      }

      @media (min-width: 70rem) {
        .cards {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .wide {
          grid-column: 1 / -1;
        }
      }

      h2 {
        margin: 0 0 0.6rem;
        font-size: 1.1rem;
      }

      .parts {
        display: grid;
        gap: 0.6rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .parts span:first-child {
        overflow-wrap: anywhere;
      }

      .parts .spread {
        flex-wrap: nowrap;
        align-items: baseline;
      }

      .parts strong {
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }

      meter {
        width: 100%;
        height: 0.6rem;
        border: 0;
        border-radius: 999px;
        background: var(--surface-2);
      }

      meter::-webkit-meter-bar {
        height: 0.6rem;
        border: 0;
        border-radius: 999px;
        background: var(--surface-2);
      }

      meter::-webkit-meter-optimum-value {
        border-radius: 999px;
        background: var(--curve-2);
      }

      meter::-moz-meter-bar {
        border-radius: 999px;
        background: var(--curve-2);
      }

      td:not(:first-child),
      th:not(:first-child) {
        text-align: right;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }

      th:first-child {
        white-space: nowrap;
      }

      .scrolled {
        overflow-x: auto;
      }

      .notes {
        margin: 0 0 1rem;
      }

      .notes p {
        margin: 0;
        overflow-wrap: anywhere;
      }

      @media (max-width: 40rem) {
        .card {
          padding: 0.8rem;
        }

        /* The figures above have the comparison. */
        .before {
          display: none;
        }

        td:first-child {
          min-width: 5.5rem;
          padding-left: 0;
        }
      }
    `,
  ];

  private of(...roles: Role[]): MeterLine[] {
    return this.report.meters.filter(({ role }) => roles.includes(role));
  }

  private get names(): string[] {
    return this.report.bars.map((_, bar) => barName(this.home, this.report, bar));
  }

  override render() {
    const electricity = this.of("grid_in", "grid_out", "sun", "battery_in", "battery_out").length > 0;
    return html`${this.notes()}
      <div class="cards">
        ${this.figures()} ${electricity ? this.electricity() : nothing}
        ${this.devices("energy.devices", this.report.devices, this.report.other.total, "kWh", electricity)} ${this.costs()}
        ${this.volume("gas", "gas")} ${this.volume("water", "water")}
        ${this.devices("energy.waterDevices", this.report.water_devices, this.report.other_water.total, "m³", this.of("water").length > 0)}
      </div>`;
  }

  private compared(now: number, before: number, say: (value: number) => string): string {
    if (before === 0) return "";
    const by = change(now, before);
    return `${t("energy.compared", { before: say(before) })}${by ? ` (${by})` : ""}`;
  }

  private figure(label: string, line: Line, say: (value: number) => string): TemplateResult {
    return html`<div>
      <dt>${label}</dt>
      <dd>${say(line.total)} <small>${this.compared(line.total, line.before, say)}</small></dd>
    </div>`;
  }

  private shareOf(label: string, { total, before }: { total: number | null; before: number | null }): TemplateResult | typeof nothing {
    if (total === null) return nothing;
    return html`<div>
      <dt>${label}</dt>
      <dd>${share(total)} <small>${before === null ? "" : t("energy.compared", { before: share(before) })}</small></dd>
    </div>`;
  }

  private figures(): TemplateResult {
    const { report } = this;
    const kwh = (value: number) => amount(value, "kWh");
    const has = (role: Role) => this.of(role).length > 0;
    const makes = has("sun") || has("battery_out");
    return html`<section class="card wide">
      <dl>
        ${report.used.total > 0 || has("grid_in") ? this.figure(t("energy.used"), report.used, kwh) : nothing}
        ${makes && has("grid_in") ? this.figure(t("energy.role.grid_in"), sum(this.of("grid_in")), kwh) : nothing}
        ${has("sun") ? this.figure(t("energy.role.sun"), sum(this.of("sun")), kwh) : nothing}
        ${has("grid_out") ? this.figure(t("energy.role.grid_out"), sum(this.of("grid_out")), kwh) : nothing}
        ${makes ? this.shareOf(t("energy.selfSufficiency"), report.self_sufficiency) : nothing}
        ${has("sun") ? this.shareOf(t("energy.selfConsumption"), report.self_consumption) : nothing}
        ${report.meters.some(({ cost }) => cost)
          ? this.figure(t("energy.cost"), report.cost, (value) => money(value, report.currency))
          : nothing}
      </dl>
    </section>`;
  }

  private electricity(): TemplateResult {
    const { flows } = this.report;
    const sold = sum([flows.sun_to_grid, flows.battery_to_grid]);
    const all: (BarSeries & { total: number })[] = [
      { name: t("energy.from.sun"), colour: colours.sun, ...flows.sun_to_home },
      { name: t("energy.from.battery"), colour: colours.battery, ...flows.battery_to_home },
      { name: t("energy.from.grid"), colour: colours.grid, ...flows.grid_to_home },
      { name: t("energy.role.grid_out"), colour: colours.sold, below: true, ...sold },
    ];
    const parts = Object.entries(flows).filter(([, { total }]) => total > 0.005);
    return html`<section class="card wide">
        <h2>${t("energy.electricity")}</h2>
        <hearth-energy-bars
          .label=${t("energy.electricity")}
          .names=${this.names}
          .series=${all.filter(({ total }, index) => total > 0 || index === 2)}
        ></hearth-energy-bars>
      </section>
      ${parts.length > 1
        ? html`<section class="card">
            <h2>${t("energy.flows")}</h2>
            ${this.parts(
              parts.map(([name, { total }]) => ({ name: t(`energy.flow.${name as keyof EnergyReport["flows"]}`), total })),
              "kWh",
            )}
          </section>`
        : nothing}`;
  }

  private parts(parts: Part[], unit: string): TemplateResult {
    const largest = Math.max(...parts.map(({ total }) => total), 0);
    return html`<ul class="parts">
      ${parts.map(
        ({ name, total }) =>
          html`<li>
            <div class="spread"><span>${name}</span><strong>${amount(total, unit)}</strong></div>
            <meter min="0" max=${largest || 1} value=${Math.max(0, total)} aria-hidden="true"></meter>
          </li>`,
      )}
    </ul>`;
  }

  private devices(
    heading: "energy.devices" | "energy.waterDevices",
    devices: DeviceLine[],
    other: number,
    unit: string,
    hasWhole: boolean,
  ): TemplateResult | typeof nothing {
    if (devices.length === 0) return nothing;
    const parts: Part[] = devices.map((device) => ({ name: nameOf(this.home, device), total: device.total }));
    parts.sort((a, b) => b.total - a.total);
    if (hasWhole) parts.push({ name: t("energy.other"), total: other });
    return html`<section class="card">
      <h2>${t(heading)}</h2>
      ${this.parts(parts, unit)}
    </section>`;
  }

  private costs(): TemplateResult | typeof nothing {
    const { report } = this;
    const priced = report.meters.filter(({ cost }) => cost);
    if (priced.length === 0) return nothing;
    const say = (value: number) => money(value, report.currency);
    const sign = ({ role }: MeterLine) => (role === "grid_out" ? -1 : 1);
    return html`<section class="card">
      <h2>${t("energy.cost")}</h2>
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">${t("energy.meter")}</th>
              <th scope="col">${t("energy.amount")}</th>
              <th scope="col">${t("energy.cost")}</th>
              <th scope="col" class="before">${t("energy.spanBefore")}</th>
            </tr>
          </thead>
          <tbody>
            ${priced.map(
              (meter) =>
                html`<tr>
                  <td>${nameOf(this.home, meter)}</td>
                  <td>${amount(meter.total, meter.unit)}</td>
                  <td>${say(sign(meter) * (meter.cost?.total ?? 0))}</td>
                  <td class="before">${say(sign(meter) * (meter.cost?.before ?? 0))}</td>
                </tr>`,
            )}
            <tr>
              <th scope="row">${t("energy.sum")}</th>
              <td></td>
              <th>${say(report.cost.total)}</th>
              <td class="before">${say(report.cost.before)}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>`;
  }

  private volume(role: "gas" | "water", colour: "gas" | "water"): TemplateResult | typeof nothing {
    const meters = this.of(role);
    const unit = meters[0]?.unit;
    if (unit === undefined) return nothing;
    const whole = sum(meters.filter((meter) => meter.unit === unit));
    const say = (value: number) => amount(value, unit);
    return html`<section class="card">
      <h2>${t(`energy.role.${role}`)}</h2>
      <dl>${this.figure(t("energy.amount"), whole, say)}</dl>
      <hearth-energy-bars
        .label=${t(`energy.role.${role}`)}
        .unit=${unit}
        .names=${this.names}
        .series=${[{ name: t(`energy.role.${role}`), colour: colours[colour], values: whole.values }]}
      ></hearth-energy-bars>
    </section>`;
  }

  private notes(): TemplateResult | typeof nothing {
    const { notes, devices, meters, water_devices } = this.report;
    if (notes.length === 0) return nothing;
    const zone = this.home.configuration.time_zone;
    const known = [...meters, ...devices, ...water_devices];
    return html`<div class="notice notes" role="note">
      ${notes.map(({ kind, statistic_id, at, amount: value }) => {
        const line = known.find((one) => one.statistic_id === statistic_id);
        const unit = line?.unit ?? (kind === "water_devices_exceed" ? "m³" : "kWh");
        return html`<p>
          ${t(`energy.note.${kind}`, {
            name: statistic_id === null ? "" : nameOf(this.home, line ?? { statistic_id }),
            amount: amount(value, unit),
            at: at === null ? "" : formatDateTime(new Date(at), zone),
          })}
        </p>`;
      })}
    </div>`;
  }
}
