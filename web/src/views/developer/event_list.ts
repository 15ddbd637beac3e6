// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import type { HubEvent } from "../../api/types";
import { formatTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { EventLog, most, type Heard } from "./event_log";
import "../../elements/action";
import "./json_view";

// What users who are no administrators may hear (docs/websocket.md).
const forEveryone = [
  "state_changed",
  "area_registry_updated",
  "component_loaded",
  "core_config_updated",
  "device_registry_updated",
  "entity_registry_updated",
  "floor_registry_updated",
  "label_registry_updated",
  "panels_updated",
  "service_registered",
  "service_removed",
  "themes_updated",
];

// With hundreds of events a second, the list is drawn this often. Milliseconds.
const drawInterval = 250;

function stateOf(value: unknown): string {
  return typeof value === "object" && value !== null && "state" in value ? String(value.state) : "–";
}

// One line of what an event says.
function brief({ event_type: type, data }: HubEvent): string {
  if (type === "state_changed") return `${String(data.entity_id)}: ${stateOf(data.old_state)} → ${stateOf(data.new_state)}`;
  if (type === "call_service") return `${String(data.domain)}.${String(data.service)} ${JSON.stringify(data.service_data)}`.slice(0, 140);
  const text = JSON.stringify(data);
  return text === "{}" ? "" : text.slice(0, 140);
}

// Listens to events as they happen.
@customElement("hearth-event-list")
export class EventList extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private type = "";
  @state() private listening = false;
  @state() private problem = "";
  @state() private known: string[] = [];
  @state() private open = new Set<number>();
  private log = new EventLog();
  private stop: Unsubscribe | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  // Which of several starts is the one that counts.
  private turn = 0;

  static override styles = [
    shared,
    css`
      .controls {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        gap: 0.8rem;
        align-items: end;
      }

      .controls input,
      .controls select {
        margin-top: 0.3rem;
      }

      .buttons {
        grid-column: 1 / -1;
      }

      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        border-top: 1px solid var(--border);
      }

      summary {
        display: grid;
        grid-template-columns: 6.8rem minmax(7rem, 13rem) minmax(0, 1fr);
        gap: 0 0.9rem;
        padding: 0.5rem 0.3rem;
        cursor: pointer;
      }

      summary > * {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      time {
        color: var(--text-2);
        font-variant-numeric: tabular-nums;
      }

      summary code {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      hearth-json-view {
        padding: 0.2rem 0.3rem 0.9rem;
      }

      @media (max-width: 52rem) {
        .controls {
          grid-template-columns: minmax(0, 1fr);
        }

        summary {
          grid-template-columns: auto minmax(0, 1fr);
        }

        summary code {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.home.user.is_admin) this.type = forEveryone[0] as string;
    else void this.loadTypes();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.end();
    clearTimeout(this.drawing);
    this.drawing = undefined;
  }

  private async loadTypes(): Promise<void> {
    const types = await this.home.rest<{ event: string }[]>("GET", "/api/events").catch(() => []);
    const own = ["call_service", "platform_start", "platform_stop"];
    this.known = [...new Set([...forEveryone, ...own, ...types.map(({ event }) => event)])].filter((type) => type !== "*").sort();
  }

  private async begin(): Promise<void> {
    this.problem = "";
    const turn = ++this.turn;
    const event_type = this.type.trim();
    try {
      const unsubscribe = await this.home.connection.subscribeMessage<HubEvent>((event) => turn === this.turn && this.hear(event), {
        type: "subscribe_events",
        ...(event_type && { event_type }),
      });
      const stop = () => void Promise.resolve(unsubscribe()).catch(() => undefined); // where the connection is lost, so is the subscription
      if (turn !== this.turn) return stop();
      this.stop = stop;
      this.listening = true;
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  private end(): void {
    this.turn += 1;
    this.stop?.();
    this.stop = undefined;
    this.listening = false;
    if (this.log.paused) this.log.resume();
  }

  private hear(event: HubEvent): void {
    this.log.add(event);
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      this.requestUpdate();
    }, drawInterval);
  }

  private pause(): void {
    if (this.log.paused) this.log.resume();
    else this.log.paused = true;
    this.requestUpdate();
  }

  private clear(): void {
    this.log.clear();
    this.open = new Set();
  }

  private toggle(number: number, event: Event): void {
    const open = new Set(this.open);
    if ((event.target as HTMLDetailsElement).open) open.add(number);
    else open.delete(number);
    this.open = open;
  }

  override render() {
    const { shown, paused, waitingCount } = this.log;
    return html`<section class="card stack" aria-labelledby="heading">
      <h2 id="heading">${t("developer.listen")}</h2>
      <div class="controls">
        <label>${t("developer.listenTo")} ${this.home.user.is_admin ? this.anyType() : this.someTypes()}</label>
        <label>
          ${t("developer.filter")}
          <input
            type="search"
            placeholder=${t("developer.eventFilterHint")}
            @input=${(event: Event) => {
              this.log.filter = (event.target as HTMLInputElement).value;
              this.requestUpdate();
            }}
          />
        </label>
        <div class="row buttons">
          ${this.listening
            ? html`<button type="button" @click=${() => this.end()}>${t("developer.stopListening")}</button>
                <button type="button" aria-pressed=${paused ? "true" : "false"} @click=${() => this.pause()}>
                  ${paused ? t("developer.resume") : t("developer.pause")}
                </button>`
            : html`<hearth-action look="primary" .label=${t("developer.startListening")} .run=${() => this.begin()}></hearth-action>`}
          <button type="button" ?disabled=${shown.length === 0 && waitingCount === 0} @click=${() => this.clear()}>
            ${t("developer.clear")}
          </button>
        </div>
      </div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <p class="muted" role="status">${this.status()}</p>
      ${paused && waitingCount > 0
        ? html`<p class="notice">
            ${t("developer.waiting", { count: waitingCount })} ${waitingCount > most ? t("developer.waitingLast", { most }) : nothing}
          </p>`
        : nothing}
      <ol>
        ${repeat(
          shown,
          ({ number }) => number,
          (heard) => this.line(heard),
        )}
      </ol>
    </section>`;
  }

  private status(): string {
    if (!this.listening) return this.log.shown.length > 0 ? t("developer.stopped") : t("developer.notListening", { most });
    if (this.log.paused) return t("developer.paused");
    return this.log.shown.length > 0 ? t("developer.hearing", { most }) : t("developer.waitingForFirst");
  }

  private anyType(): TemplateResult {
    return html`<input
        class="mono"
        list="types"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        placeholder=${t("developer.allEvents")}
        ?disabled=${this.listening}
        .value=${this.type}
        @input=${(event: Event) => (this.type = (event.target as HTMLInputElement).value)}
      /><datalist id="types">${this.known.map((type) => html`<option value=${type}></option>`)}</datalist>`;
  }

  private someTypes(): TemplateResult {
    return html`<select ?disabled=${this.listening} @change=${(event: Event) => (this.type = (event.target as HTMLSelectElement).value)}>
      ${forEveryone.map((type) => html`<option value=${type} ?selected=${type === this.type}>${type}</option>`)}
    </select>`;
  }

  private line({ number, event }: Heard): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const time = formatTime(new Date(event.time_fired), zone, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
      hourCycle: "h23",
    });
    const open = this.open.has(number);
    return html`<li>
      <details .open=${open} @toggle=${(change: Event) => this.toggle(number, change)}>
        <summary>
          <time datetime=${event.time_fired}>${time}</time>
          <b>${event.event_type}</b>
          <code>${brief(event)}</code>
        </summary>
        ${open
          ? html`<hearth-json-view .label=${event.event_type} .text=${JSON.stringify(event, null, 2)}></hearth-json-view>`
          : nothing}
      </details>
    </li>`;
  }
}
