// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { entityOfItem, writtenKinds, type WrittenKind } from "../../../api/automations";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readDeleted, restoreRevision, type Deleted } from "../../../api/revisions";
import { notifyDone } from "../../../elements/notify";
import { formatDateTime, t } from "../../../i18n/catalogue";
import { base, navigate, onNavigation, query } from "../../../router";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "../../../elements/loading";
import "./item_versions";

const start = `${base}/settings/automations`;

// Automations, scripts and scenes that are no longer there, as long as the hub keeps their text; of one, its versions.
@customElement("hearth-deleted-items")
export class DeletedItems extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private lists: [WrittenKind, Deleted[]][] | undefined;
  @state() private failure: unknown;

  static override styles = [shared, rows];

  private stopNavigation: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopNavigation = onNavigation(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopNavigation?.();
  }

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.lists = await Promise.all(
        writtenKinds.map(async (kind): Promise<[WrittenKind, Deleted[]]> => [kind, await readDeleted(this.home, kind)]),
      );
    } catch (error) {
      this.failure = error;
    }
  }

  private async restore(kind: WrittenKind, { item_id, name, revision }: Deleted): Promise<void> {
    await restoreRevision(this.home, kind, item_id, revision);
    await this.show(kind, item_id, name);
  }

  private async show(kind: WrittenKind, id: string, name: string): Promise<void> {
    notifyDone(t("versions.restored", { name }));
    const entityId = await entityOfItem(this.home, kind, id);
    navigate(`${start}${entityId ? `/${entityId}` : ""}`);
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    if (!this.lists) return html`<p class="muted">${t("app.loading")}</p>`;
    const id = query().get("id") ?? "";
    const kind = writtenKinds.find((each) => each === query().get("kind"));
    if (kind && id) {
      const name = this.lists.find(([each]) => each === kind)?.[1].find(({ item_id }) => item_id === id)?.name ?? id;
      return html`<div class="stack">
        <h2>${name}</h2>
        <hearth-item-versions
          .home=${this.home}
          .kind=${kind}
          .itemId=${id}
          @restored=${() => void this.show(kind, id, name)}
        ></hearth-item-versions>
      </div>`;
    }
    return html`<section class="card stack">
      <h2>${t("versions.deletedHeading")}</h2>
      <p class="hint">${t("versions.deletedHint")}</p>
      ${this.lists.every(([, items]) => items.length === 0) ? html`<p class="muted">${t("versions.noDeleted")}</p>` : nothing}
      <ul>
        ${this.lists.flatMap(([each, items]) => items.map((item) => this.item(each, item)))}
      </ul>
    </section>`;
  }

  private item(kind: WrittenKind, item: Deleted): TemplateResult {
    const time = formatDateTime(new Date(item.at), this.home.configuration.time_zone);
    const label = t("versions.restore_deleted");
    return html`<li>
      <div>
        <a href="?kind=${kind}&amp;id=${encodeURIComponent(item.item_id)}">${item.name}</a>
        <span class="badge">${t(`editor.kind_${kind}`)}</span>
        <div class="hint">
          ${item.user ? t("versions.deletedBy", { when: time, name: item.user }) : t("versions.deletedAt", { when: time })}
        </div>
      </div>
      <div class="row">
        <hearth-action .label=${label} .name=${`${label}: ${item.name}`} .run=${() => this.restore(kind, item)}></hearth-action>
      </div>
    </li>`;
  }
}
