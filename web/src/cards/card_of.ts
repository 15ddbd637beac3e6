// SPDX-License-Identifier: Apache-2.0
import type { TemplateResult } from "lit";
import { html, literal, type StaticValue } from "lit/static-html.js";

import type { Home } from "../api/home";
import type { Device } from "../api/types";
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
import "./script";
import "./sensor";
import "./switch";
import "./todo";
import "./update";
import "./vacuum";
import "./weather";
import "./zone";

// By domain, those that have one of their own.
const cards: Record<string, StaticValue> = {
  alarm_control_panel: literal`hearth-alarm-control-panel-card`,
  binary_sensor: literal`hearth-binary-sensor-card`,
  climate: literal`hearth-climate-card`,
  cover: literal`hearth-cover-card`,
  fan: literal`hearth-fan-card`,
  light: literal`hearth-light-card`,
  lock: literal`hearth-lock-card`,
  media_player: literal`hearth-media-player-card`,
  script: literal`hearth-script-card`,
  sensor: literal`hearth-sensor-card`,
  switch: literal`hearth-switch-card`,
  vacuum: literal`hearth-vacuum-card`,
  weather: literal`hearth-weather-card`,
};
// These need the domain's Kind, too.
const cardsByKind: Record<string, StaticValue> = {
  calendar: literal`hearth-calendar-card`,
  todo: literal`hearth-todo-card`,
  update: literal`hearth-update-card`,
  zone: literal`hearth-zone-card`,
};

// Where a card stands: in its entity's dialog, in a row, or on the page of a device.
interface Place {
  detailed?: boolean;
  bare?: boolean;
  device?: Device;
}

// The card for an entity, by its domain: one of its own, else what the domain's Kind says; for what has none, the generic one.
export function cardOf(home: Home, id: string, { detailed = false, bare = false, device }: Place = {}): TemplateResult {
  const domain = id.split(".")[0] as string;
  const byKind = home.kinds.has(domain) ? (cardsByKind[domain] ?? literal`hearth-kind-card`) : literal`hearth-generic-card`;
  const tag = cards[domain] ?? byKind;
  // eslint-disable-next-line lit/binding-positions, lit/no-invalid-html -- the html of lit/static-html.js takes names of elements
  return html`<${tag} .home=${home} .entityId=${id} .detailed=${detailed} .bare=${bare} .device=${device}></${tag}>`;
}
