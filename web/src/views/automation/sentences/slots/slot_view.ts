// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { parse, stringify } from "yaml";

import { iconOf } from "../../../../cards/icons";
import { digits } from "../../../../elements/fields/number_range";
import { domainsOf, domainName } from "../../../../elements/home_choices";
import { styles } from "../../../../elements/styles_directive";
import { t } from "../../../../i18n/catalogue";
import { shared } from "../../../../styles/shared";
import { neededData, serviceOf } from "../call_pieces";
import { ableDevices, withDevice } from "../devices/device_offers";
import { durationOf, offsetOf, units, writeDuration, writeOffset, type Offset, type Unit } from "../durations";
import { at, isConfig, pathOf, type Config, type Path } from "../edit";
import type { Editing } from "../editing";
import { unitOfEntity, entitiesOf, weekdayName } from "../home_words";
import type { Slot } from "../kinds";
import { listOf, textsOf } from "../modern";
import { deviceOffers, entityOffers, serviceOffers, purposeOffers, targetIds, targetOf, targetOffers } from "../offers";
import { pick } from "../pick";
import { withPurpose } from "../purpose_pieces";
import { findPurpose } from "../purpose_table";
import { iconOfDomain } from "../source_icons";
import { isColor, isTemplate, weekdays } from "../values";
import { slotStyles } from "./slot_styles";
import { slotText } from "./slot_text";
import { sideOf, sideOptions, withSide } from "./slots";
import "../../../../elements/icon";
import "./choice_list";
import "./event_choice";
import "../menu";
import "../threshold_view";
import "./time_list";

