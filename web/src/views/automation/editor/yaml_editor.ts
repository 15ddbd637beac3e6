// SPDX-License-Identifier: Apache-2.0
// The editor of a YAML text. It is large: only what shows one imports it, when it runs.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { LitElement, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import type { Problem } from "../../../items/item_text";
import { shared } from "../../../styles/shared";

const theme = EditorView.theme({
  "&": {
    border: "1px solid var(--border-strong)",
    borderRadius: "var(--radius-small)",
    background: "var(--surface)",
    color: "var(--text)",
    fontSize: "0.95rem",
  },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    minHeight: "16rem",
    maxHeight: "max(16rem, 65vh)",
    overflow: "auto",
    fontFamily: "var(--font-mono)",
    lineHeight: "1.5",
  },
  ".cm-content": { caretColor: "var(--text)", padding: "0.6rem 0" },
  ".cm-gutters": {
    background: "var(--surface-2)",
    color: "var(--text-2)",
    border: "0",
    borderRadius: "var(--radius-small) 0 0 var(--radius-small)",
  },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--text) 5%, transparent)" },
  ".cm-activeLineGutter": { background: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--accent-soft)" },
  ".cm-matchingBracket": { background: "var(--accent-soft) !important", color: "var(--on-accent-soft)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--danger) 1px", textUnderlineOffset: "3px" },
  ".cm-tooltip": {
    border: "1px solid var(--border-strong)",
    borderRadius: "var(--radius-small)",
    background: "var(--surface)",
    color: "var(--text)",
  },
  ".cm-diagnostic": { maxWidth: "min(36rem, 85vw)", padding: "0.4rem 0.7rem", overflowWrap: "anywhere", borderLeftColor: "var(--danger)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--curve-1)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--curve-3)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--text-2)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.typeName, tags.labelName], color: "var(--curve-4)" },
]);

// So that the keyboard is not caught: the next Tab, if it comes within two seconds, does not indent.
function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(2000);
  return false;
}

// Fires `text-changed` (its new text) when a person changes it.
@customElement("hearth-yaml-editor")
export class YamlEditor extends LitElement {
  // Setting another one replaces the text, and what could be undone.
  @property() text = "";
  // The accessible name.
  @property() label = "";
  // The id of what else describes it has to be in the same tree, so it is said here.
  @property() description = "";
  @property({ type: Boolean }) fixed = false;
  @property({ attribute: false }) problems: Problem[] = [];
  @query("div") private place!: HTMLElement;
  private view: EditorView | undefined;
  private readonly access = new Compartment();

  static override styles = [shared];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.view?.destroy();
    this.view = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate("text", null);
  }

  override focus(): void {
    this.view?.focus();
  }

  // Puts the cursor at a problem.
  show({ from, to }: Problem): void {
    const end = this.view?.state.doc.length ?? 0;
    this.view?.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
    this.view?.focus();
  }

  override updated(changes: Map<string, unknown>): void {
    if (!this.view) this.view = new EditorView({ parent: this.place, root: this.renderRoot as ShadowRoot, state: this.newState() });
    else if (changes.has("text") && this.text !== this.view.state.doc.toString()) this.view.setState(this.newState());
    else if (changes.has("label") || changes.has("description") || changes.has("fixed"))
      this.view.dispatch({ effects: this.access.reconfigure(this.accessible()) });
    if (changes.has("problems") || changes.has("text")) this.mark(this.view);
  }

  private mark(view: EditorView): void {
    const end = view.state.doc.length;
    const shown = this.problems
      .filter(({ line }) => line !== undefined)
      .map(({ from, to, message }) => ({ from: Math.min(from, end), to: Math.min(to, end), severity: "error" as const, message }));
    view.dispatch(setDiagnostics(view.state, shown));
  }

  private accessible() {
    const attributes = { "aria-label": this.label, ...(this.description && { "aria-description": this.description }) };
    return [
      EditorView.contentAttributes.of({ ...attributes, ...(this.fixed && { tabindex: "0", "aria-readonly": "true" }) }),
      EditorState.readOnly.of(this.fixed),
      EditorView.editable.of(!this.fixed),
    ];
  }

  private newState(): EditorState {
    return EditorState.create({
      doc: this.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
        EditorView.lineWrapping,
        yaml(),
        syntaxHighlighting(colours),
        theme,
        Prec.highest(keymap.of([{ key: "Escape", run: letTabLeave }])),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        this.access.of(this.accessible()),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          this.text = update.state.doc.toString();
          this.dispatchEvent(new CustomEvent("text-changed", { detail: this.text }));
        }),
      ],
    });
  }

  override render() {
    return html`<div></div>`;
  }
}
