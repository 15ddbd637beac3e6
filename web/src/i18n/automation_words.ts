// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { loaded } from "../elements/loaded";
import { hasAutomationWords, loadAutomationWords } from "./catalogue";

// Fetches the words of the pages of automations, and redraws its host when they are there.
export class WordsController implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get areThere(): boolean {
    return hasAutomationWords();
  }

  hostConnected(): void {
    if (!this.areThere) void loaded(loadAutomationWords).then(() => this.host.requestUpdate());
  }
}
