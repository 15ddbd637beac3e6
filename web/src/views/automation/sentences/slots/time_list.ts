// SPDX-License-Identifier: Apache-2.0
import { mdiClockPlusOutline } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../../../../i18n/catalogue";
import { shared } from "../../../../styles/shared";
import type { Editing } from "../editing";
import type { Slot } from "../kinds";
import type { MenuItem } from "../menu";
import { entityOffers } from "../offers";
import { pick } from "../pick";
import { isEntityId, isShifted } from "../values";
import { slotStyles } from "./slot_styles";
import "../../../../elements/icon";
import "../menu";

type Time = string | { entity_id: string; offset: unknown };

function entityOf(time: Time | undefined): string | undefined {
  if (typeof time === "string") return isEntityId(time) ? time : undefined;
  return time?.entity_id;
}

const offset: Slot = { key: "offset", type: "offset", label: () => t("slot.offset") };

// One time or several: fixed ones, and those that entities have. Fires `change-value`.
@customElement("hearth-time-list")
export class TimeList extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) slotOf!: Slot;
  @property({ attribute: false }) value: unknown;

  static override styles = [shared, slotStyles];

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("input, button")?.focus();
  }

  private get list(): Time[] {
    return (Array.isArray(this.value) ? this.value : [this.value ?? ""]) as Time[];
  }

  private tell(list: Time[]): void {
    this.dispatchEvent(new CustomEvent("change-value", { detail: list.length > 1 ? list : (list[0] ?? "") }));
  }

  private put(index: number, time: Time): void {
    this.tell(this.list.map((one, place) => (place === index ? time : one)));
  }

  private async pickAt(index: number): Promise<void> {
    const before = this.list[index] ?? "";
    const found = await pick({ heading: this.slotOf.label(), choices: this.offers(), chosen: [entityOf(before) ?? ""], many: false });
    if (!found?.[0]) return;
    const time = isShifted(before) ? { ...before, entity_id: found[0] } : found[0];
    this.tell([...this.list.slice(0, index), time, ...this.list.slice(index + 1)]);
  }

  // Helpers with a date or a time, and sensors that tell one.
  private offers() {
    const { home } = this.editing;
    return entityOffers(this.editing, ["input_datetime", "sensor"]).filter(
      ({ id }) => id.startsWith("input_datetime.") || home.entity(id)?.attributes.device_class === "timestamp",
    );
  }

  private items(): MenuItem[] {
    const { list, slotOf } = this;
    const last = list.length - 1;
    const time = list[last];
    const entity = entityOf(time);
    const shift: MenuItem[] =
      slotOf.many && entity !== undefined
        ? [
            {
              label: t("sentence.offer.offset"),
              checked: isShifted(time),
              run: () => this.put(last, isShifted(time) ? entity : { entity_id: entity, offset: "-00:30:00" }),
            },
          ]
        : [];
    const several: MenuItem[] = slotOf.many
      ? [
          { label: t("sentence.anotherTime"), run: () => this.tell([...list, "12:00:00"]) },
          { label: t("sentence.anotherEntityTime"), run: () => void this.pickAt(list.length) },
        ]
      : [];
    return [
      ...several,
      ...shift,
      entity !== undefined
        ? { label: t("sentence.fixedTime"), run: () => this.put(last, "12:00:00") }
        : { label: t("sentence.entityTime"), run: () => void this.pickAt(last) },
      ...(list.length > 1 ? [{ label: t("sentence.lessTime"), run: () => this.tell(list.slice(0, -1)) }] : []),
    ];
  }

  override render() {
    return html`${this.list.map(
      (time, index) => html`${index > 0 ? html`<span class="or">${t("sentence.or")}</span>` : nothing}${this.one(time, index)}`,
    )}
    ${this.editing.fixed
      ? nothing
      : html`<hearth-menu .icon=${mdiClockPlusOutline} .label=${t("sentence.moreTimes")} .items=${() => this.items()}></hearth-menu>`}`;
  }

  // Before or after the time of the entity.
  private shift(time: Time, index: number): TemplateResult | typeof nothing {
    if (!isShifted(time)) return nothing;
    const editing: Editing = {
      ...this.editing,
      change: (_, offset) => this.put(index, offset === undefined ? time.entity_id : { ...time, offset }),
    };
    return html` <hearth-slot .editing=${editing} .path=${[]} .config=${time} .slotOf=${offset}></hearth-slot>`;
  }

  private one(time: Time, index: number): TemplateResult {
    const { editing, slotOf } = this;
    const entity = entityOf(time);
    if (entity !== undefined || typeof time !== "string") {
      const name = editing.home.nameOf(entity ?? "");
      return html`<button
          type="button"
          class="token"
          aria-haspopup="dialog"
          aria-label="${slotOf.label()}: ${name}"
          ?disabled=${editing.fixed}
          @click=${() => void this.pickAt(index)}
        >
          ${name}</button
        >${this.shift(time, index)}`;
    }
    const shown = time.replace(/^\d:/, "0$&").replace(/^(\d\d:\d\d):00$/, "$1");
    return html`<input
      class="token ${time === "" ? "empty" : ""}"
      type="time"
      step=${shown.length > 5 ? 1 : nothing}
      aria-label=${slotOf.label()}
      ?disabled=${editing.fixed}
      .value=${shown}
      @input=${(event: InputEvent) => {
        const { value } = event.target as HTMLInputElement;
        if (value !== "") this.put(index, value.length === 5 ? `${value}:00` : value);
      }}
    />`;
  }
}