// The choices of people in a sentence, by their type.
@customElement("hearth-slot")
export class SlotView extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  // Of the row.
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) config: Config = {};
  @property({ attribute: false }) slotOf!: Slot;
  @property({ type: Boolean, reflect: true }) wide = false;
  // The text that is being written, as far as the value is another one.
  @state() private draft: string | undefined;
  @state() private problem = "";
  private written: unknown;
  // Of a duration or an offset, as it was chosen: 60 minutes on the way to 600, and 0 minutes on the way to 5.
  private measured: Offset | undefined;

  static override styles = [shared, slotStyles];

  private get value(): unknown {
    return at(this.config, pathOf(this.slotOf.key));
  }

  private change(value: unknown): void {
    this.editing.change([...this.path, ...pathOf(this.slotOf.key)], value);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    const { type } = this.slotOf;
    this.wide = ["template", "yaml"].includes(type) || (isTemplate(this.value) && type !== "text");
    if (changes.has("config") && this.value !== this.written) this.draft = this.measured = undefined;
  }

  // Puts the cursor into what is still missing.
  override focus(): void {
    const inner = this.renderRoot.querySelector<HTMLElement>(
      "button, select, input, textarea, hearth-choice-list, hearth-time-list, hearth-event-choice, hearth-threshold",
    );
    inner?.focus();
  }

  get isEmpty(): boolean {
    const { value } = this;
    if (this.slotOf.type === "side") return sideOf(this.config) === undefined;
    const isNothing = value === undefined && this.slotOf.nothing === undefined;
    return (
      isNothing ||
      value === "" ||
      (Array.isArray(value) && value.length === 0) ||
      (isConfig(value) && this.slotOf.type === "target" && targetIds(value).length === 0)
    );
  }

  override render() {
    const { slotOf: slot, value, editing } = this;
    if (isTemplate(value) && slot.type !== "text") return this.text(value, true);
    if (slot.open) return this.choiceList();
    switch (slot.type) {
      case "entity":
        return this.entity();
      case "target":
        return this.opens(() => this.pickTarget(), "");
      case "call":
        return this.opens(() => this.pickCall(), typeof value === "string" && value !== "" ? iconOfDomain(value.split(".")[0] ?? "") : "");
      case "device":
        return this.opens(() => this.pickDevice(), "");
      case "purpose":
        return this.opens(() => this.pickPurpose(), "");
      case "threshold":
        return html`<hearth-threshold
          .editing=${editing}
          .slotOf=${slot}
          .config=${this.config}
          @change-value=${(event: CustomEvent<unknown>) => this.change(event.detail)}
        ></hearth-threshold>`;
      case "state":
      case "attribute":
      case "trigger_id":
      case "select":
      case "boolean":
        return this.choiceList();
      case "time":
        return html`<hearth-time-list
          .editing=${editing}
          .slotOf=${slot}
          .value=${value}
          @change-value=${(event: CustomEvent<unknown>) => this.change(event.detail)}
        ></hearth-time-list>`;
      case "device_event":
        return html`<hearth-event-choice
          .editing=${editing}
          .path=${this.path}
          .config=${this.config}
          .label=${slot.label()}
        ></hearth-event-choice>`;
      case "side":
        return this.side();
      case "number":
        return this.number(value, slot.unit ?? "", (next) => this.change(next));
      case "limit":
        return this.number(value, unitOfEntity(editing.home, entitiesOf(this.config), this.config.attribute), (next) => this.change(next));
      case "duration":
        return this.duration(value);
      case "offset":
        return this.offset(value);
      case "pattern":
        return this.pattern(value);
      case "weekday":
        return this.weekday(textsOf(value) ?? []);
      case "color":
        return this.color(isColor(value) ? value : [255, 255, 255]);
      case "yaml":
        return this.yaml(value);
      case "template":
        return this.text(String(value ?? ""), true);
      default:
        return this.text(slot.many ? listOf(value).join(", ") : String(value ?? ""), false);
    }
  }

  private choiceList(): TemplateResult {
    return html`<hearth-choice-list
      .editing=${this.editing}
      .slotOf=${this.slotOf}
      .config=${this.config}
      @change-value=${(event: CustomEvent<unknown>) => this.change(event.detail)}
    ></hearth-choice-list>`;
  }

  private opens(open: () => Promise<void>, icon: string, iconName = ""): TemplateResult {
    const { editing, slotOf, config } = this;
    const text = this.isEmpty ? t("sentence.choose", { what: slotOf.label() }) : this.said();
    return html`<button
      type="button"
      class="token ${this.isEmpty ? "empty" : ""}"
      aria-label="${slotOf.label()}: ${text}"
      aria-haspopup="dialog"
      title=${slotOf.type === "call" ? String(config.action ?? "") : nothing}
      ?disabled=${editing.fixed}
      @click=${() => void open()}
    >
      ${icon || iconName ? html`<hearth-icon .path=${icon} .name=${iconName}></hearth-icon>` : nothing}<span>${text}</span>
    </button>`;
  }

  private said(): string {
    const text = slotText(this.editing, this.slotOf, this.config);
    const domain = String(this.value).split(".")[0] ?? "";
    return this.slotOf.type === "call" ? `${text} – ${domainName(domain)}` : text;
  }

  private entity(): TemplateResult {
    const { home } = this.editing;
    const first = home.entity(textsOf(this.value)?.[0] ?? "");
    const { name, path } = first ? iconOf(home, first) : { name: "", path: "" };
    return this.opens(() => this.pickEntities(), path, name);
  }

  private async pickEntities(): Promise<void> {
    const { slotOf: slot, editing } = this;
    const chosen = textsOf(this.value) ?? [];
    const found = await pick({ heading: slot.label(), choices: entityOffers(editing, slot.domains), chosen, many: slot.many === true });
    if (found) this.change(found.length === 1 || !slot.many ? (found[0] ?? "") : found);
  }

  private async pickTarget(): Promise<void> {
    const wanted = serviceOf(this.editing, this.config.action)?.target as { entity?: unknown } | undefined;
    const domains = wanted ? domainsOf(wanted.entity) : undefined;
    const chosen = targetIds(this.value);
    const found = await pick({
      heading: this.slotOf.label(),
      choices: targetOffers(this.editing, domains, this.slotOf.sources),
      chosen,
      many: true,
    });
    const exclude = this.slotOf.excludes && isConfig(this.value) ? this.value.exclude : undefined;
    if (found) this.change({ ...targetOf(found), ...(exclude !== undefined && { exclude }) });
  }

  private async pickCall(): Promise<void> {
    const { editing, path, config } = this;
    const found = await pick({
      heading: this.slotOf.label(),
      choices: serviceOffers(editing, config.target),
      chosen: [String(this.value ?? "")],
      many: false,
    });
    const action = found?.[0];
    if (action === undefined || action === config.action) return;
    const service = serviceOf(editing, action);
    const data = isConfig(config.data) ? config.data : {};
    // Data that the new service takes, too, stays; data that it needs is there at once.
    const kept = Object.entries(data).filter(([name]) => service && Object.hasOwn(service.fields, name));
    const next = { ...neededData(service), ...Object.fromEntries(kept) };
    const { data: _, target, ...rest } = config;
    editing.change(path, {
      ...rest,
      action,
      ...(service?.target !== undefined && { target: target ?? {} }),
      ...(Object.keys(next).length > 0 && { data: next }),
    });
  }

  private async pickDevice(): Promise<void> {
    const { editing, path, config, value } = this;
    const able = config.trigger === undefined ? ableDevices(editing, config) : undefined;
    const choices = deviceOffers(editing).filter(({ id }) => !able || able.has(id));
    const id = (await pick({ heading: this.slotOf.label(), choices, chosen: [String(value ?? "")], many: false }))?.[0];
    if (id !== undefined && id !== value) editing.change(path, withDevice(editing, config, id));
  }

  private async pickPurpose(): Promise<void> {
    const { editing, path, config, value, slotOf } = this;
    const section = slotOf.key === "trigger" ? "triggers" : "conditions";
    const name = (await pick({ heading: slotOf.label(), choices: purposeOffers(section), chosen: [String(value)], many: false }))?.[0];
    const purpose = findPurpose(section, name);
    if (purpose && name !== value) editing.change(path, withPurpose(editing, config, purpose));
  }

  private number(
    value: unknown,
    unit: string,
    change: (value: number | null) => void,
    label = this.slotOf.label(),
    limits: Partial<Slot> = this.slotOf,
  ): TemplateResult {
    const shown = value === null || value === undefined ? "" : String(value);
    return html`<input
        class="token ${shown === "" ? "empty" : ""}"
        type="number"
        inputmode="decimal"
        aria-label=${unit ? `${label} (${unit})` : label}
        min=${limits.min ?? nothing}
        max=${limits.max ?? nothing}
        step=${limits.step ?? "any"}
        ?disabled=${this.editing.fixed}
        .value=${shown}
        ${styles(digits(limits, shown))}
        @input=${(event: InputEvent) => {
          const field = event.target as HTMLInputElement;
          if (!field.validity.badInput) change(field.value === "" ? null : Number(field.value));
        }}
      />${unit ? html`<span>${unit}</span>` : nothing}`;
  }

  private select<Value extends string>(
    label: string,
    value: Value,
    list: [Value, string][],
    change: (value: Value) => void,
  ): TemplateResult {
    return html`<select
      class="token"
      aria-label=${label}
      ?disabled=${this.editing.fixed}
      @change=${(event: Event) => change((event.target as HTMLSelectElement).value as Value)}
    >
      ${list.map(([one, text]) => html`<option value=${one} .selected=${one === value}>${text}</option>`)}
    </select>`;
  }

  private side(): TemplateResult {
    const { config, editing, path } = this;
    const side = sideOf(config);
    const choose = (event: Event) =>
      editing.change(path, withSide(config, (event.target as HTMLSelectElement).value as Parameters<typeof withSide>[1]));
    return html`<select class="token ${side ? "" : "empty"}" aria-label=${this.slotOf.label()} ?disabled=${editing.fixed} @change=${choose}>
      ${side ? nothing : html`<option value="" selected disabled>${t("sentence.choose", { what: this.slotOf.label() })}</option>`}
      ${sideOptions.map(({ value, text }) => html`<option value=${String(value)} .selected=${value === side}>${text()}</option>`)}
    </select>`;
  }

  private units(unit: Unit, change: (unit: Unit) => void): TemplateResult {
    return this.select(
      t("slot.unit"),
      unit,
      units.map((one) => [one, t(`unit.${one}`)]),
      change,
    );
  }

  private measure(offset: Offset, write: (offset: Offset) => unknown): void {
    this.measured = offset;
    this.written = write(offset);
    this.change(this.written);
  }

  private duration(value: unknown): TemplateResult {
    const duration: Offset = this.measured ?? { amount: 0, unit: "minutes", before: false, ...durationOf(value) };
    const change = (changes: Partial<Offset>) => this.measure({ ...duration, ...changes }, writeDuration);
    return html`${this.number(duration.amount, "", (amount) => change({ amount: amount ?? 0 }), undefined, { min: 0 })}
    ${this.units(duration.unit, (unit) => change({ unit }))}`;
  }

  private offset(value: unknown): TemplateResult {
    const offset: Offset = this.measured ?? offsetOf(value) ?? { amount: 0, unit: "minutes", before: true };
    const change = (changes: Partial<Offset>) => this.measure({ ...offset, ...changes }, writeOffset);
    return html`${this.number(offset.amount, "", (amount) => change({ amount: Math.abs(amount ?? 0) }), undefined, { min: 0 })}
    ${this.units(offset.unit, (unit) => change({ unit }))}
    ${this.select(
      t("slot.direction"),
      offset.before ? "before" : "after",
      [
        ["before", t("sentence.earlierWord")],
        ["after", t("sentence.laterWord")],
      ],
      (where) => change({ before: where === "before" }),
    )}`;
  }

  private pattern(value: unknown): TemplateResult {
    const text = String(value ?? "*");
    const how = text === "*" ? "each" : text.startsWith("/") ? "every" : "at";
    const number = Number(text.replace("/", "")) || 0;
    const write = (kind: string, next: number) => this.change(kind === "each" ? "*" : kind === "every" ? `/${Math.max(1, next)}` : next);
    const list: [string, string][] = [
      ["each", t("sentence.each")],
      ["every", t("sentence.everyWord")],
      ["at", t("sentence.atWord")],
    ];
    return html`${this.select(this.slotOf.label(), how, list, (kind) => write(kind, number))}
    ${how === "each"
      ? nothing
      : this.number(number, "", (next) => write(how, next ?? 0), undefined, { min: 0, max: this.slotOf.max, step: 1 })}`;
  }

  private weekday(days: string[]): TemplateResult {
    const toggle = (day: string) => this.change(weekdays.filter((one) => (one === day ? !days.includes(one) : days.includes(one))));
    return html`<div class="days" role="group" aria-label=${this.slotOf.label()}>
      ${weekdays.map(
        (day) =>
          html`<button
            type="button"
            aria-label=${weekdayName(day)}
            aria-pressed=${days.includes(day) ? "true" : "false"}
            ?disabled=${this.editing.fixed}
            @click=${() => toggle(day)}
          >
            ${weekdayName(day, "short")}
          </button>`,
      )}
    </div>`;
  }

  private color(value: [number, number, number]): TemplateResult {
    const shown = `#${value.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    const read = (text: string) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
    return html`<input
      class="color"
      type="color"
      aria-label=${this.slotOf.label()}
      ?disabled=${this.editing.fixed}
      .value=${shown}
      @input=${(event: InputEvent) => this.change(read((event.target as HTMLInputElement).value))}
    />`;
  }

  private text(value: string, isTemplateText: boolean): TemplateResult {
    const { slotOf: slot, editing } = this;
    const write = (event: InputEvent) => {
      const { value: text } = event.target as HTMLInputElement;
      if (slot.many) this.draft = text;
      this.written = slot.many ? oneOrMany(text) : text;
      this.change(this.written);
    };
    if (!isTemplateText) {
      return html`<input
        class="token ${value === "" ? "empty" : ""}"
        type="text"
        aria-label=${slot.label()}
        placeholder=${slot.placeholder || slot.label()}
        autocomplete="off"
        ?disabled=${editing.fixed}
        .value=${live(this.draft ?? value)}
        @input=${write}
        @blur=${() => (this.draft = undefined)}
      />`;
    }
    return html`<textarea
      rows="1"
      spellcheck="false"
      autocapitalize="none"
      aria-label=${slot.label()}
      placeholder="{{ … }}"
      ?disabled=${editing.fixed}
      .value=${live(value)}
      @input=${write}
    ></textarea>`;
  }

  private yaml(value: unknown): TemplateResult {
    const shown = this.draft ?? (value === undefined || (isConfig(value) && Object.keys(value).length === 0) ? "" : yamlOf(value));
    return html`<textarea
        rows="1"
        spellcheck="false"
        autocapitalize="none"
        aria-label=${this.slotOf.label()}
        aria-invalid=${this.problem ? "true" : "false"}
        placeholder="YAML"
        ?disabled=${this.editing.fixed}
        .value=${live(shown)}
        @input=${(event: InputEvent) => this.write((event.target as HTMLTextAreaElement).value)}
        @blur=${() => {
          if (this.problem === "") this.draft = undefined;
        }}
      ></textarea>
      ${this.problem ? html`<span class="wrong" role="alert">${this.problem}</span>` : nothing}`;
  }

  private write(text: string): void {
    this.draft = text;
    try {
      const value = parse(text) as unknown;
      this.problem = "";
      this.written = value ?? (this.slotOf.key.startsWith("data.") ? null : {});
      this.change(this.written);
    } catch (error) {
      this.problem = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    }
  }
}

// A short value stands in one line.
function yamlOf(value: unknown): string {
  const isShort = typeof value === "object" && JSON.stringify(value).length < 50;
  return stringify(value, { lineWidth: 0, compat: "yaml-1.1", ...(isShort && { collectionStyle: "flow" }) }).trimEnd();
}

function oneOrMany(text: string): string | string[] {
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return list.length === 1 ? (list[0] as string) : list;
}
