// SPDX-License-Identifier: Apache-2.0
// The place to which a page is scrolled. Pixels alone say too little: what is above and has not been drawn yet (lazy_block.ts) has an
// expected height, which may differ from the one that it had. So the block at the top of the window is remembered, too.

export interface Place {
  // In pixels.
  scroll?: number;
  // Which of how many blocks, and how many pixels it begins below the top of the window.
  block?: { index: number; of: number; top: number } | undefined;
}

function blocksOf(page: Element | null | undefined): Element[] {
  return [...(page?.shadowRoot?.querySelectorAll("hearth-lazy-block") ?? [])];
}

export function placeIn(page: Element | null | undefined): Place {
  const scroll = window.scrollY;
  const blocks = scroll > 0 ? blocksOf(page) : [];
  const index = blocks.findIndex((block) => block.getBoundingClientRect().bottom > 0);
  const top = blocks[index]?.getBoundingClientRect().top;
  return { scroll, block: top === undefined ? undefined : { index, of: blocks.length, top } };
}

const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

// Twice, as what is near is drawn then, and may bring other blocks near.
export async function scrollToPlace({ scroll = 0, block }: Place, page: Element | null | undefined): Promise<void> {
  window.scrollTo(0, scroll);
  if (scroll === 0) return;
  for (let frames = 0; frames < 2; ++frames) {
    await frame();
    const blocks = blocksOf(page);
    const now = block?.of === blocks.length ? blocks[block.index]?.getBoundingClientRect().top : undefined;
    if (block && now !== undefined) window.scrollBy(0, now - block.top);
    else window.scrollTo(0, scroll);
  }
}
