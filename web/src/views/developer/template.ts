// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { t, type Key } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { LiveTemplate, type Listeners, type Rendering } from "./live_template";
import "../../elements/json_view";

const example = `{% set lights = states.light | selectattr('state', 'eq', 'on') | list %}
{% if lights %}
  {{ lights | map(attribute='name') | join(', ') }}
{% else %}
  {{ now().strftime('%H:%M') }}
{% endif %}
`;
const pause = 250; // ms without a key before the hub renders

let written = example; // while the page is open, whatever tab is shown

function typeOf(result: unknown): Key {
  if (result === null) return "developer.template.none";
  if (Array.isArray(result)) return "developer.template.list";
  switch (typeof result) {
    case "number":
      return "developer.template.number";
    case "boolean":
      return "developer.template.boolean";
    case "object":
      return "developer.template.object";
    default:
      return "developer.template.text";
  }
}

// The tab Template: what the hub makes of a template while it is written.
@customElement("hearth-developer-template")
export class DeveloperTemplate extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private rendering?: Rendering;
  @query("textarea") private area!: HTMLTextAreaElement;

  private live?: LiveTemplate;
  private timer = 0;

  static override styles = [
    shared,
    css`
      .both {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.2rem;
        align-items: start;
      }

      @media (min-width: 70rem) {
        .both {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }

      textarea {
        min-height: 18rem;
        tab-size: 2;
      }

      ul {
        margin: 0.3rem 0 0;
        padding-left: 1.2rem;
      }

      li {
        overflow-wrap: anywhere;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.live = new LiveTemplate(this.home, (rendering) => (this.rendering = rendering));
    void this.live.render(written);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    void this.live?.end();
  }

  private edited(): void {
    written = this.area.value;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.live?.render(written), pause);
  }

  override render() {
    return html`<div class="both">
      <section class="card stack">
        <div>
          <label for="template">${t("developer.template.write")}</label>
          <p class="hint" id="hint">${t("developer.template.hint")}</p>
        </div>
        <textarea
          id="template"
          rows="14"
          spellcheck="false"
          autocapitalize="none"
          autocomplete="off"
          aria-describedby="hint"
          .value=${written}
          @input=${() => this.edited()}
        ></textarea>
      </section>
      <section class="card stack" aria-live="polite">${this.rendering ? this.shown(this.rendering) : nothing}</section>
    </div>`;
  }

  private shown(rendering: Rendering): TemplateResult {
    if ("error" in rendering) {
      const { error, line } = rendering;
      return html`<h2>${t("developer.template.result")}</h2>
        <p class="problem" role="alert">${line ? t("developer.template.line", { line: String(line), error }) : error}</p>`;
    }
    const { result, listeners } = rendering;
    const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
    return html`<hearth-json-view .label=${t("developer.template.result")} .text=${text}></hearth-json-view>
      <p class="hint">${t(typeOf(result))}</p>
      <div>${this.listened(listeners)}</div>`;
  }

  private listened({ all, domains, entities, time }: Listeners): TemplateResult {
    const rows = [
      ...(all ? [t("developer.template.all")] : []),
      ...domains.map((domain) => html`${t("developer.template.domain")} <span class="mono">${domain}</span>`),
      ...(all ? [] : entities.map((id) => html`<span class="mono">${id}</span>`)),
      ...(time ? [t("developer.template.time")] : []),
    ];
    if (rows.length === 0) return html`<p>${t("developer.template.nothing")}</p>`;
    return html`<h2>${t("developer.template.listens")}</h2>
      <ul>
        ${rows.map((row) => html`<li>${row}</li>`)}
      </ul>`;
  }
}
