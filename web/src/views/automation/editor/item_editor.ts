// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { deleteItem, entityOfItem, itemId, readItem, type Item, type WrittenKind } from "../../../api/automations";
import { readWritten, type Written } from "../../../api/item_files";
import { errorText, RestError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Action } from "../../../elements/action";
import { BottomBar } from "../../../elements/bottom_bars";
import { confirm } from "../../../elements/confirm";
import { notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { base, guardLeaving, navigate } from "../../../router";
import { shared } from "../../../styles/shared";
import { hubProblems } from "./item_check";
import { ItemText, knownOf, textOf, textOfLong, type Known, type Problem } from "../../../items/item_text";
import { itemEditorStyles } from "./item_editor_styles";
import { FileChangesController, readTheirs, type Theirs } from "./file_changes";
import { goneNotice, objectIdField, overtakenNotice, problemList } from "./item_notices";
import { isPartOf } from "../sentences/edit";
import { drawLook, modules, type Look } from "./looks";
import { freeObjectId, mayTake, newItem, splitId, takeDraft } from "./new_item";
import type { SceneForm } from "../scenes/scene_form";
import type { BlueprintForm } from "../../../items/blueprint_form";
import { History } from "../sentences/history";
import type { SentenceEditor } from "../sentences/sentence_editor";
import { writeChanged } from "./write_changed";
import type { YamlEditor } from "./yaml_editor";
import "../../../elements/action";
import "../../../elements/loading";

// What the hub reads in files.
const fileTags = /^!(include(_dir_(merge_)?(list|named))?|secret|env_var|input)$/;

const rest = 600; // milliseconds that nobody has typed before the hub is asked
const isSave = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => key.toLowerCase() === "s" && (ctrlKey || metaKey) && !altKey;

// One automation, script or scene, in sentences or as YAML; a new one where there is no `entityId`.
@customElement("hearth-item-editor")
export class ItemEditor extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) kind!: WrittenKind;
  @property({ attribute: false }) entityId = "";
  // The entity whose copy the new one begins as.
  @property({ attribute: false }) copied = "";
  // The path of the blueprint that the new one uses.
  @property({ attribute: false }) blueprint = "";
  @property({ attribute: false }) wanted: Look = "text";
  @state() private there: Look[] = [];
  @state() private text = "";
  @state() private problems: Problem[] = [];
  @state() private failure: unknown;
  @state() private loaded = false;
  // Whether problems are of what was to be saved, and not only of what is being written.
  @state() private refused = false;
  @state() private objectId = "";
  @query("hearth-yaml-editor, hearth-sentence-editor, hearth-blueprint-form, hearth-scene-form") private editor!:
    | YamlEditor
    | SentenceEditor
    | BlueprintForm
    | SceneForm
    | null;
  @query("hearth-action.save") private saveButton!: Action | null;
  private kept = "";
  // Whether `text` is the item's own, as it stands in its file with its comments; otherwise what it means.
  private isOwnText = false;
  // As the file has it; undefined of a new one.
  private written: Written | undefined;
  // So that what is written here has its place also when the item is gone.
  private lastId: string | undefined;
  private known: Known | undefined;
  private isSaving = false;
  private returnsFocus = false;
  // It was changed elsewhere, and what is written here is not what it was made of.
  @state() private theirs: Theirs | undefined;
  // It was deleted elsewhere, and something is written here.
  @state() private isGone = false;
  // As the hub had it when it was read.
  private item: Item = {};
  // What can be undone in the sentences, also after a look at the text.
  private history = new History<Item>();
  private unguard: (() => void) | undefined;
  private asking: Promise<boolean> | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;

  static override styles = [shared, itemEditorStyles];

  constructor() {
    super();
    new BottomBar(this, () => this.renderRoot.querySelector(".end-buttons"));
    new FileChangesController(this, () => ({
      home: this.home,
      kind: this.kind,
      id: this.writtenId,
      changed: (userId) => this.compare(userId),
    }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unguard = guardLeaving({ isNeeded: () => this.isChanged, ask: () => this.mayLeave() });
    window.addEventListener("keydown", this.pressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unguard?.();
    clearTimeout(this.resting);
    window.removeEventListener("keydown", this.pressed);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (["entityId", "kind", "copied", "blueprint"].some((name) => changes.has(name))) void this.load();
    if (changes.has("wanted") && this.loaded) {
      void this.fetch();
      if (!this.isChanged) this.showKept();
    }
  }

  // What uses a blueprint has inputs instead of sentences, a scene has things.
  private get look(): Look {
    if (this.kind === "scene" && this.wanted === "sentences") return "things";
    return this.wanted === "sentences" && this.item.use_blueprint ? "inputs" : this.wanted;
  }

  private async fetch(): Promise<void> {
    const { look } = this;
    this.failure = undefined;
    try {
      await modules[look]();
      this.there = [...this.there, look];
    } catch (error) {
      this.failure = error;
    }
  }

  private again(): void {
    if (!this.loaded) void this.load();
    else if (!this.there.includes(this.look)) void this.fetch();
  }

  get isChanged(): boolean {
    return this.loaded && this.text !== this.kept;
  }

  // Asks before what is not saved is lost.
  mayLeave(): Promise<boolean> {
    if (!this.isChanged) return Promise.resolve(true);
    this.asking ??= confirm({
      heading: t("editor.leaveHeading"),
      text: t("editor.leaveText"),
      action: t("editor.revert"),
      danger: true,
    }).finally(() => (this.asking = undefined));
    return this.asking;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!isSave(event) || this.hidden) return;
    event.preventDefault();
    if (!event.repeat) void this.saveButton?.start();
  };

  private get writtenId(): string | undefined {
    return this.entityId ? (itemId(this.home, this.entityId) ?? this.lastId) : undefined;
  }

  private get isFixed(): boolean {
    return this.entityId !== "" && this.writtenId === undefined;
  }

  // What is not saved is lost.
  async load(): Promise<void> {
    this.failure = undefined;
    this.loaded = false;
    this.history = new History();
    this.lastId = undefined;
    this.lastId = this.writtenId;
    const source = this.entityId || this.copied;
    const draft = source ? undefined : takeDraft();
    try {
      const [item, written] = await Promise.all([
        source ? readItem(this.home, source) : (draft ?? newItem(this.home, this.kind, this.blueprint)),
        this.readWritten(),
      ]);
      this.item = item;
      this.written = written;
    } catch (error) {
      this.failure = error;
      return;
    }
    if (!this.entityId && source) {
      const name = this.kind === "scene" ? "name" : "alias";
      this.item = { ...this.item, [name]: t("editor.copyOf", { name: String(this.item[name] ?? this.home.nameOf(source)) }) };
    }
    this.known = { text: await textOfLong(this.item), item: this.item };
    this.dispatchEvent(new CustomEvent<boolean>("item-read", { detail: Boolean(this.item.use_blueprint) }));
    this.showKept();
    void this.fetch();
    if (draft || (!this.entityId && source)) this.kept = ""; // what nobody saves would be lost
    const error = this.entityId && this.home.entity(this.entityId)?.attributes.error;
    if (typeof error === "string") this.problems = new ItemText(this.text).refusals(error, hubMessage);
  }

  private async readWritten(): Promise<Written | undefined> {
    const id = this.writtenId;
    return id === undefined ? undefined : readWritten(this.home, this.kind, id);
  }

  // What is kept, as the look shows it: sentences change single keys of the file, the text is all of it.
  private showKept(): void {
    const own = this.look === "text" ? this.written?.text : undefined;
    this.isOwnText = own !== undefined;
    if (this.known?.item !== this.item) this.known = { text: textOf(this.item), item: this.item };
    this.show(own ?? this.known.text);
  }

  // Takes what was changed elsewhere, or says so where something is not saved yet.
  private async compare(userId: string | null): Promise<void> {
    const { entityId, writtenId: id } = this;
    if (!this.loaded || id === undefined || this.isSaving) return;
    const now = await this.readWritten().catch((error: unknown) => this.lost(error));
    if (!now || this.isSaving || !this.loaded || entityId !== this.entityId) return;
    this.isGone = false;
    if (now.tag === this.written?.tag) this.theirs = undefined;
    else if (this.isChanged) this.theirs = await readTheirs(this.home, this.kind, entityId, id, userId);
    else await this.load();
  }

  private lost(error: unknown): undefined {
    if (!(error instanceof RestError) || error.status !== 404) throw error;
    this.isGone = this.isChanged;
  }

  // What was changed elsewhere is what the next save replaces.
  private keepMine({ item, written }: Theirs): void {
    this.item = item;
    this.written = written;
    this.known = { text: textOf(item), item };
    this.kept = (this.isOwnText ? written.text : undefined) ?? this.known.text;
    this.theirs = undefined;
  }

  private show(text: string): void {
    this.text = this.kept = text;
    this.problems = [];
    this.refused = false;
    this.theirs = undefined;
    this.isGone = false;
    this.loaded = true;
  }

  // `known`: what the text means, if the look knows.
  private changed(text: string, known?: Item): void {
    this.text = text;
    if (known) this.known = { text, item: known };
    this.refused = false;
    clearTimeout(this.resting);
    // A sentence that has just been begun lacks something; that is said when somebody wants to save it.
    if (this.look !== "text" && this.problems.length === 0) return;
    this.resting = setTimeout(() => void this.check(), rest);
  }

  private readable(text: string): ItemText {
    return new ItemText(text, this.known?.text === text ? this.known.item : undefined);
  }

  private get ownProblems(): Problem[] {
    const isKnown = (tag: string) => this.isOwnText && fileTags.test(tag);
    const words = { unread: (tag: string) => (isKnown(tag) ? "" : t("editor.noTag", { tag })), expected: t("editor.expected") };
    const found = this.readable(this.text).problems(words);
    return this.editor && "unread" in this.editor ? [...found, ...this.editor.unread] : found;
  }

  // Slots that the sentences leave open now, and that were filled when the item was read.
  private get open(): Problem[] {
    return this.editor && "open" in this.editor ? this.editor.open(this.item) : [];
  }

  private async check(): Promise<void> {
    const { text } = this;
    this.known = await knownOf(text, this.known);
    const found = await this.allProblems();
    if (text === this.text && !this.refused) this.problems = found;
  }

  // Errors of the text so far: of its YAML, of open slots, and from the hub.
  private async allProblems(): Promise<Problem[]> {
    const own = this.ownProblems;
    if (own.length > 0) return own;
    const { open } = this;
    const isBlind = this.kind === "scene" || (this.isOwnText && /(^|\s)![a-z]/m.test(this.text)); // what tags stand for, only the file says
    const hub = isBlind ? [] : await hubProblems(this.home, this.readable(this.text)).catch(() => []);
    return [...open, ...hub.filter(({ path = "" }) => !open.some((one) => isPartOf(path, one.path ?? "")))];
  }

  private refuse(problems: Problem[]): void {
    this.problems = problems;
    this.refused = true;
    const [first] = problems;
    if (first) void this.updateComplete.then(() => this.showProblem(first));
  }

  // At its place; what has none, as what is wrong with a file, in the list of problems.
  private async showProblem(problem: Problem): Promise<void> {
    await this.editor?.show(problem);
    const list = this.renderRoot.querySelector<HTMLElement>(".problem-list");
    const box = list?.getBoundingClientRect();
    if (list && box && problem.path === undefined && (box.top < 0 || box.bottom > innerHeight)) list.scrollIntoView({ block: "center" });
  }

  private async save(): Promise<void> {
    if (this.isFixed || !this.loaded) return;
    this.isSaving = true;
    try {
      await this.saveNow();
    } finally {
      this.isSaving = false;
    }
  }

  private async saveNow(): Promise<void> {
    clearTimeout(this.resting);
    this.known = await knownOf(this.text, this.known);
    if (this.ownProblems.length > 0 || this.open.length > 0) return this.refuse(await this.allProblems());
    const { text } = this;
    const parsed = this.readable(text);
    const { written, item } = splitId(this.kind, parsed.item());
    const id = this.writtenId ?? this.newId(item, written);
    if (written !== undefined && String(written) !== id) return this.refuse(parsed.refusals(`id: ${t("editor.idStays", { id })}`));
    if (!this.entityId && !(await mayTake(this.home, this.kind, id))) return;
    const body = this.isOwnText || (!this.entityId && this.look === "text") ? text : item;
    try {
      if (!(await this.write(id, body))) return;
    } catch (error) {
      if (!(error instanceof RestError) || error.status !== 400) throw error;
      return this.refuse(parsed.refusals(error.message, hubMessage));
    }
    await this.saved(id, text);
  }

  // Whether it is written: what was changed elsewhere meanwhile is replaced only if the answer is yes.
  private async write(id: string, body: Item | string): Promise<boolean> {
    const former = { entityId: this.entityId, item: this.item, text: this.entityId && !this.isGone ? this.written?.text : undefined };
    const put = (tag = "") => writeChanged(this.home, this.kind, id, former, body, tag);
    try {
      await put(this.isGone ? "" : this.written?.tag);
    } catch (error) {
      if (!(error instanceof RestError) || error.status !== 412) throw error;
      this.theirs = this.entityId ? await readTheirs(this.home, this.kind, this.entityId, id, null).catch(() => undefined) : undefined;
      if (
        !(await confirm({ heading: t("editor.changedHeading"), text: t("editor.changedText"), action: t("editor.replace"), danger: true }))
      )
        return false;
      await put();
    }
    this.theirs = undefined;
    return true;
  }

  private async saved(id: string, text: string): Promise<void> {
    this.kept = text;
    this.problems = [];
    this.refused = false;
    notifyDone(t("action.saved"));
    if (this.entityId && !this.isGone) {
      [this.item, this.written] = await Promise.all([readItem(this.home, this.entityId), this.readWritten()]);
      void textOfLong(this.item); // it may be wanted soon
      this.requestUpdate();
      return;
    }
    const entityId = await entityOfItem(this.home, this.kind, id);
    const view = this.look === "text" ? "?view=yaml" : "";
    const hadFocus = this.saveButton?.matches(":focus-within") ?? false;
    navigate(`${base}/settings/automations${entityId ? `/${entityId}${view}` : ""}`, "replace");
    this.returnsFocus = hadFocus && entityId !== undefined;
  }

  // The button stays the place where somebody is who has saved, while the item is read anew.
  override updated(): void {
    if (!this.returnsFocus || !this.saveButton || !this.loaded) return;
    this.returnsFocus = false;
    void this.saveButton.updateComplete.then(() => this.saveButton?.focus());
  }

  private newId(item: Item, written: unknown): string {
    if (this.kind !== "script") return written !== undefined && written !== null ? String(written) : String(Date.now());
    return this.objectId.trim() || freeObjectId(this.home, item);
  }

  // As it is written now, saved or not, with secrets masked. Throws if that cannot be read.
  draft(): Item {
    const [problem] = this.ownProblems;
    if (problem) throw new Error(problem.message);
    return this.readable(this.text).masked();
  }

  // Deletes it, if the answer is yes.
  async erase(): Promise<void> {
    const id = this.writtenId;
    if (id === undefined) return;
    const name = this.home.nameOf(this.entityId);
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name }),
      text: t("editor.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    await deleteItem(this.home, this.kind, id);
    this.kept = this.text;
    notifyDone(t("editor.deleted", { name }));
    navigate(`${base}/settings/automations`);
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => this.again()}></hearth-loading>`;
    if (!this.loaded || !this.there.includes(this.look)) return html`<hearth-loading></hearth-loading>`;
    const fixed = this.isFixed;
    return html`<section class="card stack ${this.look}">
      ${fixed ? html`<p class="problem">${t("editor.withoutId")}</p>` : nothing} ${this.elsewhere()}
      ${this.entityId || this.kind !== "script" ? nothing : objectIdField(this.objectId, (id) => (this.objectId = id))}
      ${drawLook(this.look, {
        home: this.home,
        kind: this.kind,
        text: this.text,
        fixed,
        problems: this.problems,
        saved: this.entityId ? this.item : undefined,
        history: this.history,
        known: this.known,
        changed: (text, item) => this.changed(text, item),
      })}
      ${problemList(this.problems, { refused: this.refused, lines: this.look === "text", editor: () => this.editor })}
      ${fixed
        ? nothing
        : html`${this.look === "text"
              ? html`<p class="hint">${t("editor.hint")} ${this.losesComments ? t("editor.comments") : nothing}</p>`
              : nothing}
            <div class="end-buttons">
              <span class="hint" role="status">${this.isChanged ? t("editor.unsaved") : nothing}</span>
              ${this.entityId && this.isChanged
                ? html`<button type="button" @click=${() => void (this.theirs ? this.load() : this.showKept())}>
                    ${t("editor.revert")}
                  </button>`
                : nothing}
              <hearth-action class="save" look="primary" .label=${t("action.save")} .run=${() => this.save()}></hearth-action>
            </div>`}
    </section>`;
  }

  // Comments in a text that is not the file's: those in the file stay.
  private get losesComments(): boolean {
    return this.entityId !== "" && !this.isOwnText && /(^|\s)#/m.test(this.text);
  }

  private elsewhere(): TemplateResult | typeof nothing {
    const { theirs } = this;
    if (this.isGone) return goneNotice();
    if (!theirs) return nothing;
    const former = theirs.written.text === undefined ? undefined : this.written?.text;
    return overtakenNotice(theirs, former ?? textOf(this.item), { take: () => void this.load(), keep: () => this.keepMine(theirs) });
  }
}
