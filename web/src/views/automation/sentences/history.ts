// SPDX-License-Identifier: Apache-2.0
// Changes that can be undone: the item as it was before each.

export class History<Of> {
  private readonly before: Of[] = [];
  private after: Of[] = [];
  // The last change, and its time: a text that people type goes back as a whole.
  private last: { what: string; at: number } | undefined;
  // The part that the editor showed last, which may be gone meanwhile.
  private shown: { now: Of; text: string } | undefined;

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

  // To be called with what is shown, and its text. What was changed elsewhere since then can be undone, too.
  show(now: Of, text: string): void {
    if (this.shown && this.shown.text !== text) this.note(this.shown.now, "");
    this.shown = { now, text };
  }

  // After an own change, which `note` has noted.
  written(now: Of, text: string): void {
    this.shown = { now, text };
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
