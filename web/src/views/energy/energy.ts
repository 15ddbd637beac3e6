// SPDX-License-Identifier: Apache-2.0
import { mdiChevronLeft, mdiChevronRight } from "@mdi/js";
import { mdiDownload } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { readEnergy, readPreferences, type EnergyReport, type EnergySpan } from "../../api/energy";
import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { download } from "../../elements/download";
import { notifyDone } from "../../elements/notify";
import { formatTime, t } from "../../i18n/catalogue";
import { wallTime } from "../../i18n/wall_time";
import { base, onNavigation, query, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import { energyCsv } from "./csv";
import { firstDay, isDate, stepped } from "./date";
import { nameOf } from "./words";
import "../../elements/fields/segments";
import "../../elements/icon";
import "../../elements/loading";
import "./report";

const spans: readonly EnergySpan[] = ["day", "week", "month", "year"];
// Milliseconds; what is shown of a span that goes on is read again.
const interval = 300_000;

const formats: Record<EnergySpan, Intl.DateTimeFormatOptions> = {
  day: { dateStyle: "full" },
  week: { dateStyle: "medium" },
  month: { month: "long", year: "numeric" },
  year: { year: "numeric" },
};

// The energy that the home uses, makes and pays for: `?span=month&date=2026-11-30` in the address.
@customElement("hearth-energy")
export class Energy extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private span: EnergySpan = "day";
  @state() private date = "";
  @state() private report: EnergyReport | undefined;
  @state() private problem = "";
  @state() private isEmpty = false;
  private stop: Unsubscribe[] = [];
  private ticking: ReturnType<typeof setInterval> | undefined;
  private asked = 0;

  static override styles = [
    shared,
    css`
      :host {
        max-width: 80rem;
        margin: 0 auto;
      }

      .card {
        margin-top: 1rem;
      }

      .when {
        gap: 0.5rem 0.8rem;
        margin: 1rem 0;
      }

      .steps {
        flex-wrap: nowrap;
        gap: 0.3rem;
      }

      input[type="date"] {
        width: auto;
        max-width: 10.5rem;
      }

      .shown {
        flex-basis: 100%;
        margin: 0;
        font-size: 1.1rem;
        font-weight: 600;
      }

      @media print {
        .when button,
        .when input {
          display: none;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = [
      onNavigation(() => this.readAddress()),
      this.home.on("connection", () => this.home.connectionState === "connected" && void this.load()),
    ];
    this.ticking = setInterval(() => !document.hidden && void this.load(), interval);
    this.readAddress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stop) stop();
    clearInterval(this.ticking);
  }

  private get today(): string {
    return wallTime(Date.now() / 1000, this.home.configuration.time_zone).slice(0, 10);
  }

  private readAddress(): void {
    if (!location.pathname.startsWith(`${base}/energy`)) return;
    const parameters = query();
    const span = parameters.get("span") as EnergySpan;
    const date = parameters.get("date");
    this.span = spans.includes(span) ? span : "day";
    this.date = isDate(date) ? date : this.today;
    void this.load();
  }

  private async load(): Promise<void> {
    const asked = ++this.asked;
    try {
      const report = await readEnergy(this.home, this.span, this.date);
      if (asked !== this.asked) return;
      this.report = report;
      this.problem = "";
      this.isEmpty = report.meters.length + report.devices.length + report.water_devices.length === 0;
    } catch (error) {
      const none = await readPreferences(this.home).then(
        (preferences) => preferences === undefined,
        () => false,
      );
      if (asked !== this.asked) return;
      this.isEmpty = none;
      if (!none) this.problem = errorText(error);
    }
  }

  private go(date: string, span = this.span): void {
    setQuery({ span: span === "day" ? undefined : span, date: firstDay(date, span) === firstDay(this.today, span) ? undefined : date });
  }

  private export(): void {
    const { report } = this;
    if (!report) return;
    const zone = this.home.configuration.time_zone;
    const name = `energy-${this.span}-${firstDay(this.date, this.span)}.csv`;
    download(
      name,
      energyCsv(report, zone, (line) => nameOf(this.home, line)),
    );
    notifyDone(t("history.exported", { name }));
  }

  private shownSpan(): string {
    const zone = "UTC";
    const at = (day: string) => formatTime(new Date(`${day}T00:00:00Z`), zone, formats[this.span]);
    const first = firstDay(this.date, this.span);
    if (this.span !== "week") return at(first);
    return `${at(first)} – ${at(stepped(stepped(first, "week", 1), "day", -1))}`;
  }

  override render() {
    return html`<div class="spread">
        <h1>${t("page.energy")}</h1>
        <div class="row">
          ${this.isEmpty
            ? nothing
            : html`<button type="button" ?disabled=${!this.report} @click=${() => this.export()}>
                <hearth-icon .path=${mdiDownload}></hearth-icon> CSV
              </button>`}
          ${this.home.user.is_admin && !this.isEmpty
            ? html`<a class="button" href="${base}/settings/energy">${t("energy.meters")}</a>`
            : nothing}
        </div>
      </div>
      ${this.content()}`;
  }

  private content(): TemplateResult {
    if (this.isEmpty) return this.empty();
    if (!this.report) {
      return html`<hearth-loading .problem=${this.problem} @retry=${() => void this.load()}></hearth-loading>`;
    }
    return html`${this.when()} ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <hearth-energy-report .home=${this.home} .report=${this.report}></hearth-energy-report>`;
  }

  private empty(): TemplateResult {
    return html`<div class="card stack">
      <h2>${t("energy.emptyHeading")}</h2>
      <p>${t(this.home.user.is_admin ? "energy.emptyText" : "energy.emptyTextOthers")}</p>
      ${this.home.user.is_admin ? html`<p><a class="button" href="${base}/settings/energy">${t("energy.choose")}</a></p>` : nothing}
    </div>`;
  }

  private when(): TemplateResult {
    const next = stepped(this.date, this.span, 1);
    return html`<div class="row when">
      <hearth-segments
        .label=${t("energy.span")}
        .options=${spans.map((id) => ({ id, name: t(`energy.span.${id}`) }))}
        .chosen=${this.span}
        @choose=${({ detail }: CustomEvent<string>) => this.go(this.date, detail as EnergySpan)}
      ></hearth-segments>
      <div class="row steps">
        <button type="button" aria-label=${t("energy.before")} @click=${() => this.go(stepped(this.date, this.span, -1))}>
          <hearth-icon .path=${mdiChevronLeft}></hearth-icon>
        </button>
        <input
          type="date"
          aria-label=${t("energy.date")}
          max=${this.today}
          .value=${this.date}
          @change=${(event: Event) => {
            const day = (event.target as HTMLInputElement).value;
            if (isDate(day)) this.go(day);
          }}
        />
        <button type="button" aria-label=${t("energy.after")} ?disabled=${next > this.today} @click=${() => this.go(next)}>
          <hearth-icon .path=${mdiChevronRight}></hearth-icon>
        </button>
      </div>
      <p class="shown" role="status">${this.shownSpan()}</p>
    </div>`;
  }
}
