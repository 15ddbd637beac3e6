// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { loaded } from "../elements/loaded";
import { hasWords, loadWords, type LatePart } from "./catalogue";

// Fetches words that the first view does not need, and redraws its host when they are there.
export class WordsController implements ReactiveController {
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly part: LatePart = "automations",
  ) {
    host.addController(this);
  }

  get areThere(): boolean {
    return hasWords(this.part);
  }

  hostConnected(): void {
    if (!this.areThere) void loaded(() => loadWords(this.part)).then(() => this.host.requestUpdate());
  }
}
