// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { formatTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { EventLog, most, type Heard } from "./event_log";
import "../../elements/action";

// With hundreds a second, the list is drawn this often. Milliseconds.
const drawInterval = 250;

export interface Line {
  // When it came, as ISO 8601.
  time: string;
  name: string;
  brief: string;
  // All of it; asked for if the line is open.
  whole: () => TemplateResult;
}

interface Words {
  heading: string;
  filterHint: string;
  notListening: string;
  // How many wait while the list is paused.
  waiting: (count: number) => string;
}

// Shows what the hub tells as it comes, while somebody listens: with a filter, and a pause in which nothing moves.
export abstract class LiveList<Event> extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() protected listening = false;
  @state() private problem = "";
  @state() private open = new Set<number>();
  private stop: Unsubscribe | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  // Which of several starts is the one that counts.
  private turn = 0;

  protected abstract readonly log: EventLog<Event>;
  protected abstract readonly words: Words;

  // The message that asks the hub to tell.
  protected abstract question(): { type: string } & Record<string, unknown>;
  // The field in which one chooses what to listen to.
  protected abstract choice(): TemplateResult;
  protected abstract line(event: Event): Line;

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
        grid-template-columns: 6.8rem minmax(7rem, var(--name-width, 13rem)) minmax(0, 1fr);
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

      .more {
        display: grid;
        gap: 0.5rem;
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

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.end();
    clearTimeout(this.drawing);
    this.drawing = undefined;
  }

  private async begin(): Promise<void> {
    this.problem = "";
    this.begun();
    const turn = ++this.turn;
    try {
      const unsubscribe = await this.home.connection.subscribeMessage<Event>(
        (event) => turn === this.turn && this.hear(event),
        this.question(),
      );
      const stop = () => void Promise.resolve(unsubscribe()).catch(() => undefined); // a lost connection has no subscription
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

  // Forgets what was said of an earlier time.
  protected begun(): void {}

  protected hear(event: Event): void {
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
    this.begun();
    this.open = new Set();
  }

  private toggle(number: number, event: { target: EventTarget | null }): void {
    const open = new Set(this.open);
    if ((event.target as HTMLDetailsElement).open) open.add(number);
    else open.delete(number);
    this.open = open;
  }

  // The notes about the list.
  protected note(): TemplateResult | typeof nothing {
    return nothing;
  }

  override render() {
    const { shown, paused, waitingCount } = this.log;
    const { heading, filterHint, waiting } = this.words;
    return html`<section class="card stack" aria-labelledby="heading">
      <h2 id="heading">${heading}</h2>
      <div class="controls">
        ${this.choice()}
        <label>
          ${t("developer.filter")}
          <input
            type="search"
            placeholder=${filterHint}
            @input=${({ target }: InputEvent) => {
              this.log.filter = (target as HTMLInputElement).value;
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
      ${this.note()}
      ${paused && waitingCount > 0
        ? html`<p class="notice">${waiting(waitingCount)} ${waitingCount > most ? t("developer.waitingLast", { most }) : nothing}</p>`
        : nothing}
      <ol>
        ${repeat(
          shown,
          ({ number }) => number,
          (heard) => this.item(heard),
        )}
      </ol>
    </section>`;
  }

  private status(): string {
    if (!this.listening) return this.log.shown.length > 0 ? t("developer.stopped") : this.words.notListening;
    if (this.log.paused) return t("developer.paused");
    return this.log.shown.length > 0 ? t("developer.hearing", { most }) : t("developer.waitingForFirst");
  }

  private item({ number, event }: Heard<Event>): TemplateResult {
    const { time, name, brief, whole } = this.line(event);
    const shown = formatTime(new Date(time), this.home.configuration.time_zone, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
      hourCycle: "h23",
    });
    const open = this.open.has(number);
    return html`<li>
      <details .open=${open} @toggle=${(change: ToggleEvent) => this.toggle(number, change)}>
        <summary>
          <time datetime=${time}>${shown}</time>
          <b>${name}</b>
          <code>${brief}</code>
        </summary>
        ${open ? html`<div class="more">${whole()}</div>` : nothing}
      </details>
    </li>`;
  }
}
