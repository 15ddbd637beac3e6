// SPDX-License-Identifier: Apache-2.0

// Reads the same thing of the hub again and again, one question at a time, so that no answer overtakes a newer one.
export class Reading {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly read: () => Promise<void>) {}

  // Resolves when it has been read after this call, and rejects if that failed. Calls that wait share one question.
  again(): Promise<void> {
    if (!this.running) return (this.running = this.read().finally(() => (this.running = undefined)));
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.again();
      });
    return this.next;
  }
}
