// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { FormController, formStyles } from "../../elements/form";
import { attempt, notifyDone } from "../../elements/notify";
import { languageName, languages, t } from "../../i18n/catalogue";
import { choosePreferences, currentPreferences, keepPreferences, type Preferences, type Theme } from "../../preferences";
import { shared } from "../../styles/shared";

const themes: Theme[] = ["auto", "light", "dark"];

// Language and theme, in force as soon as they are chosen. Fires `language-changed`.
@customElement("hearth-preferences-form")
export class PreferencesForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      .stack > .field {
        max-width: 30rem;
      }
    `,
  ];

  private async choose(changes: Partial<Preferences>): Promise<void> {
    const redraw = await choosePreferences(changes);
    if (await attempt(() => keepPreferences(this.home))) notifyDone(t("action.saved"));
    this.requestUpdate();
    if (redraw) this.dispatchEvent(new CustomEvent("language-changed"));
  }

  override render() {
    const { language, theme } = currentPreferences();
    return html`<div class="stack">
      <h2>${t("profile.look")}</h2>
      ${this.form.select({
        name: "language",
        label: t("profile.language"),
        value: language,
        options: [["auto", t("profile.languageAuto")], ...languages.map((tag): [string, string] => [tag, languageName(tag)])],
        changed: (value) => void this.choose({ language: value }),
      })}
      ${this.form.select({
        name: "theme",
        label: t("profile.theme"),
        value: theme,
        options: themes.map((value) => [value, t(`profile.theme.${value}`)]),
        changed: (value) => void this.choose({ theme: value as Theme }),
      })}
      <p class="hint">${t("profile.lookHint")}</p>
    </div>`;
  }
}
