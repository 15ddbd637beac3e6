// SPDX-License-Identifier: Apache-2.0
// What can be undone: the item as it was before each change.

export class History<Of> {
  private readonly before: Of[] = [];
  private after: Of[] = [];
  // What changed last, and when: what people type goes back as a whole.
  private last: { what: string; at: number } | undefined;

  constructor(
    private readonly most = 200,
    // Milliseconds between changes of the same part that are one.
    private readonly pause = 1500,
  ) {}

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  get canRedo(): boolean {
    return this.after.length > 0;
  }

  // To be called with what is about to change.
  note(now: Of, what: string, at = Date.now()): void {
    const isSame = this.last?.what === what && what !== "" && at - this.last.at < this.pause;
    this.last = { what, at };
    this.after = [];
    if (isSame) return;
    this.before.push(now);
    if (this.before.length > this.most) this.before.shift();
  }

  undo(now: Of): Of | undefined {
    return this.step(this.before, this.after, now);
  }

  redo(now: Of): Of | undefined {
    return this.step(this.after, this.before, now);
  }

  private step(from: Of[], to: Of[], now: Of): Of | undefined {
    const found = from.pop();
    if (found === undefined) return undefined;
    to.push(now);
    this.last = undefined;
    return found;
  }
}
