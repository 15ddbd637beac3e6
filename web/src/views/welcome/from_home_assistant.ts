// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { defaultOptions, FirstImport, type ImportOptions, type ImportState } from "../../api/imports/imports";
import type { Report } from "../../api/imports/report";
import { isFirstRun } from "../../api/session";
import { headingIn } from "../../elements/focus";
import { isShutOut } from "../../elements/moving/groups";
import { importFailure } from "../../elements/moving/words";
import { t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/action";
import "../../elements/loading";
import "../../elements/moving/look_form";
import "../../elements/moving/progress_view";
import type { SourceActions } from "../../elements/moving/source_form";
import "../../elements/moving/source_form";

// Milliseconds.
const interval = 1_000;
const patience = 180_000;

// The first start with the home of a Home Assistant: sends its backup, shows what would come, moves it in, and waits for the hub that
// comes back as that home. Fires `back` if the user would rather make an account.
@customElement("hearth-from-home-assistant")
export class FromHomeAssistant extends LitElement {
  @property({ type: Boolean }) needsCode = false;
  // The import that began before the page was loaded anew.
  @property({ attribute: false }) begun: ImportState | undefined;
  @state() private report: Report | undefined;
  @state() private work: ImportState | undefined;
  // Why an import that had begun was none.
  @state() private failure = "";
  private passphrase = "";
  // As they were chosen last: who cancels an import does not choose again.
  private options = defaultOptions;
  private readonly import = FirstImport.remembered();

  static override styles = [
    shared,
    css`
      .head {
        display: grid;
        gap: 0.4rem;
        margin-bottom: 1.3rem;
      }

      h1:focus {
        outline: none;
      }
    `,
  ];

  private readonly actions: SourceActions = {
    upload: async (file, code, progress) => {
      this.import.code = code;
      return this.import.upload(file, progress);
    },
    look: async (_, passphrase, code) => {
      this.import.code = code;
      this.passphrase = passphrase;
      this.failure = "";
      this.report = await this.import.look(passphrase);
      await this.turn();
    },
  };

  override firstUpdated(): void {
    const { begun } = this;
    if (!begun) return;
    if (begun.state === "failed") return this.end(importFailure(begun.error));
    this.work = begun;
    void this.turn();
    void this.follow();
  }

  // After each step the heading says where one is.
  private async turn(): Promise<void> {
    await this.updateComplete;
    headingIn(this.renderRoot, "h1")?.focus();
    window.scrollTo({ top: 0 });
  }

  private async start(options: ImportOptions): Promise<void> {
    this.work = await this.import.start(this.passphrase, options);
    this.import.remember();
    await this.turn();
    void this.follow();
  }

  // Until the hub is there as the home that moved in, which has users to log in.
  private async follow(): Promise<void> {
    let gone = 0;
    while (this.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, interval));
      const [work, first] = await Promise.all([this.import.state().catch(() => undefined), isFirstRun().catch(() => undefined)]);
      if (first === false) this.import.forget();
      if (first === false) return location.assign(`${base}/login?next=${encodeURIComponent(`${base}/settings/import`)}`);
      if (work) gone = 0;
      else if ((gone += interval) > patience) return this.end(t("error.network"));
      if (work?.state === "failed" || work?.state === "idle") return this.end(importFailure(work.error));
      if (work) this.work = work;
      else if (this.work) this.work = { ...this.work, state: "restarting" };
    }
  }

  // Without a failure it was cancelled.
  private end(failure: string): void {
    this.failure = failure;
    this.work = undefined;
    this.import.forget();
    void this.turn();
  }

  private async cancel(): Promise<void> {
    await this.import.cancel();
  }

  private head(step: number, heading: string, text: string): TemplateResult {
    return html`<div class="head">
      <p class="hint">${t("welcome.step", { step, of: 3 })}</p>
      <h1 tabindex="-1">${heading}</h1>
      <p class="muted">${text}</p>
    </div>`;
  }

  override render() {
    if (this.work) return this.working(this.work);
    return this.report ? this.looked(this.report) : this.choose();
  }

  private choose(): TemplateResult {
    return html`${this.head(1, t("moving.heading"), t("moving.chooseText"))}
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
      <hearth-import-source .actions=${this.actions} ?needsCode=${this.needsCode}>
        <button slot="end" type="button" @click=${() => this.leave()}>${t("welcome.back")}</button>
      </hearth-import-source>`;
  }

  private looked(report: Report): TemplateResult {
    return html`${this.head(2, t("moving.lookHeading"), t("moving.lookText"))}
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
      <hearth-import-look
        isFirst
        .report=${report}
        .options=${this.options}
        .start=${(options: ImportOptions) => this.start(options)}
        @changed=${({ detail }: CustomEvent<ImportOptions>) => (this.options = detail)}
      >
        <button slot="end" type="button" @click=${() => this.backToChoice()}>${t("moving.other")}</button>
        ${isShutOut(report)
          ? html`<button slot="end" type="button" class="primary" @click=${() => this.leave()}>${t("welcome.back")}</button>`
          : nothing}
      </hearth-import-look>`;
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("back"));
  }

  private backToChoice(): void {
    this.report = undefined;
    this.failure = "";
    void this.turn();
  }

  private working(work: ImportState): TemplateResult {
    if (work.state === "restarting" || work.state === "ready")
      return html`${this.head(3, t("moving.restartHeading"), t("moving.restartingFirst"))} <hearth-loading></hearth-loading>`;
    return html`${this.head(3, t("moving.workHeading"), t("moving.workFirstText"))}
      <div class="stack">
        <hearth-import-progress .progress=${work}></hearth-import-progress>
        <div class="end-buttons"><hearth-action .label=${t("action.cancel")} .run=${() => this.cancel()}></hearth-action></div>
      </div>`;
  }
}
