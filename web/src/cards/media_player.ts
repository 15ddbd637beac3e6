// SPDX-License-Identifier: Apache-2.0
import {
  mdiMusicNote,
  mdiPause,
  mdiPlay,
  mdiShuffleVariant,
  mdiSkipNext,
  mdiSkipPrevious,
  mdiStop,
  mdiVolumeHigh,
  mdiVolumeMinus,
  mdiVolumeOff,
  mdiVolumePlus,
} from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, maybeT, t, type Key } from "../i18n/catalogue";
import { act } from "./act";
import { numberIn, textIn, textsIn } from "./attributes";
import { Card, type Content } from "./card";
import { isActive } from "./domains";
import { withUnit } from "./state_text";
import "../elements/fields/choice";
import "../elements/icon";
import "../elements/picture";
import "../elements/fields/slider";
import "../elements/fields/switch";
import "./media_position";

const pause = 1;
const seek = 2;
const setVolume = 4;
const mute = 8;
const previous = 16;
const next = 32;
const turnOn = 128;
const turnOff = 256;
const stepVolume = 1024;
const selectSource = 2048;
const stop = 4096;
const clearPlaylist = 8192;
const play = 16384;
const shuffle = 32768;
const selectSound = 65536;
const repeat = 262144;
const grouping = 524288;

const runs = new Set(["playing", "buffering"]);
const asleep = new Set(["off", "standby"]);
const repeats = ["off", "all", "one"];

// The title that plays, and its position; the buttons of a player, its volume and its sources. People who may only look see what plays.
@customElement("hearth-media-player-card")
export class MediaPlayerCard extends Card {
  static override styles = [
    ...Card.styles,
    css`
      .playing {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        align-items: center;
        gap: 0.8rem;
        margin-top: 0.35rem;
      }

      hearth-picture {
        width: 4.5rem;
        aspect-ratio: 1;
      }

      :host([detailed]) hearth-picture {
        width: min(9rem, 40vw);
      }

      hearth-picture hearth-icon {
        width: 2rem;
        height: 2rem;
      }

      .title,
      .artist {
        display: -webkit-box;
        overflow: hidden;
        overflow-wrap: anywhere;
        line-height: 1.3;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }

      .title {
        font-weight: 600;
      }

      .artist {
        color: var(--text-2);
        font-size: 0.92rem;
      }

      .controls {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.4rem 0.7rem;
      }

      .transport {
        display: flex;
        flex: 1 0 auto;
        align-items: center;
        justify-content: center;
        gap: 0.5rem;
      }

      :host([detailed]) .controls {
        flex-direction: column;
        align-items: stretch;
      }

      :host([detailed]) .transport {
        gap: 1rem;
      }

      :host([detailed]) .transport .main {
        width: 3.4rem;
        min-height: 3.4rem;
      }

      .volume {
        display: grid;
        flex: 1000 1 6.2rem;
        grid-template-columns: auto minmax(0, 1fr);
        align-items: center;
        gap: 0.5rem;
        color: var(--text-2);
      }

      .volume > hearth-icon {
        margin: 0.6rem;
      }
    `,
  ];

  protected override isActive(entity: Entity): boolean {
    return isActive(entity);
  }

  private get mayUse(): boolean {
    return !this.home.user.is_read_only;
  }

  private of(word: string): string {
    return `${word}: ${this.name}`;
  }

  private button(word: Key, icon: string, service: string, look = "round"): TemplateResult {
    return html`<button
      type="button"
      class=${look}
      aria-label=${this.of(t(word))}
      ?disabled=${this.isFixed}
      @click=${() => void this.call(service)}
    >
      <hearth-icon .path=${icon}></hearth-icon>
    </button>`;
  }

