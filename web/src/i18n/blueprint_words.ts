// SPDX-License-Identifier: Apache-2.0
// The words of the hub's own blueprints in the page's language: languages/blueprints.<tag>.json has them by the English text, so that a copy
// that somebody makes speaks the language, too.
import { language } from "./catalogue";

type Words = Record<string, string>;

// The author of the hub's own.
export const ours = "Hearth";

const files = import.meta.glob<Words>("./languages/blueprints.*.json", { import: "default" });
const spoken = new Set(["name", "description", "label"]);

// Without the file their English has to do.
export async function blueprintWords(): Promise<Words> {
  return (await files[`./languages/blueprints.${language()}.json`]?.().catch(() => undefined)) ?? {};
}

// With the texts for people in other words, wherever they stand.
export function spokenIn<T>(metadata: T, words: Words): T {
  if (Array.isArray(metadata)) return metadata.map((each: unknown) => spokenIn(each, words)) as T;
  if (typeof metadata !== "object" || metadata === null) return metadata;
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]: [string, unknown]) => [
      key,
      spoken.has(key) && typeof value === "string" ? (words[value] ?? value) : spokenIn(value, words),
    ]),
  ) as T;
}
