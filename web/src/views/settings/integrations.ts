// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { IntegrationStatus } from "../../api/types";
import { PollController } from "../../elements/controllers";
import { formatDateTime, formatRelative, maybeT, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

const interval = 5000;

// Where entities come from, and whether that works.
@customElement("hearth-integrations")
export class Integrations extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private integrations: IntegrationStatus[] | undefined;
  @state() private failure: unknown;

  static override styles = [
    shared,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        padding: 0.6rem 0;
        border-bottom: 1px solid var(--border);
        overflow-wrap: anywhere;
      }

      li:last-child {
        border-bottom: 0;
      }

      .failed {
        background: var(--danger-soft);
        color: var(--text);
      }

      p {
        margin: 0.3rem 0 0;
      }
    `,
  ];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  private async load(): Promise<void> {
    try {
      this.integrations = await this.home.rest<IntegrationStatus[]>("GET", "/api/integrations");
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  override render() {
    return html`<div class="stack">
      <h2>${t("integrations.heading")}</h2>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.failure)}</p>`}
      ${this.integrations ? this.list(this.integrations) : nothing}
    </div>`;
  }

  private list(integrations: IntegrationStatus[]): TemplateResult {
    if (integrations.length === 0) return html`<p class="muted">${t("integrations.none")}</p>`;
    return html`<ul>
      ${integrations.map((integration) => this.item(integration))}
    </ul>`;
  }

  private item({ name, state, since, error, retry_at, attempts, failures, last_failure }: IntegrationStatus): TemplateResult {
    const begun = new Date(since);
    return html`<li>
      <div class="spread">
        <strong>${name}</strong>
        <span class="badge ${state}">${maybeT(`integrations.state.${state}`) ?? state}</span>
      </div>
      <p class="hint">
        ${t("integrations.since")} <time datetime=${since}>${formatDateTime(begun, this.home.configuration.time_zone)}</time>,
        ${formatRelative(begun)}
      </p>
      ${error === null ? nothing : html`<p>${t("integrations.error", { reason: error })}</p>`}
      ${retry_at === null ? nothing : html`<p>${t("integrations.retry", { count: attempts, time: formatRelative(new Date(retry_at)) })}</p>`}
      ${failures === 0 ? nothing : html`<p>${t("integrations.failures", { count: failures, reason: last_failure ?? "" })}</p>`}
    </li>`;
  }
}
