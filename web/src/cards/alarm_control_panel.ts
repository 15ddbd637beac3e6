// SPDX-License-Identifier: Apache-2.0
import { mdiShieldAirplane, mdiShieldHalfFull, mdiShieldHome, mdiShieldLock, mdiShieldMoon, mdiShieldOff } from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { errorText } from "../api/errors";
import type { Entity } from "../api/types";
import { askCodeUntilTaken } from "../elements/codes/code_pad";
import { t, type Key } from "../i18n/catalogue";
import { textIn } from "./attributes";
import { Card, type Content } from "./card";
import "../elements/icon";

interface Mode {
  service: string;
  // The panel's next state, at once or after a delay.
  state: string;
  feature: number;
  word: Key;
  icon: string;
}

const modes: Mode[] = [
  { service: "alarm_arm_home", state: "armed_home", feature: 1, word: "do.armHome", icon: mdiShieldHome },
  { service: "alarm_arm_away", state: "armed_away", feature: 2, word: "do.armAway", icon: mdiShieldLock },
  { service: "alarm_arm_night", state: "armed_night", feature: 4, word: "do.armNight", icon: mdiShieldMoon },
  { service: "alarm_arm_vacation", state: "armed_vacation", feature: 32, word: "do.armVacation", icon: mdiShieldAirplane },
  { service: "alarm_arm_custom_bypass", state: "armed_custom_bypass", feature: 16, word: "do.armBypass", icon: mdiShieldHalfFull },
];
const disarm: Mode = { service: "alarm_disarm", state: "disarmed", feature: 0, word: "do.disarm", icon: mdiShieldOff };
const trigger = 8;

// Panels that refuse a code without a word do so by doing nothing. Milliseconds.
const patience = 3000;

// Calm, watching, about to change, or set off.
function moodOf(state: string): string {
  if (state.startsWith("armed")) return "armed";
  return state === "triggered" ? "triggered" : ["arming", "pending", "disarming"].includes(state) ? "changing" : "";
}

// An alarm system: what it is in a colour of its own, and what it can be told, with its code. Who may only look sees no buttons.
@customElement("hearth-alarm-control-panel-card")
export class AlarmControlPanelCard extends Card {
  @property({ reflect: true }) mood = "";

  static override styles = [
    ...Card.styles,
    css`
      :host([mood="armed"]) {
        --mood: var(--good);
      }

      :host([mood="changing"]) {
        --mood: var(--warning);
      }

      :host([mood="triggered"]) {
        --mood: var(--danger);
      }

      :host(:not([mood=""])) .state {
        color: var(--mood);
        font-weight: 650;
      }

      :host(:not([mood=""])) .sign {
        background: var(--mood);
        color: var(--surface);
      }

      :host([mood="triggered"]) .tile {
        border: 3px solid var(--danger);
        background: var(--danger-soft);
      }

      :host([mood="triggered"][detailed]) .tile {
        padding: 0.9rem;
        border-radius: var(--radius);
      }

      :host([mood="triggered"]) .state {
        color: var(--text);
        font-size: 1.3rem;
      }

      :host([mood="triggered"]) .sign {
        animation: call 1s ease-in-out infinite alternate;
      }

      @keyframes call {
        to {
          box-shadow: 0 0 0 0.5rem color-mix(in srgb, var(--danger) 35%, transparent);
        }
      }

      @media (prefers-reduced-motion: reduce) {
        :host([mood="triggered"]) .sign {
          animation: none;
        }
      }

      .modes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 7.5rem), 1fr));
        gap: 0.5rem;
      }

      .modes button {
        min-height: 2.75rem;
        padding: 0.3rem 0.5rem;
        font-size: 0.92rem;
        line-height: 1.2;
        text-align: start;
        justify-content: flex-start;
      }

      .modes .only {
        grid-column: 1 / -1;
        justify-content: center;
      }
    `,
  ];

  override willUpdate(): void {
    this.mood = moodOf(this.home.entity(this.entityId)?.state ?? "");
  }

  private needsCode(entity: Entity, mode: Mode): boolean {
    return textIn(entity, "code_format") !== "" && (mode === disarm || entity.attributes.code_arm_required !== false);
  }

  private async run(entity: Entity, mode: Mode): Promise<void> {
    if (!this.needsCode(entity, mode)) return void (await this.call(mode.service));
    await askCodeUntilTaken({
      heading: this.of(mode),
      action: t(mode.word),
      ofDigits: textIn(entity, "code_format") === "number",
      send: (code) => this.sendWith(mode, code),
    });
  }

  // Resolves to what is wrong with the code.
  private async sendWith(mode: Mode, code: string): Promise<string> {
    try {
      await this.home.call("alarm_control_panel", mode.service, { code }, { entity_id: this.entityId });
    } catch (error) {
      return errorText(error);
    }
    return (await this.follows(mode)) ? "" : t("alarm.ignored", { name: this.name });
  }

  // True if the panel does what it was told.
  private follows({ state }: Mode): Promise<boolean> {
    const onItsWay = state === "disarmed" ? ["disarming"] : ["arming", "pending"];
    const does = () => [state, ...onItsWay].includes(this.home.entity(this.entityId)?.state ?? "");
    return new Promise((resolve) => {
      const end = (does: boolean) => {
        stop();
        clearTimeout(timer);
        resolve(does);
      };
      const stop = this.home.onEntity(this.entityId, () => does() && end(true));
      const timer = setTimeout(() => end(false), patience);
      if (does()) end(true);
    });
  }

  private of({ word }: Pick<Mode, "word">): string {
    return `${t(word)}: ${this.name}`;
  }

  private button(entity: Entity, mode: Mode, look = ""): TemplateResult {
    return html`<button
      type="button"
      class=${look}
      aria-label=${this.of(mode)}
      aria-pressed=${mode === disarm ? nothing : entity.state === mode.state ? "true" : "false"}
      ?disabled=${this.isFixed}
      @click=${() => void this.run(entity, mode)}
    >
      <hearth-icon .path=${mode.icon}></hearth-icon>${t(mode.word)}
    </button>`;
  }

  protected override body(entity: Entity): Content {
    if (this.home.user.is_read_only || this.isGone) return nothing;
    const isCalm = entity.state === "disarmed";
    const offered = isCalm || (this.detailed && this.mood !== "triggered") ? modes.filter(({ feature }) => this.can(entity, feature)) : [];
    const look = this.mood === "triggered" ? "only danger primary" : "only primary";
    return html`
      <div class="modes">${isCalm ? nothing : this.button(entity, disarm, look)} ${offered.map((mode) => this.button(entity, mode))}</div>
      ${this.detailed && this.can(entity, trigger) && entity.state !== "triggered"
        ? html`<div class="buttons">
            <button
              type="button"
              class="danger"
              aria-label=${this.of({ word: "do.trigger" })}
              ?disabled=${this.isFixed}
              @click=${() => void this.call("alarm_trigger")}
            >
              ${t("do.trigger")}
            </button>
          </div>`
        : nothing}
    `;
  }
}
