// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Report } from "../../api/imports/report";
import { formatNumber, t } from "../../i18n/catalogue";
import { faultMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import { groupsOf, lostOf, talliesOf, type Fold, type Groups, type Need, type Tally, type Waiting } from "./groups";
import { foldStyles } from "./styles";
import {
  countedItems,
  hubSentence,
  insteadOf,
  integrationName,
  kindName,
  namesOf,
  needAdvice,
  needTitle,
  reasonOf,
  sentence,
} from "./words";

// Further ones are behind one more fold.
const mostRows = 8;

// The report of an import: what needs a person, what works, what waits, what is left. Of many things only counts are seen; a row
// opens to their names, and to what to do.
@customElement("hearth-import-report")
export class ImportReport extends LitElement {
  @property({ attribute: false }) report!: Report;
  // The list of what is to be done is elsewhere on the page.
  @property({ type: Boolean }) withoutNeeds = false;
  // Of its headings.
  @property({ type: Number }) level = 3;
  private groups: Groups | undefined;

  static override styles = [shared, foldStyles];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("report")) this.groups = groupsOf(this.report);
  }

  override render() {
    const groups = this.groups as Groups;
    const lost = lostOf(this.report);
    return html`<div class="stack">
      ${lost > 0 ? this.lost(lost, groups.lost) : nothing} ${this.withoutNeeds ? nothing : this.needs(groups.needs)} ${this.works()}
      ${this.section(
        "moving.waiting",
        t("moving.waitingText"),
        groups.waiting.map((each) => this.waiting(each)),
      )}
      ${this.section(
        "moving.faulty",
        t("moving.faultyText"),
        groups.faulty.map((each) => this.faulty(each)),
      )}
      ${this.section(
        "moving.left",
        t("moving.leftText"),
        groups.left.map((each) => this.fold(each)),
      )}
      ${this.notes(groups.notes)}
    </div>`;
  }

  private section(
    key: "moving.needs" | "moving.waiting" | "moving.faulty" | "moving.left",
    text: string,
    rows: TemplateResult[],
    look = "",
  ): TemplateResult | typeof nothing {
    if (rows.length === 0) return nothing;
    const name = key.slice("moving.".length);
    const [shown, more] = rows.length > mostRows + 1 ? [rows.slice(0, mostRows), rows.slice(mostRows)] : [rows, []];
    return html`<section aria-labelledby=${name}>
      <h3 id=${name} aria-level=${this.level}>${t(key)}</h3>
      <p class="muted">${text}</p>
      <ul class="folds ${look}">
        ${shown.map((row) => html`<li>${row}</li>`)}
        ${more.length === 0
          ? nothing
          : html`<li>
              <details>
                <summary><span class="what">${t("moving.moreRows", { count: more.length })}</span></summary>
                <ul class="folds more">
                  ${more.map((row) => html`<li>${row}</li>`)}
                </ul>
              </details>
            </li>`}
      </ul>
    </section>`;
  }

  private row(what: string, howMany: string, inside: (string | TemplateResult)[]): TemplateResult {
    return html`<details>
      <summary>
        <span class="line"><span class="what">${what}</span> ${howMany ? html`<span class="how-many">${howMany}</span>` : nothing}</span>
      </summary>
      <div class="inside">${inside.map((part) => (part === "" ? nothing : html`<p>${part}</p>`))}</div>
    </details>`;
  }

  private needs(needs: Need[]): TemplateResult | typeof nothing {
    const rows = needs.map((need) => {
      const title = needTitle(need);
      const cause = hubSentence(need.text);
      const names = need.items.length > 1 ? html`<span class="hint">${namesOf(need.items)}</span>` : "";
      return this.row(title, countedItems(need.items), [cause === title || need.items.length === 0 ? "" : cause, needAdvice(need), names]);
    });
    return this.section("moving.needs", t("moving.needsText"), rows, "needs");
  }

  private lost(count: number, folds: Fold[]): TemplateResult {
    return html`<section aria-labelledby="lost">
      <h3 id="lost" aria-level=${this.level}>${t("moving.lost", { count })}</h3>
      <p class="problem" role="alert">${t("moving.lostText")}</p>
      ${folds.length === 0
        ? nothing
        : html`<ul class="folds lost">
            ${folds.map((each) => html`<li>${this.fold(each)}</li>`)}
          </ul>`}
    </section>`;
  }

  private works(): TemplateResult {
    const { first, rest } = talliesOf(this.report);
    return html`<section aria-labelledby="works">
      <h3 id="works" aria-level=${this.level}>${t("moving.works")}</h3>
      <dl class="tallies">${first.map((tally) => this.tally(tally))}</dl>
      ${rest.length === 0
        ? nothing
        : html`<details>
            <summary>${t("moving.counted")}</summary>
            <ul class="all inside">
              ${rest.map(
                ({ kind, works, found }) =>
                  html`<li>
                    ${kindName(kind)}:
                    ${works === found
                      ? formatNumber(works)
                      : t("moving.worksOf", { works: formatNumber(works), found: formatNumber(found) })}
                  </li>`,
              )}
            </ul>
          </details>`}
    </section>`;
  }

  private tally({ kind, works, found }: Tally): TemplateResult {
    const of = works === found ? nothing : html` <span class="of">${t("moving.of", { found: formatNumber(found) })}</span>`;
    return html`<div>
      <dt>${kindName(kind)}</dt>
      <dd>${formatNumber(works)}${of}</dd>
    </div>`;
  }

  private waiting({ platform, instead, devices, entities, others }: Waiting): TemplateResult {
    const named = devices.length > 1 ? devices : [...entities, ...others];
    return this.row(integrationName(platform), countedItems([...devices, ...entities, ...others]), [
      insteadOf(instead) || t("moving.waitsAlone"),
      named.length > 1 ? html`<span class="hint">${namesOf(named)}</span>` : "",
    ]);
  }

  private faulty({ name, errors }: Groups["faulty"][number]): TemplateResult {
    return this.row(
      name,
      errors.length > 1 ? t("moving.errors", { count: errors.length }) : "",
      errors.map(({ line, text }) => {
        const fault = sentence(faultMessage(text), ".");
        return line > 0 ? t("moving.atLine", { line: formatNumber(line, { useGrouping: false }), text: fault }) : fault;
      }),
    );
  }

  private fold(fold: Fold): TemplateResult {
    const { items, ways } = fold;
    const reason = reasonOf(fold);
    if (ways.length > 1)
      return this.row(
        reason,
        countedItems(items),
        ways.map((way) => html`<strong>${namesOf(way.items)}</strong> ${insteadOf(way.instead)}`),
      );
    const [{ instead }] = ways as [Fold["ways"][number]];
    return this.row(reason, countedItems(items), [
      insteadOf(instead),
      items.length > 1 ? html`<span class="hint">${namesOf(items)}</span>` : "",
    ]);
  }

  private notes(notes: string[]): TemplateResult | typeof nothing {
    if (notes.length === 0) return nothing;
    return html`<details>
      <summary>${t("moving.notes", { count: notes.length })}</summary>
      <div class="inside hint">${notes.map((note) => html`<p>${hubSentence(note)}</p>`)}</div>
    </details>`;
  }
}
