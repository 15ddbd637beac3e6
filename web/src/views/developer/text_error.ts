// SPDX-License-Identifier: Apache-2.0
import { t, type Key } from "../../i18n/catalogue";

// The error of a text that somebody wrote, and its place: lines and columns count from 1.
export class TextError extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
    reason: string,
  ) {
    super(t("developer.textError", { line: String(line), column: String(column), reason }));
  }
}

export type Reason = Extract<Key, `developer.json.${string}`>;

export function errorAt(text: string, offset: number, reason: Reason): TextError {
  const before = text.slice(0, offset).split("\n");
  return new TextError(before.length, (before.at(-1) ?? "").length + 1, t(reason));
}
