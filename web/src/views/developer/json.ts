// SPDX-License-Identifier: Apache-2.0
// JSON.parse with errors that say where, in the user's language: browsers do not agree on what their messages name.
import { TextError, errorAt, type Reason } from "./text_error";

class Found {
  constructor(
    readonly offset: number,
    readonly reason: Reason,
  ) {}
}

const space = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const bareWord = /[\w.+-]+/y;

// Walks through a text as RFC 8259 has it, and throws Found at the first place that is not.
class Walk {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    this.skip();
    this.value();
    if (this.at < this.text.length) throw new Found(this.at, "developer.json.trailing");
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private skip(): void {
    this.match(space);
  }

  private value(): void {
    const start = this.at;
    const character = this.text[this.at];
    if (character === "{") this.members();
    else if (character === "[") this.elements();
    else if (character === '"') this.string();
    else if (character === "'") throw new Found(start, "developer.json.singleQuote");
    else if (!this.match(word) && !this.match(number)) throw new Found(start, "developer.json.value");
    else if (this.match(bareWord)) throw new Found(start, "developer.json.value");
    this.skip();
  }

  private members(): void {
    this.at += 1;
    this.skip();
    if (this.take("}")) return;
    for (;;) {
      if (this.text[this.at] !== '"') throw new Found(this.at, "developer.json.name");
      this.string();
      this.skip();
      if (!this.take(":")) throw new Found(this.at, "developer.json.colon");
      this.skip();
      this.value();
      if (this.take("}")) return;
      if (!this.take(",")) throw new Found(this.at, "developer.json.objectEnd");
      this.skip();
    }
  }

  private elements(): void {
    this.at += 1;
    this.skip();
    if (this.take("]")) return;
    for (;;) {
      this.value();
      if (this.take("]")) return;
      if (!this.take(",")) throw new Found(this.at, "developer.json.arrayEnd");
      this.skip();
    }
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private string(): void {
    const start = this.at;
    for (this.at += 1; ; this.at += 1) {
      const character = this.text[this.at];
      if (character === undefined || character < " ") throw new Found(start, "developer.json.unclosed");
      if (character === '"') break;
      if (character !== "\\") continue;
      const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
      const found = this.match(escape);
      if (!found) throw new Found(this.at, "developer.json.escape");
      this.at -= 1;
    }
    this.at += 1;
  }
}

// Throws TextError.
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      new Walk(text).document();
    } catch (found) {
      if (found instanceof Found) throw errorAt(text, found.offset, found.reason);
    }
    throw new TextError(1, 1, error instanceof Error ? error.message : String(error));
  }
}

// An empty text is an empty object. Throws TextError where it is something else than an object.
export function parseJsonObject(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw errorAt(text, 0, "developer.json.notObject");
  return value as Record<string, unknown>;
}
