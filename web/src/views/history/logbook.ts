// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { causeOfEntry } from "../../api/cause";
import { deviceName } from "../../api/devices";
import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { HomeController } from "../../elements/controllers";
import { formatTime, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import { whatText, withAdded, type Entry, type Row } from "./logbook_words";
import { entitiesOfArea } from "./offers";
import { limitsOf, parametersOf, type Span } from "./span";

// So many of the newest entries are kept, and shown at first and with each "show more".
const mostKept = 5000;
const page = 100;

interface Message {
  events: Entry[];
  // More of what was is coming.
  partial?: boolean;
}

type Told = Entry & { cause: string | undefined };

// The changes in the home, and the person or thing behind them, the latest first; they go on as things happen. Of the entities in `ids` and of
// those in the room `area`, or of all if neither is given.
@customElement("hearth-logbook")
export class Logbook extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) ids: string[] = [];
  @property() area = "";
  // The id of a user; of all if it is empty.
  @property() person = "";
  @property({ attribute: false }) span: Span = { length: "24h" };
  @state() private entries: Told[] = []; // oldest first
  @state() private count = page;
  @state() private isLoading = true;
  @state() private problem = "";
  private stop: Unsubscribe | undefined;
  // Ends the subscription, as soon as there is one; what comes of an earlier one is dropped.
  private end: (() => void) | undefined;
  private turn = 0;
  // Entries are put in the order in which they came.
  private last: Promise<void> = Promise.resolve();

  static override styles = [
    shared,
    css`
      h2 {
        margin: 1.4rem 0 0.4rem;
        font-size: 1rem;
      }

      h2:first-child {
        margin-top: 0;
      }

      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        grid-template-columns: minmax(5.6rem, auto) minmax(0, 1fr);
        gap: 0 1rem;
        padding: 0.45rem 0;
        border-bottom: 1px solid var(--border);
      }

      li:last-child {
        border-bottom: 0;
      }

      time {
        color: var(--text-2);
        font-variant-numeric: tabular-nums;
      }

      .what {
        overflow-wrap: anywhere;
      }

      a {
        color: inherit;
        font-weight: 600;
      }

      .more {
        margin-top: 0.8rem;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.home.on("connection", () => this.home.connectionState === "connected" && this.begin());
    if (this.hasUpdated) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.leave();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (["ids", "area", "span"].some((name) => changes.has(name))) this.begin();
  }

  private leave(): void {
    this.turn += 1;
    this.end?.();
    this.end = undefined;
  }

  private begin(): void {
    this.leave();
    const turn = this.turn;
    this.entries = [];
    this.count = page;
    this.isLoading = true;
    this.problem = "";
    const { start, end } = limitsOf(this.span, Date.now() / 1000);
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    const ids = [...new Set([...this.ids, ...(this.area ? entitiesOfArea(this.home, this.area) : [])])];
    const subscribed = this.home.connection.subscribeMessage<Message>(
      (message) => this.hear(message, turn),
      {
        type: "logbook/event_stream",
        start_time: iso(start),
        ...(!("length" in this.span) && { end_time: iso(end) }),
        ...((this.ids.length > 0 || this.area) && { entity_ids: ids }),
      },
      { resubscribe: false },
    );
    this.end = () => void subscribed.then((stop) => stop()).catch(() => undefined);
    subscribed.catch((error: unknown) => {
      if (turn !== this.turn) return;
      this.problem = errorText(error);
      this.isLoading = false;
    });
  }

  private hear({ events, partial }: Message, turn: number): void {
    this.last = this.last.then(async () => {
      const causes = await Promise.all(events.map((entry) => causeOfEntry(this.home, entry)));
      if (turn !== this.turn) return;
      this.entries = [...this.entries, ...events.map((entry, index) => ({ ...entry, cause: causes[index] }))].slice(-mostKept);
      this.isLoading = this.isLoading && partial === true;
    });
  }

  // The state of an entity at that time, as far as the logbook tells.
  private stateAt(id: string, when: number): string | undefined {
    for (let index = this.entries.length - 1; index >= 0; index -= 1) {
      const entry = this.entries[index] as Told;
      if (entry.entity_id === id && entry.state !== undefined && entry.when <= when) return entry.state;
    }
    return undefined;
  }

  // Of the person alone: what this user did, and where their person went.
  private get wanted(): Told[] {
    const { person } = this;
    if (!person) return this.entries;
    return this.entries.filter(
      ({ context_user_id, entity_id }) =>
        context_user_id === person || (entity_id !== undefined && this.home.entity(entity_id)?.attributes.user_id === person),
    );
  }

  override render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    const rows = withAdded(this.home, this.wanted);
    if (rows.length === 0) {
      return html`<div class="card"><p class="muted" role="status">${this.isLoading ? t("app.loading") : t("logbook.nothing")}</p></div>`;
    }
    const shown = rows.slice(-this.count).reverse();
    const zone = this.home.configuration.time_zone;
    const days = new Map<string, Row<Told>[]>();
    for (const entry of shown) {
      const day = formatTime(new Date(entry.when * 1000), zone, { dateStyle: "full" });
      days.set(day, [...(days.get(day) ?? []), entry]);
    }
    return html`<div class="card">
      ${[...days].map(
        ([day, entries]) =>
          html`<h2>${day}</h2>
            <ol>
              ${entries.map((entry) => this.entry(entry))}
            </ol>`,
      )}
      ${rows.length > this.count
        ? html`<button type="button" class="more" @click=${() => (this.count += page)}>${t("entity.showMore")}</button>`
        : nothing}
      ${this.isLoading ? html`<p class="muted" role="status">${t("app.loading")}</p>` : nothing}
    </div>`;
  }

  private entry(entry: Row<Told>): TemplateResult {
    if ("added" in entry) return this.added(entry);
    const { entity_id, when, cause } = entry;
    const zone = this.home.configuration.time_zone;
    const time = new Date(when * 1000);
    const name = entity_id && this.home.entity(entity_id) ? this.home.nameOf(entity_id) : entry.name;
    return html`<li>
      <time datetime=${time.toISOString()}>${formatTime(time, zone)}</time>
      <span class="what">
        ${entity_id ? html`<a href=${this.chartsOf(entity_id)}>${name}</a>` : html`<strong>${name}</strong>`}
        ${whatText(this.home, entry, (id) => this.stateAt(id, when))} ${cause ? html`<span class="muted">· ${cause}</span>` : nothing}
      </span>
    </li>`;
  }

  private added({ added, when, names }: Exclude<Row<Told>, Told>): TemplateResult {
    const time = new Date(when * 1000);
    const device = this.home.devices.get(added);
    return html`<li>
      <time datetime=${time.toISOString()}>${formatTime(time, this.home.configuration.time_zone)}</time>
      <span class="what">
        <a href="${base}/settings/devices/${encodeURIComponent(added)}">${device ? deviceName(device) : added}</a> ${t("logbook.added")}
        <span class="muted">· ${names.join(", ")}</span>
      </span>
    </li>`;
  }

  private chartsOf(id: string): string {
    const span = Object.entries(parametersOf(this.span)).filter((one): one is [string, string] => one[1] !== undefined);
    return `${base}/history?${new URLSearchParams([["entity", id], ...span]).toString()}`;
  }
}
