// SPDX-License-Identifier: Apache-2.0
import { mdiDelete, mdiPlus } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { blocksOf } from "./classify";
import { at, isConfig, keyOf, pathOf, type Config, type Path } from "./edit";
import type { Editing } from "./editing";
import type { Block, SentenceKind } from "./kinds";
import { rowStyles } from "./row_styles";
import { repeat } from "lit/directives/repeat.js";
import "../../../elements/icon";
import "./menu";

// The lists of rows that a row has: what a choice does, what is repeated.
@customElement("hearth-row-blocks")
export class RowBlocks extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) config: Config = {};
  @property({ attribute: false }) kind!: SentenceKind;

  static override styles = [
    shared,
    rowStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.7rem;
      }
    `,
  ];

  override render() {
    const blocks = blocksOf(this.kind, this.config);
    if (this.kind.name !== "choose") return html`${blocks.map((block) => this.block(block))}`;
    return html`${this.options(blocks)} ${blocks.filter(({ key }) => !key.startsWith("choose.")).map((block) => this.block(block))}`;
  }

  private get optionList(): unknown[] {
    return Array.isArray(this.config.choose) ? (this.config.choose as unknown[]) : [];
  }

  private options(blocks: Block[]): TemplateResult {
    const list = this.optionList;
    const change = (next: unknown[]) => this.editing.change([...this.path, "choose"], next);
    return html`${repeat(
      list,
      (option, index) => keyOf(option, index),
      (option, index) =>
        html`<div class="option" role="group" aria-label=${t("block.option", { number: index + 1 })}>
          <div class="block-head">
            <span
              >${t("block.option", { number: index + 1 })}${isConfig(option) && typeof option.alias === "string"
                ? html` · ${option.alias}`
                : nothing}</span
            >
            ${this.editing.fixed || list.length < 2
              ? nothing
              : html`<button
                  type="button"
                  class="plain round"
                  aria-label=${t("block.removeOption", { number: index + 1 })}
                  @click=${() => change(list.filter((_, place) => place !== index))}
                >
                  <hearth-icon .path=${mdiDelete}></hearth-icon>
                </button>`}
          </div>
          ${blocks.filter(({ key }) => key.startsWith(`choose.${index}.`)).map((block) => this.block(block))}
        </div>`,
    )}
    ${this.editing.fixed
      ? nothing
      : html`<button type="button" class="small" @click=${() => change([...list, { conditions: [], sequence: [] }])}>
          <hearth-icon .path=${mdiPlus}></hearth-icon>${t("block.addOption")}
        </button>`}`;
  }

  private block(block: Block): TemplateResult {
    const { editing } = this;
    const path = [...this.path, ...pathOf(block.key)];
    const rows = at(this.config, pathOf(block.key));
    if (rows === undefined && block.offer) {
      return editing.fixed
        ? html``
        : html`<button type="button" class="small" @click=${() => editing.change(path, [])}>
            <hearth-icon .path=${mdiPlus}></hearth-icon>${block.offer()}
          </button>`;
    }
    return html`<div class="block">
      ${block.plain
        ? nothing
        : html`<div class="block-head">
            <span>${block.heading()}</span>
            ${block.offer && !editing.fixed
              ? html`<button
                  type="button"
                  class="plain round"
                  aria-label=${t("block.remove", { what: block.heading() })}
                  @click=${() => editing.change(path, undefined)}
                >
                  <hearth-icon .path=${mdiDelete}></hearth-icon>
                </button>`
              : nothing}
          </div>`}
      <hearth-sentence-rows
        .editing=${editing}
        .section=${block.section}
        .path=${path}
        .label=${block.heading()}
        .rows=${Array.isArray(rows) ? rows : []}
      ></hearth-sentence-rows>
    </div>`;
  }
}
