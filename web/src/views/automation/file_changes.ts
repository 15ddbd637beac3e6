// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "../../api/home";

// How long after several events `changed` is called, in milliseconds.
const pause = 300;
const events = ["automation_reloaded", "scene_reloaded"];

// Calls `changed` when files of automations, scripts or scenes may have changed: they were read again, or somebody comes back to
// the page.
export class FileChangesController implements ReactiveController {
  private listening: Promise<Unsubscribe>[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: ReactiveControllerHost,
    private readonly about: () => { home: Home; changed: () => Promise<void> },
  ) {
    host.addController(this);
  }

  // The host's properties are set before its first update.
  hostUpdate(): void {
    if (this.listening.length > 0) return;
    const { connection } = this.about().home;
    this.listening = events.map((event) => connection.subscribeEvents(this.soon, event).then((stop) => () => void stop().catch(() => undefined)));
    for (const each of this.listening) each.catch(() => undefined);
    window.addEventListener("focus", this.soon);
  }

  hostDisconnected(): void {
    for (const each of this.listening) void each.then((stop) => stop()).catch(() => undefined);
    this.listening = [];
    clearTimeout(this.timer);
    window.removeEventListener("focus", this.soon);
  }

  private readonly soon = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.about().changed().catch(() => undefined), pause);
  };
}
