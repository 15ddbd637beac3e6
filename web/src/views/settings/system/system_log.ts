// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { RestError, errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { LogEntry } from "../../../api/types";
import { PollController } from "../../../elements/controllers";
import { formatDateTime, formatRelative, t, type Key } from "../../../i18n/catalogue";
import { faultMessage, withoutPlaces } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import "../../../elements/action";

const interval = 5000;

// The hub's names of its levels, and those here.
const levels: Record<string, Key> = {
  CRITICAL: "log.level.error",
  ERROR: "log.level.error",
  WARNING: "log.level.warning",
  INFO: "log.level.info",
  DEBUG: "log.level.debug",
};

// The least level that is shown.
const filters = ["debug", "warning", "error"] as const;
type Filter = (typeof filters)[number];

// The hub's latest lines, the latest first.
@customElement("hearth-system-log")
export class SystemLog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private entries: LogEntry[] | undefined;
  @state() private filter: Filter = "debug";
  @state() private failure: unknown;

  static override styles = [
    shared,
    css`
      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        grid-template-columns: 6.5rem minmax(0, 1fr);
        gap: 0.2rem 0.9rem;
        padding: 0.6rem 0;
        border-bottom: 1px solid var(--border);
      }

      li:last-child {
        border-bottom: 0;
      }

      .level {
        justify-self: start;
        align-self: start;
      }

      .error {
        background: var(--danger-soft);
        color: var(--text);
      }

      .warning {
        background: var(--warning-soft);
        color: var(--text);
      }

      .message {
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      pre {
        max-height: 20rem;
        margin: 0.4rem 0 0;
        padding: 0.6rem;
        border-radius: var(--radius-small);
        background: var(--surface-2);
        overflow: auto;
        white-space: pre-wrap;
      }

      @media (max-width: 40rem) {
        li {
          grid-template-columns: minmax(0, 1fr);
        }
      }

      select {
        width: auto !important;
      }
    `,
  ];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  private async load(): Promise<void> {
    const level = this.filter;
    try {
      const entries = await this.home.command<LogEntry[]>("system_log/list", { level });
      if (level !== this.filter) return; // something else was chosen meanwhile
      this.entries = entries;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  private choose(filter: string): void {
    this.filter = filter as Filter;
    void this.load();
  }

  private async download(): Promise<void> {
    const response = await this.home.fetch("GET", "/api/error_log");
    if (!response.ok) throw new RestError(response.status, response.statusText);
    const address = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = "hearth.log";
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000); // the browser may still be reading it
  }

  override render() {
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("log.heading")}</h2>
        <div class="row">
          <label for="level">${t("log.show")}</label>
          <select id="level" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
            ${filters.map(
              (filter) => html`<option value=${filter} .selected=${filter === this.filter}>${t(`log.filter.${filter}`)}</option>`,
            )}
          </select>
          <hearth-action .label=${t("log.download")} .run=${() => this.download()}></hearth-action>
        </div>
      </div>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.failure)}</p>`}
      ${this.entries ? this.list(this.entries) : nothing}
    </div>`;
  }

  private list(entries: LogEntry[]): TemplateResult {
    if (entries.length === 0) return html`<p class="muted">${t("log.nothing")}</p>`;
    return html`<ol>
      ${entries.map((entry) => this.entry(entry))}
    </ol>`;
  }

  private entry(entry: LogEntry): TemplateResult {
    const level = levels[entry.level];
    const time = new Date(entry.timestamp * 1000);
    const kind = level === "log.level.error" ? "error" : level === "log.level.warning" ? "warning" : "";
    return html`<li>
      <span class="badge level ${kind}">${level ? t(level) : entry.level}</span>
      <div>
        <div class="message">${entry.message.map((text) => withoutPlaces(faultMessage(text), t("log.part"))).join("\n")}</div>
        <p class="hint">
          <time datetime=${time.toISOString()}>${formatDateTime(time, this.home.configuration.time_zone)}</time>, ${formatRelative(time)} ·
          ${entry.name} ${entry.count > 1 ? html` · ${t("log.times", { count: entry.count })}` : nothing}
        </p>
        ${entry.exception ? html`<pre>${entry.exception}</pre>` : nothing}
      </div>
    </li>`;
  }
}
