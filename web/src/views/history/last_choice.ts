// SPDX-License-Identifier: Apache-2.0
// The last choice on this page, in this browser.

const key = "hearth.history";

export interface LastChoice {
  ids: string[];
  // The parameters of the span, as the address has them.
  span: Record<string, string>;
}

export function lastChoice(): LastChoice | undefined {
  try {
    const { ids, span } = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<LastChoice>;
    return Array.isArray(ids) && ids.length > 0 ? { ids: ids.map(String), span: span ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

export function keepChoice(choice: LastChoice): void {
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    // A browser that keeps nothing offers nothing.
  }
}
