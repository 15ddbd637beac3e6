// SPDX-License-Identifier: Apache-2.0
import { mdiGauge, mdiThermometer, mdiWater, mdiWaterPercent, mdiWeatherWindy } from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, formatTime, t, type Key } from "../i18n/catalogue";
import { numberIn, textIn } from "./attributes";
import { Card, type Content } from "./card";
import { daysOf, forecastsOf, type Part, type Span } from "./forecasts";
import { stateIcon } from "./icons";
import { withUnit, word } from "./state_text";
import "../elements/icon";
import "../elements/fields/segments";

const daily = 1;
const hourly = 2;
const twiceDaily = 4;

// As many days a card has room for; its dialog has all.
const few = 5;
const hour = 60 * 60 * 1000;

const compass: Key[] = [
  "weather.north",
  "weather.northEast",
  "weather.east",
  "weather.southEast",
  "weather.south",
  "weather.southWest",
  "weather.west",
  "weather.northWest",
];

const bright = new Set(["sunny", "partlycloudy", "lightning"]);
const wet = new Set(["hail", "lightning-rainy", "pouring", "rainy", "snowy", "snowy-rainy"]);

// The weather now, and in the next days; in the dialog also in the next hours.
@customElement("hearth-weather-card")
export class WeatherCard extends Card {
  @state() private span: Span = "daily";

  static override styles = [
    ...Card.styles,
    css`
      .now {
        font-size: 1.5rem;
        font-weight: 600;
        white-space: nowrap;
      }

      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem 1.1rem;
        color: var(--text-2);
        font-size: 0.92rem;
      }

      .facts > span {
        display: inline-flex;
        align-items: center;
        gap: 0.35rem;
      }

      .facts hearth-icon {
        width: 1.2rem;
        height: 1.2rem;
      }

      hearth-segments {
        align-self: flex-start;
        margin: 0.3rem 0;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .days {
        display: grid;
        grid-template-columns: repeat(5, minmax(0, 1fr));
        margin-top: 0.4rem;
        padding-top: 0.6rem;
        border-top: 1px solid var(--border);
        text-align: center;
      }

      .room {
        height: 6.6rem;
      }

      .days li {
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 0.15rem;
      }

      .when,
      .low,
      .rain {
        color: var(--text-2);
        font-size: 0.88rem;
      }

      .high {
        font-weight: 600;
      }

      .high,
      .low,
      .rain {
        font-variant-numeric: tabular-nums;
      }

      .rain {
        display: inline-flex;
        align-items: center;
      }

      .rain hearth-icon {
        width: 0.9rem;
        height: 0.9rem;
        color: var(--curve-2);
      }

      .sky {
        color: var(--text-2);
      }

      .sky.bright {
        color: var(--active-icon);
      }

      .sky.wet {
        color: var(--curve-2);
      }

      .rows li {
        display: grid;
        grid-template-columns: 4.2rem auto minmax(0, 1fr) 3.2rem 5.5rem;
        align-items: center;
        gap: 0.6rem;
        padding: 0.4rem 0;
        border-top: 1px solid var(--border);
      }

      .rows .temperatures {
        text-align: end;
      }

      .rows .low::before {
        content: " / ";
      }

      @media (max-width: 480px) {
        .rows li {
          grid-template-columns: 3.2rem auto minmax(0, 1fr) 3rem 4.6rem;
          gap: 0.4rem;
        }
      }

      .rows .sky + span {
        font-size: 0.92rem;
        overflow-wrap: anywhere;
      }
    `,
  ];

  // The parts that it forecasts by, the first of which its card shows.
  private spansOf(entity: Entity): Span[] {
    const days: Span[] = this.can(entity, daily) ? ["daily"] : this.can(entity, twiceDaily) ? ["twice_daily"] : [];
    return this.can(entity, hourly) ? [...days, "hourly"] : days;
  }

  private hasForecast(entity: Entity): boolean {
    return !this.isGone && this.spansOf(entity).length > 0;
  }

  override willUpdate(): void {
    const entity = this.home.entity(this.entityId);
    if (!entity || !this.hasForecast(entity)) return;
    const spans = this.spansOf(entity);
    if (!this.detailed || !spans.includes(this.span)) this.span = spans[0] as Span;
    forecastsOf(this.home).refresh(this.entityId, this.span, () => this.requestUpdate());
  }

  private degrees(value: number | null | undefined): string {
    return typeof value === "number" ? `${formatNumber(value, { maximumFractionDigits: 0 })}°` : "";
  }

  private measured(entity: Entity, name: string, unit: string, digits = 0): string | undefined {
    const value = numberIn(entity, name);
    return value === undefined ? undefined : withUnit(formatNumber(value, { maximumFractionDigits: digits }), unit);
  }

  protected override control(entity: Entity): Content {
    const unit = textIn(entity, "temperature_unit") || (this.home.configuration.unit_system.temperature ?? "°C");
    const now = this.isGone ? undefined : this.measured(entity, "temperature", unit, 1);
    return now === undefined
      ? nothing
      : html`<div class="now"><span class="visually-hidden">${t("weather.temperature")}</span>${now}</div>`;
  }

