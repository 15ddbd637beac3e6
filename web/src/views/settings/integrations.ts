// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { IntegrationStatus } from "../../api/types";
import { Polled } from "../../elements/controllers";
import { formatDateTime, formatRelative, maybeT, t } from "../../i18n/catalogue";
import { lined } from "../../styles/lists";
import { shared } from "../../styles/shared";

const interval = 5000;

// Where entities come from, and whether that works.
@customElement("hearth-integrations")
export class Integrations extends LitElement {
  @property({ attribute: false }) home!: Home;
  private readonly integrations = new Polled(this, interval, () => this.home.rest<IntegrationStatus[]>("GET", "/api/integrations"));

  static override styles = [
    shared,
    lined,
    css`
      .failed {
        background: var(--danger-soft);
        color: var(--text);
      }

      p {
        margin: 0.3rem 0 0;
      }
    `,
  ];

  override render() {
    const { value, failure } = this.integrations;
    return html`<div class="stack">
      <h2>${t("integrations.heading")}</h2>
      ${failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(failure)}</p>`}
      ${value ? this.list(value) : nothing}
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
      ${retry_at === null
        ? nothing
        : html`<p>${t("integrations.retry", { count: attempts, time: formatRelative(new Date(retry_at)) })}</p>`}
      ${failures === 0 ? nothing : html`<p>${t("integrations.failures", { count: failures, reason: last_failure ?? "" })}</p>`}
    </li>`;
  }
}
