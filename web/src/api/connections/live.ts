// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "../home";

// A list that a subscription tells of, kept current while the host is there; the host is redrawn at each message.
export class LiveList<Item, Message> implements ReactiveController {
  // Undefined until the hub has told.
  items: Item[] | undefined;
  // Why the hub does not tell; undefined if it does.
  failure: unknown;
  private generation = 0;
  private listening: Promise<Unsubscribe | undefined> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
    private readonly command: string,
    private readonly after: (items: Item[], message: Message) => Item[],
  ) {
    host.addController(this);
  }

  // The host's properties are set before its first update.
  hostUpdate(): void {
    if (this.listening) return;
    const generation = ++this.generation;
    const take = (message: Message) => {
      if (generation !== this.generation) return;
      this.items = this.after(this.items ?? [], message);
      this.host.requestUpdate();
    };
    this.listening = this.home()
      .connection.subscribeMessage<Message>(take, { type: this.command })
      .then((stop) => () => void stop().catch(() => undefined)) // a lost connection has no subscription
      .catch((error: unknown) => {
        this.failure = error;
        this.host.requestUpdate();
        return undefined;
      });
  }

  hostDisconnected(): void {
    this.generation += 1;
    void this.listening?.then((stop) => stop?.());
    this.listening = this.items = this.failure = undefined;
  }
}
