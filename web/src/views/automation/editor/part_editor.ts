// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import { WordsController } from "../../../i18n/late_words";
import { ItemText, textOf } from "../../../items/item_text";
import { shared } from "../../../styles/shared";
import "../../../elements/loading";
import "../sentences/sentence_editor";

// Triggers, conditions or actions alone, in sentences. Fires `change-value` with {value, problem: ""}.
@customElement("hearth-part-editor")
export class PartEditor extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() section: "triggers" | "conditions" | "actions" = "actions";
  @property({ attribute: false }) value: unknown;
  private readonly words = new WordsController(this);
  private text = "";
  private sent: unknown;

  static override styles = [shared];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("value") || (this.text !== "" && this.value === this.sent)) return;
    const list =
      this.value === undefined || this.value === null ? [] : Array.isArray(this.value) ? (this.value as unknown[]) : [this.value];
    this.text = textOf({ [this.section]: list });
  }

  private changed({ detail }: CustomEvent<string>): void {
    this.text = detail;
    this.sent = this.value = new ItemText(detail).item()[this.section];
    this.dispatchEvent(new CustomEvent("change-value", { detail: { value: this.value, problem: "" } }));
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    return html`<hearth-sentence-editor
      .home=${this.home}
      .only=${this.section}
      .text=${this.text}
      @text-changed=${(event: CustomEvent<string>) => this.changed(event)}
    ></hearth-sentence-editor>`;
  }
}
