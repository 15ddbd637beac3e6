// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

// The user's choice in a control, which shows it until it is reported. If it was sent and nothing has reported it after `patience`
// milliseconds, the control goes back, and fires `unreported`.
export class SettlingController<T> implements ReactiveController {
  private kept: T | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & EventTarget,
    private readonly patience: number,
    private readonly isReported: (chosen: T) => boolean,
  ) {
    host.addController(this);
  }

  // Undefined: what is reported is shown.
  get chosen(): T | undefined {
    return this.kept;
  }

  hostDisconnected(): void {
    this.stop();
  }

  // Shows it; it is not sent yet.
  hold(value: T | undefined): void {
    this.stop();
    this.kept = value;
    this.host.requestUpdate();
  }

  // It is sent: waits for the report from now on.
  wait(): void {
    this.stop();
    this.timer = setTimeout(() => this.giveUp(), this.patience);
  }

  // Waits no longer; what is chosen stays.
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  // Drops it: something was reported, or the hub has refused it.
  reset(): void {
    this.hold(undefined);
  }

  private giveUp(): void {
    const isOpen = this.kept !== undefined && !this.isReported(this.kept);
    this.reset();
    if (isOpen) this.host.dispatchEvent(new CustomEvent("unreported", { bubbles: true, composed: true }));
  }
}
