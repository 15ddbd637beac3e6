// SPDX-License-Identifier: Apache-2.0
import {
  mdiAlertOutline,
  mdiArrowDown,
  mdiArrowRightBottom,
  mdiArrowUp,
  mdiCodeBraces,
  mdiContentCopy,
  mdiContentDuplicate,
  mdiDelete,
  mdiDotsVertical,
  mdiDragVertical,
  mdiEye,
  mdiEyeOff,
  mdiHelpCircleOutline,
  mdiPencil,
  mdiPlay,
  mdiPlusCircleOutline,
  mdiRename,
} from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { cautionOfSteps } from "../../../cards/caution";
import { confirm } from "../../../elements/confirm";
import { attempt, notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { isThere, kindOf } from "./classify";
import { isConfig, type Config, type Path } from "./edit";
import { problemsOf, type Editing } from "./editing";
import type { Piece, Section, SentenceKind } from "./kinds";
import type { MenuItem } from "./menu";
import { missingIn } from "./missing";
import { listsFor, samePath } from "./moving";
import { NearController } from "./near_rows";
import { pick } from "./pick";
import { keep, withPiece } from "./row_changes";
import { rowStyles } from "./row_styles";
import { openWords } from "./slots/open_slots";
import { kindText, partsOf, piecesOf, sentenceText, yamlSummary } from "./words";
import "../../../elements/icon";
import "./menu";
import "./row_blocks";
import "./slots/slot_view";
import "./yaml_row";

// The changes that the list of the row makes with it.
export interface RowMoves {
  // By one place.
  move: (step: -1 | 1) => void;
  duplicate: () => void;
  erase: () => void;
  grab: (event: PointerEvent) => void;
  index: number;
  count: number;
  // It is drawn at once, wherever it is.
  isFirst: boolean;
}

// One trigger, condition or step, as a sentence.
@customElement("hearth-sentence-row")
export class SentenceRow extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) section: Section = "triggers";
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) config: unknown;
  @property({ attribute: false }) moves!: RowMoves;
  @state() private asYaml = false;
  @state() private renames = false;
  private readonly near = new NearController(this, () => !this.moves.isFirst);

  static override styles = [
    shared,
    rowStyles,
    css`
      :host {
        display: block;
      }

      :host([far]) {
        content-visibility: auto;
        contain-intrinsic-size: auto 3.4rem;
      }

      .waiting {
        min-height: 3.3rem;
        padding: 0.9rem 0.8rem 0.9rem 3.2rem;
      }
    `,
  ];

  // A change elsewhere in the item does not change this row. Listeners take what they need from the newest properties.
  override shouldUpdate(changes: Map<string, unknown>): boolean {
    for (const [name, before] of changes) {
      if (name === "editing" && (before as Editing | undefined)?.version === this.editing.version) continue;
      if (
        name === "moves" &&
        (before as RowMoves | undefined)?.index === this.moves.index &&
        (before as RowMoves | undefined)?.count === this.moves.count
      )
        continue;
      if (name === "path" && before && samePath(before as Path, this.path)) continue;
      return true;
    }
    return changes.size === 0;
  }

  // Draws it, wherever it is.
  ensure(): void {
    this.near.come();
  }

  // Puts the cursor into the first thing to choose.
  focusFirst(): void {
    const slot =
      this.renderRoot.querySelector<HTMLElement>("hearth-slot, hearth-yaml-row") ??
      this.renderRoot.querySelector<HTMLElement>("button.handle");
    slot?.focus();
  }

  focusHandle(): void {
    this.renderRoot.querySelector<HTMLElement>(".handle")?.focus();
  }

  private change(config: unknown): void {
    this.editing.change(this.path, config);
  }

  private set(key: string, value: unknown): void {
    this.editing.change([...this.path, key], value);
  }

  override render() {
    const { editing, section, config } = this;
    this.toggleAttribute("far", !this.moves.isFirst);
    if (!this.near.isNear) return this.waiting();
    const kind = this.asYaml ? undefined : kindOf(section, config);
    const parts = isConfig(config) ? config : {};
    const problems = problemsOf(editing.problems, this.path, kind, parts);
    const isOff = parts.enabled === false;
    const text = sentenceText(editing, section, config);
    return html`<div class="row-box ${problems.length > 0 ? "wrong" : ""} ${isOff ? "disabled" : ""}" role="group" aria-label=${text}>
      <div class="head">
        ${this.handle(kind, text)}
        <div class="body">${this.named(parts)} ${kind ? this.sentence(kind, parts) : this.yaml()} ${this.badges(parts, kind)}</div>
        <div class="tools">
          ${kind && !editing.fixed ? this.details(kind, parts, text) : nothing}
          ${editing.fixed
            ? nothing
            : html`<hearth-menu
                .icon=${mdiDotsVertical}
                .label=${t("row.more", { text })}
                .items=${() => this.items(kind, parts)}
              ></hearth-menu>`}
        </div>
      </div>
      ${problems.map(
        ({ path, within, message, hub }) =>
          html`<p class="said" tabindex="-1" data-path=${path}>
            ${within ? html`<strong>${within}:</strong> ` : nothing}${openWords(hub) ?? message}
          </p>`,
      )}
      ${kind ? this.missing(kind, parts) : nothing}
      ${kind && (kind.blocks?.length ?? 0) > 0
        ? html`<hearth-row-blocks class="blocks" .editing=${editing} .path=${this.path} .config=${parts} .kind=${kind}></hearth-row-blocks>`
        : nothing}
    </div>`;
  }

  // Somebody may come by the keyboard faster than it is drawn.
  private waiting(): TemplateResult {
    const text = sentenceText(this.editing, this.section, this.config);
    const arrive = async () => {
      this.ensure();
      await this.updateComplete;
      this.focusHandle();
    };
    return html`<div class="row-box waiting" role="group" tabindex="0" aria-label=${text} @focus=${() => void arrive()}>${text}</div>`;
  }

  private missing(kind: SentenceKind, config: Config): TemplateResult[] {
    const pieces = piecesOf(this.editing, kind, config).filter((piece) => isThere(piece, config));
    const slots = pieces.flatMap((piece) => Object.values(piece.slots));
    return missingIn(this.editing, slots, config).map(
      (text) => html`<p class="missing"><hearth-icon .path=${mdiAlertOutline}></hearth-icon>${text}</p>`,
    );
  }

  private handle(kind: SentenceKind | undefined, text: string): TemplateResult {
    const { index, count } = this.moves;
    const steps: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 };
    return html`<button
      type="button"
      class="plain handle"
      aria-label=${t("row.move", { text, place: index + 1, count })}
      title=${t("row.moveHint")}
      ?disabled=${this.editing.fixed}
      @pointerdown=${(event: PointerEvent) => this.moves.grab(event)}
      @keydown=${(event: KeyboardEvent) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.moves.move(step);
      }}
    >
      <hearth-icon class="grip" .path=${mdiDragVertical}></hearth-icon
      ><hearth-icon class="kind" .path=${kind?.icon ?? mdiCodeBraces}></hearth-icon>
    </button>`;
  }

  private named(config: Config): TemplateResult | typeof nothing {
    const alias = typeof config.alias === "string" ? config.alias : "";
    if (!this.renames) return alias ? html`<div class="name">${alias}</div>` : nothing;
    return html`<input
      class="alias"
      aria-label=${t("row.name")}
      placeholder=${t("row.name")}
      autocomplete="off"
      .value=${live(alias)}
      @input=${(event: InputEvent) => this.set("alias", (event.target as HTMLInputElement).value || undefined)}
      @keydown=${(event: KeyboardEvent) => event.key === "Enter" && (this.renames = false)}
      @blur=${() => (this.renames = false)}
    />`;
  }

  private sentence(kind: SentenceKind, config: Config): TemplateResult {
    const pieces = piecesOf(this.editing, kind, config).filter((piece) => isThere(piece, config));
    const lead = this.section === "actions" && kind.section === "conditions" ? html`<span>${t("sentence.onlyIf")} </span>` : nothing;
    const groups: Piece[][] = [];
    for (const piece of pieces) {
      const last = groups.at(-1);
      if (last && last[0]?.line === piece.line) last.push(piece);
      else groups.push([piece]);
    }
    return html`${groups.map((group, index) => {
      const before = index === 0 ? lead : nothing;
      return group[0]?.line
        ? html`${before}
            <div class="lines">${group.map((piece) => this.line(piece, config))}</div>`
        : html`<div class="sentence">${before}${this.said(group, config)}</div>`;
    })}`;
  }

  // No line begins with a comma.
  private said(pieces: Piece[], config: Config): TemplateResult[] {
    return pieces.map((piece, index) => {
      if (index === 0) return html`${this.words({ ...piece, text: (of) => piece.text(of).replace(/^,\s*/, "") }, config)}`;
      return html`${piece.text(config).startsWith(",") ? nothing : " "}${this.words(piece, config)}`;
    });
  }

  private line(piece: Piece, config: Config): TemplateResult {
    const hint = piece.hint?.() ?? "";
    return html`<div class="line">${this.words(piece, config)}${hint ? html`<span class="hint">${hint}</span>` : nothing}</div>`;
  }

  private words(piece: Piece, config: Config): TemplateResult[] {
    const { editing, path } = this;
    return partsOf(piece, config).map((part) =>
      typeof part === "string"
        ? html`${part}`
        : html`<hearth-slot .editing=${editing} .path=${path} .config=${config} .slotOf=${part}></hearth-slot>`,
    );
  }

  private yaml(): TemplateResult {
    const isShown = this.asYaml && kindOf(this.section, this.config) !== undefined;
    return html`<hearth-yaml-row
        .value=${this.config}
        .label=${yamlSummary(this.config)}
        .fixed=${this.editing.fixed}
        @change-value=${(event: CustomEvent<unknown>) => this.change(event.detail)}
      ></hearth-yaml-row>
      ${isShown
        ? html`<button type="button" class="small" @click=${() => (this.asYaml = false)}>${t("row.asSentence")}</button>`
        : html`<p class="hint">${t("row.onlyYaml")}</p>`}`;
  }

  private badges(config: Config, kind: SentenceKind | undefined): TemplateResult | typeof nothing {
    const said = [
      ...(config.enabled === false ? [t("row.disabled")] : []),
      ...(kind && config.continue_on_error === true ? [t("row.goesOn")] : []),
      ...(kind?.section === "triggers" && config.id !== undefined ? [t("row.calledId", { id: String(config.id) })] : []),
    ];
    return said.length === 0 ? nothing : html`<div class="badges">${said.map((text) => html`<span class="badge">${text}</span>`)}</div>`;
  }

  // Further pieces that may stand in the sentence.
  private details(kind: SentenceKind, config: Config, text: string): TemplateResult | typeof nothing {
    const pieces = piecesOf(this.editing, kind, config).filter(({ offer }) => offer);
    if (pieces.length === 0) return nothing;
    const items = () =>
      pieces.map((piece) => {
        const checked = isThere(piece, config);
        return {
          label: piece.offer?.label() ?? "",
          ...(piece.hint && { hint: piece.hint() }),
          checked,
          run: () => this.change(withPiece(config, piece, !checked)),
        };
      });
    return html`<hearth-menu .icon=${mdiPlusCircleOutline} .label=${t("row.details", { text })} .items=${items}></hearth-menu>`;
  }

  private items(kind: SentenceKind | undefined, config: Config): MenuItem[] {
    const { index, count, move, duplicate, erase } = this.moves;
    const { section } = this;
    const isOff = config.enabled === false;
    const looksThrough = kind && ["state", "numeric_state", "template"].includes(kind.name) && kind.section === "triggers";
    return [
      { label: t("row.up"), icon: mdiArrowUp, disabled: index === 0, run: () => move(-1) },
      { label: t("row.down"), icon: mdiArrowDown, disabled: index + 1 === count, run: () => move(1) },
      { label: t("row.moveTo"), icon: mdiArrowRightBottom, run: () => void this.moveTo() },
      ...(isConfig(this.config)
        ? [
            { label: t("row.rename"), icon: mdiRename, run: () => this.rename() },
            {
              label: t(isOff ? "row.enable" : "row.disable"),
              icon: isOff ? mdiEye : mdiEyeOff,
              run: () => this.set("enabled", isOff ? undefined : false),
            },
          ]
        : []),
      ...(looksThrough
        ? [
            {
              label: t("row.skipUnavailable"),
              checked: config.skip_unavailable === true,
              run: () => this.set("skip_unavailable", config.skip_unavailable === true ? undefined : true),
            },
          ]
        : []),
      ...(kind && section === "triggers"
        ? [
            {
              label: t("row.giveId"),
              checked: config.id !== undefined,
              run: () => this.set("id", config.id === undefined ? freeId(this.editing) : undefined),
            },
          ]
        : []),
      ...(kind && section === "actions"
        ? [
            {
              label: t("row.continue"),
              checked: config.continue_on_error === true,
              run: () => this.set("continue_on_error", config.continue_on_error === true ? undefined : true),
            },
          ]
        : []),
      ...this.trials(kind),
      { label: t("row.duplicate"), icon: mdiContentDuplicate, run: duplicate },
      { label: t("row.copy"), icon: mdiContentCopy, run: () => this.copy() },
      ...(kindOf(section, this.config)
        ? [
            {
              label: t(this.asYaml ? "row.asSentence" : "row.asYaml"),
              icon: this.asYaml ? mdiPencil : mdiCodeBraces,
              run: () => (this.asYaml = !this.asYaml),
            },
          ]
        : []),
      { label: t("action.delete"), icon: mdiDelete, danger: true, run: erase },
    ];
  }

  // Rows that can be tried at once, with the home as it is.
  private trials(kind: SentenceKind | undefined): MenuItem[] {
    const { home } = this.editing;
    if (kind?.section === "conditions") {
      const ask = async () => {
        const { result } = await home.command<{ result: boolean }>("test_condition", { condition: this.config });
        notifyDone(t(result ? "row.holds" : "row.holdsNot"));
      };
      return [{ label: t("row.test"), icon: mdiHelpCircleOutline, run: () => void attempt(ask) }];
    }
    if (kind?.section !== "actions") return [];
    const run = async () => {
      const question = cautionOfSteps(home, this.config);
      if (question && !(await confirm(question))) return;
      await home.command("execute_script", { sequence: [this.config] });
      notifyDone(t("row.done"));
    };
    return [{ label: t("row.run"), icon: mdiPlay, run: () => void attempt(run) }];
  }

  // To the end of another list.
  private async moveTo(): Promise<void> {
    const { editing, path, section } = this;
    const places = listsFor(editing, editing.item, path, section);
    const choices = places.map(({ label }, index) => ({ id: String(index), name: label, icon: mdiArrowRightBottom }));
    if (choices.length === 0) return notifyDone(t("row.noOtherList"));
    const found = (await pick({ heading: t("row.moveTo"), choices, chosen: [], many: false }))?.[0];
    const place = found === undefined ? undefined : places[Number(found)];
    if (place) editing.move({ from: path, list: place.path, index: place.count });
  }

  private rename(): void {
    this.renames = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLInputElement>(".alias")?.focus());
  }

  private copy(): void {
    const kind = kindOf(this.section, this.config);
    keep(kind?.section ?? this.section, this.config);
    this.editing.announce(
      t("row.copied", { text: kind && isConfig(this.config) ? kindText(this.editing, kind, this.config) : yamlSummary(this.config) }),
    );
  }
}

// An id that no trigger has yet.
function freeId(editing: Editing): string {
  const taken = editing.triggers.map(([id]) => id);
  for (let number = 1; ; number++) if (!taken.includes(`trigger_${number}`)) return `trigger_${number}`;
}
