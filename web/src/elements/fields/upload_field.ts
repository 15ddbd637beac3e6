// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { formatBytes, formatNumber, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

// A file to be sent to the hub: chosen, and then how far it is. Fires `chosen` with the File.
@customElement("hearth-upload-field")
export class UploadField extends LitElement {
  @property() label = "";
  // Endings of file names, as in an input's `accept`.
  @property() accept = "";
  @property() problem = "";
  // The share that has been sent; undefined before. At 1 the hub checks it.
  @property({ attribute: false }) progress: number | undefined;
  @state() private file: File | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 0.3rem;
      }

      input {
        padding: 0.6rem 0.75rem !important;
      }

      progress {
        width: 100%;
        height: 0.7rem;
        accent-color: var(--accent);
      }

      .field-problem {
        color: var(--danger);
        font-weight: 550;
      }
    `,
  ];

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("input")?.focus();
  }

  private choose(event: Event): void {
    this.file = (event.target as HTMLInputElement).files?.[0];
    if (this.file) this.dispatchEvent(new CustomEvent<File>("chosen", { detail: this.file }));
  }

  override render() {
    const { file, progress } = this;
    return html`<label for="file">${this.label}</label>
      <input
        id="file"
        type="file"
        accept=${this.accept}
        ?disabled=${progress !== undefined}
        aria-invalid=${this.problem ? "true" : "false"}
        aria-describedby=${this.problem ? "problem" : nothing}
        @change=${(event: Event) => this.choose(event)}
      />
      ${this.problem ? html`<p class="field-problem" id="problem" role="alert">${this.problem}</p>` : nothing}
      ${file && progress !== undefined
        ? html`<progress max="1" .value=${progress} aria-label=${t("upload.progress")}></progress>
            <p class="hint">
              ${progress < 1
                ? t("upload.sent", {
                    share: formatNumber(progress, { style: "percent", maximumFractionDigits: 0 }),
                    size: formatBytes(file.size),
                  })
                : t("upload.checking")}
            </p>`
        : nothing}`;
  }
}