  protected override control(entity: Entity): Content {
    if (!this.mayUse || !this.can(entity, turnOn) || !this.can(entity, turnOff)) return nothing;
    return html`<hearth-switch
      .label=${this.name}
      .checked=${!asleep.has(entity.state) && !this.isMissing(entity)}
      .disabled=${this.isFixed}
      @toggle=${(event: CustomEvent<boolean>) => void this.call(event.detail ? "turn_on" : "turn_off", {}, event.target)}
    ></hearth-switch>`;
  }

  protected override body(entity: Entity): Content {
    const sleeps = asleep.has(entity.state) && this.can(entity, turnOn);
    if (this.isGone || sleeps) return nothing;
    return html`
      ${this.playing(entity)}
      <hearth-media-position
        .entity=${entity}
        .label=${t("kind.fieldOf", { field: t("field.position"), name: this.name })}
        .seekable=${this.mayUse && this.can(entity, seek)}
        @seek=${(event: CustomEvent<number>) => void this.call("media_seek", { seek_position: event.detail }, event.target)}
      ></hearth-media-position>
      ${this.mayUse ? this.controls(entity) : nothing}
    `;
  }

  // The title, and whose it is: of a series its episode, of a radio its programme.
  private playing(entity: Entity): Content {
    const one = (...names: string[]) => names.map((name) => textIn(entity, name)).find(Boolean) ?? "";
    const title = textIn(entity, "media_title");
    const numbered = (letter: string, name: string) => (one(name) ? letter + one(name) : "");
    const episode = [numbered("S", "media_season"), numbered("E", "media_episode")].filter(Boolean).join(" ");
    const beside = one("media_series_title")
      ? [one("media_series_title"), episode]
      : [one("media_artist", "media_album_artist", "media_channel", "app_name"), one("media_album_name", "media_playlist")];
    const artist = beside.filter((text) => text && text !== title).join(" · ");
    const picture = textIn(entity, "entity_picture");
    if (!title && !artist && !picture) return nothing;
    return html`<div class="playing">
      <hearth-picture .src=${picture}><hearth-icon .path=${mdiMusicNote}></hearth-icon></hearth-picture>
      <div>
        <div class="title">${title}</div>
        <div class="artist">${artist}</div>
      </div>
    </div>`;
  }

  private controls(entity: Entity): TemplateResult {
    const can = (feature: number) => this.can(entity, feature);
    const main = runs.has(entity.state)
      ? can(pause)
        ? this.button("do.pause", mdiPause, "media_pause", "round main primary")
        : can(stop)
          ? this.button("do.stop", mdiStop, "media_stop", "round main primary")
          : nothing
      : can(play)
        ? this.button("do.play", mdiPlay, "media_play", "round main primary")
        : nothing;
    const stops = this.detailed && can(stop) && (can(pause) || !runs.has(entity.state));
    const transport = can(previous | next | play | pause | stop)
      ? html`<div class="transport">
          ${can(previous) ? this.button("do.previous", mdiSkipPrevious, "media_previous_track") : nothing} ${main}
          ${can(next) ? this.button("do.next", mdiSkipNext, "media_next_track") : nothing}
          ${stops ? this.button("do.stop", mdiStop, "media_stop") : nothing}
        </div>`
      : nothing;
    return html`
      <div class="controls">${transport} ${can(setVolume | mute | stepVolume) ? this.volume(entity) : nothing}</div>
      ${this.detailed && can(selectSource)
        ? this.choice(entity, "source", textsIn(entity, "source_list"), "select_source", "field.source")
        : nothing}
      ${this.detailed ? this.rest(entity) : nothing}
    `;
  }

