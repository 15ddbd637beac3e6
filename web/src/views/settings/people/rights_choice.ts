// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { orderedAreas } from "../../../api/floors";
import type { Home } from "../../../api/home";
import { LabelsController } from "../../../api/labels";
import type { Rights, Selection } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import type { Choice } from "../../../elements/fields/picker";
import { domainChoices, domainName, entityChoices } from "../../../elements/home_choices";
import { formatList, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import {
  namesAt,
  partNames,
  seenBy,
  startOf,
  starts,
  withLevel,
  levelOf,
  type Given,
  type Level,
  type PartName,
  type Start,
} from "./rights";
import "../../../elements/fields/picker";

const mostListed = 300;

// Chooses what somebody sees and controls. Fires `change-given` with a Given as detail; its owner then sets `given`.
@customElement("hearth-rights-choice")
export class RightsChoice extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) given!: Given;
  // Which starting points are offered.
  @property({ attribute: false }) offered: readonly Start[] = ["administrator", "family", "child", "guest", "panel"];
  @state() private start: Start | undefined;
  @state() private listed = false;
  private knownLabels = new LabelsController(this, () => this.home);

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }

      label {
        margin-bottom: 0.3rem;
      }

      .hint {
        margin-top: 0.3rem;
      }

      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0 0 0.4rem;
        font-weight: 550;
      }

      .check {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2.75rem;
        margin: 0;
      }

      .rooms {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
        gap: 0.5rem 1.5rem;
      }

      .room {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.8rem;
      }

      .rooms span {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .rooms select {
        flex: none;
        width: auto;
        max-width: 75%;
      }

      summary {
        margin-top: 0.5rem;
      }

      .more {
        display: grid;
        gap: 1rem;
        padding-top: 0.7rem;
      }

      .seen {
        columns: 16rem;
        margin: 0.5rem 0 0;
        padding-left: 1.2rem;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  private give(given: Given): void {
    this.dispatchEvent(new CustomEvent<Given>("change-given", { detail: given }));
  }

  private change(rights: Rights): void {
    this.start ??= "own";
    this.give({ ...this.given, rights });
  }

  private begin(start: Start): void {
    this.start = start;
    if (start !== "own") this.give(starts[start]);
    else
      this.give({
        role: this.given.role === "reader" ? "reader" : "user",
        rights: this.given.rights ?? { read: { all: true }, control: {} },
      });
  }

  private get mayControl(): boolean {
    return this.given.role !== "reader";
  }

  override render() {
    const { rights } = this.given;
    const start = this.start ?? startOf(this.given);
    const options: Start[] = [...this.offered, "own"];
    return html`<div>
        <label for="start">${t("people.start")}</label>
        <select id="start" @change=${(event: Event) => this.begin((event.target as HTMLSelectElement).value as Start)}>
          ${options.map((each) => html`<option value=${each} .selected=${each === start}>${t(`people.start.${each}`)}</option>`)}
        </select>
        <p class="hint">${t(`people.startHint.${start}`)}</p>
      </div>
      ${rights ? this.parts(rights) : nothing} ${this.preview()}`;
  }

  private parts(rights: Rights): TemplateResult {
    const { read, control } = rights;
    return html`<div>
        ${this.check("all", t("people.seesAll"), read.all === true, (all) => this.change({ ...rights, read: whole(read, all) }))}
        ${this.mayControl
          ? this.check("control-all", t("people.controlsAll"), control.all === true, (all) =>
              this.change({ ...rights, control: whole(control, all) }),
            )
          : nothing}
      </div>
      ${this.home.areas.size > 0 && !(read.all && (control.all || !this.mayControl)) ? this.rooms(rights) : nothing}
      <details>
        <summary>${t("people.more")}</summary>
        <div class="more">
          ${(["controls", "sees"] as const).flatMap((level) =>
            level === "controls" && !this.mayControl ? [] : partNames.slice(1).map((part) => this.picker(rights, part, level)),
          )}
        </div>
      </details>`;
  }

  private check(id: string, label: string, checked: boolean, changed: (checked: boolean) => void): TemplateResult {
    return html`<label class="check"
      ><input
        type="checkbox"
        id=${id}
        .checked=${checked}
        @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
      />${label}</label
    >`;
  }

  private rooms(rights: Rights): TemplateResult {
    const { read, control } = rights;
    const levels: Level[] = [];
    if (!read.all) levels.push("none");
    if (!control.all || !this.mayControl) levels.push("sees");
    if (this.mayControl) levels.push("controls");
    const shown = (id: string): Level => {
      const level = levelOf(rights, "areas", id);
      if (level === "none" && read.all) return "sees";
      return level === "sees" && control.all && this.mayControl ? "controls" : level;
    };
    return html`<fieldset>
      <legend>${t("people.rooms")}</legend>
      <div class="rooms">
        ${orderedAreas(this.home).map(
          ({ area_id, name }) =>
            html`<div class="room">
              <span aria-hidden="true">${name}</span>
              <select
                aria-label=${name}
                @change=${(event: Event) =>
                  this.change(withLevel(rights, "areas", area_id, (event.target as HTMLSelectElement).value as Level))}
              >
                ${levels.map(
                  (level) => html`<option value=${level} .selected=${level === shown(area_id)}>${t(`people.level.${level}`)}</option>`,
                )}
              </select>
            </div>`,
        )}
      </div>
    </fieldset>`;
  }

  private picker(rights: Rights, part: PartName, level: "sees" | "controls"): TemplateResult | typeof nothing {
    const labels = this.knownLabels.all;
    if (part === "labels" && labels.length === 0) return nothing;
    const choices: Record<PartName, () => Choice[]> = {
      areas: () => [],
      domains: () => domainChoices(this.home),
      labels: () => labels.map(({ label_id, name }) => ({ id: label_id, name })),
      entities: () => entityChoices(this.home),
    };
    const chosen = namesAt(rights, part, level);
    const choose = (ids: string[]) => {
      let next = rights;
      for (const id of chosen) if (!ids.includes(id)) next = withLevel(next, part, id, "none");
      for (const id of ids) next = withLevel(next, part, id, level);
      this.change(next);
    };
    return html`<hearth-picker
      multiple
      .label=${t(`people.${level}.${part as Exclude<PartName, "areas">}`)}
      .choices=${choices[part]}
      .chosen=${chosen}
      .nameOf=${(id: string) => this.nameOf(part, id)}
      @change-chosen=${({ detail }: CustomEvent<string[]>) => choose(detail)}
    ></hearth-picker>`;
  }

  private nameOf(part: PartName, id: string): string {
    if (part === "areas") return this.home.areas.get(id)?.name ?? id;
    if (part === "domains") return domainName(id);
    return part === "labels" ? this.knownLabels.named(id).name : this.home.nameOf(id);
  }

  // "Sees and controls: hall and living room. Sees: garden. 14 of 120 entities, controls 9 of them."
  private sentence(sees: number, controls: number): string {
    const { role, rights } = this.given;
    const all = this.home.entities.size;
    if (role === "administrator") return t("people.sentence.administrator");
    const named = (level: Level) =>
      rights ? partNames.flatMap((part) => namesAt(rights, part, level).map((id) => this.nameOf(part, id))) : [];
    const sentences: string[] = [];
    const controlled = named("controls");
    if (rights === null || rights.read.all) {
      const everything = this.mayControl && (rights === null || rights.control.all);
      sentences.push(t(everything ? "people.sentence.everything" : "people.sentence.seesAll"));
      if (!everything && this.mayControl && controlled.length > 0)
        sentences.push(t("people.sentence.controls", { names: formatList(controlled) }));
    } else {
      const both = this.mayControl ? [...controlled, ...(rights.control.all ? named("sees") : [])] : [];
      const only = [...named("sees"), ...(this.mayControl ? [] : controlled)].filter((name) => !both.includes(name));
      if (both.length > 0) sentences.push(t("people.sentence.both", { names: formatList(both) }));
      if (only.length > 0) sentences.push(t("people.sentence.sees", { names: formatList(only) }));
      if (both.length + only.length === 0) sentences.push(t("people.sentence.nothing"));
    }
    sentences.push(t("people.sentence.count", { sees, all, controls }));
    return sentences.join(" ");
  }

  private preview(): TemplateResult {
    const { sees, controls } = seenBy(this.given, this.home, this.home.entities.keys());
    return html`<div>
      <p id="sees" aria-live="polite">${this.sentence(sees.length, controls.size)}</p>
      ${this.given.rights && sees.length > 0
        ? html`<details @toggle=${(event: Event) => (this.listed = (event.target as HTMLDetailsElement).open)}>
            <summary>${t("people.preview")}</summary>
            ${this.listed ? this.list(sees, controls) : nothing}
          </details>`
        : nothing}
    </div>`;
  }

  private list(sees: string[], controls: ReadonlySet<string>): TemplateResult {
    const rest = sees.length - mostListed;
    return html`<ul class="seen">
        ${sees
          .slice(0, mostListed)
          .map(
            (id) =>
              html`<li>
                ${this.home.nameOf(id)} ${controls.has(id) ? nothing : html`<span class="hint">${t("people.seesOnly")}</span>`}
              </li>`,
          )}
      </ul>
      ${rest > 0 ? html`<p class="hint">${t("people.andMore", { count: rest })}</p>` : nothing}`;
  }
}

function whole(selection: Selection, all: boolean): Selection {
  const { all: _, ...rest } = selection;
  return all ? { all, ...rest } : rest;
}
