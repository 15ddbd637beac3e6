// SPDX-License-Identifier: Apache-2.0
// Controllers that redraw an element when its data changes.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "../api/home";

type Topic = "any" | "structure" | "connection";

// Redraws its host at each change of one topic; calls `wanted` whenever the host is connected or drawn.
export class HomeController implements ReactiveController {
  private home: Home | undefined;
  private stop: Unsubscribe | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & Element,
    private readonly topic: Topic,
    private readonly wanted: () => Home | undefined,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.subscribe();
  }

  hostUpdate(): void {
    this.subscribe();
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
    this.home = undefined;
  }

  private subscribe(): void {
    const home = this.wanted();
    if (home === this.home || !this.host.isConnected) return;
    this.stop?.();
    this.home = home;
    this.stop = home?.on(this.topic, () => this.host.requestUpdate());
  }
}

// Redraws its host when the state of one entity changes.
export class EntityController implements ReactiveController {
  private home: Home | undefined;
  private id: string | undefined;
  private stop: Unsubscribe | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & Element,
    private readonly wanted: () => { home: Home | undefined; id: string | undefined },
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.subscribe();
  }

  hostUpdate(): void {
    this.subscribe();
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
    this.home = this.id = undefined;
  }

  private subscribe(): void {
    const { home, id } = this.wanted();
    if ((home === this.home && id === this.id) || !this.host.isConnected) return;
    this.stop?.();
    this.home = home;
    this.id = id;
    this.stop = home && id ? home.onEntity(id, () => this.host.requestUpdate()) : undefined;
  }
}

// Runs `action` when its host is connected, and again `interval` milliseconds after each run; not while the page is
// hidden.
export class PollController implements ReactiveController {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private connected = false;

  constructor(
    host: ReactiveControllerHost,
    private readonly interval: number,
    private readonly action: () => Promise<void>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.connected = true;
    // The host's properties are set before its first update.
    queueMicrotask(() => void this.run());
  }

  hostDisconnected(): void {
    this.connected = false;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    if (!this.connected) return;
    if (document.visibilityState === "visible") await this.action();
    clearTimeout(this.timer);
    if (this.connected) this.timer = setTimeout(() => void this.run(), this.interval);
  }
}
