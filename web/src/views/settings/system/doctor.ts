// SPDX-License-Identifier: Apache-2.0
import { mdiStethoscope } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Diagnosis, DoctorReport } from "../../../api/types";
import { formatDateTime, maybeT, t } from "../../../i18n/catalogue";
import { faultMessage } from "../../../i18n/hub_messages";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/icon";

const moment = /\d{4}-\d\d-\d\dT[\d:.]+\+00:00/;
const gravity = { bad: 0, warning: 1, good: 2 };

// The same as `hearth doctor`: what is wrong with the hub's home and machine comes first, with what to do.
@customElement("hearth-doctor")
export class Doctor extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private report: DoctorReport | undefined;
  @state() private failure: unknown;
  @state() private underWay = false;

  static override styles = [
    shared,
    lined,
    css`
      .bad {
        background: var(--danger-soft);
        color: var(--text);
      }

      .warning {
        background: var(--warning-soft);
        color: var(--text);
      }

      p {
        margin: 0.3rem 0 0;
      }

      summary {
        cursor: pointer;
      }
    `,
  ];

  private async examine(): Promise<void> {
    this.underWay = true;
    this.failure = undefined;
    try {
      this.report = await this.home.command<DoctorReport>("hearth/doctor");
    } catch (failure) {
      this.failure = failure;
    }
    this.underWay = false;
  }

  override render() {
    return html`<div class="stack">
      <h2>${t("doctor.heading")}</h2>
      <p class="hint">${t("doctor.hint")}</p>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.failure)}</p>`}
      <div aria-live="polite" aria-busy=${this.underWay}>${this.report ? this.content(this.report) : nothing}</div>
      <div class="row">
        <button type="button" ?disabled=${this.underWay} @click=${() => void this.examine()}>
          ${this.underWay ? html`<span class="spinner"></span>` : html`<hearth-icon .path=${mdiStethoscope}></hearth-icon>`}
          ${t(this.underWay ? "doctor.underWay" : this.report ? "doctor.again" : "doctor.begin")}
        </button>
      </div>
    </div>`;
  }

  private content({ diagnoses }: DoctorReport): TemplateResult {
    const found = diagnoses.filter(({ grade }) => grade !== "good").sort((one, other) => gravity[one.grade] - gravity[other.grade]);
    const fine = diagnoses.filter(({ grade }) => grade === "good");
    return html`<p>${found.length === 0 ? t("doctor.good") : t("doctor.found", { count: found.length })}</p>
      ${found.length === 0
        ? nothing
        : html`<ul>
            ${found.map((each) => this.item(each))}
          </ul>`}
      ${fine.length === 0
        ? nothing
        : html`<details>
            <summary>${t("doctor.fine", { count: fine.length })}</summary>
            <ul>
              ${fine.map((each) => this.item(each))}
            </ul>
          </details>`}`;
  }

  private item({ check, grade, text, advice }: Diagnosis): TemplateResult {
    return html`<li>
      <div class="spread">
        <strong>${maybeT(`doctor.check.${check}`) ?? check}</strong>
        ${grade === "good" ? nothing : html`<span class="badge ${grade}">${t(`doctor.grade.${grade}`)}</span>`}
      </div>
      <p>${this.sentence(text)}</p>
      ${advice ? html`<p class="hint">${faultMessage(advice)}</p>` : nothing}
    </li>`;
  }

  // The hub's words stand behind a colon on its command line.
  private sentence(text: string): string {
    const zone = this.home.configuration.time_zone;
    return faultMessage(text)
      .replace(moment, (time) => formatDateTime(new Date(time), zone))
      .replace(/^\p{Ll}+(?= )/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  }
}
