// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { defaultOptions, type ImportOptions } from "../../api/imports/imports";
import type { Report } from "../../api/imports/report";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { FormController, formStyles } from "../form";
import { isShutOut } from "./groups";
import "./options_form";
import "./report_view";

// The result of an import before it is made, and the way to make it. Its slot "end" is beside the button that begins it. Fires `changed` with
// the ImportOptions.
@customElement("hearth-import-look")
export class ImportLook extends LitElement {
  @property({ attribute: false }) report!: Report;
  // Nobody lives in this home yet.
  @property({ type: Boolean }) isFirst = false;
  @property({ attribute: false }) start!: (options: ImportOptions) => Promise<unknown>;
  @property({ attribute: false }) options: ImportOptions = defaultOptions;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        padding-top: 1rem;
        border-top: 1px solid var(--border);
      }
    `,
  ];

  private choose(options: ImportOptions): void {
    this.options = options;
    this.dispatchEvent(new CustomEvent<ImportOptions>("changed", { detail: options }));
  }

  // Of its headings: a first start has one above them, the settings two.
  private get level(): number {
    return this.isFirst ? 2 : 3;
  }

  override render() {
    const { form, report } = this;
    const shutOut = this.isFirst && isShutOut(report);
    return html`<div class="stack">
      <p class="muted">${t(report.source.version ? "moving.lookedAt" : "moving.lookedAtUnknown", { version: report.source.version })}</p>
      ${report.source.running ? html`<p class="notice">${t("moving.running")}</p>` : nothing}
      <hearth-import-report .report=${report} .level=${this.level}></hearth-import-report>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, () => this.start(this.options))}>
        ${shutOut ? html`<p class="problem" role="alert">${t("moving.shutOut")}</p>` : this.choices(report)} ${form.failed()}
        <div class="end-buttons">
          <slot name="end"></slot>
          ${shutOut ? nothing : form.button(t("moving.start"))}
        </div>
      </form>
    </div>`;
  }

  private choices(report: Report): TemplateResult {
    return html`<h3 aria-level=${this.level}>${t("moving.choices")}</h3>
      <hearth-import-options
        .options=${this.options}
        .states=${report.counts.states?.found ?? 0}
        ?asksCredentials=${!this.isFirst}
        @changed=${({ detail }: CustomEvent<ImportOptions>) => this.choose(detail)}
      ></hearth-import-options>
      <p class="notice">${t(this.isFirst ? "moving.consequenceFirst" : "moving.consequence")}</p>`;
  }
}
