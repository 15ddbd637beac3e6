// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { readItem, type Item, type WrittenKind } from "../../../api/automations";
import type { Home, Unsubscribe } from "../../../api/home";
import { readWritten, type Written } from "../../../api/item_files";
import { readRevisions } from "../../../api/revisions";

// Changes that somebody has written elsewhere while something is written here.
export interface Theirs {
  item: Item;
  written: Written;
  // Their name; empty if it is not known.
  by: string;
}

// `userId`: who has changed it, as the event says.
export async function readTheirs(home: Home, kind: WrittenKind, entityId: string, id: string, userId: string | null): Promise<Theirs> {
  const newest = async () => (userId === null ? undefined : (await readRevisions(home, kind, id).catch(() => undefined))?.revisions[0]);
  const [item, written, revision] = await Promise.all([readItem(home, entityId), readWritten(home, kind, id), newest()]);
  return { item, written, by: (revision?.user_id === userId && revision?.user) || "" };
}

// How long after several events `changed` is called, in milliseconds.
const pause = 300;
const events = ["config_item_updated", "automation_reloaded", "scene_reloaded"];

interface Told {
  data: { domain?: string; item_id?: string };
  context: { user_id: string | null };
}

// Calls `changed` when an automation, script or scene may be written otherwise: a client has changed it, the files were read again,
// or somebody comes back to the page. `userId` is who did it; null if that is not known.
export class FileChangesController implements ReactiveController {
  private listening: Promise<Unsubscribe>[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private userId: string | null = null;

  constructor(
    host: ReactiveControllerHost,
    private readonly about: () => {
      home: Home;
      kind: WrittenKind;
      id: string | undefined;
      changed: (userId: string | null) => Promise<void>;
    },
  ) {
    host.addController(this);
  }

  // The host's properties are set before its first update.
  hostUpdate(): void {
    if (this.listening.length > 0) return;
    const { connection } = this.about().home;
    this.listening = events.map((event) =>
      connection.subscribeEvents<Told>(this.told, event).then((stop) => () => void stop().catch(() => undefined)),
    );
    // A change after the item was read and before this listens would be missed.
    void Promise.all(this.listening).then(
      () => this.listening.length > 0 && this.soon(),
      () => undefined,
    );
    window.addEventListener("focus", this.soon);
  }

  hostDisconnected(): void {
    for (const each of this.listening) void each.then((stop) => stop()).catch(() => undefined);
    this.listening = [];
    clearTimeout(this.timer);
    window.removeEventListener("focus", this.soon);
  }

  private readonly told = ({ data, context }: Told): void => {
    const { kind, id } = this.about();
    if (data.item_id !== undefined && (data.domain !== kind || data.item_id !== id)) return;
    this.userId = data.item_id === undefined ? null : context.user_id;
    this.soon();
  };

  private readonly soon = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { userId } = this;
      this.userId = null;
      void this.about()
        .changed(userId)
        .catch(() => undefined);
    }, pause);
  };
}
