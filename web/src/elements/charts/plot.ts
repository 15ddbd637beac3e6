// SPDX-License-Identifier: Apache-2.0
// The base of curves and bands: a span of time from left to right, in the theme's colours, as wide as its parent.
import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type UPlot from "uplot";

import { formatTime } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { styles } from "../styles_directive";
import { scale } from "./scale";

// A value that the plot tells: below it the one at the end, beside the pointer the one at that time.
export interface Reading {
  name: string;
  text: string;
  colour: string;
}

type Library = typeof UPlot;

const printing = ["beforeprint", "afterprint"] as const;

// As wide is the room left of every plot, so that the times of plots that stand below each other do, too; half a time stands beyond
// the right end. In pixels of a root font of 16.
const gutter = 62;
export const beyond = 28;
// As wide is what A4 and Letter have between their margins, in pixels of a root font of 16.
const paperWidth = 680;
// A drag across fewer pixels is a click; the shortest span that one can zoom into, in seconds.
const leastDrag = 8;
const shortest = 60;

export interface Zoom {
  from: number;
  to: number;
}

// uPlot is fetched when the first plot is shown.
let library: Promise<[Library, CSSStyleSheet]> | undefined;

async function loadLibrary(): Promise<[Library, CSSStyleSheet]> {
  const [{ default: uplot }, { default: text }] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css?inline")]);
  return [uplot, await new CSSStyleSheet().replace(text)];
}

// Fires `zoom` with a Zoom as detail if somebody drags across some time.
export abstract class Plot extends LitElement {
  // Seconds since 1970.
  @property({ type: Number }) start = 0;
  @property({ type: Number }) end = 0;
  @property() timeZone = "UTC";
  // Plots of the same group share one cross-hair.
  @property() group = "";
  @state() private readings: Reading[] = [];
  // The point under the pointer, here or on another plot of the group.
  @state() private pointed: { left: number; time: number; readings: Reading[] } | undefined;
  private plot: UPlot | undefined;
  private sizes = new ResizeObserver(() => this.fit());
  // The theme that it is drawn in.
  @state() protected theme = "";
  private themes = new MutationObserver(() => this.adoptTheme());
  private drawn = 0;
  private isPrinting = false;
  // The scale that it is drawn at.
  private em = 1;

