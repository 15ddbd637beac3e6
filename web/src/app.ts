// SPDX-License-Identifier: Apache-2.0
import { ERR_INVALID_AUTH, type Auth } from "home-assistant-js-websocket";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";

import { errorText } from "./api/errors";
import type { Home } from "./api/home";
import { tellApp } from "./api/people/external_app";
import { currentView, endView, forgetSession, isFirstRun, logOut } from "./api/session";
import { attempt } from "./elements/notify";
import { language, loadWords, t } from "./i18n/catalogue";
import { openHome, takeOpening } from "./opening";
import { tellOfRestore } from "./restored";
import { forgetPanel, keptPanel, panelShown } from "./panel_mode";
import { base, navigate, onNavigation, ownPath, query, setQuery } from "./router";
import { shared } from "./styles/shared";
import "./elements/loading";
import "./elements/notify";

type Stage = "loading" | "welcome" | "login" | "invitation" | "home" | "failed";

// The page: the first start, the login, an invitation, or the home. `home` is made once for each login.
@customElement("hearth-app")
export class App extends LitElement {
  @state() private stage: Stage = "loading";
  @state() private home: Home | undefined;
  @state() private failure: unknown;
  // The content of a wall panel; undefined if this is none.
  @state() private panel: string | undefined;
  // Changes when every text has to be drawn anew.
  @state() private drawnLanguage = language();

  static override styles = [shared];

  override connectedCallback(): void {
    super.connectedCallback();
    onNavigation(() => void attempt(() => this.followPanel()));
    void this.begin();
  }

  // A browser that stays a panel has no other pages.
  private async followPanel(): Promise<void> {
    if (!this.home) return;
    const kept = keptPanel();
    if (kept && !query().has("panel")) {
      if (location.pathname === `${base}/overview`) setQuery({ panel: kept.shows }, "replace");
      else navigate(`${base}/overview?panel=${encodeURIComponent(kept.shows)}`, "replace");
      return;
    }
    const shows = panelShown();
    if (shows !== undefined) await import("./views/overview/panel/panel");
    else await import("./shell");
    this.panel = shows;
  }

  private async begin(): Promise<void> {
    const opening = takeOpening();
    await this.proceed(async () => {
      if (location.pathname === `${base}/invitation`) await this.invite(opening);
      else if (opening) await this.enter(opening);
      else if (await isFirstRun()) await this.show("welcome");
      else await this.show("login");
    });
  }

  // Shows that something is on its way, and what went wrong.
  private async proceed(action: () => Promise<void>): Promise<void> {
    this.stage = "loading";
    try {
      await action();
    } catch (error) {
      this.failure = error;
      this.stage = "failed";
    }
  }

  private async show(stage: "welcome" | "login" | "invitation"): Promise<void> {
    if (stage === "invitation") await Promise.all([import("./views/invitation/invitation"), loadWords("people")]);
    else if (stage === "welcome") await Promise.all([import("./views/welcome/welcome"), loadWords("administration")]);
    else await import("./views/login/login");
    const path = `${base}/${stage}`;
    if (location.pathname !== path) {
      const from = location.pathname + location.search;
      const next =
        from === (base || "/") || ["login", "welcome", "invitation"].some((front) => from.startsWith(`${base}/${front}`))
          ? ""
          : `?next=${encodeURIComponent(from)}`;
      navigate(path + next, "replace");
    }
    document.title = `${t(`page.${stage}`)} – ${t("app.name")}`;
    this.stage = stage;
  }

  // An invitation is for who has no account here: somebody who is logged in is told so.
  private async invite(opening: Promise<Home> | undefined): Promise<void> {
    this.home = await opening?.catch(() => undefined);
    if (!(await isFirstRun())) return this.show("invitation");
    return this.show("welcome");
  }

