// SPDX-License-Identifier: Apache-2.0
import { mdiAccessPointNetwork } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import {
  deviceOf,
  isSilent,
  othersSince,
  secondsLeft,
  type Bridge,
  type Bridges,
  type Joined,
  type Message,
} from "../../../api/bridges/bridge";
import { joinSeconds, Zigbee2Mqtt } from "../../../api/bridges/zigbee2mqtt";
import { answer, ZwaveJsUi, type ZwaveGateway } from "../../../api/bridges/zwave_js_ui";
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
import "./zwave_question";

const second = 1000;
const inquirySeconds = 5;

interface Kind<B extends Bridge = Bridge> {
  bridges: Bridges<B>;
  // Its radio's name, as in "Let Zigbee devices join".
  radio: string;
  // The bridge's proper name.
  product: string;
}

// The bridges of radios on the broker, each with a button that lets devices join for some time, a countdown if it says how long, what it
// asks, and who has joined. The bridge itself counts and ends it: the page may be closed meanwhile, and shows it again when it is opened.
@customElement("hearth-pairing")
export class Pairing extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private now = Date.now();
  private zigbee: Kind = newZigbee();
  private zwave: Kind<ZwaveGateway> & { bridges: ZwaveJsUi } = newZwave();
  private followed = new Set<string>();
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
    this.zigbee = newZigbee();
    this.zwave = newZwave();
    this.followed = new Set();
    this.followNew(generation);
    let seconds = 0;
    const timer = setInterval(() => {
      this.now = Date.now();
      seconds += 1;
      if (seconds % inquirySeconds === 0) this.inquire();
    }, second);
    this.stops = [() => clearInterval(timer)];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.generation += 1;
    for (const stop of this.stops) stop();
  }

  // A bridge that has been found has topics of its own.
  private followNew(generation: number): void {
    for (const topic of [...this.zigbee.bridges.topics, ...this.zwave.bridges.topics]) {
      if (this.followed.has(topic)) continue;
      this.followed.add(topic);
      void this.follow(topic, generation);
    }
  }

  // Without a broker there is nothing to follow; the page shows this as soon as there is one.
  private async follow(topic: string, generation: number): Promise<void> {
    const take = (message: SeenMessage) => {
      if (generation !== this.generation) return;
      const found = this.zwave.bridges.all.length;
      for (const { bridges } of [this.zigbee, this.zwave]) bridges.take(message.topic, message.payload, Date.now());
      this.followNew(generation);
      if (this.zwave.bridges.all.length > found) this.inquire();
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

  // An inquiry that fails is made again.
  private inquire(): void {
    for (const message of this.zwave.bridges.inquiries()) void this.publish(message).catch(() => undefined);
  }

  private async publish({ topic, payload }: Message): Promise<void> {
    await this.home.call("mqtt", "publish", { topic, payload });
    this.requestUpdate();
  }

  override render() {
    return [this.section(this.zigbee), this.section(this.zwave, (gateway) => this.zwaveParts(gateway))];
  }

  private section<B extends Bridge>(kind: Kind<B>, parts: (bridge: B) => unknown = () => nothing): TemplateResult | typeof nothing {
    const { all } = kind.bridges;
    if (all.length === 0) return nothing;
    return html`<section class="card stack">
      <h2>${t("pairing.heading", { radio: kind.radio })}</h2>
      <p class="hint">${t("pairing.hint")}</p>
      ${all.map((bridge) => this.bridge(kind, bridge, all.length > 1, parts))}
    </section>`;
  }

  private bridge<B extends Bridge>(kind: Kind<B>, bridge: B, isOneOfMany: boolean, parts: (bridge: B) => unknown): TemplateResult {
    const left = secondsLeft(bridge, this.now);
    const name = isOneOfMany ? t("pairing.named", { product: kind.product, topic: bridge.base }) : kind.product;
    const ask = (open: boolean) => this.publish(kind.bridges.ask(bridge, open, Date.now()));
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
              .run=${() => ask(true)}
            ></hearth-action>`
          : html`<hearth-action
              .label=${t("pairing.stop")}
              .name=${`${t("pairing.stop")}: ${name}`}
              .run=${() => ask(false)}
            ></hearth-action>`}
      </div>
      ${this.problem(bridge)} ${left === 0 ? nothing : this.countdown(left)} ${parts(bridge)} ${this.newcomers(kind, bridge, left === 0)}
    </section>`;
  }

  private zwaveParts(gateway: ZwaveGateway): unknown {
    return [
      gateway.isBusy ? html`<p class="problem" role="alert">${t("pairing.zwave.busy")}</p>` : nothing,
      gateway.open && gateway.tellsEvents === false ? html`<p class="notice" role="status">${t("pairing.zwave.noEvents")}</p>` : nothing,
      gateway.question
        ? html`<hearth-zwave-question
            .question=${gateway.question}
            .answer=${(given?: number[] | string) => this.publish(answer(gateway, given))}
          ></hearth-zwave-question>`
        : nothing,
    ];
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

  private newcomers<B extends Bridge>({ bridges }: Kind<B>, bridge: B, isOver: boolean): TemplateResult | typeof nothing {
    const others = othersSince(bridges, bridge, this.home.devices);
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
    const details = [one.model, one.isUnencrypted && t("pairing.zwave.unencrypted")].filter(Boolean).join(" · ");
    return this.row(device, device ? deviceName(device) : one.name, details, one.state);
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

function newZigbee(): Kind {
  return { bridges: new Zigbee2Mqtt(), radio: "Zigbee", product: "Zigbee2MQTT" };
}

function newZwave(): Kind<ZwaveGateway> & { bridges: ZwaveJsUi } {
  return { bridges: new ZwaveJsUi(), radio: "Z-Wave", product: "Z-Wave JS UI" };
}
