// SPDX-License-Identifier: Apache-2.0
// The bars at the bottom of the window: the navigation of a phone, the buttons of a form, those of a dialog. Notices stand above them.
import type { ReactiveController, ReactiveControllerHost } from "lit";

const bars = new Set<() => Element | null | undefined>();
// A gap of so much between two bars is none, in pixels.
const least = 4;

// Tells of a bar of its host, as long as that is in the page.
export class BottomBar implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly bar: () => Element | null | undefined,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    bars.add(this.bar);
  }

  hostDisconnected(): void {
    bars.delete(this.bar);
  }
}

// How much of the window's bottom they cover, in pixels: those that stand on it, or on one another.
export function coveredBelow(): number {
  const boxes = [...bars]
    .flatMap((bar) => bar()?.getBoundingClientRect() ?? [])
    .filter(({ height, top }) => height > 0 && top < innerHeight);
  let covered = 0;
  for (const { top, bottom } of boxes.sort((a, b) => b.bottom - a.bottom)) {
    if (bottom >= innerHeight - covered - least) covered = Math.max(covered, innerHeight - top);
  }
  return covered;
}
