// SPDX-License-Identifier: Apache-2.0
import { mdiDelete, mdiDeleteSweep, mdiRepeat } from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatTime, t } from "../i18n/catalogue";
import { textIn } from "./attributes";
import type { Content } from "./card";
import { Items } from "./items";
import { KindCard } from "./kind";
import { dayText } from "./kind_words";
import "../elements/icon";

interface CalendarEvent {
  uid: string;
  summary: string;
  // Days, or moments.
  start: string;
  end: string;
  location?: string;
  description?: string;
  // Of one that recurs: which time it is, and how.
  recurrence_id?: string;
  rrule?: string;
}

const repeats = ["daily", "weekly", "monthly", "yearly"] as const;

const createEvent = 1;
const deleteEvent = 2;
// So many events of so many days stand on the overview, and in the dialog.
const short = { count: 3, days: 30 };
const long = { count: 50, days: 366 };

function isDay(time: string): boolean {
  return time.length === "2026-04-20".length;
}

// A calendar: what is now and what comes. In the entity's dialog events can be added and deleted.
@customElement("hearth-calendar-card")
export class CalendarCard extends KindCard {
  static override styles = [
    ...KindCard.styles,
    css`
      ul {
        display: grid;
        gap: 0.55rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        min-height: 2.6rem;
        padding-inline-start: 0.7rem;
        border-inline-start: 3px solid var(--accent);
      }

      .text {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .when {
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

      form {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        align-items: end;
        gap: 0.6rem;
        padding-top: 0.6rem;
        border-top: 1px solid var(--border);
      }

      label {
        display: grid;
        gap: 0.2rem;
        color: var(--text-2);
        font-size: 0.88rem;
      }

      .what,
      .day {
        grid-column: 1 / -1;
      }

      input,
      select {
        width: 100%;
        min-width: 0;
      }
    `,
  ];

  private items = new Items<CalendarEvent>(this, () => ({
    service: "get_events",
    data: { duration: { days: this.detailed ? long.days : short.days } },
    list: "events",
  }));

  protected override say(entity: Entity): string {
    if (this.isGone) return super.say(entity);
    return entity.state === "on" ? textIn(entity, "message") : t("calendar.free");
  }

  private time(moment: string): string {
    return formatTime(new Date(moment), this.home.configuration.time_zone, { timeStyle: "short" });
  }

  // "Tomorrow · 19:00–22:00 · At home"
  private when({ start, end, location }: CalendarEvent): string {
    const time = isDay(start) ? undefined : `${this.time(start)}–${this.time(end)}`;
    const day = dayText(this.home, start);
    return [day.charAt(0).toUpperCase() + day.slice(1), time, location].filter(Boolean).join(" · ");
  }

  private row(entity: Entity, event: CalendarEvent): TemplateResult {
    const { uid, summary, recurrence_id: time } = event;
    const gone = (label: string, path: string, data: Record<string, string>) =>
      html`<button type="button" class="gone" aria-label=${label} title=${label} @click=${() => void this.call("delete_event", data)}>
        <hearth-icon .path=${path}></hearth-icon>
      </button>`;
    const canDelete = this.detailed && !this.isFixed && this.can(entity, deleteEvent);
    return html`<li>
      <span class="text"
        >${summary}<span class="when"
          >${time
            ? html`<hearth-icon .path=${mdiRepeat} role="img" aria-label=${t("calendar.recurs")}></hearth-icon> `
            : nothing}${this.when(event)}</span
        ></span
      >
      ${canDelete
        ? html`${gone(t("calendar.remove", { event: summary }), mdiDelete, { uid, ...(time && { recurrence_id: time }) })}
          ${time ? gone(t("calendar.removeAll", { event: summary }), mdiDeleteSweep, { uid }) : nothing}`
        : nothing}
    </li>`;
  }

  private async add(submitted: SubmitEvent): Promise<void> {
    submitted.preventDefault();
    const form = submitted.target as HTMLFormElement;
    const text = (name: string) => String(new FormData(form).get(name) ?? "");
    const [day, from, to] = [text("day"), text("from"), text("to")];
    const after = new Date(Date.parse(day) + 24 * 3600 * 1000).toISOString().slice(0, 10);
    const when = from
      ? { start_date_time: `${day} ${from}`, end_date_time: to > from ? `${day} ${to}` : `${after} ${to || "00:00"}` }
      : { start_date: day, end_date: after };
    const rule = text("repeats") && { rrule: `FREQ=${text("repeats").toUpperCase()}` };
    if (await this.call("create_event", { summary: text("summary"), ...when, ...rule })) form.reset();
  }

  private form(): TemplateResult {
    return html`<form @submit=${(event: SubmitEvent) => void this.add(event)}>
      <label class="what">${t("calendar.what")}<input name="summary" required maxlength="255" autocomplete="off" /></label>
      <label class="day">${t("calendar.day")}<input name="day" type="date" required /></label>
      <label>${t("calendar.from")}<input name="from" type="time" /></label>
      <label>${t("calendar.to")}<input name="to" type="time" /></label>
      <select class="what" name="repeats" aria-label=${t("calendar.repeats")}>
        <option value="">${t("calendar.once")}</option>
        ${repeats.map((each) => html`<option value=${each}>${t(`calendar.${each}`)}</option>`)}
      </select>
      <button class="what primary">${t("do.add")}</button>
    </form>`;
  }

  protected override body(entity: Entity): Content {
    const limit = this.detailed ? long.count : short.count;
    const all = this.isGone ? [] : (this.items.list ?? []);
    const isForm = this.detailed && !this.isFixed && this.can(entity, createEvent);
    return html`
      ${all.length > 0
        ? html`<ul>
            ${all.slice(0, limit).map((event) => this.row(entity, event))}
          </ul>`
        : nothing}
      ${isForm ? this.form() : nothing} ${super.body(entity)}
    `;
  }
}
