// SPDX-License-Identifier: Apache-2.0
import { mdiCheck, mdiPlus } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../api/errors";
import { byLevel } from "../api/floors";
import type { Home } from "../api/home";
import { commonRooms, floorKinds, kindOfRoom, roomKinds, sameRoom } from "../api/rooms";
import type { Area, Floor } from "../api/types";
import { t, type Key } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { HomeController } from "./controllers";
import { formStyles } from "./form";
import "./action";
import "./icon";

interface Offer {
  name: string;
  icon: string | null;
  // Of its kind; empty for a name of one's own.
  kind: string;
}

interface FloorOffer {
  name: string;
  level: number | null;
}

const mostNames = 100;

// A list of rooms to tick, in the user's language, and of floors. What the home has already is there and stays. Fires `saved` when the
// hub has all that was ticked; the slot stands beside the button.
@customElement("hearth-room-choices")
export class RoomChoices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private own: Offer[] = [];
  // The names of rooms and floors that are ticked.
  @state() private rooms: ReadonlySet<string> | undefined;
  @state() private floors: ReadonlySet<string> = new Set();
  // The names of the floors of rooms, where somebody has chosen them.
  @state() private floorOf: ReadonlyMap<string, string> = new Map();
  @state() private problems: string[] = [];
  @state() private typed = "";

  static override styles = [
    shared,
    formStyles,
    css`
      :host {
        container-type: inline-size;
      }

      .chips {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .chips button,
      .there {
        display: inline-flex;
        align-items: center;
        gap: 0.45rem;
        min-height: 2.75rem;
        max-width: 100%;
        padding: 0.3rem 0.9rem 0.3rem 0.7rem;
        border: 1px solid var(--border-strong);
        border-radius: 999px;
        font-weight: 500;
        overflow-wrap: anywhere;
        text-align: start;
      }

      .chips button[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      .there {
        border-style: dashed;
        color: var(--text-2);
      }

      .own {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.6rem;
        align-items: end;
      }

      @container (max-width: 26rem) {
        .chips {
          gap: 0.4rem;
        }

        .chips button,
        .there {
          gap: 0.3rem;
          padding-inline: 0.45rem 0.7rem;
          font-size: 0.95rem;
        }

        .chips hearth-icon {
          width: 1.25rem;
          height: 1.25rem;
        }
      }

      .places {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .places li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        align-items: center;
        gap: 0.8rem;
        overflow-wrap: anywhere;
      }

      .row {
        justify-content: flex-end;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  // The rooms that the home does not have yet.
  private get offers(): Offer[] {
    const areas = [...this.home.areas.values()];
    const kinds = new Set(areas.map(({ name }) => kindOfRoom(name)?.id));
    const offers = roomKinds
      .filter(({ id }) => !kinds.has(id))
      .map(({ id, icon }): Offer => ({ name: t(`room.${id}` as Key), icon, kind: id }));
    return [...offers, ...this.own].filter(({ name }) => !areas.some((area) => sameRoom(area.name, name)));
  }

  private get floorOffers(): FloorOffer[] {
    const there = [...this.home.floors.values()];
    return floorKinds
      .map(({ id, level }): FloorOffer => ({ name: t(`floor.${id}` as Key), level }))
      .filter(({ name, level }) => !there.some((floor) => floor.level === level || sameRoom(floor.name, name)));
  }

  private get ticked(): ReadonlySet<string> {
    if (this.rooms) return this.rooms;
    if (this.home.areas.size > 0) return new Set();
    return new Set(commonRooms.map((id) => t(`room.${id}` as Key)));
  }

  private toggle(set: ReadonlySet<string>, name: string): ReadonlySet<string> {
    const next = new Set(set);
    if (!next.delete(name)) next.add(name);
    return next;
  }

  private add(event: SubmitEvent): void {
    event.preventDefault();
    const name = this.typed.trim();
    if (!name || this.own.length >= mostNames) return;
    const known = [...this.offers].find((offer) => sameRoom(offer.name, name));
    const isThere = [...this.home.areas.values()].some((area) => sameRoom(area.name, name));
    if (!known && !isThere) this.own = [...this.own, { name, icon: kindOfRoom(name)?.icon ?? null, kind: kindOfRoom(name)?.id ?? "" }];
    if (!isThere) this.rooms = new Set([...this.ticked, known?.name ?? name]);
    this.typed = "";
  }

  // The floors of the home, with those that are ticked, from below.
  private get allFloors(): FloorOffer[] {
    const chosen = this.floorOffers.filter(({ name }) => this.floors.has(name));
    return [...[...this.home.floors.values()].sort(byLevel), ...chosen].sort((a, b) => (a.level ?? 0) - (b.level ?? 0));
  }

  // Where a room of its kind most often is, if the home has such a floor.
  private floorNameOf({ name, kind }: Offer): string {
    const chosen = this.floorOf.get(name);
    if (chosen !== undefined) return chosen;
    const floors = this.allFloors;
    const level = levelOf(kind);
    const there = floors.find((floor) => floor.level === level) ?? floors.find((floor) => floor.level === 0);
    return there?.name ?? "";
  }

  // All commands leave together, and the hub answers in their order, so that rooms stand as they were offered.
  private async save(): Promise<void> {
    const rooms = this.offers.filter(({ name }) => this.ticked.has(name));
    const wanted = this.allFloors.filter(({ name }) => ![...this.home.floors.values()].some((floor) => floor.name === name));
    const floors = new Map([...this.home.floors.values()].map(({ name, floor_id }) => [name, floor_id]));
    this.problems = [];
    const failed: string[] = [];
    const run = async <T>(name: string, make: () => Promise<T>): Promise<T | undefined> =>
      make().catch((error: unknown) => {
        failed.push(`${name}: ${errorText(error)}`);
        return undefined;
      });
    const made = await Promise.all(
      wanted.map(({ name, level }) => run(name, () => this.home.command<Floor>("config/floor_registry/create", { name, level }))),
    );
    for (const floor of made) if (floor) floors.set(floor.name, floor.floor_id);
    const done = await Promise.all(
      rooms.map((room) => {
        const floor_id = floors.get(this.floorNameOf(room)) ?? null;
        return run(room.name, () => this.home.command<Area>("config/area_registry/create", { name: room.name, icon: room.icon, floor_id }));
      }),
    );
    this.problems = failed;
    if (failed.length > 0) {
      // A room that is there now is ticked no longer.
      this.rooms = new Set(rooms.filter((_, at) => !done[at]).map(({ name }) => name));
      return;
    }
    this.rooms = new Set();
    this.dispatchEvent(new CustomEvent<number>("saved", { detail: rooms.length }));
  }

  override render() {
    const { offers, floorOffers } = this;
    const chosen = offers.filter(({ name }) => this.ticked.has(name));
    return html`<div class="stack">
      <ul class="chips" aria-label=${t("rooms.heading")}>
        ${[...this.home.areas.values()].map(({ name, icon }) => this.there(name, icon))}
        ${offers.map(({ name, icon }) => this.chip(name, icon, this.ticked.has(name), () => (this.rooms = this.toggle(this.ticked, name))))}
      </ul>
      <form class="own" novalidate @submit=${(event: SubmitEvent) => this.add(event)}>
        <div class="field">
          <label for="own">${t("rooms.own")}</label>
          <input
            id="own"
            maxlength="255"
            autocomplete="off"
            .value=${this.typed}
            @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}
          />
        </div>
        <button type="submit"><hearth-icon .path=${mdiPlus}></hearth-icon>${t("rooms.add")}</button>
      </form>
      <h3>${t("rooms.floors")}</h3>
      <ul class="chips" aria-label=${t("rooms.floors")}>
        ${[...this.home.floors.values()].sort(byLevel).map(({ name }) => this.there(name, null))}
        ${floorOffers.map(({ name }) => this.chip(name, null, this.floors.has(name), () => (this.floors = this.toggle(this.floors, name))))}
      </ul>
      ${this.places(chosen)}
      ${this.problems.length > 0
        ? html`<div class="problem" role="alert">${this.problems.map((problem) => html`<p>${problem}</p>`)}</div>`
        : nothing}
      <div class="row">
        <slot></slot>
        <hearth-action
          look="primary"
          .label=${chosen.length > 0 ? t("rooms.save", { count: chosen.length }) : t("rooms.saveNone")}
          .run=${() => this.save()}
        ></hearth-action>
      </div>
    </div>`;
  }

  private chip(name: string, icon: string | null, pressed: boolean, toggle: () => void): TemplateResult {
    return html`<li>
      <button type="button" aria-pressed=${pressed ? "true" : "false"} @click=${toggle}>
        ${icon || !pressed ? html`<hearth-icon .path=${icon ? "" : mdiPlus} .name=${icon ?? ""}></hearth-icon>` : nothing}
        ${name}${pressed ? html`<hearth-icon .path=${mdiCheck}></hearth-icon>` : nothing}
      </button>
    </li>`;
  }

  private there(name: string, icon: string | null): TemplateResult {
    return html`<li class="there">
      ${icon ? html`<hearth-icon .name=${icon}></hearth-icon>` : nothing}${name} <span class="visually-hidden">${t("rooms.there")}</span>
    </li>`;
  }

  // With one floor or none there is nothing to choose.
  private places(chosen: Offer[]): TemplateResult | typeof nothing {
    const floors = this.allFloors;
    if (floors.length < 2 || chosen.length === 0) return nothing;
    return html`<h3>${t("rooms.where")}</h3>
      <ul class="places">
        ${chosen.map((room) => {
          const at = this.floorNameOf(room);
          const choose = (event: Event) =>
            (this.floorOf = new Map([...this.floorOf, [room.name, (event.target as HTMLSelectElement).value]]));
          return html`<li>
            <span>${room.name}</span>
            <select aria-label=${t("rooms.floorOf", { name: room.name })} @change=${choose}>
              <option value="" .selected=${at === ""}>${t("areas.noFloor")}</option>
              ${floors.map(({ name }) => html`<option value=${name} .selected=${name === at}>${name}</option>`)}
            </select>
          </li>`;
        })}
      </ul>`;
  }
}

// The level on which a room of that kind most often is.
function levelOf(kind: string): number {
  if (["bedroom", "childrens_room", "bathroom", "guest_room"].includes(kind)) return 1;
  if (["cellar", "utility_room", "workshop"].includes(kind)) return -1;
  return kind === "attic" ? 2 : 0;
}
