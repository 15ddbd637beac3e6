// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { isLost } from "../../../api/errors";
import type { Home, Unsubscribe } from "../../../api/home";
import { isKnown, isSameWish, wantedOf, type Wanted } from "./scene_states";

interface Of {
  home: Home;
  entities: Record<string, Wanted>;
  // Changes that people have made on the things themselves meanwhile.
  changed: (id: string, wanted: Wanted) => void;
}

// A scene as it looks in the home while it is edited. What was before is put back when it ends: when it is turned off, and when its host
// or the page goes; while the hub cannot be reached, as soon as it can be.
export class ScenePreview implements ReactiveController {
  isOn = false;
  // How the things were.
  private before: Record<string, Wanted> = {};
  // How they were when the scene had been brought about.
  private reached: Record<string, Wanted> = {};
  private stop: Unsubscribe | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly of: () => Of,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener("pagehide", this.leave);
  }

  hostDisconnected(): void {
    window.removeEventListener("pagehide", this.leave);
    this.leave();
  }

  private readonly leave = (): void => void this.end().catch(() => undefined);

  async begin(): Promise<void> {
    const { home, entities } = this.of();
    this.isOn = true;
    this.before = {};
    this.reached = {};
    this.host.requestUpdate();
    try {
      await this.show(entities);
    } catch (error) {
      await this.end().catch(() => undefined);
      throw error;
    }
    if (this.isOn) this.stop ??= home.on("any", () => this.compare());
  }

  // Brings these about, too.
  async show(entities: Record<string, Wanted>): Promise<void> {
    const { home } = this.of();
    for (const id of Object.keys(entities)) {
      const entity = home.entity(id);
      if (isKnown(entity)) this.before[id] ??= wantedOf(entity);
    }
    if (Object.keys(entities).length > 0) await home.call("scene", "apply", { entities });
    for (const id of Object.keys(entities)) {
      const entity = home.entity(id);
      if (isKnown(entity)) this.reached[id] = wantedOf(entity);
    }
  }

  private compare(): void {
    const { home, entities, changed } = this.of();
    for (const id of Object.keys(entities)) {
      const entity = home.entity(id);
      if (!isKnown(entity) || this.reached[id] === undefined) continue;
      const now = wantedOf(entity);
      if (isSameWish(now, this.reached[id])) continue;
      this.reached[id] = now;
      changed(id, now);
    }
  }

  async end(): Promise<void> {
    if (!this.isOn) return;
    const { home } = this.of();
    this.isOn = false;
    this.stop?.();
    this.stop = undefined;
    this.host.requestUpdate();
    const { before } = this;
    this.before = {};
    if (Object.keys(before).length === 0) return;
    const putBack = () => home.call("scene", "apply", { entities: before });
    try {
      await putBack();
    } catch (error) {
      if (!isLost(error)) throw error;
      const stop = home.on("connection", () => {
        if (home.connectionState !== "connected") return;
        stop();
        void putBack().catch(() => undefined);
      });
    }
  }
}
