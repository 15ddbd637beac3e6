// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../api/errors";
import { shared } from "../styles/shared";
import "./loading";

// A page whose module is fetched when it is first shown, and then draws it.
@customElement("hearth-late")
export class Late<Module> extends LitElement {
  // Another function is another page.
  @property({ attribute: false }) load!: () => Promise<Module>;
  @property({ attribute: false }) draw!: (module: Module) => TemplateResult;
  @state() private fetched: { by: () => Promise<Module>; module: Module } | undefined;
  @state() private failure: unknown;

  static override styles = [shared];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("load")) void this.fetch();
  }

  private async fetch(): Promise<void> {
    const { load } = this;
    this.failure = undefined;
    try {
      this.fetched = { by: load, module: await load() };
    } catch (error) {
      this.failure = error;
    }
  }

  override render() {
    if (this.fetched?.by === this.load) return this.draw(this.fetched.module);
    return html`<hearth-loading
      .problem=${this.failure === undefined ? "" : errorText(this.failure)}
      @retry=${() => void this.fetch()}
    ></hearth-loading>`;
  }
}
