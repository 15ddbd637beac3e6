// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { bridgeOf, differencesOf, testBridge, type Bridge, type Difference } from "../../../api/connections/bridges";
import type { Home } from "../../../api/home";
import { PollController } from "../../../elements/controllers";
import { notifyDone } from "../../../elements/notify";
import { formatDateTime, formatNumber, maybeT, t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { figures } from "../../../styles/figures";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "./bridge_automations";
import "./bridge_differences";
import "./bridge_entities";

const interval = 5000;
// Fates that are counted, beside the mirrored ones, if there are any.
const counted = ["unavailable", "shadowed", "collisions", "moved", "excluded", "disabled", "mirrored_there", "left_out", "invalid"];

// How the connection to another hub does, and what administrators can do with it.
@customElement("hearth-bridge-card")
export class BridgeCard extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entryId = "";
  // How the hub says that the connection is: the figures change with it.
  @property({ attribute: false }) status = "";
  @state() private bridge: Bridge | undefined;
  @state() private differences: Difference[] | undefined;

  static override styles = [shared, figures];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.get("status")) void this.load();
  }

  private async load(): Promise<void> {
    this.bridge = await bridgeOf(this.home, this.entryId).catch(() => this.bridge);
  }

  private async test(bridge: Bridge): Promise<void> {
    const { version, entities, user, is_hearth } = await testBridge(this.home, bridge.name);
    notifyDone(t("bridge.tested", { version: `${is_hearth ? "Hearth" : "Home Assistant"} ${version}`, count: entities, user }));
    await this.load();
  }

  private async compare(bridge: Bridge): Promise<void> {
    const differences = await differencesOf(this.home, bridge.name);
    if (differences.length === 0) notifyDone(t("bridge.noDifferences"));
    else this.differences = differences;
  }

  override render() {
    const { bridge } = this;
    if (!bridge?.entities) return nothing;
    return html`<div class="stack">
      ${this.about(bridge)}
      <hearth-bridge-automations .home=${this.home} .instance=${bridge.name}></hearth-bridge-automations>
      <hearth-bridge-entities .home=${this.home} .instance=${bridge.name} .counts=${bridge.entities}></hearth-bridge-entities>
      ${this.differences
        ? html`<hearth-bridge-differences
            .home=${this.home}
            .instance=${bridge.name}
            .differences=${this.differences}
            @closed=${() => (this.differences = undefined)}
          ></hearth-bridge-differences>`
        : nothing}
    </div>`;
  }

  private about(bridge: Bridge): TemplateResult {
    const { entities = {}, missing = [] } = bridge;
    const figure = (name: string, value: string | undefined | null, long = false) =>
      value
        ? html`<div class=${long ? "long" : ""}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`
        : nothing;
    const latency =
      typeof bridge.latency_ms === "number" ? formatNumber(bridge.latency_ms, { style: "unit", unit: "millisecond" }) : undefined;
    const nextTry = bridge.next_try ? formatDateTime(new Date(bridge.next_try), this.home.configuration.time_zone) : undefined;
    return html`<section class="card stack">
      <h2>${t("bridge.heading")}</h2>
      <dl>
        ${figure(t("bridge.state"), maybeT(`bridge.state.${bridge.state}`) ?? bridge.state)}
        ${figure(t("bridge.version"), bridge.version ? `${bridge.is_hearth ? "Hearth" : "Home Assistant"} ${bridge.version}` : undefined)}
        ${figure(t("bridge.user"), bridge.user)} ${figure(t("bridge.fate.mirrored"), formatNumber(entities.mirrored ?? 0))}
        ${counted
          .filter((fate) => entities[fate])
          .map((fate) => figure(maybeT(`bridge.fate.${fate}`) ?? fate, formatNumber(entities[fate] ?? 0)))}
        ${figure(t("bridge.services"), formatNumber(bridge.services ?? 0))}
        ${figure(t("bridge.changes"), formatNumber(bridge.changes_per_second ?? 0))} ${figure(t("bridge.latency"), latency)}
        ${figure(t("bridge.nextTry"), nextTry)} ${figure(t("bridge.address"), bridge.url, true)}
        ${figure(t("bridge.lastError"), bridge.last_error && hubMessage(bridge.last_error), true)}
        ${figure(t("bridge.missing"), missing.join(", "), true)}
      </dl>
      <div class="row">
        <hearth-action .label=${t("bridge.test")} .run=${() => this.test(bridge)}></hearth-action>
        <hearth-action .label=${t("bridge.takeNames")} .run=${() => this.compare(bridge)}></hearth-action>
      </div>
    </section>`;
  }
}
