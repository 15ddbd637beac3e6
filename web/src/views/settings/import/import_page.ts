// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isLost } from "../../../api/errors";
import type { Home } from "../../../api/home";
import {
  cancelImport,
  defaultOptions,
  deleteImport,
  lastImport,
  listImports,
  lookInto,
  restartIntoImport,
  startImport,
  uploadImport,
  type ImportOptions,
  type ImportSource,
  type ImportState,
  type LastImport,
} from "../../../api/imports/imports";
import type { Report } from "../../../api/imports/report";
import { confirm } from "../../../elements/confirm";
import { HomeController, PollController } from "../../../elements/controllers";
import { focusHeading, headingIn } from "../../../elements/focus";
import { importFailure } from "../../../elements/moving/words";
import { attempt } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "../../../elements/loading";
import "../../../elements/moving/look_form";
import "../../../elements/moving/progress_view";
import "../../../elements/moving/report_view";
import type { SourceActions } from "../../../elements/moving/source_form";
import "../../../elements/moving/source_form";
import "./to_do_list";

// Milliseconds.
const interval = 1_000;

interface Looked {
  source: ImportSource;
  passphrase: string;
  report: Report;
}

// Moving in from Home Assistant: chooses its backup or folder, shows what would come, does it, restarts; afterwards what is to do.
@customElement("hearth-import-page")
export class ImportPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private last: LastImport | undefined;
  @state() private sources: ImportSource[] = [];
  @state() private failure: unknown;
  @state() private looked: Looked | undefined;
  // Of the hub, or of the import that was begun here.
  @state() private work: ImportState = { state: "idle" };
  // Why an import that had begun was none.
  @state() private ended = "";
  // Another import than the last is being chosen.
  @state() private isAnother = false;
  @state() private chosen = "";
  // As they were chosen last: who discards an import does not choose again.
  private options = defaultOptions;
  // Set while this page hears how far the import is; ends that.
  private stopFollowing: (() => void) | undefined;
  private isCancelled = false;
  private wasLost = false;

  static override styles = [
    shared,
    css`
      h2:focus {
        outline: none;
      }

      summary {
        cursor: pointer;
      }

      summary + * {
        margin-top: 0.8rem;
      }
    `,
  ];

  private readonly actions: SourceActions = {
    upload: (file, _, progress) => uploadImport(this.home, file, this.sources, progress),
    look: async (source, passphrase) => {
      this.ended = "";
      const report = await lookInto(this.home, source.source, passphrase);
      this.looked = { source, passphrase, report };
      await this.turn();
    },
    remove: (source) => this.erase(source),
  };

  constructor() {
    super();
    new HomeController(this, "connection", () => this.home);
    new PollController(this, interval, () => this.poll());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopFollowing?.();
    this.stopFollowing = undefined;
  }

  // The hub that comes back may be another home: nothing that this page knows of the old one is true.
  override willUpdate(): void {
    const isLost = this.home.connectionState === "lost";
    if (isLost) this.stopFollowing = undefined;
    if (this.work.state !== "restarting") return;
    if (this.wasLost && !isLost) location.assign(`${base}/settings/import`);
    this.wasLost ||= isLost;
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      const [last, { sources, state }] = await Promise.all([lastImport(this.home), listImports(this.home)]);
      this.last = last;
      this.take(sources);
      this.work = state;
      if (state.state === "failed") this.ended = importFailure(state.error);
    } catch (error) {
      this.failure = error;
    }
  }

  private take(sources: ImportSource[]): void {
    this.sources = sources;
    if (!sources.some(({ source }) => source === this.chosen)) this.chosen = sources[0]?.source ?? "";
  }

  // Of an import that another page has begun, or this one before it was loaded anew.
  private async poll(): Promise<void> {
    if (this.stopFollowing || this.work.state !== "working") return;
    const asked = await listImports(this.home).catch(() => undefined);
    if (!asked || this.stopFollowing) return;
    if (asked.state.state === "failed" || asked.state.state === "idle") return this.end(importFailure(asked.state.error));
    const hasTurned = asked.state.state !== this.work.state;
    this.work = asked.state;
    if (hasTurned) await this.turn();
  }

  // After each step the heading says where one is.
  private async turn(): Promise<void> {
    await this.updateComplete;
    const heading = this.isConnected && headingIn(this.renderRoot, "h2");
    if (heading) focusHeading(heading);
    if (heading) window.scrollTo({ top: 0 });
  }

  private async start(options: ImportOptions): Promise<void> {
    const { source, passphrase } = this.looked as Looked;
    this.isCancelled = false;
    this.ended = "";
    this.work = { state: "working" };
    try {
      this.stopFollowing = await startImport(
        this.home,
        source.source,
        passphrase,
        options,
        (progress) => (this.work = { ...progress, state: "working" }),
        (failure) => (failure ? this.end(this.isCancelled ? "" : importFailure(failure.message)) : void this.finish()),
      );
    } catch (error) {
      this.work = { state: "idle" };
      throw error;
    }
    await this.turn();
  }

  private async finish(): Promise<void> {
    this.stopFollowing = undefined;
    this.work = { state: "ready" };
    await this.load(); // the report of it
    await this.turn();
  }

  // Without a failure it was cancelled.
  private end(failure: string): void {
    this.stopFollowing = undefined;
    this.ended = failure || t("moving.cancelled");
    this.work = { state: "idle" };
    void this.turn();
  }

  private async restart(): Promise<void> {
    await restartIntoImport(this.home).catch((error: unknown) => {
      if (!isLost(error)) throw error; // the hub has begun, and could not say so any more
    });
    this.wasLost = this.home.connectionState === "lost";
    this.work = { state: "restarting" };
    await this.turn();
  }

  private async cancel(): Promise<void> {
    this.isCancelled = true;
    await cancelImport(this.home);
  }

  private async discard(): Promise<void> {
    await cancelImport(this.home);
    await this.load(); // the report is that of the import before, if there was one
    this.end("");
  }

  private async erase({ name }: ImportSource): Promise<void> {
    const yes = await confirm({
      heading: t("backups.deleteHeading", { name }),
      text: t("moving.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    await attempt(() => deleteImport(this.home, name));
    const listed = await listImports(this.home).catch(() => undefined);
    if (listed) this.take(listed.sources);
  }

  private async another(isAnother: boolean): Promise<void> {
    this.isAnother = isAnother;
    this.ended = "";
    await this.turn();
  }

  private async backToChoice(): Promise<void> {
    const source = this.looked?.source.source ?? "";
    this.looked = undefined;
    this.ended = "";
    const listed = await listImports(this.home).catch(() => undefined); // with what was uploaded
    if (listed) {
      this.chosen = source;
      this.take(listed.sources);
    }
    await this.turn();
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    if (!this.last) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="card stack">${this.content(this.last)}</div>`;
  }

  private content({ report, to_do }: LastImport): TemplateResult {
    const { state } = this.work;
    if (state === "restarting") return this.restarting();
    if (state === "ready") return this.ready(report);
    if (state === "working") return this.working();
    if (this.looked) return this.look(this.looked);
    return report && !this.isAnother ? this.moved(report, to_do) : this.choose(report !== null);
  }

  private ending(): TemplateResult | typeof nothing {
    return this.ended ? html`<p class="problem" role="alert">${this.ended}</p>` : nothing;
  }

  private head(step: number, heading: string): TemplateResult {
    return html`<div>
      <p class="hint">${t("welcome.step", { step, of: 3 })}</p>
      <h2 tabindex="-1">${heading}</h2>
    </div>`;
  }

  private choose(hasMoved: boolean): TemplateResult {
    return html`${this.head(1, t("moving.heading"))}
      <p class="muted">${t("moving.chooseText")}</p>
      ${this.ending()}
      <hearth-import-source .actions=${this.actions} .sources=${this.sources} .chosen=${this.chosen}>
        ${hasMoved
          ? html`<button slot="end" type="button" @click=${() => void this.another(false)}>${t("moving.backToReport")}</button>`
          : nothing}
      </hearth-import-source>`;
  }

  private look({ report }: Looked): TemplateResult {
    return html`${this.head(2, t("moving.lookHeading"))}
      <p class="muted">${t("moving.lookText")}</p>
      ${this.ending()}
      <hearth-import-look
        .report=${report}
        .options=${this.options}
        .start=${(options: ImportOptions) => this.start(options)}
        @changed=${({ detail }: CustomEvent<ImportOptions>) => (this.options = detail)}
      >
        <button slot="end" type="button" @click=${() => void this.backToChoice()}>${t("moving.other")}</button>
      </hearth-import-look>`;
  }

  private working(): TemplateResult {
    return html`${this.head(3, t("moving.workHeading"))}
      <p class="muted">${t("moving.workText")}</p>
      <hearth-import-progress .progress=${this.work}></hearth-import-progress>
      <div class="end-buttons">
        <hearth-action .label=${t("action.cancel")} .run=${() => this.cancel()}></hearth-action>
      </div>`;
  }

  private ready(report: Report | null): TemplateResult {
    return html`${this.head(3, t("moving.readyHeading"))}
      <p>${t("moving.readyText")}</p>
      ${report ? this.wholeReport(report) : nothing}
      <div class="end-buttons">
        <hearth-action .label=${t("moving.discard")} .run=${() => this.discard()}></hearth-action>
        <hearth-action look="primary" .label=${t("moving.restart")} .run=${() => this.restart()}></hearth-action>
      </div>`;
  }

  private restarting(): TemplateResult {
    return html`<h2 tabindex="-1">${t("moving.restartHeading")}</h2>
      <p role="status">${t("moving.restarting")}</p>
      <hearth-loading></hearth-loading>`;
  }

  private wholeReport(report: Report): TemplateResult {
    return html`<details>
      <summary>${t("moving.wholeReport")}</summary>
      <hearth-import-report withoutNeeds .report=${report}></hearth-import-report>
    </details>`;
  }

  private moved(report: Report, toDo: LastImport["to_do"]): TemplateResult {
    return html`<h2 tabindex="-1">${t("moving.movedHeading")}</h2>
      ${this.ending()}
      <hearth-import-to-do .home=${this.home} .items=${toDo}></hearth-import-to-do>
      ${this.wholeReport(report)}
      <div class="end-buttons">
        <button type="button" @click=${() => void this.another(true)}>${t("moving.again")}</button>
      </div>`;
  }
}
