// SPDX-License-Identifier: Apache-2.0
// Changes of rows: parts of their sentence come and go, they are copied.
import { isThere } from "./classify";
import { isConfig, pathOf, withAt, type Config } from "./edit";
import type { Piece, Section } from "./kinds";

function merged(config: Config, more: Config): Config {
  const parts = Object.entries(more).map(([key, value]) => [
    key,
    isConfig(value) && isConfig(config[key]) ? { ...config[key], ...value } : value,
  ]);
  return { ...config, ...(Object.fromEntries(parts) as Config) };
}

// With the piece, or without what its slots have.
export function withPiece(config: Config, piece: Piece, wanted: boolean): Config {
  if (!piece.offer || isThere(piece, config) === wanted) return config;
  if (piece.offer.change) return piece.offer.change(config, wanted);
  if (wanted) return merged(config, piece.offer.begin);
  return Object.values(piece.slots).reduce((rest, { key }) => withAt(rest, pathOf(key), undefined) as Config, config);
}

// The copied rows, to be put elsewhere: pages of other automations take them, too.
let kept: { section: Section; config: unknown } | undefined;

export function keep(section: Section, config: unknown): void {
  kept = { section, config };
}

// The copied rows, if they can stand in a list of this section: conditions can stand among steps.
export function keptFor(section: Section): unknown {
  if (!kept) return undefined;
  return kept.section === section || (section === "actions" && kept.section === "conditions") ? structuredClone(kept.config) : undefined;
}
