// SPDX-License-Identifier: Apache-2.0
// Tells what a pointer on a horizontal track means. A finger or pen that comes down may be about to scroll the page, to
// tap, or to drag: nothing happens until that is known.
//
// - It moves `slop` pixels, flatter than `slope`: a drag, until it leaves the screen.
// - It moves that far in another direction: not meant for the track. The element has `touch-action: pan-y`, so the
//   browser scrolls.
// - It leaves without moving: a tap if the browser sends a `click`. It sends none for a finger that has stopped a
//   scrolling page, or was down for long.
// - The browser takes the pointer away (it scrolls after all, or the system has a gesture of its own), the window loses
//   the focus, or the track is removed or disabled: the drag is cancelled and its value put back.
// - A second finger comes down before a drag has begun: the user zooms, so the first finger is ignored. During a drag
//   the second finger is ignored.
//
// A mouse scrolls by its wheel, so its drag begins with the press, unless the track waits for it to move.

// How far a finger moves before its direction counts, in pixels, and how steep a drag may begin: height / width.
const slop = 8;
const slope = 0.8;

export interface Track {
  // True if it may be moved.
  readonly isFree: boolean;
  // True if a mouse may tap it, too.
  readonly waits: boolean;
  // A drag begins; the pointer came down there. All places are in coordinates of the window.
  begin(x: number, y: number): void;
  move(x: number, y: number): void;
  end(): void;
  // Puts back the value from when the drag began.
  cancel(): void;
  tap(x: number, y: number): void;
}

interface Press {
  id: number;
  x: number;
  y: number;
  isDragging: boolean;
}

// Listens on the element that gets the pointer events: `@pointerdown=${gesture}`, and so on for each event of
// `handleEvent`.
export class TrackGesture implements EventListenerObject {
  private press: Press | undefined;
  private mayTap = false;

  constructor(private readonly track: Track) {}

  get isDragging(): boolean {
    return this.press?.isDragging ?? false;
  }

  handleEvent(event: Event): void {
    if (event.type === "blur") this.cancel();
    else if (event.type === "click") this.click(event as MouseEvent);
    else if (event.type === "contextmenu") this.menu();
    else if (event.type === "mousedown")
      event.preventDefault(); // otherwise it selects text and moves the focus
    else if (event.currentTarget === window) this.another(event as PointerEvent);
    else if (event.type === "pointerdown") this.down(event as PointerEvent);
    else if ((event as PointerEvent).pointerId !== this.press?.id) return;
    else if (event.type === "pointermove") this.move(event as PointerEvent);
    else if (event.type === "pointerup") this.up();
    else this.cancel(); // pointercancel, lostpointercapture
  }

  // Ends a drag and puts its value back.
  cancel(): void {
    const wasDragging = this.isDragging;
    this.release();
    if (wasDragging) this.track.cancel();
  }

  private down(event: PointerEvent): void {
    this.mayTap = false;
    if (this.press || !event.isPrimary || event.button !== 0 || !this.track.isFree) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, isDragging: false };
    window.addEventListener("blur", this);
    window.addEventListener("pointerdown", this, true);
    if (event.pointerType === "mouse" && !this.track.waits) this.drag(this.press, event);
  }

  private move(event: PointerEvent): void {
    const press = this.press as Press;
    if (press.isDragging) return this.track.move(event.clientX, event.clientY);
    const [width, height] = [Math.abs(event.clientX - press.x), Math.abs(event.clientY - press.y)];
    if (Math.hypot(width, height) < slop) return;
    if (height > width * slope) this.release();
    else this.drag(press, event);
  }

  private drag(press: Press, { clientX, clientY }: PointerEvent): void {
    press.isDragging = true;
    this.track.begin(press.x, press.y);
    this.track.move(clientX, clientY);
  }

  private up(): void {
    const wasDragging = this.isDragging;
    this.release();
    this.mayTap = !wasDragging;
    if (wasDragging) this.track.end();
  }

  // A click also comes after a drag by mouse, and from scripts and voice control. A label then focuses its control.
  private click(event: MouseEvent): void {
    if (this.track.waits) event.preventDefault(); // the label would take the focus
    if (this.mayTap && this.track.isFree) this.track.tap(event.clientX, event.clientY);
    this.mayTap = false;
  }

  private another(event: PointerEvent): void {
    if (!this.isDragging && event.pointerId !== this.press?.id) this.release();
  }

  private menu(): void {
    if (this.isDragging) this.cancel();
  }

  private release(): void {
    this.press = undefined;
    window.removeEventListener("blur", this);
    window.removeEventListener("pointerdown", this, true);
  }
}
