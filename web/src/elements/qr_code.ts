// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, svg } from "lit";
import { customElement, property } from "lit/decorators.js";
import { encode } from "uqr";

// A text as a QR code, black on white in each theme: cameras expect it so.
@customElement("hearth-qr-code")
export class QrCode extends LitElement {
  @property() text = "";
  // Said instead of the picture.
  @property() label = "";

  static override styles = css`
    svg {
      display: block;
      width: 100%;
      max-width: 15rem;
      border-radius: var(--radius-small);
      background: #fff;
    }
  `;

  override render() {
    const { data, size } = encode(this.text, { ecc: "M", border: 4 });
    let path = "";
    data.forEach((row, y) =>
      row.forEach((dark, x) => {
        if (dark) path += `M${x} ${y}h1v1h-1z`;
      }),
    );
    return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${this.label} shape-rendering="crispEdges">
      ${svg`<path d=${path} fill="#000"></path>`}
    </svg>`;
  }
}
