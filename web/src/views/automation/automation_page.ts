// SPDX-License-Identifier: Apache-2.0
import { mdiContentCopy, mdiDelete, mdiInformationOutline } from "@mdi/js";
import { mdiDotsVertical, mdiPaletteSwatchOutline, mdiPlay } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";

import { itemId, kindOf, writtenKinds, type Item, type WrittenKind } from "../../api/automations";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { EntityController, HomeController } from "../../elements/controllers";
import { attempt, notifyDone } from "../../elements/notify";
import { TitleController } from "../../elements/title";
import { WordsController } from "../../i18n/late_words";
import { t } from "../../i18n/catalogue";
import { faultMessages } from "../../i18n/hub_messages";
import { lastRun } from "../../items/last_run";
import { started } from "../../items/started";
import { base, navigate, onNavigation, query as parameters, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import type { ItemEditor } from "./editor/item_editor";
import type { Look } from "./editor/looks";
import type { MenuItem } from "./sentences/menu";
import "../../elements/action";
import "../../elements/back_link";
import "../../elements/icon";
import "../../elements/loading";
import "../../elements/tabs";
import "./runs/item_runs";
import "./sentences/menu";

const start = `${base}/settings/automations`;

// Parts that are fetched when they are shown.
const modules = {
  editor: () => import("./editor/item_editor"),
  debug: () => import("./runs/item_debugger"),
  versions: () => import("./editor/item_versions"),
  whatIf: () => import("./runs/what_if"),
  deleted: () => import("./editor/deleted_items"),
  suggestions: () => import("./suggestion_list"),
};
type Part = keyof typeof modules;

// All about one automation, script or scene; `item` is its entity, "new-script" for a new one, "deleted" for those that are gone, or
// "suggestions" for automations that could be made.
@customElement("hearth-automation-page")
export class AutomationPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) item = "";
  @state() private there: readonly Part[] = [];
  @state() private usesBlueprint = false;
  @state() private failure: unknown;
  @query("hearth-item-editor") private editor!: ItemEditor | null;
  private readonly asked = new Set<Part>();
  // Of the editor, while another part is shown.
  private lastLook: Look = "sentences";
  private stopNavigation: (() => void) | undefined;

  private readonly words = new WordsController(this);

  static override styles = [
    shared,
    css`
      .error {
        white-space: pre-line;
      }

      .narrow {
        display: none;
      }

      @media (max-width: 40rem) {
        .about {
          gap: 0.3rem;
          padding-block: 0.6rem;
        }

        .title {
          flex-wrap: nowrap;
          gap: 0.5rem;
        }

        .title h2 {
          min-width: 0;
          overflow-wrap: anywhere;
        }

        .narrow {
          display: block;
          margin-inline-start: auto;
        }

        .wide {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 2, () => (this.newKind ? t(`editor.new_${this.newKind}`) : this.home.nameOf(this.item)));
    new HomeController(this, "structure", () => this.home);
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopNavigation = onNavigation(() => this.requestUpdate());
  }

  override willUpdate(): void {
    const part = this.neededPart;
    if (part && !this.asked.has(part)) void this.fetch(part);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopNavigation?.();
  }

  private async fetch(part: Part): Promise<void> {
    this.asked.add(part);
    this.failure = undefined;
    try {
      await modules[part]();
      this.there = [...this.there, part];
    } catch (error) {
      this.failure = error;
    }
  }

  // Parts that the page needs now; runs are seen without any.
  private get neededPart(): Part | undefined {
    if (this.item === "deleted" || this.item === "suggestions") return this.item;
    if (this.view === "runs") return undefined;
    return this.view === "versions" || this.view === "debug" ? this.view : "editor";
  }

  private get newKind(): WrittenKind | undefined {
    return writtenKinds.find((kind) => this.item === `new-${kind}`);
  }

  private get entityId(): string {
    return this.newKind ? "" : this.item;
  }

  // Scenes have no runs.
  private get view(): Look | "runs" | "debug" | "versions" {
    const wanted = parameters().get("view");
    const isScene = (this.newKind ?? kindOf(this.item)) === "scene";
    if (this.entityId !== "" && (((wanted === "runs" || wanted === "debug") && !isScene) || wanted === "versions")) return wanted;
    return wanted === "yaml" ? "text" : "sentences";
  }

  // The text stays behind the other parts with what is not saved of it.
  private parts(kind: WrittenKind): TemplateResult | typeof nothing {
    const path = `${start}/${encodeURIComponent(this.item)}`;
    const copied = this.newKind
      ? ["from", "blueprint"]
          .flatMap((name) => (parameters().has(name) ? [`${name}=${encodeURIComponent(parameters().get(name) ?? "")}`] : []))
          .join("&")
      : "";
    const isScene = kind === "scene";
    const tabs = [
      {
        view: "sentences",
        path: copied ? `${path}?${copied}` : path,
        label: t(isScene ? "scenes.things" : this.usesBlueprint ? "blueprints.inputs" : "editor.sentences"),
      },
      { view: "text", path: `${path}?view=yaml${copied && `&${copied}`}`, label: t("editor.text") },
      ...(isScene || this.newKind
        ? []
        : [
            { view: "runs", path: `${path}?view=runs`, label: t("runs.runs") },
            { view: "debug", path: `${path}?view=debug`, label: t("debug.debugger") },
          ]),
      ...(this.newKind || this.writtenId === undefined
        ? []
        : [{ view: "versions", path: `${path}?view=versions`, label: t("versions.versions") }]),
    ];
    const current = tabs.find(({ view }) => view === this.view)?.path ?? "";
    return html`<hearth-tabs .label=${t("editor.views")} .tabs=${tabs} .current=${current}></hearth-tabs> ${this.text(kind)}
      ${this.view === "versions" ? this.versions(kind) : nothing}
      ${this.view === "debug"
        ? this.whenThere(
            "debug",
            html`${keyed(this.item, html`<hearth-item-debugger .home=${this.home} .entityId=${this.item}></hearth-item-debugger>`)}`,
          )
        : nothing}
      ${this.view === "runs"
        ? html`<hearth-item-runs .home=${this.home} .entityId=${this.item} .runId=${parameters().get("run") ?? ""}></hearth-item-runs>`
        : nothing}`;
  }

  private get writtenId(): string | undefined {
    return this.entityId ? itemId(this.home, this.entityId) : undefined;
  }

  private versions(kind: WrittenKind): TemplateResult | typeof nothing {
    if (this.writtenId === undefined) return nothing;
    const mayRestore = () => this.editor?.mayLeave() ?? Promise.resolve(true);
    const restored = () => {
      notifyDone(t("versions.undone"));
      void this.editor?.load();
    };
    return this.whenThere(
      "versions",
      html`<hearth-item-versions
        .home=${this.home}
        .kind=${kind}
        .itemId=${this.writtenId}
        .mayRestore=${mayRestore}
        @restored=${restored}
      ></hearth-item-versions>`,
    );
  }

  private whatIf(draft: () => Item): TemplateResult {
    if (this.asked.has("whatIf"))
      return this.whenThere("whatIf", html`<hearth-what-if .home=${this.home} .entityId=${this.entityId} .item=${draft}></hearth-what-if>`);
    return html`<div class="row"><button type="button" @click=${() => void this.fetch("whatIf")}>${t("whatIf.heading")}</button></div>`;
  }

  private whenThere(part: Part, content: TemplateResult): TemplateResult {
    if (this.there.includes(part)) return content;
    const problem = this.failure === undefined ? "" : errorText(this.failure);
    return html`<hearth-loading .problem=${problem} @retry=${() => void this.fetch(part)}></hearth-loading>`;
  }

  private async erase(): Promise<void> {
    if (!this.there.includes("editor")) await this.fetch("editor");
    await this.updateComplete;
    await this.editor?.erase();
  }

  private async run(): Promise<void> {
    if (!(await started(this.home, this.entityId))) return;
    notifyDone(t("automations.started", { name: this.home.nameOf(this.entityId) }));
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    if (this.item === "deleted" || this.item === "suggestions") {
      const list =
        this.item === "deleted"
          ? html`<hearth-deleted-items .home=${this.home}></hearth-deleted-items>`
          : html`<hearth-suggestion-list .home=${this.home}></hearth-suggestion-list>`;
      return html`<div class="stack">${this.back()} ${this.whenThere(this.item, list)}</div>`;
    }
    const kind = this.newKind ?? kindOf(this.item);
    // Unsaved changes stay, also when the item was deleted elsewhere.
    const isThere =
      this.newKind !== undefined || (kind !== undefined && (this.home.entity(this.item) !== undefined || this.editor?.isChanged));
    return html`<div class="stack">
      ${this.back()}
      ${isThere && kind
        ? html`${this.newKind ? html`<h2>${t(`editor.new_${kind}`)}</h2>` : this.about(kind)} ${this.parts(kind)}`
        : this.unknown()}
    </div>`;
  }

  private back(): TemplateResult {
    return html`<hearth-back-link href=${start} label=${t("editor.back")}></hearth-back-link>`;
  }

  private unknown(): TemplateResult {
    return html`<h2>${t("editor.unknown")}</h2>
      <p>${t("editor.unknownHint")}</p>`;
  }

  private about(kind: WrittenKind): TemplateResult | typeof nothing {
    const entity = this.home.entity(this.item);
    if (!entity) return nothing;
    const { attributes } = entity;
    const runs = Number(attributes.current) || 0;
    const error = typeof attributes.error === "string" ? faultMessages(attributes.error) : "";
    return html`<section class="card stack about">
      <div class="row title">
        <h2>${this.home.nameOf(this.item)}</h2>
        <span class="badge">${t(`editor.kind_${kind}`)}</span>
        ${runs > 0 ? html`<span class="badge accent">${t("automations.running", { count: runs })}</span>` : nothing}
        <hearth-menu
          class="narrow"
          .icon=${mdiDotsVertical}
          .label=${t("editor.more")}
          .items=${() => this.deeds(kind, error)}
        ></hearth-menu>
      </div>
      <p class="hint">${lastRun(this.home, entity)}</p>
      ${error ? html`<p class="problem error">${error}</p>` : nothing}
      <div class="row wide">
        <hearth-action
          .label=${t(kind === "scene" ? "automations.activate" : "editor.runNow")}
          ?disabled=${error !== ""}
          .run=${() => this.run()}
        ></hearth-action>
        <a class="button" href="${start}/new-${kind}?from=${encodeURIComponent(this.item)}"
          ><hearth-icon .path=${mdiContentCopy}></hearth-icon>${t("editor.duplicate")}</a
        >
        ${kind === "scene" || this.usesBlueprint
          ? nothing
          : html`<a class="button" href="${start}/make-blueprint?from=${encodeURIComponent(this.item)}">${t("blueprints.make")}</a>`}
        <a class="button" href="?entity=${encodeURIComponent(this.item)}"
          ><hearth-icon .path=${mdiInformationOutline}></hearth-icon>${t("editor.entity")}</a
        >
        ${this.writtenId === undefined
          ? nothing
          : html`<button type="button" class="danger" @click=${() => void attempt(() => this.erase())}>
              <hearth-icon .path=${mdiDelete}></hearth-icon>${t("action.delete")}
            </button>`}
      </div>
    </section>`;
  }

  // The same as the buttons, where there is no room for them.
  private deeds(kind: WrittenKind, error: string): MenuItem[] {
    const from = encodeURIComponent(this.item);
    return [
      {
        label: t(kind === "scene" ? "automations.activate" : "editor.runNow"),
        icon: mdiPlay,
        disabled: error !== "",
        run: () => void attempt(() => this.run()),
      },
      { label: t("editor.duplicate"), icon: mdiContentCopy, run: () => navigate(`${start}/new-${kind}?from=${from}`) },
      ...(kind === "scene" || this.usesBlueprint
        ? []
        : [{ label: t("blueprints.make"), icon: mdiPaletteSwatchOutline, run: () => navigate(`${start}/make-blueprint?from=${from}`) }]),
      { label: t("editor.entity"), icon: mdiInformationOutline, run: () => setQuery({ entity: this.item }) },
      ...(this.writtenId === undefined
        ? []
        : [{ label: t("action.delete"), icon: mdiDelete, danger: true, run: () => void attempt(() => this.erase()) }]),
    ];
  }

  private text(kind: WrittenKind): TemplateResult | typeof nothing {
    const { view } = this;
    const isHidden = view === "runs" || view === "versions" || view === "debug";
    if (isHidden && !this.there.includes("editor")) return nothing;
    const from = this.newKind ? (parameters().get("from") ?? "") : "";
    const blueprint = this.newKind ? (parameters().get("blueprint") ?? "") : "";
    const look = isHidden ? this.lastLook : (this.lastLook = view);
    const read = ({ detail }: CustomEvent<boolean>) => (this.usesBlueprint = detail);
    const draft = () => this.editor?.draft() ?? {};
    return html`${this.whenThere(
      "editor",
      html`<hearth-item-editor
        ?hidden=${isHidden}
        .home=${this.home}
        .kind=${kind}
        .entityId=${this.entityId}
        .wanted=${look}
        .copied=${kindOf(from) === kind ? from : ""}
        .blueprint=${blueprint}
        @item-read=${read}
      ></hearth-item-editor>`,
    )}
    ${kind === "automation" && !isHidden && this.there.includes("editor") ? this.whatIf(draft) : nothing}`;
  }
}
