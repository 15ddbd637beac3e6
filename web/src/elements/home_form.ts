// SPDX-License-Identifier: Apache-2.0
import { mdiCrosshairsGps } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../api/home";
import { language, languageName, languages, maybeT, t } from "../i18n/catalogue";
import { browsersZone, zoneOfToday, zones } from "../i18n/zones";
import { shared } from "../styles/shared";
import { HomeController } from "./controllers";
import { FormController, formStyles, type Values } from "./form";
import "./icon";
import "./fields/picker";
import type { Choice } from "./fields/picker";

type Fields = Record<string, string | number>;

// Browsers tell their location only to pages that were loaded by https or from their own machine.
const canLocate = window.isSecureContext && "geolocation" in navigator;

function position(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: true, timeout: 20000 }),
  );
}

function zoneChoices(current: string): Choice[] {
  return zones(current).map(({ id, region, place, offset }) => ({
    id,
    name: place,
    note: id === "UTC" ? "UTC" : `${offset} · ${id}`,
    group: maybeT(`region.${region}`) ?? region,
  }));
}

function currencies(current: string): [string, string][] {
  const names = new Intl.DisplayNames([language()], { type: "currency" });
  const codes = new Set([...Intl.supportedValuesOf("currency"), current]);
  return [...codes].sort().map((code) => [code, `${code} – ${names.of(code) ?? code}`]);
}

