// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import type { Config, Path } from "./edit";
import type { Editing } from "./editing";
import { slotStyles } from "./slot_styles";

interface DeviceTrigger {
  platform: string;
  domain: string;
  device_id: string;
  type: string;
  subtype?: string;
  discovery_id?: string;
}

function words({ type, subtype }: { type?: unknown; subtype?: unknown }): string {
  return [subtype, type]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" · ")
    .replaceAll("_", " ");
}

// What a device tells beside its entities, such as a press of its button.
@customElement("hearth-event-choice")
export class EventChoice extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) config: Config = {};
  @property() label = "";
  @state() private offers: DeviceTrigger[] = [];
  private asked = "";

  static override styles = [shared, slotStyles];

  override willUpdate(): void {
    const device = String(this.config.device_id ?? "");
    if (device === this.asked) return;
    this.asked = device;
    this.offers = [];
    if (device !== "") void this.ask(device);
  }

  override focus(): void {
    this.renderRoot.querySelector("select")?.focus();
  }

  private async ask(device_id: string): Promise<void> {
    const found = await this.editing.home.command<DeviceTrigger[]>("device_automation/trigger/list", { device_id }).catch(() => []);
    if (device_id === this.asked) this.offers = found;
  }

  private choose(index: number): void {
    const offer = this.offers[index];
    if (!offer) return;
    const { platform: _, ...keys } = offer;
    const { subtype: _s, discovery_id: _d, entity_id: _e, ...rest } = this.config;
    this.editing.change(this.path, { ...rest, ...keys });
  }

  override render() {
    const { config, offers } = this;
    const place = offers.findIndex(({ type, subtype }) => type === config.type && subtype === config.subtype);
    const isSet = typeof config.type === "string" && config.type !== "";
    return html`<select class="token ${isSet ? "" : "empty"}" aria-label=${this.label} ?disabled=${this.editing.fixed} @change=${(event: Event) => this.choose(Number((event.target as HTMLSelectElement).value))}>
      ${place < 0 ? html`<option value="" selected disabled>${isSet ? words(config) : offers.length > 0 || !this.asked ? t("sentence.choose", { what: this.label }) : t("sentence.noDeviceEvents")}</option>` : nothing}
      ${offers.map((offer, index) => html`<option value=${index} .selected=${index === place}>${words(offer)}</option>`)}
    </select>`;
  }
}
