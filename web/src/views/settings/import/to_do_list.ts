// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../../api/home";
import { lastImport, settleToDo, type ToDo } from "../../../api/imports/imports";
import { PollController } from "../../../elements/controllers";
import { focusHeading } from "../../../elements/focus";
import { hubSentence, integrationName, needAdvice, needTitle, placeOf, sentence } from "../../../elements/moving/words";
import { t } from "../../../i18n/catalogue";
import { faultMessage } from "../../../i18n/hub_messages";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/action";

// Milliseconds.
const interval = 30_000;
const mostSeen = 10;

// The errors of an automation are those of a configuration, one after the other.
function causeOf({ attention, text }: ToDo): string {
  return attention === "errors" ? sentence(text.split("; ").map(faultMessage).join("; "), ".") : hubSentence(text);
}

// The tasks of a person after an import. A solved one goes by itself; the rest can be ticked off.
@customElement("hearth-import-to-do")
export class ImportToDo extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) items: ToDo[] = [];
  @state() private showsAll = false;

  static override styles = [
    shared,
    lined,
    css`
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.5rem 1rem;
      }

      li > div:first-child {
        flex: 1 1 16rem;
        min-width: 0;
      }

      summary {
        cursor: pointer;
      }

      h3:focus {
        outline: none;
      }
    `,
  ];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  private async load(): Promise<void> {
    const last = await lastImport(this.home).catch(() => undefined);
    if (last) this.items = last.to_do;
  }

  private async settle({ id }: ToDo): Promise<void> {
    await settleToDo(this.home, id);
    await this.load();
    await this.updateComplete;
    const heading = this.renderRoot.querySelector<HTMLElement>("h3"); // the button that had the focus is gone
    if (heading) focusHeading(heading);
  }

  override render() {
    // Of what waits there may be very much, and nothing is urgent.
    const waiting = this.items.filter(({ what }) => what === "reserved");
    const items = this.items.filter(({ what }) => what !== "reserved");
    const shown = this.showsAll ? items : items.slice(0, mostSeen);
    return html`<div class="stack">
      <h3 tabindex="-1">${t("moving.toDo")}</h3>
      <p class="muted" role="status">
        ${this.items.length === 0 ? t("moving.nothingToDo") : t("moving.toDoText", { count: this.items.length })}
      </p>
      ${this.list(shown)}
      ${items.length > shown.length
        ? html`<div>
            <button type="button" @click=${() => (this.showsAll = true)}>
              ${t("moving.moreRows", { count: items.length - shown.length })}
            </button>
          </div>`
        : nothing}
      ${waiting.length > 0
        ? html`<details>
            <summary>${t("moving.toDoWaiting", { count: waiting.length })}</summary>
            ${this.list(waiting)}
          </details>`
        : nothing}
    </div>`;
  }

  private list(items: ToDo[]): TemplateResult | typeof nothing {
    if (items.length === 0) return nothing;
    return html`<ul>
      ${repeat(
        items,
        ({ id }) => id,
        (item) => this.item(item),
      )}
    </ul>`;
  }

  private nameOf({ what, name }: ToDo): string {
    if (what === "automation") return this.home.nameOf(name);
    return what === "reserved" ? integrationName(name) : name;
  }

  private item(item: ToDo): TemplateResult {
    const title = needTitle(item);
    const name = this.nameOf(item);
    const cause = causeOf(item);
    const place = placeOf(item);
    return html`<li>
      <div>
        <strong>${name ? t("moving.toDoNamed", { name, title }) : title}</strong>
        ${cause === "" || cause === title || cause === `${title}.` ? nothing : html`<p class="hint">${cause}</p>`}
        <p>${needAdvice(item)}</p>
      </div>
      <div class="row">
        ${place ? html`<a class="button" href=${place.path}>${t("moving.toPlace", { place: place.label })}</a>` : nothing}
        <hearth-action
          .label=${t("moving.done")}
          .name=${t("moving.doneNamed", { name: name ? `${name}: ${title}` : title })}
          .run=${() => this.settle(item)}
        ></hearth-action>
      </div>
    </li>`;
  }
}
