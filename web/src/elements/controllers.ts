// SPDX-License-Identifier: Apache-2.0
// Controllers that redraw an element when its data changes.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "../api/home";

type Topic = "any" | "structure" | "connection" | "alerts";

// Follows what `wanted` names while its host is connected, and something else as soon as it names that.
class Follower<Of extends readonly unknown[]> implements ReactiveController {
  private followed: Of | undefined;
  private stop: Unsubscribe | undefined;

  constructor(
    private readonly element: ReactiveControllerHost & Element,
    private readonly wanted: () => Of,
    private readonly start: (...of: Of) => Unsubscribe | undefined,
  ) {
    element.addController(this);
  }

  hostConnected(): void {
    this.follow();
  }

  hostUpdate(): void {
    this.follow();
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = this.followed = undefined;
  }

  private follow(): void {
    const of = this.wanted();
    if (!this.element.isConnected || of.every((part, index) => part === this.followed?.[index])) return;
    this.stop?.();
    this.followed = of;
    this.stop = this.start(...of);
  }
}

// Redraws its host at each change of one topic.
export class HomeController extends Follower<[Home | undefined]> {
  constructor(host: ReactiveControllerHost & Element, topic: Topic, wanted: () => Home | undefined) {
    super(
      host,
      () => [wanted()],
      (home) => home?.on(topic, () => host.requestUpdate()),
    );
  }
}

// Redraws its host when the state of one entity changes.
export class EntityController extends Follower<[Home | undefined, string | undefined]> {
  constructor(host: ReactiveControllerHost & Element, wanted: () => { home: Home | undefined; id: string | undefined }) {
    const both = (): [Home | undefined, string | undefined] => {
      const { home, id } = wanted();
      return [home, id];
    };
    super(host, both, (home, id) => (home && id ? home.onEntity(id, () => host.requestUpdate()) : undefined));
  }
}

// Redraws its host when the state of one of these entities changes.
export class EntitiesController extends Follower<[Home | undefined, string]> {
  constructor(host: ReactiveControllerHost & Element, wanted: () => { home: Home | undefined; ids: string[] }) {
    const both = (): [Home | undefined, string] => {
      const { home, ids } = wanted();
      return [home, ids.join(" ")];
    };
    super(host, both, (home, ids) => {
      if (!home || ids === "") return undefined;
      const stops = ids.split(" ").map((id) => home.onEntity(id, () => host.requestUpdate()));
      return () => stops.forEach((stop) => stop());
    });
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

// The answer of `ask`, asked for again every `interval` milliseconds while the page is seen; its host is redrawn.
export class Polled<T> {
  value: T | undefined;
  // Of the last time, if it failed; the value is then that of an earlier one.
  failure: unknown;

  constructor(
    private readonly host: ReactiveControllerHost,
    interval: number,
    private readonly ask: () => Promise<T>,
  ) {
    new PollController(host, interval, () => this.again());
  }

  async again(): Promise<void> {
    try {
      this.value = await this.ask();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    this.host.requestUpdate();
  }
}
