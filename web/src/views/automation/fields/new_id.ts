// SPDX-License-Identifier: Apache-2.0
// The id of a new script.
import { html, type TemplateResult } from "lit";

import { t } from "../../../i18n/catalogue";

export interface NewId {
  id: string;
  made: string;
  changed: (id: string) => void;
}

// Of a new script; `made`: the one that it gets if nobody types any.
export function objectIdField({ id, made, changed }: NewId): TemplateResult {
  return html`<label class="id"
    >${t("editor.objectId")}
    <span class="hint">${t("editor.objectIdHint", { id: id.trim() || made })}</span>
    <input
      class="mono"
      autocomplete="off"
      spellcheck="false"
      placeholder=${made}
      .value=${id}
      @input=${(event: InputEvent) => changed((event.target as HTMLInputElement).value)}
    />
  </label>`;
}
