// SPDX-License-Identifier: Apache-2.0
import { mdiChevronLeft, mdiChevronRight, mdiMagnifyMinusOutline } from "@mdi/js";
import { mdiDownload } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query as element, state } from "lit/decorators.js";

import { namesOfUsers } from "../../api/cause";
import type { Home, Unsubscribe } from "../../api/home";
import type { Zoom } from "../../elements/charts/plot";
import { HomeController } from "../../elements/controllers";
import { download } from "../../elements/download";
import { areaChoices, entityChoices } from "../../elements/home_choices";
import { notifyDone } from "../../elements/notify";
import { TitleController } from "../../elements/title";
import { formatTime, t } from "../../i18n/catalogue";
import { fromWallTime, wallTime } from "../../i18n/wall_time";
import { base, onNavigation, query, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import type { Charts } from "./charts";
import { csvOf } from "./csv";
import { keepChoice } from "./last_choice";
import { lengths, limitsOf, moved, parametersOf, spanOf, widened, type Length, type Span } from "./span";
import "../../elements/icon";
import "../../elements/fields/picker";
import "../../elements/fields/segments";
import "./charts";
import "./logbook";
import "./offers";
import "./own_span";

type View = "charts" | "logbook";

// The past: `?entity=a,b&span=24h` in the address, or `from` and `to` instead of `span`; as charts, or with `view=logbook` as what
// happened, of these entities or of the room in `area`.
@customElement("hearth-history")
export class History extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private ids: string[] = [];
  @state() private area = "";
  // The user whose deeds the logbook shows, and the names of all.
  @state() private person = "";
  @state() private users = new Map<string, string>();
  @state() private view: View = "charts";
  @state() private span: Span = { length: "24h" };
  // True if the fields of a span of one's own are there.
  @state() private own = false;
  @element("hearth-charts") private charts!: Charts | null;
  // The first values of these fields; they do not move on while somebody writes.
  private offered = { start: 0, end: 0 };
  private stop: Unsubscribe | undefined;

  static override styles = [
    shared,
    css`
      .controls {
        display: grid;
        gap: 1rem;
        margin: 1rem 0 1.2rem;
      }

      .who {
        display: grid;
        grid-template-columns: minmax(0, 1fr) repeat(2, minmax(0, 13rem));
        gap: 1rem;
        align-items: end;
      }

      .who label {
        display: grid;
        gap: 0.3rem;
      }

      .when {
        gap: 0.5rem 0.8rem;
      }

      .day {
        width: auto;
        max-width: 10.5rem;
      }

      .steps {
        flex-wrap: nowrap;
      }

      .when .shown {
        color: var(--text-2);
        font-variant-numeric: tabular-nums;
      }

      .narrow {
        display: none;
      }

      .printed {
        display: none;
      }

      /* Paper has what was chosen, not what chooses. */
      @media print {
        .controls {
          display: none;
        }

        .printed {
          display: block;
          margin: 0.5rem 0 1rem;
          color: var(--text-2);
        }
      }

      /* One row of choices, so that what they show begins soon. */
      @media (max-width: 40rem) {
        .wide {
          display: none;
        }

        .narrow {
          display: block;
        }

        select.narrow {
          flex: 1;
          width: auto;
          min-width: 4.5rem;
          padding-inline: 0.6rem;
        }

        .controls {
          gap: 0.6rem;
          margin: 0.6rem 0 0.8rem;
        }

        .when,
        .steps {
          gap: 0.3rem;
        }

        .when .shown {
          flex-basis: 100%;
        }

        /* Its calendar only: the time that is shown stands below. */
        .steps .day {
          flex: none;
          width: 2.75rem;
          padding-inline: 0.7rem;
        }

        .steps .day::-webkit-datetime-edit {
          display: none;
        }

        .steps .day::-webkit-calendar-picker-indicator {
          margin: 0;
        }

        .who {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .who > :first-child {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 1, () => (this.view === "logbook" ? t("history.view.logbook") : ""));
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = onNavigation(() => this.readAddress());
    this.readAddress();
    this.own = !("length" in this.span);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override firstUpdated(): void {
    void namesOfUsers(this.home).then((users) => (this.users = users));
  }

  private readAddress(): void {
    if (!location.pathname.startsWith(`${base}/history`)) return;
    const parameters = query();
    this.ids = [...new Set((parameters.get("entity") ?? "").split(",").filter(Boolean))];
    this.area = parameters.get("area") ?? "";
    this.view = parameters.get("view") === "logbook" ? "logbook" : "charts";
    this.person = parameters.get("user") ?? "";
    this.span = spanOf(parameters);
    if ("length" in this.span) this.own = false;
    this.offered = limitsOf(this.span, Date.now() / 1000);
    if (this.ids.length > 0 && this.view === "charts") {
      const span = Object.fromEntries([...parameters].filter(([name]) => ["span", "from", "to"].includes(name)));
      keepChoice({ ids: this.ids, span });
    }
  }

  private chooseSpan(id: string): void {
    this.own = id === "own";
    this.offered = limitsOf(this.span, Date.now() / 1000);
    if (id !== "own") this.go({ length: id as Length });
  }

  private go(span: Span): void {
    setQuery(parametersOf(span));
  }

  private export(): void {
    const zone = this.home.configuration.time_zone;
    const series = this.charts?.series() ?? [];
    const name = `history-${wallTime(Date.now() / 1000, zone).slice(0, 10)}.csv`;
    download(name, csvOf(series, zone));
    const isEmpty = series.every(({ samples }) => samples.length === 0);
    notifyDone(isEmpty ? t("history.exportedEmpty") : t("history.exported", { name }));
  }

  override render() {
    const isCharts = this.view === "charts";
    return html`
      <div class="spread">
        <h1>${t("page.history")}</h1>
        <div class="row">
          ${isCharts
            ? html`<button type="button" class="wide" ?disabled=${this.ids.length === 0} @click=${() => this.export()}>
                ${t("history.exportCsv")}
              </button>`
            : nothing}
          <hearth-segments
            .label=${t("history.view")}
            .options=${(["charts", "logbook"] as const).map((id) => ({ id, name: t(`history.view.${id}`) }))}
            .chosen=${this.view}
            @choose=${({ detail }: CustomEvent<string>) =>
              setQuery({ view: detail === "logbook" ? detail : undefined, area: undefined, user: undefined })}
          ></hearth-segments>
        </div>
      </div>
      <div class="controls">${this.who()} ${this.when()}</div>
      <p class="printed">${this.printed()}</p>
      ${this.content()}
    `;
  }

  private who(): TemplateResult {
    return html`<div class=${this.view === "logbook" ? "who" : ""}>
      <hearth-picker
        multiple
        .label=${t("history.entities")}
        .placeholder=${t("history.entitiesHint")}
        .chosen=${this.ids}
        .choices=${() => entityChoices(this.home)}
        .nameOf=${(id: string) => this.home.nameOf(id)}
        @change-chosen=${({ detail }: CustomEvent<string[]>) => setQuery({ entity: detail.join(",") || undefined })}
      ></hearth-picker>
      ${this.view === "logbook" ? html`${this.room()} ${this.persons()}` : nothing}
    </div>`;
  }

  private room(): TemplateResult {
    return html`<label>
      ${t("history.room")}
      <select @change=${(event: Event) => setQuery({ area: (event.target as HTMLSelectElement).value || undefined })}>
        <option value="" ?selected=${this.area === ""}>${t("history.allRooms")}</option>
        ${areaChoices(this.home).map(({ id, name }) => html`<option value=${id} ?selected=${id === this.area}>${name}</option>`)}
      </select>
    </label>`;
  }

  private persons(): TemplateResult {
    const { user } = this.home;
    const users = this.users.size > 0 ? [...this.users] : [[user.id, user.name] as [string, string]];
    return html`<label>
      ${t("logbook.person")}
      <select @change=${(event: Event) => setQuery({ user: (event.target as HTMLSelectElement).value || undefined })}>
        <option value="" ?selected=${this.person === ""}>${t("logbook.allPersons")}</option>
        ${users.map(([id, name]) => html`<option value=${id} ?selected=${id === this.person}>${name}</option>`)}
      </select>
    </label>`;
  }

  // A whole day, by the home's clocks.
  private day(): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const { start } = limitsOf(this.span, Date.now() / 1000);
    const isDay = !("length" in this.span);
    const choose = (event: Event) => {
      const day = (event.target as HTMLInputElement).value;
      const from = fromWallTime(`${day}T00:00`, zone);
      if (Number.isNaN(from)) return;
      const next = new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      this.go({ from, to: fromWallTime(`${next}T00:00`, zone) });
    };
    return html`<input
      type="date"
      class="day"
      aria-label=${t("history.day")}
      title=${t("history.day")}
      max=${wallTime(Date.now() / 1000, zone).slice(0, 10)}
      .value=${isDay ? wallTime(start, zone).slice(0, 10) : ""}
      @change=${choose}
    />`;
  }

  private when(): TemplateResult {
    const now = Date.now() / 1000;
    const isNow = "length" in this.span;
    const options = [...Object.keys(lengths), "own"].map((id) => ({ id, name: t(`history.span.${id as Length | "own"}`) }));
    const chosen = this.own ? "own" : "length" in this.span ? this.span.length : "";
    return html`<div class="row when">
        <hearth-segments
          class="wide"
          .label=${t("history.span")}
          .options=${options}
          .chosen=${chosen}
          @choose=${(event: CustomEvent<string>) => this.chooseSpan(event.detail)}
        ></hearth-segments>
        <select
          class="narrow"
          aria-label=${t("history.span")}
          @change=${(event: Event) => this.chooseSpan((event.target as HTMLSelectElement).value)}
        >
          ${chosen === "" ? html`<option value="" selected disabled>${t("history.day")}</option>` : nothing}
          ${options.map(({ id, name }) => html`<option value=${id} .selected=${id === chosen}>${name}</option>`)}
        </select>
        <div class="row steps">
          ${this.step(mdiChevronLeft, t("history.earlier"), () => this.go(moved(this.span, -1, now)))}
          ${this.step(mdiChevronRight, t("history.later"), () => this.go(moved(this.span, 1, now)), isNow)} ${this.day()}
          ${this.step(mdiMagnifyMinusOutline, t("history.zoomOut"), () => this.go(widened(this.span, now)))}
          ${this.view === "charts"
            ? html`<span class="narrow export"
                >${this.step(mdiDownload, t("history.exportCsv"), () => this.export(), this.ids.length === 0)}</span
              >`
            : nothing}
        </div>
        ${isNow || this.own ? nothing : html`<span class="shown">${this.shown()}</span>`}
      </div>
      ${this.own
        ? html`<hearth-own-span
            .start=${this.offered.start}
            .end=${this.offered.end}
            .timeZone=${this.home.configuration.time_zone}
            @choose=${({ detail }: CustomEvent<Zoom>) => this.go(detail)}
          ></hearth-own-span>`
        : nothing}`;
  }

  private step(icon: string, label: string, run: () => void, disabled = false): TemplateResult {
    return html`<button type="button" class="round" title=${label} aria-label=${label} ?disabled=${disabled} @click=${run}>
      <hearth-icon .path=${icon}></hearth-icon>
    </button>`;
  }

  private shown(): string {
    const { start, end } = limitsOf(this.span, Date.now() / 1000);
    const zone = this.home.configuration.time_zone;
    const text = (seconds: number) => formatTime(new Date(seconds * 1000), zone, { dateStyle: "medium", timeStyle: "short" });
    return `${text(start)} – ${text(end)}`;
  }

  // The choice of the pickers as text, for paper.
  private printed(): string {
    const { ids, area, person, home } = this;
    const isLogbook = this.view === "logbook";
    const chosen = [
      ...(isLogbook ? ids.map((id) => home.nameOf(id)) : []),
      ...(isLogbook && area ? [home.areas.get(area)?.name ?? area] : []),
      ...(isLogbook && person ? [this.users.get(person) ?? person] : []),
    ];
    return [this.shown(), ...chosen].join(" · ");
  }

  private content(): TemplateResult {
    if (this.view === "logbook") {
      return html`<hearth-logbook
        .home=${this.home}
        .ids=${this.ids}
        .area=${this.area}
        .person=${this.person}
        .span=${this.span}
      ></hearth-logbook>`;
    }
    if (this.ids.length === 0) return html`<hearth-history-offers .home=${this.home}></hearth-history-offers>`;
    return html`<hearth-charts
      .home=${this.home}
      .ids=${this.ids}
      .span=${this.span}
      @zoom=${({ detail }: CustomEvent<Zoom>) => this.go({ from: Math.floor(detail.from), to: Math.ceil(detail.to) })}
    ></hearth-charts>`;
  }
}
