// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import type { Rights, Scope, Selection } from "../../api/types";
import { checkAccount } from "../../elements/account_rules";
import { HomeController } from "../../elements/controllers";
import type { Choice } from "../../elements/fields/picker";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { domainChoices, domainName, entityChoices } from "../../elements/home_choices";
import { formatList, t, type Key } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { selects } from "../../api/people/part_of_home";
import "../../elements/fields/picker";

// Days; the longest that the hub knows is as good as for ever.
const tenYears = "3650";
const longest = 1_000_000;

// The usual needs; without scopes the token may do all that its user may.
const kinds: Record<string, Scope[] | undefined> = { all: undefined, read: ["read"], control: ["control"], own: [] };
const scopes: Scope[] = ["read", "control", "fire_event", "history", "template", "admin"];

// Fires `created` with the text of a new long-lived token, and `cancelled`.
@customElement("hearth-token-form")
export class TokenForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private lifetime = tenYears;
  @state() private kind = "all";
  @state() private own: ReadonlySet<Scope> = new Set<Scope>(["read"]);
  // The part of the home that it is for, by ids; nothing: the whole home.
  @state() private rooms: ReadonlySet<string> = new Set();
  @state() private domains: string[] = [];
  @state() private labels: string[] = [];
  @state() private entities: string[] = [];
  private form = new FormController(this);
  private knownLabels = new LabelsController(this, () => this.home);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        padding: 1rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
      }

      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0;
        font-weight: 550;
      }

      .choices {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
        column-gap: 1rem;
      }

      .parts {
        display: grid;
        gap: 1rem;
        padding-top: 0.7rem;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  // As the hub completes them: all but events include reading.
  private get scopes(): Scope[] | undefined {
    const chosen = this.kind === "own" ? scopes.filter((scope) => this.own.has(scope)) : kinds[this.kind];
    if (!chosen || chosen.every((scope) => scope === "fire_event" || scope === "read")) return chosen;
    return ["read", ...chosen.filter((scope) => scope !== "read")];
  }

  // Undefined: the whole home.
  private get selection(): Selection | undefined {
    const lists: [keyof Selection, string[]][] = [
      ["areas", [...this.rooms]],
      ["domains", this.domains],
      ["labels", this.labels],
      ["entities", this.entities],
    ];
    const chosen = lists.filter(([, ids]) => ids.length > 0);
    return chosen.length > 0 ? Object.fromEntries(chosen) : undefined;
  }

  private get rights(): Rights | undefined {
    return this.selection && { read: this.selection, control: this.selection };
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#name")?.focus();
  }

  private async create(values: Values): Promise<void> {
    checkAccount({ name: values.name ?? "" });
    if (this.scopes?.length === 0) throw new FieldProblems({ kind: t("profile.scope.none") });
    const text = await this.home.command<string>("auth/long_lived_access_token", {
      client_name: (values.name ?? "").trim(),
      lifespan: Number(values.days ?? values.lifetime),
      ...(this.scopes && { scopes: this.scopes }),
      ...(this.rights && { rights: this.rights }),
    });
    this.dispatchEvent(new CustomEvent("created", { detail: text }));
  }

  override render() {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.create(values))}>
      <div class="pair">
        ${form.text({ name: "name", label: t("profile.tokenName"), hint: t("profile.tokenNameHint"), required: true, maxLength: 64 })}
        ${form.select({
          name: "lifetime",
          label: t("profile.lifetime"),
          value: this.lifetime,
          options: [
            ["30", t("profile.lifetime.month")],
            ["365", t("profile.lifetime.year")],
            [tenYears, t("profile.lifetime.tenYears")],
            [String(longest), t("profile.lifetime.never")],
            ["", t("profile.lifetime.own")],
          ],
          changed: (value) => (this.lifetime = value),
        })}
        ${this.lifetime === ""
          ? form.text({
              name: "days",
              label: t("profile.days"),
              type: "number",
              step: "1",
              min: 1,
              max: longest,
              value: "90",
              required: true,
            })
          : nothing}
      </div>
      ${form.select({
        name: "kind",
        label: t("profile.scopes"),
        value: this.kind,
        options: Object.keys(kinds).map((kind) => [kind, t(`profile.scopes.${kind}` as Key)]),
        changed: (value) => (this.kind = value),
      })}
      ${this.kind === "own"
        ? this.choices(
            t("profile.scopes"),
            scopes
              .filter((scope) => scope !== "admin" || this.home.user.is_admin)
              .map((scope) => [scope, t(`profile.scope.${scope}`), this.own.has(scope), () => (this.own = toggled(this.own, scope))]),
          )
        : nothing}
      ${this.home.areas.size > 0
        ? this.choices(
            t("profile.tokenRooms"),
            [...this.home.areas.values()].map(({ area_id, name }) => [
              area_id,
              name,
              this.rooms.has(area_id),
              () => (this.rooms = toggled(this.rooms, area_id)),
            ]),
          )
        : nothing}
      <details>
        <summary>${t("profile.tokenMore")}</summary>
        <div class="parts">
          ${this.picker(
            t("profile.tokenKinds"),
            this.domains,
            () => domainChoices(this.home),
            domainName,
            (ids) => (this.domains = ids),
          )}
          ${this.knownLabels.all.length > 0
            ? this.picker(
                t("entities.labels"),
                this.labels,
                () => this.knownLabels.all.map(({ label_id, name }) => ({ id: label_id, name })),
                (id) => this.knownLabels.named(id).name,
                (ids) => (this.labels = ids),
              )
            : nothing}
          ${this.picker(
            t("profile.tokenEntities"),
            this.entities,
            () => entityChoices(this.home),
            (id) => this.home.nameOf(id),
            (ids) => (this.entities = ids),
          )}
        </div>
      </details>
      <p class="hint" id="sees" aria-live="polite">${this.sees()}</p>
      ${form.failed()} ${form.end(t("profile.create"), () => this.dispatchEvent(new CustomEvent("cancelled")))}
    </form>`;
  }

  private choices(legend: string, list: [string, string, boolean, () => void][]): TemplateResult {
    return html`<fieldset>
      <legend>${legend}</legend>
      <div class="choices">
        ${list.map(
          ([value, label, checked, toggle]) =>
            html`<label class="check"><input type="checkbox" value=${value} .checked=${checked} @change=${toggle} />${label}</label>`,
        )}
      </div>
    </fieldset>`;
  }

  private picker(
    label: string,
    chosen: string[],
    choices: () => Choice[],
    nameOf: (id: string) => string,
    choose: (ids: string[]) => void,
  ): TemplateResult {
    return html`<hearth-picker
      multiple
      .label=${label}
      .choices=${choices}
      .chosen=${chosen}
      .nameOf=${nameOf}
      @change-chosen=${({ detail }: CustomEvent<string[]>) => choose(detail)}
    ></hearth-picker>`;
  }

  // The sentence that says what the token sees and may do.
  private sees(): string {
    const { scopes: chosen, selection: part, home } = this;
    const may = (scope: Scope) => !chosen || chosen.includes(scope);
    const all = [...home.entities.keys()];
    const seen = part ? all.filter((id) => selects(home, part, id)) : all;
    const names = part ? namesOf(part, home, (id) => this.knownLabels.named(id).name) : [];
    const where = part ? t("profile.sees.rooms", { rooms: formatList(names) }) : t("profile.sees.home");
    const sentences = [
      may("read") ? t("profile.sees.entities", { where, seen: seen.length, all: all.length }) : t("profile.sees.nothing"),
      may("control") && !home.user.is_read_only ? t("profile.sees.controls") : t("profile.sees.noControl"),
    ];
    if (!chosen && !part) sentences.push(t("profile.sees.account"));
    if (chosen?.includes("admin")) sentences.push(t(part ? "profile.sees.adminRooms" : "profile.sees.admin"));
    return sentences.join(" ");
  }
}

// The names of the parts.
export function namesOf(part: Selection, home: Home, labelName: (id: string) => string): string[] {
  return [
    ...(part.areas ?? []).map((id) => home.areas.get(id)?.name ?? id),
    ...(part.domains ?? []).map(domainName),
    ...(part.labels ?? []).map(labelName),
    ...(part.entities ?? []).map((id) => home.nameOf(id)),
  ];
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
