// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home } from "../../../api/home";
import { LabelsController } from "../../../api/labels";
import type { Services } from "../../../api/types";
import { translated } from "../../../i18n/service_words";
import { isConfig } from "../sentences/edit";
import type { Knowledge } from "../sentences/home_words";
import { sentenceText } from "../sentences/words";

// Fetches what sentences know of the home, and redraws its host when it is there.
export class KnowledgeController implements ReactiveController {
  private services: Services = {};
  private isAsked = false;
  private readonly labels: LabelsController;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
  ) {
    this.labels = new LabelsController(host, home);
    host.addController(this);
  }

  hostUpdate(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    void this.load();
  }

  // Without it services are called by their names.
  private async load(): Promise<void> {
    this.services = await this.home()
      .command<Services>("get_services")
      .then(translated)
      .catch(() => ({}));
    this.host.requestUpdate();
  }

  // For an item with these triggers, whose ids are sentences then.
  of(triggers: readonly unknown[]): Knowledge {
    const know: Knowledge = { home: this.home(), services: this.services, labels: this.labels.all, triggers: [] };
    know.triggers = triggers.map((trigger, index) => [
      isConfig(trigger) && trigger.id !== undefined ? String(trigger.id) : String(index),
      sentenceText(know, "triggers", trigger),
    ]);
    return know;
  }
}
