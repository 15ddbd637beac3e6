// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../../../../i18n/catalogue";
import { shared } from "../../../../styles/shared";
import { deviceOffersOf, withOffer } from "../devices/device_offers";
import { deviceWords, entityOf } from "../devices/device_words";
import type { Config, Path } from "../edit";
import type { Editing } from "../editing";
import { slotStyles } from "./slot_styles";

// A device's own events, such as a press of its button, and the values and abilities of its entities.
@customElement("hearth-event-choice")
export class EventChoice extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) config: Config = {};
  @property() label = "";
  @state() private told: Config[] = [];
  private asked = "";

  static override styles = [shared, slotStyles];

  private get isTrigger(): boolean {
    return this.config.trigger !== undefined;
  }

  override willUpdate(): void {
    const device = String(this.config.device_id ?? "");
    if (!this.isTrigger || device === this.asked) return;
    this.asked = device;
    this.told = [];
    if (device !== "") void this.ask(device);
  }

  override focus(): void {
    this.renderRoot.querySelector("select")?.focus();
  }

  private async ask(device_id: string): Promise<void> {
    const found = await this.editing.home.command<Config[]>("device_automation/trigger/list", { device_id }).catch(() => []);
    if (device_id === this.asked) this.told = found;
  }

  private choose(offer: Config | undefined): void {
    if (!offer) return;
    const { platform: _, ...keys } = offer;
    this.editing.change(this.path, withOffer(this.editing, this.config, keys));
  }

  private isChosen(offer: Config): boolean {
    const { config, editing } = this;
    if (offer.type !== config.type) return false;
    return offer.entity_id === undefined ? offer.subtype === config.subtype : offer.entity_id === entityOf(editing.home, config);
  }

  override render() {
    const { config, editing } = this;
    const hasDevice = String(config.device_id ?? "") !== "";
    const offers = [...this.told, ...deviceOffersOf(editing, config)];
    const place = offers.findIndex((offer) => this.isChosen(offer));
    const isSet = typeof config.type === "string" && config.type !== "";
    const first = isSet
      ? deviceWords(editing, config)
      : offers.length > 0 || !hasDevice
        ? t("sentence.choose", { what: this.label })
        : t("sentence.noDeviceEvents");
    const words = (offer: Config) =>
      deviceWords(editing, {
        ...(this.isTrigger ? { trigger: "device" } : config.condition !== undefined && { condition: "device" }),
        ...offer,
      });
    return html`<select
      class="token ${isSet ? "" : "empty"}"
      aria-label=${this.label}
      ?disabled=${editing.fixed}
      @change=${(event: Event) => this.choose(offers[Number((event.target as HTMLSelectElement).value)])}
    >
      ${place < 0 ? html`<option value="" selected disabled>${first}</option>` : nothing}
      ${offers.map((offer, index) => html`<option value=${index} .selected=${index === place}>${words(offer)}</option>`)}
    </select>`;
  }
}
