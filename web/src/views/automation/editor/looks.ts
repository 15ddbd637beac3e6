// SPDX-License-Identifier: Apache-2.0
// The looks of an item. Each is large, and fetched when it is shown.
import { html, type TemplateResult } from "lit";

import type { Item, WrittenKind } from "../../../api/automations";
import type { Home } from "../../../api/home";
import { t } from "../../../i18n/catalogue";
import type { Problem } from "../../../items/item_text";
import type { NewId } from "../fields/new_id";
import type { Editing } from "../sentences/editing";
import type { History } from "../sentences/history";
import type { SentenceEditor } from "../sentences/sentence_editor";

export type Look = "sentences" | "text" | "inputs" | "things";

export const modules: Record<Look, () => Promise<unknown>> = {
  sentences: () => Promise.all([import("../sentences/sentence_editor"), import("../fields/script_fields")]),
  text: () => import("./yaml_editor"),
  inputs: () => import("../../../items/blueprint_form"),
  things: () => import("../scenes/scene_form"),
};

const drawFields = (editing: Editing) => html`<hearth-script-fields .editing=${editing}></hearth-script-fields>`;

interface Shown {
  home: Home;
  kind: WrittenKind;
  text: string;
  fixed: boolean;
  problems: Problem[];
  saved: Item | undefined; // undefined if it is new
  history: History<Item>; // of the sentences, also after a look at the text
  known: { text: string; item: Item } | undefined; // what a text means, if that is known
  newId: NewId | undefined; // of a new script
  changed: (text: string, item?: Item) => void;
  begun: () => void; // something is typed, and will be in the text soon
}

export function drawLook(
  look: Look,
  { home, kind, text, fixed, problems, saved, history, known, newId, changed, begun }: Shown,
): TemplateResult {
  const told = (event: CustomEvent<string>) => changed(event.detail);
  const sentencesTold = (event: CustomEvent<string>) => changed(event.detail, (event.target as SentenceEditor).known?.item);
  switch (look) {
    case "text":
      return html`<hearth-yaml-editor
        .text=${text}
        .label=${t("editor.label")}
        .description=${fixed ? "" : t("editor.hint")}
        .fixed=${fixed}
        .problems=${problems}
        @text-changed=${told}
      ></hearth-yaml-editor>`;
    case "inputs":
      return html`<hearth-blueprint-form
        .home=${home}
        .kind=${kind}
        .text=${text}
        .fixed=${fixed}
        .problems=${problems}
        .saved=${saved}
        @text-changed=${told}
      ></hearth-blueprint-form>`;
    case "things":
      return html`<hearth-scene-form
        .home=${home}
        .text=${text}
        .fixed=${fixed}
        .problems=${problems}
        @text-changed=${told}
      ></hearth-scene-form>`;
    case "sentences":
      return html`<hearth-sentence-editor
        .home=${home}
        .kind=${kind === "script" ? "script" : "automation"}
        .text=${text}
        .fixed=${fixed}
        .problems=${problems}
        .history=${history}
        .known=${known}
        .newId=${newId}
        .drawFields=${drawFields}
        @text-changed=${sentencesTold}
        @text-begun=${begun}
      ></hearth-sentence-editor>`;
  }
}
