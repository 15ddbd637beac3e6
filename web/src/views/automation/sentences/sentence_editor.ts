// SPDX-License-Identifier: Apache-2.0
// An automation or script in sentences. Its text stays the truth: it is read into rows, and written again with each change.
import { mdiRedo, mdiUndo } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { LabelsController } from "../../../api/labels";
import type { Services } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import { t } from "../../../i18n/catalogue";
import { translated } from "../../../i18n/service_words";
import { ItemText, textOf, type Problem } from "../../../items/item_text";
import { shared } from "../../../styles/shared";
import { rewritten } from "../editor/rewritten";
import { fieldsOf } from "../fields/field_rows";
import type { NewId } from "../fields/new_id";
import { isConfig, pathOf, pathText, withAt, type Config, type Path } from "./edit";
import type { Editing } from "./editing";
import { editorStyles } from "./editor_styles";
import { History } from "./history";
import type { Section } from "./kinds";
import { modernItem } from "./modern";
import { samePath, withMove, type Move } from "./moving";
import { drawn } from "./sentence_rows";
import { openSlots, openWords } from "./slots/open_slots";
import { sentenceText } from "./words";
import "../../../elements/icon";
import "../../../elements/loading";
import "./mode_fields";

const words = { unread: (tag: string) => tag, expected: "" };
// Milliseconds that nobody has typed before the text is written.
const pause = 250;

