// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from "vitest";

import type { Device } from "../types";
import { deviceOf, isSilent, othersSince, patience, secondsLeft, type Message } from "./bridge";
import { answer, ZwaveJsUi } from "./zwave_js_ui";

const now = 1_800_000_000_000;
const base = "zwave/_CLIENTS/ZWAVE_GATEWAY-home";
let bridges: ZwaveJsUi;
const only = () => bridges.all[0]!;
const take = (topic: string, content: unknown) => bridges.take(topic, typeof content === "string" ? content : JSON.stringify(content), now);
const tell = (part: string, content: unknown) => take(`${base}/${part}`, content);
const event = (name: string, ...data: unknown[]) => take(`zwave/_EVENTS/ZWAVE_GATEWAY-home/${name}`, { data });
const info = (inclusionState: number) => ({ success: true, result: { name: "0xd6a6a3f7", inclusionState } });
const read = ({ topic, payload }: Message) => [topic, JSON.parse(payload)] as const;

beforeEach(() => {
  bridges = new ZwaveJsUi();
  tell("status", { value: true, time: now });
});

test("a gateway is known by its status, whatever its prefix, and has topics of its own", () => {
  expect(bridges.topics).toContain("+/+/_CLIENTS/+/status");
  expect(bridges.topics).toContain(`${base}/version`);
  expect(bridges.topics).toContain("zwave/_EVENTS/ZWAVE_GATEWAY-home/controller/+");
  tell("version", { value: "11.3.0" });
  expect(only()).toMatchObject({ base, version: "11.3.0", online: true, open: false });
  take("a/b/_CLIENTS/ZWAVE_GATEWAY-x/status", { value: false });
  expect(bridges.all.map(({ online }) => online)).toEqual([false, true]);
  tell("status", { value: false });
  expect(bridges.inquiries()).toEqual([]);
});

test("it is asked for its controller once, and how it does while it is open", () => {
  expect(bridges.inquiries().map(read)).toEqual([[`${base}/api/getInfo/set`, { args: [] }]]);
  tell("api/getInfo", info(0));
  expect(only().address).toBe("0xd6a6a3f7");
  expect(bridges.inquiries()).toEqual([]);
  tell("api/getInfo", info(1)); // opened on its own page
  expect(only()).toMatchObject({ open: true, since: now, tellsEvents: false });
  expect(bridges.inquiries()).toHaveLength(1);
  tell("api/getInfo", info(0));
  expect(secondsLeft(only(), now)).toBe(0);
});

test("it opens, refuses, is busy, or stays silent", () => {
  expect(read(bridges.ask(only(), true, now))).toEqual([`${base}/api/startInclusion/set`, { args: [0, { forceSecurity: false }] }]);
  expect(isSilent(only(), now + patience)).toBe(true);
  tell("api/getInfo", info(0)); // of before it was asked
  expect(isSilent(only(), now + patience)).toBe(true);
  tell("api/startInclusion", { success: true, result: true });
  expect(isSilent(only(), now + patience)).toBe(false);
  expect(secondsLeft(only(), now)).toBe(undefined);
  expect(read(bridges.ask(only(), false, now))).toEqual([`${base}/api/stopInclusion/set`, { args: [] }]);
  event("controller/inclusion_stopped");
  expect(only()).toMatchObject({ open: false, asked: undefined });
  bridges.ask(only(), true, now);
  tell("api/startInclusion", { success: true, result: false });
  expect(only()).toMatchObject({ open: false, isBusy: true, asked: undefined });
  bridges.ask(only(), true, now);
  expect(only().isBusy).toBe(false);
  tell("api/startInclusion", { success: false, message: "Z-Wave client not connected" });
  expect(only()).toMatchObject({ open: false, refusal: "Z-Wave client not connected" });
  event("controller/inclusion_started", true);
  expect(only()).toMatchObject({ open: true, refusal: "", tellsEvents: true });
  event("controller/inclusion_failed");
  expect(only()).toMatchObject({ open: false, refusal: "inclusion failed" });
});

