// SPDX-License-Identifier: Apache-2.0
// Things that people keep in an entity, such as the items of a to-do list, for the card that shows it.
import type { ReactiveController } from "lit";

import type { Home } from "../api/home";
import type { Card } from "./card";

interface Question {
  service: string;
  data?: object;
  // The list's name in the answer.
  list: string;
}

// The last answers, for cards that appear again.
const answers = new WeakMap<Home, Map<string, unknown[]>>();

// Asks the entity when the card appears, and again when the entity or its items have changed. Redraws the card with the answer.
export class Items<Item> implements ReactiveController {
  // Undefined until the hub has answered once.
  list: Item[] | undefined;
  private seen = "";

  constructor(
    private readonly card: Card,
    private readonly question: () => Question,
  ) {
    card.addController(this);
  }

  hostUpdate(): void {
    this.list ??= this.kept.get(this.key) as Item[] | undefined;
  }

  private get kept(): Map<string, unknown[]> {
    let kept = answers.get(this.card.home);
    if (!kept) answers.set(this.card.home, (kept = new Map()));
    return kept;
  }

  private get key(): string {
    return `${this.card.entityId} ${this.question().service} ${this.card.detailed}`;
  }

  hostUpdated(): void {
    const { home, entityId } = this.card;
    const entity = home.entity(entityId);
    if (!entity || entity.state === "unavailable") return;
    const { service, data, list } = this.question();
    const version = `${entityId} ${home.itemsVersion(entityId)} ${entity.last_updated} ${this.card.detailed}`;
    if (version === this.seen) return;
    this.seen = version;
    home
      .command<{ response: Record<string, Record<string, Item[]>> | null }>("call_service", {
        domain: entityId.split(".")[0],
        service,
        service_data: data ?? {},
        target: { entity_id: entityId },
        return_response: true,
      })
      .then(({ response }) => {
        if (version !== this.seen) return;
        this.list = response?.[entityId]?.[list] ?? [];
        this.kept.set(this.key, this.list);
        this.card.requestUpdate();
      })
      .catch(() => (this.seen = ""));
  }
}
