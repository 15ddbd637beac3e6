// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { DerivedField, DerivedKinds } from "../../api/derived";
import { isCommandError } from "../../api/errors";
import { helperKinds, isHelperKind, readHelpers, type HelperKind, type KnownHelper } from "../../api/helpers";
import type { Home } from "../../api/home";
import type { User } from "../../api/types";
import { confirm } from "../../elements/confirm";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import type { Changed } from "../../elements/selectors/selector_field";
import { language, maybeT, t, type Key } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import type { DerivedFields, DerivedValues } from "./derived/derived_fields";
import { placedProblems, type Worded } from "./derived/derived_problems";
import { kindName, wordsOf } from "./derived/derived_words";
import { fieldsOf, hasIcon, isWeek, valueOf, type Asked } from "./helper_fields";
import { stretchesIn, textOf, weekdays, type Stretch, type Week, type Weekday } from "./week";
import "../../elements/dialog";
import "../../elements/selectors/selector_field";
import "./derived/derived_fields";
import "./week_grid";

const noWeek = Object.fromEntries(weekdays.map((day) => [day, []])) as unknown as Week;

// Makes a helper or, with `known`, changes one. Fires `closed`.
@customElement("hearth-helper-dialog")
export class HelperDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) known: KnownHelper | undefined;
  // Sensors made of others, which are offered, too.
  @property({ attribute: false }) derived: DerivedKinds = {};
  // Of a new one.
  @state() private chosen = "input_boolean";
  @state() private values: DerivedValues = {};
  @state() private groupType = "";
  @state() private picked: Record<string, string[]> = {};
  @state() private week: Week = noWeek;
  @state() private users: User[] = [];
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      details .pair {
        padding-top: 0.6rem;
      }

      summary {
        font-weight: 550;
        cursor: pointer;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const { known } = this;
    if (!known) return;
    if (!isHelperKind(known.kind)) {
      const { id: _, name: __, ...values } = known.helper;
      this.values = values;
      return;
    }
    const list = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);
    this.groupType = typeof known.helper.group_type === "string" ? known.helper.group_type : "";
    const { entities, device_trackers, options } = known.helper;
    this.picked = { entities: list(entities), device_trackers: list(device_trackers), options: list(options) };
    this.week = Object.fromEntries(weekdays.map((day) => [day, (known.helper[day] as Stretch[] | undefined) ?? []])) as unknown as Week;
    if (known.kind === "person") void this.readUsers();
  }

  private async readUsers(): Promise<void> {
    this.users = await this.home.command<User[]>("config/auth/list").catch(() => []);
  }

  private get kind(): string {
    return this.known?.kind ?? this.chosen;
  }

  private choose(kind: string): void {
    this.chosen = kind;
    this.picked = {};
    this.values = {};
    this.form.clear();
    if (kind === "person" && this.users.length === 0) void this.readUsers();
  }

  private asked(kind: HelperKind): Asked[] {
    return fieldsOf(kind, this.groupType).filter(({ once }) => !once || !this.known);
  }

  private async save(values: Values): Promise<void> {
    const { kind } = this;
    await this.write(isHelperKind(kind) ? this.changesOf(kind, values) : this.derivedChanges(values));
  }

  private changesOf(kind: HelperKind, values: Values): Record<string, unknown> {
    if (kind === "input_datetime" && !values.has_date && !values.has_time) throw new FieldProblems({ has_time: t("helpers.dateOrTime") });
    // Null takes away what a change leaves empty; a new one has nothing to be taken away.
    const changes: Record<string, unknown> = { name: values.name?.trim(), ...(hasIcon(kind) && { icon: values.icon?.trim() || null }) };
    for (const { name, kind: asked, required } of this.asked(kind)) {
      const text = values[name]?.trim() ?? "";
      if (asked === "check") changes[name] = text === "on";
      else if (asked === "picked") {
        changes[name] = this.picked[name] ?? [];
        if (required && this.picked[name]?.length === undefined) throw new FieldProblems({ [name]: t("form.required") });
      } else if (asked === "number") changes[name] = text === "" ? null : Number(text);
      else changes[name] = text || null;
    }
    if (isWeek(kind)) Object.assign(changes, this.week);
    return changes;
  }

  // The fields of a sensor that is made of others, those that its domain has.
  private derivedFields(): DerivedField[] {
    const { domains = [], fields = [] } = this.derived[this.kind] ?? {};
    const domain = String(this.values.domain ?? domains[0]);
    return fields.filter(({ key, domains: only }) => key !== "name" && (only?.includes(domain) ?? true));
  }

  private derivedChanges(values: Values): Record<string, unknown> {
    const fields = this.derivedFields();
    const missing = fields
      .filter(({ key, required }) => required && this.values[key] === undefined)
      .map(({ key }) => [key, t("form.required")]);
    const problems = {
      ...Object.fromEntries(missing),
      ...this.renderRoot.querySelector<DerivedFields>("hearth-derived-fields")?.unreadable,
    } as Values;
    if (Object.keys(problems).length > 0) throw new FieldProblems(problems);
    // The fields of the other domain go with it.
    const former = Object.keys(this.known?.helper ?? {}).filter((key) => key !== "id");
    return {
      ...Object.fromEntries(former.map((key) => [key, null])),
      ...Object.fromEntries(fields.map(({ key }) => [key, this.values[key] ?? null])),
      name: values.name?.trim(),
    };
  }

  private async write(changes: Record<string, unknown>): Promise<void> {
    const { kind, known } = this;
    if (!known) for (const [name, value] of Object.entries(changes)) if (value === null) delete changes[name];
    if (known && !(await this.mayReplace(known))) return;
    try {
      if (known) await this.home.command(`${kind}/update`, { [`${kind}_id`]: known.helper.id, ...changes });
      else await this.home.command(`${kind}/create`, changes);
    } catch (error) {
      throw this.placed(error) ?? error;
    }
    this.leave();
  }

  // Asks if what others have written meanwhile would be lost.
  private async mayReplace({ kind, helper }: KnownHelper): Promise<boolean> {
    const now = (await readHelpers(this.home, kind)).find(({ id }) => id === helper.id);
    if (!now) throw new Error(t("helpers.gone"));
    if (JSON.stringify(now) === JSON.stringify(helper)) return true;
    return confirm({ heading: t("editor.changedHeading"), text: t("editor.changedText"), action: t("editor.replace"), danger: true });
  }

  // The hub's words about a field stand at it.
  private placed(error: unknown): FieldProblems | undefined {
    if (!isCommandError(error) || error.code !== "invalid_format") return undefined;
    const problems = placedProblems(error.message, this.words(), hubMessage);
    return problems && new FieldProblems(problems);
  }

  private words(): Record<string, Worded> {
    const { kind } = this;
    const own = isHelperKind(kind)
      ? Object.fromEntries(this.asked(kind).map(({ name }) => [name, { label: this.labelOf(name) }]))
      : wordsOf(kind, this.derivedFields());
    return { name: { label: t("areas.name") }, icon: { label: t("areas.icon") }, ...own };
  }

  private labelOf(name: string): string {
    return t(this.kind === "input_text" && (name === "min" || name === "max") ? `helpers.${name}Length` : `helpers.${name as "min"}`);
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, known, kind } = this;
    const heading = known ? t("areas.editNamed", { name: known.helper.name }) : t("helpers.add");
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${known
          ? nothing
          : form.select({
              name: "kind",
              label: t("helpers.kind"),
              value: kind,
              options: [...helperKinds, ...this.byName()].map((each) => [each, kindName(each)]),
              hint: maybeT(`derived.${kind}.about`),
              changed: (each) => this.choose(each),
            })}
        ${form.text({ name: "name", label: t("areas.name"), value: known?.helper.name ?? "", required: true, maxLength: 255 })}
        ${isHelperKind(kind) ? this.ofHelper(kind) : this.ofDerived()} ${form.failed()}
        ${form.end(known ? t("action.save") : t("helpers.add"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }

  private ofHelper(kind: HelperKind): TemplateResult {
    const { form, known } = this;
    return html`${hasIcon(kind) ? form.icon({ name: "icon", label: t("areas.icon"), value: known?.helper.icon ?? "" }) : nothing}
    ${this.fields(kind)} ${isWeek(kind) ? this.schedule() : nothing}`;
  }

  private byName(): string[] {
    const { compare } = new Intl.Collator(language());
    return Object.keys(this.derived).sort((a, b) => compare(kindName(a), kindName(b)));
  }

  private ofDerived(): TemplateResult {
    const fields = this.derivedFields();
    return html`<hearth-derived-fields
      .home=${this.home}
      .platform=${this.kind}
      .fields=${fields}
      .values=${this.values}
      .problems=${this.form.problems}
      @change-values=${({ detail }: CustomEvent<DerivedValues>) => (this.values = detail)}
    ></hearth-derived-fields>`;
  }

  private fields(kind: HelperKind): TemplateResult {
    const asked = this.asked(kind);
    const isWide = ({ kind }: Asked) => kind === "picked";
    const narrow = asked.filter((each) => !isWide(each));
    return html`${narrow.length > 0 ? html`<div class="pair">${narrow.map((each) => this.field(each))}</div>` : nothing}
    ${asked.filter(isWide).map((each) => this.picker(each))}`;
  }

  private field(asked: Asked): TemplateResult {
    const { form } = this;
    const { name, kind, required = false, choices = [] } = asked;
    const { latitude, longitude } = this.home.configuration;
    const here = !this.known && (name === "latitude" ? String(latitude) : name === "longitude" ? String(longitude) : "");
    const value = here || (name === "group_type" ? this.groupType : valueOf(asked, this.known?.helper));
    const label = this.labelOf(name);
    if (kind === "check") return form.checkbox({ name, label, checked: value === "on" });
    if (kind === "user") {
      const options = this.users.map(({ id, name: user }): [string, string] => [id, user]);
      return form.select({ name, label, value, options: [["", t("selector.none")], ...options] });
    }
    if (kind === "choice") {
      const word = (choice: string) =>
        name === "group_type"
          ? choice
            ? t(`domain.${choice}` as Key)
            : t("helpers.anyMembers")
          : (maybeT(`helpers.${name}.${choice}`) ?? choice);
      return form.select({
        name,
        label,
        value,
        options: choices.map((choice) => [choice, word(choice)]),
        ...(name === "group_type" && { changed: (type: string) => this.ofType(type) }),
      });
    }
    return form.text({
      name,
      label,
      value,
      required,
      ...(kind === "number" && { type: "number" }),
      ...(kind === "duration" && { hint: t("helpers.durationHint") }),
      ...(name === "initial" && { hint: t("helpers.initialHint") }),
    });
  }

  // Members that do not fit the other type go.
  private ofType(type: string): void {
    this.groupType = type;
    const entities = (this.picked.entities ?? []).filter((id) => type === "" || id.startsWith(`${type}.`));
    this.picked = { ...this.picked, entities };
  }

  private picker({ name, selector, required }: Asked): TemplateResult {
    return html`<hearth-selector-field
      .home=${this.home}
      .label=${t(`helpers.${name as "entities"}`)}
      .selector=${selector}
      .value=${this.picked[name] ?? []}
      .problem=${this.form.problemAt(name)}
      ?required=${required}
      @change-value=${({ detail }: CustomEvent<Changed>) =>
        (this.picked = { ...this.picked, [name]: (detail.value as string[] | undefined) ?? [] })}
    ></hearth-selector-field>`;
  }

  private schedule(): TemplateResult {
    const typed = (day: Weekday, event: Event) =>
      (this.week = { ...this.week, [day]: stretchesIn((event.target as HTMLInputElement).value, this.week[day]) });
    return html`<hearth-week-grid
        .week=${this.week}
        @change-week=${({ detail }: CustomEvent<Week>) => (this.week = detail)}
      ></hearth-week-grid>
      <details>
        <summary>${t("week.exact")}</summary>
        <p class="hint">${t("helpers.timesHint")}</p>
        <div class="pair">
          ${weekdays.map(
            (day) =>
              html`<div class="field">
                <label for=${day}>${t(`helpers.${day}`)}</label
                ><input id=${day} autocomplete="off" .value=${textOf(this.week[day])} @change=${(event: Event) => typed(day, event)} />
              </div>`,
          )}
        </div>
      </details>`;
  }
}
