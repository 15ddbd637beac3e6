// SPDX-License-Identifier: Apache-2.0
// For tests: how names that nobody expects look on a page.
import type { Page } from "@playwright/test";

import { expect } from "./fixtures";
import { settled } from "./pages";

export const badNames = {
  markup: `<img src=x onerror="globalThis.ran=1"><b>Bold</b>`,
  emoji: "👩‍👩‍👧‍👦🔥".repeat(15),
  rightToLeft: "מנורת הסלון הגדולה ‏(קומה 1) مصباح",
  endless: "Donaudampfschiff".repeat(16).slice(0, 255),
} as const;

interface Found {
  // Elements beyond the window's edges, and texts that end without a sign of it, or whose whole is nowhere to be read.
  wrong: string[];
  // The names of which something is seen.
  seen: string[];
}

function look(page: Page): Promise<Found> {
  return page.evaluate((names) => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    const parentOf = (node: Node): Element | null =>
      (node instanceof Element && node.assignedSlot) ||
      (node.parentNode instanceof ShadowRoot ? node.parentNode.host : (node.parentNode as Element | null));
    const ancestors = (node: Node): Element[] => {
      const found: Element[] = [];
      for (let at = node instanceof Element ? node : parentOf(node); at; at = parentOf(at)) if (at instanceof Element) found.push(at);
      return found;
    };
    const clips = (element: Element) => getComputedStyle(element).overflowX !== "visible";
    const about = (element: Element) =>
      `${ancestors(element)
        .slice(0, 6)
        .map(({ localName, className }) => (typeof className === "string" && className ? `${localName}.${className}` : localName))
        .join(" < ")}`;
    const everything = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? everything(one.shadowRoot) : [])]);
    const isFixed = (element: Element) => getComputedStyle(element).position === "fixed";
    const beyond = ({ left, right, width }: DOMRect) => width > 1 && (right > innerWidth + 1 || left < -1);
    // What an ancestor cuts or scrolls is judged there.
    const isHeld = (element: Element) => {
      if (isFixed(element)) return false;
      for (const one of ancestors(element).slice(1)) {
        if (one === document.documentElement || one === document.body) return false;
        if (clips(one)) return true;
        if (isFixed(one)) return false;
      }
      return false;
    };
    const judgeText = (node: Text, name: string) => {
      const element = parentOf(node) as Element;
      const range = document.createRange();
      range.selectNodeContents(node);
      const all = range.getBoundingClientRect();
      if (all.width <= 1 || all.height <= 1) return;
      const chain = ancestors(element);
      seen.add(name);
      const cutter = chain.find((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const style = getComputedStyle(one);
        const isLess =
          all.right > right + 1 || all.left < left - 1 || (style.overflowY === "hidden" && (all.bottom > bottom + 2 || all.top < top - 2));
        return clips(one) && isLess && !["auto", "scroll"].includes(style.overflowX);
      });
      const isNotice = chain.some(({ localName }) => localName === "hearth-notices"); // of what was just tapped
      const isShort = !node.data.includes(name);
      if (!cutter && !isShort) return;
      if (cutter) {
        const { textOverflow, webkitLineClamp } = getComputedStyle(cutter);
        if (textOverflow !== "ellipsis" && (webkitLineClamp === "none" || webkitLineClamp === ""))
          wrong.push(`cut without a sign: ${node.data.trim().slice(0, 30)} in ${about(element)} by ${about(cutter)}`);
      }
      const whole = isNotice || chain.some((one) => ["title", "aria-label"].some((key) => one.getAttribute(key)?.includes(name)));
      if (!whole) wrong.push(`whole nowhere: ${node.data.trim().slice(0, 30)} in ${about(element)}`);
    };
    const visit = (root: ParentNode) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) visit(element.shadowRoot);
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (ancestors(element).some(({ classList }) => classList.contains("visually-hidden"))) continue;
        if (element instanceof SVGElement || element.localName === "option") continue;
        if (beyond(element.getBoundingClientRect()) && !isHeld(element)) wrong.push(`beyond the window: ${about(element)}`);
        for (const node of element.childNodes) {
          if (!(node instanceof Text)) continue;
          const name = names.find((one) => node.data.includes(one.slice(0, 14)));
          if (name) judgeText(node, name);
        }
      }
    };
    visit(document);
    if (document.documentElement.scrollWidth > innerWidth) {
      const widest = everything(document).filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
      wrong.push(`the page is ${document.documentElement.scrollWidth} wide: ${widest.slice(0, 5).map(about).join("; ")}`);
    }
    return { wrong: [...new Set(wrong)], seen: [...seen] };
  }, Object.values(badNames));
}

// Names are texts that end within the window, and the whole of one that is cut can be read somewhere; all of `expected` are seen.
export async function namesHold(page: Page, what: string, expected: readonly string[] = Object.values(badNames)): Promise<void> {
  await settled(page);
  await expect.poll(async () => (await look(page)).seen, { message: what }).toEqual(expect.arrayContaining([...expected]));
  const { wrong } = await look(page);
  expect.soft(wrong, what).toEqual([]);
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
}
