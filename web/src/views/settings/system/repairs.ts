// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Issue } from "../../../api/types";
import { Polled } from "../../../elements/controllers";
import { attempt } from "../../../elements/notify";
import { formatRelative, maybeT, t } from "../../../i18n/catalogue";
import { faultMessages } from "../../../i18n/hub_messages";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";

const interval = 5000;

// The issues of the home, and the advice. An ignored one comes last.
@customElement("hearth-repairs")
export class Repairs extends LitElement {
  @property({ attribute: false }) home!: Home;
  private readonly issues = new Polled(this, interval, async () => {
    const { issues } = await this.home.command<{ issues: Issue[] }>("repairs/list_issues");
    return issues.sort((one, other) => Number(one.ignored) - Number(other.ignored));
  });

  static override styles = [
    shared,
    lined,
    css`
      .error,
      .critical {
        background: var(--danger-soft);
        color: var(--text);
      }

      .ignored strong {
        color: var(--text-2);
      }

      p {
        margin: 0.3rem 0 0;
        white-space: pre-line;
      }

      p + .spread {
        margin-top: 0.5rem;
      }
    `,
  ];

  private async ignore({ domain, issue_id, ignored }: Issue): Promise<void> {
    await attempt(() => this.home.command("repairs/ignore_issue", { domain, issue_id, ignore: !ignored }));
    await this.issues.again();
  }

  override render() {
    const { value, failure } = this.issues;
    return html`<div class="stack">
      <h2>${t("repairs.heading")}</h2>
      ${failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(failure)}</p>`}
      ${value?.length === 0 ? html`<p class="muted">${t("repairs.none")}</p>` : nothing}
      ${value?.length
        ? html`<ul>
            ${value.map((issue) => this.item(issue))}
          </ul>`
        : nothing}
    </div>`;
  }

  private item(issue: Issue): TemplateResult {
    const { severity, translation_key: kind, translation_placeholders: given, created, ignored } = issue;
    const details = { ...given, ...(given.error !== undefined && { error: faultMessages(given.error) }) };
    return html`<li class=${ignored ? "ignored" : ""}>
      <div class="spread">
        <strong>${maybeT(`repairs.${kind}.title`, details) ?? kind}</strong>
        <span class="badge ${ignored ? "" : severity}"
          >${ignored ? t("repairs.ignored") : (maybeT(`repairs.severity.${severity}`) ?? severity)}</span
        >
      </div>
      <p>${maybeT(`repairs.${kind}.text`, details) ?? nothing}</p>
      <div class="spread">
        <p class="hint"><time datetime=${created}>${formatRelative(new Date(created))}</time></p>
        <button type="button" @click=${() => void this.ignore(issue)}>${ignored ? t("repairs.heed") : t("repairs.ignore")}</button>
      </div>
    </li>`;
  }
}
