// SPDX-License-Identifier: Apache-2.0
// The title of the window, from the inside out: the dialog, the item, the tab, the page, the home. Each part of the page that has a
// name says it while it is there.
import type { ReactiveController, ReactiveControllerHost } from "lit";

interface Frame {
  page: string;
  home: string;
  // The page's name says nothing beside that of a part: "Kitchen – Home".
  isPlain: boolean;
}

const parts = new Map<object, { depth: number; text: string }>();
let frame: Frame = { page: "", home: "", isPlain: false };

export function titleOf({ page, home, isPlain }: Frame, inner: { depth: number; text: string }[]): string {
  const texts = inner
    .map((part, index) => ({ ...part, index }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => b.depth - a.depth || b.index - a.index)
    .map(({ text }) => text);
  return [...texts, ...(texts.length > 0 && isPlain ? [] : [page]), home].join(" – ");
}

function show(): void {
  if (frame.home !== "") document.title = titleOf(frame, [...parts.values()]);
}

export function setTitle(next: Frame): void {
  frame = next;
  show();
}

// `depth`: 1 for a tab, 2 for an item in it, 3 for a dialog.
export class TitleController implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly depth: number,
    private readonly text: () => string,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const text = this.text();
    if (parts.get(this)?.text === text) return;
    parts.set(this, { depth: this.depth, text });
    show();
  }

  hostDisconnected(): void {
    if (parts.delete(this)) show();
  }
}
