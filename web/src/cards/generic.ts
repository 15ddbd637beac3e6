// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, maybeT, t, type Key } from "../i18n/catalogue";
import { numberIn, textIn, textsIn } from "./attributes";
import { type Content } from "./card";
import { hasService, loadServices, plainServices } from "./services";
import { withUnit } from "./state_text";
import { SwitchCard } from "./switch";
import "../elements/fields/choice";
import "../elements/fields/slider";

// The action of one press, by the service that the domain has for it.
const presses: [service: string, label: Key, labelOf: Key][] = [
  ["press", "generic.press", "generic.pressOf"],
  ["trigger", "generic.trigger", "generic.triggerOf"],
  ["turn_on", "generic.activate", "generic.activateOf"],
];

// An entity of a domain that has no card of its own: with what the services of its domain allow.
@customElement("hearth-generic-card")
export class GenericCard extends SwitchCard {
  override connectedCallback(): void {
    super.connectedCallback();
    void loadServices(this.home).then(() => this.requestUpdate());
  }

  private has(service: string): boolean {
    return hasService(this.home, this.entityId.split(".")[0] as string, service);
  }

  private get toggles(): boolean {
    return this.has("toggle") && this.has("turn_on") && this.has("turn_off");
  }

  protected override control(entity: Entity): Content {
    if (this.toggles && (entity.state === "on" || entity.state === "off" || this.isGone)) return super.control(entity);
    const [service, label, labelOf] = presses.find(([name]) => this.has(name) && !(name === "turn_on" && this.has("turn_off"))) ?? [];
    if (!service || !label || !labelOf) return nothing;
    return html`<button
      type="button"
      aria-label=${t(labelOf, { name: this.name })}
      ?disabled=${this.isFixed}
      @click=${() => void this.call(service)}
    >
      ${t(label)}
    </button>`;
  }

  // In the dialog of an entity whose domain the pages know nothing of, such as another hub's: what its services do.
  private others(): Content {
    const domain = this.entityId.split(".")[0] as string;
    if (!this.detailed || this.home.user.is_read_only || maybeT(`domain.${domain}`)) return nothing;
    const services = plainServices(this.home, domain);
    if (services.length === 0) return nothing;
    return html`<div class="buttons">
      ${services.map(
        ([service, name]) => html`<button type="button" ?disabled=${this.isFixed} @click=${() => void this.call(service)}>${name}</button>`,
      )}
    </div>`;
  }

  protected override body(entity: Entity) {
    const options = textsIn(entity, "options");
    if (options.length > 0 && this.has("select_option")) {
      return html`<hearth-choice
        .label=${this.name}
        .value=${entity.state}
        .options=${options.map((value) => ({ value, text: value }))}
        .disabled=${this.isFixed}
        @choose=${(event: CustomEvent<string>) => void this.call("select_option", { option: event.detail }, event.target)}
      ></hearth-choice>`;
    }
    const [low, high] = [numberIn(entity, "min"), numberIn(entity, "max")];
    if (low === undefined || high === undefined || !this.has("set_value") || !Number.isFinite(Number(entity.state))) return this.others();
    const unit = textIn(entity, "unit_of_measurement");
    return html`<hearth-slider
      .label=${this.name}
      .min=${low}
      .max=${high}
      .step=${numberIn(entity, "step") || 1}
      .value=${Number(entity.state)}
      .text=${(value: number) => withUnit(formatNumber(value), unit)}
      .disabled=${this.isFixed}
      @change-value=${(event: CustomEvent<number>) => void this.call("set_value", { value: event.detail }, event.target)}
    ></hearth-slider>`;
  }
}
