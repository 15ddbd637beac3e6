// SPDX-License-Identifier: Apache-2.0
import type { ReactiveControllerHost } from "lit";

import { deleteItem, entityOfItem, itemId, readItem, type Item, type WrittenKind } from "../../../api/automations";
import { RestError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readWritten, type Written } from "../../../api/item_files";
import { confirm } from "../../../elements/confirm";
import { notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { ItemText, knownOf, textOf, textOfLong, type Known, type Problem } from "../../../items/item_text";
import { isPartOf } from "../sentences/edit";
import { History } from "../sentences/history";
import { readTheirs, type Theirs } from "./file_changes";
import { hubProblems } from "./item_check";
import type { Look } from "./looks";
import { freeObjectId, mayTake, newItem, splitId, takeDraft } from "./new_item";
import { writeChanged } from "./write_changed";

// Tags of YAML that only the hub resolves, in files.
const fileTags = /^!(include(_dir_(merge_)?(list|named))?|secret|env_var|input)$/;

const rest = 600; // milliseconds that nobody has typed before the hub is asked

// The element that draws the text. It may know of fields that are no values, and of slots that are open now and were filled in `former`.
export interface Editor {
  show: (problem: Problem) => unknown;
  // The problem by the name of its field.
  worded?: (problem: Problem) => string;
  unread?: Problem[];
  // Of one that writes the text when typing pauses: writes it now, or forgets what is typed.
  settle?: () => void;
  discard?: () => void;
  open?: (former: Item) => Problem[];
}

interface About {
  home: Home;
  kind: WrittenKind;
  // None: a new one, perhaps as a copy of another entity's, or with a blueprint's path.
  entityId: string;
  copied: string;
  blueprint: string;
  look: Look;
  editor: Editor | null;
  // After it was read, before it is shown.
  read: () => void;
  // After a new one was saved; without an entity if the hub has made none.
  created: (entityId: string | undefined) => void;
}

// An item while it is written: its text, as it is kept and as it is now, what is wrong with it, and what others made of it meanwhile.
// Redraws its host after each change.
export class ItemStore {
  text = "";
  problems: Problem[] = [];
  // True if the problems are those of a save that was refused, false if they are those of the text as it is typed.
  refused = false;
  loaded = false;
  // Of reading it, or of fetching what shows it.
  failure: unknown;
  // As the hub had it when it was read.
  item: Item = {};
  // The meaning of the text; undefined if nobody knows it.
  known: Known | undefined;
  // The changes that can be undone in the sentences, also after a look at the text.
  history = new History<Item>();
  // It was changed elsewhere, and what is written here is not what it was made of.
  theirs: Theirs | undefined;
  // It was deleted elsewhere, and something is written here.
  isGone = false;
  private kept = "";
  // True if `text` is the item's own, as it is in its file with its comments; false if it was made of the meaning.
  private isOwnText = false;
  // As the file has it; undefined of a new one.
  private written: Written | undefined;
  // So that what is written here has its place also when the item is gone.
  private lastId: string | undefined;
  private isSaving = false;
  // The editor has something that is not in the text yet.
  private isTyped = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly about: () => About,
  ) {
    host.addController({ hostDisconnected: () => clearTimeout(this.resting) });
  }

  get isChanged(): boolean {
    return this.loaded && (this.isTyped || this.text !== this.kept);
  }

  get writtenId(): string | undefined {
    const { home, entityId } = this.about();
    return entityId ? (itemId(home, entityId) ?? this.lastId) : undefined;
  }

  get isFixed(): boolean {
    return this.about().entityId !== "" && this.writtenId === undefined;
  }

  // Comments in a text that is not the file's: those in the file stay.
  get losesComments(): boolean {
    return this.about().entityId !== "" && !this.isOwnText && /(^|\s)#/m.test(this.text);
  }

  // The text before others changed it.
  get former(): string {
    const own = this.theirs?.written.text === undefined ? undefined : this.written?.text;
    return own ?? textOf(this.item);
  }

  // The text will be another one soon.
  begin(): void {
    this.isTyped = true;
    this.host.requestUpdate();
  }

  // From now on the text has what was typed.
  settle(): void {
    this.about().editor?.settle?.();
    this.isTyped = false;
  }

  private discard(): void {
    this.about().editor?.discard?.();
    this.isTyped = false;
  }

  // Discards all that is not saved.
  async load(): Promise<void> {
    this.discard();
    const { home, kind, entityId, copied, blueprint, read } = this.about();
    this.failure = undefined;
    this.loaded = false;
    this.history = new History();
    this.lastId = undefined;
    this.lastId = this.writtenId;
    this.host.requestUpdate();
    const source = entityId || copied;
    const draft = source ? undefined : takeDraft();
    try {
      [this.item, this.written] = await Promise.all([
        source ? readItem(home, source) : (draft ?? newItem(home, kind, blueprint)),
        this.readWritten(),
      ]);
    } catch (error) {
      this.failure = error;
      return this.host.requestUpdate();
    }
    if (!entityId && source) {
      const name = kind === "scene" ? "name" : "alias";
      this.item = { ...this.item, [name]: t("editor.copyOf", { name: String(this.item[name] ?? home.nameOf(source)) }) };
    }
    this.known = { text: await textOfLong(this.item), item: this.item };
    read();
    this.showKept();
    if (draft || (!entityId && source)) this.kept = ""; // what nobody saves would be lost
    const error = entityId && home.entity(entityId)?.attributes.error;
    if (typeof error === "string") this.problems = new ItemText(this.text).refusals(error, hubMessage);
  }

  private async readWritten(): Promise<Written | undefined> {
    const { home, kind } = this.about();
    const id = this.writtenId;
    return id === undefined ? undefined : readWritten(home, kind, id);
  }

  // Shows the saved item as the look needs it: sentences change single keys of the file, the text is all of it.
  showKept(): void {
    this.discard();
    const own = this.about().look === "text" ? this.written?.text : undefined;
    this.isOwnText = own !== undefined;
    if (this.known?.item !== this.item) this.known = { text: textOf(this.item), item: this.item };
    this.text = this.kept = own ?? this.known.text;
    this.problems = [];
    this.refused = false;
    this.theirs = undefined;
    this.isGone = false;
    this.loaded = true;
    this.host.requestUpdate();
  }

  // Takes what was changed elsewhere, or says so where something is not saved yet.
  async compare(userId: string | null): Promise<void> {
    const { home, kind, entityId } = this.about();
    const id = this.writtenId;
    if (!this.loaded || id === undefined || this.isSaving) return;
    this.settle();
    const now = await this.readWritten().catch((error: unknown) => this.lost(error));
    if (!now || this.isSaving || !this.loaded || entityId !== this.about().entityId) return;
    this.isGone = false;
    if (now.tag === this.written?.tag) this.theirs = undefined;
    else if (this.isChanged) this.theirs = await readTheirs(home, kind, entityId, id, userId);
    else await this.load();
    this.host.requestUpdate();
  }

  private lost(error: unknown): undefined {
    if (!(error instanceof RestError) || error.status !== 404) throw error;
    this.isGone = this.isChanged;
    this.host.requestUpdate();
  }

  // The next save replaces what was changed elsewhere.
  keepMine({ item, written }: Theirs): void {
    this.item = item;
    this.written = written;
    this.known = { text: textOf(item), item };
    this.kept = (this.isOwnText ? written.text : undefined) ?? this.known.text;
    this.theirs = undefined;
    this.host.requestUpdate();
  }

  // `known`: what the text means, if the look knows.
  change(text: string, known?: Item): void {
    this.text = text;
    this.isTyped = false;
    if (known) this.known = { text, item: known };
    this.refused = false;
    this.host.requestUpdate();
    clearTimeout(this.resting);
    // A sentence that has just been begun lacks something; that is said when somebody wants to save it.
    if (this.about().look !== "text" && this.problems.length === 0) return;
    this.resting = setTimeout(() => void this.check(), rest);
  }

  private readable(text: string): ItemText {
    return new ItemText(text, this.known?.text === text ? this.known.item : undefined);
  }

  private get ownProblems(): Problem[] {
    const isKnown = (tag: string) => this.isOwnText && fileTags.test(tag);
    const words = { unread: (tag: string) => (isKnown(tag) ? "" : t("editor.noTag", { tag })), expected: t("editor.expected") };
    return [...this.readable(this.text).problems(words), ...(this.about().editor?.unread ?? [])];
  }

  private get open(): Problem[] {
    return this.about().editor?.open?.(this.item) ?? [];
  }

  private async check(): Promise<void> {
    this.settle();
    const { text } = this;
    this.known = await knownOf(text, this.known);
    const found = await this.allProblems();
    if (text !== this.text || this.refused) return;
    this.problems = found;
    this.host.requestUpdate();
  }

  // Errors of the text so far: of its YAML, of open slots, and from the hub.
  private async allProblems(): Promise<Problem[]> {
    const { home, kind } = this.about();
    const own = this.ownProblems;
    if (own.length > 0) return own;
    const { open } = this;
    const isBlind = kind === "scene" || (this.isOwnText && /(^|\s)![a-z]/m.test(this.text)); // what tags stand for, only the file says
    const hub = isBlind ? [] : await hubProblems(home, this.readable(this.text)).catch(() => []);
    return [...open, ...hub.filter(({ path = "" }) => !open.some((one) => isPartOf(path, one.path ?? "")))];
  }

  private refuse(problems: Problem[]): void {
    this.problems = problems;
    this.refused = true;
    this.host.requestUpdate();
  }

  // `objectId`: of a new script, if somebody has typed one. `refused` says if it was not valid.
  async save(objectId: string): Promise<void> {
    if (this.isFixed || !this.loaded) return;
    this.isSaving = true;
    try {
      await this.saveNow(objectId);
    } finally {
      this.isSaving = false;
    }
  }

  private async saveNow(objectId: string): Promise<void> {
    const { home, kind, entityId, look } = this.about();
    this.settle();
    clearTimeout(this.resting);
    this.known = await knownOf(this.text, this.known);
    if (this.ownProblems.length > 0 || this.open.length > 0) return this.refuse(await this.allProblems());
    const { text } = this;
    const parsed = this.readable(text);
    const { written, item } = splitId(kind, parsed.item());
    const newId = () => (kind === "script" ? objectId || freeObjectId(home, item) : String(written ?? Date.now()));
    const id = this.writtenId ?? newId();
    if (written !== undefined && String(written) !== id) return this.refuse(parsed.refusals(`id: ${t("editor.idStays", { id })}`));
    if (!entityId && !(await mayTake(home, kind, id))) return;
    const body = this.isOwnText || (!entityId && look === "text") ? text : item;
    try {
      if (!(await this.write(id, body))) return;
    } catch (error) {
      if (!(error instanceof RestError) || error.status !== 400) throw error;
      return this.refuse(parsed.refusals(error.message, hubMessage));
    }
    await this.saved(id, text);
  }

  // True if it was written. If it was changed elsewhere meanwhile, it is replaced only if the user says yes.
  private async write(id: string, body: Item | string): Promise<boolean> {
    const { home, kind, entityId } = this.about();
    const former = { entityId, item: this.item, text: entityId && !this.isGone ? this.written?.text : undefined };
    const put = (tag = "") => writeChanged(home, kind, id, former, body, tag);
    try {
      await put(this.isGone ? "" : this.written?.tag);
    } catch (error) {
      if (!(error instanceof RestError) || error.status !== 412) throw error;
      this.theirs = entityId ? await readTheirs(home, kind, entityId, id, null).catch(() => undefined) : undefined;
      this.host.requestUpdate();
      const words = { heading: t("editor.changedHeading"), text: t("editor.changedText"), action: t("editor.replace") };
      if (!(await confirm({ ...words, danger: true }))) return false;
      await put();
    }
    this.theirs = undefined;
    return true;
  }

  private async saved(id: string, text: string): Promise<void> {
    const { home, kind, entityId, created } = this.about();
    this.kept = text;
    this.problems = [];
    this.refused = false;
    this.host.requestUpdate();
    notifyDone(t("action.saved"));
    if (!entityId || this.isGone) return created(await entityOfItem(home, kind, id));
    [this.item, this.written] = await Promise.all([readItem(home, entityId), this.readWritten()]);
    void textOfLong(this.item); // it may be wanted soon
    this.host.requestUpdate();
  }

  // As it is written now, saved or not, with secrets masked. Throws if that cannot be read.
  draft(): Item {
    this.settle();
    const [problem] = this.ownProblems;
    if (problem) throw new Error(problem.message);
    return this.readable(this.text).masked();
  }

  async erase(): Promise<void> {
    const { home, kind } = this.about();
    const id = this.writtenId;
    if (id === undefined) return;
    await deleteItem(home, kind, id);
    this.discard();
    this.kept = this.text;
  }
}
