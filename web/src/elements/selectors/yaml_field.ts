// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { parse, stringify } from "yaml";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

function textOf(value: unknown): string {
  return value === undefined || value === null
    ? ""
    : stringify(value, { lineWidth: 0, compat: "yaml-1.1", aliasDuplicateObjects: false }).trimEnd();
}

// Any value, written as YAML. Fires `change-value` with {value, problem}; the value is undefined where nothing or no YAML stands.
@customElement("hearth-yaml-field")
export class YamlField extends LitElement {
  @property() label = "";
  @property({ attribute: false }) value: unknown;
  @state() private text = "";
  @state() private problem = "";
  private sent: unknown;

  static override styles = [
    shared,
    css`
      label {
        margin-bottom: 0.3rem;
      }

      textarea {
        min-height: 5rem;
        tab-size: 2;
        white-space: pre;
        overflow-x: auto;
      }

      .problem {
        margin-top: 0.4rem;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && this.value !== this.sent) {
      this.text = textOf(this.value);
      this.sent = this.value;
    }
  }

  private typed(text: string): void {
    this.text = text;
    this.problem = "";
    let value: unknown;
    try {
      value = text.trim() === "" ? undefined : (parse(text, { maxAliasCount: 100 }) as unknown);
    } catch (error) {
      this.problem = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    }
    this.value = this.sent = value;
    this.dispatchEvent(new CustomEvent("change-value", { detail: { value, problem: this.problem } }));
  }

  override render() {
    return html`<label for="text">${this.label} <span class="hint">YAML</span></label>
      <textarea
        id="text"
        rows="4"
        spellcheck="false"
        autocapitalize="none"
        autocomplete="off"
        aria-invalid=${this.problem ? "true" : "false"}
        aria-describedby=${this.problem ? "problem" : nothing}
        .value=${live(this.text)}
        @input=${(event: Event) => this.typed((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${this.problem ? html`<p class="problem" id="problem" role="alert">${t("selector.noYaml", { problem: this.problem })}</p>` : nothing}`;
  }
}
