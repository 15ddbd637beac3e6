// SPDX-License-Identifier: Apache-2.0
import { t } from "../i18n/catalogue";

// Puts a text on the clipboard. Browsers keep `navigator.clipboard` from pages that came without TLS, as those of a hub at home often do;
// the older way needs a place within the dialog that is open, `beside`.
export async function copyText(text: string, beside: Node): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    // not there, or refused
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
