// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import { RestError } from "../../api/errors";
import type { Home } from "../../api/home";
import { FirstImport, type ImportState } from "../../api/imports/imports";
import { removableDemo, type KnownIntegration } from "../../api/integrations";
import { createFirstUser, needsFirstUserCode } from "../../api/session";
import { checkAccount, passwordHint, usernameFor } from "../../elements/account_rules";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import type { HomeForm } from "../../elements/home_form";
import { language, languageName, languages, loadWords, t } from "../../i18n/catalogue";
import { loadReportMessages } from "../../i18n/hub_messages";
import { openHome } from "../../opening";
import { choosePreferences, currentPreferences, keepPreferences } from "../../preferences";
import { base, navigate } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/front";
import "../../elements/home_form";
import "../../elements/late";
import "../../elements/remove_integration";
import "../../elements/room_choices";
import "./from_backup";
import "./next_steps";

// With the words that only this page says.
const loadImport = () => Promise.all([import("./from_home_assistant"), loadWords("moving"), loadReportMessages()]);

// The first start: makes the first account, asks about the home, and says what comes next; goes back to a backup, or moves in from Home
// Assistant. Fires
// `entered` with the open Home.
@customElement("hearth-welcome")
export class Welcome extends LitElement {
  @state() private home: Home | undefined;
  @state() private named = "";
  @state() private username = "";
  @state() private needsCode = false;
  // Where the home comes from that is not begun anew.
  @state() private origin: "backup" | "home_assistant" | undefined;
  // The demo home, whose rooms would be those of the list.
  @state() private demo: KnownIntegration | undefined;
  @state() private isRemoving = false;
  // From Home Assistant, before the page was loaded anew.
  private begunImport: ImportState | undefined;
  @state() private step: "home" | "rooms" | "next" = "home";
  private ownUsername = false;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      .head {
        display: grid;
        gap: 0.4rem;
        margin-bottom: 1.3rem;
      }

      .demo {
        display: grid;
        justify-items: start;
        gap: 0.6rem;
        margin-bottom: 1rem;
      }

      .language {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: 0.7rem;
      }

      .language select {
        width: auto;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // If the hub cannot be asked now, it says so itself when the account is sent.
    void needsFirstUserCode().then(
      (needed) => {
        this.needsCode = needed;
        return this.goOnWithImport();
      },
      () => undefined,
    );
  }

  // After the page was loaded anew, in the middle of an import.
  private async goOnWithImport(): Promise<void> {
    const known = FirstImport.remembered();
    if (this.needsCode && !known.code) return;
    this.begunImport = await known.underWay();
    if (this.begunImport && !this.home && !this.origin) await this.chooseStart("home_assistant");
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#name")?.focus();
  }

  private async createAccount(values: Values): Promise<void> {
    checkAccount(values);
    const { name = "", username = "", password = "", code } = values;
    const session = await createFirstUser({
      name: name.trim(),
      username: username.trim(),
      password,
      language: language(),
      code: code?.trim() ?? null,
    }).catch(async (error: unknown) => {
      const refused = error instanceof RestError && error.status === 403;
      if (refused && (await needsFirstUserCode())) throw new FieldProblems({ code: t("welcome.codeWrong") });
      throw error;
    });
    const home = await openHome(session);
    if (currentPreferences().language !== "auto") await keepPreferences(home).catch(() => undefined);
    this.home = home;
    void removableDemo(home).then((demo) => (this.demo = demo));
    await this.updateComplete;
    this.renderRoot.querySelector("h1")?.focus();
  }

  private async speak(tag: string): Promise<void> {
    await choosePreferences({ language: tag });
    document.title = `${t("page.welcome")} – ${t("app.name")}`;
    if (this.home) await keepPreferences(this.home).catch(() => undefined);
    this.form.clear(); // in the other language
    this.renderRoot.querySelector<HomeForm>("hearth-home-form")?.requestUpdate();
  }

  private async show(step: "rooms" | "next"): Promise<void> {
    this.step = step;
    await this.updateComplete;
    this.renderRoot.querySelector("h1")?.focus();
  }

  private finish(path: string): void {
    if (path !== "/overview") navigate(`${base}/welcome?next=${encodeURIComponent(base + path)}`, "replace");
    if (this.home) this.dispatchEvent(new CustomEvent<Home>("entered", { detail: this.home }));
  }

  private async chooseStart(origin: Welcome["origin"]): Promise<void> {
    this.origin = origin;
    this.form.clear();
    await this.updateComplete;
    this.renderRoot.querySelector("h1")?.focus();
  }

  private leaveImport(): void {
    this.begunImport = undefined;
    void this.chooseStart(undefined);
  }

  override render() {
    return html`<hearth-front ?wide=${this.origin === "home_assistant"}>
      ${this.content()}
      <div slot="corner" class="language">
        <label for="language">${t("welcome.language")}</label>
        <select id="language" @change=${(event: Event) => void this.speak((event.target as HTMLSelectElement).value)}>
          ${languages.map((tag) => html`<option value=${tag} lang=${tag} .selected=${tag === language()}>${languageName(tag)}</option>`)}
        </select>
      </div>
    </hearth-front>`;
  }

