// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, test } from "vitest";

import type { Device } from "../types";
import { deviceOf, isSilent, othersSince, patience, secondsLeft } from "./bridge";
import { Zigbee2Mqtt } from "./zigbee2mqtt";

const now = 1_800_000_000_000;
const base = "zigbee2mqtt";
let bridges: Zigbee2Mqtt;
const only = () => bridges.all[0]!;
const tell = (part: string, content: unknown, at = now, of = base) =>
  bridges.take(`${of}/bridge/${part}`, typeof content === "string" ? content : JSON.stringify(content), at);
const info = (more: object = {}) => ({
  version: "2.12.1",
  coordinator: { ieee_address: "0x00124b0012345678", type: "zStack3x0" },
  permit_join: false,
  ...more,
});
const event = (type: string, more: object = {}) => ({
  type,
  data: { friendly_name: "Motion", ieee_address: "0x00158d0001a2b3c4", ...more },
});

beforeEach(() => {
  bridges = new Zigbee2Mqtt();
});

describe("a bridge", () => {
  test("is known by what it tells of itself, whatever its topic", () => {
    tell("info", info());
    tell("info", info(), now, "home/upstairs/z2m");
    expect(bridges.all.map(({ base: at }) => at)).toEqual(["home/upstairs/z2m", "zigbee2mqtt"]);
    expect(only()).toMatchObject({ version: "2.12.1", online: true, open: false });
    for (const topic of ["zigbee2mqtt", "a/b", "a/b/c"]) {
      const depth = topic
        .split("/")
        .map(() => "+")
        .join("/");
      expect(bridges.topics).toContain(`${depth}/bridge/info`);
      expect(bridges.topics).toContain(`${depth}/bridge/response/permit_join`);
    }
  });

  test("is online or not, whichever comes first, as text or as JSON", () => {
    tell("state", { state: "offline" });
    tell("info", info({ permit_join: true, permit_join_end: now + 60_000 }));
    expect(only().online).toBe(false);
    tell("state", "online");
    expect(only().online).toBe(true);
    tell("info", info({ permit_join: true, permit_join_end: now + 60_000 }));
    tell("state", "offline");
    expect(only()).toMatchObject({ online: false, open: false });
  });

  test("counts down to the end that it names, and ends by itself", () => {
    tell("info", info({ permit_join: true, permit_join_end: now + 90_000 }));
    expect(secondsLeft(only(), now)).toBe(90);
    expect(secondsLeft(only(), now + 89_500)).toBe(1);
    expect(secondsLeft(only(), now + 100_000)).toBe(0);
    tell("info", info({ permit_join: true, permit_join_timeout: 30 }));
    expect(secondsLeft(only(), now)).toBe(30);
    tell("info", info());
    expect(secondsLeft(only(), now)).toBe(0);
  });

  test("is not believed an end that cannot be", () => {
    for (const end of [now - 5_000, now + 86_400_000, "soon", null]) {
      bridges = new Zigbee2Mqtt();
      tell("info", info({ permit_join: true, permit_join_end: end }));
      expect(secondsLeft(only(), now)).toBe(undefined);
      tell("response/permit_join", { status: "ok", data: { time: 240 } });
      tell("info", info({ permit_join: true, permit_join_end: end }));
      expect(secondsLeft(only(), now)).toBe(240);
    }
  });

  test("is asked, answers, refuses, or stays silent", () => {
    tell("info", info());
    bridges.ask(only(), true, now);
    expect(isSilent(only(), now + patience - 1)).toBe(false);
    expect(isSilent(only(), now + patience)).toBe(true);
    expect(only().since).toBe(undefined);
    tell("info", info()); // of something else
    expect(isSilent(only(), now + patience)).toBe(true);
    tell("response/permit_join", { status: "ok", data: { time: 240 }, transaction: "1" });
    expect(isSilent(only(), now + patience)).toBe(false);
    expect(secondsLeft(only(), now)).toBe(240);
    expect(only().since).toBe(now);
    bridges.ask(only(), false, now);
    tell("info", info()); // some answer so only
    expect(isSilent(only(), now + patience)).toBe(false);
    bridges.ask(only(), true, now);
    tell("response/permit_join", { status: "error", error: "Adapter is busy", data: {} });
    expect(only().refusal).toBe("Adapter is busy");
    bridges.ask(only(), false, now);
    expect(only().refusal).toBe("");
    tell("response/permit_join", { status: "ok", data: { time: 0 } });
    expect(secondsLeft(only(), now)).toBe(0);
  });

  test("tells who joins, what becomes of it, and who leaves", () => {
    tell("info", info());
    tell("event", event("device_leave", { ieee_address: "0x1" })); // it was there before
    tell("event", event("device_joined"));
    expect(only().joined).toMatchObject([{ name: "Motion", state: "joined", model: "" }]);
    tell("event", event("device_interview", { status: "started" }));
    expect(only().joined).toMatchObject([{ state: "interview" }]);
    const definition = { vendor: "Aqara", model: "RTCGQ11LM", description: "Motion sensor" };
    tell("event", event("device_interview", { status: "successful", supported: true, definition }));
    expect(only().joined).toMatchObject([{ state: "ready", model: "Aqara Motion sensor" }]);
    tell("event", event("device_announce"));
    tell("event", event("device_interview", { status: "failed" }));
    expect(only().joined).toMatchObject([{ state: "failed", model: "Aqara Motion sensor" }]);
    tell("event", event("device_interview", { status: "successful", supported: false, definition: null }));
    expect(only().joined).toMatchObject([{ state: "unknownModel" }]);
    tell("event", event("device_leave"));
    expect(only().joined).toMatchObject([{ state: "left" }]);
    bridges.ask(only(), true, now);
    expect(only().joined).toEqual([]);
  });
});

