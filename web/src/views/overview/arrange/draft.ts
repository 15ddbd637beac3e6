// SPDX-License-Identifier: Apache-2.0
// A layout while it is being arranged: each change is kept by the hub at once, can be undone, and gives way to what another screen has
// arranged meanwhile.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Layout } from "../../../api/layout";
import { LayoutChanged, type LayoutStore } from "../../../api/layout_store";
import { errorText } from "../../../api/errors";
import { t } from "../../../i18n/catalogue";

// So many changes can be undone.
const most = 100;

const same = (a: Layout, b: Layout) => JSON.stringify(a) === JSON.stringify(b);

export class Draft implements ReactiveController {
  layout: Layout = {};
  private start: Layout = {};
  private former: Layout[] = [];
  private sending: Promise<void> | undefined;
  private stop: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly store: () => LayoutStore,
    // Says what a person has to know, as soon as the words are there.
    private readonly tell: (text: () => string) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    queueMicrotask(() => {
      this.begin();
      if (this.store().isForeign) this.tell(() => t("arrange.foreign"));
      this.stop ??= this.store().on(() => this.hear());
      this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
  }

  private begin(): void {
    this.layout = this.store().layout;
    this.start = this.layout;
    this.former = [];
  }

  get canUndo(): boolean {
    return this.former.length > 0;
  }

  get isAsItWas(): boolean {
    return same(this.layout, this.start);
  }

  change(layout: Layout): void {
    if (same(layout, this.layout)) return;
    this.former = [...this.former, this.layout].slice(-most);
    this.show(layout);
  }

  undo(): void {
    const former = this.former.pop();
    if (former) this.show(former);
  }

  // As it was when arranging began.
  putBack(): void {
    this.change(this.start);
  }

  private show(layout: Layout): void {
    this.layout = layout;
    this.host.requestUpdate();
    this.sending ??= this.send().finally(() => (this.sending = undefined));
  }

  // Until the hub has the newest.
  private async send(): Promise<void> {
    for (let sent: Layout | undefined; sent !== this.layout; ) {
      sent = this.layout;
      try {
        await this.store().keep(sent);
      } catch (error) {
        this.begin();
        this.host.requestUpdate();
        return this.tell(() => (error instanceof LayoutChanged ? t("arrange.changedElsewhere") : errorText(error)));
      }
    }
  }

  private hear(): void {
    if (this.sending || same(this.store().layout, this.layout)) return;
    this.begin();
    this.tell(() => t("arrange.changedElsewhere"));
    this.host.requestUpdate();
  }
}