  private content(): TemplateResult {
    if (this.home && this.step === "rooms") return this.aboutRooms(this.home);
    if (this.home) return this.step === "next" ? this.whatNext(this.home) : this.aboutHome(this.home);
    if (this.origin === "home_assistant") return this.aboutHomeAssistant();
    return this.origin === "backup" ? this.aboutBackup() : this.aboutYou();
  }

  // `step` is null beside the steps.
  private head(step: number | null, heading: string, text: string): TemplateResult {
    return html`<div class="head">
      ${step ? html`<p class="hint">${t("welcome.step", { step, of: 4 })}</p>` : nothing}
      <h1 tabindex="-1">${heading}</h1>
      <p class="muted">${text}</p>
    </div>`;
  }

  private aboutYou(): TemplateResult {
    const { form } = this;
    return html`${this.head(1, t("page.welcome"), t("welcome.accountText"))}
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.createAccount(values))}>
        ${form.text({
          name: "name",
          label: t("account.name"),
          hint: t("welcome.nameHint"),
          autocomplete: "name",
          required: true,
          value: this.named,
          changed: (name) => {
            this.named = name;
            if (!this.ownUsername) this.username = usernameFor(name);
          },
        })}
        ${form.text({
          name: "username",
          label: t("account.username"),
          hint: t("welcome.usernameHint"),
          autocomplete: "username",
          required: true,
          value: this.username,
          changed: (username) => {
            this.username = username;
            this.ownUsername = username !== "";
          },
        })}
        ${form.password({
          name: "password",
          label: t("account.password"),
          hint: passwordHint(),
          autocomplete: "new-password",
          required: true,
        })}
        ${form.password({ name: "confirm", label: t("account.confirmPassword"), autocomplete: "new-password", required: true })}
        ${this.needsCode
          ? form.text({ name: "code", label: t("welcome.code"), hint: t("welcome.codeHint"), required: true, mono: true })
          : nothing}
        ${form.failed()} ${form.button(t("welcome.createAccount"))}
        <button type="button" class="plain" @click=${() => void this.chooseStart("backup")}>${t("welcome.fromBackup")}</button>
        <button type="button" class="plain" @click=${() => void this.chooseStart("home_assistant")}>
          ${t("welcome.fromHomeAssistant")}
        </button>
      </form>`;
  }

  private aboutBackup(): TemplateResult {
    return html`${this.head(null, t("welcome.fromBackup"), t("welcome.fromBackupText"))}
      <hearth-from-backup ?needsCode=${this.needsCode} @back=${() => void this.chooseStart(undefined)}></hearth-from-backup>`;
  }

  private aboutHomeAssistant(): TemplateResult {
    return html`<hearth-late
      .load=${loadImport}
      .draw=${() =>
        html`<hearth-from-home-assistant
          ?needsCode=${this.needsCode}
          .begun=${this.begunImport}
          @back=${() => this.leaveImport()}
        ></hearth-from-home-assistant>`}
    ></hearth-late>`;
  }

  private aboutHome(home: Home): TemplateResult {
    return html`${this.head(2, t("welcome.homeHeading"), t("welcome.homeText"))}
      <hearth-home-form .home=${home} first .action=${t("welcome.continue")} @saved=${() => void this.show("rooms")}>
        <button type="button" class="plain" @click=${() => void this.show("rooms")}>${t("welcome.skip")}</button>
      </hearth-home-form>`;
  }

  private aboutRooms(home: Home): TemplateResult {
    const { demo } = this;
    return html`${this.head(3, t("rooms.heading"), t("rooms.hint"))}
      ${demo
        ? html`<div class="notice demo">
            <p>${t("welcome.demoRooms")}</p>
            <button type="button" @click=${() => (this.isRemoving = true)}>${t("welcome.demo")}</button>
          </div>`
        : nothing}
      ${demo && this.isRemoving
        ? html`<hearth-remove-integration
            .home=${home}
            integration="demo"
            .name=${t("integration.demo")}
            .place=${demo.place ?? ""}
            @removed=${() => (this.demo = undefined)}
            @closed=${() => (this.isRemoving = false)}
          ></hearth-remove-integration>`
        : nothing}
      <hearth-room-choices .home=${home} @saved=${() => void this.show("next")}>
        <button type="button" class="plain" @click=${() => void this.show("next")}>${t("welcome.skip")}</button>
      </hearth-room-choices>`;
  }

  private whatNext(home: Home): TemplateResult {
    return html`${this.head(4, t("welcome.nextHeading"), t("welcome.nextText"))}
      <hearth-next-steps .home=${home} @leave=${({ detail }: CustomEvent<string>) => this.finish(detail)}></hearth-next-steps>`;
  }
}
