// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { itemId, kindOf, objectIdOf, readItem, type Item } from "../../api/automations";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { writeItem } from "../../api/item_files";
import { notifyDone } from "../../elements/notify";
import { nameOf, type Picked } from "../../elements/selectors/home_controls";
import { kindOf as kindOfSelector, partsOf, type Parts } from "../../elements/selectors/selector";
import { WordsController } from "../../i18n/late_words";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { navigate } from "../../router";
import { shared } from "../../styles/shared";
import { pathTo, start } from "./blueprints";
import { candidatesOf, madeText, type Candidate } from "./made_text";
import "../../elements/action";
import "../../elements/back_link";
import "../../elements/icon";
import "../../elements/loading";

interface Row {
  candidate: Candidate;
  isChosen: boolean;
  name: string;
  isDefault: boolean;
}

// The thing of the home that it is, if it is one.
function pickedOf({ selector }: Candidate): Picked | undefined {
  const kinds: Picked[] = ["entity", "device", "area", "floor"];
  return kinds.find((kind) => kind === kindOfSelector(selector));
}

// "0:05:00"
function clockText({ days, hours, minutes, seconds, milliseconds }: Parts): string {
  const all = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  const two = (part: number) => String(part).padStart(2, "0");
  return `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}${milliseconds ? `.${String(milliseconds).padStart(3, "0")}` : ""}`;
}

