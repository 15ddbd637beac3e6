// SPDX-License-Identifier: Apache-2.0
// Copies a field's text. Resolves to whether it worked. Browsers have navigator.clipboard only for https and for this very machine.
export async function copyField(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
