// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "./home";
import type { Label } from "./types";

// The labels of the home, kept current while the host is there: few pages want them.
export class LabelsController implements ReactiveController {
  all: Label[] = [];
  private listening: Promise<Unsubscribe | undefined> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
  ) {
    host.addController(this);
  }

  // The host's properties are set before its first update.
  hostUpdate(): void {
    if (this.listening) return;
    const { connection } = this.home();
    this.listening = connection
      .subscribeEvents(() => void this.load(), "label_registry_updated")
      .then((stop) => () => void stop().catch(() => undefined)) // a lost connection has no subscription
      .catch(() => undefined);
    void this.load();
  }

  hostDisconnected(): void {
    void this.listening?.then((stop) => stop?.());
    this.listening = undefined;
  }

  // The name of a label; its id if it is not known.
  named(id: string): Pick<Label, "name" | "color"> {
    return this.all.find(({ label_id }) => label_id === id) ?? { name: id, color: null };
  }

  private async load(): Promise<void> {
    const labels = await this.home()
      .command<Label[]>("config/label_registry/list")
      .catch(() => this.all);
    this.all = labels;
    this.host.requestUpdate();
  }
}
