// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { Service, Services } from "../../api/types";
import { cautionOfCall } from "../../cards/caution";
import { BottomBar } from "../../elements/bottom_bars";
import { agree } from "../../elements/agree";
import { HomeController } from "../../elements/controllers";
import type { Choice } from "../../elements/fields/picker";
import type { Segments } from "../../elements/fields/segments";
import { areaChoices, domainsOf, entityChoices } from "../../elements/home_choices";
import { WordsController } from "../../i18n/late_words";
import { t } from "../../i18n/catalogue";
import { translated } from "../../i18n/service_words";
import { query as addressQuery, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import type { DataEditor } from "./data_editor";
import type { Format } from "./data_text";
import { hubText } from "./hub_text";
import type { Answer } from "./service_answer";
import { dataOf, emptyFilling, fieldsOf, fillingOf, type Filled, type Filling, type TargetKey } from "./service_data";
import "../../elements/action";
import "../../elements/loading";
import "../../elements/fields/picker";
import "../../elements/fields/segments";
import "./data_editor";
import "./service_answer";
import "./service_field";

type Mode = "form" | Format;

// The tab Services. `?service=light.turn_on` in the address is the one that is chosen.
@customElement("hearth-developer-services")
export class DeveloperServices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private services: Services | undefined;
  @state() private failure = "";
  @state() private chosen = addressQuery().get("service") ?? "";
  @state() private mode: Mode = "form";
  @state() private filling: Filling = emptyFilling();
  @state() private problem = "";
  @state() private answer: Answer | undefined;
  @query("hearth-data-editor") private editor!: DataEditor;
  @query("hearth-segments") private segments!: Segments;
  private readonly words = new WordsController(this); // of the selectors

  static override styles = [
    shared,
    css`
      .tab {
        display: grid;
        grid-template-columns: minmax(0, 1.5fr) minmax(20rem, 1fr);
        gap: 1.2rem;
        align-items: start;
        max-width: 100rem;
      }

      .description {
        margin: 0.7rem 0 1.1rem;
      }

      .target {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
        gap: 1rem;
        padding: 0.9rem 0 1.1rem;
        border-top: 1px solid var(--border);
      }

      .target h2 {
        grid-column: 1 / -1;
        font-size: 1rem;
      }

      .end {
        position: sticky;
        z-index: 1;
        bottom: var(--navigation, 0px);
        margin: 0 -1.25rem -1.1rem;
        padding: 0.9rem 1.25rem;
        border-top: 1px solid var(--border);
        border-radius: 0 0 var(--radius) var(--radius);
        background: var(--surface);
      }

      hearth-service-answer {
        position: sticky;
        top: 1rem;
      }

      hearth-data-editor {
        --editor-height: 16rem;
        padding-bottom: 1.1rem;
      }

      .problem,
      .notice {
        margin-bottom: 1rem;
      }

      @media (max-width: 68rem) {
        .tab {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new BottomBar(this, () => this.renderRoot.querySelector(".end"));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.services = await translated(await this.home.command<Services>("get_services"));
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private service(): Service | undefined {
    const [domain = "", name = ""] = this.chosen.split(".");
    const services = this.services?.[domain];
    return services && Object.hasOwn(services, name) ? services[name] : undefined;
  }

  private choices(): Choice[] {
    return Object.entries(this.services ?? {}).flatMap(([domain, services]) =>
      Object.entries(services).map(([name, service]) => ({
        id: `${domain}.${name}`,
        name: `${domain}.${name}`,
        ...(service.name && { name: `${service.name} – ${domain}` }),
      })),
    );
  }

  private choose(id: string): void {
    if (id === this.chosen) return;
    this.chosen = id;
    // Whom it is for stays where the next service takes the same.
    const domains = domainsOf(this.service()?.target?.entity);
    const { entity_id, area_id } = this.filling.target;
    const kept = entity_id.filter((entity) => !domains || domains.includes(entity.split(".")[0] ?? ""));
    this.filling = { ...emptyFilling(), target: this.service()?.target ? { entity_id: kept, area_id } : { entity_id: [], area_id: [] } };
    this.problem = "";
    this.answer = undefined;
    if (this.mode !== "form") void this.editor?.write(dataOf(this.filling));
    setQuery({ service: id }, "replace");
  }

  private async switchTo(mode: Mode): Promise<void> {
    const service = this.service();
    if (!service || mode === this.mode) return;
    this.problem = "";
    if (this.mode === "form") {
      this.mode = mode;
      await this.updateComplete;
      this.editor.format = mode as Format;
      await this.editor.write(dataOf(this.filling));
    } else if (mode === "form") {
      const data = await this.editor.read();
      if (!data) return this.segments.reset();
      this.filling = fillingOf(service, data);
      this.mode = mode;
    } else if (await this.editor.switchTo(mode)) this.mode = mode;
    else this.segments.reset();
  }

  private async data(): Promise<Record<string, unknown> | undefined> {
    if (this.mode !== "form") return this.editor.read();
    const service = this.service();
    for (const [name, field] of service ? fieldsOf(service) : []) {
      const filled = this.filling.fields.get(name);
      if (filled?.problem) this.problem = `${name}: ${filled.problem}`;
      else if (field.required && !filled?.on) this.problem = t("developer.fieldMissing", { name });
      else continue;
      return undefined;
    }
    return dataOf(this.filling);
  }

  private async call(): Promise<void> {
    this.problem = "";
    this.answer = undefined;
    const service = this.chosen;
    const [domain = "", name = ""] = service.split(".");
    const data = await this.data();
    if (!data) return;
    const question = cautionOfCall(this.home, service, data);
    const leave = question ? await agree(question) : {};
    if (!leave) return;
    const body = { ...data, ...leave };
    const responds = this.service()?.response !== undefined;
    const path = `/api/services/${encodeURIComponent(domain)}/${encodeURIComponent(name)}`;
    try {
      if (responds) {
        type Both = { changed_states: Answer["states"]; service_response: unknown };
        const both = await this.home.rest<Both>("POST", `${path}?return_response`, body);
        this.answer = { service, states: both.changed_states, response: both.service_response };
      } else {
        this.answer = { service, states: await this.home.rest<Answer["states"]>("POST", path, body) };
      }
      await this.updateComplete;
      this.renderRoot.querySelector("hearth-service-answer")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    } catch (error) {
      this.problem = hubText(error);
    }
  }

  private fill(name: string, filled: Filled): void {
    this.filling = { ...this.filling, fields: new Map(this.filling.fields).set(name, filled) };
  }

  private aim(key: TargetKey, ids: string[]): void {
    this.filling = { ...this.filling, target: { ...this.filling.target, [key]: ids } };
  }

  override render() {
    if (!this.services || !this.words.areThere) {
      return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`;
    }
    const service = this.service();
    return html`<div class="tab">
      <section class="card" aria-label=${t("developer.services")}>
        <hearth-picker
          .label=${t("developer.service")}
          .placeholder=${t("developer.chooseService")}
          .choices=${() => this.choices()}
          .chosen=${this.chosen ? [this.chosen] : []}
          @change-chosen=${(event: CustomEvent<string[]>) => this.choose(event.detail[0] ?? "")}
        ></hearth-picker>
        ${service ? this.details(service) : html`<p class="description muted">${this.hint()}</p>`}
      </section>
      ${this.answer ? html`<hearth-service-answer .home=${this.home} .answer=${this.answer}></hearth-service-answer>` : nothing}
    </div>`;
  }

  private hint(): string {
    return this.chosen ? t("developer.noService", { service: this.chosen }) : t("developer.chooseServiceHint");
  }

  private details(service: Service): TemplateResult {
    const modes = [
      { id: "form", name: t("developer.form") },
      { id: "yaml", name: "YAML" },
      { id: "json", name: "JSON" },
    ];
    return html`
      <div class="spread description">
        <p>${service.description}</p>
        <hearth-segments
          .label=${t("developer.writtenAs")}
          .options=${modes}
          .chosen=${this.mode}
          @choose=${(event: CustomEvent<string>) => void this.switchTo(event.detail as Mode)}
        ></hearth-segments>
      </div>
      ${this.mode === "form"
        ? this.form(service)
        : html`<hearth-data-editor .label=${t("developer.data")} .hint=${t("developer.dataHint")}></hearth-data-editor>`}
      ${this.home.user.is_admin
        ? html`<div class="end">
            ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
            <hearth-action look="primary" .label=${t("developer.callService")} .run=${() => this.call()}></hearth-action>
          </div>`
        : nothing}
    `;
  }

  private form(service: Service): TemplateResult {
    const { fields, others } = this.filling;
    const more = Object.keys(others);
    return html`
      ${service.target ? this.target(service.target) : nothing}
      ${repeat(
        fieldsOf(service),
        ([name]) => `${this.chosen} ${name}`,
        ([name, field]) =>
          html`<hearth-service-field
            .home=${this.home}
            .name=${name}
            .field=${field}
            .filled=${fields.get(name) ?? notFilled}
            @change-field=${(event: CustomEvent<Filled>) => this.fill(name, event.detail)}
          ></hearth-service-field>`,
      )}
      ${more.length > 0 ? html`<p class="notice">${t("developer.otherFields", { names: more.join(", ") })}</p>` : nothing}
    `;
  }

  private target(target: Record<string, unknown>): TemplateResult {
    const { entity_id, area_id } = this.filling.target;
    return html`<div class="target" role="group" aria-labelledby="target">
      <h2 id="target">${t("developer.target")}</h2>
      <hearth-picker
        multiple
        .label=${t("developer.targetEntities")}
        .chosen=${entity_id}
        .choices=${() => entityChoices(this.home, domainsOf(target.entity))}
        .nameOf=${(id: string) => this.home.nameOf(id)}
        @change-chosen=${(event: CustomEvent<string[]>) => this.aim("entity_id", event.detail)}
      ></hearth-picker>
      <hearth-picker
        multiple
        .label=${t("developer.targetAreas")}
        .chosen=${area_id}
        .choices=${() => areaChoices(this.home)}
        .nameOf=${(id: string) => this.home.areas.get(id)?.name ?? id}
        @change-chosen=${(event: CustomEvent<string[]>) => this.aim("area_id", event.detail)}
      ></hearth-picker>
    </div>`;
  }
}

// One object, so that a field does not take it for news.
const notFilled: Filled = { on: false, value: undefined };