// Makes a blueprint of an automation or script: which of its values each use is to give.
@customElement("hearth-make-page")
export class MakePage extends LitElement {
  @property({ attribute: false }) home!: Home;
  // The entity.
  @property({ attribute: false }) from = "";
  @state() private item: Item | undefined;
  @state() private rows: Row[] = [];
  @state() private name = "";
  @state() private description = "";
  @state() private place: string | undefined;
  @state() private usesIt = true;
  @state() private failure = "";
  @state() private problem = "";
  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    css`
      fieldset {
        display: grid;
        gap: 0.9rem;
        margin: 0;
        padding: 0;
        border: 0;
        min-width: 0;
      }

      legend {
        padding: 0 0 0.4rem;
        font-weight: 650;
      }

      .check {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2.2rem;
        font-weight: 400;
        overflow-wrap: anywhere;
      }

      .check span {
        min-width: 0;
      }

      .more {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
        gap: 0.3rem 1rem;
        align-items: end;
        padding-inline-start: 1.8rem;
      }

      pre {
        margin: 0;
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        overflow-x: auto;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("from")) void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      const item = await readItem(this.home, this.from);
      this.name = this.home.nameOf(this.from);
      this.description = typeof item.description === "string" ? item.description : "";
      this.rows = candidatesOf(item).map((candidate) => ({
        candidate,
        isChosen: kindOfSelector(candidate.selector) === "entity",
        name: this.nameFor(candidate),
        isDefault: kindOfSelector(candidate.selector) !== "entity",
      }));
      this.item = item;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private nameFor(candidate: Candidate): string {
    const { at } = candidate;
    if (pickedOf(candidate)) return this.shown(candidate);
    const word = at.replaceAll("_", " ");
    return word.charAt(0).toUpperCase() + word.slice(1);
  }

  private change(row: Row, changes: Partial<Row>): void {
    this.rows = this.rows.map((each) => (each === row ? { ...each, ...changes } : each));
  }

  private get domain(): "automation" | "script" {
    return kindOf(this.from) === "script" ? "script" : "automation";
  }

  private get path(): string {
    return this.place ?? `${objectIdOf(this.home.configuration.location_name) || "home"}/${objectIdOf(this.name) || "blueprint"}.yaml`;
  }

  private made(item: Item) {
    return madeText(
      item,
      this.domain,
      { name: this.name, description: this.description },
      this.rows.filter(({ isChosen }) => isChosen),
    );
  }

  private async save(item: Item): Promise<void> {
    this.problem = "";
    const { text, inputs } = this.made(item);
    const { domain, path } = this;
    try {
      await this.home.command("blueprint/save", { domain, path, yaml: text });
      const id = itemId(this.home, this.from);
      const { alias, description } = item;
      const use = {
        ...(alias !== undefined && { alias }),
        ...(description !== undefined && { description }),
        use_blueprint: { path, input: inputs },
      };
      if (this.usesIt && id !== undefined) await this.use(id, use, path);
      notifyDone(t("action.saved"));
      navigate(pathTo({ domain, path }), "replace");
    } catch (error) {
      this.problem = hubMessage(errorText(error));
    }
  }

  // A blueprint that the item cannot use is not kept.
  private async use(id: string, use: Item, path: string): Promise<void> {
    const { domain } = this;
    try {
      await writeItem(this.home, domain, id, use);
    } catch (error) {
      await this.home.command("blueprint/delete", { domain, path }).catch(() => undefined);
      throw error;
    }
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    if (!this.item) return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`;
    return html`<div class="stack">
      <hearth-back-link href="${start}/${encodeURIComponent(this.from)}" label=${this.home.nameOf(this.from)}></hearth-back-link>
      <h2>${t("blueprints.makeOf", { name: this.home.nameOf(this.from) })}</h2>
      ${this.item.use_blueprint ? html`<p class="problem">${t("blueprints.usesOne")}</p>` : this.form(this.item)}
    </div>`;
  }

  private form(item: Item): TemplateResult {
    const written = (value: string, changed: (text: string) => void, label: string, mono = false) =>
      html`<label
        >${label}
        <input
          class=${mono ? "mono" : ""}
          autocomplete="off"
          maxlength="255"
          .value=${live(value)}
          @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}
      /></label>`;
    return html`<section class="card stack">
      ${written(this.name, (text) => (this.name = text), t("sentences.name"))}
      ${written(this.description, (text) => (this.description = text), t("blueprints.description"))}
      <fieldset>
        <legend>${t("blueprints.whichInputs")}</legend>
        ${this.rows.length === 0 ? html`<p class="muted">${t("blueprints.noCandidates")}</p>` : nothing}
        ${this.rows.map((row) => this.row(row))}
      </fieldset>
      ${written(this.path, (text) => (this.place = text), `${t("blueprints.saveAs")} blueprints/${this.domain}/`, true)}
      ${itemId(this.home, this.from) === undefined
        ? nothing
        : html`<label class="check"
            ><input
              type="checkbox"
              .checked=${live(this.usesIt)}
              @change=${(event: Event) => (this.usesIt = (event.target as HTMLInputElement).checked)}
            />${t("blueprints.letUse", { name: this.home.nameOf(this.from) })}</label
          >`}
      <details>
        <summary>${t("blueprints.text")}</summary>
        <pre tabindex="0" aria-label=${t("blueprints.text")}>${this.made(item).text}</pre>
      </details>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div class="end-buttons">
        <hearth-action
          look="primary"
          .label=${t("blueprints.make")}
          ?disabled=${this.name.trim() === ""}
          .run=${() => this.save(item)}
        ></hearth-action>
      </div>
    </section>`;
  }

  private row(row: Row): TemplateResult {
    const { candidate, isChosen, name, isDefault } = row;
    const shown = this.shown(candidate);
    const ticked = (changes: (on: boolean) => Partial<Row>) => (event: Event) =>
      this.change(row, changes((event.target as HTMLInputElement).checked));
    return html`<div>
      <label class="check">
        <input type="checkbox" .checked=${live(isChosen)} @change=${ticked((on) => ({ isChosen: on }))} />
        <span
          >${shown}
          <span class="hint"
            >${candidate.at}${candidate.paths.length > 1
              ? ` · ${t("blueprints.places", { count: candidate.paths.length })}`
              : nothing}</span
          ></span
        >
      </label>
      ${isChosen
        ? html`<div class="more">
            <label
              >${t("blueprints.askedAs")}
              <input
                autocomplete="off"
                maxlength="255"
                .value=${live(name)}
                @input=${(event: Event) => this.change(row, { name: (event.target as HTMLInputElement).value })}
            /></label>
            <label class="check"
              ><input type="checkbox" .checked=${live(isDefault)} @change=${ticked((on) => ({ isDefault: on }))} />${t(
                "blueprints.asDefault",
                { value: shown },
              )}</label
            >
          </div>`
        : nothing}
    </div>`;
  }

  private shown(candidate: Candidate): string {
    const { value } = candidate;
    const picked = pickedOf(candidate);
    if (picked)
      return [value]
        .flat()
        .map((id) => nameOf(picked, this.home, [], String(id)))
        .join(", ");
    const parts = kindOfSelector(candidate.selector) === "duration" ? partsOf(value) : undefined;
    if (parts) return clockText(parts);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}
