// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { doubleAutomations, switchAutomation, type DoubleAutomation } from "../../../api/connections/bridges";
import type { Home } from "../../../api/home";
import { PollController } from "../../../elements/controllers";
import { t } from "../../../i18n/catalogue";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/action";

const interval = 10000;

// Automations that both hubs have: each is switched off in one and on in the other, in one step.
@customElement("hearth-bridge-automations")
export class BridgeAutomations extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) instance = "";
  @state() private automations: DoubleAutomation[] = [];

  static override styles = [
    shared,
    rows,
    css`
      small {
        display: block;
        color: var(--text-2);
      }

      li .row {
        gap: 0.5rem;
      }

      .wrong {
        color: var(--danger);
      }
    `,
  ];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  private async load(): Promise<void> {
    this.automations = await doubleAutomations(this.home, this.instance).catch(() => this.automations);
  }

  private async move({ id }: DoubleAutomation, on: "here" | "there"): Promise<void> {
    this.automations = await switchAutomation(this.home, this.instance, id, on);
  }

  override render() {
    if (this.automations.length === 0) return nothing;
    return html`<section class="card stack">
      <h2>${t("bridge.automations")}</h2>
      <p class="hint">${t("bridge.automationsHint")}</p>
      <ul>
        ${repeat(
          this.automations,
          ({ id }) => id,
          (one) => this.row(one),
        )}
      </ul>
    </section>`;
  }

  private row(one: DoubleAutomation) {
    const where = one.on_here ? (one.on_there ? "both" : "here") : one.on_there ? "there" : "off";
    const action = (on: "here" | "there") =>
      html`<hearth-action
        .label=${t(`bridge.on.${on}`)}
        .name=${t(`bridge.on.${on}.name`, { name: one.name })}
        .run=${() => this.move(one, on)}
      ></hearth-action>`;
    return html`<li>
      <div>
        ${one.name}
        <small class=${where === "both" ? "wrong" : ""}>${t(`bridge.runs.${where}`)}</small>
      </div>
      <div class="row">${where === "here" ? nothing : action("here")}${where === "there" ? nothing : action("there")}</div>
    </li>`;
  }
}
