// SPDX-License-Identifier: Apache-2.0
// The sentences of triggers.
import {
  mdiBell,
  mdiCalendarClock,
  mdiClockOutline,
  mdiCodeBraces,
  mdiDevices,
  mdiGauge,
  mdiHomeClock,
  mdiLightningBolt,
  mdiMapMarker,
  mdiMessageText,
  mdiNfcVariant,
  mdiRepeat,
  mdiStateMachine,
  mdiTransitConnectionVariant,
  mdiWeatherSunset,
  mdiWebhook,
} from "virtual:icons/lazy";

import type { Key } from "../../../i18n/catalogue";
import type { Config } from "./edit";
import type { Piece, SentenceKind, Slot } from "./kinds";
import {
  attributePiece,
  choice,
  duration,
  entity,
  forPiece,
  limitPieces,
  maybe,
  numberPieces,
  options,
  piece,
  say,
  template,
  text,
  texts,
  variablesPiece,
  weekdayPiece,
  yaml,
} from "./slots/slots";

type Name =
  | "state"
  | "numeric_state"
  | "time"
  | "sun"
  | "time_pattern"
  | "zone"
  | "device"
  | "template"
  | "event"
  | "calendar"
  | "tag"
  | "mqtt"
  | "webhook"
  | "homeassistant"
  | "conversation"
  | "persistent_notification";

function trigger(name: Name, icon: string, begin: () => Config, pieces: Piece[], silent: string[] = []): SentenceKind {
  return {
    name,
    section: "triggers",
    icon,
    title: say(`add.trigger.${name}` satisfies Key),
    hint: say(`add.trigger.${name}.hint` satisfies Key),
    begin: () => ({ trigger: name, ...begin() }),
    fits: (config) => config.trigger === name,
    pieces: [...pieces, variablesPiece],
    silent: ["trigger", "skip_unavailable", ...silent],
  };
}

// How long a gap may be that is looked through.
const gap = maybe("sentence.offer.gap", { skip_unavailable: true, gap: { minutes: 5 } }, "sentence.gap", { gap: duration("gap") });

const state = (key: string, more: Partial<Slot> = {}): Slot => ({ key, type: "state", label: say("slot.state"), ...more });
const from = maybe("sentence.offer.from", { from: "" }, "sentence.from", {
  from: state("from", { none: say("sentence.anyState"), many: true }),
});
const zone: Slot = { ...entity(["zone"], false, "zone"), label: say("slot.zone") };
const pattern = (key: "hours" | "minutes" | "seconds") =>
  maybe(`sentence.offer.${key}`, { [key]: "*" }, `sentence.${key}`, {
    [key]: { key, type: "pattern", label: say(`unit.${key}`), max: key === "hours" ? 23 : 59 },
  });
const offset = maybe("sentence.offer.offset", { offset: "-00:30:00" }, "sentence.offset", {
  offset: { key: "offset", type: "offset", label: say("slot.offset") },
});

// Looks through gaps: what a person means by "becomes".
const steady = { skip_unavailable: true };