  private async forgetForInvitation(): Promise<void> {
    const auth = this.home?.auth;
    this.home?.close();
    this.home = undefined;
    if (endView()) return this.begin();
    if (auth) await attempt(() => logOut(auth));
    forgetSession();
    return this.show("invitation");
  }

  private async enter(opening: Promise<Home>): Promise<void> {
    const home = await opening.catch((error: unknown) => {
      if (error !== ERR_INVALID_AUTH) throw error;
      return undefined;
    });
    if (home) return this.use(home);
    tellApp("connection-status", { event: "auth-invalid" });
    if (endView()) return this.begin();
    forgetSession();
    return this.show("login");
  }

  private async use(home: Home): Promise<void> {
    // The session may end while the page is open: revoked, or the user deactivated.
    home.connection.addEventListener("reconnect-error", (_, error) => error === ERR_INVALID_AUTH && this.leave());
    home.connection.addEventListener("disconnected", () => tellApp("connection-status", { event: "disconnected" }));
    home.connection.addEventListener("ready", () => tellApp("connection-status", { event: "connected" }));
    tellApp("connection-status", { event: "connected" });
    tellApp("config/get");
    this.drawnLanguage = language();
    this.home = home;
    if (["login", "welcome", "invitation"].some((front) => location.pathname === `${base}/${front}`)) {
      navigate(ownPath(query().get("next")) ?? `${base}/overview`, "replace");
    }
    await this.followPanel();
    if (currentView()) await import("./view_banner");
    this.stage = "home";
    void tellOfRestore(home);
    home.on("connection", () => home.connectionState === "connected" && void tellOfRestore(home));
  }

  private leave(): void {
    this.home?.close();
    this.home = undefined;
    if (endView()) return void this.begin();
    forgetSession();
    forgetPanel();
    void this.proceed(() => this.show("login"));
  }

  private async logOut(): Promise<void> {
    const auth = this.home?.auth;
    if (auth && !currentView()) await attempt(() => logOut(auth));
    navigate(`${base}/login`, "replace"); // whoever comes next begins at the front
    this.leave();
  }

  override render() {
    // The notices go into open dialogs: what lit draws before them ends at an element that stays.
    return html`${keyed(this.drawnLanguage, html`${this.view()}${this.content()}`)}<span hidden></span><hearth-notices></hearth-notices>`;
  }

  private view(): TemplateResult | typeof nothing {
    const view = this.stage === "home" ? currentView() : undefined;
    return view ? html`<hearth-view-banner .name=${view.name}></hearth-view-banner>` : nothing;
  }

  private content(): TemplateResult {
    switch (this.stage) {
      case "loading":
        return html`<hearth-loading></hearth-loading>`;
      case "welcome":
        return html`<hearth-welcome
          @entered=${(event: CustomEvent<Home>) => void this.proceed(() => this.use(event.detail))}
        ></hearth-welcome>`;
      case "login":
        return html`<hearth-login
          @entered=${(event: CustomEvent<Auth>) => void this.proceed(() => this.enter(openHome(event.detail)))}
        ></hearth-login>`;
      case "invitation":
        return html`<hearth-invitation
          .invitation=${location.hash.slice(1)}
          .knownAs=${this.home?.user.name}
          @entered=${({ detail }: CustomEvent<Auth | undefined>) =>
            void this.proceed(() => (detail ? this.enter(openHome(detail)) : this.show("login")))}
          @leave=${() => this.home && void this.use(this.home)}
          @log-out=${() => void this.forgetForInvitation()}
        ></hearth-invitation>`;
      case "failed":
        return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.begin()}></hearth-loading>`;
      case "home":
        if (this.panel !== undefined) return html`<hearth-panel .home=${this.home} .shows=${this.panel}></hearth-panel>`;
        return html`<hearth-shell
          .home=${this.home}
          @log-out=${() => void this.logOut()}
          @language-changed=${() => (this.drawnLanguage = language())}
        ></hearth-shell>`;
    }
  }
}
