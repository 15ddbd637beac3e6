// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { objectIdOf } from "../../api/automations";
import {
  blueprintDomains,
  inputsOf,
  missingInput,
  readBlueprints,
  type BlueprintDomain,
  type BlueprintText,
  type Looked,
  type Outdated,
} from "../../api/blueprints";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { notifyDone } from "../../elements/notify";
import { ours } from "../../i18n/blueprint_words";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { WordsController } from "../../i18n/late_words";
import { navigate } from "../../router";
import { shared } from "../../styles/shared";
import { pathTo, start } from "./blueprints";
import "../../elements/action";
import "../../elements/back_link";
import "../../elements/icon";
import "../../elements/loading";
import "../../elements/fields/upload_field";
import "../../items/text_changes";

// As the hub bounds it, in bytes.
const most = 1 << 20;

// Without the line in which the hub keeps where it fetched it, if the new text has none of its own.
function withoutSource(former: string, text: string): string {
  return /^\s+source_url:/m.test(text) ? former : former.replace(/^(blueprint:\n)\s+source_url: .*\n/m, "$1");
}

// A blueprint from an address, a file or a text. What it says is shown before it is saved; with `path`, it is a new version of that one,
// with `copied` a copy.
@customElement("hearth-import-page")
export class ImportPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) domain: BlueprintDomain | "" = "";
  @property({ attribute: false }) path = "";
  @property({ attribute: false }) copied = "";
  @state() private address = "";
  @state() private text = "";
  @state() private looked: Looked | undefined;
  // The blueprint at the path, if there is one.
  @state() private former: string | undefined;
  @state() private place = "";
  @state() private problems: Partial<Record<"address" | "file" | "text" | "place", string>> = {};
  private source = "";
  // The place of which it is known what is there.
  private lookedAt = "";
  private readonly words = new WordsController(this);
  @query("#looked") private heading!: HTMLElement | null;

  static override styles = [
    shared,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.6rem;
        align-items: end;
      }

      form .field-problem {
        grid-column: 1 / -1;
      }

      .field-problem {
        color: var(--danger);
        font-weight: 550;
        white-space: pre-line;
      }

      [aria-invalid="true"] {
        border-color: var(--danger) !important;
      }

      .about {
        white-space: pre-line;
      }

      pre {
        max-height: 30rem;
        margin: 0;
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        overflow: auto;
      }

      ul {
        margin: 0;
        padding-inline-start: 1.2rem;
      }

      h2:focus {
        outline: none;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("path") && this.path && this.domain) void this.fill(this.domain);
    if (changes.has("copied") && this.copied && this.domain) void this.copy(this.domain);
  }

  private async copy(domain: BlueprintDomain): Promise<void> {
    try {
      this.text = (await this.home.command<BlueprintText>("blueprint/get", { domain, path: this.copied })).raw_data;
    } catch (error) {
      this.problems = { text: hubMessage(errorText(error)) };
      return;
    }
    await this.look("text", { text: this.text });
  }

  // The address that a new version of this one may have.
  private async fill(domain: BlueprintDomain): Promise<void> {
    const known = (await readBlueprints(this.home, domain).catch(() => [])).find(({ path }) => path === this.path);
    if (typeof known?.metadata.source_url === "string" && this.address === "") this.address = known.metadata.source_url;
  }

  private async look(from: "address" | "file" | "text", what: { url: string } | { text: string }, path = this.path): Promise<void> {
    this.problems = {};
    try {
      const looked = await this.home.command<Looked>("blueprint/import", { ...what, ...(path && { path }) });
      this.source = "url" in what ? what.url : "";
      await this.show(looked, path);
    } catch (error) {
      this.problems = { [from]: hubMessage(errorText(error)) };
    }
  }

  private async show(looked: Looked, path: string): Promise<void> {
    const domain = this.domainOf(looked);
    const place = path || (looked.suggested_filename ? `${looked.suggested_filename}.yaml` : this.offered(looked));
    const atPlace =
      place === path || looked.suggested_filename
        ? looked
        : await this.home.command<Looked>("blueprint/import", { text: looked.raw_data, path: place });
    this.former = atPlace.exists ? (await this.home.command<BlueprintText>("blueprint/get", { domain, path: place })).raw_data : undefined;
    this.looked = atPlace;
    this.place = this.lookedAt = place;
    await this.updateComplete;
    this.heading?.focus();
  }

  private domainOf({ blueprint }: Looked): BlueprintDomain {
    return blueprintDomains.find((domain) => domain === blueprint.metadata.domain) ?? "automation";
  }

  // By whom and what: "me/motion_light.yaml".
  private offered({ blueprint }: Looked): string {
    const { author } = blueprint.metadata;
    const folder = author === ours ? "own" : objectIdOf(String(author ?? "")) || "imported";
    return `${folder}/${objectIdOf(String(blueprint.metadata.name ?? "")) || "blueprint"}.yaml`;
  }

  private async takeFile(file: File): Promise<void> {
    if (file.size > most) {
      this.problems = { file: t("blueprints.tooLarge") };
      return;
    }
    this.text = await file.text();
    await this.look("file", { text: this.text });
  }

  private async save(looked: Looked): Promise<void> {
    const domain = this.domainOf(looked);
    try {
      const path = this.place.endsWith(".yaml") ? this.place : `${this.place}.yaml`;
      if (this.place !== this.lookedAt) {
        const there = await this.home.command<Looked>("blueprint/import", { text: looked.raw_data, path });
        if (there.exists) return await this.show(there, path); // to be seen before it is replaced
        this.former = undefined;
        looked = there;
      }
      if (this.former !== undefined) {
        const now = await this.home.command<BlueprintText>("blueprint/get", { domain, path });
        if (now.raw_data !== this.former) {
          await this.show(await this.home.command<Looked>("blueprint/import", { text: looked.raw_data, path }), path);
          this.problems = { place: t("blueprints.changedMeanwhile") };
          return;
        }
      }
      await this.home.command("blueprint/save", {
        domain,
        path,
        yaml: looked.raw_data,
        allow_override: looked.exists,
        ...(this.source && { source_url: this.source }),
      });
      notifyDone(t("action.saved"));
      navigate(pathTo({ domain, path }), "replace");
    } catch (error) {
      this.problems = { place: hubMessage(errorText(error)) };
    }
  }

  private get headline(): string {
    if (this.copied) return t("blueprints.copyOf", { name: this.copied });
    return this.path ? t("blueprints.newVersionOf", { name: this.path }) : t("blueprints.import");
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    const back = this.path && this.domain ? pathTo({ domain: this.domain, path: this.path }) : `${start}/blueprints`;
    return html`<div class="stack">
      <hearth-back-link href=${back} label=${t("blueprints.heading")}></hearth-back-link>
      <h2>${this.headline}</h2>
      ${this.sources()} ${this.looked ? this.found(this.looked) : nothing}
    </div>`;
  }

  private problem(at: "address" | "text" | "place"): TemplateResult | typeof nothing {
    return this.problems[at] ? html`<p class="field-problem" id="${at}-problem" role="alert">${this.problems[at]}</p>` : nothing;
  }

  private sources(): TemplateResult {
    const { problems } = this;
    const fetch = (event: Event) => {
      event.preventDefault();
      const url = this.address.trim();
      if (url) void this.look("address", { url });
      else this.problems = { address: t("form.required") };
    };
    return html`<section class="card stack">
      <form novalidate @submit=${fetch}>
        <label
          >${t("blueprints.address")} <span class="hint">${t("blueprints.addressHint")}</span>
          <input
            id="address"
            type="url"
            autocomplete="off"
            aria-invalid=${problems.address ? "true" : "false"}
            aria-describedby=${problems.address ? "address-problem" : nothing}
            .value=${live(this.address)}
            @input=${(event: Event) => (this.address = (event.target as HTMLInputElement).value)}
          />
        </label>
        <button type="submit">${t("blueprints.fetch")}</button>
        ${this.problem("address")}
      </form>
      <hearth-upload-field
        .label=${t("blueprints.fromFile")}
        accept=".yaml,.yml"
        .problem=${problems.file ?? ""}
        @chosen=${({ detail }: CustomEvent<File>) => void this.takeFile(detail)}
      ></hearth-upload-field>
      <div>
        <label for="text">${t("blueprints.pasted")}</label>
        <textarea
          id="text"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="none"
          aria-invalid=${problems.text ? "true" : "false"}
          aria-describedby=${problems.text ? "text-problem" : nothing}
          .value=${live(this.text)}
          @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
        ></textarea>
        ${this.problem("text")}
      </div>
      <div class="end-buttons">
        <hearth-action
          .label=${t("blueprints.look")}
          ?disabled=${this.text.trim() === ""}
          .run=${() => this.look("text", { text: this.text })}
        ></hearth-action>
      </div>
    </section>`;
  }

  private found(looked: Looked): TemplateResult {
    const { metadata } = looked.blueprint;
    const inputs = inputsOf(metadata);
    return html`<section class="card stack">
      <div class="row">
        <h2 id="looked" tabindex="-1">${String(metadata.name ?? "")}</h2>
        <span class="badge">${t(`blueprints.kind_${this.domainOf(looked)}`)}</span>
      </div>
      ${metadata.description ? html`<p class="about">${String(metadata.description)}</p>` : nothing}
      ${inputs.length > 0 ? html`<p>${t("blueprints.asksFor")}: ${inputs.map(({ name }) => name).join(", ")}</p>` : nothing}
      <div>
        <label for="place">${t("blueprints.saveAs")} <span class="hint">blueprints/${this.domainOf(looked)}/</span></label>
        <input
          id="place"
          class="mono"
          autocomplete="off"
          spellcheck="false"
          maxlength="200"
          ?disabled=${this.path !== ""}
          aria-invalid=${this.problems.place ? "true" : "false"}
          aria-describedby=${this.problems.place ? "place-problem" : nothing}
          .value=${live(this.place)}
          @input=${(event: Event) => {
            this.place = (event.target as HTMLInputElement).value.trim();
            this.problems = {};
          }}
        />
        ${this.problem("place")}
      </div>
      ${this.former === undefined ? nothing : this.replaced(this.former, looked)}
      <details ?open=${this.former === undefined}>
        <summary>${t("blueprints.text")}</summary>
        <pre tabindex="0" aria-label=${t("blueprints.text")}>${looked.raw_data}</pre>
      </details>
      <div class="end-buttons">
        <hearth-action
          look="primary"
          .label=${t(looked.exists ? "blueprints.replace" : "action.save")}
          .run=${() => this.save(looked)}
        ></hearth-action>
      </div>
    </section>`;
  }

  private replaced(former: string, looked: Looked): TemplateResult {
    return html`<p class="notice">${t("blueprints.exists")}</p>
      ${looked.outdated.length > 0 ? this.outdated(looked) : nothing}
      <h3>${t("blueprints.changes")}</h3>
      <hearth-text-changes
        .former=${this.source ? withoutSource(former, looked.raw_data) : former}
        .text=${looked.raw_data}
      ></hearth-text-changes>`;
  }

  private outdated({ outdated: all, blueprint }: Looked): TemplateResult {
    const inputs = inputsOf(blueprint.metadata);
    const said = (line: string) => {
      const missing = missingInput(line);
      return missing
        ? t("blueprints.lacks", { name: inputs.find(({ key }) => key === missing)?.name ?? missing })
        : hubMessage(line.replace(/^\S+\.ya?ml:\d+:(?:\d+:)? /, ""));
    };
    const why = ({ error }: Outdated) => error.split("\n").map(said).join("; ");
    return html`<div class="problem" role="status">
      <p>${t("blueprints.wouldBreak", { count: all.length })}</p>
      <ul>
        ${all.map((each) => html`<li><strong>${each.name || each.item_id}</strong>: ${why(each)}</li>`)}
      </ul>
    </div>`;
  }
}