// Fires `text-changed` with the new text, and `text-begun` when it will be another one as soon as typing pauses; `settle` writes it at once.
@customElement("hearth-sentence-editor")
export class SentenceEditor extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() kind: "automation" | "script" = "automation";
  // One section alone, of what is no whole item.
  @property() only: "triggers" | "conditions" | "actions" | "" = "";
  @property() text = "";
  @property({ type: Boolean }) fixed = false;
  @property({ attribute: false }) problems: Problem[] = [];
  // Its owner keeps it while other looks of the same item are shown.
  @property({ attribute: false }) history = new History<Config>();
  // Of a new script.
  @property({ attribute: false }) newId: NewId | undefined;
  // The fields of a script, which are drawn by what draws this editor, too.
  @property({ attribute: false }) drawFields: ((editing: Editing) => TemplateResult) | undefined;
  @state() private services: Services | undefined;
  @state() private failure = "";
  @state() private said = "";
  private item: Config = {};
  private read: string | undefined;
  private isReadable = true;
  // The meaning of the text, if its owner knows; reading a long one takes time.
  @property({ attribute: false }) known: { text: string; item: Config } | undefined;
  private readonly lists: Editing["lists"] = new Set();
  private version = 0;
  private isWritten = false;
  private named = "";
  // Typed, and not yet in the text.
  private typing: ReturnType<typeof setTimeout> | undefined;
  private hadFields = false;
  private readonly labels = new LabelsController(this, () => this.home);

  static override styles = [shared, editorStyles];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.settle();
  }

  // Writes what is typed. To be called before anybody reads the text.
  settle(): void {
    if (this.typing === undefined) return;
    this.stopTyping();
    this.write(this.item);
  }

  // Forgets what is typed and not yet in the text.
  discard(): void {
    if (this.typing === undefined) return;
    this.stopTyping();
    this.read = undefined;
    this.requestUpdate();
  }

  private stopTyping(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.services = await translated(await this.home.command<Services>("get_services"));
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  override willUpdate(): void {
    if (!this.isWritten) this.version += 1;
    this.isWritten = false;
    if (this.text === this.read) return;
    this.stopTyping(); // it is overtaken
    const parsed = this.known?.text === this.text ? undefined : new ItemText(this.text);
    this.isReadable = (parsed?.problems(words).length ?? 0) === 0;
    if (this.isReadable) {
      this.item = modernItem(parsed?.item() ?? this.known?.item ?? {});
      this.history.show(this.item, this.text);
    }
    this.read = this.text;
  }

  // Slots that the sentences leave open now, and that were filled in the item's former text.
  open(former: Config): Problem[] {
    if (!this.services || !this.isReadable || this.only) return [];
    return openSlots(this.editing(this.services), this.item, former).map(({ path, said }) => ({
      from: 0,
      to: 0,
      line: 1,
      message: said,
      path,
      said,
    }));
  }

  worded({ hub, message }: Problem): string {
    return openWords(hub) ?? message;
  }

  // Shows the row of a problem.
  show({ path }: Problem): void {
    void this.drawAt(path ?? "").then(() => {
      const found = saidAt(this.renderRoot, path ?? "");
      found?.scrollIntoView({ block: "center" });
      found?.focus({ preventScroll: true });
    });
  }

  // So that the row of a problem is there, however long the lists are that it is in.
  private async drawAt(path: string): Promise<void> {
    const parts = pathOf(path.replaceAll("[", ".").replaceAll("]", ""));
    for (let length = 1; length < parts.length; length++) {
      const index = parts[length];
      const list = typeof index === "number" ? [...this.lists].find((each) => samePath(each.path, parts.slice(0, length))) : undefined;
      if (!list) continue;
      list.ensure(Number(index));
      await drawn();
      list.ensure(Number(index)); // it may have been made just now
      await drawn();
    }
  }

  private write(item: Config): void {
    this.item = item;
    // A text without comments and tags stands for itself.
    const isPlain = this.known?.text === this.text || !/(^|\s)[#!&*]/.test(this.text);
    this.read = this.text = isPlain ? textOf(item) : (rewritten(this.text, new ItemText(this.text).item(), item) ?? textOf(item));
    this.known = isPlain ? { text: this.text, item } : undefined;
    this.history.written(item, this.text);
    this.dispatchEvent(new CustomEvent("text-changed", { detail: this.text }));
    this.isWritten = true;
    this.requestUpdate();
  }

  private change(path: Path, value: unknown): void {
    if (this.fixed) return;
    const isTyped = !Array.isArray(value) && value !== undefined && typeof path.at(-1) === "string";
    this.history.note(this.item, isTyped ? pathText(path) : "");
    const item = withAt(this.item, path, value) as Config;
    if (isTyped && !this.only) return this.type(item);
    this.stopTyping();
    this.write(item);
  }

  // To write the text of a long item takes longer than a key may.
  private type(item: Config): void {
    this.item = item;
    const isBegun = this.typing === undefined;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.settle(), pause);
    if (isBegun) this.dispatchEvent(new CustomEvent("text-begun"));
    this.isWritten = true;
    this.requestUpdate();
  }

  private move(move: Move): void {
    if (this.fixed) return;
    const { item, path } = withMove(this.item, move);
    this.stopTyping();
    this.history.note(this.item, "");
    this.write(item);
    const list = path.slice(0, -1);
    const place = Number(path.at(-1));
    void drawn().then(() => {
      const found = [...this.lists].find((each) => samePath(each.path, list));
      this.said = found ? t("row.movedTo", { list: found.label, place: place + 1 }) : "";
      return found?.focusAt(place, "focusHandle");
    });
  }

  private step(which: "undo" | "redo"): void {
    this.settle();
    const item = this.history[which](this.item);
    if (!item) return;
    this.write(item);
    this.said = t(which === "undo" ? "sentences.undone" : "sentences.redone");
  }

  private press(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const origin = event.composedPath()[0];
    if (origin instanceof HTMLTextAreaElement || (origin instanceof HTMLInputElement && origin.type !== "checkbox")) return; // the field's own
    const key = event.key.toLowerCase();
    if (key === "z") this.step(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.step("redo");
    else return;
    event.preventDefault();
  }

  private editing(services: Services): Editing {
    const own = (): Config => this.item;
    const editing: Editing = {
      version: this.version,
      home: this.home,
      services,
      labels: this.labels.all,
      triggers: [],
      get item() {
        return own();
      },
      fixed: this.fixed,
      problems: this.problems.flatMap(({ path, said, hub }) => (path === undefined ? [] : [{ path, message: said ?? "", hub }])),
      change: (path, value) => this.change(path, value),
      move: (move) => this.move(move),
      lists: this.lists,
      announce: (text) => (this.said = text),
    };
    const triggers = Array.isArray(this.item.triggers) ? (this.item.triggers as unknown[]) : [];
    editing.triggers = triggers.map((trigger, index) => {
      const id = isConfig(trigger) && trigger.id !== undefined ? String(trigger.id) : String(index);
      return [id, sentenceText(editing, "triggers", trigger)];
    });
    // Conditions name triggers.
    const named = JSON.stringify(editing.triggers);
    if (named !== this.named) editing.version = this.version += 1;
    this.named = named;
    return editing;
  }

  override render() {
    if (!this.isReadable) return html`<p class="problem">${t("sentences.unreadable")}</p>`;
    if (!this.services) return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`;
    const editing = this.editing(this.services);
    if (this.only) {
      return html`<div class="editor part" @keydown=${(event: KeyboardEvent) => this.press(event)}>
        ${this.section(editing, this.only, this.only)}
        <p class="visually-hidden" role="status">${this.said}</p>
      </div>`;
    }
    return html`<div class="editor" @keydown=${(event: KeyboardEvent) => this.press(event)}>
      <div class="top">${this.names()} ${this.fixed ? nothing : this.undoing()}</div>
      ${this.kind === "automation"
        ? html`${this.section(editing, "triggers", "triggers")} ${this.section(editing, "conditions", "conditions")}
          ${this.section(editing, "actions", "actions")}`
        : html`${this.section(editing, "sequence", "actions")} ${this.fields(editing)}`}
      <hearth-mode-fields .editing=${editing} .kind=${this.kind} .newId=${this.newId}></hearth-mode-fields>
      <p class="visually-hidden" role="status">${this.said}</p>
    </div>`;
  }

  private names(): TemplateResult {
    const alias = typeof this.item.alias === "string" ? this.item.alias : "";
    const isNew = alias === t(`editor.new_${this.kind}`);
    return html`<label class="alias"
      >${t("sentences.name")}
      <input
        autocomplete="off"
        maxlength="255"
        ?disabled=${this.fixed}
        .value=${live(alias)}
        @focus=${(event: FocusEvent) => isNew && (event.target as HTMLInputElement).select()}
        @input=${(event: InputEvent) => this.change(["alias"], (event.target as HTMLInputElement).value)}
    /></label>`;
  }

  private fields(editing: Editing): TemplateResult | typeof nothing {
    if (!this.drawFields) return nothing;
    const count = fieldsOf(this.item).length;
    this.hadFields ||= count > 0;
    return html`<details ?open=${this.hadFields}>
      <summary>${t("sentences.fields")}${count > 0 ? html` (${count})` : nothing}</summary>
      ${this.drawFields(editing)}
    </details>`;
  }

  private undoing(): TemplateResult {
    const { history } = this;
    return html`<div class="undo">
      <button
        type="button"
        class="plain round"
        aria-label=${t("sentences.undo")}
        title=${t("sentences.undo")}
        ?disabled=${!history.canUndo}
        @click=${() => this.step("undo")}
      >
        <hearth-icon .path=${mdiUndo}></hearth-icon>
      </button>
      <button
        type="button"
        class="plain round"
        aria-label=${t("sentences.redo")}
        title=${t("sentences.redo")}
        ?disabled=${!history.canRedo}
        @click=${() => this.step("redo")}
      >
        <hearth-icon .path=${mdiRedo}></hearth-icon>
      </button>
    </div>`;
  }

  private section(editing: Editing, key: "triggers" | "conditions" | "actions" | "sequence", section: Section): TemplateResult {
    const rows = this.item[key];
    const list = Array.isArray(rows) ? (rows as unknown[]) : [];
    const heading = key === "sequence" ? "actions" : key;
    return html`<section aria-labelledby="heading-${key}">
      <div class="section-head">
        <h3 id="heading-${key}">${t(`sentences.${heading}`)}</h3>
        <span class="hint"
          >${list.length === 0
            ? t(`sentences.${heading}.empty`)
            : key === "triggers" && list.length > 1
              ? t("sentences.anyOf")
              : key === "conditions" && list.length > 1
                ? t("sentences.allOf")
                : nothing}</span
        >
      </div>
      <hearth-sentence-rows
        .editing=${editing}
        .section=${section}
        .path=${[key]}
        .rows=${list}
        .label=${t(`sentences.${heading}`)}
      ></hearth-sentence-rows>
    </section>`;
  }
}

// The words about that part of the item, wherever it stands in the rows.
function saidAt(root: ParentNode, path: string): HTMLElement | undefined {
  for (const element of root.querySelectorAll<HTMLElement>("*")) {
    if (element.dataset.path === path) return element;
    const inner = element.shadowRoot ? saidAt(element.shadowRoot, path) : undefined;
    if (inner) return inner;
  }
  return undefined;
}