  private volume(entity: Entity): TemplateResult {
    const isMuted = entity.attributes.is_volume_muted === true;
    const icon = isMuted ? mdiVolumeOff : mdiVolumeHigh;
    const percent = (value: number) => withUnit(formatNumber(value * 100, { maximumFractionDigits: 0 }), "%");
    return html`<div class="volume">
      ${this.can(entity, mute)
        ? html`<button
            type="button"
            class="round"
            aria-label=${this.of(t("field.muted"))}
            aria-pressed=${isMuted ? "true" : "false"}
            ?disabled=${this.isFixed}
            @click=${() => void this.call("volume_mute", { is_volume_muted: !isMuted })}
          >
            <hearth-icon .path=${icon}></hearth-icon>
          </button>`
        : html`<hearth-icon .path=${icon}></hearth-icon>`}
      ${this.can(entity, setVolume)
        ? html`<hearth-slider
            .label=${t("kind.fieldOf", { field: t("field.volume"), name: this.name })}
            .max=${1}
            .step=${0.01}
            .value=${numberIn(entity, "volume_level") ?? 0}
            .text=${percent}
            .disabled=${this.isFixed}
            @change-value=${(event: CustomEvent<number>) => void this.call("volume_set", { volume_level: event.detail }, event.target)}
          ></hearth-slider>`
        : this.can(entity, stepVolume)
          ? html`<div class="buttons">
              ${this.button("do.quieter", mdiVolumeMinus, "volume_down", "")} ${this.button("do.louder", mdiVolumePlus, "volume_up", "")}
            </div>`
          : nothing}
    </div>`;
  }

  private choice(entity: Entity, attribute: string, options: string[], service: string, caption: Key): Content {
    if (options.length === 0) return nothing;
    return html`<hearth-choice
      .caption=${t(caption)}
      .label=${t("kind.fieldOf", { field: t(caption), name: this.name })}
      .value=${textIn(entity, attribute)}
      .options=${options.map((value) => ({ value, text: attribute === "repeat" ? repeatWord(value) : value }))}
      .disabled=${this.isFixed}
      @choose=${(event: CustomEvent<string>) => void this.call(service, { [attribute]: event.detail }, event.target)}
    ></hearth-choice>`;
  }

  private group(id: string, joins: boolean): Promise<boolean> {
    if (joins) return this.call("join", { group_members: [id] });
    return act(this.home, [{ domain: "media_player", service: "unjoin", ids: id }]);
  }

  private rest(entity: Entity): TemplateResult {
    const shuffles = entity.attributes.shuffle === true;
    return html`
      ${this.can(entity, selectSound)
        ? this.choice(entity, "sound_mode", textsIn(entity, "sound_mode_list"), "select_sound_mode", "field.soundMode")
        : nothing}
      ${this.can(entity, grouping)
        ? html`<hearth-media-group
            .home=${this.home}
            .entity=${entity}
            .disabled=${this.isFixed}
            @group=${({ detail }: CustomEvent<{ id: string; joins: boolean }>) => void this.group(detail.id, detail.joins)}
          ></hearth-media-group>`
        : nothing}
      ${this.can(entity, repeat) ? this.choice(entity, "repeat", repeats, "repeat_set", "field.repeat") : nothing}
      ${this.can(entity, shuffle | clearPlaylist)
        ? html`<div class="buttons">
            ${this.can(entity, shuffle)
              ? html`<button
                  type="button"
                  aria-label=${this.of(t("field.shuffle"))}
                  aria-pressed=${shuffles ? "true" : "false"}
                  ?disabled=${this.isFixed}
                  @click=${() => void this.call("shuffle_set", { shuffle: !shuffles })}
                >
                  <hearth-icon .path=${mdiShuffleVariant}></hearth-icon>${t("field.shuffle")}
                </button>`
              : nothing}
            ${this.can(entity, clearPlaylist)
              ? html`<button
                  type="button"
                  aria-label=${this.of(t("do.clearPlaylist"))}
                  ?disabled=${this.isFixed}
                  @click=${() => void this.call("clear_playlist")}
                >
                  ${t("do.clearPlaylist")}
                </button>`
              : nothing}
          </div>`
        : nothing}
    `;
  }
}

function repeatWord(value: string): string {
  return maybeT(`state.repeat.${value}`) ?? maybeT(`state.${value}`) ?? value;
}
