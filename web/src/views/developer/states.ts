// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { query as addressQuery, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import type { StateForm } from "./state_form";
import "./state_form";
import "./state_table";

// The tab States. `?filter=` in the address is what is looked for; where that is the id of an entity, it is chosen.
@customElement("hearth-developer-states")
export class DeveloperStates extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private filter = addressQuery().get("filter") ?? "";
  @state() private chosen = "";
  @query("hearth-state-form") private form!: StateForm;
  private remembering: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      .tab {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(20rem, 27rem);
        gap: 1.2rem;
        align-items: start;
      }

      .filter {
        margin-bottom: 0.9rem;
      }

      .filter input {
        flex: 1 1 16rem;
        width: auto;
      }

      hearth-state-form {
        display: grid;
        gap: 1.2rem;
        grid-template-columns: minmax(0, 1fr);
      }

      @media (max-width: 68rem) {
        .tab {
          grid-template-columns: minmax(0, 1fr);
        }

        hearth-state-table {
          --table-height: clamp(18rem, 60dvh, 40rem);
        }
      }
    `,
  ];

  @state() private rows: number | undefined;

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.home.entities.has(this.filter)) this.chosen = this.filter;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.remembering);
  }

  private look(event: Event): void {
    this.filter = (event.target as HTMLInputElement).value;
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => setQuery({ filter: this.filter || undefined }, "replace"), 300);
  }

  private async choose(id: string): Promise<void> {
    const again = this.chosen === id;
    this.chosen = id;
    await this.updateComplete;
    if (again) this.form.fill();
    // Where the form stands below the table.
    if (this.form.getBoundingClientRect().top > window.innerHeight - 100) this.form.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  // "4 of 33 entities" while the filter leaves some out.
  private countText(): string {
    const all = this.home.entities.size;
    const text = t("developer.entities", { count: all });
    return this.rows === undefined || this.rows === all ? text : t("developer.entitiesOf", { count: all, shown: this.rows });
  }

  override render() {
    return html`<div class="tab">
      <section aria-label=${t("developer.states")}>
        <div class="row filter">
          <input
            type="search"
            aria-label=${t("developer.filter")}
            placeholder=${t("developer.filterHint")}
            .value=${this.filter}
            @input=${(event: Event) => this.look(event)}
          />
          <span class="muted" role="status">${this.countText()}</span>
        </div>
        <hearth-state-table
          .home=${this.home}
          .filter=${this.filter}
          .chosen=${this.chosen}
          @count-rows=${(event: CustomEvent<number>) => (this.rows = event.detail)}
          @choose-entity=${(event: CustomEvent<string>) => void this.choose(event.detail)}
        ></hearth-state-table>
      </section>
      <hearth-state-form .home=${this.home} .chosen=${this.chosen}></hearth-state-form>
    </div>`;
  }
}
