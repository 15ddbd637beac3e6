// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { isCommandError, RestError } from "../../api/errors";
import type { ImportSource, UploadedBackup } from "../../api/imports/imports";
import { needsFirstUserCode } from "../../api/session";
import type { Upload } from "../../api/upload";
import { formatBytes, formatDateTime, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import { FieldProblems, FormController, formStyles, type Values } from "../form";
import "../fields/upload_field";

export interface SourceActions {
  upload: (file: File, code: string, progress: (share: number) => void) => Promise<Upload<UploadedBackup>>;
  // May take minutes.
  look: (source: ImportSource, passphrase: string, code: string) => Promise<unknown>;
  // Absent if there is no list of backups.
  remove?: (source: ImportSource) => Promise<unknown>;
}

// Most of what the hub says of a file is a sentence about it.
function refusal(message: string): string {
  return message.startsWith("The file is ") ? hubMessage(message) : t("moving.notABackup", { reason: hubMessage(message) });
}

const asSource = (backup: UploadedBackup): ImportSource => ({ ...backup, kind: "upload" });

// Where the old home is: a backup that is uploaded here, or one that the hub has, and its encryption key. Its slot "end" is beside
// the button that goes on.
@customElement("hearth-import-source")
export class ImportSourceForm extends LitElement {
  // The backups that the hub has already.
  @property({ attribute: false }) sources: ImportSource[] = [];
  @property({ attribute: false }) actions!: SourceActions;
  // The hub takes this browser for a stranger's.
  @property({ type: Boolean }) needsCode = false;
  // The one to begin with.
  @property() chosen = "";
  @state() private file: File | undefined;
  @state() private sent: ImportSource | undefined;
  @state() private progress: number | undefined;
  @state() private problem = "";
  @state() private isLooking = false;
  @state() private running: Upload<UploadedBackup> | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      fieldset {
        display: grid;
        gap: 0.3rem;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0;
        font-weight: 550;
      }

      .source {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.2rem 0.7rem;
        padding: 0.4rem 0;
      }

      .source label {
        flex: 1 1 12rem;
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0 0.7rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .source label span {
        grid-column: 2;
      }

      .source input {
        margin: 0.15rem 0 0;
      }

      summary {
        cursor: pointer;
      }

      ol {
        margin: 0.4rem 0 0;
        padding-inline-start: 1.3rem;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.cancel();
  }

  private get source(): ImportSource | undefined {
    return this.sources.find(({ source }) => source === this.chosen) ?? this.sent;
  }

  private async begin({ passphrase = "", code = "" }: Values): Promise<void> {
    this.problem = "";
    if (!this.source) await this.send(code.trim());
    const { source } = this;
    if (!source) return;
    if (source.protected && passphrase === "") {
      await this.updateComplete;
      throw new FieldProblems({ passphrase: t("moving.keyNeeded") });
    }
    this.isLooking = true;
    try {
      await this.actions.look(source, passphrase, code.trim());
    } catch (error) {
      await this.refused(error);
    } finally {
      this.isLooking = false;
    }
  }

  private async send(code: string): Promise<void> {
    if (!this.file) {
      this.problem = t("form.required");
      return;
    }
    this.progress = 0;
    try {
      this.running = await this.actions.upload(this.file, code, (share) => (this.progress = share));
      this.sent = asSource(await this.running.done);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      if (error instanceof RestError && error.status === 400) this.problem = refusal(error.message);
      else if (error instanceof RestError && error.status === 413) this.problem = t("backups.tooLarge");
      else if (error instanceof RestError && error.status === 503) this.problem = hubMessage(error.message);
      else await this.refused(error);
    } finally {
      this.progress = this.running = undefined;
    }
  }

  private async refused(error: unknown): Promise<never> {
    if (error instanceof RestError && error.status === 403 && (await needsFirstUserCode().catch(() => false))) {
      this.needsCode = true;
      await this.updateComplete;
      throw new FieldProblems({ code: t("welcome.codeWrong") });
    }
    const message = error instanceof RestError || isCommandError(error) ? error.message : "";
    if (/passphrase is wrong/.test(message)) throw new FieldProblems({ passphrase: t("moving.keyWrong") });
    // The hub says what is wrong with the backup, also where it calls itself unable.
    throw error instanceof RestError && error.status === 503 ? new Error(hubMessage(message)) : error;
  }

  private choose(file: File): void {
    this.file = file;
    this.sent = undefined;
    this.problem = "";
  }

  override render() {
    const { form, source, sent } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.begin(values))}>
      ${this.sources.length > 0 ? this.list() : nothing} ${this.chosen === "" || this.sources.length === 0 ? this.upload() : nothing}
      ${sent && sent === source ? html`<p class="notice" role="status">${this.found(sent)}</p>` : nothing}
      ${source?.protected
        ? form.password({ name: "passphrase", label: t("moving.key"), hint: t("moving.keyHint"), required: true })
        : nothing}
      ${this.needsCode
        ? form.text({ name: "code", label: t("welcome.code"), hint: t("welcome.codeHint"), required: true, mono: true })
        : nothing}
      ${form.failed()}
      <p role="status" class=${this.isLooking ? "notice" : "visually-hidden"}>${this.isLooking ? t("moving.looking") : ""}</p>
      <div class="end-buttons">
        <slot name="end"></slot>
        ${this.running ? html`<button type="button" @click=${() => this.running?.cancel()}>${t("moving.cancelUpload")}</button>` : nothing}
        ${form.button(t("moving.look"))}
      </div>
    </form>`;
  }

  private upload(): TemplateResult {
    return html`<hearth-upload-field
        .label=${t("moving.file")}
        accept=".tar,.gz"
        .problem=${this.problem}
        .progress=${this.progress}
        @chosen=${({ detail }: CustomEvent<File>) => this.choose(detail)}
      ></hearth-upload-field>
      <details>
        <summary>${t("moving.howTo")}</summary>
        <ol class="hint">
          <li>${t("moving.howTo1")}</li>
          <li>${t("moving.howTo2")}</li>
          <li>${t("moving.howTo3")}</li>
        </ol>
      </details>`;
  }

  private list(): TemplateResult {
    return html`<fieldset ?disabled=${this.form.busy}>
      <legend>${t("moving.sources")}</legend>
      ${this.sources.map(
        (source) =>
          html`<div class="source">
            ${this.option(source.source, source.kind === "folder" ? source.name || source.source : source.name, this.facts(source))}
            ${source.kind === "upload" && this.actions.remove ? this.removal(source) : nothing}
          </div>`,
      )}
      <div class="source">${this.option("", t("moving.another"), "")}</div>
    </fieldset>`;
  }

  private option(value: string, name: string, facts: string): TemplateResult {
    return html`<label>
      <input type="radio" name="source" value=${value} .checked=${this.chosen === value} @change=${() => (this.chosen = value)} />
      <span>${name}</span>
      ${facts ? html`<span class="hint">${facts}</span>` : nothing}
    </label>`;
  }

  private removal(source: ImportSource): TemplateResult {
    return html`<button
      type="button"
      class="plain"
      aria-label=${t("backups.deleteNamed", { name: source.name })}
      @click=${() => void this.actions.remove?.(source)}
    >
      ${t("action.delete")}
    </button>`;
  }

  private facts({ kind, version, bytes, created, protected: isProtected }: ImportSource): string {
    const facts = [
      ...(kind === "folder" ? [t("moving.folder")] : []),
      ...(version ? [t("moving.ofVersion", { version })] : []),
      ...(created ? [formatDateTime(new Date(created), Intl.DateTimeFormat().resolvedOptions().timeZone)] : []),
      ...(bytes === null ? [] : [formatBytes(bytes)]),
      ...(isProtected ? [t("moving.protected")] : []),
    ];
    return facts.join(" · ");
  }

  private found(source: ImportSource): string {
    return t("moving.found", { facts: this.facts(source) });
  }
}
