// SPDX-License-Identifier: Apache-2.0
import { focusPath } from "../elements/focus";

// Inputs without a text of their own to be taken back.
const textless = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

// True if the focus is where a text is edited, whose own Ctrl+Z is meant.
export function isTyping(): boolean {
  const [element] = focusPath();
  if (!element) return false;
  if (element instanceof HTMLInputElement) return !textless.has(element.type) && !element.readOnly;
  return element instanceof HTMLTextAreaElement ? !element.readOnly : element.isContentEditable;
}
