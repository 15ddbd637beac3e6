// SPDX-License-Identifier: Apache-2.0
import { mdiClose, mdiEyeOffOutline, mdiEyeOutline } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import { orderedAreas } from "../../../api/floors";
import type { Home, Unsubscribe } from "../../../api/home";
import { roomKinds, type RoomKind } from "../../../api/rooms";
import type { Area } from "../../../api/types";
import { BottomBar } from "../../../elements/bottom_bars";
import { confirm } from "../../../elements/confirm";
import { formStyles } from "../../../elements/form";
import { notifyDone } from "../../../elements/notify";
import { language, t, type Key } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { base, guardLeaving } from "../../../router";
import { shared } from "../../../styles/shared";
import { choiceField, longList, searchField } from "../long_list";
import { Arrangement, arrangeableRows, type DeviceChange, type Outcome, type Room, type Row } from "./arrangement";
import { kindText } from "./device_kind";
import "../../../elements/action";
import "../../../elements/back_link";
import "../../../elements/icon";
import "./arrange_row";
import type { RowChange } from "./arrange_row";

// How many devices one command has.
const atOnce = 200;
const newRoom = "new:";
const shows = ["withoutArea", "all"] as const;
type Show = (typeof shows)[number];

// All devices in one list: each, or many at a time, is put into a room, renamed or hidden; one button saves all of it. Rooms that the
// devices' names mean are chosen already.
@customElement("hearth-arrange-devices")
export class ArrangeDevices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  @state() private show: Show | undefined;
  @state() private selected: ReadonlySet<string> = new Set();
  @state() private failure = "";
  @state() private saved = 0;
  private readonly arrangement = new Arrangement();
  private known: Row[] | undefined;
  // The texts that are searched, as long as their rows are known.
  private texts = new WeakMap<Row, string>();
  // The effect of Save, until something else is chosen.
  private plan: { changes: DeviceChange[]; rooms: RoomKind[] } | undefined;
  // The device whose box was ticked last: with Shift all up to the next one are.
  private anchor: string | undefined;
  private stops: Unsubscribe[] = [];

  static override styles = [
    shared,
    formStyles,
    css`
      .filters {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 14rem);
        gap: 0.8rem;
      }

      .kinds {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
      }

      .kinds button {
        min-height: 2.4rem;
        padding: 0.2rem 0.8rem;
        border-radius: 999px;
        font-weight: 500;
      }

      .kinds button[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      hearth-lazy-block {
        --card-gap: 0;
      }

      .bar {
        position: sticky;
        z-index: 3;
        bottom: var(--navigation, 0px);
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: flex-end;
        gap: 0.6rem;
        margin: 0 -1.25rem -1.1rem;
        padding: 0.7rem 1.25rem;
        border-top: 1px solid var(--border);
        border-radius: 0 0 var(--radius) var(--radius);
        background: var(--surface);
      }

      .chosen {
        display: flex;
        flex-wrap: wrap;
        flex: 1 1 18rem;
        align-items: center;
        gap: 0.3rem 0.6rem;
      }

      .chosen select {
        width: auto;
        max-width: 100%;
        flex: 1 1 7rem;
      }

      @media (max-width: 36rem) {
        .filters {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        /* One row, so that the devices begin on the first screen. */
        .kinds {
          flex-wrap: nowrap;
          margin: 0 -1.25rem;
          padding: 0.2rem 1.25rem;
          overflow-x: auto;
          scrollbar-width: none;
        }

        .kinds button {
          flex: none;
        }

        /* The first of the kinds says it, too. */
        .kinds:has(button) + .count {
          position: absolute;
          clip-path: inset(50%);
        }

        .about {
          display: none;
        }

        .bar hearth-action {
          flex: 1 1 auto;
        }
      }
    `,
  ];

  constructor() {
    super();
    new BottomBar(this, () => this.renderRoot.querySelector(".bar"));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const changed = () => {
      this.forget();
      this.requestUpdate();
    };
    this.stops = [
      this.home.on("structure", changed),
      this.home.on("connection", () => this.requestUpdate()),
      guardLeaving({
        isNeeded: () => this.arrangement.isTouched,
        ask: () => confirm({ heading: t("arrange.leaveHeading"), text: t("arrange.leaveText"), action: t("arrange.leave"), danger: true }),
      }),
    ];
    changed();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
  }

  private forget(): void {
    this.known = undefined;
    this.plan = undefined;
  }

  private get all(): Row[] {
    this.arrangement.know(this.home.areas);
    return (this.known ??= arrangeableRows(this.home, language()));
  }

  // The devices that are looked at: a device stays in the list while it is being put somewhere.
  private rows(): Row[] {
    const { all } = this;
    this.show ??= all.some(({ device }) => !device.area_id) ? "withoutArea" : "all";
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((row) => {
      if (this.show === "withoutArea" && row.device.area_id) return false;
      return words.length === 0 || words.every((word) => this.textOf(row).includes(word));
    });
  }

  private textOf(row: Row): string {
    const known = this.texts.get(row);
    if (known !== undefined) return known;
    const { manufacturer, model, name } = row.device;
    const text = [this.arrangement.nameOf(row), name, manufacturer, model, kindText(row.kind)].join(" ").toLowerCase();
    this.texts.set(row, text);
    return text;
  }

  private get planned(): { changes: DeviceChange[]; rooms: RoomKind[] } {
    const { all, arrangement } = this;
    if (this.plan) return this.plan;
    const rooms = arrangement.newRooms(all);
    return (this.plan = { rooms, changes: arrangement.changes(all, new Map(rooms.map(({ id }) => [id, id]))) });
  }

  private choose(rows: Row[], change: RowChange): void {
    this.saved = 0;
    this.plan = undefined;
    for (const row of rows) this.texts.delete(row);
    this.arrangement.choose(rows, {
      ...change,
      ...(change.room !== undefined && { room: this.roomOf(change.room) }),
    } as Parameters<Arrangement["choose"]>[1]);
    this.requestUpdate();
  }

  private roomOf(value: string): Room {
    return (value.startsWith(newRoom) && roomKinds.find(({ id }) => id === value.slice(newRoom.length))) || value;
  }

  private select(row: Row, rows: Row[], isOn: boolean, isRange: boolean): void {
    const at = rows.indexOf(row);
    const from = isRange ? rows.findIndex(({ device }) => device.id === this.anchor) : -1;
    const meant = from < 0 ? [row] : rows.slice(Math.min(at, from), Math.max(at, from) + 1);
    this.mark(meant, isOn);
    this.anchor = row.device.id;
  }

  private mark(rows: Row[], isOn: boolean): void {
    const next = new Set(this.selected);
    for (const { device } of rows) {
      if (isOn) next.add(device.id);
      else next.delete(device.id);
    }
    this.selected = next;
  }

  // The wish stays until the hub has it: if the connection is lost, the same button saves the rest.
  private async save(): Promise<void> {
    const rows = this.all;
    this.failure = "";
    this.saved = 0;
    try {
      const areas = await this.makeRooms(rows);
      const changes = this.arrangement.changes(rows, areas);
      for (let from = 0; from < changes.length; from += atOnce) this.saved += await this.send(changes.slice(from, from + atOnce));
    } catch (error) {
      this.failure = errorText(error);
    }
    this.forget();
    this.selected = new Set();
    const failed = this.arrangement.failures.size;
    if (failed > 0) this.failure ||= t("arrange.refused", { count: failed });
    if (this.saved > 0 && !this.failure) notifyDone(t("arrange.saved", { count: this.saved }));
  }

  private async makeRooms(rows: Row[]): Promise<Map<string, string>> {
    const made = await Promise.all(
      this.arrangement.newRooms(rows).map(async ({ id, icon }): Promise<[string, string]> => {
        const area = await this.home.command<Area>("config/area_registry/create", { name: t(`room.${id}` as Key), icon });
        return [id, area.area_id];
      }),
    );
    return new Map(made);
  }

  private async send(devices: DeviceChange[]): Promise<number> {
    const outcome = await this.home.command<Outcome>("hearth/devices/update", { devices });
    this.arrangement.settle(devices, outcome);
    return outcome.updated;
  }

  override render() {
    const rows = this.rows();
    const guesses = rows.filter((row) => this.arrangement.roomOf(row).isGuess).length;
    return html`<div class="card stack">
      <hearth-back-link href="${base}/settings/devices" label=${t("devices.back")}></hearth-back-link>
      <h2>${t("arrange.heading")}</h2>
      <p class="hint ${guesses > 0 ? "" : "about"}">${guesses > 0 ? t("arrange.guessed", { count: guesses }) : t("arrange.devicesHint")}</p>
      <div class="filters">
        ${searchField(t("devices.search"), this.search, (search) => (this.search = search))}
        ${choiceField(
          "show",
          t("devices.show"),
          shows,
          this.show ?? "all",
          (show) => t(`devices.show.${show}`),
          (show) => (this.show = show),
        )}
      </div>
      ${this.kinds(rows)}
      <p class="hint count" role="status">${t("devices.count", { count: rows.length })}</p>
      ${rows.length > 0 ? this.list(rows) : this.nothingLeft()}
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing} ${this.bar(this.planned.changes.length)}
    </div>`;
  }

  private kinds(rows: Row[]): TemplateResult {
    const kinds = new Map<string, Row[]>();
    for (const row of rows) {
      const known = kinds.get(row.kind);
      if (known) known.push(row);
      else kinds.set(row.kind, [row]);
    }
    const chip = (text: string, meant: Row[]) => {
      const isOn = meant.length > 0 && meant.every(({ device }) => this.selected.has(device.id));
      return html`<button type="button" aria-pressed=${isOn ? "true" : "false"} @click=${() => this.mark(meant, !isOn)}>
        ${text} <span class="hint">${meant.length}</span>
      </button>`;
    };
    return html`<div class="kinds" role="group" aria-label=${t("arrange.selectKind")}>
      ${rows.length > 1 ? chip(t("arrange.selectAll"), rows) : nothing}
      ${kinds.size > 1 ? [...kinds].map(([kind, meant]) => chip(kindText(kind), meant)) : nothing}
    </div>`;
  }

  private rooms(): [string, string][] {
    return [
      ...orderedAreas(this.home).map(({ area_id, name }): [string, string] => [area_id, name]),
      ...this.planned.rooms.map(({ id }): [string, string] => [`${newRoom}${id}`, t("arrange.newRoom", { name: t(`room.${id}` as Key) })]),
    ];
  }

  private list(rows: Row[]): TemplateResult {
    const rooms = this.rooms();
    return html`<div>
      ${longList(
        rows,
        ({ device }) => device.id,
        (block) =>
          block.map((row) => {
            const { room, isGuess } = this.arrangement.roomOf(row);
            const failure = this.arrangement.failures.get(row.device.id);
            return html`<hearth-arrange-row
              .device=${row.device}
              .kind=${row.kind}
              .name=${this.arrangement.nameOf(row)}
              .room=${typeof room === "string" ? room : `${newRoom}${room.id}`}
              .rooms=${rooms}
              .isGuess=${isGuess}
              .isHidden=${this.arrangement.isHidden(row)}
              .selected=${this.selected.has(row.device.id)}
              .failure=${failure === undefined ? "" : hubMessage(failure)}
              @change-row=${({ detail }: CustomEvent<RowChange>) => this.choose([row], detail)}
              @select-row=${({ detail }: CustomEvent<{ isOn: boolean; isRange: boolean }>) =>
                this.select(row, rows, detail.isOn, detail.isRange)}
            ></hearth-arrange-row>`;
          }),
      )}
    </div>`;
  }

  private nothingLeft(): TemplateResult {
    const isSearch = this.search.trim() !== "";
    return html`<p class="notice">
      ${t(isSearch ? "arrange.nothingFound" : this.home.devices.size === 0 ? "devices.none" : "arrange.allPlaced")}
    </p>`;
  }

  private bar(count: number): TemplateResult {
    const chosen = this.all.filter(({ device }) => this.selected.has(device.id));
    const away = this.home.connectionState !== "connected";
    return html`<div class="bar">
      ${chosen.length > 0 ? this.many(chosen) : nothing}
      ${count === 0 ? html`<a class="button" href="${base}/overview">${t("welcome.toOverview")}</a>` : nothing}
      <hearth-action
        look="primary"
        .label=${count > 0 ? t("arrange.save", { count }) : t("action.save")}
        ?disabled=${count === 0 || away}
        .run=${() => this.save()}
      ></hearth-action>
    </div>`;
  }

  // The actions for all that are selected. The choice of a room is the last thing that people do with them.
  private many(chosen: Row[]): TemplateResult {
    const put = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      this.choose(chosen, { room: select.value === "-" ? "" : select.value });
      select.value = "";
      this.selected = new Set();
    };
    const allHidden = chosen.every((row) => this.arrangement.isHidden(row));
    return html`<div class="chosen">
      ${this.round(mdiClose, t("arrange.clear"), () => (this.selected = new Set()))}
      <strong role="status">${t("arrange.selected", { count: chosen.length })}</strong>
      <select aria-label=${t("arrange.roomForAll")} @change=${put}>
        <option value="" selected disabled>${t("arrange.roomForAll")}</option>
        ${this.rooms().map(([id, name]) => html`<option value=${id}>${name}</option>`)}
        <option value="-">${t("entities.noArea")}</option>
      </select>
      ${this.round(allHidden ? mdiEyeOutline : mdiEyeOffOutline, t(allHidden ? "arrange.showChosen" : "arrange.hideChosen"), () =>
        this.choose(chosen, { hidden: !allHidden }),
      )}
    </div>`;
  }

  private round(icon: string, label: string, run: () => void): TemplateResult {
    return html`<button type="button" class="plain round" aria-label=${label} title=${label} @click=${run}>
      <hearth-icon .path=${icon}></hearth-icon>
    </button>`;
  }
}
