// SPDX-License-Identifier: Apache-2.0
import { mdiContentCopy, mdiImport } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { blueprintName, inputsOf, readBlueprints, usesOf, type Blueprint, type BlueprintText } from "../../api/blueprints";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { confirm } from "../../elements/confirm";
import { HomeController } from "../../elements/controllers";
import { notifyDone } from "../../elements/notify";
import { TitleController } from "../../elements/title";
import { WordsController } from "../../i18n/late_words";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { navigate } from "../../router";
import { definitions, rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import { linkToUse, pathTo, start } from "./blueprints";
import "../../elements/action";
import "../../elements/back_link";
import "../../elements/icon";
import "../../elements/loading";
import "../../items/text_changes";

// One blueprint: what it asks for, who uses it, its text and its former versions.
@customElement("hearth-blueprint-page")
export class BlueprintPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) domain: Blueprint["domain"] = "automation";
  @property({ attribute: false }) path = "";
  @state() private blueprint: Blueprint | undefined;
  @state() private text: BlueprintText | undefined;
  @state() private uses: string[] = [];
  @state() private isThere = true;
  @state() private failure = "";
  @state() private refusal = "";
  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    definitions,
    rows,
    css`
      .about,
      .error {
        white-space: pre-line;
      }

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

  constructor() {
    super();
    new TitleController(this, 2, () => this.blueprint?.metadata.name ?? this.path);
    new HomeController(this, "structure", () => this.home);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("path") || changes.has("domain")) void this.load();
  }

  private async load(): Promise<void> {
    this.failure = this.refusal = "";
    try {
      this.blueprint = (await readBlueprints(this.home, this.domain)).find(({ path }) => path === this.path);
      this.isThere = this.blueprint !== undefined;
      if (!this.blueprint) return;
      this.uses = await usesOf(this.home, this.blueprint);
      this.text = await this.home.command<BlueprintText>("blueprint/get", { domain: this.domain, path: this.path });
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private async erase({ domain, path }: Blueprint, name: string): Promise<void> {
    this.refusal = "";
    if (this.uses.length > 0) {
      this.refusal = t("blueprints.inUse", { names: this.uses.map((id) => this.home.nameOf(id)).join(", ") });
      return;
    }
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name }),
      text: t("blueprints.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    try {
      await this.home.command("blueprint/delete", { domain, path });
    } catch (error) {
      this.refusal = hubMessage(errorText(error)); // somebody has begun to use it meanwhile
      await this.load().then(() => (this.refusal = hubMessage(errorText(error))));
      return;
    }
    notifyDone(t("editor.deleted", { name }));
    navigate(`${start}/blueprints`);
  }

  private async restore({ domain, path }: Blueprint, yaml: string): Promise<void> {
    await this.home.command("blueprint/save", { domain, path, yaml, allow_override: true });
    notifyDone(t("action.saved"));
    await this.load();
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="stack">
      <hearth-back-link href="${start}/blueprints" label=${t("blueprints.heading")}></hearth-back-link>
      ${this.failure
        ? html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`
        : !this.isThere
          ? html`<h2>${t("blueprints.unknown")}</h2>`
          : this.blueprint
            ? html`${this.about(this.blueprint)} ${this.used()} ${this.versions(this.blueprint)}`
            : html`<hearth-loading></hearth-loading>`}
    </div>`;
  }

  private about(blueprint: Blueprint): TemplateResult {
    const { domain, metadata, error, path, builtIn } = blueprint;
    const name = blueprintName(blueprint);
    const inputs = inputsOf(metadata);
    const source = typeof metadata.source_url === "string" ? metadata.source_url : "";
    const fact = (label: string, value: TemplateResult | string) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`;
    return html`<section class="card stack">
      <div class="row">
        <h2>${name}</h2>
        <span class="badge">${t(`blueprints.kind_${domain}`)}</span>
        ${builtIn ? html`<span class="badge">${t("blueprints.builtIn")}</span>` : nothing}
      </div>
      ${error ? html`<p class="problem error">${error}</p>` : nothing}
      ${metadata.description ? html`<p class="about">${metadata.description}</p>` : nothing}
      <dl>
        ${builtIn ? nothing : fact(t("blueprints.file"), html`<code>blueprints/${domain}/${path}</code>`)}
        ${metadata.author ? fact(t("blueprints.author"), String(metadata.author)) : nothing}
        ${source ? fact(t("blueprints.source"), source) : nothing}
        ${inputs.length > 0 ? fact(t("blueprints.asksFor"), inputs.map(({ name: each }) => each).join(", ")) : nothing}
      </dl>
      ${builtIn ? html`<p class="hint">${t("blueprints.builtInHint")}</p>` : nothing}
      ${this.refusal ? html`<p class="problem" role="alert">${this.refusal}</p>` : nothing}
      <div class="row">
        ${error ? nothing : html`<a class="button" href=${linkToUse(blueprint)}>${t("blueprints.use")}</a>`}
        ${builtIn
          ? html`<a class="button" href=${pathTo(blueprint, "copy-blueprint")}
              ><hearth-icon .path=${mdiContentCopy}></hearth-icon>${t("blueprints.ownCopy")}</a
            >`
          : html`<a class="button" href=${pathTo(blueprint, "import-blueprint")}
                ><hearth-icon .path=${mdiImport}></hearth-icon>${t("blueprints.newVersion")}</a
              >
              <hearth-action look="danger" .label=${t("action.delete")} .run=${() => this.erase(blueprint, name)}></hearth-action>`}
      </div>
    </section>`;
  }

  private used(): TemplateResult | typeof nothing {
    if (this.domain === "template") return nothing;
    return html`<section class="card stack">
      <h3>${t("blueprints.uses")}</h3>
      ${this.uses.length === 0 ? html`<p class="muted">${t("blueprints.unused")}</p>` : nothing}
      <ul>
        ${this.uses.map(
          (id) =>
            html`<li>
              <div><a href="${start}/${encodeURIComponent(id)}">${this.home.nameOf(id)}</a></div>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  private versions(blueprint: Blueprint): TemplateResult | typeof nothing {
    const { text } = this;
    if (!text) return nothing;
    return html`<section class="card stack">
      <h3>${t("blueprints.text")}</h3>
      <pre tabindex="0" aria-label=${t("blueprints.text")}>${text.raw_data}</pre>
      ${text.former.length > 0
        ? html`<h3>${t("blueprints.former")}</h3>
            <p class="hint">${t("blueprints.formerHint")}</p>
            ${text.former.map(
              ({ raw_data, hash }, index) =>
                html`<details>
                  <summary>
                    ${index === 0 ? t("blueprints.before") : t("blueprints.before_count", { count: index + 1 })}
                    <code>${hash.slice(0, 8)}</code>
                  </summary>
                  <div class="stack">
                    <hearth-text-changes .former=${raw_data} .text=${text.raw_data}></hearth-text-changes>
                    <div>
                      <hearth-action .label=${t("blueprints.restore")} .run=${() => this.restore(blueprint, raw_data)}></hearth-action>
                    </div>
                  </div>
                </details>`,
            )}`
        : nothing}
    </section>`;
  }
}