test("it asks for classes and digits after inclusion has stopped, and is answered", () => {
  event("controller/inclusion_started", true);
  event("controller/node_found", { id: 12 });
  event("controller/inclusion_stopped");
  event("controller/grant_security_classes", { securityClasses: [2, 1, "x", null], clientSideAuth: true });
  expect(only().question).toEqual({ about: "classes", classes: [2, 1], clientSideAuth: true });
  expect(read(answer(only(), [2]))).toEqual([
    `${base}/api/grantSecurityClasses/set`,
    { args: [{ securityClasses: [2], clientSideAuth: true }] },
  ]);
  expect(only().question).toBe(undefined);
  event("controller/validate_dsk", "-11111-22222");
  expect(only().question).toEqual({ about: "pin", rest: "-11111-22222" });
  expect(read(answer(only(), "01234"))).toEqual([`${base}/api/validateDSK/set`, { args: ["01234"] }]);
  event("controller/validate_dsk", "-11111-22222");
  expect(read(answer(only()))).toEqual([`${base}/api/abortInclusion/set`, { args: [] }]);
  for (const over of ["inclusion_aborted", "inclusion_failed", "node_added"]) {
    event("controller/validate_dsk", "-11111");
    event(`controller/${over}`, { id: 12 });
    expect(only().question).toBe(undefined);
  }
});

test("it tells who joins and what becomes of it; nodes of before are none", () => {
  tell("api/getInfo", info(0));
  event("controller/inclusion_started", true);
  event("node/node_interview_completed", { id: 3, name: "Old" });
  event("controller/node_removed", { id: 3 });
  event("controller/node_found", { id: 12 });
  expect(only().joined).toMatchObject([{ address: "0xd6a6a3f7_node12", name: "Node 12", state: "joined" }]);
  event("controller/node_added", { id: 12, isSecure: false });
  expect(only().joined).toMatchObject([{ state: "interview", isUnencrypted: false }]);
  event("node/node_interview_completed", { id: 12, manufacturer: "Aeotec", productLabel: "ZWA024", isSecure: false });
  expect(only().joined).toMatchObject([{ state: "ready", model: "Aeotec ZWA024", isUnencrypted: true }]);
  event("node/node_interview_failed", { id: 12 });
  expect(only().joined).toMatchObject([{ state: "failed", model: "Aeotec ZWA024" }]);
  event("controller/node_removed", { id: 12 });
  expect(only().joined).toMatchObject([{ state: "left" }]);
});

test("who has joined is found among the hub's devices, also without its events", () => {
  tell("api/getInfo", info(1));
  const device = (id: string, identifier: string, created_at = now / 1000) =>
    ({ id, identifiers: [["mqtt", identifier]], created_at, via_device_id: null }) as unknown as Device;
  const devices = new Map(
    [
      device("new", "zwavejs2mqtt_0xd6a6a3f7_node12"),
      device("old", "zwavejs2mqtt_0xd6a6a3f7_node3", now / 1000 - 60),
      device("other", "zwavejs2mqtt_0x11111111_node12"),
      device("else", "shelly"),
    ].map((each) => [each.id, each]),
  );
  expect(othersSince(bridges, only(), devices).map(({ id }) => id)).toEqual(["new"]);
  event("controller/node_found", { id: 12 });
  expect(othersSince(bridges, only(), devices)).toEqual([]);
  expect(deviceOf(only().joined[0]!, devices.values())?.id).toBe("new");
});

test("what is no such gateway, no JSON, or too much is passed over", () => {
  const lies = [
    "",
    "no JSON",
    "[]",
    "null",
    "7",
    '{"value":"yes"}',
    '{"data":7}',
    '{"data":[null]}',
    '{"data":[{"id":"x"}]}',
    '{"result":[]}',
  ];
  const before = JSON.stringify(only());
  const told = { ...only(), tellsEvents: true };
  for (const lie of lies) {
    take("zwave/_CLIENTS/other/status", lie);
    take("zwave/_CLIENTS/ZWAVE_GATEWAY-new/status", lie);
    tell("version", lie);
    for (const name of ["startInclusion", "stopInclusion", "getInfo", "getNodes"]) tell(`api/${name}`, lie);
  }
  expect(JSON.stringify(only())).toBe(before);
  for (const lie of lies) {
    for (const name of ["controller/grant_security_classes", "controller/validate_dsk", "controller/node_found", "node/node_ready", "x/y"])
      take(`zwave/_EVENTS/ZWAVE_GATEWAY-home/${name}`, lie);
    take("zwave/_EVENTS/ZWAVE_GATEWAY-unknown/controller/node_found", lie);
  }
  expect(only()).toEqual(told);
  for (let at = 0; at < 1_000; at += 1) {
    take(`p${at}/_CLIENTS/ZWAVE_GATEWAY-x/status`, { value: true });
    event("controller/node_found", { id: at });
  }
  event("controller/grant_security_classes", { securityClasses: Array.from({ length: 1_000 }, (_, at) => at) });
  expect(bridges.all).toHaveLength(20);
  const { joined, question } = bridges.all.find((one) => one.base === base)!;
  expect(joined).toHaveLength(200);
  expect(question).toMatchObject({ classes: { length: 8 } });
});
