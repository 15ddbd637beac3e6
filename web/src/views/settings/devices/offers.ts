// SPDX-License-Identifier: Apache-2.0
import { mdiEyeOffOutline, mdiLanConnect, mdiPuzzleOutline } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { EntriesController, IgnoredController, removeEntry, type ConfigEntry } from "../../../api/connections/entries";
import { FoundController, ignoreFound, type FoundFlow } from "../../../api/connections/flows";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { confirm } from "../../../elements/confirm";
import { attempt, notifyDone } from "../../../elements/notify";
import { language, maybeT, t } from "../../../i18n/catalogue";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { connectionsPath, connectPath } from "../connections/paths";
import { integrationName } from "../connections/words";
import { searchField } from "../long_list";
import "../../../elements/icon";

// From so many on they can be searched.
const many = 9;

// Devices that were found in the network, and the integrations that can be added, each with a button. Nothing if this hub has none of them.
@customElement("hearth-connection-offers")
export class ConnectionOffers extends LitElement {
  @property({ attribute: false }) home!: Home;
  // The integrations that can be added.
  @property({ attribute: false }) handlers: readonly string[] = [];
  @state() private search = "";
  private readonly found = new FoundController(this, () => this.home);
  private readonly entries = new EntriesController(this, () => this.home);
  private readonly ignored = new IgnoredController(this, () => this.home);

  static override styles = [
    shared,
    rows,
    css`
      li .row {
        gap: 0.6rem;
      }

      .button.primary {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-text);
      }

      .button.primary:hover {
        filter: brightness(1.08);
      }
    `,
  ];

  private async ignore(flow: FoundFlow, name: string): Promise<void> {
    const question = { heading: t("addDevices.ignoreHeading", { name }), text: t("addDevices.ignoreText"), action: t("addDevices.ignore") };
    if (!(await confirm(question))) return;
    if (await attempt(() => ignoreFound(this.home, flow, name))) notifyDone(t("addDevices.ignored", { name }));
  }

  private async heed(entry: ConfigEntry): Promise<void> {
    if (await attempt(() => removeEntry(this.home, entry))) notifyDone(t("addDevices.heeded", { name: entry.title }));
  }

  override render() {
    const { items, failure } = this.found;
    const found = items ?? [];
    const ignored = this.ignored.items ?? [];
    if (this.handlers.length === 0 && found.length === 0 && ignored.length === 0) return nothing;
    return html`<div class="stack">
      <section class="card stack">
        <h2>${t("addDevices.discovered")}</h2>
        <p class="hint" role="status">
          ${found.length > 0
            ? t("addDevices.discovered.some", { count: found.length })
            : items
              ? t("addDevices.discovered.none")
              : failure === undefined
                ? nothing
                : errorText(failure)}
        </p>
        ${found.length > 0
          ? html`<ul>
              ${repeat(
                found,
                ({ flow_id }) => flow_id,
                (flow) => this.foundRow(flow),
              )}
            </ul>`
          : nothing}
      </section>
      ${this.handlers.length > 0 ? this.kinds() : nothing} ${ignored.length > 0 ? this.ignoredOnes(ignored) : nothing}
    </div>`;
  }

  private foundRow(flow: FoundFlow): TemplateResult {
    const { name: called, host } = flow.context.title_placeholders;
    const integration = integrationName(flow.handler);
    const name = called || host || integration;
    const facts = [name === integration ? "" : integration, host === name ? "" : host].filter(Boolean).join(" · ");
    return html`<li>
      <hearth-icon .path=${mdiLanConnect}></hearth-icon>
      <div>
        <strong>${name}</strong>
        ${facts ? html`<div class="hint">${facts}</div>` : nothing}
      </div>
      <span class="row">
        <button type="button" aria-label=${t("addDevices.ignoreNamed", { name })} @click=${() => void this.ignore(flow, name)}>
          ${t("addDevices.ignore")}
        </button>
        <a class="button primary" href=${connectPath({ flow: flow.flow_id, found: "1" })} aria-label=${t("addDevices.addNamed", { name })}
          >${t("addDevices.addOne")}</a
        >
      </span>
    </li>`;
  }

  private ignoredOnes(entries: readonly ConfigEntry[]): TemplateResult {
    return html`<section class="card stack">
      <h2>${t("addDevices.ignoredOnes")}</h2>
      <ul>
        ${repeat(
          entries,
          ({ entry_id }) => entry_id,
          (entry) => {
            const name = entry.title || integrationName(entry.domain);
            return html`<li>
              <hearth-icon .path=${mdiEyeOffOutline}></hearth-icon>
              <div>
                <strong>${name}</strong>
                <div class="hint">${integrationName(entry.domain)}</div>
              </div>
              <span class="row">
                <button type="button" aria-label=${t("addDevices.heedNamed", { name })} @click=${() => void this.heed(entry)}>
                  ${t("addDevices.heed")}
                </button>
              </span>
            </li>`;
          },
        )}
      </ul>
    </section>`;
  }

  private kinds(): TemplateResult {
    const collator = new Intl.Collator(language(), { numeric: true });
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = this.handlers
      .map((handler) => ({ handler, name: integrationName(handler), text: maybeT(`integration.${handler}.text`) ?? "" }))
      .filter(({ handler, name, text }) => words.every((word) => `${handler} ${name} ${text}`.toLowerCase().includes(word)))
      .sort((a, b) => collator.compare(a.name, b.name));
    return html`<section class="card stack">
      <h2>${t("addDevices.kinds")}</h2>
      ${this.handlers.length >= many ? searchField(t("addDevices.searchKinds"), this.search, (search) => (this.search = search)) : nothing}
      ${kinds.length === 0 ? html`<p class="muted" role="status">${t("addDevices.noKind")}</p>` : nothing}
      <ul>
        ${repeat(
          kinds,
          ({ handler }) => handler,
          ({ handler, name, text }) => this.kind(handler, name, text),
        )}
      </ul>
    </section>`;
  }

  private kind(handler: string, name: string, text: string): TemplateResult {
    const count = this.entries.items?.filter(({ domain }) => domain === handler).length ?? 0;
    return html`<li>
      <hearth-icon .path=${mdiPuzzleOutline}></hearth-icon>
      <div>
        <strong>${name}</strong>
        ${text || count > 0
          ? html`<div class="hint">
              ${text} ${count > 0 ? html`<a href=${connectionsPath()}>${t("addDevices.alreadyThere", { count })}</a>` : nothing}
            </div>`
          : nothing}
      </div>
      <span class="row">
        <a class="button" href=${connectPath({ handler })} aria-label=${t("addDevices.addNamed", { name })}>${t("addDevices.addOne")}</a>
      </span>
    </li>`;
  }
}
