// SPDX-License-Identifier: Apache-2.0
import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { HubEvent } from "../../api/types";
import { t } from "../../i18n/catalogue";
import { EventLog, most, textOfEvent } from "./event_log";
import { LiveList, type Line } from "./live_list";
import "../../elements/json_view";

// Events that users who are no administrators may hear (docs/websocket.md).
const forEveryone = [
  "state_changed",
  "area_registry_updated",
  "component_loaded",
  "core_config_updated",
  "device_registry_updated",
  "entity_registry_updated",
  "floor_registry_updated",
  "label_registry_updated",
  "panels_updated",
  "service_registered",
  "service_removed",
  "themes_updated",
];

function stateOf(value: unknown): string {
  return typeof value === "object" && value !== null && "state" in value ? String(value.state) : "–";
}

// One line of what an event says.
function brief({ event_type: type, data }: HubEvent): string {
  if (type === "state_changed") return `${String(data.entity_id)}: ${stateOf(data.old_state)} → ${stateOf(data.new_state)}`;
  if (type === "call_service") return `${String(data.domain)}.${String(data.service)} ${JSON.stringify(data.service_data)}`.slice(0, 140);
  const text = JSON.stringify(data);
  return text === "{}" ? "" : text.slice(0, 140);
}

// Listens to events as they happen.
@customElement("hearth-event-list")
export class EventList extends LiveList<HubEvent> {
  @state() private type = "";
  @state() private known: string[] = [];
  protected readonly log = new EventLog(textOfEvent);

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.home.user.is_admin) this.type = forEveryone[0] as string;
    else void this.loadTypes();
  }

  private async loadTypes(): Promise<void> {
    const types = await this.home.rest<{ event: string }[]>("GET", "/api/events").catch(() => []);
    const own = ["call_service", "platform_start", "platform_stop"];
    this.known = [...new Set([...forEveryone, ...own, ...types.map(({ event }) => event)])].filter((type) => type !== "*").sort();
  }

  protected get words() {
    return {
      heading: t("developer.listen"),
      filterHint: t("developer.eventFilterHint"),
      notListening: t("developer.notListening", { most }),
      waiting: (count: number) => t("developer.waiting", { count }),
    };
  }

  protected override question() {
    const event_type = this.type.trim();
    return { type: "subscribe_events", ...(event_type && { event_type }) };
  }

  protected override choice(): TemplateResult {
    return html`<label>${t("developer.listenTo")} ${this.home.user.is_admin ? this.anyType() : this.someTypes()}</label>`;
  }

  private anyType(): TemplateResult {
    return html`<input
        class="mono"
        list="types"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        placeholder=${t("developer.allEvents")}
        ?disabled=${this.listening}
        .value=${this.type}
        @input=${(event: Event) => (this.type = (event.target as HTMLInputElement).value)}
      /><datalist id="types">${this.known.map((type) => html`<option value=${type}></option>`)}</datalist>`;
  }

  private someTypes(): TemplateResult {
    return html`<select ?disabled=${this.listening} @change=${(event: Event) => (this.type = (event.target as HTMLSelectElement).value)}>
      ${forEveryone.map((type) => html`<option value=${type} ?selected=${type === this.type}>${type}</option>`)}
    </select>`;
  }

  protected override line(event: HubEvent): Line {
    return {
      time: event.time_fired,
      name: event.event_type,
      brief: brief(event),
      whole: () => html`<hearth-json-view .label=${event.event_type} .text=${JSON.stringify(event, null, 2)}></hearth-json-view>`,
    };
  }
}
