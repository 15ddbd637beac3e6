// SPDX-License-Identifier: Apache-2.0
// The look of a slider. `--share`: how far along the track the thumb is, from 0 to 1.
import { css } from "lit";

// How wide the thumb is, in rem.
export const thumbWidth = 1.5;

export const sliderStyles = css`
  :host {
    --towards: right;
  }

  :host(:dir(rtl)) {
    --towards: left;
  }

  label {
    position: relative;
    cursor: pointer;
    touch-action: pan-y pinch-zoom;
    user-select: none;
    -webkit-user-select: none;
    -webkit-touch-callout: none;
    -webkit-tap-highlight-color: transparent;
  }

  :host([relative]) label {
    cursor: ew-resize;
  }

  :host([disabled]) label {
    cursor: default;
  }

  input {
    display: block;
    width: 100%;
    height: 2.5rem;
    margin: 0;
    background: transparent;
    appearance: none;
    pointer-events: none;
  }

  input:disabled {
    opacity: 0.5;
  }

  /* The chosen value, above the thumb and never beyond the track's ends. */
  .chosen {
    position: absolute;
    z-index: 1;
    inset: auto 0 calc(100% - 0.2rem);
    display: flex;
    pointer-events: none;
  }

  .chosen::before {
    content: "";
    flex: var(--share) 0 0;
  }

  .chosen::after {
    content: "";
    flex: calc(1 - var(--share)) 0 0;
  }

  .chosen span {
    padding: 0.1rem 0.55rem;
    border: 1px solid transparent; /* seen where colours are forced */
    border-radius: 999px;
    background: var(--text);
    color: var(--background);
    box-shadow: var(--shadow-high);
    font-size: 0.92rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  input::-webkit-slider-runnable-track {
    height: 0.6rem;
    border-radius: 999px;
    background: var(--track, linear-gradient(to var(--towards), var(--accent) calc(var(--share) * 100%), var(--border) 0));
  }

  input::-moz-range-track {
    height: 0.6rem;
    border-radius: 999px;
    background: var(--track, linear-gradient(to var(--towards), var(--accent) calc(var(--share) * 100%), var(--border) 0));
  }

  input::-webkit-slider-thumb {
    width: 1.5rem;
    height: 1.5rem;
    margin-top: -0.45rem;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--knob, var(--accent));
    box-shadow: 0 0 0 1px var(--border-strong);
    appearance: none;
  }

  input::-moz-range-thumb {
    width: 1.2rem;
    height: 1.2rem;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--knob, var(--accent));
    box-shadow: 0 0 0 1px var(--border-strong);
  }

  :host([scale="temperature"]) {
    --track: linear-gradient(to var(--towards), #ffb057, #fff3e0 50%, #cfe3ff);
  }

  :host([scale="hue"]) {
    --track: linear-gradient(to var(--towards), #f00, #ff0, #0f0, #0ff, #00f, #f0f, #f00);
  }

  :host([scale="saturation"]) {
    --track: linear-gradient(to var(--towards), #fff, var(--scale-colour, #f00));
  }

  :host([scale]:not([scale=""])) input {
    --knob: var(--text);
  }
`;
