// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import {
  noPreferences,
  readPreferences,
  readTotals,
  savePreferences,
  validate,
  type ConsumingDevice,
  type EnergyPreferences,
  type Finding,
  type Statistic,
} from "../../../api/energy";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Choice } from "../../../elements/fields/picker";
import { entityChoices } from "../../../elements/home_choices";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatNumber, maybeT, parseNumber, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { addEntry, entries, isWhole, kinds, priceKind, removeEntry, setPrice, type Entry, type Kind, type PriceKind } from "./entries";
import "../../../elements/fields/picker";
import "../../../elements/loading";

const priceKinds: readonly PriceKind[] = ["none", "number", "entity", "statistic"];
type DeviceList = "device_consumption" | "device_consumption_water";

const unitOf = (kind: Kind): string => (kind === "water" || kind === "gas" ? "m³" : "kWh");
const fits = (unit: string, volume: boolean): boolean => /^(m³|ft³|CCF|MCF|L|gal|mL|fl\. oz\.)$/.test(unit) === volume;

// Which meters the home has, chosen once: the page Energy draws what they say.
@customElement("hearth-energy-meters")
export class EnergyMeters extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private preferences: EnergyPreferences | undefined;
  @state() private totals: Statistic[] = [];
  @state() private findings: Finding[] = [];
  @state() private problem = "";
  @state() private changed = false;

  static override styles = [
    shared,
    css`
      .entry {
        display: grid;
        gap: 0.8rem;
        padding: 0.9rem 0;
        border-top: 1px solid var(--border);
      }

      .spread + .entry {
        border-top: 0;
      }

      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
        gap: 0.8rem;
        align-items: end;
      }

      label {
        display: grid;
        gap: 0.3rem;
      }

      .finding {
        margin: 0;
        overflow-wrap: anywhere;
      }

      .saving {
        position: sticky;
        z-index: 1;
        bottom: var(--navigation, 0);
        padding: 0.6rem 0;
        background: var(--background);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.problem = "";
    try {
      const [preferences, totals] = await Promise.all([readPreferences(this.home), readTotals(this.home)]);
      this.preferences = { ...structuredClone(noPreferences), ...preferences };
      this.totals = totals;
      if (preferences) await this.check();
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  private async check(): Promise<void> {
    const found = await validate(this.home);
    this.findings = Object.values(found).flat(2) as Finding[];
  }

  private async save(): Promise<void> {
    const { preferences } = this;
    if (!preferences) return;
    if (!isWhole(preferences)) {
      this.problem = t("energy.incomplete");
      return;
    }
    this.problem = "";
    if (!(await attempt(() => savePreferences(this.home, preferences)))) return;
    this.changed = false;
    notifyDone(t("action.saved"));
    await attempt(() => this.check());
  }

  // After `preferences` were changed within.
  private touch(): void {
    this.changed = true;
    this.requestUpdate();
  }

  private nameOf(id: string): string {
    const name = this.totals.find(({ statistic_id }) => statistic_id === id)?.name;
    return name || (this.home.entity(id) ? this.home.nameOf(id) : id);
  }

  private totalChoices(takes: (unit: string) => boolean): Choice[] {
    return this.totals
      .filter(({ unit }) => takes(unit))
      .map(({ statistic_id, unit }) => ({ id: statistic_id, name: this.nameOf(statistic_id), note: `${statistic_id} · ${unit}` }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  override render() {
    const { preferences } = this;
    if (!preferences) return html`<hearth-loading .problem=${this.problem} @retry=${() => void this.load()}></hearth-loading>`;
    const all = entries(preferences);
    return html`<div class="stack">
      <h2>${t("energy.metersHeading")}</h2>
      <p>${t("energy.metersText")} <a href="${base}/energy">${t("energy.toPage")}</a></p>
      ${kinds.map((kind) =>
        this.group(
          t(`energy.kind.${kind}`),
          all.filter((entry) => entry.kind === kind).map((entry, index) => this.entry(entry, index)),
          () => addEntry(preferences, kind),
        ),
      )}
      ${this.deviceGroup("device_consumption")} ${this.deviceGroup("device_consumption_water")}
      <div class="saving">
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <button type="button" class="primary" ?disabled=${!this.changed} @click=${() => void this.save()}>${t("action.save")}</button>
      </div>
    </div>`;
  }

  private group(heading: string, list: TemplateResult[], add: () => void): TemplateResult {
    return html`<section class="card" aria-label=${heading}>
      <div class="spread">
        <h3>${heading}</h3>
        <button
          type="button"
          aria-label=${t("energy.addTo", { name: heading })}
          @click=${() => {
            add();
            this.touch();
          }}
        >
          ${t("energy.add")}
        </button>
      </div>
      ${list}
    </section>`;
  }

  private picker(label: string, id: unknown, choices: () => Choice[], choose: (id: string) => void): TemplateResult {
    const chosen = typeof id === "string" ? id : "";
    return html`<hearth-picker
      .label=${label}
      .chosen=${chosen ? [chosen] : []}
      .choices=${choices}
      .nameOf=${(one: string) => this.nameOf(one)}
      .shownAs=${(one: string) => this.nameOf(one)}
      @change-chosen=${({ detail }: CustomEvent<string[]>) => {
        choose(detail[0] ?? "");
        this.touch();
      }}
    ></hearth-picker>`;
  }

  private removal(name: string, remove: () => void): TemplateResult {
    return html`<div>
      <button
        type="button"
        class="danger"
        aria-label=${t("energy.removeNamed", { name })}
        @click=${() => {
          remove();
          this.touch();
        }}
      >
        ${t("energy.remove")}
      </button>
    </div>`;
  }

  private entry(entry: Entry, index: number): TemplateResult {
    const { kind, fields, meters, price } = entry;
    const takes = (unit: string): boolean => (kind === "gas" ? unit !== "" : fits(unit, kind === "water"));
    const ids = [...meters, ...Object.values(price ?? {})].map((key) => fields[key]).filter((id) => typeof id === "string");
    const name = ids[0] ? this.nameOf(ids[0]) : `${t(`energy.kind.${kind}`)} ${index + 1}`;
    return html`<div class="entry">
      <div class="fields">
        ${meters.map((key) =>
          this.picker(
            meters.length === 1 ? t("energy.meter") : t(`energy.battery.${key as "stat_energy_from" | "stat_energy_to"}`),
            fields[key],
            () => this.totalChoices(takes),
            (id) => (fields[key] = id),
          ),
        )}
        ${price ? this.price(entry) : nothing}
      </div>
      ${this.found(ids)}
      ${this.removal(name, () => {
        if (this.preferences) removeEntry(this.preferences, entry);
      })}
    </div>`;
  }

  private price(entry: Entry): TemplateResult {
    const kind = priceKind(entry);
    const { fields, price } = entry;
    const label = t(entry.kind === "grid_out" ? "energy.income" : "energy.price");
    const choose = (event: Event): void => {
      const wanted = (event.target as HTMLSelectElement).value as PriceKind;
      setPrice(entry, wanted, wanted === "number" ? 0 : "");
      this.touch();
    };
    return html`<label>
        ${label}
        <select @change=${choose}>
          ${priceKinds.map((id) => html`<option value=${id} .selected=${id === kind}>${t(`energy.price.${id}`)}</option>`)}
        </select>
      </label>
      ${kind === "number" && price ? this.number(entry, fields[price.number] as number) : nothing}
      ${kind === "entity" && price
        ? this.picker(
            t("energy.priceEntity"),
            fields[price.entity],
            () => entityChoices(this.home, ["sensor", "input_number", "number"]),
            (id) => (fields[price.entity] = id),
          )
        : nothing}
      ${kind === "statistic" && price
        ? this.picker(
            t("energy.priceStatistic"),
            fields[price.statistic],
            () => this.totalChoices(() => true),
            (id) => (fields[price.statistic] = id),
          )
        : nothing}`;
  }

  private number(entry: Entry, value: number): TemplateResult {
    const { currency } = this.home.configuration as { currency?: string };
    const change = (event: Event): void => {
      const typed = parseNumber((event.target as HTMLInputElement).value);
      if (typed !== undefined) setPrice(entry, "number", typed);
      this.touch();
    };
    return html`<label>
      ${t("energy.priceOf", { unit: `${currency ?? ""}/${unitOf(entry.kind)}` })}
      <input type="text" inputmode="decimal" .value=${formatNumber(value)} @change=${change} />
    </label>`;
  }

  private deviceGroup(list: DeviceList): TemplateResult {
    const { preferences } = this;
    const devices = preferences?.[list] ?? [];
    const heading = t(list === "device_consumption" ? "energy.devices" : "energy.waterDevices");
    return this.group(
      heading,
      devices.map((device, index) => this.device(list, devices, device, index)),
      () => {
        if (preferences) preferences[list] = [...devices, { stat_consumption: "" }];
      },
    );
  }

  private device(list: DeviceList, devices: ConsumingDevice[], device: ConsumingDevice, index: number): TemplateResult {
    const isWater = list === "device_consumption_water";
    const name = device.name || (device.stat_consumption ? this.nameOf(device.stat_consumption) : `${t("energy.device")} ${index + 1}`);
    const others = devices.filter((other) => other !== device && other.stat_consumption);
    const write = (key: "name" | "included_in_stat", value: string): void => {
      if (value) device[key] = value;
      else delete device[key];
      this.touch();
    };
    return html`<div class="entry">
      <div class="fields">
        ${this.picker(
          t("energy.meter"),
          device.stat_consumption,
          () => this.totalChoices((unit) => fits(unit, isWater)),
          (id) => (device.stat_consumption = id),
        )}
        <label>
          ${t("energy.deviceName")}
          <input
            .value=${device.name ?? ""}
            placeholder=${device.stat_consumption ? this.nameOf(device.stat_consumption) : ""}
            @change=${(event: Event) => write("name", (event.target as HTMLInputElement).value.trim())}
          />
        </label>
        ${others.length > 0
          ? html`<label>
              ${t("energy.includedIn")}
              <select @change=${(event: Event) => write("included_in_stat", (event.target as HTMLSelectElement).value)}>
                <option value="">${t("energy.includedInNone")}</option>
                ${others.map(
                  ({ stat_consumption: id, name: own }) =>
                    html`<option value=${id} .selected=${device.included_in_stat === id}>${own || this.nameOf(id)}</option>`,
                )}
              </select>
            </label>`
          : nothing}
      </div>
      ${this.found([device.stat_consumption])}
      ${this.removal(name, () => {
        if (this.preferences) this.preferences[list] = devices.filter((other) => other !== device);
      })}
    </div>`;
  }

  private found(ids: string[]): TemplateResult[] {
    const seen = new Set<string>();
    const all: TemplateResult[] = [];
    for (const { type, affected_entities } of this.findings) {
      for (const [id, detail] of affected_entities) {
        if (!ids.includes(id) || seen.has(type + id)) continue;
        seen.add(type + id);
        const text = maybeT(`energy.finding.${type}`, { name: this.nameOf(id), detail: String(detail ?? t("energy.nothing")) });
        all.push(html`<p class="problem finding">${text ?? `${this.nameOf(id)}: ${type}`}</p>`);
      }
    }
    return all;
  }
}
