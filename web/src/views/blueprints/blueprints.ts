// SPDX-License-Identifier: Apache-2.0
import { mdiImport } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { blueprintDomains, blueprintName, readBlueprints, usesOf, type Blueprint, type BlueprintDomain } from "../../api/blueprints";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { HomeController } from "../../elements/controllers";
import { WordsController } from "../../i18n/late_words";
import { language, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import "../../elements/back_link";
import "../../elements/icon";
import "../../elements/loading";

export const start = `${base}/settings/automations`;

export function pathTo({ domain, path }: Pick<Blueprint, "domain" | "path">, page = "blueprint"): string {
  return `${start}/${page}?domain=${domain}&path=${encodeURIComponent(path)}`;
}

export function linkToUse({ domain, path }: Pick<Blueprint, "domain" | "path">): string {
  if (domain === "template") return pathTo({ domain, path }, "use-blueprint");
  return `${start}/new-${domain}?blueprint=${encodeURIComponent(path)}`;
}

type Known = Blueprint & { uses: string[] };

// All blueprints of the home, by what they are of, with who uses each.
@customElement("hearth-blueprints")
export class Blueprints extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private all: Known[] | undefined;
  @state() private failure = "";
  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    rows,
    css`
      .error {
        color: var(--danger);
        white-space: pre-line;
      }

      .short {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void Promise.resolve().then(() => this.load());
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      const lists = await Promise.all(blueprintDomains.map((domain) => readBlueprints(this.home, domain)));
      this.all = await Promise.all(lists.flat().map(async (each) => ({ ...each, uses: await usesOf(this.home, each) })));
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    return html`<div class="stack">
      <hearth-back-link href=${start} label=${t("editor.back")}></hearth-back-link>
      <div class="spread">
        <h2>${t("blueprints.heading")}</h2>
        <a class="button" href="${start}/import-blueprint"><hearth-icon .path=${mdiImport}></hearth-icon>${t("blueprints.import")}</a>
      </div>
      <p class="hint">${t("blueprints.hint")}</p>
      ${this.all ? this.lists(this.all) : html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`}
    </div>`;
  }

  private lists(all: Known[]): TemplateResult {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const sorted = [...all].sort((a, b) => compare(blueprintName(a), blueprintName(b)));
    return html`${blueprintDomains.map((domain) =>
      this.list(
        domain,
        sorted.filter((each) => each.domain === domain),
      ),
    )}`;
  }

  private list(domain: BlueprintDomain, blueprints: Known[]): TemplateResult | typeof nothing {
    if (blueprints.length === 0) return nothing;
    return html`<section class="card stack">
      <h3>${t(`blueprints.of_${domain}`)}</h3>
      <ul>
        ${blueprints.map((blueprint) => this.item(blueprint))}
      </ul>
    </section>`;
  }

  private item(blueprint: Known): TemplateResult {
    const { domain, metadata, error, uses, builtIn } = blueprint;
    const name = blueprintName(blueprint);
    return html`<li>
      <div>
        <a href=${pathTo(blueprint)}>${name}</a>
        ${builtIn ? html`<span class="badge">${t("blueprints.builtIn")}</span>` : nothing}
        ${error ? html`<p class="error">${error}</p>` : nothing}
        ${metadata.description ? html`<p class="hint short">${metadata.description}</p>` : nothing}
        ${uses.length > 0
          ? html`<p class="hint">
              ${t("blueprints.usedBy")}
              ${uses.map(
                (id, index) => html`${index > 0 ? ", " : nothing}<a href="${start}/${encodeURIComponent(id)}">${this.home.nameOf(id)}</a>`,
              )}
            </p>`
          : domain === "template"
            ? nothing
            : html`<p class="hint">${t("blueprints.unused")}</p>`}
      </div>
      ${error
        ? nothing
        : html`<div class="row">
            <a class="button" href=${linkToUse(blueprint)} aria-label=${t("blueprints.useNamed", { name })}>${t("blueprints.use")}</a>
          </div>`}
    </li>`;
  }
}
