// SPDX-License-Identifier: Apache-2.0
// Files of automations, scripts and scenes that the hub cannot read, as its repairs name them.
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";

import type { WrittenKind } from "../api/automations";
import type { Home } from "../api/home";
import type { Issue } from "../api/types";
import { Polled } from "../elements/controllers";
import { t } from "../i18n/catalogue";
import { hubMessage } from "../i18n/hub_messages";

const interval = 5000;

export interface FileFault {
  file: string;
  line: string;
  error: string;
  // The hub's way to go on in spite of it.
  instead: "nothing" | "lastGood" | "others";
}

// Included files are where people put them.
const isOfItems = ({ domain, translation_placeholders: { file = "" } }: Issue) =>
  domain === "automation" || /automation|script|scene|package/.test(file);

function faultOf({ translation_key: key, translation_placeholders: { file = "", line = "", error = "" } }: Issue): FileFault {
  const place = `${file}:${line}:`;
  const text = error.startsWith(place) ? error.slice(place.length).replace(/^\d+:/, "").trim() : error;
  const isWhole = /^(not valid YAML|cannot be read)/.test(text);
  return { file, line, error: text, instead: key === "configuration_kept" ? "lastGood" : isWhole ? "nothing" : "others" };
}

export class FileFaults {
  private readonly issues: Polled<FileFault[]>;

  constructor(host: ReactiveControllerHost, home: () => Home) {
    this.issues = new Polled(host, interval, async () => {
      const { issues } = await home().command<{ issues: Issue[] }>("repairs/list_issues");
      const isFile = ({ translation_key: key, translation_placeholders: { file } }: Issue) =>
        (key === "configuration_left_out" || key === "configuration_kept") && Boolean(file);
      return issues.filter((issue) => isFile(issue) && isOfItems(issue)).map(faultOf);
    });
  }

  // Of the file that pages write things of that kind into; without a kind those of all other files.
  of(kind?: WrittenKind): FileFault[] {
    const isOf = (file: string) => /^(automation|script|scene)s\.yaml$/.exec(file)?.[1];
    return this.issues.value?.filter(({ file }) => isOf(file) === kind) ?? [];
  }
}

export function drawFaults(faults: FileFault[]): TemplateResult | typeof nothing {
  if (faults.length === 0) return nothing;
  return html`<div class="problem" role="alert">
    ${faults.map(
      ({ file, line, error, instead }) =>
        html`<p>
          ${t(`automations.fileFault.${instead}`, {
            place: line ? t("automations.fileLine", { file, line }) : file,
            error: hubMessage(error),
          })}
        </p>`,
    )}
  </div>`;
}