  protected override body(entity: Entity): Content {
    if (this.isGone) return nothing;
    const bearing = numberIn(entity, "wind_bearing");
    const from = bearing === undefined ? "" : ` ${t(compass[Math.round(bearing / 45) % 8] as Key)}`;
    const wind = this.measured(entity, "wind_speed", textIn(entity, "wind_speed_unit"));
    return html`
      <div class="facts">
        ${this.fact("weather.humidity", mdiWaterPercent, this.measured(entity, "humidity", "%"))}
        ${this.fact("weather.wind", mdiWeatherWindy, wind && wind + from)}
        ${this.detailed
          ? html`${this.fact(
              "weather.apparent",
              mdiThermometer,
              this.measured(entity, "apparent_temperature", textIn(entity, "temperature_unit"), 1),
            )}
            ${this.fact("weather.pressure", mdiGauge, this.measured(entity, "pressure", textIn(entity, "pressure_unit")))}`
          : nothing}
      </div>
      ${this.hasForecast(entity) ? this.forecast(entity) : nothing}
    `;
  }

  private fact(label: Key, icon: string, text: string | undefined): Content {
    if (!text) return nothing;
    return html`<span title=${t(label)}>
      <hearth-icon .path=${icon}></hearth-icon><span class=${this.detailed ? "" : "visually-hidden"}>${t(label)}</span>${text}
    </span>`;
  }

  private forecast(entity: Entity): Content {
    const spans = this.spansOf(entity);
    const parts = this.parts();
    if (!parts) return this.detailed ? nothing : html`<div class="days room"></div>`; // as high as it will be
    const choice =
      this.detailed && spans.length > 1
        ? html`<hearth-segments
            .label=${t("weather.forecast")}
            .options=${spans.map((id) => ({ id, name: t(id === "hourly" ? "weather.hours" : "weather.days") }))}
            .chosen=${this.span}
            @choose=${(event: CustomEvent<Span>) => (this.span = event.detail)}
          ></hearth-segments>`
        : nothing;
    if (parts.length === 0)
      return html`${choice}
        <p class="muted">${t("weather.noForecast")}</p>`;
    return this.detailed
      ? html`${choice}
          <ul class="rows" aria-label=${t("weather.forecast")}>
            ${parts.map((part) => this.row(part))}
          </ul>`
      : html`<ul class="days" aria-label=${t("weather.forecast")}>
          ${parts.slice(0, few).map((part) => this.day(part))}
        </ul>`;
  }

  // From now on.
  private parts(): Part[] | undefined {
    const parts = forecastsOf(this.home).of(this.entityId, this.span);
    const isHours = this.span === "hourly";
    const today = this.dateOf(new Date());
    const isToCome = ({ datetime }: Part) =>
      isHours ? Date.parse(datetime) > Date.now() - hour : this.dateOf(new Date(datetime)) >= today;
    const shown = parts?.filter(({ datetime }) => !Number.isNaN(Date.parse(datetime))).filter(isToCome);
    return shown && this.span === "twice_daily" ? daysOf(shown, ({ datetime }) => this.dateOf(new Date(datetime))) : shown;
  }

  // By the home's clocks, in an order that texts have.
  private dateOf(time: Date): string {
    return new Intl.DateTimeFormat("sv-SE", { timeZone: this.home.configuration.time_zone }).format(time);
  }

  private when({ datetime }: Part): string {
    const time = new Date(datetime);
    const zone = this.home.configuration.time_zone;
    if (this.span === "hourly") return formatTime(time, zone, { timeStyle: "short" });
    return this.dateOf(time) === this.dateOf(new Date()) ? t("weather.today") : formatTime(time, zone, { weekday: "short" });
  }

  private sky(condition: string): TemplateResult {
    const look = bright.has(condition) ? "bright" : wet.has(condition) ? "wet" : "";
    return html`<hearth-icon class="sky ${look}" .path=${stateIcon("weather", condition) ?? ""}></hearth-icon>`;
  }

  private rain({ precipitation_probability: chance }: Part): TemplateResult {
    const isWorthSaying = typeof chance === "number" && chance >= 10;
    return html`<span class="rain">
      ${isWorthSaying
        ? html`<hearth-icon .path=${mdiWater}></hearth-icon><span class="visually-hidden">${t("weather.rain")}</span>${withUnit(
              formatNumber(chance, { maximumFractionDigits: 0 }),
              "%",
            )}`
        : nothing}
    </span>`;
  }

  private temperatures({ temperature, templow }: Part): TemplateResult {
    return html`<span class="high">${this.degrees(temperature)}</span>${typeof templow === "number"
        ? html`<span class="low">${this.degrees(templow)}</span>`
        : nothing}`;
  }

  private day(part: Part): TemplateResult {
    const condition = part.condition ?? "";
    const said = condition && word("weather", condition);
    return html`<li title=${said}>
      <span class="when">${this.when(part)}</span>
      ${this.sky(condition)}<span class="visually-hidden">${said}</span>
      ${this.temperatures(part)} ${this.rain(part)}
    </li>`;
  }

  private row(part: Part): TemplateResult {
    const condition = part.condition ?? "";
    return html`<li>
      <span class="when">${this.when(part)}</span>
      ${this.sky(condition)}<span>${condition && word("weather", condition)}</span> ${this.rain(part)}<span class="temperatures"
        >${this.temperatures(part)}</span
      >
    </li>`;
  }
}
