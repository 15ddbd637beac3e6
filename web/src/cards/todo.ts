// SPDX-License-Identifier: Apache-2.0
import { mdiCheckboxBlankCircleOutline, mdiCheckboxMarkedCircle, mdiDelete } from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { numberOf } from "../api/samples";
import type { Entity } from "../api/types";
import { styles } from "../elements/styles_directive";
import { t } from "../i18n/catalogue";
import type { Content } from "./card";
import { Items } from "./items";
import { KindCard } from "./kind";
import { dayText } from "./kind_words";
import "../elements/icon";

interface Item {
  uid: string;
  summary: string;
  status: "needs_action" | "completed";
  // A day or a moment.
  due?: string;
  description?: string;
}

const updateItem = 4;
const deleteItem = 2;
// So many stand on the overview.
const short = 5;

// A list of things to do: each can be ticked off; what is done stands in the entity's dialog, where it can be taken off the list.
@customElement("hearth-todo-card")
export class TodoCard extends KindCard {
  static override styles = [
    ...KindCard.styles,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
      }

      .item {
        display: flex;
        flex: 1;
        align-items: center;
        justify-content: flex-start;
        gap: 0.6rem;
        min-width: 0;
        min-height: 2.75rem;
        padding: 0.2rem 0;
        border: 0;
        background: none;
        color: var(--text);
        font-weight: 400;
        text-align: start;
      }

      .item[aria-checked="true"] .summary {
        color: var(--text-2);
        text-decoration: line-through;
      }

      .item hearth-icon {
        flex: none;
        color: var(--accent);
      }

      .text {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .about,
      .more {
        display: block;
        color: var(--text-2);
        font-size: 0.88rem;
      }

      .gone {
        min-width: 2.75rem;
        min-height: 2.75rem;
        padding: 0;
        border: 0;
        background: none;
        color: var(--text-2);
      }
    `,
  ];

  private items = new Items<Item>(this, () => ({ service: "get_items", list: "items" }));

  protected override say(entity: Entity): string {
    const left = numberOf(entity.state);
    if (left === undefined) return super.say(entity);
    return left === 0 ? t("todo.none") : t("todo.left", { count: left });
  }

  private row(entity: Entity, item: Item): TemplateResult {
    const isDone = item.status === "completed";
    const about = [item.due && t("todo.due", { day: dayText(this.home, item.due) }), item.description].filter(Boolean).join(" · ");
    return html`<li>
      <button
        type="button"
        class="item"
        role="checkbox"
        aria-checked=${isDone}
        ?disabled=${this.isFixed || !this.can(entity, updateItem)}
        @click=${() => void this.call("update_item", { item: item.uid, status: isDone ? "needs_action" : "completed" })}
      >
        <hearth-icon .path=${isDone ? mdiCheckboxMarkedCircle : mdiCheckboxBlankCircleOutline}></hearth-icon>
        <span class="text"><span class="summary">${item.summary}</span>${about ? html`<span class="about">${about}</span>` : nothing}</span>
      </button>
      ${this.detailed && !this.isFixed && this.can(entity, deleteItem)
        ? html`<button
            type="button"
            class="gone"
            aria-label=${t("todo.remove", { item: item.summary })}
            @click=${() => void this.call("remove_item", { item: [item.uid] })}
          >
            <hearth-icon .path=${mdiDelete}></hearth-icon>
          </button>`
        : nothing}
    </li>`;
  }

  // Until the items are known, for as many as there are.
  private room(entity: Entity): Content {
    const left = this.isGone ? 0 : Math.min(short, numberOf(entity.state) ?? 0);
    return html`<div ${styles({ height: `${left * 2.75}rem` })}></div>`;
  }

  protected override body(entity: Entity): Content {
    const all = this.isGone ? [] : (this.items.list ?? []);
    const open = all.filter(({ status }) => status === "needs_action");
    const shown = this.detailed ? [...open, ...all.filter(({ status }) => status === "completed")] : open.slice(0, short);
    const more = this.detailed ? 0 : open.length - shown.length;
    return html`
      ${this.items.list ? nothing : this.room(entity)}
      ${shown.length > 0
        ? html`<ul>
            ${repeat(
              shown,
              ({ uid }) => uid,
              (item) => this.row(entity, item),
            )}
          </ul>`
        : nothing}
      ${more > 0 ? html`<span class="more">${t("items.more", { count: more })}</span>` : nothing} ${super.body(entity)}
    `;
  }
}
