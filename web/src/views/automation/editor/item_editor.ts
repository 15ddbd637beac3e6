// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Item, WrittenKind } from "../../../api/automations";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { Action } from "../../../elements/action";
import { BottomBar } from "../../../elements/bottom_bars";
import { confirm } from "../../../elements/confirm";
import { notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import type { Problem } from "../../../items/item_text";
import { base, guardLeaving, navigate } from "../../../router";
import { shared } from "../../../styles/shared";
import { objectIdField, type NewId } from "../fields/new_id";
import { FileChangesController } from "./file_changes";
import { itemEditorStyles } from "./item_editor_styles";
import { goneNotice, overtakenNotice, problemList } from "./item_notices";
import { ItemStore, type Editor } from "./item_store";
import { drawLook, modules, type Look } from "./looks";
import { freeObjectId } from "./new_item";
import "../../../elements/action";
import "../../../elements/loading";

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
  @state() private objectId = "";
  @query("hearth-yaml-editor, hearth-sentence-editor, hearth-blueprint-form, hearth-scene-form") private editor!: Editor | null;
  @query("hearth-action.save") private saveButton!: Action | null;
  private returnsFocus = false;
  private unguard: (() => void) | undefined;
  private asking: Promise<boolean> | undefined;
  private readonly store = new ItemStore(this, () => ({
    home: this.home,
    kind: this.kind,
    entityId: this.entityId,
    copied: this.copied,
    blueprint: this.blueprint,
    look: this.look,
    editor: this.editor,
    read: () => {
      this.dispatchEvent(new CustomEvent<boolean>("item-read", { detail: Boolean(this.store.item.use_blueprint) }));
      void this.fetch();
    },
    created: (entityId) => this.created(entityId),
  }));

  static override styles = [shared, itemEditorStyles];

  constructor() {
    super();
    new BottomBar(this, () => this.renderRoot.querySelector(".end-buttons"));
    new FileChangesController(this, () => ({
      home: this.home,
      kind: this.kind,
      id: this.store.writtenId,
      changed: (userId) => this.store.compare(userId),
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
    window.removeEventListener("keydown", this.pressed);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (["entityId", "kind", "copied", "blueprint"].some((name) => changes.has(name))) void this.load();
    if (changes.has("wanted") && this.store.loaded) {
      this.store.settle();
      void this.fetch();
      if (!this.isChanged) this.store.showKept();
    }
  }

  // An item of a blueprint has inputs instead of sentences, a scene has things.
  private get look(): Look {
    if (this.kind === "scene" && this.wanted === "sentences") return "things";
    return this.wanted === "sentences" && this.store.item.use_blueprint ? "inputs" : this.wanted;
  }

  private async fetch(): Promise<void> {
    const { look } = this;
    this.store.failure = undefined;
    this.requestUpdate();
    try {
      await modules[look]();
      this.there = [...this.there, look];
    } catch (error) {
      this.store.failure = error;
      this.requestUpdate();
    }
  }

  private again(): void {
    if (!this.store.loaded) void this.load();
    else if (!this.there.includes(this.look)) void this.fetch();
  }

  get isChanged(): boolean {
    return this.store.isChanged;
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

  // Discards all that is not saved.
  load(): Promise<void> {
    return this.store.load();
  }

  // At its place; what has none, as what is wrong with a file, in the list of problems.
  private async showProblem(problem: Problem): Promise<void> {
    await this.editor?.show(problem);
    const list = this.renderRoot.querySelector<HTMLElement>(".problem-list");
    const box = list?.getBoundingClientRect();
    if (list && box && problem.path === undefined && (box.top < 0 || box.bottom > innerHeight)) list.scrollIntoView({ block: "center" });
  }

  private async save(): Promise<void> {
    await this.store.save(this.objectId.trim());
    const [first] = this.store.problems;
    if (this.store.refused && first) void this.updateComplete.then(() => this.showProblem(first));
  }

  private created(entityId: string | undefined): void {
    const view = this.look === "text" ? "?view=yaml" : "";
    const hadFocus = this.saveButton?.matches(":focus-within") ?? false;
    navigate(`${base}/settings/automations${entityId ? `/${entityId}${view}` : ""}`, "replace");
    this.returnsFocus = hadFocus && entityId !== undefined;
  }

  // The button stays the place where somebody is who has saved, while the item is read anew.
  override updated(): void {
    if (!this.returnsFocus || !this.saveButton || !this.store.loaded) return;
    this.returnsFocus = false;
    void this.saveButton.updateComplete.then(() => this.saveButton?.focus());
  }

  // As it is written now, saved or not, with secrets masked. Throws if that cannot be read.
  draft(): Item {
    return this.store.draft();
  }

  // Deletes it, if the answer is yes.
  async erase(): Promise<void> {
    if (this.store.writtenId === undefined) return;
    const name = this.home.nameOf(this.entityId);
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name }),
      text: t("editor.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    await this.store.erase();
    notifyDone(t("editor.deleted", { name }));
    navigate(`${base}/settings/automations`);
  }

  override render() {
    const { failure, loaded, isFixed: fixed, text, problems, refused, item, history, known, losesComments } = this.store;
    if (failure !== undefined) return html`<hearth-loading .problem=${errorText(failure)} @retry=${() => this.again()}></hearth-loading>`;
    if (!loaded || !this.there.includes(this.look)) return html`<hearth-loading></hearth-loading>`;
    return html`<section class="card stack ${this.look}">
      ${fixed ? html`<p class="problem">${t("editor.withoutId")}</p>` : nothing} ${this.elsewhere()}
      ${drawLook(this.look, {
        home: this.home,
        kind: this.kind,
        text,
        fixed,
        problems,
        saved: this.entityId ? item : undefined,
        history,
        known,
        newId: this.newId,
        changed: (now, meant) => this.store.change(now, meant),
        begun: () => this.store.begin(),
      })}
      ${this.newId && this.look !== "sentences"
        ? html`<details>
            <summary>${t("sentences.more")}</summary>
            ${objectIdField(this.newId)}
          </details>`
        : nothing}
      ${problemList(problems, { refused, lines: this.look === "text", editor: () => this.editor })}
      ${fixed
        ? nothing
        : html`${this.look === "text"
            ? html`<p class="hint">${t("editor.hint")} ${losesComments ? t("editor.comments") : nothing}</p>`
            : nothing}
          ${this.buttons()}`}
    </section>`;
  }

  // Of a new script, which is under its other settings.
  private get newId(): NewId | undefined {
    if (this.entityId || this.kind !== "script") return undefined;
    const { known, text } = this.store;
    const made = freeObjectId(this.home, known?.text === text ? known.item : {});
    return { id: this.objectId, made, changed: (id) => (this.objectId = id) };
  }

  private buttons(): TemplateResult {
    const revert = () => void (this.store.theirs ? this.load() : this.store.showKept());
    return html`<div class="end-buttons">
      <span class="hint" role="status">${this.isChanged ? t("editor.unsaved") : nothing}</span>
      ${this.entityId && this.isChanged ? html`<button type="button" @click=${revert}>${t("editor.revert")}</button>` : nothing}
      <hearth-action class="save" look="primary" .label=${t("action.save")} .run=${() => this.save()}></hearth-action>
    </div>`;
  }

  private elsewhere(): TemplateResult | typeof nothing {
    const { theirs, isGone, former } = this.store;
    if (isGone) return goneNotice();
    if (!theirs) return nothing;
    return overtakenNotice(theirs, former, { take: () => void this.load(), keep: () => this.store.keepMine(theirs) });
  }
}
