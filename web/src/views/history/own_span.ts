// SPDX-License-Identifier: Apache-2.0
import { mdiCalendar } from "@mdi/js";
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { fromWallTime, read, wallTime, written } from "../../i18n/wall_time";
import { shared } from "../../styles/shared";
import "../../elements/icon";

// A span of one's own, by the home's clocks. Browsers' fields for times keep to the browser's language, so these are texts in the
// page's, beside which the browser's calendar opens. Fires `choose` with {from, to} as detail, in seconds since 1970.
@customElement("hearth-own-span")
export class OwnSpan extends LitElement {
  @property({ type: Number }) start = 0;
  @property({ type: Number }) end = 0;
  @property() timeZone = "UTC";
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        align-items: start;
      }

      .field {
        position: relative;
        width: 15rem;
        max-width: 100%;
      }

      .pick {
        position: relative;
      }

      .pick input:first-child {
        padding-inline-end: 3.2rem;
      }

      .pick button {
        position: absolute;
        inset: 0 0 auto auto;
        color: var(--text-2);
      }

      .pick input[type="datetime-local"] {
        position: absolute;
        inset: auto 0 0 auto;
        width: 1px;
        min-height: 1px;
        height: 1px;
        padding: 0;
        border: 0;
        opacity: 0;
        pointer-events: none;
      }

      .end {
        padding-top: 1.75rem;
      }
    `,
  ];

  private async choose(values: Values): Promise<void> {
    const problems: Values = {};
    const [from, to] = (["from", "to"] as const).map((name) => {
      const wall = read(values[name] ?? "");
      if (wall === undefined) problems[name] = t("history.wrongTime", { example: written(wallTime(this.end, this.timeZone)) });
      return fromWallTime(wall ?? "", this.timeZone);
    }) as [number, number];
    if (Object.keys(problems).length > 0) throw new FieldProblems(problems);
    if (from >= to) throw new FieldProblems({ to: t("history.wrongSpan") });
    this.dispatchEvent(new CustomEvent("choose", { detail: { from, to } }));
  }

  override render() {
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.form.submit(event, (values) => this.choose(values))}>
      ${this.field("from", t("history.from"), this.start)} ${this.field("to", t("history.to"), this.end)}
      <div class="end">
        ${this.form.button(t("history.show"))}
        <span class="hint">${t("history.zone", { zone: this.timeZone })}</span>
      </div>
    </form>`;
  }

  private field(name: "from" | "to", label: string, seconds: number): TemplateResult {
    const wall = wallTime(seconds, this.timeZone);
    const pick = (event: Event) => {
      const hidden = (event.currentTarget as Element).nextElementSibling as HTMLInputElement;
      hidden.value = read(this.input(name).value) ?? wall;
      hidden.showPicker();
    };
    const picked = ({ target }: Event) => {
      const { value } = target as HTMLInputElement;
      if (value) this.input(name).value = written(value);
    };
    return this.form.framed(
      { name, label },
      html`<div class="pick">
        ${this.form.input({ name, label, value: written(wall), required: true })}
        <button type="button" class="plain round" aria-label=${`${label}: ${t("history.calendar")}`} @click=${pick}>
          <hearth-icon .path=${mdiCalendar}></hearth-icon>
        </button>
        <input type="datetime-local" tabindex="-1" aria-hidden="true" @change=${picked} />
      </div>`,
    );
  }

  private input(name: string): HTMLInputElement {
    return this.renderRoot.querySelector(`#${name}`) as HTMLInputElement;
  }
}
