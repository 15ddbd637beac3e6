// SPDX-License-Identifier: Apache-2.0
// The base of curves and bands: a span of time from left to right, in the theme's colours, as wide as its parent.
import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type UPlot from "uplot";

import { formatTime } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { scale } from "./scale";
import { styles } from "./styles_directive";

// A value shown below the plot: at the time under the pointer, otherwise at the end.
export interface Reading {
  name: string;
  text: string;
  colour: string;
}

type Library = typeof UPlot;

// uPlot is fetched when the first plot is shown.
let library: Promise<[Library, CSSStyleSheet]> | undefined;

async function loadLibrary(): Promise<[Library, CSSStyleSheet]> {
  const [{ default: uplot }, { default: text }] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css?inline")]);
  return [uplot, await new CSSStyleSheet().replace(text)];
}

export abstract class Plot extends LitElement {
  // Seconds since 1970.
  @property({ type: Number }) start = 0;
  @property({ type: Number }) end = 0;
  @property() timeZone = "UTC";
  @state() private readings: Reading[] = [];
  @state() private readingTime: number | undefined;
  private plot: UPlot | undefined;
  private sizes = new ResizeObserver(() => this.fit());
  // The theme that it is drawn in.
  @state() protected theme = "";
  private themes = new MutationObserver(() => this.adoptTheme());
  private drawn = 0;

  static override styles = [
    shared,
    css`
      .frame {
        width: 100%;
        height: var(--plot-height, 14rem);
        overflow: hidden;
      }

      .uplot {
        font: inherit;
      }

      .readings {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.2rem;
        min-height: 1.4rem;
        padding: 0.3rem 0 0;
        color: var(--text-2);
        font-size: 0.88rem;
        list-style: none;
        margin: 0;
      }

      .readings li {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .readings i {
        flex: none;
        width: 0.8rem;
        height: 0.8rem;
        border: 1px solid var(--border-strong);
        border-radius: 3px;
      }

      .readings b {
        color: var(--text);
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  // What the plot shows, in words.
  protected abstract summary(): string;
  protected abstract options(uplot: Library, colour: (token: string) => string): Pick<UPlot.Options, "series" | "scales" | "axes" | "hooks" | "padding">;
  protected abstract data(uplot: Library): UPlot.AlignedData;
  // At a time in seconds since 1970.
  protected abstract readingsAt(time: number, colour: (token: string) => string): Reading[];

  override connectedCallback(): void {
    super.connectedCallback();
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.adoptTheme();
    if (this.hasUpdated) this.requestUpdate("theme", ""); // disconnecting has destroyed the plot
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.themes.disconnect();
    this.drawn += 1;
    this.plot?.destroy();
    this.plot = undefined;
  }

  override updated(changes: Map<string, unknown>): void {
    if ([...changes.keys()].some((name) => name !== "readings" && name !== "readingTime")) void this.draw();
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
    const { clientWidth: width, clientHeight: height } = this.frame;
    const em = scale();
    this.plot = new uplot(
      {
        width,
        height,
        padding: [10 * em, 12 * em, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: own.series.length > 1 } },
        tzDate: (seconds) => uplot.tzDate(new Date(seconds * 1000), this.timeZone),
        ...own,
        scales: { x: { time: true, range: () => [this.start, this.end] }, ...own.scales },
        axes: [this.timeAxis(), ...(own.axes ?? [])],
        hooks: { ...own.hooks, setCursor: [(plot) => this.point(plot)] },
      },
      this.data(uplot),
      this.frame,
    );
    this.sizes.observe(this.frame);
    this.point(this.plot);
  }

  protected axis(): UPlot.Axis {
    return {
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
          const time = this.format(seconds, { hour: "2-digit", minute: "2-digit", ...(step < 60 && { second: "2-digit" }) });
          return isNew ? `${time}\n${date}` : time;
        });
      },
    };
  }

  private format(seconds: number, options: Intl.DateTimeFormatOptions): string {
    return formatTime(new Date(seconds * 1000), this.timeZone, options);
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (width > 0 && this.plot && (width !== this.plot.width || height !== this.plot.height)) this.plot.setSize({ width, height });
  }

  private point(plot: UPlot): void {
    const { left } = plot.cursor;
    const inside = left !== undefined && left >= 0;
    this.readingTime = inside ? plot.posToVal(left, "x") : undefined;
    this.readings = this.readingsAt(this.readingTime ?? this.end, this.colour);
  }

  override render() {
    const time = this.readingTime;
    return html`
      <div class="frame" role="img" aria-label=${this.summary()}></div>
      <ul class="readings" aria-hidden="true">
        ${time === undefined
          ? nothing
          : html`<li>${this.format(time, { dateStyle: "medium", timeStyle: this.end - this.start > 86400 ? "short" : "medium" })}</li>`}
        ${this.readings.map(({ name, text, colour }) => html`<li><i ${styles({ background: colour })}></i>${name} <b>${text}</b></li>`)}
      </ul>
    `;
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
