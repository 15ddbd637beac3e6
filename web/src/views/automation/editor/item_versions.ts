// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { WrittenKind } from "../../../api/automations";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readRevisions, restoreRevision, type Change, type Revision, type Revisions } from "../../../api/revisions";
import { formatDateTime, formatRelative, maybeT, t } from "../../../i18n/catalogue";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "../../../elements/loading";
import "../../../items/text_changes";

// As many changes of one version are named.
const mostNamed = 6;

// Changes of an automation, script or scene, the newest first, and its text before each change, which can be put back. Fires
// `restored` after that.
@customElement("hearth-item-versions")
export class ItemVersions extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) kind!: WrittenKind;
  @property({ attribute: false }) itemId = "";
  // True if what is not saved may be lost.
  @property({ attribute: false }) mayRestore: () => Promise<boolean> = () => Promise.resolve(true);
  @state() private versions: Revisions | undefined;
  @state() private failure: unknown;

  static override styles = [
    shared,
    lined,
    css`
      .names {
        display: block;
        color: var(--text-2);
        font-size: 0.95rem;
      }

      details {
        margin-top: 0.4rem;
      }

      summary {
        display: inline-block;
        padding: 0.5rem 0;
        color: var(--accent);
        cursor: pointer;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("kind") || changes.has("itemId")) void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.versions = await readRevisions(this.home, this.kind, this.itemId);
    } catch (error) {
      this.failure = error;
    }
  }

  private async restore(revision: string): Promise<void> {
    if (!(await this.mayRestore())) return;
    await restoreRevision(this.home, this.kind, this.itemId, revision);
    await this.load();
    this.dispatchEvent(new CustomEvent("restored"));
  }

  override render() {
    if (this.failure !== undefined)
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    if (!this.versions) return html`<p class="muted">${t("app.loading")}</p>`;
    const { current, revisions } = this.versions;
    return html`<section class="card stack">
      <h2>${t("versions.heading")}</h2>
      <p class="hint">${t("versions.hint")}</p>
      ${revisions.length === 0 ? html`<p class="muted">${t("versions.none")}</p>` : nothing}
      <ul>
        ${revisions.map((revision, index) =>
          this.version(revision, index === 0, index === 0 ? current : (revisions[index - 1]?.before ?? null)),
        )}
      </ul>
    </section>`;
  }

  private version(revision: Revision, isNewest: boolean, after: string | null): TemplateResult {
    const { at, user, kind, changes, before } = revision;
    const time = formatDateTime(new Date(at), this.home.configuration.time_zone);
    const label = t(kind === "removed" || !isNewest ? "versions.restore" : "versions.undo");
    return html`<li>
      <div class="spread">
        <div>
          <strong><time datetime=${at} title=${formatRelative(new Date(at))}>${time}</time></strong>
          <span class="hint">${user ? t("versions.by", { name: user }) : nothing}</span>
          <span class="names">${kind === "changed" ? names(changes) : t(`versions.item_${kind}`)}</span>
        </div>
        ${before === null
          ? nothing
          : html`<hearth-action
              .label=${label}
              .name=${`${label}: ${time}`}
              .run=${() => this.restore(revision.revision)}
            ></hearth-action>`}
      </div>
      <details ?open=${isNewest}>
        <summary>${t("versions.difference")}</summary>
        <hearth-text-changes .former=${before ?? ""} .text=${after ?? ""}></hearth-text-changes>
      </details>
    </li>`;
  }
}

// "Trigger 1: to changed; step 2 added"; of what changed in many places not all.
function names(changes: Change[]): string {
  if (changes.length === 0) return t("versions.onlyText");
  const named = changes.slice(0, mostNamed).map(({ path, kind }) => t(`versions.${kind}`, { what: nameOf(path) }));
  const more = changes.length - named.length;
  return [...named, ...(more > 0 ? [t("versions.more", { count: more })] : [])].join(" · ");
}

function nameOf(path: string): string {
  const place = /^(triggers|conditions|actions|sequence)\[(\d+)\](?:\.?(.*))?$/.exec(path);
  if (!place) return maybeT(`versions.key_${path}`) ?? path;
  const [, part = "", index = "0", rest = ""] = place;
  const name = t(`versions.part_${part as "triggers" | "conditions" | "actions" | "sequence"}`, { number: Number(index) + 1 });
  return rest ? `${name} (${rest})` : name;
}
