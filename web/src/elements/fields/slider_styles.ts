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
    height: 2.75rem;
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

  /* The main one of a dialog, for a thumb. */
  :host([big]) input {
    height: 4.2rem;
  }

  :host([big]) input::-webkit-slider-runnable-track {
    height: 4.2rem;
    border: 1px solid var(--border-strong);
    border-radius: var(--radius);
    background: linear-gradient(
      to var(--towards),
      var(--fill, var(--accent-soft)) calc(var(--share) * (100% - 1.5rem) + 0.75rem),
      var(--surface-2) 0
    );
  }

  :host([big]) input::-moz-range-track {
    height: 4.2rem;
    border: 1px solid var(--border-strong);
    border-radius: var(--radius);
    background: linear-gradient(
      to var(--towards),
      var(--fill, var(--accent-soft)) calc(var(--share) * (100% - 1.5rem) + 0.75rem),
      var(--surface-2) 0
    );
  }

  :host([big]) input::-webkit-slider-thumb {
    height: 2.4rem;
    margin-top: 0.85rem;
    border-width: 0 0.55rem;
    border-color: transparent;
    border-radius: 0.75rem;
    background: var(--text-2);
    background-clip: padding-box;
    box-shadow: none;
  }

  :host([big]) input::-moz-range-thumb {
    box-sizing: border-box;
    width: 1.5rem;
    height: 2.4rem;
    border-width: 0 0.55rem;
    border-color: transparent;
    border-radius: 0.75rem;
    background: var(--text-2);
    background-clip: padding-box;
    box-shadow: none;
  }

  :host([big]) .chosen {
    inset-block-end: calc(100% - 0.6rem);
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

  /* All of a card: how far it is filled is drawn behind what stands on the card, which isolates. */
  :host([tile]) label {
    position: absolute;
    z-index: 1;
    inset: 0;
    border-radius: var(--radius);
  }

  :host([tile][disabled]) label {
    pointer-events: none;
  }

  :host([tile])::before {
    content: "";
    position: absolute;
    z-index: -1;
    inset: -1px;
    border-radius: var(--radius);
    background: linear-gradient(to var(--towards), var(--fill, var(--accent-soft)) calc(var(--share) * 100%), transparent 0);
    pointer-events: none;
  }

  :host([tile]) input {
    height: 100%;
    border-radius: inherit;
    opacity: 1;
  }

  :host([tile]) input::-webkit-slider-runnable-track {
    background: none;
  }

  :host([tile]) input::-moz-range-track {
    background: none;
  }

  :host([tile]) input::-webkit-slider-thumb {
    visibility: hidden;
  }

  :host([tile]) input::-moz-range-thumb {
    visibility: hidden;
  }

  /* The end of what is filled can be taken. */
  :host([tile]:not([disabled]))::after {
    content: "";
    position: absolute;
    z-index: -1;
    inset-block: 0.7rem;
    inset-inline-start: clamp(0.35rem, calc(var(--share) * 100% - 0.45rem), calc(100% - 0.55rem));
    width: 0.2rem;
    border-radius: 999px;
    background: var(--border-strong);
    opacity: 0.55;
    pointer-events: none;
  }

  :host([tile]) .chosen {
    inset: -0.9rem 0.4rem auto;
  }

  @media (forced-colors: active) {
    input::-webkit-slider-runnable-track {
      border: 1px solid CanvasText;
      background: linear-gradient(to var(--towards), Highlight calc(var(--share) * 100%), Canvas 0);
      forced-color-adjust: none;
    }

    input::-moz-range-track {
      border: 1px solid CanvasText;
      background: linear-gradient(to var(--towards), Highlight calc(var(--share) * 100%), Canvas 0);
      forced-color-adjust: none;
    }

    input::-webkit-slider-thumb {
      border-color: Canvas;
      background: ButtonText;
      box-shadow: 0 0 0 1px ButtonText;
      forced-color-adjust: none;
    }

    input::-moz-range-thumb {
      border-color: Canvas;
      background: ButtonText;
      box-shadow: 0 0 0 1px ButtonText;
      forced-color-adjust: none;
    }

    /* A line at the card's foot, as the colour behind words would be lost. */
    :host([tile]) input::-webkit-slider-runnable-track {
      border: 0;
      background: none;
    }

    :host([tile]) input::-moz-range-track {
      border: 0;
      background: none;
    }

    :host([tile])::before {
      inset: auto 0 0;
      height: 5px;
      background: linear-gradient(to var(--towards), Highlight calc(var(--share) * 100%), transparent 0);
      forced-color-adjust: none;
    }
  }
`;
