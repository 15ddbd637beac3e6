// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, t } from "../i18n/catalogue";
import { numberIn, textIn } from "./attributes";
import type { Content } from "./card";
import { KindCard } from "./kind";
import { withUnit } from "./state_text";

// The software of something: what its Kind says, how far an installation is and, in the dialog, what is new.
@customElement("hearth-update-card")
export class UpdateCard extends KindCard {
  static override styles = [
    ...KindCard.styles,
    css`
      .installing {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.2rem 0.7rem;
        color: var(--text-2);
        font-size: 0.88rem;
      }

      progress {
        flex: 1 1 6rem;
        min-width: 0;
        height: 0.6rem;
        accent-color: var(--accent);
      }

      .summary {
        white-space: pre-line;
      }
    `,
  ];

  protected override body(entity: Entity): Content {
    const url = textIn(entity, "release_url");
    const summary = textIn(entity, "release_summary");
    const installed = textIn(entity, "installed_version");
    return html`
      ${this.progress(entity)}
      ${this.detailed && installed ? html`<p class="hint">${t("update.installed", { version: installed })}</p>` : nothing}
      ${this.detailed && summary ? html`<p class="summary">${summary}</p>` : nothing}
      ${this.detailed && /^https?:\/\//.test(url)
        ? html`<p><a href=${url} target="_blank" rel="noopener noreferrer">${t("update.notes")}</a></p>`
        : nothing}
      ${super.body(entity)}
    `;
  }

  // A bar; without a value while the device does not say how far it is.
  private progress(entity: Entity): Content {
    if (entity.attributes.in_progress !== true || this.isGone) return nothing;
    const share = numberIn(entity, "update_percentage");
    return html`<div class="installing">
      <span>${t("update.installing")}${share === undefined ? nothing : ` ${withUnit(formatNumber(Math.round(share)), "%")}`}</span>
      <progress max="100" value=${share ?? nothing} aria-label="${t("update.installing")}: ${this.name}"></progress>
    </div>`;
  }
}
