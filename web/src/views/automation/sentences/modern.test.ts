// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { modernItem } from "./modern";

test("old keys and single items become those of today, in their order", () => {
  const old = {
    alias: "Old",
    trigger: { platform: "state", entity_id: "light.a" },
    condition: "{{ true }}",
    action: [
      { service: "light.turn_on", entity_id: "light.a", data_template: { brightness: "{{ 5 }}" } },
      {
        choose: { conditions: { or: ["{{ a }}", { condition: "state", entity_id: "light.a", state: "on" }] }, sequence: { delay: 1 } },
        default: { stop: "x" },
      },
      { repeat: { while: "{{ b }}", sequence: { service: "light.toggle" } } },
      { wait_for_trigger: { platform: "sun", event: "sunset" } },
      "{{ c }}",
    ],
    mode: "single",
  };
  const item = modernItem(old);
  expect(Object.keys(item)).toEqual(["alias", "triggers", "conditions", "actions", "mode"]);
  expect(item).toEqual({
    alias: "Old",
    triggers: [{ trigger: "state", entity_id: "light.a" }],
    conditions: [{ condition: "template", value_template: "{{ true }}" }],
    actions: [
      { action: "light.turn_on", target: { entity_id: "light.a" }, data: { brightness: "{{ 5 }}" } },
      {
        choose: [
          {
            conditions: [
              {
                condition: "or",
                conditions: [
                  { condition: "template", value_template: "{{ a }}" },
                  { condition: "state", entity_id: "light.a", state: "on" },
                ],
              },
            ],
            sequence: [{ delay: 1 }],
          },
        ],
        default: [{ stop: "x" }],
      },
      { repeat: { while: [{ condition: "template", value_template: "{{ b }}" }], sequence: [{ action: "light.toggle" }] } },
      { wait_for_trigger: [{ trigger: "sun", event: "sunset" }] },
      { condition: "template", value_template: "{{ c }}" },
    ],
    mode: "single",
  });
  expect(modernItem(item)).toEqual(item);
});

test("a group of conditions holds a list, within others, too", () => {
  const conditions = [{ condition: "not", conditions: { condition: "and", conditions: "{{ a }}" } }];
  expect(modernItem({ conditions })).toEqual({
    conditions: [
      { condition: "not", conditions: [{ condition: "and", conditions: [{ condition: "template", value_template: "{{ a }}" }] }] },
    ],
  });
});

test("what nobody can join stays as it is", () => {
  const steps = [
    { service: "light.turn_on", entity_id: "light.a", target: { entity_id: "light.b" } },
    { service: "light.turn_on", entity_id: "light.a", target: "{{ x }}" },
    { action: "a.b", data_template: "{{ x }}" },
  ];
  const { actions } = modernItem({ actions: steps });
  expect(actions).toEqual([
    { action: "light.turn_on", entity_id: "light.a", target: { entity_id: "light.b" } },
    { action: "light.turn_on", entity_id: "light.a", target: "{{ x }}" },
    steps[2],
  ]);
});

test("keys that nobody knows stay", () => {
  const item = { trigger: [{ platform: "state", odd: 1 }], odd: { a: [1] }, action: [{ service: "a.b", odd: true }] };
  expect(modernItem(item)).toEqual({ triggers: [{ trigger: "state", odd: 1 }], odd: { a: [1] }, actions: [{ action: "a.b", odd: true }] });
});

test("a list of triggers within the list is part of it", () => {
  expect(modernItem({ triggers: [{ triggers: [{ platform: "sun" }, { trigger: "time" }] }, { trigger: "tag" }] })).toEqual({
    triggers: [{ trigger: "sun" }, { trigger: "time" }, { trigger: "tag" }],
  });
});

test("a bare list among parallel steps is a sequence", () => {
  const { actions } = modernItem({ actions: [{ parallel: [[{ service: "light.toggle" }, { delay: 1 }], { event: "x" }] }] });
  expect(actions).toEqual([{ parallel: [{ sequence: [{ action: "light.toggle" }, { delay: 1 }] }, { event: "x" }] }]);
});
