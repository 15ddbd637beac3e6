// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { RestError } from "../errors";
import { answersOf, fieldOf, flowsAfter, type FlowChange, type FlowField, type FoundFlow } from "./flows";

const schema: FlowField[] = [
  { name: "host", type: "string", required: true },
  { name: "port", type: "integer", required: false, default: 80 },
  { name: "kind", type: "select", required: true, options: ["old", "new"] },
  { name: "secure", type: "boolean", required: false, default: true },
  { name: "key", type: "string", required: false, secret: true },
];

test("texts become what each field wants, and empty ones are left out", () => {
  const { fields, problems } = answersOf(schema, { host: " hall ", port: "8080", kind: "old", secure: "", key: " k " });
  expect(fields).toEqual({ host: "hall", port: 8080, kind: "old", secure: false, key: " k " });
  expect(problems).toEqual({});
  expect(answersOf(schema, { host: "a", port: "", kind: "new", secure: "on", key: "" }).fields).toEqual({
    host: "a",
    kind: "new",
    secure: true,
  });
});

test("what lacks and what is no whole number is named", () => {
  const { problems } = answersOf(schema, { host: "  ", port: "1.5", kind: "" });
  expect(problems).toEqual({ host: "missing", port: "number", kind: "missing" });
  for (const port of ["1e3", "0x10", "99999999999999999", "-", "１"]) {
    expect(answersOf(schema, { host: "a", kind: "old", port }).problems, port).toEqual({ port: "number" });
  }
});

test("a required field with a default may be emptied: the hub takes the default", () => {
  expect(answersOf([{ name: "port", type: "integer", required: true, default: 80 }], { port: "" })).toEqual({ fields: {}, problems: {} });
});

test("the hub's refusal of a field is found, and that of another thing is not", () => {
  expect(fieldOf(new RestError(400, "host: expected a text that is not empty"), schema)).toEqual({
    name: "host",
    problem: "expected a text that is not empty",
  });
  expect(fieldOf(new RestError(400, "color: there is no such field"), schema)).toBeUndefined();
  expect(fieldOf(new RestError(409, "host: busy"), schema)).toBeUndefined();
  expect(fieldOf(new Error("host: no"), schema)).toBeUndefined();
});

const found = (flow_id: string): FoundFlow => ({
  flow_id,
  handler: "bridge",
  context: { source: "zeroconf", unique_id: flow_id, title_placeholders: {} },
  step_id: null,
});
const change = (type: FlowChange["type"], flow_id: string): FlowChange => ({ type, flow_id, flow: found(flow_id) });
const ids = (flows: FoundFlow[]) => flows.map(({ flow_id }) => flow_id);

test("what is found comes and goes, and is told anew after the connection was lost", () => {
  let flows = flowsAfter([], [change(null, "a"), change(null, "b")]);
  expect(ids(flows)).toEqual(["a", "b"]);
  flows = flowsAfter(flows, [change("added", "c"), change("removed", "a")]);
  expect(ids(flows)).toEqual(["b", "c"]);
  expect(ids(flowsAfter(flows, [change("added", "b")]))).toEqual(["c", "b"]);
  expect(ids(flowsAfter(flows, [change(null, "d")]))).toEqual(["d"]);
  expect(flowsAfter(flows, [])).toEqual([]);
});
