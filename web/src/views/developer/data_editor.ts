// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { shared } from "../../styles/shared";
import { parseData, printData, type Format } from "./data_text";

// An object, written as JSON or YAML. What is wrong with it is said below it, and where.
@customElement("hearth-data-editor")
export class DataEditor extends LitElement {
  @property() label = "";
  @property() hint = "";
  @property() format: Format = "json";
  @property() text = "";
  @state() private problem = "";
  @query("textarea") private area!: HTMLTextAreaElement;

  static override styles = [
    shared,
    css`
      label {
        margin-bottom: 0.3rem;
      }

      textarea {
        min-height: var(--editor-height, 9rem);
        tab-size: 2;
        white-space: pre;
        overflow-x: auto;
      }

      textarea[aria-invalid="true"] {
        border-color: var(--danger);
      }

      .problem {
        margin-top: 0.4rem;
      }
    `,
  ];

  // The written text; undefined, with a reason, where that is no object.
  async read(): Promise<Record<string, unknown> | undefined> {
    try {
      const data = await parseData(this.text, this.format);
      this.problem = "";
      return data;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      this.area.focus();
      return undefined;
    }
  }

  async write(data: Record<string, unknown>): Promise<void> {
    this.text = await printData(data, this.format);
    this.problem = "";
  }

  // Writes the same in another format. False where what is written cannot be read.
  async switchTo(format: Format): Promise<boolean> {
    const data = await this.read();
    if (!data) return false;
    this.format = format;
    await this.write(data);
    return true;
  }

  override render() {
    return html`
      <label for="text">${this.label} ${this.hint ? html`<span class="hint">${this.hint}</span>` : nothing}</label>
      <textarea
        id="text"
        rows="6"
        spellcheck="false"
        autocapitalize="none"
        autocomplete="off"
        aria-invalid=${this.problem ? "true" : "false"}
        aria-describedby=${this.problem ? "problem" : nothing}
        .value=${live(this.text)}
        @input=${() => {
          this.text = this.area.value;
          this.problem = "";
        }}
      ></textarea>
      ${this.problem ? html`<p class="problem" id="problem" role="alert">${this.problem}</p>` : nothing}
    `;
  }
}
