// SPDX-License-Identifier: Apache-2.0
// Rows of long lists wait until they come near the window before they are drawn. As long as they wait they are their sentence as a text:
// searching in the page, screen readers and the printer have it.
import type { ReactiveController } from "lit";

interface Waiting extends HTMLElement {
  addController: (controller: ReactiveController) => void;
  requestUpdate: () => void;
}

const controllers = new WeakMap<Element, NearController>();
let observer: IntersectionObserver | undefined;

function observed(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) controllers.get(target)?.come();
    },
    { rootMargin: "1000px" },
  );
  return observer;
}

// True once its host was near the window, or was wanted.
export class NearController implements ReactiveController {
  isNear = false;

  constructor(
    private readonly host: Waiting,
    // Says if the host waits at all.
    private readonly waits: () => boolean,
  ) {
    host.addController(this);
    controllers.set(host, this);
  }

  hostConnected(): void {
    if (!this.isNear) observed().observe(this.host);
  }

  hostDisconnected(): void {
    observer?.unobserve(this.host);
  }

  hostUpdate(): void {
    if (!this.isNear && !this.waits()) this.come();
  }

  come(): void {
    if (this.isNear) return;
    this.isNear = true;
    observer?.unobserve(this.host);
    this.host.requestUpdate();
  }
}
