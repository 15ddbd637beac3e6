// SPDX-License-Identifier: Apache-2.0
// What people keep in an entity, such as the items of a to-do list, for the card that shows it.
import type { ReactiveController } from "lit";

import type { Card } from "./card";

interface Question {
  service: string;
  data?: object;
  // The list's name in the answer.
  list: string;
}

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
        this.card.requestUpdate();
      })
      .catch(() => (this.seen = ""));
  }
}
