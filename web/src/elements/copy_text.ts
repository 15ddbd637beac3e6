// SPDX-License-Identifier: Apache-2.0
import { t } from "../i18n/catalogue";

// Puts a text on the clipboard. Browsers offer `navigator.clipboard` only to pages loaded by TLS, which a hub at home
// often lacks; the older way needs an element inside the open dialog, `beside`.
export async function copyText(text: string, beside: Node): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    // absent, or refused
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  beside.appendChild(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error(t("error.copyRefused"));
}
