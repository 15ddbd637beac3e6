// SPDX-License-Identifier: Apache-2.0
import { mdiAccessPointNetwork } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import {
  Bridges,
  bridgeTopics,
  deviceOf,
  isSilent,
  joinRequest,
  joinSeconds,
  othersSince,
  secondsLeft,
  type Bridge,
  type Joined,
} from "../../../api/bridges";
import { deviceName, makerOf } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { SeenMessage } from "../../../api/mqtt";
import type { Device } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import { t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { devicePath } from "./device_row";
import "../../../elements/action";
import "../../../elements/icon";

const second = 1000;

// The bridges of radios on the broker, each with a button that lets devices join for some minutes, a countdown, and who has joined. The
// bridge itself counts and ends it: the page may be closed meanwhile, and shows it again when it is opened.
@customElement("hearth-pairing")
export class Pairing extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private now = Date.now();
  private bridges = new Bridges();
  private stops: (() => void)[] = [];
  private generation = 0;

  static override styles = [
    shared,
    lined,
    css`
      .time {
        font-variant-numeric: tabular-nums;
        font-size: 1.5rem;
        font-weight: 650;
      }

      progress {
        width: 100%;
        accent-color: var(--accent);
      }

      .joined {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: center;
        gap: 0.1rem 0.8rem;
      }

      .good {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      .bad {
        background: var(--danger-soft);
        color: var(--text);
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const generation = ++this.generation;
    this.bridges = new Bridges();
    for (const topic of bridgeTopics) void this.follow(topic, generation);
    const timer = setInterval(() => (this.now = Date.now()), second);
    this.stops = [() => clearInterval(timer)];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.generation += 1;
    for (const stop of this.stops) stop();
  }

  // Without a broker there is nothing to follow; the page shows this as soon as there is one.
  private async follow(topic: string, generation: number): Promise<void> {
    const take = (message: SeenMessage) => {
      if (generation !== this.generation) return;
      this.bridges.take(message.topic, message.payload, Date.now());
      this.requestUpdate();
    };
    const stop = await this.home.connection
      .subscribeMessage<SeenMessage>(take, { type: "mqtt/subscribe", topic, qos: 0 })
      .catch(() => undefined);
    if (!stop) return;
    const end = () => void stop().catch(() => undefined);
    if (generation === this.generation) this.stops.push(end);
    else end();
  }

  private async ask({ base: topic }: Bridge, seconds: number): Promise<void> {
    await this.home.call("mqtt", "publish", { topic: `${topic}/bridge/request/permit_join`, payload: joinRequest(seconds) });
    this.bridges.noteRequest(topic, seconds, Date.now());
    this.requestUpdate();
  }

  override render() {
    const { all } = this.bridges;
    if (all.length === 0) return nothing;
    return html`<section class="card stack">
      <h2>${t("pairing.heading")}</h2>
      <p class="hint">${t("pairing.hint")}</p>
      ${all.map((bridge) => this.bridge(bridge, all.length > 1))}
    </section>`;
  }

  private bridge(bridge: Bridge, isOneOfMany: boolean): TemplateResult {
    const left = secondsLeft(bridge, this.now);
    const name = isOneOfMany ? t("pairing.named", { topic: bridge.base }) : t("pairing.bridge");
    return html`<section class="stack" aria-label=${name}>
      <div class="spread">
        <div>
          <strong>${name}</strong>
          ${bridge.version ? html`<span class="hint">${bridge.version}</span>` : nothing}
        </div>
        ${left === 0
          ? html`<hearth-action
              look="primary"
              .label=${t("pairing.start")}
              .name=${`${t("pairing.start")}: ${name}`}
              ?disabled=${!bridge.online}
              .run=${() => this.ask(bridge, joinSeconds)}
            ></hearth-action>`
          : html`<hearth-action
              .label=${t("pairing.stop")}
              .name=${`${t("pairing.stop")}: ${name}`}
              .run=${() => this.ask(bridge, 0)}
            ></hearth-action>`}
      </div>
      ${this.problem(bridge)} ${left === 0 ? nothing : this.countdown(left)} ${this.newcomers(bridge, left === 0)}
    </section>`;
  }

  private problem(bridge: Bridge): TemplateResult | typeof nothing {
    const text = !bridge.online
      ? t("pairing.offline")
      : bridge.refusal
        ? t("pairing.refused", { reason: bridge.refusal })
        : isSilent(bridge, this.now)
          ? t("pairing.silent")
          : "";
    return text ? html`<p class="problem" role="alert">${text}</p>` : nothing;
  }

  private countdown(left: number | undefined): TemplateResult {
    if (left === undefined) return html`<p class="notice" role="status">${t("pairing.open")}</p>`;
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    return html`<div>
      <p class="row">
        <hearth-icon .path=${mdiAccessPointNetwork}></hearth-icon>
        <span class="time" role="timer" aria-live="off">${time}</span>
        <span>${t("pairing.waiting")}</span>
      </p>
      <progress max=${joinSeconds} value=${left} aria-hidden="true"></progress>
    </div>`;
  }

  private newcomers(bridge: Bridge, isOver: boolean): TemplateResult | typeof nothing {
    const others = othersSince(bridge, this.home.devices);
    const count = bridge.joined.filter(({ state }) => state !== "left").length + others.length;
    if (bridge.joined.length + others.length === 0) {
      return isOver && bridge.since !== undefined ? html`<p class="muted" role="status">${t("pairing.nobody")}</p>` : nothing;
    }
    return html`<p role="status"><strong>${t("pairing.joined", { count })}</strong></p>
      <ul>
        ${[...bridge.joined].reverse().map((one) => this.joined(one))}
        ${others.map((device) => this.row(device, deviceName(device), makerOf(device), "ready"))}
      </ul>
      <div class="end-buttons"><a class="button" href="${base}/settings/devices/rooms">${t("pairing.rooms")}</a></div>`;
  }

  private joined(one: Joined): TemplateResult {
    const device = deviceOf(one, this.home.devices.values());
    return this.row(device, device ? deviceName(device) : one.name, one.model, one.state);
  }

  private row(device: Device | undefined, name: string, model: string, state: Joined["state"]): TemplateResult {
    const look = state === "ready" ? "good" : state === "failed" || state === "unknownModel" ? "bad" : "";
    return html`<li class="joined">
      <div>
        ${device ? html`<a href=${devicePath(device.id)}>${name}</a>` : html`<strong>${name}</strong>`}
        ${model ? html`<div class="hint">${model}</div>` : nothing}
      </div>
      <span class="badge ${look}">${t(`pairing.state.${state}`)}</span>
    </li>`;
  }
}
