// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";

import { answerFlow, beginFlow, endFlow, showFlow, type FlowAbort, type FlowForm, type FlowStep } from "../../../api/connections/flows";
import { RestError, errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { focusHeading } from "../../../elements/focus";
import { notifyDone } from "../../../elements/notify";
import { TitleController } from "../../../elements/title";
import { t } from "../../../i18n/catalogue";
import { base, navigate, onNavigation, query } from "../../../router";
import { shared } from "../../../styles/shared";
import type { FlowFormElement } from "./flow_form";
import { connectPath, connectionPath, connectionsPath } from "./paths";
import { abortWords, flowHeading, integrationName, stepText } from "./words";
import "../../../elements/back_link";
import "../../../elements/loading";
import "./flow_form";
import "./new_connection";

const isGone = (error: unknown): boolean => error instanceof RestError && error.status === 404;

// Adds a connection. The address says how it begins: `?handler=` asks for one of an integration, `?flow=` shows the present step of a
// flow, with `&found=1` that of something that was found in the network, and `?entry=` the connection that was made. With `&change=`
// and the id of an entry, it changes that one.
@customElement("hearth-flow-page")
export class FlowPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private step: FlowForm | undefined;
  @state() private end: FlowAbort | "gone" | undefined;
  @state() private entry = "";
  @state() private failure = "";
  // The connection was made here, and not before.
  private wasMade = false;
  private handler = "";
  // The id of the connection that is changed; empty if a new one is made.
  private change = "";
  // Another form each time that another question is asked.
  private question = 0;
  // A found device stays on offer until somebody has answered it.
  private isOffer = false;
  // The words of the address, and the work of this element for them: an answer that comes after another address is not for it.
  private wanted = "";
  private stop: (() => void) | undefined;

  static override styles = [
    shared,
    css`
      h2:focus {
        outline: none;
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 2, () => this.heading);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { pathname } = location;
    this.stop = onNavigation(() => location.pathname === pathname && this.adopt());
    queueMicrotask(() => this.isConnected && this.adopt()); // the properties are set then
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.leave();
    this.wanted = "";
  }

  // Work under way at the device ends, and so does the flow at the hub.
  private leave(): void {
    const { step } = this;
    this.step = undefined;
    if (step && !this.isOffer) void endFlow(this.home, step.flow_id).catch(() => undefined); // it may have ended by itself
  }

  private adopt(): void {
    const { search } = location;
    if (search === this.wanted) return;
    this.leave();
    this.wanted = search;
    this.end = undefined;
    this.failure = "";
    this.wasMade = false;
    this.entry = query().get("entry") ?? "";
    this.isOffer = query().has("found");
    this.handler = query().get("handler") ?? "";
    this.change = query().get("change") ?? "";
    if (!this.entry) void this.begin();
  }

  private async begin(): Promise<void> {
    const { wanted, handler, change } = this;
    const flow = query().get("flow") ?? "";
    this.failure = "";
    this.end = undefined;
    try {
      const step = await (flow ? showFlow(this.home, flow) : beginFlow(this.home, handler, change));
      if (wanted !== this.wanted) {
        if (!flow && step.type === "form") await endFlow(this.home, step.flow_id).catch(() => undefined);
        return;
      }
      // A page that is loaded again goes on there.
      if (!flow && step.type === "form") this.rewrite({ flow: step.flow_id, ...(change ? { change } : {}) });
      this.take(step);
    } catch (error) {
      if (wanted !== this.wanted) return;
      if (isGone(error)) this.end = "gone";
      else this.failure = errorText(error);
    }
  }

  // Another address for what is shown already.
  private rewrite(values: Parameters<typeof connectPath>[0]): void {
    const path = connectPath(values);
    this.wanted = new URL(path, location.origin).search;
    navigate(path, "replace");
  }

  private take(step: FlowStep): void {
    this.handler = step.handler;
    if (step.type === "form") {
      const isSame = this.step?.step_id === step.step_id && Object.keys(step.errors).length > 0;
      if (!isSame) this.question += 1;
      this.step = step;
      return;
    }
    this.step = undefined;
    if (step.type === "abort" && step.reason === "reconfigure_successful") {
      notifyDone(t("flow.changed"));
      navigate(connectionPath(this.change), "replace");
    } else if (step.type === "abort") this.end = step;
    else {
      this.entry = step.result.entry_id;
      this.wasMade = true;
      this.rewrite({ entry: this.entry });
    }
  }

  private async answer({ flow_id }: FlowForm, fields: object): Promise<FlowStep> {
    const { wanted, question } = this;
    this.isOffer = false;
    let step: FlowStep;
    try {
      step = await answerFlow(this.home, flow_id, fields);
    } catch (error) {
      if (isGone(error) && wanted === this.wanted) {
        this.step = undefined;
        this.end = "gone";
        void this.focusNext();
      }
      throw error;
    }
    if (wanted !== this.wanted) return step;
    this.take(step);
    if (this.question !== question || !this.step) void this.focusNext();
    return step;
  }

  // The form that had the focus is gone.
  private async focusNext(): Promise<void> {
    await this.updateComplete;
    const form = this.renderRoot.querySelector<FlowFormElement>("hearth-flow-form");
    await form?.updateComplete;
    const heading = this.renderRoot.querySelector("h2");
    if (form) form.takeFocus();
    else if (heading) focusHeading(heading);
  }

  private get heading(): string {
    if (this.entry) return "";
    return this.step ? flowHeading(this.step, this.change !== "") : t("flow.heading", { name: integrationName(this.handler) });
  }

  override render() {
    const { step, end } = this;
    const origin = this.change ? connectionPath(this.change) : `${base}/settings/devices/add`;
    const back = html`<hearth-back-link href=${origin} label=${t(this.change ? "flow.backToEntry" : "flow.back")}></hearth-back-link>`;
    if (this.entry) {
      return html`<div class="stack">
        ${back}
        <hearth-new-connection .home=${this.home} .entryId=${this.entry} .takesFocus=${this.wasMade}></hearth-new-connection>
      </div>`;
    }
    return html`<div class="stack">
      ${back}
      <section class="card stack">
        <h2>${this.handler || step ? this.heading : t("addDevices.heading")}</h2>
        <div role="status">${step ? html`<p>${stepText(step)}</p>` : nothing}</div>
        ${step
          ? keyed(
              this.question,
              html`<hearth-flow-form
                .step=${step}
                ?change=${this.change !== ""}
                .answer=${(fields: object) => this.answer(step, fields)}
                @cancelled=${() => navigate(origin)}
              ></hearth-flow-form>`,
            )
          : end
            ? this.ended(end)
            : html`<hearth-loading .problem=${this.failure} @retry=${() => void this.begin()}></hearth-loading>`}
      </section>
    </div>`;
  }

  private ended(end: FlowAbort | "gone"): TemplateResult {
    const reason = end === "gone" ? t("flow.gone") : abortWords(end.handler, end.reason);
    return html`<p class="problem" role="alert">${reason}</p>
      <div class="end-buttons">
        ${end !== "gone" && end.reason === "already_configured"
          ? html`<a class="button" href=${connectionsPath()}>${t("connections.all")}</a>`
          : nothing}
        ${this.handler ? html`<button type="button" class="primary" @click=${() => this.again()}>${t("flow.again")}</button>` : nothing}
      </div>`;
  }

  private again(): void {
    navigate(connectPath({ handler: this.handler, ...(this.change ? { change: this.change } : {}) }), "replace");
    // The address may have said so before.
    if (this.end) void this.begin();
  }
}
