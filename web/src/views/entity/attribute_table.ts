// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Attributes } from "../../api/types";
import { formatNumber, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

// An attribute's name and value, each as it is: texts as they stand, lists and objects as JSON.
@customElement("hearth-attribute-table")
export class AttributeTable extends LitElement {
  @property({ attribute: false }) values: Attributes = {};

  static override styles = [
    shared,
    css`
      table {
        table-layout: fixed;
        font-size: 0.92rem;
      }

      th {
        width: 42%;
        font-weight: 500;
        overflow-wrap: anywhere;
      }

      th,
      td {
        padding: 0.4rem 0.3rem;
        vertical-align: top;
      }

      pre {
        max-height: 14rem;
        margin: 0;
        overflow: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ];

  private value(value: unknown) {
    if (value === null || value === undefined || value === "") return html`<span class="muted">–</span>`;
    if (typeof value === "number") return formatNumber(value, { useGrouping: false });
    if (typeof value !== "object") return String(value);
    const text = JSON.stringify(value);
    // Short lists stay on their line.
    return html`<pre tabindex="0">${text.length <= 60 ? text : JSON.stringify(value, undefined, 2)}</pre>`;
  }

  override render() {
    return html`<table aria-label=${t("entity.attributes")}>
      <tbody>
        ${Object.keys(this.values)
          .sort()
          .map(
            (name) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${this.value(this.values[name])}</td>
              </tr>`,
          )}
      </tbody>
    </table>`;
  }
}
