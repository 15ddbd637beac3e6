// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { itemId, runItem } from "../api/automations";
import { errorText } from "../api/errors";
import type { Home } from "../api/home";
import type { Service, ServiceField, Services } from "../api/types";
import type { Changed, SelectorField } from "../elements/selectors/selector_field";
import { loadWords, t } from "../i18n/catalogue";
import { hubMessage } from "../i18n/hub_messages";
import { shared } from "../styles/shared";
import "../elements/dialog";
import "../elements/selectors/selector_field";

// The variables of a script when somebody starts it by hand. Resolves `answer` with true if it was started.
@customElement("hearth-run-dialog")
class RunDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @property({ attribute: false }) script!: Service;
  @property({ attribute: false }) answer!: (started: boolean) => void;
  @state() private values: Record<string, unknown> = {};
  @state() private problems: Record<string, string> = {};
  @state() private failure = "";
  @state() private busy = false;

  static override styles = [
    shared,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.1rem;
      }

      .about {
        white-space: pre-line;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const given = Object.entries(this.script.fields).filter(([, field]) => field.default !== undefined && field.default !== null);
    this.values = Object.fromEntries(given.map(([name, field]) => [name, field.default]));
  }

  private change(name: string, { value, problem }: Changed): void {
    const { [name]: _, ...others } = this.values;
    this.values = value === undefined ? others : { ...others, [name]: value };
    const { [name]: __, ...wrong } = this.problems;
    this.problems = problem ? { ...wrong, [name]: problem } : wrong;
  }

  private async run(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const missing = Object.entries(this.script.fields).filter(
      ([name, { required }]) => required && this.values[name] === undefined && !this.problems[name],
    );
    const wrong = Object.entries(this.problems).filter(([, problem]) => problem !== t("form.required"));
    this.problems = Object.fromEntries([...wrong, ...missing.map(([name]) => [name, t("form.required")] as const)]);
    const [first] = Object.keys(this.problems);
    if (first) {
      await this.updateComplete;
      this.renderRoot.querySelector<SelectorField>(`[data-field="${CSS.escape(first)}"]`)?.focus();
      return;
    }
    this.busy = true;
    this.failure = "";
    try {
      // Its own service, which waits for its end, is only for who may control everything.
      if (this.home.user.is_admin) await this.home.call("script", itemId(this.home, this.entityId) ?? "", this.values);
      else await this.home.call("script", "turn_on", { variables: this.values }, { entity_id: this.entityId });
      this.answer(true);
    } catch (error) {
      this.failure = hubMessage(errorText(error));
    }
    this.busy = false;
  }

  override render() {
    const { description } = this.script;
    return html`<hearth-dialog .heading=${this.home.nameOf(this.entityId)} @closed=${() => this.answer(false)}>
      <form novalidate @submit=${(event: Event) => void this.run(event)}>
        ${description ? html`<p class="hint about">${description}</p>` : nothing}
        ${Object.entries(this.script.fields).map(([name, field]) => this.field(name, field))}
        ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
        <div class="end-buttons">
          <button type="button" @click=${() => this.answer(false)}>${t("action.cancel")}</button>
          <button type="submit" class="primary" ?disabled=${this.busy} aria-busy=${this.busy ? "true" : "false"}>
            ${t("automations.run")}
          </button>
        </div>
      </form>
    </hearth-dialog>`;
  }

  private field(name: string, { name: title, description, required, selector, example }: ServiceField) {
    const hint = [
      description,
      example === undefined || example === null
        ? ""
        : t("automations.example", { example: typeof example === "string" ? example : JSON.stringify(example) }),
    ]
      .filter(Boolean)
      .join("\n");
    return html`<hearth-selector-field
      data-field=${name}
      .home=${this.home}
      .label=${title || name}
      .hint=${hint}
      .selector=${selector}
      .value=${this.values[name]}
      .problem=${this.problems[name] ?? ""}
      ?required=${required === true}
      @change-value=${({ detail }: CustomEvent<Changed>) => this.change(name, detail)}
    ></hearth-selector-field>`;
  }
}

async function scriptOf(home: Home, entityId: string): Promise<Service | undefined> {
  return (await home.command<Services>("get_services")).script?.[itemId(home, entityId) ?? ""];
}

// Starts it, after asking for the fields of a script that has some. Resolves to whether it was started.
export async function runAsking(home: Home, entityId: string): Promise<boolean> {
  const script = await scriptOf(home, entityId);
  if (!script || Object.keys(script.fields).length === 0) {
    await runItem(home, entityId);
    return true;
  }
  await loadWords("automations");
  return new Promise((resolve) => {
    const element = document.createElement("hearth-run-dialog") as RunDialog;
    Object.assign(element, { home, entityId, script });
    element.answer = (started) => {
      element.remove();
      resolve(started);
    };
    document.body.append(element);
  });
}
