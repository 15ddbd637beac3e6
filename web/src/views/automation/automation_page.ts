// SPDX-License-Identifier: Apache-2.0
import { mdiArrowLeft, mdiContentCopy, mdiDelete, mdiInformationOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { itemId, kindOf, writtenKinds, type WrittenKind } from "../../api/automations";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { EntityController, HomeController } from "../../elements/controllers";
import { attempt, notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { base, onNavigation, query as parameters } from "../../router";
import { shared } from "../../styles/shared";
import type { ItemEditor } from "./item_editor";
import type { Look } from "./looks";
import { lastRun } from "./last_run";
import { started } from "./started";
import { WordsController } from "./words";
import "../../elements/action";
import "../../elements/icon";
import "../../elements/loading";
import "../../elements/tabs";
import "./item_runs";

const start = `${base}/settings/automations`;

// All about one automation, script or scene; `item` is its entity, or "new-script" for a new one.
@customElement("hearth-automation-page")
export class AutomationPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) item = "";
  @state() private hasEditor = false;
  @state() private usesBlueprint = false;
  @state() private failure: unknown;
  @query("hearth-item-editor") private editor!: ItemEditor | null;
  private editorAsked = false;
  private stopNavigation: (() => void) | undefined;

  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    css`
      .back {
        display: inline-flex;
        align-items: center;
        gap: 0.4rem;
        min-height: 2.75rem;
        text-decoration: none;
      }

      .error {
        white-space: pre-line;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopNavigation = onNavigation(() => this.requestUpdate());
  }

  // The runs are seen without it.
  override willUpdate(): void {
    if (!this.showsRuns && !this.editorAsked) void this.fetchEditor();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopNavigation?.();
  }

  private async fetchEditor(): Promise<void> {
    this.editorAsked = true;
    this.failure = undefined;
    try {
      await import("./item_editor");
      this.hasEditor = true;
    } catch (error) {
      this.failure = error;
    }
  }

  private get newKind(): WrittenKind | undefined {
    return writtenKinds.find((kind) => this.item === `new-${kind}`);
  }

  private get entityId(): string {
    return this.newKind ? "" : this.item;
  }

  private get showsRuns(): boolean {
    return this.entityId !== "" && kindOf(this.item) !== "scene" && parameters().get("view") === "runs";
  }

  private get look(): Look {
    return parameters().get("view") === "yaml" ? "text" : "sentences";
  }

  // The text stays behind the runs with what is not saved of it.
  private parts(kind: WrittenKind): TemplateResult | typeof nothing {
    const path = `${start}/${encodeURIComponent(this.item)}`;
    const copied = this.newKind ? ["from", "blueprint"].flatMap((name) => (parameters().has(name) ? [`${name}=${encodeURIComponent(parameters().get(name) ?? "")}`] : [])).join("&") : "";
    const tabs = [
      { path: copied ? `${path}?${copied}` : path, label: t(kind === "scene" ? "scenes.things" : this.usesBlueprint ? "blueprints.inputs" : "editor.sentences") },
      { path: `${path}?view=yaml${copied && `&${copied}`}`, label: t("editor.text") },
      ...(this.newKind || kind === "scene" ? [] : [{ path: `${path}?view=runs`, label: t("runs.runs") }]),
    ];
    const current = this.showsRuns ? 2 : this.look === "text" ? 1 : 0;
    return html`<hearth-tabs .label=${t("editor.views")} .tabs=${tabs} .current=${tabs[current]?.path ?? ""}></hearth-tabs>
      ${this.text(kind)}
      ${this.showsRuns
        ? html`<hearth-item-runs .home=${this.home} .entityId=${this.item} .runId=${parameters().get("run") ?? ""}></hearth-item-runs>`
        : nothing}`;
  }

  private async erase(): Promise<void> {
    if (!this.editor) await this.fetchEditor();
    await this.updateComplete;
    await this.editor?.erase();
  }

  private async run(): Promise<void> {
    if (!(await started(this.home, this.entityId))) return;
    notifyDone(t("automations.started", { name: this.home.nameOf(this.entityId) }));
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    const kind = this.newKind ?? kindOf(this.item);
    const isThere = this.newKind !== undefined || (kind !== undefined && this.home.entity(this.item) !== undefined);
    return html`<div class="stack">
      <a class="back" href=${start}><hearth-icon .path=${mdiArrowLeft}></hearth-icon>${t("editor.back")}</a>
      ${isThere && kind ? html`${this.newKind ? html`<h2>${t(`editor.new_${kind}`)}</h2>` : this.about(kind)} ${this.parts(kind)}` : this.unknown()}
    </div>`;
  }

  private unknown(): TemplateResult {
    return html`<h2>${t("editor.unknown")}</h2><p>${t("editor.unknownHint")}</p>`;
  }

  private about(kind: WrittenKind): TemplateResult | typeof nothing {
    const entity = this.home.entity(this.item);
    if (!entity) return nothing;
    const { attributes } = entity;
    const runs = Number(attributes.current) || 0;
    const error = typeof attributes.error === "string" ? attributes.error : "";
    return html`<section class="card stack">
      <div class="row">
        <h2>${this.home.nameOf(this.item)}</h2>
        <span class="badge">${t(`editor.kind_${kind}`)}</span>
        ${runs > 0 ? html`<span class="badge accent">${t("automations.running", { count: runs })}</span>` : nothing}
      </div>
      <p class="hint">${lastRun(this.home, entity)}</p>
      ${error ? html`<p class="problem error">${error}</p>` : nothing}
      <div class="row">
        <hearth-action .label=${t(kind === "scene" ? "automations.activate" : "editor.runNow")} ?disabled=${error !== ""} .run=${() => this.run()}></hearth-action>
        <a class="button" href="${start}/new-${kind}?from=${encodeURIComponent(this.item)}"><hearth-icon .path=${mdiContentCopy}></hearth-icon>${t("editor.duplicate")}</a>
        ${kind === "scene" || this.usesBlueprint ? nothing : html`<a class="button" href="${start}/make-blueprint?from=${encodeURIComponent(this.item)}">${t("blueprints.make")}</a>`}
        <a class="button" href="?entity=${encodeURIComponent(this.item)}"><hearth-icon .path=${mdiInformationOutline}></hearth-icon>${t("editor.entity")}</a>
        ${itemId(this.home, this.item) === undefined
          ? nothing
          : html`<button type="button" class="danger" @click=${() => void attempt(() => this.erase())}>
              <hearth-icon .path=${mdiDelete}></hearth-icon>${t("action.delete")}
            </button>`}
      </div>
    </section>`;
  }

  private text(kind: WrittenKind): TemplateResult | typeof nothing {
    if (this.showsRuns && !this.hasEditor) return nothing;
    if (this.failure !== undefined) return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.fetchEditor()}></hearth-loading>`;
    if (!this.hasEditor) return html`<hearth-loading></hearth-loading>`;
    const from = this.newKind ? (parameters().get("from") ?? "") : "";
    const blueprint = this.newKind ? (parameters().get("blueprint") ?? "") : "";
    return html`<hearth-item-editor ?hidden=${this.showsRuns} .home=${this.home} .kind=${kind} .entityId=${this.entityId} .wanted=${this.look} .copied=${kindOf(from) === kind ? from : ""} .blueprint=${blueprint} @item-read=${({ detail }: CustomEvent<boolean>) => (this.usesBlueprint = detail)}></hearth-item-editor>`;
  }
}