export const triggerKinds: SentenceKind[] = [
  trigger("state", mdiStateMachine, () => ({ entity_id: [], ...steady }), [
    piece("sentence.trigger.state", {
      entity_id: entity(undefined, true),
      to: state("to", { nothing: say("sentence.anythingAtAll"), none: say("sentence.anotherState"), many: true }),
    }),
    from,
    maybe("sentence.offer.notFrom", { not_from: "" }, "sentence.notFrom", { not_from: state("not_from", { many: true }) }),
    maybe("sentence.offer.notTo", { not_to: "" }, "sentence.notTo", { not_to: state("not_to", { many: true }) }),
    attributePiece,
    forPiece,
    gap,
  ]),
  trigger("numeric_state", mdiGauge, () => ({ entity_id: [], above: null, ...steady }), [
    ...numberPieces("sentence.trigger.numeric_state"),
    attributePiece,
    maybe(
      "sentence.offer.valueTemplate",
      { value_template: "{{ state.state }}" },
      "sentence.valueTemplate",
      { value_template: template("value_template") },
      { line: true },
    ),
    forPiece,
    gap,
  ]),
  trigger("time", mdiClockOutline, () => ({ at: "07:00:00" }), [
    piece("sentence.trigger.time", { at: { key: "at", type: "time", label: say("slot.time"), many: true } }),
    weekdayPiece,
  ]),
  trigger("sun", mdiWeatherSunset, () => ({ event: "sunset" }), [
    piece("sentence.trigger.sun", {
      event: choice("event", "slot.sun", options(["sunset", "sentence.sunset"], ["sunrise", "sentence.sunrise"])),
    }),
    offset,
  ]),
  trigger("time_pattern", mdiRepeat, () => ({ minutes: "/5" }), [
    piece("sentence.trigger.time_pattern", {}),
    pattern("hours"),
    pattern("minutes"),
    pattern("seconds"),
  ]),
  trigger("zone", mdiMapMarker, () => ({ entity_id: [], zone: "zone.home", event: "enter" }), [
    piece("sentence.trigger.zone", {
      entity_id: entity(["person", "device_tracker"], true),
      event: choice("event", "slot.zoneEvent", options(["enter", "sentence.enters"], ["leave", "sentence.leaves"])),
      zone,
    }),
  ]),
  trigger(
    "device",
    mdiDevices,
    () => ({ device_id: "" }),
    [
      piece("sentence.trigger.device", {
        device_id: { key: "device_id", type: "device", label: say("slot.device") },
        event: { key: "type", type: "device_event", label: say("slot.deviceEvent") },
      }),
      ...limitPieces("above"),
      ...limitPieces("below"),
      maybe("sentence.offer.becoming", { to: "" }, "sentence.becoming", { to: state("to", { many: true }) }),
      from,
      { text: () => "{zone}", slots: { zone }, offer: { label: say("slot.zone"), begin: { zone: "zone.home" } } },
      forPiece,
    ],
    ["domain", "subtype", "discovery_id", "entity_id", "metadata"],
  ),
  trigger("calendar", mdiCalendarClock, () => ({ entity_id: "", event: "start" }), [
    piece("sentence.trigger.calendar", {
      entity_id: entity(["calendar"]),
      event: choice("event", "slot.calendarEvent", options(["start", "sentence.starts"], ["end", "sentence.ends"])),
    }),
    offset,
  ]),
  trigger("tag", mdiNfcVariant, () => ({ tag_id: "" }), [piece("sentence.trigger.tag", { tag_id: texts("tag_id", "slot.tag") })]),
  trigger("homeassistant", mdiHomeClock, () => ({ event: "start" }), [
    piece("sentence.trigger.homeassistant", {
      event: choice("event", "slot.hubEvent", options(["start", "sentence.hubStarts"], ["shutdown", "sentence.hubEnds"])),
    }),
  ]),
  trigger("event", mdiLightningBolt, () => ({ event_type: "" }), [
    piece("sentence.trigger.event", { event_type: texts("event_type", "slot.eventType") }),
    maybe(
      "sentence.offer.eventData",
      { event_data: {} },
      "sentence.eventData",
      { event_data: yaml("event_data", "slot.eventData") },
      { line: true },
    ),
  ]),
  trigger("mqtt", mdiTransitConnectionVariant, () => ({ topic: "" }), [
    piece("sentence.trigger.mqtt", { topic: text("topic", "slot.topic") }),
    maybe("sentence.offer.payload", { payload: "" }, "sentence.payload", { payload: text("payload", "slot.payload") }),
    maybe(
      "sentence.offer.valueTemplate",
      { value_template: "{{ value_json }}" },
      "sentence.valueTemplate",
      { value_template: template("value_template") },
      { line: true },
    ),
  ]),
  trigger(
    "webhook",
    mdiWebhook,
    () => ({ webhook_id: crypto.randomUUID?.() ?? String(Date.now()), allowed_methods: ["POST", "PUT"], local_only: true }),
    [
      piece("sentence.trigger.webhook", { webhook_id: text("webhook_id", "slot.webhook") }),
      maybe("sentence.offer.methods", { allowed_methods: ["POST", "PUT"] }, "sentence.methods", {
        allowed_methods: { ...text("allowed_methods", "slot.methods"), many: true },
      }),
      maybe("sentence.offer.localOnly", { local_only: true }, "sentence.localOnly", {
        local_only: choice("local_only", "slot.localOnly", options([true, "sentence.fromHome"], [false, "sentence.fromAnywhere"])),
      }),
    ],
  ),
  trigger("persistent_notification", mdiBell, () => ({ update_type: "added" }), [
    piece("sentence.trigger.persistent_notification", {}),
    maybe("sentence.offer.notificationId", { notification_id: "" }, "sentence.notificationId", {
      notification_id: text("notification_id", "slot.notificationId"),
    }),
    maybe("sentence.offer.updateType", { update_type: "added" }, "sentence.updateType", {
      update_type: choice(
        "update_type",
        "slot.updateType",
        options(["added", "sentence.isAdded"], ["updated", "sentence.isUpdated"], ["removed", "sentence.isRemoved"]),
      ),
    }),
  ]),
  trigger("conversation", mdiMessageText, () => ({ command: "" }), [
    piece("sentence.trigger.conversation", { command: texts("command", "slot.command") }),
  ]),
  trigger("template", mdiCodeBraces, () => ({ value_template: "", ...steady }), [
    piece("sentence.trigger.template", { value_template: template("value_template") }, { line: true }),
    maybe("sentence.offer.for", { for: { minutes: 5 } }, "sentence.staysFor", { for: duration("for") }),
    gap,
  ]),
];
