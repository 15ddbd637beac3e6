// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { parseDocument } from "yaml";

import { textOfPart } from "../../../items/item_text";
import { shared } from "../../../styles/shared";
import { isConfig } from "./edit";

// A part of an item as YAML. Fires `change-value` for each text that can be read.
@customElement("hearth-yaml-row")
export class YamlRow extends LitElement {
  @property({ attribute: false }) value: unknown;
  @property() label = "";
  @property({ type: Boolean }) fixed = false;
  @state() private draft: string | undefined;
  @state() private problem = "";
  private written: unknown;

  static override styles = [
    shared,
    css`
      textarea {
        field-sizing: content;
        min-height: 4rem;
        max-height: 26rem;
      }

      p {
        margin-top: 0.3rem;
        color: var(--danger);
        font-size: 0.9rem;
      }
    `,
  ];

  override focus(): void {
    this.renderRoot.querySelector("textarea")?.focus();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("value") || this.value === this.written) return;
    this.draft = undefined;
    this.problem = "";
  }

  private write(text: string): void {
    this.draft = text;
    const document = parseDocument(text, { prettyErrors: false });
    const wrong = document.errors[0] ?? document.warnings[0];
    this.problem = wrong?.message ?? "";
    if (wrong) return;
    this.written = document.toJS() ?? {};
    if (!isConfig(this.written) && typeof this.written !== "string") return;
    this.dispatchEvent(new CustomEvent("change-value", { detail: this.written }));
  }

  override render() {
    const shown = this.draft ?? textOfPart(this.value).trimEnd();
    return html`<textarea
        rows=${Math.min(12, shown.split("\n").length)}
        spellcheck="false"
        autocapitalize="none"
        aria-label=${this.label}
        aria-invalid=${this.problem ? "true" : "false"}
        ?readonly=${this.fixed}
        .value=${live(shown)}
        @input=${(event: InputEvent) => this.write((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${this.problem ? html`<p role="alert">${this.problem}</p>` : nothing}`;
  }
}
