// SPDX-License-Identifier: Apache-2.0
// Rows of long lists wait until they come near the window before they are drawn. As long as they wait they are their sentence as a text:
// searching in the page, screen readers and the printer have it.
import type { ReactiveController } from "lit";

interface Waiting extends HTMLElement {
  addController: (controller: ReactiveController) => void;
  requestUpdate: () => void;
  updateComplete: Promise<boolean>;
}

const controllers = new WeakMap<Element, NearController>();
let observer: IntersectionObserver | undefined;
// Near the window, and not drawn yet.
const waiting = new Set<NearController>();
let isDrawing = false;
// Milliseconds of drawing in a frame.
const stretch = 10;

async function drawWaiting(): Promise<void> {
  isDrawing = true;
  let begun = performance.now();
  try {
    for (const controller of waiting) {
      controller.come();
      await controller.drawn();
      if (performance.now() - begun < stretch) continue;
      await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
      begun = performance.now();
    }
  } finally {
    isDrawing = false;
  }
}

function observed(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const controller = controllers.get(target);
        if (isIntersecting && controller) waiting.add(controller);
        else if (controller) waiting.delete(controller); // it was scrolled past
      }
      if (!isDrawing) void drawWaiting();
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
    waiting.delete(this);
  }

  async drawn(): Promise<void> {
    await this.host.updateComplete;
  }

  hostUpdate(): void {
    if (!this.isNear && !this.waits()) this.come();
  }

  come(): void {
    if (this.isNear) return;
    this.isNear = true;
    waiting.delete(this);
    observer?.unobserve(this.host);
    this.host.requestUpdate();
  }
}