  static override styles = [
    shared,
    css`
      .place {
        position: relative;
      }

      .frame {
        width: 100%;
        height: var(--plot-height, 14rem);
        overflow: hidden;
      }

      /* Drawn about as wide as the paper, and made just as wide. */
      @media print {
        .place {
          break-inside: avoid;
        }

        .frame {
          height: auto;
        }

        .frame :is(.uplot, .u-wrap, canvas) {
          width: 100% !important;
          height: auto !important;
        }

        .tip,
        .frame :is(.u-over, .u-under) {
          display: none;
        }
      }

      .tip {
        position: absolute;
        z-index: 3;
        top: 0.4rem;
        max-width: min(20rem, 60%);
        padding: 0.35rem 0.6rem;
        border: 1px solid var(--border-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        box-shadow: var(--shadow);
        font-size: 0.85rem;
        pointer-events: none;
      }

      .tip p {
        color: var(--text-2);
        font-variant-numeric: tabular-nums;
      }

      .tip ul {
        display: grid;
        gap: 0.1rem;
        padding: 0;
      }

      .uplot {
        font: inherit;
      }

      ul {
        margin: 0;
        color: var(--text-2);
        list-style: none;
      }

      .readings {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.2rem;
        min-height: 1.4rem;
        padding: 0.3rem 0 0;
        font-size: 0.88rem;
      }

      li {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      i {
        flex: none;
        width: 0.8rem;
        height: 0.8rem;
        border: 1px solid var(--border-strong);
        border-radius: 3px;
      }

      b {
        flex: none;
        max-width: 60%;
        color: var(--text);
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  // The plot in words.
  protected abstract summary(): string;
  protected abstract options(
    uplot: Library,
    colour: (token: string) => string,
  ): Pick<UPlot.Options, "series" | "scales" | "axes" | "hooks" | "padding">;
  protected abstract data(uplot: Library): UPlot.AlignedData;
  // At a time in seconds since 1970.
  protected abstract readingsAt(time: number, colour: (token: string) => string): Reading[];

  override connectedCallback(): void {
    super.connectedCallback();
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.adoptTheme();
    for (const moment of printing) window.addEventListener(moment, this.print);
    if (this.hasUpdated) this.requestUpdate("theme", ""); // disconnecting has destroyed the plot
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.themes.disconnect();
    for (const moment of printing) window.removeEventListener(moment, this.print);
    this.drawn += 1;
    this.plot?.destroy();
    this.plot = undefined;
  }

  override updated(changes: Map<string, unknown>): void {
    if ([...changes.keys()].some((name) => name !== "readings" && name !== "pointed")) void this.draw();
  }

  private adoptTheme(): void {
    this.theme = document.documentElement.dataset.theme ?? "";
  }

  private readonly colour = (token: string): string => getComputedStyle(this).getPropertyValue(token).trim();

  private get frame(): HTMLElement {
    return this.renderRoot.querySelector(".frame") as HTMLElement;
  }

  private async draw(): Promise<void> {
    const turn = ++this.drawn;
    const [uplot, sheet] = await (library ??= loadLibrary());
    if (turn !== this.drawn || !this.isConnected) return;
    const root = this.renderRoot as ShadowRoot;
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
    this.plot?.destroy();
    const own = this.options(uplot, this.colour);
    const { width, height } = this.size();
    this.em = scale();
    this.plot = new uplot(
      {
        width,
        height,
        padding: [26, beyond, 0, 0].map((side) => side * this.em) as UPlot.Padding,
        legend: { show: false },
        cursor: {
          y: false,
          drag: { setScale: false, x: true, y: false },
          points: { show: own.series.length > 1 },
          ...(this.group && {
            // A drag is of one plot alone.
            sync: {
              key: this.group,
              setSeries: false,
              scales: ["x", null],
              filters: { pub: (type: string) => /^mouse(move|leave)$/.test(type) },
            },
          }),
        },
        tzDate: (seconds) => uplot.tzDate(new Date(seconds * 1000), this.timeZone),
        ...own,
        scales: { x: { time: true, range: () => [this.start, this.end] }, ...own.scales },
        axes: [this.timeAxis(), ...(own.axes ?? [])],
        hooks: { ...own.hooks, setCursor: [(plot) => this.point(plot)], setSelect: [(plot) => this.zoom(plot)] },
      },
      this.data(uplot),
      this.frame,
    );
    this.sizes.observe(this.frame);
    this.point(this.plot);
  }

  // Parts of every axis; the one at the left is as wide as the gutter.
  protected axis(): UPlot.Axis {
    return {
      size: gutter * scale(),
      font: `${12 * scale()}px ${this.colour("--font")}`,
      stroke: this.colour("--text-2"),
      grid: { stroke: this.colour("--border"), width: 1 },
      ticks: { stroke: this.colour("--border"), width: 1, size: 5 },
    };
  }

  private timeAxis(): UPlot.Axis {
    const day = (seconds: number) => this.format(seconds, { day: "numeric", month: "short" });
    return {
      ...this.axis(),
      space: 72 * scale(),
      size: 44 * scale(),
      values: (_plot, splits, _axis, _space, step) => {
        let last = "";
        return splits.map((seconds) => {
          const date = day(seconds);
          const isNew = date !== last;
          last = date;
          if (step >= 86400) return date;
          const time = this.format(seconds, { hour: "numeric", minute: "2-digit", ...(step < 60 && { second: "2-digit" }) });
          return isNew ? `${time}\n${date}` : time;
        });
      },
    };
  }

  private format(seconds: number, options: Intl.DateTimeFormatOptions): string {
    return formatTime(new Date(seconds * 1000), this.timeZone, options);
  }

  private fit(): void {
    if (this.plot && this.em !== scale()) return void this.draw(); // the window is on another screen
    const { width, height } = this.size();
    if (width > 0 && this.plot && (width !== this.plot.width || height !== this.plot.height)) this.plot.setSize({ width, height });
  }

  // The paper has its own width, whatever the window's is.
  private size(): { width: number; height: number } {
    const { clientWidth: width, clientHeight: height } = this.frame;
    return { width: this.isPrinting && width > 0 ? paperWidth * scale() : width, height };
  }

  private readonly print = ({ type }: Event): void => {
    this.isPrinting = type === "beforeprint";
    this.fit();
  };

  private point(plot: UPlot): void {
    const { left } = plot.cursor;
    const time = left !== undefined && left >= 0 ? plot.posToVal(left, "x") : undefined;
    this.readings = this.readingsAt(this.end, this.colour);
    this.pointed =
      time === undefined
        ? undefined
        : { time, left: (left as number) + plot.bbox.left / devicePixelRatio, readings: this.readingsAt(time, this.colour) };
  }

  private zoom(plot: UPlot): void {
    const { left, width } = plot.select;
    if (width === 0) return;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width < leastDrag) return;
    const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    if (to - from < shortest) return;
    this.dispatchEvent(new CustomEvent<Zoom>("zoom", { detail: { from, to }, bubbles: true, composed: true }));
  }

  override render() {
    const list = (readings: Reading[]) =>
      readings.map(({ name, text, colour }) => html`<li><i ${styles({ background: colour })}></i>${name} <b>${text}</b></li>`);
    return html`
      <div class="place">
        <div class="frame" role="img" aria-label=${this.summary()}></div>
        ${this.pointed ? this.tip(this.pointed, list(this.pointed.readings)) : nothing}
      </div>
      <ul class="readings" aria-hidden="true">
        ${list(this.readings)}
      </ul>
    `;
  }

  // Beside the pointer, on the side that has more room.
  private tip({ left, time }: { left: number; time: number }, readings: unknown) {
    const width = this.frame.clientWidth;
    const place = left < width / 2 ? { left: `${left + 12}px`, right: "auto" } : { left: "auto", right: `${width - left + 12}px` };
    const clock = this.format(time, { dateStyle: "medium", timeStyle: this.end - this.start > 86400 ? "short" : "medium" });
    return html`<div class="tip" aria-hidden="true" ${styles(place)}>
      <p>${clock}</p>
      <ul>
        ${readings}
      </ul>
    </div>`;
  }

  override firstUpdated(): void {
    this.sizes.observe(this.frame);
  }
}

// The index of the last of the ascending `times` that is not after `time`; -1 if all are.
export function indexAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
