// SPDX-License-Identifier: Apache-2.0
// How a label looks: its name beside its colour.
import { css, html, type TemplateResult } from "lit";

import type { Label } from "../api/types";
import { styles } from "./styles_directive";

// The names of colours that labels may have, and what they are on pages.
const labelColors: Record<string, string> = {
  red: "#d32f2f",
  pink: "#d81b60",
  purple: "#8e24aa",
  "deep-purple": "#5e35b1",
  indigo: "#3949ab",
  blue: "#1e88e5",
  "light-blue": "#039be5",
  cyan: "#00acc1",
  teal: "#00897b",
  green: "#43a047",
  "light-green": "#7cb342",
  lime: "#c0ca33",
  yellow: "#fdd835",
  amber: "#ffb300",
  orange: "#fb8c00",
  "deep-orange": "#f4511e",
  brown: "#6d4c41",
  grey: "#757575",
  "light-grey": "#bdbdbd",
  "dark-grey": "#606060",
  "blue-grey": "#546e7a",
  black: "#000000",
  white: "#ffffff",
  primary: "var(--accent)",
  accent: "var(--accent)",
  disabled: "var(--border-strong)",
};

// Undefined if the label has none that is known.
export function cssColor(color: string | null): string | undefined {
  if (color === null) return undefined;
  if (/^#[0-9a-f]{6}$/i.test(color)) return color;
  return Object.hasOwn(labelColors, color) ? labelColors[color] : undefined;
}

export function labelChip({ name, color }: Pick<Label, "name" | "color">): TemplateResult {
  return html`<span class="label"><i ${styles({ background: cssColor(color) ?? "transparent" })}></i>${name}</span>`;
}

export const labelChips = css`
  .label {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    max-width: 100%;
    margin-inline-end: 0.3rem;
    padding: 0.1rem 0.6rem;
    border-radius: 999px;
    background: var(--surface-2);
    color: var(--text);
    font-size: 0.88rem;
    font-weight: 550;
    overflow-wrap: anywhere;
  }

  .label i {
    flex: none;
    width: 0.8rem;
    height: 0.8rem;
    border: 1px solid var(--border-strong);
    border-radius: 50%;
  }
`;