// The name and location of the home. With `first` it proposes what the browser knows and asks only for the most
// important. Fires `saved` when the hub has stored it.
@customElement("hearth-home-form")
export class HomeForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ type: Boolean }) first = false;
  // The label of the button.
  @property() action = "";
  @state() private place: { latitude: string; longitude: string; elevation: string } | undefined;
  @state() private zone: string | undefined;
  @state() private locating: "" | "busy" | "failed" = "";
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        align-items: start;
      }

      fieldset,
      .end,
      .problem {
        grid-column: 1 / -1;
      }

      fieldset {
        display: grid;
        gap: 0.8rem;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0;
        font-weight: 650;
      }

      .end {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem;
      }

      .end slot {
        display: contents;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  // The values of the fields until the user changes them.
  private shown(): Values {
    const { location_name, latitude, longitude, elevation, time_zone, language: tongue, currency, unit_system } = this.home.configuration;
    const somewhere = latitude !== 0 || longitude !== 0;
    const here = browsersZone();
    return {
      location_name,
      latitude: somewhere ? String(latitude) : "",
      longitude: somewhere ? String(longitude) : "",
      elevation: somewhere || elevation !== 0 ? String(elevation) : "",
      time_zone: this.first && here && !this.fixed("time_zone") ? here : zoneOfToday(time_zone),
      language: this.first && !this.fixed("language") ? language() : tongue,
      currency,
      unit_system: unit_system.length === "km" ? "metric" : "us_customary",
    };
  }

  // True if configuration.yaml sets it, which overrides this form.
  private fixed(key: string): boolean {
    return this.home.configuration.yaml_keys?.includes(key) ?? false;
  }

  private async locate(): Promise<void> {
    this.locating = "busy";
    try {
      const { coords } = await position();
      this.place = {
        latitude: coords.latitude.toFixed(5),
        longitude: coords.longitude.toFixed(5),
        elevation: coords.altitude === null ? (this.shown().elevation ?? "") : coords.altitude.toFixed(0),
      };
      this.locating = "";
    } catch {
      this.locating = "failed";
    }
  }

  private async save(values: Values): Promise<void> {
    const { configuration } = this.home;
    const before: Record<string, unknown> = {
      ...configuration,
      unit_system: configuration.unit_system.length === "km" ? "metric" : "us_customary",
    };
    const changes: Fields = {};
    const zone = this.zone ?? this.shown().time_zone ?? "";
    // A zone by its older name is the same zone.
    const time_zone = zone === zoneOfToday(configuration.time_zone) ? configuration.time_zone : zone;
    const wanted: Values = { ...(this.first && { language: language() }), ...values, time_zone };
    for (const [key, text] of Object.entries(wanted)) {
      if (this.fixed(key) || text.trim() === "") continue;
      const value = ["latitude", "longitude", "elevation"].includes(key) ? Number(text) : text.trim();
      if (value !== before[key]) changes[key] = value;
    }
    if (Object.keys(changes).length > 0) {
      await this.home.command("config/core/update", changes);
      await this.home.load();
    }
    this.place = undefined;
    this.zone = undefined;
    this.dispatchEvent(new CustomEvent("saved"));
  }

  override render() {
    const shown: Values = { ...this.shown(), ...this.place };
    const fixed = (key: string) => ({ disabled: this.fixed(key), hint: this.fixed(key) ? t("home.fixed") : undefined });
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
      ${form.text({
        name: "location_name",
        label: t("home.name"),
        value: shown.location_name ?? "",
        required: true,
        maxLength: 255,
        ...fixed("location_name"),
      })}
      <fieldset>
        <legend>${t("home.location")}</legend>
        <p class="hint">${t("home.locationHint")}</p>
        ${this.locateButton()}
        <div class="pair">
          ${this.number("latitude", shown.latitude, -90, 90)} ${this.number("longitude", shown.longitude, -180, 180)}
          ${this.first ? nothing : this.number("elevation", shown.elevation, -1000, 10000)}
        </div>
      </fieldset>
      ${this.timeZone(this.zone ?? shown.time_zone ?? "UTC")} ${this.first ? nothing : this.rest(shown, fixed)} ${form.failed()}
      <div class="end">${form.button(this.action)}<slot></slot></div>
    </form>`;
  }

  private timeZone(zone: string): TemplateResult {
    const label = t("home.timeZone");
    if (this.fixed("time_zone")) {
      return this.form.text({ name: "time_zone", label, value: zone, disabled: true, hint: t("home.fixed") });
    }
    return html`<hearth-picker
      required
      .label=${label}
      .placeholder=${t("home.timeZoneHint")}
      .most=${1000}
      .chosen=${[zone]}
      .choices=${() => zoneChoices(zone)}
      .shownAs=${(id: string) => id.replaceAll("_", " ")}
      @change-chosen=${({ detail }: CustomEvent<string[]>) => (this.zone = detail[0])}
    ></hearth-picker>`;
  }

  private number(name: "latitude" | "longitude" | "elevation", value: string | undefined, min: number, max: number): TemplateResult {
    return this.form.text({
      name,
      label: t(`home.${name}`),
      type: "number",
      step: name === "elevation" ? "1" : "any",
      unit: name === "elevation" ? "m" : "°",
      value: value ?? "",
      min,
      max,
      disabled: this.fixed(name),
      hint: this.fixed(name) ? t("home.fixed") : undefined,
    });
  }

  private rest(shown: Values, fixed: (key: string) => { disabled: boolean; hint: string | undefined }): TemplateResult {
    const tongues = new Set([...languages, shown.language ?? "en"]);
    return html`${this.form.select({
      name: "unit_system",
      label: t("home.units"),
      value: shown.unit_system ?? "metric",
      options: [
        ["metric", t("home.metric")],
        ["us_customary", t("home.usCustomary")],
      ],
      ...fixed("unit_system"),
    })}
    ${this.form.select({
      name: "currency",
      label: t("home.currency"),
      value: shown.currency ?? "EUR",
      options: currencies(shown.currency ?? "EUR"),
      ...fixed("currency"),
    })}
    ${this.form.select({
      name: "language",
      label: t("home.language"),
      value: shown.language ?? "en",
      options: [...tongues].map((tag) => [tag, languageName(tag)]),
      ...fixed("language"),
      hint: this.fixed("language") ? t("home.fixed") : t("home.languageHint"),
    })}`;
  }

  private locateButton(): TemplateResult | typeof nothing {
    if (this.fixed("latitude") || this.fixed("longitude")) return nothing;
    if (!canLocate) return html`<p class="hint">${t("home.locateInsecure")}</p>`;
    return html`<div>
        <button
          type="button"
          aria-busy=${this.locating === "busy"}
          ?disabled=${this.locating === "busy"}
          @click=${() => void this.locate()}
        >
          ${this.locating === "busy" ? html`<i class="spinner"></i>` : html`<hearth-icon .path=${mdiCrosshairsGps}></hearth-icon>`}
          ${t("home.locate")}
        </button>
      </div>
      ${this.locating === "failed" ? html`<p class="problem" role="alert">${t("home.locateFailed")}</p>` : nothing}`;
  }
}
