// SPDX-License-Identifier: Apache-2.0
import { mdiArrowDown, mdiArrowUp, mdiDelete, mdiPencil, mdiPlus, mdiSofaOutline, mdiStairs } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { byLevel } from "../../api/floors";
import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import type { Area, Floor } from "../../api/types";
import { confirm } from "../../elements/confirm";
import { HomeController } from "../../elements/controllers";
import { labelChip, labelChips } from "../../elements/label_chip";
import { attempt } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { base } from "../../router";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import "../../elements/icon";
import "../../elements/room_choices";
import "./area_dialog";
import "./entities";
import "./floor_dialog";
import "./labels";

type Open = { kind: "area"; area?: Area } | { kind: "floor"; floor?: Floor };

// The rooms of the home, its floors and labels, and below them all entities.
@customElement("hearth-areas")
export class Areas extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private open: Open | undefined;
  private readonly labels = new LabelsController(this, () => this.home);
  private isNaming = false;
  private isNamed = false;
  private hadFocus: Element | null = null;

  static override styles = [
    shared,
    rows,
    labelChips,
    css`
      .lists {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 1rem;
        align-items: start;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override willUpdate(): void {
    this.hadFocus = this.shadowRoot?.activeElement ?? null;
  }

  // A row that is put elsewhere loses the focus, and so does a button that cannot be pressed any more.
  override updated(): void {
    const { hadFocus } = this;
    if (!hadFocus?.isConnected || !hadFocus.matches("li button")) return;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (hadFocus.matches(":disabled"))
      hadFocus.parentElement?.querySelector<HTMLElement>("button:not(:disabled)")?.focus({ preventScroll: true });
    else if (isLost) (hadFocus as HTMLElement).focus({ preventScroll: true });
  }

  private async deleteArea(area: Area): Promise<void> {
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name: area.name }),
      text: t("areas.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes) await attempt(() => this.home.command("config/area_registry/delete", { area_id: area.area_id }));
  }

  private async deleteFloor(floor: Floor): Promise<void> {
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name: floor.name }),
      text: t("areas.deleteFloorText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes) await attempt(() => this.home.command("config/floor_registry/delete", { floor_id: floor.floor_id }));
  }

  private async move(area: Area, by: 1 | -1): Promise<void> {
    const ids = [...this.home.areas.keys()];
    const from = ids.indexOf(area.area_id);
    const other = ids[from + by];
    if (other === undefined) return;
    ids[from + by] = area.area_id;
    ids[from] = other;
    await attempt(() => this.home.command("config/area_registry/reorder", { area_ids: ids }));
  }

  override render() {
    return html`<div class="stack">
        <div class="lists">
          <section class="card stack">
            <div class="spread">
              <h2>${t("areas.areas")}</h2>
              <div class="row">
                <a class="button" href="${base}/settings/areas/rooms">${t("rooms.several")}</a>
                <button type="button" @click=${() => (this.open = { kind: "area" })}>
                  <hearth-icon .path=${mdiPlus}></hearth-icon>${t("areas.addArea")}
                </button>
              </div>
            </div>
            ${this.areas()}
          </section>
          <div class="stack">
            <section class="card stack">
              <div class="spread">
                <h2>${t("areas.floors")}</h2>
                <button type="button" @click=${() => (this.open = { kind: "floor" })}>
                  <hearth-icon .path=${mdiPlus}></hearth-icon>${t("areas.addFloor")}
                </button>
              </div>
              ${this.floors()}
            </section>
            <hearth-labels class="card" .home=${this.home}></hearth-labels>
          </div>
        </div>
        <hearth-entities class="card" .home=${this.home}></hearth-entities>
      </div>
      ${this.dialog()}`;
  }

  private areas(): TemplateResult {
    const areas = [...this.home.areas.values()];
    // It stays until all is made that was ticked there.
    this.isNaming ||= areas.length === 0 && !this.isNamed;
    if (areas.length > 0) this.isNamed = false;
    if (this.isNaming)
      return html`<p class="muted">${t("areas.noAreas")}</p>
        <hearth-room-choices
          .home=${this.home}
          @saved=${() => {
            this.isNaming = false;
            this.isNamed = true; // the areas come soon
            this.requestUpdate();
          }}
        ></hearth-room-choices>`;
    return html`<ul>
      ${repeat(
        areas,
        (area) => area.area_id,
        (area, at) => {
          const { name } = area;
          return html`<li>
            <hearth-icon .path=${mdiSofaOutline} .name=${area.icon ?? ""}></hearth-icon>
            <div>
              <strong>${name}</strong>
              ${area.floor_id ? html`<div class="hint">${this.home.floors.get(area.floor_id)?.name ?? area.floor_id}</div>` : nothing}
              ${area.labels.length > 0 ? html`<div>${area.labels.map((id) => labelChip(this.labels.named(id)))}</div>` : nothing}
            </div>
            <div class="row">
              ${this.button(mdiArrowUp, t("areas.up", { name }), () => this.move(area, -1), at === 0)}
              ${this.button(mdiArrowDown, t("areas.down", { name }), () => this.move(area, 1), at === areas.length - 1)}
              ${this.button(mdiPencil, t("areas.editNamed", { name }), () => (this.open = { kind: "area", area }))}
              ${this.button(mdiDelete, t("areas.deleteNamed", { name }), () => this.deleteArea(area))}
            </div>
          </li>`;
        },
      )}
    </ul>`;
  }

  private floors(): TemplateResult {
    const floors = [...this.home.floors.values()].sort(byLevel);
    if (floors.length === 0) return html`<p class="muted">${t("areas.noFloors")}</p>`;
    return html`<ul>
      ${floors.map(
        (floor) =>
          html`<li>
            <hearth-icon .path=${mdiStairs}></hearth-icon>
            <div>
              <strong>${floor.name}</strong>
              ${floor.level === null ? nothing : html`<div class="hint">${t("areas.levelIs", { level: floor.level })}</div>`}
            </div>
            <div class="row">
              ${this.button(mdiPencil, t("areas.editNamed", { name: floor.name }), () => (this.open = { kind: "floor", floor }))}
              ${this.button(mdiDelete, t("areas.deleteNamed", { name: floor.name }), () => this.deleteFloor(floor))}
            </div>
          </li>`,
      )}
    </ul>`;
  }

  private button(path: string, label: string, run: () => unknown, disabled = false): TemplateResult {
    return html`<button
      type="button"
      class="plain round"
      aria-label=${label}
      title=${label}
      ?disabled=${disabled}
      @click=${() => void run()}
    >
      <hearth-icon .path=${path}></hearth-icon>
    </button>`;
  }

  private dialog(): TemplateResult | typeof nothing {
    const closed = () => (this.open = undefined);
    if (this.open?.kind === "area") {
      return html`<hearth-area-dialog .home=${this.home} .area=${this.open.area} @closed=${closed}></hearth-area-dialog>`;
    }
    if (this.open?.kind === "floor") {
      return html`<hearth-floor-dialog .home=${this.home} .floor=${this.open.floor} @closed=${closed}></hearth-floor-dialog>`;
    }
    return nothing;
  }
}
