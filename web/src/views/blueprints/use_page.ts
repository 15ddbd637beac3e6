// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Item } from "../../api/automations";
import { isCommandError, errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { notifyDone } from "../../elements/notify";
import { WordsController } from "../../i18n/late_words";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { ItemText, textOf, textOfPart, type Problem } from "../../items/item_text";
import { shared } from "../../styles/shared";
import { start } from "./blueprints";
import "../../elements/action";
import "../../elements/back_link";
import "../../elements/copy";
import "../../elements/loading";
import "../../items/blueprint_form";

// How long nobody has typed before the hub is asked, in milliseconds.
const rest = 400;

// A use of a blueprint of template entities: its inputs as a form, and the text of that for the files of the home, where template
// entities stand.
@customElement("hearth-use-page")
export class UsePage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) path = "";
  @state() private text = "";
  @state() private problems: Problem[] = [];
  @state() private failure = "";
  // The hub's result for it; undefined while it does not fit.
  @state() private made: unknown;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    css`
      pre {
        margin: 0;
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        overflow-x: auto;
      }

      summary {
        min-height: 2.4rem;
        font-weight: 600;
        cursor: pointer;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("path")) return;
    // With an id its entities can be renamed.
    this.text = textOf({ unique_id: String(Date.now()), use_blueprint: { path: this.path, input: {} } });
    void this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.resting);
  }

  private get item(): Item {
    return new ItemText(this.text).item();
  }

  private changed(text: string): void {
    this.text = text;
    this.made = undefined;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.ask(), rest);
  }

  private async ask(): Promise<void> {
    const { text } = this;
    const { input } = this.item.use_blueprint as { input?: object };
    this.failure = "";
    try {
      const { substituted_config: made } = await this.home.command<{ substituted_config: unknown }>("blueprint/substitute", {
        domain: "template",
        path: this.path,
        input: input ?? {},
      });
      if (text !== this.text) return;
      this.problems = [];
      this.made = made;
    } catch (error) {
      if (text !== this.text) return;
      if (isCommandError(error)) this.problems = new ItemText(text).refusals(error.message, hubMessage);
      else this.failure = errorText(error);
    }
  }

  private async reload(): Promise<void> {
    await this.home.call("template", "reload");
    notifyDone(t("automations.reloaded"));
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    const written = textOfPart([this.item]);
    return html`<div class="stack">
      <hearth-back-link href="${start}/blueprints" label=${t("blueprints.heading")}></hearth-back-link>
      <h2>${t("blueprints.useTemplate")}</h2>
      <section class="card stack">
        <hearth-blueprint-form
          .home=${this.home}
          kind="template"
          .text=${this.text}
          .problems=${this.problems}
          @text-changed=${({ detail }: CustomEvent<string>) => this.changed(detail)}
        ></hearth-blueprint-form>
      </section>
      <section class="card stack">
        <div class="spread">
          <h3>${t("blueprints.useText")}</h3>
          <hearth-copy .what=${t("blueprints.useText")} .text=${() => written}></hearth-copy>
        </div>
        <p class="hint">${t("blueprints.useTextHint")}</p>
        ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
        ${this.problems.length > 0 ? html`<p class="problem" role="status">${t("blueprints.useMissing")}</p>` : nothing}
        <pre class="use" tabindex="0" aria-label=${t("blueprints.useText")}>${written}</pre>
        ${this.made === undefined
          ? nothing
          : html`<details>
              <summary>${t("blueprints.useMakes")}</summary>
              <pre tabindex="0">${textOfPart(this.made)}</pre>
            </details>`}
        <div><hearth-action .label=${t("automations.reload")} .run=${() => this.reload()}></hearth-action></div>
      </section>
    </div>`;
  }
}