test("what is no such bridge, no JSON, or too much is passed over", () => {
  for (const payload of [
    "",
    "no JSON",
    "[]",
    "null",
    "7",
    '{"permit_join":"yes","version":"1"}',
    '{"permit_join":true}',
    `{"version":"${"9".repeat(1_000_000)}`,
  ]) {
    tell("info", payload);
    tell("state", payload);
    tell("event", payload);
    tell("response/permit_join", payload);
  }
  bridges.take("bridge/info", JSON.stringify(info()), now);
  bridges.take("/bridge/info", JSON.stringify(info()), now);
  expect(bridges.all).toEqual([]);
  tell("info", info({ version: "9".repeat(10_000) }));
  for (const lie of [[], null, 7, { type: "device_joined" }, { type: "device_joined", data: [] }, { type: 7, data: { ieee_address: 7 } }])
    tell("event", lie);
  for (const lie of [null, { status: "ok" }, { status: "ok", data: { time: "never" } }, { status: "ok", data: { time: -1 } }])
    tell("response/permit_join", lie);
  expect(only().joined).toEqual([]);
  expect(only().open).toBe(false);
  expect(only().version).toHaveLength(255);
  tell("response/permit_join", { status: "error" });
  expect(only().refusal).toBe("?");
  for (let at = 0; at < 1_000; at += 1) {
    tell("info", info(), now, `base${at}`);
    tell("event", event("device_joined", { ieee_address: `0x${at}`, friendly_name: "x".repeat(1_000) }));
  }
  expect(bridges.all).toHaveLength(20);
  const joined = bridges.all.find((one) => one.base === base)!.joined;
  expect(joined).toHaveLength(200);
  expect(joined[0]!.name).toHaveLength(255);
});

test("a request is understood by older versions, too", () => {
  tell("info", info());
  const asked = (open: boolean) => {
    const { topic, payload } = bridges.ask(only(), open, now);
    expect(topic).toBe("zigbee2mqtt/bridge/request/permit_join");
    return JSON.parse(payload) as unknown;
  };
  expect(asked(true)).toEqual({ time: 240, value: true });
  expect(asked(false)).toEqual({ time: 0, value: false });
});

test("who has joined is found among the hub's devices, also by pages that were opened later", () => {
  tell("info", info({ permit_join: true, permit_join_end: now + 100_000 }));
  const device = (id: string, identifier: string, created_at = now / 1000, via_device_id: string | null = "mqtt.bridge") =>
    ({ id, identifiers: [["mqtt", identifier]], created_at, via_device_id }) as Device;
  const devices = new Map(
    [
      device("mqtt.bridge", "zigbee2mqtt_bridge_0x00124b0012345678", 0, null),
      device("mqtt.new", "zigbee2mqtt_0x00158D0001A2B3C4"),
      device("mqtt.old", "zigbee2mqtt_0x00158d0001a2b3c5", now / 1000 - 3600),
      device("mqtt.elsewhere", "shelly", now / 1000, null),
    ].map((each) => [each.id, each]),
  );
  expect(othersSince(bridges, only(), devices).map(({ id }) => id)).toEqual(["mqtt.new"]);
  tell("event", event("device_joined"));
  expect(othersSince(bridges, only(), devices)).toEqual([]);
  expect(deviceOf(only().joined[0]!, devices.values())?.id).toBe("mqtt.new");
  expect(deviceOf({ address: "", name: "", state: "joined", model: "" }, devices.values())).toBe(undefined);
});
