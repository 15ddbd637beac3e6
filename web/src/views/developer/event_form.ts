// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Action } from "../../elements/action";
import type { Segments } from "../../elements/fields/segments";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import type { DataEditor } from "./data_editor";
import type { Format } from "./data_text";
import { hubText } from "./hub_text";
import "../../elements/action";
import "../../elements/fields/segments";
import "./data_editor";

// Fires an event.
@customElement("hearth-event-form")
export class EventForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private type = "";
  @state() private format: Format = "yaml";
  @state() private problem = "";
  @query("hearth-data-editor") private editor!: DataEditor;
  @query("hearth-segments") private segments!: Segments;
  @query("hearth-action") private action!: Action;

  static override styles = [
    shared,
    css`
      label input {
        margin-top: 0.3rem;
      }
    `,
  ];

  private async switchTo(format: Format): Promise<void> {
    if (await this.editor.switchTo(format)) this.format = format;
    else this.segments.reset();
  }

  private async fire(): Promise<void> {
    this.problem = "";
    const type = this.type.trim();
    if (!type) {
      this.problem = t("developer.eventTypeMissing");
      return;
    }
    const event_data = await this.editor.read();
    if (!event_data) return;
    try {
      const { message } = await this.home.rest<{ message: string }>("POST", `/api/events/${encodeURIComponent(type)}`, { event_data });
      notifyDone(message);
    } catch (error) {
      this.problem = hubText(error);
    }
  }

  override render() {
    const formats = [
      { id: "yaml", name: "YAML" },
      { id: "json", name: "JSON" },
    ];
    return html`<form
      class="card stack"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.action.start();
      }}
    >
      <h2>${t("developer.fireEvent")}</h2>
      <label>
        ${t("developer.eventType")}
        <input
          name="event_type"
          class="mono"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          placeholder="doorbell_rung"
          .value=${this.type}
          @input=${(event: Event) => (this.type = (event.target as HTMLInputElement).value)}
        />
      </label>
      <div>
        <hearth-segments
          .label=${t("developer.writtenAs")}
          .options=${formats}
          .chosen=${this.format}
          @choose=${(event: CustomEvent<string>) => void this.switchTo(event.detail as Format)}
        ></hearth-segments>
      </div>
      <hearth-data-editor format="yaml" .label=${t("developer.eventData")} .hint=${t("developer.optional")}></hearth-data-editor>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div><hearth-action look="primary" .label=${t("developer.fireEvent")} .run=${() => this.fire()}></hearth-action></div>
    </form>`;
  }
}
