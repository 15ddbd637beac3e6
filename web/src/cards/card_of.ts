// SPDX-License-Identifier: Apache-2.0
import { html, type TemplateResult } from "lit";

import type { Home } from "../api/home";
import "./alarm_control_panel";
import "./binary_sensor";
import "./calendar";
import "./climate";
import "./cover";
import "./fan";
import "./generic";
import "./kind";
import "./light";
import "./lock";
import "./media_player";
import "./sensor";
import "./switch";
import "./todo";
import "./update";
import "./vacuum";
import "./weather";

// The card for an entity, by its domain: one of its own, else what the domain's Kind says; for what has none, the generic one.
export function cardOf(home: Home, id: string, detailed = false): TemplateResult {
  const domain = id.split(".")[0] as string;
  const kind = home.kinds.has(domain);
  switch (domain) {
    case "alarm_control_panel":
      return html`<hearth-alarm-control-panel-card
        .home=${home}
        .entityId=${id}
        .detailed=${detailed}
      ></hearth-alarm-control-panel-card>`;
    case "binary_sensor":
      return html`<hearth-binary-sensor-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-binary-sensor-card>`;
    case "calendar":
      if (!kind) break;
      return html`<hearth-calendar-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-calendar-card>`;
    case "climate":
      return html`<hearth-climate-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-climate-card>`;
    case "cover":
      return html`<hearth-cover-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-cover-card>`;
    case "fan":
      return html`<hearth-fan-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-fan-card>`;
    case "light":
      return html`<hearth-light-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-light-card>`;
    case "lock":
      return html`<hearth-lock-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-lock-card>`;
    case "media_player":
      return html`<hearth-media-player-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-media-player-card>`;
    case "sensor":
      return html`<hearth-sensor-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-sensor-card>`;
    case "switch":
      return html`<hearth-switch-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-switch-card>`;
    case "todo":
      if (!kind) break;
      return html`<hearth-todo-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-todo-card>`;
    case "update":
      if (!kind) break;
      return html`<hearth-update-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-update-card>`;
    case "vacuum":
      return html`<hearth-vacuum-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-vacuum-card>`;
    case "weather":
      return html`<hearth-weather-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-weather-card>`;
  }
  if (kind) return html`<hearth-kind-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-kind-card>`;
  return html`<hearth-generic-card .home=${home} .entityId=${id} .detailed=${detailed}></hearth-generic-card>`;
}
