// SPDX-License-Identifier: Apache-2.0
// Fingers on a touch screen. The browser itself receives them, as from a screen: it scrolls, it makes taps, it cancels pointers.
import type { CDPSession, Locator, Page } from "@playwright/test";

export interface Point {
  x: number;
  y: number;
}

const steps = 8; // of one movement

export class Finger {
  private at: Point | undefined;
  private beside: Point | undefined; // where a second finger is, from the first

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async down(at: Point): Promise<void> {
    this.at = at;
    await this.send("touchStart", [at]);
  }

  // Moves by so many pixels.
  async by(x: number, y: number): Promise<void> {
    const from = this.at as Point;
    for (let i = 1; i <= steps; i++) {
      this.at = { x: from.x + (x * i) / steps, y: from.y + (y * i) / steps };
      await this.send("touchMove", this.points);
    }
  }

  // A second finger comes, and goes where the first one goes.
  async second(beside: Point): Promise<void> {
    this.beside = beside;
    await this.send("touchStart", this.points);
  }

  async up(): Promise<void> {
    this.at = this.beside = undefined;
    await this.send("touchEnd", []);
  }

  // The screen takes the finger away, as it does for a gesture of the system.
  async cancel(): Promise<void> {
    this.at = this.beside = undefined;
    await this.send("touchCancel", []);
  }

  // Both are sent at once: a finger that stays for half a second, as on a busy machine, makes no tap.
  async tap(at: Point): Promise<void> {
    await Promise.all([this.down(at), this.up()]);
  }

  // Stays for so many milliseconds, and leaves.
  async rest(at: Point, duration: number): Promise<void> {
    await this.session.send("Input.synthesizeTapGesture", { ...at, duration, gestureSourceType: "touch" });
  }

  async swipe(from: Point, x: number, y: number): Promise<void> {
    await this.down(from);
    await this.by(x, y);
    await this.up();
  }

  private get points(): Point[] {
    const { x, y } = this.at as Point;
    return [{ x, y }, ...(this.beside ? [{ x: x + this.beside.x, y: y + this.beside.y }] : [])];
  }

  private async send(type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", points: Point[]): Promise<void> {
    const touchPoints = points.map(({ x, y }, id) => ({ x, y, id }));
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}

// Where an element stands once the page no longer moves.
export async function placeOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const place = () =>
    element.evaluate(
      (found) =>
        new Promise<{ x: number; y: number; width: number; height: number }>((resolve) =>
          requestAnimationFrame(() => {
            const { x, y, width, height } = found.getBoundingClientRect();
            resolve({ x, y, width, height });
          }),
        ),
    );
  let last = await place();
  let still = 0;
  for (let i = 0; i < 600; i++) {
    const next = await place();
    still = next.x === last.x && next.y === last.y ? still + 1 : 0;
    last = next;
    if (still === 4) return last;
  }
  throw new Error("The page does not come to rest");
}

// The point of a slider at a share of its width, from its left end.
export async function pointOn(slider: Locator, share: number): Promise<Point> {
  await slider.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  const { x, y, width, height } = await placeOf(slider);
  return { x: x + width * share, y: y + height / 2 };
}
