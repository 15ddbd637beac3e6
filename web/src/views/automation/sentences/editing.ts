// SPDX-License-Identifier: Apache-2.0
// The common state of the parts of the editor.
import type { Home } from "../../../api/home";
import { blocksOf } from "./classify";
import type { Config, Path } from "./edit";
import { at, isPartOf, pathOf, pathText } from "./edit";
import type { Knowledge } from "./home_words";
import type { Section, SentenceKind } from "./kinds";
import type { Move } from "./moving";

// The hub's words about a part of the item: "triggers[0].entity_id", "is missing".
export interface RowProblem {
  path: string;
  message: string;
  // In its own words.
  hub?: string | undefined;
}

// A list of rows as it is drawn.
export interface DrawnRows extends HTMLElement {
  path: Path;
  section: Section;
  label: string;
  focusAt: (index: number, what: "focusHandle" | "focusFirst") => Promise<void>;
  // Where a row would land that is let go at that height: before the row of this index. Drawn as a line.
  // Draws the row if it is not yet.
  ensure: (index: number) => void;
  showDrop: (y: number) => number;
  hideDrop: () => void;
}

export interface Editing extends Knowledge {
  home: Home;
  item: Config;
  // Nobody may change it here.
  fixed: boolean;
  problems: RowProblem[];
  // Puts another value there, or removes it (`undefined`).
  change: (path: Path, value: unknown) => void;
  // Another one if rows may look otherwise though they are the same.
  version: number;
  // Puts a row into a list, also another one, and the cursor on its handle.
  move: (move: Move) => void;
  // All lists that are drawn.
  lists: Set<DrawnRows>;
  // Says something to those who do not see the page.
  announce: (text: string) => void;
}

// The error of a row itself, and not of one of the rows in it.
export function problemsOf(
  problems: RowProblem[],
  path: Path,
  kind: SentenceKind | undefined,
  config: Config,
): (RowProblem & { within: string })[] {
  const own = pathText(path);
  const inner = kind ? blocksOf(kind, config).flatMap(({ key }) => rowsIn(own, key, config)) : [];
  return problems
    .filter((problem) => isPartOf(problem.path, own) && !inner.some((row) => isPartOf(problem.path, row)))
    .map((problem) => ({ ...problem, within: problem.path.slice(own.length).replace(/^\./, "") }));
}

function rowsIn(own: string, key: string, config: Config): string[] {
  const rows = at(config, pathOf(key));
  const list = `${own}.${pathText(pathOf(key))}`;
  return Array.isArray(rows) ? rows.map((_, index) => `${list}[${index}]`) : [];
}

// The error of a list and not of a row of it.
export function problemsOfList(problems: RowProblem[], path: Path, count: number): RowProblem[] {
  const own = pathText(path);
  return problems.filter(
    ({ path: where }) => isPartOf(where, own) && !Array.from({ length: count }).some((_, index) => isPartOf(where, `${own}[${index}]`)),
  );
}
