// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { writtenKinds as domains, type WrittenKind as Domain } from "../../api/automations";
import type { Home } from "../../api/home";
import { CategoriesController } from "../../api/categories";
import { LabelsController } from "../../api/labels";
import { readLastRuns, tracedAs, type Run } from "../../api/traces";
import type { Entity } from "../../api/types";
import { EntitiesController, HomeController } from "../../elements/controllers";
import { plain } from "../../elements/fields/finder";
import { formStyles } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { WordsController } from "../../i18n/late_words";
import { formatNumber, language, t } from "../../i18n/catalogue";
import { faultMessage } from "../../i18n/hub_messages";
import { fromWallTime, wallTime } from "../../i18n/wall_time";
import { drawFaults, FileFaults } from "../../items/file_faults";
import { base, onNavigation, query, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import type { Helpers } from "./helpers";
import { all, any, fits, grouped, groupings, isAll as isUnfiltered, none, type Grouping, type Wanted } from "./item_filters";
import { isShown, ItemTexts, lastTime, orders, shows, type Order, type Show } from "./item_search";
import { choiceField, longList, searchField } from "./long_list";
import "../../elements/action";
import "../../elements/loading";
import "../../items/missed_runs";
import "./blueprint_offers";
import "./category_dialog";
import "./chosen_items";
import "./helpers";
import "./item_row";

// When the home's day began.
function midnight(zone: string): number {
  return fromWallTime(`${wallTime(Date.now() / 1000, zone).slice(0, 10)}T00:00:00`, zone) * 1000;
}

// More rows are drawn only near the window, and in all columns that fit; as wide as one is at least, in rem.
const few = 40;
const columnWidth = 26;
const columnGap = 1;
// Frames in which the page may come to rest.
const mostTurns = 60;

function columnsIn(width: number): number {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(1, Math.floor((width / rem + columnGap) / (columnWidth + columnGap)));
}

// Things that happen by themselves: automations, scripts and scenes, as the files of the configuration folder have them, and helpers. `?show=`
// in the address chooses which.
@customElement("hearth-automations")
export class Automations extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private lastRuns: Record<string, Map<string, Run>> = {};
  @state() private search = "";
  @state() private show: Show = "all";
  @state() private order: Order = "name";
  @state() private columns = 1;
  @state() private wanted: Wanted = all;
  @state() private grouping: Grouping = "none";
  // While several are chosen.
  @state() private chosen: ReadonlySet<string> | undefined;
  @state() private asksCategories = false;
  private readonly words = new WordsController(this);
  private readonly labels = new LabelsController(this, () => this.home);
  private readonly categories = new CategoriesController(this, () => this.home);
  private readonly faults = new FileFaults(this, () => this.home);
  private texts: ItemTexts | undefined;
  private stop: (() => void) | undefined;
  private readonly sizes = new ResizeObserver(([entry]) => (this.columns = columnsIn(entry?.contentRect.width ?? 0)));

  static override styles = [
    shared,
    formStyles,
    css`
      .filters {
        display: grid;
        grid-template-columns: minmax(0, 1fr) repeat(2, minmax(0, 13rem));
        gap: 0.8rem;
      }

      .filters.even {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr));
        padding-top: 0.6rem;
      }

      .tools {
        display: flex;
        align-items: flex-start;
        gap: 0.8rem;
        margin-top: 0.6rem;
      }

      .more {
        flex: 1;
        min-width: 0;
      }

      .more summary {
        min-height: 2.4rem;
        padding: 0.4rem 0;
        font-weight: 600;
        cursor: pointer;
      }

      .chosen {
        position: sticky;
        top: 0.5rem;
        z-index: 3;
        display: grid;
        gap: 0.6rem;
      }

      h3 {
        font-size: 1rem;
      }

      .places {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
        margin-top: 0.9rem;
      }

      .lists {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      .others {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1rem;
        align-items: start;
      }

      .wide {
        grid-column: 1 / -1;
        --card-gap: 0 1.6rem;
      }

      .others.wide {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 1rem;
      }

      h2 {
        scroll-margin-top: 1rem;
      }

      section:not(.wide) hearth-lazy-block {
        --card-gap: 0;
      }

      @media (max-width: 40rem) {
        .filters {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .filters > :first-child {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: domains.flatMap((domain) => this.idsOf(domain)) }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const read = () => (this.show = shows.find((one) => one === query().get("show")) ?? "all");
    this.stop = onNavigation(read);
    read();
    void this.readRuns();
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.sizes.disconnect();
    this.texts = undefined;
  }

  // Once a visit: these are all runs of the home.
  private async readRuns(): Promise<void> {
    await Promise.resolve(); // the properties are set by then
    for (const domain of ["automation", "script"] as const) {
      const runs = await readLastRuns(this.home, domain).catch(() => undefined);
      if (runs) this.lastRuns = { ...this.lastRuns, [domain]: runs };
    }
  }

  // Why the last run failed, if it did and there is no newer one.
  private failureOf({ entity_id, attributes }: Entity): string {
    const { domain, item_id } = tracedAs(this.home, entity_id);
    const run = this.lastRuns[domain]?.get(item_id);
    if (run?.script_execution !== "error") return "";
    const isLast =
      typeof attributes.last_triggered !== "string" ||
      new Date(attributes.last_triggered).getTime() <= new Date(run.timestamp.start).getTime() + 1000;
    return isLast ? t("automations.lastFailed", { error: faultMessage(run.error ?? "") }) : "";
  }

  private idsOf(domain: Domain): string[] {
    return [...this.home.entities.keys()].filter((id) => id.startsWith(`${domain}.`));
  }

  private async reload(): Promise<void> {
    for (const domain of domains) await this.home.call(domain, "reload");
    notifyDone(t("automations.reloaded"));
  }

  private look(search: string): void {
    this.search = search;
    this.texts ??= new ItemTexts(this.home, (id) => this.labels.named(id).name);
    void this.texts.load(domains.flatMap((domain) => this.idsOf(domain))).then(() => this.requestUpdate());
  }

  private factsOf(id: string) {
    const labels = this.home.registry.get(id)?.labels ?? [];
    return {
      category: this.categories.of(id),
      area: this.home.areaOf(id)?.name ?? "",
      labels: labels.map((label) => this.labels.named(label).name),
    };
  }

  private get isWanted(): (id: string) => boolean {
    const { wanted } = this;
    return (id) => fits(this.factsOf(id), wanted);
  }

  private choose(id: string): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) chosen.add(id);
    this.chosen = chosen;
  }

  private found(domain: Domain): Entity[] {
    const words = plain(this.search).split(/\s+/).filter(Boolean);
    const today = midnight(this.home.configuration.time_zone);
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const entities = this.idsOf(domain).map((id) => this.home.entity(id) as Entity);
    const found = entities.filter(
      (entity) =>
        isShown(entity, this.show, today, this.failureOf(entity)) &&
        fits(this.factsOf(entity.entity_id), this.wanted) &&
        (words.length === 0 || this.texts?.has(entity.entity_id, words)),
    );
    const byName = (a: Entity, b: Entity) => compare(this.home.nameOf(a.entity_id), this.home.nameOf(b.entity_id));
    const byTime = (a: Entity, b: Entity) => (lastTime(b) ?? 0) - (lastTime(a) ?? 0);
    return found.sort((a, b) => (this.order === "newest" ? byTime(a, b) : 0) || byName(a, b));
  }

  // Rows on the way there are drawn as they come near, and are another height then than was assumed.
  private async goTo(section: string): Promise<void> {
    const heading = this.renderRoot.querySelector<HTMLElement>(`#${section}`);
    heading?.focus({ preventScroll: true });
    let still = 0;
    for (let turn = 0; heading && turn < mostTurns && still < 3; turn += 1) {
      const { top } = heading.getBoundingClientRect();
      heading.scrollIntoView({ block: "start" });
      still = Math.abs(heading.getBoundingClientRect().top - top) < 1 ? still + 1 : 0;
      await new Promise(requestAnimationFrame);
    }
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    const isAll = this.search.trim() === "" && this.show === "all" && isUnfiltered(this.wanted);
    return html`<div class="stack">
      <div class="spread">
        <p class="hint">${t("automations.hint")}</p>
        <div class="row">
          <a class="button" href="${base}/settings/automations/suggestions">${t("suggestions.suggestions")}</a>
          <a class="button" href="${base}/settings/automations/deleted">${t("versions.deleted")}</a>
          <a class="button" href="${base}/settings/automations/blueprints">${t("blueprints.heading")}</a>
          <hearth-action .label=${t("automations.reload")} .run=${() => this.reload()}></hearth-action>
        </div>
      </div>
      <div class="card">
        <div class="filters">
          ${searchField(t("automations.search"), this.search, (search) => this.look(search))}
          ${choiceField(
            "show",
            t("automations.show"),
            shows,
            this.show,
            (show) => t(`automations.show.${show}`),
            (show) => setQuery({ show: show === "all" ? undefined : show }, "replace"),
          )}
          ${choiceField(
            "order",
            t("automations.order"),
            orders,
            this.order,
            (order) => t(`automations.order.${order}`),
            (order) => (this.order = order),
          )}
        </div>
        <div class="tools">
          ${this.moreFilters()}
          <button
            type="button"
            aria-pressed=${this.chosen ? "true" : "false"}
            @click=${() => (this.chosen = this.chosen ? undefined : new Set())}
          >
            ${t(this.chosen ? "automations.chooseEnd" : "automations.choose")}
          </button>
        </div>
        <nav class="places" aria-label=${t("automations.goTo")}>
          ${domains.map((domain) => this.place(`${domain}s`, t(`automations.${domain}s`), this.found(domain).length))}
          ${this.place("helpers", t("helpers.heading"))}
        </nav>
      </div>
      ${this.chosen ? this.choice(this.chosen) : nothing} ${drawFaults(this.faults.of())}
      <hearth-missed-runs .home=${this.home}></hearth-missed-runs>
      <div class="lists">
        ${this.list("automation", isAll)}
        <div class="others ${this.columnsOf(this.found("automation").length) > 1 ? "wide" : ""}">
          ${this.list("script", isAll)} ${this.list("scene", isAll)}
          <hearth-helpers
            id="helpers"
            tabindex="-1"
            class="card"
            .home=${this.home}
            .search=${this.search}
            .categoryOf=${(id: string) => (this.grouping === "category" ? "" : this.categories.of(id))}
            .groupOf=${(id: string) => this.groupOf(id)}
            .isWanted=${this.isWanted}
            .withoutGroup=${this.withoutGroup}
            .chosen=${this.chosen}
            @choose=${({ detail }: CustomEvent<string>) => this.choose(detail)}
          ></hearth-helpers>
        </div>
      </div>
    </div>`;
  }

  // One choice of each kind.
  private moreFilters(): TemplateResult {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const ids = domains.flatMap((domain) => this.idsOf(domain));
    const facts = ids.map((id) => this.factsOf(id));
    const names = (of: (each: (typeof facts)[0]) => string[]) => [...new Set(facts.flatMap(of))].filter(Boolean).sort(compare);
    const choice = (key: keyof Wanted, label: string, values: string[]) => {
      const chosen = this.wanted[key];
      const offered = [any, none, ...values, ...(values.includes(chosen) || chosen === any || chosen === none ? [] : [chosen])];
      const said = (value: string) => (value === any ? t("automations.any") : value === none ? t("automations.without") : value);
      return choiceField(key, label, offered, chosen, said, (value) => (this.wanted = { ...this.wanted, [key]: value }));
    };
    return html`<details class="more">
      <summary>${t("automations.more")}</summary>
      <div class="filters even">
        ${choice("category", t("categories.category"), [...this.categories.names].sort(compare))}
        ${choice(
          "area",
          t("automations.room"),
          names(({ area }) => [area]),
        )}
        ${choice(
          "label",
          t("automations.label"),
          names(({ labels }) => labels),
        )}
        ${choiceField(
          "group",
          t("automations.group"),
          groupings,
          this.grouping,
          (grouping) => t(`automations.group.${grouping}`),
          (grouping) => (this.grouping = grouping),
        )}
      </div>
      <div class="places">
        <button type="button" @click=${() => (this.asksCategories = true)}>${t("categories.categories")}</button>
      </div>
      ${this.asksCategories
        ? html`<hearth-category-dialog
            .home=${this.home}
            .categories=${this.categories.all}
            @closed=${() => (this.asksCategories = false)}
          ></hearth-category-dialog>`
        : nothing}
    </details>`;
  }

  private choice(chosen: ReadonlySet<string>): TemplateResult {
    const helpers = this.renderRoot.querySelector<Helpers>("hearth-helpers")?.shown(this.search, this.isWanted);
    const shown = [...domains.flatMap((domain) => this.found(domain).map(({ entity_id }) => entity_id)), ...(helpers?.keys() ?? [])];
    return html`<div class="card chosen">
      <hearth-chosen-items
        .home=${this.home}
        .chosen=${shown.filter((id) => chosen.has(id))}
        .categories=${this.categories.all}
        .names=${this.categories.names}
        .helpers=${helpers ?? new Map()}
        @done=${() => (this.chosen = undefined)}
      ></hearth-chosen-items>
      <div class="row">
        <button type="button" class="small" @click=${() => (this.chosen = new Set(shown))}>${t("automations.chooseAll")}</button>
        <button type="button" class="small" @click=${() => (this.chosen = undefined)}>${t("automations.chooseEnd")}</button>
      </div>
    </div>`;
  }

  // The heading of what is in no group.
  private get withoutGroup(): string | undefined {
    if (this.grouping === "none") return undefined;
    return t(this.grouping === "category" ? "automations.withoutCategory" : "automations.withoutRoom");
  }

  private groupOf(id: string): string {
    if (this.grouping === "none") return "";
    return this.grouping === "category" ? this.categories.of(id) : (this.home.areaOf(id)?.name ?? "");
  }

  // A long list is as wide as the page: beside it would be nothing for most of its length.
  private columnsOf(count: number): number {
    return count > few ? this.columns : 1;
  }

  private place(section: string, name: string, count?: number): TemplateResult {
    return html`<button type="button" class="small" @click=${() => void this.goTo(section)}>
      ${count === undefined ? name : `${name} (${formatNumber(count)})`}
    </button>`;
  }

  private list(domain: Domain, isAll: boolean): TemplateResult {
    const found = this.found(domain);
    const faults = this.faults.of(domain);
    const rows = (list: Entity[]) =>
      html`${repeat(
        list,
        ({ entity_id }) => entity_id,
        (entity) =>
          html`<hearth-item-row
            role="listitem"
            .home=${this.home}
            .entityId=${entity.entity_id}
            .failure=${this.failureOf(entity)}
            .category=${this.grouping === "category" ? "" : this.categories.of(entity.entity_id)}
            ?choosing=${this.chosen !== undefined}
            ?chosen=${this.chosen?.has(entity.entity_id) ?? false}
            @choose=${() => this.choose(entity.entity_id)}
          ></hearth-item-row>`,
      )}`;
    const columns = this.columnsOf(found.length);
    return html`<section class="card stack ${columns > 1 ? "wide" : ""}">
      <div class="spread">
        <h2 id="${domain}s" tabindex="-1">${t(`automations.${domain}s`)}</h2>
        <a class="button" href="${base}/settings/automations/new-${domain}">${t(`editor.new_${domain}`)}</a>
      </div>
      ${drawFaults(faults)}
      ${found.length === 0 && !(isAll && faults.length > 0)
        ? html`<p class="muted">${t(isAll ? `automations.no_${domain}s` : "automations.noneFound")}</p>
            ${isAll && domain === "automation" ? html`<hearth-blueprint-offers .home=${this.home}></hearth-blueprint-offers>` : nothing}`
        : nothing}
      ${grouped(found, ({ entity_id }) => this.groupOf(entity_id), new Intl.Collator(language(), { numeric: true }).compare).map(
        ([name, group]) =>
          html`${this.withoutGroup === undefined ? nothing : html`<h3>${name || this.withoutGroup}</h3>`}
            <div role="list">${group.length > few ? longList(group, ({ entity_id }) => entity_id, rows, columns) : rows(group)}</div>`,
      )}
    </section>`;
  }
}
